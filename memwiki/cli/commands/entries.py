"""`memwiki add`, `memwiki entry` and `memwiki entity`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated

from memwiki.cli.app import App, DryRun, Expect, Limit, MaxCount
from memwiki.cli.commands.edits import given_text
from memwiki.cli.door import Door
from memwiki.cli.jobs import AskedJob, reply_line, require_one, require_with, show_job
from memwiki.cli.parameters import (
    add_options,
    filter_options,
    given_values,
    json_of,
    pairs_of,
    with_fields,
)
from memwiki.cli.streams import has_person, is_yes
from memwiki.entry_fields import OnNear
from memwiki.errors import UsageError

if TYPE_CHECKING:
    from memwiki.workspace import Workspace


app = App()
entry = app.group(
    "entry", "entry list --type preference", "entry get m-7k2f9a", "entry delete user/drink"
)

_Name = Annotated[str, "Id, key, or PATH:LINE of an entry.", "ID|KEY"]
_Tags = Annotated[list[str] | None, "A tag; may be repeated.", "TAG"]


@app.verb(
    "add 'Prefers green tea.' --type preference --tag drink",
    "add 'The key of the office is with Anna.' --key office/key",
    "add - --lines < facts.txt",
    "add - --jsonl < entries.jsonl",
    "add 'Heard that the plan changed.' --staged --origin agent",
    takes_minus=True,
)
@with_fields(add_options(), new="key", on_near="")
def add(
    door: Door,
    text: Annotated[str, "One entry; - reads it from standard input.", "TEXT"],
    *,
    lines: Annotated[bool, "Each line is an entry."] = False,
    jsonl: Annotated[bool, "Each line is an entry as a JSON object."] = False,
    new: Annotated[bool, "Refuse a --key that is in use."] = False,
    on_near: Annotated[OnNear, "What to do where nearly the same is known."] = OnNear.REPORT,
    brief: Annotated[bool, "With --on-near ask: print the job for any model."] = False,
    dry_run: DryRun = False,
    **fields: object,
) -> None:
    """Add an entry to memory: a fact, preference, decision ...

    It goes under the heading of its type: skills and lessons to the learnings file, all others to
    the memory file. Times in words become dates. What is known already is not written again; what
    is near it, or may contradict it, is named. With --on-near ask the model that is set (memwiki
    models) proposes what becomes of both: replace, merge or keep both; memwiki review decides.
    """
    require_with("add", {"--brief": brief}, {"--on-near ask": on_near is OnNear.ASK})
    require_one("add", {"--brief": brief, "--dry-run": dry_run})
    workspace = door.open()
    shared = given_values(fields)
    shared["type"] = _type(door, workspace, str(fields["type"]))
    shared["to"] = _target(door, workspace, str(fields["to"]))
    given = given_text(workspace, "add", text)
    requests = _requests(given, shared, is_lines=lines, is_jsonl=jsonl)
    report = workspace.entries.add_all(
        requests, new=new, on_near=on_near.value, brief=brief, dry_run=dry_run
    )
    door.note_change(report.edited)
    door.show(report)
    for each in report.briefs:
        door.talk(reply_line(each))
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
        raise UsageError("add: --lines and --jsonl cannot be used together", "choose one")
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
            'for example {"text": "Prefers tea.", "type": "preference"}',
        )
    return found


@app.verb(
    "usage m-7k2f9a",
    "usage --top 20 --json",
    "usage --query 'office key'",
    "usage --trail --query key",
)
def usage(
    door: Door,
    name: Annotated[str, "An entry, a page or an entity.", "[ID|KEY|PAGE]"] = "",
    *,
    top: MaxCount = 10,
    query: Annotated[str, "What this query recalled.", "Q"] = "",
    trail: Annotated[bool, "Which questions led to what, the newest first."] = False,
) -> None:
    """Show what was recalled, how often and how well.

    Without an argument the most recalled come first. Search and entry get do not count as recalls.
    With --trail a query finds the questions that hold all of its words.
    """
    if trail:
        if name:
            raise UsageError("usage: a name and --trail together", "give --query WORDS")
        trails = door.open().entries.trails(query, limit=top)
        door.show_rows(trails, "questions")
        return
    answer = door.open().entries.usage(name, top=top, query=query)
    door.show_rows(answer, "entries, pages and entities")


@entry.verb("entry get m-7k2f9a", "entry get user/drink --json")
def get(door: Door, name: _Name) -> None:
    """Show one entry with its fields."""
    door.show(door.open().entries.get(name))


@entry.verb(
    "entry list --type preference", "entry list --key-prefix user/ --json", "entry list --since 2w"
)
@with_fields(filter_options(), since="")
def list_(
    door: Door,
    *,
    type_: Annotated[
        list[str] | None, "fact, preference, skill, lesson, decision ...", "TYPE"
    ] = None,
    category: Annotated[str, "core, daily, or the name of a page of entries.", "C"] = "",
    tag: _Tags = None,
    key_prefix: Annotated[str, "Keys that begin so.", "P"] = "",
    status: Annotated[str, "active, staged or superseded (default: all in force).", "S"] = "",
    since: Annotated[str, "A day, or an age such as 2w.", "DATE"] = "",
    until: Annotated[str, "The last day, or an age.", "DATE"] = "",
    limit: MaxCount = 50,
    **fields: str,
) -> None:
    """List entries, newest first."""
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
    door.show_rows(answer, "entries")


@entry.verb(
    "entry update user/drink 'Prefers white tea.'",
    "entry update m-7k2f9a --set importance=0.9",
    "entry update m-7k2f9a --instruct 'name the month'",
    takes_minus=True,
)
def update(
    door: Door,
    name: _Name,
    text: Annotated[str | None, "The new words; - reads them.", "[TEXT]"] = None,
    *,
    set_: Annotated[list[str] | None, "A field; an empty value removes it.", "K=V"] = None,
    instruct: Annotated[str, "Let a model propose the words, for review.", "TEXT"] = "",
    brief: Annotated[bool, "With --instruct: print the job for any model."] = False,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> int:
    """Change the words or fields of an entry.

    --instruct says what is to be changed; the model that is set (memwiki models) words it, and
    memwiki review accepts it. --dry-run shows what would be sent, and sends nothing.
    """
    if text is None and not set_ and not instruct:
        raise UsageError("entry update: nothing to change", "memwiki entry update ID TEXT")
    require_with("entry update", {"--brief": brief}, {"--instruct": instruct})
    workspace = door.open()
    if instruct:
        written = {"TEXT": text, "--set": set_, "--expect": expect}
        require_one("entry update", {"--instruct": instruct, **written})
        require_one("entry update", {"--brief": brief, "--dry-run": dry_run})
        curation = workspace.curation
        job = AskedJob(
            partial(curation.instruct, name, instruct),
            partial(curation.instruct_brief, name, instruct),
            partial(curation.instruct_preview, name, instruct),
        )
        return show_job(door, job, is_brief=brief, dry_run=dry_run)
    words = None if text is None else given_text(workspace, "entry update", text)
    fields = pairs_of("set", set_)
    door.edited(
        workspace.entries.update(name, words, fields=fields, expect=expect, dry_run=dry_run)
    )
    return 0


@entry.verb("entry supersede m-7k2f9a 'Works at Acme since May.'", takes_minus=True)
def supersede(
    door: Door,
    name: _Name,
    text: Annotated[str, "What holds now; - reads it.", "TEXT"],
    *,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Strike an entry out, and write what holds now below it."""
    workspace = door.open()
    words = given_text(workspace, "entry supersede", text)
    door.edited(workspace.entries.supersede(name, words, expect=expect, dry_run=dry_run))


@entry.verb("entry delete m-7k2f9a", "entry delete m-7k2f9a --hard")
def delete(
    door: Door,
    name: _Name,
    *,
    hard: Annotated[bool, "Keep nothing of it, nor what could undo it."] = False,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Take an entry out of its page."""
    door.edited(door.open().entries.delete(name, hard=hard, expect=expect, dry_run=dry_run))


@entry.verb("entry move m-7k2f9a", "entry move m-7k2f9a learnings")
def move(
    door: Door,
    name: _Name,
    page: Annotated[
        str, "memory, learnings, daily, inbox or a page of entries (default: by its type).", "PAGE"
    ] = "",
    *,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Move an entry to another page; links go on meaning it.

    Out of the inbox it is staged no longer.
    """
    workspace = door.open()
    to = _target(door, workspace, page)
    door.edited(workspace.entries.move(name, to, expect=expect, dry_run=dry_run))


@entry.verb("entry similar 'Likes tea' --threshold 0.5")
def similar(
    door: Door,
    text: Annotated[str, "What to compare with.", "TEXT"],
    *,
    threshold: Annotated[
        float | None, "The least likeness, 0 to 1 (default 0.9, else the most alike).", "X"
    ] = None,
    limit: MaxCount = 5,
) -> None:
    """Show the entries that are like a text."""
    answer = door.open().entries.similar(text, threshold=threshold, limit=limit)
    door.show_rows(answer, "entries")


@entry.verb("entry history m-7k2f9a")
def history(door: Door, name: _Name) -> None:
    """Show what an entry said before, and what took its place."""
    answer = door.open().entries.history(name)
    door.show(answer)
    door.say(answer.notes)


@entry.verb(
    "entry relate m-7k2f9a m-3c8d1e --as because",
    "entry relate 'why we moved' 'the office was sold' --as because --by-description",
)
def relate(
    door: Door,
    name: _Name,
    other: _Name,
    *,
    as_: Annotated[str, "because, supports, contradicts, refines ...", "WORD"],
    weight: Annotated[float | None, "From 0 to 1.", "X"] = None,
    by_description: Annotated[bool, "Find both entries by their words."] = False,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Note in an entry how it stands to another one."""
    entries = door.open().entries
    verb = entries.relate_by_description if by_description else entries.relate
    door.edited(verb(name, other, as_, weight=weight, expect=expect, dry_run=dry_run))


@entry.verb("entry unrelate m-7k2f9a m-3c8d1e")
def unrelate(
    door: Door,
    name: _Name,
    other: _Name,
    *,
    as_: Annotated[str, "Only relations of this type.", "WORD"] = "",
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Remove relations from an entry to another one."""
    door.edited(door.open().entries.unrelate(name, other, as_, expect=expect, dry_run=dry_run))


entity = app.group(
    "entity", "entity list", "entity candidates", "entity merge 'Tech Corp' TechCorp"
)


@entity.verb("entity list", "entity list No --limit 10")
def _list(
    door: Door,
    prefix: Annotated[str, "How the name begins.", "[PREFIX]"] = "",
    *,
    limit: Limit = None,
) -> None:
    """List the pages and names that entries name, with how many name each."""
    answer = door.open().entries.entities(prefix, limit=limit)
    door.show_rows(answer, "entities")


@entity.verb("entity candidates", "entity candidates TechCorp")
def candidates(
    door: Door,
    name: Annotated[str, "Only what may be the same as this.", "[NAME]"] = "",
    *,
    limit: Limit = None,
) -> None:
    """List pairs of entities that may be one, the likest first.

    The second of a pair is the one to keep. Names that differ in a number are never a pair.
    """
    answer = door.open().entries.entity_candidates(name, limit=limit)
    door.show_rows(answer, "pairs")


@entity.verb("entity merge 'Tech Corp' TechCorp --dry-run")
def merge(
    door: Door,
    name: Annotated[str, "The entity to merge.", "A"],
    into: Annotated[str, "The entity to keep.", "B"],
    *,
    dry_run: DryRun = False,
) -> None:
    """Make entity A another name of entity B: an alias of the one that has a page.

    If neither has a page, one is made for B.
    """
    door.edited(door.open().entries.merge_entities(name, into, dry_run=dry_run))
