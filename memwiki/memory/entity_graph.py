"""A graph: where its pages are, parts of it, its observations and relations as list items, and the
file of the reference memory server. What markdown would swallow of an item is JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from memwiki.answers.entries import Entity, Graph, Relation
from memwiki.digest import blake2b
from memwiki.markdown.edit.entries import EntryText, item_of
from memwiki.markdown.entries import TASK, read_marks
from memwiki.markdown.fields import ONE_WORD, is_private
from memwiki.markdown.links import find_links
from memwiki.markdown.mask import Masked
from memwiki.markdown.scanner import scan
from memwiki.markdown.syntax import item_at
from memwiki.names import BIDI, SURROGATE, fold
from memwiki.nouns import Json, Layers
from memwiki.text import pattern

_FOLDER, _LOOSE = "entities", "loose-relations"


def folder_of(layers: Layers) -> str:
    """The folder of the pages of entities."""
    return f"{layers.wiki}/{_FOLDER}" if layers.wiki else _FOLDER


def loose_path(layers: Layers) -> str:
    """The page of the relations whose source has no page."""
    return f"{folder_of(layers)}/{_LOOSE}.md"


def merge_named(entities: Iterable[Entity]) -> dict[str, Entity]:
    """Each name once: the first type counts, and a later one adds what is not observed yet."""
    found: dict[str, Entity] = {}
    known: dict[str, set[str]] = {}
    for entity in entities:
        first = found.get(entity.name)
        seen = known.setdefault(entity.name, set())
        if first is None:
            found[entity.name] = entity
        else:
            new = tuple(each for each in entity.observations if each not in seen)
            found[entity.name] = first._replace(observations=(*first.observations, *new))
        seen.update(entity.observations)
    return found


def matching(graph: Graph, query: str) -> Graph:
    """The entities with the query in name, type or observation, whatever its case."""
    wanted = query.lower()

    def is_found(entity: Entity) -> bool:
        texts = (entity.name, entity.type, *entity.observations)
        return any(wanted in each.lower() for each in texts)

    return _part(graph, is_found)


def entities_named(graph: Graph, names: Collection[str]) -> Graph:
    """The entities of exactly these names."""
    return _part(graph, lambda entity: entity.name in names)


def _part(graph: Graph, is_found: Callable[[Entity], bool]) -> Graph:
    found = tuple(filter(is_found, graph.entities))
    ends = {entity.name for entity in found}
    relations = (each for each in graph.relations if each.source in ends or each.target in ends)
    return Graph(found, tuple(relations))


def to_lines(graph: Graph) -> bytes:
    """The bytes that the server would write for a graph."""
    return "".join(f"{_json_line(each)}\n" for each in _records(graph)).encode()


def _records(graph: Graph) -> Iterator[dict[str, object]]:
    for entity in graph.entities:
        yield {
            "type": "entity",
            "name": entity.name,
            "entityType": entity.type,
            "observations": list(entity.observations),
        }
    for relation in graph.relations:
        yield {
            "type": "relation",
            "from": relation.source,
            "to": relation.target,
            "relationType": relation.type,
        }


def _json_line(record: dict[str, object]) -> str:
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    return re.sub(SURROGATE, lambda half: f"\\u{ord(half[0]):04x}", text)


EMPTY = "(empty)"
MAX_NAME = 4_000  # a longer one would fill the front matter, of which 64 KB are read
_SHOWN_NAME = 200
_SHOWN_WORD = 60  # the longest type of a relation that is read in quotes
_CONTROLS = f"[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ufeff\\ufffe\\uffff]|{SURROGATE}"
_BLANKS = pattern(rf"(?:\s|{_CONTROLS})+")
_MARKS = pattern(r"<!|:(?=:)|[\\`$~^\[\]<>#|]")
_UNWORDED = pattern(r"[\[\]`$<>\\]")
_FIRST = pattern(r"\A[!-/:-@{}_]")
# What a field, a link, code or a comment may not hold, and what hides.
_ESCAPED = pattern(rf"[\[\]`$<>~^#{BIDI}]|{_CONTROLS}")
# A page of these types holds messages or is generated, whatever is on it.
_TAKEN_TYPES = frozenset({"session", "index", "log"})


def as_exact(value: Json) -> str:
    """A value as JSON that any line, field or front matter can hold."""
    return _ESCAPED.sub(lambda c: f"\\u{ord(c[0]):04x}", json.dumps(value, ensure_ascii=False))


def exact_of(written: str) -> Json:
    """The value of such JSON; None of what is none."""
    try:
        value: Json = json.loads(written)
    except (ValueError, RecursionError):
        return None
    return value


def readable_line(text: str) -> str:
    """A text as one line that a person can read."""
    return _BLANKS.sub(" ", text).strip() or EMPTY


def shown_name(name: str) -> str:
    """A name as the title of a page."""
    line = readable_line(name)
    return line if len(line) <= _SHOWN_NAME else line[: _SHOWN_NAME - 1].rstrip() + "…"


def shown_type(type_: str) -> str:
    """The type of an entity as that of a page."""
    line = shown_name(type_)
    return "entity" if line == EMPTY or fold(line) in _TAKEN_TYPES else line


def shown_word(type_: str) -> str:
    """The type of a relation as it can stand in quotes."""
    words = _UNWORDED.sub(" ", readable_line(type_).replace('"', "'"))
    return _BLANKS.sub(" ", words)[:_SHOWN_WORD].strip() or EMPTY


def shown_label(name: str) -> str:
    """A name as the label of a link."""
    return re.sub(r"[\[\]|`$<>\\]+", " ", shown_name(name)).strip() or EMPTY


def escape_line(text: str) -> str:
    """A text as one line of an entry, in which nothing means more than it says."""

    def plain(found: re.Match[str]) -> str:
        mark = found[0]
        return {"<!": "\\<\\!", ":": ":\\"}.get(mark, f"\\{mark}")

    line = _MARKS.sub(plain, readable_line(text))
    return f"\\{line}" if _FIRST.match(line) and line != EMPTY else line


_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"
_ID_LENGTH = 10  # a million of them are all different, but for one time in 7,000
_NAMED = pattern(r"\A\[\[(?:[^\[\]|]*[|/])?([^\[\]|/]+)\]\]\Z")
# What reads otherwise among other lines than alone, or hides.
_UNSAFE = pattern(
    r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]|::|\^m-|<!--|-->|\$\$"
    r"|\A(?:`{3}|~~|[|><#])"
)


class TypedLink(NamedTuple):
    """A relation as it is written: its target may be a path, a title or a name of nothing."""

    type: str
    written: str
    label: str = ""
    exact: str | None = None  # the name of the target, where that is said


class ReadItem(NamedTuple):
    """What one list item says; no observation is None."""

    observation: str | None = None
    links: tuple[TypedLink, ...] = ()
    is_superseded: bool = False
    is_private: bool = False


def id_of(*parts: str) -> str:
    """The id that an entry with these words gets at this place, the same every time."""
    digest = blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()
    number, letters = int.from_bytes(digest), ""
    for _ in range(_ID_LENGTH):
        number, rest = divmod(number, len(_ALPHABET))
        letters += _ALPHABET[rest]
    return f"m-{letters}"


# --- writing ---


def observation_item(text: str, id_: str) -> str:
    """The list item that says an observation."""
    if not _UNSAFE.search(text):
        item = item_of(EntryText(text, id=id_))
        if _reads(item) == ReadItem(text):
            return item
    return item_of(EntryText(escape_line(text), fields={"exact": as_exact(text)}, id=id_))


def relation_item(type_: str, target: str, name: str, *, is_known: bool) -> str:
    """The list item that says a relation to a page; a name that has none is said beside it."""
    word = type_ if ONE_WORD.match(type_) else f'"{shown_word(type_)}"'
    label = shown_label(name)
    link = f"[[{target}]]" if target == label else f"[[{target}|{label}]]"
    exact: dict[str, str] = {} if is_known else {"to": name}
    read = _reads(f"- {word} {link}")
    if read.links != (TypedLink(type_, target, "" if target == label else label),):
        exact["relationType"] = type_
    below = [f"  - exact:: {as_exact({**exact})}"] if exact else []
    return "\n".join([f"- {word} {link}", *below])


def loose_item(relation: Relation, id_: str) -> str:
    """The list item that says a relation whose source has no page."""
    source, target, type_ = relation
    fields = {"subject": source, "topic": type_, "object": target}
    if not any(map(_UNSAFE.search, relation)):
        item = item_of(EntryText(_loose_text(relation), fields=fields, id=id_))
        draft = read_marks(item[len("- ") :])
        if "\n" not in item and loose_of(draft.text, draft.fields) == relation:
            return item
    exact = as_exact({"from": source, "to": target, "relationType": type_})
    return item_of(EntryText(_loose_text(relation), fields={"exact": exact}, id=id_))


def _loose_text(relation: Relation) -> str:
    source, target = shown_label(relation.source), shown_label(relation.target)
    return escape_line(f"{source} {readable_line(relation.type)} {target}")


def is_linkable(name: str) -> bool:
    """Whether a name can stand in a link as it is."""
    found = (
        ()
        if _UNSAFE.search(name) or name != shown_label(name)
        else _typed_links(f"- to [[{name}]]")
    )
    return found == (TypedLink("to", name),)


def _reads(item: str) -> ReadItem:
    """What an item says that stands alone; nothing when it is more than one item."""
    lines = item.split("\n")
    structure = scan(lines)
    is_one = structure.items == ((0, len(lines)),)
    blocks = (*structure.headings, *structure.code, *structure.html)
    is_plain = structure.is_certain and not blocks
    return read_item(lines, frozenset()) if is_one and is_plain else ReadItem()


# --- reading ---


def read_item(lines: list[str], defined: frozenset[str]) -> ReadItem:
    """What the lines of one item say."""
    text = item_at(lines, 0, len(lines)).text
    if TASK.match(text):
        return ReadItem()
    links = _typed_links("\n".join(lines)) if "[[" in text else ()
    is_relation = bool(links) and bool(_typed_links(lines[0]))
    draft = read_marks(text, defined)
    is_hidden = is_private(draft.fields)
    exact = exact_of(draft.fields.get("exact", "")) if "exact::" in text else None
    if is_relation:
        if len(links) == 1:
            links = (_with_exact(links[0], exact),)
        return ReadItem(None, links, draft.is_superseded, is_hidden)
    observation = (
        exact if isinstance(exact, str) and escape_line(exact) == draft.text else draft.text
    )
    return ReadItem(observation if draft.text else None, links, draft.is_superseded, is_hidden)


def _typed_links(text: str) -> tuple[TypedLink, ...]:
    links = find_links(Masked.of(text)).links
    return tuple(
        TypedLink(each.relation, each.written, each.text) for each in links if each.relation
    )


def _with_exact(link: TypedLink, exact: object) -> TypedLink:
    """A link with what is said exactly of it, as far as that is what a person reads."""
    if not isinstance(exact, dict):
        return link
    type_, name = exact.get("relationType"), exact.get("to")
    if isinstance(type_, str) and shown_word(type_) == shown_word(link.type):
        link = link._replace(type=type_)
    if isinstance(name, str) and shown_label(name) == (link.label or link.written):
        link = link._replace(exact=name)
    return link


def loose_of(text: str, fields: Mapping[str, str]) -> Relation | None:
    """The relation that an entry says which names its source, None where it says none."""
    exact = exact_of(fields.get("exact", ""))
    if isinstance(exact, dict):
        given = tuple(map(exact.get, ("from", "to", "relationType")))
        relation = Relation(*map(str, given))
        if relation == given and _loose_text(relation) == text:
            return relation
    source, target = (_NAMED.sub(r"\1", fields.get(name, "")) for name in ("subject", "object"))
    type_ = fields.get("topic", "")
    return Relation(source, target, type_) if source and target and type_ else None
