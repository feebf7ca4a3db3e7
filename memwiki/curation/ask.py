"""A question answered from what recall found: as numbered lines, in a few sentences that cite
them; and a question whose search a model plans."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from functools import cached_property
from math import inf
from threading import Thread
from typing import Literal, NamedTuple, TypeVar

from pydantic import BaseModel, Field

from memwiki.answers.curation import (
    AnswerSentence,
    AskAnswer,
    Brief,
    Citation,
    DroppedSentence,
    JobPreview,
    OutgoingRequest,
)
from memwiki.answers.recall import Recall
from memwiki.curation.jobs import SHARE, CitedSentence, Job, brief_text, fitting
from memwiki.curation.work import BY_HAND_TOKENS, outgoing_files
from memwiki.errors import (
    MemwikiError,
    MissingExtraError,
    ModelError,
    NeedsModelError,
    NotFoundError,
)
from memwiki.fence import one_line
from memwiki.models.faults import ModelCutError, ModelSlowError, ModelTooLongError
from memwiki.models.opening import ModelRun
from memwiki.models.port import Ask
from memwiki.models.reply import ask_for, reply_given
from memwiki.nouns import Hit
from memwiki.options import MAX_ROUNDS, RecallOptions, SearchPlan
from memwiki.proposals.evidence import AROUND, judge_support
from memwiki.proposals.flags import Flag, flags_of
from memwiki.proposals.numbering import NumberedSource, SourceLine, number_lines, source_at
from memwiki.proposals.wording import MAX_CHARACTERS, UNWRITABLE, plain_sentence
from memwiki.recall.plans import PlannedSearch
from memwiki.secrets import without_secrets
from memwiki.sync.live import LiveIndex
from memwiki.text import is_cjk, pattern, tokens

_GAP = (SourceLine(""),) * AROUND  # so that no passage supports what another one is cited for
WAIT_SECONDS = 2.0
_NOTHING = "Nothing was found so far."


class ShownPassage(NamedTuple):
    """The lines of one hit, numbered from `first` on."""

    path: str
    title: str  # with its section, and the day it was written
    first: int
    lines: Sequence[SourceLine]

    @property
    def text(self) -> str:
        """The lines as they are shown."""
        return f"{self.title}\n{number_lines(self.lines, self.first)}"

    @property
    def date(self) -> str:
        """When it was said, or written."""
        return (self.lines[0].time or self.title.rpartition("] ")[2])[:10]

    def cited(self, numbers: Iterable[int]) -> list[int]:
        """Which of these numbers are its lines, as places from 0 on."""
        places = (number - self.first for number in numbers)
        return [at for at in places if 0 <= at < len(self.lines)]


class _Stretch:
    """The lines that a hit has brought in, by their places in their source."""

    def __init__(self, path: str, title: str) -> None:
        self.path, self.title = path, title
        self.lines: dict[int, SourceLine] = {}


class ShownPassages:
    """The best hits whose lines fit into so many tokens, without what no model may be sent; `live`
    is the public view."""

    def __init__(self, live: LiveIndex, hits: Iterable[Hit], max_tokens: int) -> None:
        self._live, self._files, self._room = live, outgoing_files(live), max_tokens
        self._sources: dict[str, NumberedSource] = {}
        self._known: dict[tuple[str, int], _Stretch] = {}
        self._stretches: list[_Stretch] = []
        self.kept_back: dict[str, str] = {}
        for hit in hits:
            self._add(hit)
        for each in self._stretches:
            self._add_beside(each)

    @cached_property
    def _passages(self) -> Sequence[ShownPassage]:
        found, first = list[ShownPassage](), 1
        for each in filter(lambda stretch: stretch.lines, self._stretches):
            lines = [each.lines[at] for at in sorted(each.lines)]
            found.append(ShownPassage(each.path, each.title, first, lines))
            first += len(lines)
        return found

    @property
    def text(self) -> str:
        """All of it as it is shown."""
        return "\n\n".join(each.text for each in self._passages)

    def source_of(self, numbers: Sequence[int]) -> tuple[NumberedSource, tuple[int, ...]]:
        """The passages that these lines are of, apart from each other and each with its title as
        who speaks, and all who took part in a talk; and the numbers that the lines have there."""
        lines, cited, dates = list[SourceLine](), list[int](), list[str]()
        for each in self._passages:
            if places := each.cited(numbers):
                cited += [len(lines) + at + 1 for at in places]
                lines += [line._replace(speaker=line.speaker or each.title) for line in each.lines]
                spoken = dict.fromkeys((e.speaker, e.role) for e in self._source(each.path).lines)
                lines += [*_GAP, *(SourceLine("", *who) for who in spoken if all(who)), *_GAP]
                dates.append(each.date)
        return NumberedSource(lines, dates[0] if dates else ""), tuple(cited)

    def citations(self, numbers: Sequence[int]) -> Iterator[Citation]:
        """Where these lines are, those that follow each other as one."""
        for each in self._passages:
            last: Citation | None = None
            for at in sorted({*each.cited(numbers)}):
                line = each.lines[at]
                if last and not line.id and line.line == last.line_end + 1:
                    last = last._replace(line_end=line.line)
                    continue
                if last:
                    yield last
                last = Citation(each.path, line.line, line.line, line.id)
            if last:
                yield last

    def _add(self, hit: Hit) -> None:
        path = hit.path
        if why := self._files.why_kept(path):
            self.kept_back[path] = why
            return
        source = self._source(path)
        stretch = _Stretch(path, _title(hit, source))
        self._room -= tokens(stretch.title)
        self._stretches.append(stretch)
        for at in _places(hit, source.lines):
            self._take(stretch, at, may_cut=True)

    def _add_beside(self, stretch: _Stretch) -> None:
        """With a message come those around it, as far as there is room when all hits are in: alone
        it supports 78 % of what is said of it, with them 94 % (2026-11-26)."""
        lines = self._source(stretch.path).lines
        own = [at for at in stretch.lines if lines[at].id]
        for far in range(1, AROUND + 1):
            for at in dict.fromkeys(near for place in own for near in (place - far, place + far)):
                if 0 <= at < len(lines) and lines[at].line:
                    self._take(stretch, at, may_cut=False)

    def _take(self, stretch: _Stretch, at: int, *, may_cut: bool) -> None:
        """Take a line in, if it fits; of one that another hit brought in all that came with it,
        where both are messages."""
        path, source = stretch.path, self._source(stretch.path)
        known = self._known.get((path, at))
        if known is None:
            line = source.lines[at]
            cut = fitting(line, max(self._room, 0)) if may_cut else line
            cost = tokens(number_lines([cut])) + 1
            if cut.text and cost <= self._room:
                self._room -= cost
                stretch.lines[at] = cut
                self._known[path, at] = stretch
        elif stretch.lines and known is not stretch and source.lines[at].id:
            stretch.lines |= known.lines
            self._known |= {(path, each): stretch for each in known.lines}
            known.lines = {}

    def _source(self, path: str) -> NumberedSource:
        if path not in self._sources:
            try:
                found = source_at(self._live, path, for_answer=True)
            except MemwikiError:  # it went meanwhile
                found = NumberedSource(())
            self._sources[path] = found
        return self._sources[path]


def speaker_named(text: str, lines: Iterable[SourceLine]) -> str:
    """Whom of those who speak a text names first, "" for none: it is likely about him."""
    parts = {part: line.speaker for line in lines if line.role for part in line.speaker.split()}
    found = [
        (match.start(), name)
        for part, name in parts.items()
        if (match := re.search(part if is_cjk(part) else rf"\b{re.escape(part)}\b", text))
    ]
    return min(found, default=(0, ""))[1]


def _places(hit: Hit, lines: Sequence[SourceLine]) -> list[int]:
    """Where the lines of a hit are; of a part of a message all of it."""
    within = [at for at, e in enumerate(lines) if hit.line_start <= e.line <= hit.line_end]
    begun = [at for at, e in enumerate(lines) if e.id and 0 < e.line <= hit.line_start]
    return within or begun[-1:]


def _title(hit: Hit, source: NumberedSource) -> str:
    """What a model is told of a hit: no path, which it has no use for, and no heading that the
    page does not show to everybody."""
    page = "\n".join(line.text for line in source.lines)
    headings = (each for each in hit.section.split(" > ") if each in page)
    names = " > ".join(dict.fromkeys(filter(None, (hit.title, *headings))))
    return f"[{' '.join(without_secrets(names).split())}] {hit.updated[:10]}".rstrip()


MAX_SENTENCES = 6
T = TypeVar("T")
# A sentence that holds several is judged as several: what one line says supports no other one.
_END = pattern(r"(?<=[^\W_]{3}[.!?])(?<!Mrs\.)(?<!Prof\.)\s+(?=[^\W\da-z])|(?<=[。！？])(?=[^\W_])")


class AskReply(BaseModel):
    """The reply: at most six sentences."""

    sentences: list[CitedSentence] = Field(max_length=MAX_SENTENCES)


ASK = Job("ask", AskReply)


class Asking:
    """One question with the passages that a model may be shown; `live` is the public view."""

    def __init__(self, live: LiveIndex, found: Recall, context_tokens: int) -> None:
        self._found, self._support = found, live.context.config.models.support
        self._passages = ShownPassages(live, found.hits, context_tokens // SHARE)

    @property
    def has_passages(self) -> bool:
        """Whether there is anything that a model may be shown."""
        return bool(self._passages.text)

    @property
    def request(self) -> Ask:
        """What a model is asked. Raises NotFoundError where there is nothing to ask about."""
        if not self.has_passages:
            raise NotFoundError(
                f"{self._found.question}: no passage was found that may be shown", "memwiki recall"
            )
        question = without_secrets(one_line(self._found.question))
        return ASK.ask((f"Question: {question}",), self._passages.text)

    def unanswered(self, error: MemwikiError | None = None) -> AskAnswer:
        """The passages without an answer, and why there is none."""
        kept_back = tuple(f"{path}: {why}" for path, why in self._passages.kept_back.items())
        said = (error.message, error.hint) if error else ("", "")
        return AskAnswer((), (), self._found, kept_back=kept_back, error=said[0], hint=said[1])

    def answered(self, reply: AskReply, model: str) -> AskAnswer:
        """What of a reply the passages say, and what they do not."""
        judged = [each for given in reply.sentences for each in self._judge(given)]
        rows = list({each.text: each for each in judged}.values())  # each said once
        return self.unanswered()._replace(
            sentences=tuple(each for each in rows if isinstance(each, AnswerSentence)),
            dropped=tuple(each for each in rows if isinstance(each, DroppedSentence)),
            is_answered=True,
            model=model,
        )

    def _judge(self, given: CitedSentence) -> Iterator[AnswerSentence | DroppedSentence]:
        for part in _END.split(one_line(given.text)):
            if part.strip():
                yield self._sentence(part[:MAX_CHARACTERS], given.lines)

    def _sentence(self, text: str, numbers: list[int]) -> AnswerSentence | DroppedSentence:
        words = plain_sentence(text)
        if not words:
            return DroppedSentence("".join(filter(str.isprintable, text)), UNWRITABLE)
        source, cited = self._passages.source_of(numbers)
        subject = speaker_named(words, source.lines)
        support = judge_support(words, subject, cited, source, self._support)
        flags = flags_of(words, [source.lines[at - 1] for at in cited])
        if support.why:
            return DroppedSentence(words, support.why)
        if Flag.INSTRUCTION in flags:
            return DroppedSentence(words, "it reads as an instruction to an agent")
        citations = tuple(self._passages.citations(numbers))
        return AnswerSentence(words, citations, round(support.share, 4), flags)


def answer(live: LiveIndex, run: ModelRun, found: Recall) -> AskAnswer:
    """What the model that is set answers; without one, or where it fails, the passages alone."""
    try:
        return _as_it_fits(live, found, run, lambda asking: _ask(asking, run))
    except (ModelError, MissingExtraError) as error:
        asking = Asking(live, found, BY_HAND_TOKENS)
        if asking.has_passages and isinstance(error, NeedsModelError):
            return asking.unanswered()._replace(brief=brief_text(asking.request))
        return asking.unanswered(None if isinstance(error, NeedsModelError) else error)


def _ask(asking: Asking, run: ModelRun) -> AskAnswer:
    if not asking.has_passages:
        return asking.unanswered()
    with closing(run.chat()) as chat:
        reply = ask_for(chat, asking.request, AskReply, run.replies)
    answered = asking.answered(reply, chat.key.rpartition(" ")[2])
    calls, tokens_in, tokens_out = run.budget.spent
    return answered._replace(calls=calls, tokens_in=tokens_in, tokens_out=tokens_out)


def _as_it_fits(live: LiveIndex, found: Recall, run: ModelRun, use: Callable[[Asking], T]) -> T:
    """Ask with the passages that fit, once more with half of them where these or the reply are too
    long."""
    context_tokens = run.models.chat.context_tokens
    try:
        return use(Asking(live, found, context_tokens))
    except (ModelTooLongError, ModelCutError):
        return use(Asking(live, found, context_tokens // 2))


def preview(live: LiveIndex, run: ModelRun, found: Recall) -> JobPreview:
    """What `answer` would send, to the byte. Raises ModelError, NotFoundError."""
    with closing(run.chat()) as chat:
        sent = _as_it_fits(live, found, run, lambda asking: chat.outgoing(asking.request))
    return JobPreview((sent,), "")


def brief(live: LiveIndex, found: Recall, room: int | None) -> Brief:
    """The job as one text for any model. Raises NotFoundError."""
    text = brief_text(Asking(live, found, room or BY_HAND_TOKENS).request)
    return Brief("", ASK.prompt.job, text, 1, len(ASK.prompt.text))


def answer_by_hand(
    live: LiveIndex, found: Recall, text: str, model: str, room: int | None
) -> AskAnswer:
    """What somebody else's model answered to the brief, judged like any other reply: by the
    passages as they are now. Raises ModelReplyError for what is no such reply."""
    reply = reply_given(text, AskReply)
    return Asking(live, found, room or BY_HAND_TOKENS).answered(reply, model)


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
                plan.set_result(self._ask(request))
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

    def _ask(self, request: Ask) -> QueryPlan:
        if self._run.models.chat.file:
            what = "loading a file takes longer than a plan may take"
            raise ModelError(f"{self.model}: {what}", "serve it, and set models.chat.base_url")
        with closing(self._run.chat()) as chat:
            return ask_for(chat, request, QueryPlan, self._run.replies)


def recall_planned(
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
        return chat.outgoing(Planner(live, run, question).request(()))
