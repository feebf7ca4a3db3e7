"""`Workspace.folder` and `Workspace.namespaces`: text files below a folder, byte for byte, and
the folders that are workspaces inside this one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memwiki.answers.pages import Edited, FolderList, MergedText, TextFile
from memwiki.answers.workspaces import NamespaceList, NamespaceRow, Purged
from memwiki.browse.pages import list_namespaces
from memwiki.change.plan import Plan, expected_of
from memwiki.commit.carry_out import carry_out
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Facing, reading, rebuilding_verbs
from memwiki.workspace.deletion import delete_files

if TYPE_CHECKING:
    from memwiki.pages.folder import Area


@rebuilding_verbs
class FolderFacet:
    """One folder; every path is relative to it, and every change can be shown with `dry_run`.

    All methods raise UnsafePathError for a path that leads out of the folder or is hidden; those
    that change something NotEditableError for a file that is read-only here. Whoever may not see
    what is private does not see the journal, which may name it.
    """

    def __init__(self, live: LiveIndex, path: str) -> None:
        self.live = live
        self.path = path

    def list(self, path: str = "") -> FolderList:
        """What is in the folder or one below it, two levels deep, with sizes."""
        from memwiki.pages.folder import list_folder

        return list_folder(self._area(), path)

    def kind(self, path: str) -> str:
        """What is at a path: "file", "folder", "other", or "" for nothing."""
        from memwiki.pages.folder import kind_of, path_in_area

        area = self._area()
        return kind_of(area, path_in_area(area, path))

    def path_here(self, path: str) -> str:
        """A path of the workspace as the folder has it; OutsideError for one outside of it."""
        from memwiki.pages.folder import path_here

        return path_here(self._area(), path)

    def read(self, path: str) -> TextFile:
        """A text file as it is now; UnreadableError when it is no text in UTF-8."""
        from memwiki.pages.folder import read_text

        return read_text(self._area(), path)

    def merged(self, path: str, text: str, base: TextFile) -> MergedText:
        """A text made of `base` and what the file became since, as one; changes no file.

        Where both changed the same lines, it has those of the text.
        """
        from memwiki.pages.folder import merged_text

        return merged_text(self._area(), path, text, base)

    def why_read_only(self, path: str) -> str:
        """Why a file is not to be written here; "" where it may be."""
        from memwiki.pages.folder import path_in_area, why_not_changed

        area = self._area()
        return why_not_changed(area, path_in_area(area, path))

    def create(self, path: str, text: str, *, dry_run: bool = False) -> Edited:
        """Make a file, and the folders above it; AlreadyExistsError where something is."""
        from memwiki.pages.folder import create_plan

        return carry_out(self.live, create_plan(self._area(), path, text), dry_run=dry_run)

    def write(
        self,
        path: str,
        text: str,
        *,
        base: TextFile | None = None,
        expect: str = "",
        dry_run: bool = False,
    ) -> Edited:
        """Give a file another text. What changed since `base` was read is merged, but with the
        digest in `expect` refused.

        Raises ConflictError when it cannot be merged: the same lines changed.
        """
        from memwiki.pages.folder import write_plan

        def make() -> Plan:
            return write_plan(self._area(), path, text, base or self.read(path))

        plan = make()
        expected = expected_of(plan.edits[0].path, expect)
        what = plan if base else make
        return carry_out(self.live, what, asks_index=True, dry_run=dry_run, expected=expected)

    def insert(
        self,
        path: str,
        line: int,
        text: str,
        *,
        base: TextFile | None = None,
        dry_run: bool = False,
    ) -> Edited:
        """Put lines behind a line of a file, 0 for its top; the file ends with a line end then."""
        from memwiki.pages.folder import insert_lines

        base = base or self.read(path)
        return self.write(path, insert_lines(base, line, text), base=base, dry_run=dry_run)

    def delete(self, path: str, *, dry_run: bool = False) -> Edited:
        """Delete a file, or a folder whole; `undo` brings it back. Notes name broken links."""
        from memwiki.pages.folder import delete_plan

        with reading(self.live) as view:
            planned = delete_plan(self._area(), path, view.lookup)
        return carry_out(self.live, planned.plan, dry_run=dry_run, notes=planned.notes)

    def rename(self, path: str, new: str, *, dry_run: bool = False) -> Edited:
        """Give a file or folder another path; links go on meaning what they mean.

        Notes name the links for which no way to write them was found.
        """
        from memwiki.pages.folder import rename_plan

        with reading(self.live) as view:
            planned = rename_plan(self._area(), path, new, view.lookup)
        return carry_out(self.live, planned.plan, dry_run=dry_run, notes=planned.notes)

    def _area(self) -> Area:
        from memwiki.pages.folder import area_of

        return area_of(self.live.context, self.path)


@rebuilding_verbs
class NamespacesFacet(Facing):
    """All namespaces of the workspace, whichever it was opened with."""

    def list(self) -> NamespaceList:
        """Each namespace with its pages, entries, bytes and newest change."""
        return list_namespaces(self.live)

    def require_own(self, path: str) -> None:
        """Refuse a path outside of the namespace that is worked in with NotEditableError."""
        self.live.context.scope().require_own(path)

    def purge(self, name: str, *, hard: bool = False, dry_run: bool = False) -> Purged:
        """Move all files of a namespace into the archive; `hard` deletes them and their usage.

        Raises ConfigError where there is no archive, NotFoundError where there is no such
        namespace.
        """
        from memwiki.commit.page_edits import carry_out_purge
        from memwiki.pages.delete import purge

        planned = purge(name, self.live.context, is_final=hard)
        known = [each for each in list_namespaces(self.live) if each.name == planned.name]
        row = known[0] if known else NamespaceRow(planned.name, 0, 0, 0, "")
        take = partial(carry_out_purge, self.live, planned, dry_run=dry_run)
        is_final = hard and not dry_run
        edited = delete_files(self.live, planned.paths, take, is_final=is_final)
        counts = (len(planned.paths), row.pages, row.entries, planned.size_bytes)
        return Purged(planned.name, planned.archived_as, *counts, edited)
