"""Scripts, styles and bundles: below a digest of all of them, so that browsers keep them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from memwiki.digest import digest_of

_KINDS = {
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
    "txt": "text/plain; charset=utf-8",
}


@cache
def assets() -> Mapping[str, bytes]:
    """Every file below `static/`, by its path there."""
    return dict(_below(files("memwiki.web") / "static", ""))


def _below(folder: Traversable, at: str) -> Iterator[tuple[str, bytes]]:
    for each in folder.iterdir():
        if each.is_dir():
            yield from _below(each, f"{at}{each.name}/")
        elif each.name.rpartition(".")[2] in _KINDS:
            yield at + each.name, each.read_bytes()


@cache
def version() -> str:
    """What the files are, in sixteen digits."""
    named = (f"{path}\0{digest_of(found)}\n" for path, found in sorted(assets().items()))
    return digest_of("".join(named).encode())[:16]


def address_of(path: str) -> str:
    """Where a file of `static/` is served; what it imports by a relative path is beside it."""
    if path not in assets():
        raise KeyError(path)
    return f"/static/{version()}/{path}"


def kind_of(path: str) -> str:
    """The media type of a file that is served."""
    return _KINDS[path.rpartition(".")[2]]
