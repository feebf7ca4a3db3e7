"""A graph of Logseq: pages, journals and assets, properties as fields, blocks with anchors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from posixpath import dirname
from typing import NamedTuple, TypeAlias

from memwiki import Link
from memwiki.adapter_api import (
    BLOCK_ID,
    BULLET,
    HEADING,
    ISO_DAY,
    LOGSEQ_BACKUPS,
    LOGSEQ_CONFIG,
    PATH_KINDS,
    UUID,
    GraphSettings,
    Layers,
    LinkKind,
    NotEditableError,
    Outline,
    Patch,
    SourceText,
    canonical,
    date_in,
    exact_text,
    find_block,
    fold,
    graph_settings,
    has_children,
    is_no_name,
    is_page_name,
    load_front_matter,
    page_names,
    path_in,
    property_value,
    read_day,
    read_fields,
    read_properties,
    stem_of,
    strings,
    without_suffix,
    written_day,
)
from memwiki.adapters.importers.new_pages import (
    UNREADABLE,
    NewField,
    Relinking,
    count_notes,
    distinct,
    is_hidden,
    relative_path,
    safe_path,
    unite_pages,
    with_fields,
)
from memwiki.importing import (
    ImportSource,
    ImportTarget,
    Incoming,
    IncomingFile,
)

LogseqFiles: TypeAlias = "Mapping[str, LogseqFile]"
_MEDIA = ("assets/", "draws/", "whiteboards/")
_FENCE = re.compile(r"[ \t]*(?:[-*+][ \t]+)*(`{3,}|~{3,})")
# What a line may end in, or begin, to which nothing can be added.
_CLOSED = re.compile(r"```|~~~|#\+|\||\$\$|>|:[A-Z]+:\Z|\^[A-Za-z0-9-]+\Z|[^\s:]+::")
_REFERENCE = re.compile(
    rf"\{{\{{embed[ \t]+(?:\(\((?P<embed>{UUID})\)\)|\[\[(?P<page>[^\[\]\n]+)\]\])[ \t]*\}}\}}"
    rf"|\[(?P<label>[^\[\]\n]*)\]\((?:\(\((?P<block>{UUID})\)\)|\[\[(?P<named>[^\[\]\n]+)\]\])\)"
    rf"|\(\((?P<plain>{UUID})\)\)"
)


class LogseqGraph(NamedTuple):
    """How a graph is set up; `root` is the folder of the source that it lies in, with `/`."""

    root: str
    settings: GraphSettings


class LogseqFile(NamedTuple):
    """A file of the graph, the names of the page that it is, and its path in the workspace."""

    source: str
    path: str
    name: str = ""  # of the page; "" for any other file
    other_names: tuple[str, ...] = ()
    day: str = ""  # of a journal


def root_of(names: Sequence[str]) -> str | None:
    """The folder that a graph lies in, "" for the source itself; None when there is no graph."""
    for name in names:
        if name == LOGSEQ_CONFIG or name.endswith(f"/{LOGSEQ_CONFIG}"):
            return name.removesuffix(LOGSEQ_CONFIG)
    has_pages = any(name.startswith("pages/") and is_page_name(name) for name in names)
    has_days = any(re.fullmatch(r"journals/\d{4}_\d\d_\d\d\.md", name) for name in names)
    return "" if has_pages and has_days else None


def is_taken(name: str, graph: LogseqGraph) -> bool:
    """Whether a file is one of the graph, and neither hidden nor a backup of Logseq."""
    if not name.startswith(graph.root):
        return False
    inner = name.removeprefix(graph.root)
    return not is_hidden(inner) and not inner.startswith(LOGSEQ_BACKUPS)


def locate_files(
    titles: Sequence[tuple[str, str]], graph: LogseqGraph, layers: Layers
) -> dict[str, LogseqFile]:
    """Where each file goes, by its name in the source; `titles` are these names with the title
    that a page gives itself."""
    files = {name: _located(name, title, graph, layers) for name, title in titles}
    wanted = ((name, file.path) for name, file in files.items())
    return {name: _with_path(files[name], path) for name, path in distinct(wanted)}


def _located(source: str, title: str, graph: LogseqGraph, layers: Layers) -> LogseqFile:
    inner = source.removeprefix(graph.root)
    if not is_page_name(inner):
        return LogseqFile(source, _path_of_file(inner, layers))
    folder, _, rest = inner.partition("/")
    if folder == graph.settings.journals and rest and (day := _day(stem_of(rest), graph)):
        name = written_day(day, graph.settings.day_title)
        path = f"{layers.daily or graph.settings.journals}/{day}.md"
        return LogseqFile(source, path, title or name, (name, day), day)
    stem = without_suffix(rest if folder == graph.settings.pages else inner)
    names = list(page_names(stem, graph.settings.slash))
    name = title or names[0]
    path = safe_path([layers.wiki or graph.settings.pages, *name.split("/")]) + ".md"
    return LogseqFile(source, path, name, () if title else tuple(names))


def _day(stem: str, graph: LogseqGraph) -> str:
    day = read_day(stem, graph.settings.day_file) or date_in(stem)
    try:
        return day if day and written_day(day, ISO_DAY) == day else ""
    except ValueError:
        return ""


def _path_of_file(inner: str, layers: Layers) -> str:
    if inner.startswith(_MEDIA):
        return safe_path(inner.split("/"))
    parts = inner.removeprefix("logseq/").split("/")
    return safe_path([*([layers.raw] if layers.raw else []), "logseq", *parts])


def _with_path(file: LogseqFile, path: str) -> LogseqFile:
    """The file at its path, with the names that this path does not say."""
    parts = fold(without_suffix(path)).split("/")
    own = {"", fold(stem_of(path)), *("/".join(parts[i:]) for i in range(len(parts)))}
    names = dict.fromkeys((file.name, *file.other_names))
    return file._replace(path=path, other_names=tuple(e for e in names if fold(e) not in own))


class PageHead(NamedTuple):
    """The properties of a page and its text without their lines; `start` is where they were."""

    text: str
    fields: tuple[NewField, ...] = ()
    lines: tuple[str, ...] = ()  # of the fields, as they stood there
    start: int = 0


def read_head(text: str) -> PageHead:
    """The properties on the first lines of a page, below a front matter if it has one."""
    source = SourceText("", text)
    block, _ = find_block(source.lines)
    first = end = block.line_end if block else 0
    found = read_properties(source.lines, end)
    end += len(found)
    bounds = source.starts[first : end + 1]
    lines = tuple(text[start:stop] for start, stop in pairwise(bounds))
    fields = tuple(NewField(each.key, property_value(each.key, each.value)) for each in found)
    return PageHead(text[: bounds[0]] + text[bounds[-1] :], fields, lines, bounds[0])


def with_anchors(text: str) -> tuple[str, Sequence[str]]:
    """The text with the anchor `^uuid` at the end of the first line of each block with `id:: uuid`,
    and these ids.

    A heading without a bullet gets one where its blocks are indented: they would be code.
    """
    if "id:: " not in text and "\n\t" not in text:
        return text, ()
    lines, ids, fence, head = list[str](), list[str](), "", -1
    given = text.split("\n")
    for i, raw in enumerate(given):
        line = raw.removesuffix("\r")
        found = None if fence else BLOCK_ID.match(line)
        if found:
            ids.append(found[2])
            head = _with_anchor(lines, head, found, "\r" * raw.endswith("\r"))
            continue
        if not fence and HEADING.match(line):
            head = len(lines)
            lines.append(f"- {raw}" if has_children(given, i) else raw)
            continue
        if not fence and BULLET.match(line):
            head = len(lines)
        fence = _fence_after(line, fence)
        lines.append(raw)
    return "\n".join(lines), ids


def _with_anchor(lines: list[str], head: int, found: re.Match[str], end: str) -> int:
    """Add an anchor to the first line of a block, else on the line where its id stood."""
    bullet = BULLET.match(lines[head].removesuffix("\r")) if head >= 0 else None
    is_own = BULLET.match(found[0])
    if is_own or bullet is None or _CLOSED.search(bullet[1] or "|") is not None:
        lines.append(f"{found[1]}^{found[2]}{end}")
        return len(lines) - 1 if is_own else head
    lines[head] = f"{lines[head].removesuffix(chr(13)).rstrip()} ^{found[2]}{end}"
    return head


def _fence_after(line: str, fence: str) -> str:
    """The fence that is open after a line."""
    if fence:
        return "" if line.strip().startswith(fence) and not line.strip().strip(fence[0]) else fence
    found = _FENCE.match(line)
    return found[1] if found and found[1][0] not in line[found.end() :] else ""


class BlockTarget(NamedTuple):
    """Where a reference leads: a page, and an anchor in it unless all of it is meant."""

    path: str  # "" for a page that is not there
    name: str  # by which it is linked
    anchor: str = ""


def with_references(page: Outline, pages: _LogseqPages) -> tuple[str, int]:
    """The text with links to blocks, and the number of references to blocks that are unknown."""
    if not any(sign in page.text for sign in ("((", "([[", "{{embed")):
        return page.text, 0
    patches, lost = list[Patch](), 0
    for start, match in _references(page):
        id_ = match["embed"] or match["block"] or match["plain"]
        name = match["page"] or match["named"]
        meant = pages.blocks.get(id_.lower()) if id_ else pages.block_of(name.strip())
        label = page.text[start + 1 : start + 1 + len(match["label"] or "")]
        is_embed = bool(match["embed"] or match["page"])
        new = _link(meant, label, page.path, is_embed=is_embed) if meant else None
        lost += new is None and bool(id_)
        if new is not None:
            patches.append(Patch(start, start + len(match[0]), new))
    return page.patched(patches).text, lost


def _references(page: Outline) -> Iterator[tuple[int, re.Match[str]]]:
    """References with their offsets in the text, code left out."""
    for match in _REFERENCE.finditer(page.masked.text):
        yield page.offset(*page.masked.place(match.start())), match


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

    files: LogseqFiles
    by_name: LogseqFiles
    blocks: Mapping[str, BlockTarget]

    def block_of(self, name: str) -> BlockTarget:
        """A page as a whole."""
        file = self.by_name.get(fold(name))
        return BlockTarget(file.path if file else "", name)


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
    files = locate_files(titles, graph, target.layers)
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
            text = relinking.relinked(outlines[name], _target_finder(file, pages, graph))
            made.append(_page(file, drafts[name].mark + text, target))
        else:
            made.append(IncomingFile(file.path, source.read(name), name))
    org = sum(name.lower().endswith(".org") for name in taken)
    notes = count_notes(
        (
            len(names) - len(taken),
            "hidden file or backup was not taken",
            "hidden files and backups were not taken",
        ),
        (sum(map(is_page_name, taken)) - len(drafts), *UNREADABLE),
        (
            lost,
            "reference ((id)) leads to no block of the graph",
            "references ((id)) lead to no block of the graph",
        ),
        (org, "page of Org mode is taken as a file", "pages of Org mode are taken as files"),
    )
    return Incoming(KIND, tuple(made), notes=notes)


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


def _by_name(drafts: Mapping[str, _LogseqPage], files: LogseqFiles) -> LogseqFiles:
    """Pages by their names; the name of a page comes before the alias of another one."""
    names = [(file.name, file) for file in files.values()]
    names += [(name, file) for file in files.values() for name in (*file.other_names, file.day)]
    names += [(name, files[source]) for source, each in drafts.items() for name in each.aliases]
    return {fold(name): file for name, file in reversed(names) if fold(name)}


def _outlined(
    drafts: Mapping[str, _LogseqPage], files: LogseqFiles
) -> tuple[Mapping[str, str], Mapping[str, BlockTarget]]:
    """The texts with their fields and anchors, and where each id of a block is then."""
    texts: dict[str, str] = {}
    blocks: dict[str, BlockTarget] = {}
    for source, draft in drafts.items():
        file = files[source]
        texts[source], ids = with_anchors(_with_head(draft, file.other_names))
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
        after, unknown = with_references(page, pages)
        outlines[source] = page if after == text else Outline(layers, path, after)
        lost += unknown
    return outlines, lost


def _link(block: BlockTarget, label: str, source: str, *, is_embed: bool) -> str | None:
    """A wikilink, or a markdown link where the name or label forbids one; none to a page that is
    not there but as a plain wikilink."""
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


def _target_finder(
    file: LogseqFile, pages: _LogseqPages, graph: LogseqGraph
) -> Callable[[Link], str]:
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
    both = unite_pages(file.path, existing, data)
    return IncomingFile(file.path, both or data, file.source, is_united=both is not None)
