"""In vaults of Logseq, Dendron and Obsidian every verb changes the lines that were asked for, in
any line ends, and undo brings back every byte."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.errors import MemwikiError
from memwiki.workspace import Workspace

DAY_NS = 86_400 * 10**9
TODAY = 20_000 * DAY_NS  # 2024-10-04
BLOCK = "63a1f0a0-1111-4222-8333-0123456789ab"
LOGSEQ = {
    "logseq/config.edn": "{:file/name-format :triple-lowbar}",
    "pages/tea___green.md": (
        "alias:: sencha, [[Grüner Tee]]\ntags:: hot, [[leaf]]\nbrewed::  80°C \n\n"
        f"- # Water\n  collapsed:: true\n\t- soft\n\t  id:: {BLOCK}\n"
        "- ```\n  # no heading #hot\n  ```\n- # Time\n"
    ),
    "pages/c.md": f"- [[tea/green]] #hot (({BLOCK}))\n- TODO [it]([[tea/green]])",
    "journals/2024_10_04.md": "- # Morning\n\t- drank [[sencha]]\n- plain\n",
    "journals/2024_10_03.md": "tags:: hot\n\n- [[Oct 4th, 2024]]\n",
}
DENDRON = {
    "dendron.yml": "workspace:\n  vaults:\n  - fsPath: vault\n    name: mine\n",
    "vault/a.md": "---\nid: x0\ntitle: A\n---\n",
    "vault/a.b.md": (
        "---\nid: x1\ntitle: 'B: b'\ndesc: ''\nupdated: 1608518909864\ncreated: 1608518909864\n"
        "tags:\n  - hot\n  - leaf # green\n---\n\n## Water\n\nsoft ^blk\n\n## Time\n"
    ),
    "vault/c.md": (
        "---\nid: x2\n---\n[[B | dendron://mine/a.b#water]] ![[a.b#water,1:#*]]\n"
        "[[a.b]] #hot\n![[a.*]]\n"
    ),
}
OBSIDIAN = {
    ".obsidian/app.json": '{"newFileLocation": "folder", "newFileFolderPath": "Neu"}',
    ".obsidian/daily-notes.json": '{"folder": "Diary", "format": "gggg-[W]ww/YYYY-MM-DD, ddd Do"}',
    "Grüner Tee.md": (
        "---\naliases: [sencha]\ntags:\n- hot\n- leaf\nbrewed: 80°C   # ca.\n---\n"
        "up:: [[c]]\n\n## Water\n\nsoft ^blk\n> [!note] x\n\n## Time\n"
    ),
    "c.md": "[[Grüner Tee#^blk|it]] ![[Grüner Tee#Water]] #hot\n- [[sencha]]",
    "Diary/2024-W40/2024-10-04, Fri 4th.md": "- tea\n",
}
VAULTS = {"logseq": LOGSEQ, "dendron": DENDRON, "obsidian": OBSIDIAN}
MAIN = {"logseq": "tea/green", "dendron": "a.b", "obsidian": "Grüner Tee"}
MOVED = {"logseq": "tee/grün", "dendron": "vault/z.new.md", "obsidian": "Neu/Tee.md"}
FORMS = {
    "lf": lambda text: text.encode(),
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "bom": lambda text: b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(),
}
VERBS = {
    "set": lambda ws, name: ws.pages.set(name, {"brewed": "70°C"}),
    "set new": lambda ws, name: ws.pages.set(name, {"importance": "0.5"}),
    "unset": lambda ws, name: ws.pages.set(name, {}, unset=["tags"]),
    "tag add": lambda ws, name: ws.pages.tag_add(name, ["new"]),
    "tag remove": lambda ws, name: ws.pages.tag_remove(name, ["leaf"]),
    "tag rename": lambda ws, name: ws.pages.tag_rename("hot", "warm"),
    "append": lambda ws, name: ws.pages.append(name, "last words"),
    "append to": lambda ws, name: ws.pages.append(name, "hard", section="Water"),
    "replace": lambda ws, name: ws.pages.replace(name, "hard", section="Time"),
    "link": lambda ws, name: ws.pages.link(name, "c"),
    "new": lambda ws, name: ws.pages.new("Black tea", tags=["hot"]),
    "today": lambda ws, name: ws.pages.today("an item"),
}


def contents(root: Path) -> dict[str, bytes]:
    files = (place for place in root.rglob("*") if place.is_file())
    found = {place.relative_to(root).as_posix(): place.read_bytes() for place in files}
    return {path: data for path, data in found.items() if not path.startswith(".memwiki")}


def vault(root: Path, texts: dict[str, str], form: str) -> Workspace:
    for path, text in texts.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(FORMS[form](text) if path.endswith(".md") else text.encode())
    return Workspace(root, clock=lambda: TODAY)


def changes(before: dict[str, bytes], after: dict[str, bytes]) -> Iterator[str]:
    """The lines that went from each file and that came, whatever their ends."""
    for path in sorted({*before, *after}):
        old, new = (lines_of(side.get(path, b"")) for side in (before, after))
        while old and new and old[0] == new[0]:
            del old[0], new[0]
        while old and new and old[-1] == new[-1]:
            del old[-1], new[-1]
        for sign, lines in (("-", old), ("+", new)):
            yield from (f"{path} {sign}{line}" for line in lines)


def lines_of(data: bytes) -> list[str]:
    return data.decode("utf-8-sig").replace("\r\n", "\n").split("\n")


# What each verb changes; `M`, `C` and `D` are the page, the one that links to it and today's.
EXPECTED = {
    "logseq": """
set: M -brewed::  80°C ¦ M +brewed::  70°C
set new: M +importance:: 0.5
unset: M -tags:: hot, [[leaf]]
tag add: M -tags:: hot, [[leaf]] ¦ M +tags:: hot, [[leaf]], new
tag remove: M -tags:: hot, [[leaf]] ¦ M +tags:: hot
tag rename: journals/2024_10_03.md -tags:: hot ¦ journals/2024_10_03.md +tags:: warm \
¦ C -- [[tea/green]] #hot ((ID)) \
¦ C +- [[tea/green]] #warm ((ID)) ¦ M -tags:: hot, [[leaf]] ¦ M +tags:: warm, [[leaf]]
append: M +- last words
append to: M +- hard
replace: M +\t- hard
link: M +related:: [[c]]
new: pages/Black tea.md +tags:: hot
today: D +- an item
move: C -- [[tea/green]] #hot ((ID)) ¦ C -- TODO [it]([[tea/green]]) \
¦ C +- [[tee/grün]] #hot ((ID)) ¦ C +- TODO [it]([[tee/grün]])
""",
    "dendron": """
set: M +brewed: 70°C
set new: M +importance: 0.5
unset: M -tags: ¦ M -  - hot ¦ M -  - leaf # green
tag add: M +  - new
tag remove: M -  - leaf # green
tag rename: M -  - hot ¦ M +  - warm ¦ C -[[a.b]] #hot ¦ C +[[a.b]] #warm
append: M +last words ¦ M +
append to: M +hard ¦ M +
replace: M +hard ¦ M +
link: M +related: ¦ M +  - "[[c]]"
new: vault/black-tea.md +--- ¦ vault/black-tea.md +id: pulwek2fy5k2ly2jqi7e99l \
¦ vault/black-tea.md +title: Black tea ¦ vault/black-tea.md +updated: 1728000000000 \
¦ vault/black-tea.md +created: 1728000000000 ¦ vault/black-tea.md +tags: [hot] \
¦ vault/black-tea.md +---
move: C -[[B | dendron://mine/a.b#water]] ![[a.b#water,1:#*]] ¦ C -[[a.b]] #hot \
¦ C +[[B | dendron://mine/z.new#water]] ![[z.new#water,1:#*]] ¦ C +[[z.new]] #hot
""",
    "obsidian": """
set: M -brewed: 80°C   # ca. ¦ M +brewed: 70°C   # ca.
set new: M +importance: 0.5
unset: M -tags: ¦ M -- hot ¦ M -- leaf
tag add: M +- new
tag remove: M -- leaf
tag rename: M -- hot ¦ M +- warm ¦ C -[[TEA#^blk|it]] ![[TEA#Water]] #hot \
¦ C +[[TEA#^blk|it]] ![[TEA#Water]] #warm
append: M +last words ¦ M +
append to: M +hard ¦ M +
replace: M +hard ¦ M +
link: M +related: ¦ M +  - "[[c]]"
today: D +- an item
move: C -[[TEA#^blk|it]] ![[TEA#Water]] #hot ¦ C +[[Tee#^blk|it]] ![[Tee#Water]] #hot
""",
}
PLACES = {
    "logseq": ("pages/tea___green.md", "pages/c.md", "journals/2024_10_04.md"),
    "dendron": ("vault/a.b.md", "vault/c.md", ""),
    "obsidian": ("Grüner Tee.md", "c.md", "Diary/2024-W40/2024-10-04, Fri 4th.md"),
}


def short(dialect: str, change: str) -> str:
    """A change with the names that its table has."""
    path, _, rest = change.partition(" +" if " +" in change else " -")
    names = dict(zip(PLACES[dialect], "MCD", strict=True))
    sign = change[len(path) + 1]
    rest = rest.replace(BLOCK, "ID").replace("[[Grüner Tee#", "[[TEA#")
    return f"{names.get(path, path)} {sign}{rest}".rstrip(" ")


@pytest.mark.parametrize("form", ["lf", "bom"])
@pytest.mark.parametrize("dialect", VAULTS)
def test_a_verb_changes_its_lines_and_undo_brings_back_every_byte(root, dialect, form):
    table = [row.partition(": ") for row in EXPECTED[dialect].strip().split("\n")]
    main = PLACES[dialect][0]
    verbs = VERBS | {"move": lambda ws, name: ws.pages.move(name, MOVED[dialect])}
    with vault(root, VAULTS[dialect], form) as ws:
        before = contents(root)
        for verb, _, wanted in table:
            verbs[verb](ws, MAIN[dialect])
            after = contents(root)
            if verb == "move":
                (moved,) = after.keys() - before.keys()
                after[main] = after.pop(moved)
            found = [short(dialect, each) for each in changes(before, after)]
            assert found == wanted.split(" ¦ "), verb
            for path in before:
                assert line_ends(after[path]) == line_ends(before[path]), (verb, path)
            ws.undo()
            assert contents(root) == before, verb


def line_ends(data: bytes) -> tuple[bool, bool, bool]:
    """Whether a file has a mark, line ends of Windows, and other ones."""
    rest = data.replace(b"\r\n", b"")
    return data.startswith(b"\xef\xbb\xbf"), len(rest) < len(data), b"\n" in rest


# --- any page ---

HEADS = {
    "logseq": ["", "tags:: hot\n", "alias:: x, [[y]]\nbrewed::  80°C \ntags:: [[hot]], leaf\n\n"],
    "dendron": ["", "---\nid: x1\n---\n", "---\nid: x\ntags: hot\nbrewed: 1 # a\n---\n"],
    "obsidian": ["", "---\ntags: [hot, leaf]\n---\n", "---\ntags:\n- hot\nbrewed: 1\n---\n\n"],
}
LINES = [
    "",
    "text",
    "## Water",
    "- # Water",
    "\t- ## Deep",
    "- item #hot",
    "\t- child ^m-abc123",
    "  key:: value",
    "  tags:: hot",
    f"\t  id:: {BLOCK}",
    f"- (({BLOCK})) [[c]]",
    "[[B | dendron://mine/c#a]]",
    "- ```",
    "  ```",
    "- TODO 中文 #leaf",
    "> [!note] x",
    "%% hidden %%",
]
MEANT = {  # what a line that goes holds
    "set": "brewed",
    "set new": "importance",
    "unset": "tags|hot",
    "tag add": "tags",
    "tag remove": "tags|leaf",
    "tag rename": "hot",
    "append": "",
    "append to": "",
    "link": "related",
}
PAGE = {"logseq": "pages/p.md", "dendron": "vault/p.md", "obsidian": "p.md"}


@pytest.fixture(scope="module")
def vaults(tmp_path_factory):
    """A workspace of each program, which lives as long as its examples."""
    found = {}
    for dialect, texts in VAULTS.items():
        root = tmp_path_factory.mktemp(dialect)
        found[dialect] = vault(root, texts, "lf")
    yield found
    for ws in found.values():
        ws.close()


@given(st.data())
def test_any_verb_on_any_page_leaves_other_lines_and_can_be_undone(vaults, data):
    dialect, verb = data.draw(st.sampled_from([*VAULTS])), data.draw(st.sampled_from([*MEANT]))
    body = data.draw(st.lists(st.sampled_from(LINES), max_size=8))
    text = data.draw(st.sampled_from(HEADS[dialect])) + "\n".join(body)
    before = FORMS[data.draw(st.sampled_from([*FORMS]))](
        text + data.draw(st.sampled_from(["", "\n"]))
    )
    ws = vaults[dialect]
    place = ws.root / PAGE[dialect]
    place.write_bytes(before)
    whole = contents(ws.root)
    try:
        VERBS[verb](ws, PAGE[dialect])
    except MemwikiError as error:
        assert error.hint
        assert contents(ws.root) == whole
        return
    after = place.read_bytes()
    gone = Counter(lines_of(before)) - Counter(lines_of(after))
    pattern = MEANT[verb]
    assert all(pattern and re.search(pattern, line) for line in gone if line), (gone, verb)
    assert line_ends(after)[0] == line_ends(before)[0]
    assert all(
        new <= old for new, old in zip(line_ends(after), line_ends(before), strict=True)
    ) or (b"\n" not in before)
    if contents(ws.root) != whole:
        ws.undo()
        assert contents(ws.root) == whole
