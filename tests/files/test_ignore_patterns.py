"""Ignore files of any kind: matched as git matches them, in linear time."""

from __future__ import annotations

import random
import subprocess

import pytest
from pathspec import GitIgnoreSpec

from memwiki.errors import UnreadableError
from memwiki.files.ignore import Ignore, IgnoreRule, load_ignore, pattern_of
from tests.effort import for_each

_PIECES = ["a", "b", "*", "**", "?", "/", "*a", "a*", "[ab]", "\\*", ".", "ab", "**/", "/**", "*/"]
_NAMES = ["a", "b", "ab", "ba", "aab", "x.md", "a.b", "*"]


def ignore(*patterns: str) -> Ignore:
    return Ignore(IgnoreRule("", number, each) for number, each in enumerate(patterns, 1))


def test_patterns_mean_what_they_mean_to_the_library():
    chance = random.Random(1)
    for _ in range(400):
        chosen = ["".join(chance.choices(_PIECES, k=chance.randint(1, 7))) for _ in range(2)]
        ours = [pattern_of(each) for each in chosen]
        if None in ours:
            continue
        new, old = GitIgnoreSpec(ours), GitIgnoreSpec.from_lines(chosen)
        for _ in range(12):
            path = "/".join(chance.choices(_NAMES, k=chance.randint(1, 6)))
            path += chance.choice(["", "/"])
            found, wanted = new.check_file(path), old.check_file(path)
            assert (found.include, found.index) == (wanted.include, wanted.index), (chosen, path)


def test_a_set_of_characters_is_never_a_slash_as_in_git(tmp_path):
    (tmp_path / ".gitignore").write_text("a[!b]c\n")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    asked = ["git", "-C", tmp_path, "check-ignore", "a/c", "axc", "abc"]
    said = subprocess.run(asked, capture_output=True, text=True).stdout.split()
    assert said == ["axc"]
    assert [path for path in ("a/c", "axc", "abc") if ignore("a[!b]c").why(path)] == said


@for_each("pattern", ["*a" * 40 + "b", "**/a/" * 40 + "b", "*?" * 40 + "/" + "*a" * 9])
def test_a_planted_pattern_cannot_hold_a_walk_up(pattern):
    # It was hours, and the time that a test may take is not.
    assert not ignore(pattern).why("a" * 200 + ".md")
    assert not ignore(pattern).why("a/" * 100 + "a.md")


def test_what_is_no_pattern_is_passed_over():
    kept = ignore("[z-a]", "a\\", "b" * 5_000, "", "[[x]", "c.md")
    assert kept.why("c.md") == " line 6: c.md"
    assert not kept.why("d.md")


def test_a_list_of_patterns_too_large_to_be_one_is_refused(root, put):
    put(".memwikiignore=" + "a\n" * 40_000)
    with pytest.raises(UnreadableError, match="too large for a list of patterns"):
        load_ignore(root)
