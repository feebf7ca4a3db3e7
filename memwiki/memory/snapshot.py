"""The snapshot of core memories: the bytes of the file, the pages in it, and what of a page it
holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from memwiki.facts.value import status_of
from memwiki.markdown.describe import SNAPSHOT_MARK, is_in
from memwiki.markdown.outline import outline_of
from memwiki.markdown.units import entries_of
from memwiki.memory.patches import remove_entry
from memwiki.memory.privacy import public_part
from memwiki.names import is_page_name
from memwiki.nouns import Layers
from memwiki.text import pattern

_HEAD = f"""{SNAPSHOT_MARK}
# Memory snapshot

The core memories of this workspace, written by memwiki. `memwiki init` in a folder that holds
nothing but this file brings them back.
"""
_BARE = b"markdown bare"  # a page whose last line has no end
_PAGE = pattern(
    rb"^## ([^\n]+)\n\n(`{3,})(markdown|markdown bare)\n(.*?)\n\2\n", re.MULTILINE | re.DOTALL
)


class SnapshotPage(NamedTuple):
    """A page as a snapshot holds it."""

    path: str
    data: bytes


def held_part(path: str, data: bytes, layers: Layers) -> Iterator[SnapshotPage]:
    """The page with what holds and is nobody's secret; none when nothing is left."""
    public = public_part(path, data, layers).data
    if public is None:
        return
    page = outline_of(path, public, layers)
    for entry in reversed(entries_of(page).entries):  # the lines above stay where they are
        if status_of(entry.fields, is_struck=entry.is_superseded) == "superseded":
            page = remove_entry(page, entry)
    if entries_of(page).entries:
        yield SnapshotPage(page.path, page.data)


# --- the file ------------------------------------------------------------------------------------


def snapshot_of(pages: Sequence[SnapshotPage]) -> bytes:
    """The bytes of the file; each page stands in a fence, so that its own bytes come back."""
    return b"".join([_HEAD.encode(), *map(_section, pages)])


def _section(page: SnapshotPage) -> bytes:
    runs = re.findall(rb"`+", page.data)
    fence = b"`" * max([3, *(len(run) + 1 for run in runs)])
    is_bare = not page.data.endswith(b"\n")
    info = _BARE if is_bare else b"markdown"
    body = page.data if is_bare else page.data[:-1]
    return b"\n## %s\n\n%s%s\n%s\n%s\n" % (page.path.encode(), fence, info, body, fence)


def snapshot_pages(data: bytes, layers: Layers) -> list[SnapshotPage]:
    """The pages that a snapshot holds, of those only which a snapshot may hold: pages of entries in
    memory, learnings and wiki."""
    if not data.startswith(SNAPSHOT_MARK.encode()):
        return []
    found = list[SnapshotPage]()
    for match in _PAGE.finditer(data):
        path = match[1].decode("utf-8", "replace")
        body = match[4] if match[3] == _BARE else match[4] + b"\n"
        if _may_hold(path, layers) and path not in (each.path for each in found):
            found.append(SnapshotPage(path, body))
    return found


def renewed(data: bytes, now: Mapping[str, bytes], layers: Layers) -> bytes:
    """A snapshot with what these of its pages hold now, until the next one is made."""
    pages = snapshot_pages(data, layers)
    if now.keys().isdisjoint(page.path for page in pages):
        return data
    parts = (
        held_part(page.path, now[page.path], layers) if page.path in now else [page]
        for page in pages
    )
    return snapshot_of([*chain.from_iterable(parts)])


def _may_hold(path: str, layers: Layers) -> bool:
    parts = path.split("/")
    is_plain = all(part and not part.startswith(".") for part in parts) and "\\" not in path
    core = (layers.memory, layers.learnings, layers.wiki)
    return (
        is_plain
        and path.isprintable()
        and is_page_name(path)
        and any(is_in(path, layer) for layer in core)
    )
