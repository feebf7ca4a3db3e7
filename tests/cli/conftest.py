"""A workspace that answers from prepared values, so that these tests are about the door alone."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path

import pytest

import memwiki.cli.home
import memwiki.cli.warm.server
import memwiki.config
import memwiki.setup.init  # before what they take from others is replaced
import memwiki.setup.machine
import memwiki.workspace
from memwiki import nouns
from memwiki.answers import check as checking
from memwiki.answers import curation, pages
from memwiki.answers import entries as remembering
from memwiki.answers import graph as graph_answers
from memwiki.answers import index as keeping
from memwiki.answers import pages as browsing
from memwiki.answers import pages as catalog
from memwiki.answers import pages as editing
from memwiki.answers import pages as journal
from memwiki.answers import recall as finding
from memwiki.answers import workspaces as caches
from memwiki.answers import workspaces as completing
from memwiki.answers import workspaces as settings
from memwiki.answers import workspaces as setup
from memwiki.answers import workspaces as spaces
from memwiki.browse.graph import GraphFacet
from memwiki.cli.main import main
from memwiki.commit.catalogs import CatalogFacet
from memwiki.config import Config
from memwiki.history.journal import JournalFacet
from memwiki.workspace import Workspace
from memwiki.workspace.check import CheckFacet
from memwiki.workspace.entries import EntriesFacet
from memwiki.workspace.folder import NamespacesFacet
from memwiki.workspace.index import IndexFacet
from memwiki.workspace.pages import PagesFacet
from memwiki.workspace.settings import SettingsFacet

FACETS = {
    "catalog": CatalogFacet,
    "check": CheckFacet,
    "entries": EntriesFacet,
    "graph": GraphFacet,
    "index": IndexFacet,
    "journal": JournalFacet,
    "namespaces": NamespacesFacet,
    "pages": PagesFacet,
    "settings": SettingsFacet,
}
EDITED = editing.Edited("update", "set status in a.md", ("a.md",), notes=("one note",))
ENTRY = remembering.EntryView(
    id="m-7k2f9a",
    key="",
    type="fact",
    category="core",
    text="Tea is green.",
    tags=(),
    importance=0.7,
    confidence=1.0,
    status="active",
    origin="",
    source="",
    namespace="",
    path="memory.md",
    section="Facts",
    line_start=5,
    line_end=5,
    created="",
    updated="",
    recalls=0,
    mean_score=0.0,
    last_recalled="",
    value=0.0,
    decay=1.0,
    entities=(),
    data=None,
    fields={},
)
WORK = spaces.NamespaceRow("work", 2, 5, 1234, "2026-09-01")
PURGED = editing.Edited("purge", "archived namespace work", ("a.md",), notes=("one note",))
HIT = nouns.Hit(
    path="wiki/home.md",
    title="Home",
    type="concept",
    section="Links",
    line_start=7,
    line_end=9,
    score=2.5,
    excerpt="a blue\nscheme",
    tags=("design",),
    updated="2026-08-01",
)
PROBLEM = nouns.Problem(
    "wiki/home.md",
    3,
    "key-duplicate",
    nouns.Severity.WARNING,
    "`title` is given twice",
    fixable=True,
)
VERSION = pages.Version("0123456789ab", "2026-08-01T12:00:00+02:00", "Ann", "why", "a.md", 2, 0)
INDEX = keeping.IndexInfo(backend="whoosh", generation=3, bytes=1_234_567, place="/cache/x")
EDGES = (graph_answers.GraphEdge("wiki/home.md", "wiki/search.md", "refines", 1.0),)
NODES = (
    graph_answers.GraphNode("Home", "wiki/home.md", "concept", (), 0, 0.5),
    graph_answers.GraphNode("Search", "wiki/search.md", "concept", (), 1, 0.25),
)


class FakeWatching:
    """Ends at once; a test may put something else in the place of `run`."""

    def run(self) -> None:
        """Nothing happens."""

    def stop(self) -> None:
        """Nothing runs."""


def default_answers() -> dict[str, object]:
    """What each method of the fake gives, until a test puts something else there."""
    return {
        "sync": keeping.Changes(added=("a.md",), unchanged=2, seconds=0.5),
        "index.reindex": keeping.Changes(added=("a.md",)),
        "catalog.update": catalog.CatalogReport(written=("index.md",), catalogs=1, pages=2),
        "catalog.check": catalog.CatalogReport(catalogs=1, pages=2),
        "search": finding.SearchAnswer("q", True, 0, 1, False, (HIT,)),
        "pages.get": browsing.PageView("a.md", "A", "", {}, (), (), "# A\r\ntext", "d1", 1, 2),
        "pages.hides": False,
        "pages.outline": browsing.PageOutline(
            "a.md", "A", 9, 99, 24, (browsing.SectionSize("B", 2, ("B",), 3, 9, 50, 12),)
        ),
        "pages.complete": completing.CompletionList(()),
        "pages.history": pages.History("a.md", (VERSION,)),
        "pages.show": pages.PageAt("a.md", "0123456789ab", VERSION.date, "A", "# A\r\nold", 1, 2),
        "pages.bytes_at": b"# A\r\nold\n",
        "pages.list": browsing.PageList((browsing.PageRow("a.md", "A", "", "", ("x",), "", 0),), 1),
        "graph.links": graph_answers.LinkList(()),
        "graph.like": graph_answers.LikeList((), "words"),
        "graph.unresolved": graph_answers.LinkList(()),
        "graph.tags": graph_answers.TagList((nouns.TagCount("design", 2),)),
        "graph.around": graph_answers.GraphAnswer(NODES, EDGES),
        "graph.path": graph_answers.GraphAnswer(NODES, EDGES),
        "graph.ranked": graph_answers.GraphAnswer(NODES, EDGES),
        "index.overview": keeping.Overview(
            "/ws", 3, 2, True, 0, "", (keeping.NextStep("memwiki check", "see"),)
        ),
        "watch": FakeWatching(),
        "index.status": keeping.Status("/ws", 1, 2, 3, 4, 5, 6, 7, True, 0, 1, "", INDEX),
        "index.why": keeping.PathStatus("a.md", True, "indexed"),
        "index.doctor": keeping.Health(healthy=True, notes=()),
        "check.run": checking.CheckReport((PROBLEM,), checking.Counts(warning=1), pages=2),
        "check.fix": editing.Edited(
            "check --fix", "fixed 1 problem in 1 file", ("a.md",), diff="-a\n+b\n"
        ),
        "check.accept": editing.Edited("", "recorded 1 problem in known.json", ("known.json",)),
        "entries.add_all": curation.AddReport((ENTRY,), (), (), (), (), (), EDITED),
        "entries.get": ENTRY,
        "entries.list": remembering.EntryList((ENTRY,), 1),
        "entries.similar": remembering.SimilarEntries((remembering.NearEntry(ENTRY, 0.5),)),
        "entries.history": remembering.EntryHistory(ENTRY, (), (), (), ("no versions",)),
        "entries.update": EDITED,
        "entries.supersede": EDITED,
        "entries.delete": EDITED,
        "entries.move": EDITED,
        "entries.relate": EDITED,
        "entries.relate_by_description": EDITED,
        "entries.unrelate": EDITED,
        "pages.set": EDITED,
        "pages.move": EDITED,
        "pages.delete": EDITED,
        "pages.append": EDITED,
        "pages.new": editing.Edited("create", "created a.md", ("a.md",), notes=("one note",)),
        "pages.today": editing.Edited("update", "added an item in daily/d.md", ("daily/d.md",)),
        "pages.today_path": "daily/d.md",
        "pages.own_path": "a.md",
        "namespaces.list": spaces.NamespaceList((WORK,), 1),
        "namespaces.purge": spaces.Purged("work", "archive/namespaces/work", 3, 2, 5, 1234, PURGED),
        "pages.replace": EDITED,
        "pages.link": EDITED,
        "pages.unlink": EDITED,
        "pages.tag_add": EDITED,
        "pages.tag_remove": EDITED,
        "pages.tag_rename": EDITED,
        "pages.tag_merge": EDITED,
        "settings.list": settings.SettingList(
            (settings.Setting("catalog.enabled", "true", "file", "h"),)
        ),
        "settings.set": settings.Setting("catalog.enabled", "false", "file", "h"),
        "index.caches": caches.CacheList(
            (caches.CacheEntry("/ws", "/cache/x", 5000, is_orphan=False),)
        ),
        "undo": editing.Edited("undo", "undone: moved a", ("a.md",), notes=("mind the gap",)),
        "journal.list": journal.LogList(
            (journal.LogEntry("2026-09-01", "move", "a", (), "log.md", 3),), 1
        ),
        "journal.add": journal.LogEntry("2026-09-01", "ingest", "Paper", ("by: me",), "log.md", 5),
        "init": setup.InitReport("/ws", ("memory.md",), adopted=False, git=False),
        "adopt": setup.InitReport("/ws", (), adopted=True, git=False),
        "indexed": setup.InitReport(
            "/ws",
            ("memory.md",),
            adopted=False,
            git=False,
            pages=2,
            links=1,
            problems=0,
            next=(keeping.NextStep("memwiki search 'tea'", "find it"),),
        ),
    }


def bind_to_the_real_one(name: str, *arguments: object, **named: object) -> None:
    """Fail when the real workspace would not understand this call."""
    facet, _, verb = name.rpartition(".")
    method = getattr(FACETS[facet] if facet else Workspace, verb)
    own = () if inspect.ismethod(method) else (None,)
    inspect.signature(method).bind(*own, *arguments, **named)


class FakeFacet:
    """One facet of the fake: `pages.set` is answered as any other call."""

    def __init__(self, name: str, answer: Callable[..., object]) -> None:
        self._name, self._answer = name, answer

    def __getattr__(self, verb: str) -> object:
        return lambda *arguments, **named: self._answer(f"{self._name}.{verb}", *arguments, **named)


class FakeWorkspace:
    """Records every call; an answer that is an exception is raised."""

    answers: dict[str, object]
    calls: list[tuple[str, tuple[object, ...], Mapping[str, object]]]
    root = Path.cwd()
    config = Config()

    @classmethod
    def _answer(cls, name: str, *arguments: object, **named: object) -> object:
        bind_to_the_real_one(name, *arguments, **named)
        if name != "pages.hides":  # of every path that is given
            cls.calls.append((name, arguments, named))
        answer = cls.answers[name]
        if isinstance(answer, BaseException):
            raise answer
        return answer

    @classmethod
    def open(
        cls,
        directory: object = None,
        *,
        find: bool = True,
        sync: bool = True,
        namespace: str | None = None,
    ) -> FakeWorkspace:
        bind_to_the_real_one("open", directory, find=find, sync=sync, namespace=namespace)
        asked = {} if namespace is None else {"namespace": namespace}
        cls.calls.append(("open", (directory,), {"find": find, "sync": sync, **asked}))
        cls.root = Path.cwd()
        return cls()

    @classmethod
    def init(cls, directory: Path, environ: object, **named: object) -> object:
        return cls._answer("init", str(directory), **named)

    @classmethod
    def adopt(cls, directory: Path, environ: object) -> object:
        return cls._answer("adopt", str(directory))

    @classmethod
    def indexed(cls, report: object, environ: object, progress: object) -> object:
        cls.calls.append(("indexed", (report,), {}))
        answer = cls.answers["indexed"]
        if isinstance(answer, BaseException):
            raise answer
        return answer

    @classmethod
    def caches(cls, environ: object, **named: object) -> object:
        return cls._answer("index.caches", **named)

    def list_new(self) -> None: ...

    def take_warnings(self) -> list[str]:
        return []

    def ends_soon(self) -> None:
        """No model is loaded."""

    def close(self) -> None:
        """Nothing is open."""

    def __getattr__(self, name: str) -> object:
        if name in FACETS:
            return FakeFacet(name, self._answer)
        if name not in self.answers:
            raise AttributeError(name)
        return lambda *arguments, **named: self._answer(name, *arguments, **named)


class Shell:
    """Runs `memwiki` in this process and keeps what came out."""

    def __init__(self, capsys: pytest.CaptureFixture[str], workspace: type[FakeWorkspace]) -> None:
        self._capsys = capsys
        self.workspace = workspace
        self.out = self.err = ""

    def __call__(self, *arguments: str) -> int:
        code = main(arguments)
        self.out, self.err = self._capsys.readouterr()
        return code

    @property
    def call(self) -> tuple[str, tuple[object, ...], dict[str, object]]:
        """The last call of the workspace, without the progress callback."""
        name, arguments, named = self.workspace.calls[-1]
        return name, arguments, {key: value for key, value in named.items() if key != "progress"}

    @property
    def opened(self) -> tuple[object, Mapping[str, object]]:
        """How the workspace was opened."""
        (call,) = [call for call in self.workspace.calls if call[0] == "open"]
        return call[1][0], call[2]

    def answer(self, name: str, value: object) -> None:
        """Prepare what the workspace gives."""
        self.workspace.answers[name] = value


@pytest.fixture
def environment(monkeypatch):
    """The variables the door sees."""
    variables: dict[str, str] = {}
    monkeypatch.setattr(memwiki.config, "environment", lambda: variables, raising=False)
    return variables


@pytest.fixture
def memwiki_(capsys, monkeypatch, environment):
    """The command, over a fake workspace."""
    fake = type("Fake", (FakeWorkspace,), {"answers": default_answers(), "calls": []})
    monkeypatch.setattr(memwiki.workspace, "Workspace", fake, raising=False)
    monkeypatch.setattr("memwiki.setup.init.init", fake.init)
    monkeypatch.setattr("memwiki.setup.init.adopt", fake.adopt)
    monkeypatch.setattr("memwiki.cli.home.index_new", fake.indexed)
    monkeypatch.setattr("memwiki.setup.machine.caches", fake.caches)
    monkeypatch.setattr("memwiki.cli.warm.server.answering", nullcontext)  # it would fork us
    return Shell(capsys, fake)
