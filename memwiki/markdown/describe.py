"""What a page is called and what it is, where its front matter does not say."""

from __future__ import annotations

import re

from memwiki.names import fold, stem_of
from memwiki.nouns import Layers
from memwiki.scope import layers_at
from memwiki.text import pattern

MAX_TITLE = 200
MAX_DESCRIPTION = 300
_FOLDER_TYPES = {
    plural: word
    for word, plurals in {
        "concept": "concept concepts",
        "entity": "entity entities",
        "person": "person persons people",
        "project": "project projects",
        "source": "source sources",
        "question": "question questions",
        "comparison": "comparison comparisons",
        "synthesis": "synthesis syntheses",
        "decision": "decision decisions",
        "memory": "memory memories",
        "learning": "learning learnings",
        "session": "session sessions",
        "daily": "daily dailies",
    }.items()
    for plural in plurals.split()
}
_COLLECTIONS = frozenset({"memory", "learning", "daily", "session", "index", "log"})
_ENTRANCES = frozenset("readme index _index agents claude gemini skill changelog".split())
_TEMPLATE_FOLDER = pattern(r"(?:^|[\W_])templates?$")
_NAME_TYPES = {"memory": "memory", "learnings": "learning", "index": "index", "log": "log"}
SNAPSHOT = "MEMORY_SNAPSHOT.md"
SNAPSHOT_MARK = "<!-- memwiki:snapshot -->"


def is_in(path: str, layer: str) -> bool:
    """Whether a path is a layer's file or lies in its folder, in any namespace's copy too."""
    if not (layer := fold(layer.strip("/"))):
        return False
    path = fold(path)
    return path == layer or path.startswith(layer + "/")


def inner_path(path: str, layers: Layers) -> str:
    """The path as seen from its namespace, which is laid out like the workspace itself."""
    if not (layers.namespaces and is_in(path, layers.namespaces)):
        return path
    rest = path[len(layers.namespaces.strip("/")) + 1 :]
    return rest.partition("/")[2] or path


def is_journal(path: str, layers: Layers) -> bool:
    """Whether a file is the journal or was shelved from it when that grew too long: log/2026.md."""
    log, path = fold(layers.log), fold(path)
    if not log or path == log:
        return bool(log)
    rotated = f"{log.rpartition('.')[0]}/"
    name = path.removeprefix(rotated)
    return name != path and re.fullmatch(r"\d{4}(?:-\d+)?\.md", name) is not None


def folder_type(name: str) -> str:
    """The type of the pages in a folder of this name, "" when it tells none."""
    return _FOLDER_TYPES.get(fold(name), "")


def default_type(path: str, layers: Layers) -> str:
    """The type a page has by its place."""
    for layer, type_ in (
        (layers.memory, "memory"),
        (layers.learnings, "learning"),
        (layers.daily, "daily"),
        (layers.sessions, "session"),
    ):
        if is_in(path, layer):
            return type_
    folders = path.split("/")[:-1]
    by_name = _NAME_TYPES.get(fold(stem_of(path)), "")
    if by_name and (by_name in ("index", "log") or not folders):
        return by_name
    return next(filter(None, map(folder_type, reversed(folders))), "page")


def is_session(path: str, type_: str, layers: Layers) -> bool:
    """Whether a page holds messages."""
    return fold(type_) == "session" or is_in(path, layers.sessions)


def is_collecting(path: str, type_: str, layers: Layers) -> bool:
    """Whether the list items of a page are entries, by its type or place."""
    locations = (layers.memory, layers.learnings, layers.daily, layers.inbox)
    return fold(type_) == "memory" or any(is_in(path, location) for location in locations)


def is_kept(path: str, layers: Layers) -> bool:
    """Whether a file is kept as it is: a source, or something retired."""
    inner = inner_path(path, layers)
    return is_in(inner, layers.raw) or is_in(inner, layers.archive)


def is_template(path: str, layers: Layers) -> bool:
    """Whether it lies in a folder of templates: a form is no page, and need not be complete."""
    if is_in(path, layers_at(path, layers).dialect.templates):
        return True
    return any(_TEMPLATE_FOLDER.search(fold(folder)) for folder in path.split("/")[:-1])


def is_subject(path: str, type_: str, layers: Layers, *, has_entries: bool) -> bool:
    """Whether it is a page about something, written to be read: not a source, a template, a
    collection of entries, a session, nor what tells people and agents how to begin."""
    return not (
        has_entries
        or type_ in _COLLECTIONS
        or fold(stem_of(path)) in _ENTRANCES
        or is_kept(path, layers)
        or is_template(path, layers)
    )


def shorten(text: str, limit: int = MAX_DESCRIPTION) -> str:
    """The text cut at a word, with an ellipsis, when it is longer than the limit."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    return (head.rpartition(" ")[0] if " " in head[limit // 2 :] else head).rstrip() + "…"
