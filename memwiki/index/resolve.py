"""One resolver for search, graph, check, catalog and rename: a name or link -> the page it means.

The steps of the workspace format, in order; the first that finds anything decides. Several finds at
one step are ambiguous: the best by the tie-break is the target, and all are candidates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from posixpath import dirname, normpath
from typing import NamedTuple, Protocol

from memwiki.index.names import NameKind, is_external, named_by_label, stem_of, without_suffix
from memwiki.markdown.text import fold, slug
from memwiki.model import Layers, Link, LinkKind, LinkStatus

_PATH_LIKE = {LinkKind.MARKDOWN, LinkKind.IMAGE}
_FOLDER_PAGES = ("index.md", "README.md", "index.markdown", "README.markdown")


class Names(Protocol):
    """Who answers to a name."""

    def pages(self, kind: NameKind, name: str) -> Sequence[str]:
        """Paths of the pages that have this name (folded alike) of this kind."""
        ...

    def slugs(self, form: str) -> Sequence[str]:
        """Paths of the pages one of whose names has this slug form."""
        ...

    def attachments(self, name: str) -> Sequence[str]:
        """Paths of the files that are no pages and have this file name."""
        ...


class Resolution(NamedTuple):
    """What a link means: `by` names the step, `candidates` all that it could mean there."""

    status: LinkStatus
    target: str = ""
    by: str = ""
    candidates: tuple[str, ...] = ()


class Reference(NamedTuple):
    """A name to resolve, and where it stands."""

    written: str
    source: str = ""
    kind: LinkKind = LinkKind.WIKILINK
    heading: str = ""
    block: str = ""
    label: str = ""  # where it may be the name of a file: `[[Label|note.path]]`


def reference_to(link: Link, source: str) -> Reference:
    """What a link that stands in `source` refers to."""
    label = named_by_label(link)
    return Reference(link.written, source, link.kind, link.heading, link.block, label)


def resolve(reference: Reference, names: Names, layers: Layers) -> Resolution:
    """The page, attachment or address that a reference means."""
    written = reference.written.strip()
    if not written:
        return Resolution(LinkStatus.RESOLVED, reference.source, "same page")
    if is_external(written, reference.kind):
        return Resolution(LinkStatus.EXTERNAL)
    for by, found in chain(
        _steps(reference, written, names, layers), _label_steps(reference, names, layers)
    ):
        candidates = tuple(dict.fromkeys(found))
        if len(candidates) == 1:
            return Resolution(LinkStatus.RESOLVED, candidates[0], by, candidates)
        if candidates:
            order = sorted(candidates, key=lambda path: _preference(path, reference.source, layers))
            return Resolution(LinkStatus.AMBIGUOUS, order[0], by, tuple(order))
    return Resolution(_missing(reference, written))


def _steps(
    reference: Reference, written: str, names: Names, layers: Layers
) -> Iterator[tuple[str, Iterable[str]]]:
    def living(found: Iterable[str]) -> list[str]:
        return [path for path in found if not _is_in(path, layers.archive)]

    for by, place in _places(reference, written):
        found = names.pages(NameKind.PATH, place)
        # Of names that differ in case or Unicode form only, the one that was written is meant.
        yield by, [path for path in found if path == place] or found
    bare = without_suffix(written.strip("/"))
    stems = living(names.pages(NameKind.STEM, stem_of(bare)))
    if "/" in bare:
        yield "path suffix", [p for p in stems if _ends_with(p, bare)]
    else:
        yield "file name", stems
    yield "alias", living(names.pages(NameKind.ALIAS, written))
    yield "title", living(names.pages(NameKind.TITLE, written))
    if "/" not in bare:
        yield "slug", living(names.slugs(slug(bare)))
    places = [place for _, place in _places(reference, written)]
    yield "attachment", _attachments(written, places, names)
    yield "folder", (path for place in places for path in _folder_pages(place, names))
    if reference.heading:
        whole = f"{written}#{reference.heading}"
        for kind in (NameKind.STEM, NameKind.ALIAS, NameKind.TITLE):
            yield "full text", living(names.pages(kind, whole))
        yield "full text", living(names.slugs(slug(whole)))


def _label_steps(
    reference: Reference, names: Names, layers: Layers
) -> Iterator[tuple[str, Iterable[str]]]:
    """The right side of `[[Label|note.path]]`, as the path or name of a file."""
    if label := reference.label:
        swapped = reference._replace(written=label, heading="", label="")
        for by, found in _steps(swapped, label, names, layers):
            if by == "alias":
                break
            yield "label", found


def _places(reference: Reference, written: str) -> Iterator[tuple[str, str]]:
    """The exact paths it may mean. In a markdown link the file's own folder comes first, as in every
    markdown reader; a wikilink is written from the root."""
    order: tuple[str, ...] = ("path", "relative path")
    if written.startswith("/"):
        order = order[:1]
    elif reference.kind in _PATH_LIKE or written.startswith("."):
        order = order[::-1]
    for by in order:
        folder = dirname(reference.source) if by == "relative path" else ""
        path = _normal(f"{folder}/{written}")
        if not path.startswith("../") and path != "..":
            yield by, path


def _normal(path: str) -> str:
    path = normpath(path.lstrip("/")) if path else "."
    return "" if path == "." else path


def _ends_with(path: str, bare: str) -> bool:
    return f"/{fold(without_suffix(path))}".endswith(f"/{fold(bare)}")


def _attachments(written: str, places: Sequence[str], names: Names) -> list[str]:
    found = names.attachments(written.rsplit("/", 1)[-1])
    exact = [path for path in found if fold(path) in {fold(place) for place in places}]
    return exact or [path for path in found if f"/{fold(path)}".endswith(f"/{fold(written)}")]


def _folder_pages(folder: str, names: Names) -> Iterator[str]:
    for name in _FOLDER_PAGES:
        yield from names.pages(NameKind.PATH, f"{folder}/{name}" if folder else name)


def _missing(reference: Reference, written: str) -> LinkStatus:
    if reference.kind in _PATH_LIKE or reference.kind is LinkKind.EMBED:
        return LinkStatus.BROKEN
    return (
        LinkStatus.BROKEN if written.lower().endswith((".md", ".markdown")) else LinkStatus.WANTED
    )


def _is_in(path: str, folder: str) -> bool:
    return bool(folder) and path.startswith(f"{folder}/")


def _preference(path: str, source: str, layers: Layers) -> tuple[bool, bool, int, int, str]:
    return (
        dirname(path) != dirname(source),
        _layer(path) != _layer(source),
        _rank(path, layers),
        path.count("/"),
        path,
    )


def _layer(path: str) -> str:
    return path.split("/", 1)[0] if "/" in path else ""


def _rank(path: str, layers: Layers) -> int:
    if _is_in(path, layers.wiki):
        return 0
    if path in (layers.memory, layers.learnings):
        return 1
    if "/" not in path:
        return 2
    if _is_in(path, layers.inbox):
        return 4
    return 5 if _is_in(path, layers.raw) else 3
