"""`Workspace.namespaces`: what namespaces there are, and putting one away."""

from __future__ import annotations

from memwiki.answers.edits import Edited
from memwiki.answers.workspaces import NamespaceList, NamespaceRow, Purged
from memwiki.browse.pages import list_namespaces
from memwiki.sync.reading import rebuilding
from memwiki.workspace.asking import IndexFacing, delete_for_good


class NamespacesFacet(IndexFacing):
    """All namespaces of the workspace, whichever it was opened with."""

    @rebuilding
    def list(self) -> NamespaceList:
        """Each namespace with its pages, entries, bytes and newest change."""
        return list_namespaces(self.live)

    def require_own(self, path: str) -> None:
        """Refuse a path outside of the namespace that is worked in with NotEditableError."""
        self.live.context.scope().require_own(path)

    @rebuilding
    def purge(self, name: str, *, hard: bool = False, dry_run: bool = False) -> Purged:
        """Move all files of a namespace into the archive; `hard` deletes them and their usage.

        Raises ConfigError where there is no archive, NotFoundError where there is no such
        namespace.
        """
        from memwiki.commit.carry_out import carry_out
        from memwiki.pages.moving.delete import purge

        live = self.live
        planned = purge(name, live.context, is_final=hard)
        row = self._row(planned.name)

        def carried_out() -> Edited:
            edited = carry_out(live, planned.plan, dry_run=dry_run, notes=planned.notes)
            if edited.fresh or dry_run or not live.is_synced:
                return edited
            # That so many pages vanish at once is meant.
            changes = live.sync(only=(planned.base,), force=True)
            return edited._replace(fresh=changes.fresh)

        if hard and not dry_run:
            from memwiki.commit.erasing import doomed_files

            edited = delete_for_good(live, doomed_files(live, planned.paths), carried_out)
        else:
            edited = carried_out()
        counts = (len(planned.paths), row.pages, row.entries, planned.size_bytes)
        return Purged(planned.name, planned.archived_as, *counts, edited)

    def _row(self, name: str) -> NamespaceRow:
        found = (row for row in list_namespaces(self.live).namespaces if row.name == name)
        return next(found, NamespaceRow(name, 0, 0, 0, ""))
