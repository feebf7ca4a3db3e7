"""`memwiki web` as a process of its own, and tabs of a real browser that are watched."""

from __future__ import annotations

import atexit
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest

from tests.waiting import PATIENCE_S, until

pytest.importorskip("starlette", reason="memwiki[web] is not installed")


_NUMBERS = count()


class Served:
    """A workspace in the browser; ends with `with`."""

    def __init__(self, root: Path, *options: str, cache: Path | None = None) -> None:
        self.root, self.options = root, options
        self.environ = {
            **os.environ,
            "MEMWIKI_CACHE_DIR": str(cache or root.parent / "cache-of-web"),
            "MEMWIKI_CONFIG_DIR": str(root.parent / "config-of-web"),
            "MEMWIKI_STATE_DIR": str(root.parent / "state-of-web"),
            "LC_ALL": "C.UTF-8",
        }

    def __enter__(self) -> Served:
        self.process = self._process("-C", str(self.root), "web", *self.options)
        said = self.process.stdout.readline()
        self.entrance = re.search(r"http://\S+", said)[0]
        self.base = self.entrance.partition("/#")[0]
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        finally:
            self.process.stdout.close()

    def _process(self, *words: str):
        command = [sys.executable, "-m", "memwiki", *words]
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env=self.environ
        )

    def address(self, path: str) -> str:
        return self.base + quote(path, safe="/?=&#")

    def run(self, *words: str) -> str:
        """A command, as another process would give it."""
        command = [sys.executable, "-m", "memwiki", "-C", str(self.root), *words]
        done = subprocess.run(command, env=self.environ, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout


# Loading what serves takes a second of processor time, so it is loaded once, in a process that
# does nothing but fork.
_LOADED = """
import json, os, signal, sys
import jinja2, nh3, starlette.applications, uvicorn
import memwiki.cli.commands.serve, memwiki.web.app, memwiki.web.markdown, memwiki.web.pages
from memwiki.cli.main import main

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    asked = json.loads(line)
    child = os.fork()
    if child:
        print(child, flush=True)
        continue
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(asked["environ"])
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(os.open(asked["said"], os.O_WRONLY), 1)
    code = 1
    try:
        code = main(asked["words"])
        sys.stdout.flush()
    finally:
        os._exit(code)
"""


@cache
def _loaded() -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", _LOADED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    atexit.register(process.communicate)
    return process


class Forked:
    """A command in a process of its own that had everything loaded when it began."""

    def __init__(self, words: Sequence[str], environ: Mapping[str, str], said: Path) -> None:
        os.mkfifo(said)
        loaded = _loaded()
        asked = {"words": words, "environ": environ, "said": str(said)}
        loaded.stdin.write(json.dumps(asked) + "\n")
        loaded.stdin.flush()
        self.pid = int(loaded.stdout.readline())
        self.stdout = said.open(encoding="utf-8")
        said.unlink()

    def send_signal(self, number: int) -> None:
        with suppress(ProcessLookupError):  # it may have ended
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, _timeout: float = PATIENCE_S) -> None:
        until(self._is_gone)

    def _is_gone(self) -> bool:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        return False


class QuicklyServed(Served):
    """The same without the time that loading takes."""

    def _process(self, *words: str):
        return Forked(words, self.environ, self.root.parent / f"said-{next(_NUMBERS)}")


class Tab:
    """A tab that takes down all that goes wrong in it and every address that it asks."""

    def __init__(self, page, served: Served) -> None:
        self.page, self.served = page, served
        self.problems: list[str] = []
        self.asked: list[str] = []
        page.set_default_timeout(PATIENCE_S * 1000)
        page.on("console", lambda said: self._note(said.type, f"{said.text} {said.location}"))
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("requestfailed", self._failed)
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("dialog", self._dialog)

    def _note(self, kind: str, text: str) -> None:
        # A map that is drawn without a graphics card is slow, which no page can help.
        is_slow = "GL Driver Message (OpenGL, Performance" in text
        if kind in ("error", "warning") and not is_slow:
            self.problems.append(f"{kind}: {text}")

    def _failed(self, request) -> None:
        # Events end with their page; a page that is left cancels what it still waits for.
        is_left = request.failure == "net::ERR_ABORTED"
        if not is_left and request.url != f"{self.served.base}/api/events":
            self.problems.append(f"failed: {request.url} {request.failure}")

    def _dialog(self, dialog) -> None:
        self.problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def go(self, path: str) -> None:
        self.page.goto(self.served.address(path))
        self.page.wait_for_selector("#state[data-kind]", state="attached")

    def wait(self, selector: str, **named):
        return self.page.wait_for_selector(selector, **named)

    def text(self, selector: str) -> str:
        return self.page.inner_text(selector)

    def strangers(self) -> list[str]:
        """What was asked of anybody but the server."""
        ours = urlsplit(self.served.base).netloc
        found = [each for each in self.asked if not each.startswith(("data:", "blob:", "about:"))]
        return [each for each in found if urlsplit(each).netloc != ours]

    def require_clean(self) -> None:
        assert self.problems == [], self.problems
        assert self.strangers() == [], self.strangers()


@contextmanager
def opened_tab(browser, served: Served, **context_options):
    """A tab of a new profile that has the key."""
    size = {"width": 1280, "height": 800}
    with browser.new_context(**{"viewport": size, **context_options}) as context:
        page = context.new_page()
        page.goto(served.entrance)
        page.wait_for_selector("#state[data-kind]", state="attached")
        yield Tab(page, served)
