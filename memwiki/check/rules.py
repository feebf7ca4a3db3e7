"""All rules, in the order of the documentation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memwiki.check.overview import WorkspaceOverview
from memwiki.check.page_rules import content, fields
from memwiki.check.rule import CheckedPage, CheckRule, Finding, checked_page, found
from memwiki.check.workspace_rules import fields as custom
from memwiki.check.workspace_rules import files, graph, links
from memwiki.sync.context import Context

PAGE_RULES: tuple[CheckRule[CheckedPage], ...] = (
    *fields.FRONT_MATTER,
    *content.TEXT,
    *content.ENTRIES,
    *content.TEMPLATE,
    *content.SECRETS,
    *content.PRIVATE,
    *fields.UNICODE,
    *fields.TAGS,
    *content.ESCAPES,
)
# What reading a page meets; `status` counts these, as they are known without a check.
READING = tuple(rule.code for rule in PAGE_RULES if rule.find is fields.parser_problems)
# What they find follows from the frames of pages (`facts.py`), the names of files and the disk:
# from no text, no day and nothing that happens around the check.
FRAME_RULES: tuple[CheckRule[WorkspaceOverview], ...] = (
    *links.LINKS,
    *links.ANCHORS,
    *graph.GRAPH,
    *graph.NAMES,
    *custom.SPELLING,
    *files.NAMES,
)
# What they find follows from the entries of all pages and the settings; for the names of entities
# from the frames, too.
ENTRY_RULES = custom.ALIKE
ENTITY_RULES = custom.NAMES
WORKSPACE_RULES: tuple[CheckRule[WorkspaceOverview], ...] = (
    *custom.CUSTOM,
    *links.LINKS,
    *links.ANCHORS,
    *graph.GRAPH,
    *graph.NAMES,
    *custom.SPELLING,
    *graph.DUPLICATES,
    *ENTRY_RULES,
    *ENTITY_RULES,
    *files.FRESHNESS,
    *files.CLAIMS,
    *files.FILES,
)

# Another number has every page reviewed anew: raise it when a page rule or a fact changes.
REVIEW_FORMAT = "38"

GROUPS = {"reading": READING}
RULES: dict[str, CheckRule[CheckedPage] | CheckRule[WorkspaceOverview]] = {
    **{rule.code: rule for rule in PAGE_RULES},
    **{rule.code: rule for rule in WORKSPACE_RULES},
}


def with_tried_fixes(
    context: Context, sheet: CheckedPage, findings: Sequence[Finding]
) -> Iterator[Finding]:
    """The findings, those marked that a fix takes away: it is tried, since none promises more."""
    codes = {each.code for each in findings} if sheet.size == len(sheet.data) else set()
    mended = {
        rule.code for rule in PAGE_RULES if rule.code in codes and _mends(context, sheet, rule)
    }
    return (each._replace(is_fixable=each.code in mended) for each in findings)


def _mends(context: Context, sheet: CheckedPage, rule: CheckRule[CheckedPage]) -> bool:
    """Whether the fix of a rule leaves none of its findings in a page."""
    data = rule.fix(sheet) if rule.fix else sheet.data
    return data != sheet.data and not found([rule], checked_page(context, sheet.page.path, data))
