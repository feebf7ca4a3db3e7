"""What a watcher did, as text: one line for each thing that happened."""

from __future__ import annotations

from memwiki.answers.watch import WatcherInfo, WatcherState, WatchEvent, WatchEventKind
from memwiki.numbers import counted
from memwiki.present.screen import Look, as_path, line
from memwiki.present.text import text_of

_SHOWN_PATHS = 3


@text_of.register(WatchEvent)
def _(answer: WatchEvent, look: Look) -> str:
    head = look.faint(answer.at[11:19])
    if answer.event is WatchEventKind.CHANGED:
        took = look.faint(f"({answer.seconds * 1000:.0f} ms)")
        state = "" if answer.fresh else f"  not fresh: {line(answer.reason)}"
        return f"{head}  {_what(answer)}  {took}{state}"
    reason = f": {line(answer.reason)}" if answer.reason else ""
    return f"{head}  {answer.event}{reason}"


def _what(answer: WatchEvent) -> str:
    groups = (("+", answer.added), ("~", answer.modified), ("-", answer.removed))
    if sum(len(paths) for _, paths in groups) <= _SHOWN_PATHS:
        return "  ".join(f"{sign} {as_path(path)}" for sign, paths in groups for path in paths)
    return "  ".join(f"{sign} {counted(len(paths), 'page')}" for sign, paths in groups if paths)


def watcher_line(answer: WatcherInfo) -> str:
    """Whether anybody watches, in a few words."""
    if answer.state is WatcherState.NONE:
        return "no watcher: every command looks at the folder itself"
    if answer.state is WatcherState.WATCHING:
        return f"watched by process {answer.pid}"
    reason = f": {line(answer.reason)}" if answer.reason else f", process {answer.pid}"
    return f"watcher {answer.state}{reason}"


def watcher_text(answer: WatcherInfo) -> str:
    """The watcher in one line of a status."""
    if answer.state is WatcherState.NONE:
        return "none: every command looks at the folder itself"
    reason = f" ({line(answer.reason)})" if answer.reason else ""
    scan = f", up to date at {answer.last_scan}" if answer.last_scan else ""
    return (
        f"{answer.state}{reason}, process {answer.pid} since {answer.since}, "
        f"last active {counted(round(answer.heartbeat or 0), 'second')} ago{scan}"
    )
