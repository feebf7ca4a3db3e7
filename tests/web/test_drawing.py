"""Markdown of every dialect as a browser is given it; links where the index reads them."""

from __future__ import annotations

import re
from contextlib import suppress
from html import unescape
from urllib.parse import unquote

import pytest

from memwiki.errors import NotFoundError
from memwiki.nouns import LinkStatus
from memwiki.web.markdown import anchor_of, draw


@pytest.fixture
def drawn(put, opened):
    """Draws a text as the page `page.md`, beside other pages."""
    put("water.md", "# Water\n\n## Cold\n\nFrom the well.\n\nA block. ^well\n")

    def draw_text(text: str, path: str = "page.md") -> str:
        put(path, text)
        space = opened()
        return str(draw(space.pages.drawing(path), lambda name, part: _fetched(space, name, part)))

    return draw_text


def _fetched(space, name, part):
    with suppress(NotFoundError):
        return space.pages.drawing(name, section=part)
    return None


FORMS = [
    ("[[Water]]", '<a class="md-link" href="/p/water.md"'),
    ("[[Water|the well]]", ">the well</a>"),
    ("[[Water#Cold]]", 'href="/p/water.md#h-cold"'),
    ("[[Water#^well]]", 'href="/p/water.md#b-well"'),
    ("[w](water.md)", '<a class="md-link" href="/p/water.md"'),
    ("[w][r]\n\n[r]: water.md", 'href="/p/water.md"'),
    ("| a |\n| - |\n| [[Water\\|w]] |", ">w</a>"),
    ("[[Nowhere]]", '<a class="md-wanted" href="/new?name=Nowhere"'),
    ("[x](gone.md)", '<span class="md-broken">x</span>'),
    ("[x](https://example.org/a)", 'href="https://example.org/a" rel="noreferrer noopener"'),
    ("https://example.org/bare", 'href="https://example.org/bare"'),
    ("![[Water]]", '<div class="md-embed">'),
    ("![[Water#Cold]]", "From the well."),
    ("![[pic.png|120]]", 'width="120"'),
    ("![far](https://example.org/p.png)", '<a href="https://example.org/p.png"'),
    ('<img alt="p" src=https://example.org/p.png>', '<a href="https://example.org/p.png"'),
    ("<video controls src='https://example.org/v.mp4'></video>", ">https://example.org/v.mp4</a>"),
    ("> [!tip] Drink\n> More.", '<div class="md-callout md-callout-tip" data-callout="tip">'),
    ("> [!warning]- Hot\n> Wait.", "<summary"),
    ('!!! note "Hint"\n    Text.', '<p class="md-callout-title">Hint</p>'),
    (":::caution[Careful]\nText.\n:::", "md-callout-caution"),
    ("- [ ] open\n- [x] done", '<li data-line="2" class="md-task md-done">'),
    ("A word.[^1]\n\n[^1]: Its note.", 'href="#fn1"'),
    ("$a^2$ is a square", "<msup><mi>a</mi><mn>2</mn></msup>"),
    ("$$\\frac{1}{2}$$", "<mfrac>"),
    ("==marked== and ~~gone~~", "<mark>marked</mark>"),
    ("before %%secret%% after", "before  after"),
    ("```python\nx = 1\n```", '<span class="md-mi">1</span>'),
    ("A tag #hot/tea here", 'href="/search?q=tag%3Ahot/tea"'),
    ("A block ^mine", '<p data-line="1" id="b-mine">A block</p>'),
    ("Term\n: Meaning", "<dd>"),
]


def test_a_link_leads_to_the_heading_with_the_same_signs(drawn, put):
    put("hindi.md", "# ह\n\n## काल\n\nसमय\n\n## कील\n\nलोहा\n")
    address = re.search(r"#(h-[^\"]+)", drawn("[[hindi#कील]]\n"))[1]
    assert f'id="{unquote(address)}">कील' in drawn("## काल\n\n## कील\n")


@pytest.mark.parametrize(("text", "html"), FORMS, ids=[text[:24] for text, _ in FORMS])
def test_a_form_is_drawn(drawn, put, text, html):
    put("pic.png", b"\x89PNG\r\n\x1a\n")
    assert html in drawn(text + "\n")


def test_a_field_of_an_entry_is_set_apart(drawn):
    html = drawn("# Memory\n\n- Tea is hot. [about:: [[Water]]] ^m-000001\n", "memory.md")
    assert '<span class="md-field"><span class="md-key">about</span>' in html
    assert 'href="/p/water.md"' in html
    assert 'id="b-m-000001"' in html
    assert "^m-" not in html


def test_blocks_of_logseq_are_drawn(drawn, put):
    put("logseq/config.edn", "{:meta/version 1}")
    put("pages/other.md", f"- The block\n  id:: {UUID}\n\t- below\n")
    html = drawn(f"- TODO one\n- see (({UUID}))\n- {{{{embed (({UUID}))}}}}\n", "pages/page.md")
    assert 'type="checkbox"' in html
    assert "TODO" not in html
    assert ">The block</a>" in html
    assert "md-embed" in html
    assert "id::" not in html


UUID = "6123e1c2-0a3f-4f5e-9c11-000000000001"


def test_what_logseq_says_of_a_block_is_a_field_and_code_stays(drawn, put):
    put("logseq/config.edn", "{:meta/version 1}")
    code = "- ```\n  heading:: true\n  a:: b\n  ```\n"
    text = "- Tea\n  heading:: true\n  from:: [[water]], the well\n" + code
    html = drawn(text, "pages/tea.md")
    assert html.count("heading:: true") == 1
    assert '<span class="md-key">from</span>' in html
    assert ", the well</span>" in html
    assert "\na:: b" in html


def test_a_comment_of_several_blocks_is_not_shown_and_code_is(drawn):
    text = "a\n\n%%\n# no\n\n- [[Water]]\n%% b\n\n```\n%%time\n```\n\nc\n\n%% %%d\n\n%% open\n\ne\n"
    html = drawn(text)
    assert "no" not in html and "Water" not in html
    assert "%%time" in html
    assert [line for line in "abcde" if f">{line}</p>" in html.replace("> ", ">")] == [*"abcde"]
    assert '<p data-line="13">c</p>' in html


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_lines_that_only_begin_with_the_mark_of_a_comment_hide_nothing(drawn, gap):
    html = drawn(f"%% Load{gap}the data{gap}%% Plot")
    assert all(word in html for word in ("Load", "the data", "Plot"))
    for text in (f"%%{gap}secret{gap}%% x", f"%% secret{gap}secret %%", "a %% secret\nb %% c"):
        assert "secret" not in drawn(text)


@pytest.mark.parametrize(
    ("opening", "closing", "language"),
    [
        ("{{< highlight go >}}", "{{< /highlight >}}", "go"),
        ('{{< highlight go "linenos=table" >}}', "{{</ highlight >}}", "go"),
        ("{% highlight ruby %}", "{% endhighlight %}", "ruby"),
        ("{% codeblock lang:js %}", "{% endcodeblock %}", "js"),
        ("{{< code-toggle file=hugo >}}", "{{< /code-toggle >}}", ""),
    ],
)
def test_code_between_tags_of_a_site_is_code(drawn, opening, closing, language):
    html = drawn(f"a\n\n{opening}\n# no\n\n[[Water]]\n```\n%%\n{closing}\n\n# b\n")
    assert (html.count("<h1"), html.count("<pre"), html.count("<a ")) == (1, 1, 0)
    shown = unescape(re.sub(r"<[^>]*>", "", html))
    assert "# no\n\n[[Water]]\n```\n%%\n" in shown and "highlight" not in shown
    assert (f"md-lang-{language}" in html) == bool(language)


def test_a_range_of_dendron_is_shown_without_the_lines_it_leaves_out(drawn, put):
    put("dendron.yml", "version: 5\nworkspace:\n  vaults:\n    - fsPath: .\n")
    put("water.md", "# Water\n\n## Cold well\n\nFrom the well.\n\n## Warm\n\nNo.\n")
    html = drawn("![[water#cold-well,1:#*]]\n", "root.md")
    assert "From the well." in html
    assert "Cold well</h2>" not in html
    assert "No." not in html


def test_labels_of_dendron_come_first(drawn, put):
    put("dendron.yml", "version: 5\nworkspace:\n  vaults:\n    - fsPath: .\n")
    put("tea.green.md", "---\nid: g\ntitle: Green\n---\nHot.\n")
    html = drawn("---\nid: p\ntitle: P\n---\nSee [[the green one|tea.green]].\n", "tea.md")
    assert 'href="/p/tea.green.md"' in html
    assert ">the green one</a>" in html


def test_a_page_that_embeds_itself_ends(drawn):
    assert drawn("# Page\n\n![[page]]\n").count("md-embed-title") == 3


SAMPLE = """\
# Page

[[Water]] [[Water|w]] ![[Water#Cold]] [x](water.md#cold) [y](<water.md>) [z][r] `[[code]]`

| a | b |
| - | - |
| [[Water\\|w]] | [[Nowhere]] |

<div>[[Water]]</div>

- item [[Water#^well]]
    - nested [a [b] c](https://example.org) [[Bug] x](https://example.org/2)

        [[not a link]]

> quote [[Water]] $[[math]]$

[r]: water.md "Title"
"""


def test_every_link_of_the_index_is_drawn_and_no_other(drawn, opened):
    html = unescape(drawn(SAMPLE))
    page = opened().pages.drawing("page.md")
    indexed = [anchor_of(span).href for span in page.links]
    assert len(indexed) > 10
    for href in set(indexed):
        # a target that several links share is in the page once, and drawn once for each of them
        assert html.count(f'href="{href}"') >= indexed.count(href), href
    shown = {part.partition('"')[0] for part in html.split('href="')[1:]}
    assert shown == set(indexed)
    rows = opened().graph.links("page", "out")
    assert {row.target for row in rows if row.status is LinkStatus.RESOLVED} == {"water.md"}


def test_a_player_of_nothing_is_not_shown(drawn):
    html = drawn(
        "<video controls>\n<source src='https://example.org/v.mp4'>\n</video>\n\n"
        'a <audio src="https://example.org/a.mp3" controls></audio> b\n\n<audio></audio>\n'
    )
    assert "<video" not in html and "<audio" not in html
    for name in ("v.mp4", "a.mp3"):
        assert f'<a href="https://example.org/{name}" class="md-external"' in html


def test_what_html_shows_and_links_is_found_from_the_page(put, drawn):
    put("img/a.png", b"x")
    put("img/a.mp4", b"x")
    html = drawn(
        'A <img src="../img/a.png" width=5> and <a href="../water.md#Cold">cold</a>.\n\n'
        '<video src="../img/a.mp4" controls></video>\n\n<img src="none.png">\n',
        "sub/page.md",
    )
    assert '<img src="/file/img/a.png" width="5">' in html
    assert '<a href="/p/water.md#h-cold"' in html and ">cold</a>" in html
    assert '<video src="/file/img/a.mp4"' in html
    assert "memwiki:" not in html and "none.png" not in html
