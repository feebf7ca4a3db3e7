"""What an entry said before: the entries it superseded, and its versions in git."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from memwiki.answers.entries import EntryHistory, EntryVersion
from memwiki.errors import GitError, MemwikiError
from memwiki.history.past import past_of
from memwiki.history.versions import Past
from memwiki.markdown.outline import Outline
from memwiki.markdown.text import decode
from memwiki.memory.finding import find_entry, with_id
from memwiki.memory.view import Located, views_of
from memwiki.model import Layers
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, used_reading


def entry_history(live: LiveIndex, environ: Mapping[str, str], known: Located) -> EntryHistory:
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


def _chain(known: Located, field: str, view: Reading) -> Iterator[Located]:
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


def _named(known: Located, field: str) -> list[str]:
    return [each for part in known.entry.fields.get(field, "").split(",") if (each := part.strip())]


def _versions(past: Past, known: Located, layers: Layers, now: int) -> Iterator[EntryVersion]:
    """The entry at each commit of its page, newest first."""
    for version in past.versions():
        with suppress(MemwikiError):  # a commit that took the page away has none
            found = past.at(version.rev, now)
            page = Outline(layers, found.path, decode(found.path, found.data).text)
            if entry := with_id(page, known.entry.id):
                yield EntryVersion(version.rev, version.date, entry.text, entry.fields)


def _changes(versions: Iterator[EntryVersion]) -> Iterator[EntryVersion]:
    """Of versions that say the same the oldest: the commit that brought it."""
    held: EntryVersion | None = None
    for version in versions:
        if held and (held.text, held.fields) != (version.text, version.fields):
            yield held
        held = version
    if held:
        yield held
