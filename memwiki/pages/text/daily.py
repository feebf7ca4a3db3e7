"""Today's page: made when it is missing, and one item added to it."""

from __future__ import annotations

from memwiki.change.plan import Edit, Plan
from memwiki.errors import ConfigError
from memwiki.markdown.outline import outline_of
from memwiki.model import Layers
from memwiki.names import stem_of
from memwiki.pages.fields import page_plan
from memwiki.pages.text.append import with_text
from memwiki.pages.text.new import NewPage, PageRequest, page_bytes
from memwiki.pages.text.written import as_items, checked


def daily_path(day: str, layers: Layers) -> str:
    """Where the page of a day is; ConfigError when the workspace has no folder for them."""
    if not layers.daily:
        raise ConfigError(
            "today: this workspace has no folder of daily pages",
            hint="memwiki config set layers.daily daily",
        )
    return f"{layers.daily}/{day}.md"


def daily_page(
    path: str, data: bytes | None, text: str | None, layers: Layers, max_bytes: int
) -> Plan:
    """A plan that makes sure of the page of a day, and adds an item; `data` is the page, if there
    is one."""
    day = stem_of(path)
    held = data
    if held is None:
        held = page_bytes(NewPage(path, day, "daily"), PageRequest(day), day, layers, max_bytes)
    page = outline_of(path, held, layers)
    after = page if text is None else with_text(page, as_items(checked(text)), max_bytes)
    if data is None:
        return Plan((Edit(path, "", after.data, "new day"),), f"created {path}", "create")
    return page_plan(page, after, "added an item")
