"""Retrievers of LangChain and LlamaIndex are answered by recall."""

from __future__ import annotations

import asyncio
import re
import warnings
from functools import partial
from pathlib import Path

import pytest

from memwiki.adapters.frameworks import langchain_memory, llama_index_memory

PAGES = "\n".join(f"--- wiki/{n}.md ---\n# Page {n}\n\nHerons nest in tree {n}." for n in range(5))


@pytest.fixture
def herons(ws, write_blocks):
    write_blocks(PAGES)
    return ws


def test_the_standard_tests_of_langchain_pass(herons):
    suite = pytest.importorskip(
        "langchain_tests.integration_tests",
        reason="pip install langchain-tests",
    )

    class Ours(suite.RetrieversIntegrationTests):
        retriever_constructor = partial(langchain_memory.retriever, herons)
        retriever_query_example = "where do herons nest?"

    tests = Ours()
    tests.test_k_constructor_param()
    retriever = tests.retriever_constructor()
    tests.test_invoke_with_k_kwarg(retriever)
    tests.test_invoke_returns_documents(retriever)
    asyncio.run(tests.test_ainvoke_returns_documents(retriever))


def test_a_document_says_where_it_is_from(herons):
    pytest.importorskip("langchain_core", reason="pip install 'memwiki[langchain]'")
    (found,) = langchain_memory.retriever(herons, k=1).invoke("herons tree 3")
    hit = next(iter(herons.recall("herons tree 3", limit=1)))
    assert found.page_content == hit.excerpt
    said = found.metadata
    assert (said["path"], said["line_start"], said["line_end"]) == (hit.path, 1, 3)
    assert (said["score"], said["date"], said["id"]) == (hit.score, hit.updated, hit.id)


def test_nodes_of_llama_index_are_the_hits(herons):
    pytest.importorskip("llama_index.core", reason="pip install 'memwiki[llama-index]'")
    retriever = llama_index_memory.retriever(herons, k=2)
    hits = herons.recall("herons", limit=2).hits
    for nodes in (retriever.retrieve("herons"), asyncio.run(retriever.aretrieve("herons"))):
        assert [each.node.metadata["path"] for each in nodes] == [hit.path for hit in hits]
        assert [each.score for each in nodes] == [hit.score for hit in hits]


def test_the_examples_of_the_docs_run_as_written(tmp_path, monkeypatch):
    for name in ("langgraph.store.base", "langchain_core", "llama_index.core", "agents"):
        pytest.importorskip(name, reason=f"{name} is not installed")
    text = (Path(__file__).parents[3] / "docs" / "frameworks.md").read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    for example in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        names = {}
        with warnings.catch_warnings(action="ignore"):  # the framework calls its own base old
            exec(compile(example, "docs/frameworks.md", "exec"), names)
        names["workspace"].close()
