"""A proposal as it is kept, and read as something that anybody may have written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NoReturn, cast

from memwiki.nouns import Json
from memwiki.patterns import pattern
from memwiki.proposals.operations import (
    MAX_OPERATIONS,
    Do,
    Evidence,
    Operation,
    Proposal,
    ProposalSource,
    State,
    why_not,
)

FORMAT = 1
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
    for name in ("known", "shown", "groups"):
        fields[name] = list(getattr(proposal, name))
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
        found = json.loads(data, parse_constant=_refused)
    except RecursionError as error:
        raise ProposalFormError("is nested too deeply") from error
    if not isinstance(found, dict):
        raise ProposalFormError("holds no object")
    return found


def _refused(constant: str) -> NoReturn:
    raise ProposalFormError(f"holds {constant}")


def proposal_of(fields: Mapping[str, object]) -> Proposal:
    """What the fields say; ProposalFormError with the reason where they are
    none."""
    if fields.get("format") != FORMAT:
        raise ProposalFormError(f"is of format {fields.get('format')}, not {FORMAT}")
    id_ = _text(fields, "id")
    if not ID.fullmatch(id_):
        raise ProposalFormError("has no id")
    operations = _list(fields.get("operations"))
    if len(operations) > MAX_OPERATIONS:
        raise ProposalFormError(f"has more than {MAX_OPERATIONS} operations")
    source = _mapping(fields.get("source"))
    return Proposal(
        id=id_,
        at=_text(fields, "at"),
        job=_text(fields, "job"),
        source=ProposalSource(
            _text(source, "path"),
            _text(source, "digest"),
            _text(source, "part"),
            _count(source, "first"),
            _count(source, "lines"),
        ),
        operations=tuple(map(_operation, operations, range(1, len(operations) + 1))),
        model=_text(fields, "model"),
        host=_text(fields, "host"),
        known=tuple(map(str, _list(fields.get("known")))),
        decided=_text(fields, "decided"),
        is_answered=fields.get("is_answered") is True,
        shown=tuple(map(str, _list(fields.get("shown")))),
        goal=_text(fields, "goal"),
        base=_text(fields, "base"),
        reasoning=_text(fields, "reasoning"),
        groups=tuple(map(str, _list(fields.get("groups")))),
    )


def _operation(fields: object, n: int) -> Operation:
    found = _mapping(fields)
    try:
        do, state = Do(_text(found, "do")), State(_text(found, "state"))
    except ValueError as error:
        raise ProposalFormError(f"operation {n}: {error}") from error
    values = {name: cast("Json", found[name]) for name in found if name not in _OWN}
    if reason := why_not(do, values):
        raise ProposalFormError(f"operation {n}: {reason}")
    support = found.get("support")
    return Operation(
        n,
        do,
        values,
        tuple(map(_evidence, _list(found.get("evidence")))),
        float(max(0, min(support, 1))) if isinstance(support, int | float) else 0.0,
        tuple(map(str, _list(found.get("flags")))),
        state,
        _text(found, "why"),
    )


def _evidence(fields: object) -> Evidence:
    found = _mapping(fields)
    return Evidence(_count(found, "line"), _text(found, "quote"), _text(found, "id"))


def _text(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name, "")
    if not isinstance(value, str):
        raise ProposalFormError(f"{name} is not a text")
    return value


def _count(fields: Mapping[str, object], name: str) -> int:
    value = fields.get(name)
    return value if isinstance(value, int) and value > 0 else 0


def _list(value: object) -> list[object]:
    if value is not None and not isinstance(value, list):
        raise ProposalFormError("holds a value in the place of a list")
    return value or []


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ProposalFormError("holds a value in the place of an object")
    return value
