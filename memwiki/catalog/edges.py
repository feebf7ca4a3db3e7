"""Who links to what, as far as the catalogs count it: resolved links, kept beside the listings."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

from memwiki.catalog.parts import LinkCount
from memwiki.catalog.wording import escaped, one_line, shortened
from memwiki.index.cards.lookup import Lookup
from memwiki.index.cards.names_in_memory import NamesInMemory
from memwiki.index.resolve import Names, Resolver, reference_to
from memwiki.model import ONLY_IF_FOUND, Layers, Link, LinkKind, LinkStatus
from memwiki.names import fold

SCHEMA = """
drop table if exists listed_link; drop table if exists listed_target;
create table listed_link (page integer, target text, spelled text, wanted integer,
  primary key (page, wanted, target)) without rowid;
create index listed_link_target on listed_link (wanted, target);
create table listed_target (target text, wanted integer, pages integer,
  primary key (wanted, target)) without rowid;
create index listed_target_pages on listed_target (wanted, pages desc, target);
"""
_TOP = 10
_FILES = (
    *(".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".pdf", ".mp3", ".mp4", ".wav"),
    *(".webm", ".mov", ".zip", ".csv", ".json", ".yaml", ".toml", ".txt", ".html", ".canvas"),
)


class Edges:
    """The links of the listed pages."""

    def __init__(self, db: sqlite3.Connection, layers: Layers) -> None:
        self._db, self._layers = db, layers
        self._lookup = Lookup(db)

    def linking(self, numbers: Iterable[int]) -> set[int]:
        """The listed pages with a link that may mean one of these target numbers."""
        found = set[int]()
        for number in numbers:
            rows = self._db.execute(
                "select page.number from target join page on id=target.page where target.number=?",
                (number,),
            )
            found.update(page for (page,) in rows)
        return found

    def resolve(self, pages: Iterable[int], *, is_all: bool) -> None:
        """Resolve the links of these pages anew; with `is_all` all names are read at once."""
        names: Names = NamesInMemory(self._lookup) if is_all else self._lookup
        resolver = _Resolver(_PagesOnly(names), self._layers)
        for page in pages:
            before = set(
                self._db.execute(
                    "select target, wanted, spelled from listed_link where page=?", (page,)
                )
            )
            self._replace(page, before, self._links(page, resolver))

    def _links(self, page: int, resolver: _Resolver) -> set[tuple[str, int, str]]:
        row = self._db.execute(
            "select path from listed where page=? and base=''", (page,)
        ).fetchone()
        if row is None:
            return set()
        found: dict[tuple[str, int], str] = {}
        for link in self._lookup.links_of(row[0]):
            target, is_wanted, spelled = resolver.meaning(row[0], link)
            if target and target != row[0]:
                key = (target, int(is_wanted))
                found[key] = min(found.get(key, spelled), spelled)
        return {(target, wanted, spelled) for (target, wanted), spelled in found.items()}

    def _replace(
        self, page: int, before: set[tuple[str, int, str]], after: set[tuple[str, int, str]]
    ) -> None:
        lost = [(page, wanted, target) for target, wanted, _ in before - after]
        won = [(page, *each) for each in after - before]
        self._db.executemany("delete from listed_link where page=? and wanted=? and target=?", lost)
        self._db.executemany(
            "insert into listed_link (page, target, wanted, spelled) values (?, ?, ?, ?)", won
        )
        change = [(target, wanted, -1) for _, wanted, target in lost]
        change += [(target, wanted, 1) for _, target, wanted, _ in won]
        self._db.executemany(
            "insert into listed_target values (?, ?, ?) on conflict do update"
            " set pages = pages + excluded.pages",
            change,
        )

    def hubs(self) -> Iterator[LinkCount]:
        """The pages that most pages link to."""
        rows = self._db.execute(
            "select listed.title, target, pages from listed_target join page on page.path=target"
            " join listed on listed.page=page.number"
            " where wanted=0 and pages>1 and base='' order by pages desc, target limit ?",
            (_TOP,),
        )
        yield from (LinkCount(*row) for row in rows)

    def wanted(self) -> Iterator[LinkCount]:
        """The names without a page that most pages link to."""
        rows = self._db.execute(
            "select target, pages from listed_target where wanted=1 and pages>1"
            " order by pages desc, target limit ?",
            (_TOP,),
        ).fetchall()
        for target, pages in rows:
            (spelled,) = self._db.execute(
                "select spelled from listed_link where wanted=1 and target=?"
                " group by spelled order by count(*) desc, spelled limit 1",
                (target,),
            ).fetchone()
            yield LinkCount(escaped(shortened(one_line(spelled), 80)), "", pages)


class _PagesOnly:
    """Names of pages: what lies beside them does not change what the catalogs say."""

    def __init__(self, names: Names) -> None:
        self.pages, self.slugs, self.entries = names.pages, names.slugs, names.entries

    def attachments(self, name: str) -> Sequence[str]:  # noqa: ARG002 - a protocol's argument
        """None."""
        return ()


class _Resolver:
    """What links mean to a catalog."""

    def __init__(self, names: Names, layers: Layers) -> None:
        self._resolver = Resolver(names, layers)

    def meaning(self, source: str, link: Link) -> tuple[str, bool, str]:
        """The page that a link means, or the folded name that is wanted, and how it is spelled."""
        if not link.written or link.kind is LinkKind.ENTRY:
            return "", False, ""
        found = self._resolver.resolve(reference_to(link, source))
        if found.target:
            return found.target, False, ""
        is_name = link.kind not in ONLY_IF_FOUND and found.status is LinkStatus.WANTED
        if is_name and not link.written.lower().endswith(_FILES):
            return fold(link.written.strip()), True, link.written.strip()
        return "", False, ""
