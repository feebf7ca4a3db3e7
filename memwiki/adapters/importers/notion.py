"""An export of Notion: names without ids, properties as fields, databases as pages of links."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from posixpath import basename, dirname, splitext
from typing import NamedTuple
from urllib.parse import quote

from memwiki import Link
from memwiki.adapter_api import (
    PATH_KINDS,
    Layers,
    NotEditableError,
    Outline,
    exact_text,
    fold,
    is_no_name,
    is_page_name,
    path_in,
    slug,
    stem_of,
    without_suffix,
)
from memwiki.adapters.importers.new_pages import (
    HIDDEN,
    UNREADABLE,
    NewField,
    Relinking,
    count_notes,
    is_hidden,
    relative_path,
    with_fields,
)
from memwiki.adapters.importers.notion_export import (
    Columns,
    NotionTable,
    Properties,
    RowPage,
    TableRow,
    field_of,
    match_rows,
    paths_of,
    read_name,
    read_properties,
    read_table,
    unpack_source,
)
from memwiki.importing import (
    ImportSource,
    ImportTarget,
    Incoming,
    IncomingFile,
)

KIND = "notion"

_ALL = "_all.csv"
_TABLES = (".csv", _ALL)
_ID = re.compile(r"([0-9a-f]{32})(?:_all)?(?:\.md|\.csv)?\Z")
_ADDRESS = re.compile(
    r"https://(?:www\.|[\w-]+\.)?notion\.(?:so|site)/[^?#\s]*?([0-9a-f]{32})(?:[?#]|\Z)"
)
_MAX_NAME = 200


class _NotionPage(NamedTuple):
    """A page of the export as it was read."""

    source: str
    path: str
    id: str
    mark: str
    said: Properties


class _Database(NamedTuple):
    """A table of the export, its files, and the path of the page that lists its rows."""

    path: str
    id: str
    name: str
    files: tuple[str, ...]  # in the source, that with all columns first
    table: NotionTable
    folder: str  # in the source, of its rows

    @property
    def columns(self) -> Columns:
        """What the properties of its pages are called."""
        return Columns(frozenset(self.table.columns), self.files[0].endswith(_ALL))


class _Export(NamedTuple):
    """The files of an export by what links may say of them."""

    paths: Mapping[str, str]  # by name in the source
    lists: Mapping[str, str]  # the page of a table, by the name of its file
    ids: Mapping[str, str]


def is_kind(source: ImportSource) -> bool:
    """Whether most pages and tables have an id of Notion in their names."""
    names = [
        name for name in unpack_source(source).names() if name.lower().endswith((".md", ".csv"))
    ]
    ids = sum(bool(read_name(basename(name)).id) for name in names)
    return ids * 2 > len(names)


def incoming(source: ImportSource, target: ImportTarget) -> Incoming:
    """Pages under their own names, a page for each database, all else copied."""
    source = unpack_source(source)
    names = [name for name in source.names() if not is_hidden(name)]
    paths = paths_of(names, target.layers.wiki, _owner(target))
    databases = list(_databases(source, paths))
    pages = list(_pages(source, paths, databases))
    export = _export(paths, databases, pages)
    rows = _rows(databases, pages)
    more = {row.path: (row.values, each.files[0]) for each in databases for row in rows[each.path]}
    texts = {page.path: _text(page, *more.get(page.path, ({}, "")), export) for page in pages}
    texts |= {each.path: _listing(each, rows[each.path], export) for each in databases}
    origins = {page.path: page.source for page in pages}
    origins |= {each.path: each.files[0] for each in databases}
    texts = _relinked(texts, origins, export, target.layers)
    marks = {page.path: page.mark for page in pages}
    made = [
        IncomingFile(path, (marks.get(path, "") + text).encode(), origins[path])
        for path, text in texts.items()
    ]
    read = {page.source for page in pages}
    made += [
        IncomingFile(path, source.read(name), name)
        for name, path in paths.items()
        if name not in read
    ]
    endings = Counter(splitext(name.lower())[1] for name in names)
    notes = count_notes(
        (len(source.names()) - len(names), *HIDDEN),
        (sum(map(is_page_name, names)) - len(read), *UNREADABLE),
        (
            sum(not each.table.columns for each in databases),
            "table cannot be read, taken as a file",
            "tables cannot be read, taken as files",
        ),
        (
            endings[".html"],
            "HTML file is no page; export as Markdown & CSV",
            "HTML files are no pages; export as Markdown & CSV",
        ),
        (
            endings[".zip"],
            "archive is taken as a file; unpack it",
            "archives are taken as files; unpack them",
        ),
    )
    return Incoming(KIND, tuple(made), notes=notes)


def _owner(target: ImportTarget) -> Callable[[str], str]:
    """The id of the page that is at a path already: of pages of one name it keeps the path."""

    def owner(path: str) -> str:
        data = target.read(path)
        if data is None:
            return ""
        ids = Outline(target.layers, path, data.decode("utf-8", "replace")).fields.ids
        return next((id_ for id_ in ids if _ID.fullmatch(id_)), "")

    return owner


def _databases(source: ImportSource, paths: Mapping[str, str]) -> Iterator[_Database]:
    """The tables; the file with all columns and the one of a view are one database."""
    by_id: dict[tuple[str, str], list[str]] = {}
    for name in paths:
        parts = read_name(basename(name))
        if parts.id and parts.suffix in _TABLES:
            by_id.setdefault((dirname(name), parts.id), []).append(name)
    taken = {fold(path) for path in paths.values()}
    folders = {dirname(name) for name in paths}
    for (above, id_), files in by_id.items():
        files.sort(key=lambda name: not name.endswith(_ALL))
        tables = (read_table(source.read(name)) for name in files)
        table = max(filter(None, tables), key=lambda table: len(table.rows), default=NotionTable())
        stem = paths[files[0]].removesuffix(_ALL).removesuffix(".csv")
        path = f"{stem}.md" if fold(f"{stem}.md") not in taken else f"{stem} {id_[-6:]}.md"
        title = read_name(basename(files[0])).name
        bare = f"{above}/{title}".lstrip("/")
        full = f"{bare} {id_}"
        folder = bare if bare in folders and full not in folders else full
        yield _Database(path, id_, title, tuple(files), table, folder)


def _pages(
    source: ImportSource, paths: Mapping[str, str], databases: Iterable[_Database]
) -> Iterator[_NotionPage]:
    columns = {each.folder: each.columns for each in databases}
    for name, path in paths.items():
        if not is_page_name(name):
            continue
        try:
            text, mark = exact_text(name, source.read(name))
        except NotEditableError:
            continue
        properties = read_properties(text, columns.get(dirname(name), Columns()))
        yield _NotionPage(name, path, read_name(basename(name)).id, mark, properties)


def _export(
    paths: Mapping[str, str], databases: Iterable[_Database], pages: Iterable[_NotionPage]
) -> _Export:
    lists = {name: each.path for each in databases for name in each.files}
    ids = {each.id: each.path for each in databases}
    ids |= {page.id: page.path for page in pages if page.id}
    return _Export(paths, lists, ids)


def _rows(
    databases: Iterable[_Database], pages: Iterable[_NotionPage]
) -> Mapping[str, Sequence[TableRow]]:
    """The rows of each database, by the path of its page."""
    in_folder: dict[str, list[RowPage]] = {}
    for page in pages:
        stem = read_name(basename(page.source)).name
        row = RowPage(page.path, (page.said.title or stem, stem), dict(page.said.fields))
        in_folder.setdefault(dirname(page.source), []).append(row)
    return {
        each.path: list(match_rows(each.table, in_folder.get(each.folder, ())))
        if each.table.columns
        else ()
        for each in databases
    }


def _text(page: _NotionPage, row: Mapping[str, str], table: str, export: _Export) -> str:
    """The text of a page with its properties as fields, and those that only its row says, in the
    file `table`."""
    said = page.said
    name = read_name(basename(page.source)).name
    own = {"id": page.id, "title": "" if said.title or name == stem_of(page.path) else name}
    said_here = {fold(key) for key, _ in said.fields}
    other = [(key, value) for key, value in row.items() if fold(key) not in said_here]
    fields = [NewField(key, value) for key, value in own.items() if value]
    link, link_in_row = _linking(page.source, export), _linking(table, export)
    fields += [field_of(key, value, link) for key, value in said.fields]
    fields += [field_of(key, value, link_in_row) for key, value in other if key and value]
    text, left = with_fields(said.text, fields)
    if not left:
        return text
    written = own | dict(other) | dict(said.fields)
    lines = [f"{key}: {written[key]}" for key, _ in left]
    return f"{text.rstrip()}\n\n" + "\n".join(lines) + "\n"


def _linking(source: str, export: _Export) -> Callable[[str, str], str]:
    """Writes a wikilink to a file of the export, by its id where its path is no name; "" where
    nothing is meant or the label would be lost."""

    def link(written: str, label: str) -> str:
        path = _exported_path(written, source, export)
        name = without_suffix(path)
        if not path:
            return ""
        if is_no_name(name) or set(name) & set("[]|#^"):
            name = read_name(basename(written)).id
        if not label or slug(label) == slug(read_name(basename(written)).name):
            return f"[[{name}]]" if name else ""
        return f"[[{name}|{label}]]" if name and set(label).isdisjoint("[]|\n") else ""

    return link


def _exported_path(written: str, source: str, export: _Export) -> str:
    """The path of what a relative path, or an id at its end, means; "" for nothing."""
    place = path_in(dirname(source), written)
    path = export.lists.get(place) or export.paths.get(place, "")
    if not path and (match := _ID.search(written)):
        path = export.ids.get(match[1], "")
    return path


def _listing(database: _Database, rows: Sequence[TableRow], export: _Export) -> str:
    """The page of a database: its rows as links, and its tables."""
    lines = [f"# {_label(database.name)}", ""]
    for row in rows:
        name = _label(row.name) or "Untitled"
        lines.append(f"- {_markdown(name, row.path, database.path) if row.path else name}")
    tables = [
        _markdown(_label(basename(export.paths[name])), export.paths[name], database.path)
        for name in database.files
    ]
    lines += [*([""] if rows else []), f"Tables: {', '.join(tables)}", ""]
    fields = [NewField("type", "database"), NewField("id", database.id)]
    return with_fields("\n".join(lines), fields).text


def _label(name: str) -> str:
    """A name as text of markdown, on one line."""
    plain = " ".join(name.split())[:_MAX_NAME]
    return re.sub(r"([\\\[\]<>*_`#$|!~])", r"\\\1", plain)


def _markdown(label: str, path: str, source: str) -> str:
    return f"[{label}]({quote(relative_path(path, source), safe='/')})"


def _relinked(
    texts: Mapping[str, str], origins: Mapping[str, str], export: _Export, layers: Layers
) -> dict[str, str]:
    """The texts with links to the new paths."""
    outlines = {path: Outline(layers, path, text) for path, text in texts.items()}
    others = set(export.paths.values()) - outlines.keys()
    relinking = Relinking(outlines.values(), others, layers)
    pages = outlines.keys() - export.lists.values()
    return dict(texts) | {
        path: relinking.relinked(outlines[path], _target_finder(origins[path], export))
        for path in pages
    }


def _target_finder(source: str, export: _Export) -> Callable[[Link], str]:
    """What the links of a page led to in the export."""

    def meant(link: Link) -> str:
        if link.kind not in PATH_KINDS:
            return ""
        if address := _ADDRESS.match(link.written):
            return export.ids.get(address[1], "")
        return _exported_path(link.written, source, export)

    return meant
