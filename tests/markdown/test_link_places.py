"""Each link is found at its place in the text, and another name is written there in its own
syntax."""

from memwiki.markdown.edit.links import renamed, sites_of
from memwiki.markdown.outline import outline_of
from memwiki.markdown.parse import parse
from memwiki.markdown.source import Patch
from memwiki.nouns import Layers
from tests.effort import for_each


def rename_all(text: str, name: str, unchanged=()) -> str:
    """The text with every link called `p`, `p.md` or `my p.md` renamed."""
    page = outline_of("a.md", text.encode(), Layers())
    patches = []
    for site in sites_of(page):
        name_now = site.link.written.rsplit("/", 1)[-1].lower()
        if "//" in site.link.written or name_now not in ("p", "p.md", "my p.md"):
            continue
        new = renamed(site, page.text[site.start : site.end], name, unchanged)
        patches.append(Patch(site.start, site.end, "!" if new is None else new))
    return page.edited(patches).data.decode()


@for_each(
    ("text", "expected"),
    [
        ("[[p]]", "[[new]]"),
        ("[[ p ]]", "[[ new ]]"),
        ("[[p|label]]", "[[new|label]]"),
        ("| [[p\\|label]] |", "| [[new\\|label]] |"),
        ("[[p#H]] [[p#^b1]] [[p#H1#H2|x]]", "[[new#H]] [[new#^b1]] [[new#H1#H2|x]]"),
        ("![[p]] ![[p|300]]", "![[new]] ![[new|300]]"),
        ("[t](p.md)", "[t](new)"),
        ('[t](p.md "p.md")', '[t](new "p.md")'),
        ("[p.md]( p.md )", "[p.md]( new )"),
        ("[t](<my p.md>)", "[t](<new>)"),
        ("[t](my%20p.md?q=1#h)", "[t](new?q=1#h)"),
        ("![p](p.md)", "![p](new)"),
        ("[![i](i.png)](p.md)", "[![i](i.png)](new)"),
        ("[t][p] [p]\n\n[p]: p.md 'p.md'", "[t][p] [p]\n\n[p]: new 'p.md'"),
        ("nothing refers to it\n\n[p]: p.md", "nothing refers to it\n\n[p]: new"),
        ("- works_on [[p]]\n- uses:: [[p]]", "- works_on [[new]]\n- uses:: [[new]]"),
        ("x[^1]\n\n[^1]: see [[p]]", "x[^1]\n\n[^1]: see [[new]]"),
        (
            "# [[p]]\n\n> [[p]]\n\n| a |\n| - |\n| [[p]] |",
            "# [[new]]\n\n> [[new]]\n\n| a |\n| - |\n| [[new]] |",
        ),
    ],
)
def test_a_name_is_written_where_the_old_one_stood(text, expected):
    assert rename_all(text, "new") == expected


@for_each(
    "text",
    [
        "`[[p]]` ``[t](p.md)``",
        "```\n[[p]]\n```",
        "    [[p]]",
        "<!-- [[p]] [t](p.md) -->",
        "$[[p]]$",
        "[p](https://x.org/p.md)",
        "\\[[p]]",
        "[[q|p]] [p](q.md 'p.md')",
        "---\n# related: [[p]]\ntitle: p\n---\n",
    ],
)
def test_what_is_no_link_is_left_alone(text):
    assert rename_all(text, "new") == text


@for_each(
    ("text", "expected"),
    [
        ('related: ["[[p]]", x]', 'related: ["[[it\'s]]", x]'),
        ("related: '[[p|l]]'", "related: '[[it''s|l]]'"),
        ("sources: p.md", "sources: it's"),
        ("sources: p.md # p.md", "sources: it's # p.md"),
        ("sources:\n- ap.md\n- 'p.md'\n- p.md", "sources:\n- ap.md\n- 'it''s'\n- it's"),
        ("up: p", "up: it's"),
        ("relations:\n  - {type: uses, target: p}", "relations:\n  - {type: uses, target: it's}"),
        ("relations:\n  - type: p\n    target: p", "relations:\n  - type: p\n    target: it's"),
        ("relations:\n  uses: [p, q]", "relations:\n  uses: [it's, q]"),
        ('sources: "[t](p.md)"', 'sources: "[t](it\'s)"'),
        ("mine: 'see [[p]] there'", "mine: 'see [[it''s]] there'"),
        ("relations: [{type: p, target: p}]", "relations: [{type: p, target: it's}]"),
    ],
)
def test_in_front_matter_the_quotes_stay_and_the_value_is_quoted_for_them(text, expected):
    assert rename_all(f"---\n{text}\n---\n", "it's") == f"---\n{expected}\n---\n"


def test_an_unquoted_wikilink_of_front_matter_is_found():
    text = "---\nup: [[p]]\nrelated:\n  - [[p|x]]\n  - [[q]]\n---\n"
    assert rename_all(text, "new") == text.replace("[[p", "[[new")


@for_each("name", ["a, b", "a: b", "a # b", "{a}", "'a'"])
def test_an_unquoted_wikilink_cannot_say_what_yaml_would_take_apart(name):
    assert rename_all("---\nup: [[p]]\n---\n", name) == "---\nup: [[!]]\n---\n"


@for_each("name", ["a: b", "- a", "'a'", "@a", "true", "1917"])
def test_a_plain_value_that_yaml_would_misread_is_quoted(name):
    text = rename_all("---\nsources: p.md\n---\n", name)
    assert parse("a.md", text.encode(), Layers()).fields["sources"] == name


@for_each(
    ("name", "wiki", "bare", "angles"),
    [
        ("a b.md", "a b.md", "a%20b.md", "a b.md"),
        ("a(b).md", "a(b).md", "a(b).md", "a(b).md"),
        ("a)b(.md", "a)b(.md", "a%29b%28.md", "a)b(.md"),
        ("a#b.md", None, "a%23b.md", "a%23b.md"),
        ("a%20b.md", "a%20b.md", "a%2520b.md", "a%2520b.md"),
        ("100%.md", "100%.md", "100%25.md", "100%25.md"),
        ("9% a.md", "9% a.md", "9%25%20a.md", "9%25 a.md"),
        ("why?.md", "why?.md", "why%3F.md", "why%3F.md"),
        ("a|b.md", None, "a|b.md", "a|b.md"),
        ("a[b].md", None, "a[b].md", "a[b].md"),
        ("a<b>.md", "a<b>.md", "a%3Cb%3E.md", "a%3Cb%3E.md"),
        ("名.md", "名.md", "名.md", "名.md"),
        ("a\\_b.md", "a\\_b.md", "a%5C_b.md", "a%5C_b.md"),
    ],
)
def test_a_name_is_encoded_as_the_syntax_needs_it_and_no_more(name, wiki, bare, angles):
    assert rename_all("[[p]]", name) == f"[[{wiki or '!'}]]"
    assert rename_all("[t](p.md)", name) == f"[t]({bare})"
    assert rename_all("[t](<p.md>)", name) == f"[t](<{angles}>)"


def test_names_in_other_scripts_stay_encoded_where_they_are_encoded():
    text = "[t](%E5%90%8D/p.md)"
    assert rename_all(text, "新/p.md", {"p.md"}) == "[t](%E6%96%B0/p.md)"
    assert rename_all(text, "x/名/p.md", {"p.md", "名"}) == "[t](x/%E5%90%8D/p.md)"


def test_the_case_of_an_unchanged_part_stays_as_it_was_written():
    assert rename_all("[[a/P]] [t](a/P.md)", "b/p", {"p"}) == "[[b/P]] [t](b/p)"
    assert rename_all("[t](a/P.md)", "b/p.md", {"p.md"}) == "[t](b/P.md)"
    assert rename_all("[t](x/A/a/p.md)", "a/A/q.md", {"a", "A"}) == "[t](a/A/q.md)"


@for_each("end", ["\n", "\r\n"])
@for_each("mark", ["", "\ufeff"])
def test_line_ends_and_the_mark_at_the_start_stay(end, mark):
    text = mark + end.join(
        ["---", "up: '[[p]]'", "---", "", "a\rb [[p]]", "[t][", "p]", "", "[x]:", " p.md", "end"]
    )
    expected = text.replace("[[p]]", "[[new]]").replace(" p.md", " new")
    assert rename_all(text, "new") == expected


@for_each(
    ("text", "expected"),
    [
        ("- a [subject:: p] [topic:: [[p|x]]]", "- a [subject:: new] [topic:: [[new|x]]]"),
        ("- a [entities:: b，p ,[[p]]]", "- a [entities:: b，new ,[[new]]]"),
        ("- a\n  - object:: p.md ^m-aaaaaa", "- a\n  - object:: new ^m-aaaaaa"),
        ("- a `[subject:: p]`", "- a `[subject:: p]`"),
    ],
)
def test_a_name_is_written_into_the_fields_of_an_entry(text, expected):
    text, expected = (f"{each}\n\n- b ^m-zzzzzz\n" for each in (text, expected))
    assert rename_all(text, "new") == expected


@for_each("name", ["a, b", "a[b", "a]", "#a", "^m-a", "{{a}}"])
def test_a_name_that_a_list_of_entities_cannot_hold_is_not_written_there(name):
    text = "- a [entities:: p] ^m-zzzzzz\n"
    assert rename_all(text, name) == "- a [entities:: !] ^m-zzzzzz\n"
