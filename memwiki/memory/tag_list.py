"""Tags for a text, with those that the workspace has in use."""

from __future__ import annotations

from memwiki.answers.graph import TagSuggestions
from memwiki.index.graph import tag_counts
from memwiki.memory.tag_suggestions import suggested
from memwiki.names import require_text
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading


def suggest_tags(live: LiveIndex, text: str) -> TagSuggestions:
    """The tags that suit a text, at most `memory.max_tags`."""
    require_text("tag suggest", text)
    most = live.context.config.memory.max_tags
    with reading(live) as view:
        shown = (row for row in view.lookup.all_tags() if view.scope.reaches(row[0]))
        in_use = {each.tag: each.count for each in tag_counts(shown)}
        return TagSuggestions(suggested(text, in_use, limit=most), view.freshness.fresh)
