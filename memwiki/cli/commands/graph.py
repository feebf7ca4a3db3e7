"""`memwiki links`, `memwiki tags` and `memwiki graph`."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from memwiki.answers.graph import GraphAnswer, GraphNode, Mention, MentionList
from memwiki.cli.app import door_of, examples, kind_or_form, new_app, row_form
from memwiki.cli.door import Door
from memwiki.cli.shared import Jsonl, Template
from memwiki.errors import UsageError
from memwiki.nouns import LinkRow, TagCount

if TYPE_CHECKING:
    from memwiki.present.templates import RowForm

app = new_app()
_MENTIONS = 100  # of a page without links, unless more are asked for


class GraphFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    MERMAID = "mermaid"


@app.command(
    epilog=examples(
        "links Home",
        "links Home --in",
        "links 'Green tea' --unlinked",
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
    unlinked: Annotated[
        bool,
        typer.Option("--unlinked", help="Where other pages name it and do not link to it."),
    ] = False,
    limit: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Show at most N; with --unlinked 100 unless given."),
    ] = None,
    template: Template = "",
    jsonl: Jsonl = False,
) -> None:
    """Show what a page links to and what links to it.

    Of another file show the links to it, of a name without a page those that want it. With
    --unlinked: where the text of other pages has its title, file name or an alias as whole words,
    outside of code and links.
    """
    _require_one(name, directed=incoming or outgoing, unresolved=unresolved, unlinked=unlinked)
    door = door_of(context)
    form = row_form(door, Mention if unlinked else LinkRow, template, jsonl=jsonl)
    workspace = door.open()
    name = door.here(workspace).page(name)
    if unlinked:
        _show_mentions(door, workspace.graph.unlinked(name, limit=limit or _MENTIONS), form)
        return
    if unresolved:
        answer = workspace.graph.unresolved(name)
    else:
        direction = _direction(incoming=incoming, outgoing=outgoing)
        answer = workspace.graph.links(name, direction)
    first = replace(answer, links=answer.links[:limit])
    door.show_rows(first, first.links, len(answer.links), "links", form)
    door.say(answer.notes)


def _show_mentions(door: Door, found: MentionList, form: RowForm | None) -> None:
    count = len(found.mentions)
    door.show_rows(found, found.mentions, count, "mentions", form)
    if found.has_more:
        door.talk(f"These are the first {count}; --limit {10 * count} shows more.")


def _require_one(name: str, *, directed: bool, unresolved: bool, unlinked: bool) -> None:
    """Refuse options that exclude one another, and a question about no page."""
    if unlinked and (directed or unresolved):
        given = "--unlinked cannot be used with --in, --out or --unresolved"
        raise UsageError(f"links: {given}", hint="memwiki links --help")
    if unresolved and directed:
        given = "--unresolved cannot be used with --in or --out"
        raise UsageError(f"links: {given}", hint="memwiki links --help")
    if not name and not unresolved:
        raise UsageError(
            "links: NAME is missing", hint="memwiki links NAME, or memwiki links --unresolved"
        )


@app.command(epilog=examples("tags", "tags project/", "tags --format '{count} {tag}'"))
def tags(
    context: typer.Context,
    prefix: Annotated[str, typer.Argument(metavar="[PREFIX]", show_default=False)] = "",
    *,
    template: Template = "",
    jsonl: Jsonl = False,
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
    ] = GraphFormat.TEXT.value,
    jsonl: Jsonl = False,
) -> None:
    """Show the pages and entries around a page or entry, or the shortest path to another one."""
    if to and not name:
        raise UsageError(
            "graph: --to needs a NAME to start from", hint="memwiki graph NAME --to OTHER"
        )
    door = door_of(context)
    kind, row = kind_or_form(door, GraphFormat.TEXT, GraphNode, form, "graph", jsonl=jsonl)
    workspace = door.open()
    name, to = map(door.here(workspace).page, (name, to))
    if to:
        answer = workspace.graph.path(name, to, relation=relation)
    elif name:
        answer = workspace.graph.around(name, depth, relation=relation)
    else:
        answer = workspace.graph.ranked(relation=relation)
    if kind is GraphFormat.JSON:
        door = Door(door.options._replace(is_json=True))
    if kind is GraphFormat.MERMAID:
        door.show(answer, text=_mermaid(answer))
    else:
        door.show_each(answer, answer.nodes, row)


def _mermaid(answer: GraphAnswer) -> str:
    from memwiki.present.graph import as_mermaid

    return as_mermaid(answer)


def _direction(*, incoming: bool, outgoing: bool) -> str:
    if incoming == outgoing:
        return "both"
    return "in" if incoming else "out"
