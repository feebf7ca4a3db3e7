"""The names a page answers to, as 48-bit numbers of their folded form, and where a link looks for
them: among the pages of a namespace, of a folder that another program keeps, or of those outside
of all namespaces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cached_property, lru_cache
from posixpath import basename, dirname, normpath
from typing import TYPE_CHECKING, TypeAlias

from memwiki.digest import text_hash
from memwiki.names import (
    FOLDER_PAGES,
    bare_letters,
    fold,
    is_in_folder,
    is_within,
    leads_out,
    path_in,
    slug,
    stem_of,
    without_numbers,
    without_suffix,
)
from memwiki.nouns import PATH_KINDS, Dialect, Layers, Link, LinkKind, Page
from memwiki.records import NamedTuple, grouped
from memwiki.scope import base_of, layers_below, namespace_folders
from memwiki.text import pattern

if TYPE_CHECKING:
    from memwiki.index.resolve import Names

FoundPages: TypeAlias = tuple[str, tuple[str, ...]]  # by what they were found, and their paths
NUMBER_BYTES = 6
_MAX_ABOVE = 8  # folders, in which a section of a site is looked for
_MAX_KNOWN = 20_000  # names whose numbers are kept
_DIGITS = frozenset("0123456789")
_DOTS = ("", ".", "..")  # what the end of a path that names no page may be
# `Python: the language` is a name; in a markdown link, where a blank would be %20, any scheme
# counts.
_ADDRESS = pattern(r"[a-zA-Z][a-zA-Z0-9+.-]+://|//|#!|(?:mailto|tel|sms|urn|doi|file):(?=\S)")
_ADDRESS_BEGINS = ("https://", "http://", "//", "#!")  # of nearly all, and without a colon
_SCHEME = pattern(r"[a-zA-Z][a-zA-Z0-9+.-]+:(?=\S)")
_NO_NAME = pattern(r"[\s$=~\"]")
_OTHER_VAULT = pattern(r"dendron://[^/]*/")  # Dendron's way to name a note of any vault
_HTML, _HTML_LENGTH = pattern(r"(?<=[^/])\.html?\Z", re.IGNORECASE), len(".html")
_BLOCK_ID = pattern(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")  # of Logseq, for `((id))`
_IN_BLOCK_ID = pattern(r"\^[0-9a-f]{8}-")  # nearly all pages have none
_IN_LOGSEQ_ID = pattern(r"id::[ \t]++[0-9A-Fa-f]{8}-")
_WIKILINKS = {
    *(LinkKind.WIKILINK, LinkKind.EMBED, LinkKind.FRONT_MATTER, LinkKind.CITED, LinkKind.ENTRY)
}
_FOLDER_PAGES = (
    *("index.md", "README.md", "_index.md"),
    *("index.markdown", "README.markdown", "_index.markdown"),
)


class NameKind(IntEnum):
    """Which name it is; the resolver asks for one kind at a time."""

    PATH = 1  # with and without the suffix
    STEM = 2
    ALIAS = 3  # aliases and ids
    TITLE = 4
    SLUG = 5  # of stem, title, aliases and ids
    TARGET = 6  # what the last part of a link to this page may look like
    SEARCH = 7  # found by people, meant by no link; as it is, as a slug, and without accents


@lru_cache(_MAX_KNOWN)
def name_number(name: str) -> int:
    """A name as a signed 48-bit number, the same for all spellings that fold alike."""
    return folded_number(fold(name))


def folded_number(folded: str) -> int:
    """An already folded form as a signed 48-bit number: of a million names two are alike once in
    six hundred vaults, and a fifth of what is kept by name is saved."""
    return int.from_bytes(text_hash(folded, 8)[:NUMBER_BYTES], "big", signed=True)


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
    searched = {form for name in page.search_names for form in (fold(name), slug(name))}
    bare = {slug(bare_letters(name)) for name in (stem, page.title, *others) if not name.isascii()}
    for form in (searched | bare) - {""}:
        yield NameKind.SEARCH, folded_number(form)
    for name in filter(_BLOCK_ID.fullmatch, page.block_ids if _has_blocks(page) else ()):
        yield NameKind.ALIAS, name_number(name)
        yield NameKind.TARGET, folded_number(_form(name))
    names = list(filter(None, (stem, title, *others)))
    for form in {slug(name) for name in names} - {""}:
        yield NameKind.SLUG, folded_number(form)
    if last := _last_without_number(page.path):
        names.append(last)
        yield NameKind.ALIAS, name_number(_sorted_name(last))
    if fold(stem) in FOLDER_PAGES:
        names.append(basename(dirname(page.path)))
    # What the last part of a link to the page may be; the whole name too: `tcp-ip` means the page
    # called TCP/IP.
    for form in {f for name in names for f in (_form(name), _form(basename(_bare(name))))}:
        yield NameKind.TARGET, folded_number(form)


def _has_blocks(page: Page) -> bool:
    """Whether a page may have blocks that any page links to; nearly all have none."""
    from memwiki.markdown.parse import BlockIds  # whoever asks for names alone has no pages

    ids = page.block_ids
    return isinstance(ids, BlockIds) and not ids.page.lacks(_may_have_blocks, page.text)


def _may_have_blocks(text: str) -> bool:
    is_named = "^" in text and _IN_BLOCK_ID.search(text)
    return bool(is_named or ("id::" in text and _IN_LOGSEQ_ID.search(text)))


def _place(path: str) -> str:
    """The folded path of a page as addresses have it, that of its folder where it is its page."""
    folder, _, stem = fold(without_suffix(path)).rpartition("/")
    return folder if folder and stem in FOLDER_PAGES else f"{folder}/{stem}".lstrip("/")


def _last_without_number(path: str) -> str:
    """The last part of the address of a page, "" where its path has no number that sorts."""
    if _DIGITS.isdisjoint(path):
        return ""
    place = _place(path)
    address = without_numbers(place)
    return basename(address) if address != place else ""


def _sorted_name(last: str) -> str:
    """The alias under which a page is found whose path has numbers that sort, by its last part
    without one; nobody can write it."""
    return f"\0{last}"


def stem_number(path: str) -> int:
    """The number under which links by its file name are found."""
    return _last_number(stem_of(path))


def entry_number(id_: str) -> int:
    """The number under which entries with this id are found, and links to them."""
    # A page may have more ids than are kept: to look for each among these would find none.
    return folded_number(fold(f"^\0{id_}"))


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
    if written.startswith(_ADDRESS_BEGINS):
        return True
    if ":" not in written:
        return False
    return bool(_ADDRESS.match(written) or (kind in PATH_KINDS and _SCHEME.match(written)))


def named_by_label(link: Link) -> str:
    """The name on the right of `[[Label|note.path]]`, "" when words stand there.

    A label of one plain word is a label: only what has a dot or a slash is taken for a name.
    """
    if not link.text or link.kind not in _WIKILINKS:
        return ""
    name = _OTHER_VAULT.sub("", link.text.partition("#")[0])
    is_name = ("." in name or "/" in name) and not _NO_NAME.search(name)
    return name if is_name and not _ADDRESS.match(name) else ""


class SiteAddress(NamedTuple):
    """An address of a website as the path that it may stand for, between what it has more."""

    before: str
    path: str
    after: str


def site_addresses(written: str) -> Iterator[SiteAddress]:
    """What a markdown link may mean where a site is made of the pages: `a.html` the page `a`, and
    `../a/` the page beside its own, which has an address that is a folder."""
    if ".htm" in written[-_HTML_LENGTH:].lower() and (suffix := _HTML.search(written)):
        path = written[: suffix.start()]
        yield SiteAddress("", path, suffix[0])
        if fold(basename(path)) == "index":
            yield SiteAddress("", f"{path[: -len('index')]}README", suffix[0])
    elif written.startswith("../") and _is_folder_like(written):
        yield SiteAddress("../", written[len("../") :], "")


def _is_folder_like(written: str) -> bool:
    name = written.rstrip("/")
    return without_suffix(name) == name and basename(name) not in _DOTS


def targets_of(link: Link, source: str) -> frozenset[int]:
    """The numbers under which the page that a link means is found, whichever step resolves it."""
    if is_entry_id(link.written, link.kind):
        return frozenset({entry_number(link.written[1:])})
    label, is_path = named_by_label(link), link.kind in PATH_KINDS
    is_of_folder = link.written.rpartition("/")[2] in _DOTS
    folder = f"{dirname(source)}/" if is_of_folder else ""
    return _targets(link.written, link.heading, label, folder, is_path=is_path)


@lru_cache(_MAX_KNOWN)
def _targets(
    written: str, heading: str, label: str, folder: str, *, is_path: bool
) -> frozenset[int]:
    """The same; pages link to the same ones over and over. The folder of a page, with the sign
    behind it, is needed where the last part of a path names none."""
    whole = f"{written}#{heading}" if heading else written
    names = {written, whole, label or written}
    if folder:
        names |= {_folder_or_page(folder + written), _folder_or_page(written.lstrip("/"))}
    if is_path:
        names.update(each.path for each in site_addresses(written))
    return frozenset(map(_last_number, {_bare(name).rpartition("/")[2] for name in names}))


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


def location_of(written: str, folder: str = "", *, is_plain: bool = False) -> str | None:
    """The exact path that a name is in a folder, None where that is outside of the workspace."""
    if is_plain:
        return f"{folder}/{written}" if folder else written
    path = path_in(folder, written)
    return None if leads_out(path) else "" if path == "." else path


def exactly(location: str, names: Names) -> tuple[str, ...]:
    """The pages at an exact path; of names that differ in case or Unicode form only, the one that
    was written is meant."""
    found = names.pages(NameKind.PATH, location)
    if location in found:
        return (location,)
    return tuple(each for each in found if without_suffix(each) == location) or tuple(found)


def is_folder_page(written: str) -> bool:
    """Whether a name is that of a folder's own page: README.md, index."""
    return fold(stem_of(written)) in FOLDER_PAGES


def folder_pages(folder: str, names: Names) -> Iterator[str]:
    """The page of a folder itself."""
    for name in _FOLDER_PAGES:
        yield from exactly(f"{folder}/{name}" if folder else name, names)


def pages_from_above(written: str, folder: str, names: Names) -> Iterator[str]:
    """The page of the folder that a path of several parts is from a folder above the link, as
    Hugo looks for it in the section and below `content`."""
    path = written.rstrip("/")
    if "/" not in path or path.startswith((".", "/")):
        return
    parts = folder.split("/")[:_MAX_ABOVE]
    for above in ("/".join(parts[:depth]) for depth in reversed(range(len(parts)))):
        for name in ("_index.md", "index.md"):
            yield from exactly(f"{above}/{path}/{name}".lstrip("/"), names)


def attachments_at(
    written: str, locations: Sequence[str], names: Names, is_seen: Callable[[str], bool]
) -> list[str]:
    """The files that are no pages at one of these paths, else those whose path ends as written."""
    found = names.attachments(written.rsplit("/", 1)[-1])
    exact = [path for path in found if fold(path) in {fold(location) for location in locations}]
    # On a site files that are no pages lie below a folder which their address does not say.
    end = f"/{fold(written.lstrip('/'))}"
    ends = (path for path in found if f"/{fold(path)}".endswith(end))
    return exact or [path for path in ends if is_seen(path)]


def pages_at_address(locations: Iterable[str], root: str, names: Names) -> Sequence[str]:
    """The pages whose address on the site, which is made of the folder `root`, is one of these
    paths, the first that is any."""
    inner = (each.removeprefix(f"{root}/") if root else each for each in locations)
    found = (
        names.pages(NameKind.ALIAS, f"/{without_suffix(each.strip('/'))}")
        for each in dict.fromkeys(inner)
    )
    return next(filter(None, found), ())


def pages_of_one_site(paths: Sequence[str], written: str, folder: str) -> tuple[str, ...]:
    """Of pages whose paths end as a path from the root of a site is written, those of the site
    that has the others below it, as translations are, else of the one that the link is in; all
    where neither tells."""
    if len(paths) <= 1 or not written.startswith("/"):
        return tuple(paths)
    end = fold(without_suffix(written.strip("/")))
    places = {path: _place(path) for path in paths}
    if not all(f"/{place}".endswith(f"/{end}") for place in places.values()):
        return tuple(paths)
    roots = {path: place[: len(place) - len(end)].rstrip("/") for path, place in places.items()}
    highest = min(roots.values(), key=len)
    if not all(is_within(root, highest) for root in roots.values()):
        around = [root for root in roots.values() if is_within(fold(folder), root)]
        highest = max(around, key=len, default="\0")
    return tuple(path for path in paths if roots[path] == highest) or tuple(paths)


def pages_without_numbers(
    locations: Sequence[str], names: Names, *, is_from_root: bool
) -> list[str]:
    """The pages that are at one of these paths but for the numbers that sort files and folders;
    from the root of a site also those whose path ends so."""
    wanted = [_without_numbers_above(fold(each)) for each in locations]
    last = basename(wanted[-1]) if wanted else ""
    found = names.pages(NameKind.ALIAS, _sorted_name(last)) if last else ()
    bare = {path: f"/{without_numbers(_place(path))}" for path in found}
    exact = [path for each in wanted for path in found if bare[path] == each]
    if exact or not is_from_root:
        return exact
    return [path for path in found if bare[path].endswith(wanted[-1])]


def _without_numbers_above(path: str) -> str:
    """A path from the root whose last part is as it was written."""
    folder, _, last = path.rpartition("/")
    return f"/{without_numbers(folder)}/{last}".replace("//", "/")


_Steps: TypeAlias = "Callable[[str, Names], Iterator[tuple[str, Iterable[str]]]]"


class LinkLocation(NamedTuple):
    """Where a link stands."""

    folder: str
    is_source: bool  # in the field `sources`
    base: str  # of its namespace, "" where it stands in none
    dialect: Dialect
    programs: tuple[Region, ...]  # that keep its folder, the nearest first


class Region:
    """Pages among which a name is looked for: those of a namespace, those of a folder that another
    program keeps, or those outside of all namespaces."""

    def __init__(
        self, base: str, names: Names, layers: Layers, *, is_program: bool = False
    ) -> None:
        self.base, self.is_program, self._names = base, is_program, names
        space = base_of(f"{base}/", layers) if is_program else base
        self.layers = layers_below(layers, space)
        self._inside = f"{base}/" if base else ""
        self._elsewhere = () if space else _folders(*namespace_folders(layers))
        self._hidden = (*self._elsewhere, *_folders(self.layers.archive))
        self._aside = _folders(self.layers.raw, self.layers.inbox, self.layers.archive)
        self.by_name = _Memory(_steps_by_name, names, self.is_seen)
        self.by_full_text = _Memory(_steps_by_full_text, names, self.is_seen)

    def holds(self, path: str) -> bool:
        """Whether a page lies here."""
        return path.startswith(self._inside) and not path.startswith(self._elsewhere)

    def is_seen(self, path: str) -> bool:
        """Whether a page lies here and is not retired."""
        return path.startswith(self._inside) and not path.startswith(self._hidden)

    def folder_pages_at(self, written: str) -> list[str]:
        """The pages of the folders whose path ends as a path from the root of a site is written."""
        if not written.startswith("/"):
            return []  # nobody asks for the pages of all folders where a name is no such path
        end = f"/{fold(written.strip('/'))}"
        pages = self._by_folder.get(basename(end), ())
        return [path for path in pages if f"/{fold(dirname(path))}".endswith(end)]

    @cached_property
    def _by_folder(self) -> Mapping[str, list[str]]:
        """The pages of folders that are seen, by the folded name of the folder."""
        found = grouped(
            (fold(basename(dirname(path))), path)
            for stem in sorted(FOLDER_PAGES)
            for path in filter(self.is_seen, self._names.pages(NameKind.STEM, stem))
        )
        found.pop("", None)  # of the root
        return found

    def meant(self, paths: list[str], location: LinkLocation) -> list[str]:
        """The pages that come before those of other layers: of `sources` the sources, and where a
        link does not stand aside itself, those that do not."""
        sources = self.layers.raw or "raw"  # as nearly every wiki that an agent keeps calls it
        raw = [path for path in paths if location.is_source and is_in_folder(path, sources)]
        if raw or f"{location.folder}/".startswith(self._aside):
            return raw
        return [path for path in paths if not path.startswith(self._aside)]


def _folders(*layers: str) -> tuple[str, ...]:
    """What the paths in these layers begin with."""
    return tuple(f"{layer}/" for layer in layers if layer)


class _Memory:
    """What names mean in a region wherever they stand, the archive left out: what the first step
    finds that finds anything."""

    def __init__(self, steps: _Steps, names: Names, is_seen: Callable[[str], bool]) -> None:
        self._steps, self._names, self._is_seen = steps, names, is_seen
        self._known: dict[str, FoundPages] = {}

    def find(self, name: str) -> FoundPages:
        """The step, and the pages that it finds."""
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = next(self._find(name), ("", ()))
        return known

    def _find(self, name: str) -> Iterator[FoundPages]:
        for by, found in self._steps(name, self._names):
            living = tuple(filter(self._is_seen, found))
            if living:
                yield by, living


def _steps_by_name(written: str, names: Names) -> Iterator[tuple[str, Iterable[str]]]:
    bare = without_suffix(written.strip("/"))
    stems = names.pages(NameKind.STEM, stem_of(bare))
    if "/" in bare:
        end = f"/{fold(bare)}"
        ends = (path for path in stems if f"/{fold(without_suffix(path))}".endswith(end))
        yield "path suffix", list(ends)
    else:
        yield "file name", stems
    yield "alias", names.pages(NameKind.ALIAS, written)
    yield "title", names.pages(NameKind.TITLE, written)
    if "/" not in bare:
        yield "slug", names.slugs(slug(bare))


def _steps_by_full_text(whole: str, names: Names) -> Iterator[tuple[str, Iterable[str]]]:
    for kind in (NameKind.STEM, NameKind.ALIAS, NameKind.TITLE):
        yield "full text", names.pages(kind, whole)
    yield "full text", names.slugs(slug(whole))
