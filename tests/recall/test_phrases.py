"""Where a phrase stands: whole words that follow each other, whatever is between them."""

from __future__ import annotations

from tests.effort import for_each

TEXT = """# Page

For *example*, an xa a b. Snake_case here; it's a-b
over two
lines. 我们的向量数据库很快，真的 ok。 Straße 8.5.1
कील ठोकना ให้รดน้ำที่โคน
"""


@for_each(
    ("phrase", "is_held"),
    [
        ("for example", True),
        ("FOR  example an", True),
        ("or example", False),
        ("for exam", False),
        ("an xa", True),
        ("a b", True),
        ("a a b", False),
        ("case here", False),
        ("snake_case here", True),
        ("over two lines", True),
        ("a b over two", True),
        ("向量数据", True),
        ("量数 据库", False),
        ("很快 真的", True),
        ("真的 ok", True),
        ("strasse 8 5 1", True),
        ("strass 8", False),
        ("कील ठोकना", True),
        ("काल ठोकना", False),
        ("कील ठोक", False),
        ("รดน้ำ", True),
    ],
)
def test_a_phrase_is_whole_words_in_their_order(reading, phrase, is_held):
    answer = reading({"page.md": TEXT}).search(f'"{phrase}"')
    assert bool(answer.hits and not answer.notes and not answer.fallback) is is_held


def test_a_phrase_that_begins_within_a_word_may_stand_behind_it(put, ws):
    put("page.md", "xa a a\n")
    assert ws.search('"a a"').hits[0].path == "page.md"
    put("page.md", "xa a\n")
    assert not ws.search('"a a"').hits or ws.search('"a a"').notes


def test_the_title_and_the_front_matter_answer_for_the_first_unit(put, ws):
    put("a.md", "---\ntitle: Grey heron\ndescription: Stands in ponds\n---\n\ntext\n")
    for phrase in ("grey heron", "stands in ponds", "title grey heron"):
        assert [hit.path for hit in ws.search(f'"{phrase}"').hits] == ["a.md"], phrase


def test_more_units_than_are_looked_up_at_once_are_read_for_a_phrase(put, ws):
    for number in range(130):
        put(f"{number}.md", f"grey heron {number}\n" if number % 2 else f"heron, grey {number}\n")
    answer = ws.search('"grey heron"', limit=100)
    assert (answer.total, answer.total_exact, len(answer.hits)) == (65, True, 65)
    assert ws.search('grey -"grey heron"').total == 65
