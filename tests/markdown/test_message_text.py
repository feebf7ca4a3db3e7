"""Any text of a message comes back as it was, and what follows it is a message of its own."""

import re

from hypothesis import given
from hypothesis import strategies as st

from memwiki.markdown.messages import WrittenMessage, with_gap
from memwiki.markdown.parse import parse
from memwiki.nouns import Layers
from tests.effort import for_each

LAYERS = Layers(sessions="sessions")
NASTY = (
    "### 2026-11-21T10:00:00Z user ^s-0009",
    "```\nnever closed",
    "~~~~\nnever closed\n```",
    "<!-- never closed",
    "<script>\n\n# x",
    "inline <!-- never closed",
    "Title\n=====",
    "a\n---",
    "-",
    "\\# x\n\\\\# y\n\\---",
    "```\n# comment\n\\# two\n```",
    "\n\nblank above",
    "blank below \n \n",
    "\r",
    "one\rtwo\r\nthree",
    "\x00\x01\x1b[31m red \x7f \u2028 \x85",
    r"\u001b \\u001b \u005c \u005cu001b \ud800",
    "\\\x1b",
    "`" * 9 + "\nx\n" + "`" * 8 + "\n\x0b",
    "<!-- memwiki:catalog:begin -->\n- [a](b.md)\n<!-- memwiki:catalog:end -->",
    "---\ntype: x\n---\n",
    "- [ ] a\n   # in an item\n\t# tab",
    "<<<<<<< a\nx\n=======\ny\n>>>>>>> b",
    "",
    " ",
    "\u3000",
    "[form:: exact] ^s-0001",
    "$$\nopen math",
)
PIECES = st.sampled_from(
    [*NASTY, "\n", " ", "\t", "#", "\\", "`", "```", "~~~", "=", "-", "<", ">", "\\u000", "9"]
)
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    st.lists(PIECES, max_size=8).map("".join),
    st.text("#=-\\`~< \t\n\r\x00\x0b\x85\u2028u01b$x", max_size=30),
)


def written(texts: list[str], start: bytes = b"---\ntype: session\n---\n") -> bytes:
    data = start
    for number, text in enumerate(texts):
        message = WrittenMessage("user", text, "2026-11-21T10:00:00Z", f"s-{number:04}", "Anna")
        data += with_gap(data, message.block).encode()
    return data


def read(data: bytes) -> list[tuple[str, str]]:
    return [(m.id, m.text) for m in parse("sessions/a.md", data, LAYERS).messages]


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_any_text_comes_back_as_it_was(texts):
    data = written(texts)
    assert read(data) == [(f"s-{i:04}", text) for i, text in enumerate(texts)]
    for crossing in (data.replace(b"\n", b"\r\n"), data.rstrip(b"\n")):
        assert [text for _, text in read(crossing)] == texts


@for_each("text", NASTY)
def test_what_went_wrong_once_comes_back(text):
    data = written([text, "next"])
    assert read(data) == [("s-0000", text), ("s-0001", "next")]
    assert not re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", data)
    assert not parse("sessions/a.md", data, LAYERS).is_catalog


@given(TEXTS, TEXTS)
def test_the_text_of_a_message_says_nothing_about_any_other_line_of_its_page(one, other):
    page = parse("sessions/a.md", written([one, other, "plain"]), LAYERS)
    titles = [section.title for section in page.sections]
    assert len(titles) == 3
    assert (page.title, page.type, page.fields) == ("A", "session", {"type": "session"})


def test_a_fence_that_a_person_left_open_ends_with_its_message():
    start = b"### user\n```\nopen\n\n### user\nin the fence\n"
    messages = parse("sessions/a.md", written(["next"], start), LAYERS).messages
    assert [m.text for m in messages] == ["```\nopen\n\n### user\nin the fence", "next"]


def test_ordinary_text_stands_as_it_is():
    text = "Hello **you**.\n\n- a\n- b #tag\n\n```python\nprint(1)\n```\n\n| a |\n|---|\n| b |"
    assert text.encode() in written([text])


@for_each(
    "text",
    ["# " * 1_000_000, "#\n" * 50_000, "\\" * 1_000_000, "\x00" * 50_000, "<!--" * 100_000,
     "```\n" * 50_000, "`" * 1_000_000, "-" * 1_000_000 + "x", "\\u001b" * 50_000, " \n" * 50_000],
)  # fmt: skip
def test_a_long_text_comes_back_too(text):
    assert read(written([text, "next"])) == [("s-0000", text), ("s-0001", "next")]
