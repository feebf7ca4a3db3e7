"""The form of pages: the settings of [pages], which other programs' settings may say, too."""

from __future__ import annotations

from typing import NamedTuple

from memwiki.config.about import About
from memwiki.model import DENDRON, LOGSEQ, OBSIDIAN, Dialect
from memwiki.times.day_names import ISO

PLAIN = "plain"


class PagesConfig(NamedTuple):
    """[pages]: the form of pages, which other programs' settings may say too."""

    dialect: str = PLAIN
    folder: str = ""
    templates: str = ""
    daily_format: str = ISO
    daily_title: str = ""
    daily_template: str = ""
    slash: str = "%2F"
    vaults: tuple[str, ...] = ()

    @property
    def form(self) -> Dialect:
        """What reading and writing a page depend on."""
        if self.dialect == PLAIN and self.daily_format == ISO and not self.daily_title:
            return Dialect()
        name = "" if self.dialect == PLAIN else self.dialect
        slash = self.slash if name == LOGSEQ else ""
        return Dialect(name, self.daily_format, self.daily_title, slash, self.vaults)


ABOUT = {
    "pages.dialect": About(
        "program whose form pages have; found by its own folder or file",
        choices=(PLAIN, OBSIDIAN, LOGSEQ, DENDRON),
    ),
    "pages.folder": About("folder of new pages that no type or path places", is_location=True),
    "pages.templates": About("folder of templates", is_location=True),
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
}
