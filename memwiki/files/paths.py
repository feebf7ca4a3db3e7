"""Paths that come from outside: which of them may be used, and which names are the same."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from memwiki.errors import NotFoundError, OutsideError, UsageError
from memwiki.files.ignore import TEMPORARY_PREFIX, why_not_folder
from memwiki.files.read import exists, is_hidden
from memwiki.names import BIDI, STATE_FOLDER, fold, is_encodable, is_page_name, normalised
from memwiki.records import grouped
from memwiki.scope import EVERY
from memwiki.text import pattern

_NAME_BYTES = 255
_MAX_FOLDERS = 250
_PATH_BYTES = 4000  # Linux takes 4,096, with the workspace's own path

# Patterns are compiled when they are first used: a search for words needs none of them.
_PERCENT = r"%([0-9a-fA-F]{2})"
# Overlong UTF-8 and IIS forms of `.`, `/` and `\` that no clean decoder accepts.
_CROOKED_PERCENT = r"(?i)%c[01]%|%e0%80%|%u00(?:2e|2f|5c)"
_DRIVE = r"[A-Za-z]:"
_URL = r"[A-Za-z][A-Za-z0-9+.-]+://"
_CONTROL = "[\x00-\x1f\x7f\ud800-\udfff]"
# HFS+ compares names without these, so `.g<ZWNJ>it` would be `.git` there.
_INVISIBLE = "[\u00ad\u200b-\u200f\u2060-\u2064\u206a-\u206f\ufeff]"
_RESERVED = r"(?i)(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])"
_INTERNAL = (".git", STATE_FOLDER)
_SHORT_NAME = r"(?i)(?:git|memwik|obsidi)~[0-9]+"  # what NTFS calls `.git` and the like, too
_MAX_NAME_BYTES = 200
_FORBIDDEN = pattern(r'[<>:"|?*/\\]')
_DEVICE = pattern(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.DOTALL)


def colliding(paths: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Group the paths that some file systems would take for one."""
    groups = grouped((fold(path), path) for path in paths)
    return tuple(sorted(tuple(sorted(group)) for group in groups.values() if len(group) > 1))


def clash(root: Path | str, path: str) -> str:
    """What is there, and would be the same file or folder as part of a path on some file systems;
    "" when nothing is. A folder of exactly that name is no clash."""
    found = ""
    *folders, name = path.split("/")
    for folder in folders:
        twin = _twin_in(root, found, folder)
        if twin and twin != folder:
            return f"{found}{twin}/"
        found += f"{folder}/"
    twin = _twin_in(root, found, name)
    return f"{found}{twin}" if twin else ""


def _twin_in(root: Path | str, folder: str, name: str) -> str:
    """The entry of a folder that has this name, or one that some take for it."""
    same = _twins_in(root, folder, name)
    return name if name in same else next(iter(same), "")


def _twins_in(root: Path | str, folder: str, name: str) -> list[str]:
    try:
        names = [each.name for each in (Path(root) / folder).iterdir()]
    except OSError:  # it is not there, is no folder, or is closed to us
        return []
    same = [each for each in names if fold(each) == fold(name)]
    return [each for each in same if not is_hidden(root, f"{folder}{each}")]


def is_below(path: str) -> bool:
    """Whether a text names what lies below the workspace, and nothing has to be taken out of it."""
    is_whole = all(part not in ("", ".", "..") for part in path.split("/"))
    return is_whole and not re.search("[\0\ud800-\udfff]", path)


def contain(root: Path | str, given: str) -> str:
    """Give the workspace-relative path for one from outside, or refuse it."""
    folder = Path(root)
    path = "" if _why_malformed(given) else as_there(folder, _relative(folder, given))
    reason = _why_malformed(given) or _why_outside(path) or _why_hidden(path)
    reason = reason or _why_linked_away(folder, path)
    # A page that exists under an odd name stays reachable; nothing odd is created.
    if not reason and (os.name == "nt" or not exists(root, path)):
        reason = _why_odd(path)
    if reason:
        raise OutsideError(given, reason)
    return path


def why_unsafe(path: str) -> str:
    """Say why a file from an archive may not be written under a path; "" when it may.

    Names that only Windows forbids may be written elsewhere: workspaces do have such pages.
    """
    parts = path.split("/")
    reasons = (
        (not path, "has no name"),
        (path.startswith("/") or re.match(_DRIVE, path), "is an absolute path"),
        (not is_encodable(path), "is not valid UTF-8"),
        (re.search(_CONTROL, path), "holds a control character"),
        (".." in parts, "leads out of the workspace"),
        (not is_below(path), "is no plain path"),
        (len(parts) > _MAX_FOLDERS, "lies too deep"),
        (any(_bare(part) in _INTERNAL for part in parts), "is in an internal folder"),
    )
    found = next((reason for is_so, reason in reasons if is_so), "")
    return found or _why_odd(path, is_strict=os.name == "nt")


def _bare(part: str) -> str:
    """A name as the most careless file system compares it."""
    return fold(re.sub(_INVISIBLE, "", part)).rstrip(". ")


def real_path(root: Path | str, path: str) -> str:
    """The path under which the index knows a file: folders on its way that are links are followed.

    Below a link that leads out, the path stays as it is; whoever reads or writes there refuses it.
    """
    folder, slash, name = path.rpartition("/")
    real_root, real = os.path.realpath(root), os.path.realpath(os.path.join(root, folder))  # noqa: PTH118
    is_inside = slash and (real == real_root or real.startswith(real_root.rstrip("/") + "/"))
    return Path(real, name).relative_to(real_root).as_posix() if is_inside else path


def _why_malformed(given: str) -> str:
    """Refuse what is no path in any reading."""
    if not given.strip():
        return "the path is empty"
    if re.match(_URL, given):
        return "is a URL"
    return "holds a control character" if re.search(_CONTROL, given) else ""


def _relative(root: Path, given: str) -> str:
    """Take `.`, `..` and the workspace's own path out of a path; `..` when it leads out."""
    path = Path(given)
    if path.is_absolute() or path.drive:
        inside = (
            (path.relative_to(base).as_posix() if path.is_relative_to(base) else "")
            for base in (root, Path.cwd() / root, root.resolve())
        )
        given = next((found for found in inside if found), "..")
    elif os.name == "nt":  # pragma: no cover - Windows
        given = given.replace("\\", "/")
    parts: list[str] = []
    for part in given.split("/"):
        if part == "..":
            if not parts:
                return ".."
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def as_there(root: Path, path: str) -> str:
    """A path in the Unicode form that the names have on the disk: those that macOS made are
    decomposed, and nobody can type that."""
    if path.isascii() or exists(root, path):
        return path
    names = path.split("/")
    for at, name in enumerate(names):
        above = "/".join(names[:at])
        if not exists(root, "/".join(names[: at + 1])):
            same = _twins_in(root, f"{above}/".lstrip("/"), name)
            found = (each for each in same if normalised("NFC", each) == normalised("NFC", name))
            twin = next(found, None)
            if twin is None:
                break
            names[at] = twin
    return "/".join(names)


def _why_outside(path: str) -> str:
    if not path:
        return "is the workspace itself"
    return "leads out of the workspace" if path == ".." else ""


def _why_hidden(path: str) -> str:
    """Refuse what memwiki never looks into."""
    *folders, name = (re.sub(_INVISIBLE, "", part) for part in path.split("/"))
    if any(map(why_not_folder, folders)):
        return "is in a hidden or internal folder"
    if name.startswith(TEMPORARY_PREFIX) or (why_not_folder(name) and not is_page_name(name)):
        return "is a hidden or internal name"
    return ""


def _why_linked_away(root: Path, path: str) -> str:
    """Refuse what a symlink takes out of the workspace or into a hidden folder."""
    real_root = root.resolve()
    try:
        target = (real_root / path).resolve()
    except (OSError, RuntimeError):  # Python 3.11 and 3.12 raise RuntimeError for a loop
        return "is a broken symlink"
    if not target.is_relative_to(real_root):
        return "leads out of the workspace through a symlink"
    real = target.relative_to(real_root).as_posix()
    return "" if real == path else _why_hidden(real) if real != "." else ""


def _why_odd(path: str, *, is_strict: bool = True) -> str:
    """Refuse names that other systems read differently; strictly, those that Windows forbids."""
    if len(path.encode()) > _PATH_BYTES:
        return "is too long"
    if re.search(f"[{BIDI}]", path):
        return "holds characters that change the reading direction"
    if "\\" in path:
        return "holds a backslash; folders are separated by /"
    if re.match(_DRIVE, path):
        return "names a drive"
    names = path.split("/")
    reasons = (_why_misread(name) or (_why_forbidden(name) if is_strict else "") for name in names)
    return _why_encoded(path) or next(filter(None, reasons), "")


def _why_encoded(path: str) -> str:
    """Refuse percent-encoding that hides a separator or `..`, however often it is encoded."""
    if re.search(_CROOKED_PERCENT, path):
        return "hides a separator or .. behind percent-encoding"
    before, after = "", path
    while before != after:
        before, after = after, re.sub(_PERCENT, lambda found: chr(int(found[1], 16)), after)
    parts = re.split(r"[/\\]", after)
    if len(parts) != path.count("/") + 1 or "\0" in after or {".", ".."} & set(parts):
        return "hides a separator or .. behind percent-encoding"
    return ""


def _why_misread(name: str) -> str:
    """Refuse one component that other systems would take for another."""
    plain = unicodedata.normalize("NFKC", re.sub(_INVISIBLE, "", name))
    if len(name.encode()) > _NAME_BYTES:
        return "has a name of more than 255 bytes"
    if re.search(r"[/\\]", plain) or plain.strip() in ("", ".", ".."):
        return "holds characters that look like separators or dots"
    if plain[0] == "." and unicodedata.normalize("NFKC", name[0]) == "." != name[0]:
        return "holds characters that look like separators or dots"
    return "is a name that Windows reserves" if re.match(_SHORT_NAME, plain) else ""


def _why_forbidden(name: str) -> str:
    """Refuse one component that Windows could not hold."""
    plain = unicodedata.normalize("NFKC", re.sub(_INVISIBLE, "", name))
    if re.fullmatch(_RESERVED, plain.split(".")[0].rstrip()):
        return "is a name that Windows reserves"
    if name[-1] in ". " or "::$" in name:
        return "ends in a way that Windows forbids (space, full stop or ::$)"
    return ""


def files_given(
    root: Path, paths: Sequence[str], is_known: Callable[[str], bool] = lambda _: False
) -> list[str]:
    """Files and folders inside the workspace, as the index knows them, that are there or were
    known."""
    found = [real_path(root, contain(root, path)) for path in paths]
    for path in found:
        is_there = os.path.exists(root / path)  # noqa: PTH110 - too long a path is none
        if (not is_there or is_hidden(root, path)) and not is_known(path):
            raise NotFoundError.at(path, "no such file or folder", "memwiki list")
    return found


def namespaces_in(root: Path, folder: str) -> list[str]:
    """The names of the namespaces, as their folders are spelled."""
    found = list[str]()
    with suppress(OSError, ValueError), os.scandir(root / folder) as entries:
        found = [each.name for each in entries if folder and each.is_dir()]
    return sorted(name for name in found if is_encodable(name) and not why_no_namespace(name))


def namespace_called(name: str, known: list[str]) -> str:
    """The name as the folder is spelled that is there, else as a new one is; UsageError when no
    folder can have it."""
    if name in ("", EVERY):
        return name
    if reason := why_no_namespace(name):
        raise UsageError(
            f"namespace {name!r}: {reason}", "a name such as work; no slash and no dot in front"
        )
    if name in known:
        return name
    found = (each for each in known if fold(each) == fold(name))
    return next(found, unicodedata.normalize("NFC", name))


def why_no_namespace(name: str) -> str:
    """Why no namespace is called so, "" when one can be."""
    if not is_encodable(name):
        return "is not valid Unicode"
    if not name.isprintable() or name != name.strip() or not name:
        return "is empty, or has blanks around it or characters that nobody sees"
    if _FORBIDDEN.search(name) or _DEVICE.fullmatch(fold(name)) or name.endswith("."):
        return "is no name that every system takes for a folder"
    if len(name.encode()) > _MAX_NAME_BYTES:
        return f"is longer than {_MAX_NAME_BYTES} bytes"
    return why_not_folder(name).replace("its folder", "it")
