"""Every way of writing a link is found, and nothing in code, comments or math is."""

from random import Random

import pytest

from memwiki.markdown import links as links_room
from memwiki.markdown.links import find_links
from memwiki.markdown.mask import Masked, _blanked, _spans, mask_inline
from memwiki.markdown.outline import outline_of
from memwiki.nouns import LOGSEQ, OBSIDIAN, Dialect, Layers, LinkKind
from tests.effort import for_each


def links(page):
    return [
        (link.kind.value, link.written, link.heading, link.block, link.text) for link in page.links
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[p]]", ("wikilink", "p", "", "", "")),
        ("[[p.md]]", ("wikilink", "p.md", "", "", "")),
        ("[[dir/p]]", ("wikilink", "dir/p", "", "", "")),
        ("[[p|label]]", ("wikilink", "p", "", "", "label")),
        ("| [[p\\|label]] |", ("wikilink", "p", "", "", "label")),
        ("[[p#H]]", ("wikilink", "p", "H", "", "")),
        ("[[p#H1#H2|x]]", ("wikilink", "p", "H1#H2", "", "x")),
        ("[[p#^block]]", ("wikilink", "p", "", "block", "")),
        ("[[#H]]", ("wikilink", "", "H", "", "")),
        ("[[Node.js]]", ("wikilink", "Node.js", "", "", "")),
        ("![[p]]", ("embed", "p", "", "", "")),
        ("![[i.png|300]]", ("embed", "i.png", "", "", "300")),
        ("[l]([[p]])", ("wikilink", "p", "", "", "")),
        ("[l]([[p#H|x]])", ("wikilink", "p", "H", "", "x")),
        ("{{embed [[p]]}}", ("wikilink", "p", "", "", "")),
        ("{{[[query]]: {and: [[p]]}}}", ("wikilink", "p", "", "", "")),
        ("[t](rel.md)", ("markdown", "rel.md", "", "", "t")),
        ("[t](../a%20b.md)", ("markdown", "../a b.md", "", "", "t")),
        ("[t](/root.md#h)", ("markdown", "/root.md", "h", "", "t")),
        ("[t](a.md?x=1#h)", ("markdown", "a.md", "h", "", "t")),
        ("[t](<with spaces.md>)", ("markdown", "with spaces.md", "", "", "t")),
        ('[t](a.md "Title")', ("markdown", "a.md", "", "", "t")),
        ("[t](a.md 'Title')", ("markdown", "a.md", "", "", "t")),
        ("[t](a_(b).md)", ("markdown", "a_(b).md", "", "", "t")),
        ("[t](a\\_b.md)", ("markdown", "a_b.md", "", "", "t")),
        ("[a [b] c](d.md)", ("markdown", "d.md", "", "", "a [b] c")),
        ("[t](#here)", ("markdown", "", "here", "", "t")),
        ("![alt](i.png)", ("image", "i.png", "", "", "alt")),
        ("[t](https://x.org/a#b)", ("markdown", "https://x.org/a#b", "", "", "t")),
        ("[t](mailto:a@b.c)", ("markdown", "mailto:a@b.c", "", "", "t")),
        ("[t][r]\n\n[r]: a.md", ("markdown", "a.md", "", "", "t")),
        ("[R][]\n\n[r]: <a b.md> 'x'", ("markdown", "a b.md", "", "", "R")),
        ("[r]\n\n[r]: a.md", ("markdown", "a.md", "", "", "r")),
        ("x[^1]\n\n[^1]: see [[p]]", ("wikilink", "p", "", "", "")),
        ("[`[x]`](a.md)", ("markdown", "a.md", "", "", "")),
        ("[[1]](https://x.org/a)", ("markdown", "https://x.org/a", "", "", "[1]")),
        ("[[a]](b.md#h)", ("markdown", "b.md", "h", "", "[a]")),
        ("[[a|b]](<c d.md> 'T')", ("markdown", "c d.md", "", "", "[a|b]")),
        ("[[a]][r]\n\n[r]: b.md", ("markdown", "b.md", "", "", "[a]")),
        ("[[a]] (b.md)", ("wikilink", "a", "", "", "")),
        ("[[a]]()", ("wikilink", "a", "", "", "")),
        ('[t]({{</* ref "a" */>}}) [[b]]', ("wikilink", "b", "", "", "")),
        ("[t]({{ page.url }}) [u]({% include a.md %}) [[b]]", ("wikilink", "b", "", "", "")),
        ("[[a]](b c)", ("wikilink", "a", "", "", "")),
        ("[[p#**B** and `c`|x]]", ("wikilink", "p", "**B** and `c`", "", "x")),
        ("![[p#`c`]]", ("embed", "p", "`c`", "", "")),
        ("[[Smith]](2019)", ("wikilink", "Smith", "", "", "")),
        ("[[Smith|S]](2019a)", ("wikilink", "Smith", "", "", "S")),
        ("[[1]](2019.md)", ("markdown", "2019.md", "", "", "[1]")),
        ("[[1]](notes)", ("markdown", "notes", "", "", "[1]")),
        ("[[a]]\\(b.md)", ("wikilink", "a", "", "", "")),
        ("[[a]][not defined]", ("wikilink", "a", "", "", "")),
        ("![[a.png]](b)", ("embed", "a.png", "", "", "")),
        ('[[Why it "Really" Died]]', ("wikilink", 'Why it "Really" Died', "", "", "")),
        ('![[The "a" plan.png|300]]', ("embed", 'The "a" plan.png', "", "", "300")),
        ('[[Ending in a "quote"#"B"|x]]', ("wikilink", 'Ending in a "quote"', '"B"', "", "x")),
        ('[[5" disks]]', ("wikilink", '5" disks', "", "", "")),
        ('[r]\n\n[r]: a.md "T"', ("markdown", "a.md", "", "", "r")),
        ("[r]\n\n[r]: a.md 'a\nb'", ("markdown", "a.md", "", "", "r")),
        ("[r]\n\n[r]: a.md (a) ", ("markdown", "a.md", "", "", "r")),
        ("[r]\n\n[r]:\n  a.md\ntext", ("markdown", "a.md", "", "", "r")),
        ("[r]\n\n[q]: b.md 't\nu'\n[r]: a.md", ("markdown", "a.md", "", "", "r")),
        ("[r]\n# H\n[r]: a.md", ("markdown", "a.md", "", "", "r")),
        ('[r]\n\n[r]: a.md\n"not" a title', ("markdown", "a.md", "", "", "r")),
        ("[t]({% link _guides/a.md %}#h)", ("wikilink", "_guides/a.md", "", "", "")),
        ("[t]({{ site.baseurl }}{%- post_url a -%})", ("wikilink", "a", "", "", "")),
        ("[t]({% link a b/my c.md -%})", ("wikilink", "a b/my c.md", "", "", "")),
        ("![t]({% link a.png %})", ("embed", "a.png", "", "", "")),
        ('[t]({{< ref "a.md#h" >}})', ("markdown", "a.md", "h", "", "")),
        ('[t]({{% relref path="/b" lang="en" %}})', ("markdown", "/b", "", "", "")),
        ("{doc}`../a` and {ref}`b`, `c`", ("markdown", "../a", "", "", "")),
        ("{doc}`my a/b c`", ("markdown", "my a/b c", "", "", "")),
        ("{doc}`the text <my a/b>`", ("markdown", "my a/b", "", "", "")),
        ("{doc}`the text <a/b>`", ("markdown", "a/b", "", "", "")),
        ("[t](@/a/b.md#h)", ("markdown", "/a/b.md", "h", "", "t")),
    ],
)
def test_a_link_is_read(read, text, expected):
    assert links(read(text)) == [expected]


def test_a_price_before_a_name_with_its_sign_hides_no_link(read):
    assert [link.written for link in read("costs $5 and [[A$AP]] is").links] == ["A$AP"]


@pytest.mark.parametrize(
    "name", ["A$AP Rocky", "E=mc2", "P = NP", "US$", "$100 a month", "~2020", "a ~ b"]
)
def test_signs_of_code_are_signs_of_names_too(read, name):
    (link,) = read(f"[[{name}]]").links
    assert link.written == name


@pytest.mark.parametrize(
    "text",
    [
        "`[[p]]`",
        "``a ` [[p]]``",
        "```\n[[p]]\n```",
        "~~~\n[[p]]\n```\n[[q]]\n~~~",
        "a\n\n    [[p]]",
        "- a\n\n      [[p]]",
        "- a\n  ```\n  [[p]]\n  ```",
        "> ```\n> [[p]]\n> ```",
        "<!-- [[p]] -->",
        "<!--\n\n[[p]]\n\n-->",
        "$[[p]]$",
        "$$\n[[p]]\n$$",
        "\\[[p]]",
        "[[ $x ]]",
        '[[ "$a" == b ]]',
        "[[{{date}}]]",
        "[[<% tp.x %>]]",
        "[[ -f ~/x ]]",
        "[[ a != b ]]",
        "[[${a}]]",
        "[['$','$']]",
        "[[{$1: alias}|note-name]]",
        "[[=name]]",
        "[[~/x]]",
        "[[https://x.org]]",
        "[[]]",
        "[[ ]]",
        "[t]()",
        "[t](data:image/png;base64,xx)",
        "[t](javascript:alert)",
        "[t] (a.md)",
        "[t](a b.md)",
        "[a\n\nb](c.md)",
        "[r]: a.md",
        "[^1]: note",
        "[x]",
        '[["a", "b"]]',
        '[[deprecated("x")]]',
        '[["+ a +"]]',
        '[["..name.."]]',
        '${query[[from p = index.tag "page" select {Page = "[[tag:"..name.."|"..name.."]]"}]]}',
        "{{[[TODO]]}} call",
        "{{[[video]]: https://x.org/a}}",
        "{{{[[DONE]]}}}",
        '[[ -n "x" ]]',
        "[23]\n\n[23]: A text with words",
        '[23]\n\n[23]: a "title" and more',
        '[23]\n\n[23]: a "title',
        "[23]\n\n[23]: a 'b\n\nc'",
        "[23]\n\n[23]: a (b) (c)",
        "[23]\n\n[23]: <a b",
        "see [r]\n[r]: a.md",
    ],
)
def test_what_only_looks_like_a_link_is_none(read, text):
    assert links(read(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "a ` b [[p]]",
        "a ` b\n\n[[p]] ` c",
        "- a ` b\n- [[p]] ` c",
        "# a ` b\n[[p]] ` c",
        "costs $5 [[p]] and $6",
        "\\`[[p]]\\`",
        "\\$[[p]]$",
        "<!-- never closed [[p]]",
        "$$ [[p]]\n\n$$",
        "a $$ b [[p]]",
    ],
)
def test_what_only_looks_like_code_hides_nothing(read, text):
    assert [link.written for link in read(text).links] == ["p"]


def test_an_image_in_a_link_is_two_links_with_their_lines(read):
    page = read("---\na: 1\n---\n\n[![i](i.png)](p.md) [[q]]\n[r](r.md)\n")
    assert [(link.written, link.line) for link in page.links] == [
        ("p.md", 5),
        ("i.png", 5),
        ("q", 5),
        ("r.md", 6),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a\nb](c)", ["c"]),
        ("[a\n\nb](c) [d](e)", ["e"]),
        ("[a\n \t\n\nb](c)", []),
        ("[a [[b]](c)\n\nd](e)", ["c"]),
        ('[a [b](c "one\n\ntwo") d](e)', ["c", "e"]),  # in a title no paragraph ends
    ],
)
def test_brackets_span_lines_and_no_paragraphs(read, text, expected):
    assert sorted(link.written for link in read(text).links) == expected


@pytest.mark.parametrize("unit", ["- is [[a]], ", "is:: [[a]] ", "[\n\n", "[a](b)\n\n"])
def test_brackets_and_relations_of_a_long_text_are_found_in_one_pass(read, unit):
    read(unit * 20_000)


def test_an_embed_in_a_link_is_two_links(read):
    page = read("[![[i.png]]](p.md) [[a]](b.md)[[c]] [![x](a)](b)\n")
    found = [(link.kind.value, link.written) for link in page.links]
    assert found == [
        ("markdown", "p.md"),
        ("embed", "i.png"),
        ("markdown", "b.md"),
        ("wikilink", "c"),
        ("markdown", "b"),
        ("image", "a"),
    ]


@pytest.mark.parametrize(
    ("text", "relations"),
    [
        ("- works_on [[X]]", ["works_on"]),
        ("- works_on [[X]] (since 2024)", ["works_on"]),
        ("- works_on [[X]], [[Y]]", ["works_on", "works_on"]),
        ('- "works on" [[X]]', ["works on"]),
        ("works_on:: [[X]]", ["works_on"]),
        ("- works_on:: [[X]]", ["works_on"]),
        ("- 影响 [[X]]", ["影响"]),
        ("- see [[X]] for more", [""]),
        ("- we like [[X]]", [""]),
        ("- [[X]]", [""]),
        ("- TODO [[X]]", [""]),
        ("- See [[X]]", [""]),
        ("- 参考 [[X]]", [""]),
        ('- "see" [[X]]', ["see"]),
        ("see:: [[X]]", ["see"]),
        ("works_on [[X]]", [""]),
    ],
)
def test_a_relation_is_one_word_or_quoted_and_prose_is_none(read, text, relations):
    assert [link.relation for link in read(text).links] == relations


def test_front_matter_links_carry_kind_relation_and_line(read):
    page = read(
        """\
        ---
        up: "[[Parent]]"
        related: [[Unquoted]]
        sources:
          - raw/a.pdf
          - "[[Book|the book]]"
          - {path: raw/b.md}
          - "[Site](https://x.org)"
        supersedes: old-page
        author: "[[Ann]] and [[Bob]]"
        title: See [[Not typed]]
        ---
        """
    )
    assert [(x.kind, x.written, x.relation, x.line) for x in page.links] == [
        (LinkKind.FRONT_MATTER, "Parent", "up", 2),
        (LinkKind.FRONT_MATTER, "Unquoted", "", 3),
        (LinkKind.SOURCE, "raw/a.pdf", "", 5),
        (LinkKind.CITED, "Book", "", 6),
        (LinkKind.SOURCE, "raw/b.md", "", 7),
        (LinkKind.SOURCE, "https://x.org", "", 8),
        (LinkKind.FRONT_MATTER, "old-page", "supersedes", 9),
        (LinkKind.FRONT_MATTER, "Ann", "author", 10),
        (LinkKind.FRONT_MATTER, "Bob", "author", 10),
        (LinkKind.FRONT_MATTER, "Not typed", "", 11),
    ]


def test_categories_in_categories_are_no_link(read):
    """As Hexo has them; one alone may be a wikilink without quotes."""
    assert links(read("---\ncategories:\n- [drinks, tea]\n---\n")) == []
    assert [link.written for link in read("---\ncategories: [[Tea]]\n---\n").links] == ["Tea"]


def test_a_list_of_unquoted_wikilinks_is_read(read):
    page = read("---\nrelated:\n  - [[A]]\n  - [[B|b]]\n---\n")
    assert [(link.written, link.text) for link in page.links] == [("A", ""), ("B", "b")]


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("- {type: uses, target: '[[X]]', weight: 0.4}", [("X", "uses", 0.4)]),
        ("- {type: uses, target: x.md}", [("x.md", "uses", 1.0)]),
        ("- {relation: uses, to: X, weight: much}", [("X", "uses", 1.0)]),
        ("- uses: X", [("X", "uses", 1.0)]),
        ("  uses: [X, '[[Y]]']", [("X", "uses", 1.0), ("Y", "uses", 1.0)]),
        ("- '[[X]]'", [("X", "", 1.0)]),
    ],
)
def test_relations_are_maps_or_keys_with_targets(read, block, expected):
    page = read(f"---\nrelations:\n{block}\n---\n")
    assert [(link.written, link.relation, link.weight) for link in page.links] == expected


def test_a_hundred_thousand_titles_that_nothing_ends_are_read(read):
    """To look for the end of each in all that follows would take hours."""
    page = read("[z]: z.md (Z)\n" + "[a]: b.md (c\n" * 100_000 + "\n[z] [a]")
    assert [link.written for link in page.links] == ["z.md"]


@pytest.mark.parametrize("unit", ["- {}a:: [[b]]\n", "[a]: {}\n\n[a]\n"])
def test_what_many_links_share_is_held_by_each_only_where_it_is_short(read, unit):
    def held(count):
        text = unit.format("猫" * 10 * count).replace("[[b]]", "[[b]]" * count)
        return sum(len(each.written + each.relation) for each in read(text + "[a]\n" * count).links)

    assert held(2000) < 8000
    assert held(3) > 90


def test_a_page_that_agents_read_links_to_the_files_that_it_names(read):
    text = "@docs/style.md and @../a.md, not `@b.md` or me@c.md\n@~/d.md @/e.md @f @g.mdc"
    assert [each[1] for each in links(read(text, "CLAUDE.md"))] == ["docs/style.md", "../a.md"]
    assert links(read(text, "claude-notes.md")) == []
    label = "[see @docs/old.md](docs/old.md)"
    assert [each[1] for each in links(read(label, "CLAUDE.md"))] == ["docs/old.md"]


@pytest.mark.parametrize("text", ["say {doc}` and `code`", "{doc}`!a`", "{doc}`...`", "{doc}`a/`"])
def test_code_behind_doc_that_is_no_path_is_code(read, text):
    assert links(read(text)) == []
    assert links(read("{doc}`[[a]]` {doc}`[x](a.md) <a>`")) == []


@pytest.mark.parametrize(
    ("text", "in_obsidian", "elsewhere"),
    [
        ("[[Smith]](see there)", "Smith", "Smith"),
        ("[[Smith]](there)", "Smith", "there"),
        ("[[Smith]][1]", "Smith", "http://x.org"),
        ("[[1]](b.md)", "b.md", "b.md"),
        ("[[1]](http://x.org)", "http://x.org", "http://x.org"),
        ("[[1]](#there)", "", ""),
    ],
)
def test_obsidian_and_logseq_read_a_wikilink_before_what_is_no_path(text, in_obsidian, elsewhere):
    data = f"As {text} showed.\n\n[1]: http://x.org\n".encode()
    for name, written in ((OBSIDIAN, in_obsidian), (LOGSEQ, in_obsidian), ("", elsewhere)):
        page = outline_of("a.md", data, Layers(dialect=Dialect(name=name)))
        assert page.links[0].written == written


_PIECES = ("[", "]", "(", ")", "](", "[[", "]]", "![", "a", "b.md", "\n", " ", "{", "\\", "<", "@/")
_WHOLE_ONES = ("[a](b.md)", "[)](x.md)", "![i](p.png)", "[[w]](c)", "[l]: x.md\n", '"t"')


def test_a_link_that_is_one_match_is_found_as_its_brackets_are_one_by_one(monkeypatch):
    rng = Random(1)
    texts = ["".join(rng.choices(_PIECES + _WHOLE_ONES, k=14)) for _ in range(3_000)]
    texts.append("[\n](`[[)](x.md)")
    found = [find_links(Masked.of(text)) for text in texts]
    one_by_one = links_room._TOKEN.pattern.replace(links_room._WHOLE, "(?!)()()")
    monkeypatch.setattr(links_room, "_TOKEN", links_room.pattern(one_by_one))
    assert found == [find_links(Masked.of(text)) for text in texts]


def test_code_of_one_kind_is_blanked_as_any_is():
    rng = Random(1)
    for pieces in (
        ("`", "a", "\n", "- ", "[["),
        ("`", "``", "\\", "a", "\n", "{doc}", "$", "<!--"),
    ):
        for _ in range(3_000):
            text = "".join(rng.choices(pieces, k=9))
            assert mask_inline(text) == _blanked(text, _spans(text))


def test_a_footnote_may_have_paragraphs_and_its_code_is_code(read):
    text = (
        "Text[^a].\n\n[^a]: Note\n\n    See [[first]].\n\n    ```\n    [[no]]\n    ```\n\n"
        "        [[no]]\n\n"
        "[^b]: [[second]]\n    more [[third]]\n[^c]: Last [[fourth]]\n\nAfter\n\n    [[no]]\n"
    )
    found = [link.written for link in read(text).links]
    assert found == ["first", "second", "third", "fourth"]


def test_a_footnote_is_no_entry_of_a_page_that_collects_them(read):
    page = read("---\ntype: memory\n---\n# Memory\n\n- One[^a].\n\n[^a]: Note\n\n    more of it\n")
    assert [entry.text for entry in page.entries] == ["One[^a]."]


@for_each(
    ("text", "links"),
    [
        ("<pre>\n[a](a.md) [[a]]\n\n[a](a.md)\n</pre>\n[b](b.md)\n", ["b.md"]),
        ("<script>x[[1]] = `\n</script>\n\n`[b](b.md)\n", ["b.md"]),
        ("<pre>[a](a.md)</pre> [b](b.md)\n", ["a.md", "b.md"]),
        ("<pre>\n\n[a](a.md)\n", ["a.md"]),
        ("<div>\n\n[a](a.md)\n\n</div>\n", ["a.md"]),
    ],
)
def test_raw_html_holds_no_links(read, text, links):
    assert [link.written for link in read(text).links] == links
