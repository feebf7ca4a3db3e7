"""What a file is called by its name alone, in the form of the program that keeps it too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote, unquote

from memwiki.markdown.describe import inner_path, is_in
from memwiki.names import stem_of, without_suffix
from memwiki.nouns import DENDRON, LOGSEQ, Dialect, Layers
from memwiki.scope import layers_at
from memwiki.times.day_names import read_day, written_day

_LOWBARS = "___"
_NOTION_ID = re.compile(r"(.+)[ _-][0-9a-f]{32}\Z", re.DOTALL)
_MAX_NAME_CHARACTERS = 250
# What Logseq encodes in the names of files, since some system forbids it or it means something.
_ENCODED = re.compile(r"[\x00-\x1f\x7f%#/:*?\"<>|\\]")


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
    return _NOT


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
