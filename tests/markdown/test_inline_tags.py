"""Inline tags are words after a hash; numbers, colours, code and URLs are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.markdown import tags as inline_tags
from memwiki.markdown.tags import find_tags, is_tag, may_tag


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#tag", ("tag",)),
        ("a #tag b #other", ("tag", "other")),
        ("#nested/tag/", ("nested/tag",)),
        ("#kebab-case #snake_case", ("kebab-case", "snake_case")),
        ("#1st", ("1st",)),
        ("#标签。后面", ("标签",)),
        ("#标签，#not", ("标签",)),
        ("天气晴。#日记#", ("日记",)),
        ("标签：#人物#、#明朝/万历#后面，#not #人物#、", ("人物", "明朝/万历")),
        ("#tag.", ("tag",)),
        ("#tag, x", ("tag",)),
        ("#tag) x", ("tag",)),
        ("- item #tag", ("tag",)),
        ("# Heading #tag", ("tag",)),
        ("#🔥hot", ("🔥hot",)),
        ("#🌲 #0🌲 #❤️ #👩‍💻", ("🌲", "0🌲", "❤️", "👩‍💻")),
        ("#Tag #tag", ("Tag",)),
        ("#cafe #facade #add", ("cafe", "facade", "add")),
        ("[^1]: #note", ("note",)),
        ("[a]: b.md\n#tag", ("tag",)),
        ("see [a]: #tag", ("tag",)),
        ("{one #tag}", ("tag",)),
        ("{{query #tag}} {{ #other }}", ("tag", "other")),
        ("{: .note }\n#tag", ("tag",)),
        ("#REF #NAME #N/Ax #value!", ("REF", "NAME", "N/Ax", "value")),
        ("#12月 #7つの海は", ("12月",)),
    ],
)
def test_a_tag_is_found(read, text, tags):
    assert read(text).tags == tags


@pytest.mark.parametrize(
    "text",
    [
        "[there]: #place",
        "> [there]:  <#place> 'T'",
        "## Place\n{: #place}",
        "## Place\n{: .note data-x=1 #place .b }",
        "## Place { #place }",
        "#123",
        "#201/201",
        "#-",
        "#️⃣ a key",
        "#1️⃣",
        "# heading",
        "###### heading",
        "##tag",
        "a#tag",
        "(#tag)",
        "晴。#日记 #",
        "晴。##日记#",
        "晴#日记#",
        "&#39;",
        "#fff",
        "#a1b2c3",
        "#ffffff",
        "#dcddde",
        "#include <x>",
        "#region a",
        "#endif",
        "wrap the #ifdefs and the #includes",
        "the #s of herons",
        "#REF! #DIV/0! #VALUE! #NUM! #NULL! #NAME? #N/A",
        "PR #1304から",
        "#764ba2は",
        "\\#tag",
        "`#tag`",
        "```\n#tag\n```",
        "<!-- #tag -->",
        "$x #tag$",
        "[a #tag b](x.md)",
        "[[page #tag]]",
        "[x](https://x.org/ '#tag')",
        "https://x.org/#tag",
        '{ data-label="a b" .c #tag }',
        '<a title="a #tag">',
        "<div>\n#tag\n</div>",
    ],
)
def test_what_only_looks_like_a_tag_is_none(read, text):
    assert read(text).tags == ()


def test_front_matter_tags_come_first_and_each_tag_once(read):
    page = read("---\ntags: [Design, b]\n---\n#design #c\n")
    assert page.tags == ("Design", "b", "c")


@given(st.text(alphabet="#ab1/ -。<>[]()\n", max_size=60))
def test_every_tag_has_a_letter_and_stands_where_it_says(text):
    for tag, at in find_tags(text):
        assert is_tag(tag)
        assert text[at] == "#"
        assert at == 0 or text[at - 1].isspace()


def test_stops_are_part_of_a_tag_where_a_program_reads_them_so():
    text = "#area.garden and #stage. Also #a.b/c."
    assert [name for name, _ in find_tags(text, has_dots=True)] == ["area.garden", "stage", "a.b/c"]
    assert [name for name, _ in find_tags(text)] == ["area", "stage", "a"]


@pytest.mark.parametrize("text", ["# A\n\n## B #\n", "C# and F#, x#y", "，# a", "##", "##a"])
def test_a_page_with_no_sign_of_a_tag_costs_no_pattern_of_names(text, monkeypatch):
    for name in ("_TAG", "_DOTTED"):
        monkeypatch.setattr(inline_tags, name, None)
    assert find_tags(text) == find_tags(text, has_dots=True) == []
    assert not may_tag(text)
