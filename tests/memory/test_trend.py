"""The trend: what was made and recalled week by week, by the dates that files say."""

import json
import os
from datetime import date, timedelta

import pytest

from memwiki.cli.main import main
from memwiki.errors import UsageError
from memwiki.files.usage_log import Subject, UsageLog, record_line
from memwiki.workspace import Workspace

TODAY = date.today()
MONDAY = TODAY - timedelta(days=TODAY.weekday())
LAST_WEEK = MONDAY - timedelta(days=3)


@pytest.fixture
def kitchen(ws, put):
    put("wiki/tea.md", f"---\ntype: concept\ncreated: {LAST_WEEK}\ntags: [a]\n---\n# Tea\n")
    put(f"wiki/{LAST_WEEK}-milk.md", "# Milk\n\nmilk #a/b\n")
    put("wiki/cup.md", f"---\nupdated: {MONDAY}\n---\n# Cup\n")
    put(
        "memory.md",
        "# Memory\n\n## Facts\n\n"
        f"- Tea is green. [created:: {LAST_WEEK}] ^m-aaaaaa\n"
        "- Milk is white. ^m-bbbbbb\n"
        f"- ~~Tea was red.~~ [created:: {LAST_WEEK}] [superseded_by:: m-aaaaaa] ^m-cccccc\n",
    )
    return ws


def asked(root, day, subject):
    at = int((day - date(1970, 1, 1)).total_seconds()) + 43_200
    assert UsageLog(root).append(record_line(at, "tea", [(subject, 1.0)]))


def test_days_are_those_that_files_say(kitchen, root):
    asked(root, LAST_WEEK, Subject("entry", "m-aaaaaa"))
    found = kitchen.index.trend()
    last, this = found.periods[-2:]
    assert (found.unit, len(found.periods)) == ("week", 8)
    assert last == (str(MONDAY - timedelta(days=7)), 2, 1, 1)
    assert this == (str(MONDAY), 2, 0, 0)  # memory.md says no date: its file does
    assert (found.pages_by_file_time, found.undated_memories) == (1, 1)
    assert found.page_types == {"memory": 1, "page": 2, "concept": 1}
    assert found.memory_types == {"fact": 2}
    assert found.tags == {"a": 2, "a/b": 1}
    assert found.recalls_since == ""


def test_the_time_of_a_file_counts_only_where_nothing_says_a_day(kitchen, root):
    old = 1_600_000_000
    os.utime(root / "wiki/tea.md", (old, old))
    os.utime(root / "memory.md", (old, old))
    found = kitchen.index.trend("week")
    assert (found.earlier_pages, found.earlier_memories) == (1, 0)
    assert kitchen.index.trend().unit == "year"


def test_what_is_dated_later_counts_as_of_today_and_no_calendar_ends(ws, put):
    put("wiki/a.md", "---\ncreated: 9999-12-31\n---\n# A\n")
    put("wiki/b.md", "---\ncreated: 0001-01-01\n---\n# B\n")
    put("wiki/c.md", "---\ncreated: 2024-13-45\n---\n# C\n")
    for unit in ("week", "month", "year"):
        found = ws.index.trend(unit)
        assert found.earlier_pages == 1
        assert (found.periods[-1].pages, found.pages_by_file_time) == (2, 1)


def test_months_and_years_begin_with_their_first_day(kitchen):
    assert kitchen.index.trend("month").periods[-1].start == str(TODAY.replace(day=1))
    assert kitchen.index.trend("year").periods[-1].start == str(TODAY.replace(month=1, day=1))
    with pytest.raises(UsageError):
        kitchen.index.trend("day")


def test_an_empty_workspace_has_periods_all_the_same(ws):
    found = ws.index.trend()
    assert {period[1:] for period in found.periods} == {(0, 0, 0)}


def test_what_is_private_is_in_no_figure(kitchen, put, root):
    put("wiki/secret.md", f"---\nprivate: true\ncreated: {LAST_WEEK}\ntags: [x]\n---\n# S\n")
    asked(root, LAST_WEEK, Subject("page", "wiki/secret.md"))
    asked(root, LAST_WEEK, Subject("entry", "m-aaaaaa"))
    whole, public = kitchen.index.trend(), kitchen.public().index.trend()
    assert (whole.periods[-2].pages, whole.periods[-2].recalls) == (3, 2)
    assert (public.periods[-2].pages, public.periods[-2].recalls) == (2, 1)
    assert "x" not in public.tags
    assert whole.recalls_since == ""
    assert public.recalls_since == str(LAST_WEEK), "others may have taken the place of older ones"
    names = {row.name for row in kitchen.public().entries.usage().usage}
    assert names == {"m-aaaaaa"}


def test_a_namespace_has_a_trend_of_its_own(root, put, opened):
    (root / "memwiki.toml").write_text('[layers]\nnamespaces = "ns"\n')
    put("ns/ann/wiki/tea.md", f"---\ncreated: {LAST_WEEK}\n---\n# Tea\n")
    put("wiki/milk.md", f"---\ncreated: {LAST_WEEK}\n---\n# Milk\n")
    asked(root, LAST_WEEK, Subject("page", "ns/ann/wiki/tea.md"))
    asked(root, LAST_WEEK, Subject("page", "wiki/milk.md"))
    asked(root, LAST_WEEK, Subject("page", "wiki/milk.md"))
    own = Workspace.open(root, namespace="ann")
    assert own.index.trend().periods[-2][1:] == (1, 0, 1)
    assert opened().index.trend().periods[-2][1:] == (1, 0, 2)
    own.close()


def test_a_terminal_shows_the_same_figures(kitchen, root, capsys):
    assert main(["-C", str(root), "status", "--trend", "--by", "week"]) == 0
    said = capsys.readouterr().out
    assert "## Pages a week" in said and "██" in said and "4 in all" in said
    assert "1 page says no date" in said
    assert main(["-C", str(root), "status", "--trend", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["periods"][-2]["pages"] == 2
    assert main(["-C", str(root), "status", "--trend", "--metrics"]) == 2
    assert main(["-C", str(root), "status", "--by", "week"]) == 2
