"""Questions over two pages, of which one links to the other: how much of both recall finds.

    python benchmarks/two_pages.py VAULT... [--questions 100] [--plans FILE]

A question is a sentence of a page that links to another one, without the words of the link: its own
words find the first page, only the link says which the second one is. What is drawn follows from
the vault alone. Each question is asked with the defaults, and without the step along names. With a
FILE of plans, lines `{"question": ..., "plan": {...}}` that somebody wrote who was shown no more
than the question, those are asked that have one, also as planned.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import measure
import questions

from memwiki.models.opening import ModelRun
from memwiki.models.port import Ask, ModelReply
from memwiki.nouns import LinkRow, LinkStatus
from memwiki.recall.names import AlongNames
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
    paths = sorted(page.path for page in workspace.pages.list().pages)
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


def shares(
    workspace: Workspace, asked: Sequence[TwoPages], *, plan: bool = False
) -> Iterator[float]:
    """Of each question, how many of its pages are among the first ten hits' pages."""
    for each in asked:
        answer = workspace.recall(each.text, limit=_LIMIT, record=False, plan=plan)
        yield len({hit.path for hit in answer.hits}.intersection(each.pages)) / len(each.pages)


class PlanningChat:
    """A Chat that answers a question with the plan that was written for it."""

    key, context_tokens = "recorded recorded", 4096

    def __init__(self, plans: Mapping[str, str]) -> None:
        self._plans = plans

    def ask(self, ask: Ask) -> ModelReply:
        """The plan of the one question that is asked."""
        asked = ask.messages[-1].text.partition("\n")[0].removeprefix("Question: ")
        return ModelReply(self._plans[asked])

    def close(self) -> None:
        """Nothing is open."""


def plans_in(text: str) -> dict[str, str]:
    """The plans of a file, as replies by question."""
    rows = map(json.loads, filter(None, text.splitlines()))
    return {row["question"]: json.dumps(row["plan"], ensure_ascii=False) for row in rows}


@contextmanager
def answering(plans: Mapping[str, str]) -> Iterator[None]:
    """Let these plans be what the user's model answers."""
    with (
        mock.patch.object(ModelRun, "chat", lambda _: PlanningChat(plans)),
        mock.patch.object(ModelRun, "replies", None),
    ):
        yield


def main() -> int:
    """Draw, ask, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("vaults", nargs="+", type=Path, metavar="VAULT")
    parser.add_argument("--questions", type=int, default=100, help="of a vault at most")
    parser.add_argument("--plans", type=Path, help="plans of questions; only these are asked")
    args = parser.parse_args()
    plans = plans_in(args.plans.read_text("utf-8")) if args.plans else {}
    rows = []
    with tempfile.TemporaryDirectory(prefix="memwiki-two-pages-") as scratch:
        os.environ["MEMWIKI_CACHE_DIR"] = str(Path(scratch, "cache"))
        os.environ["MEMWIKI_RECALL_CACHE_SECONDS"] = "0"
        for vault in args.vaults:
            workspace = questions.opened(vault, Path(scratch, vault.name))
            asked = drawn(workspace, args.questions)
            asked = [each for each in asked if not plans or each.text in plans]
            along = list(shares(workspace, asked))
            with mock.patch.object(AlongNames, "find", lambda *_: {}):
                without = list(shares(workspace, asked))
            with answering(plans):
                planned = list(shares(workspace, asked, plan=True)) if plans else []
            found = (along, without, planned)
            figures = (f"{sum(each) / len(each):.3f}" if each else "" for each in found)
            rows.append((vault.name, str(len(asked)), *figures))
    print(measure.table(("vault", "questions", "R@10", "without names", "planned"), rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
