"""What every test may use: a workspace written from the test's own docstring, and the index
rows."""

from __future__ import annotations

import gc
import inspect
import os
import signal
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path

import pytest
from coverage import Coverage
from hypothesis import HealthCheck, settings

from memwiki.adapters.hosts import hooks
from memwiki.cli.commands.agents import _Patience
from memwiki.cli.main import main
from memwiki.config import cache_root
from memwiki.files.scan import scan
from memwiki.index.prepare import prepared
from memwiki.index.projection import Put
from memwiki.index.stores import Dump, Stores, dump
from memwiki.markdown.parse import parse
from memwiki.nouns import Layers
from memwiki.sync import request as syncing
from memwiki.sync.feed import sync_stores
from memwiki.sync.request import SyncRequest
from memwiki.workspace import Workspace
from tests import connections
from tests.waiting import PATIENCE_S

connections.install()
gc.disable()  # until the tests are collected, of which none is garbage: a sixth of that time
# Whoever runs the tests in the background of a script has it ignored, and so would every command.
signal.signal(signal.SIGINT, signal.default_int_handler)

_UNHURRIED = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("dev", max_examples=25, deadline=None, suppress_health_check=_UNHURRIED)
settings.register_profile("ci", settings.get_profile("dev"), derandomize=True)
settings.register_profile("wide", settings.get_profile("dev"), max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

# Most of the time of all tests; `make quick` leaves them out.
_SLOW_FILES = (
    "adapters/test_wing.py",
    "benchmarks/",
    "browser/",
    "carry/test_round_trip.py",
    "cases/",
    "properties/",
    "test_package.py",
    "catalog/test_any_history_gives_the_same_bytes.py",
    "catalog/test_budgets.py",
    "catalog/test_catalog_survives.py",
    "check/test_golden_rules.py",
    "cli/test_hostile_arguments.py",
    "cli/test_real_terminal.py",
    "cli/test_streams.py",
    "cli/test_warm.py",
    "cli/test_warm_answers.py",
    "files/test_large_files.py",
    "index/test_damage_sweep.py",
    "index/test_damaged_index.py",
    "index/test_whoosh_canary.py",
    "curation/test_small_model.py",
    "models/test_local_file.py",
    "markdown/test_scanner_fuzz.py",
    "sync/test_freshness.py",
    "sync/test_swapped_builds.py",
    "sync/test_workers.py",
)

# Coverage makes a test take twice its time. It is measured of the first cases of each function that
# is not slow, and not of these, which reach the same lines again and again.
_MEASURED_CASES = 2
_IS_MEASURED = pytest.StashKey[bool]()
_REPEATING = (
    "adapters/hosts/test_installing.py::test_json_that_was_there_gets_its_bytes_back",
    "adapters/hosts/test_installing.py::test_recording_that_is_taken_back_leaves_no_trace",
    "adapters/hosts/test_killed_installations.py::test_a_killed",
    "change/test_actor_names.py::test_names_keep_what_can_be_read",
    "contracts/test_best_scores.py::test_the_best_hits_are_those_of_scoring_every_unit",
    "adapters/hosts/test_planted_state.py",
    "adapters/memory_tool/test_memory_tool_oracle.py",
    "doors/test_namespaces_hold.py",
    "doors/test_private_twins.py",
    "doors/test_tools_of_a_workspace.py::test_twice_is_once",
    "doors/test_tools_of_a_workspace.py::test_what_reads_looks_at_the_files_once",
    "doors/test_what_agents_send_is_never_made_up.py",
    "markdown/test_entry_links.py::test_a_line_of_up_to_a_megabyte_is_read",
    "markdown/test_forms_of_other_programs.py::test_any_name",
    "markdown/test_forms_of_other_programs.py::test_long_pages_are_read",
    "markdown/test_message_text.py::test_a_long_text_comes_back_too",
    "markdown/test_parse_page.py::test_a_long_run_of_one_mark",
    "markdown/test_private_growth.py",
    "markdown/test_scanner_oracle.py",
    "models/test_outgoing.py::test_none_of_its_bytes_reaches_a_server",
    "recall/test_condition.py::test_hostile_queries_are_read_in_time_linear_in_them",
    "test_architecture.py",  # which reads the source, and runs none of it
    "upkeep/test_consolidation_survives.py",
    "upkeep/test_overflow.py::test_whatever_a_page_looks_like",
    "upkeep/test_upkeep_of_a_workspace.py::test_any_upkeep_ends",
)


# What runs commands in this process.
_WITHOUT_CONNECTIONS = ("cli/", "transcripts/", "cases/", "workspace/", "recall/", "memory/")


def _below_here(path: Path) -> str:
    return path.relative_to(Path(__file__).parent).as_posix()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The run of the slow tests does not import the others, nor they them."""
    wanted = {"slow": True, "not slow": False}.get(config.option.markexpr)
    if wanted is None or collection_path.is_dir():
        return None
    return _below_here(collection_path).startswith(_SLOW_FILES) != wanted or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of slow files, and say of which ones coverage is measured."""
    cases = Counter[str]()
    for item in items:
        name = f"{_below_here(item.path)}::{item.name}"
        if item.get_closest_marker("slow"):  # one that no run would import
            raise pytest.UsageError(f"{name}: is marked; name its file in tests/conftest.py")
        if name.startswith(_SLOW_FILES):
            item.add_marker(pytest.mark.slow)
        function = item.nodeid.partition("[")[0]
        cases[function] += 1
        is_new = cases[function] <= _MEASURED_CASES
        item.stash[_IS_MEASURED] = is_new and not name.startswith(_REPEATING)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool, bool]:
    """Coverage is not measured, fixtures and all, where it would be of the same lines."""
    running = None if item.stash[_IS_MEASURED] else Coverage.current()
    if running is None:
        return (yield)
    running.stop()
    try:
        return (yield)
    finally:
        running.start()


def pytest_collection_finish(session: pytest.Session) -> None:
    """What thousands of tests are made of stays: a test that collects garbage does not walk it."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def state() -> Callable[[Path], tuple[int, int, int, int]]:
    """What tells that a file was written again; when it was last read, also by us, does not."""

    def take(path: Path) -> tuple[int, int, int, int]:
        found = path.stat()
        return found.st_ino, found.st_mode, found.st_mtime_ns, found.st_ctime_ns

    return take


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test ever comes near the user's own cache."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("MEMWIKI_CACHE_DIR", str(folder))
    monkeypatch.setenv("MEMWIKI_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("MEMWIKI_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.delenv("MEMWIKI_WORKSPACE", raising=False)
    monkeypatch.setenv("MEMWIKI_DEBUG", "1")  # a page that is contained fails the test
    monkeypatch.setenv("LC_ALL", "C.UTF-8")  # the template is that of the locale
    return folder


@pytest.fixture(autouse=True)
def unconnected(request: pytest.FixtureRequest) -> Iterator[None]:
    """Commands ask nobody, not even this machine; tests whose subject is a server do."""
    connections.made.clear()
    yield
    place = _below_here(request.path)
    if place.startswith(_WITHOUT_CONNECTIONS) and place != "cli/test_warm.py":
        assert connections.made == []


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hook that takes too long ends its process, which here is that of the tests."""
    monkeypatch.setattr(hooks, "SECONDS", dict.fromkeys(hooks.SECONDS, PATIENCE_S))
    monkeypatch.setattr(_Patience, "MIN_SECONDS", PATIENCE_S)
    monkeypatch.setattr(hooks, "_CATCH_UP_SECONDS", PATIENCE_S)


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """The `--- path ---` blocks of a docstring."""
    path, lines = "", list[str]()
    for line in inspect.cleandoc(text).split("\n"):
        if line.startswith("--- ") and line.endswith(" ---"):
            if path:
                yield path, "\n".join(lines).rstrip("\n") + "\n"
            path, lines = line[4:-4], []
        else:
            lines.append(line)
    if path:
        yield path, "\n".join(lines).rstrip("\n") + "\n"


def write_pages(root: Path, pages: Mapping[str, str]) -> None:
    """Write these pages below a folder."""
    for path, content in pages.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content, encoding="utf-8")


def write_all(root: Path, text: str) -> None:
    """Write the blocks of a docstring below a folder."""
    write_pages(root, dict(blocks(text)))


@pytest.fixture
def root(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A folder that is a workspace, with the pages of the test's docstring."""
    folder = tmp_path / "ws"
    (folder / ".memwiki").mkdir(parents=True)
    write_all(folder, request.function.__doc__ or "")
    return folder


@pytest.fixture
def write_blocks(root: Path) -> Callable[[str], None]:
    """Write `--- path ---` blocks that several tests share."""
    return lambda text: write_all(root, text)


@pytest.fixture
def put(root: Path) -> Callable[..., None]:
    """Write a page: put("wiki/a.md", "text"); bytes are written as they are."""

    def write(path: str, content: str | bytes = "") -> None:
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())

    return write


@pytest.fixture
def opened(root: Path) -> Iterator[Callable[..., Workspace]]:
    """Open the workspace, as often as wanted: each time as another process would."""
    spaces: list[Workspace] = []

    def open_(**named: object) -> Workspace:
        spaces.append(Workspace.open(root, find=False, **named))
        return spaces[-1]

    yield open_
    for space in spaces:
        space.close()


@pytest.fixture
def ws(opened: Callable[..., Workspace]) -> Workspace:
    """The workspace of the test's docstring."""
    return opened()


@pytest.fixture
def run(root: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """A command in the workspace, as a shell runs it: its exit code, what it prints and says."""

    def command(*words: str) -> tuple[int, str, str]:
        code = main(["-C", str(root), *words])
        return code, *capsys.readouterr()

    return command


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """A clock an hour ahead, so that signatures taken now are old enough to be proof."""
    real = syncing.now_ns

    def ahead() -> int:
        return real() + 3600 * 10**9

    monkeypatch.setattr(syncing, "now_ns", ahead)
    return ahead


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Workspace]]:
    """Open a workspace of these pages for tests that only read it: made once for a file."""
    made: dict[str, tuple[Mapping[str, str], Workspace]] = {}

    def open_(pages: Mapping[str, str] | str, **named: object) -> Workspace:
        held = dict(blocks(pages)) if isinstance(pages, str) else pages
        key = repr((held, named))
        if key not in made:
            folder = tmp_path_factory.mktemp("reading")
            (folder / "ws" / ".memwiki").mkdir(parents=True)
            write_pages(folder / "ws", held)
            own = {f"MEMWIKI_{of}_DIR": str(folder / of) for of in ("CACHE", "CONFIG", "STATE")}
            environ = {**os.environ, **own}
            made[key] = held, Workspace.open(folder / "ws", find=False, environ=environ, **named)
        return made[key][1]

    yield open_
    for held, space in made.values():
        space.close()
        assert {path: (space.root / path).read_text("utf-8") for path in held} == held


@pytest.fixture
def settled(opened: Callable[..., Workspace], later: Callable[[], int]) -> Workspace:
    """The workspace, synced, where the next walk alone tells that nothing changed."""
    space = opened(clock=later)
    space.sync()
    assert space.live.cache_folder is not None
    assert space.live.cache_folder.clean_scan() is not None
    return space


def rebuilt(space: Workspace) -> Dump:
    """The rows of an index built from nothing, in memory: what the live one has to equal."""
    stores = Stores(None)
    seen = scan(space.root, ignore=space.live.context.ignore())
    sync_stores(space.root, seen, stores, space.live.settings, SyncRequest())
    rows = dump(stores)
    stores.close()
    return rows


@pytest.fixture
def assert_in_step() -> Callable[[Workspace], None]:
    """The law: the live index holds what a rebuild holds."""

    def check(space: Workspace) -> None:
        live, anew = dump(space.live.stores()), rebuilt(space)
        assert {k for k in live.keys() | anew.keys() if live.get(k) != anew.get(k)} == set()

    return check


@pytest.fixture
def puts() -> Callable[[Mapping[str, str]], list[Put]]:
    """Pages as sync hands them to a projection."""

    def make(pages: Mapping[str, str]) -> list[Put]:
        parsed = (
            parse(path, text.encode("utf-8", "surrogatepass"), Layers())
            for path, text in pages.items()
        )
        return [prepared(Put(page, (1, 1, 1, 1), False)) for page in parsed]

    return make


@pytest.fixture
def place_of(cache: Path) -> Callable[[Workspace], Path]:
    """The folder of the live build of a workspace."""

    def find(space: Workspace) -> Path:
        assert cache_root(space.environ) == cache
        place = space.live.cache_folder
        assert place is not None
        return place.path / (place.path / "current").read_text().strip()

    return find
