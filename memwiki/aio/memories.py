"""Facets that look at memories, at the graph, and at everything: checks, upkeep, agents."""

from __future__ import annotations

from memwiki.aio.face import Face, reads, writes
from memwiki.workspace.agents import AgentsFacet
from memwiki.workspace.check import CheckFacet
from memwiki.workspace.entries import EntriesFacet
from memwiki.workspace.folder import NamespacesFacet
from memwiki.workspace.graph import GraphFacet
from memwiki.workspace.knowledge import KnowledgeFacet
from memwiki.workspace.share import ShareFacet
from memwiki.workspace.upkeep import UpkeepFacet


class AsyncEntriesFacet(Face[EntriesFacet]):
    __doc__ = EntriesFacet.__doc__

    add = writes(EntriesFacet.add)
    add_all = writes(EntriesFacet.add_all)
    near_type = reads(EntriesFacet.near_type)
    remember = writes(EntriesFacet.remember)
    record_skill = writes(EntriesFacet.record_skill)
    get = reads(EntriesFacet.get)
    list = reads(EntriesFacet.list)
    core = reads(EntriesFacet.core)
    similar = reads(EntriesFacet.similar)
    conflicts = reads(EntriesFacet.conflicts)
    history = reads(EntriesFacet.history)
    find_tags = reads(EntriesFacet.find_tags)
    entity_count_by_tag = reads(EntriesFacet.entity_count_by_tag)
    suggest_tags = reads(EntriesFacet.suggest_tags)
    entities = reads(EntriesFacet.entities)
    entity_candidates = reads(EntriesFacet.entity_candidates)
    usage = reads(EntriesFacet.usage)
    trails = reads(EntriesFacet.trails)
    record = writes(EntriesFacet.record)
    update = writes(EntriesFacet.update)
    set_tags = writes(EntriesFacet.set_tags)
    supersede = writes(EntriesFacet.supersede)
    delete = writes(EntriesFacet.delete)
    move = writes(EntriesFacet.move)
    relate = writes(EntriesFacet.relate)
    relate_by_description = writes(EntriesFacet.relate_by_description)
    unrelate = writes(EntriesFacet.unrelate)
    merge_entities = writes(EntriesFacet.merge_entities)


class AsyncNamespacesFacet(Face[NamespacesFacet]):
    __doc__ = NamespacesFacet.__doc__

    list = reads(NamespacesFacet.list)
    require_own = reads(NamespacesFacet.require_own)
    purge = writes(NamespacesFacet.purge)


class AsyncGraphFacet(Face[GraphFacet]):
    __doc__ = GraphFacet.__doc__

    links = reads(GraphFacet.links)
    backlinks = reads(GraphFacet.backlinks)
    unlinked = reads(GraphFacet.unlinked)
    like = writes(GraphFacet.like)
    unresolved = reads(GraphFacet.unresolved)
    tags = reads(GraphFacet.tags)
    around = reads(GraphFacet.around)
    path = reads(GraphFacet.path)
    ranked = reads(GraphFacet.ranked)
    map = reads(GraphFacet.map)


class AsyncAgentsFacet(Face[AgentsFacet]):
    __doc__ = AgentsFacet.__doc__

    install = writes(AgentsFacet.install)
    uninstall = writes(AgentsFacet.uninstall)
    status = reads(AgentsFacet.status)
    conversation = reads(AgentsFacet.conversation)
    note_silence = writes(AgentsFacet.note_silence)
    leave_turn = writes(AgentsFacet.leave_turn)
    left_turns = writes(AgentsFacet.left_turns)
    forget_turn = writes(AgentsFacet.forget_turn)
    plugin = writes(AgentsFacet.plugin)


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
