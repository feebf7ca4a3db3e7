"""What changes a knowledge graph: each function says which pages change, and what is new."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Generic, NamedTuple, TypeVar

from memwiki.answers.entries import Entity, Graph, Observed, Relation
from memwiki.errors import NotFoundError
from memwiki.memory.knowledge.edits import (
    WrittenPage,
    with_graph,
    with_observations,
    without_loose,
    without_observations,
    without_relations,
)
from memwiki.memory.knowledge.pages import EntityFile, EntityPages

T = TypeVar("T")


class GraphChange(NamedTuple, Generic[T]):
    """The pages as they are to be, and what of the request was new."""

    pages: tuple[WrittenPage, ...]
    new: tuple[T, ...] = ()
    gone: tuple[EntityFile, ...] = ()  # whose pages are deleted


def create_entities(
    pages: EntityPages, entities: Iterable[Entity], now: datetime
) -> GraphChange[Entity]:
    """Entities of names that are not known; of a name that comes twice the first one."""
    first: dict[str, Entity] = {}
    for entity in entities:
        first.setdefault(entity.name, entity)
    new = tuple(each for each in first.values() if pages.find(each.name) is None)
    return GraphChange(with_graph(pages, Graph(new), now), new)


def create_relations(
    pages: EntityPages, relations: Iterable[Relation], now: datetime
) -> GraphChange[Relation]:
    """Relations that are not known; neither end has to be."""
    new = tuple(each for each in dict.fromkeys(relations) if not _is_known(pages, each))
    return GraphChange(with_graph(pages, Graph((), new), now), new)


def _is_known(pages: EntityPages, relation: Relation) -> bool:
    of_source = pages.all_named(relation.source)
    return relation in pages.loose or any(relation in pages.relations_of(h) for h in of_source)


def add_observations(
    pages: EntityPages, observations: Iterable[Observed], now: datetime
) -> GraphChange[Observed]:
    """What was not observed of entities; NotFoundError where one of them is not known."""
    new: list[Observed] = []
    texts: dict[str, list[str]] = {}
    for name, given in observations:
        known = {*_required(pages, name).entity.observations, *texts.get(name, ())}
        fresh = tuple(each for each in given if each not in known)
        texts.setdefault(name, []).extend(fresh)
        new.append(Observed(name, fresh))
    return GraphChange(tuple(with_observations(pages, texts, now)), tuple(new))


def _required(pages: EntityPages, name: str) -> EntityFile:
    file = pages.find(name)
    if file is None:
        raise NotFoundError(f"Entity with name {name} not found", "create it first")
    return file


def delete_entities(
    pages: EntityPages, names: Iterable[str], linking: Iterable[str]
) -> GraphChange[Entity]:
    """No entities of these names, and no relations from or to them; `linking` are the pages that
    may say some."""
    gone = {*names}
    doomed = {file.path: file for name in gone for file in pages.all_named(name)}
    written = list[WrittenPage]()
    for file in pages.load(linking):
        if file.path not in doomed:
            unwanted = {each for each in pages.relations_of(file) if each.target in gone}
            written += without_relations(pages, file, unwanted)
    loose = [each for each in pages.loose if each.source in gone or each.target in gone]
    return GraphChange((*written, *without_loose(pages, loose)), gone=tuple(doomed.values()))


def delete_observations(pages: EntityPages, deletions: Iterable[Observed]) -> GraphChange[Observed]:
    """Without these observations, where they are known."""
    gone: dict[str, set[str]] = {}
    for name, texts in deletions:
        gone.setdefault(name, set()).update(texts)
    file = ((pages.find(name), texts) for name, texts in gone.items())
    return GraphChange(
        tuple(page for h, texts in file if h for page in without_observations(pages, h, texts))
    )


def delete_relations(pages: EntityPages, relations: Iterable[Relation]) -> GraphChange[Relation]:
    """Without these relations, where they are known."""
    by_source: dict[str, list[Relation]] = {}
    for each in dict.fromkeys(relations):
        by_source.setdefault(each.source, []).append(each)
    written = [
        page
        for source, gone in by_source.items()
        for file in pages.all_named(source)
        for page in without_relations(pages, file, gone)
    ]
    loose = [each for gone in by_source.values() for each in gone]
    return GraphChange((*written, *without_loose(pages, loose)))
