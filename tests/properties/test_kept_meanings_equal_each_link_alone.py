"""What is kept of the meaning of links is what resolving each link alone says, after any history of
pages, names and files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack, closing

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from test_long_lists_are_read_in_stretches import short_stretches

from memwiki.digest import digest_of
from memwiki.files.read import FileContents
from memwiki.index.cards.lookup import Lookup
from memwiki.index.cards.store import CardFile, Cards
from memwiki.index.graph import FOUND, LinkGraph
from memwiki.index.meanings import change
from memwiki.index.meanings.lookup import Meanings
from memwiki.index.meanings.store import MeaningStore, PageEdges
from memwiki.index.prepare import take_in
from memwiki.index.projection import Put
from memwiki.index.resolve import Resolution, Resolver
from memwiki.index.units import NOTHING, ExistingUnits
from memwiki.names import fold
from memwiki.nouns import ONLY_IF_FOUND, Layers, Link, LinkKind, LinkStatus
from memwiki.scope import scope_of

NAMES = ("home", "HOME", "sub/home", "Home Page", "home-page", "README", "sub", "TCP/IP", "café")
STEMS = ("home", "Home", "Home Page", "README", "index", "tcp-ip", "CAFÉ", "z.png")
FOLDERS = ("", "sub/", "Sub/", "archive/", "raw/", "n/a/", "n/a/sub/", "n/b/")
LINKS = st.sampled_from(
    [f"[[{name}]]" for name in NAMES]
    + [f"[x]({name.replace(' ', '%20')}.md)" for name in NAMES]
    + [
        *("[[sub/]]", "[[../home]]", "[x](./home.md)", "[[home#page]]", "[[TCP#IP]]", "[x](/sub)"),
        *("![](z.png)", "![[img/z.png]]", "![x](../z.png)", "[x](https://x.y/home.md)"),
        *("[[#here]]", "[x](#here)", "[[nobody|z.png]]", "[[nobody|sub/home#Part]]"),
        *("[x](README.md)", "[x](../README.md)", "[x](/readme.md)", "[[/home]]", "[[z.png]]"),
        *("[x](/)", "[x](..)", "[x](../..)", "[[.]]", "[[../x/y/z]]", "[[a/..]]", "[x](/sub/..)"),
        *("[[n/a/home]]", "[x](/n/b/home.md)", "[x](../b/home.md)", "[[a]]", "[[n]]", "[x](/)"),
    ]
)
PATHS = st.builds(
    lambda folder, stem: f"{folder}{stem}.md", st.sampled_from(FOLDERS), st.sampled_from(STEMS)
)
FILES = st.sets(
    st.sampled_from(
        ("img/z.png", "z.png", "sub/Z.png", "sub/home.txt", "n/a/z.png", "n/b/img/z.png")
    )
)
LAYERS = st.sampled_from(
    [
        Layers(),
        Layers(archive="archive", raw="raw"),
        Layers(wiki="sub"),
        Layers(namespaces="n", raw="sub", archive="archive"),
    ]
)
HEADS = st.builds(
    lambda title, alias: f"---\ntitle: {title}\naliases: ['{alias}']\n---\n",
    st.sampled_from(NAMES),
    st.sampled_from(NAMES),
)
IDS = st.sampled_from(("m-a", "m-b", "m-B"))
ENTRIES = st.builds(
    lambda name, about, own: f"- x [subject:: {name}] [topic:: [[{name}]]] [so:: {about}] ^{own}\n",
    st.sampled_from(NAMES),
    IDS,
    IDS,
)
BODIES = st.builds(
    lambda head, source, links, entries: (
        head.replace("---\n", f"---\nsources: ['{source}']\n", 1)
        + f"{' '.join(links)}\n\n{''.join(entries)}"
    ),
    HEADS,
    st.sampled_from(NAMES),
    st.lists(LINKS, max_size=6),
    st.one_of(st.lists(ENTRIES, max_size=2), st.lists(ENTRIES, min_size=6, max_size=12)),
)


def put_of(path: str, text: str, layers: Layers, known: ExistingUnits = NOTHING) -> Put:
    data = text.encode()
    file = FileContents(data, digest_of(data), len(data))
    return take_in(path, file, layers, 1_000_000, ((1, 1, 1, 1), False), known)


def alone(cards: Cards, layers: Layers) -> dict[tuple[str, int], tuple[Link, Resolution]]:
    """Every link by page and position, each resolved for itself."""
    lookup = Lookup(cards.db)
    return {
        (path, position): (link, Resolver(lookup, layers).resolve(link, path))
        for path in cards.digests()
        for position, link in enumerate(lookup.links_of(path))
    }


def kept(cards: Cards, schema: str) -> dict[tuple[str, int], tuple[Link, Resolution]]:
    meanings = Meanings(cards.db, schema)
    return {
        (path, position): (each.link, each.found)
        for path in cards.digests()
        for position, each in enumerate(meanings.outgoing(path))
    }


def require_same(cards: Cards, layers: Layers, schema: str) -> None:
    wanted, found = alone(cards, layers), kept(cards, schema)
    assert wanted.keys() == found.keys()
    for place, (link, meant) in wanted.items():
        assert found[place][0] == link
        assert found[place][1] == meant._replace(candidates=()), (place, link)
    require_same_backlinks(cards, schema, wanted)


def require_same_backlinks(
    cards: Cards, schema: str, wanted: Mapping[tuple[str, int], tuple[Link, Resolution]]
) -> None:
    meanings = Meanings(cards.db, schema)
    counts = meanings.counts()
    for path in cards.digests():
        sources = [
            (source, link)
            for (source, _), (link, found) in wanted.items()
            if found.status in FOUND and found.target == path != source
        ]
        backlinks = [(each.source, each.link) for each in meanings.incoming(path)]
        assert sorted(backlinks) == sorted(sources)
        of_pages = [source for source, link in sources if link.kind is not LinkKind.ENTRY]
        assert counts[path] == meanings.count(path) == len(of_pages)
        assert (path in meanings.counts()) == bool(of_pages)


class WithoutFiles(Lookup):
    """The names of pages, as if nothing lay beside them."""

    def attachments(self, name: str) -> list[str]:
        return []


def is_source(path: str) -> bool:
    return not path.startswith("archive/")


def require_same_edges(cards: Cards, layers: Layers) -> None:
    edges, lookup = PageEdges(MeaningStore(cards, layers)), WithoutFiles(cards.db)
    edges.count(Lookup(cards.db), layers, is_source)
    wanted = set()
    for path in filter(is_source, cards.digests()):
        for link in lookup.links_of(path):
            meant = Resolver(lookup, layers).resolve(link, path)
            if link.kind is LinkKind.ENTRY or cards.is_hidden(path):
                continue
            if meant.target:
                wanted |= {(path, meant.target, 0)} if meant.target != path else set()
            elif meant.status is LinkStatus.WANTED and link.kind not in ONLY_IF_FOUND:
                name = fold(link.written.strip())
                wanted |= set() if name.endswith(".png") else {(path, name, 1)}
    ends = "left join page as found on found.id=target"
    name = "coalesce(found.path, name), target=0"
    sql = f"select page.path, {name} from main.edge join page on page.id=edge.page {ends}"
    assert set(cards.db.execute(sql)) == wanted
    counts = Counter((target, is_wanted) for _, target, is_wanted in wanted)
    sql = f"select {name}, pages from main.edge_count {ends} where pages<>0"
    assert {tuple(row[:2]): row[2] for row in cards.db.execute(sql)} == counts


class History(RuleBasedStateMachine):
    """Edits of a few pages, and now and then somebody who asks what links mean."""

    @initialize(
        layers=LAYERS,
        is_many=st.booleans(),
        is_cut=st.booleans(),
        pages=st.dictionaries(PATHS, BODIES, min_size=2, max_size=6),
    )
    def begin(self, layers, is_many, is_cut, pages):
        self.cut = ExitStack()
        if is_cut:
            self.cut.enter_context(short_stretches())
        self.layers, self.cards = layers, CardFile(":memory:")
        self.many, change.MANY = change.MANY, 0 if is_many else change.MANY
        self.pages: dict[str, str] = {}
        for path, text in pages.items():
            self.put(path, text)

    def teardown(self):
        if hasattr(self, "many"):
            change.MANY = self.many
            self.cut.close()
            self.cards.close()

    def put(self, path, text):
        self.pages[path] = text
        known = self.cards.existing_units(path)
        self.cards.apply([put_of(path, text, self.layers, known)], [])

    @rule(data=st.data(), entry=st.one_of(ENTRIES, st.just("")), is_one_more=st.booleans())
    def change_an_entry(self, data, entry, is_one_more):
        path = self.one_of_them(data)
        head, mark, body = self.pages[path].rpartition("---\n")
        lines = body.splitlines(keepends=True)
        at = data.draw(st.integers(0, len(lines)))
        lines[at : at + (not is_one_more)] = [entry]
        self.put(path, head + mark + "".join(lines))

    @rule(path=PATHS, text=BODIES)
    def write(self, path, text):
        self.put(path, text)

    @rule(data=st.data(), head=HEADS)
    def name_anew(self, data, head):
        path = self.one_of_them(data)
        self.put(path, head + self.pages[path].rpartition("---\n")[2])

    @rule(data=st.data())
    def delete(self, data):
        path = self.one_of_them(data)
        del self.pages[path]
        self.cards.apply([], [path])

    @rule(data=st.data(), new=PATHS)
    def rename(self, data, new):
        old = self.one_of_them(data)
        text = self.pages.pop(old)
        self.pages[new] = text
        gone = [old] if old != new else []
        self.cards.apply([put_of(new, text, self.layers)], gone)

    @rule(data=st.data(), is_asked=st.booleans())
    def take_away_and_bring_back(self, data, is_asked):
        path = self.one_of_them(data)
        self.cards.apply([], [path])
        if is_asked:
            self.ask("main")
        self.put(path, self.pages[path])

    def one_of_them(self, data):
        if not self.pages:
            self.put("home.md", "[[sub]]\n")
        return data.draw(st.sampled_from(sorted(self.pages)))

    @rule(files=FILES)
    def put_files_beside(self, files):
        self.cards.attach(files)

    @rule(layers=LAYERS)
    def open_with_other_layers(self, layers):
        self.layers = layers

    @rule()
    def lose_what_is_kept(self):
        for table in ("linked", "linked_file", "meaning", "edge", "edge_count", "link_state"):
            self.cards.db.execute(f"drop table if exists {table}")

    @rule()
    def ask_after_several_changes(self):
        self.ask("main")

    @invariant()
    def ask_after_each(self):
        if hasattr(self, "cards"):
            self.ask("temp")

    def ask(self, schema):
        store = MeaningStore(self.cards, self.layers, schema)
        store.update()
        assert store.is_current()
        assert dict(store.digests()) == dict(self.cards.digests())
        require_same(self.cards, self.layers, schema)
        if schema == "main":
            require_same_edges(self.cards, self.layers)

    @invariant()
    def what_says_to_be_current_is(self):
        if hasattr(self, "cards") and MeaningStore(self.cards, self.layers).is_current():
            require_same(self.cards, self.layers, "main")


TestAnyHistory = History.TestCase
TestAnyHistory.settings = settings(
    max_examples=max(settings().max_examples // 3, 5), stateful_step_count=20
)


@given(st.dictionaries(PATHS, BODIES, min_size=1, max_size=8), FILES, LAYERS)
def test_a_graph_of_what_was_never_kept_says_the_same(pages, files, layers):
    """Rows of links, of all pages at once and of each page alone."""
    with closing(CardFile(":memory:")) as cards:
        cards.apply([put_of(path, text, layers) for path, text in pages.items()], [])
        cards.attach(files)
        graph = LinkGraph(cards, scope_of(layers))
        every = list(graph.everything())
        for path in pages:
            assert graph.outgoing(path) == [row for row in every if row.source == path]
            meant = (row for row in every if row.target == path and row.source != path)
            assert sorted(graph.incoming(path)) == sorted(meant)
