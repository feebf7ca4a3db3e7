"""The page that a verb means, as it is now; whether it may be changed; what a verb plans; and the
file that a title becomes: a name that every system can hold."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from posixpath import basename, dirname
from typing import TYPE_CHECKING

from memwiki.change.plan import Plan, edit_of
from memwiki.errors import (
    AlreadyExistsError,
    NotEditableError,
    TwinError,
    UnsafePathError,
    UsageError,
)
from memwiki.files.ignore import Ignore, why_not_path
from memwiki.files.paths import clash
from memwiki.files.read import contents, exists, is_hidden, read
from memwiki.markdown.describe import inner_path
from memwiki.markdown.outline import Outline, Outlines
from memwiki.markdown.parse import Look, WholeFile, parse
from memwiki.markdown.source import decode
from memwiki.names import (
    BIDI,
    is_in_folder,
    is_page_name,
    normalised,
    stem_of,
    unlinkable,
    without_suffix,
)
from memwiki.nouns import UNPARSED, Layers, Page, Problem
from memwiki.records import NamedTuple
from memwiki.sync.context import Context
from memwiki.text import pattern

if TYPE_CHECKING:
    from memwiki.markdown.edit.fields import Wanted


class Planned(NamedTuple):
    """A plan, and what the person should know about it."""

    plan: Plan
    notes: tuple[str, ...] = ()
    path: str = ""  # the one file that was meant, "" for a folder
    outlines: Outlines | None = None  # the texts that were looked over for it


def page_now(context: Context, path: str, outlines: Look | None = None) -> Page:
    """The page as the file is now."""
    limit = context.max_bytes
    file, _ = contents(context.root, path, limit)
    whole = WholeFile(file.digest, file.size)
    return parse(path, file.data, context.layers, max_bytes=limit, of=whole, outlines=outlines)


def too_large(path: str, max_bytes: int) -> NotEditableError:
    """What is said of a page that is to be changed and of which only the head is read."""
    return NotEditableError.at(
        path,
        f"has more than the {max_bytes} bytes that are read of a page",
        "split it into pages, or raise files.max_bytes",
    )


def bytes_within(context: Context, path: str) -> bytes | None:
    """The bytes of a file as it is now; None when they are more than are read of one."""
    data = read(context.root, path, context.max_bytes + 1)
    return data if len(data) <= context.max_bytes else None


def text_now(context: Context, path: str) -> str:
    """The text of a page as the file is now, not parsed."""
    return decode(path, read(context.root, path, context.max_bytes)).text


def require_editable(path: str, layers: Layers) -> None:
    """Refuse to change a source as it came."""
    if is_raw(path, layers):
        raise NotEditableError.at(
            path,
            f"is in {layers.raw}/, where sources are never changed",
            "write about it on a page of its own",
        )


def require_parsed(path: str, problems: Iterable[Problem]) -> None:
    """Refuse to change a page that could not be parsed: what a change would do to it is not
    known."""
    if any(problem.code == UNPARSED for problem in problems):
        raise NotEditableError.at(
            path,
            "memwiki could not parse this page and does not change it",
            "memwiki status {} shows what to report; an editor can change it",
            path,
        )


def is_raw(path: str, layers: Layers) -> bool:
    """Whether a page is a source as it came, which memwiki never changes."""
    return is_in_folder(inner_path(path, layers), layers.raw)


def require_free(root: Path, path: str) -> None:
    """Refuse a path where something is, or something that some systems would take for it."""
    found = clash(root, path)
    if found == path:
        raise AlreadyExistsError.at(
            path, "already exists", "memwiki append {} TEXT, or choose another name", path
        )
    if found:
        raise TwinError(path, found)


def require_linkable(root: Path, path: str, old: str = "") -> None:
    """Refuse to make a file or folder by whose name no link can lead to it; what is there, or keeps
    the name it has at `old`, stays as it is called."""
    parts = path.split("/")
    for at, name in enumerate(parts, 1):
        sign = unlinkable(name)
        if sign and name not in old.split("/") and not exists(root, "/".join(parts[:at])):
            raise UnsafePathError.at(path, f"no link can hold {sign}", "choose a name without it")


def why_no_name(path: str) -> str:
    """Why no page may be called so: nothing but dots is before the suffix; "" of others."""
    return "" if stem_of(path).strip(".") else "it is all suffix and no name"


def require_findable(path: str, ignore: Ignore) -> None:
    """Refuse a path at which no page or file would be found afterwards, for the reason `status`
    gives."""
    if reason := why_no_name(path) or why_not_path(path, ignore):
        raise UnsafePathError.at(
            path, f"would not be indexed there: {reason}", "choose another place"
        )


def folders_in(root: Path, base: str, folder: str) -> list[str]:
    """The names of the folders inside one of a namespace at `base`, those in which nothing is seen
    left out."""
    place = posixpath.join(base, folder)
    try:
        names = [each.name for each in (root / place).iterdir() if each.is_dir()]
    except (OSError, ValueError):
        return []
    return [name for name in names if not is_hidden(root, posixpath.join(place, name))]


def set_fields(page: Outline, changes: Mapping[str, Wanted], unset: Sequence[str]) -> Planned:
    """A plan that gives fields other values and removes some."""
    from memwiki.markdown.edit.fields import set_field, unset_field  # reading needs no edits

    if not (changes or unset):
        raise UsageError("set: nothing to set", "memwiki set NAME key=value")
    after = page
    for name in unset:
        after = unset_field(after, name)
    for name, value in changes.items():
        after = set_field(after, name, value)
    return Planned(page_plan(page, after, _describe(changes, unset)))


def _describe(changes: Mapping[str, Wanted], unset: Sequence[str]) -> str:
    parts = [f"set {', '.join(changes)}"] if changes else []
    if unset:
        parts.append(f"removed {', '.join(unset)}")
    return " and ".join(parts)


def page_plan(page: Outline, after: Outline, what: str, op: str = "update") -> Plan:
    """A plan for one page; without edits when it stays as it is."""
    if after.text == page.text:
        return Plan((), f"{page.path}: nothing to change", op)
    edit = edit_of(page.path, page.data, after.data, what)
    joint = "of" if " section " in what else "in"
    return Plan((edit,), f"{what} {joint} {page.path}", op)


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
