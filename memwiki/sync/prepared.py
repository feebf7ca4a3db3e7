"""One file, read and made ready for the stores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memwiki.clock import now_ns
from memwiki.errors import MemwikiError, NotFoundError
from memwiki.files.read import HiddenError, contents
from memwiki.index.places import NOTHING, HeldUnits
from memwiki.index.projection import is_proof
from memwiki.sync.request import IndexSettings, Prepared, Unread

if TYPE_CHECKING:
    from memwiki.markdown.outline import Outlines


def prepared(
    root: Path,
    path: str,
    settings: IndexSettings,
    known: HeldUnits = NOTHING,
    outlines: Outlines | None = None,
) -> Prepared:
    """A file as it is now, as the stores take it in, or why it cannot be read."""
    checked_ns = now_ns()
    try:
        found, signature = contents(root, path, settings.max_bytes)
    except HiddenError as error:
        origin = (error.signature, is_proof(error.signature, checked_ns))
        return Unread(is_missing=True, message=error.message, withheld=origin)
    except MemwikiError as error:
        return Unread(isinstance(error, NotFoundError), error.message)
    from memwiki.index.prepare import take_in  # 40 ms that a sync with nothing to do does not have

    origin = (signature, is_proof(signature, checked_ns))
    once = outlines.once if outlines else None
    return take_in(path, found, settings.layers, settings.max_bytes, origin, known, once).release()
