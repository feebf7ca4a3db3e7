"""Running git so that nothing in the repository it looks at can run a command."""

from __future__ import annotations

import os
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from memwiki.errors import GitError
from memwiki.nouns import Environ
from memwiki.text import pattern

if TYPE_CHECKING:
    from subprocess import CompletedProcess

_TIMEOUT_SECONDS = 60

# A hook that calls memwiki leaves its own GIT_DIR, GIT_INDEX_FILE ... behind: only what says how to
# read the person's own configuration stays.
_KEPT = (
    "GIT_CONFIG",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_EXEC_PATH",
)
_VARIABLES = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_LITERAL_PATHSPECS": "1",  # a page may be called `:(top)*`
    "GIT_TERMINAL_PROMPT": "0",
    # A planted "promisor" remote would be asked for missing objects, by a command of its choice.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
}
_SETTINGS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "log.showSignature=false",  # would run gpg.program
    "safe.bareRepository=explicit",  # a repository may hide in a folder of pages
)
_COMMIT = pattern(r"(?:[0-9a-f]{40}|[0-9a-f]{64})\n?")


class Git:
    """Git, asked in one folder of a workspace, whose root is what errors speak of."""

    def __init__(self, folder: Path, environ: Environ, root: Path | None = None) -> None:
        self.folder, self.root = folder, root or folder
        self._environ = environ

    def ask(self, *arguments: str) -> bytes:
        """What git prints; GitError when it fails."""
        return self._checked(self._run(arguments))

    def commit(self, rev: str) -> str:
        """The full hash of the one commit that a revision means, "" when there is none."""
        if not rev or rev.startswith("-") or not rev.isprintable():
            return ""
        done = self._run(
            ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{rev}^{{commit}}")
        )
        if done.returncode == 1:
            return ""
        printed = self._checked(done).decode("ascii", "replace")
        return printed.strip() if _COMMIT.fullmatch(printed) else ""

    def is_cut(self, rev: str = "") -> bool:
        """Whether a shallow clone leaves out commits, with a revision those before it."""
        is_shallow = self.ask("rev-parse", "--is-shallow-repository").strip() == b"true"
        return is_shallow and not (rev and self.ask("log", "-1", "--format=%P", rev, "--").strip())

    def _checked(self, done: CompletedProcess[bytes]) -> bytes:
        if done.returncode == 0:
            return done.stdout
        message = done.stderr.decode("utf-8", "replace").strip()
        if "not a git repository" in message:
            raise GitError(f"{self.root}: is not in a git repository", "git init {}", self.root)
        why = message.partition("\n")[0].removeprefix("fatal: ") or f"exit code {done.returncode}"
        raise GitError(f"git: {why}", _hint(message) or f"git -C {quote(str(self.folder))} status")

    def _run(self, arguments: tuple[str, ...]) -> CompletedProcess[bytes]:
        import subprocess

        settings = [part for each in _SETTINGS for part in ("-c", each)]
        command = [_program(self._environ), "--no-pager", *settings, *arguments]
        try:
            return subprocess.run(
                command,
                cwd=self.folder,
                env=_variables(self._environ),
                check=False,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_TIMEOUT_SECONDS,
            )
        except subprocess.TimeoutExpired as error:
            raise GitError(
                f"git {arguments[0]}: gave no answer within {_TIMEOUT_SECONDS} seconds",
                "a smaller limit takes less time",
            ) from error
        except OSError as error:
            raise GitError(f"git: cannot be run: {error}", "reinstall git") from error


def init(root: Path, environ: Environ) -> None:
    """Make a folder a repository, unless it is one."""
    if not (root / ".git").exists():
        Git(root, environ).ask("init", "--quiet")


def _program(environ: Environ) -> str:
    """Where git is; never in the current folder, which may be the workspace."""
    import shutil

    folders = environ.get("PATH", os.defpath).split(os.pathsep)
    found = shutil.which("git", path=os.pathsep.join(filter(os.path.isabs, folders)))
    if found is None or not Path(found).is_absolute():
        raise GitError("git: is not installed", "install git; everything else works without it")
    return found


def _variables(environ: Environ) -> dict[str, str]:
    kept = {k: v for k, v in environ.items() if not k.startswith("GIT_") or k.startswith(_KEPT)}
    return {**kept, **_VARIABLES}


def _hint(message: str) -> str:
    """What git itself says to do about it, such as trusting the folder of somebody else."""
    commands = (line.strip() for line in message.split("\n")[1:])
    return next((line for line in commands if line.startswith("git ")), "")
