"""Asks every door for what is private, and compares with a vault that has nothing private.

What is read has to be equal byte for byte, in its order and with its scores; only clocks, new ids
and how long it took are left out. What is written has to be answered alike and leave the same
shown, or be refused with the code `private`, and then nothing has changed.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import private_vault as vault
from generated import Generator, tools_of
from twins import Case, Twin, answer_of, review_case

from memwiki.adapters.hosts.hooks import answer as hook_answer
from memwiki.adapters.memory_tool import MemoryTool, MemoryToolError
from memwiki.adapters.reference_memory import TOOLS as REFERENCE_TOOLS
from memwiki.clock import now_ns
from memwiki.doors.reference import ReferenceService
from memwiki.errors import MemwikiError
from memwiki.tools import DoorFlags, Limiter, call, door_settings

_TELLING = re.compile("|".join(map(re.escape, vault.TELLING)), re.IGNORECASE)
_MASKS = (
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?"), "<time>"),
    (re.compile(r'("(?:generation|bytes|age|pid|ms|seconds)": )[\d.e-]+'), r"\g<1>0"),
    (re.compile(r"\bws-[0-9a-f]{16}\b"), "<folder of the cache>"),
    (re.compile(r"\b(?:generation|pid) \d+"), "<number>"),
    (re.compile(r"\b[mp]-(?![wh]000\d\d\b)[0-9a-z]{6,12}\b"), "<new id>"),
    (re.compile(r"\d+(?:\.\d+)? ?(?:ms|MB|KB|kB)\b"), "<amount>"),
)
_COMMANDS = (
    *(
        "ask QUERY",
        "ask QUERY --brief",
        "recall QUERY --limit 50",
        "recall QUERY --explain",
        "recall QUERY --mode deep",
        "context",
    ),
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

    def etag(self, path: str) -> str:
        """The etag of a page, as `read` gives it."""
        settings = door_settings(self.workspace.config, DoorFlags(profile="full"))
        found = call(self.workspace, "read", {"name": path}, settings=settings)
        said = re.search(r"etag (\w+)", found.text)
        return said[1] if said else "0123456789abcdef"

    def aimed(self, tool: str, given: Mapping[str, Any], path: str) -> str:
        """What a tool answers that was told the etag of a page."""
        return self.tool("full", tool, {**given, "etag": self.etag(path)})

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
        text = self.without_folder(text)
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
        yield node_case(draw, is_reading=True)
        yield _command(draw)
        yield _view(draw)
        yield review_case(draw)
        yield _waiting(draw)


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


def node_case(draw: Generator, *, is_reading: bool) -> Case:
    tools = [each for each in REFERENCE_TOOLS if each["annotations"]["readOnlyHint"] == is_reading]
    if is_reading and draw.dice.random() < 0.1:
        return "memory://graph", lambda twin: twin.node("", {})
    tool = draw.dice.choice(tools)
    name, given = tool["name"], _fitting(draw, tool["inputSchema"])
    return f"node {name} {given}", lambda twin: twin.node(name, given)


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


def _waiting(draw: Generator) -> Case:
    """What a model would be asked, what is offered for a half-typed name, and lines to cite."""
    name = draw.one(draw.words.names, draw.words.paths)
    kind = draw.one(("brief", "suggest", "propose"))
    if kind == "brief":
        return f"brief {name}", lambda twin: twin.brief(name)
    if kind == "suggest":
        typed = name[: draw.dice.choice((2, 4, 40))]
        return f"suggest {typed}", lambda twin: twin.masked(
            str(twin.workspace.public().suggest(typed))
        )
    return f"propose {name}", lambda twin: twin.tool("full", "propose", {"source": name})


def _view(draw: Generator) -> Case:
    folder, path = draw.one((".", ".", "wiki", "secret")), draw.one(draw.words.paths)
    view = {"command": "view", "path": f"/memories/{path}"}
    if draw.dice.random() < 0.3:
        view["view_range"] = draw.dice.choice(([1, 3], [5, 9], [6, 6], [1, -1]))
    return f"{folder}: {view}", lambda twin: twin.folder(folder, view)


OLD = ("Five.", "None.", "rent", MARK := vault.MARK, "- ", "\n\n", "siebenzwei", "private: true")
NEW = ("Six.", "", "```\n", "# Top\n\n", "<!--", "\n", "> ", "    ", f"Plain {MARK}", "---\n", "x")


class PrivateGenerator(Generator):
    """Draws calls that go for what is private."""

    def __init__(self, dice: random.Random) -> None:
        super().__init__(dice, vault.WORDS)
        texts = (
            *("The PIN of the bank is siebenzwei.", "The office is in Turku.", "Beans grow well."),
            *("Rent is due in Juno.", "Rent is due in May.", "Has a Liebhaber.", f"Hush. {MARK}"),
            *("# Rent\n\nShort.\n", "- [private:: true] new", "---\nprivate: true\n---\n# New\n"),
        )
        self.of_property = {
            **self.of_property,
            "text": (texts, NEW),
            "content": (texts, NEW),
            "old": (OLD,),
            "section": (("Price", "Facts", "Beds", "Grube", "Verborgen", "Hinterzimmer", "Last"),),
            "lines": (("1-3", "5", "6", "5-8", "8-9", "2-9999", "12-13", "x"),),
            "subject": (("office", "Konto", "rent", "Anna", "Zarathustra"),),
            "topic": (("geheim", "money"),),
            "object": (("Luxemburg", "Kiel"),),
            "query": (vault.QUERIES, vault.NAMES),  # the roots of both have other words
            "subject_includes": (vault.NAMES,),  # likewise
            "key": (("bank/pin", "office/place", "tea", "new/key"),),
        }


# --- comparing ---


def telling_words(text: str) -> set[str]:
    """The words of a text that only private lines hold, in small letters."""
    return {each.lower() for each in _TELLING.findall(text)}


def told(case: Case, answer: str) -> list[str]:
    """The words of an answer that only private lines hold, and that were not in what was asked."""
    asked = telling_words(case[0])
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
    one, other = (answer_of(case, twin) for twin in twins)
    logged = [each for twin in twins for each in twin.logged]
    return differing(one, other) or why_telling(case, one, twins) or "\n".join(logged)


def why_telling(case: Case, answer: str, twins: Sequence[PrivateTwin]) -> str:
    twins[0].asked.update(telling_words(case[0]))
    found = [each for each in told(case, answer) if each.lower() not in twins[0].asked]
    return f"tells {found}" if found else ""


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
