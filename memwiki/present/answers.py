"""Each answer as text for people and pipes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch

from memwiki.model import (
    CacheEntry,
    CacheList,
    Changes,
    GraphAnswer,
    Health,
    Hit,
    InitReport,
    LinkList,
    LinkRow,
    LinkStatus,
    PageList,
    PageRow,
    PageView,
    PathStatus,
    Problem,
    SearchAnswer,
    Setting,
    SettingList,
    Status,
    TagList,
)
from memwiki.present.screen import Look, clean, columns, fold, line, pad

_SHOWN_PATHS = 20
_SHOWN_DIFFERENCES = 50


@singledispatch
def as_text(answer: object, look: Look) -> str:
    """Give an answer as lines of text without the final newline, "" when there is nothing."""
    raise TypeError(f"{type(answer).__name__} has no text for {look}")


# --- finding -------------------------------------------------------------------------------------


@as_text.register(SearchAnswer)
def _(answer: SearchAnswer, look: Look) -> str:
    return "\n".join(_hit(hit, look) for hit in answer.hits)


def _hit(hit: Hit, look: Look) -> str:
    lines = [f"{look.faint(f'{line(hit.path)}:{hit.line_start}')}  {look.strong(_heading(hit))}"]
    lines += _indented(line(hit.excerpt), look)
    if hit.reasons:
        lines += _indented(f"{hit.score:.3f}: {line('; '.join(hit.reasons))}", look)
    return "\n".join(lines)


def _heading(hit: Hit) -> str:
    """Title and section; most pages repeat their title as the first heading."""
    title, section = line(hit.title), line(hit.section)
    if section == title or section.startswith(f"{title} > "):
        return section
    return " > ".join(filter(None, (title, section)))


def _indented(text: str, look: Look) -> list[str]:
    parts = [text] if look.width is None else fold(text, max(look.width - 4, 20))
    return [f"    {part}" for part in parts if part]


@as_text.register(PageView)
def _(answer: PageView, _look: Look) -> str:
    return clean(answer.text).removesuffix("\n")


@as_text.register(PageList)
def _(answer: PageList, look: Look) -> str:
    return _table((_page_cells(row) for row in answer.pages), look)


def _page_cells(row: PageRow) -> tuple[str, ...]:
    return row.path, row.title, row.type, " ".join(f"#{tag}" for tag in row.tags)


@as_text.register(LinkList)
def _(answer: LinkList, look: Look) -> str:
    return "\n".join(_link(row, look) for row in answer.links)


def _link(row: LinkRow, look: Look) -> str:
    target = line(row.target) or line(row.written)
    relation = f"{line(row.relation)} " if row.relation else ""
    found = "" if row.status is LinkStatus.RESOLVED else f"  ({row.status})"
    place = look.faint(f"{line(row.source)}:{row.line}")
    return f"{place}  → {relation}{look.strong(target)}{found}"


@as_text.register(TagList)
def _(answer: TagList, look: Look) -> str:
    return _table(((str(each.count), f"#{each.tag}") for each in answer.tags), look)


@as_text.register(GraphAnswer)
def _(answer: GraphAnswer, look: Look) -> str:
    from memwiki.present.tree import graph_text

    return graph_text(answer, look)


# --- keeping in step -----------------------------------------------------------------------------


@as_text.register(InitReport)
def _(answer: InitReport, _look: Look) -> str:
    verb = "adopted" if answer.adopted else "created"
    lines = [f"  {line(path)}" for path in answer.created]
    return "\n".join([f"{verb} {line(answer.workspace)}", *lines])


@as_text.register(Changes)
def _(answer: Changes, look: Look) -> str:
    groups = (("+", answer.added), ("~", answer.modified), ("-", answer.removed))
    lines = [each for sign, paths in groups for each in _paths(sign, paths, look)]
    lines += [f"! {line(path)}  (could not be read)" for path in answer.failed]
    counts = (
        f"{len(answer.added)} added, {len(answer.modified)} modified, "
        f"{len(answer.removed)} removed, {answer.unchanged} unchanged"
    )
    others = (("ignored", answer.ignored), ("problems", answer.problems))
    extra = "".join(f", {number} {name}" for name, number in others if number)
    return "\n".join([*lines, f"{counts}{extra} ({answer.seconds:.2f} s)"])


def _paths(sign: str, paths: Sequence[str], look: Look) -> Iterable[str]:
    for path in paths[:_SHOWN_PATHS]:
        yield f"{sign} {line(path)}"
    if len(paths) > _SHOWN_PATHS:
        yield look.faint(f"{sign} … and {len(paths) - _SHOWN_PATHS} more")


@as_text.register(Status)
def _(answer: Status, look: Look) -> str:
    index = answer.index
    state = "in step" if answer.fresh else f"{answer.pending} changes pending"
    rows = (
        ("workspace", answer.workspace),
        ("state", f"{state}: {answer.reason}" if answer.reason else state),
        ("pages", f"{answer.pages} indexed, {answer.on_disk} on disk, {answer.ignored} ignored"),
        ("content", f"{answer.sections} sections, {answer.entries} entries, {answer.tags} tags"),
        ("links", str(answer.links)),
        ("problems", str(answer.problems)),
        ("index", f"{index.backend}, generation {index.generation}, {_size(index.bytes)}"),
        ("place", index.place),
    )
    return _table(rows, look)


@as_text.register(PathStatus)
def _(answer: PathStatus, look: Look) -> str:
    found = "found" if answer.found else "not found"
    head = f"{look.strong(line(answer.path))}: {found}"
    lines = [f"{head}, {line(answer.reason)}" if answer.reason else head]
    return "\n".join(lines + [_problem(each) for each in answer.problems])


def _problem(problem: Problem) -> str:
    place = f"{line(problem.path)}:{problem.line}"
    return f"{place}: {problem.severity}: {line(problem.message)} ({problem.code})"


@as_text.register(Health)
def _(answer: Health, _look: Look) -> str:
    lines = ["healthy" if answer.healthy else "not healthy"]
    lines += [f"  {line(note)}" for note in answer.notes]
    if answer.equal is not None:
        equal = "equal to" if answer.equal else "different from"
        lines.append(f"the index is {equal} a rebuild")
    shown = answer.differences[:_SHOWN_DIFFERENCES]
    lines += [f"  {each.store}: {line(each.path)}: {line(each.what)}" for each in shown]
    if len(answer.differences) > len(shown):
        lines.append(f"  … and {len(answer.differences) - len(shown)} more")
    return "\n".join(lines)


# --- settings and caches -------------------------------------------------------------------------


@as_text.register(SettingList)
def _(answer: SettingList, look: Look) -> str:
    rows = ((each.key, each.value or '""', each.origin, each.help) for each in answer.settings)
    return _table(rows, look)


@as_text.register(Setting)
def _(answer: Setting, _look: Look) -> str:
    return f"{line(answer.key)} = {line(answer.value)}"


@as_text.register(CacheList)
def _(answer: CacheList, look: Look) -> str:
    if answer.removed:
        return "\n".join(f"removed {line(place)}" for place in answer.removed)
    return _table((_cache_cells(each) for each in answer.caches), look)


def _cache_cells(cache: CacheEntry) -> tuple[str, ...]:
    workspace = f"{cache.workspace} (gone)" if cache.is_orphan else cache.workspace
    return _size(cache.bytes), workspace, cache.place


# --- tables --------------------------------------------------------------------------------------


def _table(rows: Iterable[Sequence[str]], look: Look) -> str:
    """Columns aligned for a screen, separated by tabs for a pipe; the last one takes what is left."""
    cleaned = [[line(cell) for cell in row] for row in rows]
    if look.width is None:
        return "\n".join("\t".join(row).rstrip("\t") for row in cleaned)
    if not cleaned:
        return ""
    widest = [max(columns(cell) for cell in column) for column in zip(*cleaned, strict=True)]
    limit = max(look.width // 2, 20)
    widths = [min(width, limit) for width in widest]
    widths[-1] = max(look.width - sum(widths[:-1]) - 2 * len(widths) + 2, 20)
    lines = ("  ".join(map(pad, row, widths)).rstrip() for row in cleaned)
    return "\n".join(lines)


def _size(count: int) -> str:
    if count < 1_000_000:
        return f"{count / 1000:.0f} kB"
    return f"{count / 1_000_000:.1f} MB"
