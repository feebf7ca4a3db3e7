"""What a page was before, asked of git."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from memwiki.answers.entries import EntryHistory, EntryVersion
from memwiki.answers.history import History, PageAt
from memwiki.errors import GitError, MemwikiError, NotFoundError
from memwiki.files.paths import contain, real_path
from memwiki.files.read import is_hidden
from memwiki.history.versions import Past, shown_by
from memwiki.markdown.outline import Outline
from memwiki.markdown.parse import parse
from memwiki.markdown.source import decode
from memwiki.markdown.structure import part_of
from memwiki.memory.addresses import find_entry, with_id
from memwiki.memory.view import LocatedEntry, views_of
from memwiki.names import is_page_name
from memwiki.nouns import Layers
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, reading, used_reading


def history(live: LiveIndex, environ: Mapping[str, str], name: str, limit: int | None) -> History:
    """The commits that touched a page."""
    past = _past(live, environ, name)
    versions = tuple(past.versions(limit + 1 if limit else None))
    if not versions:
        raise NotFoundError.at(
            past.path,
            "no commit of the current branch has it",
            "git add {} && git commit",
            past.path,
        )
    shown = versions[:limit] if limit else versions
    return History(past.path, shown, len(shown) == len(versions))


def show(
    live: LiveIndex,
    environ: Mapping[str, str],
    name: str,
    at: str,
    section: str,
    lines: tuple[int, int] | None,
) -> PageAt:
    """A page, or a part of it, as it was."""
    found = _past(live, environ, name).at(at, live.context.clock())
    max_bytes = live.context.max_bytes
    page = parse(found.path, found.data, live.context.layers, max_bytes=max_bytes)
    text, start, stop = part_of(page, section, lines)
    return PageAt(found.path, found.rev, found.date, page.title, text, start, stop)


def bytes_at(live: LiveIndex, environ: Mapping[str, str], name: str, at: str) -> bytes:
    """The bytes of a page as it was."""
    return _past(live, environ, name).at(at, live.context.clock()).data


def _past(live: LiveIndex, environ: Mapping[str, str], name: str) -> Past:
    """What git knows about the page of this name; a path may be that of a page which is gone."""
    with reading(live) as view:
        try:
            path = view.find(name)
        except NotFoundError as missing:
            path = _path_of_a_gone_page(live.context.root, view.scope.own_path(name))
            if not path or view.scope.is_outside(path):
                raise
            past = past_of(live, environ, path)
            if is_hidden(live.context.root, path) or past.last_shown() is None:
                raise missing from None
            return past
    return past_of(live, environ, path)


def past_of(live: LiveIndex, environ: Mapping[str, str], path: str) -> Past:
    """What git knows about a page, as far as it is shown."""
    return Past(live.context.root, path, environ, shown_by(live, path))


def _path_of_a_gone_page(root: Path, name: str) -> str:
    try:
        return real_path(root, contain(root, name)) if is_page_name(name) else ""
    except MemwikiError:
        return ""


def entry_history(live: LiveIndex, environ: Mapping[str, str], known: LocatedEntry) -> EntryHistory:
    """The past of an entry, and what took its place."""
    context = live.context
    with used_reading(live) as view:
        views = views_of(context, view.stores)
        now = views.of(known)
        before = tuple(map(views.of, _chain(known, "supersedes", view)))
        after = tuple(map(views.of, _chain(known, "superseded_by", view)))
    notes: tuple[str, ...] = ()
    versions: tuple[EntryVersion, ...] = ()
    if not known.entry.id:
        notes = ("an entry without an id has no versions: nothing tells it from others",)
    else:
        try:
            past = past_of(live, environ, known.path)
            versions = tuple(_changes(_versions(past, known, context.layers, context.clock())))
        except GitError as error:
            notes = (f"no versions: {error.message}",)
    return EntryHistory(now, before, after, versions, notes)


def _chain(known: LocatedEntry, field: str, view: Reading) -> Iterator[LocatedEntry]:
    """The entries that one leads to by a field, each of which leads to the next."""
    seen, names = {known.entry.id}, _named(known, field)
    while names:
        name = names.pop(0)
        if name in seen:
            continue
        seen.add(name)
        with suppress(MemwikiError):  # archived, or deleted since
            found = find_entry(name, view)
            yield found
            names += _named(found, field)


def _named(known: LocatedEntry, field: str) -> list[str]:
    return [each for part in known.entry.fields.get(field, "").split(",") if (each := part.strip())]


def _versions(past: Past, known: LocatedEntry, layers: Layers, now: int) -> Iterator[EntryVersion]:
    """The entry at each commit of its page, newest first."""
    for version in past.versions():
        with suppress(MemwikiError):  # a commit that took the page away has none
            found = past.at(version.rev, now)
            page = Outline(layers, found.path, decode(found.path, found.data).text)
            if entry := with_id(page, known.entry.id):
                yield EntryVersion(version.rev, version.date, entry.text, entry.fields)


def _changes(versions: Iterator[EntryVersion]) -> Iterator[EntryVersion]:
    """Of versions that say the same the oldest: the commit that brought it."""
    last: EntryVersion | None = None
    for version in versions:
        if last and (last.text, last.fields) != (version.text, version.fields):
            yield last
        last = version
    if last:
        yield last
