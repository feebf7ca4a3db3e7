"""What the last conversations were about, for a prompt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice

from memwiki.errors import MemwikiError
from memwiki.files.read import read
from memwiki.memory.lasting import lasting_items
from memwiki.names import fold
from memwiki.nouns import HitKind
from memwiki.recall.prompt import PromptItem
from memwiki.sessions import SUMMARY
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Freshness, Reading, reading

_MAX_SHOWN = 3  # of them
_LOOKED_AT = 50  # sessions, the last changed ones
_LAST_LINE = 1 << 40


def always_shown(live: LiveIndex) -> tuple[Freshness, Sequence[PromptItem]]:
    """What a prompt has whatever is asked: how fresh it is, the core memories, and summaries."""
    with reading(live) as view:
        freshness, earlier = view.freshness, last_summaries(view)
    return freshness, [*lasting_items(live), *earlier]


def last_summaries(view: Reading) -> list[PromptItem]:
    """The summaries of the sessions that changed last and have one."""
    folder = view.context.own_layers().sessions
    if not folder:
        return []
    from memwiki.sessions.views import cards_in  # most prompts are of no sessions

    looked_at = cards_in(folder, view)[:_LOOKED_AT]
    headings = view.lookup.sections_around([(card.id, 1, _LAST_LINE) for card in looked_at])
    paths = (
        card.path
        for card, sections in zip(looked_at, headings, strict=True)
        if any(each.level == 2 and fold(each.title) == fold(SUMMARY) for each in sections)
    )
    return list(islice(_summaries(view, paths), _MAX_SHOWN))


def _summaries(view: Reading, paths: Iterator[str]) -> Iterator[PromptItem]:
    from memwiki.sessions.page import SessionPage, summary_of, summary_section

    context = view.context
    for path in paths:
        with suppress(MemwikiError):  # it changed meanwhile
            data = read(context.root, path, context.max_bytes)
            page = SessionPage(path, data, context.layers).outline
            section, text = summary_section(page), summary_of(page)
            if section and text:
                date = page.fields.text("ended") or page.fields.text("started")
                lines = section.line_start, section.line_end
                yield PromptItem(text, date, path, *lines, "summary", 1.0, HitKind.MESSAGE)
