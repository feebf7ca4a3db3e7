"""What is known of a long page after an edit, without a look at its other lines, is what a look at
all of them gives."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_long_lists_are_read_in_stretches import ITEMS
from test_text_leaves_the_rest_alone import LINES, OPENERS

from memwiki.markdown import outline
from memwiki.markdown.outline import Outline, look_over, text_of
from memwiki.markdown.private import may_hide, public_bytes
from memwiki.markdown.source import Patch, decode, has_odd_signs
from memwiki.markdown.stretch_links import _may_link
from memwiki.nouns import Layers

LAYERS = Layers()
PLAIN = ["- one", "- two", "- [fact] three #a ^m-1", "- ~~four~~", "- [[a]] b [entities:: c]", ""]
EDGES = ["  more", "    code", "---", "===", "# Head", "| a |", "|---|", "$$", "- a $$"]
MORE = [
    "{% raw %}",
    "{% endraw %}",
    "- {% endraw %}",
    "<!--",
    "- -->",
    "- `",
    "```",
    "- a\rb",
    "- a\tb",
    "\0",
]
lines = st.sampled_from([*PLAIN * 12, *EDGES, *MORE, *ITEMS, *LINES, *OPENERS])
texts = st.lists(lines, max_size=14).map("\n".join)
ends = st.sampled_from(["", "\n"])
few = st.lists(st.sampled_from([*PLAIN, *EDGES, *MORE]), max_size=3).map("\n".join)


@pytest.fixture(autouse=True)
def long_pages(monkeypatch):
    monkeypatch.setattr(outline, "_MIN_LONG", 0)


def require_same(text: str, patch: Patch) -> None:
    before = Outline(LAYERS, "memory.md", text)
    _ = before.masked, before.is_catalog, before.place_names, before.entry_reading
    before.lacks(_may_link, before.masked.text)
    _ = before.bare_lines, before.lacks(has_odd_signs, text), before.lacks(may_hide, text)
    here = before.edited([patch])
    anew = Outline(LAYERS, "memory.md", here.text)
    for after in (here, before.changed_to(here.text)):
        for name in (
            "text",
            "lines",
            "starts",
            "structure",
            "masked",
            "entry_reading",
            "bare_lines",
        ):
            assert getattr(after, name) == getattr(anew, name), name
        assert not any(sign(after.text) for sign in after.lacking - {_may_link})
        assert after.lacks(_may_link, after.masked.text) is not bool(_may_link(anew.masked.text))


@given(texts, ends, few, st.integers(0, 40), st.integers(0, 3))
@example("- a\n- b", "", "\n- c", 2, 0)
@example("- a\n- b", "\n", "- c\n", 2, 0)
@example("- a\n- b\n", "\n", "", 1, 1)
@example("- a <!--\n- b\n- c\n- d -->", "\n", "- e #f", 2, 0)
@settings(deadline=None)
def test_lines_put_in_the_place_of_others(text, end, new, at, count):
    text += end
    starts = [0, *(i + 1 for i, sign in enumerate(text) if sign == "\n"), len(text)]
    first = starts[min(at, len(starts) - 1)]
    stop = starts[min(at + count, len(starts) - 1)]
    require_same(text, Patch(first, stop, f"{new}\n" if new else ""))


@given(texts, ends, few, st.integers(0, 200), st.integers(0, 9))
@example("- one\n- two", "", "    code\n- two\n", 11, 0)
@settings(deadline=None)
def test_text_put_in_the_place_of_other_text(text, end, new, at, count):
    text += end
    first = min(at, len(text))
    require_same(text, Patch(first, min(first + count, len(text)), new))


@given(st.binary(max_size=40) | st.text(max_size=20).map(str.encode) | texts.map(str.encode))
@example(b"- private:: yes")
@example(b"\0\r\n\x01")
@example("\ufeff- a\ufffd".encode())
@example("- a".encode("utf-16"))
def test_a_known_page_says_what_its_bytes_say(data):
    found = decode("memory.md", data)
    page = look_over(LAYERS, "memory.md", found.text, found.mark)
    assert text_of(LAYERS, "memory.md", data) == found
    is_open = page.data == data and page.lacks(may_hide, page.text)
    assert not is_open or public_bytes("memory.md", data, LAYERS) is data
