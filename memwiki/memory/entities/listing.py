"""The entities of a workspace, and which of them may be one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from operator import attrgetter
from sys import maxsize

from memwiki.answers.entities import EntityCandidates, EntityList, EntityPair, EntityView
from memwiki.config.schema import Config
from memwiki.index.cards.entries import EntryCard, EntryCards
from memwiki.index.cards.lookup import Lookup
from memwiki.index.cards.names_in_memory import NamesInMemory
from memwiki.index.resolve import Resolver, reference_to
from memwiki.memory.entities.names import (
    EntityRules,
    NamedEntity,
    NamedPage,
    Naming,
    PageOf,
    alike_pairs,
    alike_to,
    entities_in,
    naming_of,
    wanted,
)
from memwiki.memory.listing import EntryFilter, passes
from memwiki.names import fold, require_text
from memwiki.nouns import LinkKind, LinkStatus
from memwiki.recall.graph import ENTITIES
from memwiki.scope import Scope
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, reading

_CANDIDATES = 5  # for one name
_FEW = 300  # names that are looked up one by one


def list_entities(live: LiveIndex, prefix: str, limit: int | None) -> EntityList:
    """The entities with a name that begins so, those named by most entries first."""
    require_text("entity list", prefix)
    start = fold(prefix.strip())
    with reading(live) as view:
        found = [
            each
            for each in entities_of_view(view)
            if any(fold(name).startswith(start) for name in (each.name, *each.spellings))
        ]
        shown = tuple(_shown(view, each) for each in found[:limit])
        return EntityList(shown, len(found), view.freshness.fresh)


def entity_candidates(live: LiveIndex, name: str, limit: int | None) -> EntityCandidates:
    """Pairs of entities that may be one, or the five likest to a name."""
    require_text("entity candidates", name)
    rules = rules_of(live.context.config)
    with reading(live) as view:
        entities = entities_of_view(view)
        if name.strip():
            own = named(name, entities, view) or wanted(name.strip())
            found = alike_to(own, entities, rules)[:_CANDIDATES]
        else:
            found = list(alike_pairs(entities, rules))
        shown = tuple(
            EntityPair(
                _shown(view, each.entity),
                _shown(view, each.other),
                round(each.similarity, 4),
                each.verdict.value,
            )
            for each in found[:limit]
        )
        return EntityCandidates(shown, len(found), view.freshness.fresh)


def rules_of(config: Config) -> EntityRules:
    """When two names are one entity, as the settings have it."""
    settings = config.entities
    return EntityRules(settings.same, settings.near, settings.context_match)


def named(name: str, entities: list[NamedEntity], view: Reading) -> NamedEntity | None:
    """The entity that a name means."""
    page = pages_by_name(view.lookup, view.scope)(name.strip())
    key = page.path if page else fold(name.strip())
    return next((each for each in entities if (each.path or fold(each.name)) == key), None)


def _shown(view: Reading, entity: NamedEntity) -> EntityView:
    """An entity as an answer; a page has its own tags, a wanted name those of what names it."""
    card = view.lookup.card(entity.path) if entity.path else None
    max_tags = view.context.config.memory.max_tags
    tags = view.lookup.own_tags(card) if card else entity.tags[:max_tags]
    return EntityView(entity.name, entity.path, entity.judged.type, entity.entries, tuple(tags))


# --- what the index knows ---


def entities_of_view(view: Reading) -> list[NamedEntity]:
    """The entities that the entries of the index name; superseded and archived ones aside."""
    page_of = pages_by_name(view.lookup, view.scope)
    return entities_in(_namings(view), page_of)


def pages_by_name(lookup: Lookup, scope: Scope) -> PageOf:
    """How a name or path finds its page; each is looked up once.

    From a number of names on, those of all pages are read at once: a name takes eight questions.
    """
    few = Resolver(lookup, scope.layers)

    @cache
    def many() -> Resolver:
        return Resolver(NamesInMemory(lookup), scope.layers)

    @cache
    def page_of(name: str) -> NamedPage | None:
        resolver = few if page_of.cache_info().currsize < _FEW else many()
        found = resolver.named(name, scope) if name.strip() else None
        if found is None or found.status is not LinkStatus.RESOLVED:
            return None
        card = lookup.card(found.target)
        return NamedPage(card.path, card.title, card.type) if card else None

    return page_of


def _namings(view: Reading) -> Iterator[Naming]:
    lookup, scope = view.lookup, view.scope
    attributes = view.context.config.memory.entity_attributes
    for path, group in groupby(EntryCards(view.stores.cards.db).all(), key=attrgetter("path")):
        cards = [card for card in group if passes(card, EntryFilter(), scope)]
        page = lookup.card(path) if cards else None
        tags = tuple(lookup.own_tags(page)) if page else ()
        linked = _linked_pages(path, view, cards) if cards else {}
        for card in cards:
            own = tuple(dict.fromkeys((*card.tags, *tags)))
            pages = tuple(linked.get(card.line_start, ()))
            yield naming_of(path, card.line_start, card.fields, attributes, own, pages)


def _linked_pages(
    path: str, view: Reading, cards: Sequence[EntryCard]
) -> Mapping[int, Sequence[str]]:
    """The pages of a type to be named that the texts of entries link to, by the line where an
    entry begins."""
    resolver = Resolver(view.lookup, view.context.layers)
    starts = sorted((card.line_start, card.line_end) for card in cards)
    found: dict[int, list[str]] = {}
    for link in view.lookup.links_of(path):
        at = bisect_right(starts, (link.line, maxsize)) - 1
        if link.kind is LinkKind.ENTRY or at < 0 or link.line > starts[at][1]:
            continue  # what fields name is read from the fields
        target = resolver.resolve(reference_to(link, path)).target
        card = view.lookup.card(target) if target else None
        if card and fold(card.type) in ENTITIES:
            found.setdefault(starts[at][0], []).append(card.path)
    return found
