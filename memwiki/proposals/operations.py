"""The closed set of operations that a model may propose, each with what it says and rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from memwiki.digest import text_hash
from memwiki.entry_fields import FieldUse, tool_fields
from memwiki.nouns import Json
from memwiki.proposals.wording import plain_sentence
from memwiki.text import pattern

MAX_OPERATIONS = 30  # of one proposal
MAX_CLAIMS = 12  # of one operation


class Do(StrEnum):
    """What an operation does."""

    ADD = "add_entry"
    SUPERSEDE = "supersede_entry"
    UPDATE = "update_entry"
    JOIN = "join_entries"
    RETIRE = "retire_entry"
    RELATE = "relate_entries"
    MERGE = "merge_entities"
    SUMMARISE = "summarise_session"
    DESCRIBE = "describe_page"
    SKILL = "record_skill"
    PAGE = "add_page"
    CLAIMS = "add_claims"
    CONTRADICTION = "note_contradiction"
    UPKEEP = "upkeep"  # a step of it, which memwiki itself proposes


class State(StrEnum):
    """What became of an operation."""

    OPEN = "open"
    ASIDE = "aside"  # what it cites does not support it; a person may edit it
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    STALE = "stale"  # what it rests on changed


BY_MEMWIKI = frozenset({Do.UPKEEP})  # nobody else proposes these
UNDECIDED = frozenset({State.OPEN, State.ASIDE, State.STALE})
RELATIONS = ("because", "supports", "contradicts", "refines")


_JOINERS = pattern("[-_]+")
_FIELDS = {row.name: object for row in tool_fields(FieldUse.PROPOSE)}
SAID = _FIELDS.keys() - {"type", "tags", "importance"}  # the fields that say something
_WRITTEN = (*sorted(SAID), "section")


class Evidence(NamedTuple):
    """A line that an operation rests on."""

    line: int  # of the file
    quote: str
    id: str = ""  # of the message


class Operation(NamedTuple):
    """One change that is proposed."""

    n: int  # from 1
    do: Do
    values: Mapping[str, Json]
    evidence: tuple[Evidence, ...] = ()
    support: float = 0.0  # of its words, in what it cites, from 0 to 1
    flags: tuple[str, ...] = ()
    state: State = State.OPEN
    why: str = ""  # it is aside or stale

    def text_of(self, name: str) -> str:
        """One of its values as text, "" where it has none."""
        value = self.values.get(name)
        return value if isinstance(value, str) else ""

    def texts_of(self, name: str) -> tuple[str, ...]:
        """One of its values as texts."""
        return tuple(_texts(self.values.get(name)))

    @property
    def was(self) -> Mapping[str, str]:
        """What the entries that it names said when it was proposed, by id."""
        found = self.values.get("was")
        return {key: str(said) for key, said in found.items()} if isinstance(found, dict) else {}

    @property
    def sentence(self) -> str:
        """The words that it would write, "" where it writes none."""
        name = {Do.SKILL: "name", Do.PAGE: "title"}.get(self.do, "text")
        lists = (*self.texts_of("sentences"), *self.texts_of("claims"))
        return " ".join(filter(None, (self.text_of(name), *lists)))

    @property
    def written(self) -> str:
        """All that it would write: its words and steps, each field as a part of that sentence, and
        its tags as words, a line each."""
        said = " ".join((self.sentence, *self.texts_of("steps")))
        given = (each for name in _WRITTEN for each in texts_in(self.values.get(name)))
        tags = (_JOINERS.sub(" ", each) for each in self.texts_of("tags"))
        type_ = _JOINERS.sub(" ", self.text_of("type"))
        return "\n".join(("; ".join((said, *given)), *tags, type_))


_KEY_BYTES = 8


def claim_key(text: str) -> str:
    """What stands for the words of a claim."""
    return text_hash(text, _KEY_BYTES).hex()


class Claim(NamedTuple):
    """A sentence of a page, and the lines that say it."""

    text: str
    evidence: tuple[Evidence, ...]


def claims_of(operation: Operation) -> tuple[Claim, ...]:
    """The claims of an operation on a page, each with what it rests on."""
    given = operation.values.get("cited")
    cited = given if isinstance(given, list) else []
    places = [each if isinstance(each, list) else [] for each in cited]
    texts = operation.texts_of("claims")
    places += [[]] * (len(texts) - len(places))
    known = dict(enumerate(operation.evidence))
    return tuple(
        Claim(text, tuple(known[at] for at in where if isinstance(at, int) and at in known))
        for text, where in zip(texts, places, strict=False)
    )


def with_claims(operation: Operation, claims: Sequence[Claim]) -> Operation:
    """An operation on a page with these claims alone, and what they rest on."""
    evidence, cited = list[Evidence](), list[Json]()
    for each in claims:
        cited.append([*range(len(evidence), len(evidence) + len(each.evidence))])
        evidence += each.evidence
    told: list[Json] = [each.text for each in claims]
    values = {**operation.values, "claims": told, "cited": cited}
    return operation._replace(values=values, evidence=tuple(evidence))


def statements_of(operation: Operation) -> Sequence[Claim]:
    """What an operation says, each with what it rests on; nothing of one that only names."""
    if operation.do in (Do.PAGE, Do.CLAIMS):
        return claims_of(operation)
    said = " ".join((operation.sentence, *operation.texts_of("steps"))).strip()
    return [Claim(said, operation.evidence)] if said and operation.evidence else []


def beside(operation: Operation) -> Operation:
    """One for other claims of the same page, which is there by then where this one makes it."""
    if operation.do is not Do.PAGE:
        return operation
    named = {"page": operation.text_of("title"), "type": operation.values.get("type")}
    values: dict[str, Json] = {name: value for name, value in named.items() if value}
    return operation._replace(do=Do.CLAIMS, values=values)


def aside(operation: Operation, why: str) -> Operation:
    """The same for a person to look at, with the reason."""
    return operation._replace(state=State.ASIDE, why=why)


class ProposalSource(NamedTuple):
    """The file that a proposal rests on."""

    path: str
    digest: str
    part: str = ""  # the digest of the lines that were shown
    first: int = 0  # number of the first of them, from 1; 0 where all were
    lines: int = 0  # how many were shown


class Proposal(NamedTuple):
    """Operations that somebody proposed together, or that a brief asks for."""

    id: str
    at: str  # ISO 8601, in UTC
    job: str  # its name and version: extract/1
    source: ProposalSource
    operations: tuple[Operation, ...] = ()
    model: str = ""  # "" while nobody answered
    host: str = ""
    known: tuple[str, ...] = ()  # the entries that were shown, by number from 0
    decided: str = ""  # when nothing was open any more
    is_answered: bool = False
    shown: tuple[str, ...] = ()  # the lines of a source that is no file, until it is answered
    goal: str = ""  # of the task that is spoken of
    base: str = ""  # the folder of the namespace that it belongs to
    reasoning: str = ""  # why, or why nothing, where the job asks for it
    groups: tuple[str, ...] = ()  # digests of the entries that were shown together
    verified: tuple[str, ...] = ()  # digests of the claims that were read a second time

    @property
    def unread(self) -> tuple[str, ...]:
        """What of its open operations nobody read a second time."""
        open_ = (each for each in self.operations if each.state is State.OPEN)
        texts = (claim.text for each in open_ for claim in statements_of(each))
        return tuple(text for text in texts if claim_key(text) not in self.verified)

    @property
    def by(self) -> str:
        """Who proposes it, as it is written down."""
        model, job = map(plain_sentence, (self.model, self.job))
        return f"{model or 'a model'} via {job or 'a job'}"

    @property
    def open(self) -> tuple[Operation, ...]:
        """What may still be decided."""
        return tuple(each for each in self.operations if each.state in UNDECIDED)


class Shape(NamedTuple):
    """Which values an operation has."""

    needed: Mapping[str, type]
    more: Mapping[str, type] = {}


_WAS = {"was": dict}  # what the entries that it names said, by id
SHAPES: Mapping[Do, Shape] = {
    Do.ADD: Shape({"text": str}, {**_FIELDS, "at": str, "session": str}),
    # With a successor no entry is written: that one, which is there, has the words.
    Do.SUPERSEDE: Shape({"entry": str, "text": str}, {**_WAS, "successor": str}),
    Do.UPDATE: Shape({"entry": str, "text": str}, _WAS),
    # In the archive they make room; else they stay, struck out.
    Do.JOIN: Shape({"entries": list, "text": str}, {**_WAS, "archive": bool}),
    Do.RETIRE: Shape({"entry": str}, _WAS),
    Do.RELATE: Shape({"entry": str, "other": str, "relation": str}, _WAS),
    Do.MERGE: Shape({"entity": str, "into": str}),
    Do.SUMMARISE: Shape({"session": str, "sentences": list}),
    Do.DESCRIBE: Shape({"page": str, "text": str}),
    Do.SKILL: Shape({"name": str, "steps": list}),
    Do.PAGE: Shape({"title": str, "claims": list}, {"cited": list, "type": str, "tags": list}),
    Do.CLAIMS: Shape(
        {"page": str, "claims": list}, {"cited": list, "type": str, "section": str, "tags": list}
    ),
    Do.CONTRADICTION: Shape({"page": str, "against": str, "text": str}),
    Do.UPKEEP: Shape(
        {"step": str, "page": str},
        dict.fromkeys(("entry", "text", "other", "other_page", "to", "reason"), str),
    ),
}


def why_not(do: Do, values: Mapping[str, Json]) -> str:
    """Why these are no values of an operation; "" when they are."""
    shape = SHAPES[do]
    for name, kind in shape.needed.items():
        value = values.get(name)
        if not (isinstance(value, kind) and value):
            return f"{name} is missing"
        if isinstance(value, list) and not all(isinstance(each, str) for each in value):
            return f"{name} is not a list of texts"
    if strange := [name for name in values if name not in {**shape.needed, **shape.more}]:
        return f"{strange[0]} is nothing that {do} has"
    return _why_too_much(do, values)


def _why_too_much(do: Do, values: Mapping[str, Json]) -> str:
    """Why values of the right types are none all the same."""
    if len(_texts(values.get("claims"))) > MAX_CLAIMS:
        return f"it has more than {MAX_CLAIMS} claims"
    if do is Do.RELATE and values["relation"] not in RELATIONS:
        return f"the relation is none of {', '.join(RELATIONS)}"
    if do is Do.JOIN and len(set(_texts(values["entries"]))) < 2:
        return "fewer than two entries are joined"
    return ""


def texts_in(value: Json) -> tuple[str, ...]:
    """A value as texts: itself, each of a list, and of pairs each name with its value."""
    if isinstance(value, dict):
        return tuple(f"{name}: {each}" for name, each in value.items())
    return (value,) if isinstance(value, str) else tuple(_texts(value))


def _texts(value: Json) -> Sequence[str]:
    return [str(each) for each in value] if isinstance(value, list) else []
