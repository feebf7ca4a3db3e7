"""Text -> terms, in every script: what is found is what both sides cut alike."""

from __future__ import annotations

import unicodedata
from itertools import product
from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.han import SIMPLIFIED, TRADITIONAL
from memwiki.index.keyword.tokens import (
    _american,
    _english,
    count_terms,
    normalise,
    other_spelling,
    query_terms,
    searchable,
    stem,
)
from memwiki.text import is_cjk
from tests.effort import for_each


def terms(text: str) -> set[str]:
    return set(count_terms(text))


def matches(query: str, text: str) -> bool:
    """Whether a question meets a text in at least one term."""
    return bool(set(query_terms(query)) & terms(text))


@for_each(
    ("text", "expected"),
    [
        ("Herons fly", {"heron", "fli"}),
        ("naïve café", {"naiv", "cafe"}),
        ("ÅNGSTRÖM", {"angstrom"}),
        ("Straße", {"strass"}),
        ("don't", {"don", "t"}),
        ("getUserName", {"getusernam", "get", "user", "name"}),
        ("HTTPServer", {"httpserver", "http", "server"}),
        ("snake_case_name", {"snake_case_name", "snake", "case", "name"}),
        ("_private", {"_private", "privat"}),
        ("__init__", {"__init__", "init"}),
        ("CONSTANT", {"constant"}),
        ("v8.5.1", {"v8", "5", "1", "v8.5.1"}),
        ("8.5.1", {"8", "5", "1", "8.5.1"}),
        ("utf8", {"utf8"}),
        ("C# and F#.", {"c#", "f#", "c"}),
        ("C++17, 用C++写", {"c++", "c"}),
        ("A* search", {"a*", "a"}),
        (".NET, not a.net", {".net", "net"}),
        ("Ask @anna!", {"@anna", "anna"}),
        ("a Fritz!Box", {"fritz", "box", "fritzbox"}),
        ("1,234,567.89 and 0.125", {"1234567", "0", "125"}),
        ("向量", {"向", "量", "向量"}),
        ("数据库", {"数", "据", "库", "数据", "据库"}),
        ("使用SQL语句", {"使", "用", "使用", "sql", "语", "句", "语句"}),
        ("ひらがな", {"ひ", "ら", "が", "な", "ひら", "らが", "がな"}),
        ("ｆｕｌｌ", {"full"}),
        ("", set()),
        ("--- !!! ...", set()),
    ],
)
def test_what_is_written_into_the_index(text, expected):
    found = terms(text)
    assert expected <= found
    assert all(term == term.casefold() for term in found)


@for_each(
    "text",
    ["a.net", "x.y()", "../up", "so...it", "anna@sea.org", "*A*", "## Head ##", "#tag", "1 + 1"],
)
def test_a_sign_that_is_no_part_of_a_word_makes_none(text):
    assert all(map(str.isalnum, terms(text)))


@for_each(
    ("query", "expected"),
    [
        ("C++", ["c", "c++"]),
        ("数据库", ["数据", "据库"]),  # longer runs as pairs only
        ("库", ["库"]),
        ("SQL数据", ["sql", "数据"]),
        ("running runs", ["run"]),
        ("Running  RUNS", ["run"]),
        ("getUserName", ["getusernam", "get", "user", "name"]),
    ],
)
def test_what_a_question_is_cut_into(query, expected):
    assert query_terms(query) == expected


@for_each(
    ("query", "text"),
    [
        ("數據", "數據庫"),
        ("カタカナ", "これはカタカナです"),
        ("ｶﾀｶﾅ", "カタカナ"),
        ("한국어", "한국어는 조사가"),
        ("데이터", "데이터베이스"),
        ("한국", unicodedata.normalize("NFD", "한국어")),
        ("cafe", "Café"),
        ("café", unicodedata.normalize("NFD", "CAFÉ")),
        ("user", "getUserName()"),
        ("username", "user_name username"),
        ("8.5.1", "Released v8.5.1 and 8.5.1."),
        ("Node.js", "We use node.js here"),
        ("docs/cli.md", "see docs/cli.md"),
        ("x86-64", "for x86-64 only"),
        ("connections", "connected connection"),
        ("привет", "Привет, мир"),
        ("ελλάδα", "Ελλάδα"),
        ("Ёлка", "елка"),
        ("прививки для кошек", "Мурке сделали прививку"),
        ("размер новой обуви", "новые ботинки"),
        ("दीवार की कील", "कील ठोकना"),
        ("รดน้ำอย่างไร", "ให้รดน้ำที่โคน"),
        ("ပန်းခြံ", "ပန်းခြံထဲမှာ"),
        ("قطة", "القطّة في البيت"),
        ("هدية للجدة", "هدايا الجدّة"),
        ("اصلاح ٢٤", "إصلاح 24"),
        ("coeur", "Cœur"),
        ("duong Łodz", "Đường Łódź"),
        ("isi", "ısı"),
    ],
)
def test_a_question_meets_the_text_it_should(query, text):
    assert matches(query, text)


@for_each(
    ("query", "text"),
    [
        *[("据数", "数据"), ("heron", "stork"), ("한국", "국한"), ("1.2.3", "3 words only")],
        *[("कील", "काल और कल"), ("ปู", "ปีนี้"), ("หมา", "มาก")],
    ],
)
def test_a_question_does_not_meet_what_it_should_not(query, text):
    assert not set(query_terms(query)) <= terms(text)


def test_counts_are_kept():
    counts = count_terms("heron herons 数据数据 v1.2 v1.2")
    assert counts["heron"] == 2
    assert counts["数据"] == 2
    assert counts["v1.2"] == 2


def test_words_with_parts_and_runs_without_blanks_are_counted_with_the_plain_words_beside_them():
    counts = count_terms("getUserName user Users 数据Data据 据据 a_b 1.2 1.2.3x")
    assert counts == {
        "getusernam": 1,
        "get": 1,
        "user": 3,
        "name": 1,
        "data": 1,
        "数": 1,
        "据": 4,
        "数据": 1,
        "据据": 1,
        "a_b": 1,
        "1": 2,
        "2": 2,
        "3x": 1,
        "1.2": 1,
        "1.2.3x": 1,
    }


def test_a_word_means_the_same_beside_a_sign_of_another_script():
    words = "HTTPServer snake_case Heron's 1.2 x86"
    alone = count_terms(words)
    assert all(count_terms(f"{words} {sign}") == alone for sign in ("…", "—", "，", "🦢"))


@for_each("mark", "，：（）；！？")
def test_full_width_marks_are_those_of_ascii(mark):
    text = f"é{mark}\u0301數{mark}ﬁ"
    decomposed = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))
    assert normalise(text) == "".join(c for c in decomposed if not unicodedata.combining(c))


SPELLED_TWICE = [
    ("visualise a colour", "visualizing colors"),
    ("The organisation's behaviour", "organization behavior"),
    ("analysed neighbourhoods", "analyze the neighborhood"),
    ("cataloguing: catalogues, dialogue", "catalog, dialogs"),
    ("centre of the theatre", "the centers, a theater"),
    ("a grey programme", "gray programs"),
    ("kilometres of fibre", "kilometer, fibers"),
    ("LICENCE", "license"),
]


@for_each(("british", "american"), SPELLED_TWICE)
def test_both_spellings_of_english_are_one_word(british, american):
    assert set(query_terms(american)) - {"the", "a"} <= terms(british)
    assert matches(british, american)


@for_each(("one", "other"), [("votre", "voter"), ("four", "for"), ("his", "hiz")])
def test_words_that_only_look_alike_are_others(one, other):
    assert not matches(one, other)


SCRIPTS = [
    ("資料庫備份與還原", "资料库备份与还原"),
    ("裡面，裏面", "里面，里面"),
    ("頭髮發麵後天鐘聲", "头发发面后天钟声"),
    ("說不著邊際", "说不着边际"),
    ("TiDB 叢集設定", "TiDB 丛集设定"),
]


@for_each(("traditional", "simplified"), SCRIPTS)
def test_both_scripts_of_chinese_are_one(traditional, simplified):
    assert searchable(traditional) == searchable(simplified)
    assert query_terms(traditional) == query_terms(simplified)
    assert count_terms(traditional) == count_terms(simplified)


def test_no_simplified_character_is_a_traditional_one():
    assert len(TRADITIONAL) == len(SIMPLIFIED) == len(set(TRADITIONAL))
    assert set(TRADITIONAL).isdisjoint(SIMPLIFIED)
    assert searchable(TRADITIONAL) == SIMPLIFIED


def test_no_term_is_unbounded():
    blob = "A1b2" * 5_000
    assert max(map(len, terms(blob))) <= 64
    assert len(terms(blob)) < 100


def test_only_scripts_without_blanks_are_cut_into_pairs():
    assert is_cjk("日")
    assert is_cjk("abc 한")
    assert is_cjk("ไทย")
    assert not is_cjk("हिन्दी العربية")
    assert not is_cjk("")
    assert not is_cjk("naïve Ελλάδα привет")


IN_ALL_SCRIPTS = st.text(
    st.sampled_from(
        "abZ_ .#'éØ\u0301Яйиыя日本語がﾊﾟ한กำน้ปู\u0e50हिन्दी\u200dقطةال\u064bשׁ\u1794\u17d2\u1780"
    )
    | st.characters(),
    max_size=40,
)


@given(IN_ALL_SCRIPTS)
def test_whatever_is_asked_was_cut_alike_when_it_was_written(text):
    """A word finds every text that holds exactly it."""
    assert set(query_terms(text)) <= terms(text)


@given(st.text(max_size=40))
def test_normalising_twice_changes_nothing(text):
    assert normalise(normalise(text)) == normalise(text)


@given(IN_ALL_SCRIPTS, IN_ALL_SCRIPTS)
def test_terms_of_two_paragraphs_are_the_terms_of_both(one, other):
    assert count_terms(f"{one}\n{other}") == count_terms(one) + count_terms(other)


@for_each("one", ["48000", "48,000", "48 000", "48.000", "48'000", "48’000"])
@for_each("other", ["48000", "48,000", "48\u00a0000", "48.000", "48'000"])
def test_a_number_is_found_whatever_stands_between_its_digits(one, other):
    assert "48000" in set(query_terms(f"for {one}.")) & terms(f"for {other} euros")


@for_each("text", ["2020 300", "48,0000", "12.11.24", "0,125", "x48,000", "4,000x"])
def test_other_digits_are_not_taken_for_one_number(text):
    assert not [term for term in terms(text) if term.isdigit() and len(term) > 4]


@for_each("text", ["1 000" * 9_999, "100 " * 9_999 + "x", "1,000" * 9_999])
def test_many_groups_of_digits_take_no_time(text):
    assert all(len(term) < 100 for term in query_terms(text))


@for_each(
    ("word", "other"),
    [
        ("Kühlschrank", "kuehlschrank"),
        ("Ku\u0308hlschrank", "kuehlschrank"),
        ("Kuehlschrank", "kuhlschrank"),
        ("Uebergroesse", "ubergrosse"),
        ("Århus", "aarhus"),
        ("Aarhus", "arhus"),
        ("smørrebrød", "smoerrebroed"),
        ("neuere", ""),
        ("Frauen", ""),
        ("Quelle", ""),
        ("poet", ""),
        ("река", ""),
    ],
)
def test_a_word_may_be_spelled_without_the_letters_of_a_keyboard(word, other):
    assert other_spelling(word) == other


def test_a_word_that_the_stemmer_is_not_asked_for_has_no_other_stem():
    ends = "our ourhood li ness ful fulness ization bli iviti sses ied ingly eed ator ogi uous yed"
    long_ones = ["h" + "".join(each) for each in product(("onou", "ab", "ly", "ss"), ends.split())]
    for word in (*map("".join, product(ascii_lowercase, repeat=3)), *long_ones):
        assert stem(word) == _english(_american(word))


@pytest.mark.parametrize("word", ["PR", "SLA", "VM", "KPI", "TV", "API"])
def test_several_of_an_abbreviation_are_found_by_one(word):
    assert query_terms(f"{word}s") == query_terms(word) == [word.lower()]
    assert count_terms(f"{word}s") == {word.lower(): 1}
