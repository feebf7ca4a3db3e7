"""The commands that write text: what they hand on, and what they refuse before anything is
touched."""

import io

import pytest

from memwiki.config import Config, FilesConfig
from memwiki.errors import NotFoundError


@pytest.fixture
def piped(monkeypatch):
    """Put bytes on standard input."""
    return lambda data: monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.mark.parametrize(
    ("arguments", "call"),
    [
        (
            ("append", "a", "text"),
            ("pages.append", ("a", "text"), {"section": "", "expect": "", "dry_run": False}),
        ),
        (
            ("append", "a", "- item"),
            ("pages.append", ("a", "- item"), {"section": "", "expect": "", "dry_run": False}),
        ),
        (
            ("append", "a", "-item", "--section", "H", "--dry-run"),
            ("pages.append", ("a", "-item"), {"section": "H", "expect": "", "dry_run": True}),
        ),
        (
            ("replace", "a", "* x", "--section", "H"),
            ("pages.replace", ("a", "* x"), {"section": "H", "expect": "", "dry_run": False}),
        ),
    ],
)
def test_text_is_handed_on_as_it_is(memwiki_, arguments, call):
    assert memwiki_(*arguments) == 0
    assert memwiki_.call == call


def test_piped_text_is_read_as_it_is(memwiki_, piped):
    piped("\ufeffa\r\n中文\n".encode())
    assert memwiki_("append", "a", "-") == 0
    assert memwiki_.call[1] == ("a", "\ufeffa\r\n中文\n")


def test_what_was_changed_is_said_and_notes_are_talk(memwiki_):
    memwiki_("append", "a", "text")
    assert memwiki_.out == "set status in a.md\n"
    assert memwiki_.err == "one note\n"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"a\nb\xff", "standard input: line 2 is not valid UTF-8\n"),
        (
            b"12345678901",
            "standard input: is longer than the 10 bytes that are indexed of a page\n",
        ),
    ],
)
def test_piped_bytes_that_are_no_page_are_refused(memwiki_, piped, data, problem):
    memwiki_.workspace.config = Config(files=FilesConfig(max_bytes=10))
    piped(data)
    assert memwiki_("append", "a", "-") == 2
    assert memwiki_.err.startswith(problem)
    assert [name for name, _, _ in memwiki_.workspace.calls] == ["open"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("append", "a"),
        ("append", "a", "b", "c"),
        ("append", "a", "--sectoin"),
        ("append", "a", "--sectoin", "x", "y"),
        ("replace", "a"),
    ],
)
def test_a_call_that_is_not_understood_writes_nothing(memwiki_, arguments):
    assert memwiki_(*arguments) == 2
    assert "memwiki" in memwiki_.err
    assert not [name for name, _, _ in memwiki_.workspace.calls if name.startswith("pages")]


NEW = {"type": "", "tags": [], "description": "", "content": None, "template": ""}
NEW |= {"folder": "", "dry_run": False}


@pytest.mark.parametrize(
    ("arguments", "call"),
    [
        (("new", "Green tea"), ("pages.new", ("Green tea",), NEW)),
        (
            (
                "new",
                "a/b.md",
                "--type",
                "person",
                "--tag",
                "x",
                "--tag",
                "y",
                "--description",
                "d",
                "--dry-run",
            ),
            (
                "pages.new",
                ("a/b.md",),
                NEW | {"type": "person", "tags": ["x", "y"], "description": "d", "dry_run": True},
            ),
        ),
        (("today", "- item"), ("pages.today", ("- item",), {"dry_run": False})),
        (("today", "", "--dry-run"), ("pages.today", ("",), {"dry_run": True})),
    ],
)
def test_what_is_asked_of_a_page_is_handed_on(memwiki_, monkeypatch, tmp_path, arguments, call):
    monkeypatch.chdir(tmp_path)
    assert memwiki_(*arguments) == 0
    assert memwiki_.call == call


def test_a_new_page_is_the_path_alone_and_notes_are_talk(memwiki_):
    assert memwiki_("new", "A") == 0
    assert (memwiki_.out, memwiki_.err) == ("a.md\n", "one note\n")
    memwiki_("new", "A", "-q")
    assert (memwiki_.out, memwiki_.err) == ("a.md\n", "")
    memwiki_("new", "A", "--json")
    assert '"paths": ["a.md"]' in memwiki_.out


def test_a_page_is_made_from_a_file_or_from_what_is_piped_in(memwiki_, piped, tmp_path):
    (tmp_path / "x.txt").write_bytes(b"from a file\r\n")
    memwiki_("new", "A", "--from", str(tmp_path / "x.txt"))
    assert memwiki_.call[2]["content"] == "from a file\r\n"
    piped(b"piped")
    memwiki_("new", "A", "--from", "-")
    assert memwiki_.call[2]["content"] == "piped"
    assert memwiki_("new", "A", "--from", str(tmp_path / "none")) == 1
    assert "cannot be read" in memwiki_.err


def test_without_text_or_a_terminal_today_is_the_path_of_a_page(memwiki_):
    assert memwiki_("today") == 0
    assert memwiki_.out == "daily/d.md\n"
    assert [name for name, _, _ in memwiki_.workspace.calls][-2:] == [
        "pages.today",
        "pages.today_path",
    ]


@pytest.fixture
def editor(tmp_path, environment, memwiki_):
    """An editor that notes what it was called with; the workspace is where it runs."""
    program = tmp_path / "my editor"
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@" > "$(dirname "$0")/called"\nexit $CODE\n')
    program.chmod(0o755)
    environment["EDITOR"] = f"'{program}' --wait"
    return lambda: (tmp_path / "called").read_text().splitlines()


def test_a_page_is_opened_in_the_editor_and_what_changed_is_said(memwiki_, editor, monkeypatch):
    monkeypatch.setenv("CODE", "0")
    assert memwiki_("open", "A") == 0
    assert editor() == ["--wait", str(memwiki_.workspace.root / "a.md")]
    assert [name for name, _, _ in memwiki_.workspace.calls][-2:] == ["pages.own_path", "sync"]
    assert memwiki_.out.startswith("+ a.md\n")


def test_an_editor_that_fails_is_named_after_what_it_saved_is_taken_in(
    memwiki_, editor, monkeypatch
):
    monkeypatch.setenv("CODE", "7")
    assert memwiki_("open", "A") == 1
    assert memwiki_.call[0] == "sync"
    assert "ended with exit code 7" in memwiki_.err


def test_today_opens_the_editor_for_a_person(memwiki_, editor, monkeypatch):
    monkeypatch.setenv("CODE", "0")
    monkeypatch.setattr("memwiki.cli.commands.edits.has_person", lambda: True)
    assert memwiki_("today") == 0
    assert editor()[-1].endswith("daily/d.md")
    memwiki_("today", "--json")
    assert memwiki_.call[0] == "pages.today_path"


@pytest.mark.parametrize(
    ("variables", "problem"),
    [
        ({}, "no editor is set"),
        ({"EDITOR": " "}, "no editor is set"),
        ({"VISUAL": "no-such-editor -x"}, "no-such-editor: cannot be started"),
    ],
)
def test_without_an_editor_the_next_step_is_named(memwiki_, environment, variables, problem):
    environment.update(variables)
    assert memwiki_("open", "A") == 1
    assert problem in memwiki_.err
    assert "EDITOR" in memwiki_.err


def test_a_page_that_is_not_there_can_be_made(memwiki_):
    memwiki_.answer(
        "pages.own_path",
        NotFoundError(
            "Black tea: no page has this name", hint="did you mean x.md?", candidates=("x.md",)
        ),
    )
    assert memwiki_("open", "Black tea") == 1
    assert memwiki_.err.endswith("did you mean x.md? memwiki new 'Black tea' makes it\n")
    memwiki_.answer(
        "pages.get", NotFoundError("Tea: no page has this name", hint="memwiki search Tea")
    )
    assert memwiki_("open", "Tea") == 1
    assert memwiki_.err.endswith("memwiki new Tea makes it\n")
