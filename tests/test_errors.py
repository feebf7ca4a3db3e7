"""An error names an argument as whoever called has to write it: in Python so, at the door otherwise."""

import json

import pytest

from memwiki.cli.main import main
from memwiki.errors import MemwikiError, UsageError

# What is asked in Python and on the command line, and how the failure is told there.
BOTH = [
    (
        lambda ws: ws.log(since="then"),
        ["log", "show", "--since", "then"],
        ('since="then": not a day', 'for example since="2026-09-01" or since="2w"'),
        ("--since then: not a day", "for example --since 2026-09-01 or --since 2w"),
    ),
    (
        lambda ws: ws.check(only=["bomb"]),
        ["check", "--only", "bomb"],
        ('only="bomb": no such code', "did you mean bom?"),
        ("--only bomb: no such code", "did you mean bom?"),
    ),
    (
        lambda ws: ws.pages.link("tea", "water", weight=0.5),
        ["link", "tea", "water", "--weight", "0.5"],
        ("weight: needs a relation", 'relation="works_on" weight="0.8"'),
        ("--weight: needs a --relation", "--relation works_on --weight 0.8"),
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
    ws.configure("layers.log", "log.md")
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
