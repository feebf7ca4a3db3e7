"""Text on a screen: harmless to the terminal, measured in columns, cut and folded to its width."""

from __future__ import annotations

import re
from enum import Enum
from unicodedata import category, east_asian_width

from memwiki.records import NamedTuple

# Patterns are compiled at first use: most answers hold no escape, and a pipe folds nothing.
_ESCAPES = (
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, cursor moves
    r"|\x9b[0-?]*[ -/]*[@-~]"
    r"|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)"  # window title, hyperlinks, clipboard
    r"|\x1b[PX^_][^\x1b\n]*\x1b\\"
    r"|\x1b[ -/]*[0-~]"
)
# Besides what drives a terminal, what makes text read in another order than it stands.
_BIDI = {0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
_CONTROLS = dict.fromkeys({*range(0x20), *range(0x7F, 0xA0), *_BIDI} - {ord("\t"), ord("\n")})
_CJK = r"\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"
_CLOSING = r"、。，．：；？！）］｝」』】〕〉》…”’"
# No line begins with a closing mark. A CJK line may be broken after every character, other text
# after a blank.
_NAME_COLUMNS = 200
_ATOMS = rf"[{_CJK}][{_CLOSING}]*|[^\s{_CJK}]+\s*|\s+"


class Colour(Enum):
    """What colours mean: what went, came, changed or only moved."""

    RED = 31
    GREEN = 32
    YELLOW = 33
    CYAN = 36


class Look(NamedTuple):
    """What the reader's screen can do; `width` is None for a pipe or file."""

    width: int | None = None
    has_colour: bool = False

    def strong(self, text: str) -> str:
        """Make the main thing of a line stand out."""
        return f"\x1b[1m{text}\x1b[0m" if self.has_colour and text else text

    def faint(self, text: str) -> str:
        """Push what is secondary into the background."""
        return f"\x1b[2m{text}\x1b[0m" if self.has_colour and text else text

    def tinted(self, text: str, colour: Colour) -> str:
        """Tell one kind of thing from another by its colour."""
        return f"\x1b[{colour.value}m{text}\x1b[0m" if self.has_colour and text else text

    def marked(self, text: str) -> str:
        """Show what was looked for."""
        return f"\x1b[1;31m{text}\x1b[0m" if self.has_colour and text else text


def clean(text: str) -> str:
    """Remove escape sequences and control characters, which could drive the reader's terminal."""
    if text.isprintable():
        return text
    return re.sub(_ESCAPES, "", text).translate(_CONTROLS)


def as_path(text: str) -> str:
    """Give a path as it is, to be copied; what would drive the terminal or end the line is
    escaped."""
    if text.isprintable():
        return text
    return "".join(_escaped(character) for character in text)


def _escaped(character: str) -> str:
    if ord(character) not in _CONTROLS and character not in "\t\n\u2028\u2029":
        return character
    return character.encode("unicode_escape").decode()


def line(text: str) -> str:
    """Give text as one harmless line."""
    if text.isprintable() and "  " not in text and text == text.strip():
        return text  # as nearly always: a blank is the only printable space
    return " ".join(clean(text).split())


def name(text: str) -> str:
    """Give the name of something as one harmless line that is not longer than anybody reads."""
    return cut(line(text), _NAME_COLUMNS)


def columns(text: str) -> int:
    """Count the columns that text takes: two for CJK, none for combining marks."""
    if text.isascii():
        return len(text)
    return sum(map(_columns_of, text))


def cut(text: str, width: int) -> str:
    """Shorten text to so many columns, with an ellipsis when something is left out."""
    if columns(text) <= width:
        return text
    kept, room = 0, width - 1
    for character in text:
        room -= _columns_of(character)
        if room < 0:
            break
        kept += 1
    return text[:kept].rstrip() + "…"


def pad(text: str, width: int) -> str:
    """Fill text with blanks to so many columns, or cut it to them."""
    text = cut(text, width)
    return text + " " * (width - columns(text))


def fold(text: str, width: int) -> list[str]:
    """Break text into lines of at most so many columns, where a reader would break it."""
    lines, room = [""], width
    for atom in re.findall(_ATOMS, text):
        needed = columns(atom.rstrip())
        if needed > room and lines[-1]:
            lines.append("")
            room = width
        lines[-1] += atom
        room -= columns(atom)
    return [each.rstrip() for each in lines if each.strip()]


def _columns_of(character: str) -> int:
    if character == "\ufe0f":  # asks for the emoji instead of the narrow sign before it
        return 1
    if category(character) in ("Mn", "Me", "Cf") or "\u1160" <= character <= "\u11ff":
        return 0
    return 2 if east_asian_width(character) in ("W", "F") else 1
