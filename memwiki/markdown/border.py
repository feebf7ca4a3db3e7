"""The border of the page: the one place where an unforeseen error in reading one file is caught.

What is called across it is pure: bytes into a page, its units, terms and rows. No store is open
there, so that what a disk, SQLite or Whoosh raises is never taken for a mistake in reading a page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from memwiki.config import is_debugging

T = TypeVar("T")


def contained(step: Callable[[], T], instead: Callable[[Exception], T]) -> T:
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
