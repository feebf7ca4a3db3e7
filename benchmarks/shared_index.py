"""What a shared index costs: feeding a vault, feeding one edit, and questions from a reader.

    MEMWIKI_INDEX_SHARED=ADDRESS shared_index.py FOLDER [QUESTIONS.jsonl...]
    shared_index.py FOLDER --times 10 --grown-in FOLDER

Questions are titles, headings and first sentences of the pages, chosen by rule, half of them
Chinese as far as there are any.

The server has to be on this machine, so that its CPU time can be read.
"""

from __future__ import annotations

import argparse
import json
import os
from contextlib import ExitStack
from pathlib import Path
from statistics import mean, median
from time import perf_counter, process_time

import psycopg
import shared_answers

from memwiki.share.feed import feeding
from memwiki.workspace import Workspace, share, shared

NAME = "benchmark"


def server_seconds() -> float:
    """CPU seconds of our connections to a server on this machine."""
    found = 0.0
    with psycopg.connect(os.environ["MEMWIKI_INDEX_SHARED"]) as db:
        sql = "select pid from pg_stat_activity where application_name='memwiki'"
        pids = [pid for (pid,) in db.execute(sql).fetchall()]
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


def asked(space: Workspace, texts: list[str]) -> list[float]:
    """CPU seconds of each question."""
    seconds = []
    for text in texts:
        began = process_time()
        space.search(text)
        seconds.append(process_time() - began)
    return seconds


def fetched(reader: Workspace, texts: list[str], *, is_new: bool) -> str:
    """What the questions take of the server, each of a reader that has just started, or one after
    the other."""
    sizes, statements = [], []
    for text in texts:
        if is_new:
            shared_answers.forget_rows(reader)
        with shared_answers.Traffic() as traffic:
            reader.search(text)
        sizes.append(traffic.size_bytes / 1000)
        statements.append(traffic.statements)
    return (
        f"{mean(sizes):.0f} kB (median {median(sizes):.0f}, 95 of 100 {at_95(sizes):.0f}),"
        f" {median(statements):.0f} statements"
    )


def at_95(values: list[float]) -> float:
    return sorted(values)[int(len(values) * 0.95)]


def milliseconds(seconds: list[float]) -> str:
    return f"p50 {median(seconds) * 1000:.1f} ms, p95 {at_95(seconds) * 1000:.1f} ms"


def compared(space: Workspace | None, reader: Workspace, texts: list[str]) -> None:
    """Print what the questions cost, and whether the index of the files answers the same."""
    with shared_answers.Traffic() as traffic:
        reader.search(texts[0])
    print(f"the first question: {traffic.size_bytes / 1000:.0f} kB")
    print(f"each of a new reader: {fetched(reader, texts, is_new=True)}")
    print(f"one after the other: {fetched(reader, texts, is_new=False)}")
    for name, each in (("local", space), ("shared", reader)):
        if each:
            asked(each, texts[:3])
            began = server_seconds()
            spent = asked(each, texts)
            server = (server_seconds() - began) / len(texts) * 1000
            print(f"{name:6} client {milliseconds(spent)}, server {server:.1f} ms a question")
    if space:
        found = [shared_answers.agreement(space, reader, text) for text in texts]
        print(shared_answers.told(found))


def main() -> None:
    args = parsed()
    if args.times:
        shared_answers.grown(args.folder, args.grown_in, args.times)
        return
    texts = shared_answers.questions_of(args.folder, args.questions)
    for file in args.more:
        lines = filter(None, file.read_text().splitlines())
        texts += [row.get("query") or row["text"] for row in map(json.loads, lines)]
    if args.alone:
        with shared.open_shared(NAME, args.folder) as reader:
            compared(None, reader, texts)
        return
    with Workspace.open(args.folder, find=False, sync=False) as space:  # no walk at each question
        timed("local index", space.sync)
        space.live.public(is_current=True)  # which is what is fed
        with ExitStack() as stack:
            if not args.fed:
                feeder = stack.enter_context(feeding(space.live, space.environ, NAME, texts=False))
                began = server_seconds()
                report = timed("feed", lambda: feeder.feed(space.live))
                server = server_seconds() - began
                print(f"{report.pages} pages, {megabytes():.1f} MB, server CPU {server:.1f} s")
            with shared.open_shared(NAME, args.folder) as reader:
                compared(space.public(), reader, texts)
            if not args.fed:
                edited(args.folder, lambda: feeder.feed(space.live))
    if not args.keep:
        share.drop(NAME)


def edited(folder: Path, feed) -> None:
    page = next(folder.rglob("*.md"))
    before = page.read_bytes()
    try:
        page.write_bytes(before + b"\n\nheron stork ibis\n")
        began = server_seconds()
        timed("feed one edit", feed)
        print(f"server CPU of one edit: {(server_seconds() - began) * 1000:.0f} ms")
    finally:
        page.write_bytes(before)
        feed()


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("more", nargs="*", type=Path, help="questions, a row of JSON each")
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--fed", action="store_true", help="compare what was fed with --keep")
    parser.add_argument("--alone", action="store_true", help="the same without an index of files")
    parser.add_argument("--keep", action="store_true", help="drop nothing at the end")
    parser.add_argument("--times", type=int, help="only write a vault so many times as large")
    parser.add_argument("--grown-in", type=Path, help="where that is written")
    return parser.parse_args()


if __name__ == "__main__":
    main()
