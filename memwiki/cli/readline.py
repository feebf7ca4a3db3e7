"""Bash's side of completion: from the line as typed to words, and from names to what readline
inserts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from memwiki.answers.completion import Completion

_PLAIN = re.compile(r"([^\w./:@%+,=-])")


class PartialLine(NamedTuple):
    """The line cut into words, and how its last word is being typed."""

    words: list[str]
    quote: str  # the quote that is open
    kept: int  # characters of the last word that readline leaves as they are


def answer(
    line: str, breaks: str, candidates: Callable[[Sequence[str]], Iterable[Completion]]
) -> list[str]:
    """What readline is to put in place of the word it sees, quoted as the word was begun."""
    typed = cut(line, breaks)
    values = (each.value for each in candidates(typed.words[1:] or [""]))
    return [_quoted(value[typed.kept :], typed.quote) for value in values]


def cut(line: str, breaks: str) -> PartialLine:
    """Cut a line into words as bash does, up to its end, which may lie inside quotes."""
    words, quote, kept, is_open = [""], "", 0, False
    characters = iter(line)
    for character in characters:
        if character == "\\" and quote != "'":
            words[-1] += next(characters, "")
        elif quote:
            quote, words[-1] = (
                ("", words[-1]) if character == quote else (quote, words[-1] + character)
            )
        elif character in "\"'":
            quote, kept = character, len(words[-1])
        elif character.isspace():
            is_open = bool(words[-1])
            words += [""] if is_open else []
            kept = 0
        else:
            words[-1] += character
            kept = len(words[-1]) if character in breaks else kept
    return PartialLine(words, quote, kept)


def _quoted(value: str, quote: str) -> str:
    if quote == "'":
        return value.replace("'", "'\\''")
    if quote == '"':
        return re.sub(r'([\\"$`])', r"\\\1", value)
    return _PLAIN.sub(r"\\\1", value)
