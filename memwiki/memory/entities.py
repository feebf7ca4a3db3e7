"""The entities that entries name, each with what names it, and which of them may be one."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from operator import attrgetter
from sys import maxsize

from memwiki.answers.entries import EntityCandidates, EntityList, EntityPair, EntityView
from memwiki.config.schema import EntitiesConfig
from memwiki.index.cards.entries import EntryCard, EntryCards
from memwiki.index.cards.lookup import Lookup
from memwiki.index.find import NamesInMemory
from memwiki.index.resolve import Resolver
from memwiki.judgement.entities import JudgedEntity, entity_pairs, judge_entities
from memwiki.judgement.similarity import Verdict
from memwiki.markdown.entry_links import name_link
from memwiki.memory.listing import EntryFilter, passes
from memwiki.memory.view import entities_of
from memwiki.names import fold, require_text
from memwiki.nouns import LinkKind, LinkStatus
from memwiki.recall.graph import ENTITIES
from memwiki.records import NamedTuple
from memwiki.scope import Scope
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, reading

USER = "user"

NAMING_FIELDS = ("subject", "topic", "object", "entities")  # besides attributes of the settings
_USER_WORDS = frozenset((USER, "i", "我"))
_CANDIDATES = 5  # for one name
_FEW = 300  # names that are looked up one by one


class Naming(NamedTuple):
    """What one entry names; `pages` are paths that a link in its text leads to."""

    path: str
    line: int
    subject: str
    others: tuple[str, ...]  # topics, objects and what it says it is about
    tags: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()


class NamedPage(NamedTuple):
    """The page that a name means."""

    path: str
    title: str
    type: str


class NamedEntity(NamedTuple):
    """A page or a wanted name, and the entries that name it."""

    name: str
    page: NamedPage | None
    spellings: tuple[str, ...]  # as entries write it, the most common first
    entries: int
    tags: tuple[str, ...]  # of what names it, the most common first
    first: tuple[str, int]  # path and line of the first entry
    judged: JudgedEntity

    @property
    def path(self) -> str:
        """The path of its page, "" for a wanted name."""
        return self.page.path if self.page else ""


class AlikeEntities(NamedTuple):
    """Two entities that may be one; `other` is the one to keep."""

    entity: NamedEntity
    other: NamedEntity
    similarity: float
    verdict: Verdict


PageOf = Callable[[str], NamedPage | None]


def naming_of(
    path: str,
    line: int,
    fields: Mapping[str, str],
    attributes: Sequence[str] = (),
    tags: tuple[str, ...] = (),
    pages: tuple[str, ...] = (),
) -> Naming:
    """What an entry names by its fields."""
    subject = "".join(map(_target, entities_of("", {"topic": fields.get("subject", "")})))
    is_user = fold(subject) in _USER_WORDS
    others = tuple(filter(None, map(_target, entities_of("", fields, attributes))))
    return Naming(path, line, USER if is_user else subject, others, tags, pages)


def _target(name: str) -> str:
    """A name without the text that a wikilink shows for it, "" for what links would not take."""
    bare = name.partition("|")[0].rstrip("\\ ")
    return bare if name_link(bare, 0, "topic") else ""


class _EntityCounter:
    """An entity while what names it is counted."""

    def __init__(self, page: NamedPage | None, first: tuple[str, int]) -> None:
        self.page, self.first = page, first
        self.spellings: Counter[str] = Counter()
        self.tags: Counter[str] = Counter()
        self.beside: set[str] = set()
        self.entries = 0
        self.is_subject = True  # and nothing else

    def frozen(self) -> NamedEntity:
        name = self.page.title if self.page else _ranked(self.spellings)[0]
        type_ = self.page.type if self.page else ""
        return NamedEntity(
            name,
            self.page,
            _ranked(self.spellings),
            self.entries,
            _ranked(self.tags),
            self.first,
            JudgedEntity(name, type_, frozenset(self.beside), self.is_subject),
        )


def entities_in(namings: Iterable[Naming], page_of: PageOf) -> list[NamedEntity]:
    """Every entity once, whatever names it goes by; those named by most entries first."""
    found: dict[str, _EntityCounter] = {}
    for naming in namings:
        named = dict(_named_in(naming, page_of))
        for key, (spelled, page, is_subject) in named.items():
            each = found.setdefault(key, _EntityCounter(page, (naming.path, naming.line)))
            each.entries += 1
            each.tags.update(naming.tags)
            each.beside.update(named.keys() - {key})
            each.is_subject = each.is_subject and is_subject
            each.spellings[spelled] += 1
    entities = [each.frozen() for each in found.values()]
    return sorted(entities, key=lambda each: (-each.entries, fold(each.name), each.path))


def _named_in(
    naming: Naming, page_of: PageOf
) -> Iterator[tuple[str, tuple[str, NamedPage | None, bool]]]:
    """The keys of what an entry names; what is a topic or object as well is no mere subject."""
    roles = ((naming.subject, True), *((name, False) for name in naming.others))
    for path in naming.pages:
        page = page_of(path)
        yield path, (page.title if page else path, page, False)
    for name, is_subject in roles:
        if name:
            page = page_of(name)
            yield page.path if page else fold(name), (name, page, is_subject)


def _ranked(counts: Counter[str]) -> tuple[str, ...]:
    return tuple(sorted(counts, key=lambda each: (-counts[each], each)))


# --- which may be one ---


def alike_pairs(entities: Sequence[NamedEntity], rules: EntitiesConfig) -> Iterator[AlikeEntities]:
    """All pairs that may be one entity, the likest first."""
    by_entity = {id(each.judged): each for each in entities}
    pairs = entity_pairs([each.judged for each in by_entity.values()], near=rules.near)
    found = (_alike(by_entity[id(a)], by_entity[id(b)], rules) for a, b, _ in pairs)
    yield from sorted(filter(None, found), key=_order)


def alike_to(
    entity: NamedEntity, entities: Iterable[NamedEntity], rules: EntitiesConfig
) -> list[AlikeEntities]:
    """Those that may be the same as one of them, the likest first."""
    found = (_alike(entity, each, rules) for each in entities if each is not entity)
    return sorted(filter(None, found), key=_order)


def wanted_entity(name: str) -> NamedEntity:
    """A name that no entry says yet."""
    return NamedEntity(name, None, (name,), 0, (), ("", 0), JudgedEntity(name))


def _alike(a: NamedEntity, b: NamedEntity, rules: EntitiesConfig) -> AlikeEntities | None:
    found = judge_entities(a.judged, b.judged, same=rules.same, near=rules.near)
    if found.verdict is Verdict.DIFFERENT:
        return None
    is_same = found.verdict is Verdict.SAME or not rules.context_match
    # What is kept goes first: with a page, named more, named earlier.
    kept, other = sorted((a, b), key=lambda e: (not e.page, -e.entries, e.first, e.name))
    return AlikeEntities(other, kept, found.score, Verdict.SAME if is_same else Verdict.NEAR)


def _order(pair: AlikeEntities) -> tuple[float, str, str]:
    return -pair.similarity, fold(pair.other.name), fold(pair.entity.name)


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
        shown = tuple(_entity_view(view, each) for each in found[:limit])
        return EntityList(shown, len(found), view.freshness.fresh)


def entity_candidates(live: LiveIndex, name: str, limit: int | None) -> EntityCandidates:
    """Pairs of entities that may be one, or the five likest to a name."""
    require_text("entity candidates", name)
    rules = live.context.config.entities
    with reading(live) as view:
        entities = entities_of_view(view)
        if name.strip():
            own = find_entity(name, entities, view) or wanted_entity(name.strip())
            found = alike_to(own, entities, rules)[:_CANDIDATES]
        else:
            found = list(alike_pairs(entities, rules))
        shown = tuple(
            EntityPair(
                _entity_view(view, each.entity),
                _entity_view(view, each.other),
                round(each.similarity, 4),
                each.verdict.value,
            )
            for each in found[:limit]
        )
        return EntityCandidates(shown, len(found), view.freshness.fresh)


def find_entity(name: str, entities: list[NamedEntity], view: Reading) -> NamedEntity | None:
    """The entity that a name means."""
    page = pages_by_name(view.lookup, view.scope)(name.strip())
    key = page.path if page else fold(name.strip())
    return next((each for each in entities if (each.path or fold(each.name)) == key), None)


def _entity_view(view: Reading, entity: NamedEntity) -> EntityView:
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
        target = resolver.resolve(link, path).target
        card = view.lookup.card(target) if target else None
        if card and fold(card.type) in ENTITIES:
            found.setdefault(starts[at][0], []).append(card.path)
    return found
