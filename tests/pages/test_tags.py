"""Tags of pages: added, removed, renamed and merged, in front matter and text."""

import pytest

from memwiki.errors import (
    AlreadyExistsError,
    MemwikiError,
    NotFoundError,
    UsageError,
    WriteError,
)


def text_of(root, path="a.md"):
    return (root / path).read_bytes().decode()


# --- add ---


def test_a_tag_is_added_in_the_style_of_the_others(put, ws, root):
    for before, after in [
        ("---\ntags: [x]\n---\n", "---\ntags: [x, tea]\n---\n"),
        ("---\ntags:\n  - 'x' # c\nb: 1\n---\n", "---\ntags:\n  - 'x' # c\n  - 'tea'\nb: 1\n---\n"),
        ("---\ntags:\n- \n---\n", "---\ntags:\n- tea\n---\n"),
        ("---\ntags: x, y\n---\n", "---\ntags: x, y, tea\n---\n"),
        ("---\ntags: x y\n---\n", "---\ntags: x y tea\n---\n"),
        ("---\ntags: '#x #y'\n---\n", "---\ntags: '#x #y #tea'\n---\n"),
        ('---\ntags: "#x, #y"\n---\n', '---\ntags: "#x, #y, #tea"\n---\n'),
        ("---\ntags:\nb: 1\n---\n", "---\ntags: [tea]\nb: 1\n---\n"),
        ("---\nkeywords: [x]\n---\n", "---\nkeywords: [x, tea]\n---\n"),
        ("---\nb: 1\n---\n", "---\nb: 1\ntags: [tea]\n---\n"),
        ("# T\r\n", "---\r\ntags: [tea]\r\n---\r\n# T\r\n"),
    ]:
        put("a.md", before)
        ws.pages.tag_add("a", ["#tea"])
        assert text_of(root) == after, (before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('topics: "[[Emergence]]"', 'topics: "[[Emergence]], tea"'),
        ("topics: [[Emergence]]", 'topics: ["[[Emergence]]", tea]'),
        ("topics:\n  - [[A]]\n  - [[B]]", "topics:\n  - [[A]]\n  - [[B]]\n  - tea"),
        ('tags: "[[Emergence]] x"', 'tags: "[[Emergence]] x tea"'),
        ('tags: "[label](x.md)"', 'tags: ["[label](x.md)", tea]'),
    ],
)
def test_a_link_beside_the_tags_was_lost_or_made_a_tag_when_one_was_added(
    put, opened, root, before, after
):
    put("a.md", f"---\n{before}\n---\n")
    opened().pages.tag_add("a", ["tea"])
    assert text_of(root) == f"---\n{after}\n---\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('topics: "[[tea]], tea, y"', 'topics: "[[tea]], chai, y"'),
        ('topics: ["[[tea]]", tea]', 'topics: ["[[tea]]", chai]'),
        ('tags: "[[tea]] tea"', 'tags: "[[tea]] chai"'),
        ("tags: [tea]\nup: [[tea]]", "tags: [chai]\nup: [[tea]]"),
    ],
)
def test_a_link_changed_its_target_when_a_tag_of_its_name_was_renamed(
    put, opened, root, before, after
):
    put("a.md", f"---\n{before}\n---\n")
    opened().pages.tag_rename("tea", "chai")
    assert text_of(root) == f"---\n{after}\n---\n"


def test_a_tag_of_signs_could_not_be_added_renamed_or_removed(put, opened, root):
    put("a.md", "---\ntags: [0🌲]\n---\nin a wood #0🌲 #🌱\n")
    opened().pages.tag_rename("0🌲", "🌲/old")
    opened().pages.tag_remove("a", ["🌱"])
    opened().pages.tag_add("a", ["❤️"])
    assert text_of(root) == "---\ntags: [🌲/old, ❤️]\n---\nin a wood #🌲/old\n"


@pytest.mark.parametrize("text", ["---\ntags: [Tea]\n---\n", "text #tea\n"])
def test_a_tag_that_is_there_is_not_added(put, opened, root, text):
    put("a.md", text)
    answer = opened().pages.tag_add("a", ["tea"])
    assert text_of(root) == text
    assert answer.paths == ()
    assert answer.notes[0].lower() == "#tea is already on the page"


def test_a_new_tag_keeps_to_the_rules(put, ws):
    put("a.md", "text\n")
    for tag, hint in [
        ("Green Tea", "use green-tea"),
        ("Tea", "use tea"),
        ("green_tea", "use green-tea"),
        ("123", "for"),
        ("a//b", "use a/b"),
        ("", "for"),
    ]:
        with pytest.raises(UsageError) as caught:
            ws.pages.tag_add("a", [tag])
        assert caught.value.hint.startswith(hint), (tag, hint)


def test_a_tag_in_use_is_spelled_as_it_is(put, opened, root):
    put("a.md", "text\n")
    put("b.md", "---\ntags: [Machine_Learning]\n---\n")
    opened().pages.tag_add("a", ["machine_learning"])
    assert "tags: [Machine_Learning]" in text_of(root)


@pytest.mark.parametrize("tag", ["teas", "green-teas", "greentea"])
def test_a_near_spelling_is_pointed_out(put, opened, tag):
    put("a.md", "text\n")
    put("b.md", "---\ntags: [tea, green-tea]\n---\n")
    answer = opened().pages.tag_add("a", [tag])
    assert answer.notes == (
        f"#{tag} is new; #{'tea' if tag == 'teas' else 'green-tea'} is on 1 page",
    )


def test_more_than_eight_tags_are_pointed_out(put, opened):
    put("a.md", "---\ntags: [a1a, b1b, c1c, d1d, e1e, f1f, g1g]\n---\n#inline\n")
    assert opened().pages.tag_add("a", ["next"]).notes == ("a.md has 9 tags now, more than 8",)


# --- remove ---


def test_a_tag_is_removed_and_no_word_is_lost(put, ws, root):
    for before, after in [
        ("---\ntags: [tea, x]\n---\n", "---\ntags: [x]\n---\n"),
        ("---\ntags: [x, Tea ]\n---\n", "---\ntags: [x ]\n---\n"),
        ("---\ntags: [tea]\n---\n", "---\ntags: []\n---\n"),
        ("---\ntags:\n  - tea # c\n  - x\n---\n", "---\ntags:\n  - x\n---\n"),
        ("---\ntags:\n  - tea\n---\n", "---\ntags: []\n---\n"),
        ("---\ntags: tea, x\n---\n", "---\ntags: x\n---\n"),
        ("---\ntags: x, tea\n---\n", "---\ntags: x\n---\n"),
        ("---\ntags: x tea y\n---\n", "---\ntags: x y\n---\n"),
        ("---\ntags: '[tea, x]'\n---\n", "---\ntags: '[x]'\n---\n"),
        ("---\ntags: '[x, tea]'\n---\n", "---\ntags: '[x]'\n---\n"),
        ("text #tea\n", "text\n"),
        ("text #x #tea\r\n", "text #x\r\n"),
        ("text #tea #x\n", "text #x\n"),
        ("- item #tea [created:: 2026-01-01] ^m-1\n", "- item [created:: 2026-01-01] ^m-1\n"),
        ("the #tea of it\n", "the tea of it\n"),
        ("the #tea# of it\n", "the tea of it\n"),
        ("#tea# and #x#。#tea#\n", "tea and #x#。tea\n"),
        ("a\n\n#tea\n\nb\n", "a\n\n\nb\n"),
        ("#tea #x\n", "#x\n"),
        ("- #tea\n", "- tea\n"),
        ("## #tea\n", "## tea\n"),
        ("| #tea |\n", "| tea |\n"),
        ("text #tea", "text"),
        (
            "`#tea` [#tea](x) [[x#tea]] http://x/#tea #tea\n",
            "`#tea` [#tea](x) [[x#tea]] http://x/#tea\n",
        ),
        ("```\n#tea\n```\n    #tea\n\n#tea x\n", "```\n#tea\n```\n    #tea\n\ntea x\n"),
    ]:
        put("a.md", before)
        ws.pages.tag_remove("a", ["tea"])
        assert text_of(root) == after, (before, after)


def test_what_is_left_is_said(put, opened, root):
    put("a.md", "---\ntags: [tea, tea/green]\n---\n#tea/black and\n")
    answer = opened().pages.tag_remove("a", ["tea", "milk"])
    assert text_of(root) == "---\ntags: [tea/green]\n---\n#tea/black and\n"
    assert answer.notes == (
        "#milk is not on the page",
        "#tea/black was kept; name it too to remove it",
        "#tea/green was kept; name it too to remove it",
    )
    assert answer.title == "removed #tea in a.md"


def test_a_line_whose_loss_would_make_a_heading_is_refused(put, opened, root):
    put("a.md", "a paragraph\n\n- x\n#tea\n===\n")
    before = text_of(root)
    try:
        opened().pages.tag_remove("a", ["tea"])
    except MemwikiError as error:
        assert "by hand" in error.hint
        assert text_of(root) == before
    else:
        assert text_of(root).count("===") == 1


# --- rename ---

VAULT = """
--- a.md ---
---
tags: [Tea, x]
---
# A
#tea text `#tea` [[b#tea]] <a href="#tea"> https://x.org/#tea #tea/green #teapot
--- b.md ---
---
tags:
  - "#tea" # c
---
--- memory.md ---
- Likes it green. #tea ^m-1
--- c.md ---
no tag, tea
"""


def test_a_rename_reaches_front_matter_text_entries_and_nested_tags(write_blocks, ws, root):
    write_blocks(VAULT)
    answer = ws.pages.tag_rename("tea", "drink/tea")
    assert answer.title == "renamed #tea to #drink/tea on 3 pages"
    assert answer.op == "tag"
    assert text_of(root) == (
        "---\ntags: [drink/tea, x]\n---\n# A\n#drink/tea text `#tea` [[b#tea]] "
        '<a href="#tea"> https://x.org/#tea #drink/tea/green #teapot\n'
    )
    assert text_of(root, "b.md") == '---\ntags:\n  - "#drink/tea" # c\n---\n'
    assert text_of(root, "memory.md") == "- Likes it green. #drink/tea ^m-1\n"
    assert ("drink/tea", 3) in ws.graph.tags().tags
    assert [hit.path for hit in ws.search("tag:drink/tea/green").hits] == ["a.md"]


def test_a_tag_in_a_text_is_renamed_however_it_is_written(put, ws, root):
    put("a.md", "---\ntags: [draft]\n---\n# A\n\nIs a #Draft, and #DRAFT/old.\n")
    put("b.md", "---\ntags: [draft]\n---\n# B\n\nA draft with no sign.\n")
    put("c.md", "# C\n\n#-draft here\n\n草稿：#draft#\n")
    ws.pages.tag_rename("draft", "ready")
    assert (root / "a.md").read_text().endswith("Is a #ready, and #ready/old.\n")
    assert (root / "b.md").read_text().endswith("[ready]\n---\n# B\n\nA draft with no sign.\n")
    assert (root / "c.md").read_text() == "# C\n\n#-ready here\n\n草稿：#ready#\n"


def test_a_text_that_has_no_word_of_a_tag_is_not_read_for_it(put, ws, root, monkeypatch):
    put("a.md", "---\ntags: [draft]\n---\n# A\n\nNo sign is here.\n")
    ws.sync()
    monkeypatch.setattr("memwiki.pages.tags.renamed_inline", None)
    ws.pages.tag_rename("draft", "ready")
    assert (root / "a.md").read_text().startswith("---\ntags: [ready]\n---\n")


def test_a_rename_there_and_back_restores_every_byte(write_blocks, ws, root):
    write_blocks(VAULT.replace("[Tea", "[tea"))
    before = {path: path.read_bytes() for path in root.glob("*.md")}
    ws.pages.tag_rename("tea", "chai")
    assert {path: path.read_bytes() for path in root.glob("*.md")} != before
    ws.pages.tag_rename("chai", "tea")
    assert {path: path.read_bytes() for path in root.glob("*.md")} == before


def test_a_name_in_use_asks_for_a_merge(put, ws):
    put("a.md", "#tea\n")
    put("b.md", "#chai/x\n")
    with pytest.raises(AlreadyExistsError, match="on 1 page already") as caught:
        ws.pages.tag_rename("tea", "chai")
    assert "memwiki tag merge tea chai" in caught.value.hint


def test_a_tag_may_be_spelled_in_another_case(put, ws, root):
    put("a.md", "#Tea and #tea\n")
    ws.pages.tag_rename("tea", "TEA")
    assert text_of(root) == "#TEA and #TEA\n"


def test_a_tag_keeps_a_spelling_that_is_in_use(put, ws, root):
    put("a.md", "#Tea\n")
    assert ws.pages.tag_rename("tea", "Tea").title == "nothing changed"
    ws.pages.tag_rename("tea", "chai")
    assert text_of(root) == "#chai\n"


@pytest.mark.parametrize("new", ["Grün", "TEA", "garten/Neu", "a_b"])
def test_a_rename_to_what_tag_add_refuses_says_the_rule(put, ws, root, new):
    put("a.md", "#tea\n")
    notes = ws.pages.tag_rename("tea", new).notes
    assert notes[0] == f"#{new}: a tag is words in lower case joined by -"
    assert text_of(root) == f"#{new}\n"


def test_tags_that_are_set_are_written_as_asked_and_a_note_says_the_rule(put, ws, root):
    put("a.md", "---\ntags: [tea]\n---\n#Known\n")
    answer = ws.pages.set("a", {"tags": ["Groß", "X y", "tea", "Known", "new"]})
    assert text_of(root).startswith("---\ntags: [Groß, X y, tea, Known, new]\n")
    rule = "a tag is words in lower case joined by -"
    assert answer.notes == (f"#Groß: {rule}", f"#X y: {rule}")
    assert len(ws.pages.set("a", {"tags": "Up, Z y"}).notes) == 2


@pytest.mark.parametrize("tag", ["teas", "milk"])
def test_a_tag_nobody_carries_is_not_found(put, ws, tag):
    put("a.md", "#tea\n")
    with pytest.raises(NotFoundError) as caught:
        ws.pages.tag_rename(tag, "x")
    assert ("did you mean tea?" in caught.value.hint) == (tag == "teas")


def test_sources_and_pages_that_cannot_be_edited_are_left_and_named(put, opened, root):
    put("memwiki.toml", '[layers]\nraw = "raw"\n')
    put("a.md", "#tea\n")
    put("raw/b.md", "#tea\n")
    put("c.md", "---\nx: a: b\ntags: [tea]\n---\n")
    answer = opened().pages.tag_rename("tea", "chai")
    assert answer.paths == ("a.md",)
    assert answer.notes == (
        "skipped: c.md:2: the front matter is not valid YAML",
        "raw/b.md: skipped; sources are never changed",
    )
    assert text_of(root, "raw/b.md") == "#tea\n"


# --- merge ---


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("---\ntags: [chai, tea, x]\n---\n", "---\ntags: [tea, x]\n---\n"),
        ("---\ntags: [chai, x]\n---\n", "---\ntags: [tea, x]\n---\n"),
        ("---\ntags: tea, chai\n---\n", "---\ntags: tea\n---\n"),
        ("---\ntags:\n- chai\n- tea\n---\n", "---\ntags:\n- tea\n---\n"),
        ("text #chai #tea\n", "text #tea\n"),
        ("text #tea #chai #x\n", "text #tea #x\n"),
        ("#Chai #chai #tea\n", "#tea\n"),
        ("the #chai is no #tea\n", "the #tea is no #tea\n"),
        ("#chai/hot\n", "#tea/hot\n"),
    ],
)
def test_a_merge_leaves_no_tag_twice_side_by_side(put, opened, root, before, after):
    put("a.md", before)
    put("z.md", "#tea #chai/z\n")
    opened().pages.tag_merge("chai", "tea")
    assert text_of(root) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[[tea]], #[[chai]] , #[[d e]]", "[[tea]], #[[d e]]"),
        ("#[[chai]] , [[tea]] , #[[d e]]", "[[tea]] , #[[d e]]"),
        ("[[tea]] , [[d e]] , [[chai]]", "[[tea]] , [[d e]]"),
        ("[[d e]] , [[chai]] , x", "[[d e]] , [[tea]] , x"),
        ("[[tea]] [[chai]] [[d e]]", "[[tea]], [[d e]]"),
        ("[[tea]] ,, [[d e]] , chai , x", "[[tea]] ,, [[d e]], x"),
    ],
)
def test_a_merge_leaves_no_empty_item_in_a_property(put, opened, root, before, after):
    put("logseq/config.edn", "{}\n")
    put("pages/a.md", f"tags:: {before}\n\n- Text.\n")
    put("pages/z.md", "tags:: tea, chai/z\n\n- More.\n")
    opened().pages.tag_merge("chai", "tea")
    assert (root / "pages/a.md").read_text() == f"tags:: {after}\n\n- Text.\n"


def test_a_tag_of_two_words_in_a_block_of_logseq_is_one(put, opened, root):
    put("logseq/config.edn", "{}\n")
    put("pages/a.md", "- see #[[deep work]] and #tea #[[deep work]].\n- `#[[no tag]]`\n")
    put("pages/b.md", "tags:: deep work\n\n- x\n")
    ws = opened()
    counts = {each.tag: each.count for each in ws.graph.tags()}
    assert counts == {"deep work": 2, "tea": 1}
    assert [hit.path for hit in ws.search('tag:"deep work"').hits] == ["pages/a.md", "pages/b.md"]
    ws.pages.tag_rename("deep work", "focus")
    assert (root / "pages/a.md").read_text() == (
        "- see #[[focus]] and #tea #[[focus]].\n- `#[[no tag]]`\n"
    )
    assert (root / "pages/b.md").read_text() == "tags:: focus\n\n- x\n"
    ws.pages.tag_remove("a", ["focus"])
    left = (root / "pages/a.md").read_text()
    assert "[[" not in left.partition("`")[0]


@pytest.mark.parametrize("into", ["tea", "tea/green"])
def test_a_tag_is_not_merged_into_itself_or_below_itself(put, ws, into):
    put("a.md", "#tea/green\n")
    with pytest.raises(UsageError):
        ws.pages.tag_merge("tea", into)


def test_a_dry_run_of_a_rename_changes_nothing(put, ws, root):
    put("a.md", "#tea\n")
    answer = ws.pages.tag_rename("tea", "chai", dry_run=True)
    assert text_of(root) == "#tea\n"
    assert "-#tea\n+#chai\n" in answer.diff


def test_where_one_page_is_read_only_no_page_gets_the_new_name(put, opened, root):
    """A file was replaced by a new one, which needs no permission of it."""
    for path in ("a.md", "b.md", "c.md"):
        put(path, f"# {path}\n\n#tea\n")
    (root / "b.md").chmod(0o444)
    space = opened()
    with pytest.raises(WriteError, match=r"b\.md: is read-only"):
        space.pages.tag_rename("tea", "milk")
    assert [text_of(root, path).count("#tea") for path in ("a.md", "b.md", "c.md")] == [1, 1, 1]
    (root / "b.md").chmod(0o644)
    space.pages.tag_rename("tea", "milk")
    assert "#milk" in text_of(root, "b.md")


@pytest.mark.parametrize(
    ("verb", "into", "after"),
    [("tag_rename", "chai", "chai; herons; x"), ("tag_merge", "herons", "herons; x")],
)
def test_tags_that_semicolons_part_are_renamed_one_by_one(put, opened, root, verb, into, after):
    put("a.md", "---\nkeywords: tea; herons; x\n---\ntext\n")
    getattr(opened().pages, verb)("tea", into)
    assert text_of(root) == f"---\nkeywords: {after}\n---\ntext\n"
