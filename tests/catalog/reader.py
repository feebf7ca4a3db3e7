"""What somebody who reads the catalogs of a workspace finds in them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from memwiki.catalog.listing import BUDGET, Size
from memwiki.markdown.parse import parse
from memwiki.nouns import Layers
from memwiki.text import tokens

_BLOCK = re.compile(r"<!-- memwiki:catalog:(?:begin|end) -->")


def catalog_files(root: Path) -> dict[str, str]:
    """The catalogs below a folder, by path."""
    found = {}
    for path in sorted(root.rglob("*.md")):
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        if path.name.startswith("index.") and _BLOCK.search(text):
            found[path.relative_to(root).as_posix()] = text
    return found


def links_of(text: str, path: str) -> list[str]:
    """The targets of all links that our own parser finds in a catalog, relative to the root."""
    page = parse(path, _BLOCK.sub("", text).encode("utf-8", "surrogateescape"), Layers())
    folder = path.rpartition("/")[0]
    joined = (f"{folder}/{link.written}" if folder else link.written for link in page.links)
    return [posixpath.normpath(target) for target in joined]


def listed_pages(root: Path) -> list[str]:
    """Every page that a reader reaches from the root's index.md, in the sections that list
    pages."""
    found, todo, seen = [], ["index.md"], set()
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        seen.add(path)
        text = (root / path).read_bytes().decode("utf-8", "surrogateescape")
        for target in links_of(_without_highlights(text), path):
            name = target.rpartition("/")[2]
            if name.startswith("index.") and _BLOCK.search((root / target).read_text("utf-8")):
                todo.append(target)
            else:
                found.append(target)
    return found


class Way(NamedTuple):
    """The shortest way to a file."""

    reads: int  # index.md and the file among them
    bytes: int  # of the catalogs that are read before it


def ways(files: Mapping[str, str]) -> dict[str, Way]:
    """The shortest way from index.md to everything that the catalogs `files` link to; of two the
    one with less to read."""
    found, edge = {"index.md": Way(1, 0)}, ["index.md"]
    while edge:
        further: dict[str, Way] = {}
        for path in edge:
            text = files[path].encode("utf-8", "surrogateescape")
            there = Way(found[path].reads + 1, found[path].bytes + len(text))
            for target in links_of(files[path], path):
                if target not in found:
                    further[target] = min(there, further.get(target, there))
        found |= further
        edge = [path for path in further if path in files]
    return found


def _without_highlights(text: str) -> str:
    parts = re.split(r"(?m)^(?=## )", text)
    shown = ("## Start here", "## Recent", "## Most linked", "## Most wanted")
    return "".join(part for part in parts if not part.startswith(shown))


def size_of(text: str) -> Size:
    entries = len(re.findall(r"(?m)^ *- ", text))
    return Size(entries, len(text.encode("utf-8", "surrogateescape")), tokens(text))


def assert_bounded(root: Path) -> None:
    for path, text in catalog_files(root).items():
        assert size_of(text).fits(BUDGET), (path, size_of(text))
