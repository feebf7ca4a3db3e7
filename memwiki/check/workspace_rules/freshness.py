"""Whether what a page says can still be true: its own term, its sources, and sources themselves."""

from __future__ import annotations

import re
from posixpath import dirname

from memwiki.check.facts import Facts
from memwiki.check.overview import WorkspaceOverview
from memwiki.check.rule import Family, Finding, Findings, family_rules
from memwiki.clock import day_of
from memwiki.index.meanings.lookup import Which
from memwiki.markdown.links import is_external
from memwiki.names import leads_out, path_in
from memwiki.nouns import Severity
from memwiki.text import pattern

# A path has a folder or the ending of a document; `example.com` and `Smith, 2020` are none.
_DOCUMENT = pattern(
    r"\.(?:md|markdown|txt|pdf|html?|csv|json|ya?ml|docx?|xlsx?|pptx?|png|jpe?g|svg|epub|eml)\Z",
    re.IGNORECASE,
)
_HOST = pattern(r"[\w-]+(?:\.[\w-]+)+(?::\d+)?/")


def stale_pages(overview: WorkspaceOverview) -> Findings:
    """Pages that say themselves until when they hold."""
    today = overview.around.today.isoformat()
    for path, facts in overview.facts.items():
        for key, line, date in facts.dates:
            day = date[:10]
            if key == "stale_after" and day < today[: len(day)] and path not in overview.retired:
                yield Finding("stale", line, f"was due for review by {day}", path)


def sources(overview: WorkspaceOverview) -> Findings:
    """Sources in the workspace that are gone, or newer than the page that is made of them."""
    citing = [
        (path, facts.sources)
        for path, facts in overview.facts.items()
        if facts.sources and path not in overview.retired
    ]
    if not citing:
        return  # the links of so many pages need not be walked
    targets = {
        (source, link.written): found.target
        for source, link, found in overview.links(Which.ONLY_IF_FOUND)
        if found.target
    }
    for path, cited in citing:
        for written, line, date in cited:
            target = targets.get((path, written), "")
            if not target and _is_missing(overview, path, written):
                message = f"{written}: no such source file"
                yield Finding("source-missing", line, message, path)
            elif _is_newer(overview, path, target, date):
                message = (
                    f"{target or written} changed after this page; check that the page still holds"
                )
                yield Finding("source-newer", line, message, path)


def _is_missing(overview: WorkspaceOverview, path: str, written: str) -> bool:
    if not _DOCUMENT.search(written) or _HOST.match(written) or is_external(written):
        return False
    places = [path_in(folder, written) for folder in ("", dirname(path))]
    inside = [place for place in places if not leads_out(place)]
    return bool(inside) and not any(overview.is_there(place, path) for place in inside)


def _is_newer(overview: WorkspaceOverview, path: str, target: str, stated: str) -> bool:
    """Whether a source says that it changed on a later day than the page.

    A date in the front matter counts for more than that of the file, which a checkout or a copy
    sets anew: a file's date is held only against another file's.
    """
    page, source = overview.facts[path], overview.facts.get(target)
    changed = max(_date(page, "updated"), _date(page, "confirmed"))
    theirs = (source and (_date(source, "updated") or _date(source, "created"))) or stated
    if not changed and not theirs and source:
        return _file_day(overview, target) > _file_day(overview, path)
    if not changed:
        changed = _file_day(overview, path) if theirs else ""
    length = min(len(changed), len(theirs), 10)
    return length >= 4 and theirs[:length] > changed[:length]


def _date(facts: Facts, wanted: str) -> str:
    return next((date for key, _, date in facts.dates if key == wanted), "")


def _file_day(overview: WorkspaceOverview, path: str) -> str:
    return day_of(overview.cards[path].mtime_ns).isoformat()


def changed_sources(overview: WorkspaceOverview) -> Findings:
    """Files of the raw layer that are not what they were when a check first saw them."""
    for path, (digest, day) in overview.around.first_seen.items():
        if path in overview.cards and overview.cards[path].digest != digest:
            message = f"sources must not change, and this one changed since {day}"
            yield Finding("raw-modified", 1, message, path)


RULES = family_rules(
    Family.FRESHNESS,
    (
        "stale",
        Severity.WARNING,
        "`stale_after` is past. Check that the page still holds, then set a new date.",
        stale_pages,
    ),
    (
        "source-newer",
        Severity.INFO,
        "A source changed later than the page made of it. Check that the page still holds.",
        sources,
    ),
    (
        "source-missing",
        Severity.WARNING,
        "`sources` names a file that does not exist. Correct the path, or restore the file.",
        sources,
    ),
    (
        "raw-modified",
        Severity.WARNING,
        "A file in the raw layer changed since check first saw it. Restore it; add news as a new "
        "file.",
        changed_sources,
    ),
)
