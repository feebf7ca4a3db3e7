"""Entries of collecting pages: an item, or a lowest heading with prose, is one memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.markdown.scanner import scan
from memwiki.markdown.structure import parsed_structure
from memwiki.nouns import Layers


@pytest.fixture
def entries(read):
    def read_entries(text, path="memory.md"):
        return read(text, path).entries

    return read_entries


def test_a_line_carries_type_text_tags_fields_and_id(entries):
    (entry,) = entries(
        """\
        ## Preferences
        - Slides use blue. #design [importance:: 0.8] [created:: 2026-01-09] ^m-7k2f9a
        """
    )
    assert entry.type == "preference"
    assert entry.text == "Slides use blue. #design"
    assert entry.tags == ("design",)
    assert entry.fields == {"importance": "0.8", "created": "2026-01-09"}
    assert entry.id == "m-7k2f9a"
    assert entry.section == "Preferences"
    assert (entry.line_start, entry.line_end) == (2, 2)
    assert not entry.is_superseded


def test_code_before_a_field_is_part_of_the_text(entries):
    (entry,) = entries("- Run `make` [importance:: 0.8] and `x` [key:: a] ^m-7k2f9a\n")
    assert entry.text == "Run `make` and `x`"
    assert entry.fields == {"importance": "0.8", "key": "a"}


@pytest.mark.parametrize(
    ("heading", "type_"),
    [
        ("Preferences", "preference"),
        ("Fact", "fact"),
        ("## 偏好", "preference"),
        ("🔥 Lessons", "lesson"),
        ("经验", "lesson"),
        ("Other", "fact"),
    ],
)
def test_the_nearest_heading_gives_the_type(entries, heading, type_):
    (entry,) = entries(f"# Memory\n\n## {heading.removeprefix('## ')}\n\n- text\n")
    assert entry.type == type_


def test_an_outer_heading_gives_the_type_when_the_inner_one_is_none(entries):
    (entry,) = entries("## Decisions\n\n### Tools\n\n- Use uv.\n")
    assert entry.type == "decision"


@pytest.mark.parametrize(
    ("path", "type_"),
    [
        ("memory.md", "fact"),
        ("Learnings.md", "lesson"),
        ("daily/2026-01-01.md", "event"),
        ("inbox/x.md", "fact"),
        ("namespaces/n/learnings.md", "lesson"),
    ],
)
def test_a_file_has_a_default_type(entries, path, type_):
    (entry,) = entries("- text\n", path)
    assert entry.type == type_


def test_a_leading_word_in_brackets_is_the_type(entries):
    assert [e.type for e in entries("- [Opinion] Good.\n- [note]no\n- [x1](a.md) link\n")] == [
        "opinion",
        "fact",
        "fact",
    ]


def test_a_leading_word_that_is_a_defined_reference_is_no_type(entries):
    (entry,) = entries("- [site] is good\n\n[site]: https://x.org\n")
    assert (entry.type, entry.text) == ("fact", "[site] is good")


def test_tasks_rules_and_empty_items_are_no_entries(entries):
    assert entries("- [ ] do\n- [x] done\n- [X] done\n-\n\n- - -\n\n* * *\n") == ()


def test_items_in_code_are_no_entries(entries):
    assert entries("```\n- no\n```\n\n    - no\n\n<!--\n- no\n-->\n") == ()


def test_a_struck_entry_is_superseded(entries):
    first, second, third = entries(
        """\
        - ~~Prefers tabs.~~ [superseded_by:: m-8x1c0d] [valid_to:: 2026-08-01] ^m-1a2b3c
        - ~~[fact] Old.~~ #tag
        - ~~half~~ of it
        """
    )
    assert (first.text, first.is_superseded, first.id) == ("Prefers tabs.", True, "m-1a2b3c")
    assert (second.text, second.type, second.is_superseded) == ("Old. #tag", "fact", True)
    assert (third.text, third.is_superseded) == ("~~half~~ of it", False)


def test_an_entry_replaced_by_another_is_superseded_without_strikes(entries):
    (entry,) = entries("- Old. [superseded_by:: m-8x1c0d]\n")
    assert entry.is_superseded


def test_continuation_lines_and_nested_lists_belong_to_the_item(entries):
    first, second = entries(
        """\
        - Release steps
        goes on
          - build
            - test

          more text

          ```
          - code
          ```
        1. Second
        """
    )
    assert (
        first.text == "Release steps\ngoes on\n- build\n  - test\n\nmore text\n\n```\n- code\n```"
    )
    assert (first.line_start, first.line_end) == (1, 10)
    assert second.text == "Second"


def test_indented_field_lines_are_fields(entries):
    (entry,) = entries(
        "- Anna leads Atlas.\n  - Subject:: Anna\n  - object:: [[Atlas]]\n  - a detail\n"
    )
    assert entry.fields == {"subject": "Anna", "object": "[[Atlas]]"}
    assert entry.text == "Anna leads Atlas.\n- a detail"


def test_a_field_may_hold_a_wikilink_and_repeats_are_joined(entries):
    (entry,) = entries("- x [source:: [[A]]] [source:: b.md]\n")
    assert entry.fields == {"source": "[[A]], b.md"}
    assert entry.text == "x"


def test_fields_and_ids_in_code_are_text(entries):
    (entry,) = entries("- write `[key:: value]` and `^m-abc`\n")
    assert entry.fields == {}
    assert entry.id == ""


def test_a_lowest_heading_with_prose_is_one_entry(entries):
    first, second, third = entries(
        """\
        # Learnings

        What was learned.

        ## [2026-09-01] lesson | Check the lock
        It was stale.

        - a detail

        ### LRN-20260901-001 Retry
        Twice is enough.

        ## Plain title

        Some prose.
        """,
        "learnings.md",
    )
    assert (first.type, first.fields, first.line_start) == ("lesson", {}, 8)
    assert (second.text, second.section) == (
        "LRN-20260901-001 Retry\nTwice is enough.",
        "Learnings > [2026-09-01] lesson | Check the lock > LRN-20260901-001 Retry",
    )
    assert third.text == "Plain title\nSome prose."


def test_a_dated_heading_gives_type_and_date(entries):
    (entry,) = entries("## [2026-09-01] lesson | Check\n\nStale.\n\n- detail\n", "daily/x.md")
    assert (entry.type, entry.fields) == ("lesson", {"created": "2026-09-01"})
    assert entry.text == "Check\nStale.\n\n- detail"
    assert (entry.line_start, entry.line_end) == (1, 5)


def test_prose_above_a_list_is_no_entry(entries):
    assert [e.text for e in entries("## Tools\n\nWhat we use.\n\n- uv\n- ruff\n")] == ["uv", "ruff"]


def test_lists_elsewhere_are_no_entries(read):
    assert read("- a\n- b\n", "wiki/page.md").entries == ()
    assert read("- a\n", "daily/x.md", Layers()).entries == ()


def test_a_page_of_type_memory_or_with_an_entry_id_is_collecting(read):
    assert len(read("---\ntype: Memory\n---\n- a\n").entries) == 1
    assert len(read("- a\n- b ^m-7k2f9a\n").entries) == 2


def test_a_page_that_only_shows_an_entry_id_in_code_collects_nothing(read):
    assert read("- a\n\n```\n- b ^m-7k2f9a\n```\n").entries == ()
    assert read("- a\n- write `x ^m-7k2f9a`\n").entries == ()


def test_crlf_and_no_final_newline_read_the_same(read):
    text = "## Facts\n- a [x:: 1] ^m-1\n  more\n- b"
    assert read(text, "memory.md").entries == read(text.replace("\n", "\r\n"), "memory.md").entries


_LINES = st.sampled_from(
    [
        "",
        "",
        "- a",
        "- b",
        "* c",
        "1. one",
        "2) two",
        "  text",
        "    deep",
        "text",
        "  - nest",
        "# H",
        "---",
        "- [ ] t",
        "> q",
        "   - x",
    ]
)


@given(st.lists(_LINES, max_size=10))
def test_items_are_those_of_markdown_it(lines):
    ours = scan(lines)
    if ours.is_certain:
        assert ours.items == parsed_structure(lines, 0).items


def test_markers_of_a_merge_conflict_are_part_of_no_entry(entries):
    ours = "- One.\n<<<<<<< HEAD\n- Two.\n||||||| base\n- Three.\n"
    found = entries(f"{ours}=======\n- Four.\n>>>>>>> x\n- Five.\n")
    assert [each.text for each in found] == ["One.", "Two.", "Three.", "Four.", "Five."]
    assert [each.line_end for each in found] == [1, 3, 5, 7, 9]
    (half,) = entries("- One.\n<<<<<<< HEAD\n=======\n")
    assert half.text == "One.\n<<<<<<< HEAD\n======="


@pytest.mark.parametrize(
    ("below", "text"),
    [
        ("  :LOGBOOK:\n  CLOCK: [2023-11-10 Fri 16:45:18]\n  :END:\n", "Call Bob"),
        ("  :LOGBOOK:\n  :END:\n  at noon\n", "Call Bob\nat noon"),
        ("  :LOGBOOK:\n  CLOCK: 1\n", "Call Bob\n:LOGBOOK:\nCLOCK: 1"),
        ("  :CLOCK:\n  :LOGBOOK:\n  x\n  :END:\n", "Call Bob\n:CLOCK:"),
        ("  :WARNING:\n  x\n  :END:\n", "Call Bob\n:WARNING:\nx\n:END:"),
        ("  ~~~\n  :LOGBOOK:\n  :END:\n  ~~~\n", "Call Bob\n~~~\n:LOGBOOK:\n:END:\n~~~"),
        (
            "  ```\n  :LOGBOOK:\n  :END:\n  ```\n",
            "Call Bob\n```\n:LOGBOOK:\n:END:\n```",
        ),
    ],
)
def test_a_drawer_is_no_text_of_an_entry(entries, below, text):
    (entry,) = entries(f"- Call Bob\n{below}")
    assert entry.text == text


def test_tasks_of_any_mark_and_properties_without_a_value_are_no_entries(entries):
    marks = "".join(f"- [{mark}] Water the fern.\n" for mark in " xX/><?!*-")
    assert entries(f"{marks}- Mood::\n- Mood:: \n") == ()
    kept = entries("- [D] Put off.\n- [事] 去看牙医。\n- Mood:: calm\n")
    assert [(each.type, each.text) for each in kept] == [
        ("fact", "[D] Put off."),
        ("事", "去看牙医。"),
        ("fact", "Mood:: calm"),
    ]
