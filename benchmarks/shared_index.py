"""What a shared index costs: feeding a vault, feeding one edit, and questions from a reader.

    MEMWIKI_INDEX_SHARED=ADDRESS shared_index.py FOLDER [QUESTIONS.jsonl]

The server has to be on this machine, so that its CPU time can be read.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import psycopg

from memwiki.workspace import Workspace, share, shared

NAME = "benchmark"


def server_seconds() -> float:
    """CPU seconds of all processes of a server on this machine."""
    found = 0.0
    with psycopg.connect(os.environ["MEMWIKI_INDEX_SHARED"]) as db:
        pids = [pid for (pid,) in db.execute("select pid from pg_stat_activity").fetchall()]
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        found += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


def megabytes() -> float:
    with psycopg.connect(os.environ["MEMWIKI_INDEX_SHARED"]) as db:
        sql = (
            "select sum(pg_total_relation_size(format('%I.%I', schemaname, tablename)::regclass))"
            " from pg_tables where schemaname like 'memwiki%'"
        )
        return float(db.execute(sql).fetchone()[0]) / 1e6


def timed(what: str, run) -> object:
    wall, client = perf_counter(), process_time()
    answer = run()
    print(f"{what:28} {perf_counter() - wall:8.2f} s   client CPU {process_time() - client:8.2f} s")
    return answer


def questions(file: str | None, space: Workspace) -> list[str]:
    if file:
        return [json.loads(line)["query"] for line in Path(file).read_text().splitlines() if line]
    return [page.title for page in space.pages.list(limit=100).pages]


def asked(space: Workspace, texts: list[str]) -> tuple[list[float], list[list[tuple[str, float]]]]:
    seconds, hits = [], []
    for text in texts:
        began = process_time()
        hits.append([(hit.path, hit.score) for hit in space.search(text).hits])
        seconds.append(process_time() - began)
    return seconds, hits


def main() -> None:
    folder = Path(sys.argv[1])
    with Workspace.open(folder, find=False) as space:
        timed("local index", space.sync)
        with share.feeding(space.live, space.environ, NAME, texts=False) as feeder:
            report = timed("feed", lambda: feeder.feed(space.live))
            print(f"{report.pages} pages, {megabytes():.1f} MB on the server")
            page = next(folder.rglob("*.md"))
            before = page.read_bytes()
            try:
                page.write_bytes(before + b"\n\nheron stork ibis\n")
                timed("feed one edit", lambda: feeder.feed(space.live))
            finally:
                page.write_bytes(before)
                feeder.feed(space.live)
            texts = questions(sys.argv[2] if len(sys.argv) > 2 else None, space)
            with shared.open_shared(NAME, folder) as reader:
                for each in (space, reader):
                    asked(each, texts[:3])
                local, expected = asked(space, texts)
                began = server_seconds()
                remote, found = asked(reader, texts)
                server = (server_seconds() - began) / len(texts)
        same = sum(a == b for a, b in zip(expected, found, strict=True))
        print(f"{len(texts)} questions: {same} with equal hits and scores")
        for name, each in (("local", local), ("shared", remote)):
            p95 = sorted(each)[int(len(each) * 0.95)]
            ms = f"p50 {median(each) * 1000:.1f} ms, p95 {p95 * 1000:.1f} ms"
            print(f"{name:8} client CPU a question: {ms}")
        print(f"server CPU a question: {server * 1000:.1f} ms")
    share.drop(NAME)


if __name__ == "__main__":
    main()
