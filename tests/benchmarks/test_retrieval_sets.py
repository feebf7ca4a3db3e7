"""The retrieval sets: what is written, what is asked, and how hits become documents again."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import retrieval
from retrieval import Document, Question

from memwiki.markdown.parse import parse
from memwiki.nouns import Layers

_SCORE = """
import json, lzma, pathlib
def score(name, run):
    with lzma.open(pathlib.Path(__file__).parent / name / "queries.jsonl.xz", "rt") as file:
        rows = [json.loads(line) for line in file]
    best = [set(run.get(row["id"], [])[:10]) for row in rows]
    found = sum(set(row["relevant"]) <= ten for row, ten in zip(rows, best)) / len(rows)
    first = sum(run.get(row["id"], [""])[:1] == row["relevant"][:1] for row in rows) / len(rows)
    return {"all": {"n": len(rows), "R@5": found, "R@10": found, "MRR": first}}
"""
_CHAT = [
    Document("c/1:1", "Ann: I went to the harbour.", 0, "", "Ann", "1:56 pm on 8 May, 2023"),
    Document("c/1:2", "Bob: The ferry was late.", 0, "", "Bob", "1:56 pm on 8 May, 2023"),
    Document("c/2:1", "Ann: Try\n# this\n```\ncode", 0, "", "Ann", "March-15-2024"),
    Document("c/2:2", "Bob: Thanks for the lighthouse.", 0, "", "Bob", ""),
]


def _layers() -> Layers:
    return Layers(sessions="sessions", wiki="wiki")


def test_messages_become_sessions_by_speaker_and_date() -> None:
    pages = retrieval.pages_of(_CHAT)
    first, second = pages.texts
    assert (first, second) == ("sessions/2023-05-08-001.md", "sessions/2024-03-15-002.md")
    messages = parse(first, pages.texts[first].encode(), _layers()).messages
    assert [(m.time, m.role, m.fields["name"], m.text) for m in messages] == [
        ("2023-05-08T13:56:00Z", "user", "Ann", "I went to the harbour."),
        ("2023-05-08T13:56:00Z", "user", "Bob", "The ferry was late."),
    ]


def test_a_heading_or_an_open_fence_in_a_message_does_not_swallow_the_next() -> None:
    pages = retrieval.pages_of(_CHAT)
    path = "sessions/2024-03-15-002.md"
    messages = parse(path, pages.texts[path].encode(), _layers()).messages
    assert [m.text for m in messages] == [
        "Try\n# this\n```\ncode\n```",
        "Thanks for the lighthouse.",
    ]
    assert [(m.line_start, m.line_end) for m in messages] == [
        (start, end) for start, end, _ in pages.places[path]
    ]


def test_single_memories_become_entries() -> None:
    documents = [Document("7", "2023-12-25 Bart danced.", 0, date="2023-12-25")]
    pages = retrieval.pages_of(documents)
    assert pages.texts["memory.md"].endswith("- Bart danced. [created:: 2023-12-25]\n")
    assert list(pages.at("memory.md", 4, 4)) == ["7"]
    assert not list(pages.at("memory.md", 1, 3))


def test_a_question_is_asked_as_plain_words() -> None:
    assert (
        retrieval.plain('"Hey: you" -- don\'t *go*, well-known「茶」')
        == "Hey you don't go , well-known 茶"
    )


def test_the_baseline_counts_words_and_chinese_pairs() -> None:
    assert retrieval.grep_words("Tea tea 慢查询 2024") == ["tea", "2024", "慢查", "查询"]
    documents = [Document("a", "tea"), Document("b", "green tea"), Document("c", "ink")]
    run = retrieval.grep(documents, [Question("q", "green tea", 0, ["b"], "all")])
    assert run == {"q": ["b", "a"]}


def _write_set(folder: Path, documents: list[dict], queries: list[dict]) -> None:
    folder.mkdir()
    for name, rows in (("docs", documents), ("queries", queries)):
        with lzma.open(folder / f"{name}.jsonl.xz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)


def test_sets_of_all_kinds_go_through_files_and_are_found(tmp_path: Path, script) -> None:
    sets = tmp_path / "sets"
    sets.mkdir()
    (sets / "score.py").write_text(_SCORE)
    question = {"id": "q", "store": 0, "category": "all"}
    chat = [{k: getattr(d, k) for k in ("store", "id", "text", "speaker", "date")} for d in _CHAT]
    _write_set(sets / "chat", chat, [question | {"text": "lighthouse?", "relevant": ["c/2:2"]}])
    pages = [{"store": 0, "id": n, "title": n, "text": f"On {n}."} for n in ("tea", "ink")]
    _write_set(sets / "pages", pages, [question | {"text": "what of ink", "relevant": ["ink"]}])
    memories = [
        {"store": s, "id": f"{s}{n}", "text": f"{n} happened", "date": "2023-12-25"}
        for s in (0, 1)
        for n in ("rain", "quartz")
    ]
    _write_set(
        sets / "memories", memories, [question | {"text": "quartz", "relevant": ["0quartz"]}]
    )
    code, found, _ = script("retrieval", sets, "--out", tmp_path / "out")
    assert code == 0
    assert {name: row["found"]["all"]["R@10"] for name, row in found["sets"].items()} == {
        "chat": 1.0,
        "memories": 1.0,
        "pages": 1.0,
    }
    rows = (tmp_path / "out" / "memories.jsonl").read_text().splitlines()
    assert json.loads(rows[0])["ranked"] == ["0quartz"]
