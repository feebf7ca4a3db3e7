"""For LlamaIndex: a retriever over a workspace."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from memwiki.adapter_api import MissingExtraError
from memwiki.adapters.frameworks.bridge import metadata_of, read_beside

if TYPE_CHECKING:
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle

    from memwiki import Workspace


def retriever(workspace: Workspace, k: int = 8, **asked: Any) -> BaseRetriever:  # noqa: ANN401 - of recall
    """A retriever whose nodes are what `workspace.recall` answers, given `asked`; at most `k`.

    Raises MissingExtraError where llama-index-core is not installed.
    """
    try:
        from llama_index.core.base.base_retriever import BaseRetriever
    except ImportError as error:
        raise MissingExtraError("llama-index", "llama-index-core") from error

    class LlamaIndexRetriever(BaseRetriever):  # type: ignore[misc]
        """Nodes with path, lines, score, date and id."""

        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            return _nodes(workspace, query_bundle.query_str, k, asked)

        async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            return await read_beside(workspace, partial(self._retrieve, query_bundle))

    return LlamaIndexRetriever()


def _nodes(workspace: Workspace, query: str, k: int, asked: dict[str, Any]) -> list[NodeWithScore]:
    from llama_index.core.schema import NodeWithScore, TextNode

    return [
        NodeWithScore(
            node=TextNode(
                text=hit.excerpt,
                id_=f"{hit.path}#L{hit.line_start}-L{hit.line_end}",
                metadata=metadata_of(hit),
            ),
            score=hit.score,
        )
        for hit in workspace.recall(query, limit=k, **asked)
    ]
