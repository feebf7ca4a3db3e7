"""Entries of all pages: what says nearly the same, what contradicts, and names that may be one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from memwiki.check.facts import EntryFacts
from memwiki.check.overview import CurrentEntries, EntryPlace, WorkspaceOverview
from memwiki.check.rule import Family, Finding, Findings, family_rules
from memwiki.dates import date_in
from memwiki.errors import shell_word
from memwiki.markdown.entries import ID_NAME
from memwiki.markdown.fields import is_private
from memwiki.names import stem_of
from memwiki.nouns import Entry, Severity
from memwiki.scope import scope_of

if TYPE_CHECKING:
    from memwiki.judgement.near_pairs import JudgedFact

_NEAR, _CONFLICT, _ENTITY = "entry-near-duplicate", "entry-conflict", "entity-near-duplicate"
_MAX_SHOWN_CHARACTERS = 60
_MAX_NAMED = 3  # entries that a message names


def alike_entries(overview: WorkspaceOverview) -> Findings:
    """Entries that say nearly the same as an older one, or may contradict it."""
    for namespace, places in overview.entries.places().items():
        yield from _alike(places, namespace, overview)


def _alike(places: Sequence[EntryPlace], namespace: str, overview: WorkspaceOverview) -> Findings:
    """The same of entries in the order of their age."""
    from memwiki.judgement.near_pairs import FactBounds, JudgedFact, compare
    from memwiki.memory.known_facts import fact_of, rules_of

    settings, around = overview.around.memory, overview.around
    bounds = FactBounds(settings.near_threshold, settings.same_threshold, rules_of(settings))

    def fact_at(at: int) -> JudgedFact:
        line, type_, id_, text, fields = overview.entries.facts(places[at])
        entry = Entry(type_, text, "", line, line, id_, fields)
        return JudgedFact(fact_of(entry, settings.entity_attributes), "valid_to" not in fields)

    found = compare([each.name for each in places], fact_at, bounds, around.compared(namespace))
    around.keep_compared(namespace, found)
    texts = (overview.entries.facts(each).text for each in places)
    meant = {*_alike_in_meaning(texts, fact_at, overview)}.difference(found.opposed)
    findings = partial(_findings, places, overview.entries)
    near = sorted(pair for pair in meant.union(found.near) if not _are_of_days(places, *pair))
    yield from findings(_NEAR, "says nearly the same as", near)
    others = sorted({*found.opposed}.difference(found.near))
    yield from findings(_CONFLICT, "may contradict", others)


def _are_of_days(places: Sequence[EntryPlace], old: int, new: int) -> bool:
    """Whether each stands on the page of another day, where what happens often is told often."""
    days = {date_in(stem_of(places[at].path)) for at in (old, new)}
    return len(days) > 1 and "" not in days


def _alike_in_meaning(
    texts: Iterable[str], fact_at: Callable[[int], JudgedFact], overview: WorkspaceOverview
) -> Iterator[tuple[int, int]]:
    """Pairs in other words, where entries are embedded; not those that differ in what no likeness
    makes up for, as a number."""
    from memwiki.judgement.similarity import ReadFact, judge_readings, read

    @cache
    def reading(at: int) -> ReadFact:
        return read(fact_at(at).fact)

    around = overview.around
    for old, new in around.alike(texts, around.memory.near_threshold):
        if not judge_readings(reading(old), reading(new), near=0, same=1).reason:
            yield old, new


def _findings(
    places: Sequence[EntryPlace],
    entries: CurrentEntries,
    code: str,
    says: str,
    pairs: Iterable[tuple[int, int]],
) -> Findings:
    """One finding for each newer entry, but for pairs of which one names the other."""
    found: dict[int, list[int]] = {}
    for old, new in pairs:
        one, other = (entries.facts(places[at]) for at in (old, new))
        if not (_names(one, other) or _names(other, one)):
            found.setdefault(new, []).append(old)
    for new, older in found.items():
        named = [places[at] for at in older[:_MAX_NAMED]]
        shown = ", ".join(_shown(each.path, entries.facts(each)) for each in named)
        more = f" and {len(older) - _MAX_NAMED} more" if len(older) > _MAX_NAMED else ""
        yield Finding(code, places[new].line, f"{says} {shown}{more}", places[new].path)


def _names(one: EntryFacts, other: EntryFacts) -> bool:
    """Whether somebody has said how two entries stand to each other."""
    id_ = other.id
    return bool(id_) and any(id_ in ID_NAME.findall(value) for value in one.fields.values())


def _shown(path: str, facts: EntryFacts) -> str:
    line = facts.text.strip().split("\n", 1)[0][:_MAX_SHOWN_CHARACTERS]
    text = "a private entry" if is_private(facts.fields) else f'"{line}"'
    return f"{text} in {path}"


def alike_entities(overview: WorkspaceOverview) -> Findings:
    """Topics and objects whose names are nearly alike."""
    from memwiki.memory.entities import (
        NAMING_FIELDS,
        alike_pairs,
        entities_in,
        naming_of,
        pages_by_name,
    )

    attributes = overview.around.memory.entity_attributes
    naming = (*NAMING_FIELDS, *attributes)  # most entries of a long page have none of them
    named = sorted(overview.entries.having(naming), key=lambda each: (each[0], each[1].line))
    shared = (each for each in named if not overview.namespace_of(each[0]))
    namings = (naming_of(path, facts.line, facts.fields, attributes) for path, facts in shared)
    entities = entities_in(namings, pages_by_name(overview.lookup, scope_of(overview.layers)))
    rules = overview.around.entities
    seen = set()
    for pair in alike_pairs(entities, rules):
        path, line = pair.entity.first
        if (path, line, pair.entity.name) not in seen:
            seen.add((path, line, pair.entity.name))
            one, other = pair.entity.name, pair.other.name
            merge = f"; memwiki entity merge {shell_word(one)} {shell_word(other)}"
            message = f"{one} may be {other}{'' if pair.entity.path else merge}"
            yield Finding(_ENTITY, line, message, path)


ALIKE = family_rules(
    Family.CONTENT,
    (
        _NEAR,
        Severity.INFO,
        "Two entries say nearly the same. Delete one, or relate them if both are needed.",
        alike_entries,
    ),
    (
        _CONFLICT,
        Severity.INFO,
        "Two entries may contradict each other. Supersede the older one, or relate them.",
        alike_entries,
    ),
)
NAMES = family_rules(
    Family.CONTENT,
    (
        _ENTITY,
        Severity.INFO,
        "Two names of topics or objects are nearly alike. `memwiki entity merge` makes them one.",
        alike_entities,
    ),
)
