"""Links, tags and the graph, as text."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.answers.graph import (
    GraphAnswer,
    LinkList,
    Mention,
    MentionList,
    TagList,
    TagSuggestions,
)
from memwiki.model import LinkRow, LinkStatus
from memwiki.present.rows import Line, Row, rows_of
from memwiki.present.screen import Look, as_path, line
from memwiki.present.text import table, text_of

_UUID_CHARACTERS = 36


@text_of.register(LinkList)
def _(answer: LinkList, look: Look) -> str:
    return "\n".join(_link(row, look) for row in answer.links)


def _link(row: LinkRow, look: Look) -> str:
    anchor = f"#^{row.target_id}" if row.target_id else ""
    target = as_path(row.target + anchor) if row.target else line(_written(row.written))
    relation = f"{line(row.relation)} " if row.relation else ""
    found = "" if row.status is LinkStatus.RESOLVED else f"  ({row.status})"
    place = look.faint(f"{as_path(row.source)}:{row.line}")
    return f"{place}  → {relation}{look.strong(target)}{found}"


def _written(target: str) -> str:
    """What a link names, as a person writes it: a block of Logseq's by its number alone."""
    name, _, block = target.partition("#^")
    return f"(({name}))" if name == block and len(name) == _UUID_CHARACTERS else target


@text_of.register(MentionList)
def _(answer: MentionList, look: Look) -> str:
    return "\n".join(_mention(each, look) for each in answer.mentions)


def _mention(each: Mention, look: Look) -> str:
    place = look.faint(f"{as_path(each.path)}:{each.line}")
    excerpt, said = line(each.excerpt), line(each.text)
    return f"{place}  {excerpt.replace(said, look.marked(said)) if said else excerpt}"


@text_of.register(TagList)
def _(answer: TagList, look: Look) -> str:
    return table(((str(each.count), f"#{each.tag}") for each in answer.tags), look, whole=[1])


@text_of.register(TagSuggestions)
def _(answer: TagSuggestions, _look: Look) -> str:
    return "\n".join(f"#{line(tag)}" for tag in answer.tags)


@text_of.register(GraphAnswer)
def _(answer: GraphAnswer, look: Look) -> str:
    from memwiki.present.tree import graph_text

    return graph_text(answer, look)


@rows_of.register(LinkList)
def _(answer: LinkList) -> Iterator[Row]:
    for each in answer.links:
        anchor = f"#^{each.target_id}" if each.target_id else ""
        target = f"{each.target}{anchor}" if each.target else each.written
        arrow = f"-{each.relation or 'links'}->"
        yield Line((each.source, arrow, target, f"({each.line}, {each.status})"))


@rows_of.register(GraphAnswer)
def _(answer: GraphAnswer) -> Iterator[Row]:
    for each in answer.nodes:
        yield Line((str(each.distance), each.end, each.name, f"({each.kind})"))
