"""Entities, as text."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.answers.entities import EntityCandidates, EntityList, EntityPair, EntityView
from memwiki.present.rows import Line, Row, rows_of
from memwiki.present.screen import Look
from memwiki.present.text import table, text_of


@text_of.register(EntityList)
def _(answer: EntityList, look: Look) -> str:
    return table(map(_cells, answer.entities), look, whole=[1], paths=[2])


def _cells(entity: EntityView) -> tuple[str, ...]:
    tags = " ".join(f"#{tag}" for tag in entity.tags)
    return str(entity.entries), entity.name, entity.path, tags


@text_of.register(EntityCandidates)
def _(answer: EntityCandidates, look: Look) -> str:
    return table(map(_pair_cells, answer.pairs), look, whole=[2, 3])


def _pair_cells(pair: EntityPair) -> tuple[str, ...]:
    return f"{pair.similarity:.2f}", pair.verdict, pair.entity.name, pair.other.name


@rows_of.register(EntityList)
def _(answer: EntityList) -> Iterator[Row]:
    for each in answer.entities:
        yield Line((each.name, each.path, each.type, f"{each.entries} entries"))


@rows_of.register(EntityCandidates)
def _(answer: EntityCandidates) -> Iterator[Row]:
    for each in answer.pairs:
        similarity = f"{each.similarity:.2f}"
        yield Line((each.entity.name, each.other.name, similarity, each.verdict))
