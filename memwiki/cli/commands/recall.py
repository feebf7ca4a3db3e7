"""`memwiki recall` and `memwiki context`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from memwiki.answers.recall import Channel, Recall, RecallMode, Strategy
from memwiki.cli.app import door_of, examples, new_app
from memwiki.cli.commands.search import QueryCommand
from memwiki.cli.door import Door
from memwiki.cli.rows import JSONL, kind_or_form
from memwiki.errors import UsageError
from memwiki.model import Hit

if TYPE_CHECKING:
    from memwiki.present.templates import RowForm

app = new_app()
_BUDGET = typer.Option("--budget", metavar="TOKENS", min=0, help="At most so many tokens.")


class Format(StrEnum):
    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"
    PROMPT = "prompt"


@app.command(
    cls=QueryCommand,
    context_settings={"ignore_unknown_options": True},
    epilog=examples(
        "recall 'what do we know about the office?'",
        "recall 'why did we leave Hamburg?' --mode deep --explain",
        "recall '颜色方案是什么' --channel entries --limit 3",
        "recall 'plans for May' --since 2026-05 --format prompt --budget 500",
    ),
)
def recall(
    context: typer.Context,
    question: Annotated[list[str], typer.Argument(metavar="QUESTION...", show_default=False)],
    *,
    limit: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="At most N hits (default: recall.max_results)."),
    ] = None,
    budget: Annotated[int | None, _BUDGET] = None,
    mode: Annotated[
        RecallMode | None, typer.Option(help="Whether the graph is asked, too.", show_default=False)
    ] = None,
    strategy: Annotated[Strategy, typer.Option(help="What counts.")] = Strategy.HYBRID,
    channel: Annotated[Channel, typer.Option(help="What may answer.")] = Channel.ALL,
    type_: Annotated[
        list[str] | None,
        typer.Option("--type", metavar="TYPE", help="May be repeated.", show_default=False),
    ] = None,
    tag: Annotated[
        list[str] | None,
        typer.Option("--tag", metavar="TAG", help="May be repeated.", show_default=False),
    ] = None,
    since: Annotated[str, typer.Option(metavar="DAY", help="Written on this day or later.")] = "",
    until: Annotated[str, typer.Option(metavar="DAY", help="Written on this day or before.")] = "",
    subject: Annotated[str, typer.Option(metavar="S", help="Entries about this subject.")] = "",
    relation: Annotated[
        str, typer.Option(metavar="WORD", help="Follow only links of this type.")
    ] = "",
    depth: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Steps in the graph (default: recall.depth)."),
    ] = None,
    min_score: Annotated[
        float | None,
        typer.Option(metavar="X", help="Least score, 0 to 1 (default: recall.min_score)."),
    ] = None,
    session: Annotated[
        str,
        typer.Option(
            metavar="ID", help="Prefer this session and memories; leave other sessions out."
        ),
    ] = "",
    private: Annotated[bool, typer.Option("--private", help="With what is private.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="With all scores and why.")] = False,
    scores: Annotated[
        bool, typer.Option("--scores", help="Type and score in each line of a prompt.")
    ] = False,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="KIND",
            help="text, markdown, json, prompt, or a template for each hit: '{path}\\t{score}'.",
        ),
    ] = Format.TEXT.value,
    jsonl: Annotated[bool, JSONL] = False,
) -> None:
    """Recall what answers a question: pages, entries and messages.

    The question is prose; quotation marks raise what holds the phrase. Filters as in search work,
    too. What is superseded, archived or private is left out.
    """
    door = door_of(context)
    format_, row = kind_or_form(door, Format.TEXT, Hit, form, "recall", jsonl=jsonl)
    if door.options.is_json and format_ is Format.MARKDOWN:
        raise UsageError(f"--json and --format {format_.value}", hint="choose one")
    workspace, text = door.open(), " ".join(question)
    with door.progress("Indexing") as progress:
        answer = workspace.recall(
            text,
            limit=limit,
            budget=None if format_ is Format.PROMPT else budget,
            mode=mode or "",
            strategy=strategy,
            channel=channel,
            types=type_ or (),
            tags=tag or (),
            since=since,
            until=until,
            subject=subject,
            relation=relation,
            depth=depth,
            session=session,
            min_score=min_score,
            private=private,
            explain=explain,
            record=False,
            progress=progress,
        )
    if format_ is Format.PROMPT:
        block = workspace.prompt(answer, budget=budget, scores=scores)
        door.show(block)
        workspace.note_recall(text, block)
        return
    _show(door, answer, format_, row)
    door.note_shown(workspace, answer.hits)
    workspace.note_recall(text, answer)


def _show(door: Door, answer: Recall, form: Format, row: RowForm | None) -> None:
    from memwiki.present.recall import as_markdown, recall_remarks

    if form is Format.JSON:
        door.show_as_json(answer)
        return
    if form is Format.MARKDOWN:
        door.show(answer, text=as_markdown(answer))
    else:
        door.show_each(answer, answer.hits, row)
    door.say(recall_remarks(answer))


@app.command(epilog=examples("context", "context --budget 500"))
def context(
    context: typer.Context,
    *,
    budget: Annotated[int | None, _BUDGET] = None,
    scores: Annotated[
        bool, typer.Option("--scores", help="Type and importance in each line.")
    ] = False,
) -> None:
    """Print the core memories as a block for a system prompt.

    The most important come first; what does not fit into the budget is counted.
    """
    door = door_of(context)
    block = door.open().prompt(budget=budget, scores=scores)
    door.show(block)
    if not block.text:
        door.talk("Nothing fits into the budget.")
