"""What each command is handed: the workspace to ask, a way to show the answer, a bar."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING

from memwiki.cli import streams
from memwiki.cli.arguments import Options, PathContext, here, real_folder
from memwiki.errors import UsageError
from memwiki.nouns import Environ, Hit
from memwiki.numbers import whole_number
from memwiki.present import Look, as_text, clean
from memwiki.records import NamedTuple

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from memwiki.answers.pages import Edited
    from memwiki.present.plain import RowForm
    from memwiki.workspace import Workspace


PROBLEMS_FOUND = 3  # the exit code of a command that found something to mend
_TOGETHER = 1_000  # lines that are handed over at once
_MAX_COLUMNS = 10_000  # columns; a table is filled with blanks to its width


def workspace_of(options: Options, *, is_lasting: bool = False) -> Workspace:
    """The workspace that is meant, for a command that ends or one that lasts."""
    from memwiki.workspace import Workspace

    directory = _directory(options)
    if options.is_exact:
        from memwiki.config import require_workspace

        require_workspace(options.directory)
    open_ = Workspace.open
    if options.shared:
        from memwiki.workspace.shared import open_shared

        open_ = partial(open_shared, options.shared)
    workspace = open_(
        real_folder(directory),
        find=not (options.is_exact or is_named(options)),
        sync=options.is_synced,
        namespace=options.namespace,
    )
    if not is_lasting:
        workspace.ends_soon()
    return workspace.by(options.actor) if options.actor else workspace


class KeptWorkspace(NamedTuple):
    """A workspace that was opened ahead, and what it was opened under."""

    workspace: Workspace
    environ: Environ

    @classmethod
    def of(cls, root: str) -> KeptWorkspace:
        """The workspace of a folder, with its index open."""
        from memwiki.config import environment
        from memwiki.workspace import Workspace

        workspace = Workspace.open(root, find=False)
        workspace.index.open_stores()
        return cls(workspace, dict(environment()))

    def if_meant(self, options: Options) -> Workspace | None:
        """It, where another one would be the same."""
        from memwiki.config import environment, is_about_settings, located

        now = environment()
        names = filter(is_about_settings, {*now, *self.environ})
        if any(now.get(name) != self.environ.get(name) for name in names):
            return None
        is_other = options.namespace is not None or options.actor or options.shared
        if is_other or is_named(options) or options.is_exact:
            return None
        root = located(real_folder(options.directory), now, is_found=True)
        if root != self.workspace.root or not self.workspace.has_current_settings():
            return None
        self.workspace.is_synced = options.is_synced
        return self.workspace


def is_named(options: Options) -> bool:
    """Whether a workspace is meant by its name."""
    return bool(options.workspace) and options.directory is None


def _directory(options: Options) -> str | None:
    """The folder that is meant: given with -C, else by its name; None for the current one."""
    if not is_named(options):
        return options.directory
    if options.is_exact:
        raise UsageError("--here and -w together", "choose one")
    from memwiki.setup.named import folder_of

    return str(folder_of(options.workspace))


class Door:
    """One run of the command line."""

    asks_watcher = False  # where loading costs nothing, looking at all files is most of an answer
    kept: KeptWorkspace | None = None  # opened before it was asked for
    last_root = ""

    def __init__(self, options: Options) -> None:
        self.options = options
        self._opened: list[Workspace] = []
        self.has_changed = False  # whether something was done that is not to be asked for again

    def open(self, *, is_lasting: bool = False) -> Workspace:
        """Open the workspace around the current folder or the one given with -C."""
        kept = self.kept.if_meant(self.options) if self.kept else None
        workspace = kept or workspace_of(self.options, is_lasting=is_lasting)
        if self.asks_watcher:
            workspace.index.ask_watcher()
            Door.last_root = str(workspace.root)
        self._opened.append(workspace)
        return workspace

    def here(self, workspace: Workspace) -> PathContext:
        """Where arguments are read."""
        return here(workspace.root, self.options.directory, workspace.pages.hides)

    def keep(self) -> None:
        """Do what is due, now that the answer is out: what failed by itself is tried again, pages
        are listed where a question made the index, and after a write memories are retired."""
        for workspace in self._opened:
            workspace.list_new()
            if workspace.config.extract.on:
                workspace.curation.retry()
        kept = (each for each in self._opened if each.config.is_retaining and each.is_synced)
        for workspace in kept if self.has_changed else ():
            report = workspace.upkeep.retain_if_due()
            if report and report.steps:
                self.talk(f"retention: {report.edited.title}; memwiki undo takes it back")

    def close(self) -> None:
        """Let go of the index."""
        for workspace in self._opened:
            for warning in () if self.options.is_quiet else workspace.take_warnings():
                streams.talk(f"memwiki: {warning}")
            workspace.close()

    def show(self, answer: object, *, text: str | None = None) -> None:
        """Print an answer as JSON or text; `text` replaces its usual form for people."""
        if self.options.is_json:
            self.show_as_json(answer)
            return
        streams.show(as_text(answer, self.look()) if text is None else text)
        self._note_staleness(answer)

    def show_lines(self, answer: object, lines: Callable[[Look], Iterable[str]]) -> None:
        """The same for an answer of very many lines, which are made while they are printed."""
        if self.options.is_json:
            self.show_as_json(answer)
            return
        self._print(lines(self.look()))
        self._note_staleness(answer)

    def show_each(self, answer: Iterable[object], form: RowForm | None) -> None:
        """Print each row of an answer in a form of its own, or without one the answer as ever."""
        if form is None:
            self.show(answer)
            return
        self._print(map(form, answer))
        self._note_staleness(answer)

    def _print(self, lines: Iterable[str]) -> None:
        """Hand lines over soon: whoever reads them may already choose among the first."""
        rest = iter(lines)
        while part := list(islice(rest, _TOGETHER)):
            streams.show_as_is("".join(f"{each}\n" for each in part))
            streams.flush()

    def show_as_json(self, answer: object) -> None:
        """Print an answer as one JSON object."""
        from memwiki.present.plain import json_parts

        for part in json_parts(answer):
            streams.show_as_is(part)
        streams.show_as_is("\n")

    def show_rows(
        self,
        answer: Iterable[object],
        of: str,
        form: RowForm | None = None,
        *,
        total: int | None = None,
    ) -> None:
        """Print an answer that is a list, whether there is nothing or more than is shown, and its
        notes; `total` is how many there are, where the answer does not say it."""
        self.show_each(answer, form)
        count = sum(1 for _ in answer)
        total = getattr(answer, "total", count) if total is None else total
        if not count:
            self.talk("Nothing found.")
        elif total > count:
            self.talk(f"{count} of {total} {of}.")
        self.say(getattr(answer, "notes", ()))

    def report(self, answer: object, *, text: str | None = None) -> None:
        """Print what was done, which nobody needs to hear who asked for quiet."""
        self.has_changed = self.has_changed or not getattr(answer, "dry_run", False)
        if self.options.is_json or not self.options.is_quiet:
            self.show(answer, text=text)

    def note_change(self, edited: Edited) -> None:
        """Keep whether files were changed by it."""
        self.has_changed = self.has_changed or bool(edited.paths and not edited.dry_run)

    def edited(self, answer: Edited, *, text: str | None = None) -> None:
        """Print what a verb changed or would change (or `text`), and what the person should
        know."""
        self.note_change(answer)
        if answer.dry_run:
            self.show(answer)
            self.say(answer.details if answer.op == "move" else ())
            self.say(() if answer.paths or answer.notes else ["nothing to do"])
        elif text is not None:
            self.show(answer, text=text)
        else:
            self.report(answer)
        self.say(answer.notes)

    def note_shown(self, workspace: Workspace, hits: Iterable[Hit]) -> None:
        """Let a person on a terminal open a hit by its number: `memwiki open 2`."""
        if streams.width() is None:
            return
        from memwiki.setup.machine import note_shown

        note_shown(workspace.root, streams.terminal_name(), [hit.path for hit in hits])

    def say(self, notes: Iterable[str]) -> None:
        """What a person should know of an answer, beside it."""
        for note in notes:
            self.talk(clean(note))

    def talk(self, text: str) -> None:
        """Say something beside the answer."""
        if not self.options.is_quiet and not self.options.is_json:
            streams.talk(text)

    def look(self) -> Look:
        """What the reader's screen can do."""
        from memwiki.config import environment

        width = streams.width()
        if width is None:
            return Look()
        variables = environment()
        named = whole_number(variables.get("COLUMNS", "")) or 0
        if named > 0:
            width = min(named, _MAX_COLUMNS)
        is_plain = variables.get("NO_COLOR") or variables.get("TERM") == "dumb"
        return Look(width, has_colour=not is_plain)

    def progress(self, title: str) -> Progress:
        """A bar for a long run, shown only to a person who watches."""
        return Progress(title, is_shown=streams.has_watcher() and not self.options.is_quiet)

    def _note_staleness(self, answer: object) -> None:
        if self.options.is_synced and not getattr(answer, "fresh", True):
            usual = "nobody feeds it" if self.options.shared else "another process is writing it"
            reason = getattr(answer, "reason", "") or usual
            self.talk(f"The index may be out of date: {reason}.")


_WAIT_SECONDS = 1.0


class Progress:
    """Called with how many of how many are done; draws from the second on that it takes."""

    def __init__(self, title: str, *, is_shown: bool, wait_seconds: float = _WAIT_SECONDS) -> None:
        self._title = title
        self._is_shown = is_shown
        self._starts_at = monotonic() + wait_seconds
        self._bar: Bar | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, total: int) -> None:
        """Draw how far it is."""
        if not self._is_shown or monotonic() < self._starts_at:
            return
        if self._bar is None:
            self._bar = _start(self._title)
        self._bar.update(self._bar.task_ids[0], completed=done, total=total)


def _start(title: str) -> Bar:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(title)
    bar.start()
    return bar
