"""The heading below which an entry of a type is written."""

from __future__ import annotations

from collections.abc import Sequence

from memwiki.markdown.entry_types import heading_of_type, type_of_heading
from memwiki.names import fold
from memwiki.scripts import has_chinese


def heading_for(type_: str, titles: Sequence[str]) -> str:
    """The first heading of a page that says this type, else a new one in the page's language."""
    known = type_of_heading(type_) or fold(type_.strip())
    for title in titles:
        if (type_of_heading(title) or _singular(title)) in (known, _singular(known)):
            return title
    # Chinese are half of the headings or more: `# Memory` often stands above them.
    worded = [title for title in titles if any(map(str.isalpha, title))]
    is_chinese = bool(worded) and 2 * sum(map(has_chinese, worded)) >= len(worded)
    return heading_of_type(known, is_chinese=is_chinese)


def _singular(title: str) -> str:
    folded = fold(title.strip())
    return folded.removesuffix("s") if len(folded) > 3 else folded
