"""Fields of all pages: days ahead, missing descriptions, and tags that are one or join nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta

from memwiki.check.overview import TagLocation, Tags, WorkspaceOverview
from memwiki.check.rule import Family, Finding, Findings, family_rules
from memwiki.dates import iso_date
from memwiki.errors import shell_word
from memwiki.markdown.describe import inner_path, is_in
from memwiki.markdown.tags import with_parents
from memwiki.nouns import Severity
from memwiki.numbers import counted
from memwiki.text import pattern

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
