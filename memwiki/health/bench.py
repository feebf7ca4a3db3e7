"""How well recall answers: questions whose pages are known, and those that are made of the pages of
a vault.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import count, islice
from math import inf
from random import Random
from typing import Any, NamedTuple, NoReturn

from memwiki.answers.bench import (
    FoundInstead,
    HardPage,
    KindRate,
    Miss,
    RecallBench,
    SettingTrial,
    VaultBench,
)
from memwiki.config import Config
from memwiki.config.edit import refuse_key
from memwiki.config.schema import SCHEMA
from memwiki.config.values import typed_value
from memwiki.digest import text_hash
from memwiki.errors import AmbiguousError, NotFoundError, UsageError
from memwiki.index.cards.filters import Filters
from memwiki.index.cards.lookup import Card
from memwiki.index.keyword.tokens import query_terms
from memwiki.index.names import NameKind
from memwiki.index.projection import Progress
from memwiki.markdown.describe import first_paragraph
from memwiki.markdown.entries import ID_NAME
from memwiki.markdown.outline import Outline
from memwiki.markdown.units import entries_of
from memwiki.memory.addresses import PageOutlines, find_entry
from memwiki.names import fold, is_encodable, is_in_folder
from memwiki.nouns import Hit
from memwiki.numbers import counted
from memwiki.options import RecallOptions, check_options
from memwiki.recall.cache import RecallCache
from memwiki.recall.channels import AnswerIndex
from memwiki.recall.query import Query, is_asking
from memwiki.recall.recall import recall
from memwiki.records import grouped
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, reading
from memwiki.text import has_chinese, pattern

_HINT = 'a line is {"question": "...", "pages": ["wiki/a", ...]}'
_FIELD_HINT = "questions of a page are a list of texts"
_MAX_SHOWN = 3
_FIELD = "questions"


class BenchCase(NamedTuple):
    """A question, where it is written, and the names of what answers it."""

    location: str
    question: str
    pages: tuple[str, ...]


class BenchOutcome(NamedTuple):
    """A case with what recall found, and the rank of the first hit that answers; 0 for none."""

    case: BenchCase
    hits: tuple[Hit, ...]
    rank: int


def cases_in(name: str, text: str) -> Iterator[BenchCase]:
    """The cases of JSON lines; UsageError with file and line for what is none."""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if line.strip():
            yield _case(f"{name}:{number}", line)


def cases_of_page(location: str, path: str, questions: object) -> Iterator[BenchCase]:
    """The questions that a page says it answers."""
    listed = questions if isinstance(questions, list) else [questions]
    for question in listed:
        yield BenchCase(location, _text(location, question, "question", _FIELD_HINT), (path,))


def _case(location: str, line: str) -> BenchCase:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        _refuse(location, "not JSON", _HINT)
    if not isinstance(fields, dict):
        _refuse(location, "not an object", _HINT)
    pages = fields.get("pages", fields.get("page"))
    listed = pages if isinstance(pages, list) else [pages]
    if not listed:
        _refuse(location, "no page answers it", _HINT)
    names = tuple(_text(location, each, "page", _HINT) for each in listed)
    return BenchCase(location, _text(location, fields.get("question"), "question", _HINT), names)


def _text(location: str, value: object, what: str, hint: str) -> str:
    if not isinstance(value, str) or not value.strip() or not is_encodable(value):
        _refuse(location, f"the {what} is no text", hint)
    if "\0" in value:
        _refuse(location, f"the {what} has a NUL character", hint)
    return value


def _refuse(location: str, what: str, hint: str) -> NoReturn:
    raise UsageError(f"{location}: {what}", hint)


def outcome(case: BenchCase, hits: Sequence[Hit], wanted: frozenset[str]) -> BenchOutcome:
    """Where the first hit stands that is one of these paths, or entries as `path:line`."""
    names = ({hit.path, f"{hit.path}:{hit.line_start}"} for hit in hits)
    ranks = (rank for rank, each in enumerate(names, 1) if not wanted.isdisjoint(each))
    return BenchOutcome(case, tuple(hits[:_MAX_SHOWN]), next(ranks, 0))


def report(outcomes: Sequence[BenchOutcome], limit: int, *, is_fresh: bool) -> RecallBench:
    """All outcomes in three numbers, and what was missed."""
    rates = _rates_of([each.rank for each in outcomes])
    misses = tuple(_miss(each) for each in outcomes if not each.rank)
    return RecallBench(len(outcomes), *rates, limit, misses, is_fresh)


def _miss(missed: BenchOutcome) -> Miss:
    case = missed.case
    return Miss(case.question, case.location, case.pages, _instead(missed.hits))


def _instead(hits: Iterable[Hit]) -> tuple[FoundInstead, ...]:
    return tuple(FoundInstead(hit.path, round(hit.score, 4)) for hit in hits)


def _rates_of(ranks: Sequence[int]) -> tuple[float, float, float]:
    """How often a page came first, and among the first, and the mean of 1 / rank."""
    values = (
        [rank == 1 for rank in ranks],
        [0 < rank <= _FIRST for rank in ranks],
        map(reciprocal, ranks),
    )
    first, among, mrr = (round(sum(each) / max(len(ranks), 1), 4) for each in values)
    return first, among, mrr


def bench(
    live: LiveIndex,
    given: tuple[str, str] | None,
    paths: Sequence[str],
    options: RecallOptions,
    progress: Progress | None,
) -> RecallBench:
    """The questions of a file, given as its name and text, or those of pages; all are asked."""
    with reading(live) as view:
        cases = list(cases_in(*given) if given else _cases_of_pages(view, paths))
        wanted = [
            frozenset(_target(name, case.location, view) for name in case.pages) for case in cases
        ]
    if not cases:
        raise UsageError(
            "bench: there are no questions",
            "give a file of JSON lines, or pages a list of questions in their front matter",
        )
    named = zip(cases, wanted, strict=True)
    outcomes, is_fresh = _outcomes(live, named, options, _steps(len(cases), progress))
    return report(outcomes, options.limit or 0, is_fresh=is_fresh)


def _steps(total: int, progress: Progress | None) -> Callable[[], None]:
    """What is called after each question."""
    numbers = count(1)
    return lambda: progress(next(numbers), total) if progress else None


def _outcomes(
    live: LiveIndex,
    asked: Iterable[tuple[BenchCase, frozenset[str]]],
    options: RecallOptions,
    step: Callable[[], None],
) -> tuple[list[BenchOutcome], bool]:
    """What recall finds for each case, and whether all answers were fresh."""
    found, is_fresh = [], True
    for case, wanted in asked:
        answer = recall(live, case.question, options, RecallCache())
        found.append(outcome(case, answer.hits, wanted))
        is_fresh = is_fresh and answer.fresh
        step()
    return found, is_fresh


def _cases_of_pages(view: Reading, paths: Sequence[str]) -> Iterator[BenchCase]:
    filters, context = Filters(view.stores.cards.db), view.context
    seen = filters.seen(view.scope)
    numbers = filter(seen.has, filters.having(_FIELD))
    found = sorted(card.path for card in view.lookup.by_number(numbers).values())
    pages = PageOutlines(context)
    for path in found:
        if not paths or any(path == each or is_in_folder(path, each) for each in paths):
            yield from _cases_of(path, pages[path])


def _cases_of(path: str, page: Outline) -> Iterator[BenchCase]:
    for key, value in page.front.fields.items():
        if fold(key) == _FIELD:
            line = next((n for n, text in enumerate(page.lines, 1) if text.startswith(key)), 1)
            yield from cases_of_page(f"{path}:{line}", path, value)


def _target(name: str, location: str, view: Reading) -> str:
    """The path of a page, or an entry as `path:line`."""
    try:
        if not ID_NAME.fullmatch(name):
            return view.find(name)
        located = find_entry(name, view)
    except NotFoundError as error:
        raise NotFoundError(f"{location}: {error.message}", error.hint) from error
    except AmbiguousError as error:
        raise AmbiguousError(
            f"{location}: {error.message}", error.hint, candidates=error.candidates
        ) from error
    return f"{located.path}:{located.entry.line_start}"


_FIRST = 5  # hits: what comes behind them is hard to find
_MAX_WORDS, _MIN_WORDS = 6, 3  # of a sentence in a question
_MAX_ZH, _MIN_ZH = 24, 8  # characters
_COMMON = 0.05  # of all units: a word that more of them hold is common
_MIN_PAGE_WORDS = 20
_MAX_HARD = 50
_RESAMPLES = 1_000
_TABLE = "recall."
_WORD = pattern(r"[^\W_][\w'’-]*")
_CLAUSE_END = pattern(r"[，。；：、！？]+|[,.;:!?]+(?:\s+|$)")  # a blank stands around Latin words
_CUT_WORD = pattern(r"(?<=[^!-~])[!-~]+$")
_SENTENCE_END = pattern(r"(?<=[.!?])\s|(?<=[。！？])")


class OwnQuestionKind(StrEnum):
    """What of a page a question is made of."""

    TITLE = "title"
    HEADING = "heading"
    SENTENCE = "sentence"
    ENTRY = "entry"


class OwnQuestion(NamedTuple):
    """A question, and the page or the entry (`path:line`) that it was made of."""

    kind: OwnQuestionKind
    text: str
    path: str
    target: str


def bench_vault(
    live: LiveIndex, questions: int, limit: int, against: str, progress: Progress | None
) -> VaultBench:
    """So many questions of each kind at most, asked as the settings are, and `against` another."""
    settings = live.context.config
    other = with_setting(settings, against) if against else None
    with reading(live) as view:
        index = AnswerIndex(live, view)
        asked = list(draw_questions(index, questions))
        why = {each: tuple(reasons(index, each)) for each in asked}
    if not asked:
        raise UsageError(
            "bench: no page has a title or a sentence to ask for", "memwiki list shows the pages"
        )
    step = _steps(len(asked) * (2 if other else 1), progress)
    found, is_fresh = _outcomes_of_own(live, settings, asked, limit, step)
    trial = _outcomes_of_own(live, other, asked, limit, step)[0] if other else None
    return VaultBench(
        questions=len(asked),
        kinds=tuple(_rates(asked, found)),
        hard=tuple(islice(_hard(asked, found, why), _MAX_HARD)),
        limit=limit,
        trial=_trial(against, found, trial) if trial else None,
        fresh=is_fresh,
    )


def with_setting(config: Config, written: str) -> Config:
    """The settings with one of recall changed, given as KEY=VALUE."""
    name, equals, value = written.partition("=")
    name = name.strip() if name.strip().startswith(_TABLE) else f"{_TABLE}{name.strip()}"
    if not equals:
        hint = "for example --against recall.depth=1"
        raise UsageError(f"bench vault: {written}: not KEY=VALUE", hint)
    key = SCHEMA.find(name) or refuse_key(name)
    changed: dict[str, Any] = {key.name: typed_value(key, value.strip())}
    return config._replace(recall=config.recall._replace(**changed))


# --- questions ---


def draw_questions(index: AnswerIndex, count: int) -> Iterator[OwnQuestion]:
    """So many questions of each kind at most, of pages in an order that their paths say."""
    left = dict.fromkeys(OwnQuestionKind, count)
    pages = PageOutlines(index.context)
    for card in _cards(index):
        if not any(left.values()):
            return
        for each in _of_page(card, pages[card.path], index):
            if left[each.kind]:
                left[each.kind] -= 1
                yield each


def _cards(index: AnswerIndex) -> Sequence[Card]:
    """The pages that recall may find, in an order that has nothing to do with what they say."""
    guides = index.filters.guides(Query(""), RecallOptions())
    aside = guides | index.filters.archived_pages()
    seen = index.cards.seen(index.view.scope)
    cards = (c for c in index.lookup.cards() if c.number not in aside and seen.has(c.number))
    return sorted(cards, key=lambda card: text_hash(card.path, 8))


def _of_page(card: Card, page: Outline, index: AnswerIndex) -> Iterator[OwnQuestion]:
    def own(kind: OwnQuestionKind, text: str, target: str = "") -> OwnQuestion:
        return OwnQuestion(kind, text, card.path, target or card.path)

    yield own(OwnQuestionKind.TITLE, card.title)
    for section in page.sections:
        is_title = fold(section.title) == fold(card.title)
        if not is_title and index.lookup.headed(section.title, 2) == [card.number]:
            yield own(OwnQuestionKind.HEADING, section.title)
            break
    sentence = _SENTENCE_END.split(first_paragraph(page.lines, page.text_start, page.structure))[0]
    if said := telling(sentence, card.title):
        yield own(OwnQuestionKind.SENTENCE, said)
    for entry in entries_of(page).entries:
        is_found_alone = index.lookup.unit_at(card.number, entry.line_start) is not None
        if is_found_alone and (said := telling(entry.text, "")):
            yield own(OwnQuestionKind.ENTRY, said, f"{card.path}:{entry.line_start}")
            break


def telling(sentence: str, title: str) -> str:
    """The longest words of a sentence that the title does not have, in their order; of Chinese its
    longest clause. "" where that is too little to ask for."""
    if has_chinese(sentence):
        clause = max(_CLAUSE_END.split(sentence), key=len).strip()
        said, following = clause[:_MAX_ZH], clause[_MAX_ZH : _MAX_ZH + 1]
        said = (_CUT_WORD.sub("", said) if "!" <= following <= "~" else said).strip()
        return said if len(said) >= _MIN_ZH and said not in title else ""
    known = set(map(fold, _WORD.findall(title)))
    words = [w for w in _WORD.findall(sentence) if fold(w) not in known and not is_asking(fold(w))]
    chosen = set(sorted(set(words), key=lambda word: (-len(word), word))[:_MAX_WORDS])
    return " ".join(w for w in dict.fromkeys(words) if w in chosen) * (len(chosen) >= _MIN_WORDS)


# --- asking ---


def _outcomes_of_own(
    live: LiveIndex,
    config: Config,
    asked: Sequence[OwnQuestion],
    limit: int,
    step: Callable[[], None],
) -> tuple[list[BenchOutcome], bool]:
    """What recall finds of the vault's own questions under these settings."""
    view = live.by(live.context.actor)
    view.context = live.context._replace(config=config)
    cases = (BenchCase("", each.text, (each.target,)) for each in asked)
    options = check_options(RecallOptions(limit=limit), config.recall)
    return _outcomes(view, ((case, frozenset(case.pages)) for case in cases), options, step)


# --- figures ---


def _rates(asked: Sequence[OwnQuestion], found: Sequence[BenchOutcome]) -> Iterator[KindRate]:
    """Of each kind, and of all together, how often the page came first, and among the first."""
    outcomes = zip(asked, found, strict=True)
    ranks: dict[str, list[int]] = grouped((each.kind, result.rank) for each, result in outcomes)
    kinds: Mapping[str, list[int]] = {**ranks, "all": [r for mine in ranks.values() for r in mine]}
    for kind, mine in kinds.items():
        yield KindRate(kind, len(mine), *_rates_of(mine))


def reciprocal(rank: int) -> float:
    """1 / rank, and 0 of what did not come."""
    return 1 / rank if rank else 0.0


def _trial(
    setting: str, found: Sequence[BenchOutcome], tried: Sequence[BenchOutcome]
) -> SettingTrial:
    pairs = zip(found, tried, strict=True)
    differences = [reciprocal(new.rank) - reciprocal(old.rank) for old, new in pairs]
    low, high = interval(differences)
    return SettingTrial(
        setting,
        *_rates_of([each.rank for each in tried]),
        round(sum(differences) / len(differences), 4),
        low,
        high,
        sum(difference > 0 for difference in differences),
        sum(difference < 0 for difference in differences),
    )


def interval(differences: Sequence[float]) -> tuple[float, float]:
    """The bounds between which the mean lies in 95 of 100 samples drawn with replacement.

    Source: Efron, "Bootstrap Methods: Another Look at the Jackknife", 1979.
    """
    pick, size = Random(1), len(differences)  # noqa: S311 - a sample, no secret
    means = sorted(sum(pick.choices(differences, k=size)) / size for _ in range(_RESAMPLES))
    cut = _RESAMPLES // 40
    return round(means[cut], 4), round(means[-cut - 1], 4)


# --- what is hard to find ---


def _hard(
    asked: Sequence[OwnQuestion],
    found: Sequence[BenchOutcome],
    why: Mapping[OwnQuestion, tuple[str, ...]],
) -> Iterator[HardPage]:
    """The questions whose page was not among the first, those first that found none of it."""
    rows = [row for row in zip(asked, found, strict=True) if not 0 < row[1].rank <= _FIRST]
    rows.sort(key=lambda row: -(row[1].rank or inf))
    for each, result in rows:
        instead = _instead(hit for hit in result.hits if hit.path != each.path)
        yield HardPage(each.target, each.kind, each.text, result.rank, why[each], instead)


def reasons(index: AnswerIndex, each: OwnQuestion) -> Iterator[str]:
    """Why a page may be hard to find by a question."""
    lookup, snapshot = index.lookup, index.snapshot
    if each.kind is OwnQuestionKind.TITLE:
        kinds = (NameKind.TITLE, NameKind.SEARCH)
        twins = {path for kind in kinds for path in lookup.pages(kind, each.text)}
        if len(twins) > 1:
            yield f"{counted(len(twins), 'page')} have this title: another one, or an alias, helps"
    terms = [term for term in query_terms(each.text) if not is_asking(term)]
    rarest = min(map(snapshot.frequency, terms), default=0)
    if terms and rarest > _COMMON * snapshot.unit_count:
        yield f"its words are common: the rarest is in {rarest} of {snapshot.unit_count} passages"
    card = lookup.card(each.path)
    words = len(query_terms(index.texts[card].text)) if card else 0
    if words < _MIN_PAGE_WORDS:
        yield f"the page is short: {counted(words, 'word')} to be found by"
