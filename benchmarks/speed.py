"""The speed and size table of memwiki for a folder of markdown.

Every figure is a median of CPU seconds, measured in turn with what it is compared with: `pass` is
`python -c pass`, `scan`, `index`, `queries` and `search` are the verbs of REFERENCE, a script that
does the least any indexed search has to do. Where recoll or ripgrep is installed, they are beside
it. Nothing is written into the folder.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import measure
from measure import HERE, PASS, PROJECT, Run, cpu_s, in_turn, memwiki, must, peak_mb, wall_s

_MB = 1_000_000
_EDITS = (1, 100)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; `limit` and `aim` are in the unit of `measured`."""

    what: str
    measured: float
    unit: str
    target: str
    limit: float | None = None
    aim: float | None = None
    beside: dict[str, float] = field(default_factory=dict)  # CPU seconds of what ran in turn
    note: str = ""

    @property
    def verdict(self) -> str:
        """Whether the target, and even the aim, was reached."""
        if self.limit is None:
            return ""
        if self.measured > self.limit:
            return "MISS"
        return "aim" if self.aim is not None and self.measured <= self.aim else "ok"


@dataclass(frozen=True, slots=True)
class Bench:
    """What is measured, and with what."""

    vault: Path
    reference: Path
    queries: Path
    runs: int
    scratch: Path

    @property
    def env(self) -> dict[str, str]:
        """The variables of every command."""
        return measure.environment(self.scratch / "cache")

    @property
    def database(self) -> Path:
        """Where the reference keeps its index."""
        return self.scratch / "reference.db"

    def floor(self, *arguments: object) -> tuple[str, ...]:
        """The command line of the reference."""
        return (sys.executable, str(self.reference), *map(str, arguments))

    def recoll(self, vault: Path) -> tuple[str, ...]:
        """The command line that brings an index of recoll up to date; none where there is no
        recoll. The first time it is made here."""
        program = shutil.which("recollindex")
        if program is None:
            return ()
        place = self.scratch / f"recoll-{vault.parent.name}-{vault.name}"
        command = (program, "-c", str(place))
        if not place.exists():
            place.mkdir()
            (place / "recoll.conf").write_text(f"topdirs = {vault}\nnoaspell = 1\n")
            must(command, self.env)
        return command

    def ready(self) -> None:
        """Index the folder with both, unless that is done."""
        if not self.database.exists():
            must(self.floor("index", self.vault, self.database), self.env)
        must(memwiki(self.vault, "-q", "sync"), self.env)


# --- the rows ------------------------------------------------------------------------------------


def full_index(bench: Bench) -> Iterator[Row]:
    """A first index, against the floor's."""
    ours: list[Run] = []
    floors: list[Run] = []
    rounds = max(1, min(bench.runs, 3))
    for i in range(rounds):
        cache = bench.scratch / f"cache-{i}"
        env = measure.environment(cache)
        ours.append(must(memwiki(bench.vault, "-q", "sync"), env))
        floors.append(must(bench.floor("index", bench.vault, bench.database), env))
        shutil.rmtree(cache)
    floor = cpu_s(floors)
    count = len(measure.pages(bench.vault))
    rate = f"{count} pages, {count / cpu_s(ours):.0f} pages/CPU s"
    beside = {"index": floor}
    yield Row(
        "full index", cpu_s(ours), "s", "<= 12 x index", 12 * floor, 9.4 * floor, beside, rate
    )
    wall, cpu = measure.wall_s(ours), cpu_s(ours)
    beside = {"index, wall": measure.wall_s(floors)}
    target = "<= 0.65 x CPU"
    note = f"{wall / cpu:.2f} x CPU; two free cores are needed"
    yield Row("full index, wall time", wall, "s", target, 0.65 * cpu, 0.55 * cpu, beside, note)
    env = measure.environment(bench.scratch / "cache-of-all")
    most = measure.peak_of_all_mb(memwiki(bench.vault, "-q", "sync"), env)
    note = "all processes together"
    yield Row("full index, peak memory", most, "MB", "<= 450 MB", 450, note=note)


def nothing_to_do(bench: Bench) -> Iterator[Row]:
    """A sync that finds everything as it was."""
    bench.ready()
    commands = {
        "sync": memwiki(bench.vault, "-q", "sync"),
        "scan": bench.floor("scan", bench.vault),
        "pass": PASS,
    }
    if recoll := bench.recoll(bench.vault):
        commands["recoll"] = recoll
    found = {name: cpu_s(runs) for name, runs in in_turn(commands, bench.env, bench.runs).items()}
    ours, scan, idle = found["sync"], found["scan"], found["pass"]
    target = "<= 1.3 x scan + 8 x pass"
    beside = {"pass": idle, "scan": scan}
    yield Row("sync, nothing to do", ours, "s", target, 1.3 * scan + 8 * idle, 6 * idle, beside)
    if recoll:
        yield _beside_recoll("sync, nothing to do, beside recoll", ours, found["recoll"], 0.37)


def _beside_recoll(what: str, ours: float, recoll: float, share: float) -> Row:
    note = f"{ours / recoll:.2f} x recoll"
    target = f"<= {share} x recoll"
    return Row(what, ours, "s", target, share * recoll, None, {"recoll": recoll}, note)


def edits(bench: Bench) -> Iterator[Row]:
    """A sync after some pages were edited, less one that has nothing to do."""
    copy = bench.scratch / "copy"
    shutil.copytree(bench.vault, copy, symlinks=True)
    measure.settle()
    must(memwiki(copy, "-q", "sync"), bench.env)
    names, rng = measure.pages(copy), random.Random(0)
    recoll = bench.recoll(copy)
    bounds = zip(_EDITS, (0.120, 1.3), (0.060, 0.6), (0.5, 0.7), strict=True)
    for count, limit, aim, share in bounds:
        rounds = bench.runs if count == 1 else max(1, min(bench.runs, 5))
        edited, idle, theirs = [], [], []
        for i in range(rounds):
            chosen = rng.sample(names, min(count, len(names)))
            for name in chosen:
                _edit(copy / name, i)
            measure.settle()
            edited.append(_sync_of(copy, bench, len(chosen)))
            theirs += [must(recoll, bench.env)] if recoll else []
            idle.append(_sync_of(copy, bench, 0))
        spent = cpu_s(edited) - cpu_s(idle)
        what = f"{count} edited page{'s' * (count > 1)}, sync, less one with nothing to do"
        highest = max(each.cpu_s for each in edited) - cpu_s(idle)
        note = f"slowest of {rounds}: {highest:.3f} s"
        beside = {"sync, nothing to do": cpu_s(idle)}
        yield Row(what, spent, "s", f"<= {limit * 1000:.0f} ms", limit, aim, beside, note)
        if theirs:
            whole = what.replace(", less one with nothing to do", ", beside recoll")
            yield _beside_recoll(whole, cpu_s(edited), cpu_s(theirs), share)
    shutil.rmtree(copy)


def _edit(page: Path, number: int) -> None:
    with page.open("ab") as file:
        file.write(
            f"\n\nAn afterthought {number}: the lighthouse keeper counted {page.stem}.\n".encode()
        )


def _sync_of(vault: Path, bench: Bench, expected: int) -> Run:
    done = must(memwiki(vault, "--json", "sync"), bench.env)
    changed = len(json.loads(done.out)["modified"])
    if changed != expected:
        raise measure.CommandFailedError(f"{changed} pages were taken in, not {expected}")
    return done


def one_entry(bench: Bench) -> Iterator[Row]:
    """One more entry in a file of 10,000."""
    command = (sys.executable, str(HERE / "inside.py"), "entry", str(bench.scratch / "entries"))
    found = json.loads(must(command, bench.env).out)
    note = f"slowest {found['slowest_ms']:.0f} ms; first index {found['first_ms']:.0f} ms"
    what = "one more entry in a file of 10,000"
    yield Row(what, found["ms"] / 1000, "s", "<= 100 ms", 0.100, 0.020, note=note)
    note = f"most {found['most_growth_kb']:.1f} KB"
    yield Row(f"{what}, index growth", found["growth_kb"], "KB", "<= 10 KB", 10, note=note)


def many_files(bench: Bench) -> Iterator[Row]:
    """A tag renamed on 2,000 pages and that undone, beside reading and replacing each file."""
    command = (sys.executable, str(HERE / "inside.py"), "many", str(bench.scratch / "many"))
    found = json.loads(must(command, bench.env).out)
    count, floor = found["files"], found["floor_ms"] / 1000
    for what, key in (("a tag renamed", "renamed_ms"), ("the same undone", "undone_ms")):
        spent, limit = found[key] / 1000, floor + 0.0006 * count
        note = f"{(spent - floor) / count * 1000:.2f} ms a file more"
        beside = {"read and replace": floor}
        target = "<= 0.6 ms a file more"
        yield Row(f"{what} on {count:,} pages", spent, "s", target, limit, None, beside, note)


def warm_queries(bench: Bench) -> Iterator[Row]:
    """Queries in one process, against the floor's."""
    bench.ready()
    commands = {
        "ours": (
            sys.executable,
            str(HERE / "inside.py"),
            "queries",
            str(bench.vault),
            str(bench.queries),
        ),
        "floor": bench.floor("queries", bench.database, bench.queries),
    }
    found = in_turn(commands, bench.env, max(1, min(bench.runs, 3)))
    read = {name: [json.loads(each.out) for each in runs] for name, runs in found.items()}
    middle = {
        name: {
            key: sorted(row[key] for row in rows)[len(rows) // 2] for key in ("p50_ms", "p95_ms")
        }
        for name, rows in read.items()
    }
    slow = read["ours"][0]
    # The reference takes a run of Chinese for one word, so it has next to nothing to look up.
    is_comparable = not is_dense(bench.vault)
    for key, limit, aim in (("p50_ms", 2.5, 1), ("p95_ms", 2.5, None)):
        ours, floor = (middle[name][key] / 1000 for name in ("ours", "floor"))
        yield Row(
            f"warm query, {key[:3]}",
            ours,
            "s",
            f"<= {limit} x queries" if is_comparable else "",
            limit * floor if is_comparable else None,
            aim * floor if aim else None,
            {"queries": floor},
            f"slowest: {slow['slowest']} ({slow['slowest_ms']:.1f} ms)" if key == "p95_ms" else "",
        )


def cold_search(bench: Bench) -> Iterator[Row]:
    """A search from the shell, with and without a look at the files first."""
    bench.ready()
    lines = _lines(bench.queries)
    asked = dict.fromkeys((lines[0], lines[len(lines) // 2], lines[-1]))
    pooled: dict[str, list[Run]] = {}
    for query in asked:
        commands = {
            "--no-sync": memwiki(bench.vault, "--no-sync", "search", query),
            "default": memwiki(bench.vault, "search", query),
            "pass": PASS,
            "search": bench.floor("search", bench.database, query),
        }
        if rg := shutil.which("rg"):
            commands["rg"] = (rg, "-il", "--", query.strip('"').split()[0], str(bench.vault))
        for name, runs in _tolerant(commands, bench).items():
            pooled.setdefault(name, []).extend(runs)
    times = {name: cpu_s(runs) for name, runs in pooled.items()}
    floor = times["search"]
    beside = {name: times[name] for name in ("search", "pass", "rg") if name in times}
    for name, limit in (("--no-sync", 4), ("default", 5)):
        what, target = f"cold search, {name}", f"<= {limit} x search"
        yield Row(what, times[name], "s", target, limit * floor, None, beside)
    peak = peak_mb([*pooled["--no-sync"], *pooled["default"]])
    beside = {}
    yield Row("search, peak memory", peak, "MB", "<= 45 MB", 45, beside=beside)


_WARM_S, _WARM_SHARE = 0.045, 1.3


def warm_search(bench: Bench) -> Iterator[Row]:
    """The same beside a watcher, whose process has everything loaded: by the clock, since most of
    it is done in another process."""
    bench.ready()
    lines = _lines(bench.queries)
    queries = dict.fromkeys((lines[0], lines[len(lines) // 2], lines[-1]))
    socket = Path(bench.env["MEMWIKI_CACHE_DIR"], "warm", "socket")
    with subprocess.Popen(memwiki(bench.vault, "watch", "-q"), env=bench.env) as watcher:
        while not socket.exists() and watcher.poll() is None:
            time.sleep(0.1)
        pooled: dict[str, list[Run]] = {}
        for query in queries:
            asked = memwiki(bench.vault, "search", query)
            must(asked, bench.env)  # loads what a search needs
            commands = {"search": asked, "--version": memwiki(bench.vault, "--version")}
            for name, runs in in_turn(commands, bench.env, bench.runs).items():
                pooled.setdefault(name, []).extend(runs)
        watcher.terminate()
    version, found = wall_s(pooled["--version"]), wall_s(pooled["search"])
    limit = max(_WARM_S, _WARM_SHARE * version)
    target = f"<= 45 ms or {_WARM_SHARE} x --version"
    beside = {"--version, by the clock": version, "its own CPU": cpu_s(pooled["search"])}
    yield Row("search beside a watcher, by the clock", found, "s", target, limit, beside=beside)


def _tolerant(commands: dict[str, Sequence[str]], bench: Bench) -> dict[str, list[Run]]:
    """As `in_turn`, but `rg` may find nothing, which it reports as a failure."""
    found: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(bench.runs):
        for name, command in commands.items():
            found[name].append((measure.run if name == "rg" else must)(command, bench.env))
    return found


def overview(bench: Bench) -> Iterator[Row]:
    """What answers without a workspace."""
    commands = {"pass": PASS} | {
        flag: (sys.executable, "-m", "memwiki", flag) for flag in ("--help", "--version")
    }
    found = {name: cpu_s(runs) for name, runs in in_turn(commands, bench.env, bench.runs).items()}
    idle = found.pop("pass")
    for flag, spent in found.items():
        yield Row(f"memwiki {flag}", spent, "s", "<= 7 x pass", 7 * idle, 4 * idle, {"pass": idle})


def size(bench: Bench) -> Iterator[Row]:
    """All derived stores, against the bytes of the pages."""
    bench.ready()
    status = json.loads(must(memwiki(bench.vault, "--json", "status"), bench.env).out)
    corpus = measure.corpus_bytes(bench.vault)
    ratio = status["index"]["bytes"] / corpus
    limit, aim = (3.0, 2.2) if is_dense(bench.vault) else (1.5, 1.0)
    note = f"{status['index']['bytes'] / _MB:.1f} MB for {corpus / _MB:.1f} MB"
    floor = bench.database.stat().st_size / corpus
    note += f"; the reference takes {floor:.2f}"
    yield Row("derived stores / corpus", ratio, "x", f"<= {limit}", limit, aim, note=note)


def is_dense(vault: Path) -> bool:
    """Whether the pages are mostly written without blanks: Chinese, Japanese, Korean."""
    letters = wide = 0
    for name in measure.pages(vault)[::17][:50]:
        text = (vault / name).read_text(encoding="utf-8", errors="replace")
        letters += sum(map(str.isalpha, text))
        wide += sum("\u3000" <= c <= "\ud7ff" for c in text)
    return wide * 5 > letters


def one_large_file(bench: Bench) -> Iterator[Row]:
    """A file of 50 MB among a few pages."""
    folder, plain = bench.scratch / "large", bench.scratch / "small"
    make_small(plain)
    make_large(folder)
    for each in (plain, folder):
        measure.adopted(each)
    measure.settle()
    env = measure.environment(bench.scratch / "cache-large")
    must(memwiki(plain, "-q", "sync"), env)
    first = must(memwiki(folder, "-q", "sync"), env)
    commands = {
        name: memwiki(place, "-q", "sync") for name, place in (("with", folder), ("without", plain))
    }
    later = {name: cpu_s(runs) for name, runs in in_turn(commands, env, bench.runs).items()}
    shutil.rmtree(folder)
    yield Row("one file of 50 MB, first sync", first.cpu_s, "s", "< 5 s", 5)
    yield Row("one file of 50 MB, peak memory", first.peak_mb, "MB", "< 400 MB", 400)
    without = later["without"]
    what, target = "one file of 50 MB, later syncs", "<= 1.2 x without it"
    yield Row(what, later["with"], "s", target, 1.2 * without, None, {"without it": without})


def make_small(folder: Path) -> None:
    """Write a folder with a few small pages."""
    folder.mkdir()
    for i in range(20):
        (folder / f"page-{i}.md").write_text(f"# Page {i}\n\nA small page, number {i}.\n")


def make_large(folder: Path, *, size_mb: int = 50) -> None:
    """Write a folder with a few small pages and a large one."""
    make_small(folder)
    block = "".join(
        f"## Part {i}\n\nThe [[page-{i % 20}]] tells of item {i * 7919} and of `code_{i}` in "
        "words.\n\n"
        for i in range(1000)
    )
    with (folder / "large.md").open("w") as file:
        file.write("---\ntitle: The large one\n---\n")
        for _ in range(size_mb * _MB // len(block) + 1):
            file.write(block)


def install(bench: Bench) -> Iterator[Row]:
    """What a plain installation takes, without byte code."""
    home = bench.scratch / "installed"
    subprocess.run((sys.executable, "-m", "venv", str(home)), check=True, capture_output=True)
    python = next(
        p for p in (home / "bin" / "python", home / "Scripts" / "python.exe") if p.exists()
    )
    site = Path(
        must(
            (str(python), "-c", "import site; print(site.getsitepackages()[0])"), bench.env
        ).out.strip()
    )
    before = {path.name for path in site.iterdir()}
    command = (str(python), "-m", "pip", "install", "--quiet", "--no-compile", str(PROJECT))
    subprocess.run(command, check=True, capture_output=True, cwd=bench.scratch)
    new = [path for path in site.iterdir() if path.name not in before]
    files = [f for path in new for f in ([path] if path.is_file() else path.rglob("*"))]
    total = sum(f.stat().st_size for f in files if f.is_file() and f.suffix != ".pyc")
    count = sum(path.suffix == ".dist-info" for path in new)
    largest = sorted(((_bytes_below(path), path.name) for path in new), reverse=True)[:4]
    note = ", ".join(f"{name} {size / _MB:.1f}" for size, name in largest)
    yield Row("installation", total / _MB, "MB", "<= 20 MB", 20, 14, note=note)
    yield Row("installation, packages", count, "", "<= 16", 16, 13)


def _bytes_below(path: Path) -> int:
    files = [path] if path.is_file() else path.rglob("*")
    return sum(f.stat().st_size for f in files if f.is_file() and f.suffix != ".pyc")


ROWS: dict[str, Callable[[Bench], Iterator[Row]]] = {
    "full": full_index,
    "noop": nothing_to_do,
    "edit": edits,
    "entry": one_entry,
    "many": many_files,
    "warm": warm_queries,
    "cold": cold_search,
    "beside": warm_search,
    "help": overview,
    "size": size,
    "large": one_large_file,
    "install": install,
}


# --- the table -----------------------------------------------------------------------------------


def shown(row: Row) -> tuple[str, ...]:
    """A row as text."""
    beside = ", ".join(f"{name} {_with_unit(value, 's')}" for name, value in row.beside.items())
    main = next(iter(row.beside.values()), 0)
    ratio = f"{row.measured / main:.1f} x" if main else ""
    is_relative = row.limit is not None and " x " in row.target
    target = f"{row.target} = {_with_unit(row.limit, row.unit)}" if is_relative else row.target
    measured = _with_unit(row.measured, row.unit)
    return (row.what, measured, beside, ratio, target, row.verdict, row.note)


def _with_unit(value: float, unit: str) -> str:
    if unit == "s":
        return f"{value * 1000:.1f} ms" if value < 1 else f"{value:.2f} s"
    if unit == "x":
        return f"{value:.2f}"
    return f"{value:.0f}" if not unit else f"{value:.1f} {unit}"


def _lines(file: Path) -> list[str]:
    return [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def default_queries(vault: Path, file: Path) -> Path:
    """Twenty file names, as words, for a folder that comes without questions."""
    names = measure.pages(vault)
    stems = [Path(name).stem.replace("-", " ").replace("_", " ") for name in names]
    file.write_text("\n".join(stems[:: max(1, len(stems) // 20)][:20]) + "\n", encoding="utf-8")
    return file


def main() -> int:
    """Measure, print the table, and exit 1 when a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vault", type=Path, metavar="VAULT")
    parser.add_argument("--reference", type=Path, required=True, metavar="REFERENCE.PY")
    parser.add_argument("--queries", type=Path, metavar="FILE", help="one query a line")
    parser.add_argument("--runs", type=int, default=7, metavar="N", help="rounds of each row (7)")
    parser.add_argument("--only", nargs="+", choices=tuple(ROWS), help="these rows only")
    parser.add_argument("--install", action="store_true", help="measure an installation, too")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args()
    names = args.only or [name for name in ROWS if name != "install"]
    names += ["install"] if args.install and "install" not in names else []
    with tempfile.TemporaryDirectory(prefix="memwiki-speed-") as scratch:
        queries = args.queries or default_queries(args.vault, Path(scratch, "queries.txt"))
        bench = Bench(
            measure.copied(args.vault, Path(scratch, "vault", args.vault.name)),
            args.reference.resolve(),
            queries.resolve(),
            args.runs,
            Path(scratch),
        )
        measure.compile_all()
        rows = []
        for name in names:
            print(f"... {name}", file=sys.stderr, flush=True)
            rows += ROWS[name](bench)
    if args.json:
        found = [{**asdict(row), "verdict": row.verdict} for row in rows]
        print(json.dumps({"vault": args.vault.name, **measure.machine(), "rows": found}, indent=1))
    else:
        print(args.vault.name, *(f"{k} {v}" for k, v in measure.machine().items()), sep=" · ")
        heads = ("what", "measured", "beside", "ratio", "target", "", "note")
        print(measure.table(heads, map(shown, rows)))
    return int(any(row.verdict == "MISS" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
