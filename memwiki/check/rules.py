"""All rules, in the order of the documentation."""

from __future__ import annotations

from memwiki.check.overview import WorkspaceOverview
from memwiki.check.page_rules import (
    content,
    entries,
    escapes,
    front_matter,
    private,
    secrets,
    tags,
    template,
    unicode,
)
from memwiki.check.rule import CheckedPage, CheckRule
from memwiki.check.workspace_rules import anchors, files, freshness, graph, links, names
from memwiki.check.workspace_rules import duplicates as likeness
from memwiki.check.workspace_rules import entries as memories
from memwiki.check.workspace_rules import front_matter as custom
from memwiki.check.workspace_rules import tags as spelling

PAGE_RULES: tuple[CheckRule[CheckedPage], ...] = (
    *front_matter.RULES,
    *content.RULES,
    *entries.RULES,
    *template.RULES,
    *secrets.RULES,
    *private.RULES,
    *unicode.RULES,
    *tags.RULES,
    *escapes.RULES,
)
# What reading a page meets; `status` counts these, as they are known without a check.
READING = tuple(rule.code for rule in PAGE_RULES if rule.find is front_matter.parser_problems)
# What they find follows from the frames of pages (`facts.py`), the names of files and the disk:
# from no text, no day and nothing that happens around the check.
FRAME_RULES: tuple[CheckRule[WorkspaceOverview], ...] = (
    *links.RULES,
    *anchors.RULES,
    *graph.RULES,
    *names.RULES,
    *spelling.RULES,
    *files.NAMES,
)
# What they find follows from the entries of all pages and the settings; for the names of entities
# from the frames, too.
ENTRY_RULES: tuple[CheckRule[WorkspaceOverview], ...] = memories.ALIKE
ENTITY_RULES: tuple[CheckRule[WorkspaceOverview], ...] = memories.NAMES
WORKSPACE_RULES: tuple[CheckRule[WorkspaceOverview], ...] = (
    *custom.RULES,
    *links.RULES,
    *anchors.RULES,
    *graph.RULES,
    *names.RULES,
    *spelling.RULES,
    *likeness.RULES,
    *ENTRY_RULES,
    *ENTITY_RULES,
    *freshness.RULES,
    *files.RULES,
)

# Another number has every page reviewed anew: raise it when a page rule or a fact changes.
REVIEW_FORMAT = "18"

GROUPS = {"reading": READING}
RULES: dict[str, CheckRule[CheckedPage] | CheckRule[WorkspaceOverview]] = {
    **{rule.code: rule for rule in PAGE_RULES},
    **{rule.code: rule for rule in WORKSPACE_RULES},
}
