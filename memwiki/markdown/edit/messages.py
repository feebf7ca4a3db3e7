"""A message as it is written at the end of a session's page."""

from __future__ import annotations

import re
from typing import NamedTuple

from memwiki.errors import UsageError
from memwiki.markdown.message_text import EXACT, exact_body, is_plain, plain_body

_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\\[\\]]")
_BLANK_END = re.compile(rb"\n\r?\n\Z")
_MAX_WORD = 200  # characters of a role or a name


class WrittenMessage(NamedTuple):
    """What is to be written of a message; `extra` are further fields of its heading."""

    role: str
    text: str
    time: str
    id: str
    name: str = ""
    extra: tuple[tuple[str, str], ...] = ()

    @property
    def block(self) -> str:
        """Its heading and the text below it."""
        is_exact = not is_plain(self.text)
        form = [("form", EXACT)] if is_exact else []
        fields = [("name", self.name)] if self.name else []
        marks = "".join(f" [{key}:: {value}]" for key, value in (*fields, *self.extra, *form))
        body = exact_body(self.text) if is_exact else plain_body(self.text)
        return f"### {self.time} {self.role}{marks} ^{self.id}\n" + (f"{body}\n" if body else "")


def with_gap(before: bytes, block: str) -> str:
    """What is added to a page so that a block stands apart from what is above it."""
    if not before or _BLANK_END.search(before[-4:]):
        return block
    return f"\n{block}" if before.endswith(b"\n") else f"\n\n{block}"


def checked_word(what: str, text: str) -> str:
    """A role or a name as the heading of a message can hold it; UsageError when it cannot."""
    text = text.strip()
    if found := _UNFIT.search(text):
        raise UsageError(
            f"{what}: holds U+{ord(found[0]):04X}, which the heading of a message cannot hold",
            hint="leave out brackets, line breaks and control characters",
        )
    return text


def fitting_word(text: str) -> str:
    """A role or name from elsewhere, as the heading of a message can hold it."""
    return " ".join(_UNFIT.sub(" ", text).split())[:_MAX_WORD].strip()
