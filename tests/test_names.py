"""Names are compared in one folded form, and a path says the same wherever it is read."""

from hypothesis import given
from hypothesis import strategies as st

from memwiki.names import (
    fold,
    is_in_folder,
    leads_out,
    letters,
    normalised,
    path_in,
    slug,
    stem_of,
    without_suffix,
)
from tests.effort import for_each


def test_names_fold_case_and_composition():
    assert fold("Café") == fold("CAFE\u0301") == "café"
    assert fold("Straße") == "strasse"


@given(st.text())
def test_folding_twice_is_folding_once(text):
    assert fold(fold(text)) == fold(text)


@for_each(
    ("name", "expected"),
    [
        ("Foo Bar", "foo-bar"),
        ("foo_bar", "foo-bar"),
        ("--A  &  B!", "a-b"),
        ("知识 管理", "知识-管理"),
        ("हिन्दी_भाषा", "हिन्दी-भाषा"),
        ("น้ำ, ปู", "น้ำ-ปู"),
        ("❤\ufe0f Über—blick", "über-blick"),
    ],
)
def test_a_slug_keeps_words_and_joins_them_with_dashes(name, expected):
    assert slug(name) == expected


def test_a_run_of_marks_is_folded_in_pieces_and_comes_out_the_same():
    marks = "e" + "\u0301" * 2_000
    assert normalised("NFC", marks)[0] == "é"
    assert fold(fold(marks)) == fold(marks)


def test_letters_leave_blanks_and_punctuation_out():
    assert letters("Straße 12 - (b)") == "strasse12b"


@for_each(
    ("path", "bare", "stem"),
    [
        ("wiki/Tea.md", "wiki/Tea", "Tea"),
        ("Tea.MARKDOWN", "Tea", "Tea"),
        ("a/v1.2", "a/v1.2", "v1.2"),
        ("a.md/b", "a.md/b", "b"),
        ("İ.MD", "İ", "İ"),
        ("a.mar\u212adown", "a", "a"),  # the sign of Kelvin, of which `k` is the small letter
        (".md", "", ""),
    ],
)
def test_only_the_suffix_of_a_page_is_taken_off(path, bare, stem):
    assert (without_suffix(path), stem_of(path)) == (bare, stem)


def test_nothing_lies_below_a_folder_without_a_name():
    assert is_in_folder("raw/a.md", "raw")
    assert not is_in_folder("raws/a.md", "raw")
    assert not is_in_folder("/a.md", "")


@for_each(
    ("folder", "written", "path"),
    [
        ("a/b", "../c.md", "a/c.md"),
        ("", "./c.md", "c.md"),
        ("", "/c.md", "c.md"),
        ("", "", "."),
        ("a", "../../c.md", "../c.md"),
        ("a", "../..", ".."),
    ],
)
def test_a_relative_path_means_a_place_in_its_folder(folder, written, path):
    assert path_in(folder, written) == path
    assert leads_out(path) is path.startswith("..")
