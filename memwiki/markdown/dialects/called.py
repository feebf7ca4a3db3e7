"""What a file is called by its name alone, in the form of the program that keeps it, and what the
links of a site call a page: its address below the folder that the site is made of.

Source: numberPrefix.ts and slug.ts of docusaurus-plugin-content-docs, path.ts of Quartz.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from posixpath import normpath
from urllib.parse import quote, unquote

from memwiki.markdown.describe import inner_path, is_in
from memwiki.markdown.fields import first_text
from memwiki.names import fold, is_within, stem_of, without_number, without_suffix
from memwiki.nouns import (
    DENDRON,
    DOCUSAURUS,
    LOGSEQ,
    NAMED_BY_FILE,
    Dialect,
    FieldValue,
    Layers,
)
from memwiki.records import NamedTuple
from memwiki.scope import layers_at
from memwiki.text import pattern
from memwiki.times.day_names import read_day, written_day

_LOWBARS = "___"
_NOTION_ID = pattern(r"(.+)[ _-][0-9a-f]{32}\Z", re.DOTALL)
# The minute or second in which a note of a Zettelkasten was begun, before its name or behind it.
_MOMENT = r"((?:19|20)\d\d(?:0[1-9]|1[0-2])\d{6}(?:\d\d)?)"
_ZETTEL = pattern(rf"\A{_MOMENT}(?=[\s_.-])|[\s_.-]{_MOMENT}\Z")
_MAX_NAME_CHARACTERS = 250
# What Logseq encodes in the names of files, since some system forbids it or it means something.
_ENCODED = pattern(r"[\x00-\x1f\x7f%#/:*?\"<>|\\]")
_FOLDER_NAMES = ("index", "readme")


class Called(NamedTuple):
    """`title` is what the page is called whatever its headings say, `name` what it is where they
    say nothing; `parent` is the name of the page above it."""

    title: str = ""
    name: str = ""
    others: tuple[str, ...] = ()
    day: str = ""
    parent: str = ""


_NOT = Called()


def called(path: str, layers: Layers) -> Called:
    """What the file at a path is called."""
    layers = layers_at(path, layers)
    dialect, stem = layers.dialect, stem_of(path)
    if dialect.day_file and (day := day_of(path, layers)):
        return _called_day(day, stem, dialect)
    if dialect.name == LOGSEQ:
        title, *others = page_names(stem, dialect.slash)
        return Called(title, title, tuple(others), parent=title.rpartition("/")[0].strip())
    if dialect.name == DENDRON:
        return Called(parent=stem.rpartition(".")[0])
    if _MAX_NAME_CHARACTERS > len(stem) > 33 and (notion := _NOTION_ID.match(stem)):
        return Called("", notion[1], (notion[1],))
    is_dated = stem[:12].isdecimal() or stem[-12:].isdecimal()
    zettel = _ZETTEL.search(stem) if is_dated and dialect.name not in NAMED_BY_FILE else None
    return Called(others=(zettel[1] or zettel[2],)) if zettel else _NOT


def day_of(path: str, layers: Layers) -> str:
    """The day that a daily note is of; "" for any other page."""
    layers, inner = layers_at(path, layers), inner_path(path, layers)
    if not is_in(inner, layers.daily):
        return ""
    rest = without_suffix(inner[len(layers.daily.strip("/")) + 1 :])
    return read_day(rest, layers.dialect.day_file)


def _called_day(day: str, stem: str, dialect: Dialect) -> Called:
    title = written_day(day, dialect.day_title) if dialect.day_title else ""
    others = tuple(name for name in (day, title) if name and name != stem)
    return Called(title, title or stem, others, day)


# --- Logseq ---


def page_names(stem: str, slash: str) -> Iterator[str]:
    """What a file of Logseq's may mean as the name of a page, the likeliest first."""
    if slash == _LOWBARS:
        stem = stem.replace(_LOWBARS, "/")
    yield unquote(stem)
    if slash != _LOWBARS and "." in stem:  # so it was before there was %2F
        yield unquote(stem.replace(".", "/"))


def file_stem(name: str, slash: str) -> str:
    """The name of the file in which Logseq keeps a page."""
    if slash != _LOWBARS:
        return _ENCODED.sub(_as_percent, name)
    # Lowbars that would be read as a slash, or as a part of one.
    name = name.replace(_LOWBARS, "%5F%5F%5F").replace("_/", "%5F/").replace("/_", "/%5F")
    parts = re.split(r"(%5F)", name)
    kept = (part if part == "%5F" else _ENCODED.sub(_or_lowbars, part) for part in parts)
    return "".join(kept)


def _as_percent(match: re.Match[str]) -> str:
    return quote(match[0], safe="")


def _or_lowbars(match: re.Match[str]) -> str:
    return _LOWBARS if match[0] == "/" else _as_percent(match)


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


def _of_quartz(inner: str, front: Mapping[str, FieldValue]) -> Iterator[str]:
    """By the path as it stands in addresses, and by the permalink."""
    address = re.sub(r"\s", "-", inner).replace("&", "-and-")
    yield address.replace("%", "-percent").replace("?", "").replace("#", "")
    yield re.sub(r"\s", "-", inner).replace("%", "-percent").replace("?", "-q")  # up to 4.2
    if permalink := _text(front, "permalink"):
        yield permalink


def _text(front: Mapping[str, FieldValue], key: str) -> str:
    return first_text(front.get(key, ""))
