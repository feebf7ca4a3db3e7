"""Links that a page writes as HTML are those that a browser reads, and are renamed where they
stand."""

import time
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from memwiki.markdown.edit.links import renamed, sites_of
from memwiki.markdown.html_links import html_link
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import Patch
from memwiki.nouns import Layers, LinkKind
from tests.effort import for_each


def links(text):
    return [(link.kind.value, link.written, link.heading, link.line) for link in page(text).links]


def page(text):
    return Outline(Layers(), "a.md", text)


def rename_all(text, name):
    """The text with every link of HTML renamed."""
    patches = [
        Patch(site.start, site.end, renamed(site, text[site.start : site.end], name) or "!")
        for site in sites_of(page(text))
    ]
    return page(text).patched(patches).text


@for_each(
    ("text", "expected"),
    [
        ('<a href="p.md">x</a>', ("markdown", "p.md", "", 1)),
        ("<a href='p.md'>x</a>", ("markdown", "p.md", "", 1)),
        ("<a href=p.md>x</a>", ("markdown", "p.md", "", 1)),
        ('<A HREF="p.md">x</A>', ("markdown", "p.md", "", 1)),
        ('<IMG SRC="i.png">', ("image", "i.png", "", 1)),
        ('<img src="i.png"/>', ("image", "i.png", "", 1)),
        ('<video controls src="v.mp4">', ("image", "v.mp4", "", 1)),
        ('<audio src="a.mp3"></audio>', ("image", "a.mp3", "", 1)),
        ('<video>\n<source src="v.mp4" type="video/mp4">', ("image", "v.mp4", "", 2)),
        ('<source media="(x: dark)" srcset="dark.png">', ("image", "dark.png", "", 1)),
        ('<img alt="a > b" width=300 src="i.png" />', ("image", "i.png", "", 1)),
        ("text\n<a\n  class='x'\n  href = 'p.md'\n>x</a>", ("markdown", "p.md", "", 2)),
        ('<p align="center">\n  <img src="img/i.png">\n</p>', ("image", "img/i.png", "", 2)),
        ('<a href="p.md#h">x</a>', ("markdown", "p.md", "h", 1)),
        ('<a href="p.md?a=1&b=2#h">x</a>', ("markdown", "p.md", "h", 1)),
        ('<a href="a%20b.md">x</a>', ("markdown", "a b.md", "", 1)),
        ('<a href="a b.md">x</a>', ("markdown", "a b.md", "", 1)),
        ('<a href="R&amp;D.md">x</a>', ("markdown", "R&D.md", "", 1)),
        ('<a href="R&D.md">x</a>', ("markdown", "R&D.md", "", 1)),
        ('<a href="it&#39;s.md#&#104;">x</a>', ("markdown", "it's.md", "h", 1)),
        ('<a href="/guide/x/">x</a>', ("markdown", "/guide/x/", "", 1)),
        ('<a href="p.md" href="q.md">x</a>', ("markdown", "p.md", "", 1)),
        ('<img style={{ width: 9 }} src="i.png" />', ("image", "i.png", "", 1)),
        ('> <a href="p.md">x</a>', ("markdown", "p.md", "", 1)),
        ('| <a href="p.md">x</a> |\n| - |', ("markdown", "p.md", "", 1)),
        ('<code><a href="p.md">x</a></code>', ("markdown", "p.md", "", 1)),
        ('text <pre>\n\n<a href="p.md">x</a>', ("markdown", "p.md", "", 3)),
        ('<pre></pre> <a href="p.md">x</a>', ("markdown", "p.md", "", 1)),
        ('\\\\<a href="p.md">x</a>', ("markdown", "p.md", "", 1)),
    ],
)
def test_a_relative_path_in_html_is_a_link(text, expected):
    assert links(text) == [expected]


@for_each(
    "text",
    [
        '`<a href="p.md">`',
        '```html\n<a href="p.md">\n```',
        '    <a href="p.md">',
        '<!-- <a href="p.md"> -->',
        '<!--\n\n<img src="i.png">\n\n-->',
        '<script>\n\nlet a = `<a href="p.md">`\n</script>',
        '<pre><code><a href="p.md"></code></pre>',
        '<pre>\n\n<a href="p.md">\n\n</pre>',
        '<style><a href="p.md"></style>',
        'x <pre><a href="p.md"></pre>',
        '\\<a href="p.md">',
        '[t]: <a href="p.md">',
        '<a name="p.md">',
        '<a data-href="p.md">',
        '<img href="p.md"> <a src="p.md">',
        '<source srcset="a.png 1x, b.png 2x">',
        '<source srcset="a.png 2x"> <img srcset="a.png">',
        '<abbr href="p.md">',
        '<a href="">',
        '<a href="#h">',
        '<a href="?q=1">',
        '<a href="//x.org/p.md">',
        '<a href="https://x.org/p.md">',
        '<a href="mailto:a@b.c">',
        '<a href="javascript:go()">',
        '<img src="C:\\i.png"> <img src="C:/i.png"> <img src=".\\i.png">',
        '<img src="data:image/png;base64,AA">',
        '<a href="{{ page.url }}/p.md">',
        '<a href="@/p.md">',
        '<a href="<% p %>.md">',
        "<a href={url}>",
        "<img src={require('./i.png').default} />",
        '<a href="${p}.md">',
        '<a href="p.md"',
        '<a href="p.md\n\n">',
        '<a\n\nhref="p.md">',
        '- <a\n- href="p.md">',
        '<a href="a$x$b.md">',
        '<a href="a&copy.md">',
        '<a href="a&num;b.md">',
    ],
)
def test_what_is_no_relative_path_or_no_html_is_no_link(text):
    assert links(text) == []


def test_in_the_target_of_another_link_is_none():
    assert links('[t](<a href="p.md">)') == [("markdown", 'a href="p.md"', "", 1)]


@for_each(
    ("text", "name", "expected"),
    [
        ('<a href="p.md">p.md</a>', "n.md", '<a href="n.md">p.md</a>'),
        ('<img alt="p.md" src=p.png>', "n.png", '<img alt="p.md" src=n.png>'),
        ('<a href="p.md?a=1&b=2#h">', "n.md", '<a href="n.md?a=1&b=2#h">'),
        ('<a href="R&amp;D/p.md">', "R&D/n.md", '<a href="R&amp;D/n.md">'),
        ('<a href="R&D/p.md">', "R&D/n.md", '<a href="R&D/n.md">'),
        ('<source media="x" srcset="p.png">', "n m.png", '<source media="x" srcset="n%20m.png">'),
        ('<a href="p.md">', "R&copy.md", '<a href="R&amp;copy.md">'),
        ('<a href="a%20b/p.md">', "a b/n m.md", '<a href="a%20b/n%20m.md">'),
        ('<a href="a b/p.md">', "a b/n m.md", '<a href="a b/n%20m.md">'),
        ('<a href="p.md">', "it's.md", '<a href="it\'s.md">'),
        ("<a href='p.md'>", "it's.md", "<a href='it%27s.md'>"),
        ("<a href=p.md>", 'it\'s="1".md', "<a href=it%27s%3D%221%22.md>"),
        ('<a href="p.md">', 'a"b{c}$.md', '<a href="a%22b%7Bc%7D%24.md">'),
        ('<a href="%E8%8C%B6.md">', "水.md", '<a href="%E6%B0%B4.md">'),
        ('<a href="p.md">', "a:b.md", '<a href="!">'),
        ('<a href="p.md">', "./a:b.md", '<a href="./a:b.md">'),
    ],
)
def test_another_name_is_written_as_its_quotes_allow(text, name, expected):
    assert rename_all(text, name) == expected


class FirstTag(HTMLParser):
    """The oracle: the attributes of the first tag."""

    found = None

    def handle_starttag(self, tag, attrs):
        if self.found is None:
            self.found = (tag, attrs)


def first_value(text, attribute):
    parser = FirstTag()
    parser.feed(text)
    parser.close()
    _, attrs = parser.found or ("", [])
    return next((value for name, value in attrs if name == attribute), None)


PARTS = (
    *("<a ", "<A\n", "<img ", "<IMG\t", "<b ", "</a>", ">", "/>", " ", "\n", "\n\n", "- ", "`"),
    *("href=", 'HREF = "', "src='", 'src="', 'title="', "alt='", '"', "'", "x.md", "i.png", "b/"),
    *("a b", "&amp;", "&#39;", "&copy", "&", "%20", "#h", "?q=1", "//", "x:", "\\", "$", "{{"),
    *("<pre>", "</pre>", "<script>", "</script>", "<!--", "-->", "[t](y.md)", "[[z]]", "text "),
)


@given(parts=st.lists(st.sampled_from(PARTS), max_size=30), lead=st.sampled_from(["", "<a "]))
def test_every_link_is_one_that_a_browser_reads_and_is_renamed_alone(parts, lead):
    text = lead + "".join(parts) + "\n"
    for site in sites_of(page(text)):
        if site.syntax.value not in ("double", "single", "unquoted"):
            continue
        raw, attribute = text[site.start : site.end], "href"
        if site.link.kind is LinkKind.IMAGE:
            attribute = "src"
        name = "<a" if attribute == "href" else "<img"
        tag = text.lower().rfind(name, 0, site.start)
        while tag >= 0 and first_value(text[tag:], attribute) is None:
            tag = text.lower().rfind(name, 0, tag)
        read = first_value(text[tag:], attribute)
        assert tag >= 0
        assert html_link(read.replace("&", "&amp;"), 0, site.link.kind)[:2] == site.link[:2]
        new = renamed(site, raw, "new.md")
        changed = text[: site.start] + new + text[site.end :]
        assert first_value(changed[tag:], attribute) == read.replace(
            read[: len(read) - len(site_tail(read))], "new.md", 1
        )
        assert renamed(site, raw, site.link.written) == raw


def site_tail(value):
    at = min((value.find(sign) for sign in "#?" if sign in value), default=len(value))
    return value[at:]


NAMES = st.text("ab[ &'\"%(){}$=#?;.<>`茶é", min_size=1, max_size=8).map(
    lambda name: f"{name.strip()}.md"
)


@given(before=NAMES, name=NAMES, quote=st.sampled_from(["'", '"', ""]), line=st.booleans())
def test_any_name_is_written_so_that_a_browser_finds_it(before, name, quote, line):
    tail = "?q=1&r=2#h" if quote else "?q#h"
    text = f"<a{chr(10) if line else ' '}href={quote}x.md{tail}{quote}>x</a>\n"
    for each in (before, name):
        (site,) = sites_of(page(text))
        new = renamed(site, text[site.start : site.end], each)
        if new is None:
            assert ":" in each
            return
        text = text[: site.start] + new + text[site.end :]
        (site,) = sites_of(page(text))
        assert site.link.written == each
        value = first_value(text, "href")
        assert html_link(value.replace("&", "&amp;"), 0, LinkKind.MARKDOWN).written == each
        assert value.endswith(tail)


@for_each("lead", ["", "<a ", '<a href="', "<a x='"])
@for_each(
    "unit",
    [
        *("<", "<a ", '"', "'", "<a href=", '<a href="', "<a b='<a' ", "<a x ", "<a\t", "<pre>"),
        *("<pre></pre>", "</pre>", '<img src="x" ', "\\", '\\<a href="x">', "&", "<a = ", " "),
        *("<a b=\"' c='<a d=\" ", '<a href="x"> ', "<a href=x>", "<a href='x'>[a](b)"),
    ],
)
def test_the_time_grows_with_the_text(unit, lead):
    text = lead + unit * (60_000 // len(unit))
    start = time.process_time()
    assert page(text).found.spans is not None
    assert time.process_time() - start < 1
