"""Count what one verb runs: distinct functions of memwiki, calls of them, their files and rooms.

    python benchmarks/calls.py [VERB] [--by rooms|files|functions]

The second call is counted (sys.setprofile), in a workspace of three pages, so that what is loaded
or made once is not. All lambdas of a file count as one function, so do its comprehensions.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple

import memwiki
from memwiki.workspace import Workspace

_HOME = Path(memwiki.__file__).parent
_PAGES = {
    "memory.md": "# Memory\n\n## Facts\n\n- The office is in Hamburg. ^m-aaaaaa\n",
    "wiki/tea.md": "# Tea\n\nGreen tea is from [[China]].\n",
    "wiki/china.md": "# China\n\nA country.\n",
}
VERBS: dict[str, Callable[[Workspace, int], object]] = {
    "entries.add": lambda ws, n: ws.entries.add(f"The garden number {n} is quiet."),
    "entries.get": lambda ws, _: ws.entries.get("m-aaaaaa"),
    "entries.list": lambda ws, _: ws.entries.list(),
    "entries.update": lambda ws, n: ws.entries.update("m-aaaaaa", f"The office has {n} rooms."),
    "recall": lambda ws, _: ws.recall("Where is the office?"),
    "search": lambda ws, _: ws.search("tea"),
}


class Calls(NamedTuple):
    """How often each function ran, by its file and name."""

    of: Counter[tuple[str, str]]

    @property
    def files(self) -> Counter[str]:
        """How many distinct functions ran of each file."""
        return Counter(file for file, _ in self.of)

    @property
    def rooms(self) -> Counter[str]:
        """How many distinct functions ran of each room."""
        return Counter(str(Path(file).parent) for file, _ in self.of)


def counted(verb: Callable[[Workspace, int], object], root: Path) -> Calls:
    """What the second call of a verb runs."""
    for path, text in _PAGES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    found: Counter[tuple[str, str]] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and (name := _name_of(frame.f_code)):
            found[name] += 1

    environ = {"MEMWIKI_CACHE_DIR": str(root.with_name("cache"))}
    with Workspace.open(root, find=False, environ=environ) as ws:
        verb(ws, 1)
        sys.setprofile(note)
        try:
            verb(ws, 2)
        finally:
            sys.setprofile(None)
    return Calls(found)


def _name_of(code: CodeType) -> tuple[str, str] | None:
    file = Path(code.co_filename)
    if not file.is_relative_to(_HOME):
        return None
    return str(file.relative_to(_HOME)), code.co_name


def main() -> None:
    """Print the counts of one verb."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("verb", nargs="?", default="entries.add", choices=VERBS)
    parser.add_argument("--by", choices=("rooms", "files", "functions"))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="calls-") as scratch:
        calls = counted(VERBS[args.verb], Path(scratch, "vault"))
    print(
        f"{args.verb}: {len(calls.of)} functions, {calls.of.total()} calls,"
        f" {len(calls.files)} files, {len(calls.rooms)} rooms"
    )
    table = {"rooms": calls.rooms, "files": calls.files}.get(args.by or "")
    for name, count in table.most_common() if table else ():
        print(f"{count:5} {name}")
    for (file, name), count in calls.of.most_common() if args.by == "functions" else ():
        print(f"{count:5} {file} {name}")


if __name__ == "__main__":
    main()
