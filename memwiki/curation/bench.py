"""How well a model extracts: labelled talks, asked one after the other and counted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import cache
from importlib.resources import files
from typing import NamedTuple, NoReturn

from memwiki.answers.bench import ExtractBench, ExtractRate, JunkFact, MissedFact
from memwiki.answers.curation import JobPreview
from memwiki.config import Config
from memwiki.curation.jobs import EXTRACT, Portion, Shown, portions
from memwiki.curation.running import outgoing_requests
from memwiki.curation.work import date_told
from memwiki.dates import iso_date
from memwiki.digest import digest_of
from memwiki.errors import ModelError, UsageError
from memwiki.index.projection import Progress
from memwiki.models.faults import ModelCutError, ModelRefusedError, ModelReplyError
from memwiki.models.opening import ModelRun
from memwiki.models.port import Ask, Chat
from memwiki.models.reply import ask_for
from memwiki.names import fold, is_encodable
from memwiki.proposals.numbering import NumberedSource, SourceLine
from memwiki.proposals.operations import Operation, State
from memwiki.proposals.proposing import operations_of
from memwiki.secrets import without_secrets
from memwiki.text import pattern

SHIPPED = "talks.jsonl"  # 40 talks with 53 facts, English and Chinese, and 15 with none
_HINT = 'a line is {"talk": ["Ann: I moved to Kiel."], "facts": [["Ann", "Kiel|coast"]]}'
_SPEAKER = pattern(r"([^:：]{1,40})[:：]\s*(.+)", re.DOTALL)
_ASSISTANTS = frozenset({"assistant", "助手"})
_OR = "|"


class LabelledTalk(NamedTuple):
    """A conversation, where it is written, and the words of each fact that it tells."""

    place: str
    language: str
    source: NumberedSource
    facts: tuple[tuple[str, ...], ...]


def talks_given(text: str | None, name: str) -> list[LabelledTalk]:
    """Those of a text, whose file has this name, or those that come with memwiki; UsageError where
    there are none, or anything else."""
    if text is None:
        name, text = SHIPPED, shipped_talks()
    if talks := list(talks_in(name, text)):
        return talks
    raise UsageError(f"{name}: there are no talks", "memwiki bench extract asks ours")


def shipped_talks() -> str:
    """The talks that come with memwiki."""
    return (files(__package__) / SHIPPED).read_text("utf-8")


def talks_in(name: str, text: str) -> Iterator[LabelledTalk]:
    """The talks of JSON lines; UsageError with file and line for what is none."""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if line.strip():
            yield _talk(f"{name}:{number}", line)


def _talk(place: str, line: str) -> LabelledTalk:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        _refuse(place, "not JSON")
    if not isinstance(fields, dict):
        _refuse(place, "not an object")
    said = _texts(place, fields.get("talk"), "talk")
    facts = fields.get("facts")
    if not said or not isinstance(facts, list):
        _refuse(place, "it has no talk, or no list of facts")
    wanted = tuple(_texts(place, each, "fact") for each in facts)
    if not all(wanted):
        _refuse(place, "a fact has no words")
    language, date = (fields.get(each, "") for each in ("language", "date"))
    if not isinstance(language, str) or not isinstance(date, str) or (date and not iso_date(date)):
        _refuse(place, "its language is no text, or its date is none")
    lines = tuple(_line(at, each) for at, each in enumerate(said, 1))
    return LabelledTalk(
        place, language, NumberedSource(lines, date, digest=digest_of(line.encode())), wanted
    )


def _texts(place: str, value: object, what: str) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else [value]
    for each in listed:
        if (
            not isinstance(each, str)
            or not each.replace(_OR, " ").strip()
            or not is_encodable(each)
        ):
            _refuse(place, f"its {what} is no list of texts")
    return tuple(listed)


def _line(number: int, said: str) -> SourceLine:
    """What was said, and by whom, as in a session."""
    found = _SPEAKER.fullmatch(said)
    speaker, text = found.groups() if found else ("", said)
    role = "assistant" if fold(speaker) in _ASSISTANTS else "user"
    return SourceLine(" ".join(without_secrets(text).split()), speaker, role, number)


def _refuse(place: str, what: str) -> NoReturn:
    raise UsageError(f"{place}: {what}", _HINT)


# --- which sentence says which fact ---


def pairs(facts: Sequence[Sequence[str]], sentences: Sequence[str]) -> dict[int, int]:
    """As many facts as can each have a sentence of their own that says them, by their places.

    A sentence that says two facts counts for one of them. Which one does not depend on the order
    in which a model gives its sentences (Source: Kuhn, 1955, augmenting paths).
    """
    taken = dict[int, int]()

    def has_place(at: int, tried: set[int]) -> bool:
        for fact, words in enumerate(facts):
            if fact not in tried and is_said(words, sentences[at]):
                tried.add(fact)
                if fact not in taken or has_place(taken[fact], tried):
                    taken[fact] = at
                    return True
        return False

    for at in range(len(sentences)):
        has_place(at, set())
    return taken


def is_said(words: Sequence[str], sentence: str) -> bool:
    """Whether a sentence has all of the words, or words that begin so."""
    folded = fold(sentence)
    return all(_word(each).search(folded) for each in words)


@cache
def _word(words: str) -> re.Pattern[str]:
    """One of the words, where a word begins (`lock` is in locked, `ten` not in often) and, of a
    number, where it ends; Chinese has no such places."""
    return pattern(_OR.join(map(_begun, filter(str.strip, words.split(_OR)))))


def _begun(word: str) -> str:
    folded = fold(word.strip())
    before = r"(?<![a-z0-9])" if folded[0].isascii() and folded[0].isalnum() else ""
    behind = r"(?![0-9])" if folded[-1].isdigit() else ""
    return f"{before}{re.escape(folded)}{behind}"


ALL_TALKS = "all"
# A model that answers one talk wrongly may answer the next one; UsageError is a fact without text.
_INVALID = (ModelReplyError, ModelCutError, ModelRefusedError, UsageError)


class ExtractOutcome(NamedTuple):
    """A talk with the sentences that are proposed, and which of them says which expected fact."""

    talk: LabelledTalk
    sentences: tuple[str, ...]
    aside: int

    @property
    def said(self) -> dict[int, int]:
        """The sentence of each fact that has one, by their places."""
        return pairs(self.talk.facts, self.sentences)

    @property
    def junk(self) -> tuple[str, ...]:
        """The sentences that say nothing expected."""
        facts = self.talk.facts
        return tuple(e for e in self.sentences if not any(is_said(words, e) for words in facts))

    @property
    def missed(self) -> tuple[tuple[str, ...], ...]:
        """The facts that nothing says."""
        said = self.said
        return tuple(words for at, words in enumerate(self.talk.facts) if at not in said)


class _Bench:
    """Asks about talks as `memwiki extract` would in a workspace that knows nothing yet."""

    def __init__(self, config: Config, run: ModelRun, chat: Chat) -> None:
        self._config, self._replies, self._chat = config, run.replies, chat
        self.outcomes: list[ExtractOutcome] = []
        self.invalid = 0

    def ask(self, talk: LabelledTalk) -> None:
        """Add what comes of a talk. Raises ModelError where no other talk fares better."""
        try:
            made = list(self._operations(talk))
        except _INVALID:
            self.invalid += 1
            return
        kept = tuple(each.sentence for each in made if each.state is State.OPEN)
        self.outcomes.append(ExtractOutcome(talk, kept, len(made) - len(kept)))

    def _operations(self, talk: LabelledTalk) -> Iterator[Operation]:
        for portion, ask in _asks(talk, self._chat.context_tokens):
            yield from self._of_portion(talk, portion, ask)

    def _of_portion(self, talk: LabelledTalk, portion: Portion, ask: Ask) -> Sequence[Operation]:
        reply = ask_for(self._chat, ask, EXTRACT.form, self._replies)
        shown = Shown(portion, (), "", self._config.extract.min_importance)
        given = list(EXTRACT.suggest(reply, shown))
        return operations_of(given, talk.source, {}, support=self._config.models.support)


def bench_extract(
    config: Config, run: ModelRun, talks: Sequence[LabelledTalk], progress: Progress | None
) -> ExtractBench:
    """The talks asked of the model one after the other.

    Raises ModelError where nothing can be asked at all.
    """
    error = None
    with closing(run.chat()) as chat:
        bench = _Bench(config, run, chat)
        for number, talk in enumerate(talks, 1):
            try:
                bench.ask(talk)
            except ModelError as failed:
                if not bench.outcomes:
                    raise
                error = failed
                break
            if progress:
                progress(number, len(talks))
    return _report(bench, run, chat.key, len(talks), error)


def bench_preview(run: ModelRun, talks: Sequence[LabelledTalk]) -> JobPreview:
    """What `bench_extract` would send where no reply is kept. Raises ModelError."""

    def asks(context_tokens: int) -> Iterator[Ask]:
        return (ask for talk in talks for _, ask in _asks(talk, context_tokens))

    return JobPreview(outgoing_requests(run, asks), "")


def _asks(talk: LabelledTalk, context_tokens: int) -> Iterator[tuple[Portion, Ask]]:
    for portion in portions(talk.source, EXTRACT.room(context_tokens)):
        yield portion, EXTRACT.ask((date_told(talk.source),), portion.text)


def _report(
    bench: _Bench, run: ModelRun, model: str, count: int, error: ModelError | None
) -> ExtractBench:
    outcomes = bench.outcomes
    return ExtractBench(
        model,
        tuple(_rates(outcomes)),
        tuple(MissedFact(e.talk.place, words) for e in outcomes for words in e.missed),
        tuple(JunkFact(e.talk.place, text) for e in outcomes for text in e.junk),
        bench.invalid,
        count - bench.invalid - len(outcomes),
        *run.budget.spent,
        error.message if error else "",
        error.hint if error else "",
    )


def _rates(outcomes: Sequence[ExtractOutcome]) -> Iterator[ExtractRate]:
    """A row for each language that is named, in their order, and one for all."""
    for language in dict.fromkeys(each.talk.language for each in outcomes):
        if language:
            yield _rate(language, [each for each in outcomes if each.talk.language == language])
    yield _rate(ALL_TALKS, outcomes)


def _rate(language: str, outcomes: Sequence[ExtractOutcome]) -> ExtractRate:
    expected = sum(len(each.talk.facts) for each in outcomes)
    proposed = sum(len(each.sentences) for each in outcomes)
    found = sum(len(each.said) for each in outcomes)
    junk = sum(len(each.junk) for each in outcomes)
    return ExtractRate(
        language,
        len(outcomes),
        expected,
        proposed,
        found,
        proposed - found - junk,
        junk,
        sum(each.aside for each in outcomes),
        round(found / proposed, 4) if proposed else None,
        round(found / expected, 4) if expected else None,
    )
