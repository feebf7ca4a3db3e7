"""The curator by itself: once a day while somebody watches, and only where the workspace and its
user both say so."""

from __future__ import annotations

import json
from math import inf

import pytest

from memwiki.cli.main import main
from memwiki.clock import local_moment
from memwiki.config.models import user_models
from memwiki.errors import ConfigError, LockedError, ModelError, UsageError
from memwiki.proposals.triggers import run_lock
from memwiki.workspace.watching import watching_of
from tests.curation.test_curate import ABOUT, BECAUSE, ENDS, JOIN, MEMORY, RETIRE

REPLIES = [json.dumps(each) for each in (JOIN, ENDS, RETIRE, BECAUSE, ABOUT)]
AT = "21:00"
_DAY_NS = 1_795_600_000 * 10**9
_MINUTE_NS = 60 * 10**9


class TimeOfDay:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.ns = _DAY_NS
        self.set(12, 0)

    def set(self, hour: int, minute: int) -> None:
        now = local_moment(self.ns)
        minutes = (hour - now.hour) * 60 + minute - now.minute
        self.ns += minutes * _MINUTE_NS - now.second * 10**9

    def __call__(self) -> int:
        return self.ns


@pytest.fixture
def clock():
    return TimeOfDay()


@pytest.fixture
def workspace(triggered, clock):
    def make(at=AT, named=("curate",), more=""):
        return triggered(MEMORY, f'\n[curation]\nat = "{at}"\n{more}', named, clock)

    return make


@pytest.mark.parametrize(
    ("at", "named"), [("", ()), (AT, ()), ("", ("curate",)), (AT, ("session_end",))]
)
def test_nothing_is_curated_unless_the_workspace_and_its_user_want_it(workspace, clock, at, named):
    space = workspace(at, named)
    clock.set(22, 0)
    assert space.curation.seconds_until_run() == inf
    with pytest.raises(UsageError, match="nothing is curated by itself"):
        space.curation.curate_due()


def test_it_is_due_once_a_day_from_its_time_on(workspace, clock, answering):
    space = workspace()
    assert space.curation.seconds_until_run() == 9 * 3600
    with pytest.raises(UsageError, match="not due"):
        space.curation.curate_due()
    clock.set(22, 30)
    assert space.curation.seconds_until_run() == 0
    answering(*REPLIES)
    report = space.curation.curate_due()
    assert len(report.proposals) == 5 and not report.error
    assert all(each.decided == 0 for each in report.proposals)
    assert space.curation.seconds_until_run() == 22.5 * 3600
    assert space.index.status().upkeep.last.did == "5 proposals"
    clock.ns += 12 * 60 * _MINUTE_NS
    assert space.curation.seconds_until_run() == 10.5 * 3600


def test_what_fails_is_tried_after_1_5_and_30_minutes(workspace, clock):
    space = workspace()
    clock.set(21, 0)
    for minutes in (1, 5, 30):
        with pytest.raises(ModelError):
            space.curation.curate_due()
        assert "no model is set" in space.index.status().upkeep.last.error
        assert space.curation.seconds_until_run() == minutes * 60
        clock.ns += minutes * _MINUTE_NS
    with pytest.raises(ModelError):
        space.curation.curate_due()
    assert space.curation.seconds_until_run() > 20 * 3600


def test_no_more_proposals_are_made_than_may_be_open(workspace, clock, answering):
    space = workspace(more="max_open = 1\n")
    clock.set(21, 0)
    chat = answering(*REPLIES)
    assert len(space.curation.curate_due().proposals) == 1 and len(chat.asked) == 1
    clock.ns += 24 * 60 * _MINUTE_NS
    report = space.curation.curate_due()
    assert len(chat.asked) == 1 and "wait for review" in report.notes[0]


def test_two_do_not_curate_at_once(workspace, clock):
    space = workspace()
    clock.set(21, 0)
    with run_lock(space.live.context), pytest.raises(LockedError):
        space.curation.curate_due()


def test_a_watcher_lets_another_process_curate(workspace, clock, begun, root):
    space = workspace()
    told = []
    watching = watching_of(space, told.append)
    assert watching._curated() == 9 * 3600 and not begun
    clock.set(21, 0)
    assert watching._curated() == 600
    assert begun[0][-4:] == ["-C", str(root), "curate", "--due"]
    assert told[-1].reason == "curation begins"
    only = watching_of(space, None, is_only_looking=True)
    assert only._curated() == inf and len(begun) == 1


def test_a_time_that_is_none_is_an_error(workspace):
    with pytest.raises(ConfigError, match="no time of the day"):
        workspace(at="25:00")
    with pytest.raises(ConfigError, match="list of triggers"):
        user_models('[models.triggers]\n"/x" = ["cure"]\n', "config.toml", {})


def test_the_command_line_says_that_nothing_is_due(workspace, root, capsys):
    workspace(at="")
    assert main(["-C", str(root), "curate", "--due"]) == 2
    assert "nothing is curated by itself" in capsys.readouterr().err
    assert main(["-C", str(root), "curate", "doubles", "--due"]) == 2
