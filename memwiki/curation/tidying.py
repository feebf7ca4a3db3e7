"""The jobs of the curator: each is shown entries, or a page, as numbered lines."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, Field, model_validator

from memwiki.curation.jobs import CitedSentence, Job, ReasonedReply, Shown
from memwiki.nouns import Json
from memwiki.proposals.numbering import source_of_text
from memwiki.proposals.operations import MAX_OPERATIONS, Do
from memwiki.proposals.proposing import KnownEntry, SuggestedOperation
from memwiki.proposals.wording import MAX_CHARACTERS


def words_shown(text: str) -> str:
    """The words of an entry on one line, as a model may see them; "" of what is no sentence."""
    words = " ".join(each.text for each in source_of_text(text).lines)
    return words if len(words) <= MAX_CHARACTERS else ""


def entry_line(words: str, about: str) -> str:
    """The line of an entry, with what is known of it."""
    return f"{words} [{about}]"


def entry_at(shown: Shown, number: int) -> KnownEntry | None:
    """The entry of a line, if it is there and says what was shown."""
    line, at = shown.portion.line(number), number - shown.portion.first
    known = shown.known[at] if line and at < len(shown.known) else None
    said = line.text.rpartition(" [")[0] if line else ""
    return known if known and words_shown(known.text) == said else None


def _entries_at(shown: Shown, numbers: Iterable[int], met: Container[str]) -> dict[int, KnownEntry]:
    """The entries of some lines, without those whose ids were met."""
    found = {n: entry for n in numbers if (entry := entry_at(shown, n))}
    return {n: each for n, each in found.items() if each.id not in met}


SHORT_CHARACTERS = 50


class JoinedLines(BaseModel):
    """Lines that say the same, with the one that stays, or the words for all of them."""

    lines: list[int]
    keep: int | None = None
    text: str = ""

    @model_validator(mode="after")
    def _has_words(self) -> JoinedLines:
        if self.keep is None and not self.text.strip():
            raise ValueError("give the line to keep, or a text")
        return self


class ShortJoinedLines(JoinedLines):
    """The same in few words."""

    text: Annotated[str, Field(max_length=SHORT_CHARACTERS)] = ""


class DoublesReply(BaseModel):
    """The reply: what is to be joined."""

    joins: Sequence[JoinedLines] = Field(max_length=MAX_OPERATIONS)


class ShortDoublesReply(DoublesReply):
    """The reply: the same in few words."""

    joins: Sequence[ShortJoinedLines] = Field(max_length=MAX_OPERATIONS)


def suggested_doubles(reply: DoublesReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """What is joined, each entry once."""
    met = set[str]()
    for join in reply.joins:
        entries = _entries_at(shown, join.lines, met)
        if len(entries) > 1 and (join.keep is None or join.keep in entries):
            met |= {each.id for each in entries.values()}
            yield from _join_operations(join, entries)


def _join_operations(
    join: JoinedLines, entries: dict[int, KnownEntry]
) -> Iterator[SuggestedOperation]:
    if join.keep is None:
        names: Json = [each.id for each in entries.values()]
        yield SuggestedOperation(Do.JOIN, {"entries": names, "text": join.text}, tuple(entries))
        return
    kept = entries.pop(join.keep)
    for each in entries.values():
        ending = {"entry": each.id, "successor": kept.id, "text": kept.text}
        yield SuggestedOperation(Do.SUPERSEDE, ending, (join.keep,))


DOUBLES = Job("doubles", DoublesReply, suggested_doubles)
SHORT_DOUBLES = Job("short_doubles", ShortDoublesReply, suggested_doubles)


class ConflictOutcome(StrEnum):
    """What is to become of two entries."""

    ENDS = "ends"
    CONTRADICTS = "contradicts"


class SettledConflict(BaseModel):
    """A line, and the one that ends or contradicts it."""

    line: int
    by: int
    outcome: ConflictOutcome


class ConflictsReply(BaseModel):
    """The reply: the pairs that are settled; the others stay as they are."""

    settled: list[SettledConflict] = Field(max_length=MAX_OPERATIONS)


def suggested_conflicts(reply: ConflictsReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """An operation a pair; an entry ends once, and what ended ends nothing."""
    ended, pairs = set[str](), set[frozenset[str]]()
    for each in reply.settled:
        old, new = entry_at(shown, each.line), entry_at(shown, each.by)
        if not (old and new) or old.id == new.id or {old.id, new.id} & ended:
            continue
        if (pair := frozenset((old.id, new.id))) in pairs:
            continue
        pairs.add(pair)
        if each.outcome is ConflictOutcome.ENDS:
            ended.add(old.id)
            values = {"entry": old.id, "successor": new.id, "text": new.text}
            yield SuggestedOperation(Do.SUPERSEDE, values, (each.by,))
        else:
            values = {"entry": new.id, "other": old.id, "relation": each.outcome.value}
            yield SuggestedOperation(Do.RELATE, values, (each.line, each.by))


CONFLICTS = Job("conflicts", ConflictsReply, suggested_conflicts)


class MergedNames(BaseModel):
    """A line, and the one whose name stays."""

    line: int
    into: int


class EntitiesReply(BaseModel):
    """The reply: the pairs that are one."""

    merges: list[MergedNames] = Field(max_length=MAX_OPERATIONS)


def suggested_entities(reply: EntitiesReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """An operation a pair; what is merged is merged once, and nothing into it."""
    merged, kept = set[str](), set[str]()
    for each in reply.merges:
        one, other = entry_at(shown, each.line), entry_at(shown, each.into)
        if one and other and one.id not in merged | kept | {other.id} and other.id not in merged:
            merged.add(one.id)
            kept.add(other.id)
            cited = each.line, each.into
            yield SuggestedOperation(Do.MERGE, {"entity": one.id, "into": other.id}, cited)


ENTITIES = Job("entities", EntitiesReply, suggested_entities)


class WeakReply(ReasonedReply):
    """The reply: the lines that are to retire, and why."""

    retire: list[int] = Field(max_length=MAX_OPERATIONS)


def suggested_weak(reply: WeakReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """An operation an entry."""
    for number in dict.fromkeys(reply.retire):
        if entry := entry_at(shown, number):
            yield SuggestedOperation(Do.RETIRE, {"entry": entry.id}, (number,))


WEAK = Job("weak", WeakReply, suggested_weak)


class RelatedLines(BaseModel):
    """A line, and the one to which it stands so."""

    line: int
    relation: Literal["because", "supports", "contradicts", "refines"]
    other: int


class RelationsReply(BaseModel):
    """The reply: the relations that are plain."""

    relations: list[RelatedLines] = Field(max_length=MAX_OPERATIONS)


def suggested_relations(reply: RelationsReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """An operation a pair."""
    pairs = set[frozenset[str]]()
    for each in reply.relations:
        one, other = entry_at(shown, each.line), entry_at(shown, each.other)
        pair = frozenset(entry.id for entry in (one, other) if entry)
        if one and other and len(pair) > 1 and pair not in pairs:
            pairs.add(pair)
            values = {"entry": one.id, "other": other.id, "relation": each.relation}
            yield SuggestedOperation(Do.RELATE, values, (each.line, each.other))


RELATIONS = Job("relations", RelationsReply, suggested_relations)


TEN, THREE = 10, 3  # entries that become three, and that become one


class CompressReply(BaseModel):
    """The reply: one sentence for three lines, three for ten."""

    sentences: list[CitedSentence] = Field(max_length=TEN // THREE)


def suggested_compress(reply: CompressReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """An operation a sentence, on the entries that it stands for; each goes into one."""
    met = set[str]()
    for sentence in reply.sentences[: max(1, len(shown.portion.lines) // THREE)]:
        entries = _entries_at(shown, sentence.lines, met)
        if len(entries) > 1:
            names: Json = [each.id for each in entries.values()]
            met |= {each.id for each in entries.values()}
            values: dict[str, Json] = {"entries": names, "text": sentence.text, "archive": True}
            yield SuggestedOperation(Do.JOIN, values, tuple(entries))


COMPRESS = Job("compress", CompressReply, suggested_compress, is_whole=True)


MAX_DESCRIPTION = 200  # characters, as catalogs show them


class DescribeReply(BaseModel):
    """The reply: what the page is about; no words where it says too little."""

    lines: list[int] = []
    text: str = Field("", max_length=MAX_DESCRIPTION)


def suggested_describe(reply: DescribeReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """One operation on the page."""
    if reply.text.strip():
        cited = tuple(filter(shown.portion.line, reply.lines))
        yield SuggestedOperation(Do.DESCRIBE, {"page": shown.path, "text": reply.text}, cited)


DESCRIBE = Job("describe", DescribeReply, suggested_describe)
