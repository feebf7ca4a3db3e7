"""What an agent's memory plainly ends: struck out at once, or put up for review."""

from __future__ import annotations

import pytest

from memwiki.errors import AlreadyExistsError, UnreadableError
from memwiki.proposals.store import ProposalStore
from memwiki.tools import DoorFlags, call, door_settings
from tests.proposals.conftest import PAGES

LIVES = {"subject": "Anna", "topic": "home"}
REVIEWED = '\n[doors]\nsupersede = "review"\n'
OSLO = {"text": "Anna has a flat in Oslo.", **LIVES, "object": "Oslo"}
KIEL = {"text": "Anna has a flat in Kiel.", **LIVES, "object": "Kiel"}


@pytest.fixture
def home(root, opened, write_blocks):
    """A workspace under some settings, where a person said where Anna has a flat."""

    def home(settings=REVIEWED):
        write_blocks(PAGES)
        config = root / "memwiki.toml"
        layers = config.read_text() + 'inbox = "inbox"\n'
        config.write_text(layers + settings)
        space = opened()
        space.entries.add(**OSLO)
        return space

    return home


def status(space):
    return {text: entry.status for text, entry in entries(space).items() if "flat" in text}


def entries(space):
    asked = ("active", "staged", "superseded")
    return {e.text: e for each in asked for e in space.entries.list(status=each).entries}


def tool_add(space, entry):
    settings = door_settings(space.config, DoorFlags())
    return call(space.by("claude").public(), "add", {"memories": [entry]}, settings=settings)


DOORS = {
    "tool": tool_add,
    "actor": lambda space, entry: space.by("codex").entries.add(**entry),
    "origin": lambda space, entry: space.entries.add(**entry, origin="agent"),
    "web": lambda space, entry: space.entries.add(**entry, origin="web"),
}


@pytest.mark.parametrize("door", DOORS)
def test_as_usual_an_agent_supersedes(home, door):
    space = home("")
    DOORS[door](space, KIEL)
    assert status(space) == {OSLO["text"]: "superseded", KIEL["text"]: "active"}
    assert space.proposals.list().total == 0


@pytest.mark.parametrize("door", DOORS)
def test_with_review_it_is_added_and_what_it_ends_is_put_up(home, door):
    space = home()
    DOORS[door](space, KIEL)
    assert status(space) == {OSLO["text"]: "active", KIEL["text"]: "active"}
    (row,) = space.proposals.list().proposals
    assert (row.open, row.flagged) == (0, 1)
    (operation,) = space.proposals.get(row.id).operations
    assert operation.do == "supersede_entry"
    assert operation.flags == ("supersedes", "changes a person's words")
    assert "+- ~~Anna has a flat in Oslo.~~" in operation.diff


@pytest.mark.parametrize("settings", ["", REVIEWED])
def test_a_person_supersedes_at_once(home, settings):
    space = home(settings)
    report = space.entries.add(**KIEL)
    assert status(space)[OSLO["text"]] == "superseded" and report.proposals == ()


@pytest.mark.parametrize("settings", ["", REVIEWED])
def test_a_model_never_does(home, settings):
    space = home(settings)
    report = space.entries.add(**KIEL, origin="model")
    assert status(space)[OSLO["text"]] == "active"
    assert [each.is_due for each in report.conflicts] == [True] and len(report.proposals) == 1


def test_accepting_strikes_out_and_undo_takes_only_that_back(home, root):
    space = home()
    (id_,) = (row.id for row in DOORS["origin"](space, KIEL).proposals)
    before, problems = (root / "memory.md").read_bytes(), space.check.run().problems
    assert space.proposals.decide(id_, accept="all").accepted == ()
    assert space.proposals.decide(id_, accept=[1]).accepted == (1,)
    old, new = (entries(space)[each["text"]] for each in (OSLO, KIEL))
    assert old.fields["superseded_by"] == new.id and new.fields["supersedes"] == old.id
    assert set(space.check.run().problems) < set(problems)  # the conflict is over
    space.undo()
    assert (root / "memory.md").read_bytes() == before


def test_one_that_has_no_id_and_one_of_another_page_are_ended_too(home, root):
    space = home()
    page = root / "wiki/ben.md"
    hut = "- Ben has a hut in Oslo. [subject:: Ben] [topic:: home] [object:: Oslo]\n"
    page.write_text(f"---\ntype: memory\n---\n# Ben\n\n{hut}")
    new = {"text": "Ben has a hut in Kiel.", "subject": "Ben", "topic": "home", "object": "Kiel"}
    (id_,) = (row.id for row in DOORS["origin"](space, new).proposals)
    assert space.proposals.decide(id_, accept=[1]).accepted == (1,)
    assert "- ~~Ben has a hut in Oslo.~~" in page.read_text()
    assert "[superseded_by:: m-" in page.read_text()


def test_the_answer_names_the_proposal(home):
    space = home()
    answer = DOORS["tool"](space, KIEL)
    (row,) = space.proposals.list().proposals
    assert f"memwiki review {row.id}" in answer.text and "conflict with" in answer.text
    assert row.model == "claude" and space.public().proposals.list().total == 1


@pytest.mark.parametrize("gone", [OSLO, KIEL])
def test_what_changed_meanwhile_makes_it_stale(home, gone):
    space = home()
    (id_,) = (row.id for row in DOORS["origin"](space, KIEL).proposals)
    space.entries.update(entries(space)[gone["text"]].id, "Anna has a house.")
    assert space.proposals.decide(id_, accept=[1]).accepted == ()


def test_a_dry_run_puts_nothing_up(home):
    space = home()
    report = space.entries.add(**KIEL, origin="agent", dry_run=True)
    assert report.proposals == () and space.proposals.list().total == 0


def test_what_cannot_be_put_up_is_told_and_the_entry_is_there(home, monkeypatch):
    space = home()

    def full(self, proposal):
        raise UnreadableError("the disk is full", "make room")

    monkeypatch.setattr(ProposalStore, "put", full)
    report = DOORS["origin"](space, KIEL)
    assert len(report.added) == 1 and "the disk is full" in report.edited.notes[-1]


def test_upkeep_does_not_end_by_itself_what_an_add_may_not(home):
    space = home()
    space.entries.add(**KIEL, origin="agent", staged=True)
    steps = {(each.verb, each.text) for each in space.upkeep.run(dry_run=True).steps}
    assert ("superseded", OSLO["text"]) not in steps
    space.upkeep.run()
    assert status(space)[OSLO["text"]] == "active"


@pytest.mark.parametrize("old", ["user", "model", "web"])
def test_upkeep_ends_nothing_for_a_model_but_offers_it(home, old):
    space = home("")
    kept = {"text": "Ben has a cabin in Bergen.", "subject": "Ben", "topic": "cabin"}
    space.entries.add(**kept, object="Bergen", origin=old)
    new = {**kept, "text": "Ben has a cabin in Voss.", "object": "Voss", "origin": "model"}
    space.entries.add(**new, staged=True)
    steps = {each.verb for each in space.upkeep.run(dry_run=True).steps if "cabin" in each.text}
    assert "superseded" not in steps and "conflict" in steps


# --- what agents change ---


def tool_update(space, **arguments):
    settings = door_settings(space.config, DoorFlags(profile="full"))
    return call(space.by("claude").public(), "update", arguments, settings=settings)


def test_with_review_what_takes_the_place_of_a_memory_is_put_up(home, root):
    space = home()
    old = entries(space)[OSLO["text"]]
    before = (root / "memory.md").read_bytes()
    answer = tool_update(space, id=old.id, text=KIEL["text"], supersede=True)
    assert not answer.is_error and "until a person accepts it" in answer.text
    assert (root / "memory.md").read_bytes() == before
    (row,) = space.proposals.list().proposals
    assert (row.open, row.flagged, row.job, row.model) == (0, 1, "update/1", "claude")
    assert space.proposals.decide(row.id, accept="all").accepted == ()
    assert space.proposals.decide(row.id, accept=[1]).accepted == (1,)
    assert status(space) == {OSLO["text"]: "superseded", KIEL["text"]: "active"}
    assert entries(space)[KIEL["text"]].fields["by"] == "claude via update/1"


def test_with_review_a_person_supersedes_as_ever_and_a_dry_run_puts_nothing_up(home):
    space = home()
    old = entries(space)[OSLO["text"]]
    space.by("codex").entries.supersede(old.id, KIEL["text"], dry_run=True)
    assert space.proposals.list().total == 0
    space.entries.supersede(old.id, KIEL["text"])
    assert status(space) == {OSLO["text"]: "superseded", KIEL["text"]: "active"}


@pytest.mark.parametrize("given", [{"key": "flat"}, {"on_near": "replace"}])
def test_with_review_no_agent_replaces_what_is_there(home, given):
    space = home()
    space.entries.add("The flat is in the third street on the left.", key="flat")
    try:
        space.by("codex").entries.add("The flat is in the third street on the right.", **given)
    except AlreadyExistsError as error:
        assert "has this key already" in error.message
    known = "The flat is in the third street on the left."
    assert entries(space)[known].status == "active"


@pytest.mark.parametrize(
    ("origin", "change", "after"),
    [
        ("model", tool_update, "model"),
        ("web", tool_update, "web"),
        ("user", tool_update, "agent"),
        ("model", lambda space, **given: space.entries.update(given["id"], given["text"]), ""),
        ("web", lambda space, **given: space.entries.update(given["id"], given["text"]), "web"),
    ],
)
def test_what_a_model_wrote_stays_so_marked_until_a_person_changes_it(home, origin, change, after):
    space = home("")
    marks = {} if origin == "user" else {"origin": origin}
    (entry,) = space.entries.add("Ben sails at noon.", **marks).added
    change(space, id=entry.id, text="Ben sails at night.")
    assert entries(space)["Ben sails at night."].origin == after
