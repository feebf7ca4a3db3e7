"""`memwiki search`, `memwiki recall` and `memwiki prompt`."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from memwiki.answers.recall import Recall, SearchAnswer, hits_in_words
from memwiki.cli.app import App, Jsonl, Template, kind_or_form, row_form
from memwiki.cli.door import Door
from memwiki.cli.parameters import takes
from memwiki.errors import UsageError, shell_word
from memwiki.nouns import Hit
from memwiki.options import RecallOptions, SearchOptions
from memwiki.text import pattern

if TYPE_CHECKING:
    from memwiki.present.plain import RowForm

app = App()

# Four words or more, or as many characters of Chinese, that begin or end as a question does.
_QUESTION = pattern(
    r"\A\s*(?:(?:what|who|whom|whose|when|where|why|how|which|did|does|do|is|are|was|were|can|should)"
    r"(?:['’]s)?\s+(?:\S+\s+){2,}\S+|(?:\S+\s+){2,}\S+[?？]|[^\s:\"]{3,}[吗呢?？])\s*\Z"
    r"|\A(?=[^\s:\"]+\Z).*(?:什么|为什么|为何|怎么|怎样|哪|谁|多少|几时).{2,}\Z",
    re.IGNORECASE,
)


@app.verb(
    "search colour scheme                   # any of these words, best first",
    "search '\"blue colour scheme\" -draft'   # a phrase, and a word to exclude",
    "search 'tag:design type:concept wor*'",
    "search 'path:wiki/* status:draft since:2w'",
    "search 'leaves (green OR black) rating:>6 has:author'",
    "search is:orphan                       # pages that nothing links to",
    "search is:entry path:memory.md         # entries and nothing else",
    "search tea --format '{path}:{line_start}: {excerpt}'",
    takes_query=True,
)
@takes(SearchOptions)
def search(
    door: Door,
    query: Annotated[list[str], "", "QUERY..."],
    *,
    options: SearchOptions,
    format_: Template = "",
    jsonl: Jsonl = False,
) -> None:
    """Search pages, entries and messages.

    Filters: tag: type: path: title: section: since: until: is:orphan is:entry has:field, and
    field:value or field:>value for any field. OR and parentheses join them.
    """
    form = row_form(door, Hit, format_, jsonl=jsonl)
    workspace = door.open()
    with door.progress("Indexing") as progress:
        asked = options._replace(progress=progress)
        answer = workspace.search(" ".join(query), **asked._asdict())
    door.show_each(answer, form)
    door.note_shown(workspace, answer.hits)
    _note(door, answer)


@app.verb(
    "suggest gre                # Green tea, Grey literature ...",
    "suggest 'green te' --json",
    "suggest '#dra'             # tags alone",
    "suggest 数据 --limit 5",
    "suggest gre --format '{name}'",
)
def suggest(
    door: Door,
    text: Annotated[list[str], "What was typed so far.", "TEXT..."],
    *,
    limit: Annotated[int, "Show at most N names.", "N", 1] = 10,
    format_: Template = "",
    jsonl: Jsonl = False,
) -> None:
    """Offer names for what is being typed, without looking at the files.

    Titles, aliases, file names, entities and tags: first those that begin with TEXT, then those
    that hold its words, of which the last may be half-typed, from two letters on.
    """
    from memwiki.answers.pages import Suggestion

    form = row_form(door, Suggestion, format_, jsonl=jsonl)
    answer = door.open().suggest(" ".join(text), limit)
    door.show_each(answer, form)
    if not answer.suggestions:
        door.talk("Nothing found.")


def _note(door: Door, answer: SearchAnswer) -> None:
    from memwiki.present.recall import remarks

    if sentences := list(remarks(answer)):
        door.say(sentences)
    elif not answer.total_exact:
        found = hits_in_words(answer.total, is_exact=answer.total_exact)
        door.talk(f"{len(answer.hits)} of {found} hits; --count counts them all.")
    elif answer.total > len(answer.hits):
        door.talk(f"{len(answer.hits)} of {answer.total} hits; --limit {answer.total} shows all.")
    if _QUESTION.search(answer.query):
        door.talk(f"Questions are answered by: memwiki recall {shell_word(answer.query)}")
    door.say(answer.notes)


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
    takes_query=True,
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
    dry_run: Annotated[
        bool, "With --plan: show what would be sent first, and send nothing."
    ] = False,
) -> None:
    """Recall what answers a question: pages, entries and messages.

    The question is prose; quotation marks raise what holds the phrase. Filters as in search work,
    too. What is superseded, archived or private is left out. With --plan the model that you set
    says what else to look for; where none answers within two seconds, nothing else is.
    """
    form, row = kind_or_form(door, RecallFormat.TEXT, Hit, format_, "recall", jsonl=jsonl)
    if door.options.is_json and form is RecallFormat.MARKDOWN:
        raise UsageError(f"--json and --format {form.value}", "choose one")
    workspace, text = door.open(), " ".join(question)
    if dry_run:
        from memwiki.cli.jobs import require_with

        require_with("recall", {"--dry-run": dry_run}, {"--plan": options.plan})
        door.show(workspace.curation.plan_preview(text))
        return
    budget = None if form is RecallFormat.PROMPT else options.budget
    with door.progress("Indexing") as progress:
        asked = options._replace(budget=budget, record=False, progress=progress)
        answer = workspace.recall(text, **asked._asdict())
    if form is RecallFormat.PROMPT:
        from memwiki.present.recall import plan_remarks

        block = workspace.prompt(answer, budget=options.budget, scores=scores)
        door.show(block)
        door.say(plan_remarks(answer))
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
        door.show_each(answer, row)
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
