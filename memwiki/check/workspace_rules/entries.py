"""Entries of all pages: what says nearly the same, what contradicts, and names that may be one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from memwiki.check.facts import EntryFacts, is_outline_bullet
from memwiki.check.overview import CurrentEntry, WorkspaceOverview
from memwiki.check.rule import Family, Finding, Findings, family_rules
from memwiki.digest import text_hash
from memwiki.errors import shell_word
from memwiki.markdown.entries import ID_NAME
from memwiki.markdown.fields import is_private
from memwiki.nouns import Entry, Severity
from memwiki.scope import layers_at, scope_of

if TYPE_CHECKING:
    from memwiki.judgement.near_pairs import JudgedFact

_NEAR, _CONFLICT, _ENTITY = "entry-near-duplicate", "entry-conflict", "entity-near-duplicate"
_MAX_SHOWN_CHARACTERS = 60
_NAME_BYTES = 8
_MAX_NAMED = 3  # entries that a message names


def alike_entries(overview: WorkspaceOverview) -> Findings:
    """Entries that say nearly the same as an older one, or may contradict it."""
    by_namespace: dict[str, list[CurrentEntry]] = {}
    for path, of_page in groupby(overview.entries, key=attrgetter("path")):
        layers, known = layers_at(path, overview.layers), overview.namespace_of(path)
        by_namespace.setdefault(known, []).extend(
            each
            for each in of_page
            if not is_outline_bullet(path, layers, each.facts.id, each.facts.fields)
        )
    for namespace, entries in by_namespace.items():
        yield from _alike(sorted(entries, key=_age), namespace, overview)


def _alike(
    entries: Sequence[CurrentEntry], namespace: str, overview: WorkspaceOverview
) -> Findings:
    """The same of entries in the order of their age."""
    from memwiki.judgement.near_pairs import FactBounds, JudgedFact, compare
    from memwiki.memory.known_facts import fact_of, rules_of

    settings, around = overview.around.memory, overview.around
    bounds = FactBounds(settings.near_threshold, settings.same_threshold, rules_of(settings))
    names = [_name(each.facts) for each in entries]

    def fact_at(at: int) -> JudgedFact:
        line, type_, id_, text, fields = entries[at].facts
        entry = Entry(type_, text, "", line, line, id_, fields)
        return JudgedFact(fact_of(entry, settings.entity_attributes), "valid_to" not in fields)

    found = compare(names, fact_at, bounds, around.compared(namespace))
    around.keep_compared(namespace, found)
    meant = {*_alike_in_meaning(fact_at, entries, overview)}.difference(found.opposed)
    yield from _findings(_NEAR, "says nearly the same as", entries, sorted(meant.union(found.near)))
    others = sorted({*found.opposed}.difference(found.near))
    yield from _findings(_CONFLICT, "may contradict", entries, others)


def _alike_in_meaning(
    fact_at: Callable[[int], JudgedFact],
    entries: Sequence[CurrentEntry],
    overview: WorkspaceOverview,
) -> Iterator[tuple[int, int]]:
    """Pairs in other words, where entries are embedded; not those that differ in what no likeness
    makes up for, as a number."""
    from memwiki.judgement.similarity import ReadFact, judge_readings, read

    @cache
    def reading(at: int) -> ReadFact:
        return read(fact_at(at).fact)

    around = overview.around
    texts = [each.facts.text for each in entries]
    for old, new in around.alike(texts, around.memory.near_threshold):
        if not judge_readings(reading(old), reading(new), near=0, same=1).reason:
            yield old, new


def _name(facts: EntryFacts) -> str:
    """What stands for all that judging an entry depends on."""
    # No page has a NUL in its text.
    said = "\0".join((facts.type, facts.text, *facts.fields, *facts.fields.values()))
    return text_hash(said, _NAME_BYTES).hex()


def _findings(
    code: str, says: str, entries: Sequence[CurrentEntry], pairs: Iterable[tuple[int, int]]
) -> Findings:
    """One finding for each newer entry, but for pairs of which one names the other."""
    found: dict[int, list[CurrentEntry]] = {}
    for old, new in pairs:
        if not (_names(entries[old], entries[new]) or _names(entries[new], entries[old])):
            found.setdefault(new, []).append(entries[old])
    for new, older in found.items():
        shown = ", ".join(map(_shown, older[:_MAX_NAMED]))
        more = f" and {len(older) - _MAX_NAMED} more" if len(older) > _MAX_NAMED else ""
        yield Finding(code, entries[new].facts.line, f"{says} {shown}{more}", entries[new].path)


def _names(one: CurrentEntry, other: CurrentEntry) -> bool:
    """Whether somebody has said how two entries stand to each other."""
    id_ = other.facts.id
    return bool(id_) and any(id_ in ID_NAME.findall(value) for value in one.facts.fields.values())


def _shown(each: CurrentEntry) -> str:
    facts = each.facts
    line = facts.text.strip().split("\n", 1)[0][:_MAX_SHOWN_CHARACTERS]
    text = "a private entry" if is_private(facts.fields) else f'"{line}"'
    return f"{text} in {each.path}"


def _age(each: CurrentEntry) -> tuple[str, str, int]:
    return each.date, each.path, each.facts.line


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
    naming = {*NAMING_FIELDS, *attributes}  # most entries of a long page have none of them
    named = (each for each in overview.entries if not naming.isdisjoint(each.facts.fields))
    shared = (each for each in named if not overview.namespace_of(each.path))
    namings = (
        naming_of(each.path, each.facts.line, each.facts.fields, attributes) for each in shared
    )
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
