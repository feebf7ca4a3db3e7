"""Which page of a Logseq graph a file is, and where it goes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from memwiki.carry.importers.safe_names import distinct, is_hidden, safe_path
from memwiki.config.dialects.logseq import (
    BACKUPS,
    CONFIG,
    LOWBARS,
    slash_of,
    value_of,
    without_comments,
)
from memwiki.dates import date_in
from memwiki.markdown.dialects.called import page_names
from memwiki.model import Layers
from memwiki.names import fold, is_page_name, stem_of, without_suffix
from memwiki.times.day_names import ISO, of_unicode, read_day, written_day

__all__ = ["CONFIG", "Graph", "Located", "graph_of", "is_taken", "located", "root_of"]

_MEDIA = ("assets/", "draws/", "whiteboards/")


class Graph(NamedTuple):
    """How a graph is set up; `root` is the folder of the source that it lies in, with `/`."""

    root: str = ""
    slash: str = LOWBARS  # what its file names have for one
    day_title: str = "%b %o, %Y"
    day_file: str = "%Y_%m_%d"
    pages: str = "pages"
    journals: str = "journals"


class Located(NamedTuple):
    """A file of the graph, the names of the page that it is, and its path in the workspace."""

    source: str
    path: str
    name: str = ""  # of the page; "" for any other file
    other_names: tuple[str, ...] = ()
    day: str = ""  # of a journal


def graph_of(root: str, config: str) -> Graph:
    """The settings that say where and how pages are stored."""
    text = without_comments(config)
    default = Graph(root)
    return Graph(
        root,
        slash=slash_of(text),
        day_title=of_unicode(value_of(text, "journal/page-title-format")) or default.day_title,
        day_file=of_unicode(value_of(text, "journal/file-name-format")) or default.day_file,
        pages=value_of(text, "pages-directory").strip("/"),
        journals=value_of(text, "journals-directory").strip("/"),
    )


def root_of(names: Sequence[str]) -> str | None:
    """The folder that a graph lies in, "" for the source itself; None when there is no graph."""
    for name in names:
        if name == CONFIG or name.endswith(f"/{CONFIG}"):
            return name.removesuffix(CONFIG)
    has_pages = any(name.startswith("pages/") and is_page_name(name) for name in names)
    has_days = any(re.fullmatch(r"journals/\d{4}_\d\d_\d\d\.md", name) for name in names)
    return "" if has_pages and has_days else None


def is_taken(name: str, graph: Graph) -> bool:
    """Whether a file is one of the graph, and neither hidden nor a backup of Logseq."""
    if not name.startswith(graph.root):
        return False
    inner = name.removeprefix(graph.root)
    return not is_hidden(inner) and not inner.startswith(BACKUPS)


def located(titles: Sequence[tuple[str, str]], graph: Graph, layers: Layers) -> dict[str, Located]:
    """Where each file goes, by its name in the source; `titles` are these names with the title
    that a page gives itself."""
    files = {name: _located(name, title, graph, layers) for name, title in titles}
    wanted = ((name, file.path) for name, file in files.items())
    return {name: _with_path(files[name], path) for name, path in distinct(wanted)}


def _located(source: str, title: str, graph: Graph, layers: Layers) -> Located:
    inner = source.removeprefix(graph.root)
    if not is_page_name(inner):
        return Located(source, _path_of_file(inner, layers))
    folder, _, rest = inner.partition("/")
    if folder == graph.journals and rest and (day := _day(stem_of(rest), graph)):
        name = written_day(day, graph.day_title)
        path = f"{layers.daily or graph.journals}/{day}.md"
        return Located(source, path, title or name, (name, day), day)
    stem = without_suffix(rest if folder == graph.pages else inner)
    names = list(page_names(stem, graph.slash))
    name = title or names[0]
    path = safe_path([layers.wiki or graph.pages, *name.split("/")]) + ".md"
    return Located(source, path, name, () if title else tuple(names))


def _day(stem: str, graph: Graph) -> str:
    day = read_day(stem, graph.day_file) or date_in(stem)
    try:
        return day if day and written_day(day, ISO) == day else ""
    except ValueError:
        return ""


def _path_of_file(inner: str, layers: Layers) -> str:
    if inner.startswith(_MEDIA):
        return safe_path(inner.split("/"))
    parts = inner.removeprefix("logseq/").split("/")
    return safe_path([*([layers.raw] if layers.raw else []), "logseq", *parts])


def _with_path(file: Located, path: str) -> Located:
    """The file at its path, with the names that this path does not say."""
    said = {fold(without_suffix(path)), fold(stem_of(path))}
    parts = fold(without_suffix(path)).split("/")
    said |= {"/".join(parts[i:]) for i in range(len(parts))}
    names = dict.fromkeys(name for name in (file.name, *file.other_names) if name)
    others = tuple(name for name in names if fold(name) not in said)
    return file._replace(path=path, other_names=others)
