"""Tags of all pages: one thing under several spellings, and tags that join nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from memwiki.check.overview import TagLocation, Tags, WorkspaceOverview
from memwiki.check.rule import CheckRule, Family, Finding
from memwiki.errors import shell_word
from memwiki.markdown.tags import with_parents
from memwiki.nouns import Severity
from memwiki.numbers import counted

_JOINTS = re.compile(r"[-_ .]+")
_PLURAL = re.compile(
    r"(?<=[b-df-hj-np-tv-z])ies\Z|(?:(?<=ch)|(?<=sh)|(?<=ss)|(?<=x))es\Z|(?<=[a-z]{2}[^sui])s\Z"
)
_SINGULARS = frozenset({"news", "lens", "series", "species", "always", "analytics", "maths"})
_ENOUGH = 20  # tagged pages before a tag that stands alone is worth a word


def other_case(overview: WorkspaceOverview) -> Iterator[Finding]:
    """Tags that are one, written in upper and lower case."""
    for ways in (ways for tags in overview.tags.values() for ways in tags.values()):
        common, most = _common(ways)
        for written, locations in ways.items() if len(ways) > 1 else ():
            if written != common:
                here, there = counted(len(locations), "page"), counted(len(most), "page")
                message = f"#{written} on {here} is #{common} on {there}; write it one way"
                yield Finding("tag-case", locations[0].line, message, locations[0].path)


def near_tags(overview: WorkspaceOverview) -> Iterator[Finding]:
    """Tags that are another but for a joint or a plural."""
    for tags in overview.tags.values():
        yield from _near_tags(tags)


def _near_tags(tags: Tags) -> Iterator[Finding]:
    counts = _counts(tags)
    for folded, common in _near(counts).items():
        written, (location, *_) = _common(tags[folded])
        if not location.is_meant:
            continue
        other = _common(tags[common])[0]
        count = counted(counts[common], "page")
        merge = f"memwiki tag merge {shell_word(written)} {shell_word(other)}"
        message = f"#{written} is nearly #{other} ({count}); {merge}"
        yield Finding("tag-near", location.line, message, location.path)


def single_tags(overview: WorkspaceOverview) -> Iterator[Finding]:
    """Tags that one page has alone, where tags are in use at all."""
    if sum(bool(facts.tags) for facts in overview.facts.values()) < _ENOUGH:
        return
    for tags in overview.tags.values():
        yield from _single_tags(tags)


def _single_tags(tags: Tags) -> Iterator[Finding]:
    counts = _counts(tags)
    near = _near(counts)
    parents = {parent for folded in counts for parent in with_parents(folded) if parent != folded}
    for folded, count in counts.items():
        if count == 1 and folded not in near and folded not in parents:
            written, (location,) = _common(tags[folded])
            if location.is_meant:
                message = f"#{written} is used on this page only"
                yield Finding("tag-once", location.line, message, location.path)


def _counts(tags: Tags) -> dict[str, int]:
    return {folded: sum(map(len, ways.values())) for folded, ways in tags.items()}


def _common(ways: Mapping[str, list[TagLocation]]) -> tuple[str, list[TagLocation]]:
    """The way most pages write a tag, and where."""
    return min(ways.items(), key=lambda way: (-len(way[1]), way[0]))


def _near(counts: dict[str, int]) -> dict[str, str]:
    """Each tag that is another but for its joints or a plural, with the more common one."""
    forms: dict[str, list[str]] = {}
    for folded in counts:
        forms.setdefault(_form(folded), []).append(folded)
    near: dict[str, str] = {}
    for alike in forms.values():
        if len(alike) > 1:
            common, *rarer = sorted(alike, key=lambda folded: (-counts[folded], folded))
            near |= dict.fromkeys(rarer, common)
    return near


def _form(folded: str) -> str:
    parts = (_JOINTS.sub("", part) for part in folded.split("/"))
    return "/".join(p if p in _SINGULARS else _PLURAL.sub(_singular, p) for p in parts)


def _singular(match: re.Match[str]) -> str:
    return "y" if match[0] == "ies" else ""


RULES: tuple[CheckRule[WorkspaceOverview], ...] = (
    CheckRule(
        "tag-case",
        Family.TAGS,
        Severity.INFO,
        "A tag is written in upper and lower case. `memwiki tag rename` writes it one way.",
        other_case,
    ),
    CheckRule(
        "tag-near",
        Family.TAGS,
        Severity.INFO,
        "Two tags differ only in a hyphen, space or plural. `memwiki tag merge` makes them one.",
        near_tags,
    ),
    CheckRule(
        "tag-once",
        Family.TAGS,
        Severity.INFO,
        "Used on one page only. Use a tag that other pages have.",
        single_tags,
    ),
)
