"""The cards say which pages were written since they were last asked."""

from __future__ import annotations

import pytest

from memwiki.index.cards import store


@pytest.fixture
def held(cards, puts):
    cards.apply(puts({"heron.md": "# Heron\n", "stork.md": "# Stork\n"}), [])
    return cards


def written(cards, since):
    found = cards.written_after(since)
    return found.paths, found.is_complete


def test_nothing_was_written_since_the_last_write(held):
    assert written(held, held.last_written()) == ((), True)
    assert held.written_after(held.last_written()).last == held.last_written()


def test_pages_that_come_change_and_go_are_named(held, puts):
    since = held.last_written()
    held.apply(puts({"heron.md": "# Grey\n", "ibis.md": "# Ibis\n"}), ["stork.md", "nowhere.md"])
    assert written(held, since) == (("heron.md", "ibis.md", "stork.md"), True)


def test_a_file_that_says_again_what_it_said_was_written(held):
    since = held.last_written()
    held.remember({"heron.md": ((1, 2, 1, 1), False), "stork.md": ((1, 1, 2, 1), True)})
    assert written(held, since) == (("heron.md", "stork.md"), True)


def test_a_signature_that_became_proof_is_no_write(held):
    since = held.last_written()
    held.remember({"heron.md": ((1, 1, 1, 1), True)})
    assert written(held, since) == ((), True)
    assert held.known(["heron.md"])["heron.md"][2]


def test_of_more_than_are_kept_only_the_last_are_named_and_that_is_said(held, puts, monkeypatch):
    monkeypatch.setattr(store, "_MAX_WRITTEN", 3)
    since = held.last_written()
    for number in range(3):
        held.apply(puts({f"{number}.md": "# One\n"}), [])
    assert written(held, since) == (("0.md", "1.md", "2.md"), True)
    held.apply(puts({"3.md": "# One\n"}), [])
    assert written(held, since) == (("1.md", "2.md", "3.md"), False)
    held.remember({f"{number}.md": ((1, 2, 1, 1), False) for number in range(4)})
    assert len(held.db.execute("select * from written").fetchall()) == 3


def test_after_scrubbing_no_name_of_a_page_is_left_and_any_may_have_been_written(held):
    since = held.last_written()
    held.apply([], ["stork.md"])
    held.scrub()
    assert not any("stork" in str(row) for row in held.db.execute("select * from written"))
    assert written(held, since) == ((), False)
    assert written(held, held.last_written()) == ((), True)
