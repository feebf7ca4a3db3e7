"""A workspace in a real git repository, on a calendar of its own."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.waiting import PATIENCE_S


@pytest.fixture(autouse=True)
def own_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the machine's nor the person's git settings, nor those of a hook around the tests."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    for name in [each for each in os.environ if each.startswith("GIT_")]:
        monkeypatch.delenv(name)
    settings = tmp_path / "gitconfig"
    settings.write_text(
        "[user]\n\tname = Ann\n\temail = ann@example.org\n[init]\n\tdefaultBranch = main\n"
        '[protocol "file"]\n\tallow = always\n'
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("TZ", "UTC")


class Repository:
    """Runs git as a person does; each commit is a day later than the one before."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._day = 0

    def __call__(self, *arguments: str, check: bool = True) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            check=check,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=PATIENCE_S,
        )
        return done.stdout.strip()

    def commit(self, subject: str) -> str:
        """Commit everything; gives the full hash."""
        self._day += 1
        when = f"2026-01-{self._day:02}T12:00:00+00:00"
        environment = {**os.environ, "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        command = ["git", "commit", "-qm", subject]
        self("add", "-A")
        subprocess.run(command, cwd=self.root, check=True, env=environment, capture_output=True)
        return self("rev-parse", "HEAD")


@pytest.fixture
def repository(root: Path) -> Repository:
    """The workspace of the test's docstring as a repository, nothing committed yet."""
    made = Repository(root)
    made("init", "-q")
    return made


@pytest.fixture
def repository_at() -> Callable[[Path], Repository]:
    """A new repository in this folder."""

    def make(folder: Path) -> Repository:
        folder.mkdir(parents=True, exist_ok=True)
        made = Repository(folder)
        made("init", "-q")
        return made

    return make
