"""What a shared index goes through: four feeders at once, eight readers beside them, and kills of
the server and of who feeds.

    python benchmarks/shared_life.py --kills 20 --pages 300

Feeders and readers are processes of their own; the server is one of this machine. Every edit writes
the same number into all pages of a folder, so that an answer in which two numbers stand is torn.
After each kill the pages are fed again, and what is there has to be what an index built anew of the
files holds: nothing twice, nothing lost. The exit code says whether anything failed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from memwiki.errors import SharedIndexError
from memwiki.index.shared_stores import SharedStores
from memwiki.index.stores import differences, dump
from memwiki.workspace import Workspace, shared
from tests import postgres
from tests.conftest import rebuilt

NAME, FEEDERS, READERS, MARKED = "notes", 4, 8, 10
NUMBER = re.compile(r"round(\d+)round")


def write_round(folder: Path, number: int) -> None:
    """Write a number into the pages that readers ask for, and something new into another."""
    for at in range(MARKED):
        (folder / f"marked{at}.md").write_text(f"# Marked {at}\n\nheron round{number}round\n")
    (folder / f"page{number}.md").write_text(f"# Page {number}\n\n[[Marked 1]] stork {number}\n")


def reader(name: str, folder: str) -> None:
    """Ask until the parent ends it; a line a second says how it went."""
    counts: Counter[str] = Counter()
    told = time.monotonic()
    space = None
    while True:
        try:
            space = space or shared.open_shared(name, folder)
            hits = space.search("heron", limit=MARKED).hits
            numbers = {found for hit in hits for found in NUMBER.findall(hit.excerpt)}
            counts["torn"] += len(numbers) > 1 or (len(hits) not in (0, MARKED))
            counts["answers"] += 1
        except SharedIndexError:
            counts["lost"] += 1  # the server is down
            time.sleep(0.2)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is counted
            counts["errors"] += 1
            print(repr(error), file=sys.stderr, flush=True)
        if time.monotonic() - told > 1:
            told = time.monotonic()
            print(json.dumps(counts), flush=True)


def feed_process(folder: Path, *more: str) -> subprocess.Popen[str]:
    asked = ["-m", "memwiki", "-C", str(folder), "share", "feed", NAME, *more]
    return subprocess.Popen(
        [sys.executable, *asked], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def feed_anew(folder: Path, seconds: float = 120) -> None:
    """Feed what is there, as soon as the lease of who was killed is over."""
    until = time.monotonic() + seconds
    while True:
        done = feed_process(folder)
        _, said = done.communicate()
        if done.returncode == 0 or time.monotonic() > until:
            break
        time.sleep(1)
    if done.returncode:
        raise SystemExit(f"nothing could be fed any more: {said}")


def wrong(folder: Path, address: str) -> list[str]:
    """What is on the server and should not be, or is not and should."""
    with Workspace.open(folder, find=False) as space:
        space.sync()
        stores = SharedStores.at(address)
        try:
            state = stores.open(NAME)
            found = [str(each) for each in differences(dump(stores), rebuilt(space))]
            trees = {each.tree() for each in stores.projections()}
            return found + ([] if trees == {state.tree} else [f"trees {trees} {state.tree}"])
        finally:
            stores.close()


def contest(folder: Path) -> bool:
    """Four feeders begin at once and go on: one may."""
    feeders = [feed_process(folder, "--watch") for _ in range(FEEDERS)]
    until = time.monotonic() + 120
    while sum(each.poll() is None for each in feeders) > 1 and time.monotonic() < until:
        time.sleep(0.2)
    time.sleep(2)
    on = [each for each in feeders if each.poll() is None]
    said = [each.communicate()[1] for each in feeders if each not in on]
    for each in on:
        each.send_signal(signal.SIGINT)
        each.communicate()
    refused = sum("another feeder holds the lease" in each for each in said)
    print(f"{FEEDERS} feeders at once: {len(on)} fed, {refused} were refused")
    return (len(on), refused) == (1, FEEDERS - 1)


def killed(folder: Path, server: postgres.Server, chance: random.Random, number: int) -> str:
    """One kill amid a feed."""
    write_round(folder, number)
    feeder = feed_process(folder)
    time.sleep(chance.uniform(0.2, 4.0))
    what = ("server", "feeder")[number % 2]
    if what == "server":
        server.kill()
        feeder.communicate()
        server.start()
    else:
        feeder.kill()
        feeder.communicate()
    feed_anew(folder)
    return what


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance, server = random.Random(given.seed), postgres.new_server()
    os.environ["MEMWIKI_INDEX_SHARED"] = address = server.address()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "notes")
        folder.mkdir()
        (folder / "memwiki.toml").touch()
        os.environ["MEMWIKI_CACHE_DIR"] = str(Path(place, "cache"))
        for at in range(given.pages):
            (folder / f"filler{at}.md").write_text(f"# Filler {at}\n\nibis {at} [[Marked 2]]\n")
        write_round(folder, 0)
        feed_anew(folder)
        asked = [sys.executable, __file__, "--reader", place]
        readers = [
            subprocess.Popen(asked, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(READERS)
        ]
        began, is_right = time.monotonic(), contest(folder)
        kills: Counter[str] = Counter()
        failures: list[str] = []
        for number in range(1, given.kills + 1):
            kills[killed(folder, server, chance, number)] += 1
            failures += wrong(folder, address)
        counts, said = Counter[str](), []
        for each in readers:
            each.kill()
            out, errors = each.communicate()
            counts.update(json.loads(out.splitlines()[-1]) if out else {"silent": 1})
            said += errors.splitlines()
        seconds = time.monotonic() - began
    server.end()
    print(f"{dict(kills)} kills in {seconds:.0f} s: {len(failures)} differences from a rebuild")
    print(f"{READERS} readers beside them: {dict(counts)}")
    for line in (*failures[:10], *said[:10]):
        print(" ", line)
    bad = failures or counts["errors"] or counts["torn"] or counts["silent"]
    sys.exit(0 if is_right and not bad else 1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--reader"]:
        reader(NAME, sys.argv[2])
    main()
