"""Dendron's settings: its vaults and what they are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memwiki.config.dialects.programs import ForeignSetting, ForeignSettings, unusable
from memwiki.names import DENDRON_CONFIG
from memwiki.text import pattern

CONFIG = DENDRON_CONFIG
FILES = (CONFIG,)
_MAX_VAULTS = 100  # each link of its kind is held against all of them
_VAULTS = pattern(r"([ ]*)vaults:[ ]*(?:#.*)?")
_VALUE = pattern(r"[ ]*(-?)[ ]*(?:(fsPath|name|selfContained|remote|seed)[ ]*:[ ]*(.*))?")


def settings_in(texts: Mapping[str, str]) -> ForeignSettings:
    """The names that links call the vaults of this folder by, and the first of them for new
    notes."""
    vaults = [each for each in _vaults(texts.get(CONFIG, "").split("\n")) if each]
    if not vaults:
        yield unusable(CONFIG, "names no vault")
        return
    names = [each.get("name") or each.get("fsPath", "").rpartition("/")[2] for each in vaults]
    yield ForeignSetting(CONFIG, "pages.vaults", [name for name in names if name][:_MAX_VAULTS])
    folder = vaults[0].get("fsPath", "").strip("/").removeprefix("./")
    notes = "/notes" if vaults[0].get("selfContained") == "true" else ""
    yield ForeignSetting(
        CONFIG, "pages.folder", f"{'' if folder == '.' else folder}{notes}".strip("/")
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
