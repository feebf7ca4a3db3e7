"""Where the targets of a page's links stand in its text, and writing another name into one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from enum import StrEnum
from typing import NamedTuple
from urllib.parse import quote, unquote

from memwiki.markdown.edit.link_spans import field_places
from memwiki.markdown.edit.yaml.scalars import inside_quotes, written
from memwiki.markdown.entry_links import name_link
from memwiki.markdown.links import (
    markdown_link,
    unescape,
    wikilink,
)
from memwiki.markdown.outline import Outline
from memwiki.names import fold
from memwiki.nouns import Link, LinkKind

_NAME_END = re.compile(r"(?<!\\)[#?]")
_UNSAFE = re.compile(r"[\x00-\x20<>#?\\\x7f-\xa0]|%(?=[0-9A-Fa-f]{2})")
_UNSAFE_IN_VALUE = re.compile(r"[\x00-\x1f<>#?\\]|%(?=[0-9A-Fa-f]{2})")
_BREAKS_PLAIN = re.compile(r"[,\[\]{}]|:(?:\s|\Z)|\s#|\A[\s\"'&*!|>@`%?-]")


class Syntax(StrEnum):
    WIKI = "wiki"  # [[target]]
    BARE = "bare"  # [text](target), [label]: target
    ANGLES = "angles"  # [text](<target>)
    NAME = "name"  # [subject:: target], of an entry
    VALUE = "value"  # a value of the front matter that is a path or a name


_VERBATIM = frozenset({Syntax.WIKI, Syntax.NAME})  # a name is written there as it is


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

    def link_to(self, name: str) -> Link:
        """The link with another name in this place."""
        if self.whole is None:
            return self.link._replace(written=name)
        return self.whole._replace(text=name)


def label_site(site: LinkSite, text: str) -> LinkSite:
    """The place of the right side of `[[Label|note.path]]`, for the place of its left side."""
    start = text.index("|", site.end) + 1
    end = text.index("]]", start)
    found = wikilink(text[start:end], site.link.line, site.link.kind)
    return site._replace(link=found or site.link, start=start, end=end, whole=site.link)


def sites_of(page: Outline) -> list[LinkSite]:
    """The places of a page's links, in order; links by reference stand where they are defined."""
    fields = [
        LinkSite(link, start, end, Syntax(syntax), quoted, is_flow)
        for link, start, end, syntax, quoted, is_flow in field_places(page)
    ]
    return fields + sorted(_body_sites(page), key=lambda site: site.start)


def _body_sites(page: Outline) -> Iterator[LinkSite]:
    found, starts = page.found, page.masked.starts
    spans = dict(zip(found.targets, found.links, strict=True))
    for definition in found.unused:
        link = markdown_link(definition.target, "", 0, LinkKind.MARKDOWN)
        if link:
            spans[definition.span] = link
    for (first, last), link in spans.items():
        line = bisect_right(starts, first) - 1
        start = page.offset(line, first - starts[line])
        yield LinkSite(link, start, start + last - first, _syntax(link, page.text, start))


def _syntax(link: Link, text: str, start: int) -> Syntax:
    if link.kind in (LinkKind.WIKILINK, LinkKind.EMBED):
        return Syntax.WIKI
    if link.kind is LinkKind.ENTRY:
        return Syntax.WIKI if text[start - 2 : start] == "[[" else Syntax.NAME
    return Syntax.ANGLES if text[start - 1 : start] == "<" else Syntax.BARE


# --- another name ---


def renamed(site: LinkSite, raw: str, name: str, unchanged: Collection[str] = ()) -> str | None:
    """The target `raw` with another name in it, None when the syntax there cannot say it.

    Heading, blanks, quotes and encoding stay. `unchanged` are the parts of the name that are as
    they were, and go on being written as they are, in another case or encoding too.
    """
    target = _decoded(site, raw)
    head, tail = _split(site.syntax, target)
    blank = len(head) - len(head.lstrip())
    inner = head.strip()
    encode = _encoder(site.syntax, inner)
    spelled = [
        _kept(site.syntax, inner, part, unchanged) or encode(part) for part in name.split("/")
    ]
    new = head[:blank] + "/".join(spelled) + head[blank + len(inner) :] + tail
    link = _link(site, new)
    is_said = link is not None and fold(link.written.strip()) == fold(name)
    is_whole = link is not None and (link.heading, link.block) == (
        site.link.heading,
        site.link.block,
    )
    return _encoded(site, raw, new) if is_said and is_whole else None


def _kept(syntax: Syntax, inner: str, part: str, unchanged: Collection[str]) -> str:
    """How a part of the name is written now, "" when it is not: just so, or in another case if it
    is unchanged."""
    pairs = [(raw, raw if syntax in _VERBATIM else _plain(raw)) for raw in inner.split("/")]
    exact = next((raw for raw, plain in pairs if plain == part), "")
    if exact or part not in unchanged:
        return exact
    return next((raw for raw, plain in pairs if fold(plain) == fold(part)), "")


def _split(syntax: Syntax, target: str) -> tuple[str, str]:
    """The name and what follows it: heading, block, query."""
    if syntax is Syntax.NAME:
        return target, ""
    if syntax is Syntax.WIKI:
        at = target.find("#")
        return (target, "") if at < 0 else (target[:at], target[at:])
    match = _NAME_END.search(target)
    return (target, "") if match is None else (target[: match.start()], target[match.start() :])


def _plain(raw: str) -> str:
    return unquote(unescape(raw))


def _link(site: LinkSite, target: str) -> Link | None:
    if site.syntax is Syntax.WIKI:
        return None if set(target) & set("[]|\n") else wikilink(target, 0, site.link.kind)
    if site.syntax is Syntax.NAME:
        return name_link(target, 0, site.link.relation)
    if site.syntax is Syntax.BARE and target.count("(") != target.count(")"):
        return None
    return markdown_link(target, "", 0, site.link.kind)


class _Encoder(NamedTuple):
    """How the parts of a name are written in a markdown link."""

    syntax: Syntax
    is_ascii: bool

    def __call__(self, part: str) -> str:
        if self.syntax in _VERBATIM:
            return part
        if self.is_ascii:
            part = quote(part, safe="!$&'()*+,;=:@~")
        else:
            unsafe = _UNSAFE if self.syntax is Syntax.BARE else _UNSAFE_IN_VALUE
            part = unsafe.sub(lambda found: quote(found[0], safe=""), part)
        if self.syntax is Syntax.BARE and not _is_balanced(part):
            part = part.replace("(", "%28").replace(")", "%29")
        return part


def _encoder(syntax: Syntax, inner: str) -> _Encoder:
    """One that writes as this name is written: letters of other scripts encoded, or as they are."""
    return _Encoder(syntax, inner.isascii() and not _plain(inner).isascii())


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
        return (
            raw
            if _decoded(site, raw) == new
            else written(new, quote=site.yaml, is_flow=site.is_flow)
        )
    if site.yaml == "'":
        return new.replace("'", "''")
    if site.yaml == '"':
        return new.replace("\\", "\\\\").replace('"', '\\"')
    return None if _BREAKS_PLAIN.search(new) else new
