"""The block between the markers, and everything around it that is never touched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.catalog import block
from memwiki.catalog.block import (
    END,
    fill_block,
    fresh,
    is_bare,
    is_ours,
    is_titled,
    shape_of,
    with_block,
)
from memwiki.markdown.syntax import CATALOG_BEGIN
from tests.effort import for_each

OLD = f"{CATALOG_BEGIN}\nold\n{END}\n"
LINES = ["1 page.", "- [A](a.md)"]
NEW = f"{CATALOG_BEGIN}\n1 page.\n- [A](a.md)\n{END}\n"
CONFLICT = "<<<<<<< HEAD\n- [B](b.md)\n=======\n- [C](c.md)\n>>>>>>> other\n"


@for_each(
    ("before", "after"),
    [
        (OLD, NEW),
        (f"# Mine\n\n{OLD}\nbelow", f"# Mine\n\n{NEW}\nbelow"),
        (OLD.rstrip("\n"), NEW.rstrip("\n")),
        (f"\ufeff{OLD}", f"\ufeff{NEW}"),
        (OLD.replace("\n", "\r\n"), NEW.replace("\n", "\r\n")),
        (f"{CATALOG_BEGIN}\n{CONFLICT}{END}\n", NEW),
        (f"a\n{OLD}b\n{OLD}c\n", f"a\n{NEW}b\nc\n"),
        (f"```\n{OLD}```\n{OLD}", f"```\n{OLD}```\n{NEW}"),
        (f"{CATALOG_BEGIN}\n{CATALOG_BEGIN}\nold\n{END}\n", f"{CATALOG_BEGIN}\n{NEW}"),
    ],
)
def test_only_the_block_changes(before, after):
    assert fill_block(before, LINES) == after
    assert fill_block(after, LINES) == after


@for_each(
    "text",
    [
        "",
        "# Mine\n",
        CATALOG_BEGIN,
        f"{CATALOG_BEGIN}\nno end\n",
        f"{END}\n{CATALOG_BEGIN}\n",
        f"```\n{OLD}```\n",
        f"`{CATALOG_BEGIN}`\n",
    ],
)
def test_a_file_without_a_whole_block_is_not_ours(text):
    assert not is_ours(text)


def test_what_a_merge_left_outside_of_the_block_is_named_and_kept():
    text = f"<<<<<<< HEAD\nmine\n=======\nyours\n>>>>>>> other\n{OLD}{END}\n"
    after = fill_block(text, LINES)
    assert after == text.replace(OLD, NEW)
    assert [(line, what.split()[1]) for line, what in shape_of(after).problems] == [
        (1, "conflict"),
        (3, "conflict"),
        (5, "conflict"),
        (10, "marker"),
    ]


def test_text_between_two_begins_is_not_taken_for_the_block():
    text = (
        f"<<<<<<< HEAD\nmine\n{CATALOG_BEGIN}\n=======\nyours\n{CATALOG_BEGIN}\n>>>>>>> "
        f"other\nold\n{END}\n"
    )
    after = fill_block(text, LINES)
    assert "mine\n" in after
    assert "yours\n" in after


@pytest.mark.parametrize(
    ("is_shard", "start"), [(False, CATALOG_BEGIN), (True, "---\ntype: index\n---\n")]
)
def test_a_new_file_holds_the_block_alone(is_shard, start):
    text = fresh(LINES, is_shard=is_shard)
    assert text.startswith(start)
    assert is_bare(text)
    assert fill_block(text, LINES) == text


@for_each("text", [f"x\n{OLD}", f"{OLD}x", f"---\ntype: index\nmine: 1\n---\n{OLD}"])
def test_a_file_with_a_word_of_people_is_not_bare(text):
    assert not is_bare(text)


@for_each("own", ["", "# Mine", "# Mine\n", "# Mine\r\n\r\nx\r\n"])
def test_an_adopted_file_keeps_every_byte_and_ends_in_the_block(own):
    after = with_block(own, LINES)
    assert after.startswith(own)
    assert is_ours(after)
    assert fill_block(after, LINES) == after


PIECES = st.sampled_from(
    [
        "text\n",
        CATALOG_BEGIN + "\n",
        END + "\n",
        "\n",
        "```\n",
        "<<<<<<< a\n",
        "=======\n",
        "x",
        "\r\n",
        "    code\n",
        "- [A](a.md)\n",
    ]
)


@given(st.lists(PIECES, max_size=14).map("".join))
def test_filling_is_idempotent_and_keeps_what_is_outside(text):
    if not is_ours(text):
        return
    before, after = shape_of(text), fill_block(text, LINES)
    assert shape_of(after).outside == before.outside
    assert fill_block(after, LINES) == after
    assert len(shape_of(after).blocks) == 1


def test_a_file_whose_code_cannot_be_told_from_text_is_not_ours(monkeypatch):
    def broken(lines):
        raise IndexError("x")

    monkeypatch.delenv("MEMWIKI_DEBUG")
    monkeypatch.setattr(block, "scan", broken)
    assert not block.is_ours(f"{block.CATALOG_BEGIN}\n{block.END}\n\n```\ncode\n```\n")


@for_each(
    ("around", "has"),
    [
        ("", False),
        ("# Mine\n", True),
        ("\ufeff# Mine\r\n", True),
        ("Mine\n====\n", True),
        ("Words.\n\n## Mine\n", False),
        ("---\n# a comment\ntags: x\n---\n", False),
        ("---\ntags: x\n---\n# Mine\n", True),
        ("```\n# code\n```\n", False),
        ("<<<<<<< HEAD\nwords\n=======\nothers\n>>>>>>> other\n", False),
        ("<<<<<<< HEAD\n# Mine\n=======\n# Yours\n>>>>>>> other\n", True),
    ],
)
@for_each("is_below", [False, True])
def test_a_title_is_one_that_people_wrote_around_the_block(around, has, is_below):
    titled = OLD.replace("old", "# Index")
    text = (
        f"{titled}\n{around}"
        if is_below and not around.startswith(("---", "\ufeff"))
        else around + titled
    )
    assert is_titled(text) == has


@given(st.text(st.sampled_from("#= \n\r`-<a\ud800"), max_size=60))
def test_any_text_has_a_title_or_none(text):
    assert is_titled(text + OLD) in (True, False)
