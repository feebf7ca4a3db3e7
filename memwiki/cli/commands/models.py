"""`memwiki models`."""

from __future__ import annotations

from typing import Annotated

from memwiki.cli.app import App
from memwiki.cli.door import Door

app = App()
models = app.group("models", "models", "models check", "models allow openrouter.ai", "models spent")


@models.verb("models show --json", is_usual=True)
def show(door: Door) -> None:
    """Show which models are set, where each setting comes from, and what is allowed here."""
    door.show(door.open().models.show())


@models.verb("models check", "models check --measure", "models check --dry-run")
def check(
    door: Door,
    *,
    measure: Annotated[bool, "Measure how much it reads, with one long request."] = False,
    dry_run: Annotated[bool, "Show the request, and send nothing."] = False,
) -> None:
    """Ask the model for one word: how fast it is, and in which form it answers."""
    door.show(door.open().models.check(measure=measure, dry_run=dry_run))


@models.verb("models allow openrouter.ai", "models allow openrouter.ai --remove")
def allow(
    door: Door,
    host: Annotated[str, "The host of a model's server.", "HOST"],
    *,
    remove: Annotated[bool, "Allow it no more."] = False,
) -> None:
    """Let this workspace be sent to a host; this machine needs no consent."""
    door.report(door.open().models.allow(host, remove=remove))


@models.verb("models embed", "models embed --seconds 60", "models embed --limit 1000")
def embed(
    door: Door,
    *,
    seconds: Annotated[int | None, "Stop after N seconds.", "N", 1] = None,
    limit: Annotated[int | None, "Embed at most N texts.", "N", 1] = None,
) -> None:
    """Embed what has no vector yet, so that recall finds it by what it means.

    What was embedded stays, also after Ctrl-C; the next run goes on. What is private is left out.
    """
    workspace = door.open()
    with door.progress("Embedding") as progress:
        done = workspace.models.embed(seconds=seconds, limit=limit or 0, progress=progress)
    door.report(done)


@models.verb("models spent --json")
def spent(door: Door) -> None:
    """Show what models were asked, by month, in all workspaces."""
    door.show(door.open().models.spent())


@models.verb("models forget")
def forget(door: Door) -> None:
    """Delete the replies that are kept, of all workspaces; what was spent stays noted."""
    door.report(door.open().models.forget())
