"""Rewriting the links of one page so that each goes on meaning what it means now.

The style in which a link is written is kept through a move; where it cannot say the page any more,
more of the path is written, up to the whole of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from posixpath import basename, dirname
from typing import TypeAlias

from memwiki.errors import shell_word
from memwiki.files.read import read
from memwiki.index.cards.lookup import Lookup
from memwiki.index.names import NameKind, SiteAddress, is_entry_id, site_addresses, targets_of
from memwiki.index.resolve import BY_PATH, Names, Resolution, Resolver
from memwiki.markdown.dialects import names_of_file
from memwiki.markdown.edit.links import LinkSite, label_site, renamed, sites_of
from memwiki.markdown.fields import first_text
from memwiki.markdown.outline import Outline, Outlines
from memwiki.markdown.parse import parse
from memwiki.markdown.source import Patch
from memwiki.names import SITE, fold, path_in, stem_of
from memwiki.nouns import LOGSEQ, PATH_KINDS, Layers, Link, LinkKind, LinkStatus, Page
from memwiki.numbers import counted
from memwiki.pages.link_style import LinkStyle, spellings, ways
from memwiki.records import NamedTuple
from memwiki.scope import Scope, layers_at
from memwiki.sync.context import Context

_FOUND = (LinkStatus.RESOLVED, LinkStatus.AMBIGUOUS)
_MAX_SHOWN = 20
_README = "readme"
_MAX_TAGGED = 1_000  # pages with a tag that are counted


def place_of(written: str, source: str) -> str:
    """Where a relative link leads, whether or not a file is there; a `/` at its end stays."""
    location = path_in(dirname(source), written.strip())
    return f"{location}/" if written.rstrip().endswith("/") else location


class BrokenLink(NamedTuple):
    """A link that no longer means what it meant."""

    path: str
    line: int
    written: str
    meant: str
    means: str  # "" when it is broken
    why: str = ""


class LinkedFile(NamedTuple):
    """What of a page, canvas or base has to do with links: where it is, and its links in order."""

    path: str
    links: tuple[Link, ...]


LinkHolder: TypeAlias = Page | LinkedFile


class RewrittenPage(NamedTuple):
    """A page as it will be."""

    data: bytes
    page: Page
    changed: int  # links
    broken: tuple[BrokenLink, ...] = ()
    frozen: str = ""


def broken_link_notes(left: Iterable[BrokenLink]) -> Iterator[str]:
    """What a person should know of links that no longer lead where they led."""
    left = sorted(left, key=lambda broken: (broken.path, broken.line))
    if len(left) > 1:
        yield f"{len(left)} links no longer reach their page"
    for broken in left[:_MAX_SHOWN]:
        now = f"now means {broken.means}" if broken.means else "is a broken link now"
        why = f"; not rewritten ({broken.why})" if broken.why else ""
        yield f"{broken.path}:{broken.line}: {broken.written} {now}{why}"
    if len(left) > _MAX_SHOWN:
        yield f"and {len(left) - _MAX_SHOWN} more"


def settings_left(
    layers: Layers, moves: Mapping[str, str], folder: tuple[str, str]
) -> Iterator[str]:
    """The layers that go elsewhere, and that the settings go on naming where they were."""
    for name, path in zip(Layers._fields, layers, strict=True):
        if not isinstance(path, str):  # the forms of other programs
            continue
        new = _moved_place(path, moves, folder).rstrip("/") if path else ""
        if new != path:
            command = f"memwiki config set {shell_word(f'layers.{name}')} {shell_word(new)}"
            yield f"the settings still name {path}: {command}"


class Relinker:
    """Knows what every link means now and will mean, and writes those anew that have to be."""

    def __init__(
        self,
        now: Names,
        after: Names,
        layers: Layers,
        moves: Mapping[str, str],
        folder: tuple[str, str] = ("", ""),
        numbers: Collection[int] | None = None,
    ) -> None:
        """With `numbers`, under which links to what moves are found, the links of pages that stay
        are looked at only when they are found so."""
        self._numbers = None if numbers is None else frozenset(numbers)
        self._concerned: dict[tuple[object, ...], bool] = {}
        self._means = Resolver(now, layers).resolve
        self._will_mean = Resolver(after, layers).resolve
        self._after, self._layers = after, layers
        self._moves, self._folder = moves, folder

    def rewrite(self, page: Outline, new: str) -> tuple[bytes, int]:
        """The bytes of a page that will be at `new`, and how many links were written anew."""
        patches = list(self.patches(sites_of(page), page.text, page.path, new))
        return page.patched(patches).data, len(patches)

    def patches(self, sites: Iterable[LinkSite], text: str, path: str, new: str) -> Iterator[Patch]:
        """Other targets for the links of a text in the file at `path`, which will be at `new`."""
        for found in sites:
            if path == new and not self._is_concerned(found.link, path):
                continue
            is_by_label = self._means(found.link, path).by == "label"
            site = label_site(found, text) if is_by_label else found
            raw = text[site.start : site.end]
            changed = self._rewrite(site, raw, path, new)
            if changed is not None and changed != raw:
                yield Patch(site.start, site.end, changed)

    def broken(self, before: LinkHolder, after: LinkHolder, why: str = "") -> Iterator[BrokenLink]:
        """The links of a page that will not mean what they mean now."""
        if len(before.links) != len(after.links):  # another place makes it another kind of page
            yield from self._missing(before, after, why)
            return
        for old, link in zip(before.links, after.links, strict=True):
            if before.path == after.path and not self._is_concerned(old, before.path):
                continue
            target = self._new_target(old, before.path)
            will = self._will_mean(link, after.path).target
            # Another entry with the same id is no other page that the words would name.
            if target not in ("", will) and not (will and is_entry_id(link.written, link.kind)):
                yield BrokenLink(after.path, link.line, link.written, target, will, why)

    def _missing(self, before: LinkHolder, after: LinkHolder, why: str) -> Iterator[BrokenLink]:
        """What fewer or more links do not mean any more."""
        # An entry may say no more what it is about.
        old, new = (
            [each for each in holder.links if each.kind is not LinkKind.ENTRY]
            for holder in (before, after)
        )
        meant = [(self._new_target(link, before.path), link) for link in old]
        means = [(self._will_mean(link, after.path).target, link.line) for link in new]
        gone = Counter(target for target, _ in meant) - Counter(target for target, _ in means)
        places = Counter((target, link.line) for target, link in meant) - Counter(means)
        lost = {target: link for target, link in meant if (target, link.line) in places}
        for target in filter(None, gone):
            link = lost[target]
            yield BrokenLink(after.path, link.line, link.written, target, "", why)

    def _is_concerned(self, link: Link, path: str) -> bool:
        """Whether a link may mean what moves, or will."""
        if self._numbers is None:
            return True
        key = (link._replace(line=0), dirname(path))
        if key not in self._concerned:
            self._concerned[key] = not self._numbers.isdisjoint(targets_of(link, path))
        return self._concerned[key]

    def _new_target(self, link: Link, path: str) -> str:
        """Where what a link means now will be; "" for a link that means nothing yet."""
        was = self._means(link, path)
        return self._moves.get(was.target, was.target) if was.status in _FOUND else ""

    def _rewrite(self, site: LinkSite, raw: str, path: str, new: str) -> str | None:
        """What the target is to become; None when it stays."""
        was = self._means(site.link, path)
        says_page = site.link.written.strip() and not is_entry_id(site.link.written, site.link.kind)
        if not says_page or was.status is LinkStatus.EXTERNAL:
            return None
        if was.status not in _FOUND:
            moved = partial(_moved_place, moves=self._moves, folder=self._folder)
            return respelled_place(site, raw, path, new, moved)
        site = _as_found(site, raw, was)
        goal = self._moves.get(was.target, was.target)
        will = self._will_mean(site.whole or site.link, new)
        if dirname(path) == dirname(new) and was.target == goal == will.target:
            return None
        way = self._way(site.link, path, was, goal)
        is_kept = not way.style.is_by_path and _is_as_lasting(site.link, was, will)
        if _is_fine(will, was, goal) and (is_kept or self._is_address(site.link.written, goal)):
            return None
        kept = _unchanged(was.target, goal)
        for name in self._names(way, site.link.written, goal, new):
            changed = renamed(site, raw, name, kept)
            will = self._will_mean(site.link_to(name), new)
            if changed is not None and _is_fine(will, was, goal):
                return changed
        return None

    def _names(self, way: _LinkWay, written: str, goal: str, new: str) -> Iterator[str]:
        """What may be written for the goal, in the file at `new`, the likeliest first."""
        # What the program calls the page that keeps it too comes before the name of its file.
        if way.style.kind not in PATH_KINDS and (title := names_of_file(goal, self._layers).title):
            yield title
        before, _, after = way.address
        after = after or "/" * written.endswith("/")
        form = layers_at(new, self._layers).dialect
        if before == SITE:
            form = form._replace(root="")
        spelled = ways(way.style, new, way.target, form, way.by)
        for spelling in _as_index(spelled, written, after):
            yield f"{before}{spelling}{after}"

    def _is_address(self, written: str, page: str) -> bool:
        """Whether a page says itself that it is found under this address, wherever it is."""
        return written.startswith("/") and page in self._after.pages(NameKind.ALIAS, written)

    def _address(self, link: Link, path: str, was: Resolution) -> tuple[SiteAddress, Resolution]:
        """What a link writes, with the path apart where it is the address of a page on a site, and
        how that path is found."""
        written = link.written
        addresses = [*site_addresses(written)] if was.by == "address" else []
        if written.startswith(f"{SITE}/"):
            addresses.append(SiteAddress(SITE, written.removeprefix(SITE), ""))
        for address in addresses:
            found = self._means(link._replace(written=address.path), path)
            if found.target == was.target:
                return address, found
        return SiteAddress("", written, ""), was

    def _way(self, link: Link, path: str, was: Resolution, goal: str) -> _LinkWay:
        """How a link leads to its page now, and what it is to lead to."""
        address, found = self._address(link, path, was)
        source, target = found.target, goal
        if found.by == "folder" and basename(goal) == basename(source) and dirname(goal):
            source, target = f"{dirname(source)}/", dirname(goal)
        return _LinkWay(address, LinkStyle(address.path, link.kind, path, source), target, found.by)


def respelled_place(
    site: LinkSite, raw: str, path: str, new: str, moved: Callable[[str], str]
) -> str | None:
    """A relative link to what is no page leads where it led: to code, or a page yet to come."""
    written = site.link.written.strip()
    is_path = "/" in written or "." in basename(written).strip(".")
    if site.link.kind not in PATH_KINDS or written.startswith(("/", f"{SITE}/")) or not is_path:
        return None
    location = place_of(written, path)
    target = moved(location)
    if (path, location) == (new, target) or location.strip("./") == "":
        return None
    style = LinkStyle(written, site.link.kind, path, location)
    name = next(spellings(style, new, target.rstrip("/")))
    return renamed(site, raw, name + "/" * written.endswith("/"), _unchanged(location, target))


class _LinkWay(NamedTuple):
    """How a link leads to its page: the path in it, and how that is found."""

    address: SiteAddress
    style: LinkStyle
    target: str  # what it is to lead to: a file, or the folder of one
    by: str


def _as_found(site: LinkSite, raw: str, was: Resolution) -> LinkSite:
    """The link as its page was found by it: a `#` or `?` may be a part of the name."""
    named = basename(was.target)
    if was.by == "full text":
        link = site.link.as_name()
    # Programs that know of no query look for a file of that name: `[t](what?.md)`.
    elif raw.endswith(named) and "?" in named:
        link = site.link._replace(written=raw)
    else:
        return site
    return site._replace(link=link, has_hash=True)


def _is_as_lasting(link: Link, was: Resolution, will: Resolution) -> bool:
    """Whether it is found as surely: a link found by its file, or an address of a site by its page,
    must not come to hang on a title, which other tools do not know."""
    is_by_file = was.by in BY_PATH or (was.by == "alias" and link.kind in PATH_KINDS)
    return not is_by_file or will.by in (*BY_PATH, was.by)


def _is_fine(will: Resolution, was: Resolution, goal: str) -> bool:
    """Whether a link means exactly its page; one that was ambiguous may stay so."""
    is_exact = will.status is LinkStatus.RESOLVED or was.status is LinkStatus.AMBIGUOUS
    return will.target == goal and is_exact


def _as_index(spelled: Iterable[str], written: str, after: str) -> Iterator[str]:
    """The names of pages as addresses have them, where the README of a folder is its index."""
    is_index = after.startswith(".") and not _is_readme(written.removesuffix(after))
    for each in spelled:
        yield f"{each[: -len(_README)]}index" if is_index and _is_readme(each) else each


def _is_readme(name: str) -> bool:
    return fold(basename(name)) == _README


def _unchanged(old: str, new: str) -> Collection[str]:
    """The parts that two paths share, with and without the suffix."""
    parts = [{*path.split("/"), stem_of(path)} for path in (old, new)]
    return parts[0] & parts[1]


def _moved_place(location: str, moves: Mapping[str, str], folder: tuple[str, str]) -> str:
    """Where a place will be: a file that moves, or anything below a folder that does."""
    old, new = folder
    if old and (fold(location) == fold(old.rstrip("/")) or location.startswith(old)):
        return new + location[len(old) :]
    return moves.get(location, location)


class MoveContext(NamedTuple):
    """The workspace, the cards of its pages, and what of their text was looked over for this
    plan."""

    workspace: Context
    root: Path
    layers: Layers
    scope: Scope
    max_bytes: int
    lookup: Lookup
    outlines: Outlines
    why_left: Callable[[str], str]  # why the links of a page stay as they are; "" else

    def read(self, path: str) -> bytes:
        """The bytes of a file."""
        return read(self.root, path)

    def head(self, path: str) -> bytes:
        """The bytes of a page, no more than tell that it is too large."""
        return read(self.root, path, self.max_bytes + 1)

    def page(self, path: str, data: bytes) -> Page:
        """The page that some bytes are at a path, with the units alone that have ids."""
        limit, outlines = self.max_bytes, self.outlines
        return parse(path, data, self.layers, max_bytes=limit, outlines=outlines, has_blocks=False)


def every_page(_path: str) -> str:
    """Where the links of every page may be changed."""
    return ""


def context_of(
    workspace: Context, lookup: Lookup, why_left: Callable[[str], str] = every_page
) -> MoveContext:
    """What a new plan begins with."""
    root, layers, limit = workspace.root, workspace.layers, workspace.max_bytes
    scope = workspace.scope()
    return MoveContext(workspace, root, layers, scope, limit, lookup, Outlines(layers), why_left)


def titles(page: Page, new: str, context: MoveContext) -> tuple[str, str]:
    """The title by which Logseq calls a page that gets another name, and the one that it is to
    have: "" where its own title is no name of its file."""
    if layers_at(page.path, context.layers).dialect.name != LOGSEQ:
        return "", ""
    title = first_text(page.fields.get("title", ""))
    was, will = (names_of_file(path, context.layers).title for path in (page.path, new))
    is_other = title and will != was
    return title if is_other else "", will if is_other and fold(title) == fold(was) else ""


def titles_kept(moved: Iterable[tuple[Page, str]], context: MoveContext) -> Iterator[str]:
    """The pages that get another file and are called as before."""
    for page, new in moved:
        title, will = titles(page, new, context)
        if title and not will:
            yield f"{new}: its title:: still calls it {title}, and so do links"


def tags_kept(paths: Mapping[str, str], context: MoveContext) -> Iterator[str]:
    """The tags of a graph of Logseq, where `#Spark` leads to the page, that keep an old name."""
    for old, new in paths.items():
        if layers_at(old, context.layers).dialect.name != LOGSEQ:
            continue
        tag, now = (names_of_file(path, context.layers).title for path in (old, new))
        count = len(context.lookup.tagged(tag, _MAX_TAGGED)) if fold(tag) != fold(now) else 0
        if count:
            yield (
                f"#{tag} is a tag of {counted(count, 'page')} and stays; "
                f"memwiki tag rename {shell_word(tag)} {shell_word(now)} changes it"
            )
