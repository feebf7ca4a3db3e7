"""The server as a command starts it: where it listens, its key, its bounds."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from contextlib import closing

import pytest

from memwiki.cli.main import main
from memwiki.setup.machine import RunningServer, announce_server, own_port, running
from memwiki.web.app import MAX_BODY_BYTES, MAX_CONNECTIONS
from memwiki.web.site import AccessKey
from memwiki.workspace import Workspace
from tests.effort import for_each
from tests.waiting import PATIENCE_S
from tests.web.conftest import visitor


@pytest.fixture
def started(root, put):
    """Starts `memwiki web` as a person does; gives what it printed and a connection to it."""
    running, connections = [], []

    def start(*words: str):
        put("tea.md", "# Tea\n\nGreen.\n")
        command = [sys.executable, "-m", "memwiki", "-C", str(root), "web", *words]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        running.append(process)
        line = process.stdout.readline().decode().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(\S*)#key=(\S{43})", line)
        assert found, (line, process.stderr.read() if process.poll() is not None else "")
        connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=PATIENCE_S)
        connections.append(connection)
        return connection, found[2], AccessKey(found[3], int(found[1]))

    start.running = running
    yield start
    for connection in connections:
        connection.close()
    for process in running:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE_S)


def asked(connection, method="GET", path="/", body=None, **headers):
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    return answer, answer.read()


def test_a_browser_gets_in_with_the_key_and_nobody_else(started):
    connection, path, key = started("--page", "Tea")
    assert path == "/p/tea.md"
    answer, text = asked(connection, path=path)
    assert answer.status == 401
    assert b"Green" not in text
    assert key.token.encode() not in text
    answer, text = asked(connection, path=path, Cookie=f"{key.cookie}={key.session}")
    assert answer.status == 200
    assert b"Green" in text
    assert "server" not in {name.lower() for name, _ in answer.getheaders()}


def test_a_page_is_opened_by_the_server_that_runs(started, root, monkeypatch, capsys):
    connection, _, key = started()
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    assert main(["-C", str(root), "open", "--web", "Tea"]) == 0
    base = f"http://127.0.0.1:{key.port}/p/tea.md#key="
    assert capsys.readouterr().out == f"{base}{key.token}\n"
    [address] = opened
    assert address.startswith(base)
    assert key.token not in address, "all users of the machine see what a browser is started with"
    headers = {"Origin": f"http://127.0.0.1:{key.port}", "Content-Type": "application/json"}
    body = json.dumps({"key": address.removeprefix(base)})
    answers = [asked(connection, "POST", "/session", body, **headers)[0] for _ in range(2)]
    assert [answer.status for answer in answers] == [200, 401], "it opens once"
    assert answers[0].getheader("Set-Cookie").startswith(f"{key.cookie}={key.session};")


def test_only_the_user_can_read_where_a_server_is(started, root):
    _, _, key = started()
    with Workspace.open(root, find=False) as workspace:
        folder = workspace.index.own_folder()
    note = folder / "web.json"
    assert stat.S_IMODE(note.stat().st_mode) == 0o600
    assert running(folder)[1:] == (key.token, key.port, "", False, False)
    assert key.port == own_port(root)
    second = started("--private")[2]
    assert second.port != key.port
    assert running(folder).port == key.port


def test_the_note_of_a_server_that_was_killed_says_nothing(tmp_path):
    server = RunningServer("http://127.0.0.1:1", "t" * 43, 1, "", False, False)
    with announce_server(tmp_path, server):
        assert running(tmp_path) == server
        left = (tmp_path / "web.json").read_bytes()
    assert running(tmp_path) is None
    (tmp_path / "web.json").write_bytes(left)
    assert running(tmp_path) is None
    for junk in (b"", b"{}", b"[1]", b"[" * 9999, b"\xff"):
        with announce_server(tmp_path, server):
            (tmp_path / "web.json").write_bytes(junk)
            assert running(tmp_path) is None
    assert (tmp_path / "web.json").read_bytes() == b""


def test_what_a_killed_server_noted_is_not_taken_for_the_next_one(tmp_path, monkeypatch):
    dead, server = (RunningServer("http://127.0.0.1:1", x * 43, 1, "", False, False) for x in "ab")
    with announce_server(tmp_path, dead):
        left = (tmp_path / "web.json").read_bytes()
        # The file of a lock says who took it when: as of another process.
        lock = (tmp_path / "web.lock").read_text()
    (tmp_path / "web.json").write_bytes(left)

    def full(*_):
        (tmp_path / "web.lock").write_text(lock.replace('"pid": ', '"pid": 1'))
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("memwiki.setup.machine.write_whole", full)
    with announce_server(tmp_path, server):
        assert running(tmp_path) is None


def test_a_server_of_another_machine_is_not_joined(tmp_path, monkeypatch):
    """Homes are shared by machines, and so are their locks; what listens there is another's."""
    server = RunningServer("http://127.0.0.1:1", "t" * 43, 1, "", False, False)
    with announce_server(tmp_path, server):
        monkeypatch.setattr("memwiki.setup.machine.machine", lambda: "elsewhere")
        assert running(tmp_path) is None


@pytest.mark.parametrize("words", [["--private"], ["--read-only"]])
def test_a_server_that_shows_something_else_is_not_joined(started, root, words, monkeypatch):
    key = started(*words)[2]
    served = []

    def serve(site, taken, _):
        served.append(site.key.port)
        taken.close()

    monkeypatch.setattr("memwiki.web.app.serve_site", serve)
    assert main(["-C", str(root), "open", "--web", "Tea"]) == 0
    assert served and served != [key.port]


def test_who_else_has_the_port_of_a_workspace_is_said(root, monkeypatch, capsys):
    """Tabs that are still open there send it the cookie, whatever the port of the server."""
    served = []

    def serve(site, taken, _):
        served.append(site.key.port)
        taken.close()

    monkeypatch.setattr("memwiki.web.app.serve_site", serve)
    port = own_port(root)
    with socket.create_server(("127.0.0.1", port)):
        assert main(["-C", str(root), "web"]) == 0
    assert f"Another program has port {port}" in capsys.readouterr().err
    assert main(["-C", str(root), "web"]) == 0
    assert "Another program" not in capsys.readouterr().err
    assert served[0] != served[1] == port


def test_a_ticket_is_good_for_a_minute_and_signed():
    key, second = AccessKey.fresh(1), 10**9
    ticket = key.ticket(1000 * second)
    assert key.is_ticket(ticket, 1060 * second)
    assert not key.is_ticket(ticket, 1061 * second)
    assert not key.is_ticket(ticket, 999 * second)
    assert not AccessKey.fresh(1).is_ticket(ticket, 1000 * second)
    for forged in ("", ".", "1000-x.", "x." + ticket, ticket.replace("1000", "1001"), "é.é"):
        assert not key.is_ticket(forged, 1000 * second)


def test_large_requests_are_refused(started):
    connection, _, key = started()
    origin = f"http://127.0.0.1:{key.port}"
    headers = {
        "Cookie": f"{key.cookie}={key.session}",
        "Origin": origin,
        "Content-Type": "application/json",
    }
    body = b'{"text": "' + b"x" * MAX_BODY_BYTES + b'"}'
    answer, _ = asked(connection, "POST", "/api/write", body, **headers)
    assert answer.status == 413
    connection.close()
    answer, _ = asked(connection, "GET", "/", None, **headers, Extra="x" * 100_000)
    assert answer.status == 431


def test_more_connections_than_allowed_wait_outside(started):
    connection, _, key = started()
    held = [socket.create_connection(("127.0.0.1", key.port)) for _ in range(MAX_CONNECTIONS)]
    answer, text = asked(connection)
    assert answer.status == 503, text
    for each in held:
        each.close()
    for _ in range(100):
        connection.close()
        if asked(connection)[0].status == 401:
            return
        time.sleep(0.05)
    pytest.fail("those that left are still counted")


def test_what_takes_too_long_is_ended(ws, monkeypatch):
    async def sleeping(_):
        await asyncio.sleep(PATIENCE_S)

    monkeypatch.setattr("memwiki.web.app.MAX_SECONDS", 0.05)
    monkeypatch.setattr("memwiki.web.app.view_of", lambda _: sleeping)
    with closing(visitor(ws)) as asking:
        answer = asking.get("/tags")
    assert (answer.status_code, "longer than" in answer.text) == (503, True)


def test_a_team_has_a_key_of_a_file_and_is_told_that_it_is_plain_http(root, tmp_path):
    file = tmp_path / "key"
    file.write_text("t" * 30)
    file.chmod(0o600)
    words = ["--http", "127.0.0.1:0", "--allow-host", "notes.lan", "--token-file", str(file)]
    command = [sys.executable, "-m", "memwiki", "-C", str(root), "web", *words]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe) as process:
        line = process.stdout.readline().decode().strip()
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=PATIENCE_S)[1].decode()
    assert re.fullmatch(r"http://notes\.lan:\d+/#key=t{30}", line)
    assert "Plain HTTP" in told


def test_the_key_of_one_server_opens_no_other(started):
    connection, _, key = started()
    other = AccessKey.fresh(key.port)
    assert other.token != key.token
    answer, _ = asked(connection, Cookie=f"{key.cookie}={other.session}")
    assert answer.status == 401


@pytest.mark.parametrize(
    "words",
    [
        ["--http", "0.0.0.0:8080"],
        ["--http", "0.0.0.0:nowhere", "--allow-host", "notes.lan"],
        ["--http", "8080", "--port", "8081"],
        ["--page", "No such page"],
    ],
)
def test_what_cannot_be_served_says_so_at_once(root, words, capsys):
    assert main(["-C", str(root), "web", *words]) in (1, 2)
    assert "key=" not in capsys.readouterr().out


def test_a_port_that_is_taken_is_named_as_it_was_given(root, capsys):
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = str(taken.getsockname()[1])
        assert main(["-C", str(root), "web", "--port", port]) == 2
        assert f"--port: 127.0.0.1:{port} cannot be served" in capsys.readouterr().err
        assert main(["-C", str(root), "web", "--http", port]) == 2
        assert f"--http: 127.0.0.1:{port} cannot be served" in capsys.readouterr().err


def test_without_its_libraries_the_extra_is_named(root, monkeypatch, capsys):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.delitem(sys.modules, "starlette", raising=False)
    assert main(["-C", str(root), "web"]) == 1
    assert "memwiki[web]" in capsys.readouterr().err


@for_each(
    ("authority", "is_ours"),
    [
        ("127.0.0.1:8080", True),
        ("localhost:8080", True),
        ("[::1]:8080", True),
        ("notes.lan", True),
        ("notes.lan:443", True),
        ("127.0.0.1", False),
        ("127.0.0.1:80", False),
        ("127.0.0.1:8081", False),
        ("[::1]", False),
        ("0.0.0.0:8080", False),
        ("2130706433:8080", False),
        ("evil.example:8080", False),
        ("notes.lan.evil.example", False),
        ("", False),
        (":8080", False),
        ("127.0.0.1:8080:8080", False),
        ("127.0.0.1:0x1f90", False),
        ("127.0.0.1:٨٠٨٠", False),
    ],
)
def test_a_host_is_ours_by_name_and_port(authority, is_ours):
    key = AccessKey("k", 8080, ("notes.lan",))
    assert key.is_host(authority) is is_ours
    assert key.is_origin(f"http://{authority}", authority) is is_ours
    assert not key.is_origin(f"http://{authority}", "notes.lan:9999"), (
        "another port is another page"
    )


def test_the_key_is_long_and_each_time_another():
    keys = {AccessKey.fresh(1).token for _ in range(50)}
    assert len(keys) == 50
    assert min(map(len, keys)) >= 43  # 256 bits in base 64


def test_an_open_tab_does_not_keep_the_server_from_ending(started):
    connection, _, key = started()
    mine = {"Cookie": f"{key.cookie}={key.session}"}
    connection.request("GET", "/api/events?since=", headers=mine)
    assert connection.getresponse().readline() == b"retry: 1000\n"
    (process,) = started.running
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=PATIENCE_S)
    assert b"Traceback" not in told
    assert b"Cancel" not in told


SLOW = """
import sys
from memwiki.cli.main import main
from memwiki.web.views import page

def slow(call, real=page.home):
    print("begun", file=sys.stderr, flush=True)
    sys.stdin.readline()  # until the client has gone
    return real(call)

page.home = slow
sys.exit(main(["-C", sys.argv[1], "web"]))
"""


def test_a_request_that_takes_long_when_the_server_ends_leaves_no_traceback(root, put):
    put("tea.md", "# Tea\n")
    command = [sys.executable, "-c", SLOW, str(root)]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    try:
        _, port, token = re.split(r":(?=\d)|/#key=", process.stdout.readline().strip())
        key = AccessKey(token, int(port))
        with closing(http.client.HTTPConnection("127.0.0.1", key.port)) as connection:
            connection.request("GET", "/", headers={"Cookie": f"{key.cookie}={key.session}"})
            assert process.stderr.readline() == "begun\n"
            process.send_signal(signal.SIGINT)
            answer = connection.getresponse()
            assert (answer.status, b"ended" in answer.read()) == (503, True)
        _, said = process.communicate("go on\n", timeout=PATIENCE_S)
    finally:
        process.kill()
    assert said == "interrupted: finished work is kept; the next command continues\n"
    assert process.returncode == 130
