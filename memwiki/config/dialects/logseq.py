"""Logseq's settings: where pages and journals lie, how days and pages are called, what is hidden.

Source: the comments in the config.edn that Logseq writes, and its file name formats (since 0.8.9).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from memwiki.config.dialects.programs import ForeignSetting, ForeignSettings, patterns_of, unusable
from memwiki.names import LOGSEQ_CONFIG
from memwiki.text import pattern
from memwiki.times.day_names import of_unicode

CONFIG = LOGSEQ_CONFIG
FILES = (CONFIG,)
LOWBARS, ENCODED = "___", "%2F"  # what a file name has for a `/` of the page's name
BACKUPS = ("logseq/bak/", "logseq/.recycle/", "logseq/version-files/")
# Texts go before comments: a `;` in one begins none. One that nothing ends goes to the end.
_COMMENT = pattern(r'("(?:[^"\\]|\\.)*+"?)|;[^\n]*', re.DOTALL)
_SETTING = r":{key}(?![\w/?-])[\s,]++(?:\"([^\"\n]*)\"|:([^\s,\"}}\])]++)|(\[[^\[\]]*\]))"
_TEXT = pattern(r'"([^"\\\n]*)"')
_DEFAULTS = {
    "pages-directory": "pages",
    "journals-directory": "journals",
    "journal/file-name-format": "yyyy_MM_dd",
    "journal/page-title-format": "MMM do, yyyy",
}
_FOLDERS = {"journals-directory": "layers.daily", "pages-directory": "pages.folder"}
_DAYS = {
    "journal/file-name-format": "pages.daily_format",
    "journal/page-title-format": "pages.daily_title",
}


class GraphSettings(NamedTuple):
    """How the files of a graph are called, and where they are; days as strftime patterns."""

    slash: str = LOWBARS  # what its file names have for one
    day_title: str = "%b %o, %Y"
    day_file: str = "%Y_%m_%d"
    pages: str = "pages"
    journals: str = "journals"


def graph_settings(config: str) -> GraphSettings:
    """What config.edn says of a graph, or Logseq does where it says nothing."""
    text, usual = without_comments(config), GraphSettings()
    return GraphSettings(
        slash_of(text),
        of_unicode(value_of(text, "journal/page-title-format")) or usual.day_title,
        of_unicode(value_of(text, "journal/file-name-format")) or usual.day_file,
        value_of(text, "pages-directory").strip("/"),
        value_of(text, "journals-directory").strip("/"),
    )


def settings_in(texts: Mapping[str, str]) -> ForeignSettings:
    """What config.edn says, or Logseq does where it says nothing."""
    text = without_comments(texts.get(CONFIG, ""))
    for name, key in _FOLDERS.items():
        yield ForeignSetting(CONFIG, key, value_of(text, name).strip("/"))
    for name, key in _DAYS.items():
        pattern = of_unicode(value_of(text, name))
        if not pattern:
            yield unusable(CONFIG, f"{name} does not name days in a way that can be read")
        yield ForeignSetting(CONFIG, key, pattern or of_unicode(_DEFAULTS[name]))
    yield ForeignSetting(CONFIG, "pages.slash", slash_of(text))
    yield ForeignSetting(
        CONFIG, "files.ignore", [*_hidden(text), *(f"/{each}" for each in BACKUPS)]
    )


def slash_of(text: str) -> str:
    """What the file names of a graph have for a slash."""
    return LOWBARS if value_of(text, "file/name-format") == "triple-lowbar" else ENCODED


def without_comments(config: str) -> str:
    """The settings alone."""
    return _COMMENT.sub(lambda match: match[1] or "", config)


def value_of(text: str, key: str) -> str:
    """A text or keyword of the settings, Logseq's own where none is given."""
    found = re.search(_SETTING.format(key=re.escape(key)), text)
    return (found and (found[1] or found[2])) or _DEFAULTS.get(key, "")


def _hidden(text: str) -> list[str]:
    found = re.search(_SETTING.format(key="hidden"), text)
    return patterns_of(_TEXT.findall(found[3])) if found and found[3] else []
