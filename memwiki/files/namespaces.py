"""The namespaces of a workspace: the folders in one of its layers, and what one may be called."""

from __future__ import annotations

import os
import re
import unicodedata
from contextlib import suppress
from pathlib import Path

from memwiki.errors import UsageError
from memwiki.files.ignore import why_not_folder
from memwiki.names import fold, is_encodable
from memwiki.scope import EVERY

_LONGEST_BYTES = 200
_FORBIDDEN = re.compile(r'[<>:"|?*/\\]')
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.DOTALL)


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
        hint = "a name such as work; no slash and no dot in front"
        raise UsageError(f"namespace {name!r}: {reason}", hint=hint)
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
    if len(name.encode()) > _LONGEST_BYTES:
        return f"is longer than {_LONGEST_BYTES} bytes"
    return why_not_folder(name).replace("its folder", "it")
