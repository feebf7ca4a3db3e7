"""One resolver for search, graph, check, catalog and rename: a name or link -> the page it means.

The steps of the workspace format, in order; the first that finds anything decides. Several finds at
one step are ambiguous: the best by the tie-break is the target, and all are candidates. Is one
alone outside of raw, inbox and archive, that is the one meant, and the others are still candidates.

All steps are taken for the pages of the link's own namespace first, then for those outside of all
namespaces; into another one leads nothing. A page outside of all leads into one by the whole path
from the root. Before both come the pages of the folder that another program keeps, in which the
link is, as that program sees no others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import ParamSpec, Protocol

from memwiki.index.names import (
    FoundPages,
    LinkLocation,
    NameKind,
    Region,
    attachments_at,
    exactly,
    folder_pages,
    is_entry_id,
    is_external,
    is_folder_page,
    location_of,
    named_by_label,
    pages_at_address,
    pages_from_above,
    pages_of_one_site,
    pages_without_numbers,
    site_addresses,
)
from memwiki.names import SITE, fold, is_in_folder, is_page_name, is_within, without_suffix
from memwiki.nouns import (
    DOCUSAURUS,
    MKDOCS,
    NAMED_BY_FILE,
    QUARTZ,
    Dialect,
    Layers,
    Link,
    LinkKind,
    LinkStatus,
)
from memwiki.records import NamedTuple
from memwiki.scope import (
    EVERY,
    Scope,
    base_of,
    layers_at,
    programs_above,
)
from memwiki.sequences import shared_start

P = ParamSpec("P")
_NEVER_WANTED = frozenset({LinkKind.MARKDOWN, LinkKind.IMAGE, LinkKind.EMBED})


class Names(Protocol):
    """Who answers to a name."""

    def pages(self, kind: NameKind, name: str) -> Sequence[str]:
        """Paths of the pages that have this name (folded alike) of this kind."""

    def slugs(self, form: str) -> Sequence[str]:
        """Paths of the pages one of whose names has this slug form."""

    def attachments(self, name: str) -> Sequence[str]:
        """Paths of the files that are no pages and have this file name."""

    def entries(self, id_: str) -> Sequence[str]:
        """Paths of the pages that hold an entry with this id."""


class ReachedNames:
    """The names of what a scope reaches, as if there were no other namespace."""

    def __init__(self, names: Names, scope: Scope) -> None:
        def reached(ask: Callable[P, Sequence[str]]) -> Callable[P, Sequence[str]]:
            return lambda *args, **named: tuple(filter(scope.reaches, ask(*args, **named)))

        self.pages, self.slugs = reached(names.pages), reached(names.slugs)
        self.attachments, self.entries = reached(names.attachments), reached(names.entries)


class Resolution(NamedTuple):
    """What a link means: `by` names the step, `candidates` all that it could mean there."""

    status: LinkStatus
    target: str = ""
    by: str = ""
    candidates: tuple[str, ...] = ()


_BY_FILE = ("file name", "path suffix")
# Steps that find a file by its place or name, whatever stands in it.
_BY_CONTENT = ("title", "slug")
_PLACES = frozenset({"path", "relative path", "path suffix", "folder"})
BY_PATH = frozenset({*_BY_FILE, *_PLACES, "label", "attachment", "address"})
# All steps; where they stand is what the index keeps of them.
STEPS = (
    *("", "same page", "path", "relative path", "file name", "path suffix", "alias", "title"),
    *("slug", "attachment", "folder", "full text", "label", "entry id"),
    "address",
)
_MAX_KNOWN = 50_000  # answers that are kept; those of 755,000 links took 126 MB (2026-11-22)
_SITES = frozenset({DOCUSAURUS, QUARTZ})  # where a page may have an address that is not its path
_ANY = "\0"  # stands for all namespaces; no folder is called so
_OF_SOURCES = (LinkKind.SOURCE, LinkKind.CITED)
# In whose place a website has its table of contents, or of the pages below.
_MADE = frozenset({"toc", "_toc_", "_tosp_"})
_EXTERNAL = Resolution(LinkStatus.EXTERNAL)
_NOTHING = Resolution(LinkStatus.BROKEN)  # no step finds anything


class Resolver:
    """Resolves many references; what does not depend on where they stand is worked out once."""

    def __init__(self, names: Names, layers: Layers) -> None:
        self._names, self._layers = names, layers
        self._known: dict[tuple[str, str, bool, bool], Resolution] = {}
        self._written: dict[tuple[str, bool, str], _Written] = {}
        self._regions: dict[str, Region] = {}
        self._programs: dict[str, tuple[Dialect, tuple[Region, ...]]] = {}  # by folder
        self._outside = self._region("")

    def resolve(self, link: Link, source: str) -> Resolution:
        """The page, attachment or address that a link on the page `source` means."""
        written, _, _, kind, heading, *_ = link
        if not written.strip():
            return Resolution(LinkStatus.RESOLVED, source, "same page")
        folder = source.rpartition("/")[0]
        found = self.meaning(written, folder, kind, heading, named_by_label(link))
        if found.target == source and kind in _OF_SOURCES:  # which no page is to itself
            return self._other(written, source) or found
        return found

    def _other(self, written: str, source: str) -> Resolution | None:
        """Another file of the name that a page has itself."""
        location = self._location(source.rpartition("/")[0], is_source=True)
        for region in self._regions_of(location):
            by, pages = region.by_name.find(written.strip())
            others = tuple(path for path in pages if path != source)
            if found := self._choose(by, others, location, region):
                return found
        return None

    def meaning(
        self, written: str, folder: str, kind: LinkKind, heading: str = "", label: str = ""
    ) -> Resolution:
        """What a link that says more than a heading means in the pages of a folder."""
        written = written.strip()
        if is_entry_id(written, kind):
            return self._entry(written[1:], folder)
        is_path_like = kind is LinkKind.MARKDOWN or kind is LinkKind.IMAGE
        key = (written, folder, is_path_like, kind in _OF_SOURCES)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _MAX_KNOWN:
                self._known.clear()  # links come by page: those of a folder are met together
            location = self._location(folder, is_source=key[3])
            found = self._find(written, location, is_path_like=is_path_like)
            if found is None and is_path_like:
                found = self._find_by_address(written, location)
            found = self._known[key] = found or _NOTHING
        if found is _NOTHING and (heading or label):
            location = self._location(folder, is_source=key[3])
            found = self._find_otherwise(written, location, heading, label) or found
        return _missing(written, kind) if found is _NOTHING else found

    def named(self, written: str, scope: Scope, kind: LinkKind = LinkKind.WIKILINK) -> Resolution:
        """What a name means that somebody types: the same as in a link on a page of the
        namespace."""
        if not written.strip():
            return Resolution(LinkStatus.RESOLVED, "", "same page")
        found = self.meaning(written, scope.base, kind)
        if scope.name == EVERY and scope.layers.namespaces and not found.target:
            within = self.meaning(written, f"{scope.layers.namespaces}/{_ANY}", kind)
            return within if within.target else found
        return found

    def _location(self, folder: str, *, is_source: bool) -> LinkLocation:
        base = base_of(f"{folder}/", self._layers)
        dialect, programs = self._kept_by(folder)
        return LinkLocation(folder, is_source, base, dialect, programs)

    def _kept_by(self, folder: str) -> tuple[Dialect, tuple[Region, ...]]:
        """The form of the pages in a folder, and the pages of the programs that keep it."""
        if not self._layers.nested:
            return self._layers.dialect, ()
        known = self._programs.get(folder)
        if known is None:
            dialect = layers_at(folder, self._layers).dialect
            base = base_of(f"{folder}/", self._layers)
            above = (each for each in programs_above(folder, self._layers) if is_within(each, base))
            known = self._programs[folder] = dialect, tuple(map(self._program, above))
        return known

    def _regions_of(self, location: LinkLocation) -> tuple[Region, ...]:
        """Where pages are looked for, in order."""
        own = (self._region(location.base),) if location.base else ()
        return *location.programs, *own, self._outside

    def _program(self, folder: str) -> Region:
        key = f"{folder}/"
        if key not in self._regions:
            self._regions[key] = Region(folder, self._names, self._layers, is_program=True)
        return self._regions[key]

    def _region(self, base: str) -> Region:
        if base not in self._regions:
            every = f"{self._layers.namespaces}/{_ANY}"
            at = self._layers.namespaces if base == every else base
            self._regions[base] = Region(at, self._names, self._layers)
        return self._regions[base]

    def _entry(self, id_: str, folder: str) -> Resolution:
        """The page that holds an entry; a retired one is found where no other has its id."""
        found = self._names.entries(id_)
        location = self._location(folder, is_source=False)
        for region in self._regions_of(location):
            inside = tuple(filter(region.holds, found))
            living = tuple(filter(region.is_seen, inside))
            if inside:
                return self._choose("entry id", living or inside, location, region) or _NOTHING
        return _NOTHING

    def _find(
        self, written: str, location: LinkLocation, *, is_path_like: bool
    ) -> Resolution | None:
        if location.dialect.name == DOCUSAURUS:
            written = written.removeprefix(SITE)
        name = self._name(written, location.dialect, is_path_like=is_path_like)
        if name.is_external:
            return _EXTERNAL
        for region in self._regions_of(location):
            if found := self._find_in(region, written, location, name):
                return found
        return None

    def _find_in(
        self, region: Region, written: str, location: LinkLocation, name: _Written
    ) -> Resolution | None:
        by, found = self._by_path(written, location, region, name)
        if not found and location.dialect.name in _SITES:
            base = region.base if region.is_program else location.base
            by, places = "alias", name.locations(written, location.folder, base)
            addressed = pages_at_address(places, location.dialect.root, self._names)
            found = tuple(filter(region.is_seen, addressed))
        if not found and written.endswith("/"):  # a folder, whatever else has its name
            by, found = "folder", self._folder_pages(location, region, name, written)
        if not found:
            by, found = self._by_name(written, location, region, name)
        if found:
            found = pages_of_one_site(found, written, location.folder)
            return self._choose(by, found, location, region)
        return self._beside(written, location, region, name)

    def _by_name(
        self, written: str, location: LinkLocation, region: Region, name: _Written
    ) -> FoundPages:
        by, found = region.by_name.find(written)
        if by in _BY_CONTENT and (pages := region.folder_pages_at(written)):
            return "folder", tuple(pages)
        is_of_folder = by == "file name" and name.is_here_first and is_folder_page(written)
        if is_of_folder and location.dialect.name not in NAMED_BY_FILE:
            # Every folder has one: that of another folder is not meant, but that of a site's root.
            is_from_root = fold(without_suffix(written)) == "/_index"
            above = (path for path in found if is_within(location.folder, path.rpartition("/")[0]))
            return by, tuple(sorted(above, key=len)[:1]) if is_from_root else ()
        return by, found

    def _find_otherwise(
        self, written: str, location: LinkLocation, heading: str, label: str
    ) -> Resolution | None:
        for region in self._regions_of(location):
            found = None
            if heading:
                by, pages = region.by_full_text.find(f"{written}#{heading}")
                found = self._choose(by, pages, location, region)
            found = found or (self._find_by_label(label, location, region) if label else None)
            if found:
                return found
        return None

    def _find_by_address(self, written: str, location: LinkLocation) -> Resolution | None:
        """The page whose address it is on the site that is made of the pages."""
        for address in site_addresses(written):
            found = self._find(address.path, location, is_path_like=True)
            is_at_root = written.startswith("/") and found and found.by == "file name"
            # A picture that HTML shows is reached from the address of its page.
            is_shown = location.dialect.name == MKDOCS and found and found.by == "attachment"
            if found and (found.by in _PLACES or is_at_root or is_shown):
                return found._replace(by="address")
        if is_page_name(written):
            return None
        return self._find_without_numbers(written.rstrip("/"), location)

    def _find_without_numbers(self, written: str, location: LinkLocation) -> Resolution | None:
        """The page at a path that leaves out the numbers that sort files and folders, as addresses
        of sites do."""
        name = self._name(written, location.dialect, is_path_like=True)
        for region in self._regions_of(location):
            places = name.locations(written, location.folder, region.base)
            is_from_root = written.startswith("/")
            found = pages_without_numbers(places, self._names, is_from_root=is_from_root)
            seen = tuple(filter(region.is_seen, found))
            if seen:
                return self._choose("address", seen, location, region)
        return None

    def _find_by_label(
        self, label: str, location: LinkLocation, region: Region
    ) -> Resolution | None:
        """The right side of `[[Label|note.path]]`, as the path or name of a file."""
        name = self._name(label, location.dialect, is_path_like=False)
        _, found = self._by_path(label, location, region, name)
        if not found:
            by, named = region.by_name.find(label)
            found = named if by in _BY_FILE else ()
        return self._choose("label", found, location, region)

    def _by_path(
        self, written: str, location: LinkLocation, region: Region, name: _Written
    ) -> FoundPages:
        at_root = self._at_root(region, name)
        if location.base:  # from one namespace nothing leads into another
            at_root = tuple(filter(region.holds, at_root))
        if name.is_read_here and (name.is_here_first or not at_root):
            here = self._at(location_of(written, location.folder, is_plain=name.is_plain))
            if location.base:
                here = tuple(filter(region.holds, here))
            if here:
                return "relative path", here
        return "path", at_root

    def _at_root(self, region: Region, name: _Written) -> tuple[str, ...]:
        """The pages that a path from the root means, which in a namespace, and in a folder that a
        program keeps, is its own one."""
        below = self._at(f"{region.base}/{name.root}") if region.base and name.root else ()
        if region.is_program:
            return tuple(filter(region.holds, self._at(name.on_site))) or below
        return below or name.at_root

    def _name(self, written: str, dialect: Dialect, *, is_path_like: bool) -> _Written:
        key = (written, is_path_like, dialect.root)
        known = self._written.get(key)
        if known is None:
            at_root = location_of(written)
            on_site = f"{dialect.root}/{at_root}" if dialect.root and at_root else None
            known = self._written[key] = _Written(
                is_external(written, LinkKind.MARKDOWN if is_path_like else LinkKind.WIKILINK),
                at_root == written and not written.startswith(".."),
                not written.startswith("/"),
                is_path_like or written.startswith("."),
                at_root,
                on_site,
                self._at(on_site) or self._at(at_root),
            )
        return known

    def _at(self, location: str | None) -> tuple[str, ...]:
        return exactly(location, self._names) if location else ()

    def _beside(
        self, written: str, location: LinkLocation, region: Region, name: _Written
    ) -> Resolution | None:
        """Steps that lead to another file than the page of that name."""
        locations = name.locations(written, location.folder, region.base)
        attached = attachments_at(written, locations, self._names, region.is_seen)
        if location.base or region.is_program:
            attached = list(filter(region.holds, attached))
        if attached:
            return self._choose("attachment", tuple(attached), location, region)
        found = self._folder_pages(location, region, name, written)
        found = found or pages_of_one_site(
            region.folder_pages_at(written), written, location.folder
        )
        if not found:
            above = pages_from_above(written, location.folder, self._names)
            found = tuple(islice(filter(region.is_seen, above), 1))
        return self._choose("folder", found, location, region)

    def _folder_pages(
        self, location: LinkLocation, region: Region, name: _Written, written: str
    ) -> tuple[str, ...]:
        locations = name.locations(written, location.folder, region.base)
        pages = (path for each in locations for path in folder_pages(each, self._names))
        return tuple(filter(region.holds, pages) if location.base or region.is_program else pages)

    def _choose(
        self, by: str, found: tuple[str, ...], location: LinkLocation, region: Region
    ) -> Resolution | None:
        candidates = tuple(dict.fromkeys(found)) if len(found) > 1 else found
        if not candidates:
            return None
        if len(candidates) == 1:
            return Resolution(LinkStatus.RESOLVED, candidates[0], by, candidates)
        order = sorted(
            candidates, key=lambda path: _preference(path, location.folder, region.layers)
        )
        meant = region.meant(order, location)
        status = LinkStatus.RESOLVED if len(meant) == 1 else LinkStatus.AMBIGUOUS
        if len(meant) < len(order):
            order = list(dict.fromkeys([*meant, *order]))
        return Resolution(status, order[0], by, tuple(order))


class _Written(NamedTuple):
    """What can be said of a name wherever it stands.

    In a markdown link the file's own folder comes first, as in every markdown reader; a wikilink is
    written from the root.
    """

    is_external: bool
    is_plain: bool  # a path as it stands, without `..` and the like
    is_read_here: bool  # in the folder of the link, not only from the root
    is_here_first: bool
    root: str | None  # the path that it is from the root, None where that is outside
    on_site: str | None  # the same from the root of the site
    at_root: tuple[str, ...]  # the pages that it is the path of

    def locations(self, written: str, folder: str, base: str) -> list[str]:
        """The exact paths that it may mean in a folder, in order."""
        at_root = self.root
        if base:  # the folder of a namespace itself is not called as it is written
            at_root = f"{base}/{at_root}" if at_root else None
        here = location_of(written, folder) if self.is_read_here else None
        order = (
            (here, self.on_site, at_root) if self.is_here_first else (self.on_site, at_root, here)
        )
        return [location for location in order if location is not None]


def _missing(written: str, kind: LinkKind) -> Resolution:
    if kind in _NEVER_WANTED or is_page_name(written):
        return Resolution(LinkStatus.BROKEN)
    return _EXTERNAL if fold(written) in _MADE else Resolution(LinkStatus.WANTED)


def _preference(path: str, folder: str, layers: Layers) -> tuple[bool, int, int, int, str]:
    """Same folder, then the longest common folder, which also tells pages of one layer from
    others."""
    there = path.rpartition("/")[0]
    return (
        there != folder,
        -shared_start(there.split("/"), folder.split("/")),
        _rank(path, layers),
        path.count("/"),
        path,
    )


def _rank(path: str, layers: Layers) -> int:
    if is_in_folder(path, layers.wiki):
        return 0
    if path in (layers.memory, layers.learnings):
        return 1
    if "/" not in path:
        return 2
    if is_in_folder(path, layers.inbox):
        return 4
    return 5 if is_in_folder(path, layers.raw) else 3
