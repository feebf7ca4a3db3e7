"""The snapshot: the core memories in one file, from which an empty folder becomes a workspace."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from memwiki.answers.entries import UpkeepStep
from memwiki.errors import MemwikiError
from memwiki.facts.value import CORE, category_of, status_of
from memwiki.markdown.describe import SNAPSHOT, SNAPSHOT_MARK, is_in
from memwiki.markdown.outline import Outline, PageKind, outline_of
from memwiki.markdown.page_entries import entries_of
from memwiki.memory.page_edits import PageEdits
from memwiki.memory.patches import remove_entry
from memwiki.memory.privacy import public_part
from memwiki.names import is_page_name
from memwiki.nouns import Layers
from memwiki.text import pattern
from memwiki.upkeep.work import Done, UpkeepWork, home_of

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


def snapshotted(work: UpkeepWork, pages: PageEdits) -> Done:
    """Write the snapshot, when it is another one than is there."""
    kept, notes, has_core = list[SnapshotPage](), list[str](), False
    own = (path for path in work.paths if not home_of(path, work.config.layers))
    for path in sorted(own, key=lambda path: (_rank(path, work.config.layers), path)):
        try:
            page = pages.page(path)
            if _is_core(page, work.config.layers):
                has_core = True
                kept += _kept(page, work.config.layers)
        except MemwikiError as error:
            notes.append(f"{path}: not in the snapshot ({error.message})")
    before, data = pages.data(SNAPSHOT), snapshot_of(kept) if kept else None
    is_ours = (before or b"").startswith(SNAPSHOT_MARK.encode())
    is_wanted = bool(kept) or (has_core and is_ours)
    if SNAPSHOT in pages.left or data == before or not is_wanted:
        return Done(notes=tuple(notes))
    reason = "core memories changed" if kept else "all of core is private or over"
    verb, to = ("wrote", SNAPSHOT) if kept else ("purged", "")
    if not work.takes_file(verb, SNAPSHOT):
        return Done(notes=tuple(notes))
    pages.write(SNAPSHOT, data, reason)
    return Done((UpkeepStep(verb, SNAPSHOT, 0, "", "", to, reason),), tuple(notes))


def _rank(path: str, layers: Layers) -> int:
    order = (layers.memory, layers.learnings)
    return order.index(path) if path in order else len(order)


def _is_core(page: Outline, layers: Layers) -> bool:
    declared = page.fields.text("type")
    is_core = category_of(page.path, layers, declared or page.type) == CORE
    return is_core and page.kind is PageKind.COLLECTING


def _kept(page: Outline, layers: Layers) -> Iterator[SnapshotPage]:
    """The page with what holds and is nobody's secret; none when nothing is left."""
    public = public_part(page.path, page.data, layers).data
    if public is None:
        return
    page = outline_of(page.path, public, layers)
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


def without_pages(data: bytes, paths: Collection[str], layers: Layers) -> bytes:
    """A snapshot without these pages, until the next one is made."""
    pages = snapshot_pages(data, layers)
    kept = [page for page in pages if page.path not in paths]
    return data if len(kept) == len(pages) else snapshot_of(kept)


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
