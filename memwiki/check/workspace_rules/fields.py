"""Fields and entries of all pages: days ahead, missing descriptions, tags that are one; entries
that say nearly the same or contradict, and names that may be one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import cache, partial
from typing import TYPE_CHECKING

from memwiki.check.facts import EntryFacts
from memwiki.check.overview import CurrentEntries, EntryPlace, TagLocation, Tags, WorkspaceOverview
from memwiki.check.rule import Family, Finding, Findings, family_rules
from memwiki.dates import date_in, iso_date
from memwiki.errors import shell_word
from memwiki.markdown.describe import inner_path, is_in
from memwiki.markdown.entries import ID_NAME
from memwiki.markdown.fields import is_private
from memwiki.markdown.tags import with_parents
from memwiki.names import stem_of
from memwiki.nouns import Entry, Severity
from memwiki.numbers import counted
from memwiki.scope import scope_of
from memwiki.text import pattern

if TYPE_CHECKING:
    from memwiki.judgement.near_pairs import JudgedFact


_PAST_KEYS = ("created", "updated")
_JOINTS = pattern(r"[-_ .]+")
_PLURAL = pattern(
    r"(?<=[b-df-hj-np-tv-z])ies\Z|(?:(?<=ch)|(?<=sh)|(?<=ss)|(?<=x))es\Z|(?<=[a-z]{2}[^sui])s\Z"
)
_SINGULARS = frozenset({"news", "lens", "series", "species", "always", "analytics", "maths"})
_MIN_TAGGED_PAGES = 20  # before a tag that stands alone is worth a word


def dates_in_the_future(overview: WorkspaceOverview) -> Findings:
    """Pages made or changed later than tomorrow: today may end earlier than elsewhere on earth."""
    last = (overview.around.today + timedelta(days=1)).isoformat()
    for path, facts in overview.facts.items():
        for key, line, date in facts.dates:
            day = iso_date(date)[:10]  # what is none is told as that
            if key in _PAST_KEYS and day > last:
                yield Finding("date-future", line, f"`{key}` is {day}, in the future", path)


def missing_descriptions(overview: WorkspaceOverview) -> Findings:
    """Pages without a description: in the wiki, and where most pages with fields have one."""
    custom = [
        facts.is_described
        for facts in overview.facts.values()
        if facts.is_described is not None and facts.has_fields
    ]
    is_custom = custom.count(True) * 2 > len(custom)
    layers = overview.layers
    for path, facts in overview.facts.items():
        if facts.is_described is not False:
            continue
        in_wiki = bool(layers.wiki) and is_in(inner_path(path, layers), layers.wiki)
        if in_wiki or (is_custom and facts.has_fields):
            yield Finding("description-missing", 1, "no description", path)


CUSTOM = family_rules(
    Family.FRONT_MATTER,
    (
        "date-future",
        Severity.WARNING,
        "`created` or `updated` is in the future. Correct the date.",
        dates_in_the_future,
    ),
    (
        "description-missing",
        Severity.INFO,
        "A page of the wiki, or of a folder where most pages have one, lacks a `description`.",
        missing_descriptions,
    ),
)


def other_case(overview: WorkspaceOverview) -> Findings:
    """Tags that are one, written in upper and lower case."""
    for ways in (ways for tags in overview.tags.values() for ways in tags.values()):
        common, most = _common(ways)
        for written, locations in ways.items() if len(ways) > 1 else ():
            if written != common:
                here, there = counted(len(locations), "page"), counted(len(most), "page")
                message = f"#{written} on {here} is #{common} on {there}; write it one way"
                yield Finding("tag-case", locations[0].line, message, locations[0].path)


def near_tags(overview: WorkspaceOverview) -> Findings:
    """Tags that are another but for a joint or a plural."""
    for tags in overview.tags.values():
        counts = _counts(tags)
        for folded, common in _near(counts).items():
            written, (location, *_) = _common(tags[folded])
            if location.is_meant:
                other = _common(tags[common])[0]
                count = counted(counts[common], "page")
                merge = f"memwiki tag merge {shell_word(written)} {shell_word(other)}"
                message = f"#{written} is nearly #{other} ({count}); {merge}"
                yield Finding("tag-near", location.line, message, location.path)


def single_tags(overview: WorkspaceOverview) -> Findings:
    """Tags that one page has alone, where tags are in use at all."""
    if sum(bool(facts.tags) for facts in overview.facts.values()) < _MIN_TAGGED_PAGES:
        return
    for tags in overview.tags.values():
        counts = _counts(tags)
        parents = {each for tag in counts for each in with_parents(tag) if each != tag}
        known = parents.union(_near(counts))
        for folded, count in counts.items():
            written, (location, *_) = _common(tags[folded])
            if count == 1 and folded not in known and location.is_meant:
                message = f"#{written} is used on this page only"
                yield Finding("tag-once", location.line, message, location.path)


def _counts(tags: Tags) -> dict[str, int]:
    return {folded: sum(map(len, ways.values())) for folded, ways in tags.items()}


def _common(ways: Mapping[str, list[TagLocation]]) -> tuple[str, list[TagLocation]]:
    """The way most pages write a tag, and where."""
    return min(ways.items(), key=lambda way: (-len(way[1]), way[0]))


def _near(counts: dict[str, int]) -> dict[str, str]:
    """Each tag that is another but for its joints or a plural, with the more common one."""
    common: dict[str, str] = {}
    near: dict[str, str] = {}
    for folded in sorted(counts, key=lambda each: (-counts[each], each)):
        first = common.setdefault(_form(folded), folded)
        if first != folded:
            near[folded] = first
    return near


def _form(folded: str) -> str:
    parts = (_JOINTS.sub("", part) for part in folded.split("/"))
    return "/".join(p if p in _SINGULARS else _PLURAL.sub(_singular, p) for p in parts)


def _singular(match: re.Match[str]) -> str:
    return "y" if match[0] == "ies" else ""


SPELLING = family_rules(
    Family.TAGS,
    (
        "tag-case",
        Severity.INFO,
        "A tag is written in upper and lower case. `memwiki tag rename` writes it one way.",
        other_case,
    ),
    (
        "tag-near",
        Severity.INFO,
        "Two tags differ only in a hyphen, space or plural. `memwiki tag merge` makes them one.",
        near_tags,
    ),
    (
        "tag-once",
        Severity.INFO,
        "Used on one page only. Use a tag that other pages have.",
        single_tags,
    ),
)


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
        shown = ", ".join(_naming(each.path, entries.facts(each)) for each in named)
        more = f" and {len(older) - _MAX_NAMED} more" if len(older) > _MAX_NAMED else ""
        yield Finding(code, places[new].line, f"{says} {shown}{more}", places[new].path)


def _names(one: EntryFacts, other: EntryFacts) -> bool:
    """Whether somebody has said how two entries stand to each other."""
    id_ = other.id
    return bool(id_) and any(id_ in ID_NAME.findall(value) for value in one.fields.values())


def _naming(path: str, facts: EntryFacts) -> str:
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
