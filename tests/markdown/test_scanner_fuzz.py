"""Thousands of small documents out of every starter: the scanner ends, and sees what markdown-it
sees."""

import json
import random
import sys
from itertools import islice, product
from pathlib import Path

import pytest

from memwiki.markdown import scanner
from memwiki.markdown.parse import parse
from memwiki.markdown.scanner import scan
from memwiki.markdown.structure import parsed_structure
from memwiki.markdown.syntax import StepBudget, StuckError
from memwiki.nouns import Layers

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from fuzz import STARTERS, difference, documents, failure, smallest

from tests.effort import IS_WIDE, for_each

SPECIFICATION = json.loads((Path(__file__).parents[1] / "data/commonmark_spec.json").read_text())
FAMILIES = (
    "<!-- x -->",
    "<?x?>",
    "<!D>",
    "<![CDATA[x]]>",
    "<pre></pre>",
    "<script>x</script>",
    "<style></style>",
    "<textarea></textarea>",
    "<div>x</div>",
    "<b>",
    "</b>",
)
# One of each kind of line, out of which pathological pages are made by repeating.
UNITS = (
    "[a]: b\n",
    "[a]:\n",
    "[a\n",
    "- a\n",
    "- ",
    "-\n",
    "-\n\n",
    "> ",
    ">\n",
    "> a\n",
    "a\n",
    "    a\n",
    "\n",
    "```\n",
    "~~~a\n",
    "<!--\n",
    "<!-- x -->\n",
    "<div>\n",
    "<?\n",
    "<a>\n",
    "<a ",
    "| a | b |\n",
    "|-|-|\n",
    "a|b\n-|-\n",
    "|",
    "---\n",
    "===\n",
    "1. ",
    "1) a\n",
    "# h\n",
    "#",
    "a\n---\n",
    "\t",
    "`",
    "* * ",
    "  - a\n",
    " ",
    "<![CDATA[\n",
    "- <!--\n",
    ":-|",
    "- ```\n",
    "$$\n",
    "$$ a\n",
    "- $$\n",
    "!!! a\n    b\n",
    "!!! a\n\n",
    '=== "a"\n\t',
    "{% highlight %}\n",
    "{% code %}\n- {{< code >}}\n",
    "{% code %}\na\n{% endcode %}\n",
    "- a\n  {% code %}\n",
)


@for_each("seed", range(5))
def test_markdown_it_sees_the_same_in_a_thousand_random_documents(seed):
    for lines in islice(documents(random.Random(seed)), 1000):
        wrong = difference([line.replace("\r", " ").replace("\0", " ") for line in lines])
        assert not wrong, (lines, wrong)


def test_random_documents_become_pages_of_every_kind():
    for lines in islice(documents(random.Random("pages")), 150):
        assert failure(lines) == "", lines


def test_markdown_it_sees_the_same_in_each_starter_at_each_depth():
    for prefix, text in product(("", "- ", "> ", "1. ", "- - ", "> - ", "- > ", "  "), STARTERS):
        lines = [prefix + text, "", "# h"]
        assert difference(lines) == "", lines


@for_each(("first", "others"), [("", ""), ("- ", "  "), ("> ", "> "), ("1. > ", "   > ")])
def test_markdown_it_sees_the_same_in_the_examples_of_the_specification(first, others):
    for example in SPECIFICATION["examples"]:
        top, *below = example.split("\n")
        lines = [first + top, *(others + line for line in below), "", "# h"]
        assert difference(lines) == "", lines


@for_each("text", FAMILIES)
@for_each("prefix", ["- ", "1. ", "- - ", "  * ", "-\t"])
def test_a_list_item_that_begins_with_html_closed_on_its_line_ends(prefix, text):
    lines = [prefix + text, "# h"]
    assert [h.line for h in scan(lines).headings] == [1]
    assert difference(lines) == ""
    page = parse("a.md", "\n".join(lines).encode(), Layers())
    assert [section.title for section in page.sections] == ["h"]


@for_each(
    "text",
    [
        "# |-|-|\n---|-|-|",
        "12) [a]: x\n---",
        "2) [a]: x\ny",
        "<b>a | b\n---|---\nx\n\n# h",
        "||\n--\n# h",
        "- >\nx",
        "-\t[1]:e\n    -\n    \tc",
        ">- >- <!--",
        ">- <textarea\n>",
        ">-     a",
        "# a\tb",
        "# #\x0c",
        "|\n- \x85",
        "- - - - - - - - - - - - b\n# h",
        "- a\n\n  | a | b |\n  |---|---|\n  | c | d |\nx\n---",
    ],
)
def test_what_once_differed_from_markdown_it_does_not(text):
    assert difference(text.split("\n")) == ""


@for_each("text", ["- [[a]]\nb", "- [a](b)\nc", "- [ ] a\nb", "[a](b)\n---", "[a\\]b] c\n==="])
def test_a_link_at_the_beginning_of_a_paragraph_is_no_definition(text):
    assert scan(text.split("\n")).is_certain
    assert difference(text.split("\n")) == ""


def test_a_rule_below_a_table_makes_no_heading_of_it():
    lines = ["| a | b |", "|---|---|", "| c | d |", "---", "# h"]
    scanned = scan(lines)
    assert scanned.is_certain
    assert [h.title for h in scanned.headings] == ["h"]


def test_a_line_of_dashes_that_fits_no_row_above_it_begins_no_table():
    assert [h.title for h in scan(["| a | b |", "--", "x"]).headings] == ["| a | b |"]


def test_an_indented_line_below_a_table_is_code():
    assert scan(["a | b", "--|--", "c | d", "    code"]).code == ((3, 4),)


def test_a_step_that_does_not_move_forward_is_an_error(monkeypatch):
    monkeypatch.setattr(scanner._Scanner, "_line", lambda self, i, line: i)
    with pytest.raises(StuckError, match="line 2 is read again"):
        scan(["text", "> a"])


def test_steps_that_the_size_does_not_explain_are_an_error():
    steps = StepBudget(10, 2)
    steps.spend(1_020)
    with pytest.raises(StuckError):
        steps.spend(1)


@for_each("unit", UNITS)
def test_the_scanner_takes_no_more_steps_a_line_however_long_the_page(unit):
    spent = [steps_of(unit * count) for count in (200, 800)]
    assert spent[1] <= 4 * spent[0] + 10


def steps_of(text):
    run = scanner._Scanner(text.split("\n"))
    before = run.steps.left
    run.run(0)
    return before - run.steps.left


def test_no_pair_of_starters_uses_up_the_steps():
    step = 1 if IS_WIDE else 4  # of the pairs one in four, with each unit at either place
    for row, first in enumerate(UNITS):
        for second in UNITS[row % step :: step]:
            scan(((first + second) * 300).split("\n"))


@for_each("unit", UNITS)
def test_markdown_it_makes_no_more_calls_a_line_however_long_the_page(unit):
    calls = [calls_of(unit * count) for count in (100, 400)]
    assert calls[1] <= 6 * calls[0] + 1000


def calls_of(text):
    count = 0

    def seen(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    parsed_structure([""], 0)  # imports
    sys.setprofile(seen)
    try:
        parsed_structure(text.split("\n"), 0)
    finally:
        sys.setprofile(None)
    return count


def test_a_failing_document_is_made_as_small_as_it_goes():
    assert smallest(["x", "- abc", "y"], lambda lines: "b" if "b" in "".join(lines) else "") == [
        "b"
    ]


def test_items_that_are_met_together_are_those_met_one_by_one(monkeypatch):
    chance = random.Random(4)
    items = [f"{mark} {text}" for mark in "-*+" for text in ("a", "~~a~~", "*a*", "1 a", "1. a")]
    pages = [
        [
            line
            for part in zip(page, chance.choices(items, k=len(page)), strict=True)
            for line in part
        ]
        for page in islice(documents(chance), 3_000)
    ]
    together = [scan(page) for page in pages]
    monkeypatch.setattr(scanner, "PLAIN_ITEM", lambda _: None)
    assert together == [scan(page) for page in pages]
