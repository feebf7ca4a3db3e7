"""What plans for a question find beside it, as one answer within one limit and budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest

from memwiki.answers.recall import PlannedRound, PlanUse, Recall
from memwiki.fence import one_line
from memwiki.nouns import Hit
from memwiki.options import RecallMode, RecallOptions, SearchPlan
from memwiki.recall.prompt import fitting

_MAX_QUERY = 500  # characters
_MAX_LISTED = 8  # of each list of a plan
_USUAL = SearchPlan("").search_mode  # that of the settings


class PlannedSearch:
    """A question that was asked by itself, and the rounds after it; `ask` is recall itself."""

    def __init__(
        self, question: str, options: RecallOptions, ask: Callable[[str, RecallOptions], Recall]
    ) -> None:
        self._options, self._ask = options, ask
        self._asked = options._replace(plan=False, plans=(), budget=None)
        self._answers = [ask(question, self._asked)]
        self.hits = list(self._answers[0].hits)
        self.rounds = list[PlannedRound]()

    def follow(self, plan: SearchPlan) -> None:
        """Look for what a plan says. Raises MemwikiError for one that cannot be followed."""
        query, options = _query(plan), _options(plan, self._asked)
        found = self._ask(query, options)
        self._answers.append(_noted(found, len(self.rounds) + 1))
        before, self.hits = len(self.hits), interleave_hits([each.hits for each in self._answers])
        self.rounds.append(
            PlannedRound(
                query,
                tuple(options.types),
                plan.expand_depth,
                tuple(filter(None, (options.relation,))),
                plan.search_mode,
                len(self.hits) - before,
            )
        )

    def answer(self, model: str = "", reason: str = "") -> Recall:
        """One answer of all, with as many hits as are wanted and fit; who planned it, and why no
        further."""
        plain = self._answers[0]
        shown = self.hits[: self._options.limit]
        kept, used = fitting(shown, self._options.budget)
        left = {"over limit": len(self.hits) - len(shown), "over budget": len(shown) - len(kept)}
        known = plain.left_out
        return plain._replace(
            total=plain.total + len(self.hits) - len(plain.hits),
            fallback=all(each.fallback for each in self._answers if each.hits) and bool(self.hits),
            has_relevant=any(each.has_relevant for each in self._answers),
            hits=tuple(kept),
            left_out={**known, **{why: known.get(why, 0) + n for why, n in left.items() if n}},
            tokens=used,
            cached=False,
            plan=PlanUse(bool(self.rounds), model, tuple(self.rounds), reason),
        )


def recall_as_planned(
    question: str, options: RecallOptions, ask: Callable[[str, RecallOptions], Recall]
) -> Recall:
    """What answers a question, and what its `plans` find, one after the other."""
    search = PlannedSearch(question, options, ask)
    for plan in options.plans:
        search.follow(plan)
    return search.answer()


def interleave_hits(lists: Sequence[Sequence[Hit]]) -> list[Hit]:
    """The hits of several questions in turns, each once: scores of different words say nothing of
    each other."""
    found: dict[tuple[object, ...], Hit] = {}
    for row in zip_longest(*lists):
        for hit in filter(None, row):
            found.setdefault((hit.path, hit.line_start, hit.line_end, hit.id), hit)
    return list(found.values())


def _query(plan: SearchPlan) -> str:
    """The words that are looked for, with the names that they lack."""
    text = one_line(plan.semantic_query)
    names = (one_line(each) for each in plan.subject_includes[:_MAX_LISTED])
    return " ".join([text, *(each for each in names if each not in text)])[:_MAX_QUERY]


def _options(plan: SearchPlan, asked: RecallOptions) -> RecallOptions:
    """How they are looked for; what somebody asked for counts more."""
    mode = RecallMode.DEEP if plan.expand_depth else RecallMode.FAST
    is_free = not asked.search_mode and plan.search_mode != _USUAL
    return asked._replace(
        types=asked.types or tuple(plan.memory_types[:_MAX_LISTED]),
        mode=mode,
        depth=plan.expand_depth,
        relation=asked.relation or next(iter(plan.relation_filters), ""),
        search_mode=plan.search_mode if is_free else asked.search_mode,
    )


def _noted(answer: Recall, number: int) -> Recall:
    """The same with the round in what is explained of each hit."""
    hits = (
        each._replace(reasons=(*each.reasons, f"round {number}")) if each.reasons else each
        for each in answer.hits
    )
    return answer._replace(hits=tuple(hits))
