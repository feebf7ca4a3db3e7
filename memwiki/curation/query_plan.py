"""A question whose search a model plans: what it is likely to be answered with, in rounds. Whatever
fails, what recall finds by itself is given, and no round is waited for longer than two seconds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import closing
from math import inf
from threading import Thread
from typing import Literal

from pydantic import BaseModel, Field

from memwiki.answers.curation import OutgoingRequest
from memwiki.answers.recall import Recall
from memwiki.curation.ask import ShownPassages
from memwiki.curation.jobs import SHARE, Job
from memwiki.curation.running import request_of
from memwiki.errors import MemwikiError, ModelError
from memwiki.fence import one_line
from memwiki.models.faults import ModelSlowError
from memwiki.models.opening import ModelRun
from memwiki.models.port import Ask
from memwiki.models.reply import ask_for
from memwiki.nouns import Hit
from memwiki.options import MAX_ROUNDS, RecallOptions, SearchPlan
from memwiki.recall.plans import PlannedSearch
from memwiki.secrets import without_secrets
from memwiki.sync.live import LiveIndex

WAIT_SECONDS = 2.0
_NOTHING = "Nothing was found so far."


class QueryPlan(BaseModel):
    """The reply: what to look for."""

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
    request = planner.request(())
    waiting = planner.begin(request)  # while recall answers by itself
    search, reason = PlannedSearch(question, options, ask), ""
    while True:
        try:
            plan = planner.result(waiting)
            search.follow(SearchPlan(**plan.model_dump(exclude={"more"})))
        except MemwikiError as error:
            reason = error.message
            break
        if not plan.more or len(search.rounds) == MAX_ROUNDS:
            break
        last, request = request, planner.request(search.hits)
        if request == last:
            break
        waiting = planner.begin(request)
    return search.answer(planner.model, reason)


def plan_request(live: LiveIndex, run: ModelRun, question: str) -> OutgoingRequest:
    """The first request that a plan sends, to the byte. Raises ModelError."""
    with closing(run.chat()) as chat:
        return request_of(chat.outgoing(Planner(live, run, question).request(())))
