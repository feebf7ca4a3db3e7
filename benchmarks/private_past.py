"""The twins of `private_vault` as git repositories, and questions about what pages were.

In the first commit nothing is marked yet, and some private lines say something else; the second one
marks them, the third one changes what is shown. In the second vault every commit lacks what is
private in the end.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import private_vault as vault
from generated import Generator
from private_twins import PrivateGenerator, PrivateTwin, asked_of, why_read_wrong
from twins import Case

from memwiki.clock import now_ns
from memwiki.errors import MemwikiError

_FRONT = re.compile(r"^private: true\n", re.MULTILINE)
_REWORDED = {"siebenzwei": "zweisieben", "Nonsuch": "Sosuch", "Geldwäsche": "Steuersache"}
_GONE = "---\nprivate: true\n---\n# Bygone\n\nAll of Atlantis.\n"
_REVISIONS = (
    *("HEAD", "HEAD~1", "HEAD~2", "HEAD~3", "2026-01-01", "2026-01-02", "2026-01-03", "{first}"),
    *("{second}", "main", "0000000", "2025-01-01"),
)
_NAMES = ("wiki/bygone.md", "bygone", "wiki/was-shown.md")
_DATES = ("2026-01-01T12:00:00+00:00", "2026-01-02T12:00:00+00:00", "2026-01-03T12:00:00+00:00")


def unmarked(text: str) -> str:
    """A page before anything on it was marked, with other words where it is private."""
    text = _FRONT.sub("", text.replace(f" {vault.MARK}", "").replace(f" `{vault.MARK}`", ""))
    for now, then in _REWORDED.items():
        text = text.replace(now, then)
    return text


def _revisions(of: Callable[[str], str]) -> Iterator[dict[str, str]]:
    shown = {path: of(text) for path, text in vault.SHOWN.items()}
    rent = shown["wiki/rent.md"].replace("Due in May.", "Due in April.").replace("Five.", "Four.")
    before = {**shown, "wiki/rent.md": rent, "wiki/was-shown.md": "# Was shown\n\nFor all.\n"}
    yield {path: unmarked(text) for path, text in before.items()}
    yield before
    yield shown


def make_past_twins(base: Path) -> tuple[Path, Path]:
    """Both vaults with three commits each."""
    roots = vault.make_private_twins(base)
    hidden = ({path: unmarked(text) for path, text in vault.HIDDEN.items()}, vault.HIDDEN)
    bygone = {"wiki/bygone.md": _GONE}
    more = (
        ({**hidden[0], "wiki/bygone.md": unmarked(_GONE)}, {**hidden[1], **bygone}, hidden[1]),
        ({}, {}, {}),
    )
    for root, of, added in zip(roots, (vault.first, vault.second), more, strict=True):
        (root / ".gitignore").write_text(".memwiki/\n")
        _git(root, "init", "-q", "-b", "main")
        for files, extra, date in zip(_revisions(of), added, _DATES, strict=True):
            _commit(root, {**files, **extra}, date)
    return roots


def _commit(root: Path, files: Mapping[str, str], date: str) -> None:
    for place in root.rglob("*.md"):
        if str(place.relative_to(root)) not in files:
            place.unlink()
    vault.write(root, files)
    _git(root, "add", "-A")
    _git(root, "commit", "-q", "--allow-empty", "-m", f"Of {date[:10]}", date=date)


def _git(root: Path, *arguments: str, date: str = "") -> str:
    who = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b.c"}
    who |= {"GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@b.c"}
    dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date} if date else {}
    kept = {name: each for name, each in os.environ.items() if not name.startswith("GIT_")}
    nothing = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", *arguments],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
        env={**kept, **nothing, **who, **dates},
    )
    return done.stdout


class PastTwin(PrivateTwin):
    """One of both, asked for what was."""

    def __init__(self, root: Path, started: int) -> None:
        super().__init__(root, started)
        self.revisions = tuple(_git(root, "log", "--reverse", "--format=%H").split())

    def history(self, name: str, at: str) -> str:
        """What the tool answers."""
        given = {"name": name, **({"at": self._revision(at)} if at else {})}
        return self.tool("full", "history", given)

    def shown(self, name: str, at: str, lines: tuple[int, int]) -> str:
        """What a program is given of an old page without what is private, and of an entry."""
        try:
            pages = self.workspace.public().pages
            if name.startswith("m-"):
                return self.masked(str(self.workspace.public().entries.history(name)))
            return self.masked(str(pages.show(name, at=self._revision(at), lines=lines)))
        except MemwikiError as error:
            return self.masked(f"{error.code} {error} {error.hint}")

    def _revision(self, at: str) -> str:
        return at.format(first=self.revisions[0], second=self.revisions[1])


def questions(draw: Generator) -> Iterator[Case]:
    """Questions about what was, without end."""
    while True:
        name, at = draw.one(draw.words.paths, draw.words.names, _NAMES), draw.one(_REVISIONS)
        kind, start = draw.dice.randrange(3), draw.dice.randrange(1, 12)
        if kind == 0:
            yield f"history {name}", lambda twin, name=name: twin.history(name, "")
        elif kind == 1:
            yield f"history {name} at {at}", lambda twin, name=name, at=at: twin.history(name, at)
        else:
            yield (
                f"show {name} at {at} from {start}",
                lambda twin, name=name, at=at, start=start: twin.shown(name, at, (start, 99)),
            )


def run_past(base: Path, calls: int, dice: random.Random) -> list[str]:
    """Ask so often for what was; what went wrong."""
    started = now_ns()
    twins = [PastTwin(root, started) for root in make_past_twins(base)]
    try:
        return asked_of(twins, questions(PrivateGenerator(dice)), why_read_wrong, calls)
    finally:
        for twin in twins:
            twin.close()
            shutil.rmtree(twin.root)
