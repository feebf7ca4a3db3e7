"""What is told of a setting, and which values it may have."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

from memwiki.dates import ISO
from memwiki.nouns import (
    DENDRON,
    DOCUSAURUS,
    FOAM,
    LOGSEQ,
    MKDOCS,
    OBSIDIAN,
    QUARTZ,
    Dialect,
    Nested,
)
from memwiki.records import NamedTuple

PLAIN = "plain"
AUTO, TITLE, SLUG = "auto", "title", "slug"


class About(NamedTuple):
    """What a setting is for, and which values it may have."""

    help: str
    least: float = 0
    most: float = inf
    choices: tuple[str, ...] = ()
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
    vaults: tuple[str, ...] = ()
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
    ignore: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


ABOUT = {
    "pages.dialect": About(
        "program whose form pages have; found by its own folder or file",
        choices=(PLAIN, OBSIDIAN, LOGSEQ, DENDRON, FOAM, MKDOCS, DOCUSAURUS, QUARTZ),
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
}
