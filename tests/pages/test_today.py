"""The page of today is made when it is missing, and items are added to its end."""

import os
import time

import pytest

from memwiki.errors import ConfigError, UsageError

NOON = 1_795_262_400 * 10**9  # 2026-11-21T12:00:00Z
DAILY = '[layers]\ndaily = "daily"\n'
BEGUN = '---\ntitle: "2026-11-21"\ntype: daily\ncreated: 2026-11-21\n---\n# 2026-11-21\n'


@pytest.fixture
def zone(monkeypatch):
    """Move to another time zone."""

    def move(name):
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield move
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def day(root, opened, zone):
    """The workspace at noon."""
    zone("UTC")
    (root / "memwiki.toml").write_text(DAILY)
    return opened(clock=lambda: NOON)


def test_the_page_is_made_with_the_first_item(day, root):
    edited = day.pages.today("Met Anna. #work")
    assert (edited.op, edited.title) == ("create", "created daily/2026-11-21.md")
    assert (root / "daily/2026-11-21.md").read_text() == f"{BEGUN}- Met Anna. #work\n"
    day.pages.today("- two\nmore")
    assert (
        root / "daily/2026-11-21.md"
    ).read_text() == f"{BEGUN}- Met Anna. #work\n- two\n  more\n"
    hit = day.search("anna").hits[0]
    assert (hit.type, hit.tags, hit.line_start) == ("event", ("work",), 7)


def test_without_text_the_page_is_made_sure_of_and_no_more(day, root):
    assert day.pages.today().paths == ("daily/2026-11-21.md",)
    assert day.pages.today().paths == ()
    assert (root / day.pages.today_path()).read_text() == BEGUN


def test_a_page_written_by_hand_keeps_every_byte(day, root):
    (root / "daily").mkdir()
    mine = b"\xef\xbb\xbfSlept well.\r\n\r\n* one"
    (root / "daily/2026-11-21.md").write_bytes(mine)
    day.pages.today("two")
    assert (root / "daily/2026-11-21.md").read_bytes() == mine + b"\r\n- two"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("UTC", "2026-11-21"),
        ("Pacific/Kiritimati", "2026-11-22"),
        ("Pacific/Pago_Pago", "2026-11-21"),
        ("EAST-13", "2026-11-22"),
    ],
)
def test_the_day_is_that_of_the_person(day, zone, name, expected):
    zone(name)
    assert day.pages.today_path() == f"daily/{expected}.md"


@pytest.mark.parametrize("text", ["", " \n", "```"])
def test_nothing_is_made_for_no_text(day, root, text):
    with pytest.raises(UsageError):
        day.pages.today(text)
    assert not (root / "daily").exists()


def test_a_vault_without_daily_pages_is_told_how_to_have_them(ws, root):
    """
    --- daily/2026-01-01.md ---
    """
    for verb in (ws.pages.today, ws.pages.today_path):
        with pytest.raises(ConfigError) as raised:
            verb()
        assert raised.value.hint == "memwiki config set layers.daily daily"
    assert os.listdir(root / "daily") == ["2026-01-01.md"]


@pytest.mark.parametrize(
    ("paths", "hint"),
    [
        ("journal/2026-01-01.md & journal/2026-01-02.md & notes/2026-01-03.md", "journal"),
        ("days/2026/01/2026-01-01.md & a.md", "days; ... %Y/%m/%Y-%m-%d"),
        ("my days/2026-01/2026-01-01.md", "'my days'; ... %Y-%m/%Y-%m-%d"),
        ("2026/2026-01-01.md & 2026-01-02.md", "daily"),
    ],
)
def test_what_is_proposed_is_where_the_days_of_the_vault_are(ws, put, paths, hint):
    for path in paths.split(" & "):
        put(path, "x\n")
    with pytest.raises(ConfigError) as raised:
        ws.pages.today()
    command = "memwiki config set pages.daily_format"
    assert raised.value.hint == f"memwiki config set layers.daily {hint}".replace("...", command)


@pytest.mark.parametrize("place", ["2026", "2026/11", "autumn"])
def test_the_page_of_today_is_the_one_that_is_there(day, root, put, place):
    put(f"daily/{place}/2026-11-21.md", "# Today\n")
    put("archive/daily/2026-11-21.md", "# Not it\n")
    assert day.pages.today("Met Anna.").paths == (f"daily/{place}/2026-11-21.md",)
    assert not (root / "daily/2026-11-21.md").exists()


def test_a_pattern_that_was_proposed_is_followed(root, put, opened, zone):
    zone("UTC")
    put("memwiki.toml", f'{DAILY}[pages]\ndaily_format = "%Y/%m/%Y-%m-%d"\n')
    assert opened(clock=lambda: NOON).pages.today_path() == "daily/2026/11/2026-11-21.md"
