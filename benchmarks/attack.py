"""Asks every door for what it must not show, and compares with a vault that does not have it.

    python benchmarks/attack.py --calls 20000 --seed 1

Two vaults are twins: the second one lacks what is hidden from who asks in the first one, here the
namespace `work` from who works in `home`. Every tool of every profile, resource, prompt, completion
and reading command is asked the same of both, with arguments made from the schemas and from words
that lead to what is hidden: its paths in many spellings, names, ids, keys, tags. The answers have
to be equal byte for byte, but for scores and the order that they give, and for clocks. A
difference, or a word in an answer that only the hidden part holds, is a failure; the exit code says
whether there was one.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from memwiki.cli.main import main as command_line
from memwiki.doors.mcp.own import OwnService
from memwiki.doors.memory_tool import MemoryTool, MemoryToolError
from memwiki.doors.tools import PROFILES, DoorFlags, Limiter, call, door_settings
from memwiki.errors import MemwikiError
from memwiki.workspace import Workspace

SETTINGS = """[layers]
daily = "daily"
inbox = "inbox"
wiki = "wiki"
raw = "raw"
sessions = "sessions"
archive = "archive"
log = "log.md"
namespaces = "namespaces"
"""
OUTSIDE = {
    "memwiki.toml": SETTINGS,
    "memory.md": "# Memory\n\n## Facts\n\n- Tea is green. #drink [key:: tea] ^m-000001\n"
    "- See [[namespaces/work/wiki/merger]] soon. ^m-000002\n",
    "wiki/tea.md": "---\ntype: concept\ntags: [drink]\n---\n# Tea\n\nNeeds [[Water]], see"
    " [[namespaces/work/wiki/merger|the plan]], [[Merger]] and ^m-w00001.\n",
    "wiki/water.md": "# Water\n\nWet. [plan](../namespaces/work/wiki/merger.md) [[Tea]]\n",
}
OWN = {
    "memory.md": "# Memory\n\n## Facts\n\n"
    "- The office is in Kiel. #town [key:: office/place] [subject:: office] ^m-h00001\n"
    "- Rent is due in May. [because:: ^m-h00001] [related:: ^m-w00001] ^m-h00002\n"
    "- Rent is paid in May. #town/kiel ^m-h00003\n",
    "wiki/rent.md": "---\ntype: note\ntags: [money]\nrelated: [namespaces/work/wiki/merger.md]\n"
    "---\n# Rent\n\nDue in May. [[Garden]] [[Merger]] [[namespaces/work/wiki/merger]]"
    " [[m-w00001]] [x](../../work/wiki/merger.md#Price) ![[namespaces/work/raw/scan.png]]\n",
    "wiki/garden.md": "# Garden\n\n## Beds\n\nBeans and [[Rent]], by [[Tea]] and [[Shared]].\n",
    "wiki/shared.md": "# Shared\n\nWhat both have. [[Garden]]\n",
    "sessions/talk.md": "### user\nWhen is the rent due?\n\n### assistant\nIn May.\n",
    "daily/2026-11-01.md": "# 2026-11-01\n\n- Dug the garden. ^m-h00004\n",
    "archive/memory.md": "# Archive\n\n- The rent was less. ^m-h00005\n",
}
HIDDEN = {
    "memory.md": "# Memory\n\n## Facts\n\n"
    "- The merger costs zweihundert. #quarz [key:: merger/price] [subject:: merger] ^m-w00001\n"
    "- The office is in Turku. #town [key:: office/place] [subject:: office]"
    " [entities:: Xanthippe Corp] ^m-w00002\n",
    "wiki/merger.md": "---\ntype: dossier\ntags: [quarz]\naliases: [Fusion]\n---\n# Merger\n\n"
    "## Price\n\nZweihundert, says [[Xanthippe]], as does [[Rent]]. [[unlikely]]\n",
    "wiki/xanthippe.md": "# Xanthippe\n\nKnows the [[Merger]], [[namespaces/home/wiki/rent]]"
    " and [[Tea]] [[namespaces/home/wiki/nowhere]] [broken](nothing.md).\n",
    "wiki/shared.md": "# Shared\n\nWhat both have. [[Merger]]\n",
    "wiki/gardens.md": "# Gardens\n\nNear a name of the other one.\n",
    "sessions/secret-talk.md": "### user\nWhat of the merger?\n",
    "daily/2026-11-01.md": "# 2026-11-01\n\n- Signed the quarz paper. ^m-w00004\n",
    "inbox/note.md": "# Note\n\n- Zweihundert is too much. ^m-w00005\n",
    "archive/memory.md": "# Archive\n\n- Nonsuch was the name. ^m-w00006\n",
    "raw/scan.png": "png",
}
LOG = "# Log\n\n## [2026-11-01] create | namespaces/home/wiki/rent.md\n"
HIDDEN_LOG = (
    "\n## [2026-11-02] create | namespaces/work/wiki/merger.md\n\n"
    "## [2026-11-03] move | moved namespaces/work/wiki/a.md -> namespaces/work/wiki/fusion.md\n"
)
TELLING = re.compile(r"(?i)zweihundert|xanthippe corp|turku|nonsuch|quarz paper|dossier")

PATHS = (
    *("namespaces/work/wiki/merger.md", "namespaces/work/wiki/merger", "/namespaces/work/wiki"),
    *("namespaces/work", "namespaces/work/", "/namespaces/work/", "namespaces", "namespaces/"),
    *("../work", "../work/", "../work/wiki/merger.md", "../../namespaces/work/memory.md"),
    *("./../work/wiki", "wiki/../../work/memory.md", "../home/../work/wiki/merger.md"),
    *("namespaces/home/../work/wiki", "NAMESPACES/Work", "Namespaces/WORK/wiki/Merger.md"),
    *("namespaces//work/wiki", "namespaces/./work/memory.md", "./namespaces/work", "..", "../"),
    *("../../", ".", "/", "~", "namespaces\\work\\memory.md", "namespaces/work/memory.md:5"),
    *("namespaces/work/memory.md#^m-w00001", "namespaces/work/sessions/secret-talk.md"),
    *("../work/sessions/secret-talk", "../../work/sessions/secret-talk", "namespaces/*"),
    *("namespaces/work/*", "*work*", "**/merger.md", "*/merger.md", "../work/*", "w*", "*"),
    *("{root}/namespaces/work/memory.md", "{root}/namespaces/work", "{root}/../A/namespaces/work"),
    *("namespaces/home", "namespaces/home/wiki/rent.md", "namespaces/home/wiki", "wiki", "wiki/"),
    *("../home/wiki/rent.md", "{root}/namespaces/home/wiki", "wiki/rent.md", "wiki/shared.md"),
    *("memory.md", "memory.md:5", "daily", "sessions", "archive", "namespaces/home/archive"),
    *("wiki/tea.md", "/wiki/tea.md", "log.md", "index.md", "memwiki.toml", ".memwiki/state"),
    *("namespaces/work2", "namespaces/nobody", "../nobody/memory.md", "namespaces/work/none.md"),
    *("%2e%2e/work", "..%2fwork/memory.md", "namespaces%2fwork", "namespaces/work\u200b/memory.md"),
)
NAMES = (
    *("Merger", "merger", "Mergers", "Fusion", "Xanthippe", "Xantippe", "Shared", "Rent", "rents"),
    *("Garden", "Gardens", "gardenz", "Tea", "Water", "of work", "work", "home", "Work"),
    *("m-w00001", "m-w00002", "m-w00004", "m-w00006", "m-w0000", "^m-w00001", "m-h00001"),
    *("m-h00002", "m-000001", "merger/price", "merger/pric", "office/place", "tea", "secret-talk"),
    *("talk", "Memory", "memory", "2026-11-01", "Price", "unlikely", "Merger#Price", "Rent#Price"),
    *("Memory#^m-w00001", "Note", "scan.png", "Archive", "Xanthippe Corp", "office", "merger"),
)
TAGS = ("quarz", "#quarz", "town", "town/kiel", "money", "drink", "qua", "quartz")
TYPES = ("dossier", "note", "concept", "fact", "memory", "doss")
QUERIES = (
    *("merger", "zweihundert", "office", "rent", "garden", "Turku Kiel", "eihunder", "the"),
    *("tag:quarz", "type:dossier", "path:namespaces/work/*", "path:../work/*", "path:wiki/*"),
    *("path:namespaces/*", "path:/namespaces/work", 'path:"namespaces/work/wiki"', "-rent"),
    *("key:merger/price", "subject:merger", "links:merger", "in:work", "is:entry", "is:message"),
    *('"says Xanthippe"', "merger OR rent", "merger -tag:quarz", "linked:Merger", "id:m-w00001"),
    *("since:2026-01-01", "session:secret-talk", "Xanthippe Corp", "What does the merger cost?"),
    *("Who is Xanthippe?", "Where is the office?", "When is the rent due?", "heading:Price"),
)
DAYS = ("2026-11-01", "2w", "10y", "2026", "yesterday", "never")
TEXTS = (
    *("The office is in Turku.", "The office is in Kiel.", "Rent is due in June.", "Plain."),
    *("The merger costs zweihundert.", "See [[Merger]].", "Beans.", "- a thing", "# Title\n\nx"),
)
RELATIONS = ("because", "related", "supports", "links", "causes")
_BY_NAME: Mapping[str, tuple[Sequence[str], ...]] = {
    "path": (PATHS,),
    "query": (QUERIES, NAMES, PATHS),
    "question": (QUERIES, NAMES),
    "tag": (TAGS,),
    "tags": (TAGS,),
    "type": (TYPES,),
    "types": (TYPES,),
    "memory_types": (TYPES,),
    "memory_type": (TYPES,),
    "since": (DAYS,),
    "until": (DAYS,),
    "time_range": (("2026-01-01/2027-01-01", "2026-11-01"),),
    "at": (("HEAD", "2026-11-01", "0000000"),),
    "session": (("talk", "secret-talk"), PATHS),
    "lines": (("1-3", "5", "5-5", "2-9999", "x"),),
    "section": (("Price", "Facts", "Beds", "Nothing"),),
    "relation": (RELATIONS,),
    "relation_type": (RELATIONS,),
    "as": (RELATIONS,),
    "role": (("user", "assistant"),),
    "text": (TEXTS,),
    "content": (TEXTS,),
    "etag": (("", "0123456789abcdef"),),
}
Case = tuple[str, Callable[["Twin"], str]]


class Limits(NamedTuple):
    """What is asked: which profiles, whether of tools that write, too."""

    profiles: tuple[str, ...] = tuple(PROFILES)
    is_writing: bool = False


# --- arguments ---


def value(schema: Mapping[str, Any], name: str, dice: random.Random) -> Any:
    """A value that fits a property of a schema, likely one that leads to something."""
    kind = schema["type"]
    if "enum" in schema:
        return dice.choice(schema["enum"])
    if kind == "boolean":
        return dice.random() < 0.5
    if kind in ("integer", "number"):
        return _number(schema, dice)
    if kind == "array":
        least, most = schema.get("minItems", 0), min(schema.get("maxItems", 3), 3)
        return [value(schema["items"], name, dice) for _ in range(dice.randint(least, most))]
    if kind == "object":
        return arguments(schema, dice) if "properties" in schema else {"status": dice.choice(TEXTS)}
    pools = _BY_NAME.get(name, (NAMES, NAMES, PATHS))
    return dice.choice(dice.choice(pools))


def _number(schema: Mapping[str, Any], dice: random.Random) -> float | int:
    least, most = schema["minimum"], schema.get("maximum", 1000)
    if schema["type"] == "number":
        return round(dice.uniform(least, most), 2)
    # Where few are shown, which they are depends on their order, and so on scores.
    usual = schema.get("default", least)
    return usual if least <= 1 < most else dice.choice((usual, most))


def arguments(schema: Mapping[str, Any], dice: random.Random) -> dict[str, Any]:
    """Arguments that fit the schema of a tool: what is needed, and some of the rest."""
    needed = schema.get("required", ())
    chosen = [
        name for name in schema["properties"] if name in needed or dice.random() < 0.4
    ]
    return {name: value(schema["properties"][name], name, dice) for name in chosen}


def tool_calls(
    dice: random.Random, limits: Limits = Limits()
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Calls of tools without end: profile, name, arguments."""
    tools = [
        (profile, tool)
        for profile in limits.profiles
        for tool in PROFILES[profile]
        if limits.is_writing or tool.hints.is_read_only
    ]
    while True:
        profile, tool = dice.choice(tools)
        yield profile, tool.name, arguments(tool.schema, dice)


# Reading commands of the command line; words in capitals are drawn.
COMMANDS = (
    *("get NAME", "get NAME --section Price", "outline NAME", "list", "list --path PATH"),
    *("list --tag TAG", "list --type TYPE", "list --sort links", "list --orphans", "browse"),
    *("browse PATH", "browse PATH --what memories", "browse --what tags", "browse --tag TAG"),
    *("browse PATH --what recent", "browse --type TYPE", "links NAME", "links NAME --unlinked"),
    *("links --unresolved", "links NAME --unresolved", "links NAME --out", "links NAME --in"),
    *("tags", "tags TAG", "graph NAME", "graph NAME --depth 3", "graph NAME --to NAME", "graph"),
    *("search QUERY", "search QUERY --limit 50", "recall QUERY --limit 50", "context"),
    *("recall QUERY --mode deep --limit 50", "check", "check PATH", "check --only links"),
    *("entry get NAME", "entry get PATH", "entry list", "entry list --tag TAG", "usage"),
    *("entry similar NAME", "entry list --path PATH", "entity list", "entity list NAME"),
    *("entity candidates", "session list", "session show NAME", "session show PATH"),
    *("archive list", "tag suggest NAME", "consolidate --dry-run", "upkeep --dry-run"),
    *("retain --dry-run", "history NAME", "show NAME --at HEAD", "export - --path PATH"),
    *("move NAME wiki/other.md --dry-run", "move wiki/rent.md PATH --dry-run", "log show"),
    *("delete NAME --dry-run", "new PATH --dry-run", "append NAME x --dry-run", "outline PATH"),
    *("tag add NAME x --dry-run", "set NAME a=b --dry-run", "link wiki/rent.md NAME --dry-run"),
    *("status PATH", "status", "entry history NAME", "entry delete NAME --dry-run", "get PATH"),
    *("entry move m-h00001 PATH --dry-run", "add TEXT --page PATH --dry-run", "links PATH"),
    *("replace NAME --section Beds x --dry-run", "entity merge NAME NAME --dry-run", "graph PATH"),
    *("tag rename TAG other --dry-run", "tag merge TAG TAG --dry-run", "add TEXT --dry-run"),
    *("sync PATH", "entry relate NAME because NAME --dry-run", "session add NAME user x --dry-run"),
)
POOLS = {
    "NAME": (*NAMES, *PATHS),
    "PATH": PATHS,
    "TAG": TAGS,
    "TYPE": TYPES,
    "QUERY": (*QUERIES, *NAMES),
    "TEXT": TEXTS,
}


def command_calls(
    dice: random.Random, commands: Sequence[str] = COMMANDS
) -> Iterator[list[str]]:
    """Commands without end, as words."""
    while True:
        words = dice.choice(commands).split(" ")
        yield [dice.choice(POOLS[word]) if word in POOLS else word for word in words]


# --- twins ---


class Twin:
    """One of two vaults, opened as who asks has it."""

    def __init__(self, root: Path, namespace: str = "home") -> None:
        self.root, self.namespace = root, namespace
        self.workspace = Workspace.open(root, namespace=namespace).by("agent/1 via test")
        self.service = OwnService(
            DoorFlags(profile="full"), self.workspace.config, is_structured=True, tell=_pass
        )

    def close(self) -> None:
        """Close what is open."""
        self.workspace.close()

    def tool(self, profile: str, name: str, given: Mapping[str, Any]) -> str:
        """What a tool answers, in words and as JSON."""
        settings = door_settings(self.workspace.config, DoorFlags(profile=profile))
        here = self._here(given)
        found = call(
            self.workspace, name, here, settings=settings, limiter=Limiter(), is_structured=True
        )
        return self.masked(_in_order(f"{found.text}\n{_plain(found.structured)}"))

    def command(self, words: Sequence[str]) -> str:
        """What a command prints, on both streams, and its exit code."""
        out, err = io.StringIO(), io.StringIO()
        start = ["-C", str(self.root), "-n", self.namespace, "--json"]
        with redirect_stdout(out), redirect_stderr(err):
            code = command_line([*start, *self._here(list(words))])
        return self.masked(_in_order(f"{_sorted_json(out.getvalue())}\n{err.getvalue()}\n[{code}]"))

    def completed(self, words: Sequence[str]) -> str:
        """What a shell is offered."""
        out = io.StringIO()
        start = ["--complete", "words", "-C", str(self.root), "-n", self.namespace]
        with redirect_stdout(out):
            command_line([*start, *self._here(list(words))])
        return self.masked(out.getvalue())

    def resource(self, path: str) -> str:
        """A resource of the server, or a prompt."""
        if path.startswith("prompt:"):
            return self.masked(
                _in_order(str(self.service.prompt(self.workspace, "answer", {"question": path[7:]})))
            )
        return self.masked(_in_order(str(self.service.read(self.workspace, self._here(path)))))

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
        text = text.replace(str(self.root), "<root>").replace(str(self.root.parent), "<parent>")
        return _without_clocks(text)


def _pass(_text: str) -> None:
    """Nobody reads the log."""


def _plain(found: Any) -> str:
    return json.dumps(_ordered(found), sort_keys=True, ensure_ascii=False)


_UNCOMPARED = ("ms", "cached", "score", "scores", "explain", "seconds", "reasons", "rank", "index", "watcher")
_BY_SCORE = ("hits", "nodes", "near", "pairs", "words")


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
    """Lines in one order, without numbers that come first or are scores."""
    lines = (re.sub(r"\b0\.\d+\b|\b1\.0\b", "#", line) for line in text.split("\n"))
    return "\n".join(sorted(lines))


_CLOCKS = (
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?"), "<time>"),
    (re.compile(r'"(?:generation|bytes|age|pid)": \d+'), "<number>"),
    (re.compile(r"\bm-(?![wh0]0000)[0-9a-z]{6}\b"), "<new id>"),
)


def _without_clocks(text: str) -> str:
    for pattern, instead in _CLOCKS:
        text = pattern.sub(instead, text)
    return text


def make_twins(base: Path) -> tuple[Path, Path]:
    """A vault with two namespaces, and the same without one of them."""
    roots = base / "A" / "ws", base / "B" / "ws"
    for path, text in _files():
        place = roots[0] / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        os.utime(place, ns=(10**18, 1_790_000_000 * 10**9))
    shutil.copytree(roots[0], roots[1])
    shutil.rmtree(roots[1] / "namespaces" / "work")
    (roots[1] / "log.md").write_text(LOG)
    for root in roots:
        (root / ".memwiki").mkdir()
        os.utime(root / "log.md", ns=(10**18, 1_790_000_000 * 10**9))
    return roots


def _files() -> Iterator[tuple[str, str]]:
    yield from OUTSIDE.items()
    yield from ((f"namespaces/home/{path}", text) for path, text in OWN.items())
    yield from ((f"namespaces/work/{path}", text) for path, text in HIDDEN.items())
    yield "log.md", LOG + HIDDEN_LOG


# --- the run ---


def cases(dice: random.Random, limits: Limits = Limits()) -> Iterator[Case]:
    """What is asked, at every door in turn, without end."""
    tools, commands = tool_calls(dice, limits), command_calls(dice)
    while True:
        profile, name, given = next(tools)
        yield f"{profile} {name} {given}", lambda t, a=(profile, name, given): t.tool(*a)
        profile, name, given = next(tools)
        yield f"{profile} {name} {given}", lambda t, a=(profile, name, given): t.tool(*a)
        words = next(commands)
        yield f"$ {words}", lambda t, a=words: t.command(a)
        yield next(_rest(dice))


def _rest(dice: random.Random) -> Iterator[Case]:
    """Doors with few arguments: resources, prompts, completion, the memory tool."""
    while True:
        path, name = dice.choice(PATHS), dice.choice((*NAMES, *PATHS))
        uri = dice.choice((f"memory://page/{path}", "memory://index", "memory://core", f"prompt:{name}"))
        words = [dice.choice(("get", "links", "tags", "graph", "open")), name[: dice.randint(0, 20)]]
        folder = dice.choice((".", "wiki", path))
        view = {"command": "view", "path": f"/memories/{path}" if dice.random() < 0.8 else path}
        yield dice.choice(
            (
                (uri, lambda t, a=uri: t.resource(a)),
                (f"<tab> {words}", lambda t, a=words: t.completed(a)),
                (f"{folder}: {view}", lambda t, a=(folder, view): t.folder(*a)),
            )
        )


def why_wrong(case: Case, twins: Sequence[Twin]) -> str:
    """What two twins answer differently, or what an answer tells; "" when nothing."""
    one, other = (case[1](twin) for twin in twins)
    if one != other:
        changed = [f"- {line}" for line in one.split("\n") if line not in other.split("\n")]
        changed += [f"+ {line}" for line in other.split("\n") if line not in one.split("\n")]
        return "differs:\n" + "\n".join(line[:1500] for line in changed)
    said = TELLING.findall(one)
    asked = {word.lower() for word in TELLING.findall(case[0])}
    told = [word for word in said if word.lower() not in asked]
    return f"tells {told}" if told else ""


def run(base: Path, calls: int, dice: random.Random, limits: Limits = Limits()) -> list[str]:
    """Ask so often; what went wrong."""
    twins = [Twin(root) for root in make_twins(base)]
    wrong = []
    try:
        for _, case in zip(range(calls), cases(dice, limits)):
            if found := why_wrong(case, twins):
                wrong.append(f"{case[0]}\n{found}")
    finally:
        for twin in twins:
            twin.close()
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="memwiki-attack-") as base:
        os.environ["MEMWIKI_CACHE_DIR"] = f"{base}/cache"
        os.environ["MEMWIKI_CONFIG_DIR"] = f"{base}/config"
        wrong = run(Path(base), given.calls, random.Random(given.seed))
    for each in wrong:
        print(each, end="\n\n")
    print(f"{given.calls} calls, {len(wrong)} failures, {time.monotonic() - started:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
