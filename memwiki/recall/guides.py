"""Guides: pages that tell how a memory is used, and are no part of what it knows."""

from __future__ import annotations

from collections.abc import Iterable

from memwiki.index.cards.filters import Filters
from memwiki.markdown.template_text import is_template_page, template_paths
from memwiki.names import SCHEMA_FILES, fold
from memwiki.recall.query import Filter, FilterKind

HELP = "help"  # the type of a page that explains


def schema_pages(cards: Filters) -> frozenset[int]:
    """What agents' programs read by themselves, such as AGENTS.md."""
    return frozenset[int]().union(*map(cards.with_file_name, SCHEMA_FILES))


def guide_pages(cards: Filters, types: Iterable[str] = ()) -> frozenset[int]:
    """The same with pages of help, unless that type is asked for, and what a template wrote."""
    is_wanted = HELP in map(fold, types)
    helping = frozenset[int]() if is_wanted else cards.having("type", HELP)
    return schema_pages(cards) | helping | frozenset(_of_templates(cards))


def types_asked(filters: Iterable[Filter]) -> list[str]:
    """The types that a question asks for."""
    return [f.value for f in filters if f.kind is FilterKind.TYPE and not f.is_excluded]


def _of_templates(cards: Filters) -> Iterable[int]:
    for path in template_paths():
        found = cards.digest_at(path)
        if found and is_template_page(path, found[1]):
            yield found[0]
