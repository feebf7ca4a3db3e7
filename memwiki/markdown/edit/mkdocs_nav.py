"""The navigation of MkDocs: the pages that `nav` in mkdocs.yml names, below its `docs_dir`."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import dirname, normpath

from memwiki.errors import NotEditableError
from memwiki.markdown.edit.companion import Companion, Inset, StringKind
from memwiki.markdown.edit.obsidian_base import root_of, scalar_of
from memwiki.markdown.edit.yaml.nodes import YamlKind, YamlNode
from memwiki.markdown.source import read_source
from memwiki.names import is_page_name, path_in

_DOCS = "docs"


def read_nav(path: str, data: bytes) -> Companion:
    """The pages of a navigation, each by its path from the folder of all pages."""
    source = read_source(path, data)
    root = root_of(path, source.text)
    if root is not None and root.kind is not YamlKind.MAP:
        raise NotEditableError(f"{path}: is no map", hint="look at it in an editor", path=path)
    insets, frame, folder = [], [], _DOCS
    for key, value in root.pairs() if root else ():
        frame.append(key.value)
        folder = _text(value) or folder if key.value == "docs_dir" else folder
        for node in _scalars(value):
            is_page = key.value == "nav" and is_page_name(node.value) and "://" not in node.value
            if is_page:
                insets.append(Inset(StringKind.FILE, (scalar_of(node, source.text),)))
            frame.append("" if is_page else node.value)
    base = path_in(dirname(path), normpath(folder))
    return Companion(source, tuple(insets), frame, "" if base == "." else base)


def _text(node: YamlNode) -> str:
    """A value that is written out; "" for none, and for what a tag stands for."""
    value = "" if node.kind is not YamlKind.SCALAR or node.is_marked else node.plain()
    return value if isinstance(value, str) else ""


def _scalars(node: YamlNode) -> Iterator[YamlNode]:
    """What stands in a node, the keys of maps too: they are titles."""
    if node.kind is YamlKind.SCALAR:
        yield node
    for item in node.items:
        yield from _scalars(item)
