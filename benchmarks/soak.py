"""A watcher under fire: two processes edit, rename, delete, move folders and check out branches.

The vault is copied; the copy is a git checkout. `memwiki watch` runs as a process of its own. At
the end the index has to equal a rebuild, and the watcher must not have grown. Prints figures as it
goes, and exits 1 when the law is broken, the watcher died, or descriptors or memory leaked.

With --texts no vault is needed: upkeep, moves and undo run on numbered memories beside two editors
and a watcher, and it exits 1 when a memory is in no file.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from measure import copied, environment, memwiki, pages
from texts import Life, edit_until, live_until

_WORDS = "heron stork ibis crane egret bittern spoonbill [[home]] #bird 鷺 **bold** `code`".split()
_LEAK_MB = 40  # above what the watcher took when it was warm
_LEAK_FILES = 8
_WARM_SHARE = 0.2  # of the time, after which growth counts


@dataclass(slots=True)
class Vandal:
    """One process that edits as people, editors and agents do."""

    root: Path
    seed: int
    done: Counter[str] = field(default_factory=Counter)

    def run(self, ends_at: float, out: str) -> None:
        """Edit until then."""
        chance = random.Random(self.seed)
        acts: list[tuple[int, Callable[[random.Random], None]]] = [
            (30, self.edit),
            (12, self.save_as_editors_do),
            (10, self.create),
            (8, self.rename),
            (16, self.delete),
            (2, self.move_folder),
            (1, self.fill_folder),
            (4, self.remove_folder),
            (1, self.take_away_and_bring_back),
            (2, self.check_out),
            (2, self.commit),
        ]
        weights = [weight for weight, _ in acts]
        while time.time() < ends_at:
            act = chance.choices([each for _, each in acts], weights)[0]
            # The other one may have taken it away meanwhile.
            with contextlib.suppress(OSError, subprocess.CalledProcessError, shutil.Error):
                act(chance)
                self.done[act.__name__] += 1
            if chance.random() < 0.02:
                time.sleep(chance.uniform(2, 6))  # long enough for the watcher to find its rest
            else:
                time.sleep(chance.choice((0, 0.002, 0.02, 0.1, 0.4)))
        Path(out).write_text(json.dumps(self.done))

    def page(self, chance: random.Random) -> Path:
        """Some page, found without listing all."""
        place = self.root
        for _ in range(12):
            below = [p for p in place.iterdir() if p.name[0] != "."]
            if not below:
                break
            place = chance.choice(below)
            if place.is_file():
                return place
        raise FileNotFoundError(place)

    def folder(self, chance: random.Random) -> Path:
        """Some folder below the root."""
        return self.page(chance).parent

    def text(self, chance: random.Random) -> bytes:
        """A few words."""
        return (" ".join(chance.choices(_WORDS, k=chance.randint(3, 40))) + "\n").encode()

    def edit(self, chance: random.Random) -> None:
        with self.page(chance).open("ab") as file:
            file.write(b"\n" + self.text(chance))

    def save_as_editors_do(self, chance: random.Random) -> None:
        page = self.page(chance)
        data = page.read_bytes() + self.text(chance)
        if chance.random() < 0.5:
            temporary = page.with_name(f".{page.name}.{self.seed}.tmp")
            temporary.write_bytes(data)
            temporary.replace(page)
        else:
            page.rename(page.with_name(f"{page.name}~"))
            page.write_bytes(data)

    def create(self, chance: random.Random) -> None:
        name = f"new-{self.seed}-{chance.randrange(500)}.md"
        (self.folder(chance) / name).write_bytes(b"# New\n\n" + self.text(chance))

    def rename(self, chance: random.Random) -> None:
        page = self.page(chance)
        page.rename(self.folder(chance) / f"{chance.randrange(1000)}-{page.name[-60:]}")

    def delete(self, chance: random.Random) -> None:
        self.page(chance).unlink()

    def move_folder(self, chance: random.Random) -> None:
        folder = self.folder(chance)
        if folder != self.root and len(list(folder.rglob("*.md"))) < 1500:
            folder.rename(self.root / f"moved-{self.seed}-{chance.randrange(40)}")

    def fill_folder(self, chance: random.Random) -> None:
        folder = self.folder(chance) / f"full-{self.seed}-{chance.randrange(1000)}" / "deep"
        folder.mkdir(parents=True)
        for number in range(chance.choice((20, 200))):
            (folder / f"{number}.md").write_bytes(self.text(chance))

    def remove_folder(self, chance: random.Random) -> None:
        folder = self.folder(chance)
        if folder.name.startswith(("full", "deep", "moved")):
            shutil.rmtree(folder)

    def take_away_and_bring_back(self, chance: random.Random) -> None:
        folder, away = self.folder(chance), self.root.parent / f"away-{self.seed}"
        if folder != self.root:
            folder.rename(away)
            time.sleep(chance.choice((0, 0.1, 1)))
            folder.parent.mkdir(parents=True, exist_ok=True)
            away.rename(folder)

    def commit(self, _chance: random.Random) -> None:
        git(self.root, "add", "-A")
        git(self.root, "commit", "-qm", "more")

    def check_out(self, chance: random.Random) -> None:
        branch = chance.choice(("one", "two", "three"))
        git(self.root, "add", "-A")
        git(self.root, "commit", "-qm", "before")
        git(self.root, "checkout", "-qB" if chance.random() < 0.1 else "-q", branch)


def git(root: Path, *arguments: str) -> None:
    """Run git as a person does."""
    who = ("-c", "user.name=soak", "-c", "user.email=soak@example.com", "-c", "gc.auto=0")
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


def usage(pid: int) -> tuple[float, int, float]:
    """Memory in MB, open descriptors and CPU seconds of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    memory = int(status.partition("VmRSS:")[2].split()[0]) / 1024
    times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = os.sysconf("SC_CLK_TCK")
    return memory, len(os.listdir(f"/proc/{pid}/fd")), (int(times[11]) + int(times[12])) / ticks


def prepared(vault: Path, scratch: Path) -> Path:
    """A copy of the vault with three branches."""
    root = scratch / "vault"
    copied(vault, root)
    git(root, "init", "-qb", "one")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "all")
    for branch in ("two", "three"):
        git(root, "checkout", "-qb", branch)
        for page in pages(root)[:: 97 if branch == "two" else 53]:
            place = root / page
            place.rename(place.with_name(f"{branch}-{place.name}"))
        git(root, "add", "-A")
        git(root, "commit", "-qm", branch)
    git(root, "checkout", "-q", "one")
    return root


def in_step(root: Path, env: dict[str, str], patience_s: float) -> float | None:
    """How long it takes after the last edit until nothing is pending; only looked at, not
    synced."""
    started = time.monotonic()
    while time.monotonic() - started < patience_s:
        done = subprocess.run(
            memwiki(root, "status", "--json"), env=env, capture_output=True, text=True
        )
        if done.returncode == 0 and json.loads(done.stdout)["pending"] == 0:
            return time.monotonic() - started
        time.sleep(0.2)
    return None


def soak_texts(minutes: float, seed: int) -> int:
    """Count the memories that are in no file when all have stopped."""
    scratch = Path(tempfile.mkdtemp(prefix="memwiki-texts-"))
    env = environment(scratch / "cache")
    os.environ.update(env)
    life = Life(scratch / "vault", seed)
    life.begin()
    ends_at = time.time() + minutes * 60
    watcher = subprocess.Popen(memwiki(life.root, "-q", "watch"), env=env, stdout=subprocess.PIPE)
    editors = [
        multiprocessing.Process(target=edit_until, args=(life.root, seed * 10 + n, ends_at, 0.12))
        for n in (1, 2)
    ]
    for each in editors:
        each.start()
    live_until(life, ends_at)
    for each in editors:
        each.join()
    watcher.send_signal(signal.SIGTERM)
    watcher.communicate()
    doctor = subprocess.run(memwiki(life.root, "doctor"), env=env, capture_output=True, text=True)
    missing = life.missing()
    result = {
        "minutes": minutes,
        "memories": life.made,
        "in_no_file": len(missing),
        "done": dict(life.done),
        "watcher": watcher.returncode,
        "doctor": doctor.stdout.strip()[-400:],
    }
    print(json.dumps(result, indent=1))
    if missing:
        print(f"kept: {scratch}: {missing[:9]}", file=sys.stderr)
        return 1
    shutil.rmtree(scratch)
    return 0


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vault", type=Path, nargs="?")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--poll", action="store_true")
    parser.add_argument("--texts", action="store_true")
    args = parser.parse_args()
    if args.texts:
        return soak_texts(args.minutes, args.seed)
    if args.vault is None:
        parser.error("give a vault, or --texts")
    scratch = Path(tempfile.mkdtemp(prefix="memwiki-soak-"))
    env = environment(scratch / "cache")
    root = prepared(args.vault, scratch)
    subprocess.run(memwiki(root, "-q", "sync"), env=env, check=True)
    log = (scratch / "watch.jsonl").open("wb")
    polling = ("--poll",) if args.poll else ()
    watcher = subprocess.Popen(
        memwiki(root, "watch", "--json", *polling), env=env, stdout=log, stderr=subprocess.STDOUT
    )
    time.sleep(3)
    ends_at, started = time.time() + args.minutes * 60, time.time()
    outs = [str(scratch / f"done-{n}.json") for n in (1, 2)]
    vandals = [
        multiprocessing.Process(target=Vandal(root, args.seed * 10 + n).run, args=(ends_at, out))
        for n, out in enumerate(outs)
    ]
    for each in vandals:
        each.start()
    samples: list[tuple[float, float, int, float]] = []
    while any(each.is_alive() for each in vandals) and watcher.poll() is None:
        time.sleep(5)
        samples.append((time.time() - started, *usage(watcher.pid)))
        if len(samples) % 12 == 0:
            at, memory_mb, files, cpu_s = samples[-1]
            print(
                f"{at:5.0f} s  {memory_mb:6.1f} MB  {files:3} descriptors  {cpu_s:7.1f} s CPU",
                flush=True,
            )
    for each in vandals:
        each.join()
    quiet = in_step(root, env, 90)
    time.sleep(4)
    last = usage(watcher.pid) if watcher.poll() is None else (0.0, 0, 0.0)
    died = watcher.poll()
    verified = subprocess.run(
        memwiki(root, "doctor", "--verify"), env=env, capture_output=True, text=True
    )
    asked = time.monotonic()
    if died is None:
        watcher.send_signal(signal.SIGTERM)
        watcher.wait(10)
    ended_s = time.monotonic() - asked
    warm = [s for s in samples if s[0] > args.minutes * 60 * _WARM_SHARE] or samples[-1:]
    growth_mb = max(0.0, warm[-1][1] - max(s[1] for s in warm[: max(len(warm) // 5, 1)]))
    growth_files = last[1] - min(s[2] for s in samples)
    done = sum((Counter(json.loads(Path(out).read_text())) for out in outs), Counter())
    lines = (scratch / "watch.jsonl").read_text().splitlines()
    told = [json.loads(line) for line in lines if line.startswith("{")]
    events = Counter(each["event"] for each in told)
    failures = Counter(
        re.sub(r"\d+", "N", each["reason"]) for each in told if each["event"] == "failed"
    )
    print(
        json.dumps(
            {
                "minutes": args.minutes,
                "acts": dict(done),
                "pages": len(pages(root)),
                "events": dict(events),
                "failures": dict(failures.most_common(5)),
                "stray_lines": len(lines) - len(told),
                "watcher_died": died,
                "in_step_after_s": quiet,
                "memory_mb": {
                    "first": samples[0][1],
                    "peak": max(s[1] for s in samples),
                    "last": last[0],
                },
                "memory_growth_mb": growth_mb,
                "descriptors": {
                    "least": min(s[2] for s in samples),
                    "most": max(s[2] for s in samples),
                    "last": last[1],
                },
                "cpu_s": last[2],
                "ended_s": ended_s,
                "exit_code": watcher.returncode,
                "equal_to_a_rebuild": verified.returncode == 0,
                "verify": verified.stdout.strip()[-800:],
            },
            indent=1,
        )
    )
    is_good = (
        died is None
        and quiet is not None
        and verified.returncode == 0
        and watcher.returncode == 0
        and growth_mb < _LEAK_MB
        and growth_files < _LEAK_FILES
        and ended_s < 1.5
    )
    if is_good:
        shutil.rmtree(scratch)
    else:
        print(f"kept: {scratch}", file=sys.stderr)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
