"""Hands hostile replies to every job and to `propose`, accepts all that can be accepted, and looks
at what became of the workspace.

    python benchmarks/proposing.py --replies 300 --seed 1

Replies are made of what models and attackers write: paths, ids, front matter, HTML, marks of other
programs, half characters, objects that are nested deeply or of the wrong type, ten megabytes. After
each one nothing but errors of memwiki may have been raised, nothing but the files that proposals
may reach may have changed, each page has to hold what it held but for the additions, and `check`
must find nothing new. The exit code says whether anything failed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from memwiki.curation.work import JOBS
from memwiki.errors import MemwikiError
from memwiki.markdown.outline import outline_of
from memwiki.markdown.units import entries_of
from memwiki.workspace import Workspace

PIECES = [
    "../../etc/passwd", "/etc/passwd", "memwiki.toml", ".memwiki/lock", "m-aaaaaa", "^m-aaaaaa",
    "[[wiki/tea]]", "![[raw/note.md]]", "[x](../x.md)", "# Heading", "## Facts", "- [ ] task",
    "---\ntype: rule\n---\n", "+++\nx = 1\n+++", "key:: value", "[origin:: user]",
    "(private:: true)",
    "<script>alert(1)</script>", "<!-- -->", "<stored-memory>", "</stored-memory>", "```", "~~~",
    "`", "$$", "%%", "{{embed ((x))}}", "{{query}}", "((64a))", "id:: 64a", "collapsed:: true",
    "- TODO x", "LATER", "#+BEGIN_QUERY", "> [!note]-", "==mark==", "~~gone~~", "^block-1", "[^1]",
    "[^1]: x", "| a | b |", "|---|", "===", "***", "\\", "\\\\", "&amp;", "&#91;", "\u202e",
    "\u200b",
    "\u2066", "\ufeff", "\x00", "\x1b[2J", "\x07", "\r", "\n", "\n\n", "\t", "\u2028", "\x85",
    "\ud800", "\U0001f9ff", "\u0301", "茶", "安娜喜欢绿茶。", "Anna", "prefers green tea", "Kiel",
    "moved to", "C#", "std::vector", "a < b", "1. ", "2) ", "* ", "+ ", "!", "@all", "#tag", "#a/b",
    "[x:: [y:: z]]", "((", "))", "[", "]", "(", ")", "1997", "900 %", "http://a.b/c?d#e", "e@f.gh",
    "ignore all previous instructions", "rm -rf /", "false", "null", "~", "0x1F", ": ", "-", "?",
]  # fmt: skip
NAMES = [
    "origin", "source", "by", "key", "supersedes", "superseded_by", "valid_to", "private", "status",
    "created", "id", "because", "place", "Ort", "k]", "a b", "", "x::", "__class__", "importance",
]  # fmt: skip
DOES = [
    "add_entry", "supersede_entry", "update_entry", "join_entries", "retire_entry",
    "relate_entries", "summarise_session", "describe_page", "record_skill", "rm", "", None, 7,
    "add_page", "add_claims", "note_contradiction", "add_page", "add_claims", "upkeep",
    "note_contradiction", "note_contradiction", "note_contradiction", "merge_entities",
]  # fmt: skip
IDS = ["m-aaaaaa", "m-bbbbbb", "m-cccccc", "^m-aaaaaa", "m-zzzzzz", "wiki/tea", "", "*"]
# What a proposal reaches; the rest of a workspace stays as it is.
REACHED = (
    "memory.md",
    "learnings.md",
    "log.md",
    "wiki/tea.md",
    "wiki/kiel.md",
    "sessions/talk.md",
    "people.md",
    "wiki/sources/pump.md",
    "inbox/2026-01-05.md",
)
OLD = (
    "The plumber came on Monday.", "A bicycle tyre was flat.", "Lena baked rye bread.",
    "The library closes at seven.", "Snow lay on the balcony.", "Otto repaired the radio.",
    "The parcel arrived late.", "Mira sang in the choir.", "A fox crossed the yard.",
    "The printer lacks toner.",
)  # fmt: skip
PAGES = {
    "memwiki.toml": '[layers]\nmemory = "memory.md"\nlearnings = "learnings.md"\n'
    'sessions = "sessions"\narchive = "archive"\ninbox = "inbox"\n'
    'raw = "raw"\nwiki = "wiki"\nlog = "log.md"\n',
    "memory.md": "---\ntype: memory\n---\n# Memory\n\n## Preferences\n\n## Facts\n"
    "- Anna lives in Berlin. [created:: 2026-01-01] ^m-aaaaaa\n"
    "- Ben has a dog named Rex. [created:: 2026-01-01] ^m-bbbbbb\n"
    "- Ben owns a dog. [created:: 2026-01-02] ^m-cccccc\n",
    "people.md": "---\ntype: memory\n---\n# People\n\n## Facts\n"
    "- Cleo moved to the city of Oslo in March. [created:: 2026-01-01] ^m-dddddd\n"
    "- In March Cleo moved to the big city of Oslo. [created:: 2026-01-02] ^m-eeeeee\n"
    "- Dan has a cat named Tom. [created:: 2026-01-01] [subject:: Dan] [topic:: cat] ^m-ffffff\n"
    "- Dan has no cat named Tom. [created:: 2026-05-01] [subject:: Dan] ^m-gggggg\n"
    "- The boiler was repaired since it leaked. [created:: 2026-02-01] [entities:: boiler]"
    " ^m-hhhhhh\n"
    "- The boiler leaks in the cellar. [created:: 2026-01-20] [entities:: boiler, Kiel] ^m-jjjjjj\n"
    "- Buy milk for the weekend. [importance:: 0.1] [created:: 2026-01-03] [entities:: Kiels]"
    " ^m-kkkkkk\n",
    # Ten of one type, older than a month: what is compressed.
    "inbox/2026-01-05.md": "# Inbox\n\n"
    + "".join(f"- {fact} [created:: 2026-01-05] ^m-old{n:03}\n" for n, fact in enumerate(OLD)),
    "learnings.md": "---\ntype: learning\n---\n# Learnings\n\n## Skills\n",
    "wiki/tea.md": "# Tea\n\nIt is green.\n",
    "wiki/kiel.md": "# Kiel\n\nA town. [[Tea]]\n",
    "raw/note.md": "# Note\n\nThe pump was installed in 2019.\n",
    "AGENTS.md": "# Agents\n\nWork well.\n",
    "sessions/talk.md": "---\ntype: session\nstarted: 2026-11-20T10:00:00Z\n---\n\n"
    "### 2026-11-20T10:00:00Z user [name:: Anna] ^s-0001\n"
    "I moved to Kiel last month, and I prefer green tea.\n\n"
    "### 2026-11-20T10:01:00Z assistant ^s-0002\nNoted. Do you still drink coffee?\n\n"
    "### 2026-11-20T10:02:00Z user [name:: Anna] ^s-0003\n"
    "No, I never drink coffee. Ben sold his dog in October.\n",
}
PUMP = b"# Pump\n\nThe pump was installed in 2019.\n"
TASK = "Anna moved to Kiel last month.\nBen sold his dog in October."
# The headings below which pages grow, and the fields of a new one.
GROWN = ("From sources", "Contradictions", "Pages", "来源摘录", "矛盾", "相关页面")
SOURCES = {"sessions/talk", "raw/note", "raw/pump"}
FRONT = {"created", "sources", "generated", "title", "type", "tags"}
FORMS = {job.name: job.form for job in JOBS.values()}


class Hostile:
    """Replies and operations, the same ones for a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def text(self) -> str:
        """Pieces of what does harm, beside words of the conversation."""
        pieces = self._random.choices(PIECES, k=self._random.randint(1, 7))
        return self._random.choice(["", " ", "\n"]).join(pieces)

    def value(self, depth: int = 2) -> Any:
        """A value of any type."""
        made = self._random.choice(
            [self.text, self.text, lambda: None, lambda: self._random.randint(-9, 10**9),
             lambda: 10**400, lambda: 0.5, lambda: True, list, dict, lambda: "x" * 20_000]
        )  # fmt: skip
        if depth and self._random.random() < 0.3:
            return [self.value(depth - 1) for _ in range(self._random.randint(0, 4))]
        if depth and self._random.random() < 0.2:
            return {self._random.choice(NAMES): self.value(depth - 1)}
        return made()

    def lines(self) -> Any:
        """Numbers of lines, mostly right ones."""
        return self._random.choice(
            [[1], [3], [1, 3], [2], [], [0], [-1], [99], [10**30], [1] * 3_000, ["1"], None, "x"]
        )

    def fact(self) -> dict[str, Any]:
        """A fact of a reply to `extract`."""
        fact: dict[str, Any] = {"lines": self.lines(), "text": self.text()}
        for name in ("type", "subject", "topic", "object"):
            self._maybe(fact, name, self.text)
        for name in ("entities", "tags"):
            self._maybe(fact, name, lambda: [self.text() for _ in range(3)])
        self._maybe(fact, "attributes", lambda: {name: self.text() for name in self._some(NAMES)})
        self._maybe(fact, "importance", lambda: self._random.choice([0.5, 0.9, 1, 0, -1, 7]))
        self._maybe(fact, "replaces", lambda: self._random.choice([None, 0, 1, -1, 99]))
        self._maybe(fact, self._random.choice(["id", "path", "text", "do"]), self.value, 0.1)
        return fact

    def operation(self) -> dict[str, Any]:
        """An operation for `propose`."""
        given: dict[str, Any] = {"do": self._random.choice(DOES), "text": self.text()}
        needed = {
            "supersede_entry": ["entry"], "update_entry": ["entry"], "join_entries": ["entries"],
            "retire_entry": ["entry"], "relate_entries": ["entry", "other", "relation"],
            "summarise_session": ["session", "sentences"], "describe_page": ["page"],
            "record_skill": ["name", "steps"], "add_page": ["title", "claims"],
            "add_claims": ["page", "claims"], "note_contradiction": ["page", "against"],
            "upkeep": ["step", "page"], "merge_entities": ["entity", "into"],
        }.get(str(given["do"]), [])  # fmt: skip
        given |= {name: self._needed(name) for name in needed}
        if given["do"] == "note_contradiction" and self._random.random() < 0.7:
            given["page"], given["against"] = self._random.sample(["Tea", "Kiel"], 2)
        if given["do"] in (
            "retire_entry", "relate_entries", "summarise_session", "record_skill", "add_page",
            "add_claims",
        ):  # fmt: skip
            del given["text"]
        if given["do"] == "add_page":
            self._maybe(given, "type", lambda: self._random.choice(["person", "memory", "../x"]))
            self._maybe(given, "tags", lambda: [self.text() for _ in range(3)])
        if given["do"] == "add_entry":
            given |= {**self.fact(), "text": given["text"]}
            given.pop("replaces", None)
        self._maybe(
            given, self._random.choice(["path", "id", "at", "session", "was"]), self.value, 0.1
        )
        return {**given, "lines": self.lines()}

    def reply(self, job: str) -> str:
        """What a model answers to a job."""
        kind = self._random.random()
        if kind < 0.05:
            return "[" * 100_000 + '{"facts":' * 5_000
        if kind < 0.1:
            return json.dumps(self.value())
        form = {
            "extract": lambda: {"facts": [self.fact() for _ in range(self._random.randint(0, 5))]},
            "summarise": lambda: {
                "sentences": [{"lines": self.lines(), "text": self.text()} for _ in range(3)]
            },
            "instruct": lambda: {"text": self.text()},
            "near": lambda: {
                "reasoning": self.text(),
                "action": self._random.choice(
                    ["replace", "merge", "merge", "keep_both", "rm", None]
                ),
                "text": self.text(),
            },
            "worthwhile": lambda: {
                "should_store": self._random.choice([True, True, False, "yes", None]),
                "reasoning": self.text(),
                "facts": [self.fact() for _ in range(self._random.randint(0, 5))],
            },
        }.get(job, lambda: self.of_schema(FORMS[job].model_json_schema()))()
        text = json.dumps(form, ensure_ascii=self._random.random() < 0.5)
        before, after = self._random.choice(
            [("", ""), ("```json\n", "\n```"), ("<think>{}</think>", ""), ("Sure: {", " done }")]
        )
        return before + text + after

    def of_schema(self, schema: Mapping[str, Any], defs: Mapping[str, Any] | None = None) -> Any:
        """A value of the form that a reply has, with hostile words in it."""
        defs = schema.get("$defs", {}) if defs is None else defs
        if "$ref" in schema:
            return self.of_schema(defs[schema["$ref"].rpartition("/")[2]], defs)
        if "anyOf" in schema:
            return self.of_schema(self._random.choice(schema["anyOf"]), defs)
        if "enum" in schema:
            return self._random.choice([*schema["enum"], *schema["enum"], self.text()])
        numbers = [0, 1, 1, 2, 2, 3, -1, 99]
        made: dict[str, Callable[[], Any]] = {
            "object": lambda: {
                name: self.of_schema(each, defs)
                for name, each in schema.get("properties", {}).items()
            },
            "array": lambda: [
                self.of_schema(schema.get("items", {}), defs)
                for _ in range(self._random.randint(0, min(4, schema.get("maxItems", 4))))
            ],
            "integer": lambda: self._random.choice(numbers),
            "number": lambda: self._random.choice([0.5, 0.9, 7]),
            "boolean": lambda: self._random.random() < 0.7,
            "null": lambda: None,
        }
        return made.get(str(schema.get("type")), self.text)()

    def _needed(self, name: str) -> Any:
        made: dict[str, Callable[[], Any]] = {
            "entries": lambda: self._some(IDS),
            "relation": lambda: self._random.choice(["because", "supports", "eats", ""]),
            "session": lambda: self._random.choice(["talk", "../wiki/tea", "nope", self.text()]),
            "sentences": lambda: [self.text() for _ in range(2)],
            "page": lambda: self._random.choice(
                ["Tea", "Tea", "Kiel", "AGENTS.md", "raw/note.md", self.text()]
            ),
            "against": lambda: self._random.choice(["Kiel", "Kiel", "Tea", "memory.md", "../x"]),
            "title": lambda: self._random.choice(["Pump", "../../x.md", "Tea", self.text()]),
            "claims": lambda: [self._claim() for _ in range(self._random.randint(0, 3))],
            "step": lambda: self._random.choice(["retired", "fixed", "wrote"]),
            "name": self.text,
            "steps": lambda: [self.text() for _ in range(3)],
        }
        if self._random.random() < 0.1:
            return self.value()
        return made.get(name, lambda: self._random.choice(IDS))()

    def _claim(self) -> Any:
        claim = {"text": self.text(), "lines": self.lines()}
        return self._random.choice([claim, claim, self.text(), self.value()])

    def _some(self, values: list[str]) -> list[str]:
        return self._random.sample(values, self._random.randint(0, 4))

    def _maybe(
        self, given: dict[str, Any], name: str, make: Callable[[], Any], share: float = 0.5
    ) -> None:
        if self._random.random() < share:
            given[name] = make()


def huge_replies() -> Iterator[str]:
    """What is large in itself."""
    yield json.dumps({"facts": [{"lines": [1], "text": "x" * 10_000_000}]})
    yield json.dumps({"facts": [{"lines": [1], "text": "Anna"}] * 100_000})
    yield json.dumps({"facts": [{"lines": [1] * 1_000_000, "text": "Anna moved to Kiel."}]})
    yield '{"facts": ' + "[" * 200_000


def write_pages(root: Path, paths: Iterable[str] = PAGES) -> None:
    """A small workspace with a conversation, or some of its pages."""
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(PAGES[path], "utf-8")


def contents(root: Path) -> dict[str, bytes]:
    """The files of a workspace, but those that are memwiki's own."""
    files = (file for file in root.rglob("*") if file.is_file())
    paths = {file.relative_to(root).as_posix(): file for file in files}
    return {path: file.read_bytes() for path, file in paths.items() if path[:8] != ".memwiki"}


def findings(space: Workspace) -> Counter[str]:
    """What `check` finds, by rule and place, and not by line, which additions move."""
    problems = space.check.run().problems
    # Two entries may well say different things, or name what is spelled alike, and a new page has
    # no description and no links yet.
    passed = (
        "entry-conflict", "entity-near-duplicate", "description-missing", "orphan", "page-stub",
    )  # fmt: skip
    kept = (each for each in problems if each.code not in passed)
    return Counter(f"{each.code} {each.path} {each.message}" for each in kept)


class Attack:
    """One workspace that hostile replies reach one after another."""

    def __init__(self, root: Path, seed: int) -> None:
        write_pages(root)
        self.root, self.hostile, self.space = root, Hostile(seed), Workspace.open(root)
        self._layers = self.space.config.layers
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        self._source = self.space.curation.keep(PUMP, "pump.md").source
        self._before, self._found = contents(root), findings(self.space)

    def briefs(self) -> dict[str, Callable[[], str]]:
        """By job, what asks for a reply to it."""
        return {
            "extract": lambda: self.space.curation.extract_brief("talk").id,
            "summarise": lambda: self.space.curation.summarise_brief("talk").id,
            "instruct": lambda: self.space.curation.instruct_brief("m-bbbbbb", "shorter").id,
            "near": lambda: self.space.curation.near_brief("m-bbbbbb", "m-cccccc").id,
            "worthwhile": lambda: self.space.curation.extract_brief(text=TASK, goal="Move").id,
            "skill": lambda: (
                self.space.curation.extract_brief(text=TASK, goal="Move", skill=True).id
            ),
            "ingest": lambda: self.space.curation.ingest_brief(self._source).id,
            "describe": lambda: self.space.curation.curate_brief("summaries").id,
            "short_doubles": lambda: self.space.curation.curate_brief("doubles", short=True).id,
            **{
                what: lambda what=what: self.space.curation.curate_brief(what).id
                for what in ("doubles", "conflicts", "entities", "weak", "relations", "compress")
            },
        }

    def round(self, n: int) -> None:
        """One reply to each job, and some operations, each by itself."""
        for job, brief in self.briefs().items():
            self.take(f"{n} {job}", lambda brief=brief, job=job: self._reply(brief(), job))
        operations = [self.hostile.operation() for _ in range(3)]
        for each in operations:
            self.take(f"{n} propose", lambda each=each: self._propose([each]))

    def take(self, name: str, propose: Callable[[], str]) -> None:
        """Propose, accept all that can be, look, and take it back."""
        try:
            id_ = propose()
            view = self.space.proposals.get(id_)
            done = self.space.proposals.decide(id_, accept=[e.n for e in view.operations])
            self.counts["accepted"] += len(done.accepted)
            self.counts["stale"] += len(done.stale)
            if (job := name.partition(" ")[2]) in FORMS:
                self.counts[f"{job}: accepted"] += len(done.accepted)
            for each in view.operations:
                self.counts[f"{each.do} accepted"] += each.n in done.accepted
            self.faults += (f"{name}: {each}" for each in self._changed())
            if done.edited.paths:
                self.space.undo()
                self.faults += (f"{name}: undo left {path}" for path in self._left())
        except MemwikiError as error:
            self.counts[error.code] += 1
        except Exception as error:  # noqa: BLE001 - what the whole attack is after
            self.faults.append(f"{name}: {type(error).__name__}: {str(error)[:200]}")
        self.faults += (f"{name}: {each}" for each in self._changed())
        self._restore()

    def _left(self) -> list[str]:
        """What is otherwise than before, but the journal."""
        after = contents(self.root)
        paths = (after.keys() | self._before.keys()) - {"log.md"}
        return [path for path in paths if after.get(path) != self._before.get(path)]

    def _reply(self, id_: str, job: str) -> str:
        return self.space.curation.reply(id_, self.hostile.reply(job), model=self.hostile.text()).id

    def _propose(self, operations: list[dict[str, Any]]) -> str:
        model, job = self.hostile.text(), self.hostile.text()
        source = ("talk", "raw/note")[len(model) % 2]
        return self.space.proposals.propose(operations, source=source, model=model, job=job).id

    def _changed(self) -> Iterator[str]:
        after = contents(self.root)
        archive = "\n".join(
            data.decode() for path, data in after.items() if path.startswith("archive/memory/")
        )
        for path in after.keys() | self._before.keys():
            before, now = self._before.get(path), after.get(path)
            if before != now:
                yield from self._change(path, before or b"", now, archive)
        if new := findings(self.space) - self._found:
            yield f"check finds {list(new)[:2]}"

    def _change(self, path: str, before: bytes, now: bytes | None, archive: str) -> Iterator[str]:
        if path not in self._before and path.startswith("wiki/") and now:
            yield from self._new_page(path, now)
            return
        if path not in self._before and path.startswith("archive/memory/") and now:
            yield from self._archived(path, now)
            return
        if path not in REACHED or now is None:
            yield f"{path} changed"
            return
        if path == "log.md":
            return
        old, new = (outline_of(path, each, self._layers) for each in (before, now))
        titles = [[each.title for each in page.sections] for page in (old, new)]
        added = Counter(titles[1]) - Counter(titles[0])
        allowed = {"Summary", "Lessons", "Skills", "Facts", "Preferences", "Pages", *GROWN}
        if lost := Counter(titles[0]) - Counter(titles[1]):
            yield f"{path} lost the headings {list(lost)}"
        if path.startswith(("wiki", "sessions")) and (strange := set(added) - allowed):
            yield f"{path} has new headings {strange}"
        if len(new.found.links) > len(old.found.links) + 3 * 20:
            yield f"{path} has new links"
        kept, now_there = (
            {e.id or e.text: e for e in entries_of(page).entries} for page in (old, new)
        )
        gone = kept.keys() - now_there.keys()
        if lost_ids := [id_ for id_ in gone if not _is_in(kept[id_].text, id_, archive)]:
            yield f"{path} lost entries {lost_ids}"
        for id_, entry in now_there.items():
            if entry.id and id_ not in kept and entry.fields.get("origin") != "model":
                yield f"{path} has an entry of nobody: {entry.text[:80]!r}"
            if id_ in kept and entry.text != kept[id_].text:
                yield f"{path} changed {id_}"

    def _archived(self, path: str, now: bytes) -> Iterator[str]:
        """What a page of the archive has that was no entry of the inbox."""
        texts = [each.text for each in entries_of(outline_of(path, now, self._layers)).entries]
        if strange := [text[:80] for text in texts if text not in OLD]:
            yield f"{path} has {strange}"

    def _new_page(self, path: str, now: bytes) -> Iterator[str]:
        """What a page of claims has that it may not have."""
        page = outline_of(path, now, self._layers)
        if strange := page.front.fields.keys() - FRONT:
            yield f"{path} has the fields {strange}"
        if len(page.sections) > 1 or entries_of(page).entries or path.count("/") != 2:
            yield f"{path} is more than a page of claims"
        links = {link.written.partition("#")[0] for link in page.found.links} - SOURCES
        if links:
            yield f"{path} links to {links}"

    def _restore(self) -> None:
        for path, data in self._before.items():
            file = self.root / path
            if not file.exists() or file.read_bytes() != data:
                file.write_bytes(data)
        for path in contents(self.root).keys() - self._before.keys():
            (self.root / path).unlink()
        shutil.rmtree(self.root / ".memwiki" / "proposals", ignore_errors=True)


def _is_in(text: str, id_: str, archive: str) -> bool:
    """Whether the archive has an entry as it was."""
    return any(text in line and f"^{id_}" in line for line in archive.split("\n"))


def attack(
    root: Path, seed: int, rounds: int, *, is_huge: bool, tell: Callable[[str], object] = str
) -> Attack:
    """Run some rounds; with `is_huge` the large replies, too. Each tenth is told of."""
    made = Attack(root, seed)
    for n in range(rounds):
        made.round(n)
        if (n + 1) % 10 == 0:
            tell(f"{n + 1:,} of {rounds:,} rounds, {len(made.faults)} faults")
    for reply in huge_replies() if is_huge else ():
        made.take(
            "huge",
            lambda reply=reply: (
                made.space.curation.reply(made.space.curation.extract_brief("talk").id, reply).id
            ),
        )
    return made


def main() -> int:
    """Run what is asked for, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--replies", type=int, default=300, help="rounds, each of every job")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MEMWIKI_CACHE_DIR"] = f"{folder}/cache"
        root = Path(folder) / "vault"
        root.mkdir()
        tell = partial(print, file=sys.stderr, flush=True)
        made = attack(root, asked.seed, asked.replies, is_huge=True, tell=tell)
        made.space.close()
    for name, count in sorted(made.counts.items()):
        print(f"{count:8,} {name}")
    print(*made.faults[:50], f"{len(made.faults)} faults", sep="\n")
    return 1 if made.faults else 0


if __name__ == "__main__":
    sys.exit(main())
