"""Inline tags: `#word`, nested with `/`, told apart from numbers, colours and preprocessor
lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from memwiki.names import fold
from memwiki.nouns import Span
from memwiki.text import pattern, span_at

# Letters of any script, digits, emoji, `_ - /`; ASCII and full-width punctuation end a tag. What
# may stand
# before the `#` is asked behind it: the sign is then searched for, and not each place tried
# (2026-11-22).
_NAME = (
    r"[^\s\x00-,.:-@\[-^`{-\x7f\u00a0-\u00bf\u2000-\u200c\u200e-\u206f\u2e00-\u2e7f\u3000-\u303f"
    r"\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]+"
)
_ERROR = r"(?:(?:NULL|DIV/0|VALUE|REF|NUM)!|NAME\?|N/A\b)"  # what a cell of a sheet shows
# No blank stands behind Chinese punctuation: there a second sign tells a tag, as in `：#人物#`.
_SIGN = r"#(?:(?<!\S#)|(?<=[。，、：；！？）」』》】”…—]#)())"
# Asked first: most pages have no such sign but those of headings, and to compile what a name is
# takes .2 ms each time that it is said.
_MAY_BEGIN = pattern(rf"{_SIGN}[^\s#]")
_FIRST = rf"{_NAME}(?(1)(?=#))"
_TAG = pattern(rf"{_SIGN}(?!{_ERROR})({_FIRST})")
_DOTTED = pattern(rf"{_SIGN}(?!{_ERROR})({_FIRST}(?:\.{_NAME})*)")  # `#area.garden`: Dendron's
_DOUBLED = pattern(r"#\[\[([^\[\]\n#,]+)\]\]")  # Logseq's `#[[two words]]`, which is a link, too
# Emoji and other signs count as letters, as in Obsidian; what only colours or joins them does not.
SIGNS = r"\u2100-\u2bff\u3200-\u33ff\U0001f000-\U0001f3fa\U0001f400-\U0001fbff"
_LETTER = pattern(rf"[^\W\d_]|[{SIGNS}]")
# Also `#12から`: in Japanese no blank stands behind a number or a colour.
_HEX = pattern(
    r"(?=.*\d)(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})\Z"
    r"|(?:\d+|[0-9a-fA-F]{6})[\u3041-\u3096]"
)
_COLOUR_WORD = pattern(r"(?:([a-fA-F])\1{2}|(?!facade|decade)(?:[a-fA-F]{6}|[a-fA-F]{8}))\Z")
_HTML_TAG = pattern(r"</?[A-Za-z](?:[^<>\"'\n]|\"[^\"\n]*\"|'[^'\n]*')*+>")
# What is before the id of a place: `[label]: #id`, `{: .class #id }`.
_BEFORE_ID = pattern(r"[ \t>]*+\[(?!\^)[^\[\]\n]++\]:[ \t]*+<?\Z")
_ATTRIBUTES = pattern(
    r"(?<!\{)\{:?[ \t]*+(?:(?:[#.]|[\w-]+=)(?:\"[^\"\n]*+\"|[^\s{}\"]++)[ \t]+)*+\Z"
)
_LOOKED_BACK = 400  # characters
MAX_TAGS = 8  # of one page; more say nothing
_MAX_PARENTS = 20  # 24 KB of slashes are a tag, too
_DIRECTIVES = frozenset(
    # `the #ifdefs`, and `of #s` is of numbers
    "includes defines ifdefs s include define undef if ifdef ifndef elif else endif region"
    " endregion using pragma".split()
)

Spans = Sequence[Span]


def is_tag(name: str) -> bool:
    """Whether a word after `#` is a tag and not a number, a colour or a directive."""
    if name in _DIRECTIVES or not _LETTER.search(name):
        return False
    return not (_HEX.match(name) or _COLOUR_WORD.match(name))


def may_tag(masked: str) -> bool:
    """Whether masked text may have a tag that has no stops in it."""
    return bool(_MAY_BEGIN.search(masked) and _TAG.search(masked))


def find_tags(
    masked: str, links: Spans = (), html: Spans = (), *, has_dots: bool = False
) -> list[tuple[str, int]]:
    """Tags with their offsets in masked text, with stops in them if they may have some; none in
    links and HTML blocks, given as sorted spans."""
    if not _MAY_BEGIN.search(masked):
        return []
    found = [
        (m[2].strip("/-"), m.start()) for m in (_DOTTED if has_dots else _TAG).finditer(masked)
    ]
    found = [(name, at) for name, at in found if is_tag(name) and not _is_id(masked, at)]
    if not found:
        return []
    inline = [m.span() for m in _HTML_TAG.finditer(masked)] if "<" in masked else []
    excluded = (links, html, inline)
    return [(n, at) for n, at in found if not any(span_at(spans, at) for spans in excluded)]


def with_doubled(found: list[tuple[str, int]], masked: str, html: Spans) -> list[tuple[str, int]]:
    """Tags with those that Logseq writes of several words, in order."""
    more = ((match[1].strip(), match.start()) for match in _DOUBLED.finditer(masked))
    named = (tag for tag in more if tag[0] and not span_at(html, tag[1]))
    return sorted([*found, *named], key=lambda tag: tag[1])


def _is_id(text: str, at: int) -> bool:
    """Whether a `#` begins the id of a place: as the target of a definition, or in attributes."""
    least = max(at - _LOOKED_BACK, 0)
    before = text[max(text.rfind("\n", least, at) + 1, least) : at]
    if "]:" in before and _BEFORE_ID.match(before):
        return True
    brace = before.rfind("{")
    return brace >= 0 and _ATTRIBUTES.match(before, brace) is not None


def with_parents(tag: str) -> Iterator[str]:
    """The tags that a nested one lies in, the outermost first, and the tag itself."""
    at = -1
    for _ in range(_MAX_PARENTS):
        at = tag.find("/", at + 1)
        if at < 0:
            break
        yield tag[:at]
    yield tag


def distinct_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Each tag once, as first spelled."""
    seen: dict[str, str] = {}
    for tag in tags:
        seen.setdefault(fold(tag), tag)
    return tuple(seen.values())
