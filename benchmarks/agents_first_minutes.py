"""An agent's first minutes in vaults with attachments.

In a copy of each VAULT an agent looks around, asks, reads, remembers, writes, renames a picture and
takes it back. Exits 1 when a step does not answer as it must, or a byte is another at the end. With
--transcript those of tests/transcripts/vaults-with-pictures.md are visited, and it is printed as
tests/benchmarks/agents-first-minutes.md.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import measure
from agents_day import Asked, Step, changed, files_of, told

sys.path.insert(0, str(measure.PROJECT))

from memwiki.workspace import Workspace

DOC = measure.PROJECT / "tests" / "transcripts" / "vaults-with-pictures.md"
_SHOWN = ("what is there?", "add a line")
_SHOWN_ONCE = ("who shows the picture?", "rename the picture")
_FILE = re.compile(r"^```\w+ \.\./(\w+)/([^\n]+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_HEAD = """\
# An agent's first minutes

<!-- Made by: python benchmarks/agents_first_minutes.py --transcript -->

What an agent calls, and what it is answered, in [vaults with
pictures](../transcripts/vaults-with-pictures.md), where it depends on their form. `python
benchmarks/agents_first_minutes.py VAULT...` asks all of it in copies of real vaults. Ids, dates and
etags are not those of the run.
"""


class Visit(NamedTuple):
    """What is looked at in a vault."""

    page: str
    picture: str


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vaults", nargs="*", type=Path, metavar="VAULT")
    parser.add_argument("--transcript", action="store_true")
    arguments = parser.parse_args()
    if arguments.transcript:
        with tempfile.TemporaryDirectory() as scratch:
            print(transcript(small_visits(Path(scratch))), end="")
    failed = 0
    for vault in arguments.vaults:
        for step in _copied(vault):
            print(f"{vault.name}: {step.seconds * 1000:5.0f} ms  {step.title}")
            if step.wrong:
                failed = 1
                print(f"  WRONG: {step.wrong}\n{step.answer}")
    return failed


def transcript(steps: list[Step]) -> str:
    """What was called and answered, as a page, where it depends on the form of the vault."""
    first = steps[0].title.partition(":")[0]
    return told(_HEAD, [step for step in steps if is_shown(step, first)])


def is_shown(step: Step, first: str) -> bool:
    """Whether a step shows the form of its vault."""
    vault, _, title = step.title.partition(": ")
    return title in _SHOWN or (vault == first and title in _SHOWN_ONCE)


def small_visits(scratch: Path) -> list[Step]:
    """The visits of the vaults that the documentation shows."""
    for vault, path, text in _FILE.findall(DOC.read_text("utf-8")):
        file = scratch / vault / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    roots = sorted(each for each in scratch.iterdir() if each.is_dir())
    return [step for root in roots for step in _visited(root, scratch / "cache")]


def _copied(vault: Path) -> list[Step]:
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / vault.resolve().name
        shutil.copytree(vault, root, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        return _visited(root, Path(scratch) / "cache")


def _visited(root: Path, cache: Path) -> list[Step]:
    Workspace.adopt(root).close()
    with Workspace.open(root, find=False, environ={"MEMWIKI_CACHE_DIR": str(cache)}) as ws:
        return [
            step._replace(title=f"{root.name.capitalize()}: {step.title}")
            for step in first_minutes(ws, seen_first(ws))
        ]


def seen_first(ws: Workspace) -> Visit:
    """The most linked of the pages that show a picture, and the picture."""
    for row in ws.pages.list(sort="links").pages:
        for link in ws.graph.links(row.path, "out"):
            if link.target and not link.target.endswith(".md"):
                return Visit(row.path, link.target)
    raise SystemExit("no page shows a picture")


def first_minutes(ws: Workspace, visit: Visit) -> Iterator[Step]:
    """What happens, one after the other; at the end all is as it was."""
    ask, before = Asked(ws.by("claude")), files_of(ws.root)
    name = PurePosixPath(visit.page).stem
    yield ask("what is there?", "browse")
    yield ask("what is known?", "recall", question=f"what is said of {name}?")
    yield ask("read it", "read", path=visit.page, budget=200)
    picture = PurePosixPath(visit.picture)
    yield ask("who shows the picture?", "links", name=visit.picture, must=re.escape(visit.page))
    yield ask("remember something", "add", text="Prefers green tea.", must="m-[0-9a-z]{6}")
    yield ask("add a line", "write", action="append", name=visit.page, text="Seen.", must="Seen")
    to = str(picture.with_stem("renamed"))
    yield ask("rename the picture", "move", name=visit.picture, to=to, must="^error protected: ")
    new = str(PurePosixPath(visit.page).with_stem(f"{name} 2"))
    yield ask("rename the page", "move", name=visit.page, to=new, must=re.escape(new))
    back = ask("take all of it back", "undo", steps=3)
    other = changed(before, files_of(ws.root))
    yield back._replace(wrong=back.wrong or (f"not as before: {other}" if other else ""))
    yield ask("what is wrong?", "status", what="check", limit=5)


if __name__ == "__main__":
    sys.exit(main())
