"""What the server promises beside its answers: limits, silence, and who is told of changes."""

import json
import logging
import threading

import pytest

pytest.importorskip("mcp.client", reason="needs memwiki[mcp]")

import anyio
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client
from mcp.server.subscriptions import ResourcesListChanged, ResourceUpdated
from mcp_types import JSONRPCError, jsonrpc_message_adapter

from memwiki.aio.face import Workers
from memwiki.doors import server
from memwiki.doors import service as openings
from memwiki.doors.own import OwnService, page_uris
from memwiki.doors.reference import ReferenceService
from memwiki.doors.server import McpServer, changed_pages, mend_line
from memwiki.doors.service import Opening, be_terse
from memwiki.errors import NoWorkspaceError, UsageError
from memwiki.serving.listening import Listening, listener
from memwiki.tools import DoorFlags
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.filterwarnings("ignore:resources/(un)?subscribe is removed")
REDIS = "memory://page/wiki/redis.md"
ADD = {"memories": [{"text": "Ben drinks coffee."}]}


@pytest.fixture(autouse=True)
def looks_often_and_waits_long(monkeypatch):
    monkeypatch.setattr(server, "_PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(server, "_BASE_SECONDS", PATIENCE_S)
    monkeypatch.setattr(server, "_SEND_SECONDS", PATIENCE_S)
    monkeypatch.setattr(openings, "PATIENCE_SECONDS", PATIENCE_S)


@pytest.fixture
def space(put, opened):
    put("memwiki.toml", '[layers]\nmemory = "memory.md"\nwiki = "wiki"\n')
    put("memory.md", "- Anna prefers green tea. ^m-000001\n")
    put("wiki/redis.md", "# Redis\n\nWe dropped Redis. See [[nowhere]].\n")
    put("wiki/diary.md", "---\nprivate: true\n---\n# Diary\n\nOf [[my heart]].\n")
    return opened()


def own(config=None, tell=lambda _: None, **flags):
    return OwnService(DoorFlags(**flags), config, is_structured=False, tell=tell)


def talk(service, work, opened, mode="legacy", tell=lambda _: None, **client):
    opening = Opening(opened)
    opening.begin()
    server = McpServer(service, opening, tell)

    async def main():
        with anyio.fail_after(PATIENCE_S):
            async with Client(server.server, mode=mode, **client) as connected:
                return await work(connected, server)

    try:
        return anyio.run(main)
    finally:
        server.close()
        assert server._opening._is_built.wait(PATIENCE_S)  # while its folder is still there


async def text(client, name, arguments):
    return (await client.call_tool(name, arguments)).content[0].text


def test_what_the_user_narrows_holds_for_a_workspace_that_is_made_later(space):
    found = []

    def opened():
        if not found:
            raise NoWorkspaceError("no workspace here", hint="memwiki init")
        return space

    async def work(client, _server):
        before = await text(client, "recall", {"question": "tea"})
        found.append(space)
        return before, await text(client, "add", ADD), await text(client, "status", {})

    before, added, status = talk(own(is_read_only=True), work, opened)
    assert before.startswith("error no_workspace: ")
    assert added.startswith("error read_only: ") and status.startswith("memwiki: fresh")


def test_a_workspace_that_is_only_read_is_so_however_the_server_began(put, opened, space):
    put("memwiki.toml", "[doors]\nread_only = true\n")
    entity = {"name": "Anna", "entityType": "person", "observations": []}

    async def work(client, _server):
        return await text(client, "add", ADD)

    async def as_reference(client, _server):
        return await text(client, "create_entities", {"entities": [entity]})

    narrow = opened()
    assert talk(own(), work, lambda: narrow).startswith("error read_only: ")
    assert talk(ReferenceService(), as_reference, lambda: narrow).startswith("error read_only: ")


def test_the_reference_tools_keep_the_limits_of_the_workspace(put, opened, space):
    put("memwiki.toml", "[doors]\nwrites_per_minute = 1\nmax_text_kb = 1\n")
    narrow = opened()

    async def work(client, _server):
        def made(name):
            entity = {"name": name, "entityType": "person", "observations": []}
            return text(client, "create_entities", {"entities": [entity]})

        return await made("x" * 2_000), await made("Anna"), await made("Ben")

    large, done, many = talk(ReferenceService(), work, lambda: narrow)
    assert large.startswith("error too_large: ") and "Anna" in done
    assert many.startswith("error rate_limited: ")


def test_the_prompt_to_tidy_names_nothing_private(space):
    async def work(client, _server):
        return (await client.get_prompt("tidy")).messages[0].content.text

    found = talk(own(), work, lambda: space)
    assert "nowhere" in found and "my heart" not in found and "diary" not in found
    assert "my heart" in talk(own(has_private=True), work, lambda: space)


@pytest.mark.parametrize("profile", ["small", "graph-memory"])
def test_resources_and_prompts_are_there_in_every_profile(space, profile):
    async def work(client, _server):
        read = [await client.read_resource(uri) for uri in ("memory://index", REDIS)]
        prompt = await client.get_prompt("answer", {"question": "why drop Redis?"})
        return [each.contents[0].text for each in read], prompt.messages[0].content.text

    (index, page), prompt = talk(own(profile=profile), work, lambda: space)
    assert "pages; browse path=" in index and "dropped Redis" in page
    assert "dropped Redis" in prompt and "diary" not in index


def test_a_page_is_read_by_its_path_alone(space):
    wrong = ("redis.md", "wiki/../wiki/redis.md", "%2e%2e/wiki/redis.md", "wiki/redis.md%00.md")

    async def work(client, _server):
        for path in wrong:
            with pytest.raises(Exception, match="Resource not found"):
                await client.read_resource(f"memory://page/{path}")
        return (await client.read_resource("memory://page/wiki%2Fredis.md")).contents[0].text

    assert "dropped Redis" in talk(own(), work, lambda: space)


# --- who is told ---


def test_an_older_client_is_told_whoever_wrote_until_it_asks_no_more(space, put):
    told, gone = [], ("notifications/resources/updated", "notifications/resources/list_changed")

    async def heard(message):
        if getattr(message, "method", "") in gone:
            told.append(message)

    async def until(count):
        while len(told) < count:
            await anyio.sleep(0.02)

    async def work(client, server):
        await client.subscribe_resource(REDIS)
        await client.subscribe_resource("memory://page/wiki/diary.md")
        put("wiki/diary.md", "---\nprivate: true\n---\n# Diary\n\nNew.\n")
        # Saved whole: a page that is seen half-written is told of twice.
        (space.root / "redis.new").write_text("# Redis\n\nAnother text.\n")
        (space.root / "redis.new").replace(space.root / "wiki/redis.md")
        await text(client, "search", {"query": "another"})  # which takes the change in at once
        await until(1)
        arguments = {"action": "append", "name": "wiki/redis.md", "text": "By an agent."}
        await text(client, "write", arguments)
        put("wiki/new.md", "# New\n")
        await until(3)
        await client.unsubscribe_resource(REDIS)
        await client.unsubscribe_resource("memory://page/wiki/diary.md")
        return server.subscribed.is_wanted

    with space.watch():  # another program watches the same folder
        assert not talk(own(), work, lambda: space, message_handler=heard)
    assert [each.method for each in told] == [gone[0], gone[0], gone[1]]
    assert {str(each.params.uri) for each in told[:2]} == {REDIS}


def test_a_client_that_is_gone_is_told_nothing_more(space):
    async def work(client, server):
        await client.subscribe_resource(REDIS)
        assert server.subscribed.is_wanted
        return server

    assert not talk(own(), work, lambda: space).subscribed.is_wanted


def test_a_newer_client_is_told_of_pages_and_that_they_came(space, put):
    async def work(client, server):
        async with client.listen(
            resources_list_changed=True, resource_subscriptions=["memory://page/wiki/a (b).md"]
        ) as events:
            put("wiki/a (b).md", "# A\n")
            found = [await anext(aiter(events)) for _ in range(2)]
        return found, server

    found, server = talk(own(), work, lambda: space, mode="auto")
    assert [type(each) for each in found] == [ResourceUpdated, ResourcesListChanged]
    assert not server.subscribed.is_wanted


def test_the_graph_of_the_reference_server_is_told_of(space, put):
    heard = anyio.Event()

    async def handler(message):
        if getattr(message, "method", "") == "notifications/resources/updated":
            assert str(message.params.uri) == "memory://knowledge-graph"
            heard.set()

    async def work(client, _server):
        await client.subscribe_resource("memory://knowledge-graph")
        put("wiki/redis.md", "# Redis\n\nAnother text.\n")
        await heard.wait()

    talk(ReferenceService(), work, lambda: space, message_handler=handler)


def test_what_changed_is_what_another_digest_tells():
    before = {"a.md": "1", "gone.md": "1", "c.md": "1"}
    assert changed_pages(before, {"a.md": "2", "c.md": "1", "gone.md": "1"}) == (["a.md"], False)
    assert changed_pages(before, {"a.md": "1", "c.md": "1"}) == (["gone.md"], True)
    assert changed_pages({}, before) == (["a.md", "c.md", "gone.md"], True)


def test_uris_of_a_page_are_those_that_clients_write():
    assert page_uris("wiki/a (b).md") == {
        "memory://page/wiki/a (b).md",
        "memory://page/wiki/a%20%28b%29.md",
        "memory://page/wiki/a%20(b).md",
    }
    assert page_uris("\udcff.md")


# --- threads ---


def test_calls_that_wait_for_the_first_index_take_no_thread(space, monkeypatch):
    monkeypatch.setattr(openings, "PATIENCE_SECONDS", 0.2)
    is_open = threading.Event()

    def opened():
        assert is_open.wait(PATIENCE_S)
        return space

    async def work(client, _server):
        said = []

        async def ask():
            said.append(await text(client, "status", {}))

        async with anyio.create_task_group() as group:
            for _ in range(6):
                group.start_soon(ask)
        # Threads of a pool stay: one that was taken would still be there.
        busy = [each.name for each in threading.enumerate() if each.name.startswith("reader")]
        is_open.set()
        monkeypatch.setattr(openings, "PATIENCE_SECONDS", PATIENCE_S)
        return said, busy, await text(client, "status", {})

    said, busy, after = talk(own(), work, opened)
    assert all(each.startswith("error indexing: ") for each in said) and len(said) == 6
    assert busy == [] and after.startswith("memwiki: fresh")


def test_a_write_that_runs_completes_and_one_that_waits_is_dropped():
    workers, began, go, done = Workers(), threading.Event(), threading.Event(), []

    def first():
        began.set()
        assert go.wait(PATIENCE_S)
        done.append("first")

    async def second():
        try:
            await workers.run(lambda: done.append("second"), is_reading=False)
        finally:
            go.set()

    async def main():
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: workers.run(first, is_reading=False))
            await anyio.to_thread.run_sync(began.wait)
            group.start_soon(second)
            await anyio.wait_all_tasks_blocked()
            group.cancel_scope.cancel()

    anyio.run(main)
    workers.close(lambda: None)
    assert done == ["first"]


# --- what is said ---


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_fault_of_ours_says_nothing_of_what_was_asked(space, monkeypatch, mode):
    log = []

    def broken(*_args, **_named):
        raise ValueError("PLANTEDSECRET")

    monkeypatch.setattr("memwiki.adapters.reference_memory.call", broken)
    monkeypatch.setattr("memwiki.adapters.reference_memory.resource_text", broken)

    async def work(client, _server):
        said = await client.call_tool("search_nodes", {"query": "PLANTEDSECRET"})
        with pytest.raises(Exception, match="unexpected") as raised:
            await client.read_resource("memory://knowledge-graph")
        return said, str(raised.value)

    said, raised = talk(ReferenceService(), work, lambda: space, mode=mode, tell=log.append)
    assert said.is_error and said.content[0].text.startswith("error unexpected: ")
    assert "PLANTEDSECRET" not in raised + "".join(log) and "ValueError" in log[0]


def test_words_of_libraries_and_threads_do_not_reach_the_log():
    log, root, hook = [], logging.getLogger(), threading.excepthook
    handlers, level = root.handlers[:], root.level
    try:
        be_terse(log.append)
        try:
            raise ValueError("PLANTEDSECRET")
        except ValueError:
            logging.getLogger("mcp.server").exception("of %s", "PLANTEDSECRET")

        def fail():
            raise KeyError("PLANTEDSECRET")

        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
    finally:
        root.handlers[:], root.level, threading.excepthook = handlers, level, hook
    assert "PLANTEDSECRET" not in "".join(log)
    assert log[0].startswith("error at mcp.server:") and log[1].startswith("KeyError at")


# --- lines ---


def said_of(line):
    try:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    except Exception as error:
        return mend_line(error)
    return None


@given(st.text(st.characters(exclude_categories=[]), min_size=1))
def test_any_text_that_a_host_can_write_is_read(half):
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": half + "\ud83d"}}
    found = said_of(json.dumps(asked))
    assert found.message.id == 1 and found.message.method == "tools/call"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("{", -32700),
        ("[" * 200_000, -32700),
        ('{"a":' * 50_000 + "1" + "}" * 50_000, -32700),
        ('{"jsonrpc":"2.0","method":"ping","id":' + "9" * 5_000 + "}", -32700),
        ('[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
        ('"\\ud83d"', -32600),
        ("7", -32600),
    ],
)
def test_a_line_that_is_no_message_is_answered(line, code):
    found = said_of(line)
    assert isinstance(found, JSONRPCError) and found.id is None and found.error.code == code


# --- HTTP ---


def test_a_port_that_is_taken_is_said_before_anything_is_served():
    with listener(Listening.at("0", (), "", has_token=True)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match="cannot be served"):
            listener(Listening.at(str(port), (), "", has_token=True))
