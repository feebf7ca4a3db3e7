"""Names that may be of one: found without a model, decided by one, and merged once a person says
so."""

from __future__ import annotations

import json

import pytest

from tests.proposals.conftest import SETTINGS

MEMORY = (
    SETTINGS
    + """
[models]
withhold = ["clients/**"]
--- memory.md ---
---
type: memory
---
# Memory

## Facts
- We buy sensors from TechCorp. [entities:: TechCorp] ^m-aaaaaa
- The office of Tech Corp is in Kiel. [entities:: Tech Corp] ^m-bbbbbb
- Tech Corp. makes [small] sensors. [entities:: Tech Corp.] ^m-cccccc
- The harbour of Kiel is old. [entities:: Kiel] ^m-dddddd
- Kiels has many ships. [entities:: Kiels] ^m-eeeeee
- A secret of Zqprivate. [entities:: Zqprivate] [private:: true] ^m-ffffff
- Zqprivates is a name. [entities:: Zqprivates] ^m-gggggg
--- clients/memory.md ---
- Zqwithheld is a client. [entities:: Zqwithhel] ^m-hhhhhh
- Zqwithhelds is a client. [entities:: Zqwithhels] ^m-iiiiii
--- wiki/kiel.md ---
---
type: entity
---
# Kiel
"""
)


@pytest.fixture
def space(opened, write_blocks):
    write_blocks(MEMORY)
    return opened()


def number_of(asked: str, name: str) -> int:
    line = next(each for each in asked.split("\n") if f" {name} [" in each)
    return int(line.split(" ")[0])


@pytest.fixture
def merging(space, answering):
    """What is proposed where the model merges these names."""

    def merge(*pairs):
        asked = space.curation.curate_brief("entities").text
        merges = [
            {"line": number_of(asked, one), "into": number_of(asked, other)} for one, other in pairs
        ]
        answering(json.dumps({"merges": merges}))
        (row,) = space.curation.curate("entities").proposals
        return space.proposals.get(row.id)

    return merge


def files(root):
    return {each.name: each.read_bytes() for each in root.rglob("*.md")}


def test_a_name_becomes_another_name_of_a_page_and_undo_takes_it_back(space, root, merging):
    view = merging(("Kiels", "Kiel"))
    (operation,) = view.operations
    assert (operation.do, operation.state) == ("merge_entities", "open")
    assert operation.flags == ("merges",) and "+aliases: [Kiels]" in operation.diff
    assert operation.diff == space.entries.merge_entities("Kiels", "Kiel", dry_run=True).diff
    assert [each.quote.split(" [")[0] for each in operation.evidence] == ["Kiels", "Kiel"]
    before = files(root)
    assert not space.proposals.decide(view.id, accept="all").accepted
    assert space.proposals.decide(view.id, accept=[1]).accepted == (1,)
    assert space.pages.get("Kiels").path == "wiki/kiel.md"
    space.undo()
    assert {**files(root), "log.md": b""} == {**before, "log.md": b""}


def test_names_that_no_page_has_get_one_together(space, root, merging):
    view = merging(("TechCorp", "Tech Corp"), ("Tech Corp.", "Tech Corp"))
    before = files(root)
    assert space.proposals.decide(view.id, accept=[1, 2]).accepted == (1, 2)
    page = space.pages.get("TechCorp")
    assert page.title == "Tech Corp" and page.path == space.pages.get("Tech Corp.").path
    space.undo()
    assert {**files(root), "log.md": b""} == {**before, "log.md": b""}


def test_what_is_shown_is_public_and_says_what_is_known(space):
    asked = space.curation.curate_brief("entities").text
    assert "Zq" not in asked
    assert "Kiel [entity; The harbour of Kiel is old.]" in asked
    assert "Tech Corp. [no page; Tech Corp. makes (small) sensors.]" in asked


def test_a_name_is_in_one_merge(space, merging):
    chain = {"do": "merge_entities"}
    view = merging(("TechCorp", "Tech Corp"), ("Tech Corp", "Tech Corp."), ("Kiels", "Kiels"))
    assert [each.values["entity"] for each in view.operations] == ["TechCorp"]
    pairs = ("TechCorp", "Tech Corp"), ("Tech Corp", "Tech Corp.")
    view = space.proposals.propose([{**chain, "entity": a, "into": b} for a, b in pairs])
    done = space.proposals.decide(view.id, accept=[1, 2])
    assert done.accepted == (1,) and "another merge comes first" in done.stale[0][1]


@pytest.mark.parametrize(
    ("entity", "into", "state", "why"),
    [
        ("Kiel 2", "Kiel 3", "aside", "differ in a number"),
        ("Nobody", "Kiel", "open", "no entry names such an entity"),
    ],
)
def test_what_cannot_be_one_says_why(space, entity, into, state, why):
    view = space.proposals.propose([{"do": "merge_entities", "entity": entity, "into": into}])
    (operation,) = view.operations
    assert operation.state == state and why in operation.why
    assert not space.proposals.decide(view.id, accept=[1]).accepted


def test_a_merge_with_what_is_private_is_shown_to_a_person_alone(space):
    names = {"entity": "Zqprivates", "into": "Zqprivate"}
    view = space.proposals.propose([{"do": "merge_entities", **names}])
    assert view.operations[0].diff
    assert not space.public().proposals.list().proposals
