"""Names of pages and files elsewhere as paths that every system and memwiki take."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from posixpath import splitext

from memwiki.digest import text_hash
from memwiki.files.ignore import is_leftover, why_not_folder
from memwiki.names import (
    BIDI,
    CONFIG_FILE,
    DENDRON_CONFIG,
    LOGSEQ_CONFIG,
    SITE_CONFIGS,
    fold,
    is_page_name,
)

_MAX_BYTES = 180  # a number, a suffix and what others add still fit into 255
_MAX_PARTS = 12
_UNFIT = re.compile(
    rf"[\x00-\x1f\x7f-\x9f<>:\"|?*\\/\u00ad\u200b-\u200f\u2028\u2029\u2060-\u2064\ufeff\ufffe\uffff"
    rf"{BIDI}\ud800-\udfff]|%(?=[0-9a-fA-Fu])"
)
_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|\Z)|(?:git|memwik|obsidi)~\d",
    re.IGNORECASE,
)


def safe_path(names: Iterable[str]) -> str:
    """The path of a file whose folders and name have these names; those below twelve are one."""
    *folders, name = [part for part in names if part.strip()] or ["untitled"]
    if len(folders) > _MAX_PARTS:
        folders[_MAX_PARTS:] = ["-".join(folders[_MAX_PARTS:])]
    return "/".join([*map(safe_folder, folders), safe_name(name)])


@lru_cache(4096)
def safe_name(name: str) -> str:
    """The nearest name that is one everywhere; names that differ may become the same."""
    if len(name) > _MAX_BYTES * 4:
        name = _shortened(name)
    plain = _UNFIT.sub("-", name.replace("::$", "-"))
    if not plain.isascii():
        plain = "".join("-" if _is_like_separator(char) else char for char in plain)
    plain = plain.strip().rstrip(". ")
    if len(plain.encode()) > _MAX_BYTES:
        plain = _shortened(plain)
    folded = unicodedata.normalize("NFKC", plain)
    if not folded.strip(". "):
        return "untitled"
    is_hidden = folded[0] in ".~#" or why_not_folder(plain) or is_leftover(plain)
    return f"_{plain}" if is_hidden or _RESERVED.match(folded) else plain


def safe_folder(name: str) -> str:
    """A folder has no name that a page beside it could have."""
    safe = safe_name(name)
    return f"{safe}-" if is_page_name(safe) else safe


def _shortened(name: str) -> str:
    """The beginning of a name, with a few digits that stand for the rest."""
    stem, suffix = splitext(name)
    suffix = suffix if len(suffix.encode()) < 12 else ""
    head = (stem if suffix else name)[:_MAX_BYTES].encode("utf-8", "replace")
    cut = head[: _MAX_BYTES - 24].decode(errors="ignore").rstrip(". ")
    return f"{cut}-{short_digest(name)}{suffix}"


def _is_like_separator(char: str) -> bool:
    """Whether a character becomes a separator, or the dots of a folder, on some systems."""
    return not char.isascii() and not {"/", "\\", "."}.isdisjoint(
        unicodedata.normalize("NFKC", char)
    )


def short_digest(text: str) -> str:
    """Eight digits that stand for a text."""
    return text_hash(text, 4).hex()


def is_hidden(name: str) -> bool:
    """Whether a file is none that people keep: hidden, or left behind by a system or an editor."""
    *folders, last = name.split("/")
    is_aside = any(part[:1] == "." or part == "__MACOSX" for part in folders)
    return is_aside or is_leftover(last) or (last[:1] == "." and not is_page_name(last))


def distinct(wanted: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Give each key the path that it wants; one that is taken gets digits that stand for the key.

    Folders are spelled as they are first, so that none is there twice on some systems.
    """
    files = {CONFIG_FILE, LOGSEQ_CONFIG, DENDRON_CONFIG, *SITE_CONFIGS}
    folders = dict[str, str]()
    for key, path in wanted:
        above, slash, name = path.rpartition("/")
        above = _folders_of(above, files, folders)
        stem, suffix = splitext(name)
        free = f"{above}{slash}{name}"
        if fold(free) in files or fold(free) in folders:
            free = f"{above}{slash}{stem} {short_digest(key)}{suffix}"
        files.add(fold(free))
        yield key, free


def _folders_of(path: str, files: Collection[str], folders: dict[str, str]) -> str:
    """The path of a folder as it was first spelled, beside a file of its name with a hyphen."""
    if not path or fold(path) in folders:
        return folders.get(fold(path), "")
    above, slash, name = path.rpartition("/")
    spelled = f"{_folders_of(above, files, folders)}{slash}{name}"
    while fold(spelled) in files:
        spelled += "-"
    folders[fold(path)] = folders[fold(spelled)] = spelled
    return spelled
