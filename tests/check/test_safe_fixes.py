"""A fix mends all findings of its code, leaves every other byte, and has nothing to do twice."""

import pytest
from golden_examples import examples
from hypothesis import given
from hypothesis import strategies as st

from memwiki.check.rule import CheckedPage, found
from memwiki.check.rules import PAGE_RULES
from memwiki.markdown.parse import parse
from memwiki.nouns import Layers
from tests.effort import for_each

LAYERS = Layers(daily="daily", wiki="wiki", raw="raw", archive="archive")
FIXABLE = [rule for rule in PAGE_RULES if rule.fix]
FOUND = [
    (rule, path, data)
    for rule in FIXABLE
    for example in examples()
    if example.code == rule.code and example.places
    for path, data in example.files.items()
]
PIECES = [
    "# A",
    "\n",
    "\r\n",
    "\n\n",
    "- The garden is watered on Mondays. #garden",
    "- Tea.",
    "- The gate is locked at night. ^m-1a2b3c",
    "\u200b",
    "\ufeff",
    "\u00ad",
    "e\u200dm",
    "\u202e",
    "\U0001f468\u200d\U0001f469",
    "---\n",
    "title: Plan: the second\n",
    "aliases:\n- @me\n",
    "tags: [#x, y]\n",
    "tags: {{tags}}\n",
    "---\r\n",
    "title: a\r\n",
    "## Facts",
    "```",
    "  more",
    "text",
    "é",
    "漢字",
    "\x00",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def sheet(path: str, data: bytes) -> CheckedPage:
    return CheckedPage(parse(path, data, LAYERS), data, LAYERS)


def of(rule, path, data):
    return found([rule], sheet(path, data))


@for_each(("rule", "path", "data"), FOUND)
def test_a_fix_mends_its_golden_example(rule, path, data):
    mended = rule.fix(sheet(path, data))
    assert mended != data
    assert of(rule, path, mended) == []


@pytest.mark.parametrize("rule", FIXABLE, ids=lambda rule: rule.code)
@given(text=TEXTS, has_bom=st.booleans(), path=st.sampled_from(["memory.md", "wiki/a.md"]))
def test_a_fix_is_done_at_once(rule, text, has_bom, path):
    data = b"\xef\xbb\xbf" * has_bom + text.encode()
    mended = rule.fix(sheet(path, data))
    assert rule.fix(sheet(path, mended)) == mended
    if not of(rule, path, data):
        assert mended == data


@pytest.mark.parametrize("rule", FIXABLE, ids=lambda rule: rule.code)
@given(text=TEXTS)
def test_a_fix_only_takes_away_what_it_is_about(rule, text):
    data = text.encode()
    mended = rule.fix(sheet("memory.md", data))
    if rule.code == "front-matter-repaired":  # quotes and a blank come, nothing goes
        assert mended.translate(None, b"' ") == data.translate(None, b"' ")
    else:
        waiting = iter(data.replace(b"\r", b""))  # what is left stood there, in this order
        assert all(byte in waiting for byte in mended.replace(b"\r", b""))


def test_what_a_template_leaves_to_be_filled_in_is_not_quoted():
    data = b"---\ntags: {{tags}}\ntitle: a: b\n---\n"
    rule = next(rule for rule in FIXABLE if rule.code == "front-matter-repaired")
    assert of(rule, "a.md", data)
    assert rule.fix(sheet("a.md", data)) == data


@for_each("rule", FIXABLE)
@for_each(
    "data",
    [
        b"\xff\xfe#\x00 \x00A\x00\r\x00\n\x00b\x00\n\x00",
        b"caf\xe9 \xe2\x80\x8b\r\nx\n",
        b"\x00\x01\x02\x03",
    ],
)
def test_what_cannot_be_read_for_certain_is_not_mended(rule, data):
    mended = rule.fix(sheet("memory.md", data))
    assert mended == data or (rule.code == "eol-mixed" and data.startswith(b"caf"))
