"""What the model that is set extracts from talks whose facts are known; nothing is proposed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

from memwiki.answers.bench import ExtractBench, ExtractRate, JunkFact, MissedFact
from memwiki.answers.curation import JobPreview
from memwiki.config import Config
from memwiki.curation.extract import EXTRACT
from memwiki.curation.jobs import Shown
from memwiki.curation.portions import Portion, portions
from memwiki.curation.running import outgoing_requests
from memwiki.curation.talks import LabelledTalk, is_said, pairs
from memwiki.curation.work import date_told
from memwiki.errors import ModelError, UsageError
from memwiki.index.projection import Progress
from memwiki.models.faults import ModelCutError, ModelRefusedError, ModelReplyError
from memwiki.models.opening import ModelRun
from memwiki.models.port import Ask, Chat
from memwiki.models.reply import ask_for
from memwiki.proposals.operations import Operation, State
from memwiki.proposals.proposing import operations_of

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
        reply = ask_for(self._chat, ask, EXTRACT.form, self._replies).value
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
