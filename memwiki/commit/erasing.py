"""Hard deletion: what repeats a text that is deleted for good goes from all that is kept beside
the pages, and from the disk."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

from memwiki.answers.pages import Edited
from memwiki.catalog.state import FORMAT
from memwiki.catalog.store import ListingStore
from memwiki.change.apply import apply
from memwiki.change.journal import rotated_folder
from memwiki.change.plan import Edit, Plan, edit_of
from memwiki.change.record import change_of, seal_again, stack_of, title_of, without
from memwiki.commit.catalogs import after_sync
from memwiki.errors import MemwikiError
from memwiki.files import records
from memwiki.files.checkout import git_folder
from memwiki.files.hook_marks import forget_text
from memwiki.files.lock import LOCK_NAME, Lock, state_folder
from memwiki.files.read import current_bytes
from memwiki.files.records import Fields, key_in, machines_of
from memwiki.files.temporary import sweep_temporaries
from memwiki.index.cache_folder import CacheFolder
from memwiki.index.keyword.tokens import ErasedText, erased_text
from memwiki.index.storage_sqlite import DAMAGE, disk_errors_named
from memwiki.markdown.describe import SNAPSHOT
from memwiki.markdown.outline import outline_of
from memwiki.markdown.source import UTF16_CODECS
from memwiki.markdown.units import entries_of
from memwiki.memory.snapshot import renewed
from memwiki.memory.usage import forget
from memwiki.names import is_page_name
from memwiki.nouns import Entry
from memwiki.sync.embedding import erase_vectors
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import whole_reading

IsIn: TypeAlias = Callable[[str], bool]  # whether a text repeats what was deleted
_DELETED = "deleted for good"
_IN_GIT = "git keeps its own history of it, which no command of memwiki changes"
_REINDEX = "memwiki reindex clears the index"


def erase_records(root: Path, paths: Iterable[str], is_in: IsIn, key: bytes) -> None:
    """Keep nothing of these files, nor of what repeats the text, in any undo record."""
    with Lock(state_folder(root) / LOCK_NAME):
        for machine in machines_of(root, "undo"):
            erased = partial(_record_left, gone=set(paths), is_in=is_in, key=key)
            stack_of(root, machine).rewrite(erased)


def _record_left(fields: Fields, *, gone: set[str], is_in: IsIn, key: bytes) -> Fields | None:
    kept = without(fields, gone)
    if kept is None:
        return None
    change = change_of(kept)
    repeating = {
        each.path
        for each in change.inverses
        if is_in(each.path) or is_in(each.data.decode("utf-8", "replace"))
    }
    if repeating:
        kept = without(kept, repeating)
    if kept is None:
        return None
    title = "" if is_in(title_of(kept)) else title_of(kept)
    kept |= {"title": title, "folders": [each for each in change.folders if not is_in(each)]}
    return seal_again(fields, kept, key)


def journal_edits(root: Path, log: str, is_in: IsIn) -> Iterator[Edit]:
    """The journal, and what became too long of it, without the lines that repeat the text."""
    if not log:
        return
    older = sorted((root / rotated_folder(log)).glob("*.md"))
    for path in (log, *(each.relative_to(root).as_posix() for each in older)):
        existing = current_bytes(root, path)
        if existing is not None and (data := _without_lines(existing, is_in)) != existing:
            yield edit_of(path, existing, data, _DELETED)


def _without_lines(existing: bytes, is_in: IsIn) -> bytes:
    """A journal whose entries say no more than what was done where they repeat the text."""
    codec = UTF16_CODECS.get(existing[:2], "utf-8")
    lines = existing.decode(codec, "surrogateescape").splitlines(keepends=True)
    kept = (_line_left(line) if is_in(line) else line for line in lines)
    return "".join(kept).encode(codec, "surrogateescape")


def _line_left(line: str) -> str:
    head, bar, _ = line.partition("|")
    if not (bar and line.startswith("#")):
        return ""
    return f"{head}| {_DELETED}{line[len(line.rstrip()) :]}"


class Doomed(NamedTuple):
    """What is about to be deleted for good, as it is before: whole files, or entries of one."""

    paths: tuple[str, ...]
    texts: tuple[str, ...]
    entries: tuple[Entry, ...] = ()
    sessions: tuple[str, ...] = ()
    is_part: bool = False  # the pages stay, without these entries


def doomed_files(live: LiveIndex, paths: Collection[str], session: str = "") -> Doomed:
    """Whole files, with their names and the entries in them."""
    context, entries, texts = live.context, list[Entry](), list[str]()
    for path in paths:
        data = current_bytes(context.root, path)
        if data is not None:
            texts += [path, data.decode("utf-8", "replace")]
        if data is not None and is_page_name(path):
            outline = outline_of(path, data[: context.max_bytes], context.layers)
            entries += entries_of(outline).entries
    sessions = (session,) if session else ()
    return Doomed(tuple(paths), tuple(texts), tuple(entries), sessions)


def doomed_entry(path: str, entry: Entry) -> Doomed:
    """One entry of a page."""
    texts = (entry.text, entry.id, *map(str, entry.fields.values()), *entry.tags)
    return Doomed((path,), texts, (entry,), is_part=True)


EraseFindings: TypeAlias = Callable[[LiveIndex, Collection[str]], bool]  # whether all are gone


def erasing(
    live: LiveIndex, doomed: Doomed, delete: Callable[[], Edited], erase_findings: EraseFindings
) -> Edited:
    """Delete, and then clear what is left of the text; notes say what could not be cleared."""
    edited = delete()
    return edited._replace(notes=(*edited.notes, *_erased(live, doomed, erase_findings)))


def _erased(live: LiveIndex, doomed: Doomed, erase_findings: EraseFindings) -> Iterator[str]:
    if git_folder(live.context.root):
        yield _IN_GIT
    try:
        with disk_errors_named():
            if not _cleared(live, doomed, erase_findings):
                yield f"a reader keeps old pages of the index for now; {_REINDEX}"
    except (MemwikiError, *DAMAGE) as error:
        yield f"deleted, but its text could not be cleared everywhere: {error}; {_REINDEX}"


def _cleared(live: LiveIndex, doomed: Doomed, erase_findings: EraseFindings) -> bool:
    """Clear what is kept beside the pages, then what the index keeps of what it dropped."""
    root, cache = live.context.root, live.cache_folder
    live.sync(only=doomed.paths, force=True)
    text = _text_of(live, doomed)
    key = key_in(cache.path.parent if cache else None)
    erase_records(root, (*doomed.paths, SNAPSHOT), text.is_in, key)
    apply(root, Plan(tuple(_beside(live, doomed, text))))
    forget_text(root, doomed.sessions, text.is_in)
    records.forget_text(root, () if doomed.is_part else doomed.paths, text.is_in)
    _forget_replies(cache)
    sweep_temporaries(root)
    pages = () if doomed.is_part else doomed.paths
    is_cleared = forget(live.context, doomed.entries, pages, text.is_in)
    after_sync(live, live.sync())
    live.resolve_links()
    live.add_up_usage()
    with live.amending() as stores:
        if stores.cards.state(FORMAT):
            ListingStore(stores.cards, live.context.layers).erase()
    done = erase_findings(live, doomed.paths)
    return erase_vectors(live) and live.scrub() and done and is_cleared


def _forget_replies(cache: CacheFolder | None) -> None:
    """Drop what models answered: a reply names no page, and says in other words what one says."""
    from memwiki.models.replies import MODELS_FOLDER, Replies

    if cache:
        Replies(cache.path.parent / MODELS_FOLDER).forget()


def _text_of(live: LiveIndex, doomed: Doomed) -> ErasedText:
    with whole_reading(live) as view:
        postings = live.snapshot(view.stores).postings

        def is_held(term: str) -> bool:
            return any(documents for documents, _ in postings(term))

        return erased_text(doomed.texts, is_held)


def _beside(live: LiveIndex, doomed: Doomed, text: ErasedText) -> Iterator[Edit]:
    """The journal and the snapshot of core memories, which are files of the workspace."""
    root, layers = live.context.root, live.context.layers
    yield from journal_edits(root, layers.log, text.is_in)
    held = current_bytes(root, SNAPSHOT)
    now = {path: current_bytes(root, path) or b"" for path in doomed.paths}
    if held is not None and (data := renewed(held, now, layers)) != held:
        yield edit_of(SNAPSHOT, held, data, _DELETED)
