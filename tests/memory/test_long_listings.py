"""The newest of very many entries: in the order of all of them, and no more of them made."""

from __future__ import annotations

import random

import pytest

from memwiki.dates import date_in
from memwiki.index.cards.entries import EntryCard, EntryCards
from memwiki.index.units import Places
from memwiki.names import stem_of

DAYS = ("2026-01-09", "2026-03-01", "", "2026-02-11")
PAGES = ("memory.md", "daily/2026-02-11.md", "learnings.md", "wiki/zoo.md")


def body(page: int, count: int) -> str:
    dice = random.Random(page)
    lines = ["# Memory", ""]
    for number in range(count):
        day, status = dice.choice(DAYS), dice.choice(("", "", "staged"))
        said = f" [created:: {day}]" if day else ""
        stated = f" [status:: {status}]" if status else ""
        name = f" ^m-p{page}n{number:03}" if dice.random() < 0.5 else ""
        lines.append(f"- Thing {page}.{number} #t{number % 2}{said}{stated}{name}")
    return "\n".join([*lines, ""])


@pytest.fixture
def long(root, opened):
    (root / "memwiki.toml").write_text(
        '[layers]\nmemory = "memory.md"\nlearnings = "learnings.md"\ndaily = "daily"\n'
    )
    for at, path in enumerate(PAGES):
        page = root / path
        page.parent.mkdir(exist_ok=True)
        front = "---\ntype: memory\n---\n" if path.startswith("wiki") else ""
        page.write_text(front + body(at, 40 + at))
    ws = opened()
    ws.sync()
    return ws


def place(entry) -> tuple[str, int]:
    return entry.path, entry.line_start


def date(entry) -> str:
    return entry.created or date_in(stem_of(entry.path))


def test_the_newest_come_first_and_those_of_a_day_as_they_stand(long):
    found = long.entries.list()
    every = found.entries
    assert found.total == len(every) == sum(40 + at for at in range(len(PAGES)))
    in_order = sorted(sorted(every, key=place), key=date, reverse=True)
    assert list(map(place, every)) == list(map(place, in_order))


@pytest.mark.parametrize("limit", [1, 7, 33, 50, 120, 500])
@pytest.mark.parametrize(
    "asked", [{}, {"tags": ["t1"]}, {"status": "staged"}, {"since": "2026-02"}]
)
def test_a_few_of_many_are_the_first_of_all(long, limit, asked):
    every, few = long.entries.list(**asked), long.entries.list(limit=limit, **asked)
    assert few.entries == every.entries[:limit]
    assert few.total == every.total == len(every.entries) > 20


def test_no_more_entries_are_made_than_are_shown(long, monkeypatch):
    made = list[int]()
    real = EntryCard._replace

    def counted(card: EntryCard, **fields: object) -> EntryCard:
        made.append(1)
        return real(card, **fields)

    monkeypatch.setattr(EntryCard, "_replace", counted)
    assert len(long.entries.list(limit=5).entries) == 5
    assert len(made) == 5


@pytest.mark.parametrize("dated", [0.5, 0.03, 0.97, 1])
def test_a_page_kept_in_stretches_is_listed_in_the_order_of_its_lines(put, ws, dated):
    dice = random.Random(dated)
    lines = ["# Memory", ""]
    for number in range(700):
        day = "[created:: 2026-01-09]" * (dice.random() < dated)
        lines += [f"- Thing {number} {day} {'[status:: staged]' * (number % 50 == 9)}"]
        lines += ["  more of it"] * dice.randint(0, 2)
        if dice.random() < 0.02:
            lines += ["", f"{'#' * dice.randint(2, 3)} Part {number}", "", "Some words.", ""]
    put("memory.md", "\n".join([*lines, ""]))
    every = ws.entries.list().entries
    assert len(every) == 700
    in_order = sorted(sorted(every, key=place), key=date, reverse=True)
    assert list(map(place, every)) == list(map(place, in_order))
    active = [each for each in every if each.status == "active"]
    assert len(active) == 686
    for limit in (1, 50, 400, 699):
        assert ws.entries.list(limit=limit).entries == every[:limit]
        some = ws.entries.list(limit=limit, status="active")
        assert (list(some.entries), some.total) == (active[:limit], 686)


def test_of_entries_that_say_the_same_of_themselves_those_that_are_listed_are_read(
    put, ws, monkeypatch
):
    put("memory.md", "# Memory\n\n" + "".join(f"- Thing {n} of many\n" for n in range(3000)))
    ws.sync()
    read, real = list[str](), EntryCards._rows

    def rows(cards, sql, *values):
        for row in real(cards, sql, *values):
            read.append(sql)
            yield row

    monkeypatch.setattr(EntryCards, "_rows", rows)
    found = ws.entries.list(limit=50)
    assert (len(found.entries), found.total) == (50, 3000)
    assert len(read) < 110


def test_of_a_long_page_the_places_of_what_is_listed_are_looked_at_alone(put, ws, monkeypatch):
    put("memory.md", "# Memory\n\n" + "".join(f"- Thing {n} of many\n" for n in range(3000)))
    ws.sync()
    looked, real = list[int](), Places.located
    monkeypatch.setattr(Places, "located", lambda row: looked.append(row.start) or real(row))
    assert len(ws.entries.list(limit=50).entries) == 50
    assert 0 < len(looked) <= 10
