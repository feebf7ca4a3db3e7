"""`memwiki add` and `memwiki entry`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from memwiki.cli.app import door_of, examples, new_app
from memwiki.cli.commands.edits.text import TEXT_MAY_BE_AN_ITEM, given_text
from memwiki.cli.door import Door
from memwiki.cli.entry_options import (
    add_options,
    filter_options,
    given_values,
    json_of,
    pairs_of,
    with_fields,
)
from memwiki.cli.input import has_person, is_yes
from memwiki.cli.shared import DryRun, Expect, MaxCount
from memwiki.entry_fields import OnNear
from memwiki.errors import UsageError

if TYPE_CHECKING:
    from memwiki.workspace import Workspace

app = new_app()
entry = typer.Typer(
    help="Show, list, change, retire and relate entries.",
    epilog=examples(
        "entry list --type preference", "entry get m-7k2f9a", "entry delete user/drink"
    ),
)
app.add_typer(entry, name="entry")

_Name = Annotated[str, typer.Argument(metavar="ID|KEY", help="Id, key, or PATH:LINE of an entry.")]
_TYPE = typer.Option(
    "--type",
    metavar="TYPE",
    help="fact, preference, skill, lesson, decision ...",
    show_default=False,
)
_Tags = Annotated[
    list[str] | None,
    typer.Option("--tag", metavar="TAG", help="A tag; may be repeated.", show_default=False),
]


@app.command(
    context_settings=TEXT_MAY_BE_AN_ITEM,
    epilog=examples(
        "add 'Prefers green tea.' --type preference --tag drink",
        "add 'The key of the office is with Anna.' --key office/key",
        "add - --lines < facts.txt",
        "add - --jsonl < entries.jsonl",
        "add 'Heard that the plan changed.' --staged --origin agent",
    ),
)
@with_fields(add_options(), new="key", on_near="")
def add(
    context: typer.Context,
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="One entry; - reads it from standard input.")
    ],
    *,
    lines: Annotated[bool, typer.Option("--lines", help="Each line is an entry.")] = False,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Each line is an entry as a JSON object.")
    ] = False,
    new: Annotated[bool, typer.Option("--new", help="Refuse a --key that is in use.")] = False,
    on_near: Annotated[
        OnNear, typer.Option("--on-near", help="What to do where nearly the same is known.")
    ] = OnNear.REPORT,
    dry_run: DryRun = False,
    **fields: object,
) -> None:
    """Add an entry to memory: a fact, preference, decision ...

    It goes under the heading of its type: skills and lessons to the learnings file, all others to
    the memory file. Times in words become dates. What is known already is not written again; what
    is near it, or may contradict it, is named.
    """
    door = door_of(context)
    workspace = door.open()
    shared = given_values(fields)
    shared["type"] = _type(door, workspace, str(fields["type"]))
    shared["to"] = _target(door, workspace, str(fields["to"]))
    given = given_text(workspace, "add", text)
    requests = _requests(given, shared, is_lines=lines, is_jsonl=jsonl)
    report = workspace.entries.add_all(requests, new=new, on_near=on_near.value, dry_run=dry_run)
    door.has_changed = bool(report.edited.paths) and not dry_run
    door.show(report)
    door.say(report.edited.notes)


def _type(door: Door, workspace: Workspace, type_: str) -> str:
    """The type that is meant: one that nearly repeats a known one is asked about on a terminal,
    and noted elsewhere."""
    if not type_ or door.options.is_json or not has_person():
        return type_
    near = workspace.entries.near_type(type_)
    return near if near and is_yes(f"{type_} is a new type; use {near}? [y/N] ") else type_


def _target(door: Door, workspace: Workspace, name: str) -> str:
    """Where entries go: a layer by its name, else a page as it is seen from here."""
    if name in ("", "memory", "learnings", "daily", "inbox"):
        return name
    return door.here(workspace).page(name)


def _requests(
    text: str, shared: Mapping[str, object], *, is_lines: bool, is_jsonl: bool
) -> list[dict[str, object]]:
    """The entries that a text holds; what a JSON object says goes before the options."""
    if is_lines and is_jsonl:
        raise UsageError("add: --lines and --jsonl cannot be used together", hint="choose one")
    if not (is_lines or is_jsonl):
        return [{**shared, "text": text}]
    rows = [(number, row) for number, row in enumerate(text.split("\n"), 1) if row.strip()]
    if is_lines:
        return [{**shared, "text": row} for _, row in rows]
    return [{**shared, **_object(number, row)} for number, row in rows]


def _object(number: int, row: str) -> dict[str, object]:
    found = json_of(f"line {number}", row)
    if not isinstance(found, dict) or not found.get("text"):
        raise UsageError(
            f"add: line {number} is no JSON object with a text; nothing was added",
            hint='for example {"text": "Prefers tea.", "type": "preference"}',
        )
    return found


@app.command(
    epilog=examples(
        "usage m-7k2f9a",
        "usage --top 20 --json",
        "usage --query 'office key'",
        "usage --trail --query key",
    )
)
def usage(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="[ID|KEY|PAGE]", help="An entry, a page or an entity.")
    ] = "",
    *,
    top: MaxCount = 10,
    query: Annotated[str, typer.Option(metavar="Q", help="What this query recalled.")] = "",
    trail: Annotated[
        bool, typer.Option("--trail", help="Which questions led to what, the newest first.")
    ] = False,
) -> None:
    """Show what was recalled, how often and how well.

    Without an argument the most recalled come first. Search and entry get do not count as recalls.
    With --trail a query finds the questions that hold all of its words.
    """
    door = door_of(context)
    if trail:
        if name:
            raise UsageError("usage: a name and --trail together", hint="give --query WORDS")
        trails = door.open().entries.trails(query, limit=top)
        door.show_rows(trails, trails.trails, trails.total, "questions")
        return
    answer = door.open().entries.usage(name, top=top, query=query)
    door.show_rows(answer, answer.usage, answer.total, "entries, pages and entities")


@entry.command("get", epilog=examples("entry get m-7k2f9a", "entry get user/drink --json"))
def get(context: typer.Context, name: _Name) -> None:
    """Show one entry with its fields."""
    door = door_of(context)
    door.show(door.open().entries.get(name))


@entry.command(
    "list",
    epilog=examples(
        "entry list --type preference",
        "entry list --key-prefix user/ --json",
        "entry list --since 2w",
    ),
)
@with_fields(filter_options(), since="")
def list_(
    context: typer.Context,
    *,
    type_: Annotated[list[str] | None, _TYPE] = None,
    category: Annotated[
        str, typer.Option(metavar="C", help="core, daily, or the name of a page of entries.")
    ] = "",
    tag: _Tags = None,
    key_prefix: Annotated[
        str, typer.Option("--key-prefix", metavar="P", help="Keys that begin so.")
    ] = "",
    status: Annotated[
        str, typer.Option(metavar="S", help="active, staged or superseded (default: all in force).")
    ] = "",
    since: Annotated[str, typer.Option(metavar="DATE", help="A day, or an age such as 2w.")] = "",
    until: Annotated[str, typer.Option(metavar="DATE", help="The last day, or an age.")] = "",
    limit: MaxCount = 50,
    **fields: str,
) -> None:
    """List entries, newest first."""
    door = door_of(context)
    answer = door.open().entries.list(
        types=type_ or [],
        category=category,
        tags=tag or [],
        key_prefix=key_prefix,
        status=status,
        since=since,
        until=until,
        fields=fields,
        limit=limit,
    )
    door.show_rows(answer, answer.entries, answer.total, "entries")


@entry.command(
    "update",
    context_settings=TEXT_MAY_BE_AN_ITEM,
    epilog=examples(
        "entry update user/drink 'Prefers white tea.'", "entry update m-7k2f9a --set importance=0.9"
    ),
)
def update(
    context: typer.Context,
    name: _Name,
    text: Annotated[
        str | None,
        typer.Argument(metavar="[TEXT]", help="The new words; - reads them.", show_default=False),
    ] = None,
    *,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="K=V", help="A field; an empty value removes it.", show_default=False
        ),
    ] = None,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Change the words or fields of an entry."""
    door = door_of(context)
    if text is None and not set_:
        raise UsageError("entry update: nothing to change", hint="memwiki entry update ID TEXT")
    workspace = door.open()
    words = None if text is None else given_text(workspace, "entry update", text)
    fields = pairs_of("set", set_)
    door.edited(
        workspace.entries.update(name, words, fields=fields, expect=expect, dry_run=dry_run)
    )


@entry.command(
    "supersede",
    context_settings=TEXT_MAY_BE_AN_ITEM,
    epilog=examples("entry supersede m-7k2f9a 'Works at Acme since May.'"),
)
def supersede(
    context: typer.Context,
    name: _Name,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What holds now; - reads it.")],
    *,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Strike an entry out, and write what holds now below it."""
    door = door_of(context)
    workspace = door.open()
    words = given_text(workspace, "entry supersede", text)
    door.edited(workspace.entries.supersede(name, words, expect=expect, dry_run=dry_run))


@entry.command("delete", epilog=examples("entry delete m-7k2f9a", "entry delete m-7k2f9a --hard"))
def delete(
    context: typer.Context,
    name: _Name,
    *,
    hard: Annotated[
        bool, typer.Option("--hard", help="Keep nothing of it, nor what could undo it.")
    ] = False,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Take an entry out of its page."""
    door = door_of(context)
    door.edited(door.open().entries.delete(name, hard=hard, expect=expect, dry_run=dry_run))


@entry.command("move", epilog=examples("entry move m-7k2f9a learnings"))
def move(
    context: typer.Context,
    name: _Name,
    page: Annotated[
        str,
        typer.Argument(
            metavar="PAGE", help="memory, learnings, daily, inbox or a page of entries."
        ),
    ],
    *,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Move an entry to another page; links go on meaning it."""
    door = door_of(context)
    workspace = door.open()
    to = _target(door, workspace, page)
    door.edited(workspace.entries.move(name, to, expect=expect, dry_run=dry_run))


@entry.command("similar", epilog=examples("entry similar 'Likes tea' --threshold 0.5"))
def similar(
    context: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What to compare with.")],
    *,
    threshold: Annotated[
        float | None,
        typer.Option(
            metavar="X",
            help="The least likeness, 0 to 1 (default 0.9, else the most alike).",
            show_default=False,
        ),
    ] = None,
    limit: MaxCount = 5,
) -> None:
    """Show the entries that are like a text."""
    door = door_of(context)
    answer = door.open().entries.similar(text, threshold=threshold, limit=limit)
    door.show_rows(answer, answer.entries, len(answer.entries), "entries")
    door.say(answer.notes)


@entry.command("history", epilog=examples("entry history m-7k2f9a"))
def history(context: typer.Context, name: _Name) -> None:
    """Show what an entry said before, and what took its place."""
    door = door_of(context)
    answer = door.open().entries.history(name)
    door.show(answer)
    door.say(answer.notes)


@entry.command(
    "relate",
    epilog=examples(
        "entry relate m-7k2f9a m-3c8d1e --as because",
        "entry relate 'why we moved' 'the office was sold' --as because --by-description",
    ),
)
def relate(
    context: typer.Context,
    name: _Name,
    other: _Name,
    *,
    relation: Annotated[
        str,
        typer.Option("--as", metavar="WORD", help="because, supports, contradicts, refines ..."),
    ],
    weight: Annotated[
        float | None, typer.Option(metavar="X", help="From 0 to 1.", show_default=False)
    ] = None,
    by_description: Annotated[
        bool, typer.Option("--by-description", help="Find both entries by their words.")
    ] = False,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Note in an entry how it stands to another one."""
    door = door_of(context)
    entries = door.open().entries
    verb = entries.relate_by_description if by_description else entries.relate
    door.edited(verb(name, other, relation, weight=weight, expect=expect, dry_run=dry_run))


@entry.command("unrelate", epilog=examples("entry unrelate m-7k2f9a m-3c8d1e"))
def unrelate(
    context: typer.Context,
    name: _Name,
    other: _Name,
    *,
    relation: Annotated[
        str, typer.Option("--as", metavar="WORD", help="Only relations of this type.")
    ] = "",
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Remove relations from an entry to another one."""
    door = door_of(context)
    door.edited(door.open().entries.unrelate(name, other, relation, expect=expect, dry_run=dry_run))
