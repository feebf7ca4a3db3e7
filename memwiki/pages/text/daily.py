"""Today's page: made when it is missing, and one item added to it."""

from __future__ import annotations

from memwiki.change.plan import Edit, Plan
from memwiki.errors import ConfigError
from memwiki.markdown.edit.source import read_source
from memwiki.markdown.outline import outline
from memwiki.model import Layers
from memwiki.names import stem_of
from memwiki.pages.fields import page_plan
from memwiki.pages.text.append import with_text
from memwiki.pages.text.new import Asked, Target, page_bytes
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
    """A plan that makes sure of the page of a day, and adds an item; `data` is the page, if there is one."""
    day = stem_of(path)
    held = data
    if held is None:
        held = page_bytes(Target(path, day, "daily"), Asked(day), day, layers, max_bytes)
    new = held if text is None else _with_item(path, held, text, layers, max_bytes)
    if data is None:
        return Plan((Edit(path, "", new, "new day"),), f"created {path}", "create")
    return page_plan(path, data, new, "added an item")


def _with_item(path: str, data: bytes, text: str, layers: Layers, max_bytes: int) -> bytes:
    page = outline(path, read_source(path, data).lines, layers)
    return with_text(page, data, as_items(checked(text)), layers, max_bytes)
