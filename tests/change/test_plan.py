"""A plan is shown before anything is touched."""

from __future__ import annotations

from memwiki.change.plan import Edit, Plan, diff
from memwiki.digest import digest_of

OLD = b"# T\none\ntwo\n"


def shown(edit: Edit, before: bytes = OLD) -> str:
    return diff(Plan((edit,)), lambda path: before)


def test_a_changed_page_is_shown_line_by_line():
    assert shown(Edit("wiki/a.md", digest_of(OLD), b"# T\none\n2\n")) == (
        "--- a/wiki/a.md\n+++ b/wiki/a.md\n@@ -1,3 +1,3 @@\n # T\n one\n-two\n+2\n"
    )


def test_a_new_page_is_compared_with_nothing():
    def never(path):
        raise AssertionError

    edit = Edit("a.md", "", b"new\n")
    assert diff(Plan((edit,)), never) == "--- /dev/null\n+++ b/a.md\n@@ -0,0 +1 @@\n+new\n"


def test_a_deleted_page_is_shown_as_gone():
    assert (
        shown(Edit("a.md", "d", None), b"x\n") == "--- a/a.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
    )


def test_a_missing_final_newline_is_pointed_out():
    assert shown(Edit("a.md", "d", b"x\n"), b"x").endswith("-x\n\\ No newline at end of file\n+x\n")


def test_only_a_newline_ends_a_line():
    text = shown(Edit("a.md", "d", "a\u2028b\x0cc\r\n".encode()), b"")
    assert text.count("\n") == 4


def test_bytes_that_are_no_utf8_are_shown_all_the_same():
    assert "\ufffd" in shown(Edit("a.md", "d", b"\xff\n"))


def test_a_plan_names_its_files_in_order():
    assert Plan((Edit("b.md", "", b""), Edit("a.md", "", b""))).paths == ("b.md", "a.md")
    assert diff(Plan(()), lambda path: b"") == ""


def test_a_moved_page_is_shown_as_a_rename_with_what_changed_in_it():
    new = Edit("b.md", "", b"one\nTWO\n", was="a.md")
    old = Edit("a.md", digest_of(b"one\ntwo\n"), None)
    shown = diff(Plan((new, old)), lambda _: b"one\ntwo\n")
    assert shown == (
        "rename from a.md\nrename to b.md\n--- a/a.md\n+++ b/b.md\n@@ -1,2 +1,2 @@\n "
        "one\n-two\n+TWO\n"
    )


def test_a_file_that_is_no_text_is_not_shown():
    plan = Plan((Edit("a.png", digest_of(b"\0"), b"\0\1"),))
    assert diff(plan, lambda _: b"\0") == "Binary files a/a.png and b/a.png differ\n"
    moved = Plan((Edit("b.png", "", b"\0", was="a.png"), Edit("a.png", digest_of(b"\0"), None)))
    assert diff(moved, lambda _: b"\0") == "rename from a.png\nrename to b.png\n"
