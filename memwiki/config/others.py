"""What the settings of the program that keeps a folder say; none of it is trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from memwiki.config.dialects.programs import (
    MAX_NESTED,
    PROGRAMS,
    ForeignSetting,
    ForeignSettings,
    below,
    folders_read,
    program_of,
    text_of,
    unusable,
)
from memwiki.config.schema import SCHEMA, Key, Value
from memwiki.config.tables import NestedForms, PagesConfig
from memwiki.config.values import UnusableError, shown, valid
from memwiki.names import is_encodable
from memwiki.nouns import FOAM, GITHUB, LOGSEQ, OBSIDIAN, Layers, Nested
from memwiki.scope import base_of

Reader: TypeAlias = Callable[[Mapping[str, str]], ForeignSettings]
_FOLDERS = ("layers.daily", "pages.folder", "pages.templates", "pages.root")
_DAILY, _FOLDER, _TEMPLATE, _IGNORE = (
    *("layers.daily", "pages.folder", "pages.daily_template", "files.ignore"),
)


def _reader(name: str) -> Reader:
    """What reads the settings of a program."""
    from memwiki.config.dialects import logseq, obsidian, sites  # most folders need none

    readers: Mapping[str, Reader] = {
        LOGSEQ: logseq.settings_in,
        OBSIDIAN: obsidian.settings_in,
        FOAM: lambda _: iter(()),  # what it says of notes is not read
        GITHUB: lambda _: iter(()),  # a page as well
        **sites.READERS,
    }
    return readers[name]


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
    yield from _reader(name)(texts)


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
            notes.append(f"{each.source}: {error.wrong}{shown(each.value)}; it is passed over")
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
        found = {str(key): value for key, value in _placed(folder, others.values)}
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


def _placed(folder: str, values: Mapping[Key, Value]) -> Iterator[tuple[Key, Value]]:
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
