"""Bytes become text without ever failing."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.digest import digest_of
from memwiki.markdown.source import Source, decode


def codes(decoded):
    return [problem.code for problem in decoded.problems]


def test_a_digest_is_blake2b_of_the_bytes():
    assert digest_of(b"abc") == hashlib.blake2b(b"abc", digest_size=16).hexdigest()


def test_a_utf8_bom_is_tolerated():
    assert decode("a.md", b"\xef\xbb\xbfhello").text == "hello"


@pytest.mark.parametrize(("bom", "name"), [(b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")])
def test_utf16_with_a_bom_is_read(bom, name):
    decoded = decode("a.md", bom + "# Überschrift 中文".encode(name))
    assert decoded.text == "# Überschrift 中文"
    assert not decoded.problems


def test_invalid_bytes_are_replaced_and_reported_with_their_line():
    decoded = decode("a.md", b"one\ntwo caf\xe9\n")
    assert decoded.text == "one\ntwo caf\ufffd\n"
    assert codes(decoded) == ["utf8-invalid"]
    assert decoded.problems[0].line == 2
    assert decoded.problems[0].message.endswith("; save it as UTF-8")


def test_lines_that_end_in_a_carriage_return_alone_are_reported():
    assert codes(decode("a.md", b"# Old\r\rtext words\r")) == ["returns-alone"]
    assert codes(decode("a.md", b"# New\r\n\r\ntext\r\n")) == []
    assert codes(decode("a.md", b"# Mixed\r\rtext\n")) == []


def test_a_nul_is_read_as_a_space_and_reported():
    decoded = decode("a.md", b"some text that is long\n\0 more text")
    assert decoded.text == "some text that is long\n  more text"
    assert [(p.code, p.line) for p in decoded.problems] == [("nul-character", 2)]


def test_a_file_of_control_characters_is_binary():
    decoded = decode("a.md", b"PK\3\4\0\0\0\0 some text")
    assert decoded.is_binary
    assert codes(decoded) == ["page-binary"]


def test_one_tenth_of_control_characters_is_still_text():
    assert not decode("a.md", b"\1" + b"x" * 9).is_binary
    assert decode("a.md", b"\1" + b"x" * 8).is_binary


@given(st.binary())
def test_decoding_never_raises_and_leaves_no_nul(data):
    assert "\0" not in decode("a.md", data).text


class CountedText(str):
    """A text that counts how often it is cut into lines."""

    cuts = 0

    def split(self, *given):
        self.cuts += 1
        return super().split(*given)


def test_a_long_page_is_cut_into_lines_once_for_its_lines_and_where_they_begin():
    text = CountedText("one\ntwo\n")
    source = Source("a.md", text)
    # What the lines are cut from is a text of its own: this one is not cut again.
    assert (source.lines, source.starts) == (["one", "two"], [0, 4, 8])
    assert text.cuts == 0


@given(st.text(alphabet="a\n\r\0\u2028"))
def test_lines_begin_where_line_feeds_end_in_the_text_as_it_is(text):
    ends = [at + 1 for at, char in enumerate(text) if char == "\n"]
    last = [] if text.endswith("\n") or not text else [len(text)]
    assert Source("a.md", text).starts == [0, *ends, *last]
