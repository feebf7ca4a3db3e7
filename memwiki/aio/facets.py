"""Facets that load little before they are asked."""

from __future__ import annotations

from memwiki.aio.face import Face, reads, writes
from memwiki.browse.graph import GraphFacet
from memwiki.commit.catalogs import CatalogFacet
from memwiki.commit.knowledge import KnowledgeFacet
from memwiki.history.journal import JournalFacet
from memwiki.setup.agents import AgentsFacet
from memwiki.workspace.carry import CarryFacet
from memwiki.workspace.check import CheckFacet
from memwiki.workspace.curation import CurationFacet
from memwiki.workspace.entries import EntriesFacet
from memwiki.workspace.folder import FolderFacet, NamespacesFacet
from memwiki.workspace.index import IndexFacet
from memwiki.workspace.models import ModelsFacet
from memwiki.workspace.pages import PagesFacet
from memwiki.workspace.proposals import ProposalsFacet
from memwiki.workspace.sessions import SessionFacet, SessionsFacet
from memwiki.workspace.settings import SettingsFacet
from memwiki.workspace.share import ShareFacet
from memwiki.workspace.upkeep import UpkeepFacet


class AsyncPagesFacet(Face[PagesFacet]):
    get = reads(PagesFacet.get)
    outline = reads(PagesFacet.outline)
    drawing = reads(PagesFacet.drawing)
    list = reads(PagesFacet.list)
    bytes = reads(PagesFacet.bytes)
    complete = reads(PagesFacet.complete)
    history = reads(PagesFacet.history)
    show = reads(PagesFacet.show)
    bytes_at = reads(PagesFacet.bytes_at)
    digests = reads(PagesFacet.digests)
    set = writes(PagesFacet.set)
    new = writes(PagesFacet.new)
    today = writes(PagesFacet.today)
    today_path = reads(PagesFacet.today_path)
    append = writes(PagesFacet.append)
    replace = writes(PagesFacet.replace)
    edit = writes(PagesFacet.edit)
    hides = reads(PagesFacet.hides)
    own_path = reads(PagesFacet.own_path)
    tag_add = writes(PagesFacet.tag_add)
    tag_remove = writes(PagesFacet.tag_remove)
    tag_rename = writes(PagesFacet.tag_rename)
    tag_merge = writes(PagesFacet.tag_merge)
    link = writes(PagesFacet.link)
    unlink = writes(PagesFacet.unlink)
    move = writes(PagesFacet.move)
    delete = writes(PagesFacet.delete)


class AsyncFolderFacet(Face[FolderFacet]):
    list = reads(FolderFacet.list)
    kind = reads(FolderFacet.kind)
    path_here = reads(FolderFacet.path_here)
    read = reads(FolderFacet.read)
    merged = reads(FolderFacet.merged)
    why_read_only = reads(FolderFacet.why_read_only)
    create = writes(FolderFacet.create)
    write = writes(FolderFacet.write)
    insert = writes(FolderFacet.insert)
    delete = writes(FolderFacet.delete)
    rename = writes(FolderFacet.rename)


class AsyncCarryFacet(Face[CarryFacet]):
    export = reads(CarryFacet.export, is_long=True, has_progress=True)
    import_ = writes(CarryFacet.import_)
    import_once = writes(CarryFacet.import_once)


class AsyncCatalogFacet(Face[CatalogFacet]):
    update = writes(CatalogFacet.update)
    check = reads(CatalogFacet.check)


class AsyncSessionFacet(Face[SessionFacet]):
    add_message = writes(SessionFacet.add_message)
    record = writes(SessionFacet.record)
    get = reads(SessionFacet.get)
    history = reads(SessionFacet.history)
    window = reads(SessionFacet.window)
    end = writes(SessionFacet.end)
    compact = writes(SessionFacet.compact)
    purge = writes(SessionFacet.purge)


class AsyncSessionsFacet(Face[SessionsFacet]):
    start = writes(SessionsFacet.start)
    get = reads(SessionsFacet.get)
    list = reads(SessionsFacet.list)
    import_ = writes(SessionsFacet.import_)


class AsyncCurationFacet(Face[CurationFacet]):
    extract = writes(CurationFacet.extract)
    extract_preview = writes(CurationFacet.extract_preview)
    extract_brief = writes(CurationFacet.extract_brief)
    store_if_worthwhile = writes(CurationFacet.store_if_worthwhile)
    session_ended = writes(CurationFacet.session_ended)
    retry = writes(CurationFacet.retry)
    extract_waiting = writes(CurationFacet.extract_waiting)
    bench = reads(CurationFacet.bench, is_long=True, has_progress=True)
    bench_preview = writes(CurationFacet.bench_preview)
    keep = writes(CurationFacet.keep)
    ingest = writes(CurationFacet.ingest)
    ingest_brief = writes(CurationFacet.ingest_brief)
    ingest_preview = writes(CurationFacet.ingest_preview)
    summarise = writes(CurationFacet.summarise)
    summarise_brief = writes(CurationFacet.summarise_brief)
    summarise_preview = writes(CurationFacet.summarise_preview)
    instruct = writes(CurationFacet.instruct)
    instruct_brief = writes(CurationFacet.instruct_brief)
    instruct_preview = writes(CurationFacet.instruct_preview)
    near = writes(CurationFacet.near)
    near_brief = writes(CurationFacet.near_brief)
    near_preview = writes(CurationFacet.near_preview)
    plan_preview = writes(CurationFacet.plan_preview)
    ask_preview = writes(CurationFacet.ask_preview)
    ask_brief = writes(CurationFacet.ask_brief)
    ask_reply = writes(CurationFacet.ask_reply)
    curate = writes(CurationFacet.curate)
    curate_brief = writes(CurationFacet.curate_brief)
    curate_preview = writes(CurationFacet.curate_preview)
    seconds_until_run = reads(CurationFacet.seconds_until_run)
    begin_run = writes(CurationFacet.begin_run)
    curate_due = writes(CurationFacet.curate_due)
    reply = writes(CurationFacet.reply)
    verify = writes(CurationFacet.verify)
    verify_brief = writes(CurationFacet.verify_brief)
    verify_preview = writes(CurationFacet.verify_preview)


class AsyncProposalsFacet(Face[ProposalsFacet]):
    list = writes(ProposalsFacet.list)
    get = writes(ProposalsFacet.get)
    decide = writes(ProposalsFacet.decide)
    reopen = writes(ProposalsFacet.reopen)
    edit = writes(ProposalsFacet.edit)
    propose = writes(ProposalsFacet.propose)
    lines = writes(ProposalsFacet.lines)


class AsyncModelsFacet(Face[ModelsFacet]):
    show = reads(ModelsFacet.show)
    check = reads(ModelsFacet.check, is_long=True)
    allow = writes(ModelsFacet.allow)
    embed = writes(ModelsFacet.embed)
    spent = reads(ModelsFacet.spent)
    forget = writes(ModelsFacet.forget)
    run = reads(ModelsFacet.run)


class AsyncJournalFacet(Face[JournalFacet]):
    list = reads(JournalFacet.list)
    add = writes(JournalFacet.add)


class AsyncSettingsFacet(Face[SettingsFacet]):
    list = reads(SettingsFacet.list)
    set = writes(SettingsFacet.set)


class AsyncIndexFacet(Face[IndexFacet]):
    is_built = reads(IndexFacet.is_built)
    sweep_for = reads(IndexFacet.sweep_for)
    ask_watcher = writes(IndexFacet.ask_watcher)
    is_awaiting = reads(IndexFacet.is_awaiting)
    end_awaiting = writes(IndexFacet.end_awaiting)
    own_folder = writes(IndexFacet.own_folder)
    watch_log = writes(IndexFacet.watch_log)
    stop_watcher = writes(IndexFacet.stop_watcher)
    open_stores = writes(IndexFacet.open_stores)
    is_writing = reads(IndexFacet.is_writing)
    status = reads(IndexFacet.status)
    metrics = reads(IndexFacet.metrics)
    trend = reads(IndexFacet.trend)
    overview = reads(IndexFacet.overview)
    why = reads(IndexFacet.why)
    doctor = reads(IndexFacet.doctor, is_long=True, has_progress=True)
    reindex = writes(IndexFacet.reindex)
    caches = writes(IndexFacet.caches)


class AsyncEntriesFacet(Face[EntriesFacet]):
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
    list = reads(NamespacesFacet.list)
    require_own = reads(NamespacesFacet.require_own)
    purge = writes(NamespacesFacet.purge)


class AsyncGraphFacet(Face[GraphFacet]):
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
    run = reads(CheckFacet.run, is_long=True, has_progress=True)
    fix = writes(CheckFacet.fix)
    accept = writes(CheckFacet.accept)


class AsyncUpkeepFacet(Face[UpkeepFacet]):
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
    feed = reads(ShareFacet.feed, is_long=True, has_progress=True)
    status = reads(ShareFacet.status)
    drop = writes(ShareFacet.drop)
