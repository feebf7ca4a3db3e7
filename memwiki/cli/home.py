"""The first index of a workspace, and memwiki without a command: where one is, what to do next."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from memwiki.answers.index import NextStep, Overview, Status
from memwiki.answers.workspaces import InitReport
from memwiki.cli import streams
from memwiki.cli.arguments import Options
from memwiki.cli.door import Door
from memwiki.errors import MemwikiError, NoWorkspaceError, shell_word
from memwiki.nouns import Environ
from memwiki.numbers import counted
from memwiki.present import as_text
from memwiki.workspace.workspace import Workspace

Progress = Callable[[int, int], None]

_STEPS = 3
_MAX_TITLE_CHARS = 60  # characters of a title that somebody types
_UNREADABLE = "\ufffd"  # in another encoding than UTF-8


def index_new(report: InitReport, environ: Environ, progress: Progress | None = None) -> InitReport:
    """The report of a new workspace with what its first sync found, and what to try there.

    The folder is a workspace already: what goes wrong here is a note.
    """
    try:
        return first_index(report, environ, progress)
    except MemwikiError as error:
        return report._replace(notes=(*report.notes, f"not indexed yet: {error}"))


def first_index(report: InitReport, environ: Environ, progress: Progress | None) -> InitReport:
    """Index a folder that has just become a workspace, and say what is there."""
    with Workspace.open(report.workspace, find=False, environ=environ) as workspace:
        changes = workspace.sync(progress=progress)
        state = workspace.index.status()
        steps = islice(_steps(workspace, state), _STEPS)
        return report._replace(
            pages=state.pages,
            links=state.links,
            problems=state.problems,
            catalogs=changes.catalogs,
            notes=(
                *report.notes,
                *changes.notes,
                *workspace.take_warnings(),
                *workspace.config.foreign_notes,
            ),
            next=(*_way_there(report.workspace), *steps),
        )


def _way_there(root: str) -> Iterator[NextStep]:
    here = Path.cwd()
    if here.resolve() != Path(root).resolve():
        yield NextStep(f"cd {shell_word(root)}", "go there first")


def _steps(workspace: Workspace, state: Status) -> Iterator[NextStep]:
    if state.pages:
        yield from _steps_with_the_best_page(workspace)
        if state.problems:
            problems = counted(state.problems, "problem")
            yield NextStep("memwiki check --only reading", f"see {problems} of reading")
        yield NextStep("memwiki check", "find broken links and other problems")
        if state.tags:
            yield NextStep("memwiki tags", f"see {counted(state.tags, 'tag')}")
        yield NextStep("memwiki list --sort updated --limit 10", "see what changed last")
    else:
        yield NextStep("memwiki new 'First page'", "make a page, or write one with any editor")
    yield NextStep("memwiki status", "see what is indexed, and where the index is")
    yield NextStep("memwiki --help", "see all commands")


def _steps_with_the_best_page(workspace: Workspace) -> Iterator[NextStep]:
    """Searching for the page that most links lead to, and looking at it."""
    best = next(iter(workspace.graph.ranked().nodes), None)
    if best is None:
        return
    is_typed = len(best.name) <= _MAX_TITLE_CHARS and _UNREADABLE not in best.name
    if is_typed and workspace.search(best.name, limit=1).hits:
        yield NextStep(f"memwiki search {_argument(best.name)}", "find the pages that say it")
    name = _argument(best.name if _means(workspace, best.name, best.path) else best.path)
    links = workspace.graph.links(best.path, "in").links
    if links:
        yield NextStep(f"memwiki links {name}", f"see {counted(len(links), 'link')} to this page")
    else:
        yield NextStep(f"memwiki get {name}", "read this page")


def _means(workspace: Workspace, name: str, path: str) -> bool:
    """Whether a person who types a name gets this page."""
    if len(name) > _MAX_TITLE_CHARS or not {"#", "/", _UNREADABLE}.isdisjoint(name):
        return False
    with suppress(MemwikiError):
        return workspace.pages.get(name).path == path
    return False


def _argument(text: str) -> str:
    """A word of a command that is no option, even if it looks like one."""
    return f"-- {shell_word(text)}" if text.startswith("-") else shell_word(text)


_FIRST_STEPS = (
    NextStep("memwiki init notes", "make a new workspace, in the folder notes"),
    NextStep("memwiki init --adopt", "make this folder one; no file of it changes"),
    NextStep("memwiki --help", "see all commands"),
)


def run(options: Options) -> int:
    """Show it; that there not a workspace here is an answer too."""
    door = Door(options)
    try:
        answer = _overview(door)
        if options.is_json:
            door.show(answer)
        else:  # how fresh the index is stands in the text
            streams.show(as_text(answer, door.look()))
    finally:
        door.close()
    return 0


def _overview(door: Door) -> Overview:
    try:
        found = door.open().index.overview()
    except NoWorkspaceError:
        return Overview("", 0, 0, fresh=False, pending=None, reason="", next=_FIRST_STEPS)
    directory, name = door.options.directory, door.options.workspace
    if not (directory or name):
        return found
    option = f"-C {shell_word(directory)}" if directory else f"-w {shell_word(name)}"
    there = f"memwiki {option}"  # the same steps for somebody who is elsewhere
    steps = (NextStep(step.command.replace("memwiki", there, 1), step.why) for step in found.next)
    return found._replace(next=tuple(steps))
