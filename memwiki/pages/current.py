"""A page as its file is now."""

from __future__ import annotations

from memwiki.files.read import contents
from memwiki.markdown.parse import WholeFile, parse
from memwiki.markdown.text import decode
from memwiki.model import Page
from memwiki.sync.context import Context


def page_now(context: Context, path: str) -> Page:
    """The page as the file is now."""
    limit = context.max_bytes
    held, _ = contents(context.root, path, limit)
    whole = WholeFile(held.digest, held.size)
    return parse(path, held.data, context.layers, max_bytes=limit, of=whole)


def text_now(context: Context, path: str) -> str:
    """The text of a page as the file is now, not parsed."""
    held, _ = contents(context.root, path, context.max_bytes)
    return decode(path, held.data).text
