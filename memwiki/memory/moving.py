"""Moving an entry to another page: its own bytes, and the links that name it there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from posixpath import dirname, relpath

from memwiki.change.plan import Edit, Plan
from memwiki.digest import digest_if_any
from memwiki.errors import LineNotEditableError, UsageError
from memwiki.index.cards.lookup import Lookup
from memwiki.index.find import meaning
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import Patch
from memwiki.memory.changing import item_lines, said, without
from memwiki.memory.editing import PageBytes
from memwiki.memory.finding import again
from memwiki.memory.placing import Target, page_for, spot_of, with_items
from memwiki.memory.view import Located, entry_name
from memwiki.model import Layers, Link, LinkKind
from memwiki.names import without_suffix


def linking_pages(known: Located, lookup: Lookup, layers: Layers) -> list[str]:
    """The pages with a link that names an entry by its page and id."""
    id_ = known.entry.id
    return list(pages_naming([known.path], lookup, layers).get(id_, ())) if id_ else []


def pages_naming(
    paths: Iterable[str], lookup: Lookup, layers: Layers
) -> Mapping[str, Sequence[str]]:
    """By id of an entry of some pages, the pages with a link that names it by its page and id."""
    found: dict[str, dict[str, None]] = {}
    links: dict[str, list[Link]] = {}
    for path in paths:
        for source in lookup.linking(lookup.target_numbers(path)):
            if source not in links:
                links_of_page = (link for link in lookup.links_of(source) if link.written)
                links[source] = [link for link in links_of_page if link.block.startswith("m-")]
            for link in links[source]:
                if meaning(lookup, layers, source, link) == path:
                    found.setdefault(link.block, {})[source] = None
    return {id_: list(sources) for id_, sources in found.items()}


def move_plan(
    known: Located,
    target: Target,
    data: bytes | None,
    sources: Sequence[str],
    pages: PageBytes,
) -> Plan:
    """A plan that takes an entry out of its page and writes it under the heading of its type;
    `data` is the page it goes to, and `sources` are the pages that name it by its page.

    Raises UsageError for the page it is on, LineNotEditableError where it would be read otherwise.
    """
    if target.path == known.path:
        raise UsageError(f"{target.path}: the entry is there already", hint="name another page")
    page = pages.page(known.path)
    entry = again(page, known.entry)
    there = page_for(target, data, pages.day, pages.layers, pages.max_bytes)
    spot = spot_of(there, entry.type, is_by_day=target.is_by_day)
    after, placed = with_items(there, spot, _item(page, known, spot.type), pages.max_bytes)
    if placed is None or said(placed) != said(entry):
        what = "the entry cannot be moved: it would be read otherwise there"
        raise LineNotEditableError(page.path, entry.line_start, what)
    changed = {page.path: (page, without(page, entry)), there.path: (there, after)}
    for source in sources:
        before, now = changed.get(source) or (pages.page(source),) * 2
        patches = list(renamed(now, {entry.id: there.path}))
        changed[source] = before, now.edited(patches) if patches else now
    based_on = {path: before.data for path, (before, _) in changed.items()} | {there.path: data}
    edits = tuple(
        Edit(path, digest_if_any(based_on[path]), after.data, "entry moved", base=based_on[path])
        for path, (_, after) in changed.items()
        if based_on[path] != after.data
    )
    what = entry_name(known.path, entry)
    return Plan(edits, f"moved {what} to {there.path}", "move", is_noted=False)


def _item(page: Outline, known: Located, type_above: str) -> str:
    """The lines of an entry as they are written; its type where the new heading says another."""
    type_ = known.entry.type
    lines = item_lines(page, again(page, known.entry), "move its lines in an editor")
    return lines.typed(type_) if type_ != type_above else lines.text


def renamed(page: Outline, moved: Mapping[str, str]) -> Iterator[Patch]:
    """Links to entries that name their pages, with the name of the new page of each id."""
    found = page.found
    for link, (start, end) in zip(found.links, found.targets, strict=True):
        new = moved.get(link.block, "")
        if not (new and link.written):
            continue
        line = page.masked.text.count("\n", 0, start)
        at = page.offset(line, start - page.masked.starts[line])
        is_path = link.kind in (LinkKind.MARKDOWN, LinkKind.IMAGE)
        name = relpath(new, dirname(page.path)) if is_path else without_suffix(new)
        yield Patch(at, at + end - start, f"{name}#^{link.block}")
