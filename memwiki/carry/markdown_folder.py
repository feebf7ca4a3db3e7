"""A folder, an archive or a single file of markdown: each file at its own path, as it is."""

from __future__ import annotations

from memwiki.carry.contents import DOCUMENT_MARK, MANIFEST_NAME, USAGE_NAME
from memwiki.errors import UsageError
from memwiki.files.ignore import DOT_FILES, is_leftover, why_not_folder
from memwiki.importing import ImportSource, ImportTarget, Incoming, IncomingFile
from memwiki.names import is_page_name
from memwiki.numbers import counted

KIND = "markdown"
_OF_SYSTEMS = "__MACOSX"  # what macOS adds to archives


def is_kind(source: ImportSource) -> bool:
    """Whether there is a page in it."""
    return any(_is_wanted(name) and is_page_name(name) for name in source.names())


def incoming(source: ImportSource, target: ImportTarget) -> Incoming:
    """All files but hidden and left-over ones."""
    del target
    names = [name for name in source.names() if _is_wanted(name)]
    if len(names) == 1 and source.head(names[0]).startswith(DOCUMENT_MARK.encode()):
        raise UsageError(
            f"{source.name}: is a document made to be read, which cannot be imported",
            "export as zip or jsonl",
        )
    files = tuple(IncomingFile(name, source.read(name), name) for name in names)
    passed = len(source.names()) - len(names)
    notes = (f"{counted(passed, 'hidden or left-over file')} not imported",) if passed else ()
    return Incoming(KIND, files, notes=notes)


def _is_wanted(path: str) -> bool:
    *folders, name = path.split("/")
    if any(why_not_folder(each) or each == _OF_SYSTEMS for each in folders) or is_leftover(name):
        return False
    if path in (MANIFEST_NAME, USAGE_NAME):
        return False
    return not name.startswith(".") or is_page_name(name) or name in DOT_FILES
