"""What a page was before, asked of git."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from memwiki.answers.history import History, PageAt
from memwiki.errors import MemwikiError, NotFoundError, shell_word
from memwiki.files.paths import contain, real_path
from memwiki.files.read import is_hidden
from memwiki.history.shown import shown_by
from memwiki.history.versions import Past
from memwiki.markdown.parse import parse
from memwiki.markdown.sections import part_of
from memwiki.names import is_page_name
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading


def history(live: LiveIndex, environ: Mapping[str, str], name: str, limit: int | None) -> History:
    """The commits that touched a page."""
    past = _past(live, environ, name)
    versions = tuple(past.versions(limit + 1 if limit else None))
    if not versions:
        raise NotFoundError(
            f"{past.path}: no commit of the current branch has it",
            hint=f"git add {shell_word(past.path)} && git commit",
            path=past.path,
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
