"""The whole workspace as rules see it: cards, links, facts, what day it is, and which entries mean
nearly the same."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from datetime import date
from functools import cache, cached_property, partial
from types import MappingProxyType
from typing import TypeAlias

from memwiki.check.facts import EntryFacts, EntryPart, Facts
from memwiki.config.schema import EntitiesConfig, MemoryConfig
from memwiki.errors import IndexDamagedError, MemwikiError
from memwiki.index.cards.lookup import Card, Lookup
from memwiki.index.graph import LinkGraph
from memwiki.index.meanings.lookup import Meanings, ResolvedLink, Which
from memwiki.index.storage_sqlite import MISSHAPEN, SqlError, StoreMissingError
from memwiki.judgement.meetings import Compared, Pair
from memwiki.markdown.describe import inner_path, is_in, is_kept
from memwiki.names import fold, stem_of
from memwiki.nouns import DENDRON, LOGSEQ, Layers, LinkKind
from memwiki.records import NamedTuple, grouped
from memwiki.scope import base_of, layers_at
from memwiki.sync.live import LiveIndex


class TagLocation(NamedTuple):
    """Where a tag stands first on a page."""

    path: str
    line: int
    is_meant: bool  # as a tag: `#define` in a sentence looks like one


# The places of each tag, by its folded form and by the way it is written there.
Tags: TypeAlias = Mapping[str, Mapping[str, list[TagLocation]]]


class EntryPlace(NamedTuple):
    """An entry that is not superseded; they are sorted by their age."""

    date: str  # that it says, else the one of its page's name; "" for none
    path: str
    line: int
    name: str  # of all that it says, but for its id
    part: int
    number: int  # in it


class CurrentEntries:
    """The entries of all pages that are not superseded; of one section of those that say the same
    only the first. What they say is read when it is asked for."""

    def __init__(
        self, parts: Iterable[tuple[str, EntryPart]], namespace_of: Callable[[str], str]
    ) -> None:
        kept = self._parts = list(parts)
        self._namespace_of = cache(namespace_of)
        self._read = cache(lambda part: json.loads(kept[part][1].facts))

    def places(self) -> Mapping[str, Sequence[EntryPlace]]:
        """All of them by their namespace, the oldest first."""
        make, parts = partial(tuple.__new__, EntryPlace), enumerate(self._parts)
        of = grouped((self._namespace_of(path), (part, path, each)) for part, (path, each) in parts)
        rows = {
            namespace: [
                make((date, path, each.start + line, name, part, number))
                for part, path, each in inside
                for number, (line, name, date) in enumerate(json.loads(each.marks))
            ]
            for namespace, inside in of.items()
        }
        return {namespace: _once_a_page(sorted(each)) for namespace, each in rows.items()}

    def facts(self, place: EntryPlace) -> EntryFacts:
        """What an entry says, and its line."""
        return EntryFacts(place.line, *self._read(place.part)[place.number][1:])

    def having(self, fields: Iterable[str]) -> Iterator[tuple[str, EntryFacts]]:
        """Those that have one of these fields, page by page."""
        signs = [f"{json.dumps(name)}: " for name in fields]
        for part, (path, (_, start, _, text)) in enumerate(self._parts):
            if any(sign in text for sign in signs):
                for line, *rest in self._read(part):
                    yield path, EntryFacts(start + line, *rest)


def _once_a_page(places: Sequence[EntryPlace]) -> Sequence[EntryPlace]:
    if len({each.name for each in places}) == len(places):
        return places
    found = dict[tuple[str, str], EntryPlace]()
    for each in places:
        found.setdefault((each.path, each.name), each)
    return [*found.values()]


class Catalogs(NamedTuple):
    """The catalogs that are there and not as they should be, by path; whether they are known to
    list the pages as they are."""

    is_settled: bool = True
    stale: tuple[str, ...] = ()
    large: tuple[str, ...] = ()
    unread: tuple[MemwikiError, ...] = ()  # why one cannot be read, with its path


class CheckEnvironment(NamedTuple):
    """What rules may know besides the index and the facts."""

    today: date
    read: Callable[[str], bytes]  # the bytes of a file, for the few of which the text is needed
    exists: Callable[[str], bool]  # whether there is a file or folder, seen by the index or not
    first_seen: Mapping[str, tuple[str, str]] = MappingProxyType({})  # source -> (digest, day)
    out_of_step: str = ""  # why the index could not follow the files
    catalogs: Catalogs = Catalogs()
    entries: Callable[[], Iterable[tuple[str, EntryPart]]] = tuple  # page by page
    memory: MemoryConfig = MemoryConfig()
    entities: EntitiesConfig = EntitiesConfig()
    compared: Callable[[str], Compared] = lambda _: Compared()  # what is known of a namespace
    keep_compared: Callable[[str, Compared], None] = lambda *_: None
    # The places of texts, the oldest first, that mean nearly the same, by a cosine of so much.
    alike: Callable[[Iterable[str], float], Iterable[Pair]] = lambda *_: ()


class WorkspaceOverview:
    """Everything that is known without reading pages, each part worked out when first asked for."""

    def __init__(
        self,
        lookup: Lookup,
        graph: LinkGraph,
        layers: Layers,
        facts: Mapping[str, Facts],
        around: CheckEnvironment,
    ) -> None:
        self.lookup, self.graph, self.layers = lookup, graph, layers
        self.facts, self.around = facts, around

    def is_there(self, path: str, source: str) -> bool:
        """Whether there is a file or folder that a page may mean: one of another namespace is none
        to a page that lies in one."""
        own, base = base_of(source, self.layers), base_of(f"{path}/", self.layers)
        return (not own or base in ("", own)) and self.around.exists(path)

    @cached_property
    def cards(self) -> Mapping[str, Card]:
        """The cards of all pages by path."""
        return {card.path: card for card in sorted(self.lookup.cards(), key=lambda each: each.path)}

    @cached_property
    def attachments(self) -> frozenset[str]:
        """The paths of the files that are no pages."""
        return frozenset(path for _, path in self.lookup.all_attachments())

    @cached_property
    def folders(self) -> frozenset[str]:
        """The folders at the root that hold a page or another file."""
        paths = (*self.cards, *self.attachments)
        return frozenset(path.partition("/")[0] for path in paths if "/" in path)

    def links(self, which: Which) -> list[ResolvedLink]:
        """The links of a kind that a reader sees, of every page but those kept as they are, with
        what they mean; addresses elsewhere are none."""
        seen = filter(self._is_seen, self._meanings.every(which))
        # Nobody may put right those of a source, which lead to where it came from.
        found = [each for each in seen if not is_kept(each.source, self.layers)]
        # By path, not as they were indexed: what is reported once is reported at the first page.
        return sorted(found, key=lambda each: each.source)

    @cached_property
    def has_wikilinks(self) -> bool:
        """Whether a page has a link by name, which a second page of the name makes unclear."""
        return any(each.link.kind is LinkKind.WIKILINK for each in self._meanings.every())

    def links_to(self, path: str) -> list[ResolvedLink]:
        """Those of them in other pages that mean one page."""
        return [each for each in self._meanings.incoming(path) if self._is_seen(each)]

    @cached_property
    def _meanings(self) -> Meanings:
        with self.graph.meanings() as meanings:
            return meanings  # a check is one moment as a whole

    def _is_seen(self, each: ResolvedLink) -> bool:
        if each.link.kind is LinkKind.ENTRY or each.source in self.retired:
            return False  # what an entry says is no link that a reader of pages follows
        hidden = self._commented.get(each.source, ())
        return not hidden or (each.link.line, each.link.written) not in hidden

    @cached_property
    def _commented(self) -> Mapping[str, Set[tuple[int, str]]]:
        commented = ((path, each.commented) for path, each in self.facts.items() if each.commented)
        # As JSON has the pairs, they are lists.
        return {path: {(line, name) for line, name in links} for path, links in commented}

    @cached_property
    def unresolved(self) -> Sequence[ResolvedLink]:
        """The links that mean no page and no other file."""
        return self.links(Which.UNRESOLVED)

    @cached_property
    def edges(self) -> frozenset[tuple[str, str]]:
        """The pairs of different pages of which one links to the other."""
        whole = (pair for pair in self._meanings.pairs() if pair[0] not in self._commented)
        parts = (each for path in self._commented for each in self._meanings.outgoing(path))
        seen = ((each.source, each.found.target) for each in parts if self._is_seen(each))
        return frozenset(
            pair
            for pair in (*whole, *seen)
            if pair[0] not in self.retired and pair[0] != pair[1] and pair[1] in self.cards
        )

    @cached_property
    def tags(self) -> Mapping[str, Tags]:
        """The tags of each namespace, "" for the pages outside of all."""
        found: dict[str, dict[str, dict[str, list[TagLocation]]]] = {}
        for path, facts in self.facts.items():
            for tag, line, is_meant in facts.tags if path not in self.retired else ():
                ways = found.setdefault(self.namespace_of(path), {}).setdefault(fold(tag), {})
                ways.setdefault(tag, []).append(TagLocation(path, line, is_meant))
        return found

    def is_tag(self, name: str, source: str) -> bool:
        """Whether pages of the namespace have a tag."""
        return fold(name) in self.tags.get(self.namespace_of(source), {})

    def is_tag_page(self, path: str) -> bool:
        """Whether a page stands for a tag or property that other pages have, so that these lead to
        it."""
        tags = self.tags.get(self.namespace_of(path), {})
        names = [fold(name) for name in self._tag_names(path)]
        ways = (each for name in names for each in tags.get(name, {}).values())
        is_tag = any(place.path != path for places in ways for place in places)
        own = {fold(key) for key in self.facts[path].properties}
        return is_tag or any(self._properties[name] > (name in own) for name in names)

    def _tag_names(self, path: str) -> tuple[str, ...]:
        """The tags that a page stands for: any page of Logseq, `tags.NAME` in Dendron, `tags/NAME`
        where a website is made of the pages."""
        stem, dialect = stem_of(path), layers_at(path, self.layers).dialect.name
        if dialect == LOGSEQ:
            return self.cards[path].title, stem
        if dialect == DENDRON:
            return (stem.removeprefix("tags."),) if stem.startswith("tags.") else ()
        return (stem,) if path.split("/")[-2:-1] == ["tags"] else ()

    @cached_property
    def _properties(self) -> Counter[str]:
        """How many pages have each property."""
        pages = ({fold(key) for key in each.properties} for each in self.facts.values())
        return Counter(key for keys in pages for key in keys)

    @cached_property
    def entries(self) -> CurrentEntries:
        """The entries of all pages that are not superseded, retired or sources."""
        return CurrentEntries(self.around.entries(), self.namespace_of)

    def namespace_of(self, path: str) -> str:
        """The folder of the namespace that a page is in, "" for none."""
        return base_of(path, self.layers)

    @cached_property
    def retired(self) -> frozenset[str]:
        """The pages in the archive, where nothing is put right any more."""
        archive = self.layers.archive
        if not archive:
            return frozenset()
        return frozenset(
            path for path in self.cards if is_in(inner_path(path, self.layers), archive)
        )

    @cached_property
    def subjects(self) -> frozenset[str]:
        """The pages about something, that somebody wrote to be read and found by way of links."""
        return frozenset(path for path, each in self.facts.items() if each.is_described is not None)


def locations(paths: Iterable[str], limit: int = 3) -> str:
    """A few paths as a sentence names them."""
    paths = list(paths)
    shown = ", ".join(paths[:limit])
    return shown if len(paths) <= limit else f"{shown} and {len(paths) - limit} more"


_MAX_NEW = 2_000  # entries of which the meaning is compared with that of all, so that it is linear
_MAX_PAIRS = 20_000  # of entries that are all alike nobody reads more
_NO_VECTORS = (OSError, SqlError, IndexDamagedError, StoreMissingError, *MISSHAPEN)


def alike(live: LiveIndex, texts: Iterable[str], least: float) -> Sequence[Pair]:
    """The places of texts, the oldest first, that have a cosine of so much."""
    with suppress(*_NO_VECTORS):
        return live.vectors.alike([*texts], least, _MAX_NEW)[:_MAX_PAIRS] if live.vectors else ()
    return ()


def vectors_mark(live: LiveIndex) -> str:
    """Another text where other vectors may be found; "" without any."""
    with suppress(*_NO_VECTORS):
        return live.vectors.mark() if live.vectors else ""
    return ""
