"""Writing a text as a YAML value: plain where every reader takes it as meant, else in quotes."""

from __future__ import annotations

import re

from memwiki.markdown.edit.yaml.nodes import is_typed

_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@`~=<")
_FLOW_MARKS = re.compile(r"[,\[\]{}:]")
_BREAKS_PLAIN = re.compile(r":(?:\s|\Z)|\s#")
# What other readers take for a number, though PyYAML does not.
_NUMBER_LIKE = re.compile(
    r"[-+]?(?:\.?\d[\d_]*)(?:\.[\d_]*)?(?:[eE][-+]?\d+)?\Z|[-+]?0[xob][\da-fA-F_]+\Z|[-+]?\d+(?::\d+)+(?:\.\d*)?\Z"
)
_TRUTH = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
# Typed values that every reader writes back as they were.
_SAME_TYPED = re.compile(
    r"true\Z|false\Z|-?(?:0|[1-9]\d{0,14})\Z|-?(?:0|[1-9]\d{0,14})\.\d{0,14}[1-9]\Z"
    r"|\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)?)?\Z"
)
_ESCAPED = re.compile(
    r"[\"\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]|[^\x00-\ufffd\U00010000-\U0010ffff]"
)
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0"}


def written(text: str, *, quote: str = "", is_flow: bool = False, is_text: bool = True) -> str:
    """A text as a YAML scalar; `quote` is how the value before it was quoted, which is kept.

    `is_text` says that other readers, too, have to take it for text and not for a number or a date.
    """
    if not quote and is_plain(text, is_flow=is_flow, is_text=is_text):
        return text
    is_single = quote == "'" or (not quote and ('"' in text or "\\" in text))
    if is_single and not _ESCAPED.search(text.replace('"', "").replace("\\", "")):
        return "'" + text.replace("'", "''") + "'"
    return '"' + _ESCAPED.sub(_escape, text) + '"'


def is_plain(text: str, *, is_flow: bool, is_text: bool) -> bool:
    """Whether a text may stand without quotes."""
    if not text or text != text.strip() or not text.isprintable():
        return False
    if _is_typed(text):
        return not is_text and _SAME_TYPED.match(text) is not None
    if text[0] in _INDICATORS or _BREAKS_PLAIN.search(text):
        return False
    return not (is_flow and _FLOW_MARKS.search(text))


def _is_typed(text: str) -> bool:
    return text.lower() in _TRUTH or bool(_NUMBER_LIKE.match(text)) or is_typed(text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    short = _SHORT_ESCAPES.get(match[0])
    return short or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")


def inside_quotes(raw: str, quote: str) -> str:
    """What stands between quotes, or plain, without the escapes that a link can hold."""
    if quote == "'":
        return raw.replace("''", "'")
    return re.sub(r"\\([\"\\/])", r"\1", raw) if quote else raw
