"""More files in `.memwiki/proposals/` than anybody made: a bounded number of them is read."""

from __future__ import annotations

import os

import pytest

from memwiki.cli.main import main
from memwiki.files import records
from memwiki.proposals import review, store
from memwiki.proposals.operations import Do, Evidence, Operation, Proposal, ProposalSource
from tests.proposals.conftest import MOVED, TEA

REAL, COPIES, NOTES, HUGE = 1, 900, 900, 200
ALL = REAL + COPIES + NOTES + HUGE
_YEAR = 365 * 86_400


@pytest.fixture
def read(monkeypatch):
    """The names of the proposals that are read."""
    names, whole = [], records.load

    def load(root, name, max_bytes):
        names.append(name)
        return whole(root, name, max_bytes)

    monkeypatch.setattr(records, "load", load)
    return names


@pytest.fixture
def planted(root, proposed):
    """A proposal, and thousands of files beside it that are newer: copies under other names, huge
    ones, and some of which the name is none of a proposal."""
    view, folder = proposed(TEA), root / ".memwiki" / "proposals"
    data = (folder / f"{view.id}.json").read_bytes()
    for n in range(COPIES):
        (folder / f"p-{n:06}.json").write_bytes(data)
    for n in range(NOTES):
        (folder / f"note {n}.json").write_bytes(data)
    for n in range(HUGE):
        with (folder / f"p-9{n:05}.json").open("wb") as file:
            file.truncate(10**9)
    os.utime(folder / f"{view.id}.json", (_YEAR, _YEAR))
    assert len(os.listdir(folder)) == ALL
    return view


def test_status_reads_a_bounded_number_of_files(space, root, planted, read, capsys):
    status = space.index.status()
    assert len(read) == 500 and all(name.startswith("p-") for name in read)
    assert (status.proposals, status.proposals_unread) == (0, ALL - 500)
    assert main(["-C", str(root), "status"]) == 0
    assert "at least 0 wait for memwiki review (1,501 older files not read)" in (
        capsys.readouterr().out
    )


def test_a_list_reads_as_many_as_its_limit_asks_for(space, planted, read):
    found = space.proposals.list(limit=10)
    assert len(read) == 500 and found.unread == ALL - 500
    assert len(found.notes) < 30 and "older files were not read" in found.notes[-1]
    read.clear()
    assert space.proposals.list(limit=600).unread == ALL - 600 and len(read) == 600
    assert planted.id in {row.id for row in space.proposals.list()}


def test_settings_that_want_more_read_more(space, root, write_blocks, planted, read):
    toml = root / "memwiki.toml"
    toml.write_text(f"{toml.read_text()}[curation]\nmax_open = 400\n")
    space.reload()
    review.waiting_count(space.live)
    assert len(read) == 800


def test_what_changed_last_is_counted(space, root, proposed, monkeypatch):
    monkeypatch.setattr(review, "_MAX_READ", 2)
    views = [proposed(each) for each in (TEA, MOVED, TEA)]
    for at, view in enumerate(views):
        os.utime(root / f".memwiki/proposals/{view.id}.json", (at, at))
    found = space.proposals.list(limit=1)
    assert (found.total, found.unread) == (2, 1)
    assert {row.id for row in space.proposals.list(limit=2)} == {view.id for view in views[1:]}
    assert space.proposals.list().total == 3
    assert space.index.status().proposals == 3


def test_what_annotations_mean_is_worked_out_once_for_many_operations(monkeypatch):
    asked, whole = [], store.get_type_hints
    monkeypatch.setattr(store, "get_type_hints", lambda kind: asked.append(kind) or whole(kind))
    evidence = (Evidence(1, "Anna has a dog."),) * 3
    operations = tuple(
        Operation(n, Do.ADD, {"text": "Anna has a dog."}, evidence) for n in range(1, 9)
    )
    made = Proposal("p-abcdef", "", "extract/1", ProposalSource("talk.md", ""), operations)
    for _ in range(5):
        assert store.proposal_of(store.read_fields(store.as_bytes(store.fields_of(made)))) == made
    assert len(asked) == len({*asked})
