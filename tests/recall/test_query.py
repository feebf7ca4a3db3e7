"""The query language: what each piece of a typed query means."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.recall.parse import parse_query
from memwiki.recall.query import Filter, FilterKind, Query
from tests.effort import for_each

TODAY = datetime.date(2026, 3, 31)


def parse(text: str) -> Query:
    return parse_query(text, TODAY)


def only_filter(text: str) -> Filter:
    query = parse(text)
    assert (query.words, query.phrases, query.excluded) == ((), (), ())
    (found,) = query.filters
    return found


def test_words_are_kept_as_typed_and_once():
    assert parse("  Blue  slides blue Blue ").words == ("Blue", "slides", "blue")


@for_each(
    "text",
    [
        '"exact phrase"',
        "“exact phrase”",
        "”exact phrase”",
        "「exact phrase」",
        '"exact \n phrase "',
    ],
)
def test_quotes_of_every_script_make_a_phrase(text):
    assert parse(text).phrases == ("exact phrase",)


def test_a_phrase_may_touch_unspaced_text():
    query = parse("搜索「精确短语」功能")
    assert (query.words, query.phrases) == (("搜索", "功能"), ("精确短语",))


@pytest.mark.parametrize(
    ("text", "words"), [('5"', ("5",)), ('say "hello there', ("say", "hello", "there"))]
)
def test_a_quote_that_never_closes_is_ignored(text, words):
    assert parse(text) == Query(text, words=words)


def test_a_minus_excludes_words_phrases_prefixes_and_filters():
    query = parse('a -b -"c d" -e* -tag:x')
    assert (query.words, query.excluded) == (("a",), ("b", "c d", "e*"))
    assert query.filters == (Filter(FilterKind.TAG, "x", is_excluded=True),)


@for_each("text", ["->", "--no-sync", "x-y", "<-", "a->b"])
def test_a_minus_inside_other_signs_excludes_nothing(text):
    assert parse(text).words == (text,)


@for_each("text", ["", " ", "-", "*", '"', '""', "**", "- * -", "“", '" "', '-""'])
def test_lone_signs_ask_for_nothing(text):
    query = parse(text)
    assert query == Query(text)
    assert not query.has_terms


def test_a_star_at_the_end_makes_a_prefix():
    assert parse("wor* 部署*").prefixes == ("wor", "部署")


@for_each("text", ["*.md", "a*b", "**bold**", "a**"])
def test_stars_elsewhere_are_part_of_a_word(text):
    assert parse(text).words == (text,)


@for_each("kind", ["tag", "type", "path", "title", "section"])
def test_known_keys_are_filters_in_any_case(kind):
    assert only_filter(f"{kind}:x") == Filter(FilterKind(kind), "x")
    assert only_filter(f"{kind.upper()}:x") == Filter(FilterKind(kind), "x")
    assert only_filter(f"{kind}：x") == Filter(FilterKind(kind), "x")


def test_a_value_may_be_quoted():
    assert only_filter('title:"two words"') == Filter(FilterKind.TITLE, "two words")
    assert only_filter("title:「two words」") == Filter(FilterKind.TITLE, "two words")
    assert only_filter('owner:"Ann Lee"') == Filter(FilterKind.FIELD, "Ann Lee", name="owner")


def test_a_path_filter_keeps_its_glob():
    assert only_filter("path:wiki/**/a*.md") == Filter(FilterKind.PATH, "wiki/**/a*.md")
    assert only_filter("path:/wiki") == Filter(FilterKind.PATH, "/wiki")


@for_each("text", ["tag:#design", "tag:design/", "tag:design/*"])
def test_a_tag_filter_has_one_spelling(text):
    assert only_filter(text) == Filter(FilterKind.TAG, "design")


@for_each(
    ("text", "name", "value"),
    [
        ("status:draft", "status", "draft"),
        ("Due-by:2026-01-01", "Due-by", "2026-01-01"),
        ("状态:完成", "状态", "完成"),
        ("field:x", "field", "x"),
        ("ref:a:b", "ref", "a:b"),
    ],
)
def test_any_other_key_is_a_field(text, name, value):
    assert only_filter(text) == Filter(FilterKind.FIELD, value, name=name)


@for_each(
    "text",
    [
        "http://example.org/a?b=c",
        "10:30",
        "C++::x",
        "std::vector",
        "C:\\x",
        "C:/x",
        "x:1",
        "mailto:a@b.c",
        "note:",
        "tag:",
        "::",
        ":x",
        "注意：这里",
        "is:strange",
    ],
)
def test_what_only_looks_like_a_filter_is_a_word(text):
    assert parse(text) == Query(text, words=(text,))


@for_each(
    ("text", "day"),
    [
        ("since:2026-08-09", "2026-08-09"),
        ("since:2026-08-09T10:00:00Z", "2026-08-09"),
        ("since:2026-08", "2026-08-01"),
        ("until:2026-08", "2026-08-31"),
        ("until:2024-2", "2024-02-29"),
        ("since:2026", "2026-01-01"),
        ("until:2026", "2026-12-31"),
        ("until:9999", "9999-12-31"),
        ("since:0d", "2026-03-31"),
        ("since:7d", "2026-03-24"),
        ("since:2W", "2026-03-17"),
        ("since:1m", "2026-02-28"),
        ("since:15m", "2024-12-31"),
        ("until:1y", "2025-03-31"),
        ("since:yesterday", "2026-03-30"),
        ('since:"last month"', "2026-02-01"),
        ("until:上个月", "2026-02-28"),
    ],
)
def test_dates_become_whole_iso_days(text, day):
    kind = FilterKind(text.partition(":")[0])
    assert only_filter(text) == Filter(kind, day)


@for_each(
    "text",
    [
        "since:soon",
        "since:2026-13",
        "since:2026-02-30",
        "until:0000",
        "since:99999999999d",
        "since:9999y",
        "since:٣d",
        "until:2026-00-01",
    ],
)
def test_unreadable_dates_are_searched_as_words(text):
    assert parse(text) == Query(text, words=(text,))


def test_the_only_state_is_orphan():
    assert only_filter("is:Orphan") == Filter(FilterKind.IS, "orphan")


SIGNS = st.sampled_from(
    [*'ab文 \t\u3000-*:："“”「」『』#/\\.5\x00\x1b\ud800', "tag:", "is:", "path:", " -", "http://"]
)
TYPED = st.one_of(st.text(), st.lists(SIGNS, max_size=25).map("".join))


def runs_of_letters(text: str) -> list[str]:
    return "".join(c if c.isalpha() else " " for c in text).split()


@given(TYPED)
def test_no_query_fails_and_no_letter_is_lost(text):
    query = parse(text)
    texts = [*query.words, *query.phrases, *query.prefixes, *query.excluded]
    for each in query.filters:
        texts += [each.kind, each.name, each.value]
    kept = " ".join(texts).lower()
    if not any(each.kind in (FilterKind.SINCE, FilterKind.UNTIL) for each in query.filters):
        assert all(run.lower() in kept for run in runs_of_letters(text))


@given(st.lists(st.from_regex(r"[a-z]{1,6}", fullmatch=True), max_size=6))
def test_plain_words_come_through_unchanged(words):
    assert parse(" ".join(words)).words == tuple(dict.fromkeys(words))
