"""How many reads of files a page is away from somebody who begins at index.md and follows links.

For each VAULT, on a copy with catalogs enabled: the share of its pages that are open after two,
three and four reads, index.md and the page included, by any link of the catalogs, and how many
bytes of catalogs are read on the shortest way. `--chinese` and `--linked` make vaults of so many
pages; `--show` prints the first lines of a root. Exits 1 when a page that belongs in a catalog is
in none.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import measure
from vaults import make_chinese, make_linked

sys.path.insert(0, str(measure.PROJECT / "tests" / "catalog"))
sys.path.insert(0, str(measure.PROJECT))

from reader import assert_bounded, catalog_files, ways

from memwiki.catalog.listing import base_of
from memwiki.workspace import Workspace

LOST = "never"
HEADS = ("vault", "pages", "catalogs", "2 reads", "3 reads", "4 reads", "most", "bytes", "at most")


def examine(root: Path, name: str, *, shown: int) -> list[str]:
    """The row of one vault; its files are changed."""
    with (root / "memwiki.toml").open("a", encoding="utf-8") as settings:
        settings.write("\n[catalog]\nenabled = true\n")
    with Workspace.open(root, find=False) as space:
        space.sync()
        every = [row.path for row in space.pages.list(limit=10**9).pages]
        pages = [path for path in every if base_of(path, space.live.context.layers) is not None]
    files = catalog_files(root)
    assert_bounded(root)
    if shown:
        print("\n".join(files["index.md"].split("\n")[:shown]), end="\n\n")
    found = ways(files)
    reached = [found[page] for page in pages if page in found]
    shares = [sum(way.reads <= reads for way in reached) / len(pages) for reads in (2, 3, 4)]
    spent = [way.bytes for way in reached]
    return [
        name,
        f"{len(pages):,}",
        f"{len(files):,}",
        *(f"{share:.1%}" for share in shares),
        str(max(way.reads for way in reached)) if len(reached) == len(pages) else LOST,
        f"{statistics.mean(spent):,.0f}",
        f"{max(spent):,}",
    ]


def rows(arguments: argparse.Namespace, scratch: Path) -> Iterator[list[str]]:
    """The row of each vault."""
    for vault in arguments.vaults:
        root = measure.copied(vault.resolve(), scratch / vault.resolve().name)
        yield examine(root, root.name, shown=arguments.show)
    for make, sizes in ((make_chinese, arguments.chinese), (_linked, arguments.linked)):
        for pages in sizes:
            root = scratch / f"{make.__name__.removeprefix('make').strip('_')}-{pages}"
            make(root, pages)
            yield examine(measure.adopted(root), root.name, shown=arguments.show)


def _linked(root: Path, pages: int) -> None:
    make_linked(root, pages, links=pages * 2)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vaults", type=Path, nargs="*", metavar="VAULT")
    parser.add_argument("--chinese", type=int, nargs="*", default=[], metavar="PAGES")
    parser.add_argument("--linked", type=int, nargs="*", default=[], metavar="PAGES")
    parser.add_argument("--show", type=int, default=0, metavar="LINES")
    with tempfile.TemporaryDirectory(prefix="memwiki-reach-") as scratch:
        os.environ["MEMWIKI_CACHE_DIR"] = str(Path(scratch) / "cache")
        found = list(rows(parser.parse_args(), Path(scratch)))
    print(measure.table(HEADS, found))
    return int(any(LOST in row for row in found))


if __name__ == "__main__":
    sys.exit(main())
