"""Days as files and links call them, read back and translated from the patterns of others."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from memwiki.times.day_names import (
    is_day_pattern,
    of_moment,
    of_unicode,
    read_day,
    written_day,
)
from tests.effort import for_each

PATTERNS = st.lists(
    st.sampled_from(["%Y", "%m", "%-m", "%B", "%b", "%d", "%-d", "%o", "%A", "%a", "%j", "%%"])
    | st.text("-/_ .,wq日", min_size=1, max_size=2),
    max_size=6,
).map("".join)


@for_each(
    ("pattern", "text"),
    [
        ("yyyy_MM_dd", "2026_02_03"),
        ("MMM do, yyyy", "Feb 3rd, 2026"),
        ("EEEE, d.M.yyyy", "Tuesday, 3.2.2026"),
        ("E dd MMMM 'of' yyyy", "Tue 03 February of 2026"),
    ],
)
def test_a_day_of_logseq_is_written_and_read_by_its_pattern(pattern, text):
    assert written_day("2026-02-03", of_unicode(pattern)) == text
    assert read_day(text, of_unicode(pattern)) == "2026-02-03"


@for_each(
    ("pattern", "text"),
    [
        ("YYYY-MM-DD", "2026-02-03"),
        ("YYYY/MM/[Day] YYYY-MM-DD", "2026/02/Day 2026-02-03"),
        ("dddd, Do MMMM YYYY", "Tuesday, 3rd February 2026"),
        ("D.M.YYYY (ddd) GGGG-[W]WW", "3.2.2026 (Tue) 2026-W06"),
    ],
)
def test_a_day_of_obsidian_is_written_and_read_by_its_pattern(pattern, text):
    assert written_day("2026-02-03", of_moment(pattern)) == text
    assert read_day(text, of_moment(pattern)) == "2026-02-03"


def test_what_says_no_day_is_no_pattern():
    assert of_moment("YYYY-MM-DD HH:mm") == of_moment("YYYY-Q-DD") == of_unicode("hh:mm") == ""
    for pattern in ["%Y-%m", "%B %d", "day", "%Y-%m-%d %H", "%Y%m%d%", ""]:
        assert not is_day_pattern(pattern)
    for text in ["2026_02_30", "2026_2_3", "2026-02-03", "x", "0000_01_01"]:
        assert read_day(text, "%Y_%m_%d") == ""
    assert read_day("2026-02-03 Monday", "%Y-%m-%d %A") == ""  # it was a Tuesday


@given(st.dates(min_value=date(1000, 1, 1)), PATTERNS)
def test_what_a_pattern_writes_it_reads_as_that_day_or_not_at_all(day, pattern):
    text = written_day(day.isoformat(), pattern)
    found = read_day(text, pattern)
    assert found == "" or written_day(found, pattern) == text


@given(st.text(), st.text("%YmdBboyM-/ ", max_size=10))
def test_any_text_and_pattern_are_read(text, pattern):
    read_day(text, pattern)
    written_day("2026-02-03", of_moment(text)[:50])
    assert is_day_pattern(pattern) in (True, False)


def test_letters_that_a_pattern_repeats_are_not_tried_in_every_width():
    pattern = of_moment("YYYY-MM-DD " + "D[]" * 29)
    assert is_day_pattern(pattern)
    assert read_day("2026-02-03 " + "3" * 29, pattern) == "2026-02-03"
    assert read_day("2026-02-11 " + "1" * 58, pattern) == "2026-02-11"
    assert read_day("2026-02-11 " + "1" * 59, pattern) == ""
    assert of_moment("YYYY-MM-DD" + "[]" * 46) == ""  # too long, never a part of it
