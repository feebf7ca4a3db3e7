"""Pages that several steps change one after another, each on top of the ones before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from memwiki.change.plan import Edit, Plan, edit_of
from memwiki.digest import digest_if_any
from memwiki.errors import NotFoundError, ProtectedError
from memwiki.markdown.outline import Outline, outline_of
from memwiki.memory.placement import EntryPage, page_for
from memwiki.nouns import Layers
from memwiki.pages.elsewhere import Elsewhere
from memwiki.pages.page import too_large


def left_note(path: str, reason: str) -> str:
    """The note on a file that was left as it is."""
    return f"{path}: {reason}; left as it is"


class _File(NamedTuple):
    before: bytes | None
    now: bytes | None
    reasons: tuple[str, ...] = ()
    page: Outline | None = None


class PageEdits:
    """The files that some steps look at, as the earlier ones left them."""

    def __init__(
        self,
        read: Callable[[str], bytes | None],
        layers: Layers,
        day: str,
        max_bytes: int,
        left: Mapping[str, str] = {},
        exists: Callable[[str], bool] | None = None,
    ) -> None:
        """`exists` tells without reading it whether a file is there."""
        self._read, self.layers, self.day, self.max_bytes = read, layers, day, max_bytes
        self.left = left  # files that stay as they are, each with why
        self._exists = exists or (lambda path: read(path) is not None)
        self._files: dict[str, _File] = {}

    def data(self, path: str) -> bytes | None:
        """The bytes of a file as they are to be; None when there is none."""
        return self._file(path).now

    def elsewhere(self, path: str, new: str) -> Elsewhere:
        """How lines of one page are to stand on another."""
        return Elsewhere(self.layers, path, new, self._exists)

    def page(self, path: str) -> Outline:
        """A page as it is to be; NotFoundError where there is none, NotEditableError where it
        cannot be changed."""
        file = self._file(path)
        if file.page is not None:
            return file.page
        if file.now is None:
            raise NotFoundError.at(path, "no such page", "it was removed meanwhile")
        if len(file.now) > self.max_bytes:
            raise too_large(path, self.max_bytes)
        page = outline_of(path, file.now, self.layers)
        self._files[path] = file._replace(page=page)
        return page

    def require_changeable(self, path: str) -> None:
        """Refuse a file that stays as it is."""
        if reason := self.left.get(path):
            raise ProtectedError(left_note(path, reason), path=path)

    def page_for(self, target: EntryPage) -> Outline:
        """A page that takes entries, made where there is none."""
        self.require_changeable(target.path)
        if self._file(target.path).now is not None:
            return self.page(target.path)
        return page_for(target, None, self.day, self.layers, self.max_bytes)

    def put(self, page: Outline, reason: str) -> None:
        """What a page is to be, and why."""
        self.write(page.path, page.data, reason)
        self._files[page.path] = self._files[page.path]._replace(page=page)

    def write(self, path: str, data: bytes | None, reason: str) -> None:
        """What a file is to be, None when it goes, and why."""
        file = self._file(path)
        reasons = tuple(dict.fromkeys((*file.reasons, reason)))
        self._files[path] = _File(file.before, data, reasons)

    def take(self, plan: Plan) -> Iterator[Edit]:
        """Take over the edits of a plan that was made from the files as they are, but those of
        files that are other ones by now or stay as they are; yields what was taken."""
        for edit in plan.edits:
            is_same = digest_if_any(self.data(edit.path)) == edit.expect
            if is_same and edit.path not in self.left:
                self.write(edit.path, edit.data, edit.reason)
                yield edit

    def edits(self) -> Iterator[Edit]:
        """What changes, file by file."""
        for path, (before, now, reasons, _) in self._files.items():
            if before != now:
                yield edit_of(path, before, now, "; ".join(reasons))

    def _file(self, path: str) -> _File:
        file = self._files.get(path)
        if file is None:
            data = self._read(path)
            file = self._files[path] = _File(data, data)
        return file
