"""Tags of a page, in the front matter and in the text: added, taken out and renamed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from memwiki.entry_fields import canonical
from memwiki.errors import LineNotEditableError
from memwiki.markdown.edit.fields import (
    changed_property_tags,
    is_by_property,
    property_tags,
    set_field,
    with_property_tags,
)
from memwiki.markdown.edit.yaml import (
    YamlField,
    YamlHead,
    YamlKind,
    YamlNode,
    append_items,
    drop_items,
    flow_list,
    item_text,
    scalar_text,
)
from memwiki.markdown.fields import (
    WIKILINK,
    is_link,
    split_tags,
    tag_items,
    tags_and_links,
)
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import Patch
from memwiki.markdown.syntax import LIST_MARKER
from memwiki.names import fold
from memwiki.nouns import FieldValue
from memwiki.records import NamedTuple
from memwiki.text import pattern

TagChange: TypeAlias = Callable[[str], str]
_SEPARATORS = pattern(r"([,，、；\n]|;(?=\s|\Z))")
_CLOSING = pattern(r"#(?!\w)")  # of `#tag#`
_MARK = pattern("\0")  # where a link stood
_ONE_TAG = pattern(r"\w[\w-]*+")  # and nothing else
_BLANKS = pattern(r"(\s+)")
_BEFORE = pattern(r"[\s\0\[\]\"'#/]*+")
_AFTER = "\0[]\"'/"
# What may stand around the tags of a line or item without making a sentence of them.
_LEAD = pattern(rf"[ \t>]*(?:{LIST_MARKER}[ \t]+)?(?:#{{1,6}}[ \t]+)?\Z")
_TAIL = pattern(r"(?:[ \t]*+\[(?=[^\[\]\n]*?::)[^\[\]\n]*+\])*+(?:[ \t]++\^[\w-]++)?[ \t]*+\Z")


def field_tags(page: Outline) -> tuple[str, ...]:
    """The tags in the front matter and the properties, as spelled."""
    if page.front.is_toml:
        return page.fields.tags
    head = YamlHead(page)
    return tuple(dict.fromkeys((*property_tags(page), *_tags_of(head))))


def _tags_of(head: YamlHead) -> Iterator[str]:
    for field in _tag_fields(head):
        yield from split_tags(field.value.plain())


def added_tags(page: Outline, tags: Sequence[str]) -> Outline:
    """The page with more tags in its front matter, or its properties."""
    if page.is_logseq and is_by_property(page, "tags"):
        return with_property_tags(page, tags)
    head = YamlHead(page)
    field = head.field("tags")
    node = field.value if field else None
    if field and node and _has_signs(node):
        text = str(node.plain())
        between = ", #" if "," in text else " #"
        after = between.join([text, *tags])
        patch = head.node_patch(node.start, node.end, scalar_text(after, quote=node.quote))
        return head.with_value(field, [patch], after)
    if field is None or node is None or node.kind is not YamlKind.LIST:
        there = tags_and_links(node.plain()) if node else []
        return set_field(page, "tags", [*dict.fromkeys((*there, *field_tags(page))), *tags])
    items = tag_items(node.plain())
    if node.is_flow and len(items) == 1 and items != node.plain():
        # An unquoted `[[x]]` that more stands beside is a wikilink no longer.
        whole = [*tags_and_links(items), *tags]
        patch = head.node_patch(node.start, node.end, flow_list(whole))
        return head.with_value(field, [patch], [*whole])
    patches = append_items(head, node, [item_text(tag, node) for tag in tags])
    existing = [value for item in node.items if (value := item.plain())]
    return head.with_value(field, patches, [*existing, *tags])


def _has_signs(node: YamlNode) -> bool:
    """Whether it is a text of tags on a line, each with its `#`."""
    is_line = node.kind is YamlKind.SCALAR and not (node.is_block_text or node.is_marked)
    return is_line and str(node.plain()).startswith("#")


def _tag_fields(head: YamlHead) -> list[YamlField]:
    return [field for field in head.fields if canonical(field.name) == "tags"]


def changed_tags(page: Outline, change: TagChange) -> Outline:
    """The page with each tag of its front matter as `change` gives it; "" takes it out.

    A tag that already exists does not come in twice.
    """
    if page.front.is_toml and all(change(tag) == tag for tag in page.fields.tags):
        return page
    page = changed_property_tags(page, change)
    head = YamlHead(page)
    fields = _tag_fields(head)
    existing = {fold(tag) for tag in _tags_of(head) if change(tag) == tag}
    patches, expected = [], dict(head.values)
    for field in fields:
        more, value = _change(head, field, change, existing)
        patches += more
        expected[field.name] = value
    if not patches:
        return page
    return head.rewritten(patches, expected, fields[0].first)


def _change(
    head: YamlHead, field: YamlField, change: TagChange, existing: set[str]
) -> tuple[list[Patch], FieldValue]:
    node = field.value
    if node.kind is YamlKind.LIST:
        return _changed_list(head, node, change, existing)
    before = node.plain()
    if node.kind is not YamlKind.SCALAR or not isinstance(before, str):
        return [], before
    after = _changed_text(before, change, existing)
    if after == before:
        return [], before
    if node.is_block_text or node.is_marked:
        head.refuse(f"{field.name} is written over several lines", field.first)
    return [head.node_patch(node.start, node.end, scalar_text(after, quote=node.quote))], after


def _changed_list(
    head: YamlHead, node: YamlNode, change: TagChange, existing: set[str]
) -> tuple[list[Patch], FieldValue]:
    patches, gone, values = [], list[int](), list[FieldValue]()
    for number, item in enumerate(node.items):
        before = item.plain()
        if item.kind is not YamlKind.SCALAR or not isinstance(before, str):
            values.append(before)
            continue
        after = _changed_text(before, change, existing, is_item=True)
        if before and not after:
            gone.append(number)
            continue
        values.append(after)
        if after != before:
            new = scalar_text(after, quote=item.quote, is_flow=node.is_flow)
            patches.append(head.node_patch(item.start, item.end, new))
    return patches + drop_items(head, node, gone), values


def _changed_text(
    text: str, change: TagChange, existing: set[str], *, is_item: bool = False
) -> str:
    """A text of tags, parted by commas or blanks, with each as `change` gives it."""
    if is_link(text):
        return text
    if _ONE_TAG.fullmatch(text):
        new = change(text)
        return new if new == text or fold(new) not in existing else ""
    links = (match[0] for match in WIKILINK.finditer(text))
    text = WIKILINK.sub("\0", text)  # a mark for each
    separators = _SEPARATORS if is_item or _SEPARATORS.search(text) else _BLANKS
    parts = separators.split(text)
    kept: list[str] = []
    for part, separator in zip(parts[::2], ["", *parts[1::2]], strict=True):
        core = _core(part)
        new = change(core) if core else core
        if new == core:
            kept += [separator, part]
        elif new and fold(new) not in existing:
            kept += [separator, part.replace(core, new, 1)]
        else:  # a bracket around it stays
            kept.append(part.replace(core, "", 1).strip(" \t#\"'"))
    joined = "".join(kept)
    if "".join(parts) != joined:
        joined = _trimmed(joined, separators)
    return _MARK.sub(lambda _: next(links), joined)


def _core(part: str) -> str:
    """A part without quotes, brackets, blanks and slashes around it."""
    before = _BEFORE.match(part)
    start, end = before.end() if before else 0, len(part)
    while end > start and (part[end - 1] in _AFTER or part[end - 1].isspace()):
        end -= 1
    return part[start:end]


def _trimmed(text: str, separators: re.Pattern[str]) -> str:
    """Without what parted a tag that is gone from its neighbours."""
    if separators is _BLANKS or not text.startswith(("[", ",", "，", "、", ";", "；")):
        return text.strip()
    return re.sub(r"\A(\[?)\s*[,，、;；]?\s*", r"\1", text)


class InlineTag(NamedTuple):
    """A tag with its half-open offsets in the text, `#` included, and its line from 0; `closing` is
    what follows the name in `#[[two words]]`."""

    name: str
    start: int
    end: int
    line: int
    closing: str = ""

    @property
    def name_start(self) -> int:
        """Where the name begins."""
        return self.end - len(self.closing) - len(self.name)


def inline_tags(page: Outline) -> list[InlineTag]:
    """The tags in the text below the front matter, as the reader finds them."""
    if "#" not in page.text:
        return []
    return [_locate(page, name, at) for name, at in page.tags]


def _locate(page: Outline, name: str, at: int) -> InlineTag:
    """Masked lines may be shorter than those of the file, but have the same columns."""
    line, column = page.masked.place(at)
    start = page.offset(line, column)
    text, last = page.masked.text, page.masked.text.index(name, at + 1) + len(name)
    closing = text[last : text.index("]]", last) + 2] if text.startswith("#[[", at) else ""
    return InlineTag(name, start, start + last - at + len(closing), line, closing)


def may_hold(text: str, tag: str) -> bool:
    """Whether a tag, or one nested in it, may be in a text: most that have it in the front matter
    alone need not be read as markdown."""
    return not text.isascii() or ("#" in text and fold(tag) in text.lower())


def renamed_inline(page: Outline, rename: TagChange) -> Outline:
    """The page with other tags in its text; one that would stand twice side by side goes."""
    return _checked(page, *_renaming(page, rename))


def rename_patches(page: Outline, rename: TagChange) -> list[Patch]:
    """What gives a text other tags, once that is known to do it."""
    patches, expected = _renaming(page, rename)
    _checked(page, patches, expected)
    return patches


def _renaming(page: Outline, rename: TagChange) -> tuple[list[Patch], list[str]]:
    """The patches, and the tags that there will be."""
    tags = inline_tags(page)
    patches, expected = [], []
    for run in _runs(page, tags):
        kept: list[str] = []
        unchanged = {fold(tag.name) for tag in run if rename(tag.name) == tag.name}
        for number, tag in enumerate(run):
            new = rename(tag.name)
            if new != tag.name and fold(new) in unchanged:
                patches.append(_dropped(run, number, has_left=bool(kept)))
                continue
            kept.append(new)
            if new != tag.name:
                doubled = page.is_logseq and not tag.closing and " " in new
                end, written = tag.end - len(tag.closing), f"[[{new}]]" if doubled else new
                patches.append(Patch(tag.name_start, end, written))
        expected += kept
    return patches, expected


def removed_inline(page: Outline, is_gone: Callable[[str], bool]) -> Outline:
    """The page without some tags: beside other tags they go, inside a sentence they become
    words."""
    tags = inline_tags(page)
    patches = []
    for run in _runs(page, tags):
        gone = [number for number, tag in enumerate(run) if is_gone(tag.name)]
        if gone:
            patches += _removal(page, run, gone)
    expected = [tag.name for tag in tags if not is_gone(tag.name)]
    return _checked(page, patches, expected)


def _runs(page: Outline, tags: Sequence[InlineTag]) -> list[list[InlineTag]]:
    """Tags that stand side by side on a line."""
    runs: list[list[InlineTag]] = []
    for tag in tags:
        last = runs[-1][-1] if runs else None
        if last and last.line == tag.line and not page.text[last.end : tag.start].strip():
            runs[-1].append(tag)
        else:
            runs.append([tag])
    return runs


def _dropped(run: Sequence[InlineTag], number: int, *, has_left: bool) -> Patch:
    """A tag with the blank that parts it from the neighbour that stays."""
    if has_left:
        return Patch(run[number - 1].end, run[number].end, "")
    return Patch(run[number].start, run[number + 1].start, "")


def _removal(page: Outline, run: Sequence[InlineTag], gone: Sequence[int]) -> list[Patch]:
    line = run[0].line
    before = page.text[page.starts[line] : run[0].start]
    is_alone = _LEAD.match(before) is not None
    is_last = _TAIL.match(page.text, run[-1].end, page.end_of(line)) is not None
    if not is_last or (is_alone and len(gone) == len(run)):
        return _as_words(page, run, gone, is_whole_line=is_last and not before.strip())
    if not is_alone and gone[0] == 0:
        start = run[0].start - len(before) + len(before.rstrip())
        first = Patch(start, run[0].end, "")
        return [first, *(_dropped(run, number, has_left=True) for number in gone[1:])]
    kept = min(set(range(len(run))).difference(gone))
    return [_dropped(run, number, has_left=number > kept) for number in gone]


def _as_words(
    page: Outline, run: Sequence[InlineTag], gone: Sequence[int], *, is_whole_line: bool
) -> list[Patch]:
    """Without the `#` (of `#tag#` both), so that no sentence, item or heading loses a word; a line
    of tags goes."""
    line = run[0].line
    if is_whole_line and not page.text[run[-1].end : page.end_of(line)].strip():
        return [Patch(page.starts[line], page.starts[line + 1], "")]
    tags = [run[number] for number in gone]
    closing = (tag.end for tag in tags if _CLOSING.match(page.text, tag.end))
    opening = (Patch(tag.start, tag.name_start, "") for tag in tags)
    doubled = (Patch(tag.end - len(tag.closing), tag.end, "") for tag in tags if tag.closing)
    return sorted([*opening, *doubled, *(Patch(end, end + 1, "") for end in closing)])


def _checked(page: Outline, patches: Sequence[Patch], expected: Sequence[str]) -> Outline:
    """The patched page, when its tags are read as expected."""
    if not patches:
        return page
    after = page.edited(patches)
    # A line that goes must not make a heading of the one above it.
    is_whole = len(after.sections) == len(page.sections)
    if not is_whole or [tag.name for tag in inline_tags(after)] != list(expected):
        line = page.line_at(patches[0].start) + 1
        what = "a tag in the text cannot be changed safely"
        raise LineNotEditableError(page.path, line, what)
    return after
