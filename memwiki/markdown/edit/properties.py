"""Setting and removing the properties of a Logseq page, `key:: value`; every other byte stays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from memwiki.errors import LineNotEditableError, NotEditableError, UsageError
from memwiki.markdown.dialects.properties import ITEM, PLAIN, Property, value_of
from memwiki.markdown.fields import canonical, split_tags
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import Patch
from memwiki.names import fold
from memwiki.nouns import FrontMatterStatus
from memwiki.patterns import pattern

_KEY = pattern(r"[^\W\d][\w.-]*\Z")
_LISTS = frozenset({"tags", "aliases"})
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
    return _changed(page, [patch], existing.key, text)


def _as_list(existing: Property | None, items: Sequence[str]) -> str:
    """The text of a list; what is added to one leaves the rest as it is written."""
    if existing is None:
        return ", ".join(_items_like("", items))
    old, new = value_of(existing.key, existing.value), [each.strip() for each in items]
    is_more = isinstance(old, list) and old and new[: len(old)] == old
    more = _items_like(existing.value, new[len(old) :] if is_more else new)
    return ", ".join([existing.value, *more] if is_more else more)


def unset_property(page: Outline, existing: Property) -> Outline:
    """The page without one property."""
    starts = page.starts
    return page.edited([Patch(starts[existing.line], starts[existing.line + 1], "")])


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
    if not _KEY.match(key):
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
    return _changed(page, [Patch(at, at, line)], key, text)


def _changed(page: Outline, patches: Sequence[Patch], key: str, text: str) -> Outline:
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
    return _changed(page, [Patch(at, at, f", {new}")], existing.key, f"{existing.value}, {new}")


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
    parts, done, is_first = list[str](), 0, True
    for match in ITEM.finditer(text):
        written = match[1] if match[1] is not None else match[0]
        name = written.strip().lstrip("#").strip()
        new = change(name) if name else name
        is_gone = new != name and (not new or fold(new) in kept)
        before = text[done : match.start()]
        done = match.end()
        if is_gone:
            continue
        kept |= {fold(new)} if new != name else set()
        item = match[0] if new == name else match[0].replace(name, new, 1)
        parts += ["" if is_first else before or ",", item.lstrip() if is_first else item]
        is_first = False
    return "".join([*parts, text[done:]]) if not is_first else ""


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
