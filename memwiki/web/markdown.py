"""A page as HTML: markdown in the dialects that memwiki reads, sanitised."""

from __future__ import annotations

import posixpath
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from html import escape
from typing import NamedTuple
from urllib.parse import quote, unquote

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import Markup
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.gfm_autolink import gfm_autolink_plugin

from memwiki.answers.pages import LinkSpan, PageDrawing
from memwiki.names import is_page_name
from memwiki.nouns import LinkStatus
from memwiki.text import pattern
from memwiki.web.markdown_clean import formula, highlight_code, sanitise, with_remote_media_as_links
from memwiki.web.markdown_parts import FIRST_CHARS, DrawnPart, html_parts
from memwiki.web.markdown_rules import LINK_SCHEME, TAG_SCHEME, own_rules, prepare_lines, slug

_IN_HTML = pattern(r"(!?)\[((?:\\.|[^\]\\\n])*)\]\((memwiki(?:-tag)?:[^()\s]*)\)")
_IN_VALUE = pattern(r"(=\s{0,8}[\"']?)(memwiki:\d+)")  # of an element that is written as HTML
_CONTAINER = pattern(r"[ ]*([a-z]+)(?:\[([^\]]*)\]|[ \t]+(.*))?[ \t]*\Z")
_SIZE = pattern(r"(?:.*\|)?(\d{1,4})(?:x(\d{1,4}))?\Z")
_ESCAPED = pattern(r"\\(.)")
_RANGE = pattern(r"([^,:#]+)(?:,(\d+))?(?::#.*)?\Z")  # of Dendron: `heading,lines left out:#end`
_ITEM_MARK = pattern(r"\A\s*(?:[-*+]\s+)?(?:#+\s+)?")
_MAX_WORDS_CHARS = 200
_MAX_EMBEDS = 3  # within one another
_SOUNDS = (".mp3", ".wav", ".ogg", ".m4a", ".flac", ".opus")
_FILMS = (".mp4", ".webm", ".ogv", ".mov")
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".bmp", ".svg")
Fetch = Callable[[str, str], "PageDrawing | None"]


class Anchor(NamedTuple):
    """Where a link leads in the browser, and how it looks."""

    href: str
    kind: str  # a class
    page: str = ""  # the path of the page that it means, of which a preview can be shown
    section: str = ""  # and its part: a heading, or `^id` of a block


def draw(page: PageDrawing, fetch: Fetch, *, lines: tuple[int, int] | None = None) -> Markup:
    """The page, or its lines from the first to the last one; `fetch` gives another page, or a
    section of it, that is embedded."""
    return sanitise(_html(page, fetch, lines, 0))


def draw_parts(page: PageDrawing, fetch: Fetch, first_chars: int = FIRST_CHARS) -> Iterator[Markup]:
    """The page part by part, a short one first: whoever reads begins before all of it is drawn."""
    text, env = _source(page, fetch, None, 0)
    drawn = map(_sanitised_part, html_parts(_markdown(), text, env, first_chars))
    return (part for part in drawn if part.strip())


def _sanitised_part(part: DrawnPart) -> Markup:
    """A part that goes on with what the one before it left open, and leaves that to the next."""
    html = str(sanitise(part.html))
    return Markup(html.removeprefix(part.before).removesuffix(part.after))  # noqa: S704 - as it was


def draw_listing(lines: Sequence[str]) -> Markup:
    """Lines of a catalog, whose links are written from the workspace on."""
    drawn = _markdown().render("\n".join(lines), {"drawer": _ListingDrawer()})
    return sanitise(str(drawn))


def anchor_of(span: LinkSpan) -> Anchor:
    """Where a link leads."""
    row = span.link
    if row.status is LinkStatus.EXTERNAL:
        return Anchor(row.written, "md-external")
    if row.status is LinkStatus.WANTED:
        return Anchor(f"/new?name={quote(row.written.partition('#')[0])}", "md-wanted")
    if row.status is LinkStatus.BROKEN or not row.target:
        return Anchor("", "md-broken")
    if not is_page_name(row.target):
        return Anchor(f"/file/{quote(row.target)}", "md-file")
    part = f"b-{span.block}" if span.block else ""
    part = part or (f"h-{slug(span.heading.rpartition('#')[2])}" if span.heading else "")
    kind = "md-ambiguous" if row.status is LinkStatus.AMBIGUOUS else "md-link"
    address = f"/p/{quote(row.target)}" + (f"#{quote(part)}" if part else "")
    section = f"^{span.block}" if span.block else span.heading
    return Anchor(address, kind, row.target, section)


def _html(page: PageDrawing, fetch: Fetch, lines: tuple[int, int] | None, depth: int) -> str:
    return str(_markdown().render(*_source(page, fetch, lines, depth)))


def _source(
    page: PageDrawing, fetch: Fetch, lines: tuple[int, int] | None, depth: int
) -> tuple[str, dict[str, object]]:
    """The text to draw, and what the rules have to know of it."""
    first, last = lines or (page.body_line, page.text.count("\n"))
    source = prepare_lines(page, max(first, page.body_line), last)
    return source.text, {"numbers": source.numbers, "drawer": _Drawer(page, fetch, depth)}


@cache
def _markdown() -> MarkdownIt:
    """The one parser: a thread changes nothing of it."""
    md = MarkdownIt(
        "commonmark",
        {"html": True, "highlight": highlight_code, "maxNesting": 60, "langPrefix": "md-lang-"},
    )
    md.enable(["table", "strikethrough"])
    md.use(footnote_plugin).use(deflist_plugin).use(admon_plugin).use(gfm_autolink_plugin)
    md.use(dollarmath_plugin, renderer=formula, double_inline=True, allow_digits=False)
    md.use(amsmath_plugin, renderer=lambda text: formula(text, {"display_mode": True}))
    md.use(
        container_plugin,
        "callout",
        validate=lambda params, _: bool(_CONTAINER.match(params)),
        render=_container,
    )
    md.use(own_rules)
    md.core.ruler.after("inline", "memwiki_links", _links)
    return md


def _container(_self: object, tokens: list[Token], at: int, *_rest: object) -> str:
    """`:::note[Title]` of Docusaurus."""
    if tokens[at].nesting < 0:
        return "</div>\n"
    found = _CONTAINER.match(tokens[at].info)
    kind, title = (found[1], found[2] or found[3] or "") if found else ("note", "")
    shown = escape(title or kind.capitalize())
    box = f'<div class="md-callout md-callout-{slug(kind)}">'
    return f'{box}<p class="md-callout-title">{shown}</p>\n'


def _links(state: StateCore) -> None:
    drawer: _LinkDrawer = state.env["drawer"]
    tokens = state.tokens
    for at, token in enumerate(tokens):
        if token.type == "html_block":
            token.content = drawer.in_html(token.content)
        if token.type != "inline":
            continue
        children = list(drawer.children(token.children or []))
        if "task" in token.meta:
            children.insert(0, _checkbox(is_done=token.meta["task"]))
        token.children = children
        if len(children) == 1 and children[0].meta.get("is_block"):
            for around in (tokens[at - 1], tokens[at + 1]):
                around.hidden = around.hidden or around.type.startswith("paragraph")


def _checkbox(*, is_done: bool) -> Token:
    checked = " checked" if is_done else ""
    return _html_token(f'<input type="checkbox" disabled{checked} aria-label="Task"> ')


def _html_token(html: str, *, is_block: bool = False) -> Token:
    return Token("html_inline", "", 0, content=html, meta={"is_block": is_block})


class _LinkDrawer(ABC):
    """Draws links: who knows where one leads says it."""

    def children(self, tokens: list[Token]) -> Iterator[Token]:
        """The tokens of a line with each link where it leads."""
        closing: list[str] = []
        label_from = ""
        for token in tokens:
            if token.type == "link_open":
                label_from = self._open(token)
                closing.append(token.tag)
            elif token.type == "link_close":
                if label_from:
                    yield Token("text", "", 0, content=label_from)
                token.tag = closing.pop() if closing else "a"
            elif token.type == "image":
                yield self._embed(str(token.attrGet("src") or ""), token.content)
                continue
            elif token.type == "html_inline":
                token.content = self.in_html(token.content)
            if token.type != "link_open" and (token.content or token.children):
                label_from = ""
            yield token

    def in_html(self, html: str) -> str:
        """Links within elements that are written as HTML, which markdown leaves as they are."""
        html = _IN_VALUE.sub(lambda found: found[1] + escape(self._anchor(found[2]).href), html)
        return with_remote_media_as_links(_IN_HTML.sub(self._in_html, html))

    def _in_html(self, found: re.Match[str]) -> str:
        label = _ESCAPED.sub(r"\1", found[2])
        if found[1]:
            return self._embed(found[3], label).content
        where = self._anchor(found[3])
        return f'<a href="{escape(where.href)}" class="{where.kind}">{escape(label)}</a>'

    def _open(self, token: Token) -> str:
        """Say where a link leads; gives the words of a link that has none."""
        href = str(token.attrGet("href") or "")
        where = self._anchor(href)
        token.attrs = {"class": where.kind}
        if where.href:
            token.attrs["href"] = where.href
        else:
            token.tag = "span"
        if where.page:
            token.attrs["data-page"] = where.page
        if where.section:
            token.attrs["data-section"] = where.section
        return self._words(href)

    @abstractmethod
    def _anchor(self, href: str) -> Anchor:
        """Where a link leads."""

    @abstractmethod
    def _words(self, href: str) -> str:
        """The words of a link that has none of its own."""

    def _embed(self, href: str, label: str) -> Token:
        return _html_token(escape(label or href))


class _ListingDrawer(_LinkDrawer):
    """Links of catalogs."""

    def _anchor(self, href: str) -> Anchor:
        path = posixpath.normpath(unquote(href))
        if href.endswith("/"):
            return Anchor(f"/f/{quote(path)}", "md-folder")
        return Anchor(f"/p/{quote(path)}", "md-link", path)

    def _words(self, href: str) -> str:
        return unquote(href)


class _Drawer(_LinkDrawer):
    """Draws the links of one page, and what it embeds."""

    def __init__(self, page: PageDrawing, fetch: Fetch, depth: int) -> None:
        self._page, self._fetch, self._depth = page, fetch, depth

    def _words(self, href: str) -> str:
        """Of a reference to a block the words of that block."""
        span = self._span(href)
        if not span or not span.block or not span.link.written.startswith(span.block):
            return ""
        found = self._fetch(span.link.target, f"^{span.block}") if span.link.target else None
        if found is None:
            return f"(({span.block[:8]}…))"
        line = found.text.split("\n")[found.line_start - 1]
        return _ITEM_MARK.sub("", line)[:_MAX_WORDS_CHARS]

    def _span(self, href: str) -> LinkSpan | None:
        number = href.removeprefix(LINK_SCHEME)
        is_ours = href.startswith(LINK_SCHEME) and number.isascii() and number.isdigit()
        at = int(number) if is_ours and len(number) < 8 else len(self._page.links)
        return self._page.links[at] if at < len(self._page.links) else None

    def _anchor(self, href: str) -> Anchor:
        if span := self._span(href):
            return anchor_of(span)
        if href.startswith(TAG_SCHEME):
            tag = unquote(href.removeprefix(TAG_SCHEME))
            return Anchor(f"/search?q={quote(f'tag:{tag}')}", "md-tag")
        is_outside = href.startswith(("http://", "https://", "mailto:"))
        return Anchor(href if is_outside else "", "md-external" if is_outside else "md-broken")

    def _embed(self, href: str, label: str) -> Token:
        where, span = self._anchor(href), self._span(href)
        if where.page and span:
            return _html_token(self._page_within(span, where), is_block=True)
        shown = escape(label or (span.link.written if span else href))
        if where.kind != "md-file":  # a picture on the net is a link: a page calls nobody
            link = f'<a href="{escape(where.href)}" class="{where.kind}">{shown}</a>'
            return _html_token(link if where.href else f'<span class="md-broken">{shown}</span>')
        return _html_token(_file(where.href, label, shown))

    def _page_within(self, span: LinkSpan, where: Anchor) -> str:
        """A page, a section or a block that another one shows."""
        part = f"^{span.block}" if span.block else span.heading
        found = self._part(span.link.target, part) if self._depth < _MAX_EMBEDS else None
        name = escape(found.title if found else span.link.target)
        link = f'<a href="{escape(where.href)}" class="md-link">{name}</a>'
        if found is None:
            return link
        lines = (found.line_start, found.line_end) if part else None
        inner = _html(found, self._fetch, lines, self._depth + 1)
        return f'<div class="md-embed"><div class="md-embed-title">{link}</div>{inner}</div>'

    def _part(self, target: str, part: str) -> PageDrawing | None:
        found = self._fetch(target, part)
        given = _RANGE.match(part)
        if found or not given:
            return found
        names = given[1], given[1].replace("-", " ")
        found = next(filter(None, (self._fetch(target, name) for name in names)), None)
        return found and found._replace(line_start=found.line_start + int(given[2] or 0))


def _file(href: str, label: str, shown: str) -> str:
    name = unquote(href).lower()
    address = escape(href)
    if name.endswith(_PICTURES):
        size = _SIZE.match(label)
        width = f' width="{size[1]}"' if size else ""
        height = f' height="{size[2]}"' if size and size[2] else ""
        return f'<img src="{address}" alt="{shown}" loading="lazy"{width}{height}>'
    if name.endswith(_SOUNDS):
        return f'<audio src="{address}" controls></audio>'
    if name.endswith(_FILMS):
        return f'<video src="{address}" controls></video>'
    return f'<a href="{address}" class="md-file">{shown}</a>'
