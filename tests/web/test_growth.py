"""What is drawn and looked for in a page takes time linear in it, whatever it is made of."""

from time import process_time

from memwiki.recall.hits import Excerpts
from memwiki.web.markdown_rules import _without_comments
from memwiki.web.pages import _without_bars, plainly
from tests.effort import for_each

SIZE = 200_000  # characters: what takes the square of them takes minutes, else half a second
MOST_S = 8
COMMENTS = [
    "%%\n",
    "%% a\n",
    "%% a %%\n",
    "a %%\n",
    "  %%\n",
    "%%%%\n",
    "%% %%\n%%\n",
    "```\n%%\n",
    "%%\n```\n",
    "%% ``` %%\n",
    "~~~\n",
    "%",
    "`",
    " ",
    "\n",
]
WORDS = [
    "# a\n",
    "# ",
    "#",
    " #",
    "-",
    " ",
    "\t",
    "|",
    " |",
    "|-",
    "---|",
    "--- ",
    ":-",
    ":",
    "`",
    "`a",
    "``",
    "[",
    "[a](",
    "[[a|",
    "![[",
    "[^a",
    "[x:: ",
    "*a ",
    "**a",
    "_",
    "~~a",
    "==a",
    "^a ",
    "> ",
    "- ",
    "1. ",
    "<a ",
]


@for_each("unit", COMMENTS)
def test_comments_are_left_out_in_one_walk(unit):
    lines = (unit * (SIZE // len(unit))).split("\n")
    begun = process_time()
    assert len(list(_without_comments(lines))) == len(lines)
    assert process_time() - begun < MOST_S


@for_each("start", ["# ", "# a | ", "# a |---|"])
@for_each("unit", WORDS)
def test_an_excerpt_is_made_plain_in_one_walk(start, unit):
    """A row of dashes or blanks behind a bar took five minutes."""
    text = f"{start}{unit * (SIZE // len(unit))}x"
    begun = process_time()
    assert plainly(text)
    assert len(Excerpts(["x"]).excerpt(text.split("\n"), 1).text) <= 242
    assert process_time() - begun < MOST_S


@for_each(
    ("text", "cells"),
    [
        ("| a | b |\n|---|:---:|\n| c | d |", "a · b · c · d"),
        ("a | b\n--- | ---\nc | d", "a · b · c · d"),
        ("x |---|---| y", "x · y"),
        ("a  |   --- |  b", "a · b"),
        ("this | that", "this | that"),
        ("a ---- b | c", "a ---- b | c"),
    ],
)
def test_the_cells_of_a_table_are_a_list(text, cells):
    assert _without_bars(text) == cells
