"""Facets that look at everything: checks, upkeep, the graph of knowledge and the shared index."""

from __future__ import annotations

from memwiki.aio.face import Face, reads, writes
from memwiki.workspace.check import CheckFacet
from memwiki.workspace.knowledge import KnowledgeFacet
from memwiki.workspace.share import ShareFacet
from memwiki.workspace.upkeep import UpkeepFacet


class AsyncCheckFacet(Face[CheckFacet]):
    __doc__ = CheckFacet.__doc__

    run = reads(CheckFacet.run, is_long=True, has_progress=True)
    fix = writes(CheckFacet.fix)
    accept = writes(CheckFacet.accept)


class AsyncUpkeepFacet(Face[UpkeepFacet]):
    __doc__ = UpkeepFacet.__doc__

    run = writes(UpkeepFacet.run)
    propose = writes(UpkeepFacet.propose)
    consolidate = writes(UpkeepFacet.consolidate)
    compressible = reads(UpkeepFacet.compressible)
    snapshot = writes(UpkeepFacet.snapshot)
    retain = writes(UpkeepFacet.retain)
    overflow = writes(UpkeepFacet.overflow)
    archived = reads(UpkeepFacet.archived)
    restore = writes(UpkeepFacet.restore)
    purge = writes(UpkeepFacet.purge)
    state = reads(UpkeepFacet.state)
    seconds_until_run = reads(UpkeepFacet.seconds_until_run)
    retain_if_due = writes(UpkeepFacet.retain_if_due)


class AsyncKnowledgeFacet(Face[KnowledgeFacet]):
    __doc__ = KnowledgeFacet.__doc__

    read_graph = reads(KnowledgeFacet.read_graph)
    search_nodes = reads(KnowledgeFacet.search_nodes)
    open_nodes = reads(KnowledgeFacet.open_nodes)
    create_entities = writes(KnowledgeFacet.create_entities)
    create_relations = writes(KnowledgeFacet.create_relations)
    add_observations = writes(KnowledgeFacet.add_observations)
    delete_entities = writes(KnowledgeFacet.delete_entities)
    delete_observations = writes(KnowledgeFacet.delete_observations)
    delete_relations = writes(KnowledgeFacet.delete_relations)


class AsyncShareFacet(Face[ShareFacet]):
    __doc__ = ShareFacet.__doc__

    feed = reads(ShareFacet.feed, is_long=True, has_progress=True)
    status = reads(ShareFacet.status)
    drop = writes(ShareFacet.drop)
