"""The resolver: ten steps from a name to a page, and what happens when several answer."""

from __future__ import annotations

import pytest

from memwiki.index.find import NamesInMemory
from memwiki.index.resolve import Resolution, Resolver
from memwiki.nouns import Dialect, Layers, Link, LinkKind, LinkStatus
from tests.markdown.conftest import LAYERS as TEMPLATE


@pytest.fixture
def ask(lookup):
    """Resolve one link among some pages, asking the tables and the dictionaries."""

    def answer(
        pages,
        written: str,
        source: str = "",
        *,
        kind: LinkKind = LinkKind.WIKILINK,
        heading: str = "",
        layers: Layers | None = None,
        files=(),
    ) -> Resolution:
        names = lookup(pages, files)
        link = Link(written, "", 1, kind, heading)
        found = Resolver(names, layers or Layers()).resolve(link, source)
        assert Resolver(NamesInMemory(names), layers or Layers()).resolve(link, source) == found
        return found

    return answer


def page(title: str = "", **fields: str) -> str:
    lines = [f"{name}: {value}" for name, value in fields.items()]
    return "\n".join(["---", *([f"title: {title}"] if title else []), *lines, "---", "text", ""])


# --- the ten steps -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "source", "target", "by"),
    [
        ("", "sub/here.md", "sub/here.md", "same page"),
        ("wiki/home.md", "", "wiki/home.md", "path"),
        ("wiki/home", "", "wiki/home.md", "path"),
        ("/wiki/home", "sub/here.md", "wiki/home.md", "path"),
        ("Wiki/HOME", "", "wiki/home.md", "path"),
        ("deep/x", "sub/here.md", "sub/deep/x.md", "relative path"),
        ("./deep/x.md", "sub/here.md", "sub/deep/x.md", "relative path"),
        ("../wiki/home.md", "sub/here.md", "wiki/home.md", "relative path"),
        ("deep/x", "", "sub/deep/x.md", "path suffix"),
        ("home", "sub/here.md", "wiki/home.md", "file name"),
        ("HOME.md", "sub/here.md", "wiki/home.md", "file name"),
        ("other.markdown", "", "wiki/other.markdown", "file name"),
        ("other", "", "wiki/other.markdown", "file name"),
        ("The Start", "", "wiki/home.md", "alias"),
        ("h-1", "", "wiki/home.md", "alias"),
        ("A Great Title", "", "wiki/home.md", "title"),
        ("a great TITLE", "", "wiki/home.md", "title"),
        ("a-great-title", "", "wiki/home.md", "slug"),
        ("A_Great  Title!", "", "wiki/home.md", "slug"),
        ("向量 数据库", "", "wiki/zh.md", "slug"),
        ("picture.png", "", "img/picture.png", "attachment"),
        ("img/picture.png", "", "img/picture.png", "attachment"),
        ("guide", "", "guide/README.md", "folder"),
        ("guide/", "", "guide/README.md", "folder"),
        ("sub/book", "", "sub/book/index.md", "folder"),
    ],
)
def test_the_steps_in_order(ask, written, source, target, by):
    pages = {
        "wiki/home.md": page("A Great Title", aliases="[The Start]", id="h-1"),
        "wiki/other.markdown": page(),
        "wiki/zh.md": page("向量-数据库"),
        "sub/here.md": page(),
        "sub/deep/x.md": page(),
        "guide/README.md": page(),
        "sub/book/index.md": page(),
    }
    found = ask(pages, written, source, files=["img/picture.png"])
    assert (found.status, found.target, found.by) == (LinkStatus.RESOLVED, target, by)
    assert found.candidates in ((target,), ())


def test_the_last_step_takes_the_text_with_its_sharp(ask):
    pages = {"c-sharp.md": page("C#"), "notes/F# guide.md": page(), "x.md": page(aliases="['J#2']")}
    for written, heading, target in (("F", " guide", "notes/F# guide.md"), ("J", "2", "x.md")):
        found = ask(pages, written, heading=heading)
        assert (found.target, found.by) == (target, "full text")


def test_an_earlier_step_decides_alone(ask):
    pages = {"a/home.md": page("x"), "b/x.md": page("home"), "c/y.md": page(aliases="[home, x]")}
    assert ask(pages, "home").target == "a/home.md"
    assert ask(pages, "x").target == "b/x.md"


def test_a_path_that_ends_in_a_slash_is_its_folder_whatever_else_has_that_name(ask):
    pages = {"README.md": page("Notes"), "notes/README.md": page("Notes"), "a/notes.md": page()}
    found = ask(pages, "notes/", "README.md", kind=LinkKind.MARKDOWN)
    assert (found.status, found.target) == (LinkStatus.RESOLVED, "notes/README.md")
    assert ask(pages, "notes", "README.md").target == "a/notes.md"


def test_a_wikilink_is_read_from_the_root_and_a_markdown_link_from_its_folder(ask):
    pages = ["sub/a.md", "a.md", "sub/here.md"]
    assert ask(pages, "a.md", "sub/here.md").target == "a.md"
    assert ask(pages, "a.md", "sub/here.md", kind=LinkKind.MARKDOWN).target == "sub/a.md"
    assert ask(pages, "/a.md", "sub/here.md", kind=LinkKind.MARKDOWN).target == "a.md"
    assert ask(pages, "./a.md", "sub/here.md").target == "sub/a.md"


@pytest.mark.parametrize("name", ["Node.js", "v1.2", "a.b.c", "ASP.NET Core"])
def test_names_with_dots_are_names(ask, name):
    found = ask([f"wiki/{name}.md"], name)
    assert (found.target, found.by) == (f"wiki/{name}.md", "file name")


def test_a_page_whose_name_is_a_title_of_another_wins_by_its_name(ask):
    assert ask({"cache.md": page(), "other.md": page("Cache")}, "Cache").target == "cache.md"


def test_names_in_other_unicode_forms_and_accents_are_the_same_name(ask):
    assert ask(["caf\u00e9.md"], "cafe\u0301").target == "caf\u00e9.md"
    assert ask(["STRASSE.md"], "straße").target == "STRASSE.md"


@pytest.mark.parametrize(("written", "other"), [("कील", "काल"), ("ปู", "ปี"), ("שָׁלוֹם", "שְׁלֹם")])
def test_a_name_is_no_other_one_whose_letters_have_other_signs(ask, written, other):
    assert ask([f"{other}.md"], written).target == ""
    assert ask([f"{other}.md", f"{written}.md"], written).target == f"{written}.md"


@pytest.mark.parametrize("written", ["../../out.md", "../../../etc/passwd", "../../sub/here.md"])
def test_no_path_leads_out_of_the_workspace(ask, written):
    assert ask(["out2.md", "sub/here2.md"], written, "sub/here2.md").target == ""


# --- several answers -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pages", "source", "best"),
    [
        (["a/x.md", "b/x.md", "x.md"], "b/here.md", "b/x.md"),  # same folder
        (["a/sub/x.md", "b/x.md"], "a/other/here.md", "a/sub/x.md"),  # same top folder
        (["a/one/x.md", "a/two/x.md"], "a/two/sub/here.md", "a/two/x.md"),  # longest common folder
        (["a/one/n/x.md", "a/two/d/e/x.md", "a/x.md"], "a/two/b/here.md", "a/two/d/e/x.md"),
        (["wiki/x.md", "lab/one/x.md"], "lab/two/here.md", "lab/one/x.md"),  # before the layer
        (["a/one/x.md", "wiki/x.md"], "ab/one/here.md", "wiki/x.md"),  # whole names of folders
        (["wiki/deep/down/x.md", "x.md"], "daily/here.md", "wiki/deep/down/x.md"),
        (["inbox/x.md", "notes/x.md", "notes/b/x.md"], "daily/here.md", "notes/x.md"),
        (["raw/x.md", "inbox/x.md"], "daily/here.md", "inbox/x.md"),
        (["raw/x.md", "inbox/x.md", "n/m/x.md", "n/o/x.md"], "daily/here.md", "n/m/x.md"),
        (["raw/x.md", "raw/a/x.md", "wiki/x.md"], "raw/b/here.md", "raw/x.md"),
        (["inbox/x.md", "wiki/x.md"], "inbox/here.md", "inbox/x.md"),
        (["one/x.md", "one/two/x.md"], "daily/here.md", "one/x.md"),  # shortest path
        (["two/x.md", "one/x.md"], "daily/here.md", "one/x.md"),  # alphabetical
    ],
)
def test_ties_are_broken_and_reported(ask, pages, source, best):
    texts = {source: page(), **{path: page("Tie") for path in pages}}
    found = ask(texts, "Tie", source, layers=TEMPLATE)
    assert (found.status, found.target, found.by) == (LinkStatus.AMBIGUOUS, best, "title")
    assert found.candidates[0] == best
    assert sorted(found.candidates) == sorted(pages)


def test_memory_comes_before_other_pages_at_the_root(ask):
    pages = {"memory.md": page("Known"), "a.md": page("Known"), "wiki/k.md": page("Known")}
    order = ask(pages, "Known", "daily/here.md", layers=TEMPLATE).candidates
    assert order == ("wiki/k.md", "memory.md", "a.md")


def test_a_page_that_answers_twice_at_one_step_is_not_ambiguous(ask):
    found = ask({"a.md": page("A", aliases="[Foo Bar, foo-bar, FOO BAR]")}, "Foo Bar")
    assert (found.status, found.target) == (LinkStatus.RESOLVED, "a.md")


def test_of_two_paths_that_differ_only_in_case_the_one_that_is_written_is_meant(ask):
    assert ask(["README.md", "readme.md"], "readme.md").target == "readme.md"
    assert ask(["README.md", "readme.md"], "README.md").target == "README.md"
    assert ask(["Tea.md", "tea.md"], "tea").target == "tea.md"
    assert ask(["a.md", "a.md.md"], "a.md").status is LinkStatus.RESOLVED
    assert (
        ask(["Gr\u00f6\u00dfe.md", "Gro\u0308\u00dfe.md"], "Gro\u0308\u00dfe").target
        == "Gro\u0308\u00dfe.md"
    )
    found = ask(["README.md", "readme.md"], "ReadMe.md")
    assert found.status is LinkStatus.AMBIGUOUS
    assert set(found.candidates) == {"README.md", "readme.md"}


@pytest.mark.parametrize("source", ["", "wiki/here.md", "notes/a/here.md"])
@pytest.mark.parametrize("written", ["x", "Tie", "other name"])
@pytest.mark.parametrize("aside", [["raw/x.md"], ["inbox/x.md"], ["raw/x.md", "raw/a/x.md"]])
def test_a_page_made_of_a_source_of_its_name_is_meant(ask, source, written, aside):
    pages = {path: page("Tie", aliases="[other name]") for path in ["wiki/e/x.md", *aside]}
    found = ask(pages, written, source, layers=TEMPLATE)
    assert (found.status, found.target) == (LinkStatus.RESOLVED, "wiki/e/x.md")
    assert sorted(found.candidates) == sorted(pages)
    # Without layers a folder called raw is one like any other.
    assert ask(pages, written, source).status is LinkStatus.AMBIGUOUS


@pytest.mark.parametrize("kind", [LinkKind.SOURCE, LinkKind.CITED])
@pytest.mark.parametrize(
    ("pages", "status", "target"),
    [
        (["raw/a/x.md", "wiki/x.md", "inbox/x.md"], LinkStatus.RESOLVED, "raw/a/x.md"),
        (["raw/a/x.md", "raw/x.md", "wiki/x.md"], LinkStatus.AMBIGUOUS, "raw/x.md"),
        (["wiki/x.md", "inbox/x.md"], LinkStatus.RESOLVED, "wiki/x.md"),
    ],
)
def test_sources_mean_the_source_and_not_the_page_made_of_it(ask, kind, pages, status, target):
    found = ask(pages, "x", "notes/here.md", kind=kind, layers=TEMPLATE)
    assert (found.status, found.target) == (status, target)


def test_what_is_related_is_the_page_and_not_its_source(ask):
    pages = ["raw/a/x.md", "wiki/x.md"]
    related = ask(pages, "x", "notes/here.md", kind=LinkKind.RELATED, layers=TEMPLATE)
    assert related.target == "wiki/x.md"


def test_an_attachment_that_was_retired_answers_to_its_path_alone(ask):
    files = ["archive/wiki/i.png"]
    for written, status in (("i.png", LinkStatus.BROKEN), (files[0], LinkStatus.RESOLVED)):
        found = ask([], written, kind=LinkKind.EMBED, layers=TEMPLATE, files=files)
        assert found.status is status


# --- the archive ---------------------------------------------------------------------------------


@pytest.mark.parametrize("written", ["old", "Old Title", "older", "old-title"])
def test_what_was_retired_answers_to_its_exact_path_alone(ask, written):
    pages = {"archive/old.md": page("Old Title", aliases="[older]")}
    assert ask(pages, written, layers=TEMPLATE).status is LinkStatus.WANTED
    assert ask(pages, written, layers=Layers()).target == "archive/old.md"
    assert ask(pages, "archive/old", layers=TEMPLATE).target == "archive/old.md"


# --- no answer -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "kind", "status"),
    [
        ("New Idea", LinkKind.WIKILINK, LinkStatus.WANTED),
        ("sub/New Idea", LinkKind.WIKILINK, LinkStatus.WANTED),
        ("gone.md", LinkKind.WIKILINK, LinkStatus.BROKEN),
        ("gone.md", LinkKind.MARKDOWN, LinkStatus.BROKEN),
        ("gone", LinkKind.MARKDOWN, LinkStatus.BROKEN),
        ("gone.png", LinkKind.IMAGE, LinkStatus.BROKEN),
        ("gone", LinkKind.EMBED, LinkStatus.BROKEN),
        ("New Idea", LinkKind.FRONT_MATTER, LinkStatus.WANTED),
        ("https://example.org/a.md", LinkKind.MARKDOWN, LinkStatus.EXTERNAL),
        ("mailto:a@example.org", LinkKind.MARKDOWN, LinkStatus.EXTERNAL),
        ("//example.org/x", LinkKind.MARKDOWN, LinkStatus.EXTERNAL),
        ("zotero://select/1", LinkKind.WIKILINK, LinkStatus.EXTERNAL),
    ],
)
def test_what_nobody_answers_to_is_wanted_broken_or_external(ask, written, kind, status):
    found = ask(["a.md"], written, "a.md", kind=kind)
    assert (found.status, found.target, found.candidates) == (status, "", ())


def test_only_the_file_name_of_an_attachment_is_known_and_paths_still_decide(ask):
    files = ["img/a.png", "other/a.png"]
    found = ask(["x.md"], "a.png", files=files)
    assert found.status is LinkStatus.AMBIGUOUS
    assert ask(["x.md"], "other/a.png", files=files).target == "other/a.png"
    assert ask(["img/x.md"], "a.png", "img/x.md", files=files).target == "img/a.png"
    assert ask(["x.md"], "nowhere/a.png", files=files).target == ""


@pytest.mark.parametrize("folder", ["sub", "Sub"])
def test_of_folders_that_differ_in_case_the_one_that_is_written_is_meant(ask, folder):
    pages = {"sub/README.md": "one\n", "Sub/README.md": "other\n"}
    found = ask(pages, f"/{folder}", kind=LinkKind.MARKDOWN)
    assert (found.target, found.status) == (f"{folder}/README.md", LinkStatus.RESOLVED)


# --- entries by their ids ------------------------------------------------------------------------

SHELVED = Layers(archive="archive")


@pytest.mark.parametrize(
    ("id_", "target", "status"),
    [
        ("m-one", "memory.md", LinkStatus.RESOLVED),
        ("m-two", "sub/a.md", LinkStatus.AMBIGUOUS),
        ("m-old", "archive/memory.md", LinkStatus.RESOLVED),
        ("m-both", "memory.md", LinkStatus.RESOLVED),
        ("m-none", "", LinkStatus.BROKEN),
    ],
)
def test_an_entry_is_found_by_its_id(ask, id_, target, status):
    pages = {
        "memory.md": "- a ^m-one\n- b ^m-two\n- c ^m-both\n- c ^m-both\n",
        "sub/a.md": "- d ^m-two\n",
        "archive/memory.md": "- e ^m-old\n- f ^m-both\n",
        "m-none.md": "a name of a page\n",
    }
    found = ask(pages, f"^{id_}", "sub/here.md", kind=LinkKind.ENTRY, layers=SHELVED)
    assert (found.target, found.status) == (target, status)
    assert found.by == ("entry id" if target else "")


def test_only_a_link_of_an_entry_names_entries(ask):
    assert ask({"memory.md": "- a ^m-one\n"}, "^m-one").status is LinkStatus.WANTED


# --- addresses of a site that is made of the pages -----------------------------------------------

SITE = {
    "docs/guide.md": page(),
    "docs/setup/first-steps.md": page(),
    "docs/setup/ubuntu.md": page(),
    "docs/deep/README.md": page(),
    "other/elsewhere.md": page(),
}


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("guide.html", "docs/guide.md"),
        ("./guide.HTM", "docs/guide.md"),
        ("setup/ubuntu.html", "docs/setup/ubuntu.md"),
        ("/setup/ubuntu.html", "docs/setup/ubuntu.md"),
        ("deep/index.html", "docs/deep/README.md"),
        ("../setup/ubuntu/", "docs/setup/ubuntu.md"),
        ("../guide", "docs/guide.md"),
        ("../guide/", "docs/guide.md"),
        ("elsewhere.html", ""),  # of another folder
        ("ubuntu.html", ""),
        ("/elsewhere.html", "other/elsewhere.md"),
        ("../elsewhere/", ""),
        ("../guide.md", ""),  # a path, not an address
        ("absent.html", ""),
        (".html", ""),
        ("../", ""),
    ],
)
def test_a_markdown_link_may_be_the_address_of_a_page(ask, written, target):
    found = ask(SITE, written, "docs/start.md", kind=LinkKind.MARKDOWN)
    assert (found.target, found.by) == (target, "address" if target else "")


def test_a_file_that_is_there_comes_before_the_page_of_its_address(ask):
    found = ask(SITE, "guide.html", "docs/a.md", kind=LinkKind.MARKDOWN, files=["docs/guide.html"])
    assert (found.target, found.by) == ("docs/guide.html", "attachment")


def test_a_wikilink_is_no_address(ask):
    assert ask(SITE, "guide.html", "docs/start.md").target == ""


@pytest.mark.parametrize(
    ("written", "target", "by"),
    [
        ("/pipes/", "content/en/pipes/_index.md", "folder"),
        ("/Pipes", "content/en/pipes/_index.md", "folder"),
        ("/news/first/", "content/en/news/first/index.md", "folder"),
        ("/first/", "content/en/news/first/index.md", "folder"),
        ("/news/lang/", "", ""),
        ("pipes/", "", ""),  # a relative path
        ("/", "", ""),
        ("/en/", "", ""),  # has no page of its own
    ],
)
def test_a_path_from_the_root_of_a_site_finds_the_page_of_a_folder(ask, written, target, by):
    pages = {
        "content/en/pipes/_index.md": page(),
        "content/en/news/first/index.md": page(),
        "content/en/functions/lang.md": page(),
    }
    found = ask(pages, written, "content/en/functions/lang.md", kind=LinkKind.MARKDOWN)
    assert (found.target, found.by) == (target, by)


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("functions/images", "content/functions/images/index.md"),
        ("functions/images/", "content/functions/images/index.md"),
        ("functions/images/more", "content/functions/images/more/_index.md"),
        ("functions", ""),  # a relative path
        ("other/images", ""),
        ("./functions", ""),
    ],
)
def test_a_path_of_several_parts_may_be_that_of_a_folder_from_a_folder_above(ask, written, target):
    pages = {
        "content/functions/_index.md": page(),
        "content/functions/images/index.md": page(),
        "content/functions/images/more/_index.md": page(),
        "content/en/about/us.md": page(),
    }
    assert ask(pages, written, "content/en/about/us.md", kind=LinkKind.MARKDOWN).target == target
    assert ask(pages, written, "us.md", kind=LinkKind.MARKDOWN).target == ""


@pytest.mark.parametrize(
    ("sites", "source", "target"),
    [
        (("docs", "docs/zh"), "docs/zh/start.md", "docs"),
        (("docs", "docs/zh", "docs/ja"), "docs/start.md", "docs"),
        (("content/en", "content/zh"), "content/zh/docs/start.md", "content/zh"),
        (("content/en", "content/zh"), "about.md", ""),
        (("a/docs", "b/docs/zh", "b/docs"), "b/docs/zh/x.md", "b/docs/zh"),
    ],
)
@pytest.mark.parametrize("written", ["/guide/install", "/guide/install.md", "/guide/setup/"])
def test_a_path_from_the_root_of_translated_sites_is_of_one(ask, written, sites, source, target):
    kinds = ("guide/install.md", "guide/setup/index.md")
    pages = {f"{site}/{each}": page() for site in sites for each in kinds}
    found = ask(pages, written, source, kind=LinkKind.MARKDOWN)
    assert (found.status is LinkStatus.AMBIGUOUS) is not bool(target)
    assert not target or found.target == f"{target}/{kinds['setup' in written]}"


def test_a_folder_comes_before_a_page_that_only_its_title_makes_alike(ask):
    pages = {"content/setup/_index.md": page("Setup"), "other/x.md": page("Setup"), "a.md": page()}
    found = ask(pages, "/setup/", "a.md", kind=LinkKind.MARKDOWN)
    assert (found.target, found.by) == ("content/setup/_index.md", "folder")
    assert ask(pages, "setup", "a.md").by == "title"


@pytest.mark.parametrize("written", ["README.md", "./readme.md", "README"])
def test_the_page_of_another_folder_is_not_meant_by_its_name(ask, written):
    pages = {"tools/README.md": page(), "notes/a.md": page()}
    assert ask(pages, written, "notes/a.md", kind=LinkKind.MARKDOWN).target == ""
    assert ask(pages, written, "tools/b.md", kind=LinkKind.MARKDOWN).target == "tools/README.md"
    obsidian = Layers(dialect=Dialect("obsidian"))
    found = ask(pages, "README.md", "notes/a.md", kind=LinkKind.MARKDOWN, layers=obsidian)
    assert found.target == "tools/README.md"
    assert ask(pages, "README", "notes/a.md").target == "tools/README.md"


@pytest.mark.parametrize(
    "written, is_asked", [("nobody", False), ("a/nobody", False), ("/a/b", True)]
)
def test_the_pages_of_all_folders_are_asked_for_only_by_paths_of_a_site(
    lookup, monkeypatch, written, is_asked
):
    one = lookup(["a/README.md", "b.md"])
    asked, real = [], one.pages
    monkeypatch.setattr(one, "pages", lambda kind, name: asked.append(name) or real(kind, name))
    Resolver(one, Layers()).resolve(Link(written, "", 1, LinkKind.MARKDOWN), "b.md")
    assert ("readme" in asked) is is_asked


SORTED = {
    "content/docs/01-app/index.md": page(),
    "content/docs/01-app/02-guides/03-nests.md": page(),
    "content/docs/01-app/02-guides/eggs.md": page(),
    "content/docs/2.pages/1.nests.md": page(),
    "log/2024-05-birds.md": page(),
}


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("/docs/app/guides/nests", "content/docs/01-app/02-guides/03-nests.md"),
        ("/docs/pages/nests/", "content/docs/2.pages/1.nests.md"),
        ("/docs/app/guides/eggs", "content/docs/01-app/02-guides/eggs.md"),
        ("/docs/app", "content/docs/01-app/index.md"),
        ("./nests", "content/docs/01-app/02-guides/03-nests.md"),
        ("nests", "content/docs/01-app/02-guides/03-nests.md"),
        ("../../pages/nests", "content/docs/2.pages/1.nests.md"),
        ("/other/nests", ""),
        ("./app", ""),
        ("nests.md", ""),  # a path, not an address
        ("/log/05-birds", ""),  # a date is no number that sorts
        ("/log/birds", ""),
    ],
)
def test_an_address_leaves_out_the_numbers_that_sort_files_and_folders(ask, written, target):
    here = "content/docs/01-app/02-guides/eggs.md"
    found = ask(SORTED, written, here, kind=LinkKind.MARKDOWN)
    assert (found.target, found.by) == (target, "address" if target else "")


def test_a_wikilink_says_the_number_of_a_file(ask):
    assert ask(SORTED, "nests").status is LinkStatus.WANTED
