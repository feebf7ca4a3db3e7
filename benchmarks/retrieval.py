"""How well memwiki finds what is asked for, on sets of documents and questions with known answers.

The data goes the way a person's data goes: messages into `sessions/*.md`, one session a file;
single memories into `memory.md`; paragraphs into pages of `wiki/`; one workspace a store. Then it
is indexed, each question is asked of `recall` as it is (of `search` as plain words), and the hits
are mapped back by path and lines. Beside it stands what counting the question's words in each
document finds (of Chinese, every two characters).
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import lzma
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from itertools import groupby
from pathlib import Path

import measure

sys.path.insert(0, str(measure.PROJECT))

from memwiki.markdown.parse import parse
from memwiki.markdown.scanner import scan
from memwiki.nouns import Hit, Layers
from memwiki.workspace import Workspace

Run = dict[str, list[str]]
Report = Mapping[str, Mapping[str, float]]
Score = Callable[[str, Run], Report]

_LIMIT = 20
# The best line reached with a prototype, less one standard error.
_TARGETS = {
    "locomo-turns": {"R@10": 0.75, "MRR": 0.55},
    "beam-messages": {"R@10": 0.53},
    "madial-zh": {"R@10": 0.60},
    "madial-en": {"R@10": 0.63},
    "drcd-dev": {"R@10": 0.99, "MRR": 0.94},
    "cmrc": {"R@10": 0.99, "MRR": 0.97},
}
_SHOWN = ("R@5", "R@10", "MRR")
_DATES = ("%I:%M %p on %d %B, %Y", "%B-%d-%Y", "%Y-%m-%d")
_HEADING = re.compile(r"^( {0,3})(?=#{1,6}(?:[ \t]|$))", re.MULTILINE)
_CLOSINGS = ("", "\n```", "\n~~~", "\n`````")
_SYNTAX = re.compile(r"""["“”「」『』:：*]|(?<!\w)-+""")  # what the query language would act on
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")


class Around(StrEnum):
    """What the workspace holds beside the documents."""

    NOTHING = "nothing"
    BARE = "bare"  # what `init --bare` writes
    FRESH = "fresh"  # what `init` writes


@dataclass(frozen=True, slots=True)
class Document:
    """One thing to be found."""

    id: str
    text: str
    store: int = 0
    title: str = ""
    speaker: str = ""
    date: str = ""

    @property
    def day(self) -> datetime | None:
        """When it was said, if that can be read."""
        for form in _DATES:
            with suppress(ValueError):
                return datetime.strptime(self.date, form).replace(tzinfo=UTC)
        return None


@dataclass(frozen=True, slots=True)
class Question:
    """One question with the documents that answer it."""

    id: str
    text: str
    store: int
    relevant: Sequence[str]
    category: str


@dataclass(slots=True)
class Pages:
    """Files to write, and where each document stands in them (lines 1-based, both ends in)."""

    texts: dict[str, str] = field(default_factory=dict)
    places: dict[str, list[tuple[int, int, str]]] = field(default_factory=dict)

    def add(self, path: str, head: str, parts: Iterable[tuple[str, str]]) -> None:
        """Add a file: its head, then for each document its id and lines."""
        text, places = head, []
        for document, part in parts:
            first = text.count("\n") + 1
            text += part
            places.append((first, first + part.rstrip("\n").count("\n"), document))
        self.texts[path], self.places[path] = text, places

    def move(self, path: str, lines: int) -> None:
        """The documents of a file stand so many lines further down."""
        rows = self.places[path]
        self.places[path] = [(first + lines, last + lines, each) for first, last, each in rows]

    def at(self, path: str, start: int, end: int) -> Iterator[str]:
        """The documents on these lines."""
        return (d for first, last, d in self.places.get(path, ()) if first <= end and start <= last)


# --- writing what a person would have ------------------------------------------------------------


def pages_of(documents: Sequence[Document]) -> Pages:
    """The documents of one store as the files of a workspace."""
    pages = Pages()
    if documents[0].speaker:
        _write_sessions(documents, pages)
    elif documents[0].date:
        entries = ((each.id, _entry(each)) for each in documents)
        pages.add("memory.md", "# Memory\n\n## Events\n", entries)
    else:
        for each in documents:
            head = f"# {each.title}\n\n" if each.title else ""
            pages.add(f"wiki/{each.id}.md", head, [(each.id, each.text.strip() + "\n")])
    return pages


def _entry(document: Document) -> str:
    text = " ".join(document.text.removeprefix(document.date).split())
    return f"- {text} [created:: {document.date}]\n"


def _write_sessions(documents: Sequence[Document], pages: Pages) -> None:
    """One file a session; a session starts where another date is given."""
    date, dated = "", []
    for each in documents:
        date = each.date or date
        dated.append((date, each))
    for number, (date, run) in enumerate(groupby(dated, key=lambda row: row[0]), 1):
        said = [each for _, each in run]
        day = Document("", "", date=date).day
        stamp = (
            "" if day is None else day.strftime("%Y-%m-%dT%H:%M:%SZ" if ":" in date else "%Y-%m-%d")
        )
        people = ", ".join(dict.fromkeys(each.speaker for each in said))
        head = f"---\ntype: session\nstarted: {stamp}\nparticipants: [{people}]\n---\n\n"
        parts = ((each.id, _message(each, stamp, i)) for i, each in enumerate(said, 1))
        pages.add(f"sessions/{stamp[:10]}-{number:03}.md", head, parts)


def _message(document: Document, stamp: str, number: int) -> str:
    who, text = document.speaker, document.text.removeprefix(f"{document.speaker}: ")
    role = who if who in {"user", "assistant"} else f"user [name:: {who}]"
    text = _HEADING.sub(r"\1\\", text.strip("\n"))
    closing = next((c for c in _CLOSINGS if _is_closed(text + c)), "")
    return f"### {stamp} {role} ^s-{number:04}\n{text}{closing}\n\n"


def _is_closed(text: str) -> bool:
    """Whether a heading after the text is one, and not a line of a code block that stayed open."""
    headings = scan(f"{text}\n\n### Probe".split("\n")).headings
    return bool(headings) and headings[-1].title == "Probe"


# --- asking --------------------------------------------------------------------------------------


def plain(text: str) -> str:
    """A question as words only, as a careful caller hands on what somebody said."""
    return " ".join(_SYNTAX.sub(" ", text).split())


def ask(
    documents: Sequence[Document],
    questions: Sequence[Question],
    folder: Path,
    *,
    is_search: bool = False,
    around: Around = Around.NOTHING,
    options: Mapping[str, str] | None = None,
) -> tuple[Run, list[float], int]:
    """Index one store and ask all its questions: ranked ids, CPU ms, documents lost on the way."""
    workspace, pages = opened(documents, folder, around)
    if options:
        workspace.models.embed()
    lost = len(documents) - sum(_units_at_places(pages, folder, workspace.config.layers))
    run, times = {}, []
    for question in questions:
        started = time.process_time()
        if is_search:
            answer = workspace.search(plain(question.text), limit=_LIMIT)
        else:
            answer = workspace.recall(question.text, limit=_LIMIT, record=False, **(options or {}))
        times.append((time.process_time() - started) * 1000)
        run[question.id] = documents_of(answer.hits, pages)
    workspace.close()
    return run, times, lost


def opened(
    documents: Sequence[Document], folder: Path, around: Around = Around.NOTHING
) -> tuple[Workspace, Pages]:
    """One store as an indexed workspace."""
    Workspace.init(folder, bare=around is Around.BARE)
    for page in folder.rglob("*.md") if around is Around.NOTHING else ():
        page.unlink()
    pages = pages_of(documents)
    for path, text in pages.texts.items():
        file = folder / path
        file.parent.mkdir(exist_ok=True)
        if file.exists():
            above = file.read_text("utf-8") + "\n"
            title, _, rest = text.partition("\n\n")  # the page has its title
            pages.move(path, above.count("\n") - title.count("\n") - 2)
            file.write_text(above + rest, encoding="utf-8")
        else:
            file.write_text(text, encoding="utf-8")
    workspace = Workspace.open(folder, find=False)
    workspace.sync()
    workspace.is_synced = False
    return workspace, pages


def documents_of(hits: Iterable[Hit], pages: Pages) -> list[str]:
    """The documents that hits stand for, best first."""
    found = (d for h in hits for d in pages.at(h.path, h.line_start, h.line_end))
    return list(dict.fromkeys(found))[:_LIMIT]


def _units_at_places(pages: Pages, folder: Path, layers: Layers) -> Iterator[int]:
    """For each file, how many documents begin where a unit of search does."""
    for path in pages.texts:
        data = (folder / path).read_bytes()
        starts = {unit.line_start for unit in parse(path, data, layers).units}
        is_page = len(pages.places[path]) == 1  # one document, and its title stands above it
        yield sum(is_page or first in starts for first, _, _ in pages.places[path])


def grep(documents: Sequence[Document], questions: Sequence[Question]) -> Run:
    """The documents that hold most of a question's words as substrings, then those with most of
    them."""
    texts = [
        (each.id, f"{each.title}\n{each.speaker}\n{each.text}".casefold()) for each in documents
    ]
    run = {}
    for question in questions:
        words = grep_words(question.text)
        counted = ((sum(word in text for word in words), id_, text) for id_, text in texts)
        found = [(n, sum(map(text.count, words)), id_) for n, id_, text in counted if n]
        found.sort(key=lambda row: row[:2], reverse=True)
        run[question.id] = [id_ for _, _, id_ in found[:_LIMIT]]
    return run


def grep_words(text: str) -> list[str]:
    """The distinct words; a run of Chinese or Japanese as all its pairs."""
    text = text.casefold()
    words = re.findall(r"\w+", _WIDE.sub(" ", text))
    for run in _WIDE.findall(text):
        words += [run[i : i + 2] for i in range(max(1, len(run) - 1))]
    return list(dict.fromkeys(words))


# --- the table -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one set gave."""

    name: str
    found: Report
    baseline: Report
    ms: float
    missing: int

    @property
    def misses(self) -> list[str]:
        """The figures below their target."""
        targets = _TARGETS.get(self.name, {})
        return [name for name, least in targets.items() if self.found["all"][name] < least]

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Lines of the table: all questions, then each category."""
        targets = _TARGETS.get(self.name, {})
        for category, figures in self.found.items():
            is_all = category == "all"
            least = ", ".join(f"{k} {v}" for k, v in targets.items()) if is_all else ""
            yield (
                self.name if is_all else f"  {category}",
                f"{figures['n']:.0f}",
                *(f"{figures[key]:.3f}" for key in _SHOWN),
                least,
                ("MISS " + " ".join(self.misses) if self.misses else "ok") if least else "",
                *(f"{self.baseline[category][key]:.3f}" for key in _SHOWN),
                f"{self.ms:.1f}" if is_all else "",
            )


def read_set(folder: Path) -> tuple[list[Document], list[Question]]:
    """The documents and questions of a set."""
    documents = [Document(**row) for row in _lines(folder / "docs.jsonl.xz")]
    return documents, [Question(**row) for row in _lines(folder / "queries.jsonl.xz")]


def _lines(file: Path) -> Iterator[dict]:
    with lzma.open(file, "rt", encoding="utf-8") as text:
        yield from map(json.loads, text)


def measured(
    name: str,
    sets: Path,
    score: Score,
    out: Path | None,
    scratch: Path,
    *,
    is_search: bool,
    around: Around = Around.NOTHING,
    options: Mapping[str, str] | None = None,
) -> Outcome:
    """Run one set."""
    documents, questions = read_set(sets / name)
    run: Run = {}
    baseline: Run = {}
    times: list[float] = []
    missing = 0
    for store in sorted({each.store for each in documents}):
        mine = [each for each in documents if each.store == store]
        asked = [each for each in questions if each.store == store]
        folder = scratch / f"{name}-{store}"
        found, spent, lost = ask(
            mine, asked, folder, is_search=is_search, around=around, options=options
        )
        run |= found
        times += spent
        missing += lost
        baseline |= grep(mine, asked)
    if out:
        out.mkdir(parents=True, exist_ok=True)
        rows = (json.dumps({"id": id_, "ranked": ids}) + "\n" for id_, ids in run.items())
        (out / f"{name}.jsonl").write_text("".join(rows), encoding="utf-8")
    return Outcome(name, score(name, run), score(name, baseline), statistics.median(times), missing)


def with_model(args: argparse.Namespace) -> Mapping[str, str]:
    """Set a local model for all workspaces; gives the options with which recall is asked."""
    model = "" if args.vectors == "local" else args.vectors
    os.environ |= {
        "MEMWIKI_MODELS_EMBED_PROVIDER": "local",
        "MEMWIKI_MODELS_EMBED_MODEL": model,
        "MEMWIKI_VECTORS_OF": args.of,
    }
    return {"vectors": "only" if args.only else "auto", "fusion": args.fusion}


def load_score(path: Path) -> Score:
    """The `score` function of the script that comes with the sets."""
    spec = importlib.util.spec_from_file_location("score", path)
    assert spec is not None, path
    assert spec.loader is not None, path
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.score


def main() -> int:
    """Run the sets, print the table, and exit 1 when a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "sets", type=Path, metavar="SETS_DIR", help="a folder of sets, with score.py"
    )
    parser.add_argument("--set", nargs="+", metavar="NAME", help="these sets only")
    parser.add_argument("--score", type=Path, metavar="SCORE.PY", help="default: SETS_DIR/score.py")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="write what was found, as JSON lines"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--around",
        type=Around,
        default=Around.NOTHING,
        metavar="|".join(Around),
        help="what the workspace holds beside the documents: nothing, what init --bare writes, or "
        "what init writes",
    )
    parser.add_argument("--search", action="store_true", help="ask search instead of recall")
    parser.add_argument(
        "--vectors",
        metavar="MODEL",
        help="embed with a local model, by its name (local: the usual one), and ask with it",
    )
    parser.add_argument("--fusion", default="bonus", help="bonus, rrf or weighted")
    parser.add_argument("--only", action="store_true", help="ask by meaning alone")
    parser.add_argument("--of", default="memories", help="what is embedded: vectors.of")
    args = parser.parse_args()
    options = with_model(args) if args.vectors else None
    score = load_score(args.score or args.sets / "score.py")
    names = args.set or sorted(path.parent.name for path in args.sets.glob("*/docs.jsonl.xz"))
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="memwiki-retrieval-") as scratch:
        os.environ["MEMWIKI_CACHE_DIR"] = str(Path(scratch, "cache"))
        for name in names:
            print(f"... {name}", file=sys.stderr, flush=True)
            outcomes.append(
                measured(
                    name,
                    args.sets,
                    score,
                    args.out,
                    Path(scratch),
                    is_search=args.search,
                    around=args.around,
                    options=options,
                )
            )
    if args.json:
        found = {o.name: {"found": o.found, "grep": o.baseline, "ms": o.ms} for o in outcomes}
        print(json.dumps({**measure.machine(), "sets": found}, indent=1))
    else:
        grep_heads = [f"grep {key}" for key in _SHOWN]
        heads = ["set", "n", *_SHOWN, "target", "", *grep_heads, "ms"]
        print(measure.table(heads, (row for outcome in outcomes for row in outcome.rows())))
        for outcome in outcomes:
            if outcome.missing:
                print(f"{outcome.name}: {outcome.missing} documents were not read as units")
    return int(any(outcome.misses for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
