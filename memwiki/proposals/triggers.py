"""Sessions that ended and wait for their facts: noted, and extracted in a process of its own."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from memwiki.answers.index import TriggerFailure, TriggerState
from memwiki.clock import iso_of
from memwiki.config.models import AUTO_STORE, CURATE, SESSION_END, load_user_models
from memwiki.errors import LockedError, MemwikiError
from memwiki.fence import one_line
from memwiki.files.lock import Lock, state_folder, state_subfolder
from memwiki.files.read import bytes_of
from memwiki.files.temporary import machine, write_whole
from memwiki.models.outgoing import folder_key
from memwiki.nouns import Environ
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex


def begin_waiting(context: Context, environ: Environ) -> bool:
    """Let another process extract what is due; whether it could be begun."""
    return begin(context, environ, ["extract", "--waiting", "--due"])


def begin(context: Context, environ: Environ, words: Sequence[str]) -> bool:
    """Let another process do what a command does; whether it could be begun."""
    scope = context.scope()
    named = ["-n", scope.name] if scope.base else []
    # -P: not a package of this name in the current folder, which may be from elsewhere.
    command = [sys.executable, "-P", "-m", "memwiki", "-C", str(context.root), *named]
    with suppress(OSError):
        start([*command, *words], environ)
        return True
    return False


def start(command: Sequence[str], environ: Environ) -> None:
    """Begin a program that nobody waits for."""
    import subprocess

    process = subprocess.Popen(
        command,
        env=dict(environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    # Its end is taken note of, where the one who began it lives on, as a server does.
    threading.Thread(target=process.wait, name="extract", daemon=True).start()


RETRY_MINUTES = (1, 5, 30)
_MINUTE_NS = 60 * 10**9
_MAX_WAITING = 200  # sessions; the oldest are forgotten
_MAX_BYTES = 1_000_000
_MAX_WORDS = 300  # characters of an error
_LOCK, _RUN_LOCK = "triggers.lock", "triggers-run.lock"


class TriggeredSession(NamedTuple):
    """A session that waits, and how often it failed."""

    session: str
    base: str  # the folder of its namespace, "" of none
    tries: int = 0
    next_at: str = ""  # not before, ISO 8601; "" at once
    error: str = ""
    hint: str = ""

    @property
    def is_given_up(self) -> bool:
        """Whether it is tried by itself no more."""
        return self.tries > len(RETRY_MINUTES)

    def is_due(self, now: str) -> bool:
        """Whether it may be tried now."""
        return not self.is_given_up and self.next_at <= now


def is_on(context: Context, environ: Environ, what: str) -> bool:
    """Whether the settings of the workspace want something to happen by itself, and the user
    named the workspace for it in `[models.triggers]` of config.toml."""
    extract = context.config.extract
    is_wanted = {
        SESSION_END: SESSION_END in extract.on,
        AUTO_STORE: extract.auto_store,
        CURATE: bool(context.config.curation.at),
    }[what]
    if not is_wanted:
        return False
    return what in load_user_models(environ).triggers.get(folder_key(context.root), ())


def session_ended(context: Context, environ: Environ, session: str) -> bool:
    """Let another process extract a session that ended; False where nothing happens by itself, and
    where nothing can be noted: to end a session never fails for that."""
    is_noted = False
    with suppress(MemwikiError, OSError):
        if is_on(context, environ, SESSION_END):
            new = TriggeredSession(session, context.scope().base, next_at=iso_of(context.clock()))
            _change(context, lambda known: [*_without(known, new), new])
            is_noted = True
    return is_noted and begin_waiting(context, environ)


def waiting(context: Context) -> list[TriggeredSession]:
    """What waits in the namespace that is worked in."""
    base = context.scope().base
    with suppress(MemwikiError, OSError):
        return [each for each in _stored_sessions(context.root) if each.base == base]
    return []


def due(context: Context, *, is_forced: bool = False) -> list[TriggeredSession]:
    """What may be tried now; all of it where a person asks."""
    now = iso_of(context.clock())
    return [each for each in waiting(context) if is_forced or each.is_due(now)]


def begin_overdue(live: LiveIndex, environ: Environ) -> bool:
    """Let another process extract what waits and is due, if there is room for proposals; whether it
    was begun."""
    from memwiki.proposals.review import waiting_count

    place = overdue(live.context, environ)
    most = live.context.config.curation.max_open
    return bool(place and waiting_count(live) < most and begin_waiting(place, environ))


def overdue(context: Context, environ: Environ) -> Context | None:
    """Where something is to be tried now that nobody is at: in the namespace that is worked in, or
    first in none and then in one after the other."""
    names = () if context.namespace else context.namespaces()
    places = (context, *(context._replace(namespace=name) for name in names))
    return next((each for each in places if _is_overdue(each, environ)), None)


def _is_overdue(context: Context, environ: Environ) -> bool:
    """Whether something is to be tried now that nobody is at: what failed at its time, and what was
    never tried a minute after it ended; and whether its user wants that still."""
    now, before = map(iso_of, (context.clock(), context.clock() - _MINUTE_NS))
    if any(each.is_due(now if each.tries else before) for each in waiting(context)):
        with suppress(LockedError), run_lock(context):
            return is_on(context, environ, SESSION_END)
    return False


def run_lock(context: Context) -> Lock:
    """Held by who asks a model by itself; others then have nothing to do."""
    return Lock(state_folder(context.root) / _RUN_LOCK, timeout_ms=0)


def note_done(context: Context, tried: TriggeredSession) -> None:
    """It waits no more."""
    _change(context, lambda known: _without(known, tried))


def note_failure(context: Context, tried: TriggeredSession, error: MemwikiError) -> None:
    """Keep why it failed, and when it is tried again: after 1, 5 and 30 minutes."""
    tries = tried.tries + 1
    minutes = RETRY_MINUTES[min(tries, len(RETRY_MINUTES)) - 1]
    now = datetime.fromisoformat(iso_of(context.clock()))
    later = (now + timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z")
    words = [one_line(each)[:_MAX_WORDS] for each in (error.message, error.hint)]
    failed = TriggeredSession(tried.session, tried.base, tries, later, *words)
    _change(context, lambda known: [*_without(known, tried), failed])


@contextmanager
def note_failures(context: Context, *, is_forced: bool) -> Iterator[None]:
    """Note what goes wrong meanwhile as the failure of all that is due."""
    try:
        yield
    except MemwikiError as error:
        for each in due(context, is_forced=is_forced):
            note_failure(context, each, error)
        raise


def state_of(context: Context) -> TriggerState:
    """What waits and what failed, for `status`; nothing to the public view, as sessions may be
    private."""
    known = [] if context.is_public else waiting(context)
    return TriggerState(len(known), tuple(_failure(each) for each in known if each.tries))


def _failure(each: TriggeredSession) -> TriggerFailure:
    next_at = "" if each.is_given_up else each.next_at
    return TriggerFailure(each.session, each.error, each.hint, next_at)


def _without(known: Sequence[TriggeredSession], gone: TriggeredSession) -> list[TriggeredSession]:
    return [each for each in known if each[:2] != gone[:2]]


def _change(
    context: Context, change: Callable[[Sequence[TriggeredSession]], list[TriggeredSession]]
) -> None:
    with Lock(state_folder(context.root) / _LOCK):
        rows = [each._asdict() for each in change(_stored_sessions(context.root))[-_MAX_WAITING:]]
        location = _location(context.root, is_made=True)
        write_whole(location, json.dumps(rows, ensure_ascii=False).encode())


def _stored_sessions(root: Path) -> list[TriggeredSession]:
    """What is kept; nothing of what is no such row."""
    try:
        rows = json.loads(bytes_of(_location(root), _MAX_BYTES))
    except (FileNotFoundError, ValueError, RecursionError):
        return []
    return list(_rows(rows)) if isinstance(rows, list) else []


def _rows(rows: Sequence[object]) -> Iterator[TriggeredSession]:
    for each in rows:
        with suppress(TypeError):
            found = TriggeredSession(**each) if isinstance(each, dict) else None
            if found and [*map(type, found)] == [*map(type, TriggeredSession("", ""))]:
                yield found


def _location(root: Path, *, is_made: bool = False) -> Path:
    return state_subfolder(root, "state", is_made=is_made) / f"triggers-{machine()}.json"
