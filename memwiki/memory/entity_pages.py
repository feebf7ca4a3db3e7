"""The pages of entities, read when they are asked for, and their names as the index knows them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from posixpath import basename
from typing import NamedTuple

from memwiki.answers.entries import Entity, Graph, Relation
from memwiki.digest import digest_of
from memwiki.index.cards.lookup import Lookup
from memwiki.index.names import NameKind, name_number
from memwiki.markdown.fields import first_text
from memwiki.markdown.outline import Outline, PageKind
from memwiki.markdown.source import decode
from memwiki.markdown.stretches import below_headings
from memwiki.markdown.units import entries_of
from memwiki.memory.entity_graph import (
    ReadItem,
    TypedLink,
    exact_of,
    folder_of,
    loose_of,
    loose_path,
    read_item,
    shown_label,
    shown_name,
    shown_type,
)
from memwiki.memory.privacy import public_part
from memwiki.names import fold, is_in_folder, stem_of, without_suffix
from memwiki.nouns import Entry, Layers, LinkKind, Section
from memwiki.pages.page import file_name
from memwiki.records import grouped
from memwiki.text import pattern

OBSERVATIONS, RELATIONS = "Observations", "Relations"
_OURS = frozenset({fold(OBSERVATIONS), fold(RELATIONS)})


class EntityPage(NamedTuple):
    """What one page says of its entity."""

    name: str
    type: str
    created: str
    observations: tuple[str, ...]
    gone: tuple[str, ...]  # that are struck out: known, and said no longer
    links: tuple[TypedLink, ...]
    aliases: tuple[str, ...] = ()


class PageItem(NamedTuple):
    """A list item of a page, on these lines, from 0 and half-open."""

    first: int
    end: int
    item: ReadItem
    is_observed: bool  # it stands where observations do


def entity_page(page: Outline) -> EntityPage:
    """What a page says, written by hand or not: on a page of entries each one is observed."""
    items = list(items_on(page))
    observed = [each.item for each in items if each.is_observed]
    links = [link for each in items if not each.item.is_superseded for link in each.item.links]
    exact = exact_of(first_text(page.fields.values.get("exact", "")))
    name, type_ = page.title, page.type
    if isinstance(exact, dict):
        name = _exact_or_written(exact.get("name"), name, shown_name(str(exact.get("name"))))
        type_ = _exact_or_written(
            exact.get("entityType"), type_, shown_type(str(exact.get("entityType")))
        )
    return EntityPage(
        name,
        type_,
        moment_of(first_text(page.front.fields.get("created", ""))),
        tuple(i.observation for i in observed if i.observation is not None and not i.is_superseded),
        tuple(i.observation for i in observed if i.observation is not None and i.is_superseded),
        tuple(dict.fromkeys((*links, *_beside_items(page)))),
        tuple(page.fields.aliases),
    )


def _exact_or_written(exact: object, written: str, shown: str) -> str:
    """What is said exactly, as long as nobody has changed what a person reads."""
    return exact if isinstance(exact, str) and shown == written else written


def items_on(page: Outline) -> Iterator[PageItem]:
    """What each list item of a page says, and where it stands."""
    defined, whole = page.entry_reading.defined, set(page.entry_reading.whole)
    for section, items in below_headings(page.structure.items, page.sections):
        named = own_heading(section)
        is_entry = not named and page.kind is PageKind.COLLECTING
        is_observed = section not in whole and (named == fold(OBSERVATIONS) or is_entry)
        for first, end in items:
            yield PageItem(first, end, read_item(page.lines[first:end], defined), is_observed)


def own_heading(section: Section | None) -> str:
    """The nearest heading of ours above some items, folded; "" when there is none."""
    titles = map(fold, reversed(section.trail)) if section else ()
    return next((title for title in titles if title in _OURS), "")


def _beside_items(page: Outline) -> Iterator[TypedLink]:
    """The typed links that are in no list item: of the front matter, and of lines of their own."""
    lines = {line for first, end in page.structure.items for line in range(first + 1, end + 1)}
    for link in page.links:
        if link.relation and link.kind is not LinkKind.ENTRY and link.line not in lines:
            yield TypedLink(link.relation, link.written, link.text)


def moment_of(written: str) -> str:
    """A written time in a form that sorts; "" of what is none."""
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return ""
    if moment.tzinfo:
        moment = moment.astimezone(UTC).replace(tzinfo=None)
    return moment.isoformat(timespec="microseconds")


LAST_YEAR = 9000  # beyond it no later moment can be written
_NO_STEM = pattern(r"[\\\x00-\x1f:]|(?:\A|/)\.|\A\Z|//")
_MAX_STEM = 200
_GAP = 4  # as many names in a row that no file has: there are no further ones


class EntityFile(NamedTuple):
    """The page of one entity: as it is, or to be made, when nothing is said on it yet."""

    path: str
    before: bytes | None
    content: EntityPage | None
    entity: Entity


class PagesRead:
    """Pages as they were read, for those who ask again: what has the same bytes says the same."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[bytes, EntityFile | None, str]] = {}

    def of(self, path: str, data: bytes, layers: Layers, *, private: bool) -> EntityFile | None:
        """What a page says."""
        before, file, _ = self._read.get(path, (None, None, ""))
        if before != data:
            file = _entity_file(path, data, layers, private=private)
            self._read[path] = data, file, digest_of(data)
        return file

    def bytes_of(
        self, digests: Mapping[str, str], read: Callable[[str], bytes | None], path: str
    ) -> bytes | None:
        """The bytes of one of these pages: as they were read, when they have this digest."""
        if path not in digests:
            return None
        before = self._read.get(path)
        return before[0] if before and before[2] == digests[path] else read(path)

    def keep_only(self, paths: Collection[str]) -> None:
        """Forget all other pages."""
        self._read = {path: each for path, each in self._read.items() if path in paths}


def nowhere(_name: str) -> Iterable[str]:
    """No page is known under a name."""
    return ()


class EntityPages:
    """The pages of entities of a workspace; of those that are not `known` beforehand, each is read
    when a name or link leads to it, or when `named` says that it has that name."""

    def __init__(
        self,
        read: Callable[[str], bytes | None],
        layers: Layers,
        known: Iterable[str] = (),
        *,
        named: Callable[[str], Iterable[str]] = nowhere,
        latest: str = "",
        private: bool = True,
        before: PagesRead | None = None,
    ) -> None:
        self.layers, self._read, self._named = layers, read, named
        self.has_private, self._before = private, before or PagesRead()
        self._folder, self._latest = folder_of(layers), latest
        self._by_stem: dict[str, EntityFile] = {}
        self._all_by_name: dict[str, list[EntityFile]] = {}
        self._files: dict[str, EntityFile | None] = {}
        self._by_name: dict[str, EntityFile] = {}
        self._by_fold: dict[str, EntityFile] = {}
        self._numbers: dict[str, int] = {}
        self._relations: dict[str, set[Relation]] = {}
        self.loose_before = read(loose_path(layers))
        page = _outline(loose_path(layers), self.loose_before, layers, private=private)
        entries = loose_entries(page) if page else ()
        self.loose = dict.fromkeys(relation for relation, _ in entries)
        self._files[loose_path(layers)] = None
        for path in sorted(known):
            self._load(path)

    def graph(self) -> Graph:
        """All that the pages say that were read."""
        files = sorted(
            filter(None, self._files.values()),
            key=lambda each: (each.content.created if each.content else "", each.path),
        )
        relations = (
            relation
            for each in files
            if each.content
            for relation in relations_on(self, each.content)
        )
        every = dict.fromkeys((*relations, *self.loose))
        return Graph(tuple(each.entity for each in files), tuple(every))

    def moments(self) -> Iterator[datetime]:
        """When the entities were made, where that is said, and the latest of those not read."""
        content = (file.content.created for file in self._files.values() if file and file.content)
        for created in filter(None, (self._latest, *content)):
            if int(created[:4]) < LAST_YEAR:
                yield datetime.fromisoformat(created)

    def relations_of(self, file: EntityFile) -> set[Relation]:
        """The relations that a page says, and those that it is to say."""
        if file.path not in self._relations:
            content = relations_on(self, file.content) if file.content else ()
            self._relations[file.path] = set(content)
        return self._relations[file.path]

    # --- finding ---

    def find(self, name: str) -> EntityFile | None:
        """The page of the entity of exactly this name."""
        self._look_for(_slug(name))
        self._load_named(shown_name(name))
        return self._by_name.get(name)

    def all_named(self, name: str) -> list[EntityFile]:
        """All pages of exactly this name: people may make several."""
        self.find(name)
        return list(self._all_by_name.get(name, ()))

    def load(self, paths: Iterable[str]) -> list[EntityFile]:
        """Read these pages, and give those of entities."""
        return list(filter(None, map(self._load, paths)))

    def make(self, entity: Entity) -> EntityFile:
        """A page for an entity that has none."""
        path = self.free_path(entity.name)
        file = EntityFile(path, None, None, entity._replace(observations=()))
        self._files[path] = self._by_name[entity.name] = file
        return file

    def free_path(self, name: str) -> str:
        """Where a page of this name would go."""
        slug = _slug(name)
        self._look_for(slug)
        while self._is_taken(path := self._path(slug, self._numbers[slug])):
            self._numbers[slug] += 1
        return path

    def link_to(self, path: str) -> str:
        """How a page is written in a link: with its folder, so that it means no other one."""
        return f"{basename(self._folder)}/{without_suffix(path[len(self._folder) + 1 :])}"

    def by_link(self, written: str) -> EntityFile | None:
        """The page that a link leads to; a name that is a title comes before one of a file."""
        name = without_suffix(written).strip("/")
        if "/" in name:
            last = f"/{basename(self._folder)}"
            head, _, rest = f"/{name}".partition(f"{last}/")
            return self._at(rest) if f"/{self._folder}".endswith(f"{head}{last}") else None
        found = self.find(name) or self._at(name)
        self._load_named(name)
        return found or self._by_stem.get(fold(name)) or self._by_fold.get(fold(name))

    def _at(self, name: str) -> EntityFile | None:
        """The page in the folder that a path without its suffix leads to."""
        if _NO_STEM.search(name) or len(name.encode("utf-8", "replace")) > _MAX_STEM:
            return None
        paths = (f"{self._folder}/{each}.md" for each in (name, fold(name)))
        return next(filter(None, map(self._load, paths)), None)

    def _load_named(self, name: str) -> None:
        for path in self._named(name):
            self._load(path)

    def _look_for(self, slug: str) -> None:
        """Read the pages that are named after a slug, once; some of them may have been deleted."""
        if slug in self._numbers:
            return
        self._numbers[slug] = number = 1
        last = 0
        while number <= last + _GAP:
            if self._is_taken(self._path(slug, number)):
                last = number
            number += 1

    def _is_taken(self, path: str) -> bool:
        self._load(path)
        return path in self._files or any(
            fold(each) == fold(path) for each in self._named(stem_of(path))
        )

    def _path(self, slug: str, number: int) -> str:
        return f"{self._folder}/{slug}{f'-{number}' if number > 1 else ''}.md"

    def _load(self, path: str) -> EntityFile | None:
        if path in self._files:
            return self._files[path]
        data = self._read(path)
        if data is None:
            return None
        file = self._before.of(path, data, self.layers, private=self.has_private)
        self._files[path] = file
        if file and file.content:
            self._by_name.setdefault(file.entity.name, file)
            self._all_by_name.setdefault(file.entity.name, []).append(file)
            self._by_stem.setdefault(fold(stem_of(path)), file)
            for name in (file.entity.name, *file.content.aliases):
                self._by_fold.setdefault(fold(name), file)
        return file


def _slug(name: str) -> str:
    return file_name(name) or "entity"


def _entity_file(path: str, data: bytes, layers: Layers, *, private: bool) -> EntityFile | None:
    """What a page says; None for what is no page about anything."""
    content = content_of_page(path, data, layers, private=private)
    if content is None:
        return None
    return EntityFile(path, data, content, Entity(content.name, content.type, content.observations))


def content_of_page(path: str, data: bytes, layers: Layers, *, private: bool) -> EntityPage | None:
    """What a page says of its entity, without what is private unless that is asked for."""
    page = _outline(path, data, layers, private=private)
    return None if page is None or page.is_catalog else entity_page(page)


def _outline(path: str, data: bytes | None, layers: Layers, *, private: bool) -> Outline | None:
    """A page without what is private unless that is asked for; None where nothing is left, or
    where it is no text."""
    public = data if data is None or private else public_part(path, data, layers).data
    decoded = None if public is None else decode(path, public)
    if decoded is None or decoded.is_binary:
        return None
    return Outline(layers, path, decoded.text, decoded.mark)


def relations_on(pages: EntityPages, content: EntityPage) -> Iterator[Relation]:
    """The relations that a page says."""
    for link in content.links:
        yield Relation(content.name, name_of(pages, link), link.type)


def name_of(pages: EntityPages, link: TypedLink) -> str:
    """The entity that a link means; a link without a page is a name itself."""
    if link.exact is not None:
        return link.exact
    if file := pages.by_link(link.written):
        return file.entity.name
    return (link.label or stem_of(link.written)) if "/" in link.written else link.written


def loose_entries(page: Outline) -> Iterator[tuple[Relation, Entry]]:
    """The relations on the page of those whose source has no page, with their entries."""
    for each in entries_of(page).entries:
        relation = None if each.is_superseded else loose_of(each.text, each.fields)
        if relation:
            yield relation, each


class EntityNames:
    """Read once, and asked without the index."""

    def __init__(self, lookup: Lookup, layers: Layers) -> None:
        self._folder = folder_of(layers)
        self._titled: dict[str, list[str]] = {}
        self.digests: dict[str, str] = {}
        self.latest = ""
        for card in lookup.cards():
            if is_in_folder(card.path, self._folder):
                self.digests[card.path] = card.digest
                for name in {fold(card.title), fold(stem_of(card.path))}:
                    self._titled.setdefault(name, []).append(card.path)
                self.latest = max(self.latest, moment_of(card.created))
        aliases = lookup.all_names(NameKind.ALIAS)
        self._aliased = grouped((n, path) for n, _, path in aliases if path in self.digests)

    def paths(self, name: str) -> list[str]:
        """The pages with this title, file name or alias."""
        aliased = self._aliased.get(name_number(name), ()) if self._aliased else ()
        return sorted({*self._titled.get(fold(name), ()), *aliased})

    def linking(self, names: Collection[str], lookup: Lookup) -> Iterator[str]:
        """The pages of entities with a typed link that may mean one of these names."""
        wanted = {fold(form) for name in names for form in (name, *self._link_ends(name))}
        found: dict[str, None] = {}
        for path, link in lookup.all_links():
            if link.relation and path in self.digests and path not in found:
                last = without_suffix(link.written).rpartition("/")[2]
                if fold(link.text) in wanted or fold(last) in wanted or link.written in names:
                    found[path] = None
        yield from found

    def _link_ends(self, name: str) -> Iterator[str]:
        """How links to an entity may end."""
        shown = shown_name(name)
        yield from (shown, shown_label(name))
        yield from map(stem_of, self.paths(shown))
