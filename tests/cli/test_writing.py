"""The commands that write text: what they hand on, and what they refuse before anything is touched."""

import io

import pytest

from memwiki.config import Config, FilesConfig


@pytest.fixture
def piped(monkeypatch):
    """Put bytes on standard input."""
    return lambda data: monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.mark.parametrize(
    ("arguments", "call"),
    [
        (("append", "a", "text"), ("pages.append", ("a", "text"), {"section": "", "dry_run": False})),
        (("append", "a", "- item"), ("pages.append", ("a", "- item"), {"section": "", "dry_run": False})),
        (("append", "a", "-item", "--section", "H", "--dry-run"), ("pages.append", ("a", "-item"), {"section": "H", "dry_run": True})),
        (("replace", "a", "* x", "--section", "H"), ("pages.replace", ("a", "H", "* x"), {"dry_run": False})),
    ],
)  # fmt: skip
def test_text_is_handed_on_as_it_is(memwiki_, arguments, call):
    assert memwiki_(*arguments) == 0
    assert memwiki_.call == call


def test_piped_text_is_read_as_it_is(memwiki_, piped):
    piped("\ufeffa\r\n中文\n".encode())
    assert memwiki_("append", "a", "-") == 0
    assert memwiki_.call[1] == ("a", "\ufeffa\r\n中文\n")


def test_what_was_changed_is_said_and_notes_are_talk(memwiki_):
    memwiki_("append", "a", "text")
    assert memwiki_.out == "set status in a.md\n  a.md\n"
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
    [("append", "a"), ("append", "a", "b", "c"), ("append", "a", "--sectoin"), ("append", "a", "--sectoin", "x", "y"), ("replace", "a", "text")],
)  # fmt: skip
def test_a_call_that_is_not_understood_writes_nothing(memwiki_, arguments):
    assert memwiki_(*arguments) == 2
    assert "memwiki" in memwiki_.err
    assert not [name for name, _, _ in memwiki_.workspace.calls if name.startswith("pages")]
