"""What the fields of an entry name is a link of the entry: a page, or another entry by its id."""

import re
import sys
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from memwiki.markdown import entry_links
from memwiki.markdown.edit.links import sites_of
from memwiki.markdown.entry_links import may_hold_values
from memwiki.markdown.outline import Outline, outline_of
from memwiki.markdown.parse import parse
from memwiki.nouns import Layers, Link, LinkKind
from tests.effort import for_each

LAYERS = Layers(inbox="inbox", sessions="sessions")


def links(text: str, path: str = "memory.md") -> list[Link]:
    return list(parse(path, text.encode("utf-8", "surrogatepass"), LAYERS).links)


def said(text: str, path: str = "memory.md") -> list[tuple[str, str, float]]:
    """Relation, name and weight of each link of an entry."""
    found = (each for each in links(text, path) if each.kind is LinkKind.ENTRY)
    return [(each.relation, each.written, each.weight) for each in found]


def is_in_place(text: str, path: str = "memory.md") -> bool:
    """Whether each name is found where it stands."""
    page = outline_of(path, text.encode("utf-8", "surrogatepass"), LAYERS)
    return all(
        site.link.written.lstrip("^") in page.text[site.start : site.end]
        for site in sites_of(page)
        if site.link.kind is LinkKind.ENTRY
    )


@for_each(
    ("text", "expected"),
    [
        ("- a [subject:: Anna]", [("subject", "Anna", 1)]),
        ("- a [Subject::Anna Lee ] b", [("subject", "Anna Lee", 1)]),
        ("- a [topic:: wiki/Tea] [object:: C#]", [("topic", "wiki/Tea", 1), ("object", "C#", 1)]),
        ("- a [subject:: A, B]", [("subject", "A, B", 1)]),
        ("- a [entities:: A, B，C、D; E；F]", [("entities", name, 1) for name in "ABCDEF"]),
        ("- a [entities:: , A,,]", [("entities", "A", 1)]),
        ("- a\n  - subject:: Anna\n  - topic:: Tea", [("subject", "Anna", 1), ("topic", "Tea", 1)]),
        ("- a\n  - subject:: Anna [topic:: T] ^m-1", [("topic", "T", 1), ("subject", "Anna", 1)]),
        ("## LRN-1 title\n\nProse [subject:: Anna].", [("subject", "Anna", 1)]),
        ("- [subject:: [[Anna|her]]] a", [("subject", "Anna", 1)]),
        ("- a [entities:: [[A, B]], C]", [("entities", "A, B", 1), ("entities", "C", 1)]),
        ("- a\n  - subject:: the [[Anna]] of old", [("subject", "Anna", 1)]),
        ("- a [because:: m-7k2f9a]", [("because", "^m-7k2f9a", 1)]),
        (
            "- a [supports:: ^m-a, m-b 0.8 m-c 1] [因为:: m-d，m-e .5]",
            [
                *(("supports", "^m-a", 1), ("supports", "^m-b", 0.8), ("supports", "^m-c", 1)),
                *(("因为", "^m-d", 1), ("因为", "^m-e", 0.5)),
            ],
        ),
        ("- a [based on:: m-a]", [("based_on", "^m-a", 1)]),
        ("- a\n  - refines:: m-a ^m-b", [("refines", "^m-a", 1)]),
        ("- a ^m-b\n  - refines:: ^m-a", [("refines", "^m-a", 1)]),
        ("- a [subject:: m-a]", [("subject", "^m-a", 1)]),
        ("- ~~old~~ [superseded_by:: m-a 0.5]", [("superseded_by", "^m-a", 0.5)]),
    ],
)
def test_fields_of_an_entry_link(text, expected):
    assert said(text) == expected
    assert is_in_place(text)


@for_each(
    "text",
    [
        "Prose [subject:: Anna].\n\n- a",
        "# Memory [subject:: Anna]\n\n- a",
        "- [ ] task [subject:: Anna]",
        "- `[subject:: Anna]`",
        "- a <!-- [subject:: Anna] -->",
        "- a\n\n  ```\n  [subject:: Anna]\n  ```",
        "- a [subject:: Anna `x`]",
        "- a [subject:: ]",
        "- a [subject:: https://anna.example]",
        "- a [subject:: #tag]",
        "- a [subject:: {{name}}]",
        "- a [subject:: [[{{name}}]]]",
        f"- a [object:: {'long ' * 41}]",
        "- a [importance:: 0.8] [source:: Anna]",
        "- a [because:: m-a and more]",
        "- a [because:: m-a 2]",
        "- a [because:: m-ä]",
        "- a [[subject:: Anna]]",
        "- a\n  - because:: ^m-a",
    ],
)
def test_what_is_no_name_in_an_entry_does_not(text):
    assert said(text) == []


def test_pages_that_collect_nothing_have_the_links_they_had():
    text = "- a [subject:: Anna] [topic:: [[Tea]]] [because:: m-7k2f9a]\n"
    (link,) = links(text, "wiki/a.md")
    assert (link.written, link.kind, link.relation) == ("Tea", LinkKind.WIKILINK, "")
    assert [each.kind for each in links(text, "sessions/a.md")] == [LinkKind.WIKILINK]
    assert len(links(f"{text}- b ^m-aaaaaa\n", "wiki/a.md")) == 3


def test_other_links_of_an_entry_stay_what_they_are():
    text = "- a [[A]] [x](b.md) [works_on:: [[C]]] [subject:: D]\n  - works_on:: [[E]]\n"
    assert [(each.written, each.kind.value, each.relation) for each in links(text)] == [
        *(("A", "wikilink", ""), ("b.md", "markdown", ""), ("C", "wikilink", "")),
        *(("D", "entry", "subject"), ("E", "wikilink", "works_on")),
    ]


def test_links_come_in_the_order_of_their_lines():
    text = "---\nrelated: x\n---\n" + "- [[a]] [subject:: b]\n- [topic:: c] [[d]]\n" * 3
    assert all(one.line <= other.line for one, other in pairwise(links(text)))


def test_a_page_that_moves_to_where_nothing_is_collected_says_no_more_what_it_is_about():
    page = Outline(LAYERS, "inbox/a.md", "- a [subject:: Anna]\n")
    assert [each.written for each in page.links] == ["Anna"]
    assert page.at("wiki/a.md").links == page.at("sessions/a.md").links == ()
    assert page.at("wiki/a.md").at("memory.md").links == page.links


PIECES = st.lists(
    st.sampled_from(
        [
            *(
                "- ",
                "\n",
                "\r\n",
                "  - ",
                "# ",
                "[",
                "[[",
                "]",
                "]]",
                "::",
                " ",
                ", ",
                "；",
                "^m-a",
            ),
            *("[subject:: ", "subject:: ", "[entities:: ", "[because:: ", "m-a", " 0.5", "m-a, "),
            *("Anna", "茶", "e\u0301", "\0", "`", "$", "<!--", "#", "\\", "|", "[x](", ")"),
        ]
    ),
    max_size=30,
).map("".join)


@given(PIECES)
def test_any_text_is_read_and_each_name_is_found_where_it_stands(text):
    assert is_in_place(text)
    for each in links(text):
        if each.kind is LinkKind.ENTRY:
            assert each.written.strip() == each.written != ""
            assert 0 <= each.weight <= 1
            assert each.relation


LONG = (
    *("[subject:: ", "[a:: [[b]]", "[a:: m-a ", "[a:: m-a 0.5, ", "- a:: ", "[[a:: b]]", "\t"),
    *("\n  - because:: m-a ^m-b", "[entities:: a,", "a" * 39 + "::", "^m-a "),
)


@for_each(("line", "size"), [("[subject:: [[", 1_000_000), *((line, 250_000) for line in LONG)])
def test_a_line_of_up_to_a_megabyte_is_read(line, size):
    """A quadratic scan would take many minutes."""
    for text in (f"- {line * (size // len(line))}", f"- [entities:: {line * (size // len(line))}]"):
        assert len(links(text)) <= 2 * len(text)
        assert sys.getsizeof(text) >= size


@given(
    st.lists(
        st.sampled_from(
            [
                *["subject", "TOPIC", "object", "entitie\u017f", "created", "x", " ", "::", ":"],
                *["\n", "\t", "^m-7k2f9a", "M-", "^", "[", "]", "ﬆ", "obje\u212a", "relates"],
            ]
        ),
        max_size=12,
    )
)
@example(["subject", " ", "::", " ", "b"])
@example(["[", "relates", "::", "\t", "M-", "]"])
def test_a_text_of_which_no_field_may_link_has_none_that_does(parts):
    text = "".join(parts)
    folded = text.casefold()
    said = re.search(r"(?:entities|object|subject|topic) *::|::[ \t]*\^?m-", folded)
    assert may_hold_values(text) == bool(said)


def test_a_text_of_dates_alone_is_looked_through_once(monkeypatch):
    monkeypatch.setattr(entry_links, "_NAME_KEYS", {"e": None})
    assert not may_hold_values("- A [created:: 2026-01-09] [confidence:: 0.5]\n" * 3)
