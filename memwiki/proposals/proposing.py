"""What somebody proposes into operations: worded plainly, judged by what they cite, flagged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from memwiki.commit.entry_edits import found_entry
from memwiki.errors import MemwikiError, UsageError
from memwiki.memory.entity_merge import differ_in_number
from memwiki.nouns import Json
from memwiki.proposals.evidence import AROUND, CitedLines, Support, is_said, judge_support
from memwiki.proposals.flags import Flag, change_flags, flags_of
from memwiki.proposals.numbering import NumberedSource, SourceLine, headings_over, source_named
from memwiki.proposals.operations import (
    BY_MEMWIKI,
    MAX_OPERATIONS,
    SAID,
    Claim,
    Do,
    Evidence,
    Operation,
    Proposal,
    ProposalSource,
    aside,
    beside,
    why_not,
    with_claims,
)
from memwiki.proposals.store import ProposalStore
from memwiki.proposals.wording import UNWRITABLE, plain_sentence, plain_values
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading

MAX_EVIDENCE = 6  # lines that are kept of an operation or a claim; all that are cited are judged
MAX_TITLE_LINES = 20  # that a title, or the name of a skill, may rest on
_HELP = "memwiki review --help shows the values"
MAX_QUOTE = 240  # characters of a cited line that are kept
_FLAGS = {
    Do.SUPERSEDE: Flag.SUPERSEDES,
    Do.JOIN: Flag.SUPERSEDES,
    Do.UPDATE: Flag.SUPERSEDES,
    Do.RETIRE: Flag.RETIRES,
    Do.MERGE: Flag.MERGES,
}


class SuggestedOperation(NamedTuple):
    """An operation as somebody gives it: what it does, its values, the numbers of the lines that
    it cites."""

    do: Do
    values: Mapping[str, Json]
    cited: tuple[int, ...] = ()
    by_claim: tuple[tuple[int, ...], ...] = ()  # of claims on a page, or of steps


class _JudgedClaim(NamedTuple):
    """A sentence for a page, the lines that it cites, why it is set aside, and what of it a person
    looks at."""

    text: str
    lines: tuple[int, ...]
    share: float = 0.0
    why: str = ""
    flags: tuple[str, ...] = ()


class KnownEntry(NamedTuple):
    """An entry that an operation may name, as it is now."""

    id: str
    text: str
    origin: str


def operations_of(
    suggestions: Sequence[SuggestedOperation],
    source: NumberedSource,
    known: Mapping[str, KnownEntry],
    *,
    support: float,
) -> tuple[Operation, ...]:
    """The operations that are suggested, those that nothing supports aside with the reason.

    `support` is the share of the words that has to be in what is cited. Raises UsageError for more
    than a proposal may hold, and for one without its values.
    """
    _require_few(len(suggestions))
    judge, given = _Judge(source, known, support), [*enumerate(suggestions, 1)]
    made = [one for n, each in given for one in judge.operations(n, each, is_parted=True)]
    if len(made) > MAX_OPERATIONS:
        made = [one for n, each in given for one in judge.operations(n, each, is_parted=False)]
    _require_few(len(made))
    return tuple(each._replace(n=n) for n, each in enumerate(made, 1))


def _require_few(count: int) -> None:
    if count > MAX_OPERATIONS:
        raise UsageError(f"propose: {count} operations are over {MAX_OPERATIONS}", "propose less")


class _Judge:
    """Judges the operations of one proposal."""

    def __init__(
        self, source: NumberedSource, known: Mapping[str, KnownEntry], support: float
    ) -> None:
        self._source, self._known, self._support = source, known, support

    def operations(
        self, n: int, given: SuggestedOperation, *, is_parted: bool
    ) -> Iterator[Operation]:
        """One operation; of claims those that are flagged, and those that nothing supports, as ones
        of their own: no other claim waits for what a person looks at. Parted, each of the latter is
        one with its reason, and can be taken alone."""
        if given.do in (Do.PAGE, Do.CLAIMS):
            yield from self._claims(n, given, is_parted=is_parted)
        else:
            yield self._operation(n, given)

    def _claims(self, n: int, given: SuggestedOperation, *, is_parted: bool) -> Iterator[Operation]:
        if reason := why_not(given.do, given.values):
            raise UsageError(f"operation {n}: {reason}", _HELP)
        texts = Operation(n, given.do, given.values).texts_of("claims")
        cited = (*given.by_claim, *[given.cited] * (len(texts) - len(given.by_claim)))
        judged = list(map(self._claim, texts, cited))
        kept = [each for each in judged if not (each.why or each.flags)]
        flagged = [each for each in judged if each.flags and not each.why]
        left = [each for each in judged if each.why]
        bare = Operation(n, given.do, plain_values(given.values))
        parts = [[each] for each in left] if is_parted else [left]
        for claims in filter(None, (kept, flagged, *parts)):
            yield self._of_claims(bare, claims)
            bare = beside(bare)

    def _claim(self, text: str, cited: Sequence[int]) -> _JudgedClaim:
        lines = tuple(dict.fromkeys(filter(self._has, cited)))
        if not (words := plain_sentence(text)):
            return _JudgedClaim(text, lines, why=UNWRITABLE)
        support = judge_support(words, "", lines, self._source, self._support)
        flags = flags_of(words, [self._source.lines[at - 1] for at in lines])
        return _JudgedClaim(words, lines, *support, flags)

    def _of_claims(self, bare: Operation, claims: Sequence[_JudgedClaim]) -> Operation:
        made = with_claims(bare, [Claim(each.text, self._quoted(each.lines)) for each in claims])
        every = dict.fromkeys(at for each in claims for at in each.lines)
        lines = [self._source.lines[at - 1] for at in every]
        made = made._replace(
            support=min(each.share for each in claims),
            flags=tuple(self._flags(made, lines, ())),
        )
        title = made.text_of("title")
        why = "; ".join(dict.fromkeys(each.why for each in claims if each.why))
        if not why and made.do is Do.PAGE:
            numbers = tuple(dict.fromkeys(self._near(every)))[:MAX_TITLE_LINES]
            support = judge_support(_as_told(title), "", numbers, self._source, 0)
            said = support.why if title else UNWRITABLE
            why = f"title: {said}" if said else ""
        return aside(made, why) if why else made

    def _quoted(self, numbers: Sequence[int]) -> tuple[Evidence, ...]:
        lines = (self._source.lines[at - 1] for at in numbers[:MAX_EVIDENCE])
        return tuple(map(_evidence, lines))

    def _operation(self, n: int, given: SuggestedOperation) -> Operation:
        if reason := why_not(given.do, given.values):
            raise UsageError(f"operation {n}: {reason}", _HELP)
        values = plain_values(given.values)
        is_writable = not why_not(given.do, values)
        values = values if is_writable else dict(given.values)
        named = self._named_entries(values)
        if named:
            values["was"] = {each.id: each.text for each in named}
        cited = dict.fromkeys(filter(self._has, given.cited))
        lines = [self._source.lines[at - 1] for at in cited]
        made = Operation(n, given.do, values, tuple(map(_evidence, lines[:MAX_EVIDENCE])))
        if not is_writable:
            return aside(made, UNWRITABLE)
        if made.do is Do.SKILL:
            support = self._skill(made, given)
        elif made.do is Do.MERGE:
            support = _merging(made)
        else:
            support = judge_support(
                made.sentence, made.text_of("subject"), tuple(cited), self._source, self._support
            )
        flags = tuple(self._flags(made, lines, named))
        made = made._replace(support=support.share, flags=flags)
        if support.why and (made.sentence or made.do is Do.MERGE):
            return aside(made, support.why)
        if made.values.keys().isdisjoint(SAID):
            return made
        passage = CitedLines(self._source, sorted(cited))
        return made._replace(values=_said_values(made.values, lambda text: is_said(text, passage)))

    def _skill(self, made: Operation, given: SuggestedOperation) -> Support:
        """Whether the name is said around all that is cited, and each step by its own lines."""
        steps = made._replace(values=given.values).texts_of("steps")
        near = sorted({n + at for n in given.cited for at in range(-AROUND, AROUND + 1)})
        cited = (near[:MAX_TITLE_LINES], *given.by_claim, *[given.cited] * len(steps))
        texts = map(_as_told, (made.sentence, *steps))
        judged = [self._claim(text, lines) for text, lines in zip(texts, cited, strict=False)]
        places = ("name", *(f"step {n}" for n in range(1, len(steps) + 1)))
        whys = (f"{at}: {each.why}" for at, each in zip(places, judged, strict=True) if each.why)
        return Support(min(each.share for each in judged), "; ".join(whys))

    def _near(self, cited: Iterable[int]) -> Iterator[int]:
        """What a title may be of: the headings over all that is cited, these, and those around."""
        cited = tuple(cited)
        yield from (at for n in cited for at in headings_over(self._source.lines, n))
        yield from cited
        yield from filter(self._has, (n + at for n in cited for at in range(-AROUND, AROUND + 1)))

    def _has(self, at: int) -> bool:
        return 1 <= at <= len(self._source.lines)

    def _named_entries(self, values: Mapping[str, Json]) -> list[KnownEntry]:
        """The entries that an operation changes; UsageError for one that is not known."""
        others = values.get("entries")
        names = [
            values.get("entry"),
            values.get("successor"),
            *(others if isinstance(others, list) else []),
        ]
        ids = [each for each in names if isinstance(each, str)]
        if strange := [each for each in ids if each not in self._known]:
            raise UsageError(f"{strange[0]}: no entry that was shown", "memwiki entry list")
        return [self._known[each] for each in ids]

    def _flags(
        self, made: Operation, lines: Sequence[SourceLine], named: Sequence[KnownEntry]
    ) -> Iterator[str]:
        yield from change_flags(_FLAGS.get(made.do), (each.origin for each in named))
        importance = made.values.get("importance")
        weight = importance if isinstance(importance, int | float) else None
        yield from flags_of(made.written, lines, importance=weight)


def _said_values(
    values: Mapping[str, Json], is_said_there: Callable[[str], bool]
) -> dict[str, Json]:
    """The values without those fields that name what no cited line does."""
    found = dict(values)
    for name in SAID & values.keys():
        value = values[name]
        if isinstance(value, dict):
            found[name] = {key: each for key, each in value.items() if is_said_there(str(each))}
        elif isinstance(value, list):
            found[name] = [each for each in value if is_said_there(str(each))]
        elif not is_said_there(str(value).lower() if name == "topic" else str(value)):
            found[name] = ""
    return {name: value for name, value in found.items() if value not in ("", [], {})}


def _merging(made: Operation) -> Support:
    """Names that differ in a number are of two."""
    names = made.text_of("entity"), made.text_of("into")
    return Support(1.0, "the names differ in a number" if differ_in_number(*names) else "")


def _as_told(text: str) -> str:
    """An instruction or a title with its first word in lower case: by itself that is no name."""
    first, space, rest = text.partition(" ")
    return f"{first.lower()}{space}{rest}" if first.istitle() and first.isalpha() else text


def _evidence(line: SourceLine) -> Evidence:
    return Evidence(line.line, line.text[:MAX_QUOTE], line.id)


AGENT_JOB = "propose/1"
_NAMING = ("entry", "other", "successor")
_KNOWN = {each.value: each for each in Do if each not in BY_MEMWIKI}


def propose(
    live: LiveIndex,
    operations: Sequence[Mapping[str, Json]],
    source: str = "",
    *,
    job: str = "",
    model: str = "",
) -> Proposal:
    """Keep operations for review. Raises UsageError for what is no operation, NotFoundError for a
    source that is none."""
    read = source_named(live.public(), source) if source else NumberedSource(())
    given = [_on_pages(live, _suggestion(n, each)) for n, each in enumerate(operations, 1)]
    if not given:
        raise UsageError("propose: no operations", "each says what to do: add_entry ...")
    known = {each.id: each for each in _named_entries(live, given)}
    made = operations_of(given, read, known, support=live.context.config.models.support)
    rests_on = ProposalSource(read.path, read.digest)
    by = model or live.context.actor
    return ProposalStore(live).put_up(job or AGENT_JOB, made, by, rests_on)


def _suggestion(n: int, given: Mapping[str, Json]) -> SuggestedOperation:
    values = dict(given)
    try:
        do = _KNOWN[str(values.pop("do", ""))]
    except KeyError:
        raise UsageError(
            f"operation {n}: {given.get('do')!r} is none that can be proposed",
            f"known: {', '.join(_KNOWN)}",
        ) from None
    cited = tuple(_numbers(values.pop("lines", [])))
    if do not in (Do.PAGE, Do.CLAIMS):
        return SuggestedOperation(do, values, cited)
    values.pop("cited", None)
    claims = values.get("claims")
    listed = [_claim(each, cited) for each in claims] if isinstance(claims, list) else []
    values["claims"] = [text for text, _ in listed]
    return SuggestedOperation(do, values, cited, tuple(lines for _, lines in listed))


def _claim(given: Json, cited: tuple[int, ...]) -> tuple[Json, tuple[int, ...]]:
    """A claim that cites lines of its own, or those of its operation."""
    if not isinstance(given, dict):
        return given, cited
    return given.get("text"), tuple(_numbers(given.get("lines", list(cited))))


def _on_pages(live: LiveIndex, given: SuggestedOperation) -> SuggestedOperation:
    """The same with the paths of the pages that it names, which have to be there."""
    if given.do not in (Do.CLAIMS, Do.CONTRADICTION):
        return given
    values = dict(given.values)
    with reading(live) as view:
        for name in ("page", "against"):
            if isinstance(called := values.get(name), str):
                values[name] = view.find_own(called.encode("utf-8", "replace").decode())
    return given._replace(values=values)


def _numbers(value: Json) -> Iterator[int]:
    for each in value if isinstance(value, list) else [value]:
        with suppress(TypeError, ValueError):
            yield int(each) if isinstance(each, int | str) else 0


def _named_entries(live: LiveIndex, given: Iterable[SuggestedOperation]) -> Iterator[KnownEntry]:
    """The entries that operations name, as they are now; those that are none are left out."""
    for id_ in dict.fromkeys(_ids(given)):
        with suppress(MemwikiError):
            yield known_entry(live, id_)


def known_entry(live: LiveIndex, id_: str) -> KnownEntry:
    """An entry as it is now. Raises NotFoundError."""
    entry = found_entry(live, id_).entry
    return KnownEntry(id_, entry.text, entry.fields.get("origin", ""))


def _ids(given: Iterable[SuggestedOperation]) -> Iterator[str]:
    for each in given:
        yield from (value for name in _NAMING if isinstance(value := each.values.get(name), str))
        listed = each.values.get("entries")
        yield from map(str, listed if isinstance(listed, list) else ())
