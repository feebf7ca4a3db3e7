"""How many faults the tests of a room catch: one place of one line is changed, its tests run.

faults.py [--count 60] [--seed 1] [--only ROOM ...]      prints one line for each, and the sum
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
OPPOSITE = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "in": "not in",
    "not in": "in",
    "is": "is not",
    "is not": "is",
    "and": "or",
    "or": "and",
    "+": "-",
    "-": "+",
    "True": "False",
    "False": "True",
    "not": "",
}
# The tests of a room that has no folder of its name there.
ELSEWHERE = {
    "": ["tests/test_*.py", "tests/memory", "tests/doors"],
    "answers": ["tests/test_answers.py", "tests/present", "tests/doors"],
    "commit": ["tests/change", "tests/pages", "tests/workspace"],
    "health": ["tests/workspace/test_health_of_the_index.py", "tests/index"],
    "setup": ["tests/workspace", "tests/cli"],
    "tools": ["tests/doors"],
}
# What takes minutes and asks for the law, not for a line; or needs the source as it is.
LEFT_OUT = ["tests/test_package.py", "tests/test_docs.py", "tests/test_architecture.py"]


class Fault(NamedTuple):
    """What stands there, and what is written instead."""

    path: Path
    line: int
    begin: int
    end: int
    text: str

    def seeded(self, source: str) -> str:
        lines = source.split("\n")
        line = lines[self.line - 1].encode()
        lines[self.line - 1] = (line[: self.begin] + self.text.encode() + line[self.end :]).decode()
        return "\n".join(lines)


def faults_of(path: Path) -> Iterator[Fault]:
    """Every fault that one module may have."""
    source = path.read_text()
    lines = [line.encode() for line in source.split("\n")]
    for node in ast.walk(ast.parse(source)):
        for begin, end, text in changes(node, lines):
            if begin[0] == end[0]:
                yield Fault(path, begin[0], begin[1], end[1], text)


Place = tuple[int, int]


def changes(node: ast.AST, lines: list[bytes]) -> Iterator[tuple[Place, Place, str]]:
    """What may be written instead of a node, or of what stands between two."""
    match node:
        case ast.Compare(left=one, comparators=[other, *_]) | ast.BoolOp(values=[one, other, *_]):
            yield from between(one, other, lines)
        case ast.BinOp(left=one, right=other, op=ast.Add() | ast.Sub()):
            yield from between(one, other, lines)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield (node.lineno, node.col_offset), (operand.lineno, operand.col_offset), ""
        case ast.Constant(value=bool(value)):
            yield *span(node), str(not value)
        case ast.Constant(value=int(value)):
            yield *span(node), str(value + 1)
        case ast.Expr(value=ast.Call()):
            yield *span(node), "pass"


def span(node: ast.expr | ast.stmt) -> tuple[Place, Place]:
    return (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)


def between(
    one: ast.expr, other: ast.expr, lines: list[bytes]
) -> Iterator[tuple[Place, Place, str]]:
    begin, end = span(one)[1], span(other)[0]
    if begin[0] == end[0]:
        found = lines[begin[0] - 1][begin[1] : end[1]].decode()
        if word := OPPOSITE.get(found.strip()):
            yield begin, end, found.replace(found.strip(), word)


def rooms() -> dict[str, list[Path]]:
    """The modules of each room, the largest room first."""
    found: dict[str, list[Path]] = {}
    for path in sorted((ROOT / "memwiki").rglob("*.py")):
        inside = path.relative_to(ROOT / "memwiki").parts[:-1]
        found.setdefault("/".join(inside[: 2 if inside[:1] == ("adapters",) else 1]), []).append(
            path
        )
    return dict(sorted(found.items(), key=lambda each: -sum(p.stat().st_size for p in each[1])))


def chosen(count: int, seed: int) -> list[tuple[str, Fault]]:
    """So many faults, at random: one of each room, then the next of the largest rooms."""
    generator = random.Random(seed)
    mixed = []
    for room, paths in rooms().items():
        faults = [fault for path in paths for fault in faults_of(path)]
        generator.shuffle(faults)
        mixed.append([(room, fault) for fault in faults])
    turns = max(len(each) for each in mixed)
    return [each[turn] for turn in range(turns) for each in mixed if turn < len(each)][:count]


def tests_of(room: str) -> list[str]:
    return [
        path.relative_to(ROOT).as_posix()
        for pattern in ELSEWHERE.get(room, [f"tests/{room}"])
        for path in sorted(ROOT.glob(pattern))
        if path.relative_to(ROOT).as_posix() not in LEFT_OUT
    ]


def caught_by(room: str, fault: Fault, copy: Path) -> str:
    """The first test of the room that fails in a copy that has the fault, if any."""
    place = copy / fault.path.relative_to(ROOT)
    source = place.read_text()
    place.write_text(fault.seeded(source))
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONPATH": str(copy), "HYPOTHESIS_PROFILE": "ci"}
    try:
        done = subprocess.run(
            [*command, *tests_of(room)],
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=600,
        )
    except subprocess.TimeoutExpired:
        return "one that never ends"
    finally:
        place.write_text(source)
    failed = [line for line in done.stdout.split("\n") if line.startswith(("FAILED", "ERROR"))]
    return failed[0][:100] if failed else "all of them" * (done.returncode != 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", metavar="ROOM")
    asked = parser.parse_args()
    caught = 0
    wanted = [
        each for each in chosen(asked.count, asked.seed) if each[0] in (asked.only or rooms())
    ]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in ("memwiki", "tests", "benchmarks", "docs", "workspace-template"):
            shutil.copytree(ROOT / name, copy / name)
        for name in ("pyproject.toml", "README.md", "Makefile"):
            shutil.copy(ROOT / name, copy / name)
        for room, fault in wanted:
            seen = caught_by(room, fault, copy)
            caught += bool(seen)
            old = fault.path.read_text().split("\n")[fault.line - 1].strip()
            new = fault.seeded(fault.path.read_text()).split("\n")[fault.line - 1].strip()
            where = f"{fault.path.relative_to(ROOT)}:{fault.line}"
            print(f"{where}: {seen or 'NOT CAUGHT'}\n    {old}\n    {new}", flush=True)
    print(f"{caught} of {len(wanted)} caught")


if __name__ == "__main__":
    main()
