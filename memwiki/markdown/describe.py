"""What a page is called and what it is, where its front matter does not say; and its first words
that say what it is about: no fields, labels, ways to other pages, badges, dates or licences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from memwiki.markdown.fields import NO, SUCCEEDED, SUPERSEDED_BY, first_text, strings
from memwiki.markdown.scanner import Structure
from memwiki.markdown.syntax import DELIMITER, LIST_MARKER, plain
from memwiki.names import fold, stem_of
from memwiki.nouns import Layers, LinkKind, Page
from memwiki.scope import layers_at
from memwiki.text import pattern

MAX_TITLE = 200
MAX_DESCRIPTION = 300
_FOLDER_TYPES = {
    plural: word
    for word, plurals in {
        "concept": "concept concepts",
        "entity": "entity entities",
        "person": "person persons people",
        "project": "project projects",
        "source": "source sources",
        "question": "question questions",
        "comparison": "comparison comparisons",
        "synthesis": "synthesis syntheses",
        "decision": "decision decisions",
        "memory": "memory memories",
        "learning": "learning learnings",
        "session": "session sessions",
        "daily": "daily dailies",
    }.items()
    for plural in plurals.split()
}
_COLLECTIONS = frozenset({"memory", "learning", "daily", "session", "index", "log"})
_ENTRANCES = frozenset("readme index _index agents claude gemini skill changelog".split())
_OVER = frozenset(
    "superseded deprecated obsolete 废弃 已废弃 弃用 已弃用 作废 已作废 过时 已过时".split()
)
_NOTHING = NO | {"-", "none", "n/a", "无"}
_TEMPLATE_FOLDER = pattern(r"(?:^|[\W_])templates?$")
_NAME_TYPES = {"memory": "memory", "learnings": "learning", "index": "index", "log": "log"}
SNAPSHOT = "MEMORY_SNAPSHOT.md"
SNAPSHOT_MARK = "<!-- memwiki:snapshot -->"


def is_in(path: str, layer: str) -> bool:
    """Whether a path is a layer's file or lies in its folder, in any namespace's copy too."""
    if not (layer := fold(layer.strip("/"))):
        return False
    path = fold(path)
    return path == layer or path.startswith(layer + "/")


def inner_path(path: str, layers: Layers) -> str:
    """The path as seen from its namespace, which is laid out like the workspace itself."""
    if not (layers.namespaces and is_in(path, layers.namespaces)):
        return path
    rest = path[len(layers.namespaces.strip("/")) + 1 :]
    return rest.partition("/")[2] or path


def is_journal(path: str, layers: Layers) -> bool:
    """Whether a file is the journal or was shelved from it when that grew too long: log/2026.md."""
    log, path = fold(layers.log), fold(path)
    if not log or path == log:
        return bool(log)
    rotated = f"{log.rpartition('.')[0]}/"
    name = path.removeprefix(rotated)
    return name != path and re.fullmatch(r"\d{4}(?:-\d+)?\.md", name) is not None


def folder_type(name: str) -> str:
    """The type of the pages in a folder of this name, "" when it tells none."""
    return _FOLDER_TYPES.get(fold(name), "")


def is_type_alone(title: str) -> bool:
    """Whether a title says of what type the page is and no more: "Memory", which tells nothing of
    an entry there, while people ask about memory."""
    return fold(title) in _NAME_TYPES


def default_type(path: str, layers: Layers) -> str:
    """The type a page has by its place."""
    for layer, type_ in (
        (layers.memory, "memory"),
        (layers.learnings, "learning"),
        (layers.daily, "daily"),
        (layers.sessions, "session"),
    ):
        if is_in(path, layer):
            return type_
    folders = path.split("/")[:-1]
    by_name = _NAME_TYPES.get(fold(stem_of(path)), "")
    if by_name and (by_name in ("index", "log") or not folders):
        return by_name
    types = (_type_of_folder(folders[:end], layers) for end in range(len(folders), 0, -1))
    return next(filter(None, types), "page")


def _type_of_folder(folders: Sequence[str], layers: Layers) -> str:
    """What the last of these folders tells: of memories only where agents keep theirs, as subjects
    are called so, too (Memory/ of a computer, os/memory/)."""
    type_ = folder_type(folders[-1])
    above = "/".join(folders[:-1])
    is_told = type_ != "memory" or (
        folders[-1].islower() and above in ("", layers.wiki, layers.archive)
    )
    return type_ if is_told else ""


def is_session(path: str, type_: str, layers: Layers) -> bool:
    """Whether a page holds messages."""
    return fold(type_) == "session" or is_in(path, layers.sessions)


def is_collecting(path: str, type_: str, layers: Layers) -> bool:
    """Whether the list items of a page are entries, by its type or place."""
    locations = (layers.memory, layers.learnings, layers.daily, layers.inbox)
    return fold(type_) == "memory" or any(is_in(path, location) for location in locations)


def is_kept(path: str, layers: Layers) -> bool:
    """Whether a file is kept as it is: a source, or something retired."""
    inner = inner_path(path, layers)
    return is_in(inner, layers.raw) or is_in(inner, layers.archive)


def is_template(path: str, layers: Layers) -> bool:
    """Whether it lies in a folder of templates: a form is no page, and need not be complete."""
    if is_in(path, layers_at(path, layers).dialect.templates):
        return True
    return any(_TEMPLATE_FOLDER.search(fold(folder)) for folder in path.split("/")[:-1])


def is_subject(path: str, type_: str, layers: Layers, *, has_entries: bool) -> bool:
    """Whether it is a page about something, written to be read: not a source, a template, a
    collection of entries, a session, nor what tells people and agents how to begin."""
    return not (
        has_entries
        or type_ in _COLLECTIONS
        or fold(stem_of(path)) in _ENTRANCES
        or is_kept(path, layers)
        or is_template(path, layers)
    )


def is_superseded(page: Page) -> bool:
    """Whether a page says that it holds no longer: by its status, or a link to what took its
    place."""
    status = first_text(page.fields.get("status", ""))
    if fold(status) in _OVER or SUPERSEDED_BY.match(f"{status} "):
        return True
    links = (each for each in page.links if each.relation == SUCCEEDED)
    linked = (each.written for each in links if each.kind is not LinkKind.ENTRY)
    named = (*strings(page.fields.get(SUCCEEDED, "")), *linked)  # a template leaves it empty
    return any(fold(each) not in _NOTHING for each in named)


def shorten(text: str, limit: int = MAX_DESCRIPTION) -> str:
    """The text cut at a word, with an ellipsis, when it is longer than the limit."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    return (head.rpartition(" ")[0] if " " in head[limit // 2 :] else head).rstrip() + "…"


_SCAN_LINES = 400
_PARAGRAPH_LINES = 20
_LINE_CHARACTERS = 2_000
_TEXT_CHARACTERS = 2_400
# The group is of a block that goes on up to a blank line: a quotation, an item, code of MDX.
_OTHER_BLOCK = pattern(
    rf"[ \t]*(?:(>[>\s]*+[^>\s]|{LIST_MARKER}[ \t]++(?![-*_ \t]+\Z)\S"
    r"|import (?:.* from |[\w, ]*[{'\"])|export (?:const|default) )"
    rf"|[>|#<]|{LIST_MARKER}(?:[ \t]|\Z)|!\[|\[[^\]]*\]:|[-=_*]{{3,}}[ \t]*\Z"
    r"|\{[{%:]|:::|///|!!!|\?\?\?|[!?]> |-{1,2}8<-{1,2}|===[+!]* \"|%%|% "
    r"|==\u26a0|\([^\s()]+\)=[ \t]*\Z|\$\$|\\[a-z]"
    r"|<<<<<<<|={7}|>>>>>>>)"
)
# Comments, formulas, code of a template and a diagram of Azure, perhaps over several lines.
_FENCED = pattern(r"[ \t]*(%%|\$\$|<%|:::(?=[ \t]*mermaid))")

_FIELD = pattern(r"[*_]{0,2}[^\W\d][\w /-]{0,40}[*_]{0,2}::(?:\s|\Z)")
_INLINE_FIELD = pattern(r"[\[(][^\W\d][\w -]{0,40}::[^\])\n]{0,300}[\])]")
# What plugins of Obsidian show in its place: a query of Dataview, a field of Meta Bind.
_SHOWN = pattern(r"`(?:\$?= ?(?:this\b|[a-z]+\()|(?:INPUT|VIEW|BUTTON)\[)")
_COLONS = frozenset(":\uff1a")
_SUMMARY = pattern(
    r"[*_]{0,2}(?:summary|tl;?dr|abstract|摘要|概要|简介)[*_]{0,2}[:\uff1a][*_]{0,2}[ \t]*(?=\S)",
    re.IGNORECASE,
)
_BLOCK_ID = pattern(r"(?:^|[ \t])\^[A-Za-z0-9-]+\Z")
_LABEL = pattern(
    r"[*_]{0,2}([^\W\d_][\w'/&.-]*(?: [\w'/&.-]+){0,3})[*_]{0,2}(?::[*_]{0,2}(?:\s|\Z)|\uff1a)"
)
_LABEL_CHARACTERS = 30
# What a lone label of this kind begins is about the text, and not the text.
_ABOUT_TEXT = frozenset(
    "title source sources license licence licenses author authors by date created updated modified"
    " published version status tag tags category categories type website url link links repository"
    " repo homepage github twitter discord email contact copyright up parent next previous prev"
    " back related topics keywords aliases isbn doi id slug deadline scheduled"
    " 来源 出处 原文 链接 原文链接 作者 译者 日期 时间 创建 更新 标签 分类"
    " 许可 许可证 版权 版本 状态"
    " 出典 著者 日付 作成日 更新日 タグ カテゴリ ライセンス".split()
)
_ABOUT_ENDS = ("website", "updated", "modified", "link", "page", "date", "by", "日期", "时间")
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE = pattern(
    r"[*_(]{0,3}(?:[^\W\d]+:? ){0,3}(?:\d{4}[-/.年]\d{1,2}(?:[-/.月]\d{1,2}日?)?"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}|\d{{1,2}}\.? {_MONTH},? \d{{4}})"
    r"(?:[T ]\d\d:\d\d\S*)?[.*_)]{0,4}\Z",
    re.IGNORECASE,
)
_RIGHTS = pattern(
    r"[*_(]{0,3}(?:©|\(c\) \d|copyright\b|licen[cs]ed under|all rights reserved|spdx-"
    r"|(?:this|the) \w+ is (?:released |available |distributed )?(?:licen[cs]ed|under the)"
    r"|mit licen[cs]e\Z|(?:version )?v?\d+(?:\.\d+)*[*_]{0,2}\Z"
    r"|(?:written |posted )?by (?!.*[.!?:]\Z)\S+(?: \S+){0,4}\Z)",
    re.IGNORECASE,
)
_SEPARATORS = pattern(r" (?:[>»›→|·•/\\]|&gt;|::) ")
_CRUMB_WORDS = 4
_LINKS = (
    pattern(r"!\[\[[^\[\]\n]*\]\]|!\[[^\[\]\n]*\]\([^()\n]*\)|<[^<>\n]{0,500}>"),
    pattern(
        r"\[\[[^\[\]\n]*\]\]|\[[^\[\]\n]*\](?:\([^()\n]*\)|\[[^\[\]\n]*\])|[A-Za-z][A-Za-z0-9+.-]{0,20}://\S+"
    ),
    pattern(r"(?<!\S)#[^\s#]+|\{\{[^{}\n]*\}\}|&[a-z]{2,8};|\{:?[ \t]*[.#][^{}\n]*\}"),
)
_WAYS = pattern(
    r"\b(?:back|to|go|return|home|next|previous|prev|up|top|index|contents|table of|toc|parent"
    r"|see also|see|related|navigation|menu|edit|and|or|the|page|chapter|section)\b"
    r"|返回|回到|上一[篇页章节]|下一[篇页章节]|首页|主页|目录|参见|前へ|次へ|戻る|目次|トップ|ホーム",
    re.IGNORECASE,
)
_LEAD_IN_WORDS, _LEAD_IN_CHARACTERS = 4, 40
_BOLD = pattern(r"\*\*[^*\n]{0,40}[^*\n.!?。！？]\*\*\Z")
_LETTER = pattern(r"[^\W\d_]")


def first_paragraph(lines: Sequence[str], start: int, structure: Structure) -> str:
    """The first paragraph of prose as plain text, cut at a word; "" when there is none."""
    skipped = dict((*structure.code, *structure.html))
    skipped |= {heading.line: heading.line_end for heading in structure.headings}
    for paragraph in _paragraphs(lines, start, skipped):
        text = " ".join(_prose(paragraph))[:_TEXT_CHARACTERS]
        text = shorten(plain(_INLINE_FIELD.sub("", text)))
        if _LETTER.search(text):
            return text
    return ""


def without_fields(lines: Sequence[str]) -> list[str]:
    """The lines that are no fields: what is left of a page in Logseq's form, and of its blocks."""
    return [line for line in lines if not _FIELD.match(line.strip())]


def _paragraphs(
    lines: Sequence[str], start: int, skipped: Mapping[int, int]
) -> Iterator[list[str]]:
    """Lines that begin no other block, as they stand together."""
    at, limit = start, min(len(lines), start + _SCAN_LINES)
    while at < limit:
        if at in skipped:
            at = skipped[at]
        elif not lines[at].strip():
            at += 1
        elif fenced := _FENCED.match(lines[at]):
            at = _after(lines, at, fenced, limit)
        elif other := _OTHER_BLOCK.match(lines[at]):
            at = _end(lines, at, limit, skipped) if other[1] else at + 1
        else:
            end = _end(lines, at, limit, skipped)
            if not (end > at + 1 and DELIMITER.match(lines[at + 1].strip())):  # else a table
                yield [line[:_LINE_CHARACTERS].strip() for line in lines[at:end]]
            at = end


def _after(lines: Sequence[str], at: int, fenced: re.Match[str], limit: int) -> int:
    """The line after a comment or formula; when nothing closes it, it is its line alone."""
    mark = fenced[1].replace("<%", "%>")
    if mark in lines[at][fenced.end() :]:
        return at + 1
    return next((end + 1 for end in range(at + 1, limit) if mark in lines[end]), at + 1)


def _end(lines: Sequence[str], at: int, limit: int, skipped: Mapping[int, int]) -> int:
    end = at + 1
    while end < limit and end - at <= _PARAGRAPH_LINES and lines[end].strip():
        if end in skipped or _OTHER_BLOCK.match(lines[end]):
            break
        end += 1
    return end


def _prose(lines: Sequence[str]) -> list[str]:
    """The lines of a paragraph from the first that is prose to the first field behind it."""
    lines = [_BLOCK_ID.sub("", line) for line in lines]
    summary = _SUMMARY.match(lines[0]) if not _COLONS.isdisjoint(lines[0]) else None
    if summary:
        end = next((n for n in range(1, len(lines)) if _label(lines[n])), len(lines))
        return [lines[0][summary.end() :], *lines[1:end]]
    labels = next((at for at, line in enumerate(lines) if not _label(line)), len(lines))
    at = labels if labels > 1 else 0
    while at < len(lines) and _is_beside(lines[at]):
        at += 1
    end = next((n for n in range(at, len(lines)) if _FIELD.match(lines[n])), len(lines))
    return lines[at:end]


def _label(line: str) -> str:
    """What stands before the colon of a line such as `Source: somewhere`."""
    found = _LABEL.match(line)
    return found[1].lower() if found and len(found[1]) <= _LABEL_CHARACTERS else ""


def _is_beside(line: str) -> bool:
    """Whether a line says something else than what the page is about."""
    label = _label(line)
    return bool(
        _FIELD.match(line)
        or label in _ABOUT_TEXT
        or (label and label.endswith(_ABOUT_ENDS))
        or _DATE.match(line)
        or _RIGHTS.match(line)
        or ("`" in line and _SHOWN.search(line))
        or _is_lead_in(line)
        or _is_way(line)
    )


def _is_lead_in(line: str) -> bool:
    """Whether it is no more than the heading of what is below it: in bold, or with a colon."""
    is_short = len(line) <= _LEAD_IN_CHARACTERS and len(line.split()) <= _LEAD_IN_WORDS
    is_bold = line.startswith("**") and _BOLD.match(line)
    return is_short and bool(is_bold or line.rstrip("*_").endswith((":", "\uff1a")))


def _is_way(line: str) -> bool:
    """Whether it leads elsewhere: nothing but links, or a trail such as `Home > Docs > Tea`."""
    crumbs = _SEPARATORS.split(line)
    if len(crumbs) > 2 and not line.endswith((".", "。", "!", "?")):
        return all(len(plain(each).split()) <= _CRUMB_WORDS for each in crumbs)
    for links in _LINKS:
        line = links.sub(" ", line)
    return not _LETTER.search(_WAYS.sub("", line))
