"""Where a framework is not installed, its adapter says what is missing and how to get it."""

from __future__ import annotations

import sys

import pytest

from memwiki.adapters.frameworks import (
    anthropic_memory,
    langchain_memory,
    langgraph_store,
    llama_index_memory,
    openai_agents_memory,
)
from memwiki.errors import MissingExtraError

CHAT = ("chat",)
LLAMA = "llama_index.core.base.base_retriever"


@pytest.mark.parametrize(
    ("module", "make", "named", "extra", "package"),
    [
        ("langchain_core.retrievers", langchain_memory.retriever, (), "langchain", ""),
        ("langchain_core.chat_history", langchain_memory.chat_history, CHAT, "langchain", ""),
        (
            "llama_index.core.base.base_retriever",
            llama_index_memory.retriever,
            (),
            "llama-index",
            "",
        ),
        ("agents.memory", openai_agents_memory.session, CHAT, "openai-agents", ""),
        ("langgraph.store.base", langgraph_store.store, (), "langgraph", "langgraph-checkpoint"),
        ("anthropic.lib", anthropic_memory.memory_tool, (), "anthropic", "anthropic"),
        ("anthropic.lib", anthropic_memory.async_memory_tool, (), "anthropic", "anthropic"),
    ],
)
def test_it_says_what_to_install(ws, monkeypatch, module, make, named, extra, package):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=f"{package}: is not installed") as raised:
        make(ws, *named)
    assert raised.value.code == "missing_extra"
    assert raised.value.hint == f"pip install 'memwiki[{extra}]'"
