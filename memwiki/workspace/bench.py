"""Recall asked questions whose pages are known; nothing of it is recorded or kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memwiki.answers.usage import RecallBench
from memwiki.errors import AmbiguousError, NotFoundError, UsageError
from memwiki.index.cards.filters import Filters
from memwiki.index.projection import Progress
from memwiki.markdown.entry_marks import ID_NAME
from memwiki.markdown.outline import Outline
from memwiki.memory.addresses import PageOutlines, find_entry
from memwiki.names import fold, is_in_folder
from memwiki.options import RecallOptions
from memwiki.recall.cache import RecallCache
from memwiki.recall.recall import recall
from memwiki.recall.selftest import BenchCase, cases_in, cases_of_page, outcome, report
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, reading

_FIELD = "questions"


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
            hint="give a file of JSON lines, or pages a list of questions in their front matter",
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
        raise NotFoundError(f"{location}: {error.message}", hint=error.hint) from error
    except AmbiguousError as error:
        raise AmbiguousError(
            f"{location}: {error.message}", hint=error.hint, candidates=error.candidates
        ) from error
    return f"{located.path}:{located.entry.line_start}"
