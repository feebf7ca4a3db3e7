"""`memwiki bench`."""

from __future__ import annotations

import os
from typing import Annotated

from memwiki.cli.app import App, OnlyShow
from memwiki.cli.arguments import machine_path
from memwiki.cli.door import Door
from memwiki.cli.parameters import takes
from memwiki.cli.streams import read_text
from memwiki.names import is_page_name
from memwiki.numbers import counted
from memwiki.options import RecallOptions

_MAX_BYTES = 64_000_000

app = App()
bench = app.group("bench", "bench recall questions.jsonl", "bench extract", no_args_is_help=True)


@bench.verb("bench recall", "bench recall questions.jsonl --strategy text --limit 20")
@takes(RecallOptions, "mode", "strategy")
def recall(
    door: Door,
    file: Annotated[str, "JSON lines (- is standard input), or pages.", "[FILE]"] = "",
    *,
    limit: Annotated[int, "At most N hits count.", "N", 1] = 10,
    options: RecallOptions,
) -> None:
    """Ask recall questions whose pages are known, and tell how many it answers.

    A line of FILE is {"question": "...", "pages": ["wiki/a", "Title", "m-7k2f9a"]}. Without FILE
    the lists `questions` in the front matter of pages are asked; each page answers its own.
    Nothing of it counts as use.
    """
    workspace = door.open()
    location = file if file == "-" else machine_path(door.options.directory, file)
    is_of_pages = not file or is_page_name(file) or os.path.isdir(location)  # noqa: PTH112 - too long a path is none
    text = "" if is_of_pages else read_text(location, _MAX_BYTES)
    with door.progress("Asking") as progress:
        answer = workspace.bench(
            None if is_of_pages else text,
            name=file,
            paths=door.here(workspace).paths([file]) if is_of_pages and file else (),
            limit=limit,
            mode=options.mode,
            strategy=options.strategy,
            progress=progress,
        )
    door.show(answer)


@bench.verb("bench vault", "bench vault --against recall.depth=1")
def vault(
    door: Door,
    *,
    against: Annotated[str, "Ask again with this setting of recall.", "KEY=VALUE"] = "",
    questions: Annotated[int, "At most N questions of each kind.", "N", 1] = 100,
    limit: Annotated[int, "At most N hits count.", "N", 1] = 10,
) -> None:
    """Ask recall for your own pages, and tell which are hard to find and why.

    The questions are made of titles, headings, first sentences and entries, the same ones for the
    same pages. With --against all are asked once more with one setting of recall changed, and the
    difference is told with how sure it is. Nothing of it counts as use.
    """
    with door.progress("Asking") as progress:
        answer = door.open().bench_vault(questions, against=against, limit=limit, progress=progress)
    door.show(answer)


@bench.verb("bench extract", "bench extract --set talks.jsonl --json", "bench extract --dry-run")
def extract(
    door: Door,
    *,
    set_: Annotated[str, "Ask these talks (- is standard input), not ours.", "FILE"] = "",
    dry_run: OnlyShow = False,
) -> int:
    """Measure what the model that you set extracts from talks whose facts are known.

    Each talk is asked as by memwiki extract, and nothing is proposed; what the figures count is in
    docs/proposals.md. A line of FILE is {"talk": ["Ann: I moved to Kiel."], "facts": [["Ann",
    "Kiel|coast"]]}, with a date and a language if you like. What was answered is not asked again:
    where a budget ends a run, the next one goes on.
    """
    location = set_ if set_ in ("", "-") else machine_path(door.options.directory, set_)
    talks = read_text(location, _MAX_BYTES) if set_ else None
    workspace = door.open()
    if dry_run:
        door.show(workspace.curation.bench_preview(talks, name=set_))
        return 0
    with door.progress("Asking") as progress:
        answer = workspace.curation.bench(talks, name=set_, progress=progress)
    door.show(answer)
    if answer.error:
        door.talk(f"{answer.error}; {counted(answer.waiting, 'talk')} left, run it again")
    return 1 if answer.error else 0
