"""Catalogs of real folders: made on a copy with catalogs enabled, read as a stranger would, and
timed.

For each VAULT: every page is listed exactly once and reached from the root's index.md, every file
keeps its budget, making all anew gives the same bytes, and what one changed page costs in processor
time beyond the sync. Exits 1 when one of these does not hold.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import measure

sys.path.insert(0, str(measure.PROJECT / "tests" / "catalog"))
sys.path.insert(0, str(measure.PROJECT))

from reader import assert_bounded, catalog_files, listed_pages

from memwiki.answers.index import Changes
from memwiki.commit.catalogs import after_sync
from memwiki.workspace import Workspace

_RUNS = 9


def cpu_ms(call: Callable[[], object]) -> float:
    """Processor time of this process for one call."""
    started = time.process_time()
    call()
    return (time.process_time() - started) * 1000


def one_change_ms(space: Workspace, page: Path, text: str) -> float:
    """The median cost of catalogs after one page changed."""
    before, spent = page.read_bytes(), []
    for run in range(_RUNS):
        page.write_text(text.format(run), "utf-8")
        space.live.sync()
        spent.append(cpu_ms(lambda: after_sync(space.live, Changes())))
    page.write_bytes(before)
    space.sync()
    return statistics.median(spent)


def examine(vault: Path, scratch: Path) -> bool:
    """Print the figures of one vault; whether all holds."""
    root = scratch / vault.name
    measure.copied(vault, root)
    with (root / "memwiki.toml").open("a", encoding="utf-8") as settings:
        settings.write("\n[catalog]\nenabled = true\n")
    space = Workspace.open(root, find=False)
    space.live.sync()
    first_ms = cpu_ms(lambda: after_sync(space.live, Changes()))
    idle_ms = cpu_ms(lambda: after_sync(space.live, Changes()))
    files = catalog_files(root)
    assert_bounded(root)
    listed = Counter(listed_pages(root))
    pages = [row.path for row in space.pages.list(limit=10**9).pages]
    lost = [path for path in pages if listed[path] != 1 and "/" in path]
    page = root / pages[len(pages) // 2]
    body_ms = one_change_ms(
        space,
        page,
        page.read_text("utf-8", "replace").replace("{", "{{").replace("}", "}}") + "\nmore {}\n",
    )
    title_ms = one_change_ms(space, page, "# Another title {}\n\ntext\n")
    for path in files:
        (root / path).unlink()
    space.sync()
    is_same = catalog_files(root) == files
    space.close()
    print(
        f"{vault.name}: {len(pages)} pages, {len(files)} catalogs, first {first_ms:.0f} ms, "
        "nothing to do"
        f" {idle_ms:.1f} ms, body changed {body_ms:.0f} ms, title changed {title_ms:.0f} ms; "
        f"not listed once: {len(lost)} {lost[:3]}; made anew: "
        f"{'same' if is_same else 'DIFFERENT'} bytes"
    )
    return is_same and not lost


def main() -> int:
    """Examine each vault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vaults", type=Path, nargs="+", metavar="VAULT")
    vaults = parser.parse_args().vaults
    with tempfile.TemporaryDirectory(prefix="memwiki-catalogs-") as scratch:
        os.environ["MEMWIKI_CACHE_DIR"] = str(Path(scratch) / "cache")
        verdicts = [examine(vault.resolve(), Path(scratch)) for vault in vaults]
    return int(not all(verdicts))


if __name__ == "__main__":
    sys.exit(main())
