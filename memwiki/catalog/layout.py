"""Which catalogs there are, and what each of them says."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from memwiki.catalog import budget
from memwiki.catalog.folders import Folder
from memwiki.catalog.large_folder import LargeFolder
from memwiki.catalog.lines import head_line, pages_below, title_of
from memwiki.catalog.listing import INDEX, fingerprint_of
from memwiki.catalog.opened import index_of
from memwiki.catalog.parts import Catalog, Highlights, ListingSource, in_folder


def catalogs(root: Folder, pages: ListingSource) -> Iterator[Catalog]:
    """All catalogs of a workspace, or of one of its namespaces."""
    large, todo = dict[str, LargeFolder](), [root]
    while todo:
        folder = todo.pop()
        if folder.total.fits(budget.LIMIT):
            yield _whole(folder, root, pages)
        else:
            each = large[folder.path] = LargeFolder(folder, root, pages)
            todo += each.sections
    for each in reversed(large.values()):  # an index lists what is below it
        shown = pages.highlights() if each.folder is root else Highlights()
        index = index_of(each, large, shown)
        yield from each.shards()
        yield index


def _whole(folder: Folder, root: Folder, pages: ListingSource) -> Catalog:
    fingerprint = fingerprint_of("whole", str(folder.fingerprint), str(folder is root))
    lines = partial(_whole_lines, folder, root, pages)
    return Catalog(in_folder(folder.path, INDEX), fingerprint, title_of(folder), lines)


def _whole_lines(folder: Folder, root: Folder, pages: ListingSource) -> list[str]:
    return [head_line(folder, root), *pages_below(folder, folder.path, pages)]
