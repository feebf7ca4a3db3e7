"""What the settings of the program that keeps a folder say: of Logseq, of Obsidian, of what makes
sites of pages (Dendron, MkDocs, Docusaurus, Quartz, VitePress); none of it is trusted.

Those of sites are programs or YAML with tags of its own: nothing is run, and what is not a plain
text is not read. Source: the comments in the config.edn that Logseq writes, and its file name
formats (since 0.8.9); the defaults in mkdocs/config/defaults.py, in options.ts of
docusaurus-plugin-content-docs, and in Quartz' build arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from memwiki.config.programs import (
    MAX_NESTED,
    PROGRAMS,
    ForeignSetting,
    ForeignSettings,
    below,
    folders_read,
    pattern_of_expression,
    patterns_of,
    program_of,
    text_of,
    unusable,
)
from memwiki.config.schema import SCHEMA, Key, Value
from memwiki.config.tables import NestedForms, PagesConfig
from memwiki.config.values import UnusableError, shown_value, valid
from memwiki.names import (
    DENDRON_CONFIG,
    DOCUSAURUS_CONFIGS,
    LOGSEQ_CONFIG,
    MKDOCS_CONFIGS,
    QUARTZ_CONFIGS,
    VITEPRESS_CONFIGS,
    is_encodable,
)
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
    Layers,
    Nested,
)
from memwiki.scope import base_of
from memwiki.text import pattern
from memwiki.times.day_names import of_moment, of_unicode

FileTexts: TypeAlias = Mapping[str, str]  # by the path of the file
# --- Logseq ---

LOWBARS, ENCODED = "___", "%2F"  # what a file name has for a `/` of the page's name
LOGSEQ_BACKUPS = ("logseq/bak/", "logseq/.recycle/", "logseq/version-files/")
# Texts go before comments: a `;` in one begins none. One that nothing ends goes to the end.
_CLOJURE_COMMENT = pattern(r'("(?:[^"\\]|\\.)*+"?)|;[^\n]*', re.DOTALL)
_LOGSEQ_SETTING = r":{key}(?![\w/?-])[\s,]++(?:\"([^\"\n]*)\"|:([^\s,\"}}\])]++)|(\[[^\[\]]*\]))"
_CLOJURE_TEXT = pattern(r'"([^"\\\n]*)"')
_LOGSEQ_TITLE, _LOGSEQ_FILE = "journal/page-title-format", "journal/file-name-format"
_LOGSEQ_DEFAULTS = {
    "pages-directory": "pages",
    "journals-directory": "journals",
    _LOGSEQ_FILE: "yyyy_MM_dd",
    _LOGSEQ_TITLE: "MMM do, yyyy",
}


class GraphSettings(NamedTuple):
    """How the files of a graph are called, and where they are; days as strftime patterns."""

    slash: str  # what its file names have for one
    day_title: str
    day_file: str
    pages: str
    journals: str


def graph_settings(config: str) -> GraphSettings:
    """What config.edn says of a graph, or Logseq does where it says nothing."""
    text = without_comments(config)
    return GraphSettings(
        LOWBARS if value_of(text, "file/name-format") == "triple-lowbar" else ENCODED,
        _days_of(text, _LOGSEQ_TITLE) or of_unicode(_LOGSEQ_DEFAULTS[_LOGSEQ_TITLE]),
        _days_of(text, _LOGSEQ_FILE) or of_unicode(_LOGSEQ_DEFAULTS[_LOGSEQ_FILE]),
        value_of(text, "pages-directory").strip("/"),
        value_of(text, "journals-directory").strip("/"),
    )


def _days_of(text: str, name: str) -> str:
    """How days are called by a setting; "" where that cannot be read."""
    return of_unicode(value_of(text, name))


def logseq_settings(texts: FileTexts) -> ForeignSettings:
    """What config.edn says, or Logseq does where it says nothing."""
    config = texts.get(LOGSEQ_CONFIG, "")
    text, graph = without_comments(config), graph_settings(config)
    for name in (_LOGSEQ_FILE, _LOGSEQ_TITLE):
        if not _days_of(text, name):
            yield unusable(LOGSEQ_CONFIG, f"{name} does not name days in a way that can be read")
    backups = (f"/{each}" for each in LOGSEQ_BACKUPS)
    found = {
        "layers.daily": graph.journals,
        "pages.folder": graph.pages,
        "pages.daily_format": graph.day_file,
        "pages.daily_title": graph.day_title,
        "pages.slash": graph.slash,
        "files.ignore": [*_hidden_in_logseq(text), *backups],
    }
    yield from (ForeignSetting(LOGSEQ_CONFIG, key, value) for key, value in found.items())


def without_comments(config: str) -> str:
    """The settings alone."""
    return _CLOJURE_COMMENT.sub(lambda match: match[1] or "", config)


def value_of(text: str, key: str) -> str:
    """A text or keyword of the settings, Logseq's own where none is given."""
    found = re.search(_LOGSEQ_SETTING.format(key=re.escape(key)), text)
    return (found and (found[1] or found[2])) or _LOGSEQ_DEFAULTS.get(key, "")


def _hidden_in_logseq(text: str) -> list[str]:
    found = re.search(_LOGSEQ_SETTING.format(key="hidden"), text)
    return patterns_of(_CLOJURE_TEXT.findall(found[3])) if found and found[3] else []


# --- Obsidian ---

_APP, _DAILY_NOTES, _TEMPLATES_FILE, _PLUGINS, _PERIODIC = PROGRAMS[OBSIDIAN].files
_OBSIDIAN_FOLDERS = {
    (_DAILY_NOTES, "folder"): "layers.daily",
    (_TEMPLATES_FILE, "folder"): "pages.templates",
    (_APP, "newFileFolderPath"): "pages.folder",
}
_IGNORED = "userIgnoreFilters"
_MAX_IGNORED = 500  # each is held against every path


def obsidian_settings(texts: FileTexts) -> ForeignSettings:
    """What the files say, by their paths."""
    for source, text in texts.items():
        if source in (_PLUGINS, _PERIODIC):
            continue
        values = _obsidian_values(text)
        if values is None:
            yield unusable(source, "is not JSON that can be read")
            continue
        yield from _obsidian_folders(source, values)
        if source == _DAILY_NOTES:
            yield from _obsidian_daily(_DAILY_NOTES, values)
        if source == _APP and values.get(_IGNORED):
            yield from _obsidian_ignored(values[_IGNORED])
    yield from _periodic(texts)


def _periodic(texts: FileTexts) -> ForeignSettings:
    """What the plugin for periodic notes says of days, which it takes over where it is switched
    on; it leaves its file behind when it is not."""
    switched_on = _parsed(texts.get(_PLUGINS, ""))
    if not isinstance(switched_on, list) or "periodic-notes" not in switched_on:
        return
    daily = (_obsidian_values(texts.get(_PERIODIC, "")) or {}).get("daily")
    if not isinstance(daily, dict) or daily.get("enabled") is not True:
        return
    if daily.get("folder") not in (None, "", "/"):
        yield from _obsidian_text(_PERIODIC, "folder", daily["folder"], "layers.daily")
    yield from _obsidian_daily(_PERIODIC, daily)


def _obsidian_values(text: str) -> Mapping[str, object] | None:
    found = _parsed(text)
    return found if isinstance(found, dict) else None


def _parsed(text: str) -> object:
    import json

    try:
        return json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None


def _obsidian_folders(source: str, values: Mapping[str, object]) -> ForeignSettings:
    for (file, name), key in _OBSIDIAN_FOLDERS.items():
        is_asked = name != "newFileFolderPath" or values.get("newFileLocation") == "folder"
        if file != source or not is_asked or values.get(name) in (None, "", "/"):
            continue
        yield from _obsidian_text(source, name, values[name], key)


def _obsidian_text(source: str, name: str, value: object, key: str) -> ForeignSettings:
    if isinstance(value, str):
        yield ForeignSetting(source, key, value.strip().strip("/"))
    else:
        yield unusable(source, f"{name} is not a text")


def _obsidian_daily(source: str, values: Mapping[str, object]) -> ForeignSettings:
    written = values.get("format") or ""
    pattern = of_moment(written) if isinstance(written, str) else ""
    if pattern:
        yield ForeignSetting(source, "pages.daily_format", pattern)
    elif written:
        yield unusable(source, "format does not name days in a way that can be read")
    template = values.get("template") or ""
    for each in (
        _obsidian_text(source, "template", template, "pages.daily_template") if template else ()
    ):
        has_suffix = str(each.value).endswith((".md", ".markdown")) or each.note
        yield each if has_suffix else each._replace(value=f"{each.value}.md")


def _obsidian_ignored(value: object) -> ForeignSettings:
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
    for each in (expression for expression, found in read.items() if not found):
        yield unusable(_APP, f"{_IGNORED} holds the regular expression {each[:40]}")
    if not isinstance(value, list) or len(filters) < len(value):
        yield unusable(_APP, f"{_IGNORED} is not a list of texts")


# --- what makes sites ---

_DOCS, _CONTENT = "docs", "content"
_DOCS_DIR = pattern(r"^docs_dir[ \t]*:[ \t]*(.*)$", re.MULTILINE)
_YAML_TEXT = pattern(
    r"(?:\"([^\"\\]*)\"|'([^']*)'|([^\s#\"'!&*|>{\[](?:.*?\S)??))(?=[ \t]+#|[ \t]*\Z)"
)
# A comment, or a text in which none begins; a text that nothing ends goes to the end of its line.
_COMMENT = pattern(
    r"(\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?)|//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?"
)
# The options of the docs, up to the first brace in them: what stands behind an inner object is
# not looked for.
_DOCS_OPTIONS = pattern(r"\bdocs\s*+:\s*+\{([^{}]*+)")
_SOURCE_FOLDER = pattern(r"\bsrcDir\s*+:\s*+(?:\"([^\"\n]*)\"|'([^'\n]*)')")
_MAX_VAULTS = 100  # each link of its kind is held against all of them
_VAULTS = pattern(r"([ ]*)vaults:[ ]*(?:#.*)?")
_VALUE = pattern(r"[ ]*(-?)[ ]*(?:(fsPath|name|selfContained|remote|seed)[ ]*:[ ]*(.*))?")
_PATH = pattern(r"\bpath\s*+:\s*+(?:\"([^\"\n]*)\"|'([^'\n]*)')")


def _mkdocs(texts: FileTexts) -> ForeignSettings:
    """The folder of the pages, which new ones go to as well."""
    source = _source(texts, MKDOCS_CONFIGS)
    written = _DOCS_DIR.search(texts.get(source, ""))
    value = _YAML_TEXT.match(written[1].strip()) if written else None
    if written and value is None:
        yield unusable(source, "docs_dir is not a plain text")
    yield from _site_root(source, _first_group(value) if value else _DOCS)


def _docusaurus(texts: FileTexts) -> ForeignSettings:
    """The folder of the docs; those of older versions and the blog are beside it."""
    source = _source(texts, DOCUSAURUS_CONFIGS)
    config = _without_js_comments(texts.get(source, ""))
    options = (_PATH.search(found[1]) for found in _DOCS_OPTIONS.finditer(config))
    path = next(filter(None, options), None)
    yield from _site_root(source, _first_group(path) if path else _DOCS)


def _quartz(texts: FileTexts) -> ForeignSettings:
    """The folder of the notes, which is an argument of its build and stands in no settings."""
    yield from _site_root(_source(texts, QUARTZ_CONFIGS), _CONTENT)


def _vitepress(texts: FileTexts) -> ForeignSettings:
    """The folder of the site, or the one below that its settings name."""
    source = _source(texts, VITEPRESS_CONFIGS)
    found = _SOURCE_FOLDER.search(_without_js_comments(texts.get(source, "")))
    yield from _site_root(source, _first_group(found) if found else "")


def _without_js_comments(config: str) -> str:
    return _COMMENT.sub(lambda match: match[1] or "", config)


def _dendron(texts: FileTexts) -> ForeignSettings:
    """The names that links call the vaults of this folder by, and the first of them for new
    notes."""
    vaults = [each for each in _vaults(texts.get(DENDRON_CONFIG, "").split("\n")) if each]
    if not vaults:
        yield unusable(DENDRON_CONFIG, "names no vault")
        return
    names = [each.get("name") or each.get("fsPath", "").rpartition("/")[2] for each in vaults]
    named = [name for name in names if name][:_MAX_VAULTS]
    yield ForeignSetting(DENDRON_CONFIG, "pages.vaults", named)
    folder = vaults[0].get("fsPath", "").strip("/").removeprefix("./")
    notes = "/notes" if vaults[0].get("selfContained") == "true" else ""
    yield ForeignSetting(
        DENDRON_CONFIG, "pages.folder", f"{'' if folder == '.' else folder}{notes}".strip("/")
    )


def _vaults(lines: list[str]) -> Iterator[dict[str, str]]:
    """The items of the list `vaults`, which holds plain lines."""
    vault: dict[str, str] = {}
    indent = -1
    for line in lines:
        text = line.rstrip("\r ")
        if indent < 0:
            found = _VAULTS.fullmatch(text)
            indent = len(found[1]) if found else -1
            continue
        depth = len(text) - len(text.lstrip(" "))
        is_item = text.lstrip(" ").startswith("-")
        if text and (depth < indent or (depth == indent and not is_item)):
            break
        value = _VALUE.match(text)
        if is_item:
            yield vault
            vault = {}
        if value and value[2]:
            vault[value[2]] = value[3].partition(" #")[0].strip("\"' ")
    yield vault


def _site_root(source: str, folder: str) -> ForeignSettings:
    inner = folder.strip().removeprefix("./").rstrip("/")
    value = "" if inner == "." else inner
    yield ForeignSetting(source, "pages.root", value)
    yield ForeignSetting(source, "pages.folder", value)


def _source(texts: FileTexts, files: tuple[str, ...]) -> str:
    return next((file for file in files if file in texts), files[0])


def _first_group(match: re.Match[str]) -> str:
    return next((group for group in match.groups() if group is not None), "")


Reader: TypeAlias = Callable[[Mapping[str, str]], ForeignSettings]
# --- all of them ---

_FOLDERS = ("layers.daily", "pages.folder", "pages.templates", "pages.root")
_DAILY, _FOLDER = "layers.daily", "pages.folder"
_TEMPLATE, _IGNORE = "pages.daily_template", "files.ignore"
READERS: Mapping[str, Reader] = {
    LOGSEQ: logseq_settings,
    OBSIDIAN: obsidian_settings,
    FOAM: lambda _: iter(()),  # what it says of notes is not read
    GITHUB: lambda _: iter(()),  # a page as well
    DENDRON: _dendron,
    MKDOCS: _mkdocs,
    DOCUSAURUS: _docusaurus,
    QUARTZ: _quartz,
    VITEPRESS: _vitepress,
}


def foreign_settings(name: str, root: Path) -> Iterator[ForeignSetting]:
    """What the settings of a program say of its folder, the program itself first."""
    program = PROGRAMS[name]
    texts: dict[str, str] = {}
    for file in program.files:
        text = text_of(root / file)
        if text is None:
            yield unusable(file, "cannot be read as settings")
        elif text:
            texts[file] = text
    there = (file for file in program.files if file in texts and file in program.marks)
    yield ForeignSetting(next(there, program.files[0]), "pages.dialect", name)
    yield from READERS[name](texts)


class Others(NamedTuple):
    """Values, the file each is from, and what was passed over."""

    values: dict[Key, Value]
    sources: dict[str, str]
    notes: list[str]


def said_by_others(root: Path, given: Mapping[Key, Value]) -> Others:
    """What the settings of the program say that keeps a folder too. Where ours name another
    program, those are not asked."""
    found = program_of(root)
    named = next((value for key, value in given.items() if str(key) == "pages.dialect"), found)
    others = Others({}, {}, [])
    if not found or named != found:
        return others
    values, sources, notes = others
    for each in foreign_settings(found, root):
        key = SCHEMA.find(each.key) if each.key else None
        if key is None:
            notes.append(each.note)
            continue
        if not is_encodable(each.text):
            notes.append(f"{each.source}: {key} is not valid Unicode; it is passed over")
            continue
        try:
            values[key] = valid(key, each.value)
            sources[each.key] = each.source
        except UnusableError as error:
            notes.append(
                f"{each.source}: {error.wrong}{shown_value(each.value)}; it is passed over"
            )
    return others


def nested_forms(
    root: Path, folders: Sequence[str], given: Mapping[Key, Value], layers: Layers
) -> NestedForms:
    """What the settings in these folders of the workspace say, each for what is below it; ours of
    [pages] and [files] go before them."""
    nested, forms, ignore = list[Nested](), dict[str, PagesConfig](), list[str]()
    notes = list(_too_many(folders))
    for folder in folders_read(folders):
        others = said_by_others(root / folder, given)
        notes += (f"{folder}/{note}" for note in others.notes)
        if not others.values:
            continue
        found = {str(key): value for key, value in _with_paths(folder, others.values)}
        own = {str(key): value for key, value in given.items()}
        pages = _pages({_FOLDER: folder, **found, **own})
        daily = str(found.get(_DAILY, ""))
        base = base_of(f"{folder}/", layers)  # where days are looked for as in the workspace
        inner = daily[len(base) + 1 :] if base and daily.startswith(f"{base}/") else daily
        nested.append(Nested(inner, pages.form._replace(folder=folder)))
        forms[folder] = pages
        patterns = () if _IGNORE in own else found.get(_IGNORE, ())
        ignore += map(str, patterns if isinstance(patterns, tuple) else ())
    if nested:
        nested.append(Nested(layers.daily, layers.dialect))
    return NestedForms(tuple(nested), forms, tuple(ignore), tuple(notes))


def _too_many(folders: Sequence[str]) -> Iterator[str]:
    if len(folders) > MAX_NESTED:
        yield (
            f"{len(folders)} folders have settings of other programs; "
            f"those of the {MAX_NESTED} highest are read"
        )


def _pages(values: Mapping[str, Value]) -> PagesConfig:
    keys = filter(None, map(SCHEMA.find, values))
    fields: dict[str, Any] = {
        key.name: values[str(key)] for key in keys if key.table == "pages"
    }  # of the types that `valid` has seen to
    return PagesConfig(**fields)


def _with_paths(folder: str, values: Mapping[Key, Value]) -> Iterator[tuple[Key, Value]]:
    """Values of a folder with their paths as they are from the workspace."""
    for key, value in values.items():
        name = str(key)
        is_path = name in _FOLDERS or (name == _TEMPLATE and "/" in str(value))
        if is_path:
            yield key, f"{folder}/{value}".rstrip("/")
        elif name == _IGNORE and isinstance(value, tuple):
            yield key, tuple(below(folder, str(each)) for each in value)
        else:
            yield key, value
