"""Tables of memwiki.toml with what each setting is for: the form of pages, how the index is kept,
how recall answers, what is embedded for it, and what is wanted of models that read sessions and
sources.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import TypeAlias

from memwiki.dates import ISO
from memwiki.nouns import (
    DENDRON,
    DOCUSAURUS,
    FOAM,
    GITHUB,
    LOGSEQ,
    MKDOCS,
    OBSIDIAN,
    QUARTZ,
    VITEPRESS,
    Dialect,
    Nested,
)
from memwiki.records import NamedTuple

Texts: TypeAlias = tuple[str, ...]  # a list of texts, as TOML has it
PLAIN = "plain"
AUTO, TITLE, SLUG = "auto", "title", "slug"
WHOOSH, SQLITE = KEYWORD_BACKENDS = ("whoosh", "sqlite")


class About(NamedTuple):
    """What a setting is for, and which values it may have."""

    help: str
    least: float = 0
    most: float = inf
    choices: Texts = ()
    numbers: int = 0  # how many a list holds; 0 of a list of texts
    is_named: bool = False  # each text of a list is a word and a number
    is_location: bool = False  # a place in the workspace
    is_day: bool = False  # a pattern of days
    is_time: bool = False  # of the day, such as 21:00

    @property
    def allowed(self) -> str:
        """Its values as people read them; "" where its type says them all."""
        numbers = f"{self.least:g} to {self.most:g}" if self.most < inf else ""
        return " or ".join(self.choices) or numbers


class PagesConfig(NamedTuple):
    """[pages]: the form of pages, which other programs' settings may say too."""

    dialect: str = PLAIN
    filename: str = AUTO
    folder: str = ""
    templates: str = ""
    daily_format: str = ISO
    daily_title: str = ""
    daily_template: str = ""
    slash: str = "%2F"
    vaults: Texts = ()
    root: str = ""

    @property
    def form(self) -> Dialect:
        """What reading and writing a page depend on."""
        if self.dialect == PLAIN and self.daily_format == ISO and not self.daily_title:
            return Dialect(templates=self.templates, root=self.root)
        name = "" if self.dialect == PLAIN else self.dialect
        slash = self.slash if name == LOGSEQ else ""
        return Dialect(
            *(name, self.daily_format, self.daily_title, slash),
            *(self.vaults, self.templates, self.root),
        )

    @property
    def is_named_by_title(self) -> bool:
        """Whether the file of a new page is called as its title, as links in Obsidian need it."""
        return self.filename == TITLE or (
            self.filename == AUTO and self.dialect in (OBSIDIAN, QUARTZ)
        )


class NestedForms(NamedTuple):
    """What holds in folders that programs keep within the workspace."""

    layers: tuple[Nested, ...] = ()
    pages: Mapping[str, PagesConfig] = {}
    ignore: Texts = ()
    notes: Texts = ()


class IndexConfig(NamedTuple):
    """[index]"""

    keyword: str = WHOOSH
    workers: int = 0


class RecallConfig(NamedTuple):
    """[recall]"""

    max_results: int = 20
    mode: str = "auto"
    weights: Texts = ()
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
    on: Texts = ()
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
    "pages.dialect": About(
        "program whose form pages have; found by its own folder or file",
        choices=(
            PLAIN,
            OBSIDIAN,
            LOGSEQ,
            DENDRON,
            FOAM,
            MKDOCS,
            DOCUSAURUS,
            QUARTZ,
            VITEPRESS,
            GITHUB,
        ),
    ),
    "pages.filename": About(
        "what the file of a new page is called by: its title, so that [[Title]] works anywhere, or "
        "a slug of it; auto is title in vaults of Obsidian and Quartz, else slug",
        choices=(AUTO, TITLE, SLUG),
    ),
    "pages.folder": About("folder of new pages that no type or path places", is_location=True),
    "pages.templates": About("folder of templates, for new --template", is_location=True),
    "pages.daily_format": About(
        "how the file of a day is called: %Y %m %d, %-m and %-d without zeros, %o (1st), "
        "%B %b %A %a %j %G %V",
        is_day=True,
    ),
    "pages.daily_title": About("how links call a day, in the same letters", is_day=True),
    "pages.daily_template": About("template of daily notes", is_location=True),
    "pages.slash": About(
        "what a file of Logseq's has for the / of a page's name", choices=("%2F", "___")
    ),
    "pages.vaults": About("names that dendron:// links call the vaults of this workspace by"),
    "pages.root": About(
        "folder of which a site is made, where links from / begin; the docs_dir of MkDocs",
        is_location=True,
    ),
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
