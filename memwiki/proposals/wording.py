"""The words of a model as they may stand in a page: one sentence that can be nothing else there."""

from __future__ import annotations

import re

from memwiki.fence import one_line
from memwiki.markdown.entries import read_marks

MAX_CHARACTERS = 600  # of one sentence
# What a line could begin with: a heading, an item, a task, a quote, a table, a rule, a number.
_START = re.compile(r"\A(?:[\s>#*+\-=|~:]+|\d+[.)]\s+|\[[ xX/-]\]\s*)+(?=\S)")
_REPLACED = (
    (re.compile(r"!?\[\[([^\[\]]*)\]\]"), r"\1"),  # links and embeds
    (re.compile(r"!?\[([^\[\]]*)\]\(([^()\s]*)\)"), r"\1 (\2)"),
    (re.compile(r"\[\^[^\]]*\]"), ""),  # footnotes
    (re.compile(r"<(?=[A-Za-z/!?])|\{(?=[{%])|(?<=[}%])\}"), ""),  # HTML and templates
    (re.compile(r"``+|~~+|%%+|\$\$+|===+|\(\(+|\)\)+"), lambda found: found[0][0]),
    (re.compile(r"(?<=\w)::(?=\s|\Z)"), ":"),  # a property, a field
    (re.compile(r"(?<![\w&])#(?=[^\W\d])"), ""),  # a tag
    (re.compile(r"(?<!\S)\^(?=[A-Za-z0-9-]+\s*\Z)"), ""),  # an id
    (re.compile(r"\\+\Z"), ""),
)
_BRACKETS = str.maketrans("[]", "()")


def plain_sentence(text: str) -> str:
    """The words on one line, without anything that markdown or memwiki would read as more than
    words; "" where nothing else is left, or what is left would still be read as more."""
    text = one_line(text)[:MAX_CHARACTERS]
    before = ""
    while text != before:  # taking one away may leave another
        before = text
        for pattern, new in _REPLACED:
            text = pattern.sub(new, text)
        text = _START.sub("", text.translate(_BRACKETS)).strip()
    if text.count("`") % 2:
        text = text.replace("`", "'")
    marks = read_marks(text)
    is_read_so = (marks.text, marks.type, marks.id) == (text, "", "")
    has_words = any(map(str.isalnum, text))
    return text if is_read_so and has_words and not (marks.fields or marks.tags) else ""
