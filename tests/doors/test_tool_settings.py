"""What a door allows: a workspace narrows it, the user says the rest."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.config import load
from memwiki.errors import RateLimitedError
from memwiki.tools import DoorFlags, DoorSettings, Limiter, door_settings
from memwiki.tools.writing import why_protected

NARROW = """[doors]
read_only = true
profile = "small"
max_tokens = 1000
writes_per_minute = 5
max_text_kb = 10
staged = true
"""
WIDE = """[doors]
profile = "full"
max_tokens = 90000
writes_per_minute = 9000
max_text_kb = 9000
write = ["**"]
"""


@pytest.fixture
def settings(tmp_path):
    def made(text="", flags=DoorFlags(), environ=None):
        (tmp_path / "memwiki.toml").write_text(text)
        return door_settings(load(tmp_path, environ or {}), flags)

    return made


def test_nothing_said_is_the_default(settings):
    assert settings() == DoorSettings()


def test_a_workspace_narrows(settings):
    found = settings(NARROW)
    assert found[:6] == (True, "small", 1000, 5, 10, True)


def test_a_workspace_does_not_widen(settings):
    found = settings(WIDE)
    assert found._replace(write=()) == DoorSettings()
    assert found.write == (("**",),)
    assert found.named == ()


def test_flags_and_the_environment_of_the_user_widen(settings):
    flags = DoorFlags(profile="full", max_tokens=20_000, write=("AGENTS.md",), has_private=True)
    found = settings(NARROW, flags)
    assert (found.profile, found.max_tokens, found.has_private) == ("full", 20_000, True)
    assert found.named == ("AGENTS.md",)
    environ = {"MEMWIKI_DOORS_PROFILE": "full", "MEMWIKI_DOORS_MAX_TEXT_KB": "999"}
    assert settings(NARROW, environ=environ)[1:5] == ("full", 1000, 5, 999)


# --- files ---


@pytest.mark.parametrize(
    "path",
    [
        "AGENTS.md",
        "sub/claude.MD",
        "GEMINI.md",
        "CLAUDE.local.md",
        "skills/tea/SKILL.md",
        "memwiki.toml",
        "raw/paper.md",
        "Archive/old.md",
        "log.md",
        "log/2026.md",
        ".memwiki/state/x.md",
        "wiki/.hidden.md",
        "wiki/picture.png",
        "wiki/script.md.py",
        "names/work/raw/paper.md",
        "names/work/AGENTS.md",
        "wiki/index.md",
    ],
)
def test_some_files_are_left_alone_unless_the_user_names_them(tmp_path, path):
    (tmp_path / "memwiki.toml").write_text(
        '[layers]\nraw = "raw"\narchive = "archive"\nlog = "log.md"\nnamespaces = "names"\n'
        "[catalog]\nenabled = true\n"
    )
    config = load(tmp_path, {})
    assert why_protected(path, DoorSettings(), config)
    named = door_settings(config, DoorFlags(write=(path,)))
    assert why_protected(path, named, config) == ""
    assert why_protected("wiki/tea.md", DoorSettings(), config) == ""
    assert why_protected("wiki/tea.md", named, config)


def test_a_new_source_may_be_added(tmp_path):
    (tmp_path / "memwiki.toml").write_text('[layers]\nraw = "raw"\n')
    config = load(tmp_path, {})
    assert why_protected("raw/a.md", DoorSettings(), config, is_new=True) == ""
    assert why_protected("raw/AGENTS.md", DoorSettings(), config, is_new=True)


@pytest.mark.parametrize(
    ("glob", "path", "is_in"),
    [
        ("wiki/**", "wiki/a/b.md", True),
        ("wiki/*", "wiki/a/b.md", False),
        ("**/*.md", "a.md", True),
        ("a?.md", "ab.md", True),
        ("a.md", "aXmd", False),
        ("wiki/**", "wikis/a.md", False),
    ],
)
def test_patterns_of_files(tmp_path, glob, path, is_in):
    config = load(tmp_path, {})
    allowed = DoorSettings(write=((glob,),))
    assert (why_protected(path, allowed, config) == "") is is_in


# --- rate ---


def waits(limiter: Limiter, most: int) -> int:
    """The seconds that the next change has to wait; it is counted where that is 0."""
    try:
        limiter.take(most)
    except RateLimitedError as error:
        return int(re.findall(r"\d+", error.hint)[0])
    return 0


@given(st.lists(st.integers(-100, 100), max_size=60), st.integers(0, 5))
def test_no_more_changes_are_made_in_a_minute_than_are_allowed(steps, most):
    now, made = [10**12], []
    limiter = Limiter(lambda: now[0])
    for step in steps:
        now[0] += max(step, 0) * 10**9
        wait = waits(limiter, most)
        assert 0 <= wait <= 61
        if not wait:
            made.append(now[0])
        assert sum(now[0] - at < 60 * 10**9 for at in made) <= most


def test_after_the_wait_there_is_room():
    now = [0]
    limiter = Limiter(lambda: now[0])
    assert [waits(limiter, 2) for _ in range(3)] == [0, 0, 61]
    now[0] += 61 * 10**9
    assert waits(limiter, 2) == 0
