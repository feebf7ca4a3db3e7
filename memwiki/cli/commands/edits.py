"""What changes pages: `memwiki new`, `append`, `replace`, `open`, `today`, `move`, `delete`,
`undo`, `log`, `set`, `link`, `unlink` and `tag`."""

from __future__ import annotations

import os
import re
from pathlib import Path
from shlex import quote as shlex_quote
from typing import TYPE_CHECKING, Annotated

from memwiki.cli import streams
from memwiki.cli.app import App, DryRun, Expect, Limit, PageName
from memwiki.cli.arguments import first_found, machine_path
from memwiki.cli.door import Door
from memwiki.cli.streams import has_person, is_yes, read_text
from memwiki.errors import NotFoundError, UnconfirmedError, UsageError
from memwiki.present import as_path, clean
from memwiki.text import pattern

if TYPE_CHECKING:
    from memwiki.workspace import Workspace


app = App()

_NUMBER = pattern(r"[0-9]{1,4}")
Text = Annotated[str, "Any markdown; - reads it from standard input.", "TEXT"]


@app.verb(
    "new 'Green tea' --type concept --tag drink",
    "new wiki/notes/tea.md --description 'How it is made.'",
    "new 'Green tea' --from - < tea.md",
    "new 'Dune' --template book --tag novel",
)
def new(
    door: Door,
    name: Annotated[str, "A path that ends in .md, or a title.", "PATH|TITLE"],
    *,
    type_: Annotated[str, "Page type, such as concept, person or decision.", "TYPE"] = "",
    tag: Annotated[list[str] | None, "A tag; may be repeated.", "TAG"] = None,
    description: Annotated[str, "One sentence about the page.", "TEXT"] = "",
    from_: Annotated[str, "Text from FILE instead of a template; - is stdin.", "FILE"] = "",
    template: Annotated[str, "A template of your own, in the folder pages.templates.", "NAME"] = "",
    dry_run: DryRun = False,
) -> None:
    """Create a page from the template of its type, and print its path.

    A page given by title goes to the folder of its type, or without wiki/ to the current folder.
    --from gives the page's text. A text with front matter keeps it; options add missing fields.

    In a template {{title}}, {{date}}, {{time}}, {{date:FORMAT}} and {{tags}} are filled in.
    """
    workspace = door.open()
    seen = door.here(workspace)
    answer = workspace.pages.new(
        seen.new_page(name),
        type=type_,
        tags=tag or [],
        description=description,
        content=_content(door, workspace, from_) if from_ else None,
        template=template,
        folder=seen.path(os.curdir).strip(os.curdir),
        dry_run=dry_run,
    )
    door.edited(answer, text="\n".join(map(as_path, answer.paths)))


@app.verb(
    "append memory --section Facts '- The office is in Hamburg. #work'",
    "append Tea 'It wants water just below the boil.'",
    "date | memwiki append 'Team meeting' -",
    "append 'Team meeting' - --dry-run < minutes.md",
    takes_minus=True,
)
def append(
    door: Door,
    name: PageName,
    text: Text,
    *,
    section: Annotated[str, "Add at the end of this section.", "HEADING"] = "",
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Add text at the end of a page, or of one of its sections.

    What a page ends with, such as See also or References, stays its end. A list item continues the
    list that ends there, and a table row the table. Other text gets a blank line before it. No
    other byte of the page changes.
    """
    workspace = door.open()
    name, given = door.here(workspace).page(name), given_text(workspace, "append", text)
    door.edited(
        workspace.pages.append(name, given, section=section, expect=expect, dry_run=dry_run)
    )


@app.verb(
    "replace Tea --section Brewing 'Two grams a cup, three minutes.'",
    "get Tea --section Brewing > part.md",
    "replace Tea --section Brewing - < part.md",
    "replace Tea - < tea.md",
    "replace Tea --old 'three minutes' 'four minutes'",
    takes_minus=True,
)
def replace(
    door: Door,
    name: PageName,
    text: Text,
    *,
    section: Annotated[str, "Replace only this section.", "HEADING"] = "",
    old: Annotated[
        str | None, "Replace only this text, which must be in the page exactly once.", "TEXT"
    ] = None,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Replace the text of a page, or of one of its sections.

    The front matter is kept. Subsections are replaced with their section, whose heading is kept
    unless the text begins with it. An empty text is refused.

    With --old nothing but that text changes, in the front matter too, and TEXT may be empty. From
    standard input the last line end is left out, unless --old ends with one.
    """
    if old is not None and section:
        raise UsageError("replace: --old and --section together", "give one of them")
    workspace = door.open()
    name, given = door.here(workspace).page(name), given_text(workspace, "replace", text)
    if old is not None:
        is_piped = text == "-" and not old.endswith("\n")
        if is_piped:
            given = given.removesuffix("\n").removesuffix("\r")
        door.edited(workspace.pages.edit(name, old, given, expect=expect, dry_run=dry_run))
        return
    door.edited(
        workspace.pages.replace(name, given, section=section, expect=expect, dry_run=dry_run)
    )


@app.verb(
    "open Tea",
    "open memory",
    "open 2       # the second hit of the last search or recall",
    "open --web Tea",
)
def open_(
    door: Door,
    name: PageName,
    *,
    web: Annotated[bool, "Show it in the browser, as memwiki web does."] = False,
) -> None:
    """Open a page in $VISUAL or $EDITOR, then report what changed.

    A number opens that hit of the last search or recall in this terminal, for an hour, unless a
    page has this name.
    """
    from memwiki.cli.commands.pages import edit

    if web:
        from memwiki.cli.commands.serve import show_page

        show_page(door, name)
        return
    workspace = door.open()
    try:
        path = workspace.pages.own_path(door.here(workspace).page(name))
    except NotFoundError as error:
        if error.path:  # a file that is no page
            raise
        if _NUMBER.fullmatch(name):
            edit(door, workspace, workspace.pages.own_path(_shown_path(workspace.root, int(name))))
            return
        made = f"memwiki new {shlex_quote(name)} makes it"
        hint = f"{error.hint} {made}" if error.candidates else made
        raise NotFoundError(error.message, hint, candidates=error.candidates) from error
    edit(door, workspace, path)


def _shown_path(root: Path, number: int) -> str:
    from memwiki.setup.machine import path_of_hit

    return path_of_hit(root, streams.terminal_name(), number)


@app.verb(
    "today", "today 'Met Anna about the archive. #work'", "today - < minutes.md", takes_minus=True
)
def today(
    door: Door,
    text: Annotated[
        str | None, "Text of an item; - reads it from standard input.", "[TEXT]"
    ] = None,
    *,
    dry_run: DryRun = False,
) -> None:
    """Open today's page in the editor, or add an item to it.

    The page is created if it is missing. Without a terminal, or with --json, only its path is
    printed.
    """
    workspace = door.open()
    item = None if text is None else given_text(workspace, "today", text)
    answer = workspace.pages.today(item, dry_run=dry_run)
    if item is not None:
        door.edited(answer)
    elif dry_run or door.options.is_json or not has_person():
        door.edited(answer, text=as_path(workspace.pages.today_path()))
    else:
        from memwiki.cli.commands.pages import edit

        edit(door, workspace, workspace.pages.today_path())


def _content(door: Door, workspace: Workspace, source: str) -> str:
    """The text of a file of the machine, or what is piped in for `-`."""
    file = source if source == "-" else machine_path(door.options.directory, source)
    return read_text(file, workspace.config.files.max_bytes)


def given_text(workspace: Workspace, command: str, text: str) -> str:
    """The text of an argument, or what is piped in for `-`."""
    if re.fullmatch(r"--[a-z][a-z-]*(?:=.*)?", text):
        raise UsageError(f"{command}: no such option: {text}", f"memwiki {command} --help")
    return read_text("-", workspace.config.files.max_bytes) if text == "-" else text


@app.verb(
    "move tea wiki/drinks/",
    "move 'Green tea' wiki/drinks/matcha.md --keep-alias",
    "move wiki/old/ wiki/new/ --dry-run",
)
def move(
    door: Door,
    old: Annotated[str, "A page by any of its names, a file, or a folder.", "OLD"],
    new: Annotated[str, "A path, a folder, or without / and .md a name in the same folder.", "NEW"],
    *,
    keep_alias: Annotated[bool, "Keep the old name as an alias of the page."] = False,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Move or rename a page, a file or a folder, and update every link to it.

    Links to it and relative links on it are rewritten, each in its own style. Links in code do not
    change.
    """
    workspace = door.open()
    seen = door.here(workspace)
    names = seen.moving(old)
    new = seen.destination(new, of_page=seen.is_page(names[0]))
    door.edited(
        first_found(
            names,
            lambda name: workspace.pages.move(
                name, new, keep_alias=keep_alias, expect=expect, dry_run=dry_run
            ),
        )
    )


@app.verb("delete 'Green tea'", "delete wiki/draft.md --hard")
def delete(
    door: Door,
    name: PageName,
    *,
    hard: Annotated[bool, "Delete without archive and without undo."] = False,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Delete or archive a page, and report the links that break.

    `memwiki undo` restores it.
    """
    workspace = door.open()
    name = door.here(workspace).file(name)
    door.edited(workspace.pages.delete(name, hard=hard, expect=expect, dry_run=dry_run))


@app.verb("undo --dry-run", "undo", "undo 3")
def undo(
    door: Door,
    count: Annotated[int, "Number of changes to undo.", "[N]", 1] = 1,
    *,
    own: Annotated[bool, "Refuse a change that another --actor made."] = False,
    dry_run: DryRun = False,
    yes: Annotated[bool, "Also undo a change that was not made on this machine."] = False,
) -> None:
    """Undo the last changes that memwiki made.

    The files get their exact bytes back, if nobody changed them since. A change that was made on
    another machine is shown first, and you are asked.
    """
    workspace = door.open()
    try:
        answer = workspace.undo(count, own=own, dry_run=dry_run, yes=yes)
    except UnconfirmedError as error:
        if door.options.is_json or not has_person():
            raise
        door.show(workspace.undo(count, own=own, dry_run=True))
        if not is_yes(f"{clean(error.message)}\nUndo it anyway? [y/N] "):
            raise
        answer = workspace.undo(count, own=own, yes=True)
    door.edited(answer)


log = app.group("log", "log show --since 2w", "log add ingest 'Paper on sleep'")


@log.verb(
    "log show", "log show --since 2026-09-01 --op move", "log show --by claude-code", is_usual=True
)
def show(
    door: Door,
    *,
    since: Annotated[str, "Only entries since this day, or 7d, 2w, 3m.", "DAY"] = "",
    op: Annotated[str, "Only entries of this kind.", "OP"] = "",
    by: Annotated[str, "Only what this actor did; a beginning will do.", "ACTOR"] = "",
    limit: Limit = None,
) -> None:
    """Show the entries of the journal, newest first."""
    answer = door.open().journal.list(since=since, op=op, by=by, limit=limit)
    door.show_rows(answer, "entries")


@log.verb("log add ingest 'Paper on sleep' --note 'created: [[Sleep]]'")
def add(
    door: Door,
    op: Annotated[str, "What was done: ingest, query ...", "OP"],
    title: Annotated[str, "What it was done to.", "TITLE"],
    *,
    note: Annotated[list[str] | None, "A line below the entry; may be repeated.", "TEXT"] = None,
) -> None:
    """Add an entry to the journal."""
    door.report(door.open().journal.add(op, title, *(note or ())))


tag = app.group("tag", "tag add Tea drink", "tag rename drink beverage", "tags   # lists them")

_Tags = Annotated[list[str], "With or without #.", "TAG..."]
_Old = Annotated[str, "The tag to replace, with the tags nested in it.", "OLD"]


@app.verb(
    "set Tea status=stable",
    "set Tea 'description=How it is made.' tags=drink,green",
    "set Tea --unset status --dry-run",
)
def set_(
    door: Door,
    name: PageName,
    fields: Annotated[list[str] | None, "Fields and their values.", "[KEY=VALUE]..."] = None,
    *,
    unset: Annotated[list[str] | None, "Remove this field; may be repeated.", "KEY"] = None,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Set fields in the front matter of a page, or remove them.

    Each field changes on its own line and keeps its style. A list takes values separated by
    commas. KEY= empties a field.
    """
    workspace = door.open()
    changes = dict(map(_field, fields or []))
    name = door.here(workspace).page(name)
    door.edited(
        workspace.pages.set(name, changes, unset=unset or [], expect=expect, dry_run=dry_run)
    )


def _field(argument: str) -> tuple[str, str]:
    key, sign, value = argument.partition("=")
    if not (sign and key.strip()):
        raise UsageError(f"set: {argument}: not KEY=VALUE", "for example status=stable")
    return key.strip(), value.strip()


_Target = Annotated[str, "The page it links to, by any of its names.", "TARGET"]


@app.verb("link Tea Water", "link Tea Water --relation needs --weight 0.9")
def link(
    door: Door,
    name: PageName,
    target: _Target,
    *,
    relation: Annotated[str, "Relation type, such as needs.", "TYPE"] = "",
    weight: Annotated[float | None, "Weight, from 0 to 1.", "W"] = None,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Link a page to another one in its front matter.

    Plain links go to `related`, typed ones to `relations`.
    """
    workspace = door.open()
    ends = map(door.here(workspace).page, (name, target))
    answer = workspace.pages.link(
        *ends, relation=relation, weight=weight, expect=expect, dry_run=dry_run
    )
    door.edited(answer)


@app.verb("unlink Tea Water", "unlink Tea Water --relation needs --dry-run")
def unlink(
    door: Door,
    name: PageName,
    target: _Target,
    *,
    relation: Annotated[str, "Relation type to remove.", "TYPE"] = "",
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Remove the link from a page to another one.

    In the text, only a typed relation on a line of its own is removed; other links are listed.
    """
    workspace = door.open()
    ends = map(door.here(workspace).page, (name, target))
    door.edited(workspace.pages.unlink(*ends, relation=relation, expect=expect, dry_run=dry_run))


@tag.verb("tag add Tea drink green-tea")
def add_(
    door: Door,
    name: PageName,
    tags: _Tags,
    *,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Add tags to the front matter of a page."""
    workspace = door.open()
    name = door.here(workspace).page(name)
    door.edited(workspace.pages.tag_add(name, tags, expect=expect, dry_run=dry_run))


@tag.verb("tag remove Tea drink --dry-run")
def remove(
    door: Door,
    name: PageName,
    tags: _Tags,
    *,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Take tags off a page: out of its front matter and its text.

    A tag inside a sentence loses its # and remains as a word.
    """
    workspace = door.open()
    name = door.here(workspace).page(name)
    door.edited(workspace.pages.tag_remove(name, tags, expect=expect, dry_run=dry_run))


@tag.verb("tag rename drink beverage", "tag rename drink food/drink --dry-run")
def rename(
    door: Door,
    old: _Old,
    new: Annotated[str, "A tag that is not in use.", "NEW"],
    *,
    dry_run: DryRun = False,
) -> None:
    """Give a tag another name on all pages."""
    door.edited(door.open().pages.tag_rename(old, new, dry_run=dry_run))


@tag.verb("tag merge drinks drink")
def merge(
    door: Door,
    old: _Old,
    into: Annotated[str, "The tag to keep.", "INTO"],
    *,
    dry_run: DryRun = False,
) -> None:
    """Merge one tag into another on all pages."""
    door.edited(door.open().pages.tag_merge(old, into, dry_run=dry_run))


@tag.verb("tag suggest 'Green tea is brewed at 80 degrees.'")
def suggest(
    door: Door,
    text: Annotated[str, "What the tags are to be for.", "TEXT"],
) -> None:
    """Suggest tags for a text: those in use that it speaks of, then new ones."""
    answer = door.open().entries.suggest_tags(text)
    door.show_rows(answer, "tags")
