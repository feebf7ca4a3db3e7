"""A job over groups of entries: as many groups at a time as a model is to be shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from memwiki.curation.entry_lines import entry_line, words_shown
from memwiki.curation.groups import EntryGroup, NameInUse, NamePair, day_of
from memwiki.curation.jobs import Job
from memwiki.curation.portions import Portion
from memwiki.curation.work import JobWork, undecided
from memwiki.digest import text_hash
from memwiki.models.port import Ask
from memwiki.proposals.operations import MAX_OPERATIONS, Proposal
from memwiki.proposals.proposing import KnownEntry
from memwiki.proposals.source import NumberedSource, SourceLine
from memwiki.proposals.wording import plain_sentence
from memwiki.sync.live import LiveIndex
from memwiki.text import tokens

_KEY_BYTES = 8
_NUMBER_TOKENS = 3  # of a line
_MAX_TOLD = 160  # characters of an entry that names something


class ShownGroup(NamedTuple):
    """Entries that are shown together, a line each."""

    known: tuple[KnownEntry, ...]
    lines: tuple[SourceLine, ...]

    @property
    def key(self) -> str:
        """What tells whether the same entries were shown before, in the same words."""
        said = (f"{each.id} {each.text}" for each in self.known)
        return text_hash("\n".join(said), _KEY_BYTES).hex()

    @property
    def tokens(self) -> int:
        """What it takes of the context of a model."""
        return sum(tokens(each.text) + _NUMBER_TOKENS for each in self.lines)


class EntrySheet(NamedTuple):
    """Groups that are shown at once."""

    groups: Sequence[ShownGroup]
    first: int  # number of the first line, from 1

    @property
    def portion(self) -> Portion:
        """Their lines."""
        return Portion(self.first, [line for each in self.groups for line in each.lines])

    @property
    def known(self) -> list[KnownEntry]:
        """Their entries, in the order of the lines."""
        return [entry for each in self.groups for entry in each.known]

    @property
    def told(self) -> str:
        """Which lines may have to do with each other."""
        if all(len(each.lines) == 1 for each in self.groups):
            return ""
        at, ranges = self.first, list[str]()
        for each in self.groups:
            ranges.append(f"{at}-{at + len(each.lines) - 1}")
            at += len(each.lines)
        return f"Lines that may have to do with each other: {', '.join(ranges)}"


class EntryWork(JobWork):
    """What a job has to do with some groups; those that were answered are asked no more."""

    def __init__(
        self,
        live: LiveIndex,
        job: Job[Any],
        groups: Iterable[ShownGroup | None],
        context_tokens: int,
    ) -> None:
        super().__init__(live, job, NumberedSource(()), context_tokens)
        seen = {key for each in self._kept if each.is_answered for key in each.groups}
        shown = (each for each in groups if each and each.key not in seen)
        sheets = _sheets(shown, 1 if job.is_whole else 0, job.room(context_tokens))
        self._sheets = {each.portion.key: each for each in sheets}
        self.waiting = [each.portion for each in self._sheets.values()]

    @property
    def undecided(self) -> list[str]:
        """The proposals that were made before of any groups, of which something can be accepted."""
        return undecided(self._kept)

    def ask(self, portion: Portion) -> tuple[Ask, Sequence[KnownEntry]]:
        """What is asked about a sheet, and its entries."""
        sheet = self._sheets[portion.key]
        return self.job.ask((sheet.told,), portion.text), sheet.known

    def _proposal(self, portion: Portion, known: Sequence[KnownEntry]) -> Proposal:
        groups = self._sheets[portion.key].groups
        keys = tuple(each.key for each in groups)
        return super()._proposal(portion, known)._replace(groups=keys)


def shown_entries(group: EntryGroup) -> ShownGroup | None:
    """A group as it is shown, each with its day; None where one of it cannot be."""
    views = [each.view for each in group]
    known = [KnownEntry(view.name, view.text, view.origin) for view in views]
    return _shown(known, [day_of(view) or "no date" for view in views])


def shown_names(pair: NamePair) -> ShownGroup | None:
    """Two names as they are shown, each with what is known of it; None as above."""
    return _shown([KnownEntry(each.name, each.name, "") for each in pair], map(_told_of, pair))


def _told_of(named: NameInUse) -> str:
    """The type of its page, and what an entry says of it, without what a line ends with."""
    page = named.type or ("page" if named.has_page else "no page")
    return f"{page}; {plain_sentence(words_shown(named.text))[:_MAX_TOLD]}"


def _shown(known: Sequence[KnownEntry], told: Iterable[str]) -> ShownGroup | None:
    said = [words_shown(each.text) for each in known]
    rows = enumerate(zip(said, told, strict=True), 1)
    lines = tuple(SourceLine(entry_line(*row), line=number) for number, row in rows)
    return ShownGroup(tuple(known), lines) if all(said) else None


def _sheets(groups: Iterable[ShownGroup], max_groups: int, max_tokens: int) -> Iterator[EntrySheet]:
    """Groups that fit together, numbered on from sheet to sheet; 0 for any number of groups."""
    part, first = list[ShownGroup](), 1
    for each in groups:
        count = sum(len(one.lines) for one in part)
        size = sum(one.tokens for one in part) + each.tokens
        is_full = count + len(each.lines) > MAX_OPERATIONS or size > max_tokens
        if part and (is_full or len(part) == max_groups):
            yield EntrySheet(part, first)
            part, first = [], first + count
        part.append(each)
    if part:
        yield EntrySheet(part, first)
