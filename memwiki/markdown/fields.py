"""The known keys of front matter: their synonyms, how each value is read, and its links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeGuard

from memwiki.dates import iso_date
from memwiki.entry_fields import FieldKind, canonical, stored_names, unit_interval
from memwiki.names import fold, letters
from memwiki.nouns import FieldValue, FieldValues, FrontMatter, Link, LinkKind, Problem, Severity
from memwiki.records import NamedTuple
from memwiki.text import pattern

NO = frozenset({"", "false", "no", "off", "0", "null", "~"})
_SHARES = stored_names(FieldKind.SHARE)
_MERGED = frozenset({"tags", "aliases", "sources", "related", "relations"})
_DATES = frozenset({"created", "updated", "stale_after"})
WIKILINK = pattern(r"\[\[([^\[\]\n]+)\]\]")
_LINK = pattern(r"\[[^\[\]\n]*\]\([^()\s]+\)\Z|https?://\S+\Z")
_LIST_SPLIT = pattern(r"[,，、\n]")
_SEMICOLON = pattern(r"；|;(?=\s|\Z)")  # as reference managers part keywords
# The status of decision records: `superseded by [ADR-7](0007-tokens.md)`.
SUPERSEDED_BY = pattern(r"\s*super[sc]eded\s+by\s+", re.IGNORECASE)
LABELLED = pattern(rf"(?:{SUPERSEDED_BY.pattern})?\[([^\[\]\n]*)\]\(([^()\s]+)\)\Z", re.IGNORECASE)
ONE_WORD = pattern(r"[^\W\d][\w-]*\Z")
_PLAIN_KEYS = frozenset(
    "id title description type tags aliases created updated status"
    " sources related relations".split()
)
_SOURCE_KEYS = {"sources": LinkKind.SOURCE, "related": LinkKind.RELATED}
_WIKILINK_KINDS = {"sources": LinkKind.CITED}
SUCCEEDED = "superseded_by"
_RELATION_KEYS = frozenset({"supersedes", SUCCEEDED, "up", "parent"})
_LINKED_KEYS = _SOURCE_KEYS.keys() | _RELATION_KEYS | {"relations", "tags"}
# What agents call such lists in their wikis; what they name is a link where it is a page.
_NEAR_KEY = pattern(
    r"(?:(?:related|see|prereq|depends)[_-][\w-]+|prerequisites|parents|children)\Z", re.IGNORECASE
)
_TARGET_KEYS = tuple("target path file resource url page note links id title name".split())
# What a form has until it is filled in, or a site's program: VitePress, Starlight and Quarto.
_PLACEHOLDER = pattern(r"[{<$%]|(?:true|false|today|now|last-modified)\Z", re.IGNORECASE)
# Of a template: `{{title}}`, `<% tp.file.title %>`, and what Dataview writes a name from.
_FORM = pattern(
    r"<%[^%]*+%>|\{\{[^{}]*+\}\}|= ?this\.[\w.]++|\$= dv\.[^\n`]*+|(?:VIEW|INPUT)\[[^\[\]]*+\]"
)
# What front matter says to programs alone.
_OF_PROGRAMS = frozenset(
    "layout template publish published draft private slug permalink weight lang language toc uid"
    " uuid cssclass cssclasses banner icon sidebar_position sidebar_label nav_order".split()
)
_KNOWN = _PLAIN_KEYS - {"status"}
_PROPERTY = pattern(r"[^\W\d_]+(?:[ _-][^\W\d_]+){0,3}\Z")
_MAX_PROPERTY = 200  # characters
_NO_SCALAR = "[{|>&*!"
_KEY_END = pattern(r"[:=]")  # of YAML and of TOML
MAX_LINKS = 5_000


class Fields(NamedTuple):
    """Canonical fields, with what the page model keeps apart."""

    values: FieldValues
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    def text(self, key: str) -> str:
        """The field as one string; the first item of a list, "" when there is none, or nothing but
        a form to be filled in."""
        found = first_text(self.values.get(key, ""))
        return "" if is_form(found) else found


def is_form(text: str) -> bool:
    """Whether a text is nothing but what a template leaves to be filled in."""
    left = _FORM.sub("", text) if _holds_form(text) else text
    return left != text and not letters(left)


def _holds_form(text: str) -> bool:
    return any(map(text.__contains__, ("<%", "{{", "=this.", "= this.", "= dv.")))


def is_private(fields: FieldValues) -> bool:
    """Whether fields keep what has them out of prompts and exports: any word does but a no."""
    return any(_is_yes(value) for key, value in fields.items() if fold(key.strip()) == "private")


def _is_yes(value: FieldValue) -> bool:
    if isinstance(value, list):
        return any(map(_is_yes, value))
    return not isinstance(value, str) or value.strip().lower() not in NO


def first_text(value: FieldValue) -> str:
    """The first string inside a value."""
    while isinstance(value, list):
        value = value[0] if value else ""
    return value.strip() if isinstance(value, str) else ""


def read_fields(path: str, front_matter: FrontMatter, lines: list[str]) -> Fields:
    """Canonical names and coerced values; `lines` only serve to say where a problem is."""
    values: dict[str, FieldValue] = {}
    ids: list[str] = []
    # A canonical spelling wins over its synonyms wherever it stands.
    fields = front_matter.fields
    for key in sorted(fields, key=lambda key: canonical(key) != fold(key)):
        value = fields[key]
        name = canonical(key)
        if name == "id":
            ids += strings(value)
        if name not in values:
            values[name] = value
        elif name in _MERGED:
            values[name] = _merge(name, values[name], value)
        else:
            values[key] = value
    problems = _coerce(path, values, lines)
    written = (split_tags(values.get("tags", "")), split_names(values.get("aliases", "")))
    tags, aliases = (tuple(x for x in names if not _holds_form(x)) for names in written)
    if isinstance(title := values.get("title"), str) and "\n" in title:
        values["title"] = " ".join(title.split())
    for key, found in (("tags", tags), ("aliases", aliases)):
        if key in values:
            values[key] = list(found)
    return Fields(values, tags, aliases, tuple(dict.fromkeys(ids)), problems)


def _coerce(path: str, values: dict[str, FieldValue], lines: list[str]) -> tuple[Problem, ...]:
    problems = []
    for key in _DATES & values.keys():
        written = first_text(values[key])
        read = iso_date(written)
        if read or not written:
            values[key] = read
            continue
        if _PLACEHOLDER.match(written):
            continue
        at = [i for i, text in enumerate(lines, 1) if written in text]
        own = (i for i in at if canonical(key_of(lines[i - 1])) == key)
        line = next(own, at[0] if at else 1)
        message = f"`{key}: {written[:60]}` is no date that can be read; write it as 2026-11-21"
        problems.append(Problem(path, line, "date-unreadable", Severity.INFO, message))
    for key in _SHARES & values.keys():
        values[key] = unit_interval(first_text(values[key])) or values[key]
    return tuple(sorted(problems, key=lambda problem: problem.line))


def is_property(key: str, value: FieldValue) -> bool:
    """Whether a field is what a person notes of something: `birthday: 1990-05-04`."""
    if not isinstance(value, str) or not 0 < len(value) <= _MAX_PROPERTY or value[0] in _NO_SCALAR:
        return False
    if _PROPERTY.match(key) is None or fold(key) in _OF_PROGRAMS or is_form(value):
        return False
    return canonical(key) not in _KNOWN


def properties_above(lines: Sequence[str]) -> list[str]:
    """The lines of the front matter that say what `is_property`, where nothing else stands in the
    lines."""
    above = [line for line in lines if line.strip()]
    if not (above and above[0].startswith("---") and above[-1].startswith(("---", "..."))):
        return []
    parts = (line.partition(": ") for line in above[1:-1])
    told = ((key, said.partition(" #")[0].strip()) for key, _, said in parts)
    return [f"{key}: {_unquoted(said)}" for key, said in told if is_property(key, said)]


def _unquoted(value: str) -> str:
    is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
    return value[1:-1] if is_quoted else value


def key_of(line: str) -> str:
    """The key that a line of a head begins with, without quotes; "" for none."""
    end = _KEY_END.search(line)
    return line[: end.start()].strip("\"' ") if end else ""


def strings(value: FieldValue) -> list[str]:
    """Every non-empty string inside a value, in order."""
    if isinstance(value, str):
        return [value.strip()] if value.strip() else []
    inner = value if isinstance(value, list) else value.values()
    return [text for item in inner for text in strings(item)]


def _merge(name: str, existing: FieldValue, value: FieldValue) -> FieldValue:
    split = {"tags": split_tags, "aliases": split_names}.get(name, _as_list)
    return [*split(existing), *split(value)]


def _as_list(value: FieldValue) -> list[FieldValue]:
    if isinstance(value, list):
        return value
    return [value] if value else []


def split_names(value: FieldValue) -> tuple[str, ...]:
    """Names of a list, or of a string: `[a, b]` written as text, or one a comma."""
    if not isinstance(value, str):
        return tuple(dict.fromkeys(strings(value)))
    inner = value.strip().removeprefix("[").removesuffix("]")
    names = (name.strip().strip("\"'").strip() for name in _LIST_SPLIT.split(inner))
    return tuple(dict.fromkeys(filter(None, names)))


def items_of(value: FieldValue) -> list[FieldValue]:
    """The values of a list; unquoted `[[x]]` is YAML for a list in a list, and means a wikilink."""
    if not isinstance(value, list):
        return [value]
    if len(value) == 1 and _is_unquoted_wikilink(value[0]):
        return [_unquoted_wikilink(value[0])]
    return [_unquoted_wikilink(v) if _is_nested_wikilink(v) else v for v in value]


def tag_items(value: FieldValue) -> list[FieldValue]:
    """The same of a field of tags, where `[[a, b]]` means two of them."""
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        return items_of(value if len(value[0]) == 1 else value[0])
    return items_of(value)


def _is_unquoted_wikilink(value: FieldValue) -> TypeGuard[list[FieldValue]]:
    return isinstance(value, list) and bool(value) and all(isinstance(v, str) for v in value)


def _is_nested_wikilink(value: FieldValue) -> bool:
    return isinstance(value, list) and len(value) == 1 and _is_unquoted_wikilink(value[0])


def _unquoted_wikilink(value: FieldValue) -> str:
    return f"[[{', '.join(strings(value))}]]"


def is_link(text: str) -> bool:
    """Whether the text of an item is nothing but a markdown link or an address."""
    return _LINK.match(text.strip()) is not None


def tags_and_links(value: FieldValue) -> list[str]:
    """What stands in a field of tags, its links as they are written."""
    texts = [text for item in tag_items(value) for text in strings(item)]
    found = (match[0] for text in texts for match in WIKILINK.finditer(text))
    return [*filter(is_link, texts), *found, *split_tags(value)]


def split_tags(value: FieldValue) -> tuple[str, ...]:
    """Tags of a list, a comma or space string; the leading `#` goes, and links are no tags."""
    texts = [text for item in tag_items(value) for text in strings(item) if not is_link(text)]
    texts = [_SEMICOLON.sub(",", WIKILINK.sub("", text)) for text in texts if not is_form(text)]
    names: Iterable[str] = [name for text in texts for name in split_names(text)]
    if isinstance(value, str) and not _LIST_SPLIT.search("".join(texts)):
        names = [word for name in names for word in name.split()]
    tags = (name.lstrip("#").strip().strip("/") for name in names)
    return tuple({fold(tag): tag for tag in reversed([t for t in tags if t])}.values())[::-1]


def field_links(front_matter: FrontMatter, lines: list[str]) -> tuple[Link, ...]:
    """Every link of the front matter with its line; keys name relations where they are words."""
    links: list[Link] = []
    key_lines: dict[str, int] = {}
    for key, value in front_matter.fields.items():
        written = value if isinstance(value, str) else repr(value)
        is_linked = canonical(key) in _LINKED_KEYS or _NEAR_KEY.match(key)
        if "[[" in written or "](" in written or is_linked:
            found = list(links_of(key, value))
            if not found:
                continue
            key_lines = key_lines or _key_lines(front_matter, lines)
            at = key_lines.get(key, front_matter.line_start)
            links += _with_lines(found, lines[: front_matter.line_end], at)
        if len(links) > MAX_LINKS:
            break
    return tuple(links[:MAX_LINKS])


def links_of(key: str, value: FieldValue) -> Iterator[Link]:
    """The links that the value of a field means, without their lines."""
    name = canonical(key)
    if name == "relations":
        yield from _relations(value)
        return
    if name == "tags":
        for text in (text for item in tag_items(value) for text in strings(item)):
            yield from _wikilinks(text, "")
            if is_link(text):
                yield from _target(text, LinkKind.FRONT_MATTER, "")
        return
    relation = name if name not in _PLAIN_KEYS and ONE_WORD.match(name) else ""
    # `- [drinks, tea]` of Hexo is a category in another.
    for item in tag_items(value) if name == "categories" else items_of(value):
        if name == "status":
            relation = SUCCEEDED if SUPERSEDED_BY.match(first_text(item)) else ""
        found = list(_wikilinks(item, relation, _WIKILINK_KINDS.get(name)))
        yield from found or _plain_links(key, item, relation)


def _plain_links(key: str, item: FieldValue, relation: str) -> Iterator[Link]:
    """What a value without wikilinks names under a key whose values are links, or as `[x](y)`."""
    name = canonical(key)
    if name in _SOURCE_KEYS:
        yield from _target(item, _SOURCE_KEYS[name], "")
    elif name in _RELATION_KEYS or (relation and LABELLED.match(first_text(item))):
        yield from _target(item, LinkKind.FRONT_MATTER, relation or name)
    elif _NEAR_KEY.match(key):
        yield from _target(item, LinkKind.RELATED, relation)


def _wikilinks(value: FieldValue, relation: str, kind: LinkKind | None = None) -> Iterator[Link]:
    from memwiki.markdown.links import wikilink  # a dozen patterns, for pages with such fields

    for text in strings(value):
        for match in WIKILINK.finditer(text):
            link = wikilink(match[1], 0, kind or LinkKind.FRONT_MATTER, relation)
            if link:
                yield link


def _target(value: FieldValue, kind: LinkKind, relation: str) -> Iterator[Link]:
    """A path, name or URL, plain, as a markdown link, or under the usual key of a map."""
    from memwiki.markdown.links import markdown_link

    if isinstance(value, dict):
        value = next((value[k] for k in _TARGET_KEYS if value.get(k)), "")
    for text in strings(value):
        if _holds_form(text):
            continue
        label, target = "", text
        if match := LABELLED.match(text):
            label, target = match[1], match[2]
        link = markdown_link(target, label, 0, kind)
        if link:
            yield link._replace(relation=relation)


def _relations(value: FieldValue) -> Iterator[Link]:
    """`[{type, target, weight}]`, `{type: target}`, or plain targets."""
    if isinstance(value, dict) and not ("target" in value or "type" in value):
        for relation, targets in value.items():
            for item in items_of(targets):
                yield from _relation_links(item, relation)
        return
    for item in items_of(value):
        yield from _relation(item) if isinstance(item, dict) else _relation_links(item, "")


def _relation(item: FieldValues) -> Iterator[Link]:
    if "type" not in item and "relation" not in item and len(item) == 1:
        relation, target = next(iter(item.items()))
    else:
        relation = next(iter(strings(item.get("type") or item.get("relation") or "")), "")
        target = next((item[k] for k in ("target", "to", *_TARGET_KEYS) if item.get(k)), "")
    yield from _relation_links(target, relation, _weight(item.get("weight", "")))


def _relation_links(target: FieldValue, relation: str, weight: float = 1.0) -> Iterator[Link]:
    links = list(_wikilinks(items_of(target), relation))
    for link in links or _target(target, LinkKind.FRONT_MATTER, relation):
        yield link._replace(weight=weight)


def _weight(value: FieldValue) -> float:
    try:
        weight = float(value) if isinstance(value, str) and value else 1.0
    except ValueError:
        return 1.0
    return min(1.0, max(0.0, weight))


def _key_lines(front_matter: FrontMatter, lines: list[str]) -> dict[str, int]:
    """The first line on which each key stands, at its beginning if there is one."""
    whole, begun = dict[str, int](), dict[str, int]()
    for i in range(front_matter.line_start, front_matter.line_end):
        if name := key_of(lines[i]):
            whole.setdefault(name, i)
            begun.setdefault(name.lstrip("\"' -"), i)
    return {**begun, **whole}


def _with_lines(links: Iterable[Link], lines: list[str], at: int) -> Iterator[Link]:
    """Targets come in the order they were written, so one walk down the block finds their lines."""
    for link in links:
        needle = link.written or link.heading or link.block
        near = range(at, min(at + 200, len(lines)))
        # `[[ai` before `ai`, which stands in many a word.
        found = (i for form in (f"[[{needle}", needle) for i in near if form in lines[i])
        at = next(found, at)
        yield link._replace(line=at + 1)
