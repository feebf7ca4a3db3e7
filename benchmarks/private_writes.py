"""Changes at every door not opened for what is private, on the twins of `private_vault`."""

from __future__ import annotations

import os
import random
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import private_vault as vault
from generated import Generator, tools_of
from private_twins import (
    NEW,
    OLD,
    PrivateGenerator,
    PrivateTwin,
    differing,
    failures,
    node_case,
    why_telling,
)
from twins import Case, answer_of

from memwiki.markdown.private import public_bytes

_ETAG = re.compile(r"\betag [0-9a-f]{16}\b")
_REFUSED = re.compile(r"error private|\bis private\b")


_NEW_TWINS = 60  # writes, after which the vaults are made anew


def writes(draw: Generator) -> Iterator[Case]:
    """Changes at every door in turn, without end."""
    tools = tools_of(is_writing=True)
    while True:
        for _ in range(6):
            asked = draw.tool_call(tools)
            yield " ".join(map(str, asked)), lambda twin, given=asked: twin.tool(*given)
        yield node_case(draw, is_reading=False)
        yield _folder_change(draw)
        for _ in range(6):
            yield draw.dice.choice((_aimed_write, _aimed_write, _aimed_move, _aimed_entry))(draw)
        yield _aimed_folder_change(draw)


def _folder_change(draw: Generator) -> Case:
    path, other = (f"/memories/{draw.one(draw.words.paths)}" for _ in range(2))
    old, new = draw.one(OLD), draw.one(NEW)
    command: dict[str, Any] = draw.dice.choice(
        (
            {"command": "create", "path": path, "file_text": new},
            {"command": "str_replace", "path": path, "old_str": old, "new_str": new},
            {"command": "insert", "path": path, "insert_line": draw.dice.randrange(12)}
            | {"insert_text": new},
            {"command": "delete", "path": path},
            {"command": "rename", "old_path": path, "new_path": other},
        )
    )
    return f"folder {command}", lambda twin: twin.folder(".", command)


_PAGES = tuple(sorted({*vault.SHOWN} - {"index.md", "log.md"}))


_OWN_IDS = tuple(f"m-h000{number:02}" for number in range(1, 14))


def _piece(draw: Generator, path: str) -> str:
    """A piece of what is shown of a page, as likely as not across a private line."""
    text = vault.second(vault.SHOWN[path])
    start = draw.dice.randrange(len(text))
    return text[start : start + draw.dice.choice((1, 4, 12, 40, 200))]


def _change(draw: Generator, path: str) -> str:
    """What comes in place of a piece: what opens, closes, marks, or moves what is below."""
    return draw.dice.choice((draw.one(NEW), _piece(draw, path), _piece(draw, path) + "\n\n"))


def _aimed_write(draw: Generator) -> Case:
    path = draw.one(_PAGES)
    old, text = _piece(draw, path), _change(draw, path)
    section = draw.one(("Facts", "Plans", "Last", "Price", "Beds", "Observations", "Relations"))
    given: Mapping[str, Any] = draw.dice.choice(
        (
            {"action": "replace_text", "old": old, "text": text},
            {"action": "replace_text", "old": old, "text": text},
            {"action": "replace_section", "section": section, "text": text},
            {"action": "append", "section": section, "text": text},
            {"action": "append", "text": text},
            {"action": "set_fields", "fields": {"private": "true"}},
            {"action": "set_fields", "fields": {"type": "note", "title": "Other"}},
        )
    )
    given = {**given, "name": path}
    return f"write {given}", lambda twin: twin.aimed("write", given, path)


def _aimed_move(draw: Generator) -> Case:
    path, other = draw.one(_PAGES), draw.one(_PAGES, draw.words.paths)
    given = {
        "name": path,
        "to": draw.one((other, f"wiki/{path}", "daily/2026-11-05.md", "raw/x.md")),
    }
    if draw.dice.random() < 0.2:
        return f"forget {path}", lambda twin: twin.aimed("forget", {"name": path}, path)
    return f"move {given}", lambda twin: twin.aimed("move", given, path)


def _aimed_entry(draw: Generator) -> Case:
    entry, other = draw.one(_OWN_IDS), draw.one(_OWN_IDS, draw.words.names)
    tool, given = draw.dice.choice(
        (
            ("update", {"id": entry, "text": draw.one(NEW, ("Beans grow badly.",))}),
            ("update", {"id": entry, "text": "It changed.", "supersede": True}),
            ("update", {"id": entry, "tags": ["quarz", "new"]}),
            ("forget", {"name": entry}),
            ("relate", {"a": entry, "b": other, "as": "because"}),
            ("relate", {"a": entry, "b": other, "as": "related", "by_description": True}),
            ("tag", {"action": "rename", "old": draw.one(draw.words.tags), "new": "other"}),
            ("undo", {}),
            ("undo", {"steps": 2}),
        )
    )
    return f"{tool} {given}", lambda twin: twin.tool("full", tool, given)


def _aimed_folder_change(draw: Generator) -> Case:
    path = draw.one(_PAGES)
    place, lines = f"/memories/{path}", vault.second(vault.SHOWN[path]).count("\n")
    command: Mapping[str, Any] = draw.dice.choice(
        (
            {"command": "str_replace", "path": place, "old_str": _piece(draw, path)}
            | {"new_str": _change(draw, path)},
            {"command": "insert", "path": place, "insert_line": draw.dice.randrange(lines + 1)}
            | {"insert_text": _change(draw, path)},
            {"command": "rename", "old_path": place, "new_path": f"/memories/wiki/{path}"},
        )
    )
    return f"folder {command}", lambda twin: twin.folder(".", command)


class Tree(NamedTuple):
    """All files below a folder."""

    files: Mapping[str, tuple[bytes, int]]


def tree_of(root: Path) -> Tree:
    """What is there now."""
    found = (place for place in root.rglob("*") if place.is_file())
    return Tree(
        {
            str(place.relative_to(root)): (place.read_bytes(), place.stat().st_mtime_ns)
            for place in found
        }
    )


def put_back(root: Path, tree: Tree) -> None:
    """Make a folder as it was."""
    for place in [each for each in root.rglob("*") if each.is_file()]:
        if str(place.relative_to(root)) not in tree.files:
            place.unlink()
    for path, (data, when) in tree.files.items():
        place = root / path
        if not place.exists() or place.read_bytes() != data:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        os.utime(place, ns=(when, when))
    folders = sorted((each for each in root.rglob("*") if each.is_dir()), reverse=True)
    wanted = {str(Path(path).parent) for path in tree.files}
    for folder in folders:
        name = str(folder.relative_to(root))
        if not any(each == name or each.startswith(f"{name}/") for each in wanted):
            shutil.rmtree(folder)


def why_write_wrong(case: Case, twins: Sequence[PrivateTwin]) -> str:
    """What is wrong with a change; "" when nothing."""
    before = [tree_of(twin.root) for twin in twins]
    # What is covered by an etag has new ids in it.
    one, other = (_ETAG.sub("etag", answer_of(case, twin)) for twin in twins)
    if wrong := why_telling(case, one, twins) or _why_lost(twins[0]):
        return wrong
    if _REFUSED.search(one) and not _REFUSED.search(other):
        put_back(twins[1].root, before[1])
        return _why_changed(before[0], tree_of(twins[0].root))
    shown = {path: shown_of(text) for path, text in twins[0].files().items()}
    left = {path: text for path, text in shown.items() if path not in vault.HIDDEN}
    wrong = differing(one, other) or _why_unlike(twins, left, twins[1].files())
    _share_times(twins)
    return wrong


def _why_lost(twin: PrivateTwin) -> str:
    """Why a private line is not as it was, or not hidden."""
    files = twin.files()
    gone = [path for path, text in vault.HIDDEN.items() if files.get(path) != text]
    lines = {line for text in files.values() for line in text.split("\n")}
    lost = vault.private_lines() - lines
    layers = twin.workspace.config.layers
    seen = ((path, public_bytes(path, text.encode(), layers)) for path, text in files.items())
    shown = [
        path
        for path, data in seen
        if path != "log.md" and data and vault.private_lines() & set(data.decode().split("\n"))
    ]
    return f"lost {gone} {lost}, shown {shown}" if gone or lost or shown else ""


def _why_changed(before: Tree, after: Tree) -> str:
    changed = [
        path
        for path in {*before.files, *after.files}
        if before.files.get(path, (b"",))[0] != after.files.get(path, (b"",))[0]
        and not path.startswith(".memwiki")
    ]
    return f"refused, and changed {changed}" if changed else ""


def shown_of(text: str) -> str:
    """A page of the first vault with empty lines for those that were made private."""
    private = vault.private_lines()
    return "\n".join("" if line in private else line for line in text.split("\n"))


def _why_unlike(
    twins: Sequence[PrivateTwin], one: Mapping[str, str], other: Mapping[str, str]
) -> str:
    found = []
    for path in sorted({*one, *other}):
        texts = (twins[0].masked(one.get(path, "no such file")),)
        texts += (twins[1].masked(other.get(path, "no such file")),)
        if wrong := differing(*texts):
            found.append(f"{path} {wrong}")
    return "\n".join(found)


def _share_times(twins: Sequence[PrivateTwin]) -> None:
    """Give files that were changed in both the same time."""
    for path in twins[1].files():
        place = twins[0].root / path
        if place.exists():
            when = place.stat().st_mtime_ns
            os.utime(twins[1].root / path, ns=(when, when))


def run_writes(base: Path, calls: int, dice: random.Random) -> list[str]:
    """Change so often; what went wrong."""
    draw = PrivateGenerator(dice)
    paths = [path for path in vault.PATHS if "{root}" not in path]  # it is written, and differs
    draw.words = draw.words._replace(paths=paths)
    draw.of_property["path"] = (paths,)
    asked, found = writes(draw), list[str]()
    for number in count():
        left = calls - number * _NEW_TWINS
        if left <= 0:
            return found
        found += failures(base / str(number), asked, why_write_wrong, min(left, _NEW_TWINS))
    return found
