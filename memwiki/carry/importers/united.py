"""A page that is there and the same page from elsewhere, as one that says all of both."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memwiki.carry.importers.new_fields import Field, with_fields
from memwiki.errors import NotEditableError
from memwiki.markdown.fields import strings
from memwiki.markdown.frontmatter import load
from memwiki.markdown.source import Source, read_source

_CODE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_TOP = re.compile(r"^(?=[^\s])", re.MULTILINE)


def united(path: str, held: bytes, data: bytes) -> bytes | None:
    """The bytes of a page with what those of another one say besides; None when it is not text."""
    try:
        page, other = read_source(path, held), read_source(path, data)
    except NotEditableError:
        return None
    front = load(path, other.lines).front_matter
    fields = [Field(key, value) for key, value in front.fields.items()]
    text, left = with_fields(page.text, fields)
    has = load(path, Source(path, text).lines).front_matter.fields
    said = {key: set(strings(value)) for key, value in has.items()}
    pieces = (
        f"{key}:: {', '.join(strings(value))}"
        for key, value in left
        if not set(strings(value)) <= said.get(key, set())
    )
    known = set(page.lines)
    new = [piece for piece in pieces if piece not in known]
    new += _missing(_body(page), _body(other))
    if new:
        end = page.line_end_at(len(page.text))
        added = "".join(f"{piece}\n" for piece in new).replace("\r\n", "\n")
        joint = "" if text.endswith("\n") else end
        text = f"{text}{joint}" + added.replace("\n", end)
    return (page.mark + text).encode()


def _body(page: Source) -> str:
    start = load(page.path, page.lines).front_matter.line_end
    return page.text[page.starts[start] :] if start < len(page.starts) else ""


def _missing(held: str, body: str) -> Iterator[str]:
    """The items and paragraphs of a text that another one does not have."""
    if body.strip() in ("", "-") or body.strip() in held:
        return
    if _CODE.search(body):
        yield body.strip("\n").rstrip()
        return
    known = {piece.rstrip() for piece in _TOP.split(held)}
    for piece in _TOP.split(body):
        if piece.strip() not in ("", "-") and piece.rstrip() not in known:
            yield piece.rstrip()
