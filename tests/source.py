"""What tests that look into the source of memwiki have in common."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import memwiki

PACKAGE = Path(memwiki.__file__).parent


@cache
def docs_generator() -> ModuleType:
    """What writes the pages of docs/ that follow from the code."""
    file = Path(__file__).parents[1] / "docs" / "generate.py"
    spec = importlib.util.spec_from_file_location("generate", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def nodes_with(*words: str, folder: Path = PACKAGE) -> Iterator[tuple[Path, ast.AST]]:
    """The nodes of every file in which one of these words stands; parsing all takes seconds."""
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text("utf-8")
        if any(word in text for word in words):
            yield from ((path, node) for node in ast.walk(ast.parse(text)))


def dotted(node: ast.expr) -> str:
    """`os.environ.get` for the expression of that name, "" for anything else."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}".lstrip(".")
    return node.id if isinstance(node, ast.Name) else ""
