"""What a watcher did, as text: one line for each thing that happened."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from memwiki.answers.watch import WatcherInfo, WatcherState, WatchEvent, WatchEventKind
from memwiki.clock import local_time
from memwiki.numbers import counted
from memwiki.present.screen import Colour, Look, as_path, columns, line
from memwiki.present.terminal import text_of

_SHOWN_PATHS = 3
_INDENT = 10  # columns of the time and the gap behind it
_TOOK = 8  # columns of how long it took
_TO = " → "  # between the names of a rename
_LONG = 100  # seconds that are easier read as minutes
_COLOURS = {"+": Colour.GREEN, "~": Colour.YELLOW, "-": Colour.RED, "→": Colour.CYAN}
_EVENT_COLOURS = {
    WatchEventKind.FAILED: Colour.RED,
    WatchEventKind.PAUSED: Colour.YELLOW,
    WatchEventKind.RESUMED: Colour.GREEN,
}


@text_of.register
def _(answer: WatchEvent, look: Look) -> str:
    head = look.faint(_time(answer.at, look))
    if answer.event is WatchEventKind.CHANGED:
        return f"{head}  {_changed(answer, look)}"
    reason = f": {line(answer.reason)}" if answer.reason else ""
    colour = _EVENT_COLOURS.get(answer.event)
    what = look.tinted(answer.event, colour) if colour else str(answer.event)
    return f"{head}  {_begun(answer, look) or what}{reason}"


def _time(at: str, look: Look) -> str:
    """The time of day: where the person is on a terminal, as in JSON in a pipe."""
    return at[11:19] if look.width is None else local_time(at)


def _begun(answer: WatchEvent, look: Look) -> str:
    """What is watched from now on."""
    if not answer.workspace:
        return ""
    pages = f", {counted(answer.pages, 'page')}" if answer.pages else ""
    end = look.faint(" (Ctrl-C ends it)") if look.width is not None else ""
    return f"watching {as_path(answer.workspace)}{pages}{end}"


def _changed(answer: WatchEvent, look: Look) -> str:
    """What changed, on one line where that has room, else a line for each."""
    parts = list(_what(answer))
    took = look.faint(f"({_duration(answer.seconds)})")
    state = "" if answer.fresh else f"  not fresh: {line(answer.reason)}"
    room = inf if look.width is None else look.width - _INDENT - _TOOK
    is_wide = sum(columns(text) + 2 for _, text in parts) > room
    gap = "\n" + " " * _INDENT
    texts = (look.tinted(text, _COLOURS[sign]) for sign, text in parts)
    if not is_wide:
        return "  ".join(texts) + f"  {took}{state}"
    return gap.join(texts).replace(_TO, f"{gap}→ ") + f"  {took}{state}"


def _what(answer: WatchEvent) -> Iterator[tuple[str, str]]:
    """What changed in a few parts, each with its sign; a rename is one thing."""
    olds = {each.old for each in answer.renamed}
    news = {each.new for each in answer.renamed}
    groups = {
        "+": [path for path in answer.added if path not in news],
        "~": [*answer.modified],
        "-": [path for path in answer.removed if path not in olds],
    }
    texts = {sign: [f"{sign} {as_path(path)}" for path in paths] for sign, paths in groups.items()}
    texts["→"] = [f"{as_path(each.old)}{_TO}{as_path(each.new)}" for each in answer.renamed]
    is_few = sum(map(len, texts.values())) <= _SHOWN_PATHS
    for sign, group in texts.items():
        if group and not is_few:
            yield sign, f"{sign} {counted(len(group), 'page')}"
        for text in group if is_few else ():
            yield sign, text


def _duration(seconds: float) -> str:
    """A time as short as it can be read."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    return f"{seconds:.1f} s" if seconds < _LONG else f"{seconds / 60:.1f} min"


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
