"""All rules, in the order of the documentation."""

from __future__ import annotations

from memwiki.check.overview import WorkspaceOverview
from memwiki.check.page_rules import content, fields
from memwiki.check.rule import CheckedPage, CheckRule
from memwiki.check.workspace_rules import fields as custom
from memwiki.check.workspace_rules import files, graph, links

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
REVIEW_FORMAT = "34"

GROUPS = {"reading": READING}
RULES: dict[str, CheckRule[CheckedPage] | CheckRule[WorkspaceOverview]] = {
    **{rule.code: rule for rule in PAGE_RULES},
    **{rule.code: rule for rule in WORKSPACE_RULES},
}
