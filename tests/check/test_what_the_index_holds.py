"""A check takes from the index what the parser found in the same bytes, and judges it alike."""

from __future__ import annotations

import pytest

from memwiki.check import rule
from memwiki.markdown import outline

BODIES = (
    "---\ntitle: Given\ntags: [one, a b]\naliases: old\nup: '[[a]]'\n---\n# Head\n\n[[a]] #two\n",
    "# A\n\n## Empty\n\n## B [c](b.md) `x<y>`\n\n```sh\n# no heading\n[[none]]\n",
    "Text [out](../../x.md) [far](https://x.org/../../y) [here](file:///etc/x) [c](C:\\x\\y.md)\n",
    "[far](https://x.org/\\../../../y) [esc](file\\:x) [up](https\\://x.org/a/..) ![p](~/p.png)\n",
    "%% [[a]] [x](https://x.org) %%\n\n[r]: b.md\n\n[r] and ^block\n\n(place)=\n# Place\n",
    "> # Quoted\n> [[a#Head]]\n\n- # In an item\n- #tag/sub text\n",
    "- An item. [topic:: boiler] ^m-7k2f9a\n- Another [[a]]. ^m-7k2f9b\n",
    "---\nbad: [x\n---\n<<<<<<< a\n[[b]]\n=======\n[[c]]\n>>>>>>> b\n",
    "a\0b [[c]]\r\n# D\r\rE\r\n",
    "",
)
FORMS = ("plain", "logseq", "dendron", "docusaurus")


def called(monkeypatch, home, name) -> list[tuple]:
    calls, real = [], getattr(home, name)
    monkeypatch.setattr(home, name, lambda *args: calls.append(args) or real(*args))
    return calls


@pytest.mark.parametrize("form", FORMS)
def test_a_check_finds_the_same_with_what_the_index_holds_and_without(ws, put, form, monkeypatch):
    put("memwiki.toml", f'[pages]\ndialect = "{form}"\n')
    for number, body in enumerate(BODIES):
        put(f"wiki/p{number}.md", body)
        put(f"sessions/s{number}.md", body)
    ws.reload()
    ws.sync()
    told = list(ws.check.run())
    (ws.live.cache_folder.path / "findings.sqlite").unlink()
    monkeypatch.setattr(rule.ParsedPages, "of", lambda *_: None)
    assert list(ws.check.run()) == told


def test_links_of_a_page_as_it_was_indexed_are_not_looked_for_again(ws, put, monkeypatch):
    put("wiki/boiler.md", "# Boiler\n\n## Valve\n\nSee [[old tank]] and [it](tank.md). #heat\n")
    ws.sync()
    calls = [called(monkeypatch, outline, each) for each in ("find_links", "structure_of")]
    found = [each.code for each in ws.check.run()]
    assert "link-wanted" in found
    assert calls == [[], []]
