"""Pages linked and unlinked in their front matter, plainly and by typed relations."""

import pytest

from memwiki.errors import AmbiguousError, NotEditableError, NotFoundError, UsageError

OTHERS = {"wiki/water.md": "# Water\n", "x/leaf.md": "# Leaf\n", "y/leaf.md": "# Leaf\n"}


@pytest.fixture
def page(put, opened, root):
    """Write the page `wiki/tea.md` with its neighbours, call a verb on it, give its text."""

    def run(before, verb, target, **named):
        for path, text in {**OTHERS, "wiki/tea.md": before}.items():
            put(path, text)
        run.ws = opened()
        run.answer = getattr(run.ws.pages, verb)("wiki/tea.md", target, **named)
        return (root / "wiki/tea.md").read_bytes().decode()

    return run


def head(*lines):
    return "\n".join(["---", *lines, "---", "text", ""])


RELATION = {"relation": "needs"}
WEIGHED = {"relation": "needs", "weight": 0.5}


@pytest.mark.parametrize(
    ("lines", "named", "after"),
    [
        ([], {}, ["related:", '  - "[[water]]"']),
        (["tags: [a]"], {}, ["tags: [a]", 'related: ["[[water]]"]']),
        (["tags:", "- a"], {}, ["tags:", "- a", "related:", '  - "[[water]]"']),
        (["related:"], {}, ['related: ["[[water]]"]']),
        (["related: []"], {}, ['related: ["[[water]]"]']),
        (
            ["related:", "- '[[x/leaf]]' # c"],
            {},
            ["related:", "- '[[x/leaf]]' # c", "- '[[water]]'"],
        ),
        (["related: [x/leaf]"], {}, ["related: [x/leaf, water]"]),
        (["see_also:", "  - x/leaf"], {}, ["see_also:", "  - x/leaf", "  - water"]),
        (['related: "[[x/leaf]]"'], {}, ['related: "[[x/leaf]], [[water]]"']),
        (["related: x/leaf # c"], {}, ["related: [x/leaf, water] # c"]),
        (["related: [[x/leaf]]"], {}, ['related: [[[x/leaf]], "[[water]]"]']),
        (
            ["related: [[[x/leaf]], [[y/leaf]]]"],
            {},
            ['related: [[[x/leaf]], [[y/leaf]], "[[water]]"]'],
        ),
        ([], RELATION, ["relations:", "  - {type: needs, target: water}"]),
        ([], WEIGHED, ["relations:", "  - {type: needs, target: water, weight: 0.5}"]),
        (["tags: [a]"], RELATION, ["tags: [a]", "relations: [{type: needs, target: water}]"]),
        (
            ["relations:", "  - type: uses", "    target: x/leaf # c", "z: 1"],
            WEIGHED,
            [
                "relations:",
                "  - type: uses",
                "    target: x/leaf # c",
                "  - type: needs",
                "    target: water",
                "    weight: 0.5",
                "z: 1",
            ],
        ),
        (
            ["relations: [{type: uses, target: '[[x/leaf]]'}]"],
            RELATION,
            [
                "relations: [{type: uses, target: '[[x/leaf]]'}, {type: needs, target: "
                '"[[water]]"}]'
            ],
        ),
    ],
)
def test_a_link_is_written_in_the_style_of_the_page(page, lines, named, after):
    before = head(*lines) if lines else "text\n"
    assert page(before, "link", "Water", **named) == head(*after)
    (row,) = [r for r in page.ws.graph.links("wiki/tea.md").links if r.target == "wiki/water.md"]
    assert row.relation == named.get("relation", "")
    assert row.weight == named.get("weight", 1.0)


@pytest.mark.parametrize(("target", "name"), [("x/leaf.md", "x/leaf"), ("wiki/water.md", "water")])
def test_the_shortest_name_that_leads_there_is_written(page, target, name):
    assert f'- "[[{name}]]"' in page("text\n", "link", target)


@pytest.mark.parametrize(
    ("before", "named"),
    [
        (head('related: ["[[Water]]"]'), {}),
        (head("see_also: wiki/water.md"), {}),
        (head("relations: [{type: Needs, target: water}]"), RELATION),
        (head("needs: '[[water]]'"), RELATION),
        ("- needs [[Water]]\n", RELATION),
        ("needs:: [[Water]]\n", RELATION),
    ],
)
def test_a_link_that_is_there_is_no_change(page, before, named):
    assert page(before, "link", "Water", **named) == before
    assert page.answer.paths == ()
    assert "links wiki/water.md" in page.answer.notes[0]
    assert page.answer.notes[0].endswith("already")


def test_a_relation_takes_another_weight(page):
    before = head(
        "relations:", "  - {type: needs, target: water, weight: 0.2}", "  - {type: a, target: b}"
    )
    after = head(
        "relations:", "  - {type: a, target: b}", "  - {type: needs, target: water, weight: 0.5}"
    )
    assert page(before, "link", "Water", **WEIGHED) == after


@pytest.mark.parametrize(
    ("before", "named", "after"),
    [
        (head('related: ["[[water]]", "[[x/leaf]]"]'), {}, head('related: ["[[x/leaf]]"]')),
        (
            head("related:", "- x/leaf # c", "- water", "z: 1"),
            {},
            head("related:", "- x/leaf # c", "z: 1"),
        ),
        (head("a: 1", 'related: ["[[water]]"]'), {}, head("a: 1")),
        (head("a: 1", "related: water # c"), {}, head("a: 1")),
        (head("a: 1", "related: [[water]]"), {}, head("a: 1")),
        (
            head(
                "relations:", "- type: needs", "  target: water", "- type: uses", "  target: water"
            ),
            RELATION,
            head("relations:", "- type: uses", "  target: water"),
        ),
        (head("a: 1", "needs: ['[[Water]]']"), RELATION, head("a: 1")),
        (
            "a\n- needs [[Water]] (since 2024)\n- needs [[x/leaf]]\n",
            RELATION,
            "a\n- needs [[x/leaf]]\n",
        ),
        ("a\r\nneeds:: [[Water]]\r\nb", RELATION, "a\r\nb"),
    ],
)
def test_an_unlink_removes_that_link_only(page, before, named, after):
    assert page(before, "unlink", "Water", **named) == after
    assert page.answer.notes == ()


def test_links_in_sentences_stay_and_are_named(page):
    before = head('related: ["[[water]]"]') + "hot [[water]]\n"
    assert page(before, "unlink", "Water") == "---\n---\ntext\nhot [[water]]\n"
    assert page.answer.notes == ("wiki/tea.md:5 still links wiki/water.md",)


@pytest.mark.parametrize(
    ("before", "named", "says"),
    [
        ("needs:: [[Water]] and more\n", RELATION, "line 1"),
        ("- needs [[Water]], [[x/leaf]]\n", RELATION, "line 1"),
        ("- needs [[Water]]\n  - why\n", RELATION, "line 1"),
        ("hot [[Water]]\n", {}, "line 1"),
        (head('related: "[[water]], [[x/leaf]]"'), {}, "line 2"),
        (head("relations: {needs: [water, x]}"), RELATION, "line 2"),
    ],
)
def test_what_only_a_person_can_unlink_is_refused(page, before, named, says):
    with pytest.raises(NotEditableError, match=says):
        page(before, "unlink", "Water", **named)


def test_a_typed_relation_is_unlinked_by_its_type_only(page):
    with pytest.raises(UsageError, match="as needs") as caught:
        page(head("relations: [{type: needs, target: water}]"), "unlink", "Water")
    assert "--relation needs" in caught.value.hint


def test_no_link_at_all_is_not_found(page):
    with pytest.raises(NotFoundError):
        page("text\n", "unlink", "Water")


def test_an_ambiguous_end_is_refused(page):
    with pytest.raises(AmbiguousError):
        page("text\n", "link", "leaf")


@pytest.mark.parametrize(
    "named",
    [{"relation": "a: b"}, {"weight": 0.5}, {"relation": "a", "weight": 1.5}],
)
def test_an_impossible_relation_is_a_usage_error(page, named):
    with pytest.raises(UsageError):
        page("text\n", "link", "Water", **named)


def test_a_page_is_not_linked_to_itself(page):
    with pytest.raises(UsageError):
        page("text\n", "link", "Tea")


def test_linking_and_unlinking_restores_every_byte(page, root):
    before = "\ufeff---\r\na: 1 # c\r\n---\r\ntext"
    page(before, "link", "Water", **WEIGHED)
    page.ws.pages.unlink("wiki/tea.md", "Water", relation="needs")
    assert (root / "wiki/tea.md").read_bytes().decode() == before
