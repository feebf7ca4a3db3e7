"""The backends of the keyword index beside each other: first index, size, update, cold, warm, and
whether both give every unit the same score.

    python benchmarks/backends.py VAULT... [--queries 300] [--runs 9]

Each vault is asked on a copy, with an index a backend. A query is up to four words that follow each
other on a line of a page, or as many pairs of Chinese characters; what is drawn follows from the
vault alone. Every figure is a median of CPU time, measured in turn. Exits 1 when a score differs.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import measure
from measure import memwiki, must

from memwiki.config.tables import KEYWORD_BACKENDS
from memwiki.index.cache_folder import bytes_of
from memwiki.text import has_chinese
from memwiki.workspace import Workspace

_RUNS_OF_WORDS = re.compile(r"[\w']+(?: [\w']+){0,3}")
_MIN_CHARACTERS, _MAX_CHARACTERS, _ZH = 4, 80, 8
_LIMIT = 50
Environments = Mapping[str, Mapping[str, str]]  # by backend
Scores = list[tuple[str, str, float]]  # path, id and score of each hit


def drawn(vault: Path, count: int, seed: int = 11) -> list[str]:
    """So many queries, no two alike, the same for the same vault."""
    rng, paths = random.Random(seed), measure.pages(vault)
    found: dict[str, None] = {}
    for _ in range(50 * count):
        lines = (vault / rng.choice(paths)).read_text("utf-8", errors="replace").split("\n")
        words = _RUNS_OF_WORDS.findall(rng.choice(lines))
        query = rng.choice(words)[:_MAX_CHARACTERS] if words else ""
        if has_chinese(query):
            query = query[:_ZH]
        if len(query) >= _MIN_CHARACTERS:
            found[query] = None
        if len(found) == count:
            break
    return list(found)


def asked(vault: Path, envs: Environments, queries: Sequence[str]) -> tuple[list[str], list[str]]:
    """The row of warm questions, and the queries that a backend answers otherwise."""
    spent: dict[str, list[float]] = {name: [] for name in envs}
    different = []
    with ExitStack() as opened:
        spaces = {
            name: opened.enter_context(Workspace.open(vault, find=False, sync=False, environ=env))
            for name, env in envs.items()
        }
        for query in queries:
            answers = list[Scores]()
            for name, space in spaces.items():
                spent[name].append(measure.timed_ms(partial(_note, answers, space, query)))
            different += [query] if answers[0] != answers[1] else []
    return [f"{statistics.median(each):.1f} ms" for each in spent.values()], different


def _note(answers: list[Scores], space: Workspace, query: str) -> None:
    found = space.search(query, limit=_LIMIT).hits
    answers.append([(hit.path, hit.id, hit.score) for hit in found])


def rows(vault: Path, envs: Environments, queries: Sequence[str], runs: int) -> Iterator[list[str]]:
    """Every row of the table but that of warm questions; the vault is edited."""
    for name in reversed(list(envs)):  # whoever is first reads the files from the disk
        must(memwiki(vault, "-q", "status"), envs[name])
    first = [must(memwiki(vault, "-q", "reindex"), env).cpu_s for env in envs.values()]
    yield ["first index", *(f"{each:.1f} s" for each in first)]
    folders = [
        next(Path(env["MEMWIKI_CACHE_DIR"]).glob("*/build-*/keyword")) for env in envs.values()
    ]
    corpus = measure.corpus_bytes(vault)
    sizes = [bytes_of(folder) for folder in folders]
    yield ["keyword index", *(f"{n / 1e6:.1f} MB, {n / corpus:.2f} of the pages" for n in sizes)]
    measure.settle()
    for env in envs.values():
        must(memwiki(vault, "-q", "sync"), env)
    cold: dict[str, list[float]] = {name: [] for name in envs}
    for query in queries[:runs]:
        for name, env in envs.items():
            cold[name].append(must(memwiki(vault, "--json", "search", "--", query), env).cpu_s)
    yield ["one command, cold", *_medians(cold)]
    updates: dict[str, list[float]] = {name: [] for name in envs}
    rng, paths = random.Random(3), measure.pages(vault)
    for number in range(runs):
        page = vault / rng.choice(paths)
        page.write_bytes(
            page.read_bytes() + f"\n\nAn afterthought {number}: lighthouse.\n".encode()
        )
        measure.settle()
        for name, env in envs.items():
            updates[name].append(must(memwiki(vault, "-q", "sync"), env).cpu_s)
    yield ["sync after one edit", *_medians(updates)]


def _medians(spent: Mapping[str, Sequence[float]]) -> list[str]:
    return [f"{statistics.median(each) * 1000:.0f} ms" for each in spent.values()]


def measured(vault: Path, scratch: Path, count: int, runs: int) -> bool:
    """Print the table of one vault; whether both backends agree."""
    copy = measure.copied(vault, scratch / vault.name)
    envs = {
        name: {
            **measure.environment(scratch / f"{vault.name}-{name}"),
            "MEMWIKI_INDEX_KEYWORD": name,
        }
        for name in KEYWORD_BACKENDS
    }
    queries = drawn(copy, count)
    table = list(rows(copy, envs, queries, runs))
    for env in envs.values():
        must(memwiki(copy, "-q", "reindex"), env)  # Whoosh counts deleted units until then
    warm, different = asked(copy, envs, queries)
    table.insert(-1, ["one question, warm", *warm])
    print(
        f"\n{vault.name}: {len(measure.pages(copy))} pages, {len(queries)} queries, "
        f"{len(different)} answered otherwise {different[:3]}\n"
    )
    print(measure.table(["", *envs], table))
    return not different


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("vaults", nargs="+", type=Path)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--runs", type=int, default=9)
    given = parser.parse_args(arguments)
    measure.compile_all()
    print(json.dumps(measure.machine()))
    with tempfile.TemporaryDirectory(prefix="backends-") as scratch:
        done = [measured(v, Path(scratch), given.queries, given.runs) for v in given.vaults]
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
