"""What follows a sync: files that memwiki itself keeps in step with the pages."""

from __future__ import annotations

from memwiki.answers.index import Changes
from memwiki.sync.live import LiveIndex


def after_sync(live: LiveIndex, changes: Changes) -> Changes:
    """Bring the catalogs in step, where they are enabled, and add to the changes what was written.

    Reading commands sync, too, and write nothing: so it is not these changes that decide, but
    what the catalogs last saw. What goes wrong here is a note: the sync itself is done.
    """
    if not live.context.config.catalog.enabled:
        return changes
    from memwiki.workspace.catalog import keep_up_to_date

    kept = keep_up_to_date(live)
    return changes._replace(catalogs=kept.written, notes=kept.notes)
