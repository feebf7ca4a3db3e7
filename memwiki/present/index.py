"""What a sync did and what state the index is in, as rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import inf

from memwiki.answers.index import (
    Changes,
    Embedded,
    FedInfo,
    Health,
    NextStep,
    Overview,
    PathStatus,
    Status,
    UpkeepState,
    VectorsInfo,
    WatcherInfo,
    WatcherProcess,
    WatcherState,
    WatchEvent,
    WatchEventKind,
)
from memwiki.clock import local_time
from memwiki.numbers import counted
from memwiki.present.rows import (
    SHOWN_PATHS,
    CellTable,
    FoundProblem,
    Line,
    NamedPathCell,
    PathCell,
    Row,
    Rows,
    Words,
    and_more,
    one_a_line,
    rows_of,
    size,
)
from memwiki.present.terminal import Colour, Look, as_path, columns, line, print_rows, text_of

_SHOWN_DIFFERENCES = 50
GAP = Words("")  # an empty line
_SHOWN_EVENT_PATHS = 3
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


@rows_of.register
def change_rows(answer: Changes, *, is_whole: bool = False) -> Rows:
    """What a sync did; the pages are listed when they are few, or with `is_whole`."""
    groups = (("+", answer.added), ("~", answer.modified), ("-", answer.removed))
    is_listed = is_whole or sum(len(paths) for _, paths in groups) <= SHOWN_PATHS
    for sign, paths in groups if is_listed else ():
        yield from one_a_line(PathCell(f"{sign} {path}") for path in paths)
    for path in answer.failed:
        yield Line((PathCell(f"! {path}"), "(could not be read)"))
    counts = (
        f"{len(answer.added)} added, {len(answer.modified)} modified, "
        f"{len(answer.removed)} removed, {answer.unchanged} unchanged"
    )
    ignored = f", {answer.ignored} ignored" if answer.ignored else ""
    problems = f", {counted(answer.problems, 'problem')}" if answer.problems else ""
    yield Words(f"{counts}{ignored}{problems} ({answer.seconds:.2f} s)")
    if answer.catalogs:
        yield Words(f"catalogs rewritten: {len(answer.catalogs)}")
    yield from one_a_line(answer.notes)


@rows_of.register
def _(answer: Embedded) -> Rows:
    left = f", {answer.lacking:,} left" if answer.lacking else ""
    yield Words(f"{answer.embedded:,} embedded by {answer.model}{left} ({answer.seconds:.2f} s)")


@rows_of.register
def _(answer: Status) -> Rows:
    """Its counts; the folders of the machine are for its person alone."""
    counts = ("pages", "entries", "sections", "links", "tags", "problems", "ignored")
    yield Words(", ".join(f"{getattr(answer, name):,} {name}" for name in counts))
    yield from (Line((f"{name}: {text}",)) for name, text in _by_itself(answer))


def _by_itself(answer: Status) -> Iterator[tuple[str, str]]:
    """What happens by itself, or waits for somebody."""
    about = {
        "upkeep": _upkeep_text(answer.upkeep),
        "proposals": _waiting(answer),
        "extraction": _triggers_text(answer),
    }
    yield from ((name, line(text)) for name, text in about.items() if text)


@text_of.register
def _(answer: Status, look: Look) -> str:
    index = answer.index
    pending = f"{counted(answer.pending, 'change')} pending" if answer.pending else "out of date"
    state = "up to date" if answer.fresh else pending
    shared = answer.shared
    rows = (
        ("workspace", _shared_text(shared) if shared else answer.workspace),
        ("state", f"{state}: {answer.reason}" if answer.reason else state),
        ("pages", _pages(answer)),
        ("entries", f"{answer.entries} (memwiki search is:entry)"),
        ("tags", f"{answer.tags} (memwiki tags)"),
        ("problems", f"{answer.problems} found while reading (memwiki check --only reading)"),
        *([("not parsed", _few(answer.unparsed))] if answer.unparsed else []),
        ("index", f"{index.backend}, generation {index.generation}, {size(index.bytes)}"),
        *(
            [("fed", f"by {line(shared.by)}, from the files as of {local_time(shared.as_of)}")]
            if shared
            else [("index folder", index.place), ("watcher", watcher_text(answer.watcher))]
        ),
        *([("answers", f"commands, by process {answer.answering}")] if answer.answering else []),
        *_by_itself(answer),
        *([("vectors", vectors_text(answer.vectors))] if answer.vectors else []),
    )
    return print_rows([CellTable(rows, whole=(1,), paths=(1,))], look)


def _shared_text(found: FedInfo) -> str:
    texts = "with" if found.texts else "without"
    return f"{line(found.name)} of the shared index, {texts} the texts of its pages"


def vectors_text(found: VectorsInfo) -> str:
    """Which model embeds, and how far it has come."""
    if not found.units:
        return f"{found.model}, nothing embedded yet (memwiki models embed)"
    more = "" if found.is_counted else " of the pages that were looked at (memwiki models embed)"
    return f"{found.model}, {found.vectors:,} of {found.units:,} units{more}"


def _few(paths: Sequence[str]) -> str:
    more = len(paths) - SHOWN_PATHS
    shown = ", ".join(map(line, paths[:SHOWN_PATHS]))
    return f"{shown} and {more} more" if more > 0 else shown


def _pages(answer: Status) -> str:
    here = f"memwiki list: {answer.pages - answer.put_away}"
    if answer.put_away:
        here += f", {answer.put_away} in the archive or in namespaces"
    if answer.shared:
        return f"{answer.pages} ({here})"
    return f"{answer.pages} indexed, {answer.on_disk} on disk, {answer.ignored} ignored ({here})"


@rows_of.register
def _(answer: Overview) -> Rows:
    if answer.workspace:
        shared = answer.shared
        parts = [counted(answer.pages, "page"), _step_state(answer.pending)]
        if answer.problems:
            parts.append(counted(answer.problems, "problem"))
        yield Words(_shared_text(shared)) if shared else Line((NamedPathCell(answer.workspace),))
        yield Words(", ".join(parts))
        watcher = "" if shared else watcher_line(answer.watcher)
        yield from one_a_line(filter(None, [answer.reason, watcher]))
    else:
        yield Words("No workspace here or above.")
    yield GAP
    yield steps_row(answer.next)


def steps_row(steps: Iterable[NextStep]) -> Row:
    """Commands to try, and what each is for."""
    cells = [(each.command, each.why) for each in steps]
    return CellTable(cells, whole=(0, 1), paths=(0,), depth=1)


def _step_state(pending: int | None) -> str:
    if pending is None:
        return "not checked"
    return f"{counted(pending, 'change')} pending" if pending else "up to date"


@rows_of.register
def _(answer: PathStatus) -> Rows:
    found = "found" if answer.found else "not found"
    state = f"{found}, {answer.reason}" if answer.reason else found
    yield Line(((NamedPathCell(f"{answer.path}:"), state),))
    yield from map(FoundProblem, answer.problems)


@rows_of.register
def _(answer: Health) -> Rows:
    yield Words("healthy" if answer.healthy else "not healthy")
    yield from one_a_line(answer.notes, depth=1)
    if answer.equal is not None:
        yield Words(f"the index is {'equal to' if answer.equal else 'different from'} a rebuild")
    for each in answer.differences[:_SHOWN_DIFFERENCES]:
        yield Line(((f"{each.store}:", PathCell(f"{each.path}:"), each.what),), depth=1)
    yield from and_more(len(answer.differences) - _SHOWN_DIFFERENCES)


@rows_of.register
def _(answer: WatcherProcess) -> Rows:
    if answer.running:
        yield Words(f"watching {as_path(answer.workspace)}, process {answer.pid}")
        yield Words(f"log: {as_path(answer.log)}; memwiki watch --stop ends it")
    else:
        yield Words(f"stopped process {answer.pid}, which watched {as_path(answer.workspace)}")


@text_of.register
def _(answer: WatchEvent, look: Look) -> str:
    head = look.faint(answer.at[11:19] if look.width is None else local_time(answer.at))
    if answer.event is WatchEventKind.CHANGED:
        return f"{head}  {_changed_text(answer, look)}"
    reason = f": {line(answer.reason)}" if answer.reason else ""
    colour = _EVENT_COLOURS.get(answer.event)
    what = look.tinted(answer.event, colour) if colour else str(answer.event)
    return f"{head}  {_begun(answer, look) or what}{reason}"


def _begun(answer: WatchEvent, look: Look) -> str:
    """What is watched from now on."""
    if not answer.workspace:
        return ""
    pages = f", {counted(answer.pages, 'page')}" if answer.pages else ""
    end = look.faint(" (Ctrl-C ends it)") if look.width is not None else ""
    return f"watching {as_path(answer.workspace)}{pages}{end}"


def _changed_text(answer: WatchEvent, look: Look) -> str:
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
    is_few = sum(map(len, texts.values())) <= _SHOWN_EVENT_PATHS
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


def _triggers_text(answer: Status) -> str:
    """How many sessions wait to be extracted, and the last failure; "" for none."""
    if not answer.triggers.waiting:
        return ""
    waits = counted(answer.triggers.waiting, "session waits", "sessions wait")
    if not answer.triggers.failures:
        return waits
    last = answer.triggers.failures[-1]
    again = f"again after {last.next_at}" if last.next_at else "memwiki extract --waiting tries it"
    return f"{waits}; {last.session} failed: {last.error} ({again})"


def _waiting(answer: Status) -> str:
    """How many proposals wait, and for what; "" for none."""
    count, unread = answer.proposals, answer.proposals_unread
    least, more = ("at least ", f" ({unread:,} older files not read)") if unread else ("", "")
    waiting = f"{least}{counted(count, 'waits', 'wait')} for memwiki review" + more
    return waiting if count or unread else ""


def _upkeep_text(answer: UpkeepState) -> str:
    """The last run and the next one in one line of a status; "" where there is neither."""
    parts = []
    if last := answer.last:
        what = f"failed: {last.error}" if last.error else last.did  # which is not for all
        parts.append(": ".join(filter(None, (f"{last.op} at {last.at}", what))))
    if answer.due:
        parts.append(f"due {answer.due}")
    return "; ".join(parts)
