"""`memwiki agent memory-tool`."""

from __future__ import annotations

from typing import Annotated

import typer

from memwiki.cli import output
from memwiki.cli.app import closed_to_others, door_of, examples
from memwiki.cli.input import piped_lines
from memwiki.importing import adapter

app = typer.Typer()


@app.command(
    "memory-tool",
    epilog=examples(
        """echo '{"command": "view", "path": "/memories"}' | memwiki agent memory-tool""",
        "agent memory-tool --folder .   # the whole workspace",
    ),
)
def memory_tool(
    context: typer.Context,
    *,
    folder: Annotated[
        str, typer.Option(metavar="FOLDER", help="What /memories is; . is the whole workspace.")
    ] = "memories",
    private: Annotated[bool, typer.Option("--private", help="With what is private.")] = False,
) -> None:
    """Serve the memory tool of Anthropic's API over JSON lines.

    Each line of standard input is a command; its reply is a line with `ok` and `text` or `error`.
    Ends with its input.
    """
    served = adapter("memory-tool")
    door = door_of(context)
    with closed_to_others():
        tool = served.MemoryTool(door.open(), folder, private=private)
        for reply in served.replies(tool, piped_lines(served.MAX_LINE_BYTES)):
            door.has_changed = door.has_changed or reply.ok
            output.show(served.reply_line(reply))
            output.flush()
