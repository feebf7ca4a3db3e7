"""A Chromium that is started anew where it hangs, which is no fault of the page that is tested."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager, suppress
from shutil import which
from threading import Timer

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

CHROMIUM = next(filter(None, map(which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = (
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Without a graphics card, drawing as if there were one takes most of the time of a test.
    "--disable-gpu",
    "--disable-gpu-rasterization",
)
CLOSING_S = 60  # a profile closes in some hundredths of a second


class Chromium:
    """Profiles of one browser, which runs from the first of them to the end of `with`."""

    def __init__(self, playwright) -> None:
        self.playwright = playwright
        self._running = self._process = None

    def __enter__(self) -> Chromium:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_alive():
            with self._ended_when_it_hangs(CLOSING_S):
                self._running.close()

    @contextmanager
    def new_context(self, closing_s: float = CLOSING_S, **options):
        """A profile of its own, closed at the end."""
        if not self._is_alive():
            self._start()
        context = self._running.new_context(**options)
        try:
            yield context
        finally:
            with self._ended_when_it_hangs(closing_s):
                context.close()

    def _is_alive(self) -> bool:
        return self._running is not None and self._running.is_connected()

    def _start(self) -> None:
        self._running = self.playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET])
        told = self._running.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
        self._process = next(one["id"] for one in told["processInfo"] if one["type"] == "browser")

    @contextmanager
    def _ended_when_it_hangs(self, seconds: float):
        """Playwright waits for an answer without end: in one run it waited half an hour."""
        timer = Timer(seconds, os.kill, (self._process, signal.SIGKILL))
        timer.start()
        try:
            with suppress(sync_api.Error):  # it was ended by this, or by that of another profile
                yield
        finally:
            timer.cancel()
