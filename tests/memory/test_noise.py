"""Noise is refused, and the person is told why."""

from hypothesis import given
from hypothesis import strategies as st

from memwiki.memory.draft import why_noise
from tests.effort import for_each


@for_each("text", ["", "  \n\t", "\ufeff", "\u200b", "\x00\x1b"])
def test_text_that_nobody_sees_is_empty(text):
    assert why_noise(text) == "the text is empty"


@for_each(
    "text",
    [
        *("- ", "> ", "**", "~~~~", "```", "---", "::", "-\n-\n"),
        *("[fact] ", "- [fact]", "[importance:: 0.8]", "^m-7k2f9a", "[fact] [key:: a] ^m-7k2f9a"),
    ],
)
def test_text_with_marks_alone_is_only_markup(text):
    assert why_noise(text) == "the text is only markup"


@for_each(
    "text", ["a", "我", "👍", "0", "???", "#design", "[link](x.md)", "`code`", "[x]: y", "[[page]]"]
)
def test_anything_that_a_person_can_read_is_text(text):
    assert why_noise(text) == ""


@for_each(
    ("text", "begins"),
    [
        ("[cron:42] run the backup", "[cron:"),
        ("[CRON: daily]", "[cron:"),
        ("[heartbeat] ok", "[heartbeat"),
        ("  [Heartbeat: 12:00]", "[heartbeat"),
        ("[distilled_2026] notes", "[distilled_"),
        ("- [Memory Context] user likes tea", "[memory context]"),
    ],
)
def test_a_line_of_a_program_is_noise(text, begins):
    assert why_noise(text) == f"it begins with {begins}: a program wrote it, not a person"


def test_such_a_line_further_down_is_named():
    assert why_noise("Likes tea.\n[heartbeat]") == (
        "line 2 begins with [heartbeat: a program wrote it, not a person"
    )


@for_each(
    "text",
    [
        "The line [cron: x] is noise.",
        "Cron: every day",
        "[memory] context",
        "How it looks:\n```\n[cron: x]\n```",
        "[cronjobs] are fine",
    ],
)
def test_text_about_programs_is_no_noise(text):
    assert why_noise(text) == ""


@given(st.text())
def test_only_the_beginning_of_a_line_makes_it_noise(text):
    assert why_noise(f"[cron:{text}")
    assert why_noise(f"Likes tea. {text.replace(chr(10), '')}[cron:") == ""


@for_each("sign", ["-", "[", " ", "`", ">", "[a]", "^m-", "[a:: ", "~~~\n"])
def test_long_hostile_text_is_judged(sign):
    assert isinstance(why_noise(sign * 400_000), str)
