"""Pages, links, tags and the graph of a workspace, as answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path

from memwiki.answers.browsing import (
    GraphAnswer,
    GraphEdge,
    GraphNode,
    LinkList,
    PageList,
    PageRow,
    PageView,
    TagList,
)
from memwiki.errors import AmbiguousError, MemwikiError, NotFoundError, UsageError
from memwiki.files.ignore import is_page_name
from memwiki.files.paths import contain, is_encodable
from memwiki.files.read import contents
from memwiki.files.why import why_ignored
from memwiki.index.graph import Edge, Graph, Reached, page_rank, reference_counts, tag_counts
from memwiki.index.lookup import Card, Lookup
from memwiki.index.resolve import Reference, Resolution, reference_to, resolve
from memwiki.markdown.describe import is_put_away
from memwiki.markdown.parse import Whole, parse
from memwiki.markdown.sections import find_lines
from memwiki.markdown.text import fold
from memwiki.model import Layers, Link, LinkStatus, Page
from memwiki.names import require_text
from memwiki.recall.narrow import path_matcher
from memwiki.workspace.keeping.freshness import Reading, reading
from memwiki.workspace.keeping.keeper import Keeper

_SORTS = ("title", "updated", "links")
_LONGEST_NAME = 300  # to a longer one nothing is near, and to find out takes long
_FEW = 50  # pages whose links are counted one by one rather than all at once


def find(keeper: Keeper, view: Reading, name: str, *, is_only: bool = False) -> str:
    """The path of the page that a name means; NotFoundError or AmbiguousError otherwise.

    With `is_only` no other page may answer, not even a source behind the page that was made of it.
    """
    layers = keeper.config.layers
    _require_name(name)
    found = resolve(Reference(name), view.lookup, layers)
    if found.status is LinkStatus.AMBIGUOUS or (is_only and len(found.candidates) > 1):
        raise AmbiguousError(
            f"{name}: {len(found.candidates)} pages answer to this name",
            hint="give the path of one of them",
            candidates=found.candidates,
        )
    if what := _no_page(found, name, view.lookup) or _left_out(keeper.root, name, found):
        raise NotFoundError(
            f"{name}: is no page, but {what}", hint="read it with any program", path=name
        )
    if found.status is not LinkStatus.RESOLVED or view.lookup.card(found.target) is None:
        if reason := _why_ignored(keeper, name):
            hint = "take it in there, or read it with any program"
            raise NotFoundError(f"{name}: is no page: {reason}", hint=hint, path=name)
        near = _near(name, view.lookup)
        hint = f"did you mean {near[0]}?" if near else f"memwiki search {name}"
        if next(view.lookup.cards(), None) is None:
            hint = "the index holds no page yet: memwiki sync"
        raise NotFoundError(f"{name}: no page has this name", hint=hint, candidates=near)
    return found.target


def _require_name(name: str) -> None:
    """Refuse what no page is called."""
    if not is_encodable(name) or "\0" in name:
        hint = "the names of pages are valid Unicode without control characters"
        raise NotFoundError(f"{name!r}: no page has this name", hint=hint)


def _no_page(found: Resolution, name: str, lookup: Lookup) -> str:
    """What the file of exactly this name is when it is none of the pages; "" when there is no such."""
    if found.by == "attachment":
        return "another file"
    is_hidden = found.by != "path" and any(path == name for path, _ in lookup.hidden())
    return "a generated catalog or the journal" if is_hidden else ""


def _left_out(root: Path, name: str, found: Resolution) -> str:
    """The same of a file that is not indexed, while a page answers to its name."""
    place = root / name.lstrip("/")
    with suppress(OSError, ValueError):
        is_other = found.target and found.by != "path" and is_page_name(name) and place.is_file()
        if is_other and not place.samefile(root / found.target):
            return "a file that is not indexed"
    return ""


def _why_ignored(keeper: Keeper, name: str) -> str:
    """Why the file of exactly this name is not found; "" when there is none."""
    with suppress(MemwikiError, OSError, ValueError):
        path = contain(keeper.root, name)
        if is_page_name(path) and (keeper.root / path).is_file():
            return why_ignored(keeper.root, path, ignore=keeper.ignore())
    return ""


def meaning(lookup: Lookup, layers: Layers, path: str, link: Link) -> str:
    """The one page that a link on a page means, "" when there is none or several."""
    found = resolve(reference_to(link, path), lookup, layers)
    return found.target if found.status is LinkStatus.RESOLVED else ""


def _near(name: str, lookup: Lookup) -> tuple[str, ...]:
    known: dict[str, str] = {}
    for card in lookup.cards() if len(name) <= _LONGEST_NAME else ():
        known[fold(card.title)] = card.path
        known[fold(card.path.rsplit("/", 1)[-1].removesuffix(".md"))] = card.path
    close = get_close_matches(fold(name), known, n=5, cutoff=0.75)
    return tuple(dict.fromkeys(known[match] for match in close))


def get(keeper: Keeper, name: str, *, section: str, lines: tuple[int, int] | None) -> PageView:
    """A page, one section or some lines of it, as the file is now."""
    page_name, _, anchor = name.partition("#")
    with reading(keeper) as view:
        try:
            path = find(keeper, view, name)
        except NotFoundError:
            if not (anchor and page_name):
                raise
            path, section = find(keeper, view, page_name), section or anchor
    page = _read(keeper, path)
    text, start, stop = part_of(page, section, lines)
    return PageView(
        path, page.title, page.type, page.fields, page.tags, page.aliases, text, page.digest,
        start, stop,
    )  # fmt: skip


def part_of(page: Page, section: str, lines: tuple[int, int] | None) -> tuple[str, int, int]:
    """The text of a page, of one section or of some lines, with its first and last line."""
    start, stop = 1, max(page.line_count, 1)
    if section:
        start, stop = find_lines(page, section)
    if lines:
        start, stop = max(start, lines[0]), min(stop, lines[1])
        if start > stop:
            raise NotFoundError(
                f"{page.path}: it has no lines {lines[0]}-{lines[1]}",
                hint=f"it has {page.line_count} lines",
                path=page.path,
            )
    if not (section or lines):
        return page.text, start, stop
    return "\n".join(page.text.split("\n")[start - 1 : stop]), start, stop


def _read(keeper: Keeper, path: str) -> Page:
    """The page as the file is now."""
    limit = keeper.config.files.max_bytes
    held, _ = contents(keeper.root, path, limit)
    whole = Whole(held.digest, held.size)
    return parse(path, held.data, keeper.config.layers, max_bytes=limit, of=whole)


def list_pages(
    keeper: Keeper, type_: str, tag: str, path: str, sort: str, limit: int | None, *, orphans: bool
) -> PageList:
    """Pages by type, tag and path, or those of them that no other page links to."""
    if sort not in _SORTS:
        raise UsageError(f"--sort {sort}: not a way to sort", hint=f"use {', '.join(_SORTS)}")
    require_text("list", type_, tag, path)
    with reading(keeper) as view:
        cards = [
            card for card in view.lookup.cards() if not type_ or fold(card.type) == fold(type_)
        ]
        if tag:
            tagged = view.lookup.tagged_below(tag)
            cards = [card for card in cards if card.number in tagged]
        if orphans:
            alone = view.graph.orphans()
            cards = [card for card in cards if card.path in alone]
        layers = keeper.config.layers
        if not is_put_away(path.strip("/"), layers):
            cards = [card for card in cards if not is_put_away(card.path, layers)]
        if path:
            is_at = path_matcher(path)
            cards = [card for card in cards if is_at(card.path)]
        counts = _link_counts(view.graph, cards) if sort == "links" else {}
        cards.sort(key=lambda card: _order(card, sort, counts))
        shown = cards[:limit] if limit else cards
        counts = counts or _link_counts(view.graph, shown)
        rows = tuple(_row(card, view.lookup, counts) for card in shown)
    notes = _undated_note(cards) if sort == "updated" else ()
    return PageList(rows, len(cards), view.freshness.fresh, notes)


def _undated_note(cards: Sequence[Card]) -> tuple[str, ...]:
    undated = sum(not card.written for card in cards)
    if not undated:
        return ()
    note = f"{undated} of {len(cards)} pages say no date"
    return (f"{note}: they come last, by the time of their files",)


def _order(card: Card, sort: str, counts: Mapping[str, int]) -> tuple[object, ...]:
    name = (fold(card.title), card.path)
    if sort == "links":
        return (-counts.get(card.path, 0), *name)
    if sort == "updated":
        newest_first = tuple(-ord(c) for c in card.written)
        return (not card.written, newest_first, 0 if card.written else -card.mtime_ns, *name)
    return name


def _row(card: Card, lookup: Lookup, counts: Mapping[str, int]) -> PageRow:
    tags = lookup.tags_of(card)
    links = counts.get(card.path, 0)
    return PageRow(card.path, card.title, card.type, card.description, tags, card.changed, links)


def _link_counts(graph: Graph, cards: Iterable[Card]) -> Mapping[str, int]:
    """How many links of other pages mean each page."""
    cards = list(cards)
    if len(cards) > _FEW:
        return reference_counts(graph.everything())
    return {c.path: sum(row.source != c.path for row in graph.incoming(c.path)) for c in cards}


def links(keeper: Keeper, name: str, direction: str) -> LinkList:
    """The links of a page in one direction or both."""
    if direction not in ("in", "out", "both"):
        raise UsageError(f"{direction}: not a direction", hint="use in, out or both")
    with reading(keeper) as view:
        path = find(keeper, view, name)
        outgoing = view.graph.resolved(path, _read(keeper, path).links) if direction != "in" else []
        incoming = view.graph.incoming(path) if direction != "out" else []
    return LinkList((*outgoing, *(r for r in incoming if r not in outgoing)), view.freshness.fresh)


def unresolved(keeper: Keeper, name: str) -> LinkList:
    """Links that are wanted, broken or ambiguous."""
    bad = (LinkStatus.WANTED, LinkStatus.BROKEN, LinkStatus.AMBIGUOUS)
    with reading(keeper) as view:
        every = view.graph.outgoing(find(keeper, view, name)) if name else view.graph.everything()
        rows = tuple(row for row in every if row.status in bad)
    return LinkList(tuple(sorted(rows, key=lambda r: (r.source, r.line))), view.freshness.fresh)


def tags(keeper: Keeper, prefix: str) -> TagList:
    """Tags with the number of pages that carry each or one below it."""
    require_text("tags", prefix)
    with reading(keeper) as view:
        layers = keeper.config.layers
        shown = (row for row in view.lookup.all_tags() if not is_put_away(row[0], layers))
        rows = tuple(tag_counts(shown, prefix))
    return TagList(rows, view.freshness.fresh)


def graph(keeper: Keeper, name: str, *, depth: int, to: str, relation: str) -> GraphAnswer:
    """A neighbourhood, a shortest path, or everything."""
    require_text("graph", relation)
    if to and not name:
        raise UsageError("--to: a path needs both ends", hint="memwiki graph NAME --to OTHER")
    with reading(keeper) as view:
        if not name:
            reached, edges = _everything(keeper, view, relation)
        elif to:
            reached, edges = _path(keeper, view, name, to, relation)
        else:
            start = find(keeper, view, name)
            reached, edges = view.graph.neighbourhood(start, depth, relation)
        nodes = tuple(_nodes(view.lookup, reached, edges))
        shown = {node.path or node.name for node in nodes}
        rows = tuple(
            GraphEdge(edge.source, edge.target, edge.type, edge.weight)
            for edge in sorted(edges, key=lambda e: (e.source, e.target, e.type))
            if edge.source in shown and edge.target in shown
        )
    return GraphAnswer(nodes, rows, view.freshness.fresh)


def _everything(keeper: Keeper, view: Reading, relation: str) -> tuple[list[Reached], list[Edge]]:
    edges = view.graph.edges(view.graph.everything(), relation)
    paths = (
        card.path
        for card in view.lookup.cards()
        if not is_put_away(card.path, keeper.config.layers)
    )
    ranks = page_rank(edges, paths)
    order = sorted(ranks.items(), key=lambda row: (-row[1], row[0]))
    return [Reached(path, 0, rank) for path, rank in order], edges


def _path(
    keeper: Keeper, view: Reading, name: str, to: str, relation: str
) -> tuple[list[Reached], list[Edge]]:
    start, end = find(keeper, view, name), find(keeper, view, to)
    edges = view.graph.shortest_path(start, end, relation)
    if not edges and start != end:
        raise NotFoundError(
            f"{name}: no path of links leads to {to}", hint="memwiki graph NAME --depth 2"
        )
    reached = [Reached(start, 0, 1.0)]
    for edge in edges:
        last = reached[-1]
        other = edge.target if edge.source == last.target else edge.source
        reached.append(Reached(other, last.distance + 1, last.weight * edge.weight))
    return reached, edges


def _nodes(lookup: Lookup, reached: Iterable[Reached], edges: Iterable[Edge]) -> list[GraphNode]:
    nodes, known = [], set()
    for step in reached:
        card = lookup.card(step.target)
        known.add(step.target)
        if card is None:  # an attachment
            nodes.append(GraphNode(step.target, step.target, "file", (), step.distance, step.score))
            continue
        tags = lookup.tags_of(card)
        score = round(step.score, 6)
        nodes.append(GraphNode(card.title, card.path, card.type, tags, step.distance, score))
    far = 1 + max((node.distance for node in nodes), default=0)
    wanted = {e.target for e in edges if e.is_wanted and e.source in known}
    return nodes + [GraphNode(name, "", "wanted", (), far, 0.0) for name in sorted(wanted)]
