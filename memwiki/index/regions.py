"""The pages among which a link is resolved: those of a namespace, those of a folder that another
program keeps, and those outside of all namespaces; and what names mean there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from memwiki.index.names import NameKind
from memwiki.model import Dialect, Layers
from memwiki.names import fold, is_in_folder, slug, stem_of, without_suffix
from memwiki.scope import base_of, layers_below, namespace_folders

if TYPE_CHECKING:
    from memwiki.index.resolve import Names

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
