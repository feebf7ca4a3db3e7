"""Sources in memory, and what importers make of them as memwiki itself reads it."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence

from memwiki.adapters.importers.new_pages import Relinking
from memwiki.files.paths import colliding, contain, why_unsafe
from memwiki.importing import Importer, ImportTarget, Incoming
from memwiki.markdown.outline import Outline
from memwiki.markdown.parse import parse
from memwiki.names import is_page_name
from memwiki.nouns import Layers, Link, LinkKind, Page

LAYERS = Layers(daily="daily", sessions="sessions", wiki="wiki", raw="raw", archive="archive")
EMPTY_FOLDER = tempfile.gettempdir()


class Files:
    """A source that is a dictionary; text is written as UTF-8."""

    def __init__(self, files: Mapping[str, str | bytes], name: str = "source") -> None:
        self.name = name
        self._files = {
            name: data.encode() if isinstance(data, str) else data for name, data in files.items()
        }

    def names(self) -> Sequence[str]:
        return sorted(self._files)

    def read(self, name: str) -> bytes:
        return self._files[name]

    def head(self, name: str) -> bytes:
        return self._files[name][:4096]


class Imported:
    """What an importer made: the files, and the pages as they are read."""

    def __init__(self, incoming: Incoming, layers: Layers = LAYERS) -> None:
        self.incoming = incoming
        self.files = {file.path: file.data for file in incoming.files}
        self.by_source = {file.origin: file.path for file in incoming.files}
        self.pages: dict[str, Page] = {
            path: parse(path, data, layers)
            for path, data in self.files.items()
            if is_page_name(path)
        }
        outlines = [Outline(layers, page.path, page.text) for page in self.pages.values()]
        others = [path for path in self.files if path not in self.pages]
        self._meaning = Relinking(outlines, others, layers)

    def text(self, path: str) -> str:
        return self.files[path].decode()

    def target(self, link: Link, source: str) -> str:
        return self._meaning.target(link, source)

    def named(self, name: str, source: str = "memory.md") -> str:
        """The page that `[[name]]` means in a page."""
        return self.target(Link(name, "", 1, LinkKind.WIKILINK), source)

    def targets(self, path: str) -> list[str]:
        """What the links of a page lead to, in order."""
        return [self.target(link, path) for link in self.pages[path].links]


def imported(
    importer: Importer,
    files: Mapping[str, str | bytes],
    held: Mapping[str, str | bytes] | None = None,
    layers: Layers = LAYERS,
) -> Imported:
    """A source imported into a workspace that holds some files; each path is one to be used."""
    there = Files(held or {})

    def read(path: str) -> bytes | None:
        return there.read(path) if path in there.names() else None

    made = importer.incoming(Files(files), ImportTarget(read, layers, "2026-11-22", lambda _: ()))
    paths = [file.path for file in made.files]
    assert colliding(paths) == ()
    assert len({path.casefold() for path in paths}) == len(paths)
    folders = {path[:at] for path in paths for at, sign in enumerate(path) if sign == "/"}
    assert colliding(folders) == ()
    assert colliding([*folders, *paths]) == ()
    for path in paths:
        assert why_unsafe(path) == ""
        assert contain(EMPTY_FOLDER, path) == path
    return Imported(made, layers)
