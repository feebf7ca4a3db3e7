"""Entries that were added, as an answer."""

from __future__ import annotations

from memwiki.answers.curation import Brief, OutgoingRequest
from memwiki.answers.edits import Edited
from memwiki.answers.entries import EntryConflict, EntryView, NearEntry
from memwiki.answers.proposals import ProposalRow
from memwiki.records import FrozenRecord


class AddReport(FrozenRecord):
    """What became of the entries that were to be added."""

    added: tuple[EntryView, ...]
    repeated: tuple[EntryView, ...]  # were there already: nothing was written
    replaced: tuple[EntryView, ...]
    near: tuple[NearEntry, ...]
    conflicts: tuple[EntryConflict, ...]
    superseded: tuple[EntryView, ...]
    edited: Edited
    # What waits for review: that an added entry ends another one, or what becomes of it and one
    # that is near, where a model was to be asked.
    proposals: tuple[ProposalRow, ...] = ()
    briefs: tuple[Brief, ...] = ()
    requests: tuple[OutgoingRequest, ...] = ()
