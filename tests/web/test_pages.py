"""Every page answers, whatever the workspace holds."""

from __future__ import annotations

PAGES = [
    "/",
    "/search",
    "/search?q=tea",
    "/recall",
    "/recall?q=what+is+tea",
    "/memories",
    "/tags",
    "/check",
    "/log",
    "/log?undo",
    "/review",
    "/review?all",
    "/today",
    "/new",
]


def test_an_empty_workspace_has_every_page(visit):
    asked = visit()
    for address in PAGES:
        answer = asked.get(address)
        assert answer.status_code == 200, answer.text
        assert "<h1" in answer.text, address


def test_a_workspace_with_a_little_has_every_page(visit):
    """--- tea.md ---
    ---
    tags: [drink]
    ---
    # Tea

    Green. [[Water]] and [[Nowhere]]. #hot

    --- wiki/water.md ---
    # Water

    For [[tea]].

    --- memory.md ---
    # Memory

    ## Facts

    - Likes tea. ^m-aaaaaa

    --- memwiki.toml ---
    [layers]
    log = "log.md"
    daily = "daily"
    """
    asked = visit()
    assert asked.send_json("/api/entry", action="add", text="Meets on Mondays.").status_code == 200
    for address in [*PAGES, "/p/tea.md", "/m/m-aaaaaa", "/f/wiki"]:
        answer = asked.get(address, follow_redirects=True)
        assert answer.status_code == 200, answer.text
        assert "<h1" in answer.text, address
