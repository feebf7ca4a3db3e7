"""Another text in the place of one that is there exactly once: only that span changes."""

from __future__ import annotations

import io
from types import SimpleNamespace

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from memwiki.cli.main import main
from memwiki.errors import (
    AmbiguousError,
    CatalogTextError,
    MemwikiError,
    NotEditableError,
    NotFoundError,
    OutdatedError,
    PageTooLongError,
    UsageError,
)
from memwiki.markdown.outline import outline_of
from memwiki.nouns import Layers
from memwiki.pages.edit import edit_text

PIECES = st.sampled_from(
    ["a", "aa", "b", "\n", "\r\n", "\r", "---\n", "title: x\n", "中", "e\u0301", "\0", "- ", "```"]
)
TEXTS = st.lists(PIECES, max_size=12).map("".join)
LIMIT = 10_000_000


def edited(data: bytes, old: str, new: str, limit: int = LIMIT) -> bytes:
    plan = edit_text(outline_of("a.md", data, Layers()), old, new, max_bytes=limit)
    return plan.edits[0].data if plan.edits else data


def flat(text: str) -> str:
    return text.replace("\r\n", "\n")


@example("a\r\nb\nc", 0, 9, "x\ny", "")
@example("\ufeffa\r\nb", 0, 2, "", "\ufeff")
@example("a\r\n\r\nb", 1, 3, "\n\n\n", "")
@given(TEXTS, st.integers(0, 30), st.integers(1, 30), TEXTS, st.sampled_from(["", "\ufeff"]))
def test_only_the_span_that_was_named_changes(text, start, length, new, mark):
    old = flat(flat(text)[start : start + length])
    assume(old)
    before = (mark + text).encode()
    once = flat(text).find(old) == flat(text).rfind(old)
    try:
        after = edited(before, old, new)
    except MemwikiError as error:
        assert isinstance(error, AmbiguousError) is not once
        return
    assert once
    at = flat(text).find(old)
    head, tail = flat(text)[:at], flat(text)[at + len(old) :]
    now = after.decode().removeprefix(mark)
    # The bytes around the span are the bytes that were there, whatever their line ends.
    kept = next(n for n in range(len(text) + 1) if flat(text[:n]) == head)
    rest = next(n for n in range(len(text), -1, -1) if flat(text[n:]) == tail)
    assert after.startswith((mark + text[:kept]).encode())
    assert after.endswith(text[rest:].encode())
    if "\r" not in flat(text):
        assert flat(now) == head + new.replace("\r\n", "\n").replace("\r", "\n") + tail


def test_a_line_feed_is_the_line_end_of_the_page():
    page = b"# Tea\r\n\r\none\r\ntwo\nthree\r\n"
    assert edited(page, "one\ntwo\nthree", "one\ntwo\nfour") == page.replace(b"three", b"four")
    assert edited(page, "one\r\ntwo", "1\n2") == b"# Tea\r\n\r\n1\r\n2\nthree\r\n"
    assert edited(b"a\nb\n", "a\r\nb", "a\r\nc\r\n") == b"a\nc\n\n"
    assert edited(page, "one\n", "") == b"# Tea\r\n\r\ntwo\nthree\r\n"


def test_a_text_that_is_not_there_once_is_named_with_its_lines():
    with pytest.raises(NotFoundError, match="0 times"):
        edited(b"a\n", "b\ud800", "c")
    with pytest.raises(AmbiguousError, match="2 times, at lines 1, 3") as error:
        edited(b"tea\nx\ntea\n", "tea", "c")
    assert error.value.candidates == ("a.md:1", "a.md:3")
    with pytest.raises(AmbiguousError, match="2 times, at lines 1, 1"):
        edited(b"aaa", "aa", "c")
    with pytest.raises(AmbiguousError, match=r"20 times, at lines 1, 2, .*8, \.\.\."):
        edited(b"tea\n" * 20, "tea", "c")
    with pytest.raises(UsageError, match="old: is empty"):
        edited(b"a", "", "c")
    with pytest.raises(UsageError, match="U\\+001B"):
        edited(b"a", "a", "\x1b[2J")
    assert edited(b"a\x1bb", "a\x1bb", "a\x1bc") == b"a\x1bc"  # it was there before


def test_long_texts_are_compared_in_linear_time():
    with pytest.raises(AmbiguousError, match="2 times"):
        edited(b"a" * 2_000_000, "a" * 1_000_000, "b")
    with pytest.raises(NotFoundError):
        edited(b"a" * 2_000_000, "a" * 1_000_000 + "b", "b")
    with pytest.raises(AmbiguousError, match="1000000 times"):
        edited(b"a\n" * 1_000_000, "a\n", "b")


FRONT = b"---\ntitle: Tea\ntags: [a, b]\n---\n# Tea\n"


def test_front_matter_may_change_and_stays_front_matter():
    assert edited(FRONT, "title: Tea", "title: Green") == FRONT.replace(b": Tea", b": Green")
    assert edited(FRONT, FRONT.decode(), "# Tea\n") == b"# Tea\n"
    assert edited(b"# Tea\n", "# Tea", "---\na: b\n---\n# Tea") == b"---\na: b\n---\n# Tea\n"
    for old, new in (
        ("[a, b]", "[a, b"),
        ("title: Tea", 'title: "Tea'),
        ("---\ntitle", "title"),
        ("---\n# Tea", "# Tea"),
        ("tags:", "title:"),
        ("title: Tea\n", "\ttitle: Tea\n"),
    ):
        with pytest.raises(NotEditableError, match="front matter could not be read"):
            edited(FRONT, old, new)
    broken = FRONT.replace(b"b]", b"b")
    assert edited(broken, "# Tea", "# Green").endswith(b"# Green\n")
    assert edited(broken, "[a, b", "[a, b]") == FRONT


def test_a_page_stays_a_page_that_is_read_whole():
    with pytest.raises(PageTooLongError):
        edited(b"tea", "tea", "x" * 20, limit=10)
    assert edited(b"tea" * 9, "tea" * 9, "tea" * 8, limit=10) == b"tea" * 8
    with pytest.raises(CatalogTextError):
        edited(b"tea\n", "tea", "<!-- memwiki:catalog:begin -->\n<!-- memwiki:catalog:end -->")


def test_the_door_takes_an_edit(ws, capsys, monkeypatch):
    """
    --- tea.md ---
    # Tea

    - hot
    """
    at, tea = ("-C", str(ws.root)), ws.root / "tea.md"
    read = ws.pages.get("tea")
    shown = ws.pages.edit("Tea", "- hot", "- cold", expect=read.etag, dry_run=True)
    assert "-- hot\n+- cold" in shown.diff
    assert ws.pages.edit("Tea", "- hot", "- cold", expect=read.etag).paths == ("tea.md",)
    with pytest.raises(OutdatedError):
        ws.pages.edit("Tea", "- hot", "- cold", expect=read.etag)
    assert ws.pages.edit("Tea", "- cold", "- cold").paths == ()
    assert main([*at, "replace", "tea", "--old", "- cold", "- warm"]) == 0
    piped = SimpleNamespace(buffer=io.BytesIO(b"- iced\n"), isatty=lambda: False)
    monkeypatch.setattr("sys.stdin", piped)
    assert main([*at, "replace", "tea", "--old", "- warm", "-"]) == 0
    assert tea.read_text() == "# Tea\n\n- iced\n"
    assert main([*at, "replace", "tea", "--old", "cold", "x"]) == 1
    assert "0 times" in capsys.readouterr().err
    assert main([*at, "replace", "tea", "--old", "x", "--section", "Tea", "x"]) == 2
    assert main([*at, "replace", "tea", "--old", "", "x"]) == 2
    assert main([*at, "replace", "tea", "--old", "- iced\n", ""]) == 0
    assert tea.read_text() == "# Tea\n\n"
    ws.undo()
    assert tea.read_text() == "# Tea\n\n- iced\n"
