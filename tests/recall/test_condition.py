"""OR and parentheses: what a query lets through, told by a second reading of it."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.recall.parse import parse_query
from memwiki.recall.query import Filter, FilterKind, Joined, Joint, Term, TermKind
from tests.effort import for_each

TODAY = datetime.date(2026, 3, 31)
WORDS = "kestrel quartz zephyr marlin".split()
PAGES = {f"p{n:02}.md": {w for bit, w in enumerate(WORDS) if n >> bit & 1} for n in range(16)}

WORD = st.sampled_from(WORDS)
TREE = st.recursive(
    WORD, lambda part: st.tuples(st.sampled_from(["and", "or", "not"]), part, part), max_leaves=8
)


def written(tree) -> str:
    if isinstance(tree, str):
        return tree
    kind, one, other = tree
    if kind == "not":
        return f"-{written(one)}"
    return f"({written(one)}{' OR ' if kind == 'or' else ' '}{written(other)})"


def holds(tree, words: set[str]) -> bool:
    if isinstance(tree, str):
        return tree in words
    kind, one, other = tree
    if kind == "not":
        return not holds(one, words)
    joint = any if kind == "or" else all
    return joint([holds(one, words), holds(other, words)])


def without_doubles(tree):
    """A minus before a minus is no syntax."""
    if isinstance(tree, str):
        return tree
    kind, *parts = tree
    parts = list(map(without_doubles, parts))
    if kind == "not" and parts[0][0] == "not":
        return parts[0][1]
    return (kind, *parts)


def test_a_condition_lets_through_what_a_reader_of_it_would(put, ws):
    for path, words in PAGES.items():
        put(path, f"# Page\n\n{' '.join(sorted(words))}\n\n## More\n\nText.\n")

    @given(TREE, TREE)
    def agrees(one, other):
        tree = ("or", without_doubles(one), without_doubles(other))
        answer = ws.search(f"{written(tree[1])} OR {written(tree[2])}", limit=50)
        expected = {path for path, words in PAGES.items() if holds(tree, words)}
        assert {hit.path for hit in answer.hits} == expected
        assert (answer.total, answer.total_exact, answer.notes) == (len(expected), True, ())

    agrees()


TEAS = """
--- a.md ---
---
tags: [tea]
author: "[[Kevin Kelly]]"
rating: 7
updated: 2023-12-31
---
# Sencha

Green leaves from Japan, in spring.
--- b.md ---
---
tags: [tea]
author: ["[[People/Ann Lee|AL]]", Bo]
rating: 6.5
created: 2024-05
---
# Assam

Black leaves from India.
--- c.md ---
---
tags: [wine]
rating: unknown
due: 2024-05-10
summary: A wine.
---
# Merlot

Black grapes. War OR Peace.
--- memory.md ---
# Memory

- Likes green grapes. [importance:: high] [created:: 2024-06-01] [who:: [[Kevin Kelly]]] ^m-aaaaaa
--- Or (film).md ---
# Or (film)

About nothing.
"""


@pytest.fixture
def teas(reading):
    return reading(TEAS)


def found(ws, query: str) -> str:
    hits = ws.search(query, limit=50).hits
    return " ".join(sorted(hit.path.removesuffix(".md") for hit in hits))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("leaves (green OR india)", "a b"),
        ("leaves green OR grapes", "a c memory"),
        ("（green OR india） leaves", "a b"),
        ("(tag:tea OR grapes) black", "b c"),
        ("tag:tea OR grapes", "a b c memory"),
        ("tag:wine OR rating:>6", "a b c"),
        ("-(green OR india) tag:tea", ""),
        ("leaves -(green japan)", "b"),
        ('("leaves from" OR "green grapes")', "a b memory"),
        ("(jap* OR ind*) leaves", "a b"),
        ("(f(x) OR merlot)", "c"),
        ("green AND leaves OR merlot", "a c"),
        ("() green OR ((merlot))", "a c memory"),
        ("(& OR merlot) & black OR zzz", "c"),
        ("unheard:of OR merlot", "c"),
        ("(since:2024-06 until:2024-06) OR merlot", "c memory"),
        # comparisons
        ("rating:>6", "a b"),
        ("rating:>=7", "a"),
        ("rating:<7", "b"),
        ("rating:<=6.5", "b"),
        ("-rating:>6 tag:tea OR tag:wine", "c"),
        ("updated:<2024", "a"),
        ("updated:<=2023-12", "a"),
        ("updated:>2023", ""),
        ("updated:<2y", "a"),
        ("created:>=2024-05", "b memory"),
        ("created:>2024-05", "memory"),
        ("created:<2024-06", "b"),
        ("due:>2024-04 due:<2024-06", "c"),
        ("rating:>=u", "c"),
        ("importance:>0.5", "memory"),
        # fields
        ("has:author", "a b"),
        ("has:WHO", "memory"),
        ("-has:author tag:wine", "c"),
        ("has:nothing", ""),
        ("has:summary", "c"),
        ('summary:"a wine."', "c"),
        ("modified:<2024", "a"),
        ("modified:<2y", "a"),
        ('author:"Kevin Kelly"', "a"),
        ('who:"kevin kelly"', "memory"),
        ('author:"Ann Lee" OR author:zzz', "b"),
        ("author:AL", "b"),
        ("author:People/Ann", ""),
        ('author:"People/Ann Lee"', "b"),
        ("author:Bo", "b"),
    ],
)
def test_what_a_query_lets_through(teas, query, expected):
    assert found(teas, query) == expected


def test_what_holds_words_comes_before_what_only_fits_a_filter(teas):
    assert [hit.path for hit in teas.search("tag:tea OR grapes").hits][2:] == ["b.md", "a.md"]


def test_a_name_with_or_and_parentheses_is_a_name(teas):
    for query in ("Or (film)", "or (film)", "War OR Peace"):
        (hit, *_) = teas.search(query, explain=True).hits
        assert hit.path == ("c.md" if "War" in query else "Or (film).md")


@pytest.mark.parametrize(
    ("query", "words", "mark"),
    [
        ("green OR", ("green", "OR"), "OR is"),
        ("OR green", ("OR", "green"), "OR is"),
        ("( green", ("(", "green"), '"("'),
        ("green )", ("green", ")"), '")"'),
        ("(green", ("(green",), '"("'),
    ],
)
def test_what_joins_nothing_is_a_word_and_a_note_says_so(teas, query, words, mark):
    assert parse_query(query, TODAY).words == words
    (note,) = teas.search(query).notes
    assert note.startswith(mark)
    assert found(teas, query) == "a memory"


def test_parentheses_without_or_are_text():
    for text in ("green (tea)", "f(x)", "(green tea)", "Mercury (planet)"):
        query = parse_query(text, TODAY)
        assert (query.words, query.condition, query.notes) == (tuple(text.split()), (), ())


def test_a_condition_is_read_from_the_inside_out():
    query = parse_query('a OR -(b* -tag:x) "c d"', TODAY)
    assert query.condition == (
        Term(TermKind.WORD, "a"),
        Term(TermKind.PREFIX, "b"),
        Filter(FilterKind.TAG, "x", is_excluded=True),
        Joined(Joint.ALL, 2),
        Joined(Joint.NONE, 1),
        Term(TermKind.PHRASE, "c d"),
        Joined(Joint.ALL, 2),
        Joined(Joint.ANY, 2),
    )
    assert (query.words, query.prefixes, query.filters) == (("a", "c d"), (), ())


@for_each(
    "text",
    [
        "(" * 100_000,
        "(" * 50_000 + "a OR b" + ")" * 50_000,
        "-(" * 50_000 + "a OR b" + ")" * 50_000,
        "(a OR " * 30_000 + "b" + ")" * 30_000,
        ")" * 100_000,
        "OR " * 50_000,
        "a OR 「" * 30_000,
        "“a OR (" * 30_000,
        "f(" * 50_000 + " OR " + ")" * 50_000,
        "rating:>" * 30_000 + " OR " + "a:" * 30_000,
    ],
)
def test_hostile_queries_are_read_in_time_linear_in_them(text):
    query = parse_query(text, TODAY)
    assert query.text == text
    assert query.needs_terms in (True, False)


def test_a_deep_condition_is_answered(teas):
    deep = "(zzz OR " * 2_000 + "(green leaves)" + ")" * 2_000
    assert found(teas, deep) == "a"


@given(st.lists(st.sampled_from(["(", ")", "-(", " OR ", " a ", " -b ", "c:d ", '"', "e*"])))
def test_a_condition_is_one_whole(parts):
    left = 0
    for step in parse_query("".join(parts), TODAY).condition:
        left = left - step.parts + 1 if isinstance(step, Joined) else left + 1
        assert left > 0
    assert left <= 1
