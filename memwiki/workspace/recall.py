"""What a workspace makes of recall: options as keywords, a measured answer, a prompt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import monotonic_ns

from memwiki.answers.recall import PromptBlock, Recall
from memwiki.memory.listing import core_entries
from memwiki.recall.prompt import prompt_of
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading


def timed(ask: Callable[[], Recall]) -> Recall:
    """An answer with the milliseconds that it took."""
    began = monotonic_ns()
    answer = ask()
    return replace(answer, ms=round((monotonic_ns() - began) / 1e6, 3))


def prompt(
    live: LiveIndex,
    answer: Recall | None,
    budget: int | None,
    *,
    has_core: bool | None = None,
    has_scores: bool = False,
) -> PromptBlock:
    """What is always worth knowing, and what a question recalled, in a budget of tokens."""
    settings = live.context.config.recall
    limit = settings.budget_tokens if budget is None else budget
    if (settings.core_in_prompt if has_core is None else has_core) or answer is None:
        with reading(live) as view:
            freshness = view.freshness
        core = core_entries(live, None).entries
        return prompt_of(core, answer, freshness, limit, has_scores=has_scores)
    return prompt_of((), answer, None, limit, has_scores=has_scores)
