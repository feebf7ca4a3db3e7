"""Lines of one page on their way to another: their relative links lead where they led."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from posixpath import dirname

from memwiki.markdown.edit.links import LinkSite, sites_of
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import Patch, Source
from memwiki.nouns import PATH_KINDS, Entry, Layers
from memwiki.pages.relink import place_of, respelled_place
from memwiki.records import NamedTuple


class Elsewhere(NamedTuple):
    """Where lines stand, where they will, and whether a file is at a path."""

    layers: Layers
    path: str
    new: str
    exists: Callable[[str], bool]

    def text(self, text: str) -> str:
        """The lines as they are to stand there."""
        patches = [patch for _, patch in self._links(text) if patch]
        return Source(self.path, text).patched(patches).text if patches else text

    def entry(self, entry: Entry) -> Entry:
        """What an entry says there."""
        fields = {name: self.text(value) for name, value in entry.fields.items()}
        return entry._replace(text=self.text(entry.text), fields=fields)

    def notes(self, text: str) -> Iterator[str]:
        """What a person should know of links in these lines that mean something else there."""
        for site, patch in self._links(text):
            written = site.link.written
            if patch is None and (now := self._led_to(written, self.new)):
                yield f"{self.new}: {written} now means {now}"

    def _links(self, text: str) -> Iterator[tuple[LinkSite, Patch | None]]:
        """The links in some lines that may be relative, with what is to change of each."""
        may_link = "](" in text or "<" in text
        if may_link and dirname(self.path) != dirname(self.new):
            for site in sites_of(Outline(self.layers, self.path, text)):
                if site.link.kind in PATH_KINDS:
                    yield site, self._patch(text, site)

    def _patch(self, text: str, site: LinkSite) -> Patch | None:
        if not self._led_to(site.link.written, self.path):
            return None  # it is found otherwise, and from everywhere
        raw = text[site.start : site.end]
        changed = respelled_place(site, raw, self.path, self.new, lambda place: place)
        return None if changed is None else Patch(site.start, site.end, changed)

    def _led_to(self, written: str, source: str) -> str:
        """The file to which the way from a page leads, "" for none."""
        place = place_of(written, source)
        is_inside = written and place.strip("./") and not place.startswith("../")
        return next(filter(self.exists, (place, f"{place}.md") if is_inside else ()), "")
