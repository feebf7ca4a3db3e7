"""What a move or deletion means for canvases and bases, which hold links and are no pages."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from posixpath import basename

from memwiki.change.plan import Edit
from memwiki.digest import digest_of
from memwiki.index.names import targets_of
from memwiki.markdown.edit.companions import Companion, StringKind, TextChange, read_companion
from memwiki.names import stem_of, without_suffix
from memwiki.nouns import Layers, Link
from memwiki.pages.companions import (
    OpenCompanion,
    concerns,
    left,
    made,
    nfc,
    path_changes,
    unsure_paths,
)
from memwiki.pages.moving.relink import BrokenLink, LinkedFile, Relinker
from memwiki.records import NamedTuple


class MovedCompanion(NamedTuple):
    """One such file as it will be, with its bytes if they change."""

    path: str
    before: bytes = b""
    data: bytes = b""
    changed: int = 0  # links and paths
    broken: tuple[BrokenLink, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What is to be written where it stays in its place."""
        if self.data == self.before:
            return ()
        reason = "links rewritten"
        return (Edit(self.path, digest_of(self.before), self.data, reason),)


class CompanionMover:
    """Knows what moves; `numbers` are those under which links to it are found."""

    def __init__(
        self,
        relinker: Relinker,
        layers: Layers,
        moves: Mapping[str, str],
        folder: tuple[str, str],
        numbers: Collection[int],
    ) -> None:
        self._relinker, self._layers = relinker, layers
        self._moves, self._folder, self._numbers = moves, folder, frozenset(numbers)
        self._gone = {name for old, new in moves.items() for name in _gone(old, new)}
        if folder[0]:
            self._gone.add(folder[0].rstrip("/"))

    def kept(self, file: OpenCompanion) -> MovedCompanion:
        """A file as it is, with what will lead nowhere."""
        if file.companion is None:
            is_concerned = file.path in self._moves or concerns(file, self._gone)
            notes = (left(file),) if is_concerned else ()
            return MovedCompanion(file.path, notes=notes)
        broken = tuple(self.broken(file.companion, file.companion, file.path))
        return MovedCompanion(file.path, broken=broken)

    def moved(self, file: OpenCompanion) -> MovedCompanion:
        """A file with its links and paths as they have to be."""
        if file.companion is None:
            return self.kept(file)
        new = self._moves.get(file.path, file.path)
        changes = [
            *path_changes(file.companion, self._moves, self._folder),
            *self._link_changes(file.companion, new),
        ]
        data, why = made(file, changes)
        is_same = data == file.data
        after = file.companion if is_same else read_companion(new, data)
        notes = [left(file, why)] if why and changes else []
        return MovedCompanion(
            file.path,
            b"" if is_same else file.data,
            b"" if is_same else data,
            0 if is_same else len(changes),
            tuple(self.broken(file.companion, after, new, why)),
            tuple(dict.fromkeys([*notes, *unsure_paths(after, self._gone)])),
        )

    def broken(
        self, before: Companion, after: Companion, new: str, why: str = ""
    ) -> Iterator[BrokenLink]:
        """What no longer leads where it led."""
        gone = {nfc(old): old for old in self._moves if self._moves[old] != old}
        for inset in after.insets:
            old = gone.get(nfc(after.location(inset))) if inset.what is StringKind.FILE else None
            if old:
                yield BrokenLink(
                    new, after.line_of(inset), inset.text, self._moves[old] or old, "", why
                )
        links = self._links(before)
        if any(self._is_of(link, links.path) for link in links.links):
            after_move = self._links(after)._replace(path=new)
            yield from self._relinker.broken(links, after_move, why)

    def _link_changes(self, companion: Companion, new: str) -> Iterator[TextChange]:
        path = companion.source.path
        for inset in companion.insets:
            sites = [
                site for site in inset.sites(path, self._layers) if self._is_of(site.link, path)
            ]
            for patch in self._relinker.patches(sites, inset.text, path, new):
                yield TextChange(inset, *patch)

    def _links(self, companion: Companion) -> LinkedFile:
        path = companion.source.path
        links = (
            site.link._replace(line=companion.line_of(inset))
            for inset in companion.insets
            for site in inset.sites(path, self._layers)
        )
        return LinkedFile(path, tuple(links))

    def _is_of(self, link: Link, path: str) -> bool:
        """Whether a link may mean what moves; on what moves itself every one may have to change."""
        return path in self._moves or not self._numbers.isdisjoint(targets_of(link, path))


def _gone(old: str, new: str) -> Iterator[str]:
    """The names that a file has no more."""
    if old != new:
        yield old
        yield without_suffix(old)
    if basename(old) != basename(new):
        yield basename(old)
        yield stem_of(old)
