"""Texts that markdown would swallow: readable beside the exact one as JSON."""

from __future__ import annotations

import json
import re

from memwiki.model import Json
from memwiki.names import BIDI, SURROGATE, fold

EMPTY = "(empty)"
MAX_NAME = 4_000  # a longer one would fill the front matter, of which 64 KB are read
_SHOWN_NAME = 200
_SHOWN_WORD = 60  # the longest type of a relation that is read in quotes
_CONTROLS = f"[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ufeff\\ufffe\\uffff]|{SURROGATE}"
_BLANKS = re.compile(rf"(?:\s|{_CONTROLS})+")
_MARKS = re.compile(r"<!|:(?=:)|[\\`$~^\[\]<>#|]")
_UNWORDED = re.compile(r"[\[\]`$<>\\]")
_FIRST = re.compile(r"\A[!-/:-@{}_]")
# What a field, a link, code or a comment may not hold, and what hides.
_ESCAPED = re.compile(rf"[\[\]`$<>~^#{BIDI}]|{_CONTROLS}")
# A page of these types holds messages or is generated, whatever is on it.
_TAKEN_TYPES = frozenset({"session", "index", "log"})


def as_exact(value: Json) -> str:
    """A value as JSON that any line, field or front matter can hold."""
    return _ESCAPED.sub(lambda c: f"\\u{ord(c[0]):04x}", json.dumps(value, ensure_ascii=False))


def exact_of(written: str) -> Json:
    """The value of such JSON; None of what is none."""
    try:
        value: Json = json.loads(written)
    except (ValueError, RecursionError):
        return None
    return value


def shown(text: str) -> str:
    """A text as one line that a person can read."""
    return _BLANKS.sub(" ", text).strip() or EMPTY


def shown_name(name: str) -> str:
    """A name as the title of a page."""
    line = shown(name)
    return line if len(line) <= _SHOWN_NAME else line[: _SHOWN_NAME - 1].rstrip() + "…"


def shown_type(type_: str) -> str:
    """The type of an entity as that of a page."""
    line = shown_name(type_)
    return "entity" if line == EMPTY or fold(line) in _TAKEN_TYPES else line


def shown_word(type_: str) -> str:
    """The type of a relation as it can stand in quotes."""
    words = _UNWORDED.sub(" ", shown(type_).replace('"', "'"))
    return _BLANKS.sub(" ", words)[:_SHOWN_WORD].strip() or EMPTY


def shown_label(name: str) -> str:
    """A name as the label of a link."""
    return re.sub(r"[\[\]|`$<>\\]+", " ", shown_name(name)).strip() or EMPTY


def escaped(text: str) -> str:
    """A text as one line of an entry, in which nothing means more than it says."""

    def plain(found: re.Match[str]) -> str:
        mark = found[0]
        return {"<!": "\\<\\!", ":": ":\\"}.get(mark, f"\\{mark}")

    line = _MARKS.sub(plain, shown(text))
    return f"\\{line}" if _FIRST.match(line) and line != EMPTY else line
