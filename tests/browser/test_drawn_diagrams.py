"""Diagrams in a real browser: drawn by a script of the user's in a frame that reaches nothing."""

from __future__ import annotations

from urllib.parse import unquote

import pytest

from tests.browser.serving import Served, opened_tab

# Stands for mermaid: draws what it could get hold of from within its frame.
SCRIPT = """
window.mermaid = {
  initialize() {},
  async render(id, text) {
    if (text.includes("wrong")) throw new Error("Parse error on line 1");
    const got = [];
    try { got.push(parent.document.title); } catch { got.push("no page"); }
    try { got.push(document.cookie); } catch { got.push("no cookie"); }
    try { await fetch("/api/suggest?q=he"); got.push("net"); } catch { got.push("no net"); }
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 60">`
      + `<text>${text.trim()}: ${got.join(", ")}</text><script>alert(1)</script></svg>`;
    return { svg };
  },
};
"""
PAGE = """# Drawn

```mermaid
graph one
```

```mermaid
wrong
```

```python
x = 1
```
"""


@pytest.fixture
def served(root, browser):
    served = Served(root)
    folder = root.parent / "config-of-web"
    folder.mkdir(exist_ok=True)
    script = folder / "mermaid.js"
    script.write_text(SCRIPT)
    (folder / "config.toml").write_text(f'[web.assets]\nmermaid = "{script}"\n')
    (root / "drawn.md").write_text(PAGE)
    (root / "plain.md").write_text("# Plain\n\nNothing is drawn here.\n")
    with served:
        yield served


def test_a_diagram_is_a_picture_drawn_where_nothing_can_be_reached(browser, served):
    with opened_tab(browser, served) as tab:
        tab.go("/p/plain.md")
        assert not any(each.endswith("/diagrams") for each in tab.asked)
        tab.go("/p/drawn.md")
        picture = tab.page.locator(".diagram img")
        picture.wait_for()
        drawn = unquote(picture.get_attribute("src"))
        assert "graph one: no page, no cookie, no net" in drawn
        assert picture.get_attribute("alt") == "Diagram: graph one"
        assert picture.evaluate("each => each.complete && each.width") == 240
        assert tab.page.locator(".diagram pre").text_content() == "graph one\n"
        said = tab.page.locator(".prose .notice")
        assert said.inner_text() == "This diagram cannot be drawn: Parse error on line 1"
        assert (
            tab.page.locator("pre:visible").count() == 2
        )  # what was wrong, and the other language


def test_a_diagram_follows_its_text(browser, served):
    with opened_tab(browser, served) as tab:
        tab.go("/p/drawn.md")
        tab.page.locator(".diagram img").wait_for()
        (served.root / "drawn.md").write_text(PAGE.replace("graph one", "graph two"))
        tab.page.locator('.diagram img[alt="Diagram: graph two"]').wait_for()
        assert tab.page.locator(".diagram").count() == 1
        tab.page.locator(".prose .notice").wait_for()
        assert tab.page.locator(".prose .notice").count() == 1
