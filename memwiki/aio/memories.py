"""Facets of memories, of the graph between pages, and of programs of agents."""

from __future__ import annotations

from memwiki.aio.face import Face, reads, writes
from memwiki.workspace.agents import AgentsFacet
from memwiki.workspace.entries import EntriesFacet
from memwiki.workspace.graph import GraphFacet
from memwiki.workspace.namespaces import NamespacesFacet


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
