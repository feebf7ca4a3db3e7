"""`memwiki browse`, `memwiki catalog`, `memwiki links`, `memwiki tags` and `memwiki graph`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from memwiki.answers.graph import GraphAnswer, GraphNode, LikeRow, Mention, MentionList
from memwiki.cli.app import App, Jsonl, MaxShown, Template, kind_or_form, row_form
from memwiki.cli.door import PROBLEMS_FOUND, Door
from memwiki.errors import UsageError
from memwiki.nouns import LinkRow, TagCount

if TYPE_CHECKING:
    from memwiki.present.plain import RowForm


app = App()


class What(StrEnum):
    """What is browsed."""

    PAGES = "pages"
    MEMORIES = "memories"
    TAGS = "tags"
    RECENT = "recent"


@app.verb("browse", "browse wiki", "browse --type concept --tag design", "browse --what recent")
def browse(
    door: Door,
    path: Annotated[str, "What is in this folder.", "[FOLDER]"] = "",
    *,
    type_: Annotated[str, "Only pages or memories of this type.", "TYPE"] = "",
    tag: Annotated[str, "Only what has this tag or one nested in it.", "TAG"] = "",
    what: Annotated[What, "What to show."] = What.PAGES,
    since: Annotated[str, "Only what is dated since then.", "D"] = "",
    limit: MaxShown = 30,
    offset: Annotated[int, "Leave out the first N.", "N", 0] = 0,
) -> None:
    """Show what there is: folders, pages, memories and tags.

    Without arguments folders with counts, where to start, what is recent, most linked and most
    wanted, and tags, as an index.md would list them; no file is needed or written.
    """
    answer = door.open().browse(
        path, type=type_, tag=tag, what=what.value, since=since, limit=limit, offset=offset
    )
    door.show(answer)
    if not answer.sections:
        door.talk("Nothing found.")
    elif answer.next_offset:
        door.talk(f"There are {answer.total} in all; --offset {answer.next_offset} shows more.")


@app.verb(
    "catalog", "catalog --check   # in a hook or in CI", "catalog --adopt   # into your index.md"
)
def catalog(
    door: Door,
    *,
    check: Annotated[bool, "Write nothing; exit 3 when a catalog is out of date."] = False,
    adopt: Annotated[bool, "Also add the block of entries to your own index files."] = False,
) -> int:
    """Bring index.md up to date with the pages, or check that it is.

    A large folder gets an index.md of its own, and more files beside it. `sync`, `watch` and every
    command that changes pages update catalogs too. Text outside the markers in these files is kept.
    """
    if check and adopt:
        raise UsageError("--check and --adopt: cannot be used together", "give one of them")
    catalogs = door.open().catalog
    report = catalogs.check() if check else catalogs.update(adopt=adopt)
    door.report(report)
    return PROBLEMS_FOUND if report.stale else 0


_LIKE = 10  # pages
_MENTIONS = 100  # of a page without links, unless more are asked for


class GraphFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    MERMAID = "mermaid"


@app.verb(
    "links Home",
    "links Home --in",
    "links 'Green tea' --unlinked",
    "links 'Green tea' --like",
    "links --unresolved   # of the whole workspace",
    "links --unresolved --format '{source}:{line}: {written}'",
)
def links(
    door: Door,
    name: Annotated[str, "Path, file name, title, alias or id.", "[NAME]"] = "",
    *,
    in_: Annotated[bool, "Only links to it."] = False,
    out: Annotated[bool, "Only links from it."] = False,
    unresolved: Annotated[bool, "Only links that match no page, or several."] = False,
    unlinked: Annotated[bool, "Where other pages name it and do not link to it."] = False,
    like: Annotated[bool, "Pages that are like it, linked or not."] = False,
    limit: Annotated[
        int | None, "Show at most N; unless given 100 with --unlinked, 10 with --like.", "N", 1
    ] = None,
    format_: Template = "",
    jsonl: Jsonl = False,
) -> None:
    """Show what a page links to and what links to it.

    Of another file show the links to it, of a name without a page those that want it. With
    --unlinked: where the text of other pages has its title, file name or an alias as whole words,
    outside of code and links. With --like: by what pages mean where a model is set, else by words.
    """
    _require_one(name, directed=in_ or out, unresolved=unresolved, unlinked=unlinked)
    if like and (in_ or out or unresolved or unlinked):
        raise UsageError("links: --like cannot be used with others", "memwiki links --help")
    kind = LikeRow if like else Mention if unlinked else LinkRow
    form = row_form(door, kind, format_, jsonl=jsonl)
    workspace = door.open()
    name = door.here(workspace).page(name)
    if like:
        alike = workspace.graph.like(name, limit=limit or _LIKE)
        door.show_rows(alike, "pages", form)
        return
    if unlinked:
        _show_mentions(door, workspace.graph.unlinked(name, limit=limit or _MENTIONS), form)
        return
    if unresolved:
        answer = workspace.graph.unresolved(name)
    else:
        direction = "both" if in_ == out else "in" if in_ else "out"
        answer = workspace.graph.links(name, direction)
    first = answer._replace(links=answer.links[:limit])
    door.show_rows(first, "links", form, total=len(answer.links))


def _show_mentions(door: Door, found: MentionList, form: RowForm | None) -> None:
    door.show_rows(found, "mentions", form)
    if found.has_more:
        count = len(found.mentions)
        door.talk(f"These are the first {count}; --limit {10 * count} shows more.")


def _require_one(name: str, *, directed: bool, unresolved: bool, unlinked: bool) -> None:
    """Refuse options that exclude one another, and a question about no page."""
    if unlinked and (directed or unresolved):
        given = "--unlinked cannot be used with --in, --out or --unresolved"
        raise UsageError(f"links: {given}", "memwiki links --help")
    if unresolved and directed:
        given = "--unresolved cannot be used with --in or --out"
        raise UsageError(f"links: {given}", "memwiki links --help")
    if not name and not unresolved:
        raise UsageError(
            "links: NAME is missing", "memwiki links NAME, or memwiki links --unresolved"
        )


@app.verb("tags", "tags project/", "tags --format '{count} {tag}'")
def tags(
    door: Door,
    prefix: Annotated[str, "", "[PREFIX]"] = "",
    *,
    format_: Template = "",
    jsonl: Jsonl = False,
) -> None:
    """List the tags and how many pages and entries have them."""
    form = row_form(door, TagCount, format_, jsonl=jsonl)
    answer = door.open().graph.tags(prefix.lstrip("#"))
    door.show_rows(answer, "tags", form)


@app.verb(
    "graph Home --depth 2",
    "graph Home --to Search",
    "graph m-7k2f9a --depth 2   # an entry",
    "graph Home --relation refines",
    "graph Home --format mermaid",
)
def graph(
    door: Door,
    name: Annotated[
        str, "Where to start: a page, or the id of an entry (default: all pages, ranked).", "[NAME]"
    ] = "",
    *,
    depth: Annotated[int, "How many links away a page or entry may be.", "N", 0] = 1,
    to: Annotated[str, "Show the shortest path to this page.", "OTHER"] = "",
    relation: Annotated[str, "Only links of this type.", "TYPE"] = "",
    format_: Annotated[
        str, "text, json, mermaid, or a template for each page: '{distance} {path}'.", "KIND"
    ] = GraphFormat.TEXT.value,
    jsonl: Jsonl = False,
) -> None:
    """Show the pages and entries around a page or entry, or the shortest path to another one."""
    if to and not name:
        raise UsageError("graph: --to needs a NAME to start from", "memwiki graph NAME --to OTHER")
    kind, row = kind_or_form(door, GraphFormat.TEXT, GraphNode, format_, "graph", jsonl=jsonl)
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
        door.show_each(answer, row)


def _mermaid(answer: GraphAnswer) -> str:
    from memwiki.present.graph import as_mermaid

    return as_mermaid(answer)
