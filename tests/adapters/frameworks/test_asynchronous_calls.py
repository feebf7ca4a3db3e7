"""Asynchronous calls of adapters run beside the loop, in threads that keep what they opened."""

from __future__ import annotations

import asyncio
import threading
import warnings

import pytest

from memwiki.adapters.frameworks import bridge, langchain_memory, llama_index_memory
from memwiki.adapters.frameworks.langgraph_store import store
from memwiki.adapters.frameworks.openai_agents_memory import session
from memwiki.sync.open_index import OpenIndex
from memwiki.workspace import Workspace
from tests.waiting import PATIENCE_S


@pytest.fixture
def new(tmp_path):
    with Workspace.init(tmp_path / "new") as opened:
        opened.folder("wiki").create("herons.md", "# Herons\n\nHerons nest in high trees.\n")
        yield opened


@pytest.fixture
def openings(new, monkeypatch):
    """The threads that opened the index, each as often as it did."""
    new.sync()
    found, open_ = [], OpenIndex._opened_anew

    def opening(self, folder):
        found.append(threading.current_thread().name)
        return open_(self, folder)

    monkeypatch.setattr(OpenIndex, "_opened_anew", opening)
    return found


def test_retrievers_open_the_index_once_a_thread(new, openings):
    pytest.importorskip("langchain_core", reason="pip install 'memwiki[langchain]'")
    pytest.importorskip("llama_index.core", reason="pip install 'memwiki[llama-index]'")
    chain, llama = langchain_memory.retriever(new), llama_index_memory.retriever(new)

    async def ask():
        for number in range(5):
            query = f"where do herons nest? {number}"
            assert (await chain.ainvoke(query))[0].metadata["path"] == "wiki/herons.md"
            assert (await llama.aretrieve(query))[0].node.metadata["path"] == "wiki/herons.md"

    for _ in range(2):  # a loop after the other
        asyncio.run(ask())
    assert len(openings) == len(set(openings)) <= 2
    assert all(each.startswith("reader") for each in openings)


def test_a_store_reads_beside_readers_and_writes_beside_the_writer(new, monkeypatch):
    pytest.importorskip("langgraph.store.base", reason="pip install 'memwiki[langgraph]'")
    threads, kept = [], store(new)
    batch = type(kept).batch

    def noted(self, ops):
        threads.append(threading.current_thread().name.rpartition("_")[0])
        return batch(self, ops)

    monkeypatch.setattr(type(kept), "batch", noted)

    async def work():
        await kept.aput(("users",), "anna", {"content": "Anna likes tea."})
        return (await kept.aget(("users",), "anna")).value, len(await kept.asearch(("users",)))

    assert asyncio.run(work()) == ({"content": "Anna likes tea."}, 1)
    assert threads == ["writer", "reader", "reader"]


def test_a_history_is_read_and_written_beside_the_loop(new):
    pytest.importorskip("langchain_core", reason="pip install 'memwiki[langchain]'")
    from langchain_core.messages import HumanMessage

    with warnings.catch_warnings(action="ignore"):  # the framework calls its own base old
        history = langchain_memory.chat_history(new, "birds")

    async def work():
        await history.aadd_messages([HumanMessage("Where do herons nest?")])
        said = await history.aget_messages()
        await history.aclear()
        return said, await history.aget_messages()

    assert asyncio.run(work()) == ([HumanMessage("Where do herons nest?")], [])


def test_an_item_that_is_being_added_when_nobody_waits_is_whole(new, monkeypatch):
    pytest.importorskip("agents.memory", reason="pip install 'memwiki[openai-agents]'")
    begun, may_go, add = threading.Event(), threading.Event(), bridge.ChatSession.add

    def slow(self, role, text):
        begun.set()
        assert may_go.wait(PATIENCE_S)
        add(self, role, text)

    monkeypatch.setattr(bridge.ChatSession, "add", slow)
    talk = session(new, "birds")
    items = [{"role": "user", "content": f"Herons {number}."} for number in range(3)]

    async def work():
        adding = asyncio.create_task(talk.add_items(items))
        assert await asyncio.to_thread(begun.wait, PATIENCE_S)
        adding.cancel()
        may_go.set()
        with pytest.raises(asyncio.CancelledError):
            await adding
        return await talk.get_items()

    assert asyncio.run(work()) == items
