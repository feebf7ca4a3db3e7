"""The order of writing: what receives a text before what gives it, twice where two do both."""

from __future__ import annotations

import pytest

from memwiki.change.order import Order, in_order, with_additions
from memwiki.change.plan import Edit
from memwiki.digest import digest_if_any


def edit(path: str, base: str | None, data: str | None, was: str = "") -> Edit:
    old = None if base is None else base.encode()
    return Edit(path, digest_if_any(old), None if data is None else data.encode(), "", old, was)


def paths(order: Order) -> tuple[list[str], list[str]]:
    return [each.path for each in order.receiving], [each.path for each in order.giving]


def test_the_page_that_a_text_reaches_is_written_before_the_one_it_leaves():
    edits = [edit("a", "- tea\n- sea\n", "- sea\n"), edit("b", "- sky\n", "- sky\n- tea\n")]
    assert paths(in_order(edits)) == (["b"], ["a"])


def test_a_text_that_takes_another_form_on_its_way_is_known_by_its_words():
    edits = [
        edit("inbox", "- Rule 1 holds. [status:: staged] ^m-1\n", ""),
        edit("memory", "", "- Rule 1 holds. [from:: inbox] ^m-1\n"),
    ]
    assert paths(in_order(edits)) == (["memory"], ["inbox"])


def test_two_that_give_to_each_other_are_written_twice():
    one, two = edit("a", "- tea\n- x\n", "- sea\n- x\n"), edit("b", "- sea\n- y\n", "- tea\n- y\n")
    order = in_order([one, two])
    assert paths(order) == (["a", "b"], ["a", "b"])
    assert [each.data for each in order.receiving] == [
        b"- tea\n- sea\n- x\n",
        b"- sea\n- tea\n- y\n",
    ]
    assert [each.data for each in order.giving] == [one.data, two.data]
    assert [each.base for each in order.giving] == [each.data for each in order.receiving]


def test_new_files_are_made_first_and_old_ones_deleted_last():
    edits = [
        edit("old", "x\n", None),
        edit("other", "[[old]]\n", "[[new]]\n"),
        edit("new", None, "x"),
    ]
    assert paths(in_order(edits)) == (["other", "new"], ["old"])


@pytest.mark.parametrize("name", ["health", "rest"])
def test_what_changes_in_place_is_written_once(name):
    edits = [
        edit(path, f"# {path}\n\n- one #{name}\n", f"# {path}\n\n- one #well\n") for path in "abc"
    ]
    assert paths(in_order(edits)) == (["a", "b", "c"], [])


def test_links_to_a_page_that_moves_are_rewritten_once():
    edits = [
        edit("new", None, "# Dream\n\nAn old dream of the night.\n", was="dream"),
        edit("a", "See [[dream]] here.\n", "See [[night/dream]] here.\n"),
        edit("b", "See [[dream]] there.\n", "See [[night/dream]] there.\n"),
        edit("dream", "# Dream\n\nAn old dream of the night.\n", None),
    ]
    assert paths(in_order(edits)) == (["new", "a", "b"], ["dream"])


def test_no_field_of_front_matter_is_there_twice_meanwhile():
    base, data = b"---\nlevel: 1\nkind: a\n---\n- tea\n", b"---\nlevel: 2\n---\n- sea\n"
    assert with_additions(base, data) == b"---\nkind: a\nlevel: 2\n---\n- tea\n- sea\n"


def test_a_line_that_others_want_as_it_was_stays_meanwhile():
    edits = [
        edit("a", "- the big house 1\n", "- the big house 2\n"),
        edit("b", "- the big house 2\n", "- the big house 1\n"),
    ]
    assert [each.data for each in in_order(edits).receiving] == [
        b"- the big house 1\n- the big house 2\n",
        b"- the big house 2\n- the big house 1\n",
    ]
