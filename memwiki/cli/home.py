"""`memwiki` without a command: where one is, and what to do next."""

from __future__ import annotations

from memwiki.answers.index import NextStep, Overview
from memwiki.cli import output
from memwiki.cli.arguments import Options
from memwiki.cli.door import Door
from memwiki.errors import NoWorkspaceError, shell_word
from memwiki.present import as_text

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
            output.show(as_text(answer, door.look()))
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
