"""Today's page: made when it is missing, and one item added to it."""

from __future__ import annotations

from collections.abc import Iterable

from memwiki.change.plan import Plan, edit_of
from memwiki.dates import ISO
from memwiki.errors import ConfigError
from memwiki.markdown.outline import Outline, outline_of
from memwiki.markdown.source import Patch
from memwiki.names import stem_of
from memwiki.nouns import DENDRON, Layers
from memwiki.pages.page import page_plan
from memwiki.pages.text.edit import with_text
from memwiki.pages.text.new import NewPage, NoteForm, PageRequest, page_bytes
from memwiki.pages.text.written import as_items, checked
from memwiki.records import NamedTuple
from memwiki.scope import layers_at
from memwiki.text import pattern
from memwiki.times.day_names import written_day

_EMPTY = b"-\n"  # as Logseq keeps a page without text
_DAY_OF_DENDRON = pattern(r"((?:.*/)?daily(?:\.[^./]+)*)\.(\d{4}\.\d\d\.\d\d)\.md")


class DayBegin(NamedTuple):
    """What the page of a new day begins with."""

    day: str  # ISO
    template: str = ""  # of one's own, filled in
    form: NoteForm | None = None  # what the days before have


def daily_path_of_dendron(day: str, paths: Iterable[str], folder: str) -> str:
    """Where Dendron has the note of a day: beside the latest one, else where it puts its first."""
    found = filter(None, map(_DAY_OF_DENDRON.fullmatch, paths))
    first = f"{folder}/daily.journal".lstrip("/")
    _, start = max(((each[2], each[1]) for each in found), default=("", first))
    return f"{start}.{day.replace('-', '.')}.md"


def layers_with_days(layers: Layers) -> Layers:
    """The layers of the one program within the workspace that has days, where that has none."""
    if layers.dialect.name == DENDRON:
        return layers
    own = [each for each in layers.nested if each.dialect.folder]
    kept = [each for each in own if each.daily or each.dialect.name == DENDRON]
    if len(kept) > 1:
        folders = ", ".join(f"{each.dialect.folder}/" for each in reversed(kept))
        first = next((each.daily for each in reversed(kept) if each.daily), "daily")
        raise ConfigError(
            f"today: several folders have daily pages of their own: {folders}",
            "memwiki config set layers.daily {}",
            first,
        )
    return layers_at(kept[0].dialect.folder, layers) if kept else layers


def daily_path(day: str, layers: Layers) -> str:
    """Where the page of a day is; ConfigError when the workspace has no folder for them."""
    if not layers.daily:
        raise ConfigError(
            "today: this workspace has no folder of daily pages",
            "memwiki config set layers.daily daily",
        )
    form = layers_at(layers.daily, layers).dialect
    return f"{layers.daily}/{written_day(day, form.day_file or ISO)}.md"


def daily_page(
    path: str,
    data: bytes | None,
    text: str | None,
    layers: Layers,
    max_bytes: int,
    *,
    begin: DayBegin,
) -> Plan:
    """A plan that makes sure of the page of a day, and adds an item; `data` is the page, if there
    is one."""
    before = data
    if before is None:
        before = _new(path, layers, max_bytes, begin) or _EMPTY * (text is None)
    page = outline_of(path, before, layers)
    after = page if text is None else _with_item(page, text, max_bytes)
    if data is None:
        return Plan((edit_of(path, None, after.data, "new day"),), f"created {path}", "create")
    return page_plan(page, after, "added an item")


def _new(path: str, layers: Layers, max_bytes: int, begin: DayBegin) -> bytes:
    is_dendron = layers_at(path, layers).dialect.name == DENDRON
    title = begin.day if is_dendron else stem_of(path)
    new = NewPage(path, title, "page" if is_dendron else "daily")
    template = begin.template
    asked = PageRequest(title, content=template or None, is_own=bool(template), form=begin.form)
    return page_bytes(new, asked, begin.day, layers, max_bytes)


def _with_item(page: Outline, text: str, max_bytes: int) -> Outline:
    item = as_items(checked(text))
    if page.data.strip() == _EMPTY.strip():
        page = page.edited([Patch(0, len(page.text), "")])
    return with_text(page, item, max_bytes)
