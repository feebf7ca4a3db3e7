"""The category of a memory, which follows from the file it is in."""

from __future__ import annotations

from posixpath import basename

from memwiki.markdown.describe import inner_path, is_in, is_session
from memwiki.names import fold, stem_of
from memwiki.nouns import Layers

CORE = "core"
DAILY = "daily"
CONVERSATION = "conversation"


def category_of(path: str, layers: Layers, front_type: str) -> str:
    """core, daily or conversation; another page of entries is a category of its own name."""
    path = inner_path(path, layers)
    core = (layers.memory, layers.learnings, layers.wiki)
    if fold(front_type) == "memory" or any(is_in(path, layer) for layer in core):
        return CORE
    if is_in(path, layers.daily):
        return DAILY
    if is_session(path, front_type, layers):
        return CONVERSATION
    return _own_name(path, layers)


def _own_name(path: str, layers: Layers) -> str:
    # Pages of a folder for what nobody has reviewed yet are one category, not one a day.
    if is_in(path, layers.inbox):
        return basename(layers.inbox.strip("/"))
    name = stem_of(path)
    return basename(path) if name in (CORE, DAILY, CONVERSATION) else name
