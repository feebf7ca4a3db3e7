"""Making a folder a workspace: from the template, or by adopting what is there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from memwiki.answers.keeping import InitReport
from memwiki.change.apply import apply
from memwiki.change.plan import Edit, Plan
from memwiki.config import CONFIG_FILE
from memwiki.errors import AlreadyExistsError, NotFoundError
from memwiki.files.paths import contain
from memwiki.files.state import state_folder

_HERE = Path(__file__).parent
# The wheel carries the template inside the package; a checkout has it at its top level.
_TEMPLATES = (_HERE.parent / "_template", _HERE.parent.parent / "workspace-template")


def init(root: Path, environ: Mapping[str, str], *, git: bool) -> InitReport:
    """Make a workspace from the template; nothing that exists is overwritten."""
    template = next(folder for folder in _TEMPLATES if folder.is_dir())
    files = sorted(path for path in template.rglob("*") if path.is_file())
    names = [path.relative_to(template).as_posix() for path in files]
    _require_folder(root)
    taken = [name for name in names if (root / name).exists()]
    if taken:
        raise AlreadyExistsError(
            f"{root}: {', '.join(taken[:3])} {'is' if len(taken) == 1 else 'are'} there already",
            hint=f"memwiki init --adopt {root} keeps every file as it is",
            path=taken[0],
        )
    root.mkdir(parents=True, exist_ok=True)
    for name in names:
        if not name.startswith("."):
            contain(root, name)  # before the first write: a folder that is there may lead elsewhere
    state_folder(root)
    edits = (
        Edit(n, "", p.read_bytes(), "new workspace") for n, p in zip(names, files, strict=True)
    )
    apply(root, Plan(tuple(edits), "new workspace"))
    if git:
        from memwiki.history import git as repository

        repository.init(root, environ)
    return InitReport(str(root), tuple(names), adopted=False, git=git)


def _require_folder(root: Path) -> None:
    for place in (root, *root.parents):
        if place.is_dir():
            return
        if place.exists():
            raise NotFoundError(f"{place}: is a file", hint="give the path of a folder")


def adopt(root: Path) -> InitReport:
    """Make an existing folder a workspace; writes nothing outside `.memwiki/`."""
    if not root.is_dir():
        raise NotFoundError(f"{root}: no such folder", hint="memwiki init makes a new workspace")
    if not (root / CONFIG_FILE).exists():
        state_folder(root)
    return InitReport(str(root), (), adopted=True, git=False)
