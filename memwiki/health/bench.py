"""Recall asked questions whose pages are known, of a file or of pages; nothing is recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple, NoReturn

from memwiki.answers.bench import FoundInstead, Miss, RecallBench
from memwiki.errors import AmbiguousError, NotFoundError, UsageError
from memwiki.index.cards.filters import Filters
from memwiki.index.projection import Progress
from memwiki.markdown.entries import ID_NAME
from memwiki.markdown.outline import Outline
from memwiki.memory.addresses import PageOutlines, find_entry
from memwiki.names import fold, is_encodable, is_in_folder
from memwiki.nouns import Hit
from memwiki.options import RecallOptions
from memwiki.recall.cache import RecallCache
from memwiki.recall.recall import recall
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, reading

_HINT = 'a line is {"question": "...", "pages": ["wiki/a", ...]}'
_FIELD_HINT = "questions of a page are a list of texts"
_SHOWN = 3
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
    return BenchOutcome(case, tuple(hits[:_SHOWN]), next(ranks, 0))


def report(outcomes: Sequence[BenchOutcome], limit: int, *, is_fresh: bool) -> RecallBench:
    """All outcomes in three numbers, and what was missed."""
    count = len(outcomes) or 1
    ranks = [each.rank for each in outcomes if each.rank]
    return RecallBench(
        questions=len(outcomes),
        hit_at_1=round(sum(rank == 1 for rank in ranks) / count, 4),
        hit_at_5=round(sum(rank <= 5 for rank in ranks) / count, 4),
        mrr=round(sum(1 / rank for rank in ranks) / count, 4),
        limit=limit,
        misses=tuple(_miss(each) for each in outcomes if not each.rank),
        fresh=is_fresh,
    )


def _miss(missed: BenchOutcome) -> Miss:
    instead = tuple(FoundInstead(hit.path, round(hit.score, 4)) for hit in missed.hits)
    return Miss(missed.case.question, missed.case.location, missed.case.pages, instead)


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
    outcomes, is_fresh = [], True
    for number, (case, names) in enumerate(zip(cases, wanted, strict=True), 1):
        answer = recall(live, case.question, options, RecallCache())
        outcomes.append(outcome(case, answer.hits, names))
        is_fresh = is_fresh and answer.fresh
        if progress:
            progress(number, len(cases))
    return report(outcomes, options.limit or 0, is_fresh=is_fresh)


def _cases_of_pages(view: Reading, paths: Sequence[str]) -> Iterator[BenchCase]:
    filters, context = Filters(view.stores.cards.db), view.context
    seen = filters.seen(view.scope)
    numbers = filter(seen.has, filters.with_field(_FIELD))
    found = sorted(card.path for card in view.lookup.by_number(numbers).values())
    pages = PageOutlines(context.root, context.layers, context.max_bytes)
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
