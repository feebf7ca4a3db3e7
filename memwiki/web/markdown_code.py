"""Code in colours and formulas as MathML, each as plain code where a library cannot."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from html import escape

from memwiki.web.markdown_clean import sanitised_math

_MAX_CODE_CHARS = 50_000
_MAX_LANGUAGE_CHARS = 40
_MAX_LEXERS = 64
_MAX_FORMULA_CHARS = 2_000


def highlighted(code: str, language: str, _attributes: str = "") -> str:
    """The code with a class for each kind of word; "" where nothing is known of the language."""
    if not language or len(code) > _MAX_CODE_CHARS:
        return ""
    from pygments import highlight

    found = _lexer(language.lower()[:_MAX_LANGUAGE_CHARS])
    return str(highlight(code, *found)) if found else ""


@lru_cache(_MAX_LEXERS)
def _lexer(language: str) -> tuple[object, object] | None:
    """What reads a language and what marks it up; to find one takes a millisecond."""
    from pygments.formatters.html import HtmlFormatter
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return None
    return lexer, HtmlFormatter(nowrap=True, classprefix="md-")


def formula(latex: str, options: Mapping[str, object]) -> str:
    """A formula; what the library does not read is shown as it is written."""
    is_block = bool(options.get("display_mode"))
    written = f'<code class="md-formula">{escape(latex)}</code>'
    drawn = _mathml(latex, is_block=is_block) if len(latex) <= _MAX_FORMULA_CHARS else ""
    if not is_block:
        return drawn or written
    return f'<div class="md-math">{drawn or written}</div>\n'


def _mathml(latex: str, *, is_block: bool) -> str:
    from latex2mathml.converter import convert

    try:
        found = convert(latex, display="block" if is_block else "inline")
    except Exception:  # noqa: BLE001 - it raises whatever a formula makes it meet
        return ""
    return sanitised_math(found)
