"""Every verb that changes files, stopped at each of its writes, while somebody else saves a page
that was just written: each text that was in a file is in a file."""

from __future__ import annotations

import errno
import inspect
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from properties.houses import House, Verb

from memwiki.aio import facets as mirrors
from memwiki.aio.face import Face
from memwiki.answers.entries import Entity, Observed, Relation
from memwiki.change import making
from memwiki.change.plan import Edit
from memwiki.change.record import stack_of
from memwiki.errors import ConflictError, MemwikiError
from memwiki.nouns import Json
from memwiki.proposals.operations import BY_MEMWIKI, Do
from memwiki.sync.opened import OpenFolder
from memwiki.workspace import Workspace
from memwiki.workspace.facets import Facets
from tests.effort import each_in_turn

CHATS = '{"role": "user", "content": "Hello w80"}\n'

# Each operation that can be proposed, on entries, and on pages and sessions.
ON_ENTRIES: list[dict[str, Json]] = [
    {"do": "add_entry", "text": "Measure twice.", "type": "lesson"},
    {"do": "supersede_entry", "entry": "m-inb002", "text": "It snowed."},
    {"do": "update_entry", "entry": "m-ada222", "text": "Ada plays better."},
    {"do": "join_entries", "entries": ["m-abc123", "m-def456"], "text": "It is blue at night."},
    {"do": "retire_entry", "entry": "m-ghi789"},
    {"do": "relate_entries", "entry": "m-ada111", "other": "m-lea111", "relation": "supports"},
]
ON_PAGES: list[dict[str, Json]] = [
    {"do": "add_page", "title": "Rest", "claims": ["Sleep is rest."]},
    {"do": "add_claims", "page": "Sleep", "claims": ["Sleep is rest."], "tags": ["design"]},
    {"do": "note_contradiction", "page": "Sleep", "against": "Dream", "text": "Dreams are short."},
    {"do": "describe_page", "page": "Kiel", "text": "A city by the sea."},
    {"do": "summarise_session", "session": "talk", "sentences": ["Results came."]},
    {"do": "merge_entities", "entity": "Ada", "into": "Ada Lovelace"},
    {"do": "record_skill", "name": "Sleep well", "steps": ["Close the window", "Read"]},
]


def accepting(operations: list[dict[str, Json]]) -> Verb:
    """Propose some operations and accept all of them as one change."""

    def verb(ws: Workspace) -> None:
        given = [{**each, "lines": [1]} for each in operations]
        view = ws.proposals.propose(given, source="Sleep")
        done = ws.proposals.decide(view.id, accept=[each.n for each in view.operations])
        if done.stale:
            raise ConflictError(f"stale: {done.stale}", "propose it again")

    return verb


# One row a verb, by facet and method; what follows the method is another way to call it.
VERBS: dict[str, Verb] = {
    "pages.set": lambda ws: ws.pages.set("Sleep", {"status": "draft"}),
    "pages.new": lambda ws: ws.pages.new("Night", type="concept", tags=["rest"]),
    "pages.today": lambda ws: ws.pages.today("Slept well."),
    "pages.append": lambda ws: ws.pages.append("Sleep", "- two", section="Notes"),
    "pages.replace": lambda ws: ws.pages.replace("Dream", "Something else.", section="What"),
    "pages.edit": lambda ws: ws.pages.edit("Dream", "w40", "w40 w41"),
    "pages.tag_add": lambda ws: ws.pages.tag_add("Sleep", ["rest"]),
    "pages.tag_remove": lambda ws: ws.pages.tag_remove("Sleep", ["health"]),
    "pages.tag_rename": lambda ws: ws.pages.tag_rename("health", "well"),
    "pages.tag_merge": lambda ws: ws.pages.tag_merge("health", "design"),
    "pages.link": lambda ws: ws.pages.link("Sleep", "Dream", relation="contains"),
    "pages.unlink": lambda ws: ws.pages.unlink("Sleep", "Dream", relation="holds"),
    "pages.move": lambda ws: ws.pages.move("Sleep", "wiki/rest/night.md", keep_alias=True),
    "pages.move folder": lambda ws: ws.pages.move("wiki", "book"),
    "pages.delete": lambda ws: ws.pages.delete("Dream"),
    "pages.delete hard": lambda ws: ws.pages.delete("Dream", hard=True),
    "check.fix": lambda ws: ws.check.fix(ws.check.run()),
    "check.accept": lambda ws: ws.check.accept(ws.check.run(), "known.toml"),
    "catalog.update": lambda ws: ws.catalog.update(),
    "entries.add": lambda ws: ws.entries.add("Lives in Oslo.", tags=["home"]),
    "entries.add_all": lambda ws: ws.entries.add_all(
        [{"text": "Tea helps."}, {"text": "Read less.", "type": "lesson"}]
    ),
    "entries.remember": lambda ws: ws.entries.remember("The door is green.", "fact", "house"),
    "entries.record_skill": lambda ws: ws.entries.record_skill("Tie", "Tie the knot twice."),
    "entries.update": lambda ws: ws.entries.update("m-abc123", "The colour w10 is green."),
    "entries.set_tags": lambda ws: ws.entries.set_tags("m-abc123", ["hue"]),
    "entries.supersede": lambda ws: ws.entries.supersede("m-abc123", "The colour is red."),
    "proposals.decide": lambda ws: ws.proposals.decide(
        ws.proposals.propose(
            [
                {
                    "do": "supersede_entry",
                    "entry": "m-abc123",
                    "text": "The colour is red.",
                    "lines": [1],
                }
            ],
            source="Sleep",
        ).id,
        accept=[1],
    ),
    "proposals.decide archive": lambda ws: ws.proposals.decide(
        ws.proposals.propose(
            [
                {
                    "do": "join_entries",
                    "entries": ["m-abc123", "m-def456"],
                    "text": "The colour is blue at night.",
                    "archive": True,
                }
            ]
        ).id,
        accept=[1],
    ),
    "entries.delete": lambda ws: ws.entries.delete("m-abc123"),
    "entries.delete hard": lambda ws: ws.entries.delete("m-abc123", hard=True),
    "entries.move": lambda ws: ws.entries.move("m-abc123", "wiki/colours.md"),
    "entries.move day": lambda ws: ws.entries.move("m-abc123", "daily"),
    "entries.relate": lambda ws: ws.entries.relate("m-abc123", "m-def456", "because"),
    "entries.relate_by_description": lambda ws: ws.entries.relate_by_description(
        "The colour w10 is blue.", "The night w11 is dark.", "because"
    ),
    "entries.unrelate": lambda ws: ws.entries.unrelate("m-ghi789", "m-abc123"),
    "entries.merge_entities": lambda ws: ws.entries.merge_entities("Ada", "Ada Lovelace"),
    "upkeep.run": lambda ws: ws.upkeep.run(),
    "upkeep.consolidate": lambda ws: ws.upkeep.consolidate(),
    "upkeep.snapshot": lambda ws: ws.upkeep.snapshot(),
    "upkeep.retain": lambda ws: ws.upkeep.retain(),
    "upkeep.retain_if_due": lambda ws: ws.upkeep.retain_if_due(),
    "upkeep.overflow": lambda ws: ws.upkeep.overflow(),
    "upkeep.restore": lambda ws: ws.upkeep.restore("m-old111"),
    "upkeep.purge": lambda ws: ws.upkeep.purge("2026-01-31"),
    "session.add_message": lambda ws: ws.session("talk").add_message("user", "And now?"),
    "session.record": lambda ws: ws.session("talk").record(CHATS),
    "session.end": lambda ws: ws.session("talk").end("All said."),
    "session.compact": lambda ws: ws.session("talk").compact(),
    "session.purge": lambda ws: ws.session("talk").purge(),
    "session.purge hard": lambda ws: ws.session("talk").purge(hard=True),
    "sessions.start": lambda ws: ws.sessions.start(id="new"),
    "sessions.import_": lambda ws: ws.sessions.import_(CHATS),
    "namespaces.purge": lambda ws: ws.namespaces.purge("work"),
    "namespaces.purge hard": lambda ws: ws.namespaces.purge("work", hard=True),
    "carry.import_": lambda ws: ws.carry.import_(ws.root.parent / "elsewhere", replace=True),
    "carry.import_once": lambda ws: ws.carry.import_once(ws.root.parent / "elsewhere"),
    "folder.create": lambda ws: ws.folder("wiki").create("sky.md", "Blue.\n"),
    "folder.write": lambda ws: ws.folder("wiki").write("dream.md", "Another w40.\n"),
    "folder.insert": lambda ws: ws.folder("wiki").insert("dream.md", 0, "On top.\n"),
    "folder.delete": lambda ws: ws.folder("wiki").delete("dream.md"),
    "folder.rename": lambda ws: ws.folder("wiki").rename("dream.md", "night.md"),
    "knowledge.create_entities": lambda ws: ws.knowledge.create_entities(
        [Entity("Bremen", "city", ("By the river.",))]
    ),
    "knowledge.create_relations": lambda ws: ws.knowledge.create_relations(
        [Relation("Sleep", "Dream", "brings")]
    ),
    "knowledge.add_observations": lambda ws: ws.knowledge.add_observations(
        [Observed("Kiel", ("It is long.",))]
    ),
    "knowledge.delete_entities": lambda ws: ws.knowledge.delete_entities(["Kiel"]),
    "knowledge.delete_observations": lambda ws: ws.knowledge.delete_observations(
        [Observed("Kiel", ("By the w50 sea.",))]
    ),
    "knowledge.delete_relations": lambda ws: ws.knowledge.delete_relations(
        [Relation("Kiel", "Hamburg", "near")]
    ),
    "journal.add": lambda ws: ws.journal.add("ingest", "Paper", "created: [[Sleep]]"),
    "settings.set": lambda ws: ws.settings.set("recall.budget_tokens", "900"),
    "workspace.undo": lambda ws: ws.undo(),
    "curation.keep": lambda ws: ws.curation.keep(b"A dream of w40 nights.\n", "dream.md"),
    "proposals.decide entries": accepting(ON_ENTRIES),
    "proposals.decide pages": accepting(ON_PAGES),
}
if os.environ.get("HYPOTHESIS_PROFILE") == "wide":
    VERBS |= {
        f"proposals.decide {each['do']}": accepting([each]) for each in (*ON_ENTRIES, *ON_PAGES)
    }
READS = set(
    """
    agents.conversation agents.forget_turn agents.install agents.leave_turn agents.left_turns
    agents.note_silence
    agents.plugin agents.status agents.uninstall carry.export catalog.check check.run
    entries.core entries.entities entries.entity_candidates entries.entity_count_by_tag
    entries.find_tags entries.get entries.history entries.list entries.near_type entries.record
    entries.conflicts
    entries.similar
    entries.suggest_tags entries.trails entries.usage facets.folder facets.public
    facets.session
    folder.kind folder.list folder.path_here folder.read
    graph.around graph.links graph.path graph.ranked
    graph.tags graph.unlinked graph.unresolved index.caches index.doctor index.is_built
    index.is_writing index.metrics index.overview index.reindex index.status index.sweep_for
    index.trend index.why journal.list
    knowledge.open_nodes knowledge.read_graph knowledge.search_nodes
    namespaces.list namespaces.require_own
    pages.bytes pages.bytes_at pages.complete pages.digests pages.get
    pages.hides pages.history pages.list pages.outline pages.own_path pages.show
    pages.today_path session.get session.history session.window sessions.get sessions.list
    settings.list upkeep.archived upkeep.compressible upkeep.seconds_until_run upkeep.state
    curation.begin_run curation.curate_due curation.seconds_until_run
    curation.curate curation.curate_brief curation.curate_preview
    curation.extract curation.extract_brief curation.extract_preview curation.instruct
    curation.instruct_brief curation.instruct_preview curation.reply curation.summarise
    curation.summarise_brief curation.summarise_preview
    graph.like index.ask_watcher index.end_awaiting index.is_awaiting index.open_stores
    index.own_folder
    index.stop_watcher index.watch_log
    models.allow models.check models.embed models.forget models.run models.show models.spent
    proposals.edit proposals.get proposals.lines proposals.list proposals.propose proposals.reopen
    share.drop share.feed share.status
    workspace.bench workspace.bench_vault workspace.browse workspace.by workspace.close
    workspace.inject workspace.leave workspace.list_new workspace.note_recall workspace.one_sweep
    workspace.private_pages workspace.prompt workspace.public workspace.recall
    workspace.reload workspace.search workspace.suggest workspace.sync
    workspace.take_warnings workspace.watch workspace.ends_soon workspace.has_current_settings
    curation.ask_brief curation.ask_preview curation.ask_reply curation.plan_preview workspace.ask
    curation.ingest curation.ingest_brief curation.ingest_preview
    curation.bench curation.bench_preview curation.extract_waiting curation.near
    curation.near_brief curation.near_preview curation.retry curation.session_ended curation.verify
    curation.verify_brief curation.verify_preview
    curation.store_if_worthwhile
    folder.merged folder.why_read_only graph.backlinks graph.map pages.drawing
    upkeep.propose workspace.follow
    """.split()
)  # what writes no page: agents' programs and proposals have files of their own


def methods() -> Iterator[str]:
    """What a workspace and its facets can be asked."""
    facets = [each for name, each in vars(mirrors).items() if name.endswith("Facet")]
    plain = {each for each in facets if not issubclass(each, Face)}
    for kind in (*plain, Facets, Workspace, OpenFolder):
        facet = "workspace" if kind is OpenFolder else kind.__name__.removesuffix("Facet").lower()
        verbs = (each for each, what in vars(kind).items() if inspect.isfunction(what))
        yield from (f"{facet}.{each}" for each in verbs if each[0] != "_")


def test_no_verb_is_forgotten():
    assert {name.split()[0] for name in VERBS} | READS == set(methods())


HOUSE = """
--- memwiki.toml ---
[layers]
memory = "memory.md"
learnings = "learnings.md"
daily = "daily"
wiki = "wiki"
raw = "raw"
inbox = "inbox"
archive = "archive"
sessions = "sessions"
namespaces = "namespaces"
log = "log.md"
[memory]
max_entries_a_page = 4
[session]
strategy = "sliding_window"
max_messages = 2
keep_recent = 1
[catalog]
enabled = true
[retention.daily]
policy = "ttl"
ttl_days = 30
--- daily/2020-01-01.md ---
- Rain w01 all day.
- [ ] umbrella w02
--- daily/2020-01-02.md ---
- Sun w03 all day. ^m-sun333
--- archive/memory/2020-05.md ---
---
type: memory
---
- The sea w04 was warm. [from:: memory.md > Facts] ^m-old111
--- namespaces/work/memory.md ---
- The office w05 is in Kiel.
--- inbox/2026-03-01.md ---
- The customer w20 must always get an invoice. [status:: staged] ^m-inb001
- It w21 rained. [status:: staged] ^m-inb002
- Ada w22 must review each release. [status:: staged] [subject:: Ada] ^m-inb003
--- inbox/2026-03-02.md ---
- The customer w20 must always get an invoice. [status:: staged] ^m-inb004
- The kettle w23 must be off at night. [status:: staged] ^m-inb005
--- sessions/talk.md ---
---
type: session
started: 2026-01-02
---
### 2026-01-02T10:00:00Z user ^s-0001
Hello w06.

### 2026-01-02T10:00:01Z tool ^s-0002
A long w07 result.
Of two w08 lines.

### 2026-01-02T10:00:02Z tool ^s-0003
A later w09 result.
Of two w12 lines.
--- memory.md ---
# Memory

## Facts
- The colour w10 is blue. #design ^m-abc123
- The night\u200b w11 is dark. ^m-def456
- Tea w13 is hot. [because:: m-abc123] ^m-ghi789
- ~~Tea w14 is cold.~~ [superseded_by:: m-ghi789] ^m-gon000
- Ada w15 likes chess. [subject:: Ada Lovelace] ^m-ada111
- Ada w16 plays well. [subject:: Ada] ^m-ada222
--- learnings.md ---
# Learnings

- Measure w17 first. ^m-lea111
--- wiki/sleep.md ---
---
title: Sleep
type: concept
description: What sleep w30 is.
tags: [health]
relations:
  - {type: holds, target: Dream}
---
# Sleep

See w31 [[Dream]] and [dreams](dream.md#what).

## Notes
- one w32 #health
--- wiki/entities/kiel.md ---
---
title: Kiel
type: city
relations:
  - {type: near, target: Hamburg}
---

# Kiel

## Observations

- By the w50 sea. ^m-kiel11
--- wiki/entities/hamburg.md ---
---
title: Hamburg
type: city
---

# Hamburg
--- wiki/dream.md ---
---
title: Dream
type: concept
description: What a dream is.
---
# Dream

It w42 is long.

## What
Comes w40 with [[sleep|Sleep]] and [[wiki/sleep#Notes]]. #health
"""
# What a row needs before it has anything to do.
PREPARED: dict[str, Callable[[Path], object]] = {
    "upkeep.overflow": lambda root: (root / "memory.md").write_text(
        "# Memory\n\n## Facts\n" + "".join(f"- w{n:02} {'long ' * 300}\n" for n in range(24))
    ),
    "catalog.update": lambda root: (root / "index.md").unlink(),
    "session.compact": lambda root: (root / "sessions/talk.md").write_text(
        "---\ntype: session\nstarted: 2026-01-02\n---\n"
        + "".join(
            f"### 2026-01-02T10:00:0{n}Z tool ^s-000{n}\n{'long ' * 300}w7{n}\n\n" for n in (1, 2)
        )
    ),
}
# Rows that write nothing here: not due by itself, noted with one append, brought in once before.
NOTHING_TO_WRITE = {"upkeep.retain_if_due", "journal.add", "carry.import_once"}
NO_WAY_BACK = {"workspace.undo", "session.add_message", "session.record"}
_WORD = re.compile(rb"\bw\d\d\b")
BY_HAND = "w99"


class Killed(BaseException):
    """The process is gone: nothing that was to follow is done."""


class Disk:
    """The writes of a verb: while the k-th is made, somebody saves a page and the disk fails."""

    def __init__(self, house: House, fault: str, at: int) -> None:
        self._house, self._fault, self._at = house, fault, at
        self._before = house.pages()
        self.calls, self.by_hand, self._fails = 0, "", False
        self.few = at % 2 * 100  # every other time all files are staged before the first is named

    def writing(self, real: Callable[..., object]) -> Callable[..., object]:
        """In the place of what writes one file of a plan."""

        def call(root: Path, edit: Edit, unflushed: set[Path], *staged: object) -> object:
            self.calls += 1
            if self.calls == self._at:
                self._save_one()
                self._change(root / edit.path)
            stays = self._fault in ("ENOSPC", "kill") and self.calls > self._at
            self._fails = self._fault in FAULTS[1:] and (self.calls == self._at or stays)
            try:
                return real(root, edit, unflushed, *staged)
            finally:
                self._fails = False

        return call

    def failing(self, real: Callable[..., object]) -> Callable[..., object]:
        """In the place of what gives a file its name, or takes it away."""

        def call(*args: object, **kwargs: object) -> object:
            target = Path(os.fspath(args[-1]))  # type: ignore[call-overload]
            if self._fails and target.name[0] != ".":
                if self._fault == "kill":
                    raise Killed
                code = getattr(errno, self._fault)
                raise OSError(code, os.strerror(code))
            return real(*args, **kwargs)

        return call

    def _save_one(self) -> None:
        """Somebody saves a page that the verb has just written, with a line of their own."""
        now = self._house.pages()
        written = [path for path, data in now.items() if data != self._before.get(path)]
        if written:
            self.by_hand = written[-1]
            place = self._house.root / self.by_hand
            place.write_bytes(now[self.by_hand] + f"\nBy hand {BY_HAND}.\n".encode())

    def _change(self, target: Path) -> None:
        """Somebody has changed every line of what is written next."""
        if self._fault == "conflict" and target.exists():
            added = b" # !" if target.suffix == ".toml" else b" !"  # settings stay readable
            lines = target.read_bytes().split(b"\n")
            target.write_bytes(b"\n".join(line and line + added for line in lines))


def words(pages: dict[str, bytes]) -> set[bytes]:
    return set(_WORD.findall(b"\n".join(pages.values())))


def struck(house: House, verb: Verb, disk: Disk, monkeypatch) -> bool:
    """Run a verb on a disk that fails; whether it was carried out."""
    with monkeypatch.context() as patch:
        patch.setattr(making, "_write", disk.writing(making._write))
        patch.setattr(making, "_FEW", disk.few)
        for name in ("replace", "unlink"):
            patch.setattr(os, name, disk.failing(getattr(os, name)))
        try:
            house.run(verb)
        except (MemwikiError, Killed):
            return False
    return True


def assert_taken_back(house: House, old: dict[str, bytes], depth: int, when: str) -> None:
    """Undo gives each file back as it was, with what was saved by hand, or names conflicts."""
    ws = house.open()
    try:
        while len(list(stack_of(house.root).newest())) > depth:
            ws.undo()
    except ConflictError as error:
        assert "nothing was undone" in error.message
        assert error.candidates
        return
    finally:
        ws.close()
    now = house.pages()
    assert words(old) <= words(now), when
    for path, data in old.items():
        by_hand = f"By hand {BY_HAND}.".encode() in now.get(path, b"")
        assert by_hand or now.get(path) == data or b" !" in now.get(path, b""), (when, path)


def begun(house: House, name: str) -> dict[str, bytes]:
    """The pages with which each try of a verb begins."""
    house.reset()
    if name in PREPARED:
        PREPARED[name](house.root)
    return house.pages()


FAULTS = ("conflict", "ENOSPC", "EACCES", "kill")


def test_no_operation_is_forgotten():
    assert {each["do"] for each in (*ON_ENTRIES, *ON_PAGES)} == set(Do) - BY_MEMWIKI


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_that_fails_at_any_of_its_writes_loses_no_text(house, monkeypatch, name):
    verb, old = VERBS[name], begun(house, name)
    depth = len(list(stack_of(house.root).newest()))
    whole = Disk(house, "none", 0)
    assert struck(house, verb, whole, monkeypatch)
    assert bool(whole.calls) != (name in NOTHING_TO_WRITE)
    kept = words(old) & words(house.pages())
    turns = enumerate(range(1, whole.calls + 1), list(VERBS).index(name))
    for k, fault in ((k, each) for turn, k in turns for each in each_in_turn(FAULTS, turn)):
        assert begun(house, name) == old
        disk = Disk(house, fault, k)
        struck(house, verb, disk, monkeypatch)
        now = words(house.pages())
        assert kept <= now, (k, fault, kept - now)
        assert not disk.by_hand or BY_HAND.encode() in now, (k, fault, disk.by_hand)
        if name not in NO_WAY_BACK and "hard" not in name:
            assert_taken_back(house, old, depth, f"{fault} at {k}")
