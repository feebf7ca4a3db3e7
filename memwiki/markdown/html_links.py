"""Links that a page writes as HTML: `<a href="page.md">`, `<img src="img/x.png">`, and what is
played: `<video src="x.mp4">`, `<source srcset="dark.png">`."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from memwiki.markdown.links import FoundLinks, split_anchor
from memwiki.markdown.mask import BOUNDARY, Masked
from memwiki.nouns import Link, LinkKind, Span
from memwiki.text import pattern, span_at

# A tag ends with its paragraph. Each quote opens or closes a value, and only in a value stands a
# `<`: so of all tags that are tried no more than two are still read at any place.
_GAP = rf"(?:[ \t]|(?!{BOUNDARY.pattern})\n)"
_EQUALS = rf"{_GAP}{{0,8}}+={_GAP}{{0,8}}+"
_DOUBLE, _SINGLE = (
    rf"{quote}(?:[^{quote}\n]|(?!{BOUNDARY.pattern})\n)*+{quote}" for quote in "\"'"
)
_UNQUOTED = r"[^\s\"'=<>`]++"
_ATTRIBUTE = rf"[^\s\"'<>/=`]++(?:{_EQUALS}(?:{_DOUBLE}|{_SINGLE}|{_UNQUOTED}))?+"


def _tag(name: str, attribute: str) -> str:
    """A tag whose first attribute of a name is the group."""
    wanted = rf"(?ai:{attribute}){_EQUALS}"
    others = rf"(?:{_GAP}++(?!{wanted}){_ATTRIBUTE})*+"
    value = rf"({_DOUBLE}|{_SINGLE}|{_UNQUOTED})"
    return rf"(?ai:{name}){others}{_GAP}++{wanted}{value}(?:{_GAP}++{_ATTRIBUTE})*+{_GAP}*+/?+>"


_TOKEN = pattern(
    rf"<(?:{_tag('a', 'href')}|{_tag('(?:img|video|audio)', 'src')}|{_tag('source', 'src(?:set)?')}"
    r"|(/?)((?ai:pre|script|style|textarea))(?=[\s/>]))"
)
_KINDS = {1: LinkKind.MARKDOWN, 2: LinkKind.IMAGE, 3: LinkKind.IMAGE}  # by the value's group
_OF_SOURCE, _SEVERAL = 3, pattern(r"[ \t\n,]")  # a set of pictures, each with its size
# An address elsewhere, a template, what a mask left of one, or a folder's name in Windows.
_UNREAD = pattern(r"[\\{}$\n\t]|\A@|\[\[|  |\A | \Z|<%|\A[A-Za-z][A-Za-z0-9+.-]*:|\A//")
_ENTITY = pattern(r"&(?:#\d+|#[xX][\da-fA-F]+|[A-Za-z]\w*);")
_NAME = pattern(r"(?:&#\w+;|[^#?])*+")
_SEEN_BEFORE = 40  # characters before a value that tell it
_BEFORE_VALUE = pattern(r"\s(?ai:href|src(?:set)?)\s*=\s*([\"']?)\Z")


def with_html_links(found: FoundLinks, masked: Masked) -> FoundLinks:
    """The links of a page with those of its HTML; in the target of another link none is read."""
    taken = sorted((*found.targets, *(each.span for each in found.unused)))
    pairs = found.pairs
    for at, (start, end), kind in _values(masked.text):
        if span_at(taken, at + 1):
            continue
        link = html_link(masked.text[start:end], masked.line(at), kind)
        if link:
            pairs.append((link, (start, end)))
    if len(pairs) == len(found.links):
        return found  # of `[a](<A b.md>)`
    return found.with_pairs(sorted(pairs, key=lambda pair: (pair[0].line, pair[1])))


def html_link(value: str, line: int, kind: LinkKind) -> Link | None:
    """The link to a relative path that a value means; None for all others."""
    name, tail = split_value(value)
    decoded = _decoded(name)
    if not name or _UNREAD.search(name) or "#" in decoded or "?" in decoded:
        return None
    if decoded != name and _UNREAD.search(decoded):
        return None
    _, heading, block = split_anchor(_decoded(tail[tail.find("#") :] if "#" in tail else ""))
    return Link(unquote(decoded), "", line, kind, unquote(heading), unquote(block))


def split_value(value: str) -> tuple[str, str]:
    """The name in a value, and what follows it: query and heading."""
    found = _NAME.match(value)
    end = found.end() if found else 0
    return value[:end], value[end:]


def plain_name(raw: str) -> str:
    """What a part of a name says."""
    return unquote(_decoded(raw))


def _decoded(text: str) -> str:
    """The text with what its entities mean; those without a `;` at their end are read in two
    ways, so that the text is unreadable."""
    if "&" not in text:
        return text
    from html import unescape  # few links have some

    rest = _ENTITY.sub(" ", text)
    return unescape(text) if unescape(rest) == rest else "\\"


def as_value(part: str) -> str:
    """A part of a name with `&` as it has to be written."""
    return part if _decoded(part) == part else part.replace("&", "&amp;")


def quote_before(text: str, start: int) -> str | None:
    """The quote in which a value of HTML begins at an offset, "" for none; None where other text
    begins."""
    found = _BEFORE_VALUE.search(text, max(start - _SEEN_BEFORE, 0), start)
    return found[1] if found else None


def _values(masked: str) -> Iterator[tuple[int, Span, LinkKind]]:
    """Each value that may be a link: where its tag begins, and where it stands without quotes."""
    raw, boundary, end = "", 0, 0  # what is no HTML, and where it ends at the latest
    for match in _TOKEN.finditer(masked):
        start, name = match.start(), (match[5] or "").lower()
        if raw and start < end:
            if match[4] and name == raw:
                raw = ""
        elif name:
            if boundary <= start:
                boundary = _paragraph_end(masked, start)
            is_block = masked[start - 1 : start] in ("", "\n")
            raw, end = "" if match[4] else name, len(masked) if is_block else boundary
        elif not _is_escaped(masked, start):
            group = match.lastindex or 0
            first, last = match.span(group)
            quoted = masked[first] in "\"'"
            if group == _OF_SOURCE and _SEVERAL.search(masked, first + quoted, last - quoted):
                continue
            yield start, (first + quoted, last - quoted), _KINDS[group]


def _paragraph_end(text: str, start: int) -> int:
    found = BOUNDARY.search(text, start)
    return found.start() if found else len(text)


def _is_escaped(text: str, at: int) -> bool:
    """Whether an odd number of backslashes stands before it."""
    before = at
    while before and text[before - 1] == "\\":
        before -= 1
    return (at - before) % 2 == 1
