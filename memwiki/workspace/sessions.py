"""`Workspace.sessions`: beginning, listing and importing conversations."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from memwiki.clock import iso_of
from memwiki.numbers import limit_of
from memwiki.sync.reading import reading, rebuilding
from memwiki.workspace.asking import IndexFacing
from memwiki.workspace.session import SessionFacet

if TYPE_CHECKING:
    from memwiki.answers.sessions import SessionImport, SessionList, SessionView
    from memwiki.change.plan import Plan
    from memwiki.importing import ConversationExport
    from memwiki.sessions.importing import Imported
    from memwiki.sessions.paths import SessionPaths


class SessionsFacet(IndexFacing):
    """All conversations of a workspace."""

    def start(self, id: str = "", *, participants: Sequence[str] = ()) -> SessionView:
        """Begin a session; without an id it is called by the time.

        Raises AlreadyExistsError when there is one of this id.
        """
        from memwiki.commit.carry_out import carry_out
        from memwiki.sessions.page import start_plan

        now = iso_of(self.live.context.clock())
        found: list[SessionPaths] = []

        def make() -> Plan:
            plan, paths = start_plan(self.live.context, id, participants, now)
            found[:] = [paths]
            return plan

        carry_out(self.live, make, is_brief=True)
        return self.get(found[0].id)

    def get(self, id: str, *, limit: int | None = None) -> SessionView:
        """A session with its messages, or the last of them, as the file is now.

        Raises NotFoundError.
        """
        return SessionFacet(self.live, id).get(limit)

    @rebuilding
    def list(self, *, limit: int | None = None) -> SessionList:
        """The sessions, the last changed first."""
        from memwiki.sessions.paths import sessions_folder
        from memwiki.sessions.views import list_of

        folder = sessions_folder(self.live.context.own_layers())
        with reading(self.live) as view:
            fresh = view.freshness.fresh
            return list_of(view.lookup.cards(), folder, limit_of(limit), fresh=fresh)

    @rebuilding
    def import_(self, text: str, *, name: str = "import", dry_run: bool = False) -> SessionImport:
        """Add the conversations of an export: ChatGPT, Claude, Claude Code or JSON lines.

        Messages that are there already are not added again. `name` is the id of the session for
        messages that do not name theirs.
        """
        from memwiki.answers.sessions import SessionImport
        from memwiki.commit.carry_out import carry_out
        from memwiki.files.read import current_bytes
        from memwiki.importing import adapter
        from memwiki.sessions.importing import Importing

        context = self.live.context
        export: ConversationExport = adapter("conversations").read_export(text, name)
        planned: list[Imported] = []

        def make() -> Plan:
            importing = Importing(
                context, partial(current_bytes, context.root), iso_of(context.clock())
            )
            planned[:] = [importing.plan(export.conversations)]
            return planned[0].plan

        edited = carry_out(self.live, make, dry_run=dry_run)
        notes = (*export.notes, *planned[0].notes, *edited.notes)
        return SessionImport(planned[0].sessions, edited._replace(notes=notes))
