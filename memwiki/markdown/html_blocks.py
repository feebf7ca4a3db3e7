"""How blocks of HTML begin, and what ends each kind."""

from __future__ import annotations

import re

_ATTRIBUTE = (
    r"(?:\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\s*=\s*(?:[^\"'=<>`\x00-\x20]+|'[^']*'|\"[^\"]*\"))?)"
)
TAG = re.compile(
    rf"(?:<[A-Za-z][A-Za-z0-9\-]*{_ATTRIBUTE}*\s*/?>|</[A-Za-z][A-Za-z0-9\-]*\s*>)\s*\Z"
)
# Source: CommonMark 0.31.2, HTML blocks: kind 6, and the kinds 1 to 5 that end with a mark.
_BLOCK_NAMES_TEXT = """
    address article aside base basefont blockquote body caption center col colgroup dd details
    dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6
    head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p
    param search section summary table tbody td tfoot th thead title tr track ul
"""
_BLOCK_NAMES = frozenset(_BLOCK_NAMES_TEXT.split())
_BLOCK_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)(?=\s|/?>|\Z)")
_RAW_NAMES = frozenset({"script", "pre", "style", "textarea"})
_RAW_NAME = re.compile(r"<([A-Za-z]+)(?=\s|>|\Z)")
BLANK_LINE = re.compile(r"\Z")
_RAW_END = re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE)
_MARKED_ENDS = {
    "<!--": re.compile(r"-->"),
    "<?": re.compile(r"\?>"),
    "<![CDATA[": re.compile(r"\]\]>"),
    "<!": re.compile(r">"),
}


def end_of_html(text: str) -> re.Pattern[str] | None:
    """What ends the block of HTML that begins with this text, unless it is a lone tag."""
    if (raw := _RAW_NAME.match(text)) and raw[1].lower() in _RAW_NAMES:
        return _RAW_END
    for mark, end in _MARKED_ENDS.items():
        if text.startswith(mark) and (
            mark != "<!" or (text[2:3].isascii() and text[2:3].isalpha())
        ):
            return end
    if (name := _BLOCK_NAME.match(text)) and name[1].lower() in _BLOCK_NAMES:
        return BLANK_LINE
    return None
