"""Two vaults that are asked the same: opened at every door, their answers without clocks."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

from generated import Generator

from memwiki.adapters.memory_tool import MemoryTool, MemoryToolError
from memwiki.cli.main import main as command_line
from memwiki.clock import now_ns
from memwiki.doors.own import OwnService
from memwiki.errors import MemwikiError
from memwiki.files import records
from memwiki.memory import insertion
from memwiki.proposals.operations import Proposal
from memwiki.proposals.store import as_bytes, fields_of
from memwiki.tools import PROFILES, DoorFlags, Limiter, call, door_settings
from memwiki.tools.table import Tool
from memwiki.workspace import Workspace

Case = tuple[str, Callable[["Twin"], str]]
AT = "2026-11-01T10:00:00Z"  # when what waits for review was proposed


def keep_proposal(root: Path, proposal: Proposal) -> None:
    """Let something wait for review, as a file that somebody else may have written."""
    answered = proposal._replace(is_answered=True)
    records.store(root, proposal.id, as_bytes(fields_of(answered)))


def answer_of(case: Case, twin: Twin) -> str:
    """What a twin answers; new ids are equal in both, which orders and letters follow."""
    with patch.object(insertion, "secrets", random.Random(case[0])):
        return case[1](twin)


class Twin:
    """One of two vaults, opened as who asks has it."""

    def __init__(
        self, root: Path, namespace: str = "home", clock: Callable[[], int] = now_ns
    ) -> None:
        self.root, self.namespace = root, namespace
        self.is_changed = False  # by what was asked
        self.asked = set[str]()  # words that who asks has said, and may have written
        self.workspace = Workspace.open(root, namespace=namespace, clock=clock).by(
            "agent/1 via test"
        )
        self.tools = {(p, t.name): t.hints.is_read_only for p in PROFILES for t in PROFILES[p]}
        self.service = OwnService(
            DoorFlags(profile="full"), self.workspace.config, is_structured=True, tell=_pass
        )

    def close(self) -> None:
        """Close what is open."""
        self.workspace.close()

    def tool(self, profile: str, name: str, given: Mapping[str, Any]) -> str:
        """What a tool answers, in words and as JSON."""
        settings = door_settings(self.workspace.config, DoorFlags(profile=profile))
        # Nothing is counted as recalled: how often would follow from scores.
        settings = settings._replace(is_read_only=self.tools[profile, name])
        here = self._here(given)
        found = call(
            self.workspace, name, here, settings=settings, limiter=Limiter(), is_structured=True
        )
        return self.masked(f"{found.text}\n{_sorted_json(self.unclocked(_json(found.structured)))}")

    def command(self, words: Sequence[str]) -> str:
        """What a command prints, on both streams, and its exit code."""
        out, err = io.StringIO(), io.StringIO()
        start = ["-C", str(self.root), "-n", self.namespace, "--json"]
        with redirect_stdout(out), redirect_stderr(err):
            code = command_line([*start, *self._here(list(words))])
        printed = _sorted_json(self.unclocked(out.getvalue()))
        return self.masked(f"{printed}\n{err.getvalue()}\n[{code}]")

    def completed(self, words: Sequence[str]) -> str:
        """What a shell is offered."""
        out = io.StringIO()
        start = ["--complete", "words", "-C", str(self.root), "-n", self.namespace]
        with redirect_stdout(out):
            command_line([*start, *self._here(list(words))])
        return self.masked(out.getvalue())

    def brief(self, source: str) -> str:
        """What a model would be asked about a session or a page."""
        try:
            asked = self.workspace.public().curation.extract_brief(self._here(source))
            return self.masked(asked.text)
        except MemwikiError as error:
            return self.masked(f"{error.code} {error} {error.hint}")

    def prompt(self, question: str) -> str:
        """A prompt of the server."""
        found = self.service.prompt(self.workspace, "answer", {"question": self._here(question)})
        return self.masked(str(found))

    def resource(self, path: str) -> str:
        """A resource of the server."""
        return self.masked(str(self.service.read(self.workspace, self._here(path))))

    def folder(self, folder: str, command: Mapping[str, Any]) -> str:
        """What the memory tool answers over a folder."""
        try:
            tool = MemoryTool(self.workspace, self._here(folder))
            return self.masked(tool.handle(self._here(command)))
        except (MemoryToolError, MemwikiError) as error:
            return self.masked(f"{type(error).__name__} {error} {getattr(error, 'hint', '')}")

    def _here(self, given: Any) -> Any:
        return json.loads(json.dumps(given).replace("{root}", str(self.root)))

    def masked(self, text: str) -> str:
        """An answer without what differs between any two vaults and calls."""
        return _in_order(self.unclocked(text.replace("\\n", "\n")))

    def unclocked(self, text: str) -> str:
        """An answer without its folder, clocks and new ids."""
        return _without_clocks(self.without_folder(text))

    def without_folder(self, text: str) -> str:
        """An answer without its folder, also where it was taken for an id and has no capitals."""
        for folder, name in ((self.root, "root"), (self.root.parent, "parent")):
            pattern = re.compile(rf"/?{re.escape(str(folder)[1:])}", re.IGNORECASE)
            text = pattern.sub(f"<{name}>", text)
        return text


def _pass(_text: str) -> None:
    """Nobody reads the log."""


def _json(found: Any) -> str:
    return json.dumps(found, ensure_ascii=False)


def _plain(found: Any) -> str:
    return json.dumps(_ordered(found), sort_keys=True, ensure_ascii=False)


_UNCOMPARED = (
    "ms",
    "cached",
    "score",
    "scores",
    "explain",
    "seconds",
    "reasons",
    "rank",
    "place",
    "recalls",
    "mean_score",
    "last_recalled",
    "value",
)
# Also what is in the order of ids, some of which are new and so random.
_BY_SCORE = ("hits", "nodes", "near", "pairs", "words", "edges")


def _ordered(found: Any) -> Any:
    """JSON without scores, and what they order sorted."""
    if isinstance(found, dict):
        return {
            name: sorted(map(_plain, each)) if name in _BY_SCORE and each else _ordered(each)
            for name, each in found.items()
            if name not in _UNCOMPARED
        }
    return list(map(_ordered, found)) if isinstance(found, list) else found


def _sorted_json(text: str) -> str:
    try:
        return _plain(json.loads(text))
    except ValueError:
        return text


def _in_order(text: str) -> str:
    """Lines in one order, without numbers that come first or are scores: of memories the value,
    and so the order, follows from the scores of what was recalled."""
    lines = (re.sub(r"\b[01]\.\d+\b", "#", line) for line in text.split("\n"))
    return "\n".join(sorted(lines))


_CLOCKS = (
    (re.compile(r"\b\d{4}-\d\d-\d\d-\d{6}\b"), "<session of now>"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?"), "<time>"),
    (re.compile(r'("(?:generation|bytes|age|pid)": )\d+'), r"\g<1>0"),
    # A value falls while the second twin is asked.
    (re.compile(r"\b(value=0\.\d{2})\d*"), r"\g<1>"),
    (re.compile(r"\b[mp]-(?![wh0]0000)[0-9a-z]{6}\b"), "<new id>"),
)


def _without_clocks(text: str) -> str:
    for pattern, instead in _CLOCKS:
        text = pattern.sub(instead, text)
    return text


# --- what is asked ---


def cases(draw: Generator, tools: Sequence[tuple[str, Tool]]) -> Iterator[Case]:
    """What is asked, at every door in turn, without end."""
    while True:
        for _ in range(2):
            yield tool_case(draw, tools)
        words = draw.command()
        yield f"$ {words}", lambda twin, given=words: twin.command(given)
        yield _at_another_door(draw)


def tool_case(draw: Generator, tools: Sequence[tuple[str, Tool]]) -> Case:
    """A call of a tool."""
    asked = draw.tool_call(tools)
    return " ".join(map(str, asked)), lambda twin: twin.tool(*asked)


def review_case(draw: Generator) -> Case:
    """What waits for review, or one of it; the tool of an agent, who decides nothing."""
    given = draw.dice.choice(({}, {"id": draw.one(draw.words.names)}, {"id": draw.one(PROPOSED)}))
    return f"review {given}", lambda twin: twin.tool("full", "review", given)


PROPOSED = (
    "p-w00000",
    "p-w00001",
    "w00002",
    "p-w00003",
    "p-w00004",
    "p-w00005",
    "p-h00000",
    "h00001",
)


def _at_another_door(draw: Generator) -> Case:
    """Doors with few arguments: resources, prompts, completion, the memory tool."""
    path, name = draw.one(draw.words.paths), draw.one(draw.words.names, draw.words.paths)
    kind = draw.one(("resource", "prompt", "tab", "folder", "review", "brief"))
    if kind == "review":
        return review_case(draw)
    if kind == "brief":
        return f"brief: {name}", lambda twin: twin.brief(name)
    if kind == "resource":
        uri = draw.one((f"memory://page/{path}", "memory://index", "memory://core"))
        return uri, lambda twin: twin.resource(uri)
    if kind == "prompt":
        return f"prompt: {name}", lambda twin: twin.prompt(name)
    if kind == "tab":
        words = [draw.one(("get", "links", "tags", "graph", "open")), name[: len(path) % 20]]
        return f"<tab> {words}", lambda twin: twin.completed(words)
    folder = draw.one((".", "wiki", path))
    view = {"command": "view", "path": draw.one((f"/memories/{path}", path))}
    return f"{folder}: {view}", lambda twin: twin.folder(folder, view)
