"""Case 27: whatever a repository says in its own settings, looking at it runs none of its
commands."""

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from memwiki.errors import GitError, NotFoundError
from memwiki.history.git import Git
from memwiki.workspace import Workspace

LONG = "".join(f"line {number}\n" for number in range(20))
SIGNED = """tree {tree}
author A <a@b> 1767268800 +0000
committer A <a@b> 1767268800 +0000
gpgsig -----BEGIN PGP SIGNATURE-----
 x
 nonsense
 -----END PGP SIGNATURE-----

signed
"""


@pytest.fixture
def trap(tmp_path):
    """A program that leaves a mark when it runs."""
    program = tmp_path / "trap"
    program.write_text(f"#!/bin/sh\ntouch '{tmp_path}/sprung'\nexit 0\n")
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    return program


@pytest.fixture
def sprung(tmp_path, trap):
    """Whether it ran since it was last asked."""

    def ask() -> bool:
        mark = tmp_path / "sprung"
        found = mark.exists()
        mark.unlink(missing_ok=True)
        return found

    return ask


def plant(repository, settings, trap):
    for key, value in settings.items():
        repository("config", key, value.replace("TRAP", str(trap)))


def look_at_everything(root):
    """All that memwiki asks of git."""
    with_git = Workspace.open(root, find=False)
    for ask in (
        lambda: with_git.pages.history("b"),
        lambda: with_git.pages.show("b", at="HEAD"),
        lambda: with_git.pages.show("b", at="HEAD~1"),
        lambda: with_git.pages.show("b", at="2026-01-01"),
        lambda: with_git.pages.show("b", at="origin/main"),
        lambda: with_git.pages.show("b", at="0123456789abcdef0123456789abcdef01234567"),
        lambda: with_git.pages.bytes_at("b", "HEAD"),
        with_git.sync,
    ):
        try:
            ask()
        except (NotFoundError, GitError):
            continue
    with_git.close()


# Settings, the attributes that switch them on, and a command of git that falls for them.
PLANTS = {
    "fsmonitor": ({"core.fsmonitor": "TRAP"}, "", ("status",)),
    "textconv": (
        {"diff.x.textconv": "TRAP"},
        "*.md diff=x",
        ("cat-file", "--textconv", "HEAD:b.md"),
    ),
    "textconv in a log": ({"diff.x.textconv": "TRAP"}, "*.md diff=x", ("log", "-p", "--", "b.md")),
    "external diff": ({"diff.x.command": "TRAP"}, "*.md diff=x", ("diff", "HEAD~1", "HEAD")),
    "smudge": (
        {"filter.x.smudge": "TRAP", "filter.x.clean": "TRAP"},
        "*.md filter=x",
        ("cat-file", "--filters", "HEAD:b.md"),
    ),
    "filter process": (
        {"filter.x.process": "TRAP"},
        "*.md filter=x",
        ("cat-file", "--filters", "HEAD:b.md"),
    ),
    "signature": ({"log.showSignature": "true", "gpg.program": "TRAP"}, "", ("log", "-1")),
    "hooks": ({"core.hooksPath": "HOOKS"}, "", ("commit", "--allow-empty", "-m", "x")),
    "alias": ({"alias.lg": "!TRAP"}, "", ("lg",)),
    "missing objects": (
        {
            "core.repositoryFormatVersion": "1",
            "extensions.partialClone": "origin",
            "remote.origin.promisor": "true",
            "remote.origin.url": "ssh://example.invalid/x",
            "core.sshCommand": "TRAP",
        },
        "",
        ("cat-file", "-p", "0123456789abcdef0123456789abcdef01234567"),
    ),
    "missing objects, by a helper": (
        {
            "core.repositoryFormatVersion": "1",
            "extensions.partialClone": "origin",
            "remote.origin.promisor": "true",
            "remote.origin.url": "ext::TRAP",
            "protocol.ext.allow": "always",
            "protocol.allow": "always",
        },
        "",
        ("cat-file", "-p", "0123456789abcdef0123456789abcdef01234567"),
    ),
}


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_command_does_not_run(root, put, repository, trap, sprung, name):
    settings, attributes, falls_for_it = PLANTS[name]
    put("a.md", LONG)
    put(".gitattributes", f"{attributes}\n")
    repository.commit("begin")
    (root / "a.md").rename(root / "b.md")
    repository.commit("move")
    signed = SIGNED.format(tree=repository("rev-parse", "HEAD^{tree}"))
    made = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin"],
        cwd=root,
        input=signed,
        capture_output=True,
        text=True,
        check=True,
    )
    repository("update-ref", "refs/heads/signed", made.stdout.strip())
    if name == "signature":
        repository("reset", "-q", "--soft", "signed")
    hooks = root.parent / "hooks"
    hooks.mkdir()
    for hook in ("pre-commit", "post-index-change", "reference-transaction", "post-checkout"):
        shutil.copy(trap, hooks / hook)
    plant(repository, {k: v.replace("HOOKS", str(hooks)) for k, v in settings.items()}, trap)

    repository(*falls_for_it, check=False)
    assert sprung(), "the plant works against git used plainly"
    look_at_everything(root)
    assert not sprung()


def test_making_a_repository_runs_no_hook_of_the_folder(tmp_path, trap, sprung):
    Workspace.init(tmp_path / "notes", git=True)
    assert (tmp_path / "notes" / ".git" / "HEAD").exists()
    assert not sprung()


def test_a_repository_hidden_among_the_pages_is_not_used(root, put, repository_at, tmp_path):
    """A folder of pages that is itself a bare repository, with settings of its own."""
    made = repository_at(tmp_path / "made")
    (tmp_path / "made" / "a.md").write_text("# hidden\n")
    made.commit("hidden")
    subprocess.run(
        ["git", "clone", "-q", "--bare", str(tmp_path / "made"), str(root / "wiki")], check=True
    )
    put("wiki/a.md", "# A\n")
    space = Workspace.open(root, find=False)
    with pytest.raises(GitError):
        space.pages.history("wiki/a.md")
    space.close()


def test_a_program_called_git_in_the_workspace_is_not_git(root, put, repository, trap, sprung):
    put("a.md", LONG)
    repository.commit("begin")
    shutil.copy(trap, root / "git")
    path = os.pathsep.join(["", ".", os.environ["PATH"]])
    space = Workspace.open(root, find=False, environ={**os.environ, "PATH": path})
    before = Path.cwd()
    try:
        os.chdir(root)
        assert [v.subject for v in space.pages.history("a").versions] == ["begin"]
    finally:
        os.chdir(before)
        space.close()
    assert not sprung()


def test_looking_changes_nothing_in_the_repository(root, put, repository):
    put("a.md", LONG)
    repository.commit("begin")
    os.utime(root / "a.md", (1, 1))  # which `git status` would note in the index

    def everything():
        return {
            path: (path.stat().st_mtime_ns, path.read_bytes())
            for path in (root / ".git").rglob("*")
            if path.is_file()
        }

    before = everything()
    look_at_everything(root)
    assert everything() == before


def test_git_that_hangs_is_given_up(root, monkeypatch, tmp_path):
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setattr("memwiki.history.git._TIMEOUT_SECONDS", 0.05)
    git = Git(root, {"PATH": f"{slow.parent}{os.pathsep}{os.environ['PATH']}"})
    with pytest.raises(GitError, match="git log: gave no answer within"):
        git.ask("log")


def test_a_git_that_cannot_be_started_is_an_error(root, tmp_path):
    broken = tmp_path / "bin" / "git"
    broken.parent.mkdir()
    broken.write_bytes(b"\x7fELF nonsense")
    broken.chmod(0o755)
    with pytest.raises(GitError, match="cannot be run"):
        Git(root, {"PATH": str(broken.parent)}).ask("log")


def test_a_folder_of_somebody_else_gives_the_hint_of_git(root, put, repository, tmp_path):
    """Git refuses repositories of other owners; its own advice is passed on."""
    put("a.md", LONG)
    repository.commit("begin")
    other = {**os.environ, "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory"}
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    os.chown(root, 12345, 12345)
    os.chown(root / ".git", 12345, 12345)
    with pytest.raises(GitError, match="dubious ownership") as raised:
        Git(root, dict(os.environ)).ask("rev-parse", "HEAD")
    assert raised.value.hint.startswith("git config --global --add safe.directory")
    trusted = {**other, "GIT_CONFIG_VALUE_0": str(root)}
    assert Git(root, trusted).commit("HEAD")
