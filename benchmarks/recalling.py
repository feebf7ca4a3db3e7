"""How long a recall takes beside a search: warm in one process, awaited, and as a command.

Each question is asked of `search` and of `recall` in each mode in turn; figures are CPU
milliseconds, ratios are those of medians. The index is up to date and no sweep is measured. Then
each is asked plainly, awaited, and awaited through an adapter (ratios are to the plain call), and a
hundred at once, while it is measured how long the event loop does nothing else at most. Beside the
folders that are given, a made workspace of entries and messages is measured. Nothing is written
into the folders: they are copied.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path

import measure
from measure import copied, cpu_s, in_turn, memwiki, must, table

from memwiki import AsyncWorkspace, Workspace
from memwiki.adapters.frameworks.bridge import read_beside

_MODES = ("fast", "auto", "deep")
_QUESTIONS = 60
_WARM = 8  # questions that are asked first, unmeasured
_DEPTH = 2
_AT_ONCE = 100
_TICK_S = 0.001
_ENTRIES_A_PAGE, _MESSAGES_A_SESSION = 500, 100
_PARTS = "bas dor gu ka lo mi net pon ri sel ter van".split()
_WORD = re.compile(r"\w+")


def made(root: Path, entries: int, messages: int) -> Path:
    """A workspace of so many entries and messages, of words that are as common as real ones."""
    pick = random.Random(1)
    words = ["".join(pick.choices(_PARTS, k=pick.randint(2, 4))) for _ in range(4_000)]
    shares = [1 / (rank + 2) for rank in range(len(words))]

    def text(count: int) -> str:
        return " ".join(pick.choices(words, shares, k=count))

    for folder in ("wiki", "sessions"):
        (root / folder).mkdir(parents=True)
    (root / "memwiki.toml").write_text('[layers]\nsessions = "sessions"\n')
    for start in range(0, entries, _ENTRIES_A_PAGE):
        rows = (f"- {text(14)}. ^m-{start + i:06}\n" for i in range(_ENTRIES_A_PAGE))
        (root / f"wiki/notes-{start:06}.md").write_text(f"# Notes {start}\n\n{''.join(rows)}")
    for start in range(0, messages, _MESSAGES_A_SESSION):
        rows = (
            f"### {'assistant' if i % 2 else 'user'} ^s-{start + i:06}\n\n{text(40)}.\n\n"
            for i in range(_MESSAGES_A_SESSION)
        )
        head = "---\ntype: session\n---\n\n"
        (root / f"sessions/s-{start:06}.md").write_text(head + "".join(rows))
    return measure.adopted(root)


def questions(vault: Path) -> list[str]:
    """A few words that follow each other in some pages, as questions."""
    pick, pages = random.Random(11), measure.pages(vault)
    found = []
    for name in pick.sample(pages, min(_QUESTIONS, len(pages))) * (1 + _QUESTIONS // len(pages)):
        words = _WORD.findall((vault / name).read_text(errors="replace"))
        if len(words) > 12:
            start = pick.randrange(len(words) - 8)
            found.append(f"how do I {' '.join(words[start : start + pick.randint(3, 7)])}?")
    return found[:_QUESTIONS]


def spent_ms(call: Callable[[], object]) -> float:
    """The processor time of a call."""
    started = time.process_time()
    call()
    return (time.process_time() - started) * 1000


def warm(space: Workspace, asked: Sequence[str]) -> dict[str, list[float]]:
    """What `search` and each mode of recall take, question by question."""
    space.sync()
    found: dict[str, list[float]] = {name: [] for name in ("search", *_MODES)}
    for turn, question in enumerate([*asked[:_WARM], *asked]):
        calls: dict[str, Callable[[], object]] = {"search": partial(space.search, question)}
        for mode in _MODES:  # a kept answer is that of one mode
            calls[mode] = partial(space.recall, f"{question} {turn}", mode=mode, record=False)
        for name, call in calls.items():
            taken = spent_ms(call)
            if turn >= _WARM:
                found[name].append(taken)
    return found


async def awaited(space: Workspace, asked: Sequence[str]) -> dict[str, list[float]]:
    """What a plain recall takes, an asynchronous one, and one of an adapter, question by
    question."""
    face, fresh = AsyncWorkspace(space), count()  # an answer that is kept would cost nothing

    async def plain(question: str) -> None:
        space.recall(question, record=False)

    async def adapter(question: str) -> None:
        await read_beside(space, partial(space.recall, question, record=False))

    ways: dict[str, Callable[[str], Awaitable[object]]] = {
        "plain": plain,
        "awaited": lambda question: face.recall(question, record=False),
        "adapter": adapter,
    }
    found: dict[str, list[float]] = {name: [] for name in ways}
    for turn, question in enumerate([*asked[:_WARM], *asked, *asked]):
        for name, ask in ways.items():
            started = time.process_time()
            await ask(f"{question} {next(fresh)}")
            if turn >= _WARM:
                found[name].append((time.process_time() - started) * 1000)
    await face.close()
    return found


async def lag_ms(space: Workspace, asked: Sequence[str], *, is_blocking: bool) -> float:
    """For how long at most the loop does nothing else, while a hundred recalls are made."""
    face, gaps = AsyncWorkspace(space), [0.0]

    async def tick() -> None:
        while True:
            started = time.perf_counter()
            await asyncio.sleep(_TICK_S)
            gaps.append(time.perf_counter() - started - _TICK_S)

    async def ask(question: str) -> None:
        if is_blocking:
            space.recall(question, record=False)
        else:
            await face.recall(question, record=False)

    ticking = asyncio.create_task(tick())
    await asyncio.sleep(_TICK_S)
    questions = (f"{asked[i % len(asked)]} {is_blocking} {i}" for i in range(_AT_ONCE))
    await asyncio.gather(*map(ask, questions))
    await asyncio.sleep(2 * _TICK_S)
    ticking.cancel()
    await face.close()
    return max(gaps) * 1000


def beside(space: Workspace, asked: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The rows of asynchronous recalls."""
    times = asyncio.run(awaited(space, asked))
    base = statistics.median(times["plain"])
    for name, values in times.items():
        p50, p95 = statistics.median(values), sorted(values)[int(0.95 * len(values))]
        yield f"recall, {name}", f"{p50:.1f}", f"{p95:.1f}", f"{p50 / base:.2f} x plain"
    blocking = asyncio.run(lag_ms(space, asked, is_blocking=True))
    free = asyncio.run(lag_ms(space, asked, is_blocking=False))
    yield "loop held by 100, plain", f"{blocking:.0f}", "", ""
    yield "loop held by 100, awaited", f"{free:.1f}", "", f"{free / blocking:.3f} x plain"


def hub(space: Workspace) -> str:
    """The page that most edges lead from or to."""
    edges = space.graph.ranked().edges
    ends = Counter(end for edge in edges for end in (edge.source, edge.target))
    return ends.most_common(1)[0][0] if ends else ""


def examine(vault: Path, scratch: Path) -> Iterator[tuple[str, ...]]:
    """The rows of one workspace."""
    cache = scratch / f"cache-{vault.name}"
    asked = questions(vault)
    environ = {"MEMWIKI_CACHE_DIR": str(cache)}
    with Workspace.open(vault, find=False, sync=False, environ=environ) as space:
        times = warm(space, asked)
        base = statistics.median(times["search"])
        for name, values in times.items():
            p50, p95 = statistics.median(values), sorted(values)[int(0.95 * len(values))]
            yield vault.name, name, f"{p50:.1f}", f"{p95:.1f}", f"{p50 / base:.2f}"
        for row in beside(space, asked):
            yield vault.name, *row
        centre = hub(space)
        if centre:
            asks = f"what is related to {Path(centre).stem}?"
            deep = partial(space.recall, asks, mode="deep", depth=_DEPTH, record=False)
            yield vault.name, f"depth {_DEPTH} from {centre}", f"{spent_ms(deep):.1f}", "", ""
    env = measure.environment(cache)
    must(memwiki(vault, "-q", "sync"), env)
    commands = {name: memwiki(vault, name, asked[0]) for name in ("search", "recall")}
    cold = {name: cpu_s(runs) * 1000 for name, runs in in_turn(commands, env, 7).items()}
    ratio = cold["recall"] / cold["search"]
    yield vault.name, "cold recall", f"{cold['recall']:.0f}", "", f"{ratio:.2f}"


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vaults", nargs="*", type=Path, metavar="VAULT")
    parser.add_argument("--entries", type=int, default=10_000, help="of the made workspace")
    parser.add_argument("--messages", type=int, default=5_000, help="of the made workspace")
    given = parser.parse_args()
    measure.compile_all()
    with tempfile.TemporaryDirectory() as place:
        scratch = Path(place)
        places = [copied(vault, scratch / vault.name) for vault in given.vaults]
        places.append(made(scratch / "made", given.entries, given.messages))
        measure.settle()
        rows = [row for vault in places for row in examine(vault, scratch)]
    print(table(("workspace", "what", "p50 ms", "p95 ms", "x search"), rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
