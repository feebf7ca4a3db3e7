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
        # Case is the meaning of paths, flags, passwords and the like.
        ("The log is in /var/log/App.", "The log is in /var/log/app.", False),
        ("See src/App.tsx", "See src/app.tsx", False),
        ("Deploy with the flag -v.", "Deploy with the flag -V.", False),
        ("Build with --Release", "build with --release", False),
        ("The token is a1B2c3.", "The token is A1b2C3.", False),
        ("密码是Abc", "密码是aBC", False),
        ("Wifi password: Sommer", "Wifi password: sommer", False),
        ("The column is userId", "The column is userID", False),
        ("Call `Load()`", "call `load()`", False),
        # Of other words it is how somebody types.
        ("The log is in /var/log/App.", "the LOG is in /var/log/App", True),
        ("Has an iPhone", "has an Iphone", True),
        ("Uses GitHub on MacOS", "uses github on macOS", True),
        ("The disk has 500GB, due in Q3 and V2", "the disk has 500gb, due in q3 and v2", True),
        ("Either tea and/or Milk", "either tea And/Or milk", True),
        ("Anna is in BERLIN", "anna is in Berlin", True),
        ("用户喜欢 Tea", "用户喜欢 tea", True),
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
