"""Questions whose pages are known, read from a file, and how well recall answered them; pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple, NoReturn

from memwiki.answers.usage import FoundInstead, Miss, RecallBench
from memwiki.errors import UsageError
from memwiki.names import is_encodable
from memwiki.nouns import Hit

_HINT = 'a line is {"question": "...", "pages": ["wiki/a", ...]}'
_FIELD_HINT = "questions of a page are a list of texts"
_SHOWN = 3


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
    raise UsageError(f"{location}: {what}", hint=hint)


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
