"""Calls of a workspace beside an event loop: cancelled, closed, from loop after loop."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import threading
import warnings
from contextvars import ContextVar

import pytest

from memwiki import AsyncWorkspace, Workspace
from memwiki.aio.face import Stopped
from memwiki.answers.index import WatcherState
from memwiki.errors import NotFoundError
from memwiki.sync import opened as workspaces
from memwiki.sync.open_index import OpenIndex
from tests.waiting import PATIENCE_S, until

PAGES = """
--- memwiki.toml ---
[layers]
memory = "memory.md"
sessions = "sessions"
log = "log.md"
--- memory.md ---
# Memory

## Facts

- Anna likes tea. ^m-000001
--- tea.md ---
# Tea

Green tea is from China.
"""


@pytest.fixture
def plain(write_blocks, opened):
    write_blocks(PAGES)
    return opened()


def run(plain, work):
    async def main():
        async with asyncio.timeout(PATIENCE_S):
            async with AsyncWorkspace(plain) as space:
                return await work(space)

    return asyncio.run(main())


class Held:
    """Something that is done in a thread, which waits until it may go on."""

    def __init__(self):
        self.begun, self.may_go = threading.Event(), threading.Event()

    def __call__(self, *_):
        self.begun.set()
        assert self.may_go.wait(PATIENCE_S)

    async def has_begun(self):
        assert await asyncio.to_thread(self.begun.wait, PATIENCE_S)


# --- answers ---


def test_answers_are_those_of_the_plain_workspace(plain):
    async def ask(space):
        return [
            await space.search("tea", limit=5),
            await space.pages.get("Tea"),
            await space.entries.list(),
            await space.graph.tags(),
            await space.folder(".").list(),
            await space.settings.list(["layers.log"]),
            (await space.recall("What does Anna like?", record=False)).hits,
        ]

    assert run(plain, ask) == [
        plain.search("tea", limit=5),
        plain.pages.get("Tea"),
        plain.entries.list(),
        plain.graph.tags(),
        plain.folder(".").list(),
        plain.settings.list(["layers.log"]),
        plain.recall("What does Anna like?", record=False).hits,
    ]


def test_a_workspace_is_made_adopted_and_opened_beside_the_loop(tmp_path):
    (tmp_path / "old").mkdir()

    async def main():
        async with await AsyncWorkspace.init(tmp_path / "new", bare=True) as made:
            await made.pages.new("Herons", content="They nest in trees.")
        async with await AsyncWorkspace.adopt(tmp_path / "old") as adopted:
            assert adopted.root == tmp_path / "old"
        async with await AsyncWorkspace.open(tmp_path / "new", find=False) as again:
            found = (await again.search("herons nest")).total
        with pytest.raises(NotFoundError):
            await AsyncWorkspace.open(tmp_path / "nowhere")
        return found

    assert asyncio.run(main()) == 1


def test_an_error_is_the_same_object_that_was_raised(plain):
    error = ValueError("no")

    def refuse(_path, _is_gone):
        raise error

    async def ask(space):
        with pytest.raises(NotFoundError) as missing:
            await space.pages.get("coffee")
        await space.pages.append("Tea", "More.")
        with pytest.raises(ValueError, match="no") as raised:
            await space.undo(guard=refuse)
        return missing.value, raised.value

    missing, raised = run(plain, ask)
    with pytest.raises(NotFoundError) as same:
        plain.pages.get("coffee")
    assert (missing.message, missing.hint) == (same.value.message, same.value.hint)
    assert raised is error


def test_functions_that_are_handed_over_see_the_context_of_the_caller(plain):
    who = ContextVar("who", default="nobody")
    seen = []

    async def ask(space):
        who.set("anna")
        await space.read(lambda _: seen.append(who.get()))
        await space.write(lambda _: (seen.append(who.get()), who.set("ben")))
        return who.get()

    assert run(plain, ask) == "anna"
    assert seen == ["anna", "anna"]


def test_several_questions_rest_on_one_look_at_the_files(plain, put, monkeypatch):
    walks, context = [], type(plain.live.context)
    walk = context.walk
    monkeypatch.setattr(context, "walk", lambda self: (walks.append(1), walk(self))[1])

    async def ask(space):
        return await space.read(lambda ws: (ws.search("anna").total, ws.search("china").total))

    assert run(plain, ask) == (1, 1)
    assert len(walks) == 1


# --- views and facets ---


def test_a_view_that_is_kept_is_of_the_moment_of_each_call(plain, put):
    async def ask(space):
        public = space.public()
        before = (await public.search("china")).total
        put("tea.md", "---\nprivate: true\n---\n# Tea\n\nGreen tea is from China.\n")
        return before, (await public.search("china")).total, (await space.search("china")).total

    assert run(plain, ask) == (1, 0, 1)


def test_what_somebody_does_is_noted_as_theirs(plain):
    async def ask(space):
        theirs = space.by("anna/1.0")
        await theirs.pages.append("Tea", "Hot.")
        await theirs.public().pages.append("Tea", "Very.")
        return [each.by for each in await space.journal.list()]

    assert run(plain, ask) == ["anna/1.0", "anna/1.0"]


def test_a_facet_that_is_kept_has_the_settings_as_they_are(plain, put):
    async def ask(space):
        journal = space.journal
        await space.pages.append("Tea", "Hot.")
        assert len([*await journal.list()]) == 1
        put("memwiki.toml", "")
        with pytest.raises(NotFoundError):
            await journal.list()

    run(plain, ask)


def test_a_watcher_runs_within_async_with(plain, put):
    async def ask(space):
        with pytest.raises(ZeroDivisionError):
            async with space.watch():
                put("new.md", "# New\n\nA bittern.\n")
                assert (await space.index.status()).watcher.state != WatcherState.NONE
                raise ZeroDivisionError
        return (await space.index.status()).watcher.state

    assert run(plain, ask) == WatcherState.NONE


def test_a_watcher_that_begins_when_nobody_waits_any_longer_ends(plain, monkeypatch):
    held, watch = Held(), Workspace.watch
    monkeypatch.setattr(Workspace, "watch", lambda self, **asked: (held(), watch(self, **asked))[1])

    async def ask(space):
        async def watching():
            async with space.watch():
                raise AssertionError("nobody waited for it")

        task = asyncio.create_task(watching())
        await held.has_begun()
        task.cancel()
        held.may_go.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        return (await space.index.status()).watcher.state

    assert run(plain, ask) == WatcherState.NONE


def test_a_watcher_ends_when_what_it_runs_within_is_cancelled(plain):
    anyio, held = pytest.importorskip("anyio"), Held()

    async def go_on():
        for _ in range(50):
            await asyncio.sleep(0)
        held.may_go.set()

    async def ask(space):
        with anyio.CancelScope() as scope:
            async with space.watch():
                others = [asyncio.create_task(space.write(held))]  # its turn to end comes later
                await held.has_begun()
                scope.cancel()
                others.append(asyncio.create_task(go_on()))
                await anyio.sleep_forever()
        await asyncio.gather(*others)
        return (await space.index.status()).watcher.state

    assert run(plain, ask) == WatcherState.NONE


# --- cancelling ---


def test_a_write_that_has_begun_completes_and_one_that_waits_never_begins(plain):
    held = Held()

    def add(space):
        held()
        return space.entries.add("Anna likes rain.")

    async def ask(space):
        first = asyncio.create_task(space.write(add))
        await held.has_begun()
        second = asyncio.create_task(space.entries.add("Anna likes snow."))
        await asyncio.sleep(0)
        second.cancel()
        first.cancel()
        await asyncio.sleep(0)
        first.cancel()  # twice is no more than once
        with pytest.raises(asyncio.CancelledError):
            await second
        assert not first.done()
        held.may_go.set()
        with pytest.raises(asyncio.CancelledError):
            await first
        return await space.read(lambda ws: (ws.root / "memory.md").read_text())

    text = run(plain, ask)
    assert "Anna likes rain." in text
    assert "snow" not in text
    assert plain.entries.list().total == 2


def test_a_write_that_takes_too_long_for_who_waits_is_whole_when_they_hear_of_it(plain):
    held = Held()

    def add(space):
        held()
        return space.entries.add("Anna likes rain.")

    async def ask(space):
        async def hurry(limit):
            await held.has_begun()
            limit.reschedule(asyncio.get_running_loop().time())
            for _ in range(3):
                await asyncio.sleep(0)
            held.may_go.set()

        with pytest.raises(TimeoutError):
            async with asyncio.timeout(None) as limit:
                hurrying = asyncio.create_task(hurry(limit))
                await space.write(add)
        await hurrying
        return (plain.root / "memory.md").read_text()

    assert "Anna likes rain." in run(plain, ask)


def test_a_read_that_nobody_waits_for_ends_at_its_next_step(plain, put, monkeypatch):
    held, ended = Held(), []

    async def ask(space):
        await space.sync()
        for number in range(600):
            put(f"many/{number}.md", "# Page\n")

        def search(ws):
            held()
            try:
                return ws.search("page")
            except Stopped:
                ended.append(True)
                raise

        task = asyncio.create_task(space.read(search))
        await held.has_begun()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task  # which does not wait for it
        held.may_go.set()

    run(plain, ask)
    assert ended == [True]
    assert plain.search("page").total == 600


@pytest.mark.parametrize("verb", ["search", "recall"])
def test_a_question_with_its_own_progress_ends_at_its_next_step(plain, put, verb):
    async def ask(space):
        await space.sync()
        for number in range(600):
            put(f"many/{number}.md", "# Page\n")
        steps, loop = [], asyncio.get_running_loop()

        def told(done, total):
            steps.append((done, total))
            loop.call_soon_threadsafe(task.cancel)
            until(task.done)

        task = asyncio.create_task(getattr(space, verb)("page", progress=told))
        with pytest.raises(asyncio.CancelledError):
            await task
        await space.close()
        return steps

    assert len(run(plain, ask)) == 1


def test_scopes_of_anyio_cancel_in_the_same_way_and_the_loop_does_not_spin(plain, monkeypatch):
    anyio = pytest.importorskip("anyio")
    held, waits, wait = Held(), [], asyncio.wait
    monkeypatch.setattr(asyncio, "wait", lambda *what: (waits.append(1), wait(*what))[1])

    def add(space):
        held()
        return space.entries.add("Anna likes rain.")

    async def ask(space):
        async with anyio.create_task_group() as group:
            group.start_soon(space.write, add)
            await held.has_begun()
            group.start_soon(space.entries.add, "Anna likes snow.")
            await anyio.sleep(0)
            group.cancel_scope.cancel()
            with anyio.CancelScope(shield=True):
                for _ in range(100):
                    await anyio.sleep(0)
            held.may_go.set()
        return group.cancel_scope.cancelled_caught

    assert run(plain, ask)
    text = (plain.root / "memory.md").read_text()
    assert "rain" in text and "snow" not in text
    assert len(waits) < 10


# --- threads ---


THREADS = ("reader", "writer", "long reader")
OTHERS = set()  # of workspaces that tests before this one did not close


@pytest.fixture(autouse=True)
def others():
    OTHERS.clear()
    OTHERS.update(threading.enumerate())


def names_of_threads():
    own = (each for each in threading.enumerate() if each not in OTHERS)
    return [each.name for each in own if each.name.startswith(THREADS)]


def test_connections_stay_open_and_each_thread_closes_its_own(plain, monkeypatch):
    opened, closed = [], []
    open_, close = OpenIndex._opened_anew, OpenIndex.leave
    me = threading.get_ident()

    def opening(self, folder):
        opened.append(threading.get_ident())
        return open_(self, folder)

    def leaving(self):
        closed.append(threading.get_ident())
        close(self)

    async def ask(space):
        await space.sync()
        monkeypatch.setattr(OpenIndex, "_opened_anew", opening)
        monkeypatch.setattr(OpenIndex, "leave", leaving)
        for number in range(10):
            await asyncio.gather(*(space.search(f"tea {number} {each}") for each in range(4)))
        await space.check.run()

    run(plain, ask)
    assert me not in opened
    assert len(opened) == len(set(opened)) <= 4
    assert set(opened) <= set(closed)
    until(lambda: names_of_threads() == [])


def test_closing_while_calls_run_waits_for_them_and_the_next_call_begins_anew(plain):
    held = Held()

    def add(space):
        held()
        return space.entries.add("Anna likes rain.")

    async def ask(space):
        calls = [asyncio.create_task(space.write(add))]
        await held.has_begun()
        calls += [asyncio.create_task(space.entries.add(f"Anna likes {n}.")) for n in "abc"]
        calls += [asyncio.create_task(space.search("tea")) for _ in range(3)]
        await asyncio.sleep(0)
        closing = asyncio.create_task(space.close())
        await asyncio.sleep(0)
        assert not closing.done()
        held.may_go.set()
        await closing
        assert all(each.done() for each in calls)
        until(lambda: names_of_threads() == [])
        assert len([await each for each in calls]) == 7
        return (await space.entries.list()).total

    assert run(plain, ask) == 5
    until(lambda: names_of_threads() == [])


@pytest.mark.parametrize("most", [1, 9])
def test_what_goes_wrong_in_closing_is_told_when_all_else_is_closed(plain, monkeypatch, most):
    leave, closed = OpenIndex.leave, []

    def failing(self):
        leave(self)
        closed.append(self)
        if len(closed) <= most:
            raise OSError("no")

    async def ask(space):
        told = []
        asyncio.get_running_loop().set_exception_handler(lambda _, what: told.append(what))
        await space.search("tea")
        monkeypatch.setattr(OpenIndex, "leave", failing)
        with pytest.raises(OSError, match="no"):
            await space.close()
        gc.collect()  # a failure that nobody asked for is told when it is thrown away
        return told

    assert run(plain, ask) == []


def test_a_loop_after_another_has_the_same_threads(plain):
    space = AsyncWorkspace(plain)
    idents = [asyncio.run(space.write(lambda _: threading.get_ident())) for _ in range(3)]
    assert len(set(idents)) == 1
    asyncio.run(space.close())
    until(lambda: names_of_threads() == [])


def test_two_loops_at_once_share_a_workspace(plain):
    spaces, found = [AsyncWorkspace(plain) for _ in range(2)], []

    def loop(space, name):
        async def work():
            for number in range(3):
                await space.entries.add(f"Anna met {name}{number} at the harbour.")
            return (await space.search("harbour")).total

        found.append(asyncio.run(work()))

    threads = [
        threading.Thread(target=loop, args=(space, name))
        for space, name in zip(spaces, ("Ben", "Cleo"), strict=True)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join(PATIENCE_S)
    assert len(found) == 2 and max(found) == 6
    plain.close()
    until(lambda: names_of_threads() == [])


def test_the_plain_workspace_takes_the_threads_along_when_it_is_closed(plain):
    asyncio.run(AsyncWorkspace(plain).search("tea"))
    assert names_of_threads()
    plain.close()
    until(lambda: names_of_threads() == [])
    assert asyncio.run(AsyncWorkspace(plain.public()).search("china")).total == 1
    plain.close()
    until(lambda: names_of_threads() == [])


def test_what_threads_had_open_under_other_settings_is_closed(plain, root):
    settings = root / "memwiki.toml"

    async def ask(space):
        questions = (space.recall(f"what is tea? {number}") for number in range(4))
        assert all(await asyncio.gather(*questions))
        settings.write_text(settings.read_text() + "[recall]\nmax_results = 7\n")
        plain.recall("tea")  # the readers still have open what was before
        until(lambda: names_of_threads() == [])  # none is left to be taken apart in any order
        assert (await space.recall("what is tea?")).total

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always", ResourceWarning)
        run(plain, ask)
        gc.collect()
    assert not [str(each.message) for each in seen]


def test_an_ending_thread_reads_no_settings(plain, root, monkeypatch):
    async def ask(space):
        await space.recall("tea")
        settings = root / "memwiki.toml"
        settings.write_text(settings.read_text() + "[recall]\nmax_results = 7\n")
        monkeypatch.setattr(plain, "reload", lambda: threads.append(threading.current_thread()))

    threads = list[threading.Thread]()
    run(plain, ask)
    assert not [each.name for each in threads if each.name.startswith(("reader", "writer"))]


def test_threads_of_a_workspace_that_is_gone_end(write_blocks, root):
    write_blocks(PAGES)
    asyncio.run(AsyncWorkspace(Workspace.open(root, find=False)).write(lambda ws: ws.root))
    until(lambda: names_of_threads() == [])


def test_closing_when_the_interpreter_ends_is_no_error(write_blocks, root):
    write_blocks(PAGES)
    script = (
        "import asyncio, atexit, sys; from memwiki import AsyncWorkspace, Workspace\n"
        "plain = Workspace.open(sys.argv[1], find=False); atexit.register(plain.close)\n"
        "print(asyncio.run(AsyncWorkspace(plain).search('china')).total)"
    )
    command = [sys.executable, "-c", script, str(root)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert (done.stdout, done.stderr, done.returncode) == ("1\n", "", 0)


def test_an_index_in_memory_is_shared_by_all_calls(write_blocks, root, monkeypatch):
    write_blocks(PAGES)
    monkeypatch.setattr(workspaces, "cache_root", lambda *_: None)
    with Workspace.open(root, find=False) as plain:
        assert run(plain, lambda space: space.search("china")).total == 1
        assert plain.live._shared.memory is None


def test_the_loop_goes_on_while_a_call_is_done(plain):
    held = Held()

    async def ask(space):
        calls = [asyncio.create_task(space.read(held)) for _ in range(4)]
        await held.has_begun()  # the loop turns, and would not if a call held it
        held.may_go.set()
        await asyncio.gather(*calls)

    run(plain, ask)
