"""`memwiki history` and `memwiki show`: the call, and what a person or a pipe gets."""

import json

import pytest

from memwiki.answers import pages
from memwiki.cli import streams
from memwiki.errors import GitError


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("history Home", ("pages.history", ("Home",), {"limit": 20})),
        ("history Home --limit 3", ("pages.history", ("Home",), {"limit": 3})),
        ("show Home --at HEAD~1", ("pages.bytes_at", ("Home", "HEAD~1"), {})),
        (
            "show Home --at 2w --section H",
            ("pages.show", ("Home",), {"at": "2w", "section": "H", "lines": None}),
        ),
        (
            "show Home --at=-x --lines 2-3",
            ("pages.show", ("Home",), {"at": "-x", "section": "", "lines": (2, 3)}),
        ),
        (
            "show Home --at main --json",
            ("pages.show", ("Home",), {"at": "main", "section": "", "lines": None}),
        ),
    ],
)
def test_each_makes_one_call(memwiki_, line, call):
    assert memwiki_(*line.split()) == 0
    assert memwiki_.call == call


def test_history_in_a_pipe_is_tabs(memwiki_):
    memwiki_("history", "a")
    assert memwiki_.out == "0123456789\t2026-08-01 12:00\t+2 -0\tAnn\twhy\n"


def test_a_rename_shows_the_names(memwiki_):
    versions = (
        pages.Version("1" * 40, "2026-08-02T12:00:00Z", "Ann", "move", "b.md", 0, 0),
        pages.Version("2" * 40, "2026-08-01T12:00:00Z", "Ann", "begin", "a.md", None, None),
    )
    memwiki_.answer("pages.history", pages.History("b.md", versions, complete=False))
    memwiki_("history", "b", "--limit", "2")
    assert "\t+0 -0\tb.md\tAnn\tmove\n" in memwiki_.out
    assert "\tbinary\ta.md\tAnn\tbegin\n" in memwiki_.out
    assert memwiki_.err == "There are older commits; --limit 10 shows more.\n"


def test_what_is_said_of_a_history_is_no_row_of_it(memwiki_):
    found = pages.History("b.md", (), notes=("where it is cut",))
    memwiki_.answer("pages.history", found)
    memwiki_("history", "b")
    assert (memwiki_.out, "where it is cut" in memwiki_.err) == ("", True)


def test_a_pipe_gets_the_bytes_as_they_were(memwiki_):
    memwiki_("show", "a", "--at", "HEAD")
    assert memwiki_.out == "# A\r\nold\n"


def test_show_as_json(memwiki_):
    memwiki_("show", "a", "--at", "HEAD", "--json")
    assert json.loads(memwiki_.out)["text"] == "# A\r\nold"


def test_a_terminal_draws_the_page_and_says_of_when(memwiki_, monkeypatch, environment):
    environment["NO_COLOR"] = "1"
    monkeypatch.setattr(streams, "width", lambda: 60)
    memwiki_("show", "a", "--at", "HEAD")
    assert "a.md:1-2 at 0123456789, 2026-08-01T12:00" in memwiki_.out
    assert "old" in memwiki_.out


def test_show_needs_a_time(memwiki_):
    assert memwiki_("show", "a") == 2
    assert memwiki_.err.startswith("show: missing option '--at'")


def test_no_repository_is_an_error_with_the_next_step(memwiki_):
    memwiki_.answer(
        "pages.history", GitError("/ws: is not in a git repository", hint="git init /ws")
    )
    assert memwiki_("history", "a") == 1
    assert memwiki_.err == "/ws: is not in a git repository\ngit init /ws\n"
