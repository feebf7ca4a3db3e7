"""Text of other people as one harmless line of a catalog, and a path as the target of a link."""

from __future__ import annotations

import re
from unicodedata import category, east_asian_width

from memwiki.names import JOINERS

_ESCAPED = re.compile(r"[\\`\[\]|<$*]|(?<!\w)_|_(?!\w)|(?<!\S)[#^](?=\S)|%(?=%)|(?<=%)%")
_PLAIN_PATH = re.compile(r"[\w./@,;=&!~+:-]*\Z")


def one_line(text: str) -> str:
    """The text without line ends, control, bidirectional and hidden characters."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    return " ".join("".join(map(_visible, text, " " + text)).split())


def _visible(character: str, before: str) -> str:
    kind = category(character)
    if kind in ("Cc", "Zl", "Zp"):
        return " "
    if kind in ("Cf", "Cs", "Cn", "Co"):
        return character if character in JOINERS and not before.isascii() else ""
    # Variation selectors beyond the common ones carry hidden text and change no glyph.
    return "" if 0xE0100 <= ord(character) <= 0xE01EF else character


def shortened(text: str, columns: int) -> str:
    """The text cut at a word to so many columns; a CJK character takes two."""
    if len(text) * 2 <= columns or (text.isascii() and len(text) <= columns):
        return text
    room, end = columns, 0
    for character in text:
        room -= 2 if east_asian_width(character) in "WF" else 1
        if room < 0:
            break
        end += 1
    if end == len(text):
        return text
    head = text[: end - 1]
    return (head.rpartition(" ")[0] if " " in head[end // 2 :] else head).rstrip() + "…"


def escaped(text: str) -> str:
    """The text so that markdown shows it as it is: no link, code, formula, tag or block id."""
    return _ESCAPED.sub(r"\\\g<0>", text)


def target(path: str) -> str:
    """A relative path as the target of a markdown link; odd characters are percent-encoded."""
    if not _PLAIN_PATH.match(path):
        path = "".join(map(_in_path, path))
    first = path.partition("/")[0]
    is_odd = ":" in first or first[:1] in ("%", "")
    return f"./{path}" if is_odd else path


def _in_path(character: str) -> str:
    if character.isalnum() or character in "./@,;=&!~+:-_":
        return character
    if not character.isascii() and character.isprintable():
        return character
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogateescape"))


def link(text: str, path: str) -> str:
    """A markdown link."""
    return f"[{text}]({target(path)})"
