"""`memwiki sync`, `memwiki reindex`, `memwiki index` and `memwiki watch`."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Annotated

from memwiki.answers.index import Changes, WatcherProcess, WatchEvent, WatchEventKind
from memwiki.cli import streams
from memwiki.cli.app import App
from memwiki.cli.door import PROBLEMS_FOUND, Door
from memwiki.errors import UsageError
from memwiki.present.terminal import print_rows

if TYPE_CHECKING:
    from memwiki.answers.workspaces import CacheList
    from memwiki.cli.warm.server import QuietEnd
    from memwiki.workspace import Workspace

app = App()

_Verbose = Annotated[bool, "List every page, also when there are over 20."]
cache = app.group("cache", "cache list", "cache prune")
# A sync under way may end by itself so long; then it is cut off, as Ctrl-C cuts off any other.
_GRACE_S = 0.6


@app.verb("status", "status wiki/home.md", "status --metrics --json", "status --trend --by month")
def status(
    door: Door,
    path: Annotated[str, "", "[PATH]"] = "",
    *,
    metrics: Annotated[bool, "Count memories, and time the last 1,000 recalls."] = False,
    trend: Annotated[bool, "How the memory grew and was recalled, its types and tags."] = False,
    by: Annotated[str, "The periods of --trend: week, month or year.", "UNIT"] = "",
) -> None:
    """Show what is indexed, or why a file is not found."""
    asked = [*["--metrics"] * metrics, *["--trend"] * trend, *["a path"] * bool(path)]
    if asked[1:]:
        raise UsageError(f"status: {' and '.join(asked)} together", "ask for one of them")
    if by and not trend:
        raise UsageError("status: --by without --trend", "memwiki status --trend --by month")
    workspace = door.open()
    if metrics or trend:
        door.show(workspace.index.trend(by) if trend else workspace.index.metrics())
        return
    named = door.here(workspace).paths([path] if path else [])
    door.show(workspace.index.why(*named) if named else workspace.index.status())
    for note in () if named else workspace.config.foreign_notes:
        door.talk(note)


@app.verb("doctor", "doctor --verify")
def doctor(
    door: Door,
    *,
    verify: Annotated[bool, "Compare the index with a rebuild from the files."] = False,
) -> int:
    """Check the index, and with --verify compare it with a rebuild.

    Exits 3 when something is wrong.
    """
    with door.progress("Verifying") as progress:
        health = door.open().index.doctor(verify=verify, progress=progress)
    door.show(health)
    return 0 if health.healthy and health.equal is not False else PROBLEMS_FOUND


@app.verb("sync", "sync wiki/home.md", "sync --full   # compare the bytes of every file")
def sync(
    door: Door,
    paths: Annotated[list[str] | None, "", "[PATH]..."] = None,
    *,
    full: Annotated[bool, "Compare bytes, not only sizes and times."] = False,
    force: Annotated[bool, "Remove pages from the index even when many vanish at once."] = False,
    verbose: _Verbose = False,
) -> int:
    """Bring the index up to date with the files."""
    workspace = door.open()
    named = door.here(workspace).paths(paths or ())
    with door.progress("Indexing") as progress:
        changes = workspace.sync(named, full=full, force=force, progress=progress)
    return _report(door, changes, is_whole=verbose)


@app.verb("reindex", "reindex --verbose")
def reindex(door: Door, *, verbose: _Verbose = False) -> int:
    """Build a new index from the files and swap it in."""
    with door.progress("Indexing") as progress:
        changes = door.open().index.reindex(progress=progress)
    return _report(door, changes, is_whole=verbose)


def _report(door: Door, changes: Changes, *, is_whole: bool) -> int:
    from memwiki.present.index import change_rows

    door.report(changes, text=print_rows(change_rows(changes, is_whole=is_whole), door.look()))
    if changes.fresh:
        return 0
    streams.talk(f"sync: {changes.reason}\nmemwiki sync --force removes them from the index")
    return 1


@cache.verb("cache list --json", is_usual=True)
def list_(door: Door) -> None:
    """List the indexes on this machine and the workspaces they belong to."""
    door.show(_caches(is_pruning=False))


@cache.verb("cache prune")
def prune(door: Door) -> None:
    """Delete the indexes of workspaces that moved or vanished."""
    answer = _caches(is_pruning=True)
    door.report(answer, text=None if answer.removed else "nothing to do")


def _caches(*, is_pruning: bool) -> CacheList:
    """They are those of a machine: there need be no workspace here."""
    from memwiki.config import environment
    from memwiki.setup import machine

    return machine.caches(environment(), prune=is_pruning)


@app.verb(
    "watch",
    "watch --json",
    "watch --upkeep   # and join, promote and retire memories every 6 hours",
    "watch --background --idle 8h",
    "watch --stop",
    "watch --poll   # where the system reports no file events",
)
def watch(
    door: Door,
    *,
    poll: Annotated[
        bool, "Scan the folder every second instead of waiting for file events."
    ] = False,
    upkeep: Annotated[bool, "Also run all upkeep every consolidation.interval_hours."] = False,
    background: Annotated[bool, "In a process of its own; ends when its folder is gone."] = False,
    idle: Annotated[str, "End when nothing changed or was asked for so long: 1h.", "TIME"] = "",
    stop: Annotated[bool, "End the running watcher."] = False,
) -> None:
    """Keep the index up to date while files are edited, and answer commands fast.

    Runs until Ctrl-C. Prints one line for each change, with --json one object per line. One watcher
    per workspace is enough; every other command works without one too. While one runs, commands
    that read are answered by a process that has everything loaded.
    """
    from memwiki.cli.warm.server import QuietEnd, in_background, seconds_of

    if stop and (background or idle or poll or upkeep):
        raise UsageError("watch: --stop with another option", "memwiki watch --stop")
    workspace, idle_s = door.open(), seconds_of(idle)
    if stop:
        door.report(workspace.index.stop_watcher())
        return

    end = QuietEnd(workspace.root, idle_s) if background or idle_s else None
    run = partial(_watch, door, workspace, end, poll=poll, upkeep=upkeep)
    if not background:
        run(lambda: None)
        return
    log = workspace.index.watch_log()
    pid = in_background(run, log)
    door.report(WatcherProcess(str(workspace.root), pid, running=True, log=str(log)))


def _watch(
    door: Door,
    workspace: Workspace,
    end: QuietEnd | None,
    begun: Callable[[], None],
    *,
    poll: bool,
    upkeep: bool,
) -> None:
    from memwiki.cli.warm.server import answering

    def tell(event: WatchEvent) -> None:
        if door.options.is_json or not door.options.is_quiet:
            door.show(event)
            streams.flush()
            streams.keep_log_short()
        if end:
            end.note()
        if event.event is WatchEventKind.STARTED:
            begun()

    gc.set_threshold(700, 10, 10)  # unlike other commands it lives long enough to gather garbage
    watching = workspace.watch(tell=tell, poll=poll, upkeep=upkeep)
    with answering(), ending(watching.stop), end.of(watching.stop) if end else nullcontext():
        watching.run()


@contextmanager
def ending(stop: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C and SIGTERM end it: kindly at first, after a moment by force."""

    def ask(_number: int, _frame: object) -> None:
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, signal.default_int_handler)
            signal.setitimer(signal.ITIMER_REAL, _GRACE_S)
        stop()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    except KeyboardInterrupt:  # in the middle of a sync: the next one goes on from there
        pass
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
