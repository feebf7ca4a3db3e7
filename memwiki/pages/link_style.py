"""The ways to write one link, in the style that people chose: a bare name, the end of a path, a
path from the root, or a path from the page's own folder."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from itertools import chain
from posixpath import basename, dirname

from memwiki.names import fold, is_within, path_in, without_numbers, without_suffix
from memwiki.nouns import DOCUSAURUS, PATH_KINDS, Dialect, LinkKind
from memwiki.records import NamedTuple
from memwiki.sequences import shared_start


class Style(StrEnum):
    NAME = "name"  # [[page]]
    SUFFIX = "suffix"  # [[folder/page]], the end of a longer path
    ROOT = "root"  # [[wiki/folder/page]], [t](/wiki/page.md)
    RELATIVE = "relative"  # [t](../folder/page.md)
    OTHER = "other"  # alias, title, slug form: says nothing of the path


class LinkStyle(NamedTuple):
    """A link from a page to a file: `written` is its name, `target` a file or, for a link to a
    folder, that folder with a `/` at its end."""

    written: str
    kind: LinkKind
    source: str
    target: str

    @property
    def style(self) -> Style:
        """The style in which it is written."""
        written, is_path_like = self.written.strip(), self.kind in PATH_KINDS
        bare = written.rstrip("/")
        if not is_path_like and "/" not in bare and not bare.startswith("."):
            return Style.NAME if self._is_end(bare) else Style.OTHER
        here, root = self._is_at(f"{dirname(self.source)}/{bare}"), self._is_at(bare)
        if written.startswith("/"):
            # In a namespace a path from the root begins at its folder.
            return Style.ROOT if root or self._is_end(bare.lstrip("/")) else Style.OTHER
        if here and (is_path_like or written.startswith(".")):
            return Style.RELATIVE
        if root:
            return Style.ROOT
        return Style.SUFFIX if self._is_end(bare) else Style.OTHER

    @property
    def is_by_path(self) -> bool:
        """Whether it is made of parts of the path as they are spelled there, and not of a title."""
        style = self.style
        if style is Style.NAME:
            name = basename(self.target.rstrip("/"))
            return self.written.strip().rstrip("/") in (name, without_suffix(name))
        return style is not Style.OTHER

    def _is_at(self, location: str) -> bool:
        location = fold(path_in("", location))
        target = self.target.rstrip("/")
        return location in (fold(target), fold(without_suffix(target)))

    def _is_end(self, bare: str) -> bool:
        end = f"/{fold(bare)}"
        target = f"/{fold(self.target.rstrip('/'))}"
        return target.endswith(end) or without_suffix(target).endswith(end)


def spellings(link: LinkStyle, source: str, target: str) -> Iterator[str]:
    """Names under which a link may be written anew when its page is at `source` and what it means
    at
    `target`, best first: each says more than the one before."""
    style = link.style
    has_suffix = _has_suffix(link)
    short = target if has_suffix else without_suffix(target)
    if style is Style.RELATIVE or (style is Style.OTHER and link.kind in PATH_KINDS):
        for location in dict.fromkeys((short, target)):
            yield _relative(link, source, location)
            yield _between(dirname(source), location, 0)
            yield f"./{_between(dirname(source), location, 0)}"
        yield f"/{target}"
        return
    slash = "/" if style is Style.ROOT and link.written.startswith("/") else ""
    parts = short.split("/")
    start = {Style.ROOT: len(parts), Style.SUFFIX: link.written.strip("/").count("/") + 1}
    for length in range(min(start.get(style, 1), len(parts)), len(parts) + 1):
        yield slash + "/".join(parts[-length:])
    yield slash + target
    yield f"/{short}"
    yield f"/{target}"
    yield _between(dirname(source), target, 0)


def on_site(link: LinkStyle, target: str, root: str) -> Iterator[str]:
    """A path from the root of a site, where the link is one now."""
    is_from_site = link.written.startswith("/") and not is_within(link.written[1:], root)
    if root and is_from_site and is_within(target, root) and is_within(link.target, root):
        inner = target[len(root) :]
        yield inner if _has_suffix(link) else without_suffix(inner)


def site_root(link: LinkStyle) -> str:
    """The folder below which a path from the root of a site finds its file; "" for the root."""
    if not link.written.startswith("/") or link.style is not Style.ROOT:
        return ""
    end, target = f"/{fold(link.written.strip('/'))}", link.target.rstrip("/")
    path = target if fold(target).endswith(end) else without_suffix(target)
    return path[: -len(end)] if fold(path).endswith(end) else ""


def ways(link: LinkStyle, source: str, target: str, form: Dialect, by: str) -> Iterator[str]:
    """The ways to write a link that is found `by` a step, the likeliest first: as an address, from
    the root of a site, then as any path."""
    if by == "alias" and form.name == DOCUSAURUS and link.kind in PATH_KINDS:
        yield from as_address(link, source, target, form.root)
    if by == "address":  # without the numbers that sort files and folders
        bare = link._replace(
            source=without_numbers(link.source), target=without_numbers(link.target)
        )
        yield from _ways(bare, without_numbers(source), without_numbers(target), form, by)
    yield from _ways(link, source, target, form, by)


def _ways(link: LinkStyle, source: str, target: str, form: Dialect, by: str) -> Iterator[str]:
    roots = (form.root, form.folder, site_root(link) if by != "path" else "")
    own = (on_site(link, target, root) for root in roots)
    return chain(*own, spellings(link, source, target))


def as_address(link: LinkStyle, source: str, target: str, root: str) -> Iterator[str]:
    """A link that is an address of a page below `root`: by its path without the numbers that sort,
    by its id or slug in the place of the file name, or by its folder; else as it is."""
    at = path_in("" if link.written.startswith("/") else dirname(link.source), link.written)
    inner = (without_suffix(path[len(root) :]).lstrip("/") for path in (link.target, target))
    places = [f"/{without_numbers(path)}" for path in inner]
    folders = [dirname(place).rstrip("/") for place in places]
    names = [f"{folder}/{basename(at)}" for folder in folders]
    address = f"/{at}"
    for old, new in (places, names, folders, (address, address)):
        if old and address.endswith(old):
            goal = f"{address.removesuffix(old)}{new}".lstrip("/")
            yield from spellings(link._replace(target=at), source, goal)


def _has_suffix(link: LinkStyle) -> bool:
    """Whether the link writes `.md`, or means a file whose name cannot be cut."""
    if without_suffix(link.target) == link.target:
        return True
    written = link.written.rstrip("/")
    return link.style is not Style.OTHER and without_suffix(written) != written


def _relative(link: LinkStyle, source: str, target: str) -> str:
    """The way from folder to file, as many steps up beyond what is needed as the link takes now."""
    written = link.written.strip()
    is_dotted = written.startswith("./")
    ups, rest = 0, written.removeprefix("./") if is_dotted else written
    while rest.startswith("../"):
        ups, rest = ups + 1, rest[3:]
    needed = _between(dirname(link.source), link.target.rstrip("/"), 0).count("../")
    detour = max(ups - needed, 0) if link.style is Style.RELATIVE else 0
    path = _between(dirname(source), target, detour)
    return f"./{path}" if is_dotted else path


def _between(folder: str, target: str, detour: int) -> str:
    """The way from a folder to a file, going `detour` steps further up than it has to, if it
    can."""
    here, there = folder.split("/") if folder else [], target.split("/")
    common = shared_start(here, there[:-1])
    if detour <= common:
        common -= detour
    return "/".join([*[".."] * (len(here) - common), *there[common:]])
