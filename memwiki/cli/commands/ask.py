"""`memwiki ask`: a few sentences that answer a question, each with the lines that say it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from memwiki.cli.app import App
from memwiki.cli.door import Door
from memwiki.cli.input import read_text
from memwiki.cli.jobs import require_one, require_with
from memwiki.cli.parameters import takes
from memwiki.errors import shell_word
from memwiki.options import RecallOptions

if TYPE_CHECKING:
    from memwiki.answers.curation import AskAnswer, JobPreview
    from memwiki.answers.recall import Recall
    from memwiki.workspace import Workspace

app = App()
_OPTIONS = "limit budget channel types tags since until session plan".split()


@app.verb(
    "ask 'when did Anna move to Kiel?'",
    "ask 'why did we leave Hamburg?' --plan",
    "ask 'when did Anna move?' --dry-run",
    "ask 'when did Anna move?' --brief > job.txt",
    "ask 'when did Anna move?' --reply answer.json",
    takes_query=True,
)
@takes(RecallOptions, *_OPTIONS)
def ask(
    door: Door,
    question: Annotated[list[str], "", "QUESTION..."],
    *,
    options: RecallOptions,
    brief: Annotated[bool, "Print the job for any model; --reply takes its answer."] = False,
    reply: Annotated[str, "Take the answer of any model to this question.", "FILE|-"] = "",
    model: Annotated[str, "With --reply: which model answered.", "NAME"] = "",
    dry_run: Annotated[bool, "Show what would be sent, and send nothing."] = False,
) -> int:
    """Answer a question in a few sentences, each with the lines that say it.

    The model that you set (memwiki models) is shown what memwiki recall finds, but nothing that is
    private or withheld, and cites lines; what these do not say is left out, and named. Without a
    model it prints the passages and the job for any other one. --dry-run shows to the byte what
    would be sent, and sends nothing.
    """
    require_one("ask", {"--brief": brief, "--reply": reply, "--dry-run": dry_run})
    require_with("ask", {"--model": model}, {"--reply": reply})
    workspace, text = door.open(), " ".join(question)
    asked = options._replace(record=False)
    if dry_run:
        door.show(_preview(workspace, text, asked))
        return 0
    if brief:
        door.show(workspace.curation.ask_brief(workspace.recall(text, **asked._asdict())))
        door.talk(_reply_line(text))
        return 0
    with door.progress("Asking") as progress:
        asked = asked._replace(progress=progress)
        if reply:
            given = read_text(reply, workspace.config.files.max_bytes)
            found = workspace.recall(text, **asked._asdict())
            answer = workspace.curation.ask_reply(found, given, model=model)
        else:
            answer = workspace.ask(text, asked)
    return _show(door, workspace, text, answer)


def _preview(workspace: Workspace, text: str, options: RecallOptions) -> JobPreview:
    """What is sent about what recall finds by itself; a plan is asked before that."""
    found: Recall = workspace.recall(text, **options._replace(plan=False)._asdict())
    sent = workspace.curation.ask_preview(found)
    if not options.plan:
        return sent
    first = workspace.curation.plan_preview(text)
    return sent._replace(requests=(*first.requests, *sent.requests))


def _show(door: Door, workspace: Workspace, text: str, answer: AskAnswer) -> int:
    from memwiki.present.curation import answer_remarks

    door.show(answer)
    door.say(answer_remarks(answer))
    if answer.brief:
        door.talk(_reply_line(text))
    door.note_shown(workspace, answer.hits)
    workspace.note_recall(text, answer.found)
    return 1 if answer.error else 0


def _reply_line(text: str) -> str:
    return f"memwiki ask {shell_word(text)} --reply FILE takes the answer."
