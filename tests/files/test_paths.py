"""Paths from outside stay inside, and names are compared as people read them."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memwiki.errors import UnsafePathError
from memwiki.files.paths import clash, colliding, contain
from memwiki.names import fold
from tests.effort import for_each


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("a.md", "a.md"),
        ("wiki/a b.md", "wiki/a b.md"),
        ("./wiki//a.md", "wiki/a.md"),
        ("wiki/../a.md", "a.md"),
        ("wiki/", "wiki"),
        ("100% sure.md", "100% sure.md"),
        ("知识/页面 📂.md", "知识/页面 📂.md"),
        ("Who said “no”….md", "Who said “no”….md"),
        ("…and more.md", "…and more.md"),
        (".hidden.md", ".hidden.md"),
        ("a..b.md", "a..b.md"),
        ("family 👩\u200d👧.md", "family 👩\u200d👧.md"),
        ("Re: note.md", "Re: note.md"),
        ("console.md", "console.md"),
        ("~/a.md", "~/a.md"),
    ],
)
def test_a_path_inside_is_given_with_plain_slashes(root, given, path):
    assert contain(root, given) == path


REFUSED = {
    "empty": "",
    "blank": "  ",
    "the workspace itself": ".",
    "the workspace itself, roundabout": "a/..",
    "nul": "a\0.md",
    "newline": "a\nb.md",
    "escape sequence": "a\x1b[31m.md",
    "lone surrogate": "a\ud800.md",
    "parent": "../a.md",
    "parent in the middle": "a/../../b.md",
    "only the parent": "..",
    "absolute": "/etc/passwd",
    "absolute and back": "/../etc/passwd",
    "UNC": "//server/share/a.md",
    "UNC with backslashes": "\\\\server\\share\\a.md",
    "backslash parent": "..\\..\\a.md",
    "drive": "C:/a.md",
    "drive with backslash": "C:\\a.md",
    "drive-relative": "c:a.md",
    "file URL": "file:///etc/passwd",
    "other URL": "https://example.org/a.md",
    "encoded parent": "%2e%2e/a.md",
    "encoded slash": "..%2fa.md",
    "encoded slash inside": "wiki%2Fa.md",
    "encoded backslash": "..%5ca.md",
    "encoded nul": "a%00.md",
    "encoded twice": "%252e%252e%252fa.md",
    "encoded thrice": "%25252e%25252e/a.md",
    "overlong UTF-8": "%c0%ae%c0%ae/a.md",
    "overlong slash": "..%c0%afa.md",
    "IIS encoding": "%u002e%u002e/a.md",
    "full-width dots": "．．/a.md",
    "full-width slash": "a／b.md",
    "full-width backslash": "a＼b.md",
    "account-of sign": "a℀b.md",
    "two-dot leader": "‥/a.md",
    "full-width dot folder": "．git/a.md",
    "bidi override": "a\u202egpj.md",
    "bidi isolate": "a\u2066b.md",
    "git": ".git/config.md",
    "git, other case": ".GIT/hooks/a.md",
    "git with an invisible character": ".g\u200cit/a.md",
    "invisible character before git": "\u200c.git/a.md",
    "git, short name": "GIT~1/a.md",
    "our own folder": ".memwiki/state/a.md",
    "our own folder alone": ".memwiki",
    "our ignore file": ".memwikiignore",
    "our temporary file": ".memwiki-0a1b2c3d-1-0a1b2c3d.tmp",
    "our temporary name as a page": ".memwiki-x.md",
    "hidden folder below": "wiki/.obsidian/a.md",
    "hidden file": "wiki/.env",
    "packages": "node_modules/a/README.md",
    "console": "CON",
    "console with suffix": "wiki/con.md",
    "null device": "nul.tar.md",
    "serial port": "COM1.md",
    "superscript port": "LPT².md",
    "console input": "conin$.md",
    "device with a space": "aux .md",
    "folder named like a device": "prn/a.md",
    "long name": "a" * 253 + ".md",
    "long name in bytes": "页" * 90 + ".md",
    "long path": "/".join(["abcdefghi"] * 500) + ".md",
    "trailing dot": "wiki./a.md",
    "trailing space": "wiki /a.md",
    "stream": "a.md::$DATA",
    "invisible name": "\u200b/a.md",
}


@pytest.mark.parametrize("path", REFUSED.values(), ids=REFUSED)
def test_a_path_that_could_lead_elsewhere_is_refused(root, path):
    with pytest.raises(UnsafePathError) as caught:
        contain(root, path)
    assert caught.value.path == path
    assert caught.value.hint


def test_absolute_paths_inside_the_workspace_are_taken(root, tmp_path, monkeypatch):
    (tmp_path / "alias").symlink_to(root)
    assert contain(root, f"{root}/wiki/a.md") == "wiki/a.md"
    assert contain(tmp_path / "alias", f"{root}/a.md") == "a.md"
    assert contain(tmp_path / "alias", f"{tmp_path}/alias/a.md") == "a.md"
    monkeypatch.chdir(tmp_path)
    assert contain(Path("ws"), f"{root}/a.md") == "a.md"
    for outside in (f"{root}-twin/a.md", f"{root}/../a.md", str(tmp_path), str(root)):
        with pytest.raises(UnsafePathError):
            contain(root, outside)


@pytest.mark.parametrize(
    "name",
    ["con.md", "a／b.md", "half\\half.md", "c:drive.md", "50%2F50.md", "etc ./a.md", "a\u200fb.md"],
)
def test_a_page_that_exists_under_an_odd_name_is_reachable(root, put, name):
    with pytest.raises(UnsafePathError):
        contain(root, name)
    put(name)
    assert contain(root, name) == name


def test_symlinks_may_not_lead_out_or_into_hidden_folders(root, put, tmp_path):
    put("real/a.md", ".git/config")
    (tmp_path / "out").mkdir()
    links = {"inside": "real", "outside": tmp_path / "out", "up": "..", "git": ".git", "me": "me"}
    for name, target in links.items():
        (root / name).symlink_to(target)
    assert contain(root, "inside/a.md") == "inside/a.md"
    for path in ("outside", "outside/a.md", "up/a.md", "git/config.md", "git"):
        with pytest.raises(UnsafePathError):
            contain(root, path)


def test_a_link_to_the_workspace_itself_stays_inside(root):
    (root / "here").symlink_to(".")
    assert contain(root, "here/a.md") == "here/a.md"
    assert contain(root, "here") == "here"


def test_a_loop_of_symlinks_is_refused_or_harmless(root):
    (root / "a").symlink_to("b")
    (root / "b").symlink_to("a")
    try:
        assert contain(root, "a/x.md") == "a/x.md"  # Python 3.13 and later see no loop here
    except UnsafePathError as error:
        assert "broken" in error.message


PIECES = st.sampled_from(
    [
        "..",
        ".",
        "/",
        "\\",
        "a",
        "b.md",
        "%2e",
        "%2f",
        "%5c",
        "%25",
        "．",
        "／",
        "‥",
        "\u200c",
        ".git",
        "out",
        "in",
        "C:",
        "//",
        "\0",
        " ",
        "~",
        "con",
        "etc",
        "passwd",
        "memwiki",
        "\u202e",
        "é",
        "",
    ]
)


@settings(deadline=None)
@given(st.one_of(st.lists(PIECES, max_size=8).map("".join), st.text(max_size=30)))
def test_whatever_is_given_the_answer_lies_inside(given):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "ws").resolve()
        (root / "a").mkdir(parents=True)
        (root / "out").symlink_to("..")
        (root / "in").symlink_to("a")
        try:
            path = contain(root, given)
        except UnsafePathError:
            return
        parts = path.split("/")
        assert path == os.path.normpath(path)
        assert not {"", ".", ".."} & set(parts)
        assert not os.path.isabs(path)
        assert (root / path).resolve().is_relative_to(root)
        assert not any(part.startswith(".") for part in parts[:-1])
        assert contain(root, path) == path


@for_each(
    ("a", "b", "same"),
    [
        ("README.md", "readme.MD", True),
        ("caf\u00e9", "cafe\u0301", True),
        ("Straße", "STRASSE", True),
        ("İ", "i\u0307", True),
        ("a", "b", False),
        ("foo bar", "foo-bar", False),
    ],
)
def test_names_are_the_same_in_any_case_and_unicode_form(a, b, same):
    assert (fold(a) == fold(b)) is same
    assert bool(colliding([a, b])) is same


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("a/b.md", "a/b.md"),
        ("a/B.md", "a/b.md"),
        ("A/new.md", "a/"),
        ("A/b.md", "a/"),
        ("a/new.md", ""),
        ("new/b.md", ""),
        ("a/b.md/c.md", ""),
        ("a/CAFE\u0301.md", "a/café.md"),
    ],
)
def test_what_some_systems_would_take_for_a_path_is_found(tmp_path, path, found):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.md").touch()
    (tmp_path / "a" / "café.md").touch()
    assert clash(tmp_path, path) == found
