"""Where proposals are kept: a file each, sealed, gone 90 days after all of it was decided."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache
from itertools import count
from operator import attrgetter
from pathlib import Path
from typing import Any, NoReturn, TypeAlias, cast, get_type_hints

from memwiki.change.record import seal_fields
from memwiki.clock import iso_of
from memwiki.commit.carry_out import is_made_here, sealing_key
from memwiki.errors import MemwikiError, NotFoundError, OutsideError, UnreadableError, UsageError
from memwiki.files import records
from memwiki.files.lock import LOCK_NAME, Lock, state_folder
from memwiki.files.paths import contain
from memwiki.names import STATE_FOLDER, is_page_name
from memwiki.nouns import Json
from memwiki.proposals.flags import Flag
from memwiki.proposals.operations import (
    MAX_OPERATIONS,
    UNDECIDED,
    Do,
    Evidence,
    Operation,
    Proposal,
    ProposalSource,
    State,
    claim_key,
    why_not,
)
from memwiki.sync.live import LiveIndex
from memwiki.text import pattern

_Reader: TypeAlias = "Callable[[Mapping[str, object], str], object]"  # of a field by its name
FORMAT = 1
NO_SOURCE = ProposalSource("", "")
MAX_BYTES = 262_144
ID = pattern(r"p-[0-9a-z]{6,12}")


class ProposalFormError(ValueError):
    """What was read is no proposal; its text says why."""


_OWN = frozenset({"n", "do", "evidence", "support", "flags", "state", "why"})


def fields_of(proposal: Proposal) -> dict[str, Json]:
    """What is kept of it."""
    fields = cast("dict[str, Json]", proposal._asdict())
    fields["source"] = cast("Json", proposal.source._asdict())
    fields["operations"] = [_operation_fields(each) for each in proposal.operations]
    return {"format": FORMAT, **fields}


def _operation_fields(operation: Operation) -> Json:
    evidence = [cast("Json", each._asdict()) for each in operation.evidence]
    return {
        "n": operation.n,
        "do": operation.do.value,
        **operation.values,
        "evidence": evidence,
        "support": round(operation.support, 4),
        "flags": list(operation.flags),
        "state": operation.state.value,
        "why": operation.why,
    }


def as_bytes(fields: Mapping[str, object]) -> bytes:
    """Fields as the bytes of a file."""
    return json.dumps(fields, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")


def read_fields(data: bytes) -> dict[str, object]:
    """The fields in a file; ProposalFormError where it holds none."""
    try:
        found = json.loads(data, parse_constant=_refuse)
    except RecursionError as error:
        raise ProposalFormError("is nested too deeply") from error
    if not isinstance(found, dict):
        raise ProposalFormError("holds no object")
    return found


def _refuse(constant: str) -> NoReturn:
    raise ProposalFormError(f"holds {constant}")


def proposal_of(fields: Mapping[str, object]) -> Proposal:
    """What the fields say; ProposalFormError with the reason where they are
    none."""
    if fields.get("format") != FORMAT:
        raise ProposalFormError(f"is of format {fields.get('format')}, not {FORMAT}")
    own = _plain(Proposal, fields)
    if not ID.fullmatch(own["id"]):
        raise ProposalFormError("has no id")
    operations = _list(fields, "operations")
    if len(operations) > MAX_OPERATIONS:
        raise ProposalFormError(f"has more than {MAX_OPERATIONS} operations")
    own["source"] = ProposalSource(**_plain(ProposalSource, _mapping(fields.get("source"))))
    own["operations"] = tuple(map(_operation, operations, count(1)))
    return Proposal(**own)


def _operation(fields: object, n: int) -> Operation:
    found = _mapping(fields)
    try:
        do, state = Do(_text(found, "do")), State(_text(found, "state"))
    except ValueError as error:
        raise ProposalFormError(f"operation {n}: {error}") from error
    values = {name: cast("Json", found[name]) for name in found if name not in _OWN}
    if reason := why_not(do, values):
        raise ProposalFormError(f"operation {n}: {reason}")
    given = found.get("support")
    support = float(max(0, min(given, 1))) if isinstance(given, int | float) else 0.0
    evidence = tuple(map(_evidence, _list(found, "evidence")))
    own = _plain(Operation, found) | {"n": n, "do": do, "values": values, "state": state}
    return Operation(**own, evidence=evidence, support=support)


def _evidence(fields: object) -> Evidence:
    return Evidence(**_plain(Evidence, _mapping(fields)))


def _plain(kind: type, fields: Mapping[str, object]) -> dict[str, Any]:
    """What is plainly typed of a record, each as its annotation says."""
    return {name: read(fields, name) for name, read in _readers(kind).items()}


@cache  # what the annotations mean is worked out once: it takes longer than to read a proposal
def _readers(kind: type) -> Mapping[str, _Reader]:
    hints = get_type_hints(kind).items()
    return {name: _READERS[hint] for name, hint in hints if hint in _READERS}


def _text(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name, "")
    if not isinstance(value, str):
        raise ProposalFormError(f"{name} is not a text")
    return value


def _count(fields: Mapping[str, object], name: str) -> int:
    value = fields.get(name)
    return value if isinstance(value, int) and value > 0 else 0


def _list(fields: Mapping[str, object], name: str) -> list[object]:
    value = fields.get(name)
    if value is not None and not isinstance(value, list):
        raise ProposalFormError("holds a value in the place of a list")
    return value or []


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ProposalFormError("holds a value in the place of an object")
    return value


_READERS: Mapping[object, _Reader] = {
    str: _text,
    int: _count,
    bool: lambda fields, name: fields.get(name) is True,
    tuple[str, ...]: lambda fields, name: tuple(map(str, _list(fields, name))),
}
_KEPT_DAYS = 90
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without what is mistaken for another
_LENGTH = 6


class ProposalStore:
    """The proposals of one workspace."""

    def __init__(self, live: LiveIndex) -> None:
        self._live, self._root = live, live.context.root
        self.notes: list[str] = []  # on files that are no proposals
        self.unread = 0  # files that are older than what was asked for

    def all(self, most: int | None = None) -> list[Proposal]:
        """All of them, the newest first, those of one second by what they rest on: ids are random;
        or those in so many files that changed last. Files that hold none are noted."""
        found = []
        names = records.names(self._root)
        if most is not None and len(names) > most:
            self.unread = len(names) - most
            names = records.newest(self._root, most, ID.fullmatch)
        for name in names:
            try:
                found.append(self.get(name))
            except MemwikiError as error:
                is_id = ID.fullmatch(name) is not None
                self.notes.append(error.message if is_id else f"{name[:20]!r}: is no proposal")
        found.sort(key=lambda each: (each.source.path, each.source.first, each.job, each.id))
        return sorted(found, key=attrgetter("at"), reverse=True)

    def get(self, id_: str) -> Proposal:
        """The one with this id. Raises NotFoundError, UnreadableError."""
        data = None
        if ID.fullmatch(id_):
            data = records.load(self._root, id_, MAX_BYTES)
        if data is None:
            raise no_such_proposal(id_)
        try:
            fields = read_fields(data)
            found = proposal_of(fields)
            self._require_own(found, id_)
        except ValueError as error:
            name = f"{STATE_FOLDER}/proposals/{id_}.json"
            raise UnreadableError.at(name, f"is no proposal: {error}", "remove it") from error
        return found if is_made_here(self._live, fields) else _foreign(found)

    def _require_own(self, found: Proposal, id_: str) -> None:
        """Refuse one that is another, or that rests on what is no page of the workspace."""
        if found.id != id_:
            raise ProposalFormError(f"calls itself {found.id}")
        path = found.source.path
        if path and not (is_page_name(path) and _is_contained(self._root, path)):
            raise ProposalFormError("rests on no page of the workspace")

    def put(self, proposal: Proposal) -> Proposal:
        """Keep a new one, or what answers a brief. Raises UsageError for one that was answered."""
        proposal = proposal._replace(base=self.base)
        with self._lock():
            with suppress(NotFoundError):
                require_unanswered(self.get(proposal.id))
            return self._write(proposal)

    def put_up(
        self,
        job: str,
        operations: Iterable[Operation],
        model: str,
        source: ProposalSource = NO_SOURCE,
    ) -> Proposal:
        """Keep operations that somebody proposes as a new one."""
        made = Proposal(self.new_id(), self.now, job, source, tuple(operations), model)
        return self.put(made._replace(is_answered=True))

    def settle(
        self, id_: str, changed: Iterable[Operation], verified: Iterable[str] = ()
    ) -> Proposal:
        """Note what became of operations, as far as nobody decided them meanwhile: what was
        accepted stays so, as it is written. `verified` are texts that need no second reading."""
        keys = tuple(map(claim_key, verified))
        now = {each.n: each for each in changed}

        def settled(kept: Proposal) -> Proposal:
            after = (_settled(each, now.get(each.n, each)) for each in kept.operations)
            return kept._replace(operations=tuple(after), verified=(*kept.verified, *keys))

        return self.revise(id_, settled)

    def reopen(self, id_: str, numbers: Collection[int]) -> Proposal:
        """Let operations that were decided be decided anew, each by its number and by itself."""

        def reopened(kept: Proposal) -> Proposal:
            after = (_reopened(e) if e.n in numbers else e for e in kept.operations)
            return kept._replace(operations=tuple(after), decided="")

        return self.revise(id_, reopened)

    def revise(self, id_: str, revised: Callable[[Proposal], Proposal]) -> Proposal:
        """Keep what becomes of one as it is now."""
        with self._lock():
            return self._write(revised(self.get(id_)))

    def deciding(self) -> Lock:
        """A lock for whoever decides, from what is read of a proposal until what became of it is
        noted: that of plans is free in between."""
        self._live.context.require_files()
        return Lock(state_folder(self._root) / "review.lock")

    def _lock(self) -> Lock:
        self._live.context.require_files()
        return Lock(state_folder(self._root) / LOCK_NAME)

    def _write(self, proposal: Proposal) -> Proposal:
        """Write it, under the lock, and forget those that were decided long ago."""
        if not (proposal.open or proposal.decided) and proposal.is_answered:
            proposal = proposal._replace(decided=self.now)
        plain = json.loads(as_bytes(fields_of(proposal)))
        data = as_bytes(seal_fields(plain, sealing_key(self._live)))
        if len(data) > MAX_BYTES:
            raise UnreadableError(
                f"{proposal.id}: a proposal of {len(data)} bytes is over {MAX_BYTES}",
                "propose less at once",
            )
        records.store(self._root, proposal.id, data)
        self._live.note_written()
        records.remove(self._root, self._outdated())
        return proposal

    @property
    def base(self) -> str:
        """The folder of the namespace that is worked in, "" for none."""
        return self._live.context.scope().base

    @property
    def now(self) -> str:
        """The time of what is made now, ISO 8601 in UTC."""
        return iso_of(self._live.context.clock())

    def new_id(self) -> str:
        """An id that none has."""
        taken = set(records.names(self._root))
        while True:
            id_ = "p-" + "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
            if id_ not in taken:
                return id_

    def _outdated(self) -> Iterator[str]:
        oldest = datetime.fromisoformat(self.now) - timedelta(days=_KEPT_DAYS)
        for each in self.all():
            with suppress(ValueError):
                if each.decided and datetime.fromisoformat(each.decided) < oldest:
                    yield each.id


def require_unanswered(proposal: Proposal) -> None:
    """Refuse to answer a brief twice."""
    if proposal.is_answered:
        raise UsageError(
            f"{proposal.id}: was answered already", "run the job again for a new brief"
        )


def no_such_proposal(id_: str) -> NotFoundError:
    """The error of an id that none has."""
    return NotFoundError(f"{id_}: no proposal has this id", "memwiki review")


def _settled(kept: Operation, changed: Operation) -> Operation:
    is_new = kept.state in UNDECIDED or changed.state is State.ACCEPTED
    return changed if is_new else kept


def _reopened(operation: Operation) -> Operation:
    """Aside, so that nobody takes it with all the rest."""
    return operation._replace(state=State.ASIDE, why=f"was {operation.state} before")


def _is_contained(root: Path, path: str) -> bool:
    try:
        return contain(root, path) == path
    except OutsideError:
        return False


def _foreign(proposal: Proposal) -> Proposal:
    """One that somebody else may have written: nothing of it is taken with all the rest."""
    marked = (
        each._replace(flags=tuple(dict.fromkeys((*each.flags, Flag.FOREIGN.value))))
        if each.state is State.OPEN
        else each
        for each in proposal.operations
    )
    return proposal._replace(operations=tuple(marked))
