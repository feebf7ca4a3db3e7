"""Dates of the front matter, judged on the day of the check: what is kept about a page has no clock."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from memwiki.check.overview import Overview
from memwiki.check.rule import Family, Finding, Rule
from memwiki.model import Severity

_PAST_KEYS = ("created", "updated")


def dates_in_the_future(overview: Overview) -> Iterator[Finding]:
    """Pages made or changed later than tomorrow: today may end earlier than elsewhere on earth."""
    last = (overview.today + timedelta(days=1)).isoformat()
    for path, facts in overview.facts.items():
        for key, line, date in facts.dates:
            if key in _PAST_KEYS and date[:10] > last:
                yield Finding("date-future", line, f"`{key}` is {date[:10]}, in the future", path)


RULES: tuple[Rule[Overview], ...] = (
    Rule(
        "date-future", Family.FRONT_MATTER, Severity.WARNING,
        "`created` or `updated` lies in the future. Correct the date.",
        dates_in_the_future,
    ),
)  # fmt: skip
