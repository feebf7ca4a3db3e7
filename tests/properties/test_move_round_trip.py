"""After a move every link means what it meant, and after the way back every byte is as it was."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.errors import AmbiguousError, MemwikiError
from memwiki.pages import move as moving
from memwiki.pages.relink import Relinker
from memwiki.sync.reading import reading
from memwiki.workspace import Workspace
from tests.effort import examples

FOLDERS = ("", "wiki", "wiki/part", "notes", "名 前")
STEMS = ("tea", "Green tea", "water", "a_(b)", "茶", "v1.2", "it's", "202101011200 fen")
FRESH = ("fresh", "Fresh (x)", "新", "new name")
CODE = (
    "`[[tea]]` `<a href='tea.md'>` <!-- [t](tea.md) <img src='tea.md'> -->\n\n"
    "```\n[[tea]] [t](../wiki/tea.md)\n```\n\n"
    "{{< highlight md >}}\n[[tea]] [t](tea.md)\n\n# [[tea]]\n{{< /highlight >}}\n"
)


class Vault(NamedTuple):
    """Pages by path."""

    pages: dict[str, str]
    old: str
    new: str


def relative(source: str, target: str) -> str:
    """The shortest way from page to page."""
    here, there = source.split("/")[:-1], target.split("/")
    while here and len(there) > 1 and here[0] == there[0]:
        here, there = here[1:], there[1:]
    return "../" * len(here) + "/".join(there)


def encoded(path: str) -> str:
    return path.replace(" ", "%20")


def in_quotes(path: str) -> str:
    return encoded(path).replace("'", "%27")


def ways(source: str, target: str) -> list[str]:
    """Every way of writing a link that names its page exactly."""
    bare, way = target.removesuffix(".md"), relative(source, target)
    return [
        f"[[{bare}]]",
        f"[[{target}|label]]",
        f"[[/{bare}#Part]]",
        f"![[{bare}#^b1]]",
        f"[t]({encoded(way)})",
        f"[t](./{encoded(way)}#part)",
        f"[t](<{way}> 'tea.md')",
        f"![i](/{encoded(target)}?q)",
        f"[t]({encoded(way.removesuffix('.md'))})",
        f"| a |\n| - |\n| [[{bare}\\|x]] |",
        f'!!! note "[[{bare}]]"\n\n    [t]({encoded(way)})\n\n        [[tea]]\n',
        f'=== "A"\n    - ??? tip\n          [t]({encoded(way)}) [[{bare}]]\n',
        f"$$\n[[{bare}]]\n=\n$$\n\n[[{bare}]]",
        f'<a class="x"\n  href="{encoded(way)}?q=1&r=2#part">t</a>',
        f"<a href='{in_quotes(way)}'>t</a>",
        f"<p>\n<IMG alt='>' SRC={in_quotes(way)} /></p>",
        f"- made_of [[{bare}]]",
        f"- made_of:: [[{bare}]]",
        f"- x [subject:: {bare}] [entities:: y, [[{bare}]], {bare}]\n  - topic:: {bare}",
    ]


def by_name(target: str) -> list[str]:
    stem = target.rsplit("/", 1)[-1].removesuffix(".md")
    return [f"[[{stem}]]", f"[[{stem}.md|label]]", f"![[{stem}#Part]]"]


@st.composite
def vaults(draw: st.DrawFn, *, unique: bool) -> Vault:
    """Small vaults; with `unique` no two pages share a file name, so that bare names are exact."""
    stems = draw(st.lists(st.sampled_from(STEMS), min_size=2, max_size=5, unique=unique))
    paths = list(
        dict.fromkeys(
            f"{folder}/{stem}.md".lstrip("/")
            for stem in stems
            for folder in [draw(st.sampled_from(FOLDERS))]
        )
    )
    pages = {path: draw(page(path, paths, unique=unique)) for path in paths}
    old = draw(st.sampled_from(paths))
    folder, stem = old.rpartition("/")[0], old.rpartition("/")[2]
    if draw(st.booleans()):
        # At the root a path is no more than a name, and the way back could not tell.
        others = [each for each in (*FOLDERS[1:], "deep/er") if each != folder]
        folder = draw(st.sampled_from(others))
    else:
        stem = f"{draw(st.sampled_from(FRESH if unique else STEMS))}.md"
    return Vault(pages, old, f"{folder}/{stem}".lstrip("/"))


@st.composite
def page(draw: st.DrawFn, path: str, paths: list[str], *, unique: bool) -> str:
    end = draw(st.sampled_from(["\n", "\r\n"]))
    blocks = [CODE]
    for target in draw(st.lists(st.sampled_from(paths), max_size=4)):
        written = ways(path, target) + (by_name(target) if unique else by_name(target)[:1])
        blocks.append(
            f"text {draw(st.sampled_from(written))}" if draw(st.booleans()) else written[0]
        )
        if draw(st.booleans()):
            blocks.append(
                f"[x][r{len(blocks)}]\n\n[r{len(blocks)}]: <{relative(path, target)}> 'T'"
            )
    if draw(st.booleans()):
        ids = [f"m-{number}" for number in range(len(paths))]
        about, own = draw(st.sampled_from(ids)), ids[paths.index(path)]
        blocks.append(f"- It collects entries. [because:: {about} 0.5] ^{own}")
    front = draw(st.sampled_from(["", "+++\ntitle = 'T'\n+++\n"]))
    if draw(st.booleans()):
        bare = draw(st.sampled_from(paths)).removesuffix(".md")
        front = (
            f'---\nup: [[{bare}]]\nrelated: ["[[{bare}|x]]", '
            f"'[[{bare.replace(chr(39), chr(39) * 2)}]]']\nsources:\n  - \"{bare}.md\"\n---\n"
        )
    return (front + "\n\n".join(blocks) + "\n").replace("\n", end)


def meanings(space: Workspace, moved: dict[str, str]) -> dict[str, list[str]]:
    """What each link of each page means, in order."""
    with reading(space.live) as view:
        rows = [
            (source, moved.get(row.target, row.target))
            for path in sorted(card.path for card in view.lookup.cards())
            for source in [moved.get(path, path)]
            for row in view.graph.outgoing(path)
        ]
    found: dict[str, list[str]] = {}
    for source, target in rows:
        found.setdefault(source, []).append(target)
    return found


def write(root: Path, vault: Vault) -> None:
    (root / ".memwiki").mkdir()
    for path, text in vault.pages.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())


def add_canvas_and_base(root: Path, vault: Vault) -> None:
    """A canvas and a base that name every page in every way."""
    files = [{"type": "file", "file": path} for path in vault.pages]
    texts = [{"type": "text", "text": "\n\n".join(ways("b.canvas", path))} for path in vault.pages]
    board = {"nodes": [*files, *texts], "edges": []}
    (root / "b.canvas").write_text(json.dumps(board, indent="\t", ensure_ascii=False))
    lines = [f'  - file.path == "{path}" || file.hasLink("/{path}")' for path in vault.pages]
    (root / "t.base").write_text("\n".join(["filters:", *lines, ""]))


def named(root: Path) -> list[str]:
    """The pages that the canvas and the base name by their paths."""
    nodes = json.loads((root / "b.canvas").read_text())["nodes"]
    files = [node["file"] for node in nodes if node["type"] == "file"]
    lines = (root / "t.base").read_text().split("\n")[1:-1]
    return files + [part.lstrip("/") for line in lines for part in line.split('"')[1::2]]


def contents(root: Path) -> dict[str, bytes]:
    files = (p for p in root.rglob("*") if p.is_file() and ".memwiki" not in p.parts)
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in files}


@examples(15)
@given(vault=vaults(unique=True))
def test_a_move_keeps_every_meaning_and_the_way_back_every_byte(vault):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write(root, vault)
        add_canvas_and_base(root, vault)
        space = Workspace.open(root, find=False, environ={})
        before, meant = contents(root), meanings(space, {vault.old: vault.new})
        then = [{vault.old: vault.new}.get(path, path) for path in named(root)]
        assert space.pages.move(vault.old, vault.new).notes == ()
        assert named(root) == then
        assert meanings(space, {}) == meant
        code = CODE.encode()
        pages = [data for path, data in contents(root).items() if path.endswith(".md")]
        held = [data.replace(b"\r\n", b"\n").count(code) for data in pages]
        assert held == [1] * len(vault.pages)
        space.pages.move(vault.new, vault.old)
        assert contents(root) == before
        space.close()


@examples(15)
@given(vault=vaults(unique=False))
def test_a_move_among_pages_of_one_name_keeps_every_meaning_and_is_undone(vault):
    if vault.new in vault.pages:
        return
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write(root, vault)
        space = Workspace.open(root, find=False, environ={})
        before, meant = contents(root), meanings(space, {vault.old: vault.new})
        try:
            is_toml = vault.pages[vault.old].startswith("+++")
            space.pages.move(vault.old, vault.new, keep_alias=not is_toml)
        except AmbiguousError:
            pytest.fail("every page here can be named exactly")
        after = meanings(space, {})
        assert {path: len(found) for path, found in after.items()} == {
            path: len(found) for path, found in meant.items()
        }
        for path, targets in meant.items():
            # What meant nothing may mean the page under its new name.
            assert [
                t for t, was in zip(after[path], targets, strict=True) if was and t != was
            ] == []
        space.undo()
        assert contents(root) == before
        space.close()


class EveryLink(Relinker):
    """The reference: looks at every link of every page that has one to what moves."""

    def __init__(self, *known, numbers=None):
        super().__init__(*known[:5])


@examples(15)
@given(vault=vaults(unique=False))
def test_a_move_plans_what_looking_at_every_link_plans(vault):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write(root, vault)
        with Workspace.open(root, find=False, environ={}) as space:

            def planned():
                try:
                    return space.pages.move(vault.old, vault.new, dry_run=True)
                except MemwikiError as error:
                    return type(error), error.message, error.candidates

            found = planned()
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(moving, "Relinker", EveryLink)
                assert found == planned()
