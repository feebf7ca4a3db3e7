"""What stands where in a page is the same for a change of its text as for the parser."""

from itertools import permutations

import pytest

from memwiki.errors import AmbiguousError, NotFoundError
from memwiki.markdown.mask import mask_inline
from memwiki.markdown.outline import Outline, PageKind
from memwiki.markdown.parse import parse
from memwiki.markdown.structure import find_lines, find_section, open_block
from memwiki.nouns import Layers
from tests.effort import for_each

LAYERS = Layers(daily="daily", sessions="sessions", inbox="inbox", namespaces="namespaces")
PAGE = """---
title: A
---
# A

text

Under
-----

```
# no heading
```

## C#
### Below
## Under
"""


@for_each(
    ("text", "masked"),
    [
        ("a `b` c `d", "a     c `d"),
        ("``a`b`` `c``d` e", "               e"),
        ("\\`a `b`", "\\`a    "),
        ("\\``a` b", "\\`    b"),
        ("a `b\n\nc `d`", "a `b\n\nc    "),
        # what begins in a comment or a formula and would go on behind it
        ("<!--`a$$--> `\\$$`", " " * 17),
        ("|$$`$$$$$$`", "|         `"),
        ("$`$ a`b` c", "    a    c"),
    ],
)
def test_code_comments_and_formulas_are_blank_wherever_the_others_begin(text, masked):
    assert mask_inline(text) == masked


def page_of(text, path="a.md"):
    return parse(path, text.encode(), LAYERS)


def outline_of(text, path="a.md"):
    return Outline(LAYERS, path, text)


@for_each("path", ["a.md", "memory.md", "sessions/s.md", "daily/2026-11-21.md"])
def test_it_has_the_sections_that_the_parser_finds(path):
    assert outline_of(PAGE, path).sections == page_of(PAGE, path).sections


@for_each(
    ("path", "head", "kind"),
    [
        ("a.md", "", PageKind.PLAIN),
        ("a.md", "---\ntype: memory\n---\n", PageKind.COLLECTING),
        ("a.md", "---\nkind: Session\n---\n", PageKind.SESSION),
        ("memory.md", "", PageKind.COLLECTING),
        ("daily/2026-11-21.md", "", PageKind.COLLECTING),
        ("namespaces/bob/memory.md", "", PageKind.COLLECTING),
        ("sessions/s.md", "", PageKind.SESSION),
        ("sessions/s.md", "---\ntype: memory\n---\n", PageKind.SESSION),
    ],
)
def test_it_knows_collecting_pages_and_sessions(path, head, kind):
    assert outline_of(f"{head}# A\n", path).kind is kind


@for_each(
    ("wanted", "lines"),
    [
        ("A", (4, 17)),
        ("c#", (15, 16)),
        ("## C#", (15, 16)),
        ("A#Below", (16, 16)),
    ],
)
def test_a_section_is_found_by_its_heading_or_the_way_to_it(wanted, lines):
    assert find_lines(page_of(PAGE), wanted) == lines


def test_sections_of_one_name_are_ambiguous():
    page = page_of(PAGE)
    with pytest.raises(AmbiguousError) as raised:
        find_section(page, "under")
    assert raised.value.candidates == ("A#Under (line 8)", "A#Under (line 17)")
    assert raised.value.hint == "name it with the heading above or its line, as A#Under (line 8)"
    for wanted in ("A#Under (line 17)", "under (line 17)"):
        assert find_section(page, wanted).line_start == 17
    with pytest.raises(NotFoundError):
        find_section(page, "Under (line 9)")


@for_each(
    ("wanted", "hint"),
    [
        ("Belw", "did you mean Below?"),
        ("und", "did you mean Under?"),
        ("x", "memwiki get a.md shows all of it"),
    ],
)
def test_a_section_that_is_not_there_has_a_next_step(wanted, hint):
    page = page_of(PAGE)
    with pytest.raises(NotFoundError) as raised:
        find_section(page, wanted)
    assert raised.value.hint == hint


@for_each(
    ("text", "line"),
    [
        ("", 0),
        ("text", 0),
        ("```\ncode\n```", 0),
        ("a\n\n```\ncode", 3),
        ("~~~\n```", 1),
        ("<!-- comment", 1),
        ("<!-- comment -->", 0),
        ("a\n\n<pre>\n\nb", 3),
        ("<div>", 0),
        ("- item\n  ```\n  code", 0),
        ("    code", 0),
    ],
)
def test_code_and_html_that_take_in_what_follows_are_told(text, line):
    assert open_block(text.split("\n")) == line


@pytest.mark.parametrize(
    "text",
    [
        *("> a notice\n\n# Green tea history\n\ntext\n", "- item\n# Page\n\ntext\n"),
        *("[![b](x)](y)\n\n# Proj\n\ntext\n\n# More\n", "## Green tea\n\n[[a]] #x\n"),
        *("# T\n\n- a fact ^m-abc234\n", "# S\n\n### user\n\nhi\n", "Title: B\n\ntext\n"),
    ],
)
def test_a_page_at_another_path_is_as_if_it_had_always_been_there(text):
    paths = ("green-tea.md", "x.md", "PAGE.MD", "README.md", "memory.md", "sessions/s.md")
    for old, new in permutations(paths, 2):
        page, anew = (Outline(LAYERS, path, text) for path in (old, new))
        assert of_page(page) is not None
        assert of_page(page.at(new)) == of_page(anew)


def of_page(page):
    """What is found in it, and so noted there."""
    names = page.title, page.heading, page.search_names, page.type
    return *names, page.kind, page.links, page.tags, page.structure, page.sections


@for_each(
    ("line", "title"),
    [
        ("## Home [#the-way]", "Home"),
        ("## Home [!toc]", "Home"),
        ("## Crash [#12]", "Crash [#12]"),
        ("## :material-home: Home", "Home"),
        ("## :star: Home", ":star: Home"),
        ("## a[#i]", "a[#i]"),
    ],
)
def test_what_a_site_says_of_a_heading_is_no_part_of_it(read, line, title):
    assert read(f"# A\n\n{line}\n\ntext\n").sections[1].title == title
