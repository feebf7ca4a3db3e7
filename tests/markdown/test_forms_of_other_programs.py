"""Names, properties, blocks and links as Logseq, Dendron and Notion write them, in any text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memwiki.errors import MemwikiError
from memwiki.markdown.dialects import file_stem, names_of_file, page_names, read_properties
from memwiki.markdown.edit.fields import set_field, unset_field
from memwiki.markdown.edit.links import sites_of
from memwiki.markdown.edit.tags import added_tags, changed_tags, field_tags
from memwiki.markdown.outline import Outline
from memwiki.markdown.parse import parse
from memwiki.nouns import Dialect, Layers
from tests.effort import for_each

LOGSEQ = Layers(daily="journals", dialect=Dialect("logseq", "%Y_%m_%d", "%b %o, %Y", "___"))
DENDRON = Layers(dialect=Dialect("dendron", vaults=("mine",)))
UUID = "63a1f0a0-1111-4222-8333-0123456789ab"
PIECES = [
    *("alias:: a, [[b]]", "tags:: x", "title:: T", "type:: [[Y]]", "é-1:: v", "k::", "::", "---"),
    *("- # H", "## H", "\t- in", "  text", f"  id:: {UUID}", f"(({UUID}))", f"[l](({UUID}))"),
    *(f"{{{{embed (({UUID}))}}}}", "[l]([[p]])", "[[a|b]]", "[[x|dendron://mine/a.b#c]]", "```"),
    *("![[a#b:#c]]", "[[dendron://other/x]]", "", "\ud800", "文 #字", "a\x00b", "\r", "#t"),
]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=12).flatmap(
    lambda lines: st.sampled_from(["\n", "\r\n"]).map(lambda end: end.join(lines))
)


# --- names ---


@for_each(
    ("name", "stem"),
    [
        ("a/b", "a___b"),
        ("a:b?", "a%3Ab%3F"),
        ("a___b", "a%5F%5F%5Fb"),
        ("a_/_b", "a%5F___%5Fb"),
        ("100%", "100%25"),
        ("书/日", "书___日"),
    ],
)
def test_a_page_of_logseq_is_a_file_of_its_name(name, stem):
    assert file_stem(name, "___") == stem
    assert next(page_names(stem, "___")) == name
    assert names_of_file(f"pages/{stem}.md", LOGSEQ).title == name


def test_older_graphs_have_other_signs_for_a_slash():
    assert list(page_names("a%2Fb", "%2F")) == ["a/b"]
    assert list(page_names("a.b", "%2F")) == ["a.b", "a/b"]
    assert file_stem("a/b_c", "%2F") == "a%2Fb_c"


@given(st.text(st.characters(codec="utf-8"), max_size=30), st.sampled_from(["___", "%2F"]))
def test_any_name_comes_back_from_the_name_of_its_file(name, slash):
    stem = file_stem(name, slash)
    assert "/" not in stem
    assert next(page_names(stem, slash)) == name


@for_each(
    ("path", "name"),
    [
        (f"Road map {'0a' * 16}.md", "Road map"),
        (f"Road-map-{'0a' * 16}.md", "Road-map"),
        (f"{'0a' * 16}.md", ""),
        (f"Road map {'0A' * 16}.md", ""),
        (f"Road map {'0a' * 17}.md", ""),
    ],
)
def test_the_number_of_a_notion_export_is_no_part_of_a_name(path, name):
    assert names_of_file(path, Layers()).name == name


@for_each(
    ("path", "others"),
    [
        ("202101011200 Heron nests.md", ("202101011200",)),
        ("notes/20210101120059-heron.md", ("20210101120059",)),
        ("Heron nests 202101011200.md", ("202101011200",)),
        ("202101011200.md", ()),  # by its name
        ("2021010112 Heron.md", ()),
        ("2021010112001 Heron.md", ()),
        ("202113011200 Heron.md", ()),
        ("part 202101011200 of it.md", ()),
    ],
)
def test_a_note_of_a_zettelkasten_answers_to_its_moment(path, others):
    assert names_of_file(path, Layers()).others == others
    for name in ("obsidian", "quartz"):
        assert names_of_file(path, Layers(dialect=Dialect(name=name))).others == ()


def test_a_day_is_called_as_links_call_it():
    day = names_of_file("journals/2020_09_14.md", LOGSEQ)
    assert (day.title, day.day) == ("Sep 14th, 2020", "2020-09-14")
    assert set(day.others) == {"Sep 14th, 2020", "2020-09-14"}
    assert names_of_file("pages/2020_09_14.md", LOGSEQ).day == ""
    assert names_of_file("journals/2020_09_31.md", LOGSEQ).day == ""


# --- pages ---


@given(st.sampled_from([LOGSEQ, DENDRON, Layers()]), TEXTS, st.sampled_from(["pages/a.b___c.md"]))
def test_any_page_is_read_and_each_of_its_links_has_its_place(layers, text, path):
    page = parse(path, text.encode("utf-8", "surrogatepass"), layers)
    assert all(1 <= line <= max(page.line_count, 1) for line in page.block_ids.values())
    outline = Outline(layers, path, text.replace("\ud800", ""))
    for site in sites_of(outline):
        assert outline.text[site.start : site.end].strip().startswith(site.link.written[:1])


@for_each("piece", ["k:: v\n", "## H\n\n", "- # H\n", "\t- a\n", f"(({UUID})) ", "a:: ["])
def test_long_pages_are_read(piece):
    text = piece * (500_000 // len(piece))
    assert parse("pages/a.md", text.encode(), LOGSEQ).units


def test_a_property_ends_with_the_lines_at_the_top():
    lines = ["a:: 1", "b:: [[x]] ", "", "c:: 2"]
    assert [(each.key, each.value) for each in read_properties(lines)] == [
        ("a", "1"),
        ("b", "[[x]]"),
    ]


KEYS = ["title", "aliases", "tags", "type", "created", "note", "é-1", "k"]
VALUES = st.text(st.characters(codec="utf-8"), max_size=10) | st.sampled_from(["a, b", "[[x]]", ""])


@given(TEXTS, st.sampled_from(KEYS), VALUES)
def test_setting_a_property_changes_one_line(text, key, value):
    page = Outline(LOGSEQ, "pages/a.md", text.replace("\ud800", ""))
    try:
        after = set_field(page, key, value)
    except MemwikiError:
        return
    if page.front.line_end:
        return
    before, now = page.lines, after.lines
    same = next((i for i, line in enumerate(before) if [line] != now[i : i + 1]), len(before))
    kept = before[same + (len(now) == len(before)) :]
    assert now[:same] == before[:same]
    assert not kept or now[-len(kept) :] == kept
    assert len(now) - len(before) in (0, 1, 2)


@given(TEXTS)
def test_a_property_that_was_added_can_be_taken_away(text):
    page = Outline(LOGSEQ, "pages/a.md", text.replace("\ud800", ""))
    if page.front.line_end or not page.text.endswith("\n") or not page.properties:
        return
    try:
        after = set_field(page, "zz", "1")
    except MemwikiError:
        return
    assert unset_field(after, "zz").text == page.text


@given(TEXTS, st.sampled_from(["x", "new", "b"]))
def test_tags_come_and_go_with_nothing_else(text, tag):
    page = Outline(LOGSEQ, "pages/a.md", text.replace("\ud800", ""))
    if page.front.line_end or tag in field_tags(page):
        return
    try:
        after = added_tags(page, [tag])
    except MemwikiError:
        return
    assert set(field_tags(after)) == {*field_tags(page), tag}
    gone = changed_tags(after, lambda each: "" if each == tag else each)
    assert tag not in field_tags(gone)
    assert gone.lines[gone.text_start :] == after.lines[after.text_start :]
