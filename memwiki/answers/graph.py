"""Links, tags and the graph, as answers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property

from memwiki.answers.lists import ListAnswer, PackedList
from memwiki.nouns import PLAIN, LinkRow, TagCount
from memwiki.records import FrozenRecord, NamedTuple


class LinkList(ListAnswer[LinkRow]):
    links: tuple[LinkRow, ...]
    fresh: bool = True
    notes: tuple[str, ...] = ()  # that the name is of no page yet


class BacklinkLine(NamedTuple):
    """A line with a link to a page."""

    line: int
    text: str
    relation: str = ""


class BacklinkPage(NamedTuple):
    """A page that links to another one, and the lines on which it does."""

    path: str
    title: str
    lines: tuple[BacklinkLine, ...]


class BacklinkList(ListAnswer[BacklinkPage]):
    """The pages that link to one, those first that do it most; `total` counts them all."""

    pages: tuple[BacklinkPage, ...]
    total: int
    fresh: bool = True


class LikeRow(NamedTuple):
    """A page that is like another one, and where it is most so."""

    path: str
    title: str
    score: float
    excerpt: str


class LikeList(ListAnswer[LikeRow]):
    """The pages that are like one, the likest first; `by` names a model, or says words."""

    pages: tuple[LikeRow, ...]
    by: str
    fresh: bool = True


class Mention(NamedTuple):
    """A place where a page is named without a link."""

    path: str
    line: int
    column: int
    text: str  # the name as it is written there
    excerpt: str


class MentionList(FrozenRecord):
    """The places where a page is named without a link, and the names that were looked for."""

    path: str
    names: tuple[str, ...]
    mentions: tuple[Mention, ...]
    has_more: bool = False  # than were asked for
    fresh: bool = True

    def __iter__(self) -> Iterator[Mention]:
        return iter(self.mentions)


class TagList(ListAnswer[TagCount]):
    tags: tuple[TagCount, ...]
    fresh: bool = True


class TagSuggestions(ListAnswer[str]):
    """Tags for a text, the most relevant first."""

    tags: tuple[str, ...]
    fresh: bool = True


class GraphNodeKind(StrEnum):
    PAGE = "page"
    ENTRY = "entry"
    WANTED = "wanted"  # a name of no page yet
    FILE = "file"  # that is no page


class GraphNode(NamedTuple):
    name: str
    path: str  # "" for a wanted page
    type: str
    tags: tuple[str, ...]
    distance: int
    score: float
    kind: GraphNodeKind = GraphNodeKind.PAGE
    id: str = ""  # of an entry
    line: int = 0  # on which an entry begins

    @property
    def end(self) -> str:
        """What edges call it: a page by its path, an entry by its id or line there."""
        if self.kind is GraphNodeKind.ENTRY:
            return f"{self.path}#^{self.id}" if self.id else f"{self.path}:{self.line}"
        return self.path or self.name


class GraphEdge(NamedTuple):
    """From one node to another, named by path, `path#^id`, `path:line`, or wanted name."""

    source: str  # `from` in JSON
    target: str  # `to` in JSON
    type: str
    weight: float


class GraphEdges(PackedList[GraphEdge]):
    """All edges of a graph in their order, which is made at the first look at them.

    `sources` has for each path the places of the paths with a plain link to it.
    """

    def __init__(
        self,
        paths: Sequence[str],
        sources: Sequence[Sequence[int]],
        others: Iterable[GraphEdge],
    ) -> None:
        self._paths, self._sources = paths, sources
        self._others = sorted(others)
        self._names = sorted({*paths, *(edge.target for edge in self._others)})
        self._types = sorted({PLAIN, *(edge.type for edge in self._others)})

    @cached_property
    def _numbers(self) -> array[int]:
        """Each edge as (source * names + target) * types + type, sorted."""
        at = {name: place for place, name in enumerate(self._names)}
        names, types = len(self._names), len(self._types)
        starts = [at[path] * names * types for path in self._paths]
        numbers = array("q")
        for path, sources in zip(self._paths, self._sources, strict=True):
            end = at[path] * types + self._types.index(PLAIN)
            numbers.extend([starts[source] + end for source in sources])
        for source, target, kind, _ in self._others:
            numbers.append((at[source] * names + at[target]) * types + self._types.index(kind))
        return array("q", sorted(numbers))

    @cached_property
    def _weights(self) -> Mapping[tuple[str, str, str], float]:
        return {edge[:3]: edge.weight for edge in self._others if edge.weight != 1}

    def __len__(self) -> int:
        return sum(map(len, self._sources)) + len(self._others)

    def __iter__(self) -> Iterator[GraphEdge]:
        return map(self._edge, self._numbers)

    def at(self, place: int) -> GraphEdge:
        """The edge at a place."""
        return self._edge(self._numbers[place])

    def _edge(self, number: int) -> GraphEdge:
        ends, kind = divmod(number, len(self._types))
        source, target = divmod(ends, len(self._names))
        key = self._names[source], self._names[target], self._types[kind]
        return GraphEdge(*key, self._weights.get(key, 1.0))


class MapMark(StrEnum):
    """What a page of a map is beside a page."""

    NONE = ""
    CATALOG = "catalog"  # generated, or of the type index
    JOURNAL = "journal"  # the log, or of the type log or daily


class GraphMap(FrozenRecord):
    """All pages by path and all links between them, in little space.

    A page is its place in `paths`. Those that it links to are `targets` from `starts` of its place
    to that of the next one, each once and in order; its tags are so in `tags`, as places in
    `tag_names`.
    """

    paths: tuple[str, ...]
    titles: tuple[str, ...]
    types: array[int]  # places in `type_names`
    type_names: tuple[str, ...]
    marks: array[int]  # places in `MapMark`
    ranks: array[float]  # as `ranked` gives them; 0 for what is generated
    starts: array[int]
    targets: array[int]
    tag_starts: array[int]
    tags: array[int]
    tag_names: tuple[str, ...]
    tree: str  # the digest of all pages that it was made of
    fresh: bool = True

    def links(self) -> Iterator[tuple[str, str]]:
        """Each page with each one that it links to, by path."""
        for at, path in enumerate(self.paths):
            for target in self.targets[self.starts[at] : self.starts[at + 1]]:
                yield path, self.paths[target]


class GraphAnswer(ListAnswer[GraphNode]):
    nodes: tuple[GraphNode, ...]
    edges: Sequence[GraphEdge]
    fresh: bool = True
