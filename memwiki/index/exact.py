"""Files that a link names by their path: pages, folders, attachments, and pages by their address
on a site."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from memwiki.index.names import NameKind
from memwiki.names import fold, leads_out, path_in, without_suffix

if TYPE_CHECKING:
    from memwiki.index.resolve import Names

_FOLDER_PAGES = ("index.md", "README.md", "index.markdown", "README.markdown")


def location_of(written: str, folder: str = "", *, is_plain: bool = False) -> str | None:
    """The exact path that a name is in a folder, None where that is outside of the workspace."""
    if is_plain:
        return f"{folder}/{written}" if folder else written
    path = path_in(folder, written)
    return None if leads_out(path) else "" if path == "." else path


def exactly(location: str, names: Names) -> tuple[str, ...]:
    """The pages at an exact path; of names that differ in case or Unicode form only, the one that
    was written is meant."""
    found = names.pages(NameKind.PATH, location)
    return (location,) if location in found else tuple(found)


def folder_pages(folder: str, names: Names) -> Iterator[str]:
    """The page of a folder itself."""
    for name in _FOLDER_PAGES:
        yield from exactly(f"{folder}/{name}" if folder else name, names)


def attachments_at(
    written: str, locations: Sequence[str], names: Names, is_seen: Callable[[str], bool]
) -> list[str]:
    """The files that are no pages at one of these paths, else those whose path ends as written."""
    found = names.attachments(written.rsplit("/", 1)[-1])
    exact = [path for path in found if fold(path) in {fold(location) for location in locations}]
    # On a site files that are no pages lie below a folder which their address does not say.
    end = f"/{fold(written.lstrip('/'))}"
    ends = (path for path in found if f"/{fold(path)}".endswith(end))
    return exact or [path for path in ends if is_seen(path)]


def pages_at_address(locations: Iterable[str], root: str, names: Names) -> Sequence[str]:
    """The pages whose address on the site, which is made of the folder `root`, is one of these
    paths, the first that is any."""
    inner = (each.removeprefix(f"{root}/") if root else each for each in locations)
    found = (
        names.pages(NameKind.ALIAS, f"/{without_suffix(each.strip('/'))}")
        for each in dict.fromkeys(inner)
    )
    return next(filter(None, found), ())
