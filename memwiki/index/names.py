"""The names a page answers to, as 64-bit numbers of their folded form, ready to be looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from functools import lru_cache
from posixpath import basename, dirname, normpath

from memwiki.digest import text_hash
from memwiki.markdown.titles import FOLDER_PAGES
from memwiki.names import fold, slug, stem_of, without_suffix
from memwiki.nouns import PATH_KINDS, Link, LinkKind, Page

_MAX_KNOWN = 20_000  # names whose numbers are kept
_DOTS = ("", ".", "..")  # what the end of a path that names no page may be
# `Python: the language` is a name; in a markdown link, where a blank would be %20, any scheme
# counts.
_ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+://|//|#!|(?:mailto|tel|sms|urn|doi|file):(?=\S)")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+:(?=\S)")
_NO_NAME = re.compile(r"[\s$=~\"]")
_OTHER_VAULT = re.compile(r"dendron://[^/]*/")  # Dendron's way to name a note of any vault
_BLOCK_ID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")  # of Logseq, for `((id))`
_WIKILINKS = {
    *(LinkKind.WIKILINK, LinkKind.EMBED, LinkKind.FRONT_MATTER, LinkKind.CITED, LinkKind.ENTRY)
}


class NameKind(IntEnum):
    """Which name it is; the resolver asks for one kind at a time."""

    PATH = 1  # with and without the suffix
    STEM = 2
    ALIAS = 3  # aliases and ids
    TITLE = 4
    SLUG = 5  # of stem, title, aliases and ids
    TARGET = 6  # what the last part of a link to this page may look like
    SEARCH = 7  # found by people, meant by no link; as it is and as a slug


@lru_cache(_MAX_KNOWN)
def name_number(name: str) -> int:
    """A name as a signed 64-bit number, the same for all spellings that fold alike."""
    return folded_number(fold(name))


def folded_number(folded: str) -> int:
    """An already folded form as a signed 64-bit number."""
    return int.from_bytes(text_hash(folded, 8), "big", signed=True)


def names_of(page: Page) -> Iterator[tuple[NameKind, int]]:
    """Every name of a page."""
    stem, others = stem_of(page.path), [*page.aliases, *page.ids]
    title = "" if page.title in page.search_names else page.title  # that links may go by
    yield NameKind.PATH, name_number(page.path)
    yield NameKind.PATH, name_number(without_suffix(page.path))
    yield NameKind.STEM, name_number(stem)
    for name in others:
        yield NameKind.ALIAS, name_number(name)
    if title:
        yield NameKind.TITLE, name_number(title)
    for form in {form for name in page.search_names for form in (fold(name), slug(name))} - {""}:
        yield NameKind.SEARCH, folded_number(form)
    for name in filter(_BLOCK_ID.fullmatch, page.block_ids):
        yield NameKind.ALIAS, name_number(name)
        yield NameKind.TARGET, folded_number(_form(name))
    names = list(filter(None, (stem, title, *others)))
    for form in {slug(name) for name in names} - {""}:
        yield NameKind.SLUG, folded_number(form)
    if fold(stem) in FOLDER_PAGES:
        names.append(basename(dirname(page.path)))
    # The whole name too: `tcp-ip` means the page called TCP/IP.
    for form in {f for name in names for f in (_form(name), _form(basename(_bare(name))))}:
        yield NameKind.TARGET, folded_number(form)


def stem_number(path: str) -> int:
    """The number under which links by its file name are found."""
    return _last_number(stem_of(path))


def entry_number(id_: str) -> int:
    """The number under which entries with this id are found, and links to them."""
    return name_number(f"^\0{id_}")


def is_entry_id(written: str, kind: LinkKind) -> bool:
    """Whether a link names an entry by its id, wherever that stands."""
    return kind is LinkKind.ENTRY and written.startswith("^")


def entry_id(link: Link) -> str:
    """The id of the entry that a link names, by its id alone or behind its page; "" for none."""
    if is_entry_id(link.written, link.kind):
        return link.written[1:]
    return link.block if link.block.startswith("m-") else ""


def is_external(written: str, kind: LinkKind) -> bool:
    """Whether a link leads to an address elsewhere."""
    if _ADDRESS.match(written):
        return True
    return kind in PATH_KINDS and _SCHEME.match(written) is not None


def named_by_label(link: Link) -> str:
    """The name on the right of `[[Label|note.path]]`, "" when words stand there.

    A label of one plain word is a label: only what has a dot or a slash is taken for a name.
    """
    if not link.text or link.kind not in _WIKILINKS:
        return ""
    name = _OTHER_VAULT.sub("", link.text.partition("#")[0])
    is_name = ("." in name or "/" in name) and not _NO_NAME.search(name)
    return name if is_name and not _ADDRESS.match(name) else ""


def targets_of(link: Link, source: str) -> set[int]:
    """The numbers under which the page that a link means is found, whichever step resolves it."""
    if is_entry_id(link.written, link.kind):
        return {entry_number(link.written[1:])}
    whole = f"{link.written}#{link.heading}" if link.heading else link.written
    names = {link.written, whole, named_by_label(link) or link.written}
    names.add(_folder_or_page(f"{dirname(source)}/{link.written}"))
    if link.written.rpartition("/")[2] in _DOTS:
        names.add(_folder_or_page(link.written.lstrip("/")))  # the same from the root
    return set(map(_last_number, {basename(_bare(name)) for name in names}))


def _folder_or_page(path: str) -> str:
    """A path made plain; the root, by which its own folder page is known, is a name without
    letters."""
    plain = normpath(path)
    return "" if plain == "." else plain


@lru_cache(_MAX_KNOWN)
def _last_number(name: str) -> int:
    """The number of the last part of a name; links say the same ones over and over."""
    return folded_number(_form(name))


def _form(name: str) -> str:
    """The slug form of a name; folded where nothing else is left."""
    bare = _bare(name)
    return slug(bare) or fold(bare)


def _bare(name: str) -> str:
    return without_suffix(name.rstrip("/"))
