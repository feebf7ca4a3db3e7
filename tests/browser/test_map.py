"""The map of all pages: what is drawn, and how often."""

from __future__ import annotations

DRAWN = """
window.drawn = 0;
const draw = WebGL2RenderingContext.prototype.drawArraysInstanced;
WebGL2RenderingContext.prototype.drawArraysInstanced = function (...given) {
  window.drawn += 1;
  return draw.apply(this, given);
};
"""


def test_a_map_is_drawn_once_until_it_stands(vault_tab):
    """Without a graphics card a map of 50,000 pages takes three seconds each time."""
    vault_tab.page.add_init_script(DRAWN)
    vault_tab.go("/graph")
    vault_tab.wait("#graph[data-state=ready]")
    most = 3  # pages, pages that can be pointed at, links
    assert 0 < vault_tab.page.evaluate("() => window.drawn") <= most


def test_what_was_found_is_brought_out_and_given_back(vault_tab):
    vault_tab.go("/graph")
    vault_tab.wait("#graph[data-state=ready]")
    vault_tab.page.fill("#map-find", "stork")
    vault_tab.wait('.map-status:has-text("1 page found")')
    vault_tab.page.press("#map-find", "Enter")
    assert "wiki/stork.md" in vault_tab.wait(".map-card").inner_text()
    vault_tab.page.fill("#map-find", "")
    vault_tab.wait('.map-status:has-text("groups")')
