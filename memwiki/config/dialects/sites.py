"""What makes sites of pages, and of which folder: Dendron, MkDocs, Docusaurus and Quartz.

Their settings are programs or YAML with tags of its own: nothing is run, and what is not a plain
text is not read. Source: the defaults in mkdocs/config/defaults.py, in options.ts of
docusaurus-plugin-content-docs, and in Quartz' build arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from memwiki.config.dialects.programs import ForeignSetting, ForeignSettings, unusable
from memwiki.names import DENDRON_CONFIG, DOCUSAURUS_CONFIGS, MKDOCS_CONFIGS, QUARTZ_CONFIGS
from memwiki.nouns import DENDRON, DOCUSAURUS, MKDOCS, QUARTZ
from memwiki.text import pattern

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
_MAX_VAULTS = 100  # each link of its kind is held against all of them
_VAULTS = pattern(r"([ ]*)vaults:[ ]*(?:#.*)?")
_VALUE = pattern(r"[ ]*(-?)[ ]*(?:(fsPath|name|selfContained|remote|seed)[ ]*:[ ]*(.*))?")
_PATH = pattern(r"\bpath\s*+:\s*+(?:\"([^\"\n]*)\"|'([^'\n]*)')")


def _mkdocs(texts: Mapping[str, str]) -> ForeignSettings:
    """The folder of the pages, which new ones go to as well."""
    source = _source(texts, MKDOCS_CONFIGS)
    written = _DOCS_DIR.search(texts.get(source, ""))
    value = _YAML_TEXT.match(written[1].strip()) if written else None
    if written and value is None:
        yield unusable(source, "docs_dir is not a plain text")
    yield from _root(source, _text(value) if value else _DOCS)


def _docusaurus(texts: Mapping[str, str]) -> ForeignSettings:
    """The folder of the docs; those of older versions and the blog are beside it."""
    source = _source(texts, DOCUSAURUS_CONFIGS)
    config = _COMMENT.sub(lambda match: match[1] or "", texts.get(source, ""))
    options = (_PATH.search(found[1]) for found in _DOCS_OPTIONS.finditer(config))
    path = next(filter(None, options), None)
    yield from _root(source, _text(path) if path else _DOCS)


def _quartz(texts: Mapping[str, str]) -> ForeignSettings:
    """The folder of the notes, which is an argument of its build and stands in no settings."""
    yield from _root(_source(texts, QUARTZ_CONFIGS), _CONTENT)


def _dendron(texts: Mapping[str, str]) -> ForeignSettings:
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


READERS: Mapping[str, Callable[[Mapping[str, str]], ForeignSettings]] = {
    DENDRON: _dendron,
    MKDOCS: _mkdocs,
    DOCUSAURUS: _docusaurus,
    QUARTZ: _quartz,
}


def _root(source: str, folder: str) -> ForeignSettings:
    inner = folder.strip().removeprefix("./").rstrip("/")
    value = "" if inner == "." else inner
    yield ForeignSetting(source, "pages.root", value)
    yield ForeignSetting(source, "pages.folder", value)


def _source(texts: Mapping[str, str], files: tuple[str, ...]) -> str:
    return next((file for file in files if file in texts), files[0])


def _text(match: re.Match[str]) -> str:
    return next((group for group in match.groups() if group is not None), "")
