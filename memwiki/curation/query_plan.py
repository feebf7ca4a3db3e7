"""A question whose search a model plans: what it is likely to be answered with, in rounds. Whatever
fails, what recall finds by itself is given, and no round is waited for longer than two seconds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from itertools import zip_longest
from math import inf
from threading import Thread
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from memwiki.answers.curation import OutgoingRequest
from memwiki.answers.recall import PlannedRound, PlanUse, Recall
from memwiki.curation.jobs import SHARE, Job
from memwiki.curation.passages import ShownPassages
from memwiki.curation.running import request_of
from memwiki.errors import MemwikiError, ModelError
from memwiki.fence import one_line
from memwiki.models.faults import ModelSlowError
from memwiki.models.opening import ModelRun
from memwiki.models.port import Ask
from memwiki.models.reply import ask_for
from memwiki.nouns import Hit
from memwiki.options import RecallMode, RecallOptions
from memwiki.recall.prompt import fitting
from memwiki.secrets import without_secrets
from memwiki.sync.live import LiveIndex

MAX_ROUNDS = 3
WAIT_SECONDS = 2.0
_MAX_QUERY = 500  # characters
_MAX_LISTED = 8  # of each list of a plan
_NOTHING = "Nothing was found so far."
_USUAL = "hybrid"  # the mode of search that is that of the settings


class QueryPlan(BaseModel):
    """The reply: what to look for."""

    model_config = ConfigDict(extra="ignore")

    semantic_query: str = Field(min_length=1)
    subject_includes: list[str] = []
    memory_types: list[str] = []
    expand_depth: int = Field(0, ge=0, le=3)
    relation_filters: list[str] = []
    search_mode: Literal["hybrid", "bm25", "embedding"] = "hybrid"
    more: bool = False


PLAN = Job("query_plan", QueryPlan)


class Planner:
    """Asks the model of a run for plans, each within two seconds, the first one of them from
    `began` on; `live` is the public view."""

    def __init__(self, live: LiveIndex, run: ModelRun, question: str, began: float = inf) -> None:
        self._live, self._question, self._began = live, question, began
        chat = run.models.chat
        self.model = chat.model or chat.file
        quick = chat._replace(
            idle_seconds=min(chat.idle_seconds, WAIT_SECONDS),
            total_seconds=min(chat.total_seconds, WAIT_SECONDS),
        )
        self._run = run._replace(models=run.models._replace(chat=quick))

    def request(self, hits: Sequence[Hit]) -> Ask:
        """What is asked after these were found."""
        room = self._run.models.chat.context_tokens // SHARE
        shown = ShownPassages(self._live, hits, room).text
        question = without_secrets(one_line(self._question))
        return PLAN.ask((f"Question: {question}",), shown or _NOTHING)

    def begin(self, request: Ask) -> Future[QueryPlan]:
        """Ask in a thread that nobody has to wait for; what a server does not end by itself, such
        as looking up its name, ends with the process."""
        plan = Future[QueryPlan]()
        self._until = min(self._run.timing.monotonic(), self._began) + WAIT_SECONDS
        self._began = inf

        def ask() -> None:
            try:
                plan.set_result(self._asked(request))
            except MemwikiError as error:
                plan.set_exception(error)
            except BaseException as error:
                plan.set_exception(error)
                raise

        Thread(target=ask, daemon=True).start()
        return plan

    def result(self, plan: Future[QueryPlan]) -> QueryPlan:
        """The plan, if it is there in time. Raises ModelError."""
        try:
            return plan.result(max(self._until - self._run.timing.monotonic(), 0))
        except TimeoutError:
            what = f"gave no plan within {WAIT_SECONDS:g} seconds"
            raise ModelSlowError(self.model, what, "") from None

    def _asked(self, request: Ask) -> QueryPlan:
        if self._run.models.chat.file:
            what = "loading a file takes longer than a plan may take"
            raise ModelError(f"{self.model}: {what}", "serve it, and set models.chat.base_url")
        with closing(self._run.chat()) as chat:
            return ask_for(chat, request, QueryPlan, self._run.replies).value


def planned(
    planner: Planner,
    question: str,
    options: RecallOptions,
    ask: Callable[[str, RecallOptions], Recall],
) -> Recall:
    """What answers a question, and what the plans for it find; `ask` is recall itself."""
    asked = options._replace(plan=False, budget=None)
    request = planner.request(())
    waiting = planner.begin(request)  # while recall answers by itself
    answers, rounds, reason = [ask(question, asked)], list[PlannedRound](), ""
    hits = list(answers[0].hits)
    while True:
        try:
            plan = planner.result(waiting)
            answers.append(_noted(ask(_query(plan), _options(plan, asked)), len(rounds) + 1))
        except MemwikiError as error:
            reason = error.message
            break
        before, hits = len(hits), joined([each.hits for each in answers])
        rounds.append(_round(plan, asked, len(hits) - before))
        if not plan.more or len(rounds) == MAX_ROUNDS:
            break
        last, request = request, planner.request(hits)
        if request == last:
            break
        waiting = planner.begin(request)
    use = PlanUse(bool(rounds), planner.model, tuple(rounds), reason)
    return replace(_packed(answers, hits, options), plan=use)


def joined(lists: Sequence[Sequence[Hit]]) -> list[Hit]:
    """The hits of several questions in turns, each once: scores of different words say nothing of
    each other."""
    found: dict[tuple[object, ...], Hit] = {}
    for row in zip_longest(*lists):
        for hit in filter(None, row):
            found.setdefault((hit.path, hit.line_start, hit.line_end, hit.id), hit)
    return list(found.values())


def _query(plan: QueryPlan) -> str:
    """The words that are looked for, with the names that they lack."""
    text = one_line(plan.semantic_query)
    names = (one_line(each) for each in plan.subject_includes[:_MAX_LISTED])
    return " ".join([text, *(each for each in names if each not in text)])[:_MAX_QUERY]


def _options(plan: QueryPlan, asked: RecallOptions) -> RecallOptions:
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


def _round(plan: QueryPlan, asked: RecallOptions, added: int) -> PlannedRound:
    made = _options(plan, asked)
    relations = tuple(filter(None, (made.relation,)))
    return PlannedRound(
        _query(plan), tuple(made.types), plan.expand_depth, relations, plan.search_mode, added
    )


def _noted(answer: Recall, number: int) -> Recall:
    """The same with the round in what is explained of each hit."""
    hits = (
        each._replace(reasons=(*each.reasons, f"round {number}")) if each.reasons else each
        for each in answer.hits
    )
    return replace(answer, hits=tuple(hits))


def _packed(answers: Sequence[Recall], hits: Sequence[Hit], options: RecallOptions) -> Recall:
    """One answer of them, with as many hits as are wanted and fit."""
    plain = answers[0]
    shown = hits[: options.limit]
    kept, used = fitting(shown, options.budget)
    left = {"over limit": len(hits) - len(shown), "over budget": len(shown) - len(kept)}
    known = plain.left_out
    return replace(
        plain,
        total=plain.total + len(hits) - len(plain.hits),
        fallback=all(each.fallback for each in answers if each.hits) and bool(hits),
        has_relevant=any(each.has_relevant for each in answers),
        hits=tuple(kept),
        left_out={**known, **{why: known.get(why, 0) + n for why, n in left.items() if n}},
        tokens=used,
        cached=False,
    )


def plan_request(live: LiveIndex, run: ModelRun, question: str) -> OutgoingRequest:
    """The first request that a plan sends, to the byte. Raises ModelError."""
    with closing(run.chat()) as chat:
        return request_of(chat.outgoing(Planner(live, run, question).request(())))
