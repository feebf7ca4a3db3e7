"""What check says about links, and how it mends them."""

import time

import pytest

from memwiki.check.link_targets import swapped
from memwiki.check.overview import WorkspaceOverview
from tests.effort import for_each


def messages(ws, code):
    return [each.message for each in ws.check.run(only=[code]).problems]


def test_a_path_in_another_case_is_mended_and_nothing_else_is_touched(ws, root, put):
    before = (
        b"\xef\xbb\xbf[b](SUB/my%20B.md#Part) and `[b](SUB/my%20B.md)`\r\n"
        b'![p](<SUB/Pic one.PNG> "SUB/Pic one.PNG") [[SUB/my b]]\n[def]: SUB/my%20B.md\n[x][def]'
    )
    put("wiki/a.md", before)
    put("wiki/sub/My b.md", "# Part\n")
    put("wiki/sub/pic One.png", b"PNG")
    found = ws.check.run(only=["link-case"])
    assert [each.fixable for each in found.problems] == [True] * 3
    edited = ws.check.fix(found)
    assert edited.paths == ("wiki/a.md",)
    after = (root / "wiki/a.md").read_bytes()
    assert after.splitlines()[0] == (
        b"\xef\xbb\xbf[b](sub/My%20b.md#Part) and `[b](SUB/my%20B.md)`"
    )
    assert after.splitlines()[1] == b'![p](<sub/pic One.png> "SUB/Pic one.PNG") [[SUB/my b]]'
    assert ws.check.run(only=["link-case"]).problems == ()


def test_an_attachment_found_by_the_end_of_its_path_is_spelled_as_written(ws, put):
    put("content/notes/images/Net.png", b"PNG")
    put("content/notes/a.md", "![net](notes/images/Net.png) [[images/Net.png]]\n")
    assert messages(ws, "link-case") == []
    put("content/notes/b.md", "![net](notes/images/net.png)\n")
    (found,) = ws.check.run(only=["link-case"]).problems
    assert (found.path, found.fixable) == ("content/notes/b.md", True)


def test_a_name_in_the_form_of_macos_is_spelled_as_written(ws, put):
    put("Gro\u0308\u00dfe/U\u0308ber.md", "# Über\n")
    put("a.md", "[a](Gr\u00f6\u00dfe/\u00dcber.md) [b](Gr%C3%B6%C3%9Fe/%C3%9Cber)\n")
    assert messages(ws, "link-case") == []
    put("b.md", "[a](Gr\u00f6\u00dfe/\u00fcber.md)\n")
    assert len(messages(ws, "link-case")) == 1


def test_what_a_fix_cannot_reach_is_not_called_fixable(ws, put):
    put("b.md", "# B\n")
    put("a.md", "[b](B%2Emd)\n")
    report = ws.check.run(only=["link-case"])
    assert report.problems
    assert not any(each.fixable for each in report.problems)
    assert ws.check.fix(report).paths == ()


@for_each(
    ("line", "mended"),
    [
        (b"[b](B.md)", b"[b](b.md)"),
        (b"[b](B.md#x) [c](B.md?y)", b"[b](b.md#x) [c](b.md?y)"),
        (b'[b](<B.md> "B.md")', b'[b](<b.md> "B.md")'),
        (b"[b]: B.md", b"[b]: b.md"),
        (b"B.md [b](B.mdx) [b](x/B.md)", b"B.md [b](B.mdx) [b](x/B.md)"),
        (b"(B.md)", b"(B.md)"),
        (b"[a\nb](B.md)", b"[a\nb](b.md)"),
        (b"[b](B%2Emd)", b"[b](B%2Emd)"),
    ],
)
def test_only_the_target_of_a_link_is_swapped(line, mended):
    text = b"\xff B.md\r\n~~~\n[b](B.md)\n~~~\n%b\r\n```\n[b](B.md)\n```\r\n`[b](B.md)`\x85\xc2\xa0"
    assert swapped(text % line, {"B.md": "b.md"}) == text % mended


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("old/setup.md", "wiki/guides/setup.md"),
        ("guides/set-up.md", "wiki/guides/setup.md"),
        ("guides/setpu-guide.md", ""),
        ("guides/setups.md", "wiki/guides/setup.md"),
        ("guides\\\\setup.md", "wiki/guides/setup.md"),
        ("plan-2025.md", ""),
        ("pan.md", ""),
        ("images/Chart.png", "wiki/img/chart.png"),
    ],
)
def test_a_broken_link_names_the_file_that_may_be_meant(ws, put, written, meant):
    put("wiki/guides/setup.md", "How to set it up.")
    put("wiki/plan-2026.md", "A plan.")
    put("wiki/pen.md", "A pen.")
    put("wiki/img/chart.png", b"PNG")
    put("wiki/a.md", f"[x]({written})")
    (message,) = messages(ws, "link-broken")
    assert message.endswith(f"; did you mean {meant}?" if meant else "no such file")


def test_of_several_files_of_that_name_the_one_in_like_folders_is_named(ws, put):
    for folder in ("red", "green", "blue"):
        put(f"wiki/{folder}/guide/setup.md", "Set up.")
    put("wiki/green/a.md", "[x](manual/setup.md) [y](../blue/old/guide/setup.md)")
    assert [message.partition("mean ")[2] for message in messages(ws, "link-broken")] == [
        "wiki/blue/guide/setup.md?",
        "wiki/green/guide/setup.md?",
    ]


def test_of_a_name_that_each_folder_has_no_more_are_looked_at_than_are_too_many(
    ws, put, monkeypatch
):
    for number in range(40):
        put(f"{number}/README.md", "# Part\n\n[up](../README.md)\n")
    looked_at = list[str]()
    real = WorkspaceOverview.namespace_of
    monkeypatch.setattr(
        WorkspaceOverview,
        "namespace_of",
        lambda self, path: looked_at.append(path) or real(self, path),
    )
    assert len(messages(ws, "link-broken")) == 40
    assert len(looked_at) <= 40 * 20  # 40 for each would be all of them


def test_wanted_names_are_counted_over_all_pages(ws, put):
    put("wiki/a.md", "[[Night]] [[night]]")
    put("wiki/b.md", "[[NIGHT|it]] ![[Dawn]]")
    assert messages(ws, "link-wanted") == ["Night: no such page yet, wanted by 3 links"]


def test_a_superseded_page_names_its_successor(ws):
    """
    --- a.md ---
    ---
    superseded_by: "[[b]]"
    ---
    --- b.md ---
    New.
    --- c.md ---
    [[a]]
    """
    assert messages(ws, "link-superseded") == ["a.md is superseded by b.md; link to that"]


def test_what_entries_are_about_is_no_link_to_a_rule(ws, put):
    """Neither do they want a page or break, nor do they keep a page from being an orphan."""
    put("wiki/tea.md", "# Tea\n\nA drink.\n")
    put("wiki/sub/a/tea.md", "# Another\n\nA drink.\n")
    put(
        "memory.md",
        "- a [subject:: Tea] [object:: Nobody] [topic:: [[Nowhere.md]]] ^m-aaaaaa\n"
        "- b [superseded_by:: m-aaaaaa] [supersedes:: m-zzzzzz] ^m-bbbbbb\n",
    )
    before = {each.path for each in ws.check.run(only=["orphan"]).problems}
    assert before >= {"wiki/tea.md"}
    codes = ["link-wanted", "link-broken", "link-ambiguous", "link-by-title", "link-superseded"]
    assert ws.check.run(only=[*codes, "supersedes-cycle", "block-missing"]).problems == ()
    put("wiki/b.md", "[[Tea]] [[Nobody]]\n")
    (wanted,) = messages(ws, "link-wanted")
    assert wanted == "Nobody: no such page yet, wanted by 1 link"


def test_pages_of_a_site_that_has_no_such_folder_are_named_once_a_folder(ws, put):
    put("book/src/b.md", "[a](a.html#part)\n\n# Part\n")
    put("book/src/a.md", "[s](../std/mem/fn.swap.html) [v](../std/vec.html) [c](c.html)\n# Part\n")
    assert messages(ws, "link-off-site") == [
        "2 links to book/std/: no such folder; an address on a website?"
    ]
    assert messages(ws, "link-broken") == ["c.html: no such file"]
    assert messages(ws, "heading-missing") == []


@pytest.mark.parametrize(
    ("text", "anchor"),
    [
        ("### Way <small>Crumbs</small> { id=the-way }\n", "the-way"),
        ('### Way {: data-x="a" id="way" }\n', "way"),
        ("#### <!-- md:setting config.lang -->\n", "config.lang"),
        ("## The way :star: home\n", "the-way-home"),
        ("## The way :star: home\n", "the-way-star-home"),
        ("### `way` \\[array&lt;string>]\n", "way-arraystring"),
        ("(the-way)=\n## Home\n", "the-way"),
        ("## Home [#the-way]\n", "the-way"),
        ("A claim.[^2]\n\n[^2]: Where it is from.\n", "fn:2"),
        ("A claim.[^2]\n\n[^2]: Where it is from.\n", "fnref:2"),
    ],
)
def test_the_id_that_a_website_gives_a_place_is_one(ws, put, text, anchor):
    put("b.md", text)
    put("a.md", f"[b](b.md#{anchor}) [b](b.md#not-{anchor})\n")
    (found,) = messages(ws, "heading-missing")
    assert found.startswith(f"#not-{anchor}:")


def test_a_page_has_a_thousand_names_of_places_at_most(ws, put):
    put("a.md", "".join(f"(place-{number})=\n" for number in range(20_000)))
    started = time.process_time()
    assert messages(ws, "alias-collision") == []
    assert time.process_time() - started < 10
    put("b.md", "[x](place-999) [y](place-1000)\n")
    assert messages(ws, "link-broken") == ["place-1000: no such file"]


def test_what_myst_calls_a_place_leads_to_its_page(ws, put):
    put("a.md", "(tea-pot)=\n# The pot\n\n(cup)=\n## Cup\n\n```\n(code)=\n```\n")
    put("cup.md", "# Another\n")
    put("b.md", "[pot](tea-pot) [](tea-pot) [c](code)\n")
    assert messages(ws, "link-broken") == ["code: no such file"]
    assert messages(ws, "alias-collision") == []
    assert {each.target for each in ws.graph.links("b.md", "out").links if each.target} == {"a.md"}


@pytest.mark.parametrize("text", ["[[toc]]", "[[TOC]]", "[[_TOC_]]", "[[_TOSP_]]"])
def test_where_a_website_puts_a_table_of_contents_no_page_is_wanted(ws, put, text):
    put("b.md", f"{text}\n\n# B\n")
    assert messages(ws, "link-wanted") == []
    put("toc.md", "# Contents\n")
    put("c.md", "[[toc]]\n")
    assert [each.target for each in ws.graph.links("c.md", "out").links] == ["toc.md"]


def test_a_date_that_is_to_be_filled_in_is_no_finding(ws, put):
    put("b.md", "---\ncreated: '{date}'\nupdated: <% tp.date.now() %>\n---\n")
    assert messages(ws, "date-unreadable") == []
    put("c.md", "---\ncreated: one day\n---\n")
    assert len(messages(ws, "date-unreadable")) == 1


@pytest.mark.parametrize("suffix", [".mdx", ".qmd", ".Rmd", ".rst", ".ipynb"])
def test_a_link_to_a_page_of_another_form_is_not_broken(ws, put, suffix):
    put(f"docs/b{suffix}", "# B\n")
    put("docs/a.md", f"[a](./b) [b](b.html#part) [c](/docs/b) [d](b/) [e](b{suffix}) [f](c)\n")
    assert messages(ws, "link-broken") == ["c: no such file"]
    assert messages(ws, "link-off-site") == []


def test_the_number_of_a_note_leads_to_it_and_stays_a_link_to_it(ws, put, root):
    put("202101011200 Heron nests.md", "[[202102031405]]\n")
    put("trees 202102031405.md", "[[202101011200]] [[202109091200]]\n")
    assert messages(ws, "link-wanted") == ["202109091200: no such page yet, wanted by 1 link"]
    ws.pages.move("202101011200 Heron nests", "202101011200 Nests")
    assert (root / "trees 202102031405.md").read_text() == "[[202101011200]] [[202109091200]]\n"
    ws.pages.move("202101011200 Nests", "Nests")
    assert (root / "trees 202102031405.md").read_text() == "[[Nests]] [[202109091200]]\n"


def test_attributes_that_never_end_are_looked_through_once(ws, put):
    """A quadratic scan takes minutes."""
    put("b.md", "# B\n\n{" + " id=a" * 100_000 + "\n")
    put("a.md", "[b](b.md#not)\n")
    started = time.process_time()
    assert len(messages(ws, "heading-missing")) == 1
    assert time.process_time() - started < 10


def test_attributes_of_a_heading_are_no_words_of_its_title(ws, put):
    for written in ("{ id=way }", '{: class="c" }', "{data-toc-label='W'}", "{#way}"):
        put("b.md", f"# The way {written}\n")
        assert [page.title for page in ws.pages.list().pages] == ["The way"]
    put("b.md", "# The set {x=1}\n")
    assert [page.title for page in ws.pages.list().pages] == ["The set {x=1}"]


def test_blocks_and_tags_that_notes_link_to_are_no_missing_pages(ws, put):
    put("b.md", "See [*](((aB-cd_Fgh))), [[tag:tea]], [[tag:tea/green|green]]\n\n#tea #tea/green\n")
    assert messages(ws, "link-broken") == messages(ws, "link-wanted") == []
    put("b.md", "[[tag:coffee]]\n\n#tea\n")
    assert messages(ws, "link-wanted") == ["tag:coffee: no such page yet, wanted by 1 link"]


def test_what_myst_calls_a_place_of_another_page_is_no_missing_heading(ws, put):
    put("a.md", "# A\n\nSee [](#sec-loss) and [](#sec-gain), {doc}`b` and {doc}`c`.\n")
    put("b.md", "# B\n\n(sec-loss)=\n## Loss\n\nBack to {doc}`the first <a>`.\n")
    problems = {(p.code, p.message.split(":")[0]) for p in ws.check.run(["a.md"]).problems}
    assert {each for each in problems if each[0].startswith(("heading", "link"))} == {
        ("heading-missing", "#sec-gain"),
        ("link-broken", "c"),
    }


def test_an_option_of_a_directive_of_myst_calls_a_place_too(ws, put):
    put("a.md", "[](#fig:pot), [the cup](#cup), ![](#cup), [](#bowl)\n")
    put("b.md", "```{figure} pot.svg\n:name: fig:pot\nA pot.\n```\n\n(cup)=\n## Cup\n")
    assert messages(ws, "heading-missing") == ["#bowl: this page has no such heading"]


@pytest.mark.parametrize(
    "text",
    [
        "::: mkdocs-click\n    :module: tea.cli",
        "::: tea.pots.Pot",
        "::: tea\n    options:\n      members: no",
        '--8<-- "pots.md"',
        "{{#include pots.md}}",
        "```{include} pots.md\n```",
        ":::{autoclass} tea.Pot\n:::",
        "{% include_relative pots.md %}",
        '{{% include "pots.md" %}}',
        "[!INCLUDE [pots](../includes/pots.md)]",
        "import Pots from './_pots.mdx'",
    ],
)
def test_what_a_program_puts_in_a_page_may_have_any_heading(ws, put, text):
    put("a.md", "[b](b.md#pots)\n")
    put("b.md", f"# B\n\n{text}\n")
    assert messages(ws, "heading-missing") == []


@pytest.mark.parametrize("text", ["::: tip\nPots\n:::", "::: tip Pots\n:::", "{% include toc %}"])
def test_what_only_frames_text_brings_no_heading(ws, put, text):
    put("a.md", "[b](b.md#pots)\n")
    put("b.md", f"# B\n\n{text}\n")
    assert messages(ws, "heading-missing") == ["#pots: b.md has no such heading"]


def test_an_alias_of_another_page_is_no_heading_of_this_one(ws, put):
    put("a.md", "---\naliases: [setup]\n---\n")
    put("b.md", "[see](#setup)\n\nand [[#setup]]\n")
    assert len(messages(ws, "heading-missing")) == 2


@pytest.mark.parametrize(("config", "missing"), [("mkdocs.yml", []), ("x.yml", ["embed-missing"])])
def test_a_picture_may_be_reached_from_the_address_of_its_page(put, ws, config, missing):
    """MkDocs serves a page as a folder, and leaves HTML as it is."""
    put(config, "site_name: Tea\n")
    put("docs/img/pot.png", b"x")
    put("docs/tea/pots.md", '# Pots\n\n<img src="../../img/pot.png">\n<img src="../img/pot.png">\n')
    assert [each.code for each in ws.check.run(only=["embed-missing"]).problems] == missing


def test_a_path_of_one_machine_is_one_finding(ws, put):
    put("a.md", "[d](D:\\notes\\a.md) ![t](C:/Users/me/x.png) [h](~/a.md) [gone](b.md)\n")
    assert len(messages(ws, "link-escapes")) == 3
    assert messages(ws, "embed-missing") == []
    assert messages(ws, "link-broken") == ["b.md: no such file"]


def test_the_prefix_of_an_id_on_github_is_no_part_of_it(ws, put):
    put("b.md", "## The way\n")
    put("a.md", "[b](b.md#user-content-the-way) [b](b.md#user-content-home)\n")
    (found,) = messages(ws, "heading-missing")
    assert found.startswith("#user-content-home:")


def test_headings_without_a_latin_letter_are_counted_as_mkdocs_does(ws, put):
    put("b.md", "# 首页\n\n## 安装 Tea\n\n## 使用\n")
    put("a.md", "[b](b.md#_1) [b](b.md#_2) [b](b.md#_3)\n")
    (found,) = messages(ws, "heading-missing")
    assert found.startswith("#_3:")
