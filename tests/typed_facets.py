"""What a type checker sees of the facets; `mypy` reads it with the package, nothing runs it."""

from __future__ import annotations

from typing import assert_type

from memwiki import AsyncWorkspace, Hit, SearchAnswer, Workspace
from memwiki.answers.check import CheckReport
from memwiki.answers.curation import AddReport, ModelsReport, SpentRow
from memwiki.answers.entries import (
    AddedMessage,
    EntryHistory,
    EntryList,
    EntryView,
    Graph,
    MessageView,
    NearEntry,
    SessionList,
    SessionView,
)
from memwiki.answers.graph import GraphAnswer, GraphNode, LinkList
from memwiki.answers.index import Health
from memwiki.answers.pages import (
    Browse,
    Edited,
    FolderList,
    LogEntry,
    LogList,
    PageList,
    PageRow,
    PageView,
    TextFile,
)
from memwiki.answers.recall import Recall
from memwiki.answers.workspaces import (
    ExportReport,
    ImportReport,
    NamespaceList,
    Purged,
    Setting,
    SettingList,
)
from memwiki.watch.watching import Watching


def facets(directory: str) -> None:
    assert_type(Workspace.init(directory), Workspace)
    with Workspace.open(directory) as workspace:
        assert_type(workspace, Workspace)
        assert_type(workspace.search("tea"), SearchAnswer)
        assert_type(next(iter(workspace.search("tea"))), Hit)
        assert_type(workspace.browse(), Browse)
        assert_type(workspace.folder("memories").list(), FolderList)
        assert_type(workspace.folder("memories").read("tea.txt"), TextFile)
        assert_type(workspace.folder("memories").delete("tea.txt"), Edited)
        assert_type(workspace.pages.get("tea"), PageView)
        assert_type(workspace.pages.list(type="concept"), PageList)
        assert_type(next(iter(workspace.pages.list())), PageRow)
        assert_type(workspace.pages.bytes("tea.md"), bytes)
        assert_type(workspace.models.show(), ModelsReport)
        assert_type(next(iter(workspace.models.spent())), SpentRow)
        assert_type(workspace.pages.bytes_at("tea", "2w"), bytes)
        assert_type(workspace.pages.set("tea", {"tags": ["drink"]}), Edited)
        assert_type(workspace.pages.edit("tea", "old", "new", expect="0" * 16), Edited)
        assert_type(workspace.by("agent"), Workspace)
        assert_type(workspace.entries.add("Prefers tea.", tags=["drink"]), AddReport)
        assert_type(workspace.entries.add_all([{"text": "Prefers tea."}]), AddReport)
        assert_type(workspace.entries.remember("Ann", "fact", "home", "Hamburg"), EntryView)
        assert_type(workspace.entries.get("user/drink"), EntryView)
        assert_type(workspace.entries.list(types=["fact"]), EntryList)
        assert_type(next(iter(workspace.entries.core())), EntryView)
        assert_type(next(iter(workspace.entries.similar("tea"))), NearEntry)
        assert_type(workspace.knowledge.read_graph(), Graph)
        assert_type(workspace.knowledge.delete_entities(["tea"]), Edited)
        assert_type(workspace.entries.history("user/drink"), EntryHistory)
        assert_type(workspace.entries.update("user/drink", "Tea."), Edited)
        assert_type(workspace.carry.export("tea.zip"), ExportReport)
        assert_type(workspace.carry.import_("tea.zip"), ImportReport)
        assert_type(workspace.graph.links("tea", "in"), LinkList)
        assert_type(workspace.namespaces.list(), NamespaceList)
        assert_type(workspace.namespaces.purge("work"), Purged)
        assert_type(workspace.graph.path("tea", "water"), GraphAnswer)
        assert_type(next(iter(workspace.graph.ranked())), GraphNode)
        assert_type(workspace.check.run(), CheckReport)
        assert_type(workspace.journal.list(), LogList)
        assert_type(workspace.journal.add("ingest", "Paper"), LogEntry)
        assert_type(workspace.sessions.list(), SessionList)
        assert_type(workspace.sessions.get("talk"), SessionView)
        assert_type(next(iter(workspace.sessions.get("talk"))), MessageView)
        assert_type(workspace.session("talk").add_message("user", "Hello."), AddedMessage)
        assert_type(workspace.session("talk").window(), tuple[MessageView, ...])
        assert_type(workspace.settings.list(), SettingList)
        assert_type(workspace.settings.set("layers.log", "log.md"), Setting)
        assert_type(workspace.index.doctor(verify=True), Health)


async def asynchronous(directory: str) -> None:
    assert_type(AsyncWorkspace(Workspace.open(directory)), AsyncWorkspace)
    async with await AsyncWorkspace.open(directory) as workspace:
        assert_type(workspace, AsyncWorkspace)
        assert_type(workspace.public().by("agent"), AsyncWorkspace)
        assert_type(await workspace.search("tea", limit=3), SearchAnswer)
        assert_type(await workspace.recall("tea?", types=["fact"]), Recall)
        assert_type(await workspace.pages.get("tea"), PageView)
        assert_type(await workspace.pages.bytes("tea.md"), bytes)
        assert_type(await workspace.entries.add("Prefers tea.", tags=["drink"]), AddReport)
        assert_type(await workspace.folder("memories").read("tea.txt"), TextFile)
        assert_type(await workspace.session("talk").add_message("user", "Hello."), AddedMessage)
        assert_type(await workspace.read(lambda plain: plain.namespace), str)
        async with workspace.watch() as watching:
            assert_type(watching, Watching)
