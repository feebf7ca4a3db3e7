"""`memwiki recall` and `memwiki context`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from memwiki.answers.recall import Recall
from memwiki.cli.app import App, kind_or_form
from memwiki.cli.commands.search import QueryCommand
from memwiki.cli.door import Door
from memwiki.cli.parameters import takes
from memwiki.cli.shared import Jsonl
from memwiki.errors import UsageError
from memwiki.nouns import Hit
from memwiki.options import RecallOptions

if TYPE_CHECKING:
    from memwiki.present.templates import RowForm

app = App()


class RecallFormat(StrEnum):
    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"
    PROMPT = "prompt"


@app.verb(
    "recall 'what do we know about the office?'",
    "recall 'why did we leave Hamburg?' --mode deep --explain",
    "recall '颜色方案是什么' --channel entries --limit 3",
    "recall 'plans for May' --since 2026-05 --format prompt --budget 500",
    cls=QueryCommand,
    takes_minus=True,
)
@takes(RecallOptions)
def recall(
    door: Door,
    question: Annotated[list[str], "", "QUESTION..."],
    *,
    options: RecallOptions,
    scores: Annotated[bool, "Type and score in each line of a prompt."] = False,
    format_: Annotated[
        str, "text, markdown, json, prompt, or a template for each hit: '{path}\\t{score}'.", "KIND"
    ] = RecallFormat.TEXT.value,
    jsonl: Jsonl = False,
) -> None:
    """Recall what answers a question: pages, entries and messages.

    The question is prose; quotation marks raise what holds the phrase. Filters as in search work,
    too. What is superseded, archived or private is left out.
    """
    form, row = kind_or_form(door, RecallFormat.TEXT, Hit, format_, "recall", jsonl=jsonl)
    if door.options.is_json and form is RecallFormat.MARKDOWN:
        raise UsageError(f"--json and --format {form.value}", "choose one")
    workspace, text = door.open(), " ".join(question)
    budget = None if form is RecallFormat.PROMPT else options.budget
    with door.progress("Indexing") as progress:
        asked = options._replace(budget=budget, record=False, progress=progress)
        answer = workspace.recall(text, **asked._asdict())
    if form is RecallFormat.PROMPT:
        block = workspace.prompt(answer, budget=options.budget, scores=scores)
        door.show(block)
        workspace.note_recall(text, block)
        return
    _show(door, answer, form, row)
    door.note_shown(workspace, answer.hits)
    workspace.note_recall(text, answer)


def _show(door: Door, answer: Recall, form: RecallFormat, row: RowForm | None) -> None:
    from memwiki.present.recall import as_markdown, recall_remarks

    if form is RecallFormat.JSON:
        door.show_as_json(answer)
        return
    if form is RecallFormat.MARKDOWN:
        door.show(answer, text=as_markdown(answer))
    else:
        door.show_each(answer, answer.hits, row)
    door.say(recall_remarks(answer))


@app.verb("context", "context --budget 500")
@takes(RecallOptions, "budget")
def context(
    door: Door,
    *,
    options: RecallOptions,
    scores: Annotated[bool, "Type and importance in each line."] = False,
) -> None:
    """Print the core memories as a block for a system prompt.

    The most important come first; what does not fit into the budget is counted.
    """
    block = door.open().prompt(budget=options.budget, scores=scores)
    door.show(block)
    if not block.text:
        door.talk("Nothing fits into the budget.")
