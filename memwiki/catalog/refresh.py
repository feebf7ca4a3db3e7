"""What the catalogs should say compared with what they say, as a plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias

from memwiki.catalog.block import (
    block_lines,
    fill_block,
    fresh,
    is_bare,
    is_ours,
    is_titled,
    is_untitled,
    shape_of,
    with_block,
)
from memwiki.catalog.layout import catalogs
from memwiki.catalog.listing import INDEX, base_of
from memwiki.catalog.parts import Catalog, CurrentCatalog, FolderSplit, ListingSource, tree
from memwiki.catalog.state import require_listed, was_listed
from memwiki.catalog.store import ListingStore
from memwiki.change.plan import Edit, Plan
from memwiki.digest import digest_of
from memwiki.errors import MemwikiError, NotFoundError
from memwiki.files.read import read
from memwiki.index.cards.store import Cards
from memwiki.index.projection import changed_tree
from memwiki.names import fold
from memwiki.nouns import Layers

_STRAY = (
    "no catalog belongs here, but its block was edited by hand, so it was kept:"
    " remove the file or its markers"
)
_EMPTY = ["No pages are listed here any more."]

Known: TypeAlias = tuple[int, str, str]  # mark, digest, what was said


class CatalogDiff:
    """What the catalogs should be compared with what they are."""

    def __init__(self, root: Path, *, is_thorough: bool, is_adopting: bool) -> None:
        self.root = root
        self.is_thorough = is_thorough  # whether all files are read and all is said
        self.is_adopting = is_adopting  # whether files of people's own may get a block
        self.tree = ""  # of the pages that they list
        self.splits: dict[str, FolderSplit] = {}
        self.edits: list[Edit] = []
        self.right: list[CurrentCatalog] = []
        self.unmarked: list[str] = []
        self.notes: list[str] = []
        self.pages = 0
        self.known: dict[str, Known] = {}  # as they were last found right
        self.adopts = False  # a page becomes a catalog, so that it is not listed any more

    @property
    def plan(self) -> Plan:
        """The edits that make all catalogs right."""
        return Plan(tuple(self.edits), "catalogs")


def survey(
    root: Path, cards: Cards, layers: Layers, *, is_thorough: bool, is_adopting: bool
) -> CatalogDiff:
    """Compare what there should be with what there is; files that are known to be right are not
    read, unless `is_thorough`."""
    listed, found = (
        ListingStore(cards, layers),
        CatalogDiff(root, is_thorough=is_thorough, is_adopting=is_adopting),
    )
    require_listed(cards)
    with cards.one_moment():
        found.tree, found.known = listed.tree(), listed.fingerprints()
        found.splits = {} if is_thorough else listed.splits()
        files = {fold(path): (path, digest) for path, digest in listed.files().items()}
        right = set()
        for wanted, own_index in _wanted_catalogs(listed, found):
            path, digest = files.get(fold(wanted.path), (wanted.path, ""))
            right.add(path)
            _look(found, wanted, path, digest, own_index)
        for path, _ in files.values():
            if path not in right and base_of(path, layers) is not None:
                _retire(found, path)
    return found


def settle(cards: Cards, layers: Layers, made: CatalogDiff) -> bool:
    """Note that all is right, unless something else changed while the catalogs were written."""
    before = [(edit.path, edit.expect) for edit in made.edits if edit.expect]
    after = [(edit.path, digest_of(edit.data)) for edit in made.edits if edit.data is not None]
    expected = changed_tree(made.tree, before, after)
    if cards.tree() != expected or not was_listed(cards):
        return False
    ListingStore(cards, layers).remember(made.right, made.splits, expected)
    return True


def _look(survey: CatalogDiff, wanted: Catalog, path: str, digest: str, own_index: str) -> None:
    """Compare a catalog with the file in its place, unless that is known to be right."""
    known = survey.known.get(path)
    if known and not survey.is_thorough and known[:2] == (wanted.fingerprint, digest):
        survey.right.append(CurrentCatalog(path, *known))
    elif own_index and not digest and not survey.is_adopting:
        survey.unmarked.append(own_index)
    else:
        _compare(survey, wanted, path if digest else own_index or path)


def _wanted_catalogs(listed: ListingStore, survey: CatalogDiff) -> Iterator[tuple[Catalog, str]]:
    """Every catalog that there should be, with the path of an index of people's own in its
    place."""
    known = set(survey.splits)
    for base in listed.bases():
        root = tree(listed.sums(base), base)
        survey.pages += root.pages
        own = {folder.path: folder.own_index for folder in root.walk() if folder.own_index}
        shown = partial(listed.highlights, base)
        pages = ListingSource(listed.rows, listed.listings, listed.chosen, shown, survey.splits)
        for each in catalogs(root, pages):
            folder, _, name = each.path.rpartition("/")
            known.discard(folder)
            taken = own.get(folder, "") if name == INDEX else ""
            yield each, f"{folder}/{taken}" if taken and folder else taken
    for folder in known:  # no longer there
        survey.splits.pop(folder, None)


def _compare(survey: CatalogDiff, wanted: Catalog, path: str) -> None:
    """Plan the edit that makes a file say what it should."""
    is_shard = not fold(path).endswith(f"/{INDEX}") and fold(path) != INDEX
    try:
        data = read(survey.root, path)
    except NotFoundError:
        lines = wanted.block(is_titled=True)
        _plan(survey, wanted, path, b"", fresh(lines, is_shard=is_shard))
        return
    before = data.decode("utf-8", "surrogateescape")
    lines = wanted.block(is_titled=not is_titled(before))
    if is_ours(before):
        after = fill_block(before, lines)
    elif is_shard and not survey.is_adopting:
        survey.unmarked.append(path)
        return
    else:
        after, survey.adopts = with_block(before, lines), True
    survey.notes += [f"{path}:{number}: {what}" for number, what in shape_of(after).problems]
    _plan(survey, wanted, path, data, after)


def _plan(survey: CatalogDiff, wanted: Catalog, path: str, before: bytes, text: str) -> None:
    after = text.encode("utf-8", "surrogateescape")
    lines = block_lines(text) or ()
    survey.right.append(
        CurrentCatalog(path, wanted.fingerprint, digest_of(after), _digest_of(lines))
    )
    if after != before:
        expect = digest_of(before) if before else ""
        survey.edits.append(Edit(path, expect, after, "catalog"))


def _retire(survey: CatalogDiff, path: str) -> None:
    """Remove a catalog that is no longer needed, or empty its block where people wrote around it.

    What memwiki has not written as it stands is somebody's own, whatever it is called: it is named.
    """
    try:
        data = read(survey.root, path)
    except MemwikiError as error:
        survey.notes.append(error.message)
        return
    text = data.decode("utf-8", "surrogateescape")
    lines, known = block_lines(text), survey.known.get(path)
    is_known = known is not None and lines is not None and known[2] == _digest_of(lines)
    if not (lines == _EMPTY or is_known or is_untitled(text)):
        if (survey.is_thorough or known) and is_ours(text):
            survey.notes.append(f"{path}: {_STRAY}")
    elif is_bare(text):
        survey.edits.append(Edit(path, digest_of(data), None, "no longer needed"))
    elif lines != _EMPTY:
        after = fill_block(text, _EMPTY).encode("utf-8", "surrogateescape")
        survey.edits.append(Edit(path, digest_of(data), after, "no longer needed"))


def _digest_of(lines: Sequence[str]) -> str:
    return digest_of("\n".join(lines).encode("utf-8", "surrogatepass"))
