"""What an agent is told to do next is a call that it can make, or a request to the person."""

import ast
import re

from memwiki.cli.registry import COMMANDS
from memwiki.tools import PROFILES
from memwiki.tools.call import _ROWS, in_words_of_tools
from tests.effort import for_each
from tests.source import PACKAGE, dotted, nodes_with

TOOLS = {tool.name: tool for profile in PROFILES.values() for tool in profile}


@for_each(
    ("hint", "meant"),
    [
        ("memwiki get 'a b.md' shows all of it", "read name='a b.md' shows all of it"),
        ("read it again (memwiki get a.md), then", "read it again (read name=a.md), then"),
        ("memwiki list names the pages", "browse names the pages"),
        ("memwiki append a.md TEXT adds to it",
         "write action=append name=a.md text=TEXT adds to it"),
        ("memwiki set changes fields", "write action=set_fields changes fields"),
        ("memwiki set NAME key=value",
         "write action=set_fields name=NAME fields={key: value}"),
        ("memwiki graph 'a#^b'", "links name='a#^b'"),
        ("memwiki tag merge a b merges them", "tag action=merge old=a new=b merges them"),
        ("memwiki tags lists them", "browse what=tags lists them"),
        ("memwiki session list; memwiki session start x begins it",
         "session action=show; session action=start id=x begins it"),
        ("memwiki undo --dry-run shows what it would do; memwiki undo --yes does it",
         "undo dry_run=true shows what it would do; ask the person to run: memwiki undo --yes does"
         " it"),
        ("memwiki config set layers.archive archive",
         "ask the person to run: memwiki config set layers.archive archive"),
        ("memwiki sync rebuilds it", "ask the person to run: memwiki sync rebuilds it"),
        ("memwiki entry list, or memwiki search tea", "browse what=memories, or search query=tea"),
        ("memwiki add 'Prefers tea.'", "add memories=['Prefers tea.']"),
        ("memwiki status", "status"),
        ("memwiki unlink a b --relation x", "relate a=a b=b as=x remove=true"),
        ("remove it, which memwiki makes", "remove it, which memwiki makes"),
        ("a task that memwiki updates", "a task that memwiki updates"),
        ("a file that memwiki lists; memwiki review",
         "a file that memwiki lists; ask the person to run: memwiki review"),
        ("use memwiki", "use memwiki"),
    ],
)  # fmt: skip
def test_a_command_becomes_the_call_of_a_tool(hint, meant):
    assert in_words_of_tools(hint) == meant


def test_a_tool_that_is_not_offered_is_not_named():
    hint = "memwiki history a.md"
    assert in_words_of_tools(hint, {"read"}) == "ask the person to run: memwiki history a.md"
    assert in_words_of_tools(hint, {"history"}) == "history name=a.md"


def test_each_row_names_a_command_and_a_tool_with_arguments_that_there_are():
    for command, call in _ROWS:
        assert command.split()[0] in COMMANDS
        name, *words = call.split()
        arguments = [word.split("=")[0] for word in words if "=" in word]
        assert set(arguments) <= set(TOOLS[name].schema["properties"]), command


def hints():
    """All texts of hints in the source, with a word for what is filled in."""
    for path, node in nodes_with("memwiki "):
        if path.relative_to(PACKAGE).parts[0] in ("cli", "present"):
            continue
        if isinstance(node, ast.Call) and re.search(r"Error(\.at)?$", dotted(node.func)):
            for text in map(text_of, [*node.args, *node.keywords]):
                yield from re.findall(r"memwiki [a-z][^;()'\"]*", text.replace("{}", "WORD"))


def text_of(node):
    if isinstance(node, ast.JoinedStr):
        return "".join(map(text_of, node.values))
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.FormattedValue):
        return "WORD"
    return " ".join(map(text_of, ast.iter_child_nodes(node)))


def test_no_hint_of_the_source_leaves_a_bare_command_to_an_agent():
    found = list(hints())
    assert len(found) > 40
    bare = re.compile(rf"(?<!ask the person to run: )\bmemwiki (?:{'|'.join(COMMANDS)})\b")
    assert not [hint for hint in found if bare.search(in_words_of_tools(hint))]


def test_an_error_of_a_call_names_the_tool(ask):
    assert "next: browse" in ask("browse", path="nowhere").text
    answer = ask("read", name="tea", section="nothing")
    assert "memwiki get" not in answer.text
