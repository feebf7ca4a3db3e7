"""Which units have a vector, and of which text: the recipe."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from memwiki.digest import text_hash
from memwiki.index.units import keyed
from memwiki.nouns import Page, Unit, UnitKind

RECIPE = "1"  # another text of a unit is another number, and so another folder
TEXT_BYTES = 16
_MAX_CHARACTERS = 1_400


class EmbeddedUnits(StrEnum):
    """What has a vector: entries and messages; also the beginning of each page; every unit."""

    MEMORIES = "memories"
    PAGES = "pages"
    ALL = "all"


def texts_of_page(page: Page, of: EmbeddedUnits) -> Iterator[tuple[bytes, str]]:
    """The units of a page by key, each with the text that stands for it."""
    is_first = True
    for key, unit in keyed(page).read.items():
        if unit.kind is not UnitKind.BLOCK:
            text = unit.text
        elif of is EmbeddedUnits.ALL or (of is EmbeddedUnits.PAGES and is_first):
            text = _of_block(page, unit, is_first=is_first)
        else:
            continue
        is_first = is_first and unit.kind is not UnitKind.BLOCK
        if any(map(str.isalnum, text)):
            yield key, embedded(text)


def _of_block(page: Page, unit: Unit, *, is_first: bool) -> str:
    heads = (page.title, page.description) if is_first else (page.title,)
    return "\n".join(filter(None, (*heads, unit.text)))


def embedded(text: str) -> str:
    """What of a text is embedded."""
    return text.strip()[:_MAX_CHARACTERS]


def text_key(text: str) -> bytes:
    """What a text is known by."""
    return text_hash(text, TEXT_BYTES)
