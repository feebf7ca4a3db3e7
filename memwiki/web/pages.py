"""Answers of views: a template filled in, at once or when it is made, or JSON; and scripts, styles
and bundles, below a digest of all of them, so that browsers keep them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple, TypeAlias
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, Response, StreamingResponse

from memwiki.aio.face import Steps
from memwiki.digest import digest_of
from memwiki.errors import MemwikiError
from memwiki.present.plain import as_json
from memwiki.present.recall import below_title
from memwiki.text import pattern
from memwiki.web.site import WebCall

_ENTRY_MARKS = pattern(r"\s?\[[\w-]+:: ?[^\[\]\n]*\]|\s\^[\w-]+(?=\s*$)")  # its fields, its id
_BLOCK_MARKS = pattern(  # of a list, a quote, a heading, code, a footnote
    r"\A(?:\s*(?:>|[-*+]|#{1,6})(?=\s))+\s+(?!\d)|(?:```|~~~)(?:[\w+#-]+(?:\s+|$))?"
    r"|\[\^[^\]\s]{1,60}\](?::\s?)?"
)
_CODE = pattern(r"(?<!`)`([^`\n]+)`(?!`)")
# Both begin where a run of dashes or blanks does, so that none is looked through from each sign.
_TABLE_RULE = pattern(
    r"(?:\|\s*+)?(?<![:-])(?::?+-{3,}+:?+\s*+\|\s*+)++(?::?+-{3,}+:?+)?+\s*+\|?+"
    r"|\A\s*+\|(?=[^|]*+\|[^|]*+\|)"
)
_BAR = pattern(r"(?<!\s)\s*+\|(?:\s*+\|)*+\s*+")
_NAMED = pattern(r"\[\[([^\n\[\]]+)\]\]")
_PORTION_CHARS = 3_500  # what is around a text has nearly as many
NAV = (  # name, address, key
    ("Home", "/", "h"),
    ("Graph", "/graph", "g"),
    ("Memories", "/memories", "m"),
    ("Check", "/check", "c"),
    ("Log", "/log", "l"),
    ("Today", "/today", "t"),
    ("Review", "/review", "r"),
)


def page(
    template: str,
    call: WebCall,
    *,
    title: str,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: object,
) -> Response:
    """A page of HTML: every value is escaped, but what `markdown.py` has sanitised."""
    text = render_template(template, call=call, title=title, **values)
    return HTMLResponse(text, status, headers=headers)


def render_template(template: str, **values: object) -> str:
    """A template filled in: every value is escaped, but what was sanitised."""
    return templates().get_template(template).render(**values)


def stream_template(template: str, call: WebCall, *, title: str, **values: object) -> Response:
    """The same for what may be long: a browser has the beginning before the rest is made.

    What can fail is asked before: a page that has begun cannot become an error.
    """
    parts = templates().get_template(template).generate(call=call, title=title, **values)
    begun = _portion(parts)
    if begun.is_last:
        return HTMLResponse(begun.text)
    return StreamingResponse(_portions(call, parts, begun), media_type="text/html")


class _Portion(NamedTuple):
    """What is sent together."""

    text: str
    is_last: bool


def _portion(parts: Iterator[str]) -> _Portion:
    """The next parts, together long enough to be worth it."""
    taken, size = list[str](), 0
    for part in parts:
        taken.append(part)
        size += len(part)
        if size >= _PORTION_CHARS:
            return _Portion("".join(taken), is_last=False)
    return _Portion("".join(taken), is_last=True)


async def _portions(call: WebCall, parts: Iterator[str], portion: _Portion) -> AsyncIterator[str]:
    def following() -> _Portion:
        with call.one_look():
            return _portion(parts)

    yield portion.text
    while not portion.is_last:
        portion = await call.site.workers.run(following, is_reading=True)
        yield portion.text


def fragment(template: str, **values: object) -> Response:
    """A part of a page, for a script to put in."""
    return HTMLResponse(render_template(template, **values))


def data(answer: object) -> Response:
    """An answer of the workspace as JSON, under the names that the command line gives it."""
    return Response(as_json(answer), media_type="application/json")


def locked_page() -> Response:
    """What whoever comes without the key is shown; its script takes the key from the address."""
    return HTMLResponse(render_template("locked.html", title="Locked"), 401)


def page_address(path: str) -> str:
    """Where a page of the workspace is shown."""
    return f"/p/{quote(path)}"


def link_names(text: str) -> Markup:
    """The value of a field with `[[its names]]` as links to what has them."""
    parts = _NAMED.split(text)
    shown = (
        Markup('<a href="{}">{}</a>').format(
            page_address(part.partition("|")[0]), part.rpartition("|")[2]
        )
        if at % 2
        else escape(part)
        for at, part in enumerate(parts)
    )
    return Markup("").join(shown)


def plainly(text: str) -> str:
    """An excerpt without the marks of blocks, and without what an entry says of itself."""
    parts = _CODE.split(_ENTRY_MARKS.sub("", text))
    unmarked = (part if at % 2 else _BLOCK_MARKS.sub("", part) for at, part in enumerate(parts))
    return _without_bars("".join(unmarked))


def _without_bars(text: str) -> str:
    """The cells of a table as a list; a bar in another text says something."""
    if "|" not in text or not _TABLE_RULE.search(text):
        return text
    return _BAR.sub(" · ", _TABLE_RULE.sub(" | ", text)).strip(" ·")


def mark_words(text: str, words: Sequence[str]) -> Markup:
    """A text in which words are marked."""
    if not words:
        return escape(text)
    longest_first = sorted(words, key=len, reverse=True)
    found = re.split("(" + "|".join(map(re.escape, longest_first)) + ")", text)
    parts = (
        Markup("<mark>{}</mark>").format(part) if at % 2 else escape(part)
        for at, part in enumerate(found)
    )
    return Markup("").join(parts)


@cache
def templates() -> Environment:
    """All templates, compiled when they are first asked for."""
    made = Environment(
        loader=PackageLoader("memwiki.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(asset=address_of, nav=NAV, page_address=page_address)
    made.filters.update(path=quote, highlight=mark_words, plainly=plainly, linked=link_names)
    made.filters["below_title"] = below_title
    return made


_KINDS = {
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
    "txt": "text/plain; charset=utf-8",
}


@cache
def assets() -> Mapping[str, bytes]:
    """Every file below `static/`, by its path there."""
    return dict(_below(files("memwiki.web") / "static", ""))


def _below(folder: Traversable, at: str) -> Iterator[tuple[str, bytes]]:
    for each in folder.iterdir():
        if each.is_dir():
            yield from _below(each, f"{at}{each.name}/")
        elif each.name.rpartition(".")[2] in _KINDS:
            yield at + each.name, each.read_bytes()


@cache
def version() -> str:
    """What the files are, in sixteen digits."""
    named = (f"{path}\0{digest_of(found)}\n" for path, found in sorted(assets().items()))
    return digest_of("".join(named).encode())[:16]


def address_of(path: str) -> str:
    """Where a file of `static/` is served; what it imports by a relative path is beside it."""
    if path not in assets():
        raise KeyError(path)
    return f"/static/{version()}/{path}"


def kind_of(path: str) -> str:
    """The media type of a file that is served."""
    return _KINDS[path.rpartition(".")[2]]


Values: TypeAlias = "Mapping[str, object]"
SOON_S = 0.3  # within which nobody has to be told
_STEP_S = 0.5  # between two that are told
_HERE = "<!-- what is awaited -->"  # as in the template; in values it would be escaped


async def page_when_made(
    template: str, call: WebCall, *, title: str, make: Callable[[WebCall, Steps], Values]
) -> Response:
    """A page whose main part is a template of its own, filled with what is made in a thread.

    It stops at its next step when nobody waits for it any longer.
    """
    steps = Steps()
    work = call.site.workers.run(
        partial(_make, call, make, steps), is_reading=True, is_long=True, steps=steps
    )
    making = asyncio.ensure_future(work)
    try:
        await asyncio.wait([making], timeout=SOON_S)
    except asyncio.CancelledError:
        making.cancel()
        raise
    if making.done():
        values = {**making.result(), "call": call, "title": title}
        return HTMLResponse(render_template("awaited.html", part=template, **values))
    whole = render_template("awaited.html", call=call, title=title, part="")
    shown = _stream(whole, template, call, making, steps)
    return StreamingResponse(shown, media_type="text/html")


def _make(call: WebCall, make: Callable[[WebCall, Steps], Values], steps: Steps) -> Values:
    with call.one_look():
        return make(call, steps)


async def _stream(
    whole: str, template: str, call: WebCall, making: asyncio.Future[Values], steps: Steps
) -> AsyncIterator[str]:
    """Every step hides the one before it, and what comes behind them hides them all."""
    before, _, after = whole.partition(_HERE)
    try:
        yield f'{before}<div class="steps" role="status">'
        while not making.done():
            yield f"<p>{_words(steps)}</p>\n"
            await asyncio.wait([making], timeout=_STEP_S)
        yield "</div>"
        yield _outcome(template, call, making) + after
    finally:
        making.cancel()


def _words(steps: Steps) -> str:
    return f"{steps.done:,} of {steps.total:,} pages looked at …" if steps.total else "Looking …"


def _outcome(template: str, call: WebCall, making: asyncio.Future[Values]) -> str:
    try:
        return render_template(template, call=call, **making.result())
    except MemwikiError as error:  # too late for a page that says so
        return render_template("failure.html", error=error)
