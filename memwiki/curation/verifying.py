"""A second reading: what is proposed is held against the lines that it cites, by whoever did not
propose it; what they do not say is set aside. Nothing is opened by it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import partial
from typing import NamedTuple

from pydantic import BaseModel

from memwiki.curation.jobs import Job, Portion, brief_text, portions
from memwiki.curation.work import (
    BY_HAND_TOKENS,
    answer_by_hand,
    outgoing_files,
)
from memwiki.errors import ConflictError, NotFoundError
from memwiki.models.port import Ask, Chat
from memwiki.models.replies import Replies
from memwiki.models.reply import ask_for, reply_given
from memwiki.proposals.evidence import AROUND
from memwiki.proposals.numbering import (
    NumberedSource,
    SourceLine,
    headings_over,
    number_lines,
    source_at,
)
from memwiki.proposals.operations import (
    MAX_OPERATIONS,
    Do,
    Evidence,
    Operation,
    Proposal,
    ProposalSource,
    State,
    aside,
    beside,
    claim_key,
    claims_of,
    statements_of,
    with_claims,
)
from memwiki.proposals.proposing import KnownEntry
from memwiki.proposals.review import found_here
from memwiki.proposals.store import ProposalStore, require_unanswered
from memwiki.proposals.wording import plain_sentence
from memwiki.sync.live import LiveIndex

_WHY = "a second reading: {}"


class LineVerdict(StrEnum):
    """How lines stand to a claim."""

    SAID = "said"
    NOT_SAID = "not_said"
    CONTRADICTED = "contradicted"


class ClaimVerdict(BaseModel):
    """What the lines of a claim say, and how they stand to it."""

    claim: int
    lines_say: str = ""
    verdict: LineVerdict


class VerifyReply(BaseModel):
    """The reply: a verdict a claim; one without is left as it is."""

    verdicts: list[ClaimVerdict]


VERIFY = Job("verify", VerifyReply)


class _OpenClaim(NamedTuple):
    """A claim that waits, the lines that it cites, and those that are shown for it."""

    text: str
    cited: tuple[int, ...]
    shown: tuple[int, ...]

    @property
    def line(self) -> str:
        """How it is shown, behind its number."""
        return f"{[*self.cited]} {self.text}"


class _Lines:
    """The lines of what a proposal rests on, as they are numbered for a model; what is quoted of
    no file stands behind them."""

    def __init__(self, source: NumberedSource) -> None:
        self.lines = list(source.lines)
        self._count = len(self.lines)
        self._numbers = {(each.line, each.id): n for n, each in enumerate(self.lines, 1)}

    def cited(self, evidence: Sequence[Evidence]) -> tuple[int, ...]:
        """The numbers of these."""
        return tuple(sorted(map(self._number, evidence)))

    def _number(self, evidence: Evidence) -> int:
        place = (evidence.line, evidence.id)
        at = self._numbers.get(place, 0)
        if at and evidence.quote in self.lines[at - 1].text:
            return at
        self.lines.append(SourceLine(evidence.quote))
        return self._numbers.setdefault((-len(self.lines), ""), len(self.lines))

    def around(self, cited: Sequence[int]) -> tuple[int, ...]:
        """These, the headings over them and the lines around them."""
        own = [n for n in cited if n <= self._count]
        near = (at for n in own for at in range(n - AROUND, n + AROUND + 1))
        over = (at for n in own for at in headings_over(self.lines, n))
        return tuple(sorted({*cited, *over, *(at for at in near if 1 <= at <= self._count)}))

    def text(self, numbers: Sequence[int]) -> str:
        """These as they are shown."""
        return "\n".join(number_lines([self.lines[n - 1]], n) for n in numbers)


class VerifyWork:
    """What of a proposal is to be read once more; `live` is the public view. Raises NotFoundError
    where nothing of it waits, or its source is kept back."""

    is_of_task = False
    undecided: tuple[str, ...] = ()  # what was made before is not meant

    def __init__(self, live: LiveIndex, id_: str, context_tokens: int) -> None:
        self._live, self._target = live, found_here(live, id_)
        path, digest, *_ = self._target.source
        if not path:  # of a memory no more is kept than how it begins
            raise NotFoundError(
                f"{id_}: rests on no page or conversation", "memwiki review {}", self._target.id
            )
        if why := outgoing_files(live).why_kept(path):
            raise NotFoundError.at(path, f"is kept back ({why})", "read it yourself")
        self._lines = _Lines(source_at(live, path))
        self._claims = list(self._waiting())
        if not self._claims:
            raise NotFoundError(
                f"{self._target.id}: nothing of it waits for a second reading", "memwiki review"
            )
        lines = [SourceLine(f"{e.line}\n{self._lines.text(e.shown)}") for e in self._claims]
        self.source = NumberedSource(lines, path=path, digest=digest)
        self.waiting = list(portions(self.source, VERIFY.room(context_tokens)))

    def _waiting(self) -> Iterator[_OpenClaim]:
        open_ = (each for each in self._target.operations if each.state is State.OPEN)
        for claim in (claim for each in open_ for claim in statements_of(each)):
            if claim_key(claim.text) not in self._target.verified:
                cited = self._lines.cited(claim.evidence)
                yield _OpenClaim(claim.text, cited, self._lines.around(cited))

    def _of(self, portion: Portion) -> Mapping[int, _OpenClaim]:
        numbers = range(portion.first, portion.first + len(portion.lines))
        return {n: self._claims[n - 1] for n in numbers}

    def ask(self, portion: Portion) -> tuple[Ask, Sequence[KnownEntry]]:
        """What is asked about the claims of a portion."""
        claims = self._of(portion)
        listed = "\n".join(f"{n} {each.line}" for n, each in claims.items())
        shown = sorted({at for each in claims.values() for at in each.shown})
        return VERIFY.ask((), self._lines.text(shown), f"Claims:\n{listed}"), ()

    def brief(self) -> tuple[Proposal, str]:
        """The first portion as a proposal that nobody answered yet, and the text of the job."""
        portion, store = self.waiting[0], ProposalStore(self._live)
        path, digest = self.source.path, self.source.digest
        source = ProposalSource(path, digest, portion.key, portion.first, len(portion.lines))
        job, known = VERIFY.prompt.job, (self._target.id,)
        asked = (
            e.id
            for e in store.all()
            if (e.source, e.known, e.is_answered) == (source, known, False)
        )
        made = Proposal(next(asked, "") or store.new_id(), store.now, job, source, known=known)
        return store.put(made), brief_text(self.ask(portion)[0])

    def asked(self, brief: Proposal) -> Portion:
        """The claims of a brief. Raises ConflictError where they are others by now."""
        first, count = brief.source.first, brief.source.lines
        portion = Portion(first, self.source.lines[first - 1 : first - 1 + count])
        if portion.key != brief.source.part:
            raise ConflictError(f"{self._target.id}: proposes something else by now", "ask again")
        return portion

    def run(self, portion: Portion, chat: Chat, replies: Replies | None = None) -> Proposal:
        """Ask a model about a portion, and set aside what it does not find. Raises ModelError."""
        reply = ask_for(chat, self.ask(portion)[0], VerifyReply, replies)
        return self.judged(portion, reply)

    def halves(self, portion: Portion) -> Sequence[Portion]:
        """A portion in two."""
        return portion.halves

    def judged(self, portion: Portion, reply: VerifyReply) -> Proposal:
        """The proposal, with what its lines do not say aside."""
        claims, whys = self._of(portion), dict[str, str]()
        for each in reply.verdicts:
            if claim := claims.get(each.claim):
                why = plain_sentence(each.lines_say) or each.verdict.replace("_", " ")
                whys[claim.text] = "" if each.verdict is LineVerdict.SAID else _WHY.format(why)
        return ProposalStore(self._live).revise(self._target.id, partial(_read_twice, whys))


def _read_twice(whys: Mapping[str, str], proposal: Proposal) -> Proposal:
    """A proposal with the claims aside that have a reason why; each of these can be taken alone,
    where there is room for so many operations."""
    parts = [[*_parts(each, whys, is_parted=True)] for each in proposal.operations]
    if sum(map(len, parts)) > MAX_OPERATIONS:
        parts = [[*_parts(each, whys, is_parted=False)] for each in proposal.operations]
    more = [one for first, *rest in parts for one in rest]
    numbered_on = (e._replace(n=n) for n, e in enumerate(more, len(parts) + 1))
    verified = dict.fromkeys((*proposal.verified, *map(claim_key, whys)))
    operations = _handed_on([*(first for first, *_ in parts), *numbered_on])
    return proposal._replace(operations=tuple(operations), verified=tuple(verified))


def _handed_on(operations: Sequence[Operation]) -> Iterator[Operation]:
    """The same, where a page that is made no more is made by the first other claims for it."""
    gone = {e.text_of("title"): e for e in operations if _is_page_read_twice(e)}
    heirs = {
        e.text_of("page"): e
        for e in reversed(operations)
        if e.do is Do.CLAIMS and e.state is State.OPEN
    }
    for each in operations:
        page, title = each.text_of("page"), each.text_of("title")
        if each.do is Do.PAGE and heirs.get(title) and gone.get(title) is each:
            yield with_claims(beside(each), claims_of(each))
        elif (maker := gone.get(page)) and heirs.get(page) is each:
            yield with_claims(maker, claims_of(each))._replace(
                n=each.n, state=each.state, why=each.why, flags=each.flags, support=each.support
            )
        else:
            yield each


def _is_page_read_twice(operation: Operation) -> bool:
    is_aside = (operation.do, operation.state) == (Do.PAGE, State.ASIDE)
    return is_aside and operation.why.startswith(_WHY.format(""))


def _parts(
    operation: Operation, whys: Mapping[str, str], *, is_parted: bool
) -> Iterator[Operation]:
    claims = statements_of(operation) if operation.state is State.OPEN else ()
    left = [each for each in claims if whys.get(each.text)]
    stays = [each for each in claims if each not in left]
    if not left:
        yield operation
    elif stays and is_parted:
        yield with_claims(operation, stays)
        for each in left:
            yield aside(with_claims(beside(operation), [each]), whys[each.text])
    else:
        yield aside(operation, "; ".join(dict.fromkeys(whys[each.text] for each in left)))


def take_reply(live: LiveIndex, brief: Proposal, text: str, model: str) -> Proposal:
    """What became of what somebody else's model answered to a brief: of a second reading the
    proposal that was read. Raises as `answer_by_hand` does."""
    if brief.job != VERIFY.prompt.job:
        return answer_by_hand(live, brief, text, model)
    require_unanswered(brief)
    reply = reply_given(text, VerifyReply)
    asked = VerifyWork(live, brief.known[0], BY_HAND_TOKENS)
    judged = asked.judged(asked.asked(brief), reply)
    ProposalStore(live).put(brief._replace(is_answered=True, model=model))
    return judged
