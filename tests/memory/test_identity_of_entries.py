"""Tags that end a line are no part of what tells two memories apart."""

from memwiki.facts.identity import identity, without_last_tags
from memwiki.memory.patches import with_tags_of
from memwiki.nouns import Entry
from tests.effort import for_each


@for_each(
    ("text", "words", "tags"),
    [
        ("Prefers tea. #drink", "Prefers tea.", ["#drink"]),
        ("Prefers tea. #drink  #warm ", "Prefers tea.", ["#drink", "#warm"]),
        ("Likes #tea a lot", "Likes #tea a lot", []),
        ("one #a\ntwo #b", "one\ntwo", ["#a", "#b"]),
        ("Mended #123", "Mended #123", []),
        ("In code `x #a`", "In code `x #a`", []),
        ("#only #tags", "#only #tags", []),
        ("喜欢茶 #茶", "喜欢茶", ["#茶"]),
        ("", "", []),
    ],
)
def test_the_tags_that_end_lines_are_told_from_the_words(text, words, tags):
    found, last = without_last_tags(text)
    assert found == words
    assert last == tags


@for_each(
    ("one", "other", "is_same"),
    [
        ("Prefers tea. #a", "prefers tea #b #c", True),
        ("Prefers tea.", "Prefers tea. #a", True),
        ("Mended #123", "Mended #124", False),
        ("#a #b", "#a #c", False),
        ("Likes #tea a lot", "Likes #milk a lot", False),
    ],
)
def test_two_texts_that_differ_in_last_tags_only_are_the_same_memory(one, other, is_same):
    assert (identity(one) == identity(other)) is is_same


@for_each(
    ("old", "new", "wanted"),
    [
        ("Prefers tea. #drink", "Prefers beer.", "Prefers beer. #drink"),
        ("Prefers tea. #drink", "Prefers beer. #bar", "Prefers beer. #bar"),
        ("Mended #123", "Mended it.", "Mended it."),
        ("one #a\ntwo", "new\nlines", "new #a\nlines"),
    ],
)
def test_new_words_without_tags_keep_those_that_ended_the_old_ones(old, new, wanted):
    entry = Entry("fact", old, "", 1, 1)
    assert with_tags_of(entry, new) == wanted
