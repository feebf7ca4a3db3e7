"""The pages of entities, read when they are asked for: by name, and by how a link is written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from posixpath import basename
from typing import NamedTuple

from memwiki.markdown.outline import Outline
from memwiki.markdown.page_entries import entries_of
from memwiki.markdown.text import decode
from memwiki.memory.knowledge.graph import Entity, Graph, Relation, folder_of, loose_path
from memwiki.memory.knowledge.items import TypedLink, loose_of
from memwiki.memory.knowledge.reading import EntityPage, entity_page
from memwiki.model import Layers
from memwiki.names import fold, stem_of, without_suffix
from memwiki.pages.text.names import file_name

_LAST_YEAR = 9000  # beyond it no later moment can be written
_NO_STEM = re.compile(r"[/\\\x00-\x1f:]|\A\.|\A\Z")
_MAX_STEM = 200
_GAP = 4  # as many names in a row that no file has: there are no further ones


class Held(NamedTuple):
    """The page of one entity: as it is, or to be made, when nothing is said on it yet."""

    path: str
    before: bytes | None
    said: EntityPage | None
    entity: Entity


class EntityPages:
    """The pages of entities of a workspace; of those that are not `known` beforehand, each is read
    when a name or link leads to it."""

    def __init__(
        self, read: Callable[[str], bytes | None], layers: Layers, known: Iterable[str] = ()
    ) -> None:
        self.layers, self._read = layers, read
        self._folder = folder_of(layers)
        self._held: dict[str, Held | None] = {}
        self._by_name: dict[str, Held] = {}
        self._by_fold: dict[str, Held] = {}
        self._numbers: dict[str, int] = {}
        self._relations: dict[str, set[Relation]] = {}
        self.loose_before = read(loose_path(layers))
        self.loose = _loose(loose_path(layers), self.loose_before, layers)
        self._held[loose_path(layers)] = None
        for path in sorted(known):
            self._load(path)

    def graph(self) -> Graph:
        """All that the pages say that were read."""
        held = sorted(filter(None, self._held.values()), key=_by_time)
        relations = (each for one in held if one.said for each in relations_on(self, one.said))
        every = dict.fromkeys((*relations, *self.loose))
        return Graph(tuple(one.entity for one in held), tuple(every))

    def moments(self) -> Iterator[datetime]:
        """When the entities were made, where that is said."""
        for held in self._held.values():
            created = held.said.created if held and held.said else ""
            if created and int(created[:4]) < _LAST_YEAR:
                yield datetime.fromisoformat(created)

    def relations_of(self, held: Held) -> set[Relation]:
        """The relations that a page says, and those that it is to say."""
        if held.path not in self._relations:
            said = relations_on(self, held.said) if held.said else ()
            self._relations[held.path] = set(said)
        return self._relations[held.path]

    # --- finding ---

    def find(self, name: str) -> Held | None:
        """The page of the entity of exactly this name."""
        self._look_for(_slug(name))
        return self._by_name.get(name)

    def make(self, entity: Entity) -> Held:
        """A page for an entity that has none."""
        path = self.free_path(entity.name)
        held = Held(path, None, None, entity._replace(observations=()))
        self._held[path] = self._by_name[entity.name] = held
        return held

    def free_path(self, name: str) -> str:
        """Where a page of this name would go."""
        slug = _slug(name)
        self._look_for(slug)
        while self._is_taken(path := self._path(slug, self._numbers[slug])):
            self._numbers[slug] += 1
        return path

    def link_to(self, path: str) -> str:
        """How a page is written in a link: with its folder, so that it means no other one."""
        return f"{basename(self._folder)}/{stem_of(path)}"

    def by_link(self, written: str) -> Held | None:
        """The page that a link leads to; a name that is a title comes before one of a file."""
        folder, slash, name = without_suffix(written).rpartition("/")
        if slash and not f"/{self._folder}".endswith(f"/{folder.strip('/')}"):
            return None
        found = None if slash else self.find(name)
        return found or self._by_stem(name) or (None if slash else self._by_fold.get(fold(name)))

    def _by_stem(self, name: str) -> Held | None:
        if _NO_STEM.search(name) or len(name.encode("utf-8", "replace")) > _MAX_STEM:
            return None
        paths = (f"{self._folder}/{each}.md" for each in (name, fold(name)))
        return next(filter(None, map(self._load, paths)), None)

    def _look_for(self, slug: str) -> None:
        """Read the pages that are named after a slug, once; some of them may have been deleted."""
        if slug in self._numbers:
            return
        self._numbers[slug] = number = 1
        last = 0
        while number <= last + _GAP:
            last = number if self._is_taken(self._path(slug, number)) else last
            number += 1

    def _is_taken(self, path: str) -> bool:
        self._load(path)
        return path in self._held

    def _path(self, slug: str, number: int) -> str:
        return f"{self._folder}/{slug}{f'-{number}' if number > 1 else ''}.md"

    def _load(self, path: str) -> Held | None:
        if path in self._held:
            return self._held[path]
        data = self._read(path)
        if data is None:
            return None
        held = self._held[path] = _held(path, data, self.layers)
        if held and held.said:
            self._by_name.setdefault(held.entity.name, held)
            for name in (held.entity.name, *held.said.page.fields.aliases):
                self._by_fold.setdefault(fold(name), held)
        return held


def _slug(name: str) -> str:
    return file_name(name) or "entity"


def _held(path: str, data: bytes, layers: Layers) -> Held | None:
    """What a page says; None for what is no page about anything."""
    decoded = decode(path, data)
    page = Outline(layers, path, decoded.text, decoded.mark)
    if decoded.is_binary or page.is_catalog:
        return None
    said = entity_page(page)
    return Held(path, data, said, Entity(said.name, said.type, said.observations))


def _by_time(held: Held) -> tuple[str, str]:
    return (held.said.created if held.said else "", held.path)


def relations_on(pages: EntityPages, said: EntityPage) -> Iterator[Relation]:
    """The relations that a page says."""
    for link in said.links:
        yield Relation(said.name, _name_of(pages, link), link.type)


def _name_of(pages: EntityPages, link: TypedLink) -> str:
    """The entity that a link means; what leads nowhere is a name itself."""
    if link.exact is not None:
        return link.exact
    if held := pages.by_link(link.written):
        return held.entity.name
    return (link.label or stem_of(link.written)) if "/" in link.written else link.written


def _loose(path: str, data: bytes | None, layers: Layers) -> dict[Relation, None]:
    if data is None:
        return {}
    decoded = decode(path, data)
    page = Outline(layers, path, decoded.text, decoded.mark)
    entries = (each for each in entries_of(page).entries if not each.is_superseded)
    return dict.fromkeys(filter(None, (loose_of(each.text, each.fields) for each in entries)))
