"""A command that there is not is answered by what it means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.cli.arguments import split
from memwiki.cli.dispatch import nearest_command
from memwiki.cli.registry import COMMANDS

_WRITING = set(COMMANDS) - set(
    "status doctor check search recall context get list browse links tags history show graph "
    "usage completion sync watch outline".split()
)


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("rename", "move"),
        ("mv", "move"),
        ("find", "search"),
        ("grep", "search"),
        ("rm", "delete"),
        ("lint", "check"),
        ("edit", "open"),
        ("orphans", "search is:orphan"),
        ("ls", "list"),
        ("cat", "get"),
        ("backlinks", "links"),
        ("GREP", "search"),
        ("Search", "search"),
        ("sreach", "search"),
        ("statsu", "status"),
        ("mvoe", "move"),
        ("dele", "delete"),
        ("help", "--help"),
        ("forget", "delete NAME or memwiki entry delete ID"),
    ],
)
def test_a_word_is_answered_by_what_it_means(memwiki_, typed, command):
    assert memwiki_(typed, "x") == 2
    assert memwiki_.err == f"memwiki: no such command: {typed}\nDid you mean memwiki {command}?\n"


@pytest.mark.parametrize("typed", ["frobnicate", "茶", "", "x" * 100_000, "\x1b[2J"])
def test_a_word_that_means_nothing_gets_the_list_of_commands(memwiki_, typed):
    assert memwiki_(typed) == 2
    assert memwiki_.err.endswith("\nmemwiki --help lists the commands.\n")


@given(st.text(st.sampled_from("adeiklmnoprstuvx-"), max_size=10))
def test_no_writing_command_is_the_answer_to_what_only_looks_like_it(typed):
    answer = nearest_command(typed, COMMANDS)
    if answer in _WRITING and typed != answer and nearest_command(typed, []) != answer:
        assert answer.startswith(typed) or sorted(answer) == sorted(typed)


def test_every_answer_is_a_command_and_no_command_is_taken_for_another():
    words = [word for line in _answers() for word in split(line.split())[1][:1]]
    assert set(words) - {"--help", "--version"} <= set(COMMANDS)
    assert [each for each in COMMANDS if nearest_command(each, COMMANDS) != each] == []


def _answers() -> list[str]:
    from memwiki.cli.dispatch import _MEANT

    return list(_MEANT)


@pytest.mark.parametrize(
    ("words", "kind"),
    [(["graph", "a", "--depth", "x"], "a whole number"), (["undo", "x"], "a whole number")],
)
def test_what_is_no_number_is_said_in_plain_words(memwiki_, words, kind):
    assert memwiki_(*words) == 2
    assert f"'x' is not {kind}\n" in memwiki_.err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("add --typ fact Foo", "add: no such option: --typ (did you mean --type?)"),
        ("add Foo --typ fact", "add: no such option: --typ (did you mean --type?)"),
        ("add Foo --typ=fact", "add: no such option: --typ (did you mean --type?)"),
        ("entry supersede x Foo --at 2026-11-01", "entry supersede: no such option: --at"),
        ("append x Foo --zzz", "append: no such option: --zzz"),
        ("add Foo bar", "add: got unexpected extra argument(s) (bar)"),
    ],
)
def test_an_option_that_there_is_not_is_named_where_texts_may_begin_with_a_minus(
    memwiki_, line, said
):
    assert memwiki_(*line.split()) == 2
    assert memwiki_.err.splitlines()[0] == said


@pytest.mark.parametrize("text", ["- milk", "-5 degrees", "--typ is it", "---x"])
def test_a_text_may_begin_with_a_minus(memwiki_, text):
    assert memwiki_("add", text, "--type", "fact") == 0
    assert memwiki_("add", "--type", "fact", "--", text) == 0
    assert memwiki_("add", text, "x") == 2
    assert "got unexpected extra argument" in memwiki_.err
