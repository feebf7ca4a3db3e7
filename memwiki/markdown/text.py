"""Bytes of a file -> its text, and what was wrong with them."""

from __future__ import annotations

from typing import NamedTuple

from memwiki.nouns import Problem, Severity

_CONTROLS = bytes(set(range(32)) - {9, 10, 12, 13} | {127})
UTF16_CODECS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_UTF8_BOM = b"\xef\xbb\xbf"


class Decoded(NamedTuple):
    """The text of a file without its BOM, and what was wrong with its bytes."""

    text: str
    problems: tuple[Problem, ...] = ()
    is_binary: bool = False
    mark: str = ""  # the BOM of UTF-8


def decode(path: str, data: bytes) -> Decoded:
    """Read bytes as people meant them: UTF-8, or UTF-16 when a BOM says so."""
    encoding = UTF16_CODECS.get(data[:2])
    if encoding:
        return _decode_lossy(path, data[2:], encoding)
    if _is_binary(data):
        message = "more than 10 % control characters: not indexed as text"
        problem = Problem(path, 1, "page-binary", Severity.WARNING, message)
        return Decoded("", (problem,), is_binary=True)
    if data.startswith(_UTF8_BOM):
        return _decode_lossy(path, data[3:], "utf-8")._replace(mark="\ufeff")
    return _decode_lossy(path, data, "utf-8")


def _is_binary(data: bytes) -> bool:
    return (len(data) - len(data.translate(None, _CONTROLS))) * 10 > len(data)


def _decode_lossy(path: str, data: bytes, encoding: str) -> Decoded:
    problems = []
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        text = data.decode(encoding, errors="replace")
        line = data.count(b"\n", 0, error.start) + 1
        message = f"not valid {encoding}: unreadable bytes are shown as U+FFFD"
        problems.append(Problem(path, line, "utf8-invalid", Severity.WARNING, message))
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        message = "NUL characters are read as spaces"
        problems.append(Problem(path, line, "nul-character", Severity.WARNING, message))
        text = text.replace("\0", " ")
    return Decoded(text, tuple(problems))
