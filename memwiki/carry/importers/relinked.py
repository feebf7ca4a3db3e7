"""Links of pages that get other paths: each keeps leading to what it led to before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from posixpath import basename, dirname, relpath

from memwiki.index.names import NameKind
from memwiki.index.resolve import Resolver, reference_to
from memwiki.markdown.edit.links import LinkSite, Syntax, renamed, sites_of
from memwiki.markdown.links import is_external
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import Patch
from memwiki.model import Layers, Link, LinkKind
from memwiki.names import fold, slug, stem_of, without_suffix


class PageNames:
    """The names of the pages and files of an import, as the resolver asks for them."""

    def __init__(self, pages: Iterable[Outline], attachments: Iterable[str]) -> None:
        self._pages: dict[tuple[NameKind, str], list[str]] = defaultdict(list)
        self._attachments: dict[str, list[str]] = defaultdict(list)
        self._entries: dict[str, list[str]] = defaultdict(list)
        for page in pages:
            self._add(page)
        for path in attachments:
            self._attachments[fold(basename(path))].append(path)

    def _add(self, page: Outline) -> None:
        path, title = page.path, page.title
        others = [*page.fields.aliases, *page.fields.ids]
        names = {(NameKind.PATH, fold(path)), (NameKind.PATH, fold(without_suffix(path)))}
        titles = {title}.difference(page.search_names)
        names |= {(NameKind.STEM, fold(stem_of(path)))}
        names |= {(NameKind.TITLE, fold(name)) for name in titles}
        names |= {(NameKind.ALIAS, fold(name)) for name in others}
        names |= {(NameKind.SLUG, slug(name)) for name in (stem_of(path), *titles, *others)}
        for name in names:
            self._pages[name].append(path)
        for id_ in page.block_ids:
            self._entries[id_].append(path)

    def pages(self, kind: NameKind, name: str) -> Sequence[str]:
        """Paths of the pages that have this name of this kind."""
        return self._pages.get((kind, fold(name)), ())

    def slugs(self, form: str) -> Sequence[str]:
        """Paths of the pages one of whose names has this slug form."""
        return self._pages.get((NameKind.SLUG, form), ()) if form else ()

    def attachments(self, name: str) -> Sequence[str]:
        """Paths of the files that are no pages and have this file name."""
        return self._attachments.get(fold(name), ())

    def entries(self, id_: str) -> Sequence[str]:
        """Paths of the pages that hold an entry with this id."""
        return self._entries.get(id_, ())


class Relinking:
    """What links mean once all files are where they are to be."""

    def __init__(
        self, pages: Iterable[Outline], attachments: Iterable[str], layers: Layers
    ) -> None:
        self._resolver = Resolver(PageNames(pages, attachments), layers)

    def target(self, link: Link, source: str) -> str:
        """The path that a link would lead to."""
        return self._resolver.resolve(reference_to(link, source)).target

    def relinked(self, page: Outline, meant: Callable[[Link], str]) -> str:
        """The text of a page whose links lead to the paths that are meant; "" means none known."""
        patches = list[Patch]()
        for site in sites_of(page):
            path = meant(site.link)
            if not path or self.target(site.link, page.path) == path:
                continue
            raw = page.text[site.start : site.end]
            new = _named(site, raw, path, page.path)
            if new is not None and new != raw:
                patches.append(Patch(site.start, site.end, new))
        return page.patched(patches).text if patches else page.text


def _named(site: LinkSite, raw: str, path: str, source: str) -> str | None:
    """The target of a link that leads to a path for certain."""
    if site.syntax is not Syntax.WIKI:
        # Of an address nothing is kept, of a path its heading.
        old = "x" if is_external(site.link.written) else raw
        return renamed(site, old, relative_path(path, source))
    new = renamed(site, raw, without_suffix(path))
    has_label = site.link.text or site.link.kind is LinkKind.EMBED
    return new if new is None or has_label or "|" in raw else f"{new}|{raw.strip()}"


def relative_path(path: str, source: str) -> str:
    """A path as a link in the folder of `source` names it."""
    return relpath(path, dirname(source) or ".")
