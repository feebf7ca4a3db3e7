"""The page that a name means, or an error that says what is near it; and who answers to a name: of
the cards, all at once, and of what there will be once some files have moved or changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import cache, cached_property
from pathlib import Path
from posixpath import basename

from memwiki.errors import AmbiguousError, MemwikiError, NoSuchPageError, NotFoundError, shell_word
from memwiki.files.ignore import Ignore, why_ignored
from memwiki.files.paths import contain
from memwiki.index.cards.lookup import Lookup
from memwiki.index.names import NameKind, folded_number, name_number, names_of
from memwiki.index.resolve import Names, Resolution, Resolver
from memwiki.names import (
    bare_letters,
    fold,
    is_encodable,
    is_in_folder,
    is_page_name,
    require_str,
    slug,
    stem_of,
    without_suffix,
)
from memwiki.nouns import Layers, Link, LinkStatus, Page
from memwiki.records import grouped
from memwiki.scope import Scope
from memwiki.text import pattern

_DAY = r"[12]\d{3}[-_.]?(?:0[1-9]|1[0-2])[-_.]?(?:0[1-9]|[12]\d|3[01])"
_MOMENT = rf"{_DAY}(?:[T_ -]?[0-2]\d-?[0-5]\d(?:-?[0-5]\d)?)?"
_STAMP = pattern(rf"\A{_MOMENT}[\s_.-]+(?=\S)|(?<=[^\s_.-])[\s_.-]+{_MOMENT}\Z")
_MAX_NAME = 300  # to a longer one nothing is near, and to find out takes long


def find(
    name: str,
    lookup: Lookup,
    scope: Scope,
    root: Path,
    ignore: Callable[[], Ignore],
    *,
    is_only: bool = False,
    or_file: bool = False,
) -> str:
    """The path of the page that a name means.

    With `is_only` no other page may answer, not even a source behind the page that was made of it;
    with `or_file` another file may.

    Raises NoSuchPageError when nothing has the name or it is no name, with up to five near ones;
    NotFoundError when a file has it that is no page or is not indexed; AmbiguousError when several
    pages match.
    """
    _require_name(name)
    found = _resolve(name, lookup, scope)
    if found.status is LinkStatus.AMBIGUOUS or (is_only and len(found.candidates) > 1):
        raise _several(name, found.candidates)
    if or_file and found.by == "attachment" and not scope.hides(name):
        return found.target
    what = _no_page(found, name, lookup) or _left_out(root, name, found)
    if what and not scope.hides(name):
        raise _not_a_page(name, f"not a markdown page, but {what}")
    if found.status is LinkStatus.RESOLVED and lookup.card(found.target) is not None:
        return found.target
    if reason := _why_ignored(root, name, scope, ignore):
        raise _not_a_page(name, f"not indexed: {reason}")
    raise _nothing_called(name, lookup, scope)


def _several(name: str, candidates: tuple[str, ...]) -> AmbiguousError:
    what = f"{name}: {len(candidates)} pages match this name"
    return AmbiguousError(what, "give the path of one of them", candidates=candidates)


def _not_a_page(name: str, why: str) -> NotFoundError:
    return NotFoundError.at(name, why, "read it with any program")


def _nothing_called(name: str, lookup: Lookup, scope: Scope) -> NoSuchPageError:
    near = _near(name, lookup, scope)
    hint = f"did you mean {near[0]}?" if near else f"memwiki search {shell_word(name)}"
    if next(lookup.cards(), None) is None:
        hint = "the index has no page yet: memwiki sync"
    return NoSuchPageError(name, hint=hint, candidates=near)


def _require_name(name: str) -> None:
    """Refuse what no page is called."""
    require_str("page", name)
    if not name.strip():
        raise NoSuchPageError("''", hint="memwiki list names the pages")
    if not is_encodable(name) or "\0" in name:
        hint = "the names of pages are valid Unicode without control characters"
        raise NoSuchPageError(repr(name), hint=hint)


def _no_page(found: Resolution, name: str, lookup: Lookup) -> str:
    """What the file of exactly this name is when it is none of the pages; "" when there is no
    such."""
    if found.by == "attachment":
        return "another file"
    is_hidden = found.by != "path" and any(path == name for path, _ in lookup.hidden())
    return "a generated catalog or the journal" if is_hidden else ""


def _left_out(root: Path, name: str, found: Resolution) -> str:
    """The same of a file that is not indexed, while a page answers to its name."""
    location = root / name.lstrip("/")
    with suppress(OSError, ValueError):
        is_other = found.target and found.by != "path" and is_page_name(name) and location.is_file()
        if is_other and not location.samefile(root / found.target):
            return "a file that is not indexed"
    return ""


def _why_ignored(root: Path, name: str, scope: Scope, ignore: Callable[[], Ignore]) -> str:
    """Why the file of exactly this name is not found; "" when there is none."""
    with suppress(MemwikiError, OSError, ValueError):
        path = contain(root, name)
        if not scope.hides(path) and is_page_name(path) and (root / path).is_file():
            return why_ignored(root, path, ignore=ignore())
    return ""


def meaning(lookup: Lookup, layers: Layers, path: str, link: Link) -> str:
    """The one page that a link on a page means, "" when there is none or several."""
    found = Resolver(lookup, layers).resolve(link, path)
    return found.target if found.status is LinkStatus.RESOLVED else ""


def _resolve(name: str, lookup: Lookup, scope: Scope) -> Resolution:
    """What a name means; in a namespace nothing of another one."""
    found = Resolver(lookup, scope.layers).named(name, scope)
    return found if found.target or found.candidates else _searched(name, lookup, scope) or found


def _searched(name: str, lookup: Lookup, scope: Scope) -> Resolution | None:
    """The pages that people find by this name, though no link means them by it."""
    forms = dict.fromkeys((name, slug(name), slug(bare_letters(name))))
    known = next(filter(None, (lookup.pages(NameKind.SEARCH, form) for form in forms)), ())
    archive = scope.layers.archive
    found = sorted(p for p in known if scope.reaches(p) and not is_in_folder(p, archive))
    status = LinkStatus.RESOLVED if len(found) == 1 else LinkStatus.AMBIGUOUS
    return Resolution(status, found[0], "heading", tuple(found)) if found else None


def behind_stamp(name: str, missing: NotFoundError, lookup: Lookup, scope: Scope) -> str:
    """The page of a name that nothing is called, whose file has a day or a moment beside it, those
    of the namespace first; "" for none, AmbiguousError for several."""
    asked, found = slug(bare_letters(without_suffix(name))), list[str]()
    for card in lookup.cards() if asked and isinstance(missing, NoSuchPageError) else ():
        bare = _STAMP.sub("", stem := stem_of(card.path), count=1)
        if bare != stem and scope.reaches(card.path) and slug(bare_letters(bare)) == asked:
            found.append(card.path)
    living = [path for path in found if not is_in_folder(path, scope.layers.archive)]
    found = [path for path in living if not scope.is_outside(path)] or living
    if len(found) > 1:
        raise _several(name, tuple(sorted(found)))
    return found[0] if found else ""


def _near(name: str, lookup: Lookup, scope: Scope) -> tuple[str, ...]:
    known: dict[str, str] = {}
    for card in lookup.cards() if len(name) <= _MAX_NAME else ():
        if scope.reaches(card.path):
            known[fold(card.title)] = card.path
            known[fold(stem_of(card.path))] = card.path
    close = get_close_matches(fold(name), known, n=5, cutoff=0.75)
    return tuple(dict.fromkeys(known[match] for match in close))


class NamesInMemory:
    """All names in dictionaries: for questions about every link at once."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._exact: dict[str, Sequence[str]] = {path: (path,) for path in lookup.all_paths()}
        self._paths: dict[str, list[str]] = {}
        self._stems: dict[str, list[str]] = {}
        for path in self._exact:
            bare = without_suffix(path)
            for name in {fold(path), fold(bare)}:
                self._paths.setdefault(name, []).append(path)
            self._stems.setdefault(fold(basename(bare)), []).append(path)
        files = (path for _, path in lookup.all_attachments())
        self._attachments = grouped((fold(basename(path)), path) for path in files)

    def pages(self, kind: NameKind, name: str) -> Sequence[str]:
        """Paths of the pages that have this name of this kind."""
        if kind is NameKind.PATH:
            exact = self._exact.get(name)  # nearly always, and it is the one meant
            return self._paths.get(fold(name), ()) if exact is None else exact
        if kind is NameKind.STEM:
            return self._stems.get(fold(name), ())
        return self._others.get((self._number(fold(name)), kind), ())

    def slugs(self, form: str) -> Sequence[str]:
        """Paths of the pages one of whose names has this slug form."""
        return self._others.get((self._number(form), NameKind.SLUG), ()) if form else ()

    def attachments(self, name: str) -> Sequence[str]:
        """Paths of the other files with this file name."""
        return self._attachments.get(fold(name), ())

    def entries(self, id_: str) -> Sequence[str]:
        """Paths of the pages that hold an entry with this id; few links ask."""
        return self._lookup.entries(id_)

    @cached_property
    def _number(self) -> Callable[[str], int]:
        return cache(folded_number)  # a name is asked for as an alias, a title and a slug

    @cached_property
    def _others(self) -> Mapping[tuple[int, int], Sequence[str]]:
        """Names that are no paths, only known as numbers; few links get this far."""
        names = self._lookup.all_names(NameKind.ALIAS, NameKind.TITLE, NameKind.SLUG)
        return grouped(((number, kind), path) for number, kind, path in names)


class NamesTogether:
    """Names of which many are asked with one question: who looks for them looks again, and again,
    until nothing is asked that is not known yet. At first nobody answers, so that nearly all that
    may be asked is asked at once."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._named: dict[int, dict[int, list[str]]] = {}
        self._attached: dict[int, list[str]] = {}
        self._asked: dict[bool, set[int]] = {True: set(), False: set()}  # by whether of pages

    def pages(self, kind: NameKind, name: str) -> Sequence[str]:
        """Paths of the pages that have this name of this kind, as far as they are known."""
        return self._pages(name_number(name)).get(kind, ())

    def slugs(self, form: str) -> Sequence[str]:
        """Paths of the pages one of whose names has this slug form, as far as they are known."""
        return self._pages(folded_number(form)).get(NameKind.SLUG, ()) if form else ()

    def attachments(self, name: str) -> Sequence[str]:
        """Paths of the other files with this file name, as far as they are known."""
        number = name_number(name)
        self._asked[False].add(number)
        return self._attached.get(number, ())

    def entries(self, id_: str) -> Sequence[str]:
        """Paths of the pages that hold an entry with this id; few links ask."""
        return self._lookup.entries(id_)

    def _pages(self, number: int) -> Mapping[int, Sequence[str]]:
        self._asked[True].add(number)
        return self._named.get(number, {})

    def learn(self) -> bool:
        """Find out what was asked and is not known; whether there was anything."""
        pages = self._asked[True] - self._named.keys()
        files = self._asked[False] - self._attached.keys()
        self._named.update((number, {}) for number in pages)
        self._attached.update((number, []) for number in files)
        for number, kind, path in self._lookup.named_among(pages):
            self._named[number].setdefault(kind, []).append(path)
        for number, path in self._lookup.attached_among(files):
            self._attached[number].append(path)
        return bool(pages or files)


class NamesOverlay:
    """The names of the workspace with some pages replaced by what they will be."""

    def __init__(
        self, names: Names, moves: Mapping[str, str], pages: Iterable[tuple[str, Page]]
    ) -> None:
        """`pages` are (path now, page as it will be); files in `moves` that are no pages move too,
        and what moves to "" is gone."""
        self._names = names
        self._gone = set(moves)
        self._named: dict[tuple[int, int], list[str]] = {}
        self._attached: dict[int, list[str]] = {}
        self._entries: dict[str, list[str]] = {}
        paged = set()
        for path, page in pages:
            paged.add(path)
            self._gone.add(path)
            if page.is_catalog:
                continue
            for kind, number in names_of(page):
                self._named.setdefault((number, kind), []).append(page.path)
            for id_ in {fold(unit.id) for unit in page.units if unit.id}:
                self._entries.setdefault(id_, []).append(page.path)
        for old, new in moves.items():
            if new and old not in paged:
                self._attached.setdefault(name_number(basename(new)), []).append(new)

    def pages(self, kind: NameKind, name: str) -> Sequence[str]:
        """Paths of the pages that will have this name of this kind."""
        return self._with_changes(self._names.pages(kind, name), name_number(name), kind)

    def slugs(self, form: str) -> Sequence[str]:
        """Paths of the pages one of whose names will have this slug form."""
        if not form:
            return ()
        return self._with_changes(self._names.slugs(form), folded_number(form), NameKind.SLUG)

    def attachments(self, name: str) -> Sequence[str]:
        """Paths of the other files that will have this file name."""
        kept = [path for path in self._names.attachments(name) if path not in self._gone]
        return kept + self._attached.get(name_number(name), [])

    def entries(self, id_: str) -> Sequence[str]:
        """Paths of the pages that will hold an entry with this id."""
        kept = [path for path in self._names.entries(id_) if path not in self._gone]
        return kept + self._entries.get(fold(id_), [])

    def _with_changes(self, paths: Sequence[str], number: int, kind: NameKind) -> list[str]:
        kept = [path for path in paths if path not in self._gone]
        return kept + self._named.get((number, kind), [])
