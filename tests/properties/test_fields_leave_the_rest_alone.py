"""Setting a field, in whatever style a front matter is written, changes that field's lines
alone."""

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from memwiki.errors import NotEditableError
from memwiki.markdown.edit.fields import set_field, unset_field
from memwiki.markdown.edit.tags import (
    added_tags,
    changed_tags,
    field_tags,
    inline_tags,
    renamed_inline,
)
from memwiki.markdown.edit.yaml import YamlHead, scalar_text
from memwiki.markdown.outline import outline_of
from memwiki.nouns import Layers
from memwiki.pages.tags import renaming

LAYERS = Layers()
KEYS = [
    "title",
    "description",
    "status",
    "created",
    "plugin-id",
    "date created",
    "Größe",
    "标签",
    "x.y",
]
COMMENTS = ["", " # why", "  #"]
WORDS = [
    "a",
    "tea",
    "Green tea",
    "x: y",
    "# no",
    "it's",
    'say "x"',
    "-",
    "yes",
    "4.20",
    "1917",
    "@me",
    "[x]",
    "{{date}}",
    "* a",
    "C:\\x",
    "中文：标题",
    "🍵",
    "a,b",
    "https://x.org/a#b",
    "",
    "~",
    "\x85",
    "\u2028x",
    "tab\tx",
]

texts = st.one_of(st.sampled_from(WORDS), st.text(st.characters(codec="utf-8"), max_size=12))
safe = st.sampled_from(["tea", "green-tea", "a b", "中文", "x1", "2026-01-09", "4.20", "yes", "🍵"])
comments = st.sampled_from(COMMENTS)


@st.composite
def scalar_lines(draw, key):
    comment = draw(comments)
    style = draw(
        st.sampled_from(
            ["plain", "single", "double", "empty", "literal", "folded", "wrapped", "null"]
        )
    )
    text = draw(safe)
    return {
        "plain": [f"{key}: {text}{comment}"],
        "single": [f"{key}:  '{text}'{comment}"],
        "double": [f'{key}: "{text}"{comment}'],
        "empty": [f"{key}:{comment}"],
        "null": [f"{key}: ~{comment}"],
        "literal": [f"{key}: |{comment}", f"  {text}", "", "  more # text"],
        "folded": [f"{key}: >-", f"    {text}"],
        "wrapped": [f"{key}: {text}", "   goes on"],
    }[style]


@st.composite
def list_lines(draw, key):
    items = draw(st.lists(safe, max_size=4))
    quote = draw(st.sampled_from(["", "'", '"']))
    shown = [f"{quote}{item}{quote}" for item in items]
    comment = draw(comments)
    style = draw(st.sampled_from(["flow", "tight", "block", "indented", "spread"]))
    if style in ("flow", "tight") or not items:
        comma = ", " if style == "flow" else ","
        return [f"{key}: [{comma.join(shown)}]{comment}"]
    if style == "spread":
        return [f"{key}: [", *(f"  {item}," for item in shown), "]"]
    indent = "  " if style == "indented" else ""
    return [f"{key}:", *(f"{indent}- {item}{comment}" for item in shown)]


def nested_lines(key):
    styles = [
        [f"{key}: {{a: 1, b: [x, y]}}"],
        [f"{key}:", "  a: 1", "  b:", "  - x"],
        [f"{key}:", "- a: 1", "  b: 2", "- {c: 3}"],
        [f"{key}: [[a, b]]"],
    ]
    return st.sampled_from(styles)


@st.composite
def pages(draw):
    """The bytes of a page with a front matter, and the keys of its scalars, lists and nested
    values."""
    keys = draw(st.lists(st.sampled_from([*KEYS, "tags", "aliases"]), unique=True, max_size=6))
    lines, kinds = [], {}
    for key in keys:
        is_list = key in ("tags", "aliases") or draw(st.booleans())
        kind = draw(st.sampled_from(["list" if is_list else "scalar"] * 5 + ["nested"]))
        shown = f"'{key}'" if draw(st.integers(0, 9)) == 0 else key
        make = {"list": list_lines, "scalar": scalar_lines, "nested": nested_lines}[kind]
        lines += draw(st.sampled_from([[], ["# about it"], [""]])) + draw(make(shown))
        kinds[key] = kind
    body = draw(st.sampled_from(["", "# T\n\ntext", "---\n", "text #tea\n", "\n"]))
    close = draw(st.sampled_from(["---", "...", "--- "]))
    text = "\n".join(["---", *lines, close]) + (
        "\n" + body if body else draw(st.sampled_from(["", "\n"]))
    )
    parts = text.split("\n")
    end = draw(st.sampled_from(["\n", "\r\n", "mixed"]))
    ends = [draw(st.sampled_from(["\n", "\r\n"])) if end == "mixed" else end for _ in parts[1:]]
    joined = parts[0] + "".join(e + part for e, part in zip(ends, parts[1:], strict=True))
    return (draw(st.sampled_from(["", "\ufeff"])) + joined).encode(), kinds


def page_of(data):
    return outline_of("a.md", data, LAYERS)


def read(data):
    return page_of(data).front


def as_yaml(data):
    """The block as plain YAML reads it; None when it holds nothing."""
    source = page_of(data)
    front = read(data)
    return (
        yaml.safe_load("\n".join(source.lines[front.line_start : front.line_end - 1]) + "\n") or {}
    )


def outside(data, first, last):
    """The lines before and after these."""
    lines = data.split(b"\n")
    return lines[:first], lines[last + 1 :]


def assert_only_lines_changed(before, after, field):
    head, tail = outside(before, field.first, field.last)
    lines = after.split(b"\n")
    assert lines[: len(head)] == head
    assert lines[len(lines) - len(tail) :] == tail


@given(pages(), texts, st.data())
def test_a_scalar_is_read_back_and_nothing_else_changes(page, value, data):
    before, kinds = page
    scalars = [key for key, kind in kinds.items() if kind == "scalar"]
    assume(scalars)
    key = data.draw(st.sampled_from(scalars))
    source = page_of(before)
    old = YamlHead(source).field(key)
    after = set_field(source, key, value).data
    assert read(after).fields[key] == value
    assert {k: v for k, v in as_yaml(after).items() if k != key} == {
        k: v for k, v in as_yaml(before).items() if k != key
    }
    assert_only_lines_changed(before, after, old)
    assert set_field(page_of(after), key, value).data == after
    quoted = YamlHead(page_of(after)).field(key).value.style
    if old.first == old.last and old.value.style and quoted == old.value.style:
        assert set_field(page_of(after), key, old.value.value).data == before


@given(pages(), st.lists(texts, max_size=4), st.data())
def test_a_list_is_read_back_and_nothing_else_changes(page, items, data):
    before, kinds = page
    lists = [key for key, kind in kinds.items() if kind == "list" and key != "tags"]
    assume(lists)
    key = data.draw(st.sampled_from(lists))
    source = page_of(before)
    old = YamlHead(source).field(key)
    after = set_field(source, key, items).data
    wanted = [item.strip() for item in items if item.strip()]
    assert read(after).fields[key] == wanted
    assert all(isinstance(item, str) for item in as_yaml(after)[key])
    assert_only_lines_changed(before, after, old)


@given(pages(), texts)
def test_a_new_field_is_one_line_more_and_goes_without_a_trace(page, value):
    before, _ = page
    after = set_field(page_of(before), "new key", value).data
    assert read(after).fields["new key"] == value
    at = read(before).line_end - 1
    assert after.split(b"\n")[:at] == before.split(b"\n")[:at]
    assert after.split(b"\n")[at + 1 :] == before.split(b"\n")[at:]
    assert unset_field(page_of(after), "new key").data == before


@given(pages(), st.data())
def test_a_removed_field_takes_only_its_lines(page, data):
    before, kinds = page
    assume(kinds)
    key = data.draw(st.sampled_from(sorted(kinds)))
    source = page_of(before)
    old = YamlHead(source).field(key)
    after = unset_field(source, key).data
    head, tail = outside(before, old.first, old.last)
    assert after.split(b"\n") == [*head, *tail]
    assert {k: v for k, v in as_yaml(before).items() if k != key} == as_yaml(after)


@given(pages(), st.data())
def test_nested_values_are_refused(page, data):
    before, kinds = page
    nested = [key for key, kind in kinds.items() if kind == "nested"]
    assume(nested)
    with pytest.raises(NotEditableError):
        set_field(page_of(before), data.draw(st.sampled_from(nested)), "x")


@given(texts, st.booleans(), st.sampled_from(["", "'", '"']))
def test_every_text_survives_yaml(text, is_flow, quote):
    shown = scalar_text(text, is_flow=is_flow, quote=quote)
    block = f"k: [{shown}, z]" if is_flow else f"k: {shown}  # c"
    value = yaml.safe_load(block)["k"]
    assert (value[0] if is_flow else value) == text


# --- tags ---

INLINE = st.lists(
    st.sampled_from(
        [
            "#tea",
            "#tea/green",
            "#teapot",
            "#x",
            "word",
            "`#tea`",
            "[[a#tea]]",
            "\n",
            "\r\n",
            "\n- ",
            "\n\n    #tea",
            "\n```\n#tea\n```\n",
        ]
    ),
    max_size=12,
).map(" ".join)


@given(pages(), INLINE)
def test_a_tag_renamed_there_and_back_leaves_every_byte(page, text):
    before, kinds = page
    assume(kinds.get("tags") != "nested")
    before += b"\n" + text.encode()
    there, back = renaming("tea", "zz/new"), renaming("zz/new", "tea")

    def change(data, rename):
        return renamed_inline(changed_tags(page_of(data), rename), rename).data

    after = change(before, there)
    source, old = page_of(after), page_of(before)
    names = [tag.name for tag in inline_tags(source)]
    assert names == [there(tag.name) for tag in inline_tags(old)]
    assert field_tags(source) == tuple(map(there, field_tags(old)))
    assert len(after.split(b"\n")) == len(before.split(b"\n"))
    assert change(after, back) == before


@given(pages())
def test_a_tag_added_is_removed_again_and_the_rest_stays(page):
    before, kinds = page
    assume(kinds.get("tags") != "nested")
    old = field_tags(page_of(before))
    after = added_tags(page_of(before), ["brand-new"]).data
    assert field_tags(page_of(after)) == (*old, "brand-new")
    kept = changed_tags(page_of(after), lambda tag: "" if tag == "brand-new" else tag)
    gone = kept.data
    assert field_tags(page_of(gone)) == old
    if old:
        assert gone == before
