"""A folder of basic-memory: its notes are pages as they stand; links by permalink become paths."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from memwiki.adapter_api import (
    RELATION_WORD,
    FieldValue,
    Layers,
    LinkSite,
    NotEditableError,
    Outline,
    Patch,
    Syntax,
    fold,
    is_page_name,
    outline_of,
    renamed,
    sites_of,
)
from memwiki.adapters.importers.new_pages import (
    HIDDEN,
    NewField,
    count_notes,
    distinct,
    is_hidden,
    relative_path,
    safe_path,
    with_fields,
)
from memwiki.importing import (
    ImportSource,
    ImportTarget,
    Incoming,
    IncomingFile,
)

KIND = "basic-memory"

_MAX_HEADS = 200
_KEYS = (rb"(?m)^title:", rb"(?m)^type:", rb"(?m)^permalink:[ \t]*['\"]?[^/\s'\"]")
_SHAPE = re.compile(
    rb"^[ \t]*[-*+] (?:\[[^\[\]()\n]{2,60}\] \S|[^\s\[][^\n\[]{0,60}\[\[)", re.MULTILINE
)
_FOLDER = ".basic-memory/"
_ADDRESS = re.compile(r"memory://(?![^#]*[*?])([^\s#]+)")
# `[category] text`, of which the reader of entries takes categories of one word.
_OBSERVATION = re.compile(r"[ \t]*[-*+][ \t]+\[([^\[\]()\n]{2,})\][ \t]+\S")
_RELATION = re.compile(
    r"[ \t]*[-*+][ \t]+(?:'([^'\n]{1,60})'|([^\s\[\"'][^\s\[]*))[ \t]+\[\[([^\[\]\n]+)\]\]"
    r"[ \t]*(\([^\n]*\))?[ \t]*\Z"
)
_WORD = re.compile(rf"{RELATION_WORD}\Z")


def is_kind(source: ImportSource) -> bool:
    """Whether notes have a title, a type and a permalink, and say observations or relations."""
    names = source.names()
    if any(name.startswith(_FOLDER) or f"/{_FOLDER}" in name for name in names):
        return True
    heads = [source.head(name) for name in names if is_page_name(name)][:_MAX_HEADS]
    return any(_SHAPE.search(head) for head in heads if _is_note(head))


def _is_note(head: bytes) -> bool:
    front = head.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    if not front.startswith(b"---\n"):
        return False
    block = front[: front.find(b"\n---", 3)]
    return all(re.search(key, block) for key in _KEYS)


def incoming(source: ImportSource, target: ImportTarget) -> Incoming:
    """Each file at its own path below the wiki, its bytes as they are."""
    paths, hidden = _paths(source, target.layers)
    counts: Counter[str] = Counter(hidden=hidden)
    pages = dict(_pages(source, paths, target.layers, counts))
    permalinks = {fold(id_): page.path for page in pages.values() for id_ in page.fields.ids}
    files = [
        IncomingFile(path, _data(source, name, pages.get(name), permalinks, counts), name)
        for name, path in paths.items()
    ]
    return Incoming(KIND, tuple(files), notes=_notes(counts))


def _paths(source: ImportSource, layers: Layers) -> tuple[Mapping[str, str], int]:
    """The path of each file, hidden ones left out, and how many those are."""
    names = source.names()
    seen = [name for name in names if not is_hidden(name)]
    folder = [layers.wiki] if layers.wiki else []
    wanted = ((name, safe_path([*folder, *name.split("/")])) for name in seen)
    return dict(distinct(wanted)), len(names) - len(seen)


def _pages(
    source: ImportSource, paths: Mapping[str, str], layers: Layers, counts: Counter[str]
) -> Iterator[tuple[str, Outline]]:
    for name, path in paths.items():
        if is_page_name(path):
            try:
                yield name, outline_of(path, source.read(name), layers)
            except NotEditableError:
                counts["unreadable"] += 1


def _data(
    source: ImportSource,
    name: str,
    page: Outline | None,
    permalinks: Mapping[str, str],
    counts: Counter[str],
) -> bytes:
    """The bytes of a file; only what memwiki would not read is written otherwise."""
    if page is None:
        return source.read(name)
    text = page.patched(_addresses(page, permalinks, counts)).text
    relations: list[FieldValue] = list(_unread(page, counts))
    if relations and "relations" not in page.fields.values:
        text = with_fields(text, [NewField("relations", relations)]).text
    return (page.mark + text).encode()


def _addresses(
    page: Outline, permalinks: Mapping[str, str], counts: Counter[str]
) -> Iterator[Patch]:
    """Links to `memory://` addresses of notes that are there."""
    if "memory://" not in page.text:
        return
    for site in sites_of(page):
        raw = page.text[site.start : site.end]
        found = _ADDRESS.match(unquote(raw))
        path = permalinks.get(fold(found[1].rstrip("/")), "") if found else ""
        new = _readdressed(site, raw, path, page.path) if path else None
        counts["addresses"] += new is not None
        if new is not None:
            yield Patch(site.start, site.end, new)


def _readdressed(site: LinkSite, raw: str, path: str, source: str) -> str | None:
    if site.syntax is Syntax.WIKI:
        return None
    plain = site._replace(link=site.link._replace(heading="", block=""))
    anchor = raw[raw.find("#") :] if "#" in raw else ""
    new = renamed(plain, "x", relative_path(path, source))
    return None if new is None else new + anchor


def _unread(page: Outline, counts: Counter[str]) -> Iterator[dict[str, FieldValue]]:
    """What relations say that are written as memwiki does not read them: `type [[target]]`."""
    if "[" not in page.text:
        return
    for line in page.masked.text.split("\n"):
        if found := _OBSERVATION.match(line):
            counts["observations"] += 1
            counts["categories"] += not _WORD.match(found[1].strip())
        elif found := _RELATION.match(line):
            counts["contexts"] += bool(found[4])
            type_ = (found[1] or found[2]).strip()
            if found[1] or not _WORD.match(type_):
                counts["relations"] += 1
                yield {"type": type_, "target": f"[[{found[3]}]]"}


def _notes(counts: Mapping[str, int]) -> tuple[str, ...]:
    forms = {
        "hidden": HIDDEN,
        "unreadable": (
            "note is not valid UTF-8, taken as it is",
            "notes are not valid UTF-8, taken as they are",
        ),
        "addresses": (
            "link to a memory:// address names the note now",
            "links to memory:// addresses name the notes now",
        ),
        "observations": (
            "observation is a line of its page",
            "observations are lines of their pages",
        ),
        "categories": (
            "category of several words is text of its line",
            "categories of several words are text of their lines",
        ),
        "contexts": (
            "(context) of a relation is text of its line",
            "(contexts) of relations are text of their lines",
        ),
        "relations": (
            "relation with a type that is no word is in `relations`, too",
            "relations with a type that is no word are in `relations`, too",
        ),
    }
    return count_notes(*((counts[key], *form) for key, form in forms.items()))
