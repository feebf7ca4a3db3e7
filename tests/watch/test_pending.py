"""What is pending, and when it is due: pure, with the time as a number."""

from __future__ import annotations

import pytest

from memwiki.watch.pending import ChangeKind, Pending, WatchTiming


@pytest.fixture
def pending():
    return Pending(WatchTiming())


def test_nothing_is_due_when_nothing_was_heard(pending):
    assert pending.due() is None
    assert pending.take().paths == ()


def test_a_change_is_due_after_fifty_milliseconds_of_silence(pending):
    pending.add("a.md", ChangeKind.PAGE, 10.0)
    assert pending.due() == pytest.approx(10.05)
    pending.add("a.md", ChangeKind.PAGE, 10.04)
    assert pending.due() == pytest.approx(10.09)
    assert pending.take() == (("a.md",), False)
    assert pending.due() is None


def test_no_change_waits_longer_than_half_a_second(pending):
    for step in range(100):
        pending.add("a.md", ChangeKind.PAGE, 10.0 + step / 25)
    assert pending.due() == pytest.approx(10.5)


def test_while_many_paths_are_pending_the_silence_has_to_be_longer(pending):
    for number in range(101):
        pending.add(f"{number}.md", ChangeKind.PAGE, 10.0)
    assert pending.due() == pytest.approx(10.25)
    assert not pending.take().is_walk


def test_after_a_burst_everything_is_walked_and_little_is_remembered(pending):
    for number in range(100_000):
        pending.add(f"{number}.md", ChangeKind.PAGE, 10.0)
    batch = pending.take()
    assert batch.is_walk
    assert len(batch.paths) <= 500


def test_a_folder_or_a_loss_asks_for_a_walk(pending):
    pending.add("a.md", ChangeKind.PAGE, 10.0)
    pending.add_walk(10.01)
    assert pending.due() == pytest.approx(10.06)
    assert pending.take().is_walk
    assert not pending.take().is_walk


def test_other_files_wait_until_it_is_quiet(pending):
    pending.add("a.png", ChangeKind.OTHER, 10.0)
    assert pending.due() is None
    assert pending.quiet_due() == pytest.approx(12.1)
    pending.add("a.png", ChangeKind.OTHER, 11.0)
    assert pending.quiet_due() == pytest.approx(13.1)
    pending.walked()
    assert pending.quiet_due() is None


def test_what_is_told_before_the_sleep_ends_it_at_once(pending):
    """A sleep of an hour that is not one: the test hangs when the word is lost."""
    pending.add("a.md", ChangeKind.PAGE, 10.0)
    pending.wait(3600)
    pending.wake()
    pending.wait(3600)
    pending.wait(0)
