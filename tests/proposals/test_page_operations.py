"""Pages that grow by claims: each a sentence with a footnote that memwiki writes."""

from __future__ import annotations

import pytest

from memwiki.errors import MemwikiError, NotFoundError, UsageError
from memwiki.markdown.outline import outline_of
from memwiki.tools import DoorFlags, call, door_settings
from tests.proposals.conftest import SETTINGS

PAGES = (
    SETTINGS
    + """
--- memory.md ---
---
type: memory
---
# Memory

## Facts
- Anna lives in Berlin. ^m-aaaaaa
--- raw/heat-pumps.md ---
# Heat pumps

A heat pump moves heat from outside into a house.
The pump of the school was installed in 2019.
It needs a third of the energy of a gas boiler.

Noise stays below 35 decibels at night.
--- wiki/school.md ---
---
title: School
sources: ["[[raw/plan]]"]
---
# School

The school is heated with gas. [^1]

[^1]: See the plan.
--- wiki/boiler.md ---
# Boiler

A gas boiler of 2019.
--- AGENTS.md ---
# Agents
"""
)
MOVES = {"text": "A heat pump moves heat into a house.", "lines": [2]}
ENERGY = {"text": "It needs a third of the energy of a gas boiler.", "lines": [4]}
WRONG = {"text": "It was built by Siemens in 1997.", "lines": [5]}
PAGE = {"do": "add_page", "title": "Heat pumps", "claims": [MOVES, ENERGY], "tags": ["Energy"]}
CLAIMS = {
    "do": "add_claims",
    "page": "School",
    "claims": [{"text": "The pump of the school was installed in 2019.", "lines": [3]}],
}
AGAINST = {
    "do": "note_contradiction",
    "page": "School",
    "against": "Boiler",
    "text": "The pump of the school was installed in 2019.",
    "lines": [3],
}


@pytest.fixture
def space(opened, write_blocks):
    write_blocks(PAGES)
    return opened()


@pytest.fixture
def proposed(space):
    return lambda *operations, source="raw/heat-pumps": space.proposals.propose(
        operations, source=source, model="qwen3:8b"
    )


def files(root):
    return {p: p.read_bytes() for p in root.rglob("*.md") if p.name != "log.md"}


def test_a_page_is_made_of_claims_with_footnotes(space, root, proposed):
    before = files(root)
    view = proposed(PAGE)
    (made,) = view.operations
    assert (made.do, made.state, made.flags) == ("add_page", "open", ())
    assert [each.line for each in made.evidence] == [3, 5]
    done = space.proposals.decide(view.id, accept="all")
    assert done.accepted == (1,), done
    page = space.pages.get("Heat pumps")
    text = (root / page.path).read_text()
    assert page.path == "wiki/concepts/heat-pumps.md"
    assert "A heat pump moves heat into a house. [^h1]\n" in text
    assert "[^h1]: [[raw/heat-pumps]] line 3\n[^h2]: [[raw/heat-pumps]] line 5\n" in text
    assert 'sources:\n  - "[[raw/heat-pumps]]"\n' in text
    assert page.fields["generated"]["by"] == "qwen3:8b via propose/1"
    assert page.tags == ("energy",) and page.title == "Heat pumps"
    space.undo()
    assert files(root) == before


def test_a_claim_that_a_person_looks_at_holds_up_no_other(space, put, proposed):
    put("raw/heater.md", "# Heater\n\nHeat is kept in a tank.\n\nSee the tank at tank.org.\n")
    kept = {"text": "Heat is kept in a tank.", "lines": [2]}
    looked_at = {"text": "See the tank at tank.org.", "lines": [3]}
    wrong = {"text": "Siemens built it in 1997.", "lines": [2]}
    given = {"do": "add_page", "title": "Tank", "claims": [looked_at, kept, wrong]}
    view = proposed(given, source="raw/heater")
    rows = [(each.do, each.values["claims"], each.flags, each.state) for each in view.operations]
    assert rows == [
        ("add_page", [kept["text"]], (), "open"),
        ("add_claims", [looked_at["text"]], ("address",), "open"),
        ("add_claims", [wrong["text"]], (), "aside"),
    ]
    assert space.proposals.decide(view.id, accept="all").accepted == (1,)
    assert space.proposals.decide(view.id, accept=[2]).accepted == (2,)
    assert "tank.org" in space.pages.get("Tank").text


def test_what_waits_for_a_page_that_is_proposed_says_so(space, put, proposed):
    put("notes/pumps.md", "# Pumps\n\nA pump moves heat.\nSee https://example.org/pump too.\n")
    claims = [
        {"text": "A pump moves heat.", "lines": [2]},
        {"text": "More of the pump is at https://example.org/pump.", "lines": [3]},
    ]
    given = {"do": "add_page", "title": "Pump", "claims": claims}
    view = space.proposals.propose([given], source="notes/pumps.md")
    assert [each.why for each in view.operations] == ["", "its page is made by operation 1"]
    space.proposals.decide(view.id, accept="all")
    assert [each.why for each in space.proposals.get(view.id).operations] == ["", ""]


def test_claims_are_added_below_a_heading_of_their_own(space, root, proposed):
    before = files(root)
    view = proposed(CLAIMS)
    done = space.proposals.decide(view.id, accept="all")
    assert done.accepted == (1,), done
    text = (root / "wiki/school.md").read_text()
    assert text.startswith('---\ntitle: School\nsources: ["[[raw/plan]]", "[[raw/heat-pumps]]"]\n')
    assert text.endswith(
        "[^1]: See the plan.\n\n## From sources\n\n"
        "The pump of the school was installed in 2019. [^h1]\n\n"
        "[^h1]: [[raw/heat-pumps]] line 4\n"
    )
    space.undo()
    assert files(root) == before


def test_a_chinese_claim_goes_into_the_section_that_is_named(space, root, put, proposed):
    put("raw/泵.md", "# 热泵\n\n热泵把热量从室外搬进房子。\n")
    put("wiki/热泵.md", "# 热泵\n\n一种设备。\n\n## 原理\n\n热力学。\n\n## 价格\n\n不贵。\n")
    claim = {"text": "热泵把热量从室外搬进房子。", "lines": [2]}
    there = {"do": "add_claims", "page": "wiki/热泵", "section": "原理", "claims": [claim]}
    view = proposed(there, {**there, "section": "没有的"}, source="raw/泵")
    assert space.proposals.decide(view.id, accept=[1]).accepted == (1,)
    text = (root / "wiki/热泵.md").read_text()
    assert (
        "热力学。\n\n热泵把热量从室外搬进房子。 [^s1]\n\n[^s1]: [[raw/泵]] line 3\n\n## 价格"
        in text
    )


def test_more_claims_go_below_the_same_heading_with_other_labels(space, root, proposed):
    space.proposals.decide(proposed(CLAIMS).id, accept=[1])
    more = {**CLAIMS, "claims": [{**ENERGY, "lines": [3, 4, 5]}]}
    space.proposals.decide(proposed(more).id, accept=[1])
    text = (root / "wiki/school.md").read_text()
    assert text.count("## From sources") == 1
    assert "gas boiler. [^h2]\n\n[^h2]: [[raw/heat-pumps]] lines 4-5, 7\n" in text


def test_a_contradiction_is_noted_on_both_sides(space, root, proposed):
    before = files(root)
    view = proposed(AGAINST)
    done = space.proposals.decide(view.id, accept="all")
    assert done.accepted == (1,), done
    said = "The pump of the school was installed in 2019. [^h1]\n\n[^h1]: [[raw/heat-pumps]] line 4"
    school, boiler = ((root / f"wiki/{each}.md").read_text() for each in ("school", "boiler"))
    assert f"## Contradictions\n\n[[wiki/boiler]]: {said}" in school
    assert f"## Contradictions\n\n[[wiki/school]]: {said}" in boiler
    space.undo()
    assert files(root) == before


def test_a_message_is_cited_by_its_id(space, root, proposed, write_blocks):
    write_blocks(
        "--- sessions/talk.md ---\n---\ntype: session\n---\n\n"
        "### 2026-11-20T10:00:00Z user [name:: Anna] ^s-0001\nThe pump is loud at night.\n"
    )
    loud = {**CLAIMS, "claims": [{"text": "The pump is loud at night.", "lines": [1]}]}
    assert space.proposals.decide(proposed(loud, source="talk").id, accept=[1]).accepted
    assert "[^t1]: [[sessions/talk#^s-0001]]\n" in (root / "wiki/school.md").read_text()


@pytest.mark.parametrize("given", [PAGE, CLAIMS])
def test_a_claim_that_nothing_supports_is_set_aside_by_itself(space, root, proposed, given):
    view = proposed({**given, "claims": [*given["claims"], WRONG]})
    kept, left = view.operations
    assert (kept.do, kept.state) == (given["do"], "open")
    assert (left.do, left.state) == ("add_claims", "aside")
    assert left.values["claims"] == [WRONG["text"]] and "1997" in left.why
    space.proposals.decide(view.id, accept="all")
    assert not any(b"Siemens" in data for data in files(root).values())
    assert space.proposals.decide(view.id, accept=[2]).accepted == (2,)
    assert sum(b"Siemens" in data for data in files(root).values()) == 1


def test_each_claim_that_is_set_aside_has_its_own_reason_and_can_be_taken_alone(proposed):
    cold = {"text": "A heat pump moves heat out of a house into a lake.", "lines": [5]}
    view = proposed({**PAGE, "claims": [MOVES, WRONG, cold]}, source="raw/heat-pumps")
    assert [each.state for each in view.operations] == ["open", "aside", "aside"]
    assert view.operations[1].why.startswith("the number 1997 is")
    assert "1997" not in view.operations[2].why
    many = [{**CLAIMS, "claims": [WRONG] * 12}] * 3
    assert len(proposed(*many, source="raw/heat-pumps").operations) == 3  # too many to be parted


def test_a_title_with_what_the_source_does_not_say_is_aside(proposed):
    (made,) = proposed({**PAGE, "title": "Siemens 1997"}).operations
    assert made.state == "aside"


def test_other_words_of_a_person_keep_the_lines(space, root, proposed):
    view = proposed({**CLAIMS, "claims": [{**WRONG, "lines": [3]}]})
    space.proposals.edit(view.id, 1, "Its pump is of 2019.")
    assert space.proposals.decide(view.id, accept=[1]).accepted == (1,)
    assert "Its pump is of 2019. [^h1]" in (root / "wiki/school.md").read_text()


@pytest.mark.parametrize("name", ["No such page", "../wiki/school", "/etc/passwd"])
def test_a_page_that_is_not_there_cannot_be_named(proposed, name):
    with pytest.raises(MemwikiError):
        proposed({**CLAIMS, "page": name})


@pytest.mark.parametrize("name", ["AGENTS.md", "raw/heat-pumps", "memory.md"])
def test_what_agents_leave_alone_and_what_holds_memories_takes_no_claims(
    space, root, proposed, name
):
    before = files(root)
    view = proposed({**CLAIMS, "page": name}, {**AGAINST, "against": name})
    assert space.proposals.decide(view.id, accept=[1, 2]).accepted == ()
    assert files(root) == before


@pytest.mark.parametrize(
    ("title", "state"),
    [("Facts on heat pumps", "open"), ("Siemens", "aside"), ("Facts on Siemens", "aside")],
)
def test_the_first_word_of_a_title_is_no_name_by_itself(proposed, title, state):
    (made,) = proposed({**PAGE, "title": title}).operations
    assert made.state == state, made.why


@pytest.mark.parametrize("title", ["School", "school"])
def test_a_page_that_is_called_so_is_not_made_again(space, root, proposed, title):
    before = files(root)
    view = proposed({**PAGE, "title": title})
    assert space.proposals.decide(view.id, accept=[1]).accepted == ()
    assert files(root) == before


def test_a_title_is_no_path(space, root, proposed):
    titles = ("../../etc/passwd", "memwiki.toml", ".memwiki/x", "raw/x.md", "CON", "a/b.md")
    view = proposed(*({**PAGE, "title": title} for title in titles))
    for n in range(1, len(titles) + 1):
        before = files(root)
        if space.proposals.decide(view.id, accept=[n]).accepted:
            (new,) = files(root).keys() - before.keys()
            assert new.parent == root / "wiki/concepts"


def test_two_of_one_title_are_one_page(space, proposed):
    view = proposed(PAGE, PAGE)
    done = space.proposals.decide(view.id, accept="all")
    assert done.accepted == (1,), done


def test_nothing_rests_on_claims_and_generated_pages(space, root, proposed):
    space.proposals.decide(proposed(PAGE, CLAIMS).id, accept="all")
    assert "2019" not in "\n".join(space.proposals.lines("School").lines)
    with pytest.raises(MemwikiError, match="was generated"):
        space.proposals.lines("Heat pumps")


def test_a_source_that_says_something_else_makes_it_stale(space, root, proposed):
    view = proposed(PAGE, CLAIMS)
    raw = root / "raw/heat-pumps.md"
    raw.write_text(raw.read_text().replace("2019", "2020"))
    done = space.proposals.decide(view.id, accept="all")
    assert done.accepted == (1,), done


def test_what_grew_is_the_page_and_the_addition(space, root, proposed):
    path = root / "wiki/school.md"
    before = outline_of("wiki/school.md", path.read_bytes(), space.config.layers)
    problems = {(p.path, p.code) for p in space.check.run().problems}
    space.proposals.decide(proposed(CLAIMS, AGAINST).id, accept="all")
    after = outline_of("wiki/school.md", path.read_bytes(), space.config.layers)
    assert [s.title for s in after.sections] == [
        *(s.title for s in before.sections),
        "From sources",
        "Contradictions",
    ]
    assert {(p.path, p.code) for p in space.check.run().problems} <= problems


def test_too_many_claims_are_refused(proposed):
    with pytest.raises(UsageError, match="more than 12 claims"):
        proposed({**PAGE, "claims": [MOVES] * 13})


def test_words_that_could_be_more_are_words_alone(space, root, proposed):
    evil = "# A heat pump ![[memory]] <b>moves</b> heat [^9] [x](http://a.b) into a house #tag ^id"
    view = proposed({**CLAIMS, "claims": [{"text": evil, "lines": [2]}]})
    space.proposals.decide(view.id, accept=[1])
    text = (root / "wiki/school.md").read_text()
    for each in ("![[", "<b>", "[^9]", "](http", "#tag", "^id", "\n# A heat"):
        assert each not in text
    assert "A heat pump memory" in text


def test_a_planted_proposal_writes_no_footnote_of_its_own(space, root, proposed):
    view = proposed(CLAIMS)
    path = root / ".memwiki/proposals" / f"{view.id}.json"
    path.write_text(path.read_text().replace('"id": ""', '"id": "x]] [[memory"'))
    space.proposals.decide(view.id, accept=[1])
    assert "[[memory" not in (root / "wiki/school.md").read_text()


def test_agents_propose_a_claim_a_row(space):
    settings = door_settings(space.config, DoorFlags(profile="full"))
    rows = [
        {"do": "page", "page": "Heat pumps", "text": MOVES["text"], "lines": ["2"]},
        {"do": "page", "page": "Heat pumps", "text": ENERGY["text"], "lines": ["4"]},
        {"do": "claim", "page": "School", "text": AGAINST["text"], "lines": ["3"]},
        {**AGAINST, "do": "contradiction", "lines": ["3"]},
    ]
    asked = {"source": "raw/heat-pumps", "operations": rows}
    answer = call(space.public(), "propose", asked, settings=settings)
    assert not answer.is_error, answer.text
    (row,) = space.proposals.list().proposals
    view = space.proposals.get(row.id)
    assert [each.do for each in view.operations] == ["add_page", "add_claims", "note_contradiction"]
    assert view.operations[0].values["claims"] == [MOVES["text"], ENERGY["text"]]
    assert space.public().proposals.list().total == 1
    assert space.proposals.decide(row.id, accept="all").accepted == (1, 2, 3)


def test_an_unknown_source_is_an_error(proposed):
    with pytest.raises(NotFoundError):
        proposed(PAGE, source="raw/nothing")
