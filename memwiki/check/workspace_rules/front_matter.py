"""Front matter against the day of the check, and against the custom of the workspace."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from memwiki.check.overview import WorkspaceOverview
from memwiki.check.rule import CheckRule, Family, Finding
from memwiki.markdown.describe import inner_path, is_in
from memwiki.nouns import Severity

_PAST_KEYS = ("created", "updated")


def dates_in_the_future(overview: WorkspaceOverview) -> Iterator[Finding]:
    """Pages made or changed later than tomorrow: today may end earlier than elsewhere on earth."""
    last = (overview.around.today + timedelta(days=1)).isoformat()
    for path, facts in overview.facts.items():
        for key, line, date in facts.dates:
            if key in _PAST_KEYS and date[:10] > last:
                yield Finding("date-future", line, f"`{key}` is {date[:10]}, in the future", path)


def missing_descriptions(overview: WorkspaceOverview) -> Iterator[Finding]:
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


RULES: tuple[CheckRule[WorkspaceOverview], ...] = (
    CheckRule(
        "date-future",
        Family.FRONT_MATTER,
        Severity.WARNING,
        "`created` or `updated` is in the future. Correct the date.",
        dates_in_the_future,
    ),
    CheckRule(
        "description-missing",
        Family.FRONT_MATTER,
        Severity.INFO,
        "A page of the wiki, or of a folder where most pages have one, lacks a `description`.",
        missing_descriptions,
    ),
)
