"""The runs of upkeep: what the last ones did, one file a machine in `.memwiki/state/`, and when
the next one is due."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice
from math import inf
from pathlib import Path

from memwiki.answers.index import CollectionCount, UpkeepRun, UpkeepState
from memwiki.change.record import stack_of
from memwiki.clock import iso_of, local_moment
from memwiki.config import Config
from memwiki.errors import MemwikiError
from memwiki.files.lock import LOCK_NAME, Lock, state_folder
from memwiki.files.records import Fields, Records
from memwiki.nouns import Environ
from memwiki.sync.context import Context

WHOLE, CONSOLIDATE, RETAIN, CURATE = "upkeep", "consolidate", "retain", "curate"
_NOTHING = "nothing to do"  # in words
_RETAINING = (WHOLE, RETAIN)
RETAIN_HOURS = 12.0  # at least between two looks at retention after writes
_AFTER_ERROR_S = 600.0
_HOUR_S = 3600.0
_NOW = "now"
_MAX_BYTES = 64_000
_WAIT_MS = 10_000


def state_of(context: Context) -> UpkeepState:
    """The last run, and when the next one is due by itself; "" where nothing happens so."""
    runs, waits = list(runs_of(context.root)), list[float]()
    if context.config.memory.is_for_agents:
        waits.append(seconds_until_upkeep(context.config, runs, context.clock()))
    if context.config.is_retaining:
        waits.append(seconds_until_retention(runs, context.clock()))
    due = ""
    if waits:
        left_ns = int(min(waits) * 1e9)
        due = iso_of(context.clock() + left_ns) if left_ns else _NOW
    return UpkeepState(next(iter(runs), None), due)


def seconds_until_upkeep(config: Config, runs: Iterable[UpkeepRun], now_ns: int) -> float:
    """How long until the whole upkeep is due; 0 when it is. It waits for `interval_hours` after a
    run, and ten minutes after one that failed."""
    return _seconds_left(runs, (WHOLE,), config.consolidation.interval_hours, now_ns)


def seconds_until_retention(runs: Iterable[UpkeepRun], now_ns: int) -> float:
    """How long until retention is looked at again after a write, at the earliest."""
    return _seconds_left(runs, _RETAINING, RETAIN_HOURS, now_ns)


def _seconds_left(
    runs: Iterable[UpkeepRun], ops: Collection[str], hours: float, now_ns: int
) -> float:
    """The rest of a time to wait; a run that lies ahead, by another clock, is no reason to."""
    last = next((run for run in runs if run.op in ops), None)
    if last is None:
        return 0.0
    wait_s = _AFTER_ERROR_S if last.error else hours * _HOUR_S
    passed_s = now_ns / 1e9 - datetime.fromisoformat(last.at).timestamp()
    return max(wait_s - passed_s, 0.0) if passed_s >= 0 else 0.0


def seconds_until_run(context: Context) -> float:
    """How long until the whole upkeep is due on its own schedule; 0 when it is."""
    return seconds_until_upkeep(context.config, runs_of(context.root), context.clock())


def seconds_until_curation(context: Context, environ: Environ) -> float:
    """How long until memories are curated by themselves: at its time of the day, until midnight,
    once, and after 1, 5 and 30 minutes where that failed; endless where that is off."""
    from memwiki.proposals.triggers import RETRY_MINUTES, is_on  # `status` needs none of it

    if not is_on(context, environ, CURATE):
        return inf
    now = local_moment(context.clock())
    hour, _, minute = context.config.curation.at.partition(":")
    begin = now.replace(hour=int(hour), minute=int(minute), second=0, microsecond=0)
    if begin > now:
        return (begin - now).total_seconds()
    runs = [run for run in runs_of(context.root) if run.op == CURATE]
    today = [run for run in runs if _moment_of(run) >= begin]
    if any(not run.error for run in today) or len(today) > len(RETRY_MINUTES):
        return (begin + timedelta(days=1) - now).total_seconds()
    if not today:
        return 0.0
    again = _moment_of(today[0]) + timedelta(minutes=RETRY_MINUTES[len(today) - 1])
    return max((again - now).total_seconds(), 0.0)


def note_curation(context: Context, did: str, error: str = "") -> None:
    """Keep what a curation by itself did."""
    note_run(context.root, UpkeepRun(CURATE, iso_of(context.clock()), did, error))


def _moment_of(run: UpkeepRun) -> datetime:
    return datetime.fromisoformat(run.at).astimezone().replace(tzinfo=None)


def is_retention_due(context: Context) -> bool:
    """Whether a configured policy is to be looked at again, after so many writes."""
    if not context.config.is_retaining:
        return False
    runs = list(runs_of(context.root))
    if seconds_until_retention(runs, context.clock()) > 0:
        return False
    last = next((run.at for run in runs if run.op in _RETAINING), "")
    policies = context.config.retention.values()
    wanted = min((each.check_interval for each in policies if each.policy != "none"), default=100)
    newest = islice(stack_of(context.root).newest(), wanted)
    return sum(str(record.fields.get("at", "")) > last for record in newest) >= wanted


def runs_of(root: Path) -> Iterator[UpkeepRun]:
    """The runs on this machine, the newest first; what is no record of ours is passed over."""
    with suppress(MemwikiError):
        for record in Records(root, "upkeep", max_bytes=_MAX_BYTES).newest():
            with suppress(LookupError, TypeError, ValueError):
                yield _run(record.fields)


def note_run(root: Path, run: UpkeepRun) -> None:
    """Keep what a run did; where that is not possible, it is done all the same."""
    with (
        suppress(MemwikiError, OSError),
        Lock(state_folder(root) / LOCK_NAME, timeout_ms=_WAIT_MS),
    ):
        Records(root, "upkeep", max_bytes=_MAX_BYTES).add(run._asdict())


def _run(fields: Fields) -> UpkeepRun:
    datetime.fromisoformat(fields["at"])
    counts = tuple(
        CollectionCount(_text(name), int(existing), int(left))
        for name, existing, left in fields["collections"]
    )
    op, at, did, error = (_text(fields[name]) for name in ("op", "at", "did", "error"))
    return UpkeepRun(op, at, did if did or error else _NOTHING, error, counts)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
