"""Namespaces and keys of a store as the names of folders and files, and back; pure."""

from __future__ import annotations

from unicodedata import normalize
from urllib.parse import unquote

from memwiki.digest import digest_of

_KEPT = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")
# Names that systems, memwiki or agents take for something else, whatever stands behind a dot.
_TAKEN = frozenset(
    "con prn aux nul index log agents claude gemini node_modules 4913".split()
    + [f"{port}{n}" for port in ("com", "lpt") for n in range(10)]
)
_ENCODED = "./\\%\0"  # which percent-encoding would hide from who looks at paths
_LONGEST = 120  # bytes of a name; systems take 255
_SUFFIX = ".md"


def path_of(namespace: tuple[str, ...], key: str) -> str:
    """The file of an item, below the folder of the store."""
    return "/".join((*map(folder_name, namespace), f"{_name(key, kept='.')}{_SUFFIX}"))


def folder_name(label: str) -> str:
    """The folder of a label of a namespace."""
    return _name(label)


def item_of(path: str) -> tuple[tuple[str, ...], str] | None:
    """Namespace and key of a file; None for one that no item is written to."""
    *labels, name = (_label(part) for part in path.removesuffix(_SUFFIX).split("/"))
    namespace = tuple(labels)
    is_so = path.endswith(_SUFFIX) and path_of(namespace, name) == path
    return (namespace, name) if is_so or is_shortened(path) else None


def is_shortened(path: str) -> bool:
    """Whether a path does not say all of a namespace and key."""
    return "~" in path


def _label(name: str) -> str:
    return "" if name == "%" else unquote(name.replace("=", "%"), errors="surrogatepass")


def _name(text: str, kept: str = "") -> str:
    """A name that is no other one on any system: without regard to case and composition."""
    if not text:
        return "%"
    if "onflict" in text:  # copies that sync services set aside
        kept = ""
    parts = [c if _is_kept(c) or c in kept else _escaped(c) for c in text]
    if text[0] == "." or text.split(".", 1)[0] in _TAKEN:
        parts[0] = _escaped(text[0])
    name = "".join(parts)
    if len(name.encode()) <= _LONGEST:
        return name
    return f"{_cut(parts)}~{digest_of(text.encode('utf-8', 'surrogatepass'))[:16]}"


def _cut(parts: list[str]) -> str:
    """As many of the first characters as leave room."""
    room, count = _LONGEST - 20, 0
    for part in parts:
        room -= len(part.encode())
        if room < 0:
            break
        count += 1
    return "".join(parts[:count])


def _is_kept(c: str) -> bool:
    if c in _KEPT:
        return True
    is_plain = c > "\x7f" and c.isalpha() and c.casefold() == c and normalize("NFKC", c) == c
    return is_plain and not "\u1100" <= c <= "\u11ff"  # parts of Hangul, which compose


def _escaped(c: str) -> str:
    if c in _ENCODED:
        return f"={ord(c):02x}"
    return "".join(f"%{byte:02x}" for byte in c.encode("utf-8", "surrogatepass"))
