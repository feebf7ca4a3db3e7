"""Every page opens without an error, and anybody can use it: light and dark, wide and narrow."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.browser.test_editing import TEA, conflicting
from tests.effort import each_in_turn

PAGES = (
    "/",
    "/p/wiki/heron.md",
    "/p/wiki/雪鹭.md",
    "/f/wiki",
    "/search?q=heron",
    "/recall?q=when+are+herons+counted",
    "/memories",
    "/tags",
    "/trend",
    "/graph",
    "/graph?around=wiki/heron.md",
    "/check",
    "/log",
    "/log?undo",
    "/review",
    "/today",
    "/new",
    "/edit/wiki/heron.md",
    "/edit/AGENTS.md",
    "/p/no-such-page.md",
)
LOOKS = [
    [(1280, "light"), (320, "dark")],
    [(1280, "dark"), (320, "light")],
]


@pytest.fixture(scope="session")
def axe():
    """The text of axe-core, as a package brings it."""
    found = find_spec("axe_playwright_python")
    if found is None:
        pytest.skip("axe-playwright-python is not installed")
    return (Path(found.origin).parent / "axe.min.js").read_text("utf-8")


RUN = """axe.run(document, {resultTypes: ["violations"]}).then((found) => JSON.stringify(
  found.violations.map((each) => [
    each.id, each.nodes.slice(0, 3).map((node) => node.html.slice(0, 160))
  ])))"""


class Judge:
    """Axe in a tab; past the page's own policy, which takes in no text as a script."""

    def __init__(self, page, axe):
        self.session = page.context.new_cdp_session(page)
        self.session.send("Runtime.evaluate", {"expression": axe})

    def violations(self):
        asked = {"expression": RUN, "awaitPromise": True, "returnByValue": True}
        answer = self.session.send("Runtime.evaluate", asked)
        return answer["result"].get("value", str(answer))


def is_wider_than_screen(page) -> bool:
    return page.evaluate("() => document.documentElement.scrollWidth > innerWidth")


def require_usable(tab, axe, turn=0):
    """Nothing that axe finds, and nothing wider than the screen, in both widths and colours."""
    page, found = tab.page, {}
    judge = Judge(page, axe)
    looks = [look for pair in each_in_turn(LOOKS, turn) for look in pair]
    for width, scheme in looks:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found[width, scheme] = judge.violations()
        assert not is_wider_than_screen(page), (width, scheme)
    assert found == dict.fromkeys(looks, "[]")


@pytest.mark.parametrize(("turn", "address"), list(enumerate(PAGES)), ids=str)
def test_a_page_opens_and_anybody_can_use_it(vault_tab, axe, turn, address):
    vault_tab.go(address)
    if address == "/graph":
        vault_tab.wait("#graph[data-state=ready]")
    if address.startswith("/p/no-such"):
        vault_tab.problems = [each for each in vault_tab.problems if " 404 " not in each]
    require_usable(vault_tab, axe, turn)


@pytest.mark.parametrize("way", ["/memories .hits .title", "/review main a[href^='/review/']"])
def test_a_memory_and_a_proposal_too(vault_tab, axe, way):
    address, _, selector = way.partition(" ")
    vault_tab.go(address)
    vault_tab.page.click(selector)
    vault_tab.page.wait_for_url(lambda url: not url.endswith(address))
    vault_tab.wait("#state[data-kind]", state="attached")
    require_usable(vault_tab, axe)


def test_two_versions_beside_each_other_too(root, write_blocks, serve, open_tab, axe):
    write_blocks(TEA)
    tab = open_tab(serve())
    conflicting(root, tab)
    require_usable(tab, axe)
