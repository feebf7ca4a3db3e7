"""The files of a Logseq graph: where each goes; properties, ids of blocks, references to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from memwiki.adapter_api import (
    BLOCK_ID,
    BULLET,
    HEADING,
    ISO_DAY,
    LOGSEQ_BACKUPS,
    LOGSEQ_CONFIG,
    UUID,
    GraphSettings,
    Layers,
    Outline,
    Patch,
    SourceText,
    date_in,
    find_block,
    fold,
    has_children,
    is_page_name,
    page_names,
    property_value,
    read_day,
    read_properties,
    stem_of,
    without_suffix,
    written_day,
)
from memwiki.adapters.importers.new_pages import NewField, distinct, is_hidden, safe_path

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


def located(
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


class Outlined(NamedTuple):
    """The text of a page whose blocks are list items with anchors, and their ids."""

    text: str
    ids: tuple[str, ...] = ()


def outlined(text: str) -> Outlined:
    """Give each block with `id:: uuid` the anchor `^uuid` at the end of its first line.

    A heading without a bullet gets one where its blocks are indented: they would be code.
    """
    if "id:: " not in text and "\n\t" not in text:
        return Outlined(text)
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
    return Outlined("\n".join(lines), tuple(ids))


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


Link = Callable[[BlockTarget, str, bool], "str | None"]


def with_references(
    page: Outline,
    blocks: Mapping[str, BlockTarget],
    pages: Callable[[str], BlockTarget],
    link: Link,
) -> tuple[str, int]:
    """The text with links to blocks, and the number of references to blocks that are unknown.

    `link` writes one: the block, a label or "", and whether it is embedded.
    """
    if not any(sign in page.text for sign in ("((", "([[", "{{embed")):
        return page.text, 0
    patches, lost = list[Patch](), 0
    for start, match in _references(page):
        id_ = match["embed"] or match["block"] or match["plain"]
        meant = blocks.get(id_.lower()) if id_ else pages(match["page"] or match["named"])
        label = page.text[start + 1 : start + 1 + len(match["label"] or "")]
        is_embed = bool(match["embed"] or match["page"])
        new = link(meant, label, is_embed) if meant else None
        lost += new is None and bool(id_)
        if new is not None:
            patches.append(Patch(start, start + len(match[0]), new))
    return page.patched(patches).text, lost


def _references(page: Outline) -> Iterator[tuple[int, re.Match[str]]]:
    """References with their offsets in the text, code left out."""
    text, starts = page.masked
    line = 0
    for match in _REFERENCE.finditer(text):
        while line + 1 < len(starts) and starts[line + 1] <= match.start():
            line += 1
        yield page.offset(line, match.start() - starts[line]), match
