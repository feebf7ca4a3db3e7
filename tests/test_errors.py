"""An error says its words itself, and names an argument as whoever called has to write it."""

import ast
import errno
import json
import os
from pathlib import Path

import pytest

from memwiki import errors
from memwiki.cli.main import main
from memwiki.errors import MemwikiError, UsageError
from tests.effort import for_each
from tests.source import dotted, nodes_with


@for_each(
    ("error", "code", "message", "hint", "path"),
    [
        (
            errors.TwinError("a.md", "A.md"),
            "already_exists",
            "a.md: A.md exists, and some systems treat the two as one file",
            "use A.md, or choose another name",
            "A.md",
        ),
        (
            errors.OutsideError("../a"),
            "unsafe_path",
            "'../a': leads out of the workspace",
            "give a path inside the workspace, such as wiki/page.md",
            "../a",
        ),
        (
            errors.LinkedFolderError(".memwiki"),
            "unsafe_path",
            ".memwiki: is a symlink",
            "replace it by a folder",
            ".memwiki",
        ),
        (
            errors.ArgumentError("sort", "size", "not a way to sort", "use {sort:title}"),
            "usage",
            'sort="size": not a way to sort',
            'use sort="title"',
            "",
        ),
        (
            errors.ManyMatchesError("tea", "pages match this name", ["a/tea.md", "b/tea.md"]),
            "ambiguous",
            "tea: 2 pages match this name",
            "give the path of one of them",
            "",
        ),
        (
            errors.RateLimitedError(30, 7),
            "rate_limited",
            "30 changes a minute are made already",
            "wait 7 seconds",
            "",
        ),
        (
            errors.WriteError.at("a.md", "could not be written", cause=OSError(28, "disk full")),
            "write_failed",
            "a.md: could not be written (disk full)",
            "",
            "a.md",
        ),
        (
            errors.LineNotEditableError("a.md", 3, "is a merge key"),
            "not_editable",
            "a.md:3: is a merge key",
            "edit this line by hand",
            "a.md",
        ),
        (
            errors.PageTooLongError("a.md", 9, 8, "cut it"),
            "usage",
            "a.md: would have 9 bytes, more than the 8 that are indexed",
            "cut it",
            "a.md",
        ),
    ],
)
def test_an_error_formats_itself(error, code, message, hint, path):
    assert (error.code, str(error), error.hint, error.path) == (code, message, hint, path)


def test_an_error_about_a_file_begins_with_its_path_and_line():
    error = errors.NotEditableError.at("a b.md", "is odd", "memwiki get {} shows it", "a b.md")
    assert (str(error), error.hint) == ("a b.md: is odd", "memwiki get 'a b.md' shows it")
    assert (error.path, error.line) == ("a b.md", 0)
    error = errors.NotEditableError.at(Path("a.md"), "is odd", line=7)
    assert (str(error), error.path, error.line) == ("a.md:7: is odd", "a.md", 7)


def errors_raised():
    """Each call of a class of errors that leaves its text to the caller: what is given in order."""
    for _, node in nodes_with("Error"):
        called = dotted(node.func) if isinstance(node, ast.Call) else ""
        kind = getattr(errors, called.removesuffix(".at"), None)
        if getattr(kind, "__init__", None) is MemwikiError.__init__:
            yield node.args[called.endswith(".at") + 1 :]


def test_each_word_of_a_hint_has_its_place():
    found = [given for given in errors_raised() if given]
    assert len(found) > 200
    for hint, *words in found:
        places = ast.unparse(hint).count("{}") if isinstance(hint, ast.Constant) else 0
        assert places == len(words), ast.unparse(hint)


def test_the_reason_of_the_system_is_said_without_its_number():
    assert errors.reason_of(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/x")) == os.strerror(
        errno.ENOSPC
    )
    assert errors.reason_of(OSError("odd")) == "odd"


# What is asked in Python and on the command line, and how the failure is told there.
BOTH = [
    (
        lambda ws: ws.journal.list(since="then"),
        ["log", "show", "--since", "then"],
        (
            'since="then": not a day',
            'for example since="2026-09-01", since="2w" or since="yesterday"',
        ),
        (
            "--since then: not a day",
            "for example --since 2026-09-01, --since 2w or --since yesterday",
        ),
    ),
    (
        lambda ws: ws.check.run(only=["bomb"]),
        ["check", "--only", "bomb"],
        ('only="bomb": no such code', "did you mean bom?"),
        ("--only bomb: no such code", "did you mean bom?"),
    ),
    (
        lambda ws: ws.pages.link("tea", "water", weight=0.5),
        ["link", "tea", "water", "--weight", "0.5"],
        ("weight: needs a relation", 'give both, for example relation="works_on" and weight=0.8'),
        (
            "--weight: needs a --relation",
            "give both, for example --relation works_on and --weight 0.8",
        ),
    ),
    (
        lambda ws: ws.pages.new("empty", content=" "),
        ["new", "empty", "--from", "/dev/null"],
        ("text: is empty", "nothing was created; leave content out for a template"),
        ("text: is empty", "nothing was created; leave --from out for a template"),
    ),
]


@pytest.mark.parametrize(("ask", "arguments", "python", "door"), BOTH)
def test_an_argument_is_called_as_the_caller_calls_it(
    put, ws, capsys, ask, arguments, python, door
):
    ws.settings.set("layers.log", "log.md")
    put("tea.md", "# Tea\n")
    put("water.md", "# Water\n")
    with pytest.raises(UsageError) as caught:
        ask(ws)
    assert (caught.value.message, caught.value.hint) == python
    assert str(caught.value) == python[0]
    assert main(["-C", str(ws.root), *arguments]) == 2
    assert tuple(capsys.readouterr().err.splitlines()) == door
    assert main(["-C", str(ws.root), *arguments, "--json"]) == 2
    told = json.loads(capsys.readouterr().out)["error"]
    assert (told["message"], told["hint"]) == door


def test_braces_in_what_was_given_stay_as_they_are():
    error = MemwikiError("{at}: {not} here", arguments={"at": "{at}{0}"})
    assert error.message == 'at="{at}{0}": {not} here'


def test_a_text_without_arguments_is_not_looked_into():
    assert MemwikiError("{at}: odd", hint="{at").message == "{at}: odd"
