"""The process that answers commands: who may ask it, what it bears, and how it ends."""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from memwiki.cli.arguments import split
from memwiki.cli.warm import client, command
from memwiki.cli.warm.client import is_own
from memwiki.cli.warm.server import ForkServer, seconds_of
from memwiki.config import cache_root
from memwiki.errors import UsageError
from memwiki.files.private_socket import PrivateSocket
from memwiki.text import pattern
from tests.cli.warm import COLD, WARM, WarmVault
from tests.effort import for_each
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="fork and inotify")


@pytest.fixture
def vault():
    found = WarmVault()
    found.run(COLD, ["sync"])
    yield found
    found.end()


@pytest.fixture
def warm(vault):
    vault.start()
    until(vault.is_answering)
    return vault


@pytest.fixture(scope="module")
def lasting():
    found = WarmVault()
    found.run(COLD, ["sync"])
    found.start()
    yield found
    found.end()


@pytest.fixture
def shared(lasting):
    """One that answers, for tests after which it still does."""
    until(lasting.is_answering)
    return lasting


def answers_cold(vault):
    """A command answers, silently by itself."""
    code, found, said = vault.run(WARM, ["search", "heron"])
    return (code, said) == (0, b"") and b"wiki/heron.md" in found


def linked(vault):
    link = socket.socket(socket.AF_UNIX)
    link.settimeout(PATIENCE_S)
    link.connect(str(vault.socket.path))
    assert link.recv(1) == client.HELLO
    return link


def request(vault, *arguments, program=None, folder=None, count=None):
    """A request as the client sends it, unless something in it is to be another."""
    environ = {os.fsencode(key): os.fsencode(each) for key, each in vault.environ.items()}
    script = "import os, sys; from memwiki.cli.warm.client import identity;"
    script += "sys.stdout.buffer.write(identity(os.environb))"
    command = [sys.executable, "-c", script]
    program = program or subprocess.run(command, env=vault.environ, capture_output=True).stdout
    words = [b"memwiki", *map(os.fsencode, arguments)]
    about = [program, folder or os.fsencode(vault.root), b"18", b"%d" % (count or len(words))]
    return client.pack_request([*about, *words, *(b"%s=%s" % each for each in environ.items())])


def asked(vault, data, *, streams=None):
    """What the process says to a request; b"" when it turns away."""
    folder = os.open(vault.root, os.O_RDONLY)
    nowhere = os.open(os.devnull, os.O_RDWR)
    with linked(vault) as link:
        socket.send_fds(link, [data], streams or [nowhere, nowhere, nowhere, folder])
        os.close(folder)
        os.close(nowhere)
        return said(link)


def said(link):
    """The next byte; b"" where the other end went away, whether it had read all or not."""
    try:
        return link.recv(1)
    except ConnectionError:
        return b""


# --- what every command loads ---------------------------------------------------------------------


def test_a_command_that_is_answered_loads_next_to_nothing():
    script = "import memwiki.__main__, sys; print(*sys.modules)"
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-c",
            f"import sys; sys.path.insert(0, {str(Path(__file__).parents[2])!r}); {script}",
        ],
        capture_output=True,
        text=True,
    )
    loaded = set(done.stdout.split())
    ours = {name for name in loaded if name.startswith("memwiki")}
    assert ours == {
        "memwiki",
        "memwiki.__main__",
        "memwiki.cli",
        "memwiki.cli.warm",
        "memwiki.cli.warm.client",
    }
    assert not loaded & {"socket", "json", "pathlib", "typing", "typer", "subprocess"}


def test_a_pattern_that_one_copy_needed_is_compiled_for_the_next(monkeypatch):
    monkeypatch.setattr(command, "run_for", lambda *_: pattern(r"zq+\d").search("") and None)
    monkeypatch.setattr(command, "prepare", lambda _: None)
    monkeypatch.setattr(command, "habit", lambda: "the last one")
    parent, _ = os.pipe()
    place = PrivateSocket(Path(tempfile.mkdtemp(prefix="warm", dir="/tmp")))
    assert place.is_closed()
    with place.listen() as listener:
        forks = ForkServer(place, listener, parent, b"")
        forks._copy()
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(str(place.path))
            compiled = []
            monkeypatch.setattr(re, "compile", lambda *each: compiled.append(each))
            while forks._reports:
                forks._take(*forks._reports)
    shutil.rmtree(place.folder.parent)
    assert forks._habit == "the last one"
    assert (r"zq+\d", 0) in compiled


@for_each(
    "arguments",
    [
        ["search", "x"],
        ["-C", "search", "list"],
        ["--json", "-q", "--no-sync", "--here", "tags"],
        ["-n", "recall", "-w", "get", "--actor", "links", "--directory", "x", "browse"],
        ["--help"],
        ["--version"],
        [],
        ["-C"],
    ],
)
def test_the_command_among_arguments_is_the_one_that_runs(arguments):
    try:
        _, rest = split(arguments)
    except UsageError:
        rest = []
    verb = client.verb_of(arguments)
    assert verb == (rest or [""])[0]


@for_each(
    "environ",
    [
        {"MEMWIKI_CACHE_DIR": "{}/own", "HOME": "{}"},
        {"XDG_CACHE_HOME": "{}/xdg", "HOME": "{}"},
        {"HOME": "{}"},
        {"MEMWIKI_CACHE_DIR": "{}/link/own", "HOME": "{}"},
    ],
)
def test_the_socket_is_looked_for_where_the_cache_is(environ):
    base = Path(WarmVault().base)
    (base / "real").mkdir()
    (base / "link").symlink_to("real")
    environ = {key: each.format(base) for key, each in environ.items()}
    found = client.socket_of({os.fsencode(k): os.fsencode(v) for k, v in environ.items()})
    assert found == os.fsencode(cache_root(environ) / "warm/socket")
    shutil.rmtree(base)


@for_each(
    "environ",
    [{}, {b"MEMWIKI_CACHE_DIR": b"~/x"}, {b"HOME": b"/" + b"long" * 30}],
)
def test_without_a_plain_place_there_is_no_socket(environ):
    assert client.socket_of(environ) == b""


# --- what is odd is run by the command itself -----------------------------------------------------


def test_after_a_kill_the_socket_that_is_left_answers_nobody(warm):
    os.kill(warm.socket.listener(), signal.SIGKILL)
    until(lambda: not warm.socket.listener())
    assert warm.socket.path.exists()
    assert answers_cold(warm)
    warm.stop()
    warm.start()
    until(warm.is_answering)


def test_a_process_that_is_stopped_keeps_nobody(shared):
    pid = shared.socket.listener()
    os.kill(pid, signal.SIGSTOP)
    try:
        for _ in range(4):  # copies that wait answer, and are not made anew
            assert answers_cold(shared)
    finally:
        os.kill(pid, signal.SIGCONT)


def test_a_link_in_the_place_of_the_socket_is_not_followed(shared):
    moved = shared.socket.path.with_name("moved")
    shared.socket.path.rename(moved)
    shared.socket.path.symlink_to(moved)
    assert not shared.is_answering()
    assert answers_cold(shared)
    moved.replace(shared.socket.path)
    until(shared.is_answering)


def test_a_link_in_the_place_of_the_folder_is_not_followed(shared):
    moved = shared.base / "moved"
    shared.socket.folder.rename(moved)
    shared.socket.folder.symlink_to(moved)
    assert not shared.is_answering()
    assert answers_cold(shared)
    shared.socket.folder.unlink()
    moved.rename(shared.socket.folder)
    until(shared.is_answering)


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o777])
def test_a_folder_that_others_may_enter_is_not_used(shared, mode):
    shared.socket.folder.chmod(mode)
    try:
        assert not shared.is_answering()
        assert answers_cold(shared)
        assert not shared.socket.is_closed()
    finally:
        shared.socket.folder.chmod(0o700)
    until(shared.is_answering)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_socket_of_another_user_is_not_used(shared):
    os.chown(shared.socket.path, 12345, 12345)
    try:
        assert not shared.is_answering()
        assert answers_cold(shared)
    finally:
        os.chown(shared.socket.path, os.geteuid(), os.getegid())
    until(shared.is_answering)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
def test_a_process_of_another_user_is_told_from_an_own_one(tmp_path):
    one, other = socket.socketpair()
    assert is_own(one)
    place = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as link:
        listener.bind(str(place))
        listener.listen()
        if os.fork() == 0:
            os.setegid(12345)
            os.seteuid(12345)
            taken, _ = listener.accept()
            os._exit(is_own(taken))
        link.connect(str(place))
        assert os.waitstatus_to_exitcode(os.wait()[1]) == 0
    one.close()
    other.close()


def test_modes_are_closed_to_others(shared):
    assert shared.socket.folder.stat().st_mode & 0o777 == 0o700
    assert shared.socket.path.stat().st_mode & 0o777 == 0o600


def test_another_version_is_turned_away_and_runs_by_itself(shared):
    assert asked(shared, request(shared, "search", "heron")) == client.READY
    assert asked(shared, request(shared, "search", "heron", program=b"another")) == b""
    code, found, said = shared.run(WARM, ["search", "heron"], PYTHONHASHSEED="1")
    assert (code, said) == (0, b"")
    assert b"wiki/heron.md" in found


def test_malformed_and_over_long_requests_are_turned_away(shared):
    good = request(shared, "search", "heron")
    bad = [
        b"",
        b"GET / HTTP/1.0\r\n\r\n",
        b"memwiki1" + (1 << 40).to_bytes(8, "big"),
        b"memwiki1" + (3).to_bytes(8, "big") + b"\0\0\0",
        client.pack_request([b""]),
        client.pack_request([b"x"] * 4),
        client.pack_request([b"x", b"/", b"18", b"-1", b"memwiki"]),
        client.pack_request([b"x", b"/", b"18", b"99999999999999999999", b"memwiki", b"search"]),
        request(shared, "delete", "tea"),
        request(shared, "--help"),
        request(shared, "search", "heron", count=1 << 20),
        request(shared, "search", "heron", folder=b"/"),
        good[:40],
    ]
    for data in bad:
        with linked(shared) as link:  # without streams
            link.sendall(data)
            link.shutdown(socket.SHUT_WR)
            assert said(link) == b"", data
    for data in bad[1:-1]:
        assert asked(shared, data) == b"", data
    assert asked(shared, good, streams=[0]) == b""
    until(shared.is_answering)


def test_who_asks_and_says_nothing_more_blocks_nobody(shared):
    silent = [socket.socket(socket.AF_UNIX) for _ in range(6)]
    for each in silent:
        each.connect(str(shared.socket.path))
    for _ in range(3):
        assert answers_cold(shared)
    for each in silent:
        each.close()
    until(shared.is_answering)


def test_nothing_is_done_before_the_command_says_go(shared):
    reader, writer = os.pipe()
    folder = os.open(shared.root, os.O_RDONLY)
    with linked(shared) as link:
        socket.send_fds(
            link, [request(shared, "search", "heron")], [writer, writer, writer, folder]
        )
        os.close(writer)
        assert link.recv(1) == client.READY
    assert os.read(reader, 1) == b""  # it ended, and had printed nothing
    os.close(reader)
    os.close(folder)


def test_fifty_at_once_are_answered_alike(shared):
    _, wanted, _ = shared.run(COLD, ["search", "heron"])
    found = [None] * 50

    def ask(number):
        found[number] = shared.run(WARM, ["search", "heron"])

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(50)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == [(0, wanted, b"")] * 50
    until(shared.is_answering)


# --- a command that is ended amid its answer ------------------------------------------------------


def blocked(vault, program):
    """A command whose answer nobody reads, once it has begun to print."""
    reader, writer = os.pipe()
    child = subprocess.Popen(
        [*program, "get", "large"],
        cwd=vault.root,
        env=vault.environ,
        stdin=subprocess.DEVNULL,
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    os.read(reader, 1)
    return child, reader


def test_ctrl_c_ends_it_as_it_ends_the_command_alone(shared):
    ends = []
    for program in (WARM, COLD):
        child, reader = blocked(shared, program)
        child.send_signal(signal.SIGINT)
        drained = threading.Thread(target=lambda: [*iter(lambda: os.read(reader, 1 << 16), b"")])
        until(lambda: _is_interrupted(child), "the message")
        drained.start()
        child.wait(PATIENCE_S)
        drained.join()
        os.close(reader)
        ends.append((child.returncode, child.stderr.read()))
        child.stderr.close()
    assert ends[0] == ends[1]
    assert ends[0][0] == 130


def _is_interrupted(child):
    return select.select([child.stderr], [], [], 0)[0]


def test_a_command_that_is_killed_takes_its_answer_along(shared):
    child, reader = blocked(shared, WARM)
    child.kill()
    child.wait(PATIENCE_S)
    left = bytearray()
    while part := os.read(reader, 1 << 16):  # ends only when nobody holds the other end
        left += part
    assert len(left) < shared.root.joinpath("large.md").stat().st_size
    os.close(reader)
    child.stderr.close()
    until(shared.is_answering)


def test_a_reader_that_has_enough_is_no_failure(shared):
    child, reader = blocked(shared, WARM)
    os.close(reader)
    assert child.wait(PATIENCE_S) == 0
    assert child.stderr.read() == b""
    child.stderr.close()


def test_a_command_whose_process_is_killed_says_so(shared):
    child, reader = blocked(shared, WARM)
    own = {
        int(each)
        for each in Path(f"/proc/{shared.socket.listener()}/task").iterdir()
        for each in (each / "children").read_text().split()
    }
    for pid in own:
        os.kill(pid, signal.SIGKILL)
    assert child.wait(PATIENCE_S) == 1
    assert child.stderr.read().endswith(b"run the command again\n")
    child.stderr.close()
    os.close(reader)
    until(shared.is_answering)


# --- how it begins and ends -----------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_it_ends_with_the_watcher(warm, number):
    warm.stop(number)
    until(lambda: not warm.socket.listener())
    assert answers_cold(warm)


def test_an_mcp_server_has_one_too(vault):
    pytest.importorskip("mcp")
    vault.start("mcp")
    until(vault.is_answering)
    vault.watcher.communicate(timeout=PATIENCE_S)  # its input ends
    vault.watcher = None
    until(lambda: not vault.socket.listener())


def test_of_two_watchers_the_second_answers_when_the_first_has_ended(warm):
    other = WarmVault()
    first = warm.socket.listener()
    try:
        watcher = subprocess.Popen([*WARM, "watch", "-q"], cwd=other.root, env=warm.environ)
        warm.stop()
        until(lambda: warm.socket.listener() not in (0, first))
        until(warm.is_answering)
        watcher.terminate()
        watcher.wait(PATIENCE_S)
    finally:
        other.end()


def test_a_watcher_in_the_background_is_named_and_stopped(vault):
    code, said, _ = vault.run(WARM, ["watch", "--background", "--idle", "1h"])
    assert code == 0
    assert said.startswith(b"watching ")
    until(vault.socket.path.exists)
    until(vault.is_answering)
    status = vault.run(WARM, ["status"])[1]
    assert f"answers\tcommands, by process {vault.socket.listener()}\n".encode() in status
    assert vault.run(WARM, ["watch", "--background"])[0] == 1
    code, said, _ = vault.run(WARM, ["watch", "--stop"])
    assert (code, said.startswith(b"stopped process ")) == (0, True)
    code, _, said = vault.run(WARM, ["watch", "--stop"])
    assert (code, b"no watcher is running" in said) == (1, True)
    until(lambda: not vault.socket.listener())
    log = next((vault.base / "cache").glob("notes-*/watch.log"))
    assert log.read_text().split()[-1] == "stopped"
    assert log.stat().st_mode & 0o777 == 0o600


def test_it_ends_when_its_folder_is_gone(vault):
    vault.run(WARM, ["watch", "--background"])
    until(vault.socket.listener)
    vault.root.rename(vault.base / "elsewhere")
    until(lambda: not vault.socket.listener())


def test_it_ends_after_a_quiet_time(vault):
    vault.run(WARM, ["watch", "--background", "--idle", "1s"])
    until(lambda: vault.run(COLD, ["watch", "--stop"])[0] == 1)
    until(lambda: not vault.socket.listener())


def test_times_are_given_with_their_unit():
    assert [seconds_of(each) for each in ("", "90s", "30m", "1h", "2d")] == [
        0,
        90,
        1800,
        3600,
        172800,
    ]
    for bad in ("1", "h", "0h", "-1h", "1 h", "1w"):
        with pytest.raises(UsageError):
            seconds_of(bad)
