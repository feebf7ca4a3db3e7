"""What a page is called, in the one place that decides it: its front matter, else the heading it
begins with, else its file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain, islice, takewhile
from unicodedata import normalize

from memwiki.dates import iso_date
from memwiki.entry_fields import canonical
from memwiki.markdown.describe import MAX_TITLE, shorten
from memwiki.markdown.dialects import Called
from memwiki.markdown.scanner import Heading
from memwiki.markdown.structure import words_of
from memwiki.markdown.syntax import ENTRY_ID, PLACE_NAME, given_id, plain
from memwiki.names import FOLDER_PAGES, fold, slug, stem_of
from memwiki.nouns import DENDRON, FOAM, GITHUB, NAMED_BY_FILE, Layers
from memwiki.text import pattern

_COMMENTS = ("<!--", "%%", "(")
_NOTHING = rf"\s+|<!--.*?-->|%%.*?%%|{PLACE_NAME.pattern}"
# What a tool wrote above a page, `<!-- OPENSPEC:START -->` to its END, and a head that it came
# before.
_BLOCK = (
    r"<!--[ ]*(?![^>\n]{0,99}(?:ignore|disable|lint))(?:(?P<before>[\w.-]{1,60}?)[:_ -]"
    r"(?i:start|begin)|(?i:start|begin)[:_ -](?P<behind>[\w.-]{1,60}))(?![\w.-])[^>\n]{0,99}-->"
    r"(?:(?!<!--).)*+<!--[ ]*(?:(?P=before)[:_ -](?i:end)|(?i:end)[:_ -](?P=behind))(?![\w.-])"
    r"[^>\n]{0,99}-->(?:\s*^---\n(?:[^\s:-][^:\n]*:[^\n]*\n)+---$)?"
)
_UNSEEN = pattern(rf"(?:{_NOTHING})*+", re.DOTALL | re.MULTILINE)
_UNSEEN_OR_BLOCK = pattern(rf"(?:{_BLOCK}|{_NOTHING})*+", re.DOTALL | re.MULTILINE)
_LETTER_OR_SIGN = pattern(r"[^\W_]|[^\x00-\x7f\s]")
_HEAD_LINE = pattern(r"([^\W\d_][\w -]{0,40}):(?:[ \t]++(.*))?\Z")
_HEAD_LINES = 40
_DATE_LINE = pattern(
    r"(?:[-*] )?[*_]{0,2}([^\W\d_][\w -]{0,30})[*_]{0,2}[:：][*_]{0,2}+[ \t]*+(\S.*)\Z"
)
_DATE_LINES = 12
# A break, and at the end of words a footnote; in code neither is one.
_NO_WORDS = pattern(
    r"(`{1,16}[^`\n]{1,300}`)|<br[ \t]*/?>"
    r"|(?:(?<=\S)|[ \t]{1,9}(?=\S+[ \t]*\Z))\[\^(?!\w-\w\])\w[\w-]{0,40}\](?![(\[])",
    re.IGNORECASE,
)
_RELEASE = pattern(r"[\[(]?v?\d+(?:\.\d+)+")
_SLUG = pattern(r"[^\W_]+(?:[-_][^\W_]+)*")
_WORD = pattern(r"(?=\d*[^\W\d_])[^\W_]{2,}")
_SMALL_WORDS = frozenset(
    ("an and as at by for from how in is it of on or the to what with").split()
)
# A skill of an agent has the name of its folder, too.
_NAMED_BY_FOLDER = FOLDER_PAGES | {"skill"}
# Badges, a logo, a banner: what stands above the title of many a README.
_PICTURES = pattern(
    r"(?:\s|<[^<>]{0,500}>|!\[\[[^\[\]\n]*\]\]"
    r"|\[(?=!)|!\[[^\[\]\n]*\](?:\([^()\n]*\)|\[[^\[\]\n]*\])|\](?:\([^()\n]*\)|\[[^\[\]\n]*\]))*+"
)
_MAX_LINE = 400  # characters of one that is no text
# What stands for another page or another language in a line of such, and what parts them.
_LINKED = pattern(r"\[\[[^\[\]\n]+\]\]|\[[^\[\]\n]+\](?:\([^()\n]*\)|\[[^\[\]\n]*\])")
_BETWEEN = pattern(r"[|·•/›»>—–]")
_NAME = pattern(r"[\w (),-]{0,20}")
_LINK = "\0"
# A line that is no text, either: a table of contents, a rule, tags, a tag of a template, what a
# page of MDX imports, a field, a day, a quote.
_ASIDE = pattern(
    r"\[\[?_?toc_?\]?\]|\*{3,}|-{3,}|_{3,}|(?:#[\w/-]+[ \t]*)+|>[^\n]*|import\s[^\n]+['\"];?"
    r"|\{\{[^{}\n]*\}\}|\{%[^{}\n]*%\}|(?=.*\d{4})[\d/.:T年月日 -]{6,40}"
    r"|(?!(?:warning|note|todo|fixme|question|attention|注意|警告|问题)[:：])"
    r"[^\W\d_][\w -]{0,30}[:：][ \t]*[^\s:/][^\n]{0,80}(?<![.!?。！？])",
    re.IGNORECASE,
)
_JOINT = pattern(r"(?<!\d)[-_]|[-_](?!\d)")  # not within a date


def page_title(path: str, layers: Layers, called: Called, given: str, heading: str) -> str:
    """The title of a page; `given` is that of its front matter, `heading` what it begins with."""
    if is_named_by_file(layers):
        heading = ""
    return given or called.title or heading or called.name or _file_title(path, layers)


def search_names(
    path: str, layers: Layers, title: str, given: str, heading: str
) -> tuple[str, ...]:
    """The names by which people find a page and no link means it: a heading that is not the title,
    and a title that the program of the vault does not look at."""
    own = fold("" if is_named_by_file(layers) else given or heading) or fold(stem_of(path))
    is_folder = fold(stem_of(path)) in FOLDER_PAGES  # its folder is resolved as a folder
    names = (title, heading) if is_named_by_file(layers) or is_folder else (heading,)
    return tuple(name for name in dict.fromkeys(names) if name and fold(name) != own)


def is_named_by_file(layers: Layers) -> bool:
    """Whether the program of the vault knows a page by its file name, whatever its headings say."""
    return layers.dialect.name in NAMED_BY_FILE


def leading_heading(lines: Sequence[str], start: int, headings: Sequence[Heading]) -> str:
    """The heading of level 1 that is the first thing to be seen from a line on, below what a tool
    wrote if one is there; "" for none."""
    first = next(filter(str.strip, islice(lines, start, None)), "")
    kinds = (_UNSEEN_OR_BLOCK, _UNSEEN) if first.lstrip().startswith("<!--") else (_UNSEEN,)
    found = (_heading_below(_CommentSkipper(lines, start, each), start, headings) for each in kinds)
    return next(filter(None, found), "")


def _heading_below(skipper: _CommentSkipper, start: int, headings: Sequence[Heading]) -> str:
    seen = skipper.end(start)
    for heading in headings:
        if heading.line > seen:
            break
        if heading.line < seen:  # in a comment
            continue
        title = _title_of(heading)
        if _LETTER_OR_SIGN.search(title):
            is_title = heading.level == 1 and not _is_one_release(title, headings)
            return shorten(title, MAX_TITLE) if is_title else ""
        seen = skipper.end(heading.line_end)  # an empty one is not seen
    return ""


def _title_of(heading: Heading) -> str:
    """The words of a heading without its footnotes and the id of its block."""
    title = heading.title
    if "^" in title or "<" in title:
        title = _NO_WORDS.sub(_without_footnote, title)
        id_ = given_id(title) or ENTRY_ID.search(title)
        if id_:
            title = title[: id_.start()]
    return words_of(heading._replace(title=title))


def _without_footnote(match: re.Match[str]) -> str:
    return match[1] or (" " if match[0].startswith("<") else "")


def _is_one_release(title: str, headings: Iterable[Heading]) -> bool:
    """Whether a heading is one of the versions that a page lists, each with a heading of level
    1."""
    if not _RELEASE.match(title):
        return False
    return sum(each.level == 1 and bool(_RELEASE.match(each.title)) for each in headings) > 1


def title_line(lines: Sequence[str], start: int) -> str:
    """The title that a line `Title: x` gives among lines `key: value`, which the text begins with,
    as MultiMarkdown and Pelican have it; "" for none."""
    title = ""
    for line in takewhile(str.strip, islice(lines, start, start + _HEAD_LINES)):
        if not line.startswith((" ", "\t")):
            field = _HEAD_LINE.match(line)
            if field is None:
                return ""
            if fold(field[1]) == "title":
                title = field[2]
    return shorten(plain(title or ""), MAX_TITLE)


def head_dates(lines: Sequence[str], start: int) -> dict[str, str]:
    """The days that fields at the beginning or below the heading there say, as in a record of a
    decision, what Notion exports, and MultiMarkdown; nothing behind a line that is no field."""
    rest = filter(str.strip, islice(lines, start, start + _DATE_LINES))
    first = next(rest, "")
    fields = map(_DATE_LINE.match, rest if first.startswith("# ") else chain([first], rest))
    found = (
        (canonical(each[1]), day)
        for each in takewhile(bool, fields)
        if each and len(day := iso_date(each[2])) >= len("2026-12-01")
    )
    return dict(reversed([*found]))


def sole_heading(path: str, lines: Sequence[str], start: int, headings: Sequence[Heading]) -> str:
    """The one heading of its level, none above it, that has half of the words of the file's name:
    of level 1 wherever it stands, of level 2 where it is the first thing to be seen; "" for
    none. Below nothing but pictures and links one of level 1 may have any words, and a README more
    of it. The first one of all that is the file's name in other spelling is the title."""
    levels = [each.level for each in headings]
    top = min(levels, default=0)
    title = shorten(_title_of(headings[0]), MAX_TITLE) if headings else ""
    if title and slug(title) == slug(stem_of(path)):
        return title
    if top not in (1, 2) or levels[0] != top:
        return ""
    first, is_sole = headings[0], levels.count(top) == 1
    if top == 1 and _is_no_text(lines[start : first.line]):
        return title if is_sole or fold(stem_of(path)) == "readme" else ""
    if top == 2 and first.line > _CommentSkipper(lines, start).end(start):
        return ""
    return title if is_sole and _is_of(title, path) else ""


def _is_no_text(lines: Sequence[str]) -> bool:
    """Whether lines above a heading hold pictures and links, and nothing that is read."""
    if len(lines) > _HEAD_LINES:
        return False
    rest = "\n".join(each for each in lines if not _is_aside(each.strip()))
    return _PICTURES.fullmatch(rest) is not None


def _is_aside(line: str) -> bool:
    """Whether a line is no text of a page, such as links from page to page or language to
    language."""
    if len(line) > _MAX_LINE:
        return False
    rest = _LINKED.sub(_LINK, line).strip("*_> ")
    cells = (each.strip("*_ ") for each in _BETWEEN.split(rest))
    is_navigation = _LINK in rest and all(x == _LINK or _NAME.fullmatch(x) for x in cells)
    return is_navigation or _ASIDE.fullmatch(line) is not None


def _is_of(title: str, path: str) -> bool:
    """Whether a title has half of the words of the name of its file or, where that has none, of its
    folder."""
    folder, _, name = path.rpartition("/")
    stem = stem_of(name)
    called = folder.rpartition("/")[2] if fold(stem) in _NAMED_BY_FOLDER else stem
    words, names = (set(_WORD.findall(fold(each))) - _SMALL_WORDS for each in (title, called))
    shared = sum(name in words or _meets(name, words) for name in names)
    return shared * 2 >= len(names) > 0


def _meets(name: str, words: Iterable[str]) -> bool:
    """Whether a word of a script without blanks holds one of these, or is in it."""
    others = () if name.isascii() else (word for word in words if not word.isascii())
    return any(name in word or word in name for word in others)


def first_heading(headings: Iterable[Heading]) -> str:
    """The first heading of level 1 with words, wherever it stands: what Foam calls a page by."""
    titles = (_title_of(each) for each in headings if each.level == 1)
    return shorten(next(filter(_LETTER_OR_SIGN.search, titles), ""), MAX_TITLE)


def title_of(stem: str) -> str:
    """The title of a page that is called by its path alone: `green-tea` is Green tea."""
    composed = normalize("NFC", stem)  # in names of macOS accents stand behind their letters
    is_slug = stem == stem.lower() and _SLUG.fullmatch(composed)
    if not is_slug or not re.search(r"[^\W\d_]", stem):
        return stem
    words = _JOINT.sub(" ", stem)
    return words[:1].upper() + words[1:]


def _file_title(path: str, layers: Layers) -> str:
    stem = stem_of(path)
    if is_named_by_file(layers) or layers.dialect.name == FOAM:
        return stem
    if layers.dialect.name == DENDRON:
        return title_of(stem.rpartition(".")[2]) or stem
    if layers.dialect.name == GITHUB:
        return stem.replace("-", " ")
    folder = path.rpartition("/")[0].rpartition("/")[2]
    return title_of(folder if folder and fold(stem) in _NAMED_BY_FOLDER else stem)


class _CommentSkipper:
    """Blank lines, comments and names of places; the text of a page is put together once, where it
    has any."""

    def __init__(self, lines: Sequence[str], start: int, unseen: re.Pattern[str] = _UNSEEN) -> None:
        self._lines, self._line, self._at, self._unseen = lines, start, 0, unseen
        self._text = ""

    def end(self, line: int) -> int:
        """The first line below them, from one on that no earlier call has gone past."""
        lines = self._lines
        while line < len(lines) and not lines[line].strip():
            line += 1
        if line < len(lines) and lines[line].lstrip().startswith(_COMMENTS):
            return self._behind_comments(line)
        return line

    def _behind_comments(self, line: int) -> int:
        self._text = self._text or "\n".join(self._lines[self._line :])
        self._at += sum(len(each) + 1 for each in self._lines[self._line : line])
        self._line = line
        found = self._unseen.match(self._text, self._at)
        return line + self._text.count("\n", self._at, found.end()) if found else line
