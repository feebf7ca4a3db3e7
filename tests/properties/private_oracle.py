"""What a mark of privacy hides by the tree that markdown-it makes of a page, read in full."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

_PARSER = MarkdownIt("commonmark").enable("table")
_MARK = re.compile(r"\[private:: true\]")
_CONTAINERS = ("list_item", "blockquote")
_UNREAD = ("code_inline", "html_inline", "code_block", "fence")


def hidden_by_marks(text: str) -> set[int]:
    """The lines, from 0, that marks hide, as long as there is one; blank lines are left out."""
    lines, hidden = text.split("\n"), set[int]()
    while found := set(_hidden_once(lines)):
        hidden |= found
        lines = ["" if number in hidden else line for number, line in enumerate(lines)]
    return {number for number in hidden if text.split("\n")[number].strip()}


def _hidden_once(lines: Sequence[str]) -> Iterator[int]:
    tree = SyntaxTreeNode(_PARSER.parse("\n".join([*lines, ""])))
    for node in tree.walk():
        if node.type in ("inline", "html_block") and _MARK.search(_visible(node)):
            yield from range(*_block_of(node, tree, len(lines)))


def _visible(node: SyntaxTreeNode) -> str:
    if node.type == "html_block":
        return re.sub(r"<!--.*?-->", "", node.content, flags=re.DOTALL)
    return "".join(
        " " if child.type in _UNREAD else "\n" if "break" in child.type else child.content
        for child in node.walk()
        if child is not node
    )


def _block_of(node: SyntaxTreeNode, tree: SyntaxTreeNode, line_count: int) -> tuple[int, int]:
    above = list(_above(node))
    for each in above:
        if each.type in _CONTAINERS:
            return each.map
    top = above[-1] if above else node
    return (top.map[0], _section_end(top, tree, line_count)) if top.type == "heading" else top.map


def _above(node: SyntaxTreeNode) -> Iterator[SyntaxTreeNode]:
    while node.parent and not node.parent.is_root:
        node = node.parent
        yield node


def _section_end(heading: SyntaxTreeNode, tree: SyntaxTreeNode, line_count: int) -> int:
    later = (each for each in tree.children if each.type == "heading" and each.map > heading.map)
    return next((each.map[0] for each in later if each.tag <= heading.tag), line_count)
