"""Where a file goes that is moved: to a path, into a folder, or to another name in its own."""

from __future__ import annotations

from posixpath import basename, dirname

from memwiki.names import is_page_name, without_suffix


def destination(old: str, new: str, *, is_folder: bool) -> str:
    """The path a file gets; `is_folder` says that there is a folder called `new`.

    What has a suffix is a path, so that any path can be given; only a bare name stays in the folder.
    """
    if is_folder or new.endswith("/") or basename(new) in (".", ".."):
        return f"{new.strip('/')}/{basename(old)}".lstrip("/")
    suffix = old[len(without_suffix(old)) :]  # "" for a file that is no page
    is_whole = is_page_name(new) if suffix else "." in basename(new)
    path = new if is_whole else f"{new}{suffix}"
    is_name = "/" not in new and not is_whole
    return f"{dirname(old)}/{path}".lstrip("/") if is_name else path.lstrip("/")
