"""How many pages link to each page, and to each name without one, as catalogs count it: summed up
from what links mean.

What lies beside the pages does not count: a link that means another file counts as if there were
none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from memwiki.index.cards.lookup import LINK_KINDS, Lookup
from memwiki.index.cards.names_in_memory import NamesInMemory
from memwiki.index.meanings.change import is_many
from memwiki.index.meanings.lookup import OF_ENTRY, codes_of
from memwiki.index.resolve import Names, Resolution, Resolver, reference_to
from memwiki.index.sql import Questions, SqlStore, SqlTable
from memwiki.names import fold
from memwiki.nouns import ONLY_IF_FOUND, Layers, Link, LinkStatus

EDGE = SqlTable(
    "edge",
    "page integer,target text,spelled text,wanted integer",
    "page, wanted, target",
    ("index edge_target on edge (wanted, target)",),
)
EDGE_COUNT = SqlTable(
    "edge_count",
    "target text,wanted integer,pages integer",
    "wanted, target",
    ("index edge_count_pages on edge_count (wanted, pages desc, target)",),
)
_FILES = (
    *(".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".pdf", ".mp3", ".mp4", ".wav"),
    *(".webm", ".mov", ".zip", ".csv", ".json", ".yaml", ".toml", ".txt", ".html", ".canvas"),
)


_NO_PAGE = Resolution(LinkStatus.WANTED)
_WANTED = ",".join(map(str, codes_of([LinkStatus.WANTED])))


class PageEdges(Questions):
    """The tables of edges beside what links mean: a page and what it links to, once each."""

    def __init__(self, store: SqlStore) -> None:
        super().__init__(store.db)
        self._store = store
        schema = store.schema  # each is named with it: those of one reader alone would come first
        self._linked, self._meaning = f"{schema}.linked", f"{schema}.meaning"
        self._edge, self._edge_count = f"{schema}.edge", f"{schema}.edge_count"

    def forget(self, pages: Collection[int]) -> None:
        """Count the links of these pages anew the next time."""
        rows = [(page,) for page in pages]
        self._add_up(rows, -1)
        self._store.delete("edge", "page", pages)
        self.db.executemany(f"update {self._linked} set counted=0 where page=?", rows)

    def _add_up(self, pages: Iterable[tuple[int]], step: int) -> None:
        self.db.executemany(
            f"insert into {self._edge_count} select target, wanted, {step} from {self._edge}"
            " where page=? on conflict (wanted, target)"
            " do update set pages=edge_count.pages+excluded.pages",
            pages,
        )

    def count(self, lookup: Lookup, layers: Layers, is_source: Callable[[str], bool]) -> None:
        """Count the links that were not counted yet; those on pages that are no sources do not
        count."""
        rows = list(
            self._rows(
                f"select id, page.path, hidden from {self._linked} as linked"
                " join page on id=linked.page where counted=0"
            )
        )
        if not rows:
            return
        sources = {page: path for page, path, hidden in rows if not hidden and is_source(path)}
        names: Names = NamesInMemory(lookup) if is_many(sources) else lookup
        resolver = Resolver(_PagesOnly(names), layers)
        with self._store.transaction():
            for page, path in sources.items():
                self._store.upsert(EDGE, self._edges(page, path, resolver))
            self._add_up([(page,) for page in sources], 1)
            self.db.execute(f"update {self._linked} set counted=1 where counted=0")

    def _edges(self, page: int, path: str, resolver: Resolver) -> Iterator[tuple[object, ...]]:
        """The rows of a page."""
        targets = self._column(
            f"select distinct path from {self._meaning} as meaning join page on id=target"
            f" where meaning.page=? and target<>meaning.page and how<{OF_ENTRY}",
            page,
        )
        edges = {(target, 0): "" for target in targets}
        rows = self._rows(
            f"select target, written, text, kind, heading from {self._meaning} as meaning"
            f" join link using (page, position) where page=? and (how in ({_WANTED}) or target<0)",
            page,
        )
        for target, written, text, kind, heading in rows:
            link = Link(written, text, 0, LINK_KINDS[kind], heading)
            found = resolver.resolve(reference_to(link, path)) if target else _NO_PAGE
            name = written.strip()
            if found.target and found.target != path:
                edges[found.target, 0] = ""
            elif found.status is LinkStatus.WANTED and _is_name(link):
                edges[fold(name), 1] = min(edges.get((fold(name), 1), name), name)
        return ((page, target, spelled, wanted) for (target, wanted), spelled in edges.items())

    def most_linked(self) -> Iterator[tuple[str, int]]:
        """The pages that several pages link to and how many, the most linked first."""
        return self._most(0)

    def most_wanted(self) -> Iterator[tuple[str, int]]:
        """The names without a page that several pages link to, spelled as most do."""
        sql = (
            f"select spelled from {self._edge} where wanted=1 and target=?"
            " group by spelled order by count(*) desc, spelled limit 1"
        )
        for target, pages in self._most(1):
            yield str(self._row(sql, target)[0]), pages

    def _most(self, wanted: int) -> Iterator[tuple[str, int]]:
        sql = f"select target, pages from {self._edge_count} where wanted=? and pages>1"
        return self._rows(f"{sql} order by pages desc, target", wanted)

    def erase(self) -> None:
        """Keep no name that nothing links to any more."""
        self.db.execute(f"delete from {self._edge_count} where pages=0")


class _PagesOnly:
    """Names of pages: what lies beside them does not change what the catalogs say."""

    def __init__(self, names: Names) -> None:
        self.pages, self.slugs, self.entries = names.pages, names.slugs, names.entries

    def attachments(self, name: str) -> Sequence[str]:  # noqa: ARG002 - a protocol's argument
        """None."""
        return ()


def _is_name(link: Link) -> bool:
    """Whether a link that means nothing is one to a page that is wanted."""
    return link.kind not in ONLY_IF_FOUND and not link.written.lower().endswith(_FILES)
