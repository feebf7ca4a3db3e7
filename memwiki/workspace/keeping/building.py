"""Beginning a build of the index that shall take the place of the live one."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from memwiki.errors import IndexDamagedError, MemwikiError
from memwiki.files.read import read
from memwiki.index.place import Place
from memwiki.index.stores import KINDS, Stores
from memwiki.index.vouching import open_record, require_ours


def begun(place: Place, recipe: str, live: Path | None, kept: Sequence[str]) -> Path:
    """A build to fill: one that was cut short, or a new one, with the pages in it that are to be kept."""
    build = place.successor(recipe)
    if build is None or not _is_ours(build):
        build = place.new_build(recipe)
        if kept and live and _is_ours(live):
            _carry_over(live, build, kept)
        place.begin(build)
    open_record(build, KINDS)
    return build


def _is_ours(build: Path) -> bool:
    try:
        require_ours(build, KINDS)
    except IndexDamagedError:
        return False
    return True


def _carry_over(live: Path, build: Path, kept: Sequence[str]) -> None:
    """Take what is known of these pages along: they cannot be read now, which is not to be gone."""
    for kind in KINDS:
        for name in kind.files(live):
            (build / name).parent.mkdir(mode=0o700, exist_ok=True)
            shutil.copyfile(live / name, build / name)
    with closing(Stores(build)) as stores:
        for each in stores.projections():
            each.apply([], [path for path in each.digests() if path not in kept])


def is_readable(root: Path, path: str) -> bool:
    """Whether a page can be read now."""
    try:
        read(root, path, 0)
    except MemwikiError:
        return False
    return True
