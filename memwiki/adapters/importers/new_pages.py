"""Pages and files from elsewhere: safe paths, links that still lead, and fields put into a page."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from posixpath import basename, dirname, relpath, splitext
from typing import NamedTuple

from memwiki import Link
from memwiki.adapter_api import (
    BIDI,
    CONFIG_FILE,
    DENDRON_CONFIG,
    LOGSEQ_CONFIG,
    SITE_CONFIGS,
    FieldValue,
    FrontMatterStatus,
    Layers,
    LinkKind,
    LinkSite,
    NameKind,
    NotEditableError,
    Outline,
    Patch,
    Resolver,
    SourceText,
    Syntax,
    canonical,
    counted,
    find_block,
    fold,
    is_external,
    is_leftover,
    is_page_name,
    load_front_matter,
    read_source,
    renamed,
    sites_of,
    slug,
    stem_of,
    strings,
    text_hash,
    why_not_folder,
    without_suffix,
    yaml_scalar,
)

_MAX_BYTES = 180  # a number, a suffix and what others add still fit into 255
_MAX_PARTS = 12
_UNFIT = re.compile(
    rf"[\x00-\x1f\x7f-\x9f<>:\"|?*\\/\u00ad\u200b-\u200f\u2028\u2029\u2060-\u2064\ufeff\ufffe\uffff"
    rf"{BIDI}\ud800-\udfff]|%(?=[0-9a-fA-Fu])"
)
_FILE, _ENTRY = "file", "entry"  # kinds of names that are no page's
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
        plain = "".join(map(_no_separator, plain))
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


def _no_separator(char: str) -> str:
    """A hyphen for what becomes a separator, or the dots of a folder, on some systems."""
    is_plain = char.isascii() or {"/", "\\", "."}.isdisjoint(unicodedata.normalize("NFKC", char))
    return char if is_plain else "-"


def short_digest(text: str) -> str:
    """Eight digits that stand for a text."""
    return text_hash(text, 4).hex()


def is_hidden(name: str) -> bool:
    """Whether a file is none that people keep: hidden, or left behind by a system or an editor."""
    *folders, last = name.split("/")
    is_aside = any(part[:1] == "." or part == "__MACOSX" for part in folders)
    return is_aside or is_leftover(last) or (last[:1] == "." and not is_page_name(last))


HIDDEN = ("hidden file was not taken", "hidden files were not taken")
UNREADABLE = (
    "page is not valid UTF-8, taken as it is",
    "pages are not valid UTF-8, taken as they are",
)


def count_notes(*rows: tuple[int, str, str]) -> tuple[str, ...]:
    """What is told of an import: counts, with words for one and for several; none of nothing."""
    return tuple(counted(*row) for row in rows if row[0])


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


class ImportedNames:
    """The names of the pages and files of an import, as the resolver asks for them."""

    def __init__(self, pages: Iterable[Outline], attachments: Iterable[str]) -> None:
        self._paths: dict[tuple[object, str], list[str]] = defaultdict(list)
        for page in pages:
            for name in _names_of(page):
                self._paths[name].append(page.path)
        for path in attachments:
            self._paths[_FILE, fold(basename(path))].append(path)

    def pages(self, kind: NameKind, name: str) -> Sequence[str]:
        """Paths of the pages that have this name of this kind."""
        return self._paths.get((kind, fold(name)), ())

    def slugs(self, form: str) -> Sequence[str]:
        """Paths of the pages one of whose names has this slug form."""
        return self._paths.get((NameKind.SLUG, form), ()) if form else ()

    def attachments(self, name: str) -> Sequence[str]:
        """Paths of the files that are no pages and have this file name."""
        return self._paths.get((_FILE, fold(name)), ())

    def entries(self, id_: str) -> Sequence[str]:
        """Paths of the pages that hold an entry with this id."""
        return self._paths.get((_ENTRY, id_), ())


def _names_of(page: Outline) -> set[tuple[object, str]]:
    """All that a page answers to, each name with its kind."""
    path, titles = page.path, {page.title}.difference(page.search_names)
    named = {
        NameKind.PATH: [path, without_suffix(path)],
        NameKind.STEM: [stem_of(path)],
        NameKind.TITLE: [*titles],
        NameKind.ALIAS: [*page.fields.aliases, *page.fields.ids],
    }
    names: set[tuple[object, str]] = {(_ENTRY, id_) for id_ in page.block_ids}
    for kind, each_name in ((kind, name) for kind, names in named.items() for name in names):
        names.add((kind, fold(each_name)))
        if kind is not NameKind.PATH:
            names.add((NameKind.SLUG, slug(each_name)))
    return names


class Relinking:
    """What links mean once all files are where they are to be."""

    def __init__(
        self, pages: Iterable[Outline], attachments: Iterable[str], layers: Layers
    ) -> None:
        self._resolver = Resolver(ImportedNames(pages, attachments), layers)

    def target(self, link: Link, source: str) -> str:
        """The path that a link would lead to."""
        return self._resolver.resolve(link, source).target

    def relinked(self, page: Outline, meant: Callable[[Link], str]) -> str:
        """The text of a page whose links lead to the paths that are meant; "" means none known."""
        patches = list[Patch]()
        for site in sites_of(page):
            path = meant(site.link)
            if path and self.target(site.link, page.path) != path:
                raw = page.text[site.start : site.end]
                new = _certain_target(site, raw, path, page.path)
                if new is not None and new != raw:
                    patches.append(Patch(site.start, site.end, new))
        return page.patched(patches).text if patches else page.text


def _certain_target(site: LinkSite, raw: str, path: str, source: str) -> str | None:
    """The target of a link that leads to a path for certain."""
    if site.syntax is not Syntax.WIKI:
        # Of an address nothing is kept, of a path its heading.
        old = "x" if is_external(site.link.written) else raw
        return renamed(site, old, relative_path(path, source))
    new = renamed(site, raw, without_suffix(path))
    has_label = site.link.text or site.link.kind is LinkKind.EMBED
    return new if new is None or has_label or "|" in raw else f"{new}|{raw.strip()}"


def relative_path(path: str, source: str) -> str:
    """A path as a link in the folder of `source` names it."""
    return relpath(path, dirname(source) or ".")


_MAX_BLOCK_BYTES = 40_000  # a longer block is no longer read as YAML
_MAX_KEY = 200
_SEPARATE = frozenset({"id", "sources", "related", "relations"})  # lists of several spellings
_WHOLE = (FrontMatterStatus.OK, FrontMatterStatus.REPAIRED, FrontMatterStatus.NONE)
_CODE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_TOP = re.compile(r"^(?=[^\s])", re.MULTILINE)


class NewField(NamedTuple):
    """A field, its key as it is written elsewhere."""

    key: str
    value: FieldValue


class WithFields(NamedTuple):
    """A page with more fields, and those that its front matter cannot say."""

    text: str
    left: tuple[NewField, ...] = ()


def with_fields(text: str, fields: Sequence[NewField]) -> WithFields:
    """The page with these fields at the end of its front matter; what it says already stays."""
    source = SourceText("", text)
    block, _ = find_block(source.lines)
    front = load_front_matter("", source.lines).front_matter
    if not fields or front.status not in _WHOLE:
        return WithFields(text, tuple(fields))
    room = (
        _MAX_BLOCK_BYTES - sum(len(line.encode()) for line in block.lines)
        if block
        else _MAX_BLOCK_BYTES
    )
    new, left = _fitting(fields, front.fields, room)
    lines = [f"{yaml_scalar(key)}: {_value(value)}\n" for key, value in new]
    end = source.line_end_at(len(text.partition("\n")[0]) + 1)
    if block is None:
        lines = ["---\n", *lines, "---\n"]
    at = source.starts[block.line_end - 1] if block else 0
    added = "".join(lines).replace("\n", end)
    after = text[:at] + added + text[at:]
    is_read = _are_read(new, after, front.fields)
    return WithFields(after, left) if new and is_read else WithFields(text, tuple(fields))


def _fitting(
    fields: Iterable[NewField], existing: Iterable[str], room: int
) -> tuple[list[NewField], tuple[NewField, ...]]:
    """The fields that a block has room for, each key once."""
    seen = {_same(key) for key in existing}
    new, left = list[NewField](), list[NewField]()
    for field in fields:
        size = len(field.key.encode()) + len(_value(field.value).encode()) + 8
        is_odd = not field.key.strip() or len(field.key) > _MAX_KEY
        if is_odd or _same(field.key) in seen or size > room:
            left.append(field)
            continue
        seen.add(_same(field.key))
        room -= size
        new.append(field)
    return new, tuple(left)


def _same(key: str) -> str:
    name = canonical(key)
    return key if name in _SEPARATE else name


def _value(value: FieldValue, *, is_flow: bool = False) -> str:
    """A value in one line of YAML."""
    if isinstance(value, str):
        return yaml_scalar(value, is_flow=is_flow, is_text=is_flow)
    if isinstance(value, list):
        return f"[{', '.join(_value(item, is_flow=True) for item in value)}]"
    pairs = (f"{yaml_scalar(key)}: {_value(item, is_flow=True)}" for key, item in value.items())
    return f"{{{', '.join(pairs)}}}"


def _are_read(new: Sequence[NewField], text: str, before: Iterable[str]) -> bool:
    """Whether the reader finds just what was there and what is new."""
    loaded = load_front_matter("", SourceText("", text).lines).front_matter
    is_whole = loaded.status in _WHOLE and set(loaded.fields) == {*before, *dict(new)}
    return is_whole and all(loaded.fields.get(key) == value for key, value in new)


def unite_pages(path: str, existing: bytes, data: bytes) -> bytes | None:
    """The bytes of a page with what those of another one say besides; None when it is not text."""
    try:
        page, other = read_source(path, existing), read_source(path, data)
    except NotEditableError:
        return None
    front = load_front_matter(path, other.lines).front_matter
    fields = [NewField(key, value) for key, value in front.fields.items()]
    text, left = with_fields(page.text, fields)
    has = load_front_matter(path, SourceText(path, text).lines).front_matter.fields
    said = {key: set(strings(value)) for key, value in has.items()}
    pieces = (
        f"{key}:: {', '.join(strings(value))}"
        for key, value in left
        if not said.get(key, set()).issuperset(strings(value))
    )
    new = [piece for piece in pieces if piece not in page.lines]
    new += _missing(_body(page), _body(other))
    if new:
        end = page.line_end_at(len(page.text))
        added = "".join(f"{piece}\n" for piece in new).replace("\r\n", "\n")
        joint = "" if text.endswith("\n") else end
        text = f"{text}{joint}" + added.replace("\n", end)
    return (page.mark + text).encode()


def _body(page: SourceText) -> str:
    start = load_front_matter(page.path, page.lines).front_matter.line_end
    return page.text[page.starts[start] :] if start < len(page.starts) else ""


def _missing(existing: str, body: str) -> Iterator[str]:
    """The items and paragraphs of a text that another one does not have."""
    if body.strip() in ("", "-") or body.strip() in existing:
        return
    if _CODE.search(body):
        yield body.strip("\n").rstrip()
        return
    known = {piece.rstrip() for piece in _TOP.split(existing)}
    for piece in _TOP.split(body):
        if piece.strip() not in ("", "-") and piece.rstrip() not in known:
            yield piece.rstrip()
