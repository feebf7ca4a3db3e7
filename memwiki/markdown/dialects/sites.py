"""What the links of a site call a page: its address below the folder that the site is made of.

Source: numberPrefix.ts and slug.ts of docusaurus-plugin-content-docs, path.ts of Quartz.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from posixpath import normpath

from memwiki.markdown.fields import first_text
from memwiki.names import fold, is_within, without_suffix
from memwiki.nouns import DOCUSAURUS, Dialect, FieldValue

_NUMBERED = re.compile(r"\d+\s*[-_.]+\s*(?=[^-_.\s])")
_NO_NUMBER = re.compile(r"\d+[-_.]\d+")  # a date or a version
_FOLDER_NAMES = ("index", "readme")


def addresses(path: str, front: Mapping[str, FieldValue], dialect: Dialect) -> Iterator[str]:
    """The addresses of a page that are not its path, each with a `/` before it; `front` is its
    front matter as written."""
    if not is_within(path, dialect.root):
        return
    inner = without_suffix(path[len(dialect.root) :].lstrip("/"))
    found = _of_docusaurus(inner, front) if dialect.name == DOCUSAURUS else _of_quartz(inner, front)
    for address in dict.fromkeys(found):
        if address.strip("/") not in ("", inner):
            yield f"/{address.strip('/')}"


def _of_docusaurus(inner: str, front: Mapping[str, FieldValue]) -> Iterator[str]:
    """By the path without its numbers, the id and the slug, which may begin at the root."""
    *folders, stem = map(without_number, inner.split("/"))
    above = "/".join(folders)
    yield f"{above}/{stem}"
    if id_ := _text(front, "id"):
        yield f"{above}/{id_}"
    slug = _text(front, "slug")
    if slug:
        yield slug if slug.startswith("/") else normpath(f"{above}/{slug}".lstrip("/"))
    elif folders and fold(stem) in (*_FOLDER_NAMES, fold(folders[-1])):
        yield above


def without_number(name: str) -> str:
    """A name without the number that sorts it: `01-intro`."""
    number = None if _NO_NUMBER.match(name) else _NUMBERED.match(name)
    return name[number.end() :] if number else name


def _of_quartz(inner: str, front: Mapping[str, FieldValue]) -> Iterator[str]:
    """By the path as it stands in addresses, and by the permalink."""
    address = re.sub(r"\s", "-", inner).replace("&", "-and-")
    yield address.replace("%", "-percent").replace("?", "").replace("#", "")
    yield re.sub(r"\s", "-", inner).replace("%", "-percent").replace("?", "-q")  # up to 4.2
    if permalink := _text(front, "permalink"):
        yield permalink


def _text(front: Mapping[str, FieldValue], key: str) -> str:
    return first_text(front.get(key, ""))
