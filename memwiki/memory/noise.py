"""What is no memory: empty text, and lines that programs leave in a conversation."""

from __future__ import annotations

import re

from memwiki.markdown.entry_marks import FIELD
from memwiki.markdown.mask import without_fences
from memwiki.names import fold

_PROGRAM_LINES = ("[cron:", "[heartbeat", "[distilled_", "[memory context]")
# What a prompt made of memories consists of: its head, its marks, and its lines, which end with
# where a memory stands.
_ECHO = re.compile(
    r"# USER MEMORY\s*\Z|No memory is stored yet\.\s*\Z|\s*</?stored-memory>"
    r"|\s*(?:[-*+]\s+)?(?:\d{4}[\d-]*|undated) \|(?: .*)? \| [^|]+#L\d+-L\d+\s*\Z"
)
_BEFORE_TEXT = re.compile(r"[\s>*+\-\ufeff\u200b-\u200f]*")
_ENTRY_MARKS = re.compile(r"\A[\s>*+\-]*\[[^\W\d][\w-]*\](?!\()|(?<!\S)\^m-[A-Za-z0-9]+(?=\s*\Z)")
_NO_TEXT = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2060-\u206f\ufeff>*+\-#~_=`|]*\Z")


def why_noise(text: str) -> str:
    """Why a text is no memory; "" when it can be one."""
    for number, line in enumerate(without_fences(text).split("\n"), 1):
        if _ECHO.match(line):
            return "it repeats what a recall gave out"
        start = _BEFORE_TEXT.match(line)
        folded = fold(line[start.end() if start else 0 :][:40])
        if found := next(filter(folded.startswith, _PROGRAM_LINES), ""):
            where = f"line {number}" if number > 1 else "it"
            return f"{where} begins with {found}: a program wrote it, not a person"
    without_marks = _ENTRY_MARKS.sub("", FIELD.sub("", text))
    return "the text is empty" if _NO_TEXT.match(without_marks) else ""
