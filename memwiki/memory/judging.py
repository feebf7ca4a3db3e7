"""What is known already about entries that are to be added, as of the last index."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from memwiki.config.schema import MemoryConfig
from memwiki.memory.adding import Contradicted, Judged, Near, drawn_ids
from memwiki.memory.draft import EntryDraft
from memwiki.memory.judgement.conflicts import judge_conflict
from memwiki.memory.judgement.lexicon import ConflictRules
from memwiki.memory.judgement.similarity import Verdict, judge
from memwiki.memory.placing import Target
from memwiki.memory.similar import KnownFact, KnownFacts
from memwiki.memory.view import Located


def judged(
    drafts: Sequence[tuple[EntryDraft, Target]],
    known: KnownFacts,
    settings: MemoryConfig,
    *,
    is_judged: bool,
) -> list[Judged]:
    """The drafts with what is like them, what they may contradict, and what has their keys."""
    rules = rules_of(settings)
    return [
        _judged(draft, target, known, settings, rules if is_judged else None)
        for draft, target in drafts
    ]


def _judged(
    draft: EntryDraft,
    target: Target,
    known: KnownFacts,
    settings: MemoryConfig,
    rules: ConflictRules | None,
) -> Judged:
    keyed = tuple(each.located for each in known.with_key(draft.key)) if draft.key else ()
    if rules is None:
        return Judged(draft, target, keyed=keyed)
    near, conflicts = list[Near](), list[Contradicted]()
    for each in known.like(draft.text):
        conflict = judge_conflict(each.fact, draft.fact, rules)
        # Two words that change places read alike, and say the contrary.
        is_over = conflict is not None and conflict.supersedes
        if not is_over and (likeness := _near(draft, each, settings)):
            near.append(likeness)
        elif conflict:
            found = Contradicted(each.located, conflict.score, conflict.reasons, is_over)
            conflicts.append(found)
    # The index found them by words that others use, too.
    near.sort(key=lambda each: (not each.is_same, -each.similarity, *_place(each.known)))
    conflicts.sort(key=lambda each: (-each.score, *_place(each.known)))
    return Judged(draft, target, tuple(near), tuple(conflicts), keyed)


def _place(known: Located) -> tuple[str, int]:
    return known.path, known.entry.line_start


def _near(draft: EntryDraft, known: KnownFact, settings: MemoryConfig) -> Near | None:
    found = judge(
        known.fact, draft.fact, near=settings.near_threshold, same=settings.same_threshold
    )
    if found.verdict is Verdict.DIFFERENT:
        return None
    return Near(known.located, found.score, found.verdict is Verdict.SAME)


def rules_of(settings: MemoryConfig) -> ConflictRules:
    """The rules of conflicts as the settings have them."""
    return ConflictRules(
        threshold=settings.conflict_threshold,
        mode=settings.conflict_mode,
        negation_words=settings.negation_words,
        preference_words=settings.preference_words,
        change_words=settings.change_words,
    )


def free_ids(known: KnownFacts, count: int) -> tuple[str, ...]:
    """Ids that no entry of the index bears, more than so many entries need."""
    return tuple(islice(drawn_ids(known.has_id), 3 * count + 16))
