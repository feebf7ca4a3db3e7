"""Whatever is asked about fits into the context that is set without anybody's doing."""

from __future__ import annotations

import pytest

from memwiki.config.models import ChatConfig
from tests.proposals.conftest import SETTINGS

WORDS = {
    "en": "The heat pump of house {} was measured in the winter of 2024 by Anna of Kiel.",
    "zh": "房子{}的热泵在二零二四年冬天由基尔的安娜测量，效果很好，比燃气锅炉便宜。",
}


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("job", ["ingest", "extract"])
def test_a_long_source_fits_with_what_is_known_beside_it(
    opened, put, write_blocks, monkeypatch, language, job
):
    write_blocks(SETTINGS)
    said = WORDS[language]
    sections = "\n\n".join(f"## {said.format(n)}\n\n{said.format(n)}" for n in range(4))
    for n in range(12):
        put(f"wiki/{n}.md", f"# {n} {said.format(n)}\n\n{said.format(n)}\n\n{sections}\n")
    memories = "\n".join(f"- {said.format(n)} ^m-aaaa{n:02}" for n in range(20))
    put("memory.md", f"# Memory\n\n{memories}\n")
    text = "\n\n".join(said.format(n) for n in range(100))
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_BASE_URL", "http://127.0.0.1:9/v1")
    space = opened()
    if job == "ingest":
        kept = space.curation.keep(f"# Study\n\n{text}\n".encode(), "study.md")
        requests = space.curation.ingest_preview(kept.text).requests
    else:
        requests = space.curation.extract_preview(text=text).requests
    most = ChatConfig().context_tokens
    assert len(requests) > 1
    assert all(each.tokens_in + each.tokens_out <= most for each in requests)
    assert "Known already" in requests[0].body or "Pages that are there" in requests[0].body
