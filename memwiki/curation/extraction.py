"""Extraction carried out: portion by portion, asked of a model or handed over as a brief."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from memwiki.curation.extract import (
    ExtractReply,
    extract_ask,
    extract_prompt,
    suggestions,
)
from memwiki.curation.jobs import brief_text
from memwiki.curation.portions import Portion, portions
from memwiki.errors import ConflictError, NotFoundError, UsageError
from memwiki.memory.known_facts import KnownFacts
from memwiki.models.faults import ModelReplyError
from memwiki.models.outgoing import OutgoingFiles
from memwiki.models.port import Ask, Chat, Spent
from memwiki.models.replies import Replies
from memwiki.models.reply import ask_for, parsed
from memwiki.names import without_suffix
from memwiki.proposals.numbering import source_at, source_of_text
from memwiki.proposals.operations import Proposal, ProposalSource
from memwiki.proposals.proposing import KnownEntry, operations_of
from memwiki.proposals.source import NumberedSource
from memwiki.proposals.store import ProposalStore
from memwiki.proposals.suggested import known_entry
from memwiki.secrets import without_secrets
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading

MAX_KNOWN = 10  # facts that are shown as known already
_SHARE = 2  # of the context that a portion may take
BY_HAND_TOKENS = 16_000  # of the context of whoever a brief is handed to


class ExtractedPortion(NamedTuple):
    """What came of one portion."""

    proposal: Proposal
    spent: Spent
    is_cached: bool


class Extraction:
    """What is to be extracted of one source, and how far that is; `live` is the public view."""

    def __init__(
        self, live: LiveIndex, source: NumberedSource, context_tokens: int, goal: str = ""
    ) -> None:
        if source.path and (why := outgoing_files(live).why_kept(source.path)):
            raise NotFoundError.at(source.path, f"is kept back ({why})", "leave it out")
        self._live, self.source, self._goal = live, source, goal
        self._store = ProposalStore(live)
        self.portions = list(portions(source, context_tokens // _SHARE))
        self._kept = [
            each
            for each in self._store.all()
            if (each.job, each.source.path) == (extract_prompt().job, source.path)
        ]
        answered = {each.source.part for each in self._kept if each.is_answered}
        self.waiting = [each for each in self.portions if each.key not in answered]

    def ask(self, portion: Portion) -> tuple[Ask, Sequence[KnownEntry]]:
        """What is asked about a portion, and the entries that it shows as known."""
        known = list(_like(self._live, portion.text))
        return extract_ask(self.source, portion, known, self._goal), known

    def brief(self) -> tuple[Proposal, str]:
        """The first portion that waits, as a proposal that nobody answered yet, and the text of
        the job. Raises NotFoundError where none waits."""
        if not self.waiting:
            raise nothing_left(self.source)
        portion = self.waiting[0]
        ask, known = self.ask(portion)
        asked = self._proposal(portion, known)
        same = (e for e in self._kept if not e.is_answered and e.source == asked.source)
        again = next(same, None)
        return self._store.put(asked._replace(id=again.id) if again else asked), brief_text(ask)

    def run(self, portion: Portion, chat: Chat, replies: Replies | None = None) -> ExtractedPortion:
        """Ask a model about a portion, and keep what it proposes. Raises ModelError."""
        ask, known = self.ask(portion)
        answer = ask_for(chat, ask, ExtractReply, replies)
        host, _, model = chat.key.partition(" ")
        asked = self._proposal(portion, known)._replace(model=model, host=host)
        answered = _answered(self._live, asked, portion, self.source, answer.value)
        return ExtractedPortion(self._store.put(answered), answer.spent, answer.is_cached)

    def _proposal(self, portion: Portion, known: Sequence[KnownEntry]) -> Proposal:
        path, digest = self.source.path, self.source.digest
        count = len(portion.lines)
        source = ProposalSource(path, digest, portion.key, portion.first, count)
        return Proposal(
            self._store.new_id(),
            self._store.now,
            extract_prompt().job,
            source,
            known=tuple(each.id for each in known),
            shown=() if path else tuple(each.text for each in portion.lines),
            goal=self._goal,
        )


def task_of(goal: str, result: str) -> str:
    """What a model is told of the task that is spoken of."""
    parts = {"Goal of the task": goal.strip(), "Result of the task": result.strip()}
    return "\n".join(f"{name}: {without_secrets(text)}" for name, text in parts.items() if text)


def nothing_left(source: NumberedSource) -> NotFoundError:
    """The error where all of a source was extracted."""
    return NotFoundError(
        f"{source.path or 'the text'}: all of it was extracted", "memwiki review --all"
    )


def answer_by_hand(live: LiveIndex, asked: Proposal, text: str, model: str) -> Proposal:
    """What somebody else's model answered to a brief, judged like any other reply.

    Raises UsageError for what was answered already, ModelReplyError for what is no such reply,
    ConflictError where the source says something else by now.
    """
    if asked.is_answered:
        raise UsageError(f"{asked.id}: was answered already", "memwiki extract makes a new brief")
    if asked.job != extract_prompt().job:
        raise UsageError(f"{asked.id}: {asked.job} takes no reply", "memwiki review")
    reply, reasons = parsed(text, ExtractReply)
    if reply is None:
        raise ModelReplyError("the reply", f"is not as asked: {reasons}")
    path, shown = asked.source.path, "\n".join(asked.shown)
    source = source_at(live, path) if path else source_of_text(shown)
    portion = _portion_of(asked, source)
    named = asked._replace(model=model)
    return ProposalStore(live).put(_answered(live, named, portion, source, reply))


def _portion_of(asked: Proposal, source: NumberedSource) -> Portion:
    """The lines that were shown, if they are as they were."""
    first = max(asked.source.first, 1)
    start = first - 1 if asked.source.path else 0
    portion = Portion(first, source.lines[start : start + asked.source.lines])
    if portion.key != asked.source.part:
        raise ConflictError(
            f"{asked.source.path or asked.id}: says something else by now", "extract it again"
        )
    return portion


def _answered(
    live: LiveIndex, asked: Proposal, portion: Portion, source: NumberedSource, reply: ExtractReply
) -> Proposal:
    """A proposal with what the reply to it proposes."""
    config = live.context.config
    known = [_known(live, each) for each in asked.known]
    given = suggestions(
        reply,
        portion,
        known,
        session=_session_of(live, source),
        min_importance=config.extract.min_importance,
    )
    before = 0 if asked.source.path else portion.first - 1  # lines that are not at hand
    placed = [each._replace(cited=tuple(n - before for n in each.cited)) for each in given]
    entries = {each.id: each for each in known if each}
    made = operations_of(placed, source, entries, support=config.models.support)
    return asked._replace(operations=made, is_answered=True, shown=())


def _session_of(live: LiveIndex, source: NumberedSource) -> str:
    """The id of the session that a source is, "" of any other."""
    folder = live.context.own_layers().sessions
    is_one = bool(folder) and source.path.startswith(f"{folder}/")
    return without_suffix(source.path.removeprefix(f"{folder}/")) if is_one else ""


def _known(live: LiveIndex, id_: str) -> KnownEntry | None:
    with suppress(NotFoundError):
        return known_entry(live, id_)
    return None


def _like(live: LiveIndex, text: str) -> Iterator[KnownEntry]:
    """The entries that a text is most likely to repeat; none of a file that is kept back."""
    with reading(live) as view:
        found = [each.located for each in KnownFacts(live, view).like(text)]
    files = outgoing_files(live)
    for path, _, entry in found[:MAX_KNOWN]:
        if entry.id and not files.why_kept(path):
            yield KnownEntry(entry.id, entry.text, entry.fields.get("origin", ""))


def outgoing_files(live: LiveIndex) -> OutgoingFiles:
    """What of the workspace may be shown to a model."""
    context = live.context
    withhold = context.config.models.withhold
    return OutgoingFiles(context.root, context.ignore(), context.scope(), withhold)
