"""The text of a message as it stands below its heading, and back: any text comes back as it was.

A line that could be a heading, or make one of the line above it, gets one backslash more, wherever
it stands; reading takes exactly one away. What that does not hold together stands in a fence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memwiki.markdown.scanner import scan
from memwiki.markdown.syntax import CATALOG_BEGIN

EXACT = "exact"  # the value of the field `form` of a message whose text stands in a fence
_MARKED = r"(?=\\*(?:#|(?:=+|-+)[ \t]*$))"
_BARE = re.compile(rf"^( {{0,3}}){_MARKED}", re.MULTILINE)
_ESCAPED = re.compile(rf"^( {{0,3}})\\{_MARKED}", re.MULTILINE)
# What an editor, git or the reading of lines would change, and what makes a catalog of a page.
_UNFIT = re.compile(
    f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]|<(?={re.escape(CATALOG_BEGIN[1:])})"
)
_NUMBER = "u(?![dD][89a-fA-F])[0-9a-fA-F]{4}"  # halves of characters are none
_CODED = re.compile(rf"\\({_NUMBER})")
_LIKE_CODED = re.compile(rf"\\(?={_NUMBER})")
_FENCE = re.compile(r"^[ \t]*(`{3,})", re.MULTILINE)
_MAY_OPEN = re.compile(r"^ {0,3}(?:```|~~~|<)", re.MULTILINE)


def is_plain(text: str) -> bool:
    """Whether a text can stand below its heading without a fence."""
    if not text:
        return True
    lines = text.split("\n")
    is_bounded = bool(lines[0].strip() and lines[-1].strip())
    return is_bounded and not _UNFIT.search(text) and not _leaves_open(lines, text)


def plain_body(text: str) -> str:
    """A text as it stands below its heading."""
    return _BARE.sub(r"\1\\", text)


def exact_body(text: str) -> str:
    """A text as it stands in a fence, which is longer than any in it."""
    coded = _LIKE_CODED.sub(r"\\u005c", text)
    coded = _UNFIT.sub(lambda found: f"\\u{ord(found[0]):04x}", coded)
    fence = "`" * (max(map(len, _FENCE.findall(coded)), default=2) + 1)
    return f"{fence}\n{plain_body(coded)}\n{fence}"


def plain_text(lines: Sequence[str]) -> str:
    """The text that such lines hold."""
    return _ESCAPED.sub(r"\1", "\n".join(lines))


def exact_text(lines: Sequence[str]) -> str:
    """The text that lines in a fence hold."""
    return _CODED.sub(lambda found: chr(int(found[1][1:], 16)), plain_text(lines))


def is_fenced(lines: Sequence[str]) -> bool:
    """Whether lines begin with a fence of which the last one is the end."""
    first = lines[0].rstrip() if len(lines) > 1 else ""
    return first.startswith("```") and not first.strip("`") and lines[-1].rstrip() == first


def _leaves_open(lines: Sequence[str], text: str) -> bool:
    """Whether what follows such a text would become part of its code or HTML."""
    if text.rfind("<!--") > text.rfind("-->"):
        return True
    if not _MAY_OPEN.search(text):
        return False
    probed = scan([*lines, "", "# what follows"])
    return any(end > len(lines) + 1 for _, end in (*probed.code, *probed.html))
