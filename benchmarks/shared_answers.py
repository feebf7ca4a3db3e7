"""Whether a shared index answers as the one of the files does, and what an answer takes of it.

questions_of    questions of a vault by rule: titles, headings, first sentences
agreement       hits, scores and Kendall tau of both
Traffic         what comes from the server, and in how many statements
grown           a vault that is so many times larger, whose words are as common as before
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import mean
from types import TracebackType

from memwiki.clock import local_day
from memwiki.index.keyword.backend import Snapshot
from memwiki.index.keyword.segment_rows import PackedRows
from memwiki.index.storage_postgres import PostgresStorage
from memwiki.recall.bm25 import BM25
from memwiki.recall.parse import parse_query
from memwiki.recall.query import prefix_terms, term_weights
from memwiki.records import NamedTuple
from memwiki.text import has_chinese
from memwiki.workspace import Workspace

_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_SENTENCE = re.compile(r"[^.。!?！？\n]{12,200}[.。!?！？]")
_MARKUP = re.compile(r"[#`*_\[\]<>(){}|\"]|https?://\S+")
_WORD = re.compile(r"[A-Za-z]{4,}|[\u4e00-\u9fff]")
_LOOKED_AT = 50  # best units of a question, of which order is compared
_BAND = 64  # words of about one frequency
_PER_VALUE, _PER_ROW = 4, 7  # bytes of the protocol

Scores = Mapping[object, float]


def questions_of(folder: Path, count: int, seed: int = 17) -> list[str]:
    """Half in English and half in Chinese, as far as there are pages of each; in turn the title, a
    later heading and the first sentence of a page, no two alike."""
    rng, found = Random(seed), {True: dict[str, None](), False: dict[str, None]()}
    paths = sorted(folder.rglob("*.md"))
    for number, path in enumerate(rng.sample(paths, len(paths))):
        text = _FRONT_MATTER.sub("", path.read_text("utf-8", "replace"))
        if (question := _question(text, number, rng)) and len(question) > 3:
            ours = found[has_chinese(question)]
            if len(ours) < count // 2:
                ours[question] = None
    return [*found[False], *found[True]]


def _question(text: str, number: int, rng: Random) -> str:
    headings, sentences = _HEADING.findall(text), _SENTENCE.findall(_HEADING.sub("", text))
    of = (headings[:1], headings[1:], sentences[:1])[number % 3]
    return " ".join(_MARKUP.sub(" ", rng.choice(of)).split()) if of else ""


def grown(source: Path, target: Path, times: int) -> None:
    """So many copies of a vault, of which the first is as it was. In each other every word that
    few pages hold is another one that is about as common, in names of files as well."""
    pages = {
        str(path.relative_to(source)): path.read_text("utf-8", "surrogateescape")
        for path in sorted(source.rglob("*.md"))
    }
    held = Counter(word for text in pages.values() for word in {*_WORD.findall(text)})
    rare = [word for word, count in held.most_common() if count * 20 < len(pages)]
    kinds = [[word for word in rare if word.isascii() is is_ascii] for is_ascii in (True, False)]
    for number in range(times):
        other = dict(_others(kinds, Random(number))) if number else {}
        for path, text in pages.items():
            file = target / str(number) / _replaced(path, other)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(_replaced(text, other), "utf-8", "surrogateescape")


def _others(kinds: Sequence[Sequence[str]], rng: Random) -> Iterator[tuple[str, str]]:
    for kind in kinds:
        for start in range(0, len(kind), _BAND):
            band = kind[start : start + _BAND]
            yield from zip(band, rng.sample(band, len(band)), strict=True)


def _replaced(text: str, other: Mapping[str, str]) -> str:
    return _WORD.sub(lambda match: other.get(match[0], match[0]), text)


class Traffic:
    """Counts what comes from the server while it is entered, beside BEGIN and COMMIT."""

    statements = size_bytes = 0

    def __enter__(self) -> Traffic:
        self._execute = execute = PostgresStorage.execute

        def counted(storage: PostgresStorage, sql: str, values: Sequence[object] = ()):
            cursor = execute(storage, sql, values)
            self.statements += 1
            self.size_bytes += _size_bytes(cursor.pgresult)
            return cursor

        PostgresStorage.execute = counted
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        PostgresStorage.execute = self._execute


def _size_bytes(result) -> int:
    places = range(result.nfields)
    cells = (result.get_value(row, place) for row in range(result.ntuples) for place in places)
    return sum(len(each or b"") + _PER_VALUE for each in cells) + _PER_ROW * result.ntuples


class Agreement(NamedTuple):
    """Of a question: whether hits and scores are the same, and Kendall tau of both orders."""

    is_equal: bool
    keyword: float
    search: float


def agreement(local: Workspace, reader: Workspace, question: str) -> Agreement:
    """How far both answer a question alike."""
    spaces = (local, reader)
    hits = [
        {(hit.path, hit.id): hit.score for hit in space.search(question).hits} for space in spaces
    ]
    units = [keyword_scores(space, question) for space in spaces]
    is_equal = [*hits[0].items()] == [*hits[1].items()] and units[0] == units[1]
    return Agreement(is_equal, tau(*units), tau(*hits))


def keyword_scores(space: Workspace, question: str) -> Scores:
    """The score of the best units by their words alone, and of all that have the last of these."""
    with space.live.opened() as stores:
        snapshot: Snapshot = space.live.snapshot(stores, must_agree=False)
        query = parse_query(question, local_day(space.live.context.clock()))
        weights = term_weights(query, prefix_terms(query, snapshot))
        scores = BM25(snapshot, weights, weights=weights).every()
        least = sorted(scores.values())[-_LOOKED_AT:][:1]
        best = [unit for unit, score in scores.items() if [score] >= least]
        keys = snapshot.keys(best)
        return {key: scores[unit] for key, unit in sorted(zip(keys, best, strict=True))}


def tau(one: Scores, other: Scores) -> float:
    """Kendall tau-b of two scorings; what one of them lacks has no score there. 1 for none."""
    items = [*{**one, **other}]
    pairs = [
        (_sign(one.get(a, 0.0) - one.get(b, 0.0)), _sign(other.get(a, 0.0) - other.get(b, 0.0)))
        for a, b in combinations(items, 2)
    ]
    untied = sum(a * a for a, _ in pairs) * sum(b * b for _, b in pairs)
    if not untied:
        return 1.0 if all(a == b for a, b in pairs) else 0.0
    return sum(a * b for a, b in pairs) / untied**0.5


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


def told(found: Sequence[Agreement]) -> str:
    """In words."""
    equal = sum(each.is_equal for each in found)
    keyword, search = (mean(each[at] for each in found) for at in (1, 2))
    lowest = min(each.keyword for each in found), min(each.search for each in found)
    return (
        f"{len(found)} questions: {equal} with equal hits and scores; Kendall tau of the keyword"
        f" part {keyword:.4f} (lowest {lowest[0]:.4f}), of search {search:.4f} ({lowest[1]:.4f})"
    )


def forget_rows(reader: Workspace) -> None:
    """As if the reader had just been started."""
    with reader.live.opened() as stores:
        stores.keyword.known = PackedRows()
        stores._close_snapshot()
        stores.snapshot(lambda: None)
