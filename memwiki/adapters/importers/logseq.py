"""A graph of Logseq: pages, journals and assets, properties as fields, blocks with anchors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from posixpath import dirname
from typing import NamedTuple

from memwiki import Link
from memwiki.adapter_api import (
    LOGSEQ_CONFIG,
    PATH_KINDS,
    Layers,
    LinkKind,
    NotEditableError,
    Outline,
    SourceText,
    canonical,
    counted,
    exact_text,
    fold,
    graph_settings,
    is_no_name,
    is_page_name,
    load_front_matter,
    path_in,
    read_fields,
    strings,
)
from memwiki.adapters.importers.logseq_graph import (
    BlockTarget,
    LogseqFile,
    LogseqGraph,
    PageHead,
    is_taken,
    located,
    outlined,
    read_head,
    root_of,
    with_references,
)
from memwiki.adapters.importers.new_pages import (
    NewField,
    Relinking,
    relative_path,
    united,
    with_fields,
)
from memwiki.importing import (
    ImportSource,
    ImportTarget,
    Incoming,
    IncomingFile,
)

KIND = "logseq"

_BY_NAME = frozenset({LinkKind.WIKILINK, LinkKind.EMBED, LinkKind.FRONT_MATTER, LinkKind.CITED})


class _LogseqPage(NamedTuple):
    """A page of the graph as it was read, and what it calls itself."""

    head: PageHead
    mark: str
    title: str
    aliases: tuple[str, ...]


class _LogseqPages(NamedTuple):
    """The files of a graph by what may be said to mean them."""

    files: Mapping[str, LogseqFile]
    by_name: Mapping[str, LogseqFile]
    blocks: Mapping[str, BlockTarget]


def is_kind(source: ImportSource) -> bool:
    """Whether it has Logseq's settings, or pages beside journals as Logseq names them."""
    return root_of(source.names()) is not None


def incoming(source: ImportSource, target: ImportTarget) -> Incoming:
    """Each page at its name below the wiki, each journal as a daily note, all else copied."""
    names = source.names()
    root = root_of(names) or ""
    config = source.read(root + LOGSEQ_CONFIG) if root + LOGSEQ_CONFIG in names else b""
    graph = LogseqGraph(root, graph_settings(config.decode("utf-8", "replace")))
    taken = [name for name in names if is_taken(name, graph)]
    drafts = dict(_drafts(source, taken))
    titles = [(name, drafts[name].title if name in drafts else "") for name in taken]
    files = located(titles, graph, target.layers)
    texts, blocks = _outlined(drafts, files)
    pages = _LogseqPages(files, _by_name(drafts, files), blocks)
    outlines, lost = _referring(texts, pages, target.layers)
    relinking = Relinking(
        outlines.values(),
        [file.path for name, file in files.items() if name not in outlines],
        target.layers,
    )
    made = []
    for name, file in files.items():
        if name in outlines:
            text = relinking.relinked(outlines[name], _meant(file, pages, graph))
            made.append(_page(file, drafts[name].mark + text, target))
        else:
            made.append(IncomingFile(file.path, source.read(name), name))
    unread = sum(map(is_page_name, taken)) - len(drafts)
    notes = _notes(len(names) - len(taken), unread, lost, taken)
    return Incoming(KIND, tuple(made), notes=tuple(notes))


def _drafts(source: ImportSource, names: Iterable[str]) -> Iterator[tuple[str, _LogseqPage]]:
    for name in filter(is_page_name, names):
        try:
            text, mark = exact_text(name, source.read(name))
        except NotEditableError:
            continue
        head = read_head(text)
        lines = SourceText(name, head.text).lines
        fields = read_fields(name, load_front_matter(name, lines).front_matter, [])
        titles = [str(value) for key, value in head.fields if canonical(key) == "title"]
        own = [value for key, value in head.fields if canonical(key) == "aliases"]
        aliases = [*fields.aliases, *(alias for value in own for alias in strings(value))]
        title = next(iter(titles), "") or fields.text("title")
        yield name, _LogseqPage(head, mark, title, tuple(aliases))


def _by_name(
    drafts: Mapping[str, _LogseqPage], files: Mapping[str, LogseqFile]
) -> Mapping[str, LogseqFile]:
    """Pages by their names; the name of a page comes before the alias of another one."""
    names = [(file.name, file) for file in files.values()]
    names += [(name, file) for file in files.values() for name in (*file.other_names, file.day)]
    names += [(name, files[source]) for source, each in drafts.items() for name in each.aliases]
    return {fold(name): file for name, file in reversed(names) if fold(name)}


def _outlined(
    drafts: Mapping[str, _LogseqPage], files: Mapping[str, LogseqFile]
) -> tuple[Mapping[str, str], Mapping[str, BlockTarget]]:
    """The texts with their fields and anchors, and where each id of a block is then."""
    texts: dict[str, str] = {}
    blocks: dict[str, BlockTarget] = {}
    for source, draft in drafts.items():
        file = files[source]
        texts[source], ids = outlined(_with_head(draft, file.other_names))
        for key, value in draft.head.fields:
            if key == "id":
                blocks.setdefault(str(value).lower(), BlockTarget(file.path, file.name))
        for id_ in ids:
            blocks.setdefault(id_.lower(), BlockTarget(file.path, file.name, id_))
    return texts, blocks


def _with_head(draft: _LogseqPage, names: Iterable[str]) -> str:
    """The text with its properties as fields, and the names as aliases that its path does not say.

    Properties that no field can say stay where they were.
    """
    head, existing = draft.head, {fold(name) for name in (draft.title, *draft.aliases)}
    new = [name for name in names if fold(name) not in existing]
    pairs = list(zip(head.fields, head.lines, strict=True))
    own = next((i for i, (field, _) in enumerate(pairs) if canonical(field.key) == "aliases"), -1)
    if new and own >= 0:
        field, line = pairs[own]
        pairs[own] = NewField(field.key, [*field.value, *new]), line
    elif new:
        pairs.append((NewField("aliases", list(new)), ""))
    text, left = with_fields(head.text, [field for field, _ in pairs])
    kept = set(map(id, left))
    lines = "".join(line for field, line in pairs if id(field) in kept)
    at = head.start + len(text) - len(head.text)
    return text[:at] + lines + text[at:]


def _referring(
    texts: Mapping[str, str], pages: _LogseqPages, layers: Layers
) -> tuple[Mapping[str, Outline], int]:
    """The pages with links for references to blocks, and how many of these lead nowhere."""
    outlines, lost = dict[str, Outline](), 0
    for source, text in texts.items():
        path = pages.files[source].path
        page = Outline(layers, path, text)
        after, unknown = with_references(page, pages.blocks, _block_of(pages), _linking(path))
        outlines[source] = page if after == text else Outline(layers, path, after)
        lost += unknown
    return outlines, lost


def _block_of(pages: _LogseqPages) -> Callable[[str], BlockTarget]:
    def block(name: str) -> BlockTarget:
        file = pages.by_name.get(fold(name.strip()))
        return BlockTarget(file.path if file else "", name.strip())

    return block


def _linking(source: str) -> Callable[[BlockTarget, str, bool], str | None]:
    """Writes a link: a wikilink, or a markdown link where the name or label forbids one; none to a
    page that is not there but as a plain wikilink."""

    def link(block: BlockTarget, label: str, is_embed: bool) -> str | None:
        anchor = f"#^{block.anchor}" if block.anchor else ""
        mark = "!" * is_embed
        if is_embed and not block.path:
            return None
        if not (is_no_name(block.name) or set(block.name) & set("[]|#^\n\\")) and "|" not in label:
            return f"{mark}[[{block.name}{anchor}{f'|{label}' * bool(label)}]]"
        if not block.path:
            return None
        path = relative_path(block.path, source)
        return f"{mark}[{label or block.anchor or block.name}](<{path}{anchor}>)"

    return link


def _meant(file: LogseqFile, pages: _LogseqPages, graph: LogseqGraph) -> Callable[[Link], str]:
    """What the links of a page led to in the graph."""
    folder = dirname(file.source)

    def meant(link: Link) -> str:
        if link.kind in PATH_KINDS:
            places = (path_in(folder, link.written), path_in(graph.root, link.written.lstrip("/")))
            return next((pages.files[each].path for each in places if each in pages.files), "")
        if link.kind not in _BY_NAME or not link.written:
            return ""
        whole = f"{link.written}#{link.heading}" if link.heading else link.written
        page = pages.by_name.get(fold(whole)) or pages.by_name.get(fold(link.written))
        return page.path if page else ""

    return meant


def _page(file: LogseqFile, text: str, target: ImportTarget) -> IncomingFile:
    """The page as it is to be; a daily note that is there keeps what it says."""
    data = text.encode()
    existing = target.read(file.path) if file.day else None
    if existing is None or existing == data:
        return IncomingFile(file.path, data, file.source)
    both = united(file.path, existing, data)
    return IncomingFile(file.path, both or data, file.source, is_united=both is not None)


def _notes(hidden: int, unread: int, lost: int, taken: Iterable[str]) -> Iterator[str]:
    org = sum(name.lower().endswith(".org") for name in taken)
    forms = {
        ("hidden file or backup was not taken", "hidden files and backups were not taken"): hidden,
        (
            "page is not valid UTF-8, taken as it is",
            "pages are not valid UTF-8, taken as they are",
        ): unread,
        (
            "reference ((id)) leads to no block of the graph",
            "references ((id)) lead to no block of the graph",
        ): lost,
        ("page of Org mode is taken as a file", "pages of Org mode are taken as files"): org,
    }
    return (counted(count, *form) for form, count in forms.items() if count)
