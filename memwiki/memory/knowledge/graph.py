"""Where the pages of a knowledge graph are, and what several say of one entity."""

from __future__ import annotations

from collections.abc import Iterable

from memwiki.answers.knowledge import Entity
from memwiki.model import Layers

_FOLDER, _LOOSE = "entities", "loose-relations"


def folder_of(layers: Layers) -> str:
    """The folder of the pages of entities."""
    return f"{layers.wiki}/{_FOLDER}" if layers.wiki else _FOLDER


def loose_path(layers: Layers) -> str:
    """The page of the relations whose source has no page."""
    return f"{folder_of(layers)}/{_LOOSE}.md"


def united(entities: Iterable[Entity]) -> dict[str, Entity]:
    """Each name once: the first type counts, and a later one adds what is not observed yet."""
    found: dict[str, Entity] = {}
    known: dict[str, set[str]] = {}
    for entity in entities:
        first = found.get(entity.name)
        seen = known.setdefault(entity.name, set())
        if first is None:
            found[entity.name] = entity
        else:
            new = tuple(each for each in entity.observations if each not in seen)
            found[entity.name] = first._replace(observations=(*first.observations, *new))
        seen.update(entity.observations)
    return found
