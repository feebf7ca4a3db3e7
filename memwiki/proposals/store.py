"""Where proposals are kept: a file each, sealed, gone 90 days after all of it was decided."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta

from memwiki.change.record import sealed
from memwiki.clock import iso_of
from memwiki.commit.carry_out import is_made_here, sealing_key
from memwiki.errors import MemwikiError, NotFoundError, UnreadableError
from memwiki.files import proposal_files
from memwiki.files.lock import LOCK_NAME, Lock, state_folder
from memwiki.names import STATE_FOLDER
from memwiki.proposals.flags import Flag
from memwiki.proposals.operations import Proposal, State
from memwiki.proposals.record import ID, MAX_BYTES, as_bytes, fields_of, proposal_of, read_fields
from memwiki.sync.live import LiveIndex

_KEPT_DAYS = 90
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without what is mistaken for another
_LENGTH = 6


class ProposalStore:
    """The proposals of one workspace."""

    def __init__(self, live: LiveIndex) -> None:
        self._live, self._root = live, live.context.root
        self.notes: list[str] = []  # on files that are no proposals

    def all(self) -> list[Proposal]:
        """All of them, the newest first; files that hold none are noted."""
        found = []
        for name in proposal_files.names(self._root):
            try:
                found.append(self.get(name))
            except MemwikiError as error:
                self.notes.append(error.message)
        return sorted(found, key=lambda each: (each.at, each.id), reverse=True)

    def get(self, id_: str) -> Proposal:
        """The one with this id. Raises NotFoundError, UnreadableError."""
        data = None
        if ID.fullmatch(id_):
            data = proposal_files.load(self._root, id_, MAX_BYTES)
        if data is None:
            raise no_such_proposal(id_)
        try:
            fields = read_fields(data)
            found = proposal_of(fields)
            if found.id != id_:
                raise ValueError(f"calls itself {found.id}")
        except ValueError as error:
            name = f"{STATE_FOLDER}/proposals/{id_}.json"
            raise UnreadableError.at(name, f"is no proposal: {error}", "remove it") from error
        return found if is_made_here(self._live, fields) else _foreign(found)

    def put(self, proposal: Proposal) -> Proposal:
        """Keep it as it is now, and forget those that were decided long ago."""
        if not (proposal.open or proposal.decided) and proposal.is_answered:
            proposal = proposal._replace(decided=self.now)
        plain = json.loads(as_bytes(fields_of(proposal)))
        data = as_bytes(sealed(plain, sealing_key(self._live)))
        if len(data) > MAX_BYTES:
            raise UnreadableError(
                f"{proposal.id}: a proposal of {len(data)} bytes is over {MAX_BYTES}",
                "propose less at once",
            )
        with Lock(state_folder(self._root) / LOCK_NAME):
            proposal_files.store(self._root, proposal.id, data)
            proposal_files.remove(self._root, self._outdated())
        return proposal

    @property
    def now(self) -> str:
        """The time of what is made now, ISO 8601 in UTC."""
        return iso_of(self._live.context.clock())

    def new_id(self) -> str:
        """An id that none has."""
        taken = set(proposal_files.names(self._root))
        while True:
            id_ = "p-" + "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
            if id_ not in taken:
                return id_

    def _outdated(self) -> Iterator[str]:
        now = datetime.fromisoformat(self.now)
        for each in self.all():
            with suppress(ValueError):
                if each.decided and _age(each.decided, now) > timedelta(days=_KEPT_DAYS):
                    yield each.id


def no_such_proposal(id_: str) -> NotFoundError:
    """The error of an id that none has."""
    return NotFoundError(f"{id_}: no proposal has this id", "memwiki review lists them")


def _age(at: str, now: datetime) -> timedelta:
    return now - datetime.fromisoformat(at)


def _foreign(proposal: Proposal) -> Proposal:
    """One that somebody else may have written: nothing of it is taken with all the rest."""
    marked = (
        each._replace(flags=tuple(dict.fromkeys((*each.flags, Flag.FOREIGN.value))))
        if each.state is State.OPEN
        else each
        for each in proposal.operations
    )
    return proposal._replace(operations=tuple(marked))
