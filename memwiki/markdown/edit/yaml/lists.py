"""Adding, changing and dropping items of a YAML list in the style it is written in."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memwiki.markdown.edit.yaml.head import YamlHead
from memwiki.markdown.edit.yaml.nodes import YamlNode
from memwiki.markdown.edit.yaml.scalars import written
from memwiki.markdown.source import Patch


def item_text(text: str, node: YamlNode) -> str:
    """A text as an item of a list, quoted as its last item is."""
    quote = node.items[-1].quote if node.items else ""
    return written(text, quote=quote, is_flow=node.is_flow)


def flow_list(items: Sequence[str]) -> str:
    """A new list in brackets."""
    return f"[{', '.join(written(item, is_flow=True) for item in items)}]"


def added(head: YamlHead, node: YamlNode, texts: Sequence[str]) -> list[Patch]:
    """Patches that append items, given as YAML, to a list that is not missing."""
    if not texts:
        return []
    last = node.items[-1] if node.items else None
    if last is None or not last.is_missing or node.is_flow:
        return _appended(head, node, texts)
    # `- ` without anything after it waits for the first of them.
    return [head.value_patch(last, texts[0]), *_appended(head, node, texts[1:])]


def _appended(head: YamlHead, node: YamlNode, texts: Sequence[str]) -> list[Patch]:
    if not node.items:
        return [head.node_patch(node.start, node.end, f"[{', '.join(texts)}]")]
    last = node.items[-1]
    if node.is_flow:
        comma = _comma(head, node)
        return [head.node_patch(last.end, last.end, "".join(comma + text for text in texts))]
    before = head.page.lines[head.line_of(last.start)][: head.column_of(last.start)]
    location = head.page.starts[head.line_of(last.end) + 1]
    return [Patch(location, location, "".join(f"{before.rstrip()} {text}\n" for text in texts))]


def _comma(head: YamlHead, node: YamlNode) -> str:
    """What stands between the last two items, where that is a comma on one line."""
    if len(node.items) < 2:
        return ", "
    between = head.text_of(node.items[-2].end, node.items[-1].start)
    return between if between.strip(" ") == "," else ", "


def dropped(head: YamlHead, node: YamlNode, numbers: Collection[int]) -> list[Patch]:
    """Patches that remove the items of these numbers; a list that becomes empty is `[]`."""
    if not numbers:
        return []
    gone = sorted(numbers)
    if node.is_flow:
        if len(gone) == len(node.items):
            return [head.node_patch(node.start, node.end, "[]")]
        return [head.node_patch(*_flow_range(node, run), "") for run in _runs(gone)]
    items = [node.items[number] for number in gone]
    patches = [head.without_lines(*map(head.line_of, (i.start, i.end))) for i in items]
    return [*patches, _emptied(head, node)] if len(gone) == len(node.items) else patches


def _runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Neighbouring numbers as (first, last)."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs


def _flow_range(node: YamlNode, run: tuple[int, int]) -> tuple[int, int]:
    """Some items with the comma that follows them, or at the end the one before."""
    first, last = run
    if last + 1 < len(node.items):
        return node.items[first].start, node.items[last + 1].start
    return node.items[first - 1].end, node.items[last].end


def _emptied(head: YamlHead, node: YamlNode) -> Patch:
    """`[]` after the colon above the first item."""
    key = next(field.key for field in head.fields if field.value.start == node.start)
    colon = head.page.text.index(":", head.at(key.end)) + 1
    return Patch(colon, colon, " []")


def replaced(head: YamlHead, node: YamlNode, wanted: Sequence[str]) -> list[Patch]:
    """Patches that make a list of scalars hold these texts, item by item."""
    patches = [
        head.value_patch(item, written(text, quote=item.quote, is_flow=node.is_flow))
        for item, text in zip(node.items, wanted, strict=False)
        if item.plain() != text
    ]
    if more := [item_text(text, node) for text in wanted[len(node.items) :]]:
        patches += _appended(head, node, more)
    return patches + dropped(head, node, range(len(wanted), len(node.items)))
