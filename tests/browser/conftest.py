"""A real browser before a real server; skipped with a reason where one of them is missing."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from memwiki.workspace import Workspace
from tests.browser.chromium import CHROMIUM, Chromium, sync_api
from tests.browser.serving import QuicklyServed, Served, opened_tab
from tests.browser.vault import write_vault


@pytest.fixture(scope="session")
def browser():
    if CHROMIUM is None:
        pytest.skip("there is no Chromium: apt-get install chromium fonts-noto-cjk")
    with sync_api.sync_playwright() as playwright, Chromium(playwright) as chromium:
        yield chromium


@pytest.fixture(scope="session")
def vault(tmp_path_factory):
    """A workspace with something on every page."""
    root = tmp_path_factory.mktemp("vault") / "heron"
    write_vault(root)
    return root


@pytest.fixture(scope="session")
def served_vault(vault, browser):
    with Served(vault) as served:
        yield served


@pytest.fixture
def vault_tab(browser, served_vault):
    """A tab on that workspace, which no test changes; clean at its end."""
    with opened_tab(browser, served_vault) as tab:
        yield tab
        tab.require_clean()


@pytest.fixture
def serve(browser, root):
    """Serves the workspace of the test's docstring: `serve("--read-only")`."""
    with ExitStack() as stack:
        yield lambda *options: stack.enter_context(QuicklyServed(root, *options))


@pytest.fixture
def open_tab(browser):
    """Opens tabs: `open_tab(served)`."""
    with ExitStack() as stack:
        yield lambda served, **named: stack.enter_context(opened_tab(browser, served, **named))


@pytest.fixture
def space(root):
    with Workspace.open(root, find=False) as workspace:
        yield workspace
