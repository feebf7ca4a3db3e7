"""A path that is printed can be copied: every blank stands, and nothing in it drives a terminal."""

from __future__ import annotations

import pytest

from memwiki.present import Look, as_path, as_text

PATHS = ("a  b.md", "全角\u3000空白.md", "\u00a0x\u2003y.md", " lead.md", "e\u0301.md")


@pytest.mark.parametrize("path", PATHS)
def test_a_path_is_printed_with_every_blank_it_has(ws, put, path):
    put(path, "# T\n\nheron [[nothing here]]\n")
    put("other.md", f"[x](<{path}>)\n")
    pipe = Look()
    assert path in [line.split("\t")[0] for line in as_text(ws.pages.list(), pipe).splitlines()]
    for answer in (
        ws.search("heron"),
        ws.graph.links("other"),
        ws.graph.unresolved(),
        ws.check.run(only=["link-wanted"]),
        ws.index.why(path),
        ws.graph.around(path),
        ws.pages.set(path, {"status": "draft"}),
        ws.pages.move(path, f"sub/{path}"),
    ):
        assert path in as_text(answer, pipe), type(answer)


def test_what_would_drive_a_terminal_or_end_the_line_is_escaped():
    assert as_path("a\x1b[2J\n\tb\u202egnp\x9b.md") == r"a\x1b[2J\n\tb\u202egnp\x9b.md"
    assert as_path("a\\b.md") == "a\\b.md"
