"""The text of a page as CommonMark: links and tags, where the index reads them, in one form."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote

from memwiki.answers.pages import LinkSpan, PageDrawing
from memwiki.nouns import LOGSEQ, PATH_KINDS
from memwiki.text import pattern

LINK_SCHEME = "memwiki:"  # then the number of a link of the drawing
TAG_SCHEME = "memwiki-tag:"
_SPECIAL = pattern(r"([\\\[\]|`*_<>$~=^])")
_EMBED_MACRO = pattern(r"\{\{embed\s+!?(\[(?:\\.|[^\]\\\n])*\]\(memwiki:\d+\))\s*\}\}")
_LOGSEQ_OWN = pattern(r"[ \t]*(?:[-*+][ \t]+)?(?:id|collapsed|heading|logseq\.[\w.-]+)::")
_PROPERTY = pattern(
    r"([ \t]*(?:[-*+][ \t]+)?)"
    r"([^\W\d][\w-]{0,40}::[ \t](?:\[[^\[\]\n]*\]\([^()\n]*\)|[^\[\]\n])*)\Z"
)
_COMMENT_MARK = "%%"
_FENCE = pattern(r"[ \t]*(?:[-*+][ \t]+)?(?:```|~~~)")
_TICKS = pattern("`{3,}")
_LANGUAGE = pattern(
    r"\{[{%][<%-]?[ \t]*+(?:(mermaid)|[\w-]++[ \t]++(?:lang:)?([\w+#-]++)(?![:=\w]))"
)
_BULLET_LESS_HEADING = pattern(r"#{1,6}(?=[ \t])")
_INDENTED_ITEM = pattern(r"\t+[*+-](?=[ \t])")


class Prepared(NamedTuple):
    """Lines of markdown, and the line of the page that each of them is."""

    text: str
    numbers: tuple[int, ...]


class _Change(NamedTuple):
    """Another text for a half-open range."""

    start: int
    end: int
    text: str


def prepared(page: PageDrawing, first: int, last: int) -> Prepared:
    """The lines of a page from the first to the last one, both from 1."""
    text, done, parts = page.text, 0, []
    for change in sorted(_changes(page)):
        if change.start >= done:
            parts += [text[done : change.start], change.text]
            done = change.end
    lines = "".join([*parts, text[done:]]).split("\n")
    _fence(page, lines)
    numbered = list(enumerate(_without_comments(lines[first - 1 : last]), first))
    if page.dialect == LOGSEQ:
        numbered = list(_outline_lines(numbered))
    drawn = "\n".join(line for _, line in numbered)
    return Prepared(_EMBED_MACRO.sub(r"!\1", drawn), tuple(number for number, _ in numbered))


def _fence(page: PageDrawing, lines: list[str]) -> None:
    """Set fences in the place of the tags around code."""
    for first, last in page.tagged_code:
        opening = lines[first - 1]
        ticks = _TICKS.findall("\n".join(lines[first : last - 1]))
        fence = opening[: len(opening) - len(opening.lstrip())] + max(["``", *ticks], key=len) + "`"
        found = _LANGUAGE.match(opening.lstrip())
        lines[first - 1] = fence + ((found[1] or found[2]) if found else "")
        lines[last - 1] = fence


def _without_comments(lines: Sequence[str]) -> Iterator[str]:
    """The lines with those empty that `%%` at the beginning of one comments out; a comment that
    ends on its line is one of the text."""
    is_code, ends = False, [at for at, line in enumerate(lines) if _COMMENT_MARK in line]
    last = -1  # line of the comment
    for at, line in enumerate(lines):
        is_code ^= at > last and bool(_FENCE.match(line))
        if at > last and not is_code and _opens_comment(line):
            following = bisect(ends, at)
            last = ends[following] if following < len(ends) else last
        if at == last:
            yield line.partition(_COMMENT_MARK)[2]
        else:
            yield "" if at < last else line


def _opens_comment(line: str) -> bool:
    return line.lstrip().startswith(_COMMENT_MARK) and line.count(_COMMENT_MARK) == 1


def _changes(page: PageDrawing) -> Iterator[_Change]:
    for number, span in enumerate(page.links):
        if change := _of_link(page.text, span, f"{LINK_SCHEME}{number}"):
            yield change
    for tag in page.tag_spans:
        written = page.text[tag.start : tag.end]
        target = f"{TAG_SCHEME}{quote(tag.tag)}"
        yield _Change(tag.start, tag.end, f"[{_escaped(written)}]({target})")


def _of_link(text: str, span: LinkSpan, target: str) -> _Change | None:
    """A link of whatever form as `[label](target)`."""
    start, end, kind = span.start, span.end, span.link.kind
    line = text.rfind("\n", 0, start) + 1
    if text[start - 2 : start] == "((":
        return _of_block(text, span, line, target)
    if kind in PATH_KINDS:
        return _Change(start, end, target)
    opening, closing = text.rfind("[[", line, start), text.find("]]", end)
    if opening >= 0 and closing >= 0 and "]]" not in text[opening:start]:
        if text[opening - 2 : opening] == "](":  # `[label]([[page]])`
            return _Change(opening, closing + 2, target)
        is_embed = text[opening - 1 : opening] == "!"
        label = _escaped(span.link.text or _name(span))
        shown = f"{'!' * is_embed}[{label}]({target})"
        return _Change(opening - is_embed, closing + 2, shown)
    return _Change(start, end, f"[{_escaped(text[start:end])}]({target})")


def _of_block(text: str, span: LinkSpan, line: int, target: str) -> _Change:
    """`((id))`, `{{embed ((id))}}` or `[label](((id)))`; without a label the block says what it
    is."""
    start, end = span.start - 2, span.end + 2
    if text[start - 2 : start] == "](":
        return _Change(start, end, target)
    before = text[line:start]
    is_embed = before.rstrip().endswith("{{embed")
    if is_embed:
        start = line + before.rindex("{{embed")
        end = text.find("}}", end) + 2
    label = _escaped(span.link.text)
    return _Change(start, end, f"{'!' * is_embed}[{label}]({target})")


def _name(span: LinkSpan) -> str:
    """What a link without a label is shown as."""
    name = span.link.written.partition("#")[0]
    parts = (name, *span.heading.split("#"), span.block and f"^{span.block}")
    return " › ".join(filter(None, parts))


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(text.replace("\\|", "|").split()))


def _outline_lines(numbered: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Without what Logseq notes for itself, with what else is said of a block as fields; a heading
    with items below it is an item, too."""
    shown = list(_with_fields(numbered))
    below = (line for _, line in [*shown[1:], (0, "")])
    for (number, line), following in zip(shown, below, strict=False):
        is_item = _BULLET_LESS_HEADING.match(line) and _INDENTED_ITEM.match(following)
        yield number, f"- {line}" if is_item else line


def _with_fields(numbered: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    is_code = False
    for number, line in numbered:
        is_code ^= bool(_FENCE.match(line))
        if is_code or not _LOGSEQ_OWN.match(line):
            yield number, line if is_code else _PROPERTY.sub(r"\1[\2]", line)
