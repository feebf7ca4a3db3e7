"""The lines of catalogs that are no listing of a page."""

from __future__ import annotations

from collections.abc import Iterable

from memwiki.catalog.folders import Folder
from memwiki.catalog.listing import INDEX, inside
from memwiki.catalog.parts import Highlights, LinkCount, ListingSource, ShardLink, in_folder
from memwiki.catalog.wording import escaped, link, one_line, shortened
from memwiki.numbers import plural

_ABOUT_COLUMNS = 120
_NAMED_FOLDERS = 5
_TITLE_COLUMNS = 80
_WORKSPACE = "Index"  # by whatever name its folder goes on this machine


def title_of(folder: Folder) -> str:
    """What the catalog of a folder is called."""
    return escaped(shortened(one_line(folder.path), _TITLE_COLUMNS)) or _WORKSPACE


def head_line(folder: Folder, root: Folder) -> str:
    """How much there is, and the way up."""
    where = f" in {counted(folder.folders, 'folder')}" if folder.folders else ""
    up = "" if folder is root else f" Up: {link('the folder above', '../' + INDEX)}."
    return f"{counted(folder.pages, 'page')}{where}.{up}"


def section(heading: str, lines: Iterable[str]) -> list[str]:
    """Lines below a heading; nothing when there are none."""
    entries = list(lines)
    return ["", f"## {heading}", "", *entries] if entries else []


def pages_below(folder: Folder, here: str, pages: ListingSource) -> list[str]:
    """The pages of a folder and of those in it, each below its name as the catalog in the folder
    `here` says it."""
    lines = list[str]()
    for each in folder.walk():
        name = escaped(one_line(inside(each.path, here))) if each.path != here else "Pages"
        if each.own.entries:
            lines += section(name, (one.line(here) for one in pages.listings(each.path)))
    return lines


def folder_title(folder: Folder) -> str:
    """The name of a folder."""
    return escaped(shortened(one_line(folder.name), _TITLE_COLUMNS) or "?")


def folder_line(folder: Folder, here: str, way: str = "", *, is_open: bool = False) -> str:
    """A folder with what is in it, with the way to its index or another one; `is_open` when what
    is in it follows."""
    inner = [] if is_open else [shortened(one_line(child.name), 30) for child in folder.children]
    names = ", ".join(inner[:_NAMED_FOLDERS]) + (", …" if len(inner) > _NAMED_FOLDERS else "")
    about = shortened(one_line(folder.about), _ABOUT_COLUMNS) or names
    counts = counted(folder.pages, "page")
    if folder.folders:
        counts += f" in {counted(folder.folders, 'folder')}"
    way = way or inside(in_folder(folder.path, folder.own_index or INDEX), here)
    return f"- {link(folder_title(folder), way)} — {counts}" + (
        f": {escaped(about)}" if about else ""
    )


def shard_line(shard: ShardLink, here: str) -> str:
    """A shard with how much is in it."""
    return f"- {link(shard.title, inside(shard.path, here))} — {counted(shard.pages, 'page')}"


def highlight_lines(shown: Highlights, here: str) -> list[tuple[str, list[str]]]:
    """The lists of what a router shows besides its sections, each with its title."""
    return [
        ("Start here", [each.line(here) for each in shown.start]),
        ("Recent", [each.line(here) for each in shown.recent]),
        ("Most linked", [count_line(each, here) for each in shown.hubs]),
        ("Most wanted", [count_line(each, here) for each in shown.wanted]),
    ]


def count_line(count: LinkCount, here: str) -> str:
    """A page that is linked, or a name that is wanted, by many."""
    pages = counted(count.pages, "page")
    if not count.path:
        return f"- {count.text} — wanted by {pages}"
    return f"- {link(count.text, inside(count.path, here))} — linked from {pages}"


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun."""
    return f"{number:,} {plural(number, one, many)}"
