"""What is around a page: what links to it, is like it, or names it without a link."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from posixpath import dirname

from memwiki.answers.graph import (
    BacklinkLine,
    BacklinkList,
    BacklinkPage,
    LikeList,
    LikeRow,
    LinkList,
    Mention,
    MentionList,
)
from memwiki.errors import NoSuchPageError, NotFoundError
from memwiki.files.read import read
from memwiki.index.keyword.tokens import query_terms
from memwiki.index.meanings.lookup import Which
from memwiki.index.units import page_of
from memwiki.markdown.describe import first_paragraph
from memwiki.markdown.outline import Outline
from memwiki.markdown.scanner import scan
from memwiki.markdown.source import decode
from memwiki.markdown.syntax import plain
from memwiki.names import fold, normalised, path_in, stem_of, without_suffix
from memwiki.nouns import LinkRow, LinkStatus, Page
from memwiki.numbers import counted
from memwiki.options import RecallOptions, VectorsMode, check_options
from memwiki.pages.page import page_now, text_now
from memwiki.recall.bm25 import holding_all
from memwiki.recall.cache import RecallCache
from memwiki.recall.recall import recall
from memwiki.records import grouped
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, linked_reading, reading
from memwiki.text import CJK, MARKS, NO_BLANKS, WORD, is_cjk, pattern

_MAX_LINE_CHARS = 240
_MAX_LINES = 5  # of one page


def backlinks(live: LiveIndex, name: str, limit: int | None) -> BacklinkList:
    """The pages that link to this one; a page's own links to itself do not count."""
    with linked_reading(live) as view:
        path = view.find(name, or_file=True)
        by_page = grouped(
            (row.source, row)
            for row in view.graph.incoming(path)
            if row.source != path and view.scope.meets(row.source, path)
        )
        order = sorted(by_page, key=lambda each: (-len(by_page[each]), each))
        shown = order[:limit] if limit else order
        titles = {each: card.title for each in shown if (card := view.lookup.card(each))}
        fresh = view.freshness.fresh
    pages = (
        BacklinkPage(each, titles.get(each, each), tuple(_lines(live.context, by_page[each])))
        for each in shown
    )
    return BacklinkList(tuple(pages), len(order), fresh)


def _lines(context: Context, rows: Sequence[LinkRow]) -> Iterator[BacklinkLine]:
    lines = text_now(context, rows[0].source).split("\n")
    relations = {row.line: row.relation for row in rows}
    for number in sorted(relations)[:_MAX_LINES]:
        written = lines[number - 1] if number <= len(lines) else ""
        text = plain(written.strip()).lstrip("-*+#> ")[:_MAX_LINE_CHARS]
        yield BacklinkLine(number, text, relations[number])


_MAX_WORDS = 60  # of a page, that it is compared by
_HITS_A_PAGE = 5  # that are looked at, as one page may have many


def like(live: LiveIndex, name: str, limit: int) -> LikeList:
    """The pages that recall gives for what a page says of itself, the best hit of each.

    What is private is in none of it; a page with anything private in it, or one that no model is
    given, is compared by its words.
    """
    with reading(live) as view:
        path = view.find(name)
        asked = _first_words(page_now(live.context, path))
    index = live.vectors
    # What is asked without what is private tells of no page that it has anything.
    is_private = not live.context.is_public and path in live.private_pages()
    is_kept = is_private or (index and index.keeps_back(live, path))
    mode = VectorsMode.OFF if is_kept else ""
    options = RecallOptions(limit=limit * _HITS_A_PAGE, vectors=mode)
    settings = live.context.config.recall
    answer = recall(live.public(), asked, check_options(options, settings), RecallCache())
    rows: dict[str, LikeRow] = {}
    for hit in answer.hits:
        if hit.path != path:
            rows.setdefault(hit.path, LikeRow(hit.path, hit.title, hit.score, hit.excerpt))
    use = answer.vectors
    by = use.model if use and use.used else "words"
    return LikeList(tuple(rows.values())[:limit], by, answer.fresh)


def _first_words(page: Page) -> str:
    """The first words of a page, without marks that a question would take for syntax."""
    lines = page.text.split("\n")
    start = page.front_matter.line_end
    said = first_paragraph(lines, start, scan(lines, start))
    words = WORD.findall(f"{page.title} {page.description} {said}")
    return " ".join(words[:_MAX_WORDS])


_MIN_NAME_CHARS = 2  # characters of a name: one letter is in every text
_AROUND = 100  # characters shown before and after a mention
_NO_PAGE = (LinkStatus.WANTED, LinkStatus.BROKEN)
# What is named there is no prose: addresses, HTML, tags, and the labels of references.
_NOT_PROSE = pattern(
    r"(?<!\w)\w{1,20}+://[^\s<>()\[\]]+|</?[A-Za-z][^<>]*>|(?<!\S)#[^\s#]+"
    r"|^[ \t>]{0,8}\[[^\[\]\n]+\]:[^\n]*",
    re.MULTILINE,
)


# --- names without a page ---


def wanted_links(view: Reading, name: str, missing: NoSuchPageError) -> LinkList:
    """The links to a name of no page; `missing` is raised where there is none."""
    rows = [row for row in view.graph.everything(Which.UNRESOLVED) if _wants(row, name)]
    seen = view.scope.sees if view.scope.base else view.scope.owns
    rows = sorted((r for r in rows if seen(r.source)), key=lambda row: (row.source, row.line))
    if not rows:
        raise missing
    pages = len({row.source for row in rows})
    note = f"{name}: no page has this name yet; {counted(len(rows), 'link')} on"
    want = "wants it" if len(rows) == 1 else "want it"
    return LinkList(tuple(rows), view.freshness.fresh, (f"{note} {counted(pages, 'page')} {want}",))


def _wants(row: LinkRow, name: str) -> bool:
    """Whether a link that leads to no page is to this name, or to the file that it is the path
    of."""
    if row.status not in _NO_PAGE:
        return False
    asked = fold(without_suffix(name.strip().lstrip("/")))
    whole, page = row.written, row.written.partition("#")[0]  # `C#` is a name, `C#Types` a place
    written = [without_suffix(each.strip()).lstrip("/") for each in (whole, page)]
    from_there = [path_in(dirname(row.source), each) for each in written] if "/" in asked else []
    return asked in map(fold, (*written, *from_there))


# --- mentions without a link ---


def find_mentions(live: LiveIndex, name: str, limit: int | None) -> MentionList:
    """The places where other pages name a page, by title, file name or alias, and do not link."""
    with reading(live) as view:
        path = view.find(name)
        names = _names(page_now(live.context, path))
        pattern = _pattern(names)
        pages = sorted(_candidates(live, view, names) - {path}) if pattern else []
        shown = [each for each in pages if view.scope.meets(each, path)]
        fresh = view.freshness.fresh
    # Page after page: whoever wants a hundred of ten thousand does not wait for the rest.
    found = (m for each in shown if pattern for m in _mentions(live.context, each, pattern))
    mentions = tuple(islice(found, limit))
    return MentionList(path, names, mentions, next(found, None) is not None, fresh)


def _names(page: Page) -> tuple[str, ...]:
    """What a page is called, each once, without what every text holds."""
    given = (page.title, stem_of(page.path), *page.aliases)
    known = {fold(name): " ".join(name.split()) for name in reversed(given)}
    return tuple(name for name in reversed(known.values()) if len(name) >= _MIN_NAME_CHARS)


def _pattern(names: Sequence[str]) -> re.Pattern[str] | None:
    """Any of the names as whole words, the longest first; Chinese may be a part of a run."""
    if not names:
        return None
    ordered = sorted(names, key=len, reverse=True)
    # A border is costly to compile, and names side by side have the same ones.
    alike = groupby(ordered, lambda name: (_is_word(name[0]), _is_word(name[-1])))
    parts = (_bordered("|".join(map(_form_of, group)), *kind) for kind, group in alike)
    return re.compile("|".join(parts), re.IGNORECASE)


def _bordered(form: str, begins: bool, ends: bool) -> str:
    letter, mark = rf"[^\W{CJK}{NO_BLANKS}]", rf"(?![{NO_BLANKS}])[{MARKS}]"
    start = f"(?<!{letter})(?<!{mark})" if begins else ""
    end = f"(?!{letter}|{mark})" if ends else ""
    return f"{start}(?:{form}){end}"


def _form_of(name: str) -> str:
    words = normalised("NFC", name).split(" ")
    # Masked code is a run of blanks, which no name goes across.
    return r"(?:[ \t]|\n[ \t>]{0,8})".join(map(re.escape, words))


def _is_word(character: str) -> bool:
    """Whether a letter goes on beside another one; between words of Chinese are no blanks."""
    return not is_cjk(character) and WORD.fullmatch(f"_{character}") is not None


def _candidates(live: LiveIndex, view: Reading, names: Iterable[str]) -> set[str]:
    """The pages that have a unit with all words of a name."""
    snapshot = live.snapshot(view.stores, must_agree=view.freshness.is_swept)
    units: set[int] = set()
    for name in names:
        units |= holding_all(snapshot, query_terms(name))
    numbers = {page_of(key) for key in snapshot.keys(units)}
    return {card.path for card in view.lookup.by_number(numbers).values()}


def _mentions(context: Context, path: str, pattern: re.Pattern[str]) -> Iterator[Mention]:
    """The mentions on one page as the file is now."""
    try:
        data = read(context.root, path, context.max_bytes)
    except NotFoundError:
        return  # gone since it was indexed
    text = normalised("NFC", decode(path, data).text)
    if not pattern.search(text):  # most candidates hold the words apart from one another
        return
    outline = Outline(context.layers, path, text)
    for found in pattern.finditer(_prose(outline)):
        line, column = outline.masked.place(found.start())
        words = " ".join(found[0].split())
        around = _around(outline.lines[line], column, len(found[0]))
        yield Mention(path, line + 1, column + 1, words, around)


def _prose(outline: Outline) -> str:
    """The text with front matter, code and links blanked, which keeps lines and columns."""
    text, parts, done = outline.masked.text, list[str](), 0
    for start, end in outline.found.spans:
        parts += [text[done:start], _blank(text[max(start, done) : end])]
        done = max(end, done)  # an image stands in its link
    return _NOT_PROSE.sub(lambda found: _blank(found[0]), "".join((*parts, text[done:])))


def _blank(text: str) -> str:
    """A text with something in the place of each character that is in no name."""
    return re.sub(r"[^\n]", "\0", text)


def _around(line: str, start: int, length: int) -> str:
    """What stands beside a mention on its line."""
    first, last = max(0, start - _AROUND), start + length + _AROUND
    text = " ".join(line[first:last].split())
    return ("…" if first else "") + text + ("…" if last < len(line) else "")
