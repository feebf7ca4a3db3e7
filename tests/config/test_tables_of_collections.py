"""A table that holds one table a collection: free names, fixed keys."""

from importlib import import_module
from types import SimpleNamespace
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.config import settings
from memwiki.config.edit import set_value
from memwiki.config.load import check_settings, fill_tables, read
from memwiki.config.schema import About, Schema
from memwiki.errors import ConfigError


class Keeping(NamedTuple):
    policy: str = "none"
    ttl_days: int | None = None
    share: float | None = None
    check_interval: int = 100
    interval: int = 1
    words: tuple[str, ...] = ()


SCHEMA = Schema(
    tables={},
    collections={"retention": Keeping},
    about={
        "retention.*.policy": About("what goes", choices=("none", "ttl")),
        "retention.*.ttl_days": About("days", 1),
        "retention.*.share": About("share", most=1),
        "retention.*.check_interval": About("writes between checks", 1),
        "retention.*.interval": About("hours"),
        "retention.*.words": About("words"),
    },
)


@pytest.fixture(scope="module", autouse=True)
def settings_of_the_test():
    """These tables are all that there are."""
    with pytest.MonkeyPatch.context() as patch:
        for module in ("load", "edit"):
            patch.setattr(import_module(f"memwiki.config.{module}"), "SCHEMA", SCHEMA)
        yield


DAILY = "[retention.daily]\npolicy = 'ttl'\nttl_days = 30\n"


def retention(text):
    return fill_tables(check_settings(text), SCHEMA)["retention"]


def test_each_collection_has_its_own_settings_over_the_same_defaults():
    found = retention(f"{DAILY}[retention.'my notes']\ninterval = 2\n[retention.empty]\n")
    assert found == {
        "daily": Keeping("ttl", 30),
        "my notes": Keeping(interval=2),
    }
    assert found["daily"].ttl_days == 30
    assert retention("") == {}


def test_all_ways_of_toml_to_write_a_table_are_read():
    for text in (
        "[retention]\ndaily = {ttl_days = 30}\n",
        "[retention]\ndaily.ttl_days = 30\n",
        "retention.daily.ttl_days = 30\n",
        '[ retention . "daily" ] # x\nttl_days = 30\n',
    ):
        assert retention(text) == {"daily": Keeping(ttl_days=30)}


@pytest.mark.parametrize(
    ("text", "line", "what", "hint"),
    [
        (f"{DAILY}ttl_day = 3\n", 4, "setting retention.daily.ttl_day", "retention.daily.ttl_days"),
        ("\n[retention]\ndaily = 3\n", 3, "retention.daily is not a table", "[retention.daily]"),
        ("[retention]\n'a b' = 3\n", 2, "retention.a b is not a table", '[retention."a b"]'),
        ("\nretention = 3\n", 2, "retention is not a table", "[retention]"),
        ("[retention.daily]\nttl_days = 0\n", 2, "less than 1", "ttl_days = 30"),
        ("[retention.daily]\nttl_days = 'x'\n", 2, "not a whole number", "ttl_days = 30"),
        ("[retention.daily]\npolicy = 'x'\n", 2, "is not none or ttl: 'x'", 'policy = "none"'),
        ("[retention.daily]\nshare = 2\n", 2, "is not a number from 0 to 1", "share = 0.5"),
        ("[retention]\ndaily.share = 2\n", 2, "is not a number from 0 to 1", "share = 0.5"),
        ("[retention]\n[retention.'a b']\nshare = 2\n", 3, "from 0 to 1", "share = 0.5"),
        ("[retention.daily.deep]\nshare = 2\n", 1, "retention.daily.deep", "did you mean"),
        ("\n[retention.'']\nshare = 1\n", 3, "no setting retention..share", "config show"),
        ('[retention."a\\tb"]\nshare = 1\n', 0, "no setting retention.a\tb.share", "config"),
    ],
)
def test_a_mistake_is_answered_with_file_line_and_next_step(text, line, what, hint):
    with pytest.raises(ConfigError) as caught:
        check_settings(text)
    assert what in caught.value.message
    assert hint in caught.value.hint
    assert caught.value.line == line


def test_a_setting_that_may_be_empty_is_emptied():
    given, origins = read(DAILY, {"MEMWIKI_RETENTION_DAILY_TTL_DAYS": ""})
    assert fill_tables(given, SCHEMA)["retention"] == {"daily": Keeping("ttl")}
    assert origins["retention.daily.ttl_days"] == "environment"
    emptied = set_value(DAILY, "retention.daily.ttl_days", "")
    assert emptied == DAILY.replace("30", '""')
    assert retention(emptied) == {"daily": Keeping("ttl")}
    assert set_value("", "retention.daily.ttl_days", "") == ""


def test_variables_name_a_collection_in_capitals_and_the_longest_key():
    variables = {
        "MEMWIKI_RETENTION_DAILY_CHECK_INTERVAL": "5",
        "MEMWIKI_RETENTION_MY_NOTES_INTERVAL": "6",
        "MEMWIKI_RETENTION_MY_NOTES_WORDS": "a,b",
    }
    given, _ = read("", variables)
    assert fill_tables(given, SCHEMA)["retention"] == {
        "daily": Keeping(check_interval=5),
        "my_notes": Keeping(interval=6, words=("a", "b")),
    }


@pytest.mark.parametrize("variable", ["DAILY_TTL", "TTL_DAYS", "_TTL_DAYS", "daily_TTL_DAYS"])
def test_a_variable_without_collection_or_key_is_refused(variable):
    with pytest.raises(ConfigError, match=f"no setting MEMWIKI_RETENTION_{variable}"):
        read("", {f"MEMWIKI_RETENTION_{variable}": "1"})


def test_all_settings_of_each_collection_are_listed():
    given = check_settings(f"{DAILY}words = ['a', 'b']\n")
    config = SimpleNamespace(
        **fill_tables(given, SCHEMA), origins={str(key): "file" for key in given}
    )
    listed = [(each.key, each.value, each.origin) for each in settings(config)]
    assert listed == [
        ("retention.daily.policy", "ttl", "file"),
        ("retention.daily.ttl_days", "30", "file"),
        ("retention.daily.share", "", "default"),
        ("retention.daily.check_interval", "100", "default"),
        ("retention.daily.interval", "1", "default"),
        ("retention.daily.words", "a, b", "file"),
    ]


@pytest.mark.parametrize(
    ("before", "key", "after"),
    [
        ("", "daily.ttl_days", "[retention.daily]\nttl_days = 9\n"),
        (DAILY, "daily.ttl_days", DAILY.replace("30", "9")),
        (DAILY, "daily.interval", f"{DAILY}interval = 9\n"),
        (DAILY, "raw.interval", f"{DAILY}\n[retention.raw]\ninterval = 9\n"),
        ("", "my notes.v2.interval", '[retention."my notes.v2"]\ninterval = 9\n'),
        ("[retention.'我 的']\n", "我 的.interval", "[retention.'我 的']\ninterval = 9\n"),
        ("", "日记.interval", '[retention."日记"]\ninterval = 9\n'),
        (
            "# [retention.daily]\n# ttl_days = 30 # days\n",
            "daily.ttl_days",
            "[retention.daily]\nttl_days = 9 # days\n",
        ),
        (
            "retention.daily.ttl_days = 30\n",
            "daily.ttl_days",
            "retention.daily.ttl_days = 9\n",
        ),
    ],
)
def test_a_setting_of_a_collection_is_set(before, key, after):
    assert set_value(before, f"retention.{key}", "9") == after


@pytest.mark.parametrize(
    ("text", "key", "what"),
    [
        ("", "retention.ttl_days", "there is no setting retention.ttl_days"),
        ("", "retention..ttl_days", "there is no setting"),
        ("", "retention. .ttl_days", "there is no setting"),
        ("", "retention.a\nb.ttl_days", "there is no setting"),
        ("", "retention", "there is no setting retention"),
        ("", "retention.daily", "there is no setting retention.daily"),
        ("", "retention.daily.ttl_day", "there is no setting retention.daily.ttl_day"),
        ("[retention]\ndaily = {interval = 3}\n", "retention.daily.ttl_days", "does not change"),
    ],
)
def test_what_cannot_be_set_is_refused(text, key, what):
    with pytest.raises(ConfigError, match=what):
        set_value(text, key, "9")


@given(st.text(), st.integers(1, 10**9))
def test_a_collection_of_any_name_is_set_twice_or_refused(name, days):
    key = f"retention.{name}.ttl_days"
    try:
        once = set_value("", key, "7")
    except ConfigError as error:
        assert error.hint
        return
    assert retention(once) == {name: Keeping(ttl_days=7)}
    try:
        twice = set_value(once, key, str(days))
    except ConfigError:  # a name that needs escapes
        assert '"' in name or "\\" in name
    else:
        assert retention(twice) == {name: Keeping(ttl_days=days)}
