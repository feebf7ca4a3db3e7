"""The one entry that a description means, found by its words."""

from __future__ import annotations

from memwiki.errors import AmbiguousError, NotFoundError
from memwiki.memory.judgement.similarity import words_of
from memwiki.memory.similar import KnownFacts
from memwiki.memory.view import entry_name
from memwiki.names import require_text
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading

_LEAST = 0.5  # of the words of a description that the entry has to hold
_AHEAD = 0.2  # that the best has to hold more than the next


def described(live: LiveIndex, text: str) -> str:
    """The id, or `path:line`, of the entry that a text describes; AmbiguousError when several come
    close, NotFoundError when none does."""
    require_text("relate", text)
    wanted = words_of(text)
    with reading(live) as view:
        found = sorted(
            (
                (len(wanted & words_of(each.fact.text)) / (len(wanted) or 1), each.located)
                for each in KnownFacts(live, view).like(text)
            ),
            key=lambda row: -row[0],
        )
    close = [located for share, located in found if share >= max(_LEAST, found[0][0] - _AHEAD)]
    names = [entry_name(each.path, each.entry) for each in close]
    if not names:
        raise NotFoundError(f"{text}: no entry fits this", hint="memwiki entry similar TEXT")
    if len(names) > 1:
        raise AmbiguousError(
            f"{text}: {len(names)} entries come close",
            hint="give the id of one of them",
            candidates=tuple(names),
        )
    return names[0]
