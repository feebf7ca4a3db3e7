"""The frame in which diagrams are drawn: the user's own script, and nothing that it could reach."""

from __future__ import annotations

import pytest

PAGE = "# Drawn\n\n```mermaid\ngraph TD\n```\n\n```python\nx = 1\n```\n"


@pytest.fixture
def script(tmp_path):
    found = tmp_path / "mermaid.min.js"
    found.write_text('window.mermaid = "</SCRIPT></script><!-- é";')
    return found


def test_a_block_of_a_diagram_says_what_it_is(visit, put):
    put("drawn.md", PAGE)
    html = visit().get("/p/drawn.md").text
    assert 'class="md-lang-mermaid">graph TD' in html
    assert "diagrams.js" not in html  # no script is named


def test_the_frame_holds_the_script_whole_and_can_reach_nothing(visit, put, script):
    put("drawn.md", PAGE)
    wiki = visit(mermaid=script)
    assert "diagrams.js" in wiki.get("/p/drawn.md").text
    answer = wiki.get("/diagrams")
    html, policy = answer.text, answer.headers["content-security-policy"]
    assert r'window.mermaid = "\x3c/SCRIPT>\x3c/script>\x3c!-- é";' in html
    assert html.count("</script>") == 2
    assert "default-src 'none'" in policy
    assert policy.endswith("sandbox allow-scripts")  # without an origin: no cookie, no storage
    assert "connect-src" not in policy
    assert answer.headers["x-frame-options"] == "SAMEORIGIN"
    assert policy != wiki.get("/diagrams").headers["content-security-policy"]  # another nonce


def test_without_a_script_there_is_no_frame(visit):
    answer = visit().get("/diagrams")
    assert answer.status_code == 404
    assert "web.assets.mermaid" in answer.text


def test_a_script_that_is_gone_is_said(visit, script):
    wiki = visit(mermaid=script)
    script.unlink()
    answer = wiki.get("/diagrams")
    assert answer.status_code == 404
    assert "cannot be read" in answer.text
