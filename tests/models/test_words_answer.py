"""Whatever the server of vectors does, a question is answered by words, and says why; whoever reads
the answer sees no key, and no page changes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memwiki.present.plain import as_json
from memwiki.sync.embedder import EmbeddingModel
from memwiki.sync.embedding import VectorIndex
from memwiki.workspace import Workspace
from tests.models.conftest import KEY
from tests.models.test_faults import ROWS
from tests.scripted_server import Step, answer, dripping, head, says, vectors

ENTRIES = (
    "# Memory\n\n- The physician wants more sleep. ^m-aaaaaa\n- Anna drives to Ulm. ^m-bbbbbb\n"
)
CHAT_ALONE = ("cut stream", "broken stream", "error inside a stream", "too long inside", "filter")
OWN: dict[str, list[Step]] = {
    "no number": [answer(200, {"data": [{"index": 0, "embedding": [float("nan"), 1, 0]}]})],
    "another width": [vectors([1, 0])],
    "too few": [answer(200, {"data": []})],
    "a wrong place": [answer(200, {"data": [{"index": 7, "embedding": [1, 0, 0]}]})],
    "no vectors": [answer(200, {"data": "none"})],
    "a stream": [says("tea")],
    "8 MB": [answer(200, b" " * 9_000_000)],
    "drips": [dripping(head(200, Content_Length="99999"), b" ")],
}
FAULTS = {name: row[0] for name, row in ROWS.items() if name not in CHAT_ALONE} | OWN


@pytest.fixture
def asked(put, ws: Workspace, server, run) -> Callable[..., VectorIndex]:
    """A workspace whose two entries have vectors of a server, which then does what it is told."""
    put("memory.md", ENTRIES)
    ws.sync()
    server.then(vectors([1, 0, 0], [0, 1, 0]))
    live = ws.live
    assert live.cache_folder is not None
    model = EmbeddingModel(run(width=3).embedder(), "server", False)
    live.vectors = VectorIndex(live.cache_folder.whole, model, "memories", live.settings.digest())
    live.vectors.fill(live, seconds=60)
    return live.vectors


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_the_server_leaves_the_answer_of_words(name, ws, root, server, asked):
    before = {path: path.read_bytes() for path in root.rglob("*.md")}
    server.then(*FAULTS[name])
    found = ws.recall("where does anna drive")
    assert [hit.id for hit in found.hits][:1] == ["m-bbbbbb"]
    assert not found.vectors.used
    assert found.vectors.reason
    assert KEY not in as_json(found)
    assert {path: path.read_bytes() for path in root.rglob("*.md")} == before
