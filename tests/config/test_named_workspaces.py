"""Names of workspaces in the user's own config.toml: read, and changed line by line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.config.locations import user_file
from memwiki.config.user import (
    named_folder,
    with_workspace,
    without_workspace,
    workspaces_in,
)
from memwiki.errors import AlreadyExistsError, ConfigError, NotFoundError, UsageError
from tests.effort import for_each

TEXT = """\
# my notes
[workspaces]
work = "/home/anna/work"   # the big one
# home
home = '~/notes'

# the end
"""


def test_every_other_byte_stays_when_a_name_comes_or_goes():
    more = with_workspace(TEXT, "q-1", "/x y", "c")
    assert more == TEXT.replace("'~/notes'\n", "'~/notes'\nq-1 = \"/x y\"\n")
    assert without_workspace(more, "Q-1", "c") == TEXT
    assert without_workspace(TEXT, "work", "c") == TEXT.replace(TEXT.split("\n")[2] + "\n", "")


@for_each("text", ["", "# c", "# c\n", "# c\r\n", "[workspaces]", "[workspaces]\n"])
def test_the_table_is_made_where_there_is_none(text):
    after = with_workspace(text, "work", "/x", "c")
    assert after.startswith(text)
    assert workspaces_in(after, "c") == {"work": "/x"}
    assert ("\r" in after) == ("\r" in text)
    assert workspaces_in(without_workspace(after, "work", "c"), "c") == {}


def test_a_name_means_one_folder():
    assert with_workspace(TEXT, "WORK", "/home/anna/work", "c") == TEXT
    with pytest.raises(AlreadyExistsError, match="/home/anna/work"):
        with_workspace(TEXT, "Work", "/elsewhere", "c")


@for_each("name", ["", "-w", "a b", "a/b", ".x", "a\n", "x" * 65, "\ud800", 'a"'])
def test_a_name_is_one_plain_word(name):
    with pytest.raises(UsageError):
        with_workspace(TEXT, name, "/x", "c")


def test_an_unknown_name_is_answered_with_those_that_there_are():
    for ask in (lambda: named_folder("works", {"work": "/w", "home": "/h"}),):
        with pytest.raises(NotFoundError, match="known: home, work") as refused:
            ask()
        assert refused.value.hint == "did you mean work?"
    with pytest.raises(NotFoundError):
        without_workspace(TEXT, "nope", "c")


def test_a_folder_given_as_a_name_is_answered_with_the_option_for_folders():
    with pytest.raises(NotFoundError, match="no name, but a folder") as refused:
        named_folder("../my notes", {"work": "/w"})
    assert refused.value.hint == "memwiki -C '../my notes' ..."


@for_each(
    "text",
    [
        "workspaces = 1",
        "[workspace]\nx = '/y'",
        "[workspaces]\nx = 1",
        "[workspaces]\nx = 'notes'",
        "[workspaces]\nx = ''",
        "[workspaces",
        "x" * 70_000,
    ],
)
def test_a_file_that_says_something_else_is_refused_by_its_name(text):
    with pytest.raises(ConfigError, match="conf"):
        workspaces_in(text, "conf")


@for_each(
    "text",
    [
        'workspaces = {work = "/x"}\n',
        'workspaces.work = "/x"\n',
        '[workspaces]\nwork = """\n/x"""\n',
    ],
)
def test_a_form_of_another_kind_is_read_and_changed_only_where_that_is_safe(text):
    known = workspaces_in(text, "c")
    assert list(known) == ["work"]
    for change in (
        lambda: with_workspace(text, "b", "/b", "c"),
        lambda: without_workspace(text, "work", "c"),
    ):
        try:
            after = workspaces_in(change(), "c")
        except ConfigError:
            continue
        assert after in ({**known, "b": "/b"}, {})


@given(st.text(max_size=20), st.text(max_size=30))
def test_any_name_and_folder_comes_back_or_is_refused(name, folder):
    try:
        after = with_workspace(TEXT, name, f"/{folder}", "c")
    except (UsageError, AlreadyExistsError, ConfigError):
        return
    assert workspaces_in(after, "c")[name] == f"/{folder}"
    assert without_workspace(after, name, "c") == TEXT


def test_the_file_is_where_the_environment_says():
    assert user_file({"MEMWIKI_CONFIG_DIR": "/c"}) == Path("/c/config.toml")
    assert user_file({"XDG_CONFIG_HOME": "/x", "HOME": "/h"}) == Path("/x/memwiki/config.toml")
    assert user_file({"HOME": "/h"}) == Path("/h/.config/memwiki/config.toml")
