"""Suggested tags: those in use first, then few new ones."""

from hypothesis import given
from hypothesis import strategies as st

from memwiki.markdown.tags import find_tags
from memwiki.memory.tag_suggestions import rank_tags
from memwiki.pages.tags import as_tag
from tests.effort import for_each


def reused(text, *tags):
    """The tags in use among the suggestions."""
    return tuple(tag for tag in rank_tags(text, dict.fromkeys(tags, 1)) if tag in tags)


@for_each(
    ("text", "tag"),
    [
        ("The design is done.", "design"),
        ("We keep two databases.", "database"),
        ("Our database is small.", "databases"),
        ("drinks green tea", "green-tea"),
        ("good for notetaking", "note-taking"),
        ("note taking", "note-taking"),
        ("MachineLearning jobs", "machine-learning"),
        ("the configuration of it", "config"),
        ("the config of it", "configuration"),
        ("drinks tea", "green-tea"),
        ("Alpha is late", "project/alpha"),
        ("APIs of others", "API"),
        ("她喜欢旅行和咖啡", "旅行"),
        ("a café", "cafe"),
    ],
)
def test_a_tag_in_use_is_found_by_its_words(text, tag):
    assert reused(text, tag, "unrelated") == (tag,)


@for_each(
    ("text", "tag"),
    [
        ("It is what it is.", "it"),
        ("the car", "card"),
        ("The design. #design", "design"),
        ("Likes tea. [key:: design/color]", "design"),
        ("see https://example.com/design", "design"),
        ("```\ndesign\n```", "design"),
        ("work in progress", "work-life-balance"),
        ("", "design"),
    ],
)
def test_a_tag_that_a_text_does_not_speak_of_is_left_out(text, tag):
    assert reused(text, tag) == ()


def test_whole_tags_come_before_those_that_begin_alike_and_those_named_in_part():
    text = "Tea, the configuration, and a database: one database."
    assert reused(text, "config", "green-tea", "tea", "database") == (
        "database",
        "tea",
        "config",
        "green-tea",
    )


def test_among_equals_the_more_used_tag_comes_first():
    in_use = {"tea": 1, "coffee": 5, "water": 3}
    assert rank_tags("tea coffee water", in_use) == ("coffee", "water", "tea")


def test_new_tags_come_last_are_singular_and_few():
    text = "The policies of Postgres databases: replicas, classes, boxes and backups. Postgres!"
    assert rank_tags(text, {"backup": 2}) == ("backup", "postgres", "policy", "database")


def test_a_name_is_one_new_tag():
    assert rank_tags("I met Anna Smith in New York.", {}) == ("anna-smith", "new-york")


def test_a_new_tag_never_repeats_one_that_is_in_use_or_carried():
    assert rank_tags("notetaking #tea for teas", {"note-taking": 1}) == ("note-taking",)


def test_no_more_tags_than_asked_for():
    words = "alpha beta gamma delta epsilon zeta eta theta iota kappa"
    in_use = dict.fromkeys(words.split(), 1)
    assert len(rank_tags(words, in_use)) == 8
    assert len(rank_tags(words, in_use, limit=2)) == 2
    assert rank_tags(words, in_use, limit=0) == ()


@for_each(
    ("word", "tag"),
    [
        ("Green Tea", "green-tea"),
        ("snake_case", "snake-case"),
        ("Area/Home Lab", "area/home-lab"),
        ("咖啡", "咖啡"),
        ("123", ""),
        ("  ", ""),
    ],
)
def test_words_as_a_tag_are_in_lower_case_and_joined(word, tag):
    assert as_tag(word) == tag


@given(st.text(), st.dictionaries(st.text(max_size=9), st.integers(1, 9), max_size=9))
def test_every_suggestion_is_a_tag_that_is_in_use_or_can_be_written(text, in_use):
    found = rank_tags(text, in_use)
    assert len(set(found)) == len(found)
    for tag in found:
        assert tag in in_use or find_tags(f"#{tag}") == [(tag, 0)]


@for_each(
    "text",
    [
        "#a " * 200_000,
        *(p * 50_000 for p in ("a", "a ", "-", "#", "Anna ", "[a:: ", "茶", "://", "\ud800")),
    ],
)
def test_long_hostile_text_is_read_to_its_end(text):
    assert len(rank_tags(text, {"tea": 1, "茶": 1})) <= 8
