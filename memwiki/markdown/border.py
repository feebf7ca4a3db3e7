"""The border of the page: the one place where an unforeseen error in reading one file is caught.

What is called across it is pure: bytes into a page, its units, terms and rows. No store is open
there, so that what a disk, SQLite or Whoosh raises is never taken for a mistake in reading a page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePath
from types import TracebackType
from typing import TypeVar

from memwiki.config import is_debugging
from memwiki.digest import unit_digest
from memwiki.markdown import describe
from memwiki.markdown.source import UTF16_CODECS, Decoded
from memwiki.names import stem_of
from memwiki.nouns import (
    UNPARSED,
    Layers,
    Page,
    Problem,
    Severity,
    Unit,
    UnitKind,
    empty_page,
)

T = TypeVar("T")
HEAD_BYTES = 64 * 1024  # that are read of a page which is too large
_PACKAGE = PurePath(__file__).parents[1]
_UNIT_CHARACTERS = 1_500
_SAYS = (
    "memwiki could not parse this page and searches it as plain text; please report it with "
    "this line: "
)


def contain_errors(step: Callable[[], T], instead: Callable[[Exception], T]) -> T:
    """What a pure step makes of one page, else what stands in for it, told the error.

    Under MEMWIKI_DEBUG, as in tests, the error goes on: what is contained is still a mistake.
    """
    try:
        return step()
    except MemoryError:
        raise
    except Exception as error:
        if is_debugging():
            raise
        return instead(error)


def bare_page(path: str, digest: str, decoded: Decoded, *, is_catalog: bool = False) -> Page:
    """A page without units: a binary file, a catalog, the journal."""
    return empty_page(path, digest)._replace(
        text=decoded.text,
        title=stem_of(path),
        type=describe.default_type(path, Layers()),
        problems=decoded.problems,
        line_count=line_count(decoded.text),
        is_catalog=is_catalog,
    )


def line_count(text: str) -> int:
    """How many lines a text has."""
    return text.count("\n") + (not text.endswith("\n") and bool(text))


def plain_page(path: str, data: bytes, error: Exception, max_bytes: int, digest: str) -> Page:
    """A page as plain text, because parsing it raised this: searchable, with the name of its
    file."""
    encoding = UTF16_CODECS.get(data[:2], "utf-8-sig")
    head = data if len(data) <= max_bytes else data[: min(HEAD_BYTES, max_bytes)]
    text = head.decode(encoding, "replace").replace("\0", " ").removeprefix("\ufeff")
    problem = Problem(path, 1, UNPARSED, Severity.ERROR, _SAYS + describe_error(error))
    page = bare_page(path, digest, Decoded(text, (problem,)))
    return page._replace(units=tuple(_units(page.title, text)))


def is_unparsed(page: Page) -> bool:
    """Whether a page is there as plain text alone."""
    return any(problem.code == UNPARSED for problem in page.problems)


def describe_error(error: Exception) -> str:
    """An error, and the innermost place in our code; not where a stack ran out, which depends on
    who called."""
    found, step = "", error.__traceback__
    while step and not isinstance(error, RecursionError):
        found = _location(step) or found
        step = step.tb_next
    return type(error).__name__ + found


def _location(step: TracebackType) -> str:
    location = PurePath(step.tb_frame.f_code.co_filename)
    if not location.is_relative_to(_PACKAGE):
        return ""
    return f" in {location.relative_to(_PACKAGE).as_posix()}:{step.tb_lineno}"


def _units(title: str, text: str) -> Iterator[Unit]:
    """The text in parts of about equal length; nothing in it is looked at but line ends."""
    line, at = 1, 0
    while at < len(text) or at == 0:
        end = text.find("\n", at + _UNIT_CHARACTERS, at + 2 * _UNIT_CHARACTERS) + 1
        part = text[at : end or at + _UNIT_CHARACTERS]
        last = line + part.count("\n") - part.endswith("\n")
        digest = unit_digest(f"{title}\x1f{part}")
        yield Unit(UnitKind.BLOCK, part, title, "", line, max(line, last), digest)
        line += part.count("\n")
        at += max(len(part), 1)
