"""Questions over two pages, of which one links to the other: how much of both recall finds.

    python benchmarks/two_pages.py VAULT... [--questions 100]

A question is a sentence of a page that links to another one, without the words of the link: its own
words find the first page, only the link says which the second one is. What is drawn follows from
the vault alone. Each question is asked with the defaults, and without the step along names.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import measure
import questions

from memwiki.nouns import LinkRow, LinkStatus
from memwiki.recall.along import AlongNames
from memwiki.text import has_chinese
from memwiki.workspace import Workspace

_LIMIT = 10
_MIN_WORDS, _MIN_ZH, _MAX_CHARACTERS = 6, 12, 160
_MAX_LINKS_ON_A_LINE = 3  # a line of more is a list
_MARKUP = re.compile(
    r"!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]|!?\[([^\]]*)\]\([^)]*\)|<[^>]*>|[*_`#>|~^]+"
)
_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")


class TwoPages(NamedTuple):
    """A question and the pages that answer it together."""

    text: str
    pages: tuple[str, str]


def drawn(workspace: Workspace, count: int) -> list[TwoPages]:
    """So many questions, no two of one page, the same for the same vault."""
    found: list[TwoPages] = []
    paths = measure.pages(workspace.root)
    random.Random(7).shuffle(paths)
    for path in paths:
        if len(found) == count:
            break
        known = {each.text for each in found}
        found += [each for each in _of_page(workspace, path) if each.text not in known][:1]
    return found


def _of_page(workspace: Workspace, path: str) -> list[TwoPages]:
    rows = [
        row
        for row in workspace.graph.links(path, "out")
        if row.status is LinkStatus.RESOLVED and row.target != path and row.text
    ]
    lines = (workspace.root / path).read_text("utf-8", errors="replace").split("\n")
    return [each for row in rows if (each := _question(row, rows, lines[row.line - 1]))]


def _question(row: LinkRow, rows: Sequence[LinkRow], line: str) -> TwoPages | None:
    """The sentence around a link without what the link says."""
    if sum(other.line == row.line for other in rows) > _MAX_LINKS_ON_A_LINE:
        return None
    sentences = (_MARKUP.sub(lambda m: m[1] or m[2] or " ", each) for each in _END.split(line))
    for sentence in sentences:
        if row.text in sentence:
            said = " ".join(sentence.replace(row.text, " ").split())[:_MAX_CHARACTERS]
            is_enough = len(said) >= _MIN_ZH if has_chinese(said) else said.count(" ") >= _MIN_WORDS
            return TwoPages(said, (row.source, row.target)) if is_enough else None
    return None


def shares(workspace: Workspace, asked: Sequence[TwoPages]) -> Iterator[float]:
    """Of each question, how many of its pages are among the first ten hits' pages."""
    for each in asked:
        answer = workspace.recall(each.text, limit=_LIMIT, record=False)
        yield len({hit.path for hit in answer.hits}.intersection(each.pages)) / len(each.pages)


def main() -> int:
    """Draw, ask, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("vaults", nargs="+", type=Path, metavar="VAULT")
    parser.add_argument("--questions", type=int, default=100, help="of a vault at most")
    args = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory(prefix="memwiki-two-pages-") as scratch:
        os.environ["MEMWIKI_CACHE_DIR"] = str(Path(scratch, "cache"))
        os.environ["MEMWIKI_RECALL_CACHE_SECONDS"] = "0"
        for vault in args.vaults:
            workspace = questions.opened(vault, Path(scratch, vault.name))
            asked = drawn(workspace, args.questions)
            along = list(shares(workspace, asked))
            with mock.patch.object(AlongNames, "find", lambda *_: {}):
                without = list(shares(workspace, asked))
            figures = (f"{sum(each) / max(len(each), 1):.3f}" for each in (along, without))
            rows.append((vault.name, str(len(asked)), *figures))
    print(measure.table(("vault", "questions", "R@10", "without names"), rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
