"""What is typed as a path, a name or a range, and what the workspace is asked then."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from memwiki.cli.arguments import PathContext, here, lines_of
from memwiki.errors import MemwikiError, UnsafePathError, UsageError

FILES = ("top.md", "tea.md", "wiki/tea.md", "wiki/sub/x.md", "wiki/pic.png", "AC/x.md", "pic.png")


@pytest.fixture
def ws_root(tmp_path) -> Path:
    """A folder with pages in it."""
    for path in FILES:
        (tmp_path / "ws" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "ws" / path).touch()
    return (tmp_path / "ws").resolve()


@pytest.fixture
def in_wiki(ws_root) -> PathContext:
    """What is typed in the folder wiki/."""
    return here(ws_root, str(ws_root / "wiki"))


@pytest.mark.parametrize(
    ("written", "location"),
    [
        ("tea.md:12", ("wiki/tea.md", 12, None)),
        ("../tea.md:12:5", ("tea.md", 12, None)),
        ("tea.md:12: warning: a b:7", ("wiki/tea.md", 12, None)),
        ("/wiki/tea.md:12-20", ("wiki/tea.md", 0, (12, 20))),
        ("tea.md:12-20:", ("wiki/tea.md", 0, (12, 20))),
        ("odd.md:3", ("wiki/odd.md:3.md", 0, None)),  # a page of this name
        ("tea.md:0", ("tea.md:0", 0, None)),
        ("tea.md:x", ("tea.md:x", 0, None)),
        ("tea.md:" + "9" * 5000, ("tea.md:" + "9" * 5000, 0, None)),
        ("tea.md:٣", ("tea.md:٣", 0, None)),
        ("Tea: 12", ("Tea: 12", 0, None)),
        ("Tea:12", ("Tea:12", 0, None)),
        ("gone.md:3", ("gone.md", 3, None)),
    ],
)
def test_a_line_may_be_named_after_a_page_as_it_is_printed(in_wiki, written, location):
    (Path(in_wiki.folder) / "odd.md:3.md").touch()
    assert in_wiki.location(written) == location


@pytest.mark.parametrize(
    ("written", "page"),
    [
        ("tea.md", "wiki/tea.md"),
        ("./tea", "wiki/tea.md"),
        ("../tea.md", "tea.md"),
        ("/tea.md", "tea.md"),
        ("/tea", "tea.md"),
        ("sub/x", "wiki/sub/x.md"),
        ("sub/../tea.md", "wiki/tea.md"),
        ("tea.md#Brewing", "wiki/tea.md#Brewing"),
        ("../top.md#A b", "top.md#A b"),
        ("top.md", "top.md"),  # not here: looked for from the root
        ("wiki/tea.md", "wiki/tea.md"),
        ("wiki/tea", "wiki/tea"),
        ("./top.md", "wiki/top.md"),  # only from here, and it is not there
        ("tea", "tea"),
        ("C#", "C#"),
        ("TCP/IP", "TCP/IP"),
        ("../../out.md", "../../out.md"),
        ("", ""),
    ],
)
def test_a_page_is_looked_for_from_the_current_folder_and_then_from_the_root(
    in_wiki, written, page
):
    assert in_wiki.page(written) == page


def test_a_path_of_the_machine_inside_the_workspace_is_taken(in_wiki, ws_root):
    assert in_wiki.page(f"{ws_root}/wiki/tea.md") == "wiki/tea.md"
    assert in_wiki.destination(f"{ws_root}/b.md", of_page=True) == "./b.md"


@pytest.mark.parametrize(
    ("written", "to"),
    [
        ("green.md", "wiki/green.md"),
        ("sub/", "wiki/sub/"),
        ("sub", "wiki/sub/"),  # a folder that is here
        ("drinks/green", "wiki/drinks/green"),
        ("./green", "wiki/green"),
        ("../green", "./green"),
        ("../", "./"),
        ("..", "./"),
        (".", "wiki/"),
        ("/", "./"),
        ("/AC", "AC/"),
        ("/etc/green.md", "etc/green.md"),
        ("green", "green"),
        ("v1.2", "v1.2"),
        ("", ""),
    ],
)
def test_a_destination_is_a_path_from_the_current_folder_or_a_name(in_wiki, written, to):
    assert in_wiki.destination(written, of_page=True) == to


def test_a_file_that_is_no_page_goes_to_a_path_from_the_current_folder(in_wiki):
    assert in_wiki.moving("pic.png") == ["wiki/pic.png"]
    assert not in_wiki.is_page("wiki/pic.png")
    assert in_wiki.destination("other.png", of_page=False) == "wiki/other.png"


def test_a_folder_is_what_a_name_means_last(in_wiki):
    assert in_wiki.moving("sub") == ["sub", "wiki/sub/"]
    assert in_wiki.moving("sub/") == ["wiki/sub/"]
    assert in_wiki.moving("AC/") == ["AC/"]


@pytest.mark.parametrize(
    ("written", "page"),
    [
        ("green.md", "wiki/green.md"),
        ("wiki/green.md", "wiki/wiki/green.md"),
        ("sub/green", "wiki/sub/green.md"),
        ("AC/green", "wiki/AC/green.md"),  # there is such a folder, though not here
        ("/AC/green", "AC/green.md"),
        ("../green.md", "green.md"),
        ("AB/DC", "AB/DC"),
        ("Green tea", "Green tea"),
    ],
)
def test_a_new_page_is_made_where_its_path_leads_from_the_current_folder(in_wiki, written, page):
    assert in_wiki.new_page(written) == page


@pytest.mark.parametrize("written", ["../../x.md", "../../../etc/x.md", "sub/../../../x.md"])
def test_a_path_that_leads_out_is_refused_where_something_would_be_made(in_wiki, written):
    for ask in (
        in_wiki.new_page,
        lambda path: in_wiki.destination(path, of_page=True),
        in_wiki.path,
    ):
        with pytest.raises(UnsafePathError, match="leads out"):
            ask(written)


def test_files_and_folders_of_a_command_are_meant_from_here(in_wiki):
    assert in_wiki.paths(["tea.md", "sub", "gone.md", "AC"]) == [
        "wiki/tea.md",
        "wiki/sub",
        "wiki/gone.md",
        "AC",
    ]
    assert in_wiki.paths(["sub", "/"]) == []  # the whole workspace
    assert in_wiki.paths(["."]) == ["wiki"]


def test_a_page_that_is_gone_is_looked_for_here_first(in_wiki):
    assert in_wiki.once("gone.md") == ["wiki/gone.md", "gone.md"]
    assert in_wiki.once("tea.md") == ["wiki/tea.md"]
    assert in_wiki.once("top.md") == ["top.md"]
    assert in_wiki.once("Gone") == ["Gone"]


def test_links_among_folders_are_followed(ws_root):
    (ws_root / "lnk").symlink_to("wiki")
    at_root = here(ws_root, str(ws_root))
    assert at_root.page("lnk/tea.md") == "wiki/tea.md"
    assert at_root.destination("lnk/green.md", of_page=True) == "wiki/green.md"
    assert at_root.new_page("lnk/green.md") == "wiki/green.md"
    assert at_root.page("lnk/../tea.md") == "tea.md"
    assert here(ws_root, str(ws_root / "lnk")).page("./tea") == "wiki/tea.md"


def test_outside_of_the_workspace_paths_are_from_its_root(ws_root, tmp_path):
    outside = here(ws_root, str(tmp_path))
    assert outside.page("wiki/tea.md") == "wiki/tea.md"
    assert outside.page("ws/wiki/tea.md") == "wiki/tea.md"
    assert outside.new_page("wiki/green.md") == "wiki/green.md"
    assert outside.destination("wiki/sub", of_page=True) == "wiki/sub/"


@pytest.mark.parametrize(
    "written", ["a\0.md", "\ud800.md", "\udcff/x", "x" * 5000 + ".md", "~nobody/x.md"]
)
def test_what_no_file_can_be_called_raises_nothing_but_our_errors(in_wiki, written):
    for ask in (in_wiki.page, in_wiki.path, in_wiki.new_page, in_wiki.moving, in_wiki.once):
        with suppress(MemwikiError):
            ask(written)
    in_wiki.destination(written, of_page=True)


def test_lines_are_a_range_or_one():
    assert (lines_of("3"), lines_of("3-9")) == ((3, 3), (3, 9))
    for text in ("", "0", "9-2", "-3", "1-", "9" * 5000, "\u0663"):
        with pytest.raises(UsageError):
            lines_of(text)
