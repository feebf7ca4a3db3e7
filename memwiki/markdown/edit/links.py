"""Where the targets of links are, in text and front matter, and writing another name into one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import TypeAlias
from urllib.parse import quote, unquote

from memwiki.markdown.edit.yaml import inside_quotes, scalar_text
from memwiki.markdown.entry_links import name_link
from memwiki.markdown.fields import LABELLED, WIKILINK
from memwiki.markdown.html_links import (
    as_value,
    html_link,
    plain_name,
    quote_before,
    split_value,
)
from memwiki.markdown.links import (
    HUGO_REF_BEGIN,
    QUOTES_OF_REFS,
    markdown_link,
    target_span,
    unescape,
    wikilink,
)
from memwiki.markdown.outline import Outline
from memwiki.names import fold
from memwiki.nouns import Link, LinkKind
from memwiki.records import NamedTuple, grouped
from memwiki.text import pattern

_NAME_END = pattern(r"(?<!\\)(?!(?<=&)#(?:\d+|[xX][\da-fA-F]+);)[#?]")
_UNSAFE = pattern(r"[\x00-\x20<>#?\\%\x7f-\xa0]")
_UNSAFE_IN_ANGLES = pattern(r"[\x00-\x1f<>#?\\%]")
_UNSAFE_IN_VALUE = pattern(r"[\x00-\x1f<>#?\\]|%(?=[0-9A-Fa-f]{2})")  # which others read plainly
_BREAKS_PLAIN = pattern(r"[,\[\]{}]|:(?:\s|\Z)|\s#|\A[\s\"'&*!|>@`%?-]")
_HEAD = pattern(
    r"\s*+(?:- ++)*+(?:(?:\"[^\"]*\"\s*+|'[^']*'\s*+|[^\s:#\"'\[{-][^:]*+):(?:\s++|\Z))?"
)
_SCALAR = pattern(r"\"(?:[^\"\\]|\\.)*+(?:\"|\Z)|'(?:[^']|'')*+'|[^\s,\[\]{}\"'][^,\[\]{}]*+")
_NO_TARGET = pattern(r"(?<![\w-])[\"']?(?:type|relation|weight)[\"']?\s*:\s*\Z")
_KEY_WIDTH = 200  # a key with the blanks around it
_REF_BEGIN, _SEEN_BEFORE = pattern(rf"{HUGO_REF_BEGIN}\Z"), 40
_TAG_BEGIN = pattern(r"\{%-?[ \t]*+post_(?:link|path)[ \t]++\Z")
_FLOW_KEY = pattern(r"[^\s:]+:\s+")
_COMMENT = pattern(r"(?:\A|\s)#.*\Z")
_BLOCK_BEGIN = pattern(r"(?:\A|[\s:-])[|>][-+0-9]{0,2}[ \t]*(?:\s#.*)?\Z")


_Meant: TypeAlias = tuple[str, str, str]


def label_site(site: LinkSite, text: str) -> LinkSite:
    """The place of the right side of `[[Label|note.path]]`, for the place of its left side."""
    start = text.index("|", site.end) + 1
    end = text.index("]]", start)
    found = wikilink(text[start:end], site.link.line, site.link.kind)
    return site._replace(link=found or site.link, start=start, end=end, whole=site.link)


def sites_of(page: Outline) -> list[LinkSite]:
    """The places of a page's links, in order; links by reference stand where they are defined."""
    return [*field_places(page), *sorted(_body_sites(page), key=lambda site: site.start)]


def _body_sites(page: Outline) -> Iterator[LinkSite]:
    found = page.found
    spans = dict(zip(found.targets, found.links, strict=True))
    for definition in found.unused:
        link = markdown_link(definition.target, "", 0, LinkKind.MARKDOWN)
        if link:
            spans[definition.span] = link
    for (first, last), link in spans.items():
        start = page.offset(*page.masked.place(first))
        yield LinkSite(link, start, start + last - first, _syntax(link, page.text, start))


def _syntax(link: Link, text: str, start: int) -> Syntax:
    if link.kind in (LinkKind.WIKILINK, LinkKind.EMBED):
        is_tag = _TAG_BEGIN.search(text, max(start - _SEEN_BEFORE, 0), start)
        return Syntax.TAG if is_tag else Syntax.WIKI
    if link.kind is LinkKind.ENTRY:
        return Syntax.WIKI if text[start - 2 : start] == "[[" else Syntax.NAME
    quote = quote_before(text, start)
    if quote is not None:
        return _BY_QUOTE[quote]
    is_quoted = text[start - 1 : start] in QUOTES_OF_REFS
    if is_quoted and _REF_BEGIN.search(text, max(start - _SEEN_BEFORE, 0), start):
        return Syntax.REF
    is_enclosed = text[start - 1 : start] in ("<", "`")  # in code MyST names a page
    return Syntax.ANGLES if is_enclosed else Syntax.BARE


# --- another name ---


def renamed(site: LinkSite, raw: str, name: str, unchanged: Collection[str] = ()) -> str | None:
    """The target `raw` with another name in it, None when the syntax there cannot say it.

    Heading, blanks, quotes and encoding stay. `unchanged` are the parts of the name that are as
    they were, and go on being written as they are, in another case or encoding too.
    """
    target = _decoded(site, raw)
    head, tail = (target, "") if site.has_hash else _split(site.syntax, target)
    blank = len(head) - len(head.lstrip())
    inner = head.strip()
    is_ascii = inner.isascii() and not _plain(site.syntax, inner).isascii()
    spelled = (
        _spelling_now(site.syntax, inner, part, unchanged)
        or _as_written(site.syntax, part, is_ascii=is_ascii)
        for part in name.split("/")
    )
    new = head[:blank] + "/".join(spelled) + head[blank + len(inner) :] + tail
    link = _link(site, new)
    if link is not None and site.has_hash and link.heading:
        link = link.as_name()
    if link is None or fold(link.written.strip()) != fold(name):
        return None
    is_whole = (link.heading, link.block) == (site.link.heading, site.link.block)
    return _encoded(site, raw, new) if is_whole else None


def _spelling_now(syntax: Syntax, inner: str, part: str, unchanged: Collection[str]) -> str:
    """How a part of the name is written now, "" when it is not: just so, or in another case if it
    is unchanged."""
    parts = inner.split("/")
    pairs = [(raw, _plain(syntax, raw)) for raw in parts if "?" not in raw or syntax in _VERBATIM]
    exact = next((raw for raw, plain in pairs if plain == part), "")
    if exact or part not in unchanged:
        return exact
    return next((raw for raw, plain in pairs if fold(plain) == fold(part)), "")


def _split(syntax: Syntax, target: str) -> tuple[str, str]:
    """The name and what follows it: heading, block, query."""
    if syntax is Syntax.NAME:
        return target, ""
    if syntax in (Syntax.WIKI, Syntax.TAG):
        at = target.find("#")
        return (target, "") if at < 0 else (target[:at], target[at:])
    if syntax in _ENCODED:
        return split_value(target)
    match = _NAME_END.search(target)
    return (target, "") if match is None else (target[: match.start()], target[match.start() :])


def _plain(syntax: Syntax, raw: str) -> str:
    if syntax in _VERBATIM:
        return raw
    return plain_name(raw) if syntax in _ENCODED else unquote(unescape(raw))


def _link(site: LinkSite, target: str) -> Link | None:
    if site.syntax in _UNWRITABLE:
        is_free = _UNWRITABLE[site.syntax].isdisjoint(target)
        return wikilink(target, 0, site.link.kind) if is_free else None
    if site.syntax is Syntax.NAME:
        return name_link(target, 0, site.link.relation)
    if site.syntax in _ENCODED:
        return html_link(target, 0, site.link.kind)
    if site.syntax is Syntax.REF and not QUOTES_OF_REFS.isdisjoint(target):
        return None
    if site.syntax is Syntax.BARE and target.count("(") != target.count(")"):
        return None
    return markdown_link(target, "", 0, site.link.kind)


def _as_written(syntax: Syntax, part: str, *, is_ascii: bool) -> str:
    """A part of a name as it is written in a link; `is_ascii` encodes letters of other scripts."""
    if syntax in _VERBATIM:
        return part
    if is_ascii:
        part = quote(part, safe="!$&'()*+,;=:@~")
    else:
        unsafe = _UNSAFE_IN.get(syntax, _UNSAFE)
        part = unsafe.sub(lambda found: quote(found[0], safe=""), part)
    if syntax is Syntax.BARE and not _is_balanced(part):
        part = part.replace("(", "%28").replace(")", "%29")
    if syntax not in _ENCODED and unescape(part) != part:
        part = part.replace("&", "%26")
    for sign in _ENCODED.get(syntax, ""):
        part = part.replace(sign, quote(sign))
    return as_value(part) if syntax in _ENCODED else part


def _is_balanced(text: str) -> bool:
    depth = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return False
    return depth == 0


# --- inside YAML ---


def _decoded(site: LinkSite, raw: str) -> str:
    if site.syntax is Syntax.VALUE and site.yaml:
        raw = raw[1:-1]
    return inside_quotes(raw, site.yaml or "")


def _encoded(site: LinkSite, raw: str, new: str) -> str | None:
    if site.yaml is None:
        return new
    if site.syntax is Syntax.VALUE:
        is_same = _decoded(site, raw) == new
        return raw if is_same else scalar_text(new, quote=site.yaml, is_flow=site.is_flow)
    if site.yaml == "'":
        return new.replace("'", "''")
    if site.yaml == '"':
        return new.replace("\\", "\\\\").replace('"', '\\"')
    return None if _BREAKS_PLAIN.search(new) else new


class Syntax(StrEnum):
    WIKI = "wiki"  # [[target]]
    BARE = "bare"  # [text](target), [label]: target
    ANGLES = "angles"  # [text](<target>), {doc}`target`
    DOUBLE = "double"  # <a href="target">
    SINGLE = "single"  # <a href='target'>
    UNQUOTED = "unquoted"  # <a href=target>
    REF = "ref"  # {{< ref "target" >}}
    TAG = "tag"  # {% post_link target %}
    NAME = "name"  # [subject:: target], of an entry
    VALUE = "value"  # a value of the front matter that is a path or a name


class LinkSite(NamedTuple):
    """One link and the half-open offsets of its target, heading included, in the text of its
    page."""

    link: Link
    start: int
    end: int
    syntax: Syntax
    yaml: str | None = None  # in front matter: the quote around the value, "" for none
    is_flow: bool = False
    whole: Link | None = None  # of a name that stands where the label does: the link that it is in
    has_hash: bool = False  # a `#` or `?` in it is part of the name

    def link_to(self, name: str) -> Link:
        """The link with another name in this place."""
        if self.whole is None:
            return self.link._replace(written=name)
        return self.whole._replace(text=name)


_UNSAFE_IN = {  # where blanks are none
    Syntax.ANGLES: _UNSAFE_IN_ANGLES,
    Syntax.VALUE: _UNSAFE_IN_VALUE,
    Syntax.REF: _UNSAFE_IN_VALUE,
}
# What no name can have in them: a blank ends that in a tag.
_UNWRITABLE = {Syntax.WIKI: frozenset("[]|\n"), Syntax.TAG: frozenset("[]|\n %{}'\"")}
_VERBATIM = frozenset({Syntax.WIKI, Syntax.TAG, Syntax.NAME})  # a name is written there as it is
_BY_QUOTE = {'"': Syntax.DOUBLE, "'": Syntax.SINGLE, "": Syntax.UNQUOTED}
# What ends a name in HTML, or would make it code, a template or a wikilink.
_ENCODED = {Syntax.DOUBLE: '"`{}$[', Syntax.SINGLE: "'`{}$[", Syntax.UNQUOTED: "\"'=`{}$["}


def field_places(page: Outline) -> Iterator[LinkSite]:
    """The links that the reader finds in the fields, in its order, as far as their text is
    found."""
    if page.front.is_toml or not page.front_links:
        return  # of TOML nothing is written
    front = page.front
    lines = range(front.line_start, max(front.line_end - 1, front.line_start))
    inside = set(_in_blocks(page.lines, lines))
    sites = grouped(
        (_meaning(site.link), site)
        for line in lines
        for site in _on_line(page.lines[line], line, is_in_block=line in inside)
    )
    for link in page.front_links:
        alike = sites.get(_meaning(link), [])
        at = bisect_left(alike, link.line, key=lambda each: each.link.line)
        if at == len(alike):
            continue
        site = alike.pop(at)
        above = page.starts[site.link.line - 1]
        yield site._replace(link=link, start=above + site.start, end=above + site.end)


def _meaning(link: Link) -> _Meant:
    return link.written, link.heading, link.block


def _in_blocks(lines: Sequence[str], among: Iterable[int]) -> Iterator[int]:
    """The lines of texts of several lines, in which no `#` begins a comment."""
    above = -1  # how far in the key of such a text is
    for line in among:
        text = lines[line]
        indent = len(text) - len(text.lstrip(" "))
        if above >= 0 and (indent > above or not text.strip()):
            yield line
        else:
            above = indent if _BLOCK_BEGIN.search(text) else -1


def _on_line(text: str, line: int, *, is_in_block: bool) -> Iterator[LinkSite]:
    """What may be links on a line (from 0), with columns for offsets."""
    words = text.lstrip()
    if is_in_block:
        at = len(text) - len(words)
        yield from _in_scalar(line + 1, text, at, len(text.rstrip()), "", is_flow=False)
        return
    if words.startswith("#"):
        return
    for start, end, mark, is_flow in _values(text):
        yield from _in_scalar(line + 1, text, start, end, mark, is_flow=is_flow)


def _values(text: str) -> Iterator[tuple[int, int, str, bool]]:
    """The scalars of a line: offsets, quotes included, the quote, whether they are in brackets."""
    head = _HEAD.match(text)
    start = head.end() if head else 0
    rest = text[start:]
    if not rest.strip():
        return
    if rest[0] in "\"'" and (match := _SCALAR.match(rest)):
        yield start, start + match.end(), rest[0], False
        return
    end = start + len(_COMMENT.sub("", rest).rstrip())
    yield start, end, "", False
    if rest[0] in "[{":
        for match in _SCALAR.finditer(text, start, end):
            first, token = match.start(), match[0]
            quote = token[0] if token[0] in "\"'" else ""
            if quote and (len(token) < 2 or token[-1] != quote):
                continue  # goes on in another line
            key = None if quote else _FLOW_KEY.match(token)
            if key and key.end() < len(token):
                first, token = first + key.end(), token[key.end() :]
                quote = token[0] if token[0] in "\"'" else ""
            yield first, first + len(token.rstrip()), quote, True


def _in_scalar(
    line: int, text: str, start: int, end: int, quote: str, *, is_flow: bool
) -> Iterator[LinkSite]:
    is_whole_line = text[start : start + 1] in "[{" and not is_flow
    if not is_flow or quote:
        for match in WIKILINK.finditer(text, start, end):
            if is_whole_line and text[max(match.start() - 1, 0)] in "'\"":
                continue  # comes again as a scalar of its own
            first, last = target_span(match[1], match.start(1))
            link = wikilink(inside_quotes(match[1], quote), line, LinkKind.FRONT_MATTER)
            if link:
                yield LinkSite(link, first, last, Syntax.WIKI, quote)
    if is_whole_line or _NO_TARGET.search(text, max(start - _KEY_WIDTH, 0), start):
        return
    inner = inside_quotes(text[start + 1 : end - 1] if quote else text[start:end], quote)
    syntax = Syntax.VALUE
    if labelled := LABELLED.match(inner):
        inner, is_flow, syntax = labelled[2], False, Syntax.BARE
        start = text.find(inner, start, end)
        end = start + len(inner)
    link = markdown_link(inner, "", line, LinkKind.SOURCE)
    if link and start >= 0:
        yield LinkSite(link, start, end, syntax, quote, is_flow)
