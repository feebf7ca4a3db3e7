"""Tables of memwiki.toml with what each setting is for: how the index is kept, how recall answers,
what is embedded for it, and what is wanted of models that read sessions and sources.
"""

from __future__ import annotations

from memwiki.config.pages import About
from memwiki.records import NamedTuple

WHOOSH, SQLITE = KEYWORD_BACKENDS = ("whoosh", "sqlite")


class IndexConfig(NamedTuple):
    """[index]"""

    keyword: str = WHOOSH
    workers: int = 0


class RecallConfig(NamedTuple):
    """[recall]"""

    max_results: int = 20
    mode: str = "auto"
    weights: tuple[str, ...] = ()
    min_score: float = 0.003
    depth: int = 2
    inject_limit: int = 5
    core_in_prompt: bool = True
    budget_tokens: int = 2000
    cache_size: int = 256
    cache_seconds: float = 300
    vectors: str = "auto"
    fusion: str = "bonus"
    early_return: float = 0


class VectorsConfig(NamedTuple):
    """[vectors]"""

    of: str = "memories"


class ExtractConfig(NamedTuple):
    """[extract]"""

    min_importance: float = 0.5
    on: tuple[str, ...] = ()
    auto_store: bool = False


class IngestConfig(NamedTuple):
    """[ingest]"""

    max_pages: int = 10
    max_bytes: int = 50_000_000


class CurationConfig(NamedTuple):
    """[curation]"""

    at: str = ""
    max_open: int = 20


ABOUT = {
    "index.keyword": About(
        "what keeps the postings: Whoosh, or one file of SQLite, which is smaller",
        choices=KEYWORD_BACKENDS,
    ),
    "index.workers": About(
        "processes that read pages when many are new: 0 is one a core, 8 at most"
    ),
    "recall.max_results": About("number of hits in an answer", 1),
    "recall.mode": About(
        "whether recall asks the graph, too: never, always or where it may help",
        choices=("auto", "fast", "deep"),
    ),
    "recall.weights": About(
        "what each score adds to a recall, such as `text 0.8`; empty: as measured", is_named=True
    ),
    "recall.min_score": About("least score of what recall gives", most=1),
    "recall.depth": About("steps that a recall goes in the graph"),
    "recall.inject_limit": About("memories that inject adds for a question", 1),
    "recall.core_in_prompt": About("a prompt begins with the core memories"),
    "recall.budget_tokens": About("most tokens of a prompt"),
    "recall.cache_size": About("answers of recall that are kept to be given again"),
    "recall.cache_seconds": About("how long they are kept"),
    "recall.vectors": About(
        "whether meaning counts beside words, where there are vectors; only: it alone",
        choices=("off", "auto", "only"),
    ),
    "recall.fusion": About(
        "how meaning is joined to words: a small bonus, by ranks, or 0.7 and 0.3 of the scores",
        choices=("bonus", "rrf", "weighted"),
    ),
    "recall.early_return": About(
        "score of words from which meaning is not asked; 0: it always is", most=1
    ),
    "vectors.of": About(
        "what is embedded: entries and messages, also the beginning of each page, or all",
        choices=("memories", "pages", "all"),
    ),
    "extract.min_importance": About(
        "facts that a model gives less importance are left out", most=1
    ),
    "extract.on": About(
        "when facts are extracted by themselves, where [models.triggers] of your config.toml names"
        " the workspace",
        choices=("session_end",),
    ),
    "extract.auto_store": About(
        "accept new entries that are supported and not flagged by itself, named there, too"
    ),
    "ingest.max_pages": About("new pages that a model may propose of one source"),
    "ingest.max_bytes": About("a longer source is refused", 1),
    "curation.at": About(
        "when memories are curated by themselves each day, as 21:00, while memwiki watch runs and"
        " where [models.triggers] names the workspace",
        is_time=True,
    ),
    "curation.max_open": About("open proposals with which what happens by itself waits", 1),
}
