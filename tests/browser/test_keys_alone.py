"""Everything by keys: nobody needs a mouse to open, search, read, edit and undo."""

from __future__ import annotations


def test_search_read_edit_and_undo_by_keys(root, write_blocks, serve, open_tab):
    write_blocks(
        "--- wiki/tea.md ---\n# Tea\n\ngreen leaves\n\n--- wiki/water.md ---\n# Water\n\nwet\n"
    )
    tab = open_tab(serve())
    keys = tab.page.keyboard
    tab.go("/")
    keys.press("/")
    keys.type("leaves")
    keys.press("Enter")
    tab.page.wait_for_url("**/search?**")
    tab.wait("[data-list] a")
    keys.press("j")
    keys.press("Enter")
    tab.page.wait_for_url("**/p/wiki/tea.md*")
    keys.press("e")
    tab.page.wait_for_url("**/edit/wiki/tea.md")
    tab.wait(".cm-content:focus")
    keys.press("Control+End")
    keys.type("and black")
    keys.press("Control+s")
    tab.wait('#saved:text-matches("^saved ")')
    assert "and black" in (root / "wiki/tea.md").read_text("utf-8")
    keys.press("Escape")
    for _ in range(10):
        keys.press("Tab")
        if tab.page.evaluate("() => document.activeElement.id") == "back":
            break
        keys.press("Escape")
    tab.page.focus("#back")
    keys.press("Enter")
    tab.page.wait_for_url("**/p/wiki/tea.md")
    keys.press("l")
    tab.page.wait_for_url("**/log")
    undo(tab)
    assert "and black" not in (root / "wiki/tea.md").read_text("utf-8")
    tab.require_clean()


def undo(tab):
    """By the link and the button that the log has."""
    tab.wait("a[href*='undo']").focus()
    tab.page.keyboard.press("Enter")
    button = tab.wait("form[data-post='/api/undo'] button")
    button.focus()
    with tab.page.expect_response("**/api/undo") as answer:
        tab.page.keyboard.press("Enter")
    assert answer.value.ok


def test_the_help_and_the_skip_link_are_there(vault_tab):
    vault_tab.go("/p/wiki/heron.md")
    vault_tab.page.keyboard.press("Tab")
    assert vault_tab.page.evaluate("() => document.activeElement.className") == "skip"
    vault_tab.page.keyboard.press("?")
    vault_tab.wait("#help[open]")
    vault_tab.page.keyboard.press("Escape")
    vault_tab.wait("#help:not([open])", state="attached")


def test_a_preview_opens_by_key(vault_tab):
    vault_tab.go("/p/wiki/heron.md")
    vault_tab.page.focus(".prose a[data-page]")
    vault_tab.page.keyboard.press("p")
    assert "Stork" in vault_tab.wait(".peek").inner_text()
    vault_tab.page.keyboard.press("Escape")


def test_a_preview_of_a_part_shows_that_part(root, write_blocks, serve, open_tab):
    write_blocks(
        "--- tea.md ---\n# Tea\n\ngreen\n\n## How to brew\n\nslowly\n"
        "--- cup.md ---\n# Cup\n\n[[tea#How to brew]]\n"
    )
    tab = open_tab(serve())
    tab.go("/p/cup.md")
    tab.page.hover(".prose a[data-page]")
    shown = tab.wait(".peek").inner_text()
    assert "slowly" in shown
    assert "green" not in shown
    tab.require_clean()


def test_a_link_that_calls_a_part_as_github_does_leads_there(root, write_blocks, serve, open_tab):
    write_blocks(
        "--- tea.md ---\n# Tea\n\ngreen\n"
        + "\nlong\n" * 80
        + "\n## When: it's `hot`/warm\n\nslowly\n"
        "--- cup.md ---\n# Cup\n\n[x](tea.md#when-its-hotwarm)\n"
    )
    tab = open_tab(serve())
    tab.go("/p/cup.md")
    tab.page.focus(".prose a[data-page]")
    tab.page.keyboard.press("p")
    assert "green" not in tab.wait(".peek:has-text('slowly')").inner_text()
    tab.page.click(".prose a[data-page]")
    tab.page.wait_for_url("**/p/tea.md*")
    tab.wait("#state[data-kind]", state="attached")
    assert tab.page.evaluate("() => scrollY") > 1000
    tab.require_clean()


COMPOSED = """(key) => document.activeElement.dispatchEvent(
  new KeyboardEvent("keydown", {key, isComposing: true, bubbles: true, cancelable: true})
)"""


def test_what_writes_chinese_keeps_its_keys(vault_tab):
    """Arrows choose among candidates, Enter takes one, Escape drops what was begun."""
    vault_tab.go("/")
    vault_tab.page.focus("#q")
    vault_tab.page.keyboard.type("her")
    vault_tab.wait("#suggestions li")
    for key in ("ArrowDown", "Enter", "Escape"):
        assert vault_tab.page.evaluate(COMPOSED, key), "nobody took it"
    assert vault_tab.page.evaluate("() => document.activeElement.id") == "q"
    assert vault_tab.page.locator("#suggestions [aria-selected=true]").count() == 0
    assert vault_tab.page.is_visible("#suggestions li >> nth=0")
