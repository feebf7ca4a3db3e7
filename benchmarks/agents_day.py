"""An agent's working day through the tools, on copies of real vaults.

For each VAULT a copy is made and adopted. An agent asks, reads, remembers, contradicts itself,
writes, meets a person's edit, moves a page, takes it back and checks. Exits 1 when a step does not
answer as it must, an answer is longer than its budget, a person's byte is lost, or something else
than what was asked for changed. With --transcript the day over pages of its own is printed as
docs/agents-day.md.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import measure

sys.path.insert(0, str(measure.PROJECT))

from memwiki.text import tokens
from memwiki.tools import DoorFlags, call, door_settings
from memwiki.workspace import Workspace

MAX_TOKENS = 1_500
PERSONS = "A line that a person wrote meanwhile."
AGENTS = "Reviewed by the agent."
PAGES = {
    "memwiki.toml": '[layers]\nwiki = "wiki"\nmemory = "memory.md"\nlog = "log.md"\n',
    "memory.md": "# Memory\n\n- Anna runs the database team. ^m-anna01\n",
    "wiki/redis.md": "---\ntype: concept\n---\n# Redis\n\nWe dropped Redis for its memory cost.\n\n"
    "## Since\n\nMay 2024, see [[postgres]].\n",
    "wiki/postgres.md": "# Postgres\n\nReplaced [[redis]] and [the old cache](redis.md#since).\n",
}
_HEAD = """\
# A day of an agent

<!-- Made by: python benchmarks/agents_day.py --transcript -->

What an agent calls, and what it is answered, over four small files. `python
benchmarks/agents_day.py VAULT...` runs the same day over copies of real vaults. Ids, dates and
etags are not those of the run.
"""
_NOT_SHOWN = (
    "Read the page",
    "Remember something",
    "Again, on what is there now",
    "Add to it",
    "What would a move change?",
    "Move it",
    "Take that back",
)


class Step(NamedTuple):
    """One thing that happens: a call and its answer, or what a person does."""

    title: str
    tool: str = ""  # "" where a person acts
    arguments: Mapping[str, Any] = MappingProxyType({})
    answer: str = ""
    seconds: float = 0.0
    wrong: str = ""  # why this is not what must happen


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vaults", nargs="*", metavar="VAULT")
    parser.add_argument("--transcript", action="store_true")
    arguments = parser.parse_args()
    if arguments.transcript:
        with tempfile.TemporaryDirectory() as scratch:
            print(transcript(small_day(Path(scratch))), end="")
    return max([_vault(Path(vault)) for vault in arguments.vaults], default=0)


def _vault(vault: Path) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "vault"
        shutil.copytree(vault, root, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        Workspace.adopt(root).close()
        environ = {"MEMWIKI_CACHE_DIR": str(Path(scratch) / "cache")}
        with Workspace.open(root, find=False, environ=environ) as ws:
            steps = list(day(ws, well_linked(ws)))
    print(f"{vault.name}: {len(steps)} steps")
    for step in steps:
        print(f"  {step.tool:8} {step.seconds * 1000:7.0f} ms  {step.title}")
        if step.wrong:
            print(f"  WRONG: {step.wrong}\n{step.answer}")
    return int(any(step.wrong for step in steps))


def small_day(scratch: Path) -> list[Step]:
    """The day over a few pages of our own."""
    root = scratch / "notes"
    for path, text in PAGES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    environ = {"MEMWIKI_CACHE_DIR": str(scratch / "cache")}
    with Workspace.open(root, find=False, environ=environ) as ws:
        return list(day(ws, "wiki/redis.md"))


def transcript(steps: list[Step]) -> str:
    """The day as a page, without steps that show nothing more."""
    return told(_HEAD, [step for step in steps if step.title not in _NOT_SHOWN])


def told(head: str, steps: list[Step]) -> str:
    """Steps as a page; what differs from run to run has the same words each time."""
    parts = [head]
    for step in steps:
        parts.append(f"\n## {step.title}\n")
        if step.tool:
            given = json.dumps(step.arguments, ensure_ascii=False)
            parts.append(f"```text\n{step.tool} {given}\n{step.answer}\n```\n")
    return _same("".join(parts))


def _same(text: str) -> str:
    text = re.sub(r"\b20\d\d-\d\d-\d\d(T[\d:]+Z?)?", "2026-11-22", text)
    for pattern, name in ((r"\bm-[0-9a-z]{6,}", "m-00000{}"), (r"\b[0-9a-f]{16}\b", "{:016x}")):
        for number, found in enumerate(dict.fromkeys(re.findall(pattern, text)), 1):
            text = text.replace(found, name.format(number))
    return text


def well_linked(ws: Workspace) -> str:
    """The page that most others link to, of those that an agent may move."""
    for row in ws.pages.list(sort="links").pages:
        name = row.path.rpartition("/")[2].lower()
        if name not in ("readme.md", "index.md") and _headings(ws.root / row.path):
            return row.path
    raise SystemExit("no page with a heading")


def _headings(file: Path) -> list[str]:
    text = file.read_text("utf-8", "replace")
    return [each.strip() for each in re.findall(r"^## (.+)$", text, re.MULTILINE)]


def day(ws: Workspace, page: str) -> Iterator[Step]:
    """What happens, one after the other; `page` is an existing page with a section."""
    agent, file, start = ws.by("claude"), ws.root / page, files_of(ws.root)
    # A section of our own: those of real pages may have the same name twice.
    file.write_bytes(file.read_bytes() + b"\n\n## Today\n\nNothing yet.\n")
    begun = files_of(ws.root)
    ask = Asked(agent)
    yield ask("What is known?", "recall", question=f"what is {Path(page).stem}?")
    yield (read := ask("Read the page", "read", name=page, section="Today"))
    etag = _etag(read.answer)
    said = {"text": "The standup is on Monday.", "type": "fact", "subject": "standup"}
    yield (added := ask("Remember something", "add", memories=[said]))
    other = {**said, "text": "The standup is on Tuesday."}
    yield ask("Something that contradicts it", "add", memories=[other], must="conflict|near")
    id_ = re.findall(r"m-[0-9a-z]{6,}", added.answer)[0]
    new = "The standup is on Wednesday."
    yield ask("Put it right", "update", id=id_, text=new, supersede=True, must="struck out")
    yield from _writing(ask, file, page, etag)
    yield from _moving(ask, ws, page)
    yield ask("What is wrong now?", "status", what="check")
    yield _left(ws, page, begun, start)


def _writing(ask: Asked, file: Path, page: str, etag: str) -> Iterator[Step]:
    file.write_bytes(file.read_bytes().replace(b"Nothing yet.", PERSONS.encode()))
    yield Step(f"A person writes into the section: {PERSONS}")
    change = {"action": "replace_section", "name": page, "section": "Today", "text": AGENTS}
    late = ask("Replace what was read", "write", **change, etag=etag, must="^error conflict: ")
    yield late._replace(wrong=late.wrong or ("" if PERSONS in late.answer else "not shown"))
    both = f"{PERSONS}\n\n{AGENTS}"
    yield ask("Again, on what is there now", "write", **{**change, "text": both},
              etag=_etag(late.answer), must=AGENTS)  # fmt: skip
    yield ask("Add to it", "write", action="append", name=page, section="Today",
              text="And one more line.", must="And one more line")  # fmt: skip


def _moving(ask: Asked, ws: Workspace, page: str) -> Iterator[Step]:
    before = files_of(ws.root)
    to = f"moved-by-an-agent/{Path(page).name}"
    yield ask("What would a move change?", "move", name=page, to=to, dry_run=True)
    moved = ask("Move it", "move", name=page, to=to, must=re.escape(to))
    is_moved = (ws.root / to).exists() and not (ws.root / page).exists()
    yield moved._replace(wrong=moved.wrong or ("" if is_moved else "not moved"))
    back = ask("Take that back", "undo")
    other = changed(before, files_of(ws.root))
    yield back._replace(wrong=back.wrong or (f"not as before: {other}" if other else ""))
    ws.pages.tag_add(page, ["kept"])
    yield Step("A person tags the page")
    yield ask("Take back what somebody else did", "undo", must="^error not_yours: ")


def _left(ws: Workspace, page: str, begun: dict[str, bytes], start: dict[str, bytes]) -> Step:
    """The day's end: nothing but the page, the memory and the journal is another."""
    other = [path for path in changed(begun, files_of(ws.root)) if path in start and path != page]
    own = {ws.config.layers.memory or "memory.md", ws.config.layers.log}
    other = [path for path in other if path not in own]
    kept = PERSONS in (ws.root / page).read_text("utf-8")
    wrong = f"changed, too: {other}" if other else ("" if kept else "a person's line is gone")
    return Step("The end: what was asked for changed, and nothing else", wrong=wrong)


class Asked:
    """Calls tools for one agent, and looks at what they answer."""

    def __init__(self, ws: Workspace) -> None:
        self.ws = ws
        self.settings = door_settings(ws.config, DoorFlags(max_tokens=MAX_TOKENS))

    def __call__(self, title: str, tool: str, /, must: str = "^memwiki: ", **given: Any) -> Step:
        start = time.perf_counter()
        said = call(self.ws, tool, given, settings=self.settings).text
        took, wrong = time.perf_counter() - start, ""
        if not re.search(must, said, re.MULTILINE):
            wrong = f"{tool} does not answer {must!r}"
        if tokens(said) > MAX_TOKENS:
            wrong = f"{tool} answers {tokens(said)} tokens"
        return Step(title, tool, given, said, took, wrong)


def _etag(answer: str) -> str:
    found = re.search(r"^etag ([0-9a-f]{16})$", answer, re.MULTILINE)
    return found[1] if found else ""


def changed(before: dict[str, bytes], now: dict[str, bytes]) -> list[str]:
    """The paths at which something else is, but for the journal."""
    return sorted(
        path
        for path in before.keys() | now.keys()
        if before.get(path) != now.get(path) and path.partition("/")[0] not in ("log.md", "log")
    )


def files_of(root: Path) -> dict[str, bytes]:
    """Every file but what memwiki keeps for itself."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".memwiki" not in path.parts
    }


if __name__ == "__main__":
    sys.exit(main())
