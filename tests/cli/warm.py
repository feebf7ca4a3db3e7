"""A small vault beside a process that answers commands, and the same commands run cold."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

from memwiki.cli.main import main
from memwiki.files.private_socket import PrivateSocket
from memwiki.sync.sweeps import is_known_now
from memwiki.workspace import Workspace
from tests.waiting import PATIENCE_S, until

WARM = (sys.executable, "-m", "memwiki")
COLD = (sys.executable, "-c", "import sys; from memwiki.cli.main import main; sys.exit(main())")
# What no two runs have in common.
_TIMES = re.compile(
    rb'"(ms|heartbeat|generation)": [0-9.]+|"as_of": "[^"]*"|last active \d+ seconds? ago'
)
_LOOKS = 100
PAGES = {
    "memwiki.toml": "",
    "tea.md": "---\ntitle: Green tea\ntags: [drink]\n---\n# Green tea\n\nFor a [[heron]]. #bird\n",
    "wiki/heron.md": "# Heron\n\nGrey, fond of **fish**.\n\n## Nest\n\nIn trees. See [[tea]].\n",
    "wiki/再见.md": "# 再见 世界\n\n使用这个功能的时候，需要注意以下几点。\n",
    "secret/door.md": "---\nprivate: true\n---\n# Door code\n\nThe heron opens with 4711.\n",
    "memory.md": "# Memory\n\n## Facts\n\n- The heron likes green tea. (2026-05-01)\n",
    # More than a pipe holds, in few words: the index of many would take each test a second.
    "large.md": "# Large\n\n" + "One line of many that say the same, as long as usual.\n" * 20_000,
}


class WarmVault:
    """The vault, a watcher, and how commands are run in it."""

    def __init__(self) -> None:
        # A name of pytest's own would be too long for a socket.
        self.base = Path(tempfile.mkdtemp(prefix="warm", dir="/tmp"))
        self.root = self.base / "notes"
        for name, text in PAGES.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text)
        cache = str(self.base / "cache")
        self.environ = {**os.environ, "MEMWIKI_CACHE_DIR": cache}
        self.environ["PYTHONPATH"] = str(Path(__file__).parents[2])
        self.socket = PrivateSocket(self.base / "cache")
        self.watcher: subprocess.Popen[bytes] | None = None

    def start(self, *arguments: str) -> None:
        command = [*WARM, *(arguments or ("watch", "-q"))]
        self.watcher = subprocess.Popen(
            command, cwd=self.root, env=self.environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        until(self.socket.path.exists)

    def wait_until_known(self) -> None:
        """Until no command has to look at the files."""
        with Workspace.open(self.root, environ=self.environ) as space:
            until(lambda: is_known_now(space.live))

    def stop(self, number: int = signal.SIGTERM) -> None:
        if self.watcher:
            self.watcher.send_signal(number)
            self.watcher.communicate(timeout=PATIENCE_S)
        self.watcher = None

    def end(self) -> None:
        self.stop()
        until(lambda: not self.socket.listener())
        shutil.rmtree(self.base, ignore_errors=True)

    def run(self, program, arguments, *, folder=".", **variables):
        """The exit code, and the bytes of both streams."""
        done = subprocess.run(
            [*program, *arguments],
            cwd=self.root / folder,
            env={**self.environ, **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE_S,
        )
        return done.returncode, _TIMES.sub(b"", done.stdout), _TIMES.sub(b"", done.stderr)

    def run_here(self, arguments):
        """The same of the command alone in a copy of this process, which need not load anything."""
        with tempfile.TemporaryFile() as shown, tempfile.TemporaryFile() as told:
            child = os.fork()
            if not child:
                self._be_the_command(arguments, (shown.fileno(), told.fileno()))
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            for file in (shown, told):
                file.seek(0)
            return code, _TIMES.sub(b"", shown.read()), _TIMES.sub(b"", told.read())

    def _be_the_command(self, arguments, files):
        code = 99
        try:  # whatever happens, the test itself must not go on in here
            os.chdir(self.root)
            os.environ.clear()
            os.environ.update(self.environ)
            for number, file in enumerate((os.open(os.devnull, os.O_RDONLY), *files)):
                os.dup2(file, number)
            sys.stdin, sys.stdout, sys.stderr = map(_stream, range(3))
            code = main(arguments)
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code)

    def forget_use(self) -> None:
        """As if nothing had been recalled yet."""
        for each in (self.root / ".memwiki").rglob("usage-*.jsonl"):
            each.unlink()

    def on_terminal(self, program, arguments, *, width, **variables):
        """The exit code, and all that arrives on a terminal of that width."""
        screen, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        environ = {key: each for key, each in self.environ.items() if key != "NO_COLOR"}
        child = subprocess.Popen(
            [*program, *arguments],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            cwd=self.root,
            env={**environ, "TERM": "xterm-256color", **variables},
        )
        os.close(inside)
        written = bytearray()
        while part := _read(screen):
            written += part
        os.close(screen)
        return child.wait(PATIENCE_S), _TIMES.sub(b"", bytes(written))

    def is_answering(self) -> bool:
        """Whether a command is answered by the other process."""
        os.utime(self.socket.lock.path, (1, 1))
        assert self.run(WARM, ["search", "heron"])[0] == 0
        return any(self._was_asked() for _ in range(_LOOKS))

    def _was_asked(self) -> bool:
        """Whether the process has noted that it was asked, which it does soon after."""
        select.select([], [], [], 0.01)
        return self.socket.last_answer() != 1


def _stream(number: int):
    return open(number, "w" if number else "r", encoding="utf-8", closefd=False)


def _read(screen: int) -> bytes:
    try:
        return os.read(screen, 1 << 16)
    except OSError:  # Linux says so when the other end is closed
        return b""
