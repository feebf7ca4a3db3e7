"""From a title to a file name that every system can hold, and back; the path a moved file gets."""

from __future__ import annotations

import re
import unicodedata
from posixpath import basename, dirname

from memwiki.errors import UsageError
from memwiki.names import BIDI, is_page_name, normalised, without_suffix
from memwiki.text import pattern

MAX_CHARACTERS = 80
_MAX_BYTES = 200
# What is read as something else than a page wherever it stands, or cannot be stored on Windows.
_TAKEN = pattern(
    r"index|log|readme|agents|claude|gemini|skill|con|prn|aux|nul|conin|conout|(?:com|lpt)[0-9]"
)
_LETTER_LIKE = ("L", "M", "N")
_VARIANTS = pattern("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_UNFIT = pattern(f"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff{BIDI}]")


def file_name(title: str) -> str:
    """A readable name for the file of a page, without suffix: words in lower case, joined by
    `-`."""
    folded = normalised("NFC", _VARIANTS.sub("", title).lower())
    name = "".join(c if unicodedata.category(c)[0] in _LETTER_LIKE else "-" for c in folded)
    # A mark needs a letter to stand on.
    name = re.sub(r"(?:^|(?<=-))\W+", "-", name)
    name = _cut(re.sub(r"-+", "-", name).strip("-"))
    if not name:  # signs alone: their numbers are a name, if not a pretty one
        name = _cut("-".join(f"{ord(c):x}" for c in title if not c.isspace()))
    return f"{name}-page" if _TAKEN.fullmatch(name) else name


def titled_file_name(title: str) -> str:
    """The name of a file that is called as its page: what a system or a link cannot hold becomes
    `-`, what is left stays as it is."""
    name = re.sub(r"[<>:\"/\\|?*#^\[\]]+", "-", normalised("NFC", title))
    name = " ".join(name.split()).strip("-. ~")
    short = name.encode()[:_MAX_BYTES].decode(errors="ignore").rstrip("-. ~")
    return short if short and is_file_name(short) else file_name(title)


def is_file_name(name: str) -> bool:
    """Whether a name that is no slug can be that of a file on every system, and of nothing else."""
    is_short = 0 < len(name.encode(errors="replace")) <= _MAX_BYTES
    is_plain = name == name.strip(" .~#") and not _UNFIT.search(name)
    return is_short and is_plain and not _TAKEN.fullmatch(name.lower().partition(".")[0])


def _cut(name: str) -> str:
    """The name at no more than its length, at the end of a word if one is near."""
    short = name[:MAX_CHARACTERS].encode()[:_MAX_BYTES].decode(errors="ignore")
    if short == name:
        return name
    head, dash, _ = short.rpartition("-")
    return (head if dash and len(head) * 2 > len(short) else short).strip("-")


def checked_line(what: str, text: str) -> str:
    """A title, type or description as given, less blanks around it; UsageError when it is no
    line."""
    text = text.strip()
    if found := _UNFIT.search(text):
        raise UsageError(
            f"{what}: holds U+{ord(found[0]):04X}, which a line of text cannot hold",
            f"give the {what} as one line without control characters",
        )
    return text


def destination(old: str, new: str, *, is_folder: bool) -> str:
    """The path a file gets; `is_folder` says that there is a folder called `new`.

    What has a suffix is a path, so that any path can be given; only a bare name stays in the
    folder.
    """
    if is_folder or new.endswith("/") or basename(new) in (".", ".."):
        return f"{new.strip('/')}/{basename(old)}".lstrip("/")
    suffix = old[len(without_suffix(old)) :]  # "" for a file that is no page
    is_whole = is_page_name(new) if suffix else "." in basename(new)
    path = new if is_whole else f"{new}{suffix}"
    is_name = "/" not in new and not is_whole
    return f"{dirname(old)}/{path}".lstrip("/") if is_name else path.lstrip("/")
