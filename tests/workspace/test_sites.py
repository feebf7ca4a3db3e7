"""Folders of which MkDocs, Docusaurus or Quartz make a site: their links, ids and navigation."""

from __future__ import annotations

import pytest

from memwiki.protected import why_left_alone

NAV = """\
site_name: A site  # kept
docs_dir: pages
markdown_extensions:
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
nav:
  - Home: index.md
  - "Guide":
      - 'guide/start.md'
      - Next: "guide/next.md"  # start.md
  - https://example.org/guide/start.md
plugins: [search, "guide/start.md"]
"""


def links(ws, name):
    found = ws.graph.links(name, "out").links
    return {each.written: each.target for each in found if each.target}


def found(ws):
    return [(each.path, each.line, each.code) for each in ws.check.run().problems]


@pytest.fixture
def mkdocs(root, put):
    put("mkdocs.yml", NAV)
    put("pages/index.md", "# Home\n\n[s](guide/start.md#two_1) [r](/guide/start.md)\n")
    put(
        "pages/guide/start.md",
        '# Start\n\n## Two\n\n!!! note "See"\n\n    ## Inner\n\n'
        "    [n](next.md#own) [[next]]\n\n## Two\n",
    )
    put("pages/guide/next.md", "# Next {: #own .c }\n\n[i](start.md#inner)\n")
    put("other/guide/start.md", "# Other\n")
    return root


def test_the_pages_of_mkdocs_are_in_its_folder(mkdocs, ws):
    assert (ws.config.layers.dialect.name, ws.config.layers.dialect.root) == ("mkdocs", "pages")
    assert links(ws, "pages/index.md") == {
        "guide/start.md#two_1": "pages/guide/start.md",
        "/guide/start.md": "pages/guide/start.md",
    }
    assert [each for each in found(ws) if each[2].startswith(("link-", "heading-"))] == []


def test_a_move_reaches_admonitions_and_the_navigation(mkdocs, ws):
    ws.pages.move("pages/guide/next.md", "pages/later/on.md")
    assert "[n](../later/on.md#own)" in (mkdocs / "pages/guide/start.md").read_text()
    nav = (mkdocs / "mkdocs.yml").read_text()
    assert nav == NAV.replace('"guide/next.md"', '"later/on.md"')
    ws.pages.move("pages/guide", "pages/manual")
    nav = (mkdocs / "mkdocs.yml").read_text()
    assert nav == NAV.replace('"guide/next.md"', '"later/on.md"').replace(
        "- 'guide/start.md'", "- 'manual/start.md'"
    )
    ws.undo()
    ws.undo()
    assert (mkdocs / "mkdocs.yml").read_text() == NAV


@pytest.mark.parametrize("folder", ["!ENV [DOCS, docs]", "", "~"])
def test_a_navigation_whose_folder_is_not_written_out_is_that_of_docs(root, put, ws, folder):
    put("mkdocs.yml", f"docs_dir: {folder}\nnav: [a.md]\n")
    put("docs/a.md", "# A\n")
    ws.pages.move("docs/a.md", "docs/b.md")
    assert (root / "mkdocs.yml").read_text() == f"docs_dir: {folder}\nnav: [b.md]\n"


def test_what_leaves_the_folder_or_is_deleted_is_told_of(mkdocs, ws):
    moved = ws.pages.move("pages/guide/next.md", "attic/next.md", dry_run=True)
    assert any("mkdocs.yml:10: guide/next.md" in note for note in moved.notes)
    deleted = ws.pages.delete("pages/guide/next.md", dry_run=True)
    assert any("mkdocs.yml:10: guide/next.md" in note for note in deleted.notes)


def test_a_link_in_an_admonition_that_leads_nowhere_is_found(mkdocs, put, ws):
    put("pages/a.md", "# A\n\n??? tip\n    [x](nowhere.md) [[#None]]\n")
    assert ("pages/a.md", 4, "link-broken") in found(ws)


def test_a_page_of_docusaurus_has_its_address_id_and_slug(root, put, ws):
    put(
        "docusaurus.config.js",
        "module.exports = {presets: [['classic', {docs: {path: 'handbook', // x\n }}]]}",
    )
    put("handbook/01-guides/02-intro.md", "# Intro {#top}\n\n[s](./03-setup.md) [t](setup)\n")
    put("handbook/01-guides/03-setup.md", "---\nslug: /install\nid: start\n---\n# Setup\n")
    put("handbook/2021-01-31-news.md", "# News\n")
    put("versioned_docs/version-1/01-guides/02-intro.md", "# Intro\n")
    put(
        "handbook/a.md",
        "[a](/guides/intro#top) [b](/install) [c](guides/start) [d](@site/handbook/a.md)"
        " [e](/01-guides/02-intro.md) ![](/img/x.png) [f](/2021-01-31-news)\n",
    )
    put("static/img/x.png", "png")
    assert links(ws, "handbook/01-guides/02-intro.md") == {
        "./03-setup.md": "handbook/01-guides/03-setup.md",
        "setup": "handbook/01-guides/03-setup.md",
    }
    intro, setup = "handbook/01-guides/02-intro.md", "handbook/01-guides/03-setup.md"
    assert links(ws, "handbook/a.md") == {
        "/guides/intro#top": intro,
        "/install": setup,
        "guides/start": setup,
        "@site/handbook/a.md": "handbook/a.md",
        "/01-guides/02-intro.md": intro,
        "/img/x.png": "static/img/x.png",
        "/2021-01-31-news": "handbook/2021-01-31-news.md",
    }
    assert ws.pages.get(intro, section="Intro").text.startswith("# Intro")


@pytest.mark.parametrize(
    ("own", "site"), [(".vitepress/config.mts", ""), (".vuepress/config.js", "docs/")]
)
def test_a_path_from_the_root_of_a_translated_site_is_of_one_language(put, ws, site, own):
    put(f"{site}{own}", "export default {}\n")
    put(f"{site}guide/start.md", "# Start\n\n[i](/guide/install) [h](/README.md)\n")
    put(f"{site}guide/install.md", "# Install\n")
    put(f"{site}README.md", "# Home\n")
    put(f"{site}zh/guide/start.md", "# 开始\n\n[安](/zh/guide/install) [e](/guide/install.html)\n")
    put(f"{site}zh/guide/install.md", "# 安装\n")
    put(f"{site}zh/README.md", "# 首页\n")
    assert links(ws, f"{site}guide/start.md") == {
        "/guide/install": f"{site}guide/install.md",
        "/README.md": f"{site}README.md",
    }
    assert links(ws, f"{site}zh/guide/start.md") == {
        "/zh/guide/install": f"{site}zh/guide/install.md",
        "/guide/install.html": f"{site}guide/install.md",
    }
    assert not [each for each in found(ws) if each[2].startswith("link-")]


@pytest.mark.parametrize("site", ["", "web/"])
def test_an_address_of_docusaurus_stays_one_when_its_page_moves(root, put, ws, site):
    put(f"{site}docusaurus.config.js", "module.exports={}")
    put(f"{site}docs/01-guides/02-nests.md", "---\nid: own\n---\n# N\n\n[g](@site/src/a.js)\n")
    put(f"{site}docs/01-guides/03-logs.md", "---\nslug: /install\n---\n# L\n")
    put(f"{site}docs/01-guides/index.md", "# G\n")
    put(
        f"{site}docs/x.md",
        "[a](/guides/nests) [b](/docs/guides/nests#n) [c](guides/nests) [d](./guides/nests/)\n"
        "[e](/guides/own) [f](@site/docs/01-guides/02-nests.md)\n"
        "[g](@site/docs/01-guides/02-nests)\n"
        "[h](/install) [i](/guides) [j](guides/) [k](/docs/guides/)\n",
    )
    before = (root / f"{site}docs/x.md").read_text()
    assert len(links(ws, f"{site}docs/x.md")) == 11
    ws.pages.move(f"{site}docs/01-guides/02-nests.md", f"{site}docs/04-birds.md")
    assert (root / f"{site}docs/x.md").read_text() == (
        "[a](/birds) [b](/docs/birds#n) [c](birds) [d](./birds/)\n"
        "[e](/own) [f](@site/docs/04-birds.md)\n"
        "[g](@site/docs/04-birds)\n[h](/install) [i](/guides) [j](guides/) [k](/docs/guides/)\n"
    )
    assert "[g](@site/src/a.js)" in (root / f"{site}docs/04-birds.md").read_text()
    ws.pages.move(f"{site}docs/04-birds.md", f"{site}docs/01-guides/02-nests.md")
    assert (root / f"{site}docs/x.md").read_text() == before
    ws.pages.move(f"{site}docs/01-guides/", f"{site}docs/05-trips/01-far/")
    assert (root / f"{site}docs/x.md").read_text() == (
        before.replace("01-guides", "05-trips/01-far").replace("guides", "trips/far")
    )


def test_a_page_of_quartz_is_found_by_its_address_and_aliases(root, put, ws):
    put("quartz.config.ts", "const config = {}")
    put(
        "content/notes/A & B 5%.md",
        "---\naliases: [ab]\npermalink: here/now\ndraft: true\n---\nx\n",
    )
    put("quartz/notes/c.md", "generator\n")
    put("content/notes/c.md", "note\n")
    put(
        "content/i.md",
        "[[notes/A--and--B-5-percent]] [b](notes/A-&-B-5-percent)"
        " [[ab]] [d](/here/now) [[notes/c]]\n",
    )
    page = "content/notes/A & B 5%.md"
    assert links(ws, "content/i.md") == {
        "ab": page,
        "/here/now": page,
        "notes/c": "content/notes/c.md",
        "notes/A--and--B-5-percent": page,
        "notes/A-&-B-5-percent": page,
    }


def test_a_link_from_the_root_of_a_site_stays_one_when_its_page_moves(mkdocs, ws):
    ws.pages.move("pages/guide/start.md", "pages/begin.md")
    assert "[r](/begin.md)" in (mkdocs / "pages/index.md").read_text()


def test_agents_leave_the_settings_of_a_site_alone(ws):
    for name in ("mkdocs.yml", "docusaurus.config.ts", "quartz.config.ts"):
        assert why_left_alone(name, ws.config.layers, has_catalogs=False) == "holds the settings"


def test_addresses_without_the_numbers_of_files_follow_a_move(root, put, ws):
    put("content/docs/01-birds/02-nests.md", "# Nests\n")
    put("content/docs/03-water/index.md", "# Water\n")
    put(
        "content/docs/01-birds/04-eggs.md",
        "[n](./nests#top) [d](/docs/birds/nests) [w](/docs/water)\n",
    )
    here = "content/docs/01-birds/04-eggs.md"
    nests = "content/docs/01-birds/02-nests.md"
    assert links(ws, here) == {
        "./nests#top": nests,
        "/docs/birds/nests": nests,
        "/docs/water": "content/docs/03-water/index.md",
    }
    assert [each for each in found(ws) if each[2].startswith("link-")] == []

    ws.pages.move(nests, "content/docs/01-birds/07-nests.md")  # the number is not said
    assert "[n](./nests#top) [d](/docs/birds/nests)" in (root / here).read_text()
    ws.pages.move("content/docs/01-birds/07-nests.md", "content/docs/03-water/01-reeds.md")
    assert (
        root / here
    ).read_text() == "[n](./../water/reeds#top) [d](/docs/water/reeds) [w](/docs/water)\n"
    ws.pages.move(here, "content/docs/03-water/eggs.md")
    assert links(ws, "content/docs/03-water/eggs.md") == {
        "./../water/reeds#top": "content/docs/03-water/01-reeds.md",
        "/docs/water/reeds": "content/docs/03-water/01-reeds.md",
        "/docs/water": "content/docs/03-water/index.md",
    }


def test_a_page_that_comes_is_found_by_its_address_without_numbers(root, put, ws):
    put("a.md", "[n](birds/nests)\n")
    assert links(ws, "a.md") == {}
    put("01-birds/02-nests.md", "# Nests\n")
    assert links(ws, "a.md") == {"birds/nests": "01-birds/02-nests.md"}
    (root / "01-birds/02-nests.md").rename(root / "nests.md")
    assert links(ws, "a.md") == {}


def test_paths_with_blanks_are_written_for_generators_as_they_read_them(root, put, ws):
    before = "[s]({% link docs/setup.md %}#a) {doc}`docs/setup` {doc}`T <docs/setup>`\n"
    put("a.md", before)
    put("docs/setup.md", "# Setup\n")
    assert ws.pages.move("docs/setup.md", "docs/my place/setup.md").notes == ()
    assert (root / "a.md").read_text() == (
        "[s]({% link docs/my place/setup.md %}#a) {doc}`docs/my place/setup`"
        " {doc}`T <docs/my place/setup>`\n"
    )
    ws.pages.move("docs/my place/setup.md", "docs/setup.md")
    assert (root / "a.md").read_text() == before


def test_a_link_that_is_none_any_more_is_told_with_its_own_line(root, put, ws):
    put("a.md", "{doc}`setup`\n\n[s](setup.md)\n")
    put("setup.md", "# Setup\n")
    assert ws.pages.move("setup.md", "R&D.md").notes == ("a.md:1: setup is a broken link now",)


def test_links_that_generators_make_of_pages_lead_to_them_and_move_along(root, put, ws):
    put("about.md", "---\npermalink: /about/\n---\n[b]({% link _guides/brew.md %})\n")
    put("_guides/brew.md", "[about](/about/)\n")
    put("_posts/2020-01-02-tea.md", "[b]({% post_url more/2020-01-03-milk %}#hot)\n")
    put("_posts/more/2020-01-03-milk.md", "[t]({{ site.baseurl }}{% post_url 2020-01-02-tea %})\n")
    put("content/a.md", '[b]({{< ref "b.md#h" >}}) [b]({{% relref "/c/b" %}})\n')
    put("content/c/b.md", "[a](@/a.md#h)\n")
    assert links(ws, "content/c/b.md") == {"/a.md#h": "content/a.md"}
    assert set(links(ws, "content/a.md").values()) == {"content/c/b.md"}
    before = {path: path.read_bytes() for path in root.rglob("*.md")}
    for old, new in (
        ("about.md", "pages/about.md"),
        ("_guides/brew.md", "_guides/brewing.md"),
        ("_posts/more/2020-01-03-milk.md", "_posts/more/2020-01-03-oat.md"),
        ("_posts/2020-01-02-tea.md", "_posts/2020-01-02-green.md"),
        ("content/c/b.md", "content/d/e.md"),
        ("content/a.md", "content/z.md"),
    ):
        ws.pages.move(old, new)
    said = {path.name: path.read_text() for path in root.rglob("*.md")}
    assert said["about.md"].endswith("[b]({% link _guides/brewing.md %})\n")
    assert said["brewing.md"] == "[about](/about/)\n"  # as the page says itself
    assert said["2020-01-02-green.md"] == "[b]({% post_url more/2020-01-03-oat %}#hot)\n"
    assert "[t]({{ site.baseurl }}{% post_url 2020-01-02-green %})" in said["2020-01-03-oat.md"]
    assert said["z.md"] == '[b]({{< ref "e.md#h" >}}) [b]({{% relref "/d/e" %}})\n'
    assert said["e.md"] == "[a](@/z.md#h)\n"
    for _ in range(6):
        ws.undo()
    assert {path: path.read_bytes() for path in root.rglob("*.md")} == before


def test_tags_of_jekyll_and_hexo_are_links_wherever_they_stand(root, put, ws):
    text = (
        '<a href="{{% post_url {0} %}}">t</a> {{% post_link {0} tea %}}\n`{{% post_link x %}}`\n'
        "[p]({{% post_path {0} %}}) [q]({{% post_url {0} %}})\n\n"
        "[r]: {{{{ site.url }}}}{{% link _posts/{0}.md %}}\n"
    )
    put("_posts/tea.md", "# Tea\n")
    put("a.md", text.format("tea"))
    assert links(ws, "a.md") == {"tea": "_posts/tea.md", "_posts/tea.md": "_posts/tea.md"}
    ws.pages.move("_posts/tea.md", "_posts/chai.md")
    assert (root / "a.md").read_text() == text.format("chai")
    ws.undo()
    assert (root / "a.md").read_text() == text.format("tea")


def test_a_card_of_myst_leads_to_its_page_and_moves_along(root, put, ws):
    text = ":::{{grid-item-card}}\n:link: {}\n:link: https://x.org/a.md\nTea\n:::\n"
    put("sub/tea.md", "# Tea\n")
    put("a.md", text.format("sub/tea.md#hot"))
    assert links(ws, "a.md") == {"sub/tea.md#hot": "sub/tea.md"}
    ws.pages.move("sub/tea.md", "my chai.md")
    assert (root / "a.md").read_text() == text.format("my%20chai.md#hot")
    assert links(ws, "a.md") == {"my chai.md#hot": "my chai.md"}


def test_what_names_a_page_without_brackets_moves_along(root, put, ws):
    put("sub/CLAUDE.md", "Read @../docs/style.md and @./more.md.\n")
    put("sub/more.md", "# More\n")
    put("docs/style.md", "# Style\n\nAs in {doc}`the words <words>` and {doc}`/docs/words`.\n")
    put("docs/words.md", "# Words\n")
    assert [each.source for each in ws.graph.links("docs/style.md", "in").links] == [
        "sub/CLAUDE.md"
    ]
    ws.pages.move("docs/style.md", "docs/guide/code.md")
    ws.pages.move("sub/more.md", "sub/less.md")
    assert (root / "sub/CLAUDE.md").read_text() == "Read @../docs/guide/code.md and @./less.md.\n"
    text = (root / "docs/guide/code.md").read_text()
    assert text.endswith("As in {doc}`the words <../words>` and {doc}`/docs/words`.\n")
    ws.pages.move("sub/CLAUDE.md", "sub/notes.md")
    assert ws.graph.links("docs/guide/code.md", "in").links == ()


def test_a_name_with_a_blank_is_not_written_into_a_tag_that_ends_at_one(root, put, ws):
    put("_posts/tea.md", "# Leaf\n")
    put("a.md", "{% post_link tea Words of it %}\n\n{% link https://a.example Words %}\n")
    assert links(ws, "a.md") == {"tea": "_posts/tea.md"}
    moved = ws.pages.move("_posts/tea.md", "_posts/green tea.md")
    assert (root / "a.md").read_text().startswith("{% post_link tea Words of it %}")
    assert any("a.md:1" in note for note in moved.notes)
