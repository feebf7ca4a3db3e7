"""Relations between entries have names in two languages."""

from hypothesis import given
from hypothesis import strategies as st

from memwiki.facts.relation_words import canonical, why_not_a_relation
from memwiki.markdown.links import find_links
from memwiki.markdown.mask import Masked
from tests.effort import for_each


@for_each(
    ("word", "name"),
    [
        ("because", "because"),
        ("因为", "because"),
        ("所以", "therefore"),
        ("导致", "causes"),
        ("引用", "references"),
        ("Based On", "based-on"),
        ("based_on", "based-on"),
        ('"based on"', "based-on"),
        ("基于", "based-on"),
        ("相关", "related"),
        ("RELATED", "related"),
        ("supports", "supports"),
        ("contradicts", "contradicts"),
        ("refines", "refines"),
        ("works_on", "works_on"),
        ("喜欢", "喜欢"),
        ("Inspired", "Inspired"),
        ("", ""),
    ],
)
def test_a_word_has_one_name(word, name):
    assert canonical(word) == name


@for_each("word", ["because", "works_on", "喜欢", "part-of", '"is part of"', '"7 x"'])
def test_one_word_or_several_in_quotes_are_a_relation(word):
    assert why_not_a_relation(word) == ""


@for_each(
    ("word", "why"),
    [
        ("", "the relation is empty"),
        ('""', "the relation is empty"),
        ("part of", 'part of: a relation is one word; quote several: "part of"'),
        ("7up", '7up: a relation is one word; quote several: "7up"'),
        ('"part of', '"part of: a relation is one word; quote several: "part of"'),
        ('a"b', "a relation is one word, or up to 60 characters in double quotes"),
        (f'"{"x" * 61}"', "a relation is one word, or up to 60 characters in double quotes"),
        ('"a\nb"', "the relation holds a character that cannot be written"),
        ('"\ud800"', "the relation holds a character that cannot be written"),
    ],
)
def test_anything_else_is_told_what_to_do(word, why):
    assert why_not_a_relation(word) == why


@given(st.one_of(st.text(max_size=70), st.from_regex(r'"[^"\n]{1,60}"|\w+', fullmatch=True)))
def test_what_is_a_relation_is_read_back_from_a_page(word):
    if not why_not_a_relation(word):
        (link,) = find_links(Masked.of(f"- {word} [[Tea]]")).links
        assert link.relation == word.strip('"')
    assert canonical(canonical(word)) == canonical(word)
