"""A question answered from what recall found, in a few sentences that cite the lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TypeVar

from pydantic import BaseModel, Field

from memwiki.answers.curation import (
    AnswerSentence,
    AskAnswer,
    Brief,
    DroppedSentence,
    JobPreview,
)
from memwiki.answers.recall import Recall
from memwiki.curation.jobs import SHARE, CitedSentence, Job, brief_text
from memwiki.curation.passages import ShownPassages, speaker_named
from memwiki.curation.running import request_of
from memwiki.curation.work import BY_HAND_TOKENS
from memwiki.errors import (
    MemwikiError,
    MissingExtraError,
    ModelError,
    NeedsModelError,
    NotFoundError,
)
from memwiki.fence import one_line
from memwiki.models.faults import ModelCutError, ModelReplyError, ModelTooLongError
from memwiki.models.opening import ModelRun
from memwiki.models.port import Ask
from memwiki.models.reply import ask_for, parsed
from memwiki.proposals.evidence import judge_support
from memwiki.proposals.flags import Flag, flags_of
from memwiki.proposals.wording import MAX_CHARACTERS, UNWRITABLE, plain_sentence
from memwiki.secrets import without_secrets
from memwiki.sync.live import LiveIndex
from memwiki.text import pattern

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
        judged = [each for given in reply.sentences for each in self._judged(given)]
        rows = list({each.text: each for each in judged}.values())  # each said once
        return self.unanswered()._replace(
            sentences=tuple(each for each in rows if isinstance(each, AnswerSentence)),
            dropped=tuple(each for each in rows if isinstance(each, DroppedSentence)),
            is_answered=True,
            model=model,
        )

    def _judged(self, given: CitedSentence) -> Iterator[AnswerSentence | DroppedSentence]:
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
        return _as_it_fits(live, found, run, lambda asking: _asked(asking, run))
    except (ModelError, MissingExtraError) as error:
        asking = Asking(live, found, BY_HAND_TOKENS)
        if asking.has_passages and isinstance(error, NeedsModelError):
            return asking.unanswered()._replace(brief=brief_text(asking.request))
        return asking.unanswered(None if isinstance(error, NeedsModelError) else error)


def _asked(asking: Asking, run: ModelRun) -> AskAnswer:
    if not asking.has_passages:
        return asking.unanswered()
    with closing(run.chat()) as chat:
        reply = ask_for(chat, asking.request, AskReply, run.replies).value
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
    return JobPreview((request_of(sent),), "")


def brief(live: LiveIndex, found: Recall, room: int | None) -> Brief:
    """The job as one text for any model. Raises NotFoundError."""
    text = brief_text(Asking(live, found, room or BY_HAND_TOKENS).request)
    return Brief("", ASK.prompt.job, text, 1, len(ASK.prompt.text))


def answer_by_hand(
    live: LiveIndex, found: Recall, text: str, model: str, room: int | None
) -> AskAnswer:
    """What somebody else's model answered to the brief, judged like any other reply: by the
    passages as they are now. Raises ModelReplyError for what is no such reply."""
    reply, reasons = parsed(text, AskReply)
    if reply is None:
        raise ModelReplyError("the reply", f"is not as asked: {reasons}")
    return Asking(live, found, room or BY_HAND_TOKENS).answered(reply, model)
