"""memwiki: a file-first memory, a folder of markdown, indexed and searchable; the public names."""

from __future__ import annotations

from importlib import import_module

# Importing typing for the real one would be half the CPU time of `memwiki --version`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from memwiki.aio import AsyncWorkspace
    from memwiki.answers.index import Changes
    from memwiki.answers.recall import SearchAnswer
    from memwiki.errors import MemwikiError
    from memwiki.nouns import Entry, Hit, Link, Page, Problem, Section
    from memwiki.workspace import Workspace

__version__ = "0.1.0"

__all__ = [
    "AsyncWorkspace",
    "Changes",
    "Entry",
    "Hit",
    "Link",
    "MemwikiError",
    "Page",
    "Problem",
    "SearchAnswer",
    "Section",
    "Workspace",
    "__version__",
]

_HOMES = {
    "AsyncWorkspace": "memwiki.aio",
    "Changes": "memwiki.answers.index",
    "MemwikiError": "memwiki.errors",
    "SearchAnswer": "memwiki.answers.recall",
    "Workspace": "memwiki.workspace",
}


def __getattr__(name: str) -> object:
    """Import a public name on first use, so that `memwiki --version` loads nothing."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES.get(name, "memwiki.nouns")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
