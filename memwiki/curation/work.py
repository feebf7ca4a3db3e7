"""A job over one source: portion by portion, asked of a model or handed over as a brief."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypedDict

from pydantic import BaseModel

from memwiki.commit.entry_edits import found_entry
from memwiki.curation.ingest import (
    INGEST,
    changed_source,
    known_page,
    known_pages,
    placed_on_pages,
    tags_told,
)
from memwiki.curation.jobs import (
    EXTRACT,
    INSTRUCT,
    LISTED,
    NEAR,
    SKILL,
    SUMMARISE,
    WORTHWHILE,
    Job,
    Portion,
    ReasonedReply,
    Shown,
    brief_text,
    portions,
)
from memwiki.curation.tidying import (
    COMPRESS,
    CONFLICTS,
    DESCRIBE,
    DOUBLES,
    ENTITIES,
    RELATIONS,
    SHORT_DOUBLES,
    WEAK,
)
from memwiki.errors import ConflictError, MemwikiError, NotFoundError, UsageError
from memwiki.memory.known_facts import KnownFacts
from memwiki.memory.view import LocatedEntry, entry_name
from memwiki.models.outgoing import OutgoingFiles
from memwiki.models.port import Ask, Chat
from memwiki.models.replies import Replies
from memwiki.models.reply import ask_for, reply_given
from memwiki.names import without_suffix
from memwiki.proposals.evidence import AROUND
from memwiki.proposals.numbering import (
    NumberedSource,
    SourceLine,
    session_to_summarise,
    source_at,
    source_named,
    source_of_text,
)
from memwiki.proposals.operations import Proposal, ProposalSource
from memwiki.proposals.page_operations import required_page
from memwiki.proposals.proposing import KnownEntry, SuggestedOperation, known_entry, operations_of
from memwiki.proposals.review import is_safe
from memwiki.proposals.store import ProposalStore, require_unanswered
from memwiki.proposals.wording import plain_sentence
from memwiki.secrets import without_secrets
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading
from memwiki.text import tokens

MAX_KNOWN = 10  # facts that are shown as known already
BY_HAND_TOKENS = 16_000  # of the context of whoever a brief is handed to
_NUMBER_TOKENS = 3  # of a line


_OF_LINES = (DOUBLES, SHORT_DOUBLES, CONFLICTS, ENTITIES, WEAK, RELATIONS, COMPRESS)  # by itself
# A reply made elsewhere may be to any of them.
JOBS: Mapping[str, Job[Any]] = {
    each.prompt.job: each
    for each in (
        EXTRACT,
        WORTHWHILE,
        SUMMARISE,
        INSTRUCT,
        NEAR,
        DESCRIBE,
        SKILL,
        INGEST,
        *_OF_LINES,
    )
}


class Task(NamedTuple):
    """What a job is asked beside its source."""

    goal: str = ""  # of the work that the source tells of
    entries: tuple[str, ...] = ()  # that it is about, by id
    page: str = ""  # about the source


NO_TASK = Task()


class JobWork:
    """What a job has to do with one source, and how far that is; `live` is the public view."""

    def __init__(
        self,
        live: LiveIndex,
        job: Job[Any],
        source: NumberedSource,
        context_tokens: int,
        task: Task = NO_TASK,
    ) -> None:
        if source.path and (why := outgoing_files(live).why_kept(source.path)):
            raise NotFoundError.at(source.path, f"is kept back ({why})", "leave it out")
        self._live, self.job, self.source, self._task = live, job, source, task
        self._store = ProposalStore(live)
        self._list_tokens = context_tokens // LISTED
        self.portions = list(portions(source, job.room(context_tokens)))
        if job.is_whole and len(self.portions) > 1:
            raise UsageError(
                f"{job.name}: {source.path} is longer than {job.room(context_tokens):,} tokens",
                "raise models.chat.context_tokens, if the model reads more",
            )
        self._kept = [
            each
            for each in self._store.all()
            if (each.job, each.source.path, each.base, each.goal)
            == (job.prompt.job, source.path, self._store.base, task.goal)
        ]
        answered = {
            each.source.part for each in self._kept if each.is_answered and not task.entries
        }
        self.waiting = [left for each in self.portions for left in each.unanswered(answered)]

    @property
    def undecided(self) -> list[str]:
        """The proposals that were made of it before, of which something can be accepted."""
        parts = {part.key for each in self.portions for part in (each, *each.halves)}
        return undecided_ids(each for each in self._kept if each.source.part in parts)

    @property
    def is_of_task(self) -> bool:
        """Whether it is asked first if anything is worth storing."""
        return self.job is WORTHWHILE

    def ask(self, portion: Portion) -> tuple[Ask, Sequence[KnownEntry]]:
        """What is asked about a portion, and the entries that it shows as known."""
        known = list(self._fitting_entries(portion.text))
        listed = "\n".join(f"{number} {each.text}" for number, each in enumerate(known))
        heading = "Pages that are there" if self.job.shows_pages else "Known already"
        parts = (
            date_told(self.source),
            self._task.goal if self.source.path else "",  # it begins a text
        )
        stored = (
            tags_told(self._live, outgoing_files(self._live)) if self.job.shows_pages else "",
            f"{heading}:\n{listed}" if listed else "",
        )
        ask = self.job.ask(parts, portion.text, "\n\n".join(filter(None, stored)))
        about = [known_entry(self._live, each) for each in self._task.entries]
        return ask, [*known, *about]

    def _fitting_entries(self, text: str) -> Iterator[KnownEntry]:
        """The first of what is shown, the others as far as there is room for them."""
        left = self._list_tokens
        for number, each in enumerate(self._shown_entries(text)):
            left -= tokens(each.text) + _NUMBER_TOKENS
            if number and left < 0:
                return
            yield each

    def _shown_entries(self, text: str) -> Iterator[KnownEntry]:
        """What of the workspace is shown beside a text."""
        if self.job.shows_pages:
            files, about = outgoing_files(self._live), self._task.page
            yield from known_pages(self._live, text, self.source.path, about, files)
        elif self.job.shows_known:
            yield from _like(self._live, text)

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

    def run(self, portion: Portion, chat: Chat, replies: Replies | None = None) -> Proposal:
        """Ask a model about a portion, and keep what it proposes. Raises ModelError."""
        ask, known = self.ask(portion)
        reply = ask_for(chat, ask, self.job.form, replies)
        host, _, model = chat.key.partition(" ")
        asked = self._proposal(portion, known)._replace(model=model, host=host)
        source = self.source
        if not source.path:  # as it is kept with a brief
            source = source._replace(lines=portion.lines)
        return self._store.put(_answered(self._live, self.job, asked, portion, source, reply))

    def halves(self, portion: Portion) -> Sequence[Portion]:
        """A portion in two, for a model that reads no more; none where it is asked as a whole."""
        return () if self.job.is_whole or self._task.entries else portion.halves

    def _proposal(self, portion: Portion, known: Sequence[KnownEntry]) -> Proposal:
        path, digest = self.source.path, self.source.digest
        count = len(portion.lines)
        source = ProposalSource(path, digest, portion.key, portion.first, count)
        return Proposal(
            self._store.new_id(),
            self._store.now,
            self.job.prompt.job,
            source,
            known=tuple(each.id for each in known),
            shown=() if path else tuple(each.text for each in portion.lines),
            goal=self._task.goal,
        )


def date_told(source: NumberedSource) -> str:
    """What a model is told of the day of a conversation."""
    return f"Date of the conversation: {source.date}" if source.date else ""


def undecided_ids(made: Iterable[Proposal]) -> list[str]:
    """The ids of those of which something can be accepted."""
    return [each.id for each in made if any(map(is_safe, each.operations))]


class ToldText(TypedDict, total=False):
    """What is extracted from beside a session or page: a text, the goal and result of a task; with
    `skill` how that was done."""

    text: str
    goal: str
    result: str
    skill: bool


def extract_work(
    live: LiveIndex,
    source: str,
    context_tokens: int,
    *,
    text: str = "",
    goal: str = "",
    result: str = "",
    skill: bool = False,
) -> JobWork:
    """What is left to ask about a session or page, or about a text and the task that it tells
    of."""
    parts = {"Goal of the task": goal.strip(), "Result of the task": result.strip()}
    told = "\n".join(f"{name}: {without_secrets(said)}" for name, said in parts.items() if said)
    if source:
        read = source_named(live, source)
    else:  # what the task was and came to can be cited, too
        read = source_of_text("\n".join(filter(None, (told, text))))
    job = SKILL if skill else WORTHWHILE if told else EXTRACT
    return JobWork(live, job, read, context_tokens, Task(told))


def summary_work(live: LiveIndex, session: str, context_tokens: int) -> JobWork:
    """What a session was about."""
    return JobWork(live, SUMMARISE, session_to_summarise(live, session), context_tokens)


def instruction_work(live: LiveIndex, entry: str, instruction: str, context_tokens: int) -> JobWork:
    """An entry in other words, as an instruction says."""
    found = found_entry(live, entry)
    read = entry_source(live, found, instruction)
    task = Task(entries=(entry_name(found.path, found.entry),))
    return JobWork(live, INSTRUCT, read, context_tokens, task)


def ingest_work(live: LiveIndex, source: str, context_tokens: int) -> JobWork:
    """What is left to ask about a source in raw/; of another version of one, what changed. Raises
    NotFoundError for a source that no page is about."""
    read = source_named(live, source)
    page = required_page(live, read.path)
    changed = changed_source(live, read, page)
    return JobWork(live, INGEST, changed, context_tokens, Task(page=page))


def entry_source(live: LiveIndex, found: LocatedEntry, text: str) -> NumberedSource:
    """An entry and another text, as two lines. Raises NotFoundError for an entry of a page that is
    kept back."""
    if why := outgoing_files(live).why_kept(found.path):
        raise NotFoundError.at(found.path, f"is kept back ({why})", "change it yourself")
    return source_of_text(f"{_one_line(found.entry.text)}\n{_one_line(text)}")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def nothing_left(source: NumberedSource) -> MemwikiError:
    """The error where all of a source was answered, or nothing was given."""
    if not (source.path or source.lines):
        return UsageError("the text is empty", "nothing was asked")
    return NotFoundError(
        f"{source.path or 'the text'}: all of it was answered", "memwiki review --all"
    )


def answer_by_hand(live: LiveIndex, asked: Proposal, text: str, model: str) -> Proposal:
    """What somebody else's model answered to a brief, judged like any other reply.

    Raises UsageError for what was answered already, ModelReplyError for what is no such reply,
    ConflictError where the source says something else by now.
    """
    require_unanswered(asked)
    job = JOBS.get(asked.job)
    if job is None:
        raise UsageError(f"{asked.id}: {asked.job} takes no reply", "memwiki review")
    reply = reply_given(text, job.form)
    path, shown = asked.source.path, "\n".join(asked.shown)
    source = source_at(live, path) if path else source_of_text(shown)
    if job.shows_pages:
        source = changed_source(live, source, asked.known[0])
    portion = _portion_of(asked, source)
    named = asked._replace(model=model)
    return ProposalStore(live).put(_answered(live, job, named, portion, source, reply))


def _portion_of(asked: Proposal, source: NumberedSource) -> Portion:
    """The lines that were shown, if they are as they were."""
    first = max(asked.source.first, 1)
    start = first - 1 if asked.source.path else 0
    portion = Portion(first, source.lines[start : start + asked.source.lines])
    if portion.key != asked.source.part:
        raise ConflictError(
            f"{asked.source.path or asked.id}: says something else by now", "ask again"
        )
    return portion


def _answered(
    live: LiveIndex,
    job: Job[Any],
    asked: Proposal,
    portion: Portion,
    source: NumberedSource,
    reply: BaseModel,
) -> Proposal:
    """A proposal with what the reply to it proposes."""
    config = live.context.config
    find = known_page if job.shows_pages else _name if job is ENTITIES else _known_entry
    known = [find(live, each) for each in asked.known]
    session, least = _session_of(live, source), config.extract.min_importance
    given = job.suggest(reply, Shown(portion, known, session, least, source.path))
    if job.shows_pages:
        given = placed_on_pages(live, given, asked.known[0], _of_source(live, asked))
    before = 0 if asked.source.path else portion.first - 1  # lines that are not at hand
    placed = [_renumber(each, before) for each in given]
    if job in _OF_LINES:
        placed, source = _spread(placed, source)
    entries = {each.id: each for each in known if each}
    made = operations_of(placed, source, entries, support=config.models.support)
    reasoning = plain_sentence(reply.reasoning) if isinstance(reply, ReasonedReply) else ""
    return asked._replace(operations=made, is_answered=True, shown=(), reasoning=reasoning)


def _renumber(given: SuggestedOperation, before: int) -> SuggestedOperation:
    """The same with the numbers of lines that are counted from the first one at hand."""
    cited = tuple(number - before for number in given.cited)
    by_claim = tuple(tuple(number - before for number in each) for each in given.by_claim)
    return given._replace(cited=cited, by_claim=by_claim)


def _of_source(live: LiveIndex, asked: Proposal) -> list[Proposal]:
    """What was proposed of the same source by the same job."""
    wanted = asked.job, asked.source.path
    return [e for e in ProposalStore(live).all() if (e.job, e.source.path) == wanted]


def _spread(
    given: Sequence[SuggestedOperation], source: NumberedSource
) -> tuple[list[SuggestedOperation], NumberedSource]:
    """Lines that do not speak for their neighbours, since each is something by itself."""
    apart = [SourceLine("")] * (AROUND + 1)
    lines = [one for each in source.lines for one in (each, *apart[1:])]
    cited = [tuple((n - 1) * len(apart) + 1 for n in each.cited) for each in given]
    moved = [each._replace(cited=at) for each, at in zip(given, cited, strict=True)]
    return moved, source._replace(lines=lines)


def _session_of(live: LiveIndex, source: NumberedSource) -> str:
    """The id of the session that a source is, "" of any other."""
    folder = live.context.own_layers().sessions
    is_one = bool(folder) and source.path.startswith(f"{folder}/")
    return without_suffix(source.path.removeprefix(f"{folder}/")) if is_one else ""


def _known_entry(live: LiveIndex, id_: str) -> KnownEntry | None:
    with suppress(NotFoundError):
        return known_entry(live, id_)
    return None


def _name(_live: LiveIndex, name: str) -> KnownEntry:
    """A name as it was shown; whether anything has it is asked where it is merged."""
    return KnownEntry(name, name, "")


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
