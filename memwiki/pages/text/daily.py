"""Today's page: made when it is missing, and one item added to it."""

from __future__ import annotations

from memwiki.change.plan import Edit, Plan
from memwiki.errors import ConfigError
from memwiki.markdown.dialects.called import called
from memwiki.markdown.outline import Outline, outline_of
from memwiki.markdown.source import Patch
from memwiki.model import Layers
from memwiki.names import stem_of
from memwiki.pages.fields import page_plan
from memwiki.pages.text.append import with_text
from memwiki.pages.text.new import NewPage, PageRequest, page_bytes
from memwiki.pages.text.written import as_items, checked
from memwiki.times.day_names import ISO, written_day

_EMPTY = b"-\n"  # as Logseq keeps a page without text


def daily_path(day: str, layers: Layers) -> str:
    """Where the page of a day is; ConfigError when the workspace has no folder for them."""
    if not layers.daily:
        raise ConfigError(
            "today: this workspace has no folder of daily pages",
            hint="memwiki config set layers.daily daily",
        )
    return f"{layers.daily}/{written_day(day, layers.dialect.day_file or ISO)}.md"


def daily_page(
    path: str,
    data: bytes | None,
    text: str | None,
    layers: Layers,
    max_bytes: int,
    *,
    template: str = "",
) -> Plan:
    """A plan that makes sure of the page of a day, and adds an item; `data` is the page, if there
    is one, `template` what a new one begins with."""
    held = data
    if held is None:
        held = _new(path, layers, max_bytes, template) or _EMPTY * (text is None)
    page = outline_of(path, held, layers)
    after = page if text is None else _with_item(page, text, max_bytes)
    if data is None:
        return Plan((Edit(path, "", after.data, "new day"),), f"created {path}", "create")
    return page_plan(page, after, "added an item")


def _new(path: str, layers: Layers, max_bytes: int, template: str) -> bytes:
    title = stem_of(path)
    day = called(path, layers).day or title
    new = NewPage(path, title, "daily")
    asked = PageRequest(title, content=template or None, is_own=bool(template))
    return page_bytes(new, asked, day, layers, max_bytes)


def _with_item(page: Outline, text: str, max_bytes: int) -> Outline:
    item = as_items(checked(text))
    if page.data.strip() == _EMPTY.strip():
        page = page.edited([Patch(0, len(page.text), "")])
    return with_text(page, item, max_bytes)
