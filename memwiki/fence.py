"""Stored text between marks that it cannot close, with nothing in it that hides or steers."""

from __future__ import annotations

import re

from memwiki.names import BIDI
from memwiki.text import pattern

NAME = "stored-memory"
CLOSING = f"</{NAME}>"
_BLANK = r"[\s\u00ad\u200b-\u200f\u2060\ufeff]*+"
# The part of a mark before its name; possessive, so that long blanks take linear time.
_MARK = pattern(rf"[<＜](?={_BLANK}[/／]?+{_BLANK}{NAME})", re.IGNORECASE)
_GONE = "\x00-\x08\x0b-\x1f\x7f-\x9f"  # but tabs and line ends
_SHOWN = f"{BIDI}\u2028\u2029\ud800-\udfff\U000e0000-\U000e007f"
_STEERING = pattern(f"[{_GONE}{_SHOWN}]")
_QUOTED = str.maketrans({'"': "&quot;", "<": "&lt;", ">": "&gt;"})


def escape_fence(text: str) -> str:
    """Text in which nothing reads as the beginning or end of a fence."""
    return _MARK.sub("&lt;", text)


def visible(text: str) -> str:
    """Text without control characters; what hides or turns it is shown as `\\u{202e}`."""
    if text.isprintable():
        return text
    return _STEERING.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    is_control = code < 0x20 or 0x7F <= code < 0xA0
    return "" if is_control else f"\\u{{{code:x}}}"


def inside(text: str) -> str:
    """Text as it may stand inside a fence, on the lines that it has."""
    return escape_fence(visible(text))


def one_line(text: str) -> str:
    """The same on one line."""
    return inside(" ".join(text.split()))


def opening(**about: str) -> str:
    """The opening mark, which names what is known of the text: path, lines, date, origin."""
    said = (f' {name}="{_value(value)}"' for name, value in about.items() if value)
    return f"<{NAME}{''.join(said)}>"


def _value(text: str) -> str:
    return visible(text.replace("\n", " ").replace("\t", " ")).translate(_QUOTED)
