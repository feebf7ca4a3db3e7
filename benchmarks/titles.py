"""Whether pages are called as the program that keeps their vault calls them, and found so.

For each VAULT, on a copy: each page's title beside the program's own rule, which is written here
anew, over markdown-it and PyYAML alone; and for the 60 pages that most links lead to, whether
`search NAME` gives the page first, another page of that name, or something else. `VAULT:obsidian`
says which program keeps a vault that was published without its settings. `--show` prints what
differs. Exits 1 when a title is another, or a most linked page is below a page of another name.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import measure
import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

sys.path.insert(0, str(measure.PROJECT))

from memwiki.answers.pages import PageRow
from memwiki.workspace import Workspace

MOST_LINKED = 60
HEADS = ("vault", "kept by", "pages", "other title", "first", "a namesake first", "another")
MARKS = {"obsidian": ".obsidian", "logseq": "logseq/config.edn", "dendron": "dendron.yml"}
_FRONT = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->|%%.*?%%", re.DOTALL)
_PARSER = MarkdownIt("commonmark").enable("table")


class Report(NamedTuple):
    """What one vault gave."""

    row: list[str]
    wrong: list[str]


def own_title(program: str, path: str, text: str) -> str:
    """The title of a page by the rule of the program; "" where its settings decide."""
    stem = Path(path).stem
    front = _FRONT.match(text)
    if title := _declared(front[1]) if front else "":
        return title
    if program == "logseq":
        return _logseq_title(path, stem, text)
    if program in ("obsidian", "quartz"):
        return stem
    body = text[front.end() :] if front else text
    called = _of_file(path, stem, program)
    return _first_heading(body) or _only_heading(body, called) or called


def _logseq_title(path: str, stem: str, text: str) -> str:
    if path.startswith("journals/"):
        return ""
    given = re.match(r"(?:[\w-]+:: .*\n)*?title:: *(.+)", text)
    return given[1].strip() if given else unquote(stem.replace("___", "/"))


def _declared(block: str) -> str:
    try:
        fields = yaml.load(block, yaml.BaseLoader)
    except yaml.YAMLError:
        return ""
    title = fields.get("title", "") if isinstance(fields, dict) else ""
    return " ".join(title.split()) if isinstance(title, str) else ""


def _first_heading(body: str) -> str:
    """The words of the level 1 heading that a body begins with."""
    tokens = _PARSER.parse(body)
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h1" and token.level == 0:
            return "".join(map(_words, tokens[at + 1].children or ()))
        if token.type not in ("html_block", "paragraph_open", "inline", "paragraph_close"):
            return ""
        if _COMMENT.sub("", token.content).strip():
            return ""
    return ""


def _only_heading(body: str, called: str) -> str:
    """The first heading, if none is of its level or above: of level 1, or of level 2 at the top. It
    has half of the words that the file is called by."""
    tokens = _PARSER.parse(body)
    at = [i for i, t in enumerate(tokens) if t.type == "heading_open" and t.level == 0]
    tags = [tokens[i].tag for i in at]
    is_top = tags[:1] == ["h1"] or (tags[:1] == ["h2"] and at[0] == 0 and "h1" not in tags)
    if not is_top or tags.count(tags[0]) > 1:
        return ""
    title = "".join(map(_words, tokens[at[0] + 1].children or ()))
    names = {each for each in _parts(called) if not each.isdigit()}
    return title if names and 2 * len(names & _parts(title)) >= len(names) else ""


def _parts(name: str) -> set[str]:
    return set(re.findall(r"[^\W_]{2,}", name.casefold()))


def _words(token: Token) -> str:
    return token.content if token.type in ("text", "code_inline", "text_special") else " "


def _of_file(path: str, stem: str, program: str) -> str:
    folder = Path(path).parent.name
    if program == "dendron":
        return stem.rpartition(".")[2]
    return folder if folder and stem.lower() in ("index", "readme") else stem


def _letters(title: str) -> str:
    """What is left when marks, case and joints do not count."""
    return re.sub(r"[\W_]+", "", title.casefold())


def examine(root: Path, name: str, program: str) -> Report:
    """The row of one vault, and what is wrong in it."""
    with Workspace.open(root, find=False) as space:
        space.sync()
        pages = space.pages.list(limit=10**9).pages
        other = list(_other_titles(root, program, pages))
        linked = space.pages.list(sort="links", limit=MOST_LINKED).pages
        found = [(page, _rank(space, page)) for page in linked if page.links]
    counts = [sum(rank == each for _, rank in found) for each in ("first", "namesake", "other")]
    below = [f"{page.path}: not first for {page.title!r}" for page, r in found if r == "other"]
    row = [name, program or "markdown", f"{len(pages):,}", str(len(other)), *map(str, counts)]
    return Report(row, other + below)


def _other_titles(root: Path, program: str, pages: Sequence[PageRow]) -> Iterator[str]:
    for page in pages:
        text = (root / page.path).read_text("utf-8-sig", "replace")
        own = own_title(program, page.path, text)
        if own and _letters(own)[:150] != _letters(page.title)[:150]:
            yield f"{page.path}: {page.title!r} is {own!r}"


def _rank(space: Workspace, page: PageRow) -> str:
    hits = space.search(page.title, limit=5).hits
    if hits and hits[0].path == page.path:
        return "first"
    return "namesake" if hits and _letters(hits[0].title) == _letters(page.title) else "other"


def _reports(vaults: Sequence[str], scratch: Path) -> Iterator[Report]:
    for given in vaults:
        folder, _, program = given.partition(":")
        root = measure.copied(Path(folder).resolve(), scratch / Path(folder).resolve().name)
        if program in MARKS and not (root / MARKS[program]).exists():
            (root / MARKS[program]).mkdir(parents=True)
        program = program or next((p for p, mark in MARKS.items() if (root / mark).exists()), "")
        yield examine(root, root.name, program)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vaults", nargs="+", metavar="VAULT[:PROGRAM]")
    parser.add_argument("--show", type=int, default=0, metavar="LINES")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memwiki-titles-") as scratch:
        os.environ["MEMWIKI_CACHE_DIR"] = str(Path(scratch) / "cache")
        reports = list(_reports(given.vaults, Path(scratch)))
    for report in reports:
        print("\n".join(report.wrong[: given.show]), end="\n" * bool(report.wrong and given.show))
    print(measure.table(HEADS, [report.row for report in reports]))
    return int(any(report.wrong for report in reports))


if __name__ == "__main__":
    sys.exit(main())
