"""What the benchmarks share: running commands and counting what they use, tables, walks."""

from __future__ import annotations

import compileall
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent
PASS = (sys.executable, "-c", "pass")
SETTLE_S = 2.2  # a file younger than two seconds is read again at the next sync


@dataclass(frozen=True, slots=True)
class Run:
    """One finished command."""

    cpu_s: float
    wall_s: float
    peak_mb: float
    code: int
    out: str
    err: str


class CommandFailedError(Exception):
    """A measured command did not do its work, so its figures would mean nothing."""


def environment(cache: Path) -> dict[str, str]:
    """The variables for a memwiki of this checkout whose indexes lie in `cache`."""
    path = os.pathsep.join(filter(None, (str(PROJECT), os.environ.get("PYTHONPATH", ""))))
    # Without byte code each run would compile the sources anew, which no installation does.
    unwanted = ("MEMWIKI_", "PYTHONDONTWRITEBYTECODE")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(unwanted)}
    return {**kept, "PYTHONPATH": path, "MEMWIKI_CACHE_DIR": str(cache)}


def compile_all() -> None:
    """Write the byte code of this checkout, as an installation does."""
    compileall.compile_dir(PROJECT / "memwiki", quiet=2)


def memwiki(vault: Path, *arguments: str) -> tuple[str, ...]:
    """The command line of memwiki on a folder."""
    return (sys.executable, "-m", "memwiki", "-C", str(vault), *arguments)


def copied(vault: Path, place: Path) -> Path:
    """A copy of a folder, made a workspace: what is measured never touches the folder itself."""
    ignored = shutil.ignore_patterns(".git", ".memwiki")
    shutil.copytree(vault, place, ignore=ignored, symlinks=True)
    return adopted(place)


def adopted(folder: Path) -> Path:
    """The folder as a workspace, as `init --adopt` leaves it."""
    (folder / ".memwiki").mkdir(exist_ok=True)
    return folder


def run(command: Sequence[str], env: Mapping[str, str], cwd: Path | None = None) -> Run:
    """Run a command and count its CPU seconds, wall seconds and peak memory."""
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        report = Path(scratch, "usage.json")
        alone = (sys.executable, "-I", "-S", str(HERE / "alone.py"), str(report), *command)
        done = subprocess.run(
            alone, env=dict(env), cwd=cwd or scratch, capture_output=True, text=True, check=True
        )
        return Run(**json.loads(report.read_text()), out=done.stdout, err=done.stderr)


def must(command: Sequence[str], env: Mapping[str, str]) -> Run:
    """Run a command that has to succeed."""
    done = run(command, env)
    if done.code:
        raise CommandFailedError(f"{' '.join(command)}: exit {done.code}\n{done.err[-2000:]}")
    return done


def in_turn(
    commands: Mapping[str, Sequence[str]], env: Mapping[str, str], runs: int
) -> dict[str, list[Run]]:
    """Run several commands A B A B ..., so that a busy machine slows all of them alike."""
    found: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            found[name].append(must(command, env))
    return found


def cpu_s(runs: Iterable[Run]) -> float:
    """The median of the CPU seconds."""
    return statistics.median(each.cpu_s for each in runs)


def wall_s(runs: Iterable[Run]) -> float:
    """The median of the wall seconds."""
    return statistics.median(each.wall_s for each in runs)


def peak_mb(runs: Iterable[Run]) -> float:
    """The highest peak."""
    return max(each.peak_mb for each in runs)


def peak_of_all_mb(command: Sequence[str], env: Mapping[str, str]) -> float:
    """The highest memory of a command and the processes it starts, what they share counted once
    (PSS, looked at 20 times a second); 0 where the system does not tell it."""
    most = 0
    with subprocess.Popen(
        command, env=dict(env), start_new_session=True, stdout=subprocess.DEVNULL
    ) as process:
        while process.poll() is None:
            most = max(most, sum(_pss_kb(place) for place in _session(process.pid)))
            time.sleep(0.05)
    if process.returncode:
        raise CommandFailedError(f"{' '.join(command)}: exit {process.returncode}")
    return most / 1000


def _session(number: int) -> Iterator[Path]:
    """The folders in /proc of the processes of a session."""
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if int((place / "stat").read_text().rpartition(")")[2].split()[3]) == number:
                yield place


def _pss_kb(place: Path) -> int:
    with suppress(OSError):
        for line in (place / "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0


def settle() -> None:
    """Wait until what was just written is old enough for its signature to be trusted."""
    time.sleep(SETTLE_S)


def walk(root: Path) -> Iterator[os.DirEntry[str]]:
    """Every page below a folder by the rules of the format, found without memwiki."""
    stack = [str(root)]
    while stack:
        with os.scandir(stack.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name[0] != "." and entry.name != "node_modules":
                        stack.append(entry.path)
                elif is_page(entry.name) and entry.is_file(follow_symlinks=False):
                    yield entry


def is_page(name: str) -> bool:
    """Whether a file of this name is a page: markdown, and no editor's leftover."""
    return name.lower().endswith((".md", ".markdown")) and name[0] not in ".#~"


def pages(root: Path) -> list[str]:
    """The paths of all pages, relative to the folder, sorted."""
    return sorted(os.path.relpath(entry.path, root).replace(os.sep, "/") for entry in walk(root))


def corpus_bytes(root: Path) -> int:
    """How many bytes all pages have together."""
    return sum(entry.stat().st_size for entry in walk(root))


def machine() -> dict[str, str | int]:
    """On what this was measured."""
    return {
        "date": time.strftime("%Y-%m-%d %H:%M", time.gmtime()) + "Z",
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count() or 1,
        "load": f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "",
    }


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A markdown table."""
    every = [list(heads), *map(list, rows)]
    widths = [max(len(row[i]) for row in every) for i in range(len(heads))]
    lines = ["| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in every]
    return "\n".join([lines[0], "|" + "|".join("-" * (w + 2) for w in widths) + "|", *lines[1:]])


def timed_ms(call: Callable[[], object]) -> float:
    """The CPU milliseconds that a call takes in this process."""
    started = time.process_time()
    call()
    return (time.process_time() - started) * 1000
