"""What may be in a page, a list of elements and attributes; code in colours, formulas as MathML."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from html import escape

import nh3
from markupsafe import Markup

from memwiki.text import MARKS, pattern

_MATH = frozenset(
    "math mrow mi mo mn ms mtext mspace msup msub msubsup mfrac msqrt mroot mtable mtr mtd mover "
    "munder munderover mstyle mpadded mphantom menclose mfenced".split()
)
_HTML = frozenset(
    "a abbr b blockquote br caption code col colgroup dd del details div dl dt em figcaption "
    "figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p pre q rp rt ruby s samp "
    "section small span strong sub summary sup table tbody td tfoot th thead time tr u ul var "
    "audio video".split()
)
ELEMENTS = _HTML | _MATH
_MATH_ATTRIBUTES = frozenset(
    "display mathvariant stretchy fence separator lspace rspace width height depth linethickness "
    "columnalign rowspacing columnspacing columnlines rowlines accent accentunder notation open "
    "close separators".split()
)
ATTRIBUTES: dict[str, set[str]] = {
    "*": {"class", "id", "title", "lang", "dir", "data-line", "data-callout"},
    "a": {"href", "data-page", "data-section"},
    "img": {"src", "alt", "width", "height", "loading"},
    "audio": {"src", "controls"},
    "video": {"src", "controls"},
    "input": {"type", "checked", "disabled", "aria-label"},
    "td": {"colspan", "rowspan", "align"},
    "th": {"colspan", "rowspan", "align", "scope"},
    "col": {"span"},
    "details": {"open"},
    "ol": {"start", "type"},
    "pre": {"tabindex"},
    "time": {"datetime"},
    **{name: set(_MATH_ATTRIBUTES) for name in _MATH},
}
_SCHEMES = {"http", "https", "mailto"}
_CLASS = pattern(r"md-[\w-]+\Z")
_CHECKED = {
    "href": pattern(
        r"(?:/(?:p|file|edit|m)/|/search\?|/new\?|#)[^\\\s]*\Z|https?://|mailto:", re.IGNORECASE
    ),
    "src": pattern(r"/file/[^\\\s]*\Z"),
    "id": pattern(rf"(?:h-|b-|fn)[\w{MARKS}-]+\Z"),
}
_REMOTE_MEDIA = pattern(
    r"<(?:img|video|audio|source)\b[^<>]*?\bsrc\s*=\s*[\"']?(https?://[^\s\"'<>]+)[^<>]*>",
    re.IGNORECASE,
)
_NO_SOURCE = pattern(r"<(?:video|audio)\b(?![^<>]*\bsrc\s*=)[^<>]*>", re.IGNORECASE)
_NUMBER = pattern(r"\d{1,5}\Z")


def with_remote_media_as_links(html: str) -> str:
    """Raw HTML in which pictures, sound and film on the net are links: a page calls nobody, and a
    player of nothing helps nobody. What comes out is not safe yet."""
    return _NO_SOURCE.sub("", _REMOTE_MEDIA.sub(r'<a href="\1" class="md-external">\1</a>', html))


def sanitise(html: str) -> Markup:
    """HTML of which nothing off the list is left, for a template."""
    return Markup(  # noqa: S704 - nh3 has made it safe
        nh3.clean(
            html,
            tags=set(ELEMENTS),
            attributes=ATTRIBUTES,
            attribute_filter=_allowed_value,
            # Code that is wider than the page can be scrolled by keys.
            set_tag_attribute_values={"pre": {"tabindex": "0"}},
            url_schemes=_SCHEMES,
            link_rel="noreferrer noopener",
            clean_content_tags={"script", "style", "template", "noscript", "annotation-xml"},
        )
    )


def _allowed_value(element: str, name: str, value: str) -> str | None:
    """The value that an attribute may have: names of ours in `class` and `id`, so that a page
    changes nothing around it; addresses of ours, or on the net; None for no attribute."""
    if name in _CHECKED:
        return value if _CHECKED[name].match(value) else None
    if name == "class":
        return " ".join(filter(_CLASS.match, value.split())) or None
    if element == "input" and name == "type":
        return "checkbox"
    if name == "tabindex":
        return "0"
    is_picture = element in ("img", "video") and name in ("width", "height")
    return value if not is_picture or _NUMBER.match(value) else None


_MAX_CODE_CHARS = 50_000
_MAX_LANGUAGE_CHARS = 40
_MAX_LEXERS = 64
_MAX_FORMULA_CHARS = 2_000


def highlight_code(code: str, language: str, _attributes: str = "") -> str:
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
    """A formula, of which nothing but a formula is left."""
    from latex2mathml.converter import convert

    try:
        found = convert(latex, display="block" if is_block else "inline")
    except Exception:  # noqa: BLE001 - it raises whatever a formula makes it meet
        return ""
    return nh3.clean(found, tags=set(_MATH), attributes=ATTRIBUTES, attribute_filter=_allowed_value)
