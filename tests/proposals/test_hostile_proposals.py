"""What a model, or a file that somebody planted, cannot do."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from memwiki.errors import MemwikiError, NotEditableError, NotFoundError, UsageError
from memwiki.files.temporary import machine
from memwiki.proposals import review
from memwiki.proposals.store import ProposalStore
from tests.proposals.conftest import MOVED, PAGES, TEA

EVIL = "x] ^m-evil00\n\n# Heading\n- Injected. [origin:: user] ^m-evil01\n[[raw/note]] "
OPERATION = {"n": 1, "do": "add_entry", "text": "Anna moved to Kiel.", "state": "open"}
FACT = '{"facts": [{"lines": [1], "text": "Anna moved to Kiel."}]}'


def plant(root, text=None, **fields):
    folder = root / ".memwiki" / "proposals"
    folder.mkdir(parents=True, exist_ok=True)
    base = {"format": 1, "id": "p-abcdef", "at": "", "job": "x/1", "source": {"path": ""}}
    said = {**base, "operations": [OPERATION], "is_answered": True, **fields}
    (folder / "p-abcdef.json").write_text(text or json.dumps(said))


# --- fields ---


@pytest.mark.parametrize(
    "attributes",
    [
        {
            "origin": "user",
            "importance": "1",
            "key": "user/name",
            "source": "me",
            "by": "Anna",
            "private": "true",
            "status": "staged",
            "created": "1999-01-01",
            "supersedes": "m-aaaaaa",
            "superseded_by": "m-aaaaaa",
            "valid_to": "2020-01-01",
            "because": "m-aaaaaa",
        },
        {"Origin": "user"},
        {"k]": "v"},
        {EVIL: EVIL},
    ],
)
def test_attributes_say_nothing_that_memwiki_knows_of_an_entry(space, proposed, attributes):
    view = proposed({**TEA, "attributes": {**attributes, "place": "Kiel"}})
    assert space.proposals.decide(view.id, accept="all").accepted == (1,)
    (tea,) = space.entries.list(types=["preference"]).entries
    assert (tea.origin, tea.fields["by"]) == ("model", "qwen3:8b via propose/1")
    assert tea.fields.keys() == {"source", "origin", "subject", "by", "created", "place"}
    assert tea.fields["source"] == "[[sessions/talk#^s-0001]]"


def test_who_proposes_writes_nothing_but_a_name(space, root):
    view = space.proposals.propose([TEA, MOVED], source="talk", model=EVIL, job=EVIL)
    assert space.proposals.decide(view.id, accept=[1, 2]).accepted == (1, 2)
    memory = (root / "memory.md").read_text("utf-8")
    assert "\n  # Heading" not in memory and "\n- Injected" not in memory
    ids = {each.id for each in space.entries.list().entries}
    assert not ids & {"m-evil00", "m-evil01"}


def test_types_and_tags_of_several_words_are_spelled_as_ours(space, proposed):
    view = proposed({**TEA, "type": "Personal Preference", "tags": ["Green Tea", "!!", "drink"]})
    assert space.proposals.decide(view.id, accept="all").accepted == (1,)
    (tea,) = space.entries.list(types=["personal-preference"]).entries
    assert tea.tags == ("green-tea", "drink")


def test_a_line_that_is_cited_a_thousand_times_is_kept_once(proposed):
    (operation,) = proposed({**TEA, "lines": [1] * 100_000}).operations
    assert len(operation.evidence) == 1 and operation.state == "open"


def test_a_summary_is_never_replaced(space, root, proposed):
    space.session("talk").end(summary="A person wrote this.")
    before = (root / "sessions/talk.md").read_bytes()
    summary = {"do": "summarise_session", "session": "talk", "sentences": ["Of tea."], "lines": [1]}
    done = space.proposals.decide(proposed(summary).id, accept="all")
    assert "has a summary already" in done.stale[0][1]
    assert (root / "sessions/talk.md").read_bytes() == before
    with pytest.raises(UsageError, match="has a summary already"):
        space.curation.summarise_brief("talk")


def test_an_entry_ends_once(space, root, proposed):
    retire = {"do": "retire_entry", "entry": "m-aaaaaa", "lines": [1]}
    join = {"do": "join_entries", "entries": ["m-bbbbbb", "m-cccccc", "m-bbbbbb"],
            "text": "Ben sold his dog.", "lines": [3]}  # fmt: skip
    view = proposed(MOVED, {**MOVED, "text": "Anna is in Kiel."}, retire, join)
    done = space.proposals.decide(view.id, accept=[1, 2, 3, 4])
    assert done.accepted == (1, 4) and [n for n, _ in done.stale] == [2, 3]
    memory = (root / "memory.md").read_text("utf-8")
    assert memory.count("superseded_by") == 3 and "[supersedes:: m-bbbbbb, m-cccccc]" in memory


def test_what_a_person_superseded_meanwhile_stays_superseded_so(space, root, proposed):
    view = proposed(MOVED)
    space.entries.supersede("m-aaaaaa", "Anna lives in Rome.")
    before = (root / "memory.md").read_bytes()
    assert "meanwhile" in space.proposals.decide(view.id, accept=[1]).stale[0][1]
    assert (root / "memory.md").read_bytes() == before


# --- files ---


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd.md", "../x.md", ".memwiki/x.md", "memwiki.toml", "a\0.md", "\ud800.md", EVIL],
)
def test_what_rests_on_no_page_of_the_workspace_is_no_proposal(space, root, path):
    evidence = [{"line": 1, "quote": "x", "id": ""}]
    plant(root, source={"path": path}, operations=[{**OPERATION, "evidence": evidence}])
    for view in (space, space.public()):
        found = view.proposals.list()
        assert not found.proposals and "rests on no page" in found.notes[0]
        with pytest.raises(MemwikiError):
            view.proposals.decide("p-abcdef", accept=[1])


def test_odd_numbers_stop_nothing(space, root, proposed):
    plant(root, operations=[{**OPERATION, "support": 10**400}])
    assert space.proposals.get("p-abcdef").operations[0].support == 1.0
    plant(root, json.dumps({"format": 1, "support": float("nan")}))
    assert "holds NaN" in space.proposals.list().notes[0]


def test_a_planted_name_writes_nothing_but_a_name(space, root):
    entry = {"do": "supersede_entry", "entry": "m-aaaaaa", "text": "Anna left.", "state": "open"}
    plant(root, model=EVIL, job=EVIL, operations=[entry])
    assert space.proposals.decide("p-abcdef", accept=[1]).accepted == (1,)
    assert "\n  # Heading" not in (root / "memory.md").read_text("utf-8")


def test_a_place_that_is_no_file_is_named_shortly(space, root):
    (root / ".memwiki" / "proposals").mkdir(parents=True)
    (root / ".memwiki" / "proposals" / "p-folder.json").mkdir()
    (note,) = space.proposals.list().notes
    assert note.startswith(".memwiki/proposals/p-folder.json: ")


# --- two who decide ---


def meanwhile(monkeypatch, do):
    """Let something happen once while a decision is on its way."""
    free = ProposalStore.deciding

    def deciding(store):
        monkeypatch.setattr(ProposalStore, "deciding", free)
        do()
        return free(store)

    monkeypatch.setattr(ProposalStore, "deciding", deciding)


def in_turn(monkeypatch, decide, *, count):
    """Let others decide, too, as soon as the first one has written, and before that is noted."""
    whole, others = review.carry_out, ThreadPoolExecutor(count)
    found = []

    def carry_out(live, plan, **options):
        done = whole(live, plan, **options)
        if not found:
            found.extend(others.submit(decide) for _ in range(count))
        return done

    monkeypatch.setattr(review, "carry_out", carry_out)
    first = decide()
    others.shutdown()
    return first, found


def test_what_one_accepts_while_another_does_is_said_to_be_accepted_already(
    space, root, proposed, monkeypatch
):
    view = proposed(TEA, MOVED)
    decide = partial(space.proposals.decide, view.id, accept=[1])
    first, others = in_turn(monkeypatch, decide, count=2)
    assert first.accepted == (1,)
    assert ["was accepted already" in str(each.exception()) for each in others] == [True, True]
    assert (root / "memory.md").read_text("utf-8").count("Anna prefers green tea.") == 1


def test_who_accepts_all_after_another_accepts_none(space, proposed, monkeypatch):
    view = proposed(TEA)
    decide = partial(space.proposals.decide, view.id, accept="all")
    first, (other,) = in_turn(monkeypatch, decide, count=1)
    assert first.accepted == (1,) and other.result().accepted == ()
    assert other.result().edited.title == f"accepted none of {view.id}: each was decided already"


def test_what_is_reworded_while_it_is_accepted_was_accepted_already(space, proposed, monkeypatch):
    view = proposed(TEA)
    decide = partial(space.proposals.decide, view.id, accept="all")
    meanwhile(monkeypatch, decide)
    with pytest.raises(UsageError, match="was accepted already"):
        space.proposals.edit(view.id, 1, "Anna prefers black tea.")


def test_what_two_accept_at_once_is_written_once(space, root, proposed, monkeypatch):
    skill = {"do": "record_skill", "name": "Brew tea", "steps": ["Boil", "Wait"], "lines": [1]}
    view = proposed(TEA, MOVED, skill)
    meanwhile(monkeypatch, lambda: space.proposals.decide(view.id, accept=[1, 2, 3]))
    with pytest.raises(UsageError, match="was accepted already"):
        space.proposals.decide(view.id, accept=[1, 2, 3])
    states = {each.state for each in space.proposals.get(view.id).operations}
    assert states == {"accepted"}
    memory = (root / "memory.md").read_text("utf-8")
    assert memory.count("Anna prefers green tea.") == memory.count("Anna moved to Kiel.") == 1
    assert (root / "learnings.md").read_text("utf-8").count("Brew tea") == 1


def test_what_somebody_rejected_meanwhile_is_not_written(space, root, proposed, monkeypatch):
    view = proposed(TEA, MOVED)
    meanwhile(monkeypatch, lambda: space.proposals.decide(view.id, accept=[2], reject=[1]))
    with pytest.raises(UsageError, match="was rejected already"):
        space.proposals.decide(view.id, accept=[1])
    assert "green tea" not in (root / "memory.md").read_text("utf-8")
    states = [each.state for each in space.proposals.get(view.id).operations]
    assert states == ["rejected", "accepted"]


def test_a_brief_is_answered_once(space):
    brief = space.curation.extract_brief("talk")
    store = ProposalStore(space.live)
    asked = store.get(brief.id)
    space.curation.reply(brief.id, FACT)
    with pytest.raises(UsageError, match="was answered already"):
        store.put(asked)
    assert space.proposals.get(brief.id).operations


# --- namespaces ---

SPACES = (
    PAGES.replace('log = "log.md"', 'log = "log.md"\nnamespaces = "namespaces"')
    + """
--- namespaces/home/sessions/chat.md ---
### 2026-11-20T10:00:00Z user ^s-0001
The rent rose to 900 euros.
--- namespaces/work/sessions/chat.md ---
### 2026-11-20T10:00:00Z user ^s-0001
The merger costs 300 euros.
"""
)
RENT = {"do": "add_entry", "text": "The rent rose to 900 euros.", "lines": [1]}


def test_a_proposal_belongs_to_its_namespace(opened, write_blocks, root):
    write_blocks(SPACES)
    plain = opened()
    home, work, every = (opened(namespace=name) for name in ("home", "work", "*"))
    view = home.proposals.propose([RENT], source="chat")
    brief = home.curation.extract_brief(text="Of the rent.")
    for other in (plain, work, work.public()):
        assert other.proposals.list(all=True).total == 0
        assert other.index.status().proposals == 0
        with pytest.raises(NotFoundError):
            other.proposals.get(view.id)
        with pytest.raises(NotFoundError):
            other.proposals.decide(view.id, reject="all")
        with pytest.raises(NotFoundError):
            other.curation.reply(brief.id, FACT)
    assert {row.id for row in every.proposals.list().proposals} == {view.id, brief.id}
    with pytest.raises(NotEditableError, match="belongs to namespaces/home"):
        every.proposals.decide(view.id, accept="all")
    assert home.public().proposals.decide(view.id, accept="all").accepted == (1,)
    assert "900 euros" in (root / "namespaces/home/memory.md").read_text("utf-8")


def test_messages_of_a_namespace_are_messages_there_alone(opened, write_blocks):
    write_blocks(SPACES)
    assert opened(namespace="home").proposals.lines("chat").lines == (
        "1 user: The rent rose to 900 euros.",
    )
    # A session outside of all namespaces is read from each as what it is.
    talk = opened(namespace="home").proposals.lines("talk").lines
    assert talk[1] == "2 assistant: Noted. Do you still drink coffee?"
    for ask in (opened().proposals.lines, opened().curation.extract_brief):
        with pytest.raises(NotFoundError, match="namespace"):
            ask("namespaces/home/sessions/chat.md")


def test_a_page_that_became_private_is_not_named(space, root, proposed):
    page = {"do": "describe_page", "page": "Tea", "text": "What Anna prefers.", "lines": [1]}
    view = proposed(page)
    assert space.public().proposals.get(view.id)
    (root / "wiki/tea.md").write_text("---\nprivate: true\n---\n# Tea\n", "utf-8")
    with pytest.raises(NotFoundError):
        space.public().proposals.get(view.id)


# --- who stops in the middle ---


def test_who_is_killed_before_a_decision_is_kept_can_decide_again(
    space, root, proposed, monkeypatch
):
    operations = (
        TEA,
        MOVED,
        {"do": "record_skill", "name": "Brew tea", "steps": ["Boil", "Wait"], "lines": [1]},
        {"do": "summarise_session", "session": "talk", "sentences": ["Of tea."], "lines": [1]},
        {"do": "describe_page", "page": "Tea", "text": "What Anna prefers.", "lines": [1]},
        {"do": "retire_entry", "entry": "m-bbbbbb", "lines": [3]},
        {"do": "relate_entries", "entry": "m-cccccc", "other": "m-aaaaaa", "relation": "supports"},
        {"do": "add_page", "title": "Anna", "claims": ["Anna moved to Kiel."], "lines": [1]},
        {"do": "add_claims", "page": "Tea", "claims": ["Anna prefers it."], "lines": [1]},
        {"do": "note_contradiction", "page": "Tea", "against": "Kiel", "text": "Of tea."},
    )
    (root / "wiki/kiel.md").write_text("# Kiel\n\nA town.\n", "utf-8")
    view = proposed(*operations)
    every = [each.n for each in view.operations]

    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(ProposalStore, "settle", killed)
        with pytest.raises(KeyboardInterrupt):
            space.proposals.decide(view.id, accept=every)
    pages = {p: p.read_bytes() for p in root.rglob("*.md") if p.name != "log.md"}
    assert b"Anna prefers green tea." in pages[root / "memory.md"]
    done = space.proposals.decide(view.id, accept=every)
    assert {p: p.read_bytes() for p in root.rglob("*.md") if p.name != "log.md"} == pages
    assert {n for n, _ in done.stale} | set(done.accepted) == set(every)
    assert space.proposals.decide(view.id, reject="all").open == 0


PROCESSES = {
    "none": lambda: 2**22 + 1,
    "the first": lambda: 1,
    "its parent": os.getppid,
    "itself": os.getpid,
}


@pytest.mark.parametrize("whose", [*PROCESSES])
def test_what_a_killed_process_left_beside_proposals_goes_with_the_next_one(
    space, root, proposed, whose
):
    process = PROCESSES[whose]()
    """Also where a process that lives has its id by now: who writes there holds the lock."""
    view = proposed(TEA)
    left = root / ".memwiki/proposals" / f".memwiki-{machine()}-{process}-0123abcd.tmp"
    elsewhere = left.with_name(f".memwiki-00000000-{process}-0123abcd.tmp")
    for file in (left, elsewhere):
        file.write_text("{")
    space.proposals.decide(view.id, reject="all")
    assert not left.exists() and elsewhere.exists()
