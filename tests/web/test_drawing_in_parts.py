"""A long page is drawn part by part, and says the same as one that is drawn at once."""

from __future__ import annotations

import random

import pytest
from starlette.responses import StreamingResponse

from memwiki.browse.graph import GraphFacet
from memwiki.errors import IndexDamagedError
from memwiki.web import markdown
from memwiki.web.markdown import draw, draw_parts
from memwiki.web.site import WebCall
from memwiki.web.views.page import page_view
from tests.effort import tries
from tests.web.test_hostile_pages import CORPUS, PIECES, off_the_list

PLAIN = [
    "## Same heading\n",
    "A word.[^1] And [a reference][r], [[Water]] and `code`.\n",
    "[^1]: Its note, with a [^2].\n",
    "[^2]: Another note.\n\n    With a second block.\n",
    "Inline note.^[Said *here*.]\n",
    "[r]: https://example.org/r\n",
    "- item\n\n- [ ] task\n  - below it ^block\n",
    "- tight\n- <b>bold</b> [[Water]]\n- [x] done ^done\n- TODO later\n\n  second paragraph\n",
    "3. three\n4. four\n   > [!note] Box\n   > Text.\n5. five[^1]\n",
    "- a <b>bold\n- item</b>\n- last\n",
    "- ```html\n  <i>\n  ```\n- last\n",
    "> [!tip]- Folded\n> Text.\n",
    ":::note[Title]\n## Within\n:::\n",
    "| a | b |\n| - | - |\n| 1 | [[Water]] |\n",
    "| a | b |\n| :- | -: |\n| 1 | 2[^2] |\n| <b>3</b> | |\n| `<td>` |\n| 5 | 6 | 7 |\n",
    "| a |\n| - |\n| <i>1 |\n| 2</i> |\n| 3 |\n",
    "```python\n# Comment\n\nx = 1\n```\n",
    "$$\nx^2\n$$\n",
    "<div>\n\nwithin\n\n</div>\n",
    "<details><summary>More</summary>\n\nwithin\n\n## Heading\n",
    "</details>\n",
    "A <b>bold\n\nparagraph</b> and <!-- a comment with <div> --> more.\n",
    "term\n: what it means\n",
]


MISNESTED = [
    "- <ul><li>more\n- </ul>\n- <!-- open\n- end -->\n- </ul></ul>\n- last\n",
    "| a |\n| - |\n| </table> |\n| <tr><td>3 |\n| <!-- |\n| 4 --> |\n| <script>5 |\n| 6 |\n",
]


@pytest.fixture
def page(put, ws):
    put("water.md", "# Water\n")
    put("page.md", "# Page\n")
    return lambda text: ws.pages.drawing("page", text=f"# Page\n\n{text}\n")


def parts_of(page) -> list[str]:
    return [str(part) for part in draw_parts(page, lambda *_: None, first_chars=1)]


def lines_of(html: str) -> list[str]:
    return [line for line in html.split("\n") if line.strip()]


def test_all_parts_together_are_the_page(page):
    chance = random.Random(7)
    for _ in range(tries(120)):
        text = "\n".join(chance.choices(PLAIN, k=chance.randint(2, 14)))
        whole = str(draw(page(text), lambda *_: None))
        assert lines_of("".join(parts_of(page(text)))) == lines_of(whole), text


def test_each_block_can_be_a_part_and_footnotes_are_the_last(page):
    parts = parts_of(page("One.[^1]\n\n[^1]: Note.\n\n## Two\n\n- three\n- four\n\nFive."))
    assert ["Note." in part for part in parts] == [False] * (len(parts) - 1) + [True]
    assert len(parts) >= 4


LONG = {
    "table": "| a | b |\n| - | - |\n" + "".join(f"| row {n} | text |\n" for n in range(2_000)),
    "list": "".join(f"- row {n} and some text\n" for n in range(2_000)),
    "numbered list": "".join(f"{n}. row {n} and more\n" for n in range(7, 2_007)),
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_long_table_or_list_begins_before_all_of_it_is_drawn(page, text):
    parts = list(map(str, draw_parts(page(f"Before.\n\n{text}\nAfter."), lambda *_: None)))
    assert len(parts) >= 3
    assert "row 10" in parts[0]
    assert len(parts[0]) < 10_000
    whole = str(draw(page(f"Before.\n\n{text}\nAfter."), lambda *_: None))
    assert lines_of("".join(parts)) == lines_of(whole)
    assert all(whole.count(tag) <= 2 for tag in ("<table", "<tbody", "<ul", "<ol"))


def test_rows_are_cut_nowhere_within_an_element_of_theirs(page):
    rows = ["| a |", "| - |", "| <b>first |", "| second</b> |", "| last |"]
    *_, part = parts_of(page("\n".join(rows)))
    assert "first" in part
    assert "last" in part
    *_, part = parts_of(page("\n".join([*rows[:2], "| <b>first</b> |", *rows[4:]])))
    assert "first" not in part
    assert "last" in part


def test_what_is_within_an_element_stays_within_it(page):
    parts = parts_of(page("before\n\n<div>\n\none\n\ntwo\n\n</div>\n\nafter"))
    assert [part for part in parts if "one" in part] == [
        part for part in parts if "two" in part and "</div>" in part
    ]
    assert "after" in parts[-1] and "one" not in parts[-1]


def test_an_element_that_nobody_knows_holds_nothing_together(page):
    parts = parts_of(page("before\n\n<TabsPanel letters='AB' />\n\n## One\n\n## Two"))
    assert "Two" not in "".join(parts[:-1])
    assert len(parts) >= 3


def test_a_reference_is_known_before_it_is_defined(page):
    [first, *_] = parts_of(page("[water][w]\n\n## One\n\n[w]: water.md"))[1:]
    assert 'href="/p/water.md"' in first


def test_parts_grow_so_that_a_long_page_has_few(page):
    drawing = page("\n\n".join(["word " * 20] * 2_000))
    parts = list(draw_parts(drawing, lambda *_: None))
    assert 3 <= len(parts) <= 5
    assert len(parts[0]) < 8_000


def test_a_hostile_page_in_parts_holds_nothing_off_the_list(page):
    chance = random.Random(31)
    for _ in range(200):
        text = "\n\n".join(
            chance.choices([*PIECES, *CORPUS, *PLAIN, *MISNESTED], k=chance.randint(2, 10))
        )
        html = "".join(parts_of(page(text)))
        assert off_the_list(html) == [], text


def test_a_long_page_begins_before_the_rest_is_drawn(put, visit, monkeypatch):
    sections = [f"## Section {n}\n\n{'word ' * 200}\n" for n in range(40)]
    put("long.md", "# Long\n\n" + "\n".join(sections))
    put("from.md", "# From\n\n[[Long]]\n")
    wiki = visit()
    cleaned = list[str]()
    drawn = markdown.sanitise
    monkeypatch.setattr(markdown, "sanitise", lambda html: cleaned.append(html) or drawn(html))
    asked = list[str]()
    ask = GraphFacet.backlinks
    monkeypatch.setattr(
        GraphFacet,
        "backlinks",
        lambda self, name, **how: asked.append(name) or ask(self, name, **how),
    )
    call = WebCall(wiki.site, "/p/long.md", {"path": "long.md"}, {}, {}, "")
    answer = page_view(call)
    assert asked == []  # what links to it stands below
    assert isinstance(answer, StreamingResponse)
    assert len(cleaned) == 1  # of the parts
    assert "Section 39" not in cleaned[0]
    html = wiki.get("/p/long.md").text
    assert "Section 39" in html
    assert html.rstrip().endswith("</html>")
    assert "/p/from.md#L3" in html


def test_a_page_is_whole_where_the_index_cannot_say_what_links_to_it(put, visit, monkeypatch):
    put("long.md", "# Long\n\n" + "word " * 4_000)
    wiki = visit()
    monkeypatch.setattr(GraphFacet, "backlinks", failing)
    html = wiki.get("/p/long.md").text
    assert "The index could not be read just now" in html
    assert html.rstrip().endswith("</html>")


def failing(*_args, **_options):
    raise IndexDamagedError("cards: are damaged")


def test_a_paragraph_of_unusual_length_is_shown_as_it_is_written(reading):
    many = "word <b>x</b> and [w](w.md) " * 5_000
    space = reading({"a.md": f"# A\n\n{many}\n\n## {many}\n\n- {many}\n\n*Last*.\n", "w.md": "x\n"})
    shown = "".join(draw_parts(space.pages.drawing("a.md"), lambda *_: None))
    assert shown.count("word &lt;b&gt;x&lt;/b&gt; and [w](w.md)") == 15_000
    assert "<em>Last</em>" in shown
