"""What the tests in a browser stand on."""

from __future__ import annotations

import os
import signal

from tests.browser.chromium import Chromium


def test_a_browser_that_hangs_is_started_anew(browser):
    with Chromium(browser.playwright) as chromium:
        with chromium.new_context(closing_s=0.5) as context:
            context.new_page()
            os.kill(chromium._process, signal.SIGSTOP)
        with chromium.new_context() as context:
            assert context.new_page().evaluate("() => 1 + 1") == 2
