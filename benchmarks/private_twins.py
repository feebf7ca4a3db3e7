"""Asks every door for what is private, and compares with a vault that has nothing private.

What is read has to be equal byte for byte, in its order and with its scores; only clocks, new ids
and how long it took are left out. What is written has to be answered alike and leave the same
shown, or be refused with the code `private`, and then nothing has changed.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

import private_vault as vault
from generated import Generator, tools_of
from twins import Case, Twin

from memwiki.clock import now_ns
from memwiki.doors.hooks.run import answer as hook_answer
from memwiki.doors.mcp.reference import ReferenceService
from memwiki.doors.memory_tool import MemoryTool, MemoryToolError
from memwiki.doors.reference_memory.table import TOOLS as REFERENCE_TOOLS
from memwiki.doors.tools import DoorFlags, Limiter, call, door_settings
from memwiki.errors import MemwikiError
from memwiki.markdown.private import public_bytes

_TELLING = re.compile("|".join(map(re.escape, vault.TELLING)), re.IGNORECASE)
_REFUSED = re.compile(r"error private|\bis private\b")
_NEW_TWINS = 60  # writes, after which the vaults are made anew
_MASKS = (
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?"), "<time>"),
    (re.compile(r'("(?:generation|bytes|age|pid|ms|seconds)": )[\d.e-]+'), r"\g<1>0"),
    (re.compile(r"\bws-[0-9a-f]{16}\b"), "<folder of the cache>"),
    (re.compile(r"\b(?:generation|pid) \d+"), "<number>"),
    (re.compile(r"\bm-(?![wh]000\d\d\b)[0-9a-z]{6,12}\b"), "<new id>"),
    (re.compile(r"\d+(?:\.\d+)? ?(?:ms|MB|KB|kB)\b"), "<amount>"),
)
_COMMANDS = (
    *("recall QUERY --limit 50", "recall QUERY --explain", "recall QUERY --mode deep", "context"),
    *("browse", "browse PATH", "browse PATH --what memories", "browse --what tags", "context"),
    *("browse --tag TAG", "browse --type TYPE", "browse --what recent", "recall QUERY --tag TAG"),
    *("export - --format md", "export - --format jsonl", "export - --format memory-server"),
)


class PrivateTwin(Twin):
    """One of two vaults, opened at every door without what is private."""

    def __init__(self, root: Path, started: int) -> None:
        self.now = started
        super().__init__(root, "", lambda: self.now)
        self.revisions: Sequence[str] = ()
        self.reference = ReferenceService()
        self.logged: list[str] = []
        self.service._tell = self.logged.append

    def tool(self, profile: str, name: str, given: Mapping[str, Any]) -> str:
        settings = door_settings(self.workspace.config, DoorFlags(profile=profile))
        found = call(
            self.workspace,
            name,
            self._here(given),
            settings=settings,
            limiter=Limiter(),
            is_structured=True,
            tell=self.logged.append,
        )
        return self.masked(f"{found.text}\n{json.dumps(found.structured, ensure_ascii=False)}")

    def node(self, tool: str, given: Mapping[str, Any]) -> str:
        """What the reference server answers; its own resource for no tool."""
        if not tool:
            return self.masked(str(self.reference.read(self.workspace, "memory://graph")))
        found = self.reference.call(self.workspace, tool, self._here(given), Limiter())
        return self.masked(str(found))

    def hook(self, moment: str, prompt: str, session: str) -> str:
        """What a hook brings into a conversation."""
        event = {"session_id": session, "prompt": prompt, "source": "startup"}
        data = json.dumps(event).encode()
        return self.masked(
            hook_answer(lambda: self.workspace, moment, "claude", data, is_recording=False)
        )

    def listed(self, kind: str, typed: str) -> str:
        """What a client is offered for a half-typed name."""
        return self.masked(str(self.workspace.public().pages.complete(kind, typed)))

    def folder(self, folder: str, command: Mapping[str, Any]) -> str:
        try:
            tool = MemoryTool(self.workspace, self._here(folder))
            return self.masked(tool.handle(self._here(command)))
        except (MemoryToolError, MemwikiError) as error:
            said = f"{type(error).__name__} {error} {getattr(error, 'hint', '')}"
            return self.masked(said)

    def masked(self, text: str) -> str:
        for folder, name in ((self.root, "root"), (self.root.parent, "parent")):
            text = text.replace(str(folder), f"<{name}>").replace(str(folder)[1:], f"<{name}>")
        for number, revision in enumerate(self.revisions):
            for length in (40, 12, 10, 8, 7):
                text = text.replace(revision[:length], f"<commit {number}>")
        for pattern, instead in _MASKS:
            text = pattern.sub(instead, text)
        return text

    def files(self) -> dict[str, str]:
        """The pages, as they are."""
        return {
            str(place.relative_to(self.root)): place.read_text()
            for place in sorted(self.root.rglob("*.md"))
            if ".memwiki" not in place.parts and place.is_file()
        }


# --- what is asked ---


def reads(draw: Generator) -> Iterator[Case]:
    """Questions at every door in turn, without end."""
    tools = tools_of()
    while True:
        for _ in range(6):
            asked = draw.tool_call(tools)
            yield " ".join(map(str, asked)), lambda twin, given=asked: twin.tool(*given)
        yield _resource(draw)
        yield _listing(draw)
        yield _hook(draw)
        yield _node(draw, is_reading=True)
        yield _command(draw)
        yield _view(draw)


def writes(draw: Generator) -> Iterator[Case]:
    """Changes at every door in turn, without end."""
    tools = tools_of(is_writing=True)
    while True:
        for _ in range(6):
            asked = draw.tool_call(tools)
            yield " ".join(map(str, asked)), lambda twin, given=asked: twin.tool(*given)
        yield _node(draw, is_reading=False)
        yield _folder_change(draw)


def _resource(draw: Generator) -> Case:
    path, name = draw.one(draw.words.paths), draw.one(draw.words.names, draw.words.queries)
    kind = draw.one(("page", "page", "index", "core", "answer", "tidy"))
    if kind in ("answer", "tidy"):
        return f"prompt {kind}: {name}", lambda twin: twin.masked(
            str(twin.service.prompt(twin.workspace, kind, {"question": name}))
        )
    uri = f"memory://page/{path}" if kind == "page" else f"memory://{kind}"
    return uri, lambda twin: twin.resource(uri)


def _listing(draw: Generator) -> Case:
    kind, name = draw.one(("page", "tag", "type", "entry")), draw.one(draw.words.names)
    typed = draw.one((name, name[:3], name[:1], draw.one(draw.words.paths), ""))
    return f"complete {kind} {typed}", lambda twin: twin.listed(kind, typed)


def _hook(draw: Generator) -> Case:
    moment, prompt = draw.one(("start", "prompt", "prompt")), draw.one(draw.words.queries)
    session = f"s{draw.dice.randrange(10**9)}"
    return f"hook {moment} {prompt}", lambda twin: twin.hook(moment, prompt, session)


def _node(draw: Generator, *, is_reading: bool) -> Case:
    tools = [each for each in REFERENCE_TOOLS if bool(each.hints.get("readOnlyHint")) == is_reading]
    if is_reading and draw.dice.random() < 0.1:
        return "memory://graph", lambda twin: twin.node("", {})
    tool = draw.dice.choice(tools)
    given = _fitting(draw, tool.input_schema)
    return f"node {tool.name} {given}", lambda twin: twin.node(tool.name, given)


def _fitting(draw: Generator, schema: Mapping[str, Any], name: str = "") -> Any:
    """Arguments of the reference server, whose schemas say less."""
    if schema["type"] == "object":
        return {key: _fitting(draw, each, key) for key, each in schema["properties"].items()}
    if schema["type"] == "array":
        return [_fitting(draw, schema["items"], name) for _ in range(draw.dice.randint(1, 2))]
    if name in ("contents", "observations"):
        return draw.one(("Likes tea.", "Has a Liebhaber.", "Has a dog.", "Knows Dudelsack."))
    return draw.one(("Anna", "Bert", "Zarathustra", "knows", "loves", "person"), draw.words.names)


def _command(draw: Generator) -> Case:
    words = draw.command(_COMMANDS)
    return f"$ {words}", lambda twin: twin.command(words)


def _view(draw: Generator) -> Case:
    folder, path = draw.one((".", ".", "wiki", "secret")), draw.one(draw.words.paths)
    view = {"command": "view", "path": f"/memories/{path}"}
    if draw.dice.random() < 0.3:
        view["view_range"] = draw.dice.choice(([1, 3], [5, 9], [6, 6], [1, -1]))
    return f"{folder}: {view}", lambda twin: twin.folder(folder, view)


_OLD = ("Five.", "None.", "rent", MARK := vault.MARK, "- ", "\n\n", "siebenzwei", "private: true")
_NEW = ("Six.", "", "```\n", "# Top\n\n", "<!--", "\n", "> ", "    ", f"Plain {MARK}", "---\n", "x")


def _folder_change(draw: Generator) -> Case:
    path, other = (f"/memories/{draw.one(draw.words.paths)}" for _ in range(2))
    old, new = draw.one(_OLD), draw.one(_NEW)
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


class PrivateGenerator(Generator):
    """Draws calls that go for what is private."""

    def __init__(self, dice: random.Random) -> None:
        super().__init__(dice, vault.WORDS)
        texts = (
            *("The PIN of the bank is siebenzwei.", "The office is in Turku.", "Beans grow well."),
            *("Rent is due in Juno.", "Rent is due in May.", "Has a Liebhaber.", f"Hush. {MARK}"),
            *("# Rent\n\nShort.\n", "- [private:: true] new", "---\nprivate: true\n---\n# New\n"),
        )
        self._of_property = {
            **self._of_property,
            "text": (texts, _NEW),
            "content": (texts, _NEW),
            "old": (_OLD,),
            "section": (("Price", "Facts", "Beds", "Grube", "Verborgen", "Hinterzimmer", "Last"),),
            "lines": (("1-3", "5", "6", "5-8", "8-9", "2-9999", "12-13", "x"),),
            "subject": (("office", "Konto", "rent", "Anna", "Zarathustra"),),
            "topic": (("geheim", "money"),),
            "object": (("Luxemburg", "Kiel"),),
            "key": (("bank/pin", "office/place", "tea", "new/key"),),
        }


# --- comparing ---


def told(case: Case, answer: str) -> list[str]:
    """The words of an answer that only private lines hold, and that were not in what was asked."""
    asked = {each.lower() for each in _TELLING.findall(case[0])}
    return [each for each in _TELLING.findall(answer) if each.lower() not in asked]


def differing(one: str, other: str) -> str:
    """What stands in one text alone, and what in the other alone."""
    if one == other:
        return ""
    a, b = one.split("\n"), other.split("\n")
    lines = [f"- {line[:1200]}" for line in a if line not in b]
    lines += [f"+ {line[:1200]}" for line in b if line not in a]
    return "differs:\n" + "\n".join(lines or ["in its order"])


def why_read_wrong(case: Case, twins: Sequence[PrivateTwin]) -> str:
    """What is wrong with the answers to a question; "" when nothing."""
    one, other = (case[1](twin) for twin in twins)
    logged = [each for twin in twins for each in twin.logged]
    return differing(one, other) or _why_telling(case, one, twins) or "\n".join(logged)


def _why_telling(case: Case, answer: str, twins: Sequence[PrivateTwin]) -> str:
    twins[0].asked.update(each.lower() for each in _TELLING.findall(case[0]))
    found = [each for each in told(case, answer) if each.lower() not in twins[0].asked]
    return f"tells {found}" if found else ""


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
    one, other = (case[1](twin) for twin in twins)
    if wrong := _why_telling(case, one, twins) or _why_lost(twins[0]):
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


# --- the run ---

Why = Callable[[Case, Sequence[PrivateTwin]], str]


def failures(base: Path, asked: Iterator[Case], why: Why, calls: int) -> list[str]:
    """What goes wrong in so many calls, on twins made for them."""
    started = now_ns()
    twins = [PrivateTwin(root, started) for root in vault.make_private_twins(base)]
    try:
        return asked_of(twins, asked, why, calls)
    finally:
        for twin in twins:
            twin.close()
            shutil.rmtree(twin.root)


def asked_of(
    twins: Sequence[PrivateTwin], asked: Iterator[Case], why: Why, calls: int
) -> list[str]:
    """What goes wrong in so many calls."""
    wrong = list[str]()
    for case in islice(asked, calls):
        for twin in twins:
            twin.now += 2 * 10**9
        if found := why(case, twins):
            wrong.append(f"{case[0]}\n{found}")
    return wrong


def run_reads(base: Path, calls: int, dice: random.Random) -> list[str]:
    """Ask so often; what went wrong."""
    return failures(base, reads(PrivateGenerator(dice)), why_read_wrong, calls)


def run_writes(base: Path, calls: int, dice: random.Random) -> list[str]:
    """Change so often; what went wrong."""
    asked, found = writes(PrivateGenerator(dice)), list[str]()
    for number in count():
        left = calls - number * _NEW_TWINS
        if left <= 0:
            return found
        found += failures(base / str(number), asked, why_write_wrong, min(left, _NEW_TWINS))
    return found
