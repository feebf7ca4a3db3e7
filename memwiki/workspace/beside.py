"""The canvases and bases of a workspace, to be read one by one."""

from __future__ import annotations

from functools import partial

from memwiki.errors import NotEditableError
from memwiki.files.read import read
from memwiki.names import COMPANION_SUFFIXES
from memwiki.pages.companions import Held
from memwiki.sync.context import Context
from memwiki.sync.reading import Reading


def companions(view: Reading) -> list[Held]:
    """Every canvas and base."""
    paths = sorted(view.lookup.attachments_ending(COMPANION_SUFFIXES))
    return [Held(path, partial(_read, view.context, path)) for path in paths]


def _read(context: Context, path: str) -> bytes:
    limit = context.max_bytes
    data, _ = read(context.root, path, limit + 1)
    if len(data) > limit:
        hint = "memwiki config set files.max_bytes, or edit it by hand"
        raise NotEditableError(f"{path}: is larger than {limit} bytes", hint=hint, path=path)
    return data
