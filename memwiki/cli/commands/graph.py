"""`memwiki links`, `memwiki tags` and `memwiki graph`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from memwiki.answers.graph import GraphAnswer, GraphNode
from memwiki.cli.app import door_of, examples, new_app
from memwiki.cli.door import Door
from memwiki.cli.rows import FORMAT, JSONL, kind_or_form, row_form
from memwiki.errors import UsageError
from memwiki.model import LinkRow, TagCount

app = new_app()


class Format(StrEnum):
    TEXT = "text"
    JSON = "json"
    MERMAID = "mermaid"


@app.command(
    epilog=examples(
        "links Home",
        "links Home --in",
        "links --unresolved   # of the whole workspace",
        "links --unresolved --format '{source}:{line}: {written}'",
    )
)
def links(
    context: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="[NAME]", help="Path, file name, title, alias or id.", show_default=False
        ),
    ] = "",
    *,
    incoming: Annotated[bool, typer.Option("--in", help="Only links to it.")] = False,
    outgoing: Annotated[bool, typer.Option("--out", help="Only links from it.")] = False,
    unresolved: Annotated[
        bool, typer.Option("--unresolved", help="Only links that match no page, or several.")
    ] = False,
    template: Annotated[str, FORMAT] = "",
    jsonl: Annotated[bool, JSONL] = False,
) -> None:
    """Show what a page links to and what links to it."""
    if unresolved and (incoming or outgoing):
        raise UsageError(
            "links: --unresolved cannot be used with --in or --out", hint="memwiki links --help"
        )
    if not name and not unresolved:
        raise UsageError(
            "links: NAME is missing", hint="memwiki links NAME, or memwiki links --unresolved"
        )
    door = door_of(context)
    form = row_form(door, LinkRow, template, jsonl=jsonl)
    workspace = door.open()
    name = door.here(workspace).page(name)
    if unresolved:
        answer = workspace.graph.unresolved(name)
    else:
        direction = _direction(incoming=incoming, outgoing=outgoing)
        answer = workspace.graph.links(name, direction)
    door.show_rows(answer, answer.links, len(answer.links), "links", form)


@app.command(epilog=examples("tags", "tags project/", "tags --format '{count} {tag}'"))
def tags(
    context: typer.Context,
    prefix: Annotated[str, typer.Argument(metavar="[PREFIX]", show_default=False)] = "",
    *,
    template: Annotated[str, FORMAT] = "",
    jsonl: Annotated[bool, JSONL] = False,
) -> None:
    """List the tags and how many pages and entries have them."""
    door = door_of(context)
    form = row_form(door, TagCount, template, jsonl=jsonl)
    answer = door.open().graph.tags(prefix.lstrip("#"))
    door.show_rows(answer, answer.tags, len(answer.tags), "tags", form)


@app.command(
    epilog=examples(
        "graph Home --depth 2",
        "graph Home --to Search",
        "graph m-7k2f9a --depth 2   # an entry",
        "graph Home --relation refines",
        "graph Home --format mermaid",
    )
)
def graph(
    context: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="[NAME]",
            help="Where to start: a page, or the id of an entry (default: all pages, ranked).",
            show_default=False,
        ),
    ] = "",
    *,
    depth: Annotated[
        int, typer.Option(min=0, metavar="N", help="How many links away a page or entry may be.")
    ] = 1,
    to: Annotated[
        str, typer.Option(metavar="OTHER", help="Show the shortest path to this page.")
    ] = "",
    relation: Annotated[str, typer.Option(metavar="TYPE", help="Only links of this type.")] = "",
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="KIND",
            help="text, json, mermaid, or a template for each page: '{distance} {path}'.",
        ),
    ] = Format.TEXT.value,
) -> None:
    """Show the pages and entries around a page or entry, or the shortest path to another one."""
    if to and not name:
        raise UsageError(
            "graph: --to needs a NAME to start from", hint="memwiki graph NAME --to OTHER"
        )
    door = door_of(context)
    kind, row = kind_or_form(door, Format.TEXT, GraphNode, form, "graph")
    workspace = door.open()
    name, to = map(door.here(workspace).page, (name, to))
    if to:
        answer = workspace.graph.path(name, to, relation=relation)
    elif name:
        answer = workspace.graph.around(name, depth, relation=relation)
    else:
        answer = workspace.graph.ranked(relation=relation)
    if kind is Format.JSON:
        door = Door(door.options._replace(is_json=True))
    if kind is Format.MERMAID:
        door.show(answer, text=_mermaid(answer))
    else:
        door.show_each(answer, answer.nodes, row)


def _mermaid(answer: GraphAnswer) -> str:
    from memwiki.present.tree import as_mermaid

    return as_mermaid(answer)


def _direction(*, incoming: bool, outgoing: bool) -> str:
    if incoming == outgoing:
        return "both"
    return "in" if incoming else "out"
