"""What follows a sync: files that memwiki itself keeps up to date with the pages."""

from __future__ import annotations

from contextlib import suppress

from memwiki.answers.index import Changes
from memwiki.catalog.state import forget, is_settled, was_listed
from memwiki.catalog.store import ListingStore
from memwiki.errors import LockedError, MemwikiError, WriteError
from memwiki.index.damage import DAMAGE, disk_errors_named
from memwiki.sync.live import LiveIndex
from memwiki.sync.lock import READER_WAIT_MS


def list_pages(live: LiveIndex) -> None:
    """List what changed, which `browse` shows; while others write, what was listed before will
    do."""
    layers = live.context.layers
    with live.opened() as stores:
        listed = ListingStore(stores.cards, layers)
        if was_listed(stores.cards) and listed.tree() == stores.cards.tree():
            return
    try:
        with live.amending(READER_WAIT_MS) as stores:
            ListingStore(stores.cards, layers).update()
    except (LockedError, WriteError):
        with live.opened() as stores:
            if was_listed(stores.cards):
                return
        with live.amending() as stores:  # nothing was listed before: this is waited for
            ListingStore(stores.cards, layers).update()


def list_pages_if_possible(live: LiveIndex) -> None:
    """The same beforehand; where it fails, whoever browses does it then."""
    with suppress(MemwikiError, *DAMAGE):
        list_pages(live.public(is_current=True))


def after_sync(live: LiveIndex, changes: Changes) -> Changes:
    """Bring the catalogs up to date, where they are enabled, and add to the changes what was
    written.

    Reading commands sync, too, and write nothing: so it is not these changes that decide, but
    what the catalogs last saw. What goes wrong here is a note: the sync itself is done.
    """
    if not live.context.config.catalog.enabled:
        list_pages_if_possible(live)
        return changes
    try:
        live = live.public(is_current=True)  # a catalog is for everybody
        with disk_errors_named(), live.opened() as stores:
            if is_settled(stores.cards):
                return changes
        from memwiki.commit.catalogs import write_catalogs

        report = write_catalogs(live, is_thorough=False, is_adopting=False)
    except (MemwikiError, *DAMAGE) as error:
        with suppress(MemwikiError, *DAMAGE), live.amending() as stores:
            forget(stores.cards)  # what was noted of the pages may be what is wrong
        return changes._replace(notes=(f"the catalogs were not updated: {error}",))
    return changes._replace(catalogs=(*report.written, *report.removed), notes=report.notes)
