"""Where a link is looked for: among the pages of a namespace, of a folder that another program
keeps, or of those outside of all namespaces; and files that it names by their path."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from memwiki.index.names import NameKind
from memwiki.names import fold, is_in_folder, leads_out, path_in, slug, stem_of, without_suffix
from memwiki.nouns import Dialect, Layers
from memwiki.scope import base_of, layers_below, namespace_folders

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


_Steps: TypeAlias = "Callable[[str, Names], Iterator[tuple[str, Iterable[str]]]]"


class LinkLocation(NamedTuple):
    """Where a link stands."""

    folder: str
    is_source: bool  # in the field `sources`
    base: str  # of its namespace, "" where it stands in none
    dialect: Dialect
    programs: tuple[Region, ...]  # that keep its folder, the nearest first


class Region:
    """Pages among which a name is looked for: those of a namespace, those of a folder that another
    program keeps, or those outside of all namespaces."""

    def __init__(
        self, base: str, names: Names, layers: Layers, *, is_program: bool = False
    ) -> None:
        self.base, self.is_program = base, is_program
        space = base_of(f"{base}/", layers) if is_program else base
        self.layers = layers_below(layers, space)
        self._inside = f"{base}/" if base else ""
        self._elsewhere = () if space else _folders(*namespace_folders(layers))
        self._hidden = (*self._elsewhere, *_folders(self.layers.archive))
        self._aside = _folders(self.layers.raw, self.layers.inbox, self.layers.archive)
        self.by_name = _Memory(_steps_by_name, names, self.is_seen)
        self.by_full_text = _Memory(_steps_by_full_text, names, self.is_seen)

    def holds(self, path: str) -> bool:
        """Whether a page lies here."""
        return path.startswith(self._inside) and not path.startswith(self._elsewhere)

    def is_seen(self, path: str) -> bool:
        """Whether a page lies here and is not retired."""
        return path.startswith(self._inside) and not path.startswith(self._hidden)

    def meant(self, paths: list[str], location: LinkLocation) -> list[str]:
        """The pages that come before those of other layers: of `sources` the sources, and where a
        link does not stand aside itself, those that do not."""
        raw = [path for path in paths if location.is_source and is_in_folder(path, self.layers.raw)]
        if raw or f"{location.folder}/".startswith(self._aside):
            return raw
        return [path for path in paths if not path.startswith(self._aside)]


def _folders(*layers: str) -> tuple[str, ...]:
    """What the paths in these layers begin with."""
    return tuple(f"{layer}/" for layer in layers if layer)


class _Memory:
    """What names mean in a region wherever they stand, the archive left out: what the first step
    finds that finds anything."""

    def __init__(self, steps: _Steps, names: Names, is_seen: Callable[[str], bool]) -> None:
        self._steps, self._names, self._is_seen = steps, names, is_seen
        self._known: dict[str, tuple[str, tuple[str, ...]]] = {}

    def find(self, name: str) -> tuple[str, tuple[str, ...]]:
        """The step, and the pages that it finds."""
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = next(self._found(name), ("", ()))
        return known

    def _found(self, name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        for by, found in self._steps(name, self._names):
            living = tuple(filter(self._is_seen, found))
            if living:
                yield by, living


def _steps_by_name(written: str, names: Names) -> Iterator[tuple[str, Iterable[str]]]:
    bare = without_suffix(written.strip("/"))
    stems = names.pages(NameKind.STEM, stem_of(bare))
    if "/" in bare:
        end = f"/{fold(bare)}"
        ends = (path for path in stems if f"/{fold(without_suffix(path))}".endswith(end))
        yield "path suffix", list(ends)
    else:
        yield "file name", stems
    yield "alias", names.pages(NameKind.ALIAS, written)
    yield "title", names.pages(NameKind.TITLE, written)
    if "/" not in bare:
        yield "slug", names.slugs(slug(bare))


def _steps_by_full_text(whole: str, names: Names) -> Iterator[tuple[str, Iterable[str]]]:
    for kind in (NameKind.STEM, NameKind.ALIAS, NameKind.TITLE):
        yield "full text", names.pages(kind, whole)
    yield "full text", names.slugs(slug(whole))
