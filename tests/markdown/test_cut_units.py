"""Pages are cut into units of bounded size that together hold every line once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.markdown.parse import parse
from memwiki.markdown.units import MAX_LINE, TARGET_WEIGHT
from memwiki.nouns import Layers, UnitKind


def test_small_sections_share_a_block_and_big_ones_are_cut_at_headings(read):
    page = read("# T\n\n" + "".join(f"## S{i}\n\n{'word ' * 100}\n\n" for i in range(6)))
    assert [unit.section for unit in page.units] == ["T", "T > S2", "T > S4"]
    assert [unit.line_start for unit in page.units] == [1, 11, 19]
    assert all(len(unit.text) <= TARGET_WEIGHT for unit in page.units)


def test_a_long_section_is_cut_at_blank_lines_then_lines_then_characters(read):
    paragraphs = "\n\n".join("word " * 140 for _ in range(4))
    assert len(read(f"# T\n\n{paragraphs}").units) == 2
    assert len(read("\n".join("word " * 40 for _ in range(40))).units) == 6
    units = read("x" * 2 * MAX_LINE + "y").units
    assert [(len(u.text), u.line_start, u.line_end) for u in units] == [
        (MAX_LINE, 1, 1),
        (MAX_LINE, 1, 1),
        (1, 1, 1),
    ]


def test_chinese_characters_count_double(read):
    text = "\n\n".join(["字" * 500] * 3)
    assert len(read(text).units) == 3
    assert len(read(text.replace("字", "a")).units) == 2


def test_the_title_is_on_every_unit_and_the_other_names_on_the_first(read):
    page = read(
        "---\ntitle: My title\naliases: [Other]\nid: P-1\ntags: [x, y]\ndescription: About it.\n"
        "owner: {name: Ann}\n---\n" + "# A\n\n" + "word " * 250 + "\n\n# B\n\n" + "word " * 250
    )
    first, second = page.units
    assert first.names.split("\n") == [
        "My title",
        "page",
        "A",
        "Other",
        "P-1",
        "x y",
        "About it.",
        "Ann",
    ]
    assert second.names == "My title"


def test_a_page_without_text_is_found_by_its_names(read):
    (unit,) = read("---\ntitle: Only a title\n---\n").units
    assert (unit.text, unit.names) == ("", "Only a title\npage")
    (unit,) = read("", "wiki/Empty Note.md").units
    assert unit.names == "Empty Note"


def test_an_entry_is_one_unit_with_its_heading_as_name(read):
    page = read("# Memory\n\n## Facts\n\n- One. #a [k:: v] ^m-1\n- Two.\n\nProse.\n", "memory.md")
    one, two, prose = page.units
    assert (one.kind, one.type, one.id, one.tags) == (UnitKind.ENTRY, "fact", "m-1", ("a",))
    assert one.fields == {"k": "v"}
    assert two.names == "Facts"  # people ask about memory: each entry would be found
    assert (prose.kind, prose.text, prose.section) == (UnitKind.BLOCK, "Prose.", "Memory > Facts")


def test_a_bare_heading_above_entries_is_no_unit_of_its_own(read):
    page = read("# Memory\n\n## Facts\n\n- One.\n\n## Context\n\n- Two.\n", "memory.md")
    assert [unit.kind for unit in page.units] == [UnitKind.ENTRY, UnitKind.ENTRY]


def test_a_digest_covers_what_is_searched_and_not_where_it_stands(read):
    before = read("## Facts\n- One.\n- Two.\n", "memory.md").units
    after = read("## Facts\n- Zero.\n- One.\n- Two.\n", "memory.md").units
    assert after[-1].digest == before[-1].digest
    assert after[-1].line_start == before[-1].line_start + 1
    changed = read("## Facts\n- One.\n- Two. [k:: v]\n", "memory.md").units
    assert changed[-1].digest != before[-1].digest


@pytest.mark.parametrize("path", ["wiki/a.md", "memory.md", "sessions/a.md"])
@given(
    lines=st.lists(
        st.sampled_from(
            [
                "",
                "text",
                "# H",
                "## S",
                "- item",
                "  more",
                "```",
                "---",
                "### user",
                "x" * 900,
                "字" * 700,
                "<!--",
            ]
        ),
        max_size=25,
    )
)
def test_every_line_of_text_is_in_exactly_one_unit(path, lines):
    page = parse(path, "\n".join(lines).encode(), Layers(sessions="sessions"))
    held = [0] * (len(lines) + 2)
    for unit in page.units:
        for line in range(unit.line_start, unit.line_end + 1):
            held[line] += 1
    headings = {n for s in page.sections for n in range(s.line_start, s.line_start + 1)}
    body = range(page.front_matter.line_end + 1, len(lines) + 1)
    for number in body:
        text = lines[number - 1]
        if text.strip() and number not in headings and len(text) < MAX_LINE:
            assert held[number] == 1, (number, text)
        assert held[number] <= 1 or not any(lines)
