"""What retired goes back where it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memwiki.answers.upkeep import UpkeepStep
from memwiki.errors import (
    AlreadyExistsError,
    ConfigError,
    LineNotEditableError,
    NotFoundError,
    UnsafePathError,
    shell_word,
)
from memwiki.files.paths import contain, real_path
from memwiki.files.read import exists
from memwiki.markdown.describe import inner_path, is_in, is_kept
from memwiki.markdown.edit.sections import appended
from memwiki.markdown.entry_marks import indent_of
from memwiki.markdown.outline import Outline
from memwiki.markdown.page_entries import entries_of, is_item
from memwiki.memory.addresses import PageOutlines, current_entry
from memwiki.memory.patches import remove_entry
from memwiki.memory.placement import EntryPage, Spot, own_lines
from memwiki.memory.view import LocatedEntry
from memwiki.names import is_page_name
from memwiki.nouns import Entry, Section
from memwiki.pages.text.new import PageRequest, aim
from memwiki.pages.text.written import changed
from memwiki.sync.context import Context
from memwiki.upkeep.archive import place_of_session
from memwiki.upkeep.origin import FIELD, Origin, unmarked
from memwiki.upkeep.page_edits import PageEdits
from memwiki.upkeep.put_away import follow_links, statements
from memwiki.upkeep.work import Done


def origin_in(known: LocatedEntry, pages: PageOutlines, context: Context) -> Origin:
    """Where a retired entry goes back to: a page of the workspace, which may be gone."""
    page = pages[known.path]
    origin = unmarked(page, known.entry).origin if FIELD in known.entry.fields else None
    if origin is None:
        raise NotFoundError(
            f"{known.path}:{known.entry.line_start}: does not say where it was",
            hint=f"memwiki entry move {shell_word(known.entry.id or known.path)} PAGE",
            path=known.path,
        )
    return origin._replace(path=_page_path(origin.path, context))


def _page_path(path: str, context: Context) -> str:
    """A path that a file says, as one of this workspace."""
    path = real_path(context.root, contain(context.root, path))
    if is_kept(path, context.layers) or not is_page_name(path):
        raise UnsafePathError(
            f"{path}: entries go back to pages only, not to sources or the archive",
            hint="memwiki entry move ID PAGE",
            path=path,
        )
    if exists(context.root, path):
        return path
    return aim(PageRequest(path), context.layers, "", lambda _: ()).path


def restored(
    known: LocatedEntry, origin: Origin, links: Mapping[str, Sequence[str]], pages: PageEdits
) -> Done:
    """Take an entry out of the archive and write it below the headings that were above it."""
    page = pages.page(known.path)
    entry = current_entry(page, known.entry)
    text = unmarked(page, entry).text
    there = _there(origin, pages)
    spot = _spot(there, origin.trail)
    tries = (_placed(there, spot, each, pages.max_bytes) for each in (text, dedented(text)))
    after = next((each for each in tries if _is_whole(there, each, spot, entry)), None)
    if after is None:
        what = "the entry cannot be restored: it would be read otherwise there"
        raise LineNotEditableError(page.path, entry.line_start, what)
    pages.put(remove_entry(page, entry), "restored")
    pages.put(after, "restored")
    words = " ".join(entry.text.split())[:60]
    step = UpkeepStep(
        "restored", page.path, entry.line_start, entry.id, words, after.path, "asked for"
    )
    return Done((step,), follow_links([step], links, pages))


def _there(origin: Origin, pages: PageEdits) -> Outline:
    """The page where an entry was; it holds entries again when that was its last one."""
    if pages.data(origin.path) is not None:
        return pages.page(origin.path)
    layers = pages.layers
    inner = inner_path(origin.path, layers)
    by_day = is_in(inner, layers.daily) or is_in(inner, layers.inbox)
    return pages.page_for(EntryPage(origin.path, is_by_day=by_day))


def _spot(page: Outline, trail: tuple[str, ...]) -> Spot:
    """Below the headings that were above an entry, else below a new one of that name."""
    if not trail:
        first = page.sections[0].line_start - 1 if page.sections else len(page.lines)
        return Spot(Section("", 0, (), page.start + 1, first), "", "")
    sections = [each for each in page.sections if each.title == trail[-1]]
    sections.sort(key=lambda each: (each.trail != trail, each in page.entry_reading.whole))
    return Spot(own_lines(page, sections[0]), "", "") if sections else Spot(None, trail[-1], "")


def _placed(page: Outline, spot: Spot, text: str, max_bytes: int) -> Outline:
    """The page with lines at a spot. Prose there that became an entry when its last item left is
    none again."""
    text = f"## {spot.title}\n\n{text}" if spot.title else text
    return changed(page, appended(page, text, spot.section), max_bytes)


def dedented(text: str) -> str:
    """Lines without the indentation of the first: below another item they would be nested."""
    blanks = len(text) - len(text.lstrip(" \t"))
    first, *rest = text.split("\n")
    return "\n".join([first[blanks:], *(line[min(blanks, indent_of(line)) :] for line in rest)])


def _is_whole(before: Outline, after: Outline, spot: Spot, entry: Entry) -> bool:
    """Whether a page says what it said, and the entry."""
    first = spot.section.line_start if spot.section and spot.section.title else 0
    others = (
        each
        for each in entries_of(before).entries
        if each.line_start != first or is_item(before, each)
    )
    return statements([*others, entry]) == statements(entries_of(after).entries)


def restored_file(path: str, pages: PageEdits) -> Done:
    """A conversation goes back to the path where it was; AlreadyExistsError when that is taken."""
    if not pages.layers.sessions:
        raise ConfigError(
            "upkeep archive restore: this workspace has no folder for conversations",
            hint="memwiki config set layers.sessions sessions",
        )
    to = place_of_session(path, pages.layers)
    data = pages.data(path)
    if data is None:
        raise NotFoundError(f"{path}: no such file", hint="memwiki upkeep archive list", path=path)
    if pages.data(to) is not None:
        raise AlreadyExistsError(
            f"{to}: already exists",
            hint=f"memwiki move {shell_word(to)} to another path first",
            path=to,
        )
    pages.write(path, None, "restored")
    pages.write(to, data, "restored")
    return Done((UpkeepStep("restored", path, 0, "", path.rpartition("/")[2], to, "asked for"),))
