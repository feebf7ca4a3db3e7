"""What is wanted of models that read sessions and sources, and when they do so by themselves."""

from __future__ import annotations

from memwiki.config.pages import About
from memwiki.records import NamedTuple


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
