"""Obsidian's settings: daily notes, templates, excluded files, where new notes go."""

from __future__ import annotations

from collections.abc import Mapping

from memwiki.config.dialects.programs import (
    PROGRAMS,
    ForeignSetting,
    ForeignSettings,
    pattern_of_expression,
    patterns_of,
    unusable,
)
from memwiki.nouns import OBSIDIAN
from memwiki.times.day_names import of_moment

FILES = PROGRAMS[OBSIDIAN].files
_APP, _DAILY, _TEMPLATES, _PLUGINS, _PERIODIC = FILES
_FOLDERS = {
    (_DAILY, "folder"): "layers.daily",
    (_TEMPLATES, "folder"): "pages.templates",
    (_APP, "newFileFolderPath"): "pages.folder",
}
_IGNORED = "userIgnoreFilters"
_MAX_IGNORED = 500  # each is held against every path


def settings_in(texts: Mapping[str, str]) -> ForeignSettings:
    """What the files say, by their paths."""
    for source, text in texts.items():
        if source in (_PLUGINS, _PERIODIC):
            continue
        values = _values(text)
        if values is None:
            yield unusable(source, "is not JSON that can be read")
            continue
        yield from _folders(source, values)
        if source == _DAILY:
            yield from _daily(_DAILY, values)
        if source == _APP and values.get(_IGNORED):
            yield from _ignored(values[_IGNORED])
    yield from _periodic(texts)


def _periodic(texts: Mapping[str, str]) -> ForeignSettings:
    """What the plugin for periodic notes says of days, which it takes over where it is switched
    on; it leaves its file behind when it is not."""
    switched_on = _parsed(texts.get(_PLUGINS, ""))
    if not isinstance(switched_on, list) or "periodic-notes" not in switched_on:
        return
    daily = (_values(texts.get(_PERIODIC, "")) or {}).get("daily")
    if not isinstance(daily, dict) or daily.get("enabled") is not True:
        return
    if daily.get("folder") not in (None, "", "/"):
        yield from _text(_PERIODIC, "folder", daily["folder"], "layers.daily")
    yield from _daily(_PERIODIC, daily)


def _values(text: str) -> Mapping[str, object] | None:
    found = _parsed(text)
    return found if isinstance(found, dict) else None


def _parsed(text: str) -> object:
    import json

    try:
        return json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None


def _folders(source: str, values: Mapping[str, object]) -> ForeignSettings:
    for (file, name), key in _FOLDERS.items():
        is_asked = name != "newFileFolderPath" or values.get("newFileLocation") == "folder"
        if file != source or not is_asked or values.get(name) in (None, "", "/"):
            continue
        yield from _text(source, name, values[name], key)


def _text(source: str, name: str, value: object, key: str) -> ForeignSettings:
    if isinstance(value, str):
        yield ForeignSetting(source, key, value.strip().strip("/"))
    else:
        yield unusable(source, f"{name} is not a text")


def _daily(source: str, values: Mapping[str, object]) -> ForeignSettings:
    written = values.get("format") or ""
    pattern = of_moment(written) if isinstance(written, str) else ""
    if pattern:
        yield ForeignSetting(source, "pages.daily_format", pattern)
    elif written:
        yield unusable(source, "format does not name days in a way that can be read")
    template = values.get("template") or ""
    for each in _text(source, "template", template, "pages.daily_template") if template else ():
        has_suffix = str(each.value).endswith((".md", ".markdown")) or each.note
        yield each if has_suffix else each._replace(value=f"{each.value}.md")


def _ignored(value: object) -> ForeignSettings:
    items = value if isinstance(value, list) else []
    filters = [each.strip() for each in items if isinstance(each, str) and each.strip()]
    read = {
        each: pattern_of_expression(each[1:-1])
        for each in filters
        if len(each) > 2 and each[0] == each[-1] == "/"
    }
    patterns = patterns_of(each for each in filters if each not in read)
    if patterns := [*patterns, *filter(None, read.values())]:
        yield ForeignSetting(_APP, "files.ignore", patterns[:_MAX_IGNORED])
    if len(patterns) > _MAX_IGNORED:
        yield unusable(_APP, f"{_IGNORED} has more than {_MAX_IGNORED} entries")
    for each in (expression for expression, pattern in read.items() if not pattern):
        yield unusable(_APP, f"{_IGNORED} holds the regular expression {each[:40]}")
    if not isinstance(value, list) or len(filters) < len(value):
        yield unusable(_APP, f"{_IGNORED} is not a list of texts")
