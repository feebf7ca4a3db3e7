"""What the last runs of upkeep did, one file a machine in `.memwiki/state/`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from memwiki.answers.upkeep import CollectionCount, UpkeepRun
from memwiki.errors import MemwikiError
from memwiki.files.lock import Lock
from memwiki.files.records import Fields, Records
from memwiki.files.state import LOCK_NAME, state_folder

_MOST_BYTES = 64_000
_WAIT_MS = 10_000


def runs_of(root: Path) -> Iterator[UpkeepRun]:
    """The runs on this machine, the newest first; what is no record of ours is passed over."""
    with suppress(MemwikiError):
        for record in Records(root, "upkeep", max_bytes=_MOST_BYTES).newest():
            with suppress(LookupError, TypeError, ValueError):
                yield _run(record.fields)


def note_run(root: Path, run: UpkeepRun) -> None:
    """Keep what a run did; where that is not possible, it is done all the same."""
    with (
        suppress(MemwikiError, OSError),
        Lock(state_folder(root) / LOCK_NAME, timeout_ms=_WAIT_MS),
    ):
        Records(root, "upkeep", max_bytes=_MOST_BYTES).add(run._asdict())


def _run(fields: Fields) -> UpkeepRun:
    datetime.fromisoformat(fields["at"])
    counts = tuple(CollectionCount(*_count(*each)) for each in fields["collections"])
    op, at, did, error = (_text(fields[name]) for name in ("op", "at", "did", "error"))
    return UpkeepRun(op, at, did, error, counts)


def _text(value: Any) -> str:  # noqa: ANN401 - what anybody wrote
    if not isinstance(value, str):
        raise TypeError
    return value


def _count(name: Any, held: Any, left: Any) -> tuple[str, int, int]:  # noqa: ANN401
    return _text(name), int(held), int(left)
