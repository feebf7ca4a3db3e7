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
