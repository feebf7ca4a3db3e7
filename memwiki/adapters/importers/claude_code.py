"""The memory of Claude Code, a folder of markdown: each file becomes a page, as it is but for
fields that are added."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from posixpath import basename, dirname

from memwiki.adapter_api import (
    Layers,
    NotEditableError,
    Outline,
    UsageError,
    Wanted,
    counted,
    first_text,
    is_page_name,
    iso_date,
    outline_of,
    set_field,
    slug,
    stem_of,
)
from memwiki.importing import (
    ImportSource,
    ImportTarget,
    Incoming,
    IncomingFile,
)

KIND = "claude-code"
_INDEX = "MEMORY.md"
# By other names, as theirs mean something else: `[[memory]]` is the page of memories, and CLAUDE.md
# tells an agent how to begin. Their titles say what they were.
_RENAMED = {
    _INDEX: ("claude-code-memory.md", "Claude Code memory"),
    "CLAUDE.md": ("claude-code-instructions.md", "Claude Code instructions"),
    "CLAUDE.local.md": ("claude-code-instructions-local.md", "Claude Code local instructions"),
}
_TYPES = frozenset({"user", "feedback", "project", "reference"})
_TOPIC = re.compile(rb"\A---[ \t]*\r?\n(?=[^\0]*?^name:)(?=[^\0]*?^description:)", re.MULTILINE)
_USUAL = frozenset({"memory", "memories", "claude", "claude-code", ""})  # tell nothing of a project


def is_kind(source: ImportSource) -> bool:
    """Whether it is such a folder: MEMORY.md and files with a name and a description, all of
    them side by side, or the files of instructions alone."""
    names = _inner(source.names())
    bare = set(names.values())
    if bare and bare <= _RENAMED.keys():
        return True
    is_flat = _INDEX in bare and all("/" not in each and is_page_name(each) for each in bare)
    heads = (source.head(name) for name, each in names.items() if each not in _RENAMED)
    return is_flat and any(map(_TOPIC.match, heads))


def incoming(source: ImportSource, target: ImportTarget) -> Incoming:
    """A page for each file of markdown, other files beside them."""
    names = _inner(source.names())
    folder = _folder(source.name if len(names) > 1 else "", target.layers)
    wanted = {name: each for name, each in names.items() if not re.search(r"(?:\A|/)\.", each)}
    made = [_file(source, name, f"{folder}/{each}", target, names) for name, each in wanted.items()]
    notes = [note for _, note in made if note]
    if hidden := len(names) - len(wanted):
        notes.append(f"{counted(hidden, 'hidden file')} not imported")
    return Incoming(KIND, tuple(file for file, _ in made), notes=tuple(notes))


def _inner(names: Sequence[str]) -> dict[str, str]:
    """The names without the one folder that all of them are in."""
    tops = {name.partition("/")[0] for name in names if "/" in name}
    is_nested = len(tops) == 1 and all("/" in name for name in names)
    return {name: name.partition("/")[2] if is_nested else name for name in names}


def _folder(name: str, layers: Layers) -> str:
    """Where the pages go: a folder a project, where the name of the source tells one."""
    project = slug(re.sub(r"\.(?:zip|md)\Z", "", name))
    folder = f"{layers.wiki}/{KIND}" if layers.wiki else KIND
    return folder if project in _USUAL else f"{folder}/{project}"


def _file(
    source: ImportSource, name: str, path: str, target: ImportTarget, names: dict[str, str]
) -> tuple[IncomingFile, str]:
    """A file as it becomes, and what is to be said of it."""
    data = source.read(name)
    renamed, title = _RENAMED.get(basename(path), (basename(path), ""))
    path = f"{dirname(path)}/{renamed}"
    if not is_page_name(path):
        return IncomingFile(path, data, name), ""
    try:
        page = outline_of(path, data, target.layers)
        for field, value in list(_fields(page, title, set(names.values()))):
            page = set_field(page, field, value)
    except (NotEditableError, UsageError) as error:
        note = f"{path}: kept as it is, no fields were added ({error.message})"
        return IncomingFile(path, data, name), note
    return IncomingFile(path, page.data, name), ""


# --- the fields that are added; none is changed ---


def _fields(page: Outline, title: str, names: set[str]) -> Iterator[tuple[str, Wanted]]:
    existing = page.fields.values
    metadata = page.front.fields.get("metadata", {})
    named = metadata if isinstance(metadata, dict) else {}
    wanted: dict[str, Wanted] = dict(_title(page, title))
    wanted["type"] = _type(page, title, first_text(named.get("type", "")), names)
    wanted["updated"] = iso_date(first_text(named.get("modified", "")))
    wanted["origin"] = "agent" if title in ("", _RENAMED[_INDEX][1]) else "tool"
    return ((name, value) for name, value in wanted.items() if value and name not in existing)


def _title(page: Outline, title: str) -> Iterator[tuple[str, Wanted]]:
    """The name of a memory, by which others link to it, where the page is not called so."""
    name = title or first_text(page.front.fields.get("name", ""))
    heading = page.heading
    if not name or (not title and slug(name) in (slug(stem_of(page.path)), slug(heading))):
        return
    is_named = "title" in page.fields.values or (heading and not title)
    yield ("aliases", [name]) if is_named else ("title", name)


def _type(page: Outline, title: str, named: str, names: set[str]) -> str:
    """What a memory says that it is; a page that points to no other is one of memories."""
    if not title:
        return named if named in _TYPES else ""
    others = {name for each in names - _RENAMED.keys() for name in (each, stem_of(each))}
    points = any(link.written.removeprefix("./") in others for link in page.links)
    return "" if points else "memory"
