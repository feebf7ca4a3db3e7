"""All questions of one call rest on one sweep, and tell when others changed what they saw."""

import pytest

from memwiki.commit import carry_out as carrying_out
from memwiki.sync.open_index import OpenIndex
from memwiki.workspace import Workspace


@pytest.fixture
def walks(ws, monkeypatch):
    """How often the folder was walked."""
    seen, walk = [], type(ws.live.context).walk
    monkeypatch.setattr(
        type(ws.live.context), "walk", lambda context: (seen.append(1), walk(context))[1]
    )
    return seen


def test_the_questions_of_a_call_share_one_sweep(ws, put, walks):
    put("a.md", "heron\n")
    with ws.one_sweep() as is_current:
        for _ in range(3):
            assert ws.search("heron").total == 1
        ws.public().pages.list()
        assert is_current()
    assert len(walks) == 1
    ws.search("heron")
    assert len(walks) == 2


def test_the_next_call_looks_again(ws, put):
    with ws.one_sweep():
        assert ws.search("heron").total == 0
    put("a.md", "heron\n")
    with ws.one_sweep():
        assert ws.search("heron").total == 1


def test_what_the_call_itself_changed_it_sees(ws, put):
    put("a.md", "heron\n")
    with ws.one_sweep():
        assert ws.search("stork").total == 0
        ws.pages.append("a", "stork")
        assert ws.search("stork").total == 1
        ws.undo()
        assert ws.search("stork").total == 0


def test_a_call_within_a_call_shares_its_sweep(ws, put, walks):
    put("a.md", "heron\n")
    with ws.one_sweep(), ws.by("anna").one_sweep():
        ws.search("heron")
        ws.by("ben").search("heron")
    assert len(walks) == 1


def test_what_others_synced_meanwhile_is_told(ws, put):
    put("a.md", "heron\n")
    with ws.one_sweep() as is_current:
        ws.search("heron")
        put("b.md", "stork\n")
        assert is_current()
        with Workspace.open(ws.root) as other:
            other.sync()
        assert not is_current()


def test_a_proposal_of_many_operations_is_made_shown_and_taken_in_one_sweep_each(ws, put, walks):
    put("a.md", "heron\n")
    grown = [{"do": "add_claims", "page": "a", "claims": [f"Herons {n}."]} for n in range(6)]
    id_ = ws.proposals.propose(grown).id
    assert len(walks) == 1
    ws.proposals.get(id_)
    assert len(walks) == 2
    assert len(ws.proposals.decide(id_, accept=[1, 2, 3, 4, 5, 6]).accepted) == 6
    assert len(walks) == 3  # before; what it changed is taken in by itself


def test_a_verb_looks_at_all_files_once(ws, put, walks, assert_in_step):
    put("a.md", "heron\n")
    put("memory.md", "- The office is in Kiel.\n")
    assert ws.pages.append("a.md", "stork").fresh
    assert len(walks) == 1
    assert ws.entries.add("Prefers green tea.").edited.fresh
    assert len(walks) == 2
    assert ws.pages.move("a.md", "b.md").fresh
    assert len(walks) == 3
    with ws.live.opened() as stores:
        assert stores.are_synced()
        assert {*stores.cards.digests()} >= {"b.md", "memory.md"}
    assert_in_step(ws)


def test_what_others_change_between_look_and_change_is_found_by_the_next_question(
    ws, put, monkeypatch, assert_in_step
):
    put("a.md", "heron\n")
    put("b.md", "heron\n")
    apply = carrying_out.apply

    def met(*args, **kwargs):
        put("b.md", "stork\n")
        return apply(*args, **kwargs)

    monkeypatch.setattr(carrying_out, "apply", met)
    ws.pages.append("a.md", "stork")
    assert sorted(hit.path for hit in ws.search("stork").hits) == ["a.md", "b.md"]
    assert_in_step(ws)


@pytest.fixture
def between(monkeypatch):
    """Do something once, right after a walk."""
    walk = OpenIndex._walk
    todo = []

    def walked(live):
        seen = walk(live)
        if todo:
            todo.pop()()
        return seen

    monkeypatch.setattr(OpenIndex, "_walk", walked)
    return todo


@pytest.mark.parametrize("verb", [lambda ws: ws.pages.append("a", "x"), Workspace.sync])
def test_who_looked_before_others_wrote_takes_nothing_of_theirs_back(
    ws, put, between, verb, assert_in_step
):
    put("a.md", "heron\n")
    put("picture.png", "")
    ws.sync()
    with Workspace.open(ws.root) as other:

        def write():
            assert other.pages.new("b", content="stork").fresh
            put("new.png", "")
            put("a.md", "heron, too\n")
            assert other.sync().fresh

        put("a.md", "heron again\n")
        between.append(write)
        assert verb(ws).fresh
        assert not between
    with ws.live.opened() as stores:
        assert {*stores.cards.digests()} == {"a.md", "b.md"}
    assert_in_step(ws)
