"""Pages that are like another one: by what they mean, where a model is set, and by their words."""

from __future__ import annotations

from memwiki.answers.graph import LikeList, LikeRow
from memwiki.markdown.prose import first_paragraph
from memwiki.markdown.scanner import scan
from memwiki.nouns import Page
from memwiki.options import RecallOptions, VectorsMode, checked
from memwiki.pages.page import page_now
from memwiki.patterns import pattern
from memwiki.recall.cache import RecallCache
from memwiki.recall.recall import recall
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading

_WORD = pattern(r"\w+")
_MAX_WORDS = 60  # of a page, that it is compared by
_HITS_A_PAGE = 5  # that are looked at, as one page may have many


def like(live: LiveIndex, name: str, limit: int) -> LikeList:
    """The pages that recall gives for what a page says of itself, the best hit of each.

    What is private is in none of it; a page with anything private in it, or one that no model is
    given, is compared by its words.
    """
    with reading(live) as view:
        path = view.find(name)
        asked = _asked(page_now(live.context, path))
    index = live.vectors
    # What is asked without what is private tells of no page that it has anything.
    is_private = not live.context.is_public and path in live.private_pages()
    is_kept = is_private or (index and index.keeps_back(live, path))
    mode = VectorsMode.OFF if is_kept else ""
    options = RecallOptions(limit=limit * _HITS_A_PAGE, vectors=mode)
    settings = live.context.config.recall
    answer = recall(live.public(), asked, checked(options, settings), RecallCache())
    rows: dict[str, LikeRow] = {}
    for hit in answer.hits:
        if hit.path != path:
            rows.setdefault(hit.path, LikeRow(hit.path, hit.title, hit.score, hit.excerpt))
    use = answer.vectors
    by = use.model if use and use.used else "words"
    return LikeList(tuple(rows.values())[:limit], by, answer.fresh)


def _asked(page: Page) -> str:
    """The first words of a page, without marks that a question would take for syntax."""
    lines = page.text.split("\n")
    start = page.front_matter.line_end
    said = first_paragraph(lines, start, scan(lines, start))
    words = _WORD.findall(f"{page.title} {page.description} {said}")
    return " ".join(words[:_MAX_WORDS])
