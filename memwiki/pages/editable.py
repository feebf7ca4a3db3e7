"""Which pages an editing verb may change, and where there is room for a new one."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from memwiki.errors import (
    AlreadyExistsError,
    NotEditableError,
    TwinError,
    UnsafePathError,
    shell_word,
)
from memwiki.files.ignore import Ignore
from memwiki.files.paths import clash
from memwiki.files.read import is_hidden
from memwiki.files.why_ignored import why_not_path
from memwiki.markdown.describe import inner_path
from memwiki.model import UNPARSED, Layers, Problem
from memwiki.names import is_in_folder


def require_editable(path: str, layers: Layers) -> None:
    """Refuse to change a source as it came."""
    if is_raw(path, layers):
        raise NotEditableError(
            f"{path}: is in {layers.raw}/, where sources are never changed",
            hint="write about it on a page of its own",
            path=path,
        )


def require_parsed(path: str, problems: Iterable[Problem]) -> None:
    """Refuse to change a page that could not be parsed: what a change would do to it is not
    known."""
    if any(problem.code == UNPARSED for problem in problems):
        raise NotEditableError(
            f"{path}: memwiki could not parse this page and does not change it",
            hint=f"memwiki status {shell_word(path)} shows what to report; an editor can change it",
            path=path,
        )


def is_raw(path: str, layers: Layers) -> bool:
    """Whether a page is a source as it came, which memwiki never changes."""
    return is_in_folder(inner_path(path, layers), layers.raw)


def require_free(root: Path, path: str) -> None:
    """Refuse a path where something is, or something that some systems would take for it."""
    found = clash(root, path)
    if found == path:
        raise AlreadyExistsError(
            f"{path}: already exists",
            hint=f"memwiki append {shell_word(path)} TEXT, or choose another name",
            path=path,
        )
    if found:
        raise TwinError(path, found)


def require_findable(path: str, ignore: Ignore) -> None:
    """Refuse a path at which no page or file would be found afterwards, for the reason `status`
    gives."""
    reason = why_not_path(path, ignore)
    if not reason and path.rpartition("/")[2].startswith("."):
        reason = "hidden files are not pages"
    if reason:
        raise UnsafePathError(
            f"{path}: would not be indexed there: {reason}", hint="choose another place", path=path
        )


def folders_in(root: Path, folder: str, *, base: str = "") -> list[str]:
    """The names of the folders inside one of the workspace, or of its namespace at `base`, those in
    which nothing is seen left out."""
    folder = f"{base}/{folder}".strip("/")
    try:
        names = [each.name for each in (root / folder).iterdir() if each.is_dir()]
    except (OSError, ValueError):
        return []
    return [name for name in names if not is_hidden(root, f"{folder}/{name}".lstrip("/"))]
