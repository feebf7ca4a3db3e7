"""An error that is raised in several places formats itself, from plain values."""

import errno
import os

import pytest

from memwiki import errors


@pytest.mark.parametrize(
    ("error", "code", "message", "hint", "path"),
    [
        (
            errors.TwinError("a.md", "A.md"), "already_exists",
            "a.md: A.md is there, and some systems take the two for one",
            "use A.md, or choose another name", "A.md",
        ),
        (
            errors.OutsideError("../a"), "unsafe_path", "'../a': leads out of the workspace",
            "give a path inside the workspace, such as wiki/page.md", "../a",
        ),
        (
            errors.LinkedFolderError(".memwiki"), "unsafe_path", ".memwiki: is a symlink",
            "replace it by a folder", ".memwiki",
        ),
        (
            errors.LineNotEditableError("a.md", 3, "is a merge key"), "not_editable",
            "a.md:3: is a merge key", "edit this line by hand", "a.md",
        ),
        (
            errors.PageTooLongError("a.md", 9, 8, hint="cut it"), "usage",
            "a.md: would have 9 bytes, more than the 8 that are indexed", "cut it", "a.md",
        ),
    ],
)  # fmt: skip
def test_an_error_formats_itself(error, code, message, hint, path):
    assert (error.code, str(error), error.hint, error.path) == (code, message, hint, path)


def test_the_reason_of_the_system_is_said_without_its_number():
    assert errors.reason_of(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/x")) == os.strerror(
        errno.ENOSPC
    )
    assert errors.reason_of(OSError("odd")) == "odd"
