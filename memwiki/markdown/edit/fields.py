"""Setting and removing single fields of a front matter, or properties as Logseq writes them; every
other byte stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from memwiki.entry_fields import canonical
from memwiki.errors import LineNotEditableError, NotEditableError, NotFoundError, UsageError
from memwiki.markdown.dialects import ITEM, PLAIN, Property, value_of
from memwiki.markdown.edit.yaml import (
    YamlField,
    YamlHead,
    YamlKind,
    YamlNode,
    flow_list,
    replace_items,
    scalar_text,
)
from memwiki.markdown.fields import WIKILINK, is_link, split_tags, tags_and_links
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import Patch
from memwiki.names import fold, is_encodable, require_str, texts
from memwiki.nouns import FieldValue, FrontMatterStatus
from memwiki.text import MARKS, pattern

_PROPERTY_KEY = pattern(rf"[^\W\d][\w{MARKS}.-]*\Z")
_WRITTEN = {"aliases": "alias"}  # as Logseq calls it
_WHOLE_LINK = pattern(r"\[\[[^\[\]]+\]\]")
_SEPARATORS = pattern(r"[,，]")


def property_of(page: Outline, name: str) -> Property | None:
    """The property of this name: as written, in another case, or by a synonym; the first one."""
    found = page.properties
    alike = [each for each in found if fold(each.key) == fold(name)]
    same = [each for each in found if canonical(each.key) == canonical(name)]
    return next(iter((*alike, *same)), None)


def is_by_property(page: Outline, name: str) -> bool:
    """Whether a field is, or would be, a property: a front matter that is there takes others."""
    if not page.is_logseq:
        return False
    return page.front.status is FrontMatterStatus.NONE or property_of(page, name) is not None


def set_property(page: Outline, name: str, value: str | Sequence[str]) -> Outline:
    """The page with one property set, on its line or on a new one below the others."""
    existing = property_of(page, name)
    known = canonical(existing.key if existing else name)
    text = value.strip() if isinstance(value, str) else ""
    if not isinstance(value, str) or known in _LISTS:
        items = _SEPARATORS.split(value) if isinstance(value, str) else value
        text = _as_list(existing, items)
    if "\n" in text or "\r" in text:
        raise UsageError(f"{name}: a property of Logseq is one line", "leave out line ends")
    if existing is None:
        return _with_new(page, name, text)
    if known in PLAIN and _WHOLE_LINK.fullmatch(existing.value) and text and "[[" not in text:
        text = f"[[{text}]]"
    if value_of(existing.key, existing.value) == value_of(existing.key, text):
        return page
    blank = "" if page.lines[existing.line][: existing.start].endswith((" ", "\t")) else " "
    start = page.offset(existing.line, existing.start)
    patch = Patch(start, page.offset(existing.line, existing.end), blank * bool(text) + text)
    return _with_property(page, [patch], existing.key, text)


def _as_list(existing: Property | None, items: Sequence[str]) -> str:
    """The text of a list; what is added to one leaves the rest as it is written."""
    if existing is None:
        return ", ".join(_items_like("", items))
    old, new = value_of(existing.key, existing.value), [each.strip() for each in items]
    is_more = isinstance(old, list) and old and new[: len(old)] == old
    more = _items_like(existing.value, new[len(old) :] if is_more else new)
    return ", ".join([existing.value, *more] if is_more else more)


def _items_like(existing: str, items: Sequence[str]) -> Iterator[str]:
    """Names as the others of the list are written: as links, or plain where that can say them."""
    is_linked = existing.lstrip().startswith("[[")
    for item in (each.strip() for each in items):
        bare = item.removeprefix("[[").removesuffix("]]")
        is_link = item != bare or is_linked or _SEPARATORS.search(item)
        if bare:
            yield f"[[{bare}]]" if is_link else item


def _with_new(page: Outline, name: str, text: str) -> Outline:
    key = _WRITTEN.get(name, name)
    if not _PROPERTY_KEY.match(key):
        raise UsageError(
            f"{name or 'the key'}: cannot be written as a property",
            "a key is a word: letters, digits, - _ .",
        )
    line = f"{key}:: {text}".rstrip() + "\n"
    last = page.text_start
    at = page.starts[last] if last < len(page.starts) else len(page.text)
    if at and not page.text[:at].endswith("\n"):
        line = f"\n{line.removesuffix(chr(10))}"
    elif not page.properties and page.text[at:].strip():
        line += "\n"
    return _with_property(page, [Patch(at, at, line)], key, text)


def _with_property(page: Outline, patches: Sequence[Patch], key: str, text: str) -> Outline:
    """The patched page, when it reads as it should and its text below is as it was."""
    after = page.edited(patches)
    now = property_of(after, key)
    is_said = now is not None and value_of(now.key, now.value) == value_of(key, text)
    below = page.lines[page.text_start :]
    is_same = after.lines[after.text_start :][-len(below) :] == below if below else True
    if not (is_said and is_same):
        line = now.line if now else page.text_start
        raise LineNotEditableError(page.path, line + 1, "cannot be written as a property")
    return after


# --- tags ---


def property_tags(page: Outline) -> tuple[str, ...]:
    """The tags among the properties, as spelled."""
    found = (value_of("tags", each.value) for each in _tag_lines(page))
    return tuple(tag for value in found for tag in split_tags(value))


def _tag_lines(page: Outline) -> list[Property]:
    return [each for each in page.properties if canonical(each.key) == "tags"]


def with_property_tags(page: Outline, tags: Sequence[str]) -> Outline:
    """The page with more tags among its properties; those that are there stay as written."""
    existing = property_of(page, "tags")
    if existing is None or not existing.value:
        return set_property(page, "tags", list(tags))
    return _extended(page, existing, ", ".join(_items_like(existing.value, tags)))


def _extended(page: Outline, existing: Property, new: str) -> Outline:
    """The page with more at the end of the list in a property."""
    at = page.offset(existing.line, existing.end)
    text = f"{existing.value}, {new}"
    return _with_property(page, [Patch(at, at, f", {new}")], existing.key, text)


def changed_property_tags(page: Outline, change: Callable[[str], str]) -> Outline:
    """The page with each tag of its properties as `change` gives it; "" takes it out."""
    kept = {fold(tag) for tag in property_tags(page) if change(tag) == tag}
    texts = [(each, _changed_items(each.value, change, kept)) for each in _tag_lines(page)]
    patches = [_line_patch(page, each, text) for each, text in texts if text != each.value]
    return page.edited(patches) if patches else page


def _line_patch(page: Outline, existing: Property, text: str) -> Patch:
    """A patch that gives a property another value; without one it goes."""
    if not text:
        return Patch(page.starts[existing.line], page.starts[existing.line + 1], "")
    return Patch(
        page.offset(existing.line, existing.start), page.offset(existing.line, existing.end), text
    )


def _changed_items(text: str, change: Callable[[str], str], kept: set[str]) -> str:
    """The text of a list with its items changed, and what parts them as it was."""
    parts, done, is_first, separator = list[str](), 0, True, ""
    for match in ITEM.finditer(text):
        written = match[1] if match[1] is not None else match[0]
        if not written.strip():  # blanks, which part the items beside them
            continue
        name = written.strip().lstrip("#").strip()
        new = change(name) if name else name
        is_gone = new != name and (not new or fold(new) in kept)
        before = text[done : match.start()]
        if separator:
            before = before.lstrip() or separator
        done = match.end()
        if is_gone:
            separator = ","  # what stood between its neighbours may have been the item alone
            continue
        if new != name:
            kept.add(fold(new))
        item = match[0] if new == name else match[0].replace(name, new, 1)
        parts += ["" if is_first else before, item.lstrip() if is_first else item]
        is_first, separator = False, ""
    left = "" if is_first and separator else "".join([*parts, text[done:]])
    return left.rstrip() if separator else left


# --- links ---


def with_property_link(page: Outline, key: str, name: str) -> Outline:
    """The page with a link to one more page in a property."""
    existing = property_of(page, key)
    if existing is None or not existing.value:
        return set_property(page, key, f"[[{name}]]")
    if not existing.value.rstrip().endswith("]]"):
        raise NotEditableError.at(
            page.path,
            f"{existing.key} is no list of links",
            "edit it by hand",
            line=existing.line + 1,
        )
    return _extended(page, existing, f"[[{name}]]")


def without_property_links(page: Outline, key: str, is_gone: Callable[[str], bool]) -> Outline:
    """The page without some names in a property, which goes when nothing is left in it."""
    existing = property_of(page, key)
    if existing is None or "[[" not in existing.value:
        return page
    text = _changed_items(existing.value, lambda name: "" if is_gone(name) else name, set())
    return page if text == existing.value else page.edited([_line_patch(page, existing, text)])


Wanted: TypeAlias = "str | Sequence[str]"
WantedFields: TypeAlias = "dict[str, Wanted]"

_KEY = pattern(rf"[^\W\d][\w{MARKS}.-]*(?: [\w{MARKS}.-]+)*\Z")
_LISTS = frozenset({"tags", "aliases"})
# What other readers, too, have to take for text: a title 1917 is no number.
_TEXTS = _LISTS | {"title", "description", "type", "status", "id"}
_BLOCK_HEADER = pattern(r"[|>][-+\d]*([ \t]+#[^\n]*)?")


def set_field(page: Outline, name: str, value: Wanted) -> Outline:
    """The page with one field set, on the line where it stands or on a new one."""
    if not isinstance(value, str | list | tuple):
        raise UsageError(f"{name}: is not text or a list of texts", "give a str or a list of str")
    items = texts(value)
    require_str(str(name), name, *items)
    for text in (name, *items):
        if not is_encodable(text):
            raise UsageError(f"{text!r}: is not text", "give it as UTF-8")
    if page.is_logseq and is_by_property(page, name):
        return set_property(page, name, value)
    head = YamlHead(page)
    field = head.field(name)
    if field:
        return _change(head, field, _wanted_value(value, field))
    _require_new(head, name)
    return _add(head, name, _wanted_value(value, None, name))


def unset_field(page: Outline, name: str) -> Outline:
    """The page without one field."""
    if existing := property_of(page, name):
        return page.edited([_line_patch(page, existing, "")])
    head = YamlHead(page)
    field = head.field(name)
    if field is None:
        names = (*(each.key for each in page.properties), *(each.name for each in head.fields))
        known = ", ".join(names) or "none"
        raise NotFoundError.at(page.path, f"has no field {name}", f"it has {known}")
    expected = {key: value for key, value in head.values.items() if key != field.name}
    return head.rewritten([head.without_lines(field.first, field.last)], expected, field.first)


def _require_new(head: YamlHead, name: str) -> None:
    """Refuse a key that YAML would not take as it is, or that says again what another one says."""
    if not _KEY.match(name):
        raise UsageError(
            f"{name or 'the key'}: cannot be written as a key",
            "a key is a word: letters, digits, - _ . and single blanks",
        )
    other = head.other_spelling(name)
    if other:
        raise UsageError.at(
            head.page.path,
            f"{other.name} means the same as {name}",
            f"set {other.name} instead",
            line=other.first + 1,
        )


def _wanted_value(value: Wanted, field: YamlField | None, name: str = "") -> FieldValue:
    """What the field is to hold: a list where one is written, or where the key means one."""
    known = canonical(field.name if field else name)
    is_list = known in _LISTS or (field is not None and field.value.kind is YamlKind.LIST)
    if isinstance(value, str) and not is_list:
        return value
    items = value.split(",") if isinstance(value, str) else list(value)
    if known == "tags":
        return list(tags_and_links(list(items)))
    return [item.strip() for item in items if item.strip()]


# --- a field that stands there ---


def _change(head: YamlHead, field: YamlField, wanted: FieldValue) -> Outline:
    node = field.value
    if _is_held(node, wanted):
        return head.page
    if node.kind is YamlKind.MAP or node.is_marked:
        head.refuse(f"{field.name} holds nested values or an anchor", field.first)
    if node.kind is YamlKind.LIST:
        patches, after = _list_patches(head, field, wanted), wanted
    else:
        patches, after = _scalar_patches(head, field, wanted)
    return head.with_value(field, patches, after)


def _is_held(node: YamlNode, wanted: FieldValue) -> bool:
    if node.kind is YamlKind.ALIAS:
        return False
    value = node.plain()
    return value == wanted or (wanted == [] and value == "")


def _list_patches(head: YamlHead, field: YamlField, wanted: FieldValue) -> list[Patch]:
    if any(item.kind is not YamlKind.SCALAR or item.is_block_text for item in field.value.items):
        head.refuse(f"{field.name} holds nested values", field.first)
    return replace_items(head, field.value, [str(item) for item in wanted])


def _scalar_patches(
    head: YamlHead, field: YamlField, wanted: FieldValue
) -> tuple[list[Patch], FieldValue]:
    """The patch of a value that is one text, and what it reads as."""
    node = field.value
    after = wanted
    if isinstance(wanted, list) and node.plain():
        after = _join(str(node.plain()), [str(item) for item in wanted])
    text = _as_value(field.name, after, node)
    if node.is_block_text:
        return [_block_patch(head, field, text)], after
    return [head.value_patch(node, text)], after


def _join(existing: str, items: Sequence[str]) -> FieldValue:
    """Items in the style of the text that held such a list; as a list where that cannot say it."""
    if any("," in item or is_link(item) for item in items):
        return list(items)
    bare = WIKILINK.sub("", existing)
    if bare.startswith("[") and bare.endswith("]"):
        return f"[{', '.join(items)}]"
    is_blank = " " in existing and "," not in existing and not any(" " in item for item in items)
    return (" " if is_blank else ", ").join(items)


def _as_value(name: str, wanted: FieldValue, node: YamlNode) -> str:
    if not isinstance(wanted, str):
        return flow_list([str(item) for item in wanted])
    return scalar_text(wanted, quote=node.quote, is_text=canonical(name) in _TEXTS)


def _block_patch(head: YamlHead, field: YamlField, text: str) -> Patch:
    """One line instead of a text of several; a comment on its first line stays."""
    start, end = head.at(field.value.start), head.page.end_of(field.last)
    header = _BLOCK_HEADER.match(head.page.lines[field.first], head.column_of(field.value.start))
    comment = (header[1] or "") if header else ""
    return Patch(start, end, text + comment)


# --- a new field ---


def _add(head: YamlHead, name: str, wanted: FieldValue) -> Outline:
    node = YamlNode(YamlKind.SCALAR, 0, 0)
    return head.with_new_lines(f"{name}: {_as_value(name, wanted, node)}", name, wanted)
