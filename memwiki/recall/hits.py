"""Ranked units -> hits as people see them: title, section, lines, and the few lines that answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import groupby, islice

from memwiki.index.cards.locations import UnitLocation
from memwiki.index.cards.lookup import Card, Lookup
from memwiki.index.keyword.tokens import GROUP, NO_WORD, query_terms, searchable, spellings
from memwiki.markdown.syntax import COMMENT, DEFINITION, LIST_MARKER, PLACE_NAME, plain
from memwiki.names import search_form
from memwiki.nouns import SUPERSEDED, Hit, HitKind, Section, UnitKind
from memwiki.recall.channels import PageTexts, RankedUnit, date_of, located
from memwiki.records import NamedTuple
from memwiki.text import RUN, WORD, is_cjk, pattern

_WIDTH = 240  # characters of an excerpt
_MAX_HEAD = 60  # lines of front matter that are looked at
_WINDOW = 6  # lines looked at together
# Lines further down count a little less, so that the stretch begins with a line that matters.
_LESS = tuple(1 + i / 2 for i in range(_WINDOW))
_MAX_LINE_CHARS = 4_000  # of a longer one only a part is looked at
_HEADING = pattern(r"\A[ \t]*+(?:[-*+][ \t]++)?#{1,6}[ \t]++(?=\S)")
# Lines that nobody sees where a page is shown: `---`, `[tea]: drinks/tea.md "Tea"`, but no
# footnote, the fence of code, what DocFX puts in (`[!INCLUDE [a](b)]`), and Logseq's
# `id:: 63a1f0a0-...`, and MyST's name of a place; with the size of a picture in Logseq,
# `{:height 354, :width 437}`, and what kramdown says of a text, `{: .lead }`.
_UNSEEN = pattern(
    r"[ \t]*+(?:id|collapsed)::[ \t]++[\w-]+[ \t]*|---+[ \t]*"
    r"|[ \t>]*+(?:```|~~~)[^`]*|[ \t]*+\[!(?:INCLUDE|include)[ \t]*\[[^\[\]]*\][^\[\]]*\][ \t]*"
    rf"|{DEFINITION}|{PLACE_NAME.pattern[1:-1]}"
)
# What Logseq says of a page above it.
_PROPERTIES = pattern(r"\A(?:[^\W\d][\w.-]*+::(?:[ \t][^\n]*+)?(?:\n|\Z))++")
# Of a head, before it is asked for words: what may be a property of `is_property`, in a line.
_MAY_NOTE = pattern(
    r"^(?!(?:title|description):)[^\W\d_][^\n:.\d]{0,60}: [^\s\[{|>&*!]", re.MULTILINE
)
_ATTRIBUTES = pattern(r"(?:(?<=\))\{:|[ \t]*+\{:[ \t]*+(?:[.#]\w|toc\b|\w+=))[^{}]*\}")
_QUOTE = pattern(r"\A[ \t]*+>[ \t>]*+(?!\d)")  # `> 5 ms` is more than that
_INDENT = "    "
_ITEMS = frozenset("-+*0123456789")  # what they begin with
_CODE_SIGNS = ("```", "~~~", f"\n{_INDENT}", "\t")  # one of them is in every text with code
_FENCE = pattern(rf"[ \t>]*+(?:{LIST_MARKER}[ \t]++)?(`{{3,}}+(?!.*`)|~{{3,}}+)")

_Found = Mapping[int, frozenset[str]]  # which terms stand in which line
_NO_TERMS = frozenset[str]()


class Excerpt(NamedTuple):
    """What is shown of a hit, and on which line it begins."""

    text: str
    line: int


class Excerpts:
    """Finds the excerpts of one answer; what terms a word holds is worked out once for all hits."""

    def __init__(self, terms: Sequence[str]) -> None:
        self._terms, self._wanted = terms, frozenset(terms)
        self._starts = tuple(dict.fromkeys(start for term in terms for start in _starts_of(term)))
        # 8.5.1 is three words, C++ one and ++; 48000 may be two.
        is_number = any(term.isdigit() and len(term) > GROUP for term in terms)
        self._are_in_words = not is_number and "".join(terms).replace("_", "").isalnum()
        self._terms_of = cache(self._terms_of_word)

    def excerpt(self, lines: Sequence[str], first_line: int, title: str = "") -> Excerpt:
        """The stretch of lines that holds most of the terms, cut to a screen's width or two.

        `first_line` is the 1-based number of `lines[0]` in its file. What the `title` of a page has
        stands above the excerpt and says nothing of where the answer is: where it has all that was
        found, the first lines are shown. What stands only in an address or where nobody looks is
        shown as it is written. A page that the question names is shown whole where it fits.
        """
        lines = [line if len(line) <= _MAX_LINE_CHARS else self._part(line) for line in lines]
        named = self._terms_in(searchable(title)) if title else _NO_TERMS
        found, code = self._found("\n".join(lines)), _code(lines)
        if named:
            found = {i: left for i, terms in found.items() if (left := terms - named)}
        visible = _visible(lines, code, is_head=first_line == 1 and bool(self._terms))
        best = _richest(found, self._seen(lines, visible, code, found))
        stop = _WINDOW
        if best is None and found:
            # In what is written for people, elsewhere only where they stand nowhere else.
            written = {i: found[i] for i in found if not _UNSEEN.fullmatch(lines[i])} or found
            best, code = _richest(written, written.get) or 0, range(len(lines))
        else:
            lines, is_whole = visible, bool(named) and sum(map(len, visible)) <= _WIDTH
            stop = len(lines) if is_whole else _WINDOW
            if best is None or is_whole:
                best = next((i for i, line in enumerate(lines) if _is_seen(line)), 0)
        text = _text_of(lines[best : best + stop], [i - best for i in code])
        terms = self._wanted - named or self._wanted
        places = [each for term in terms for each in (term, *_in_groups(term))]
        return Excerpt(_cut(text, places), first_line + best)

    def with_properties(self, shown: Excerpt, above: Sequence[str], title: str) -> Excerpt:
        """The excerpt of the first lines of a page behind those properties above it that say a term
        which neither it nor the title does."""
        head = "\n".join(above)
        if not (head.startswith("---") and _MAY_NOTE.search(head) and self._found(head)):
            return shown
        from memwiki.markdown.fields import properties_above  # few hits are found by them

        said = {line: self._terms_in(searchable(line)) for line in properties_above(above)}
        known = self._terms_in(searchable(f"{title}\n{shown.text}"))
        telling = [line for line, terms in said.items() if terms - known]
        if not telling:
            return shown
        return shown._replace(text=_cut("; ".join(filter(None, [*telling, shown.text])), ()))

    def _part(self, line: str) -> str:
        """As much of a long line as is looked at: around the first word that begins as a term."""
        folded = searchable(line).casefold()
        starts = (
            re.escape(each) if is_cjk(each) else rf"\b{re.escape(each)}" for each in self._starts
        )
        word = re.search("|".join(starts), folded) if self._starts else None
        at = word.start() * len(line) // len(folded) if word else 0  # letters may have become two
        first = max(at - _MAX_LINE_CHARS // 4, 0) if at > _MAX_LINE_CHARS // 2 else 0
        return line[first : first + _MAX_LINE_CHARS]

    def words_in(self, text: str) -> Iterator[str]:
        """The words of a text that hold a term, as they are written; of CJK the terms."""
        words = dict.fromkeys((RUN if is_cjk(text) else WORD).findall(text))
        for word in filter(self._terms_of, words):
            yield from sorted(_written(self._terms_of(word), word)) if is_cjk(word) else (word,)

    def first_words(self, text: str) -> Iterator[str]:
        """For each term that a text holds the first word with it, as it is written."""
        written: dict[str, str] = {}
        for word in self.words_in(text):
            written = dict.fromkeys(self._terms_of(word), word) | written
        terms = filter(self._wanted.__contains__, query_terms(text))
        return iter(dict.fromkeys(written.get(term, term) for term in terms))

    def _found(self, text: str) -> _Found:
        """Which terms stand in each line; one without even the beginnings is not cut into words."""
        text = searchable(text)
        if self._are_in_words and text.isascii():
            return self._in_words(text)
        folded = text.casefold()
        starts = [start for start in self._starts if start in folded]
        lines = zip(text.split("\n"), folded.split("\n"), strict=True)
        return {
            i: terms
            for i, (line, low) in enumerate(lines)
            if any(map(low.__contains__, starts)) and (terms := self._terms_in(line))
        }

    def _in_words(self, text: str) -> _Found:
        """The same of ASCII, where each term is within a word: of it the words with a beginning are
        looked at alone."""
        found: dict[int, frozenset[str]] = {}
        folded, apart = text.casefold(), text.encode().translate(NO_WORD) + b" "
        for start in self._starts:
            at, line, counted = folded.find(start), 0, 0
            while at >= 0:
                first, end = apart.rfind(b" ", 0, at) + 1, apart.find(b" ", at)
                if terms := self._terms_of(text[first:end]):
                    line, counted = line + text.count("\n", counted, at), at
                    found[line] = found.get(line, _NO_TERMS) | terms
                at = folded.find(start, end + 1)
        return found

    def _terms_in(self, line: str) -> frozenset[str]:
        if not self._are_in_words:
            return self._wanted.intersection(query_terms(line))
        return _NO_TERMS.union(*map(self._terms_of, WORD.findall(line)))

    def _terms_of_word(self, word: str) -> frozenset[str]:
        has_any = any(map(searchable(word).casefold().__contains__, self._starts))
        return self._wanted.intersection(query_terms(word)) if has_any else _NO_TERMS

    def _seen(
        self, lines: Sequence[str], visible: Sequence[str], code: Collection[int], found: _Found
    ) -> Callable[[int], frozenset[str]]:
        """Those terms of each line that stand in what a reader sees, looked for where it is
        asked."""

        known = dict[int, frozenset[str]]()

        def seen(line: int) -> frozenset[str]:
            if line in found and line not in known:
                shown = visible[line] if line in code else _shown(visible[line])
                known[line] = found[line]
                if shown != lines[line]:
                    known[line] &= self._found(shown).get(0, _NO_TERMS)
            return known.get(line, _NO_TERMS)

        return seen


def _written(terms: Iterable[str], run: str) -> Set[str]:
    """The terms that a run of Chinese holds, in its own characters."""
    folded = searchable(run).casefold()
    if len(folded) != len(run):
        return set(terms)
    places = ((folded.find(term), len(term)) for term in terms)
    return {run[at : at + size] for at, size in places if at >= 0}


def _starts_of(term: str) -> Iterator[str]:
    """What stands in the words with this term: all of it but the last letter, which stemming may
    change.

    Of 288,000 words in seven vaults all hold it, but for those in -ying (2026-11-22).
    """
    yield from _in_groups(term)
    for spelled in spellings(term):
        yield spelled[: max(2, len(spelled) - 1)]
    if term in ("die", "lie", "tie"):
        yield f"{term[0]}y"


def _in_groups(term: str) -> Iterator[str]:
    """How a number begins whose digits are written in groups."""
    if term.isdigit() and len(term) > GROUP:
        first = len(term) % GROUP or GROUP
        yield from (f"{term[:first]}{sign}{term[first : first + GROUP]}" for sign in ".,' ’")


def _code(lines: Sequence[str]) -> Collection[int]:
    """The lines that are fences of code, between two, or indented where no item is open."""
    text = "\n".join(["", *lines])
    if not any(map(text.__contains__, _CODE_SIGNS)):
        return ()
    code: set[int] = set()
    fence = ""  # that is open
    is_listed = is_apart = True  # what is above a part of a page is not known
    for i, line in enumerate(lines):
        match = _FENCE.match(line)
        is_indented = is_apart and not is_listed and line[:4].expandtabs(4)[:4] == _INDENT
        if match or fence or is_indented:
            code.add(i)
        elif line.strip():
            is_listed = _is_listed(line, is_apart=is_apart, was=is_listed)
        is_apart = is_indented or not line.strip()
        if match and not fence:
            fence = match[1]
        elif match and match[1].startswith(fence) and not line.strip(" \t>`~"):
            fence = ""
    return code


def _is_listed(line: str, *, is_apart: bool, was: bool) -> bool:
    """Whether a line may be in an item: it may begin one, or goes on with it."""
    return line.lstrip(" \t>")[:1] in _ITEMS or (was and not (is_apart and line[0] not in " \t"))


def _visible(lines: Sequence[str], code: Collection[int], *, is_head: bool) -> Sequence[str]:
    """The lines without comments, and at the head of a page without its properties."""
    text = "\n".join("" if i in code else line for i, line in enumerate(lines))
    if "%%" not in text and not (is_head and "::" in text):
        return lines
    patterns = (COMMENT, _PROPERTIES) if is_head else (COMMENT,)
    for each in patterns:
        text = each.sub(lambda match: "\n" * match[0].count("\n"), text)
    shown = text.split("\n")
    return [line if i in code else shown[i] for i, line in enumerate(lines)]


def _shown(line: str) -> str:
    """A line without what nobody sees, pictures and addresses among it."""
    return "" if _UNSEEN.fullmatch(line) else plain(_without_attributes(line))


def _without_attributes(line: str) -> str:
    return _ATTRIBUTES.sub("", line) if "{:" in line else line


def _is_seen(line: str) -> bool:
    """Whether anything is left of it but the mark of an item; a letter that it begins with is."""
    if line.lstrip("-*+> \t")[:1].isalnum():
        return not _UNSEEN.fullmatch(line)
    return bool(_shown(line).strip("-*+> "))


def _text_of(lines: Sequence[str], code: Collection[int]) -> str:
    """Lines as a reader sees them, without the marks of headings; a heading that text follows is
    the section of the hit, or who says the message, and stands above the excerpt already."""
    seen = [*enumerate(lines)]
    if lines and not _UNSEEN.fullmatch(lines[0]):
        seen = [
            (i, _without_attributes(line))
            for i, line in seen
            if (not _UNSEEN.fullmatch(line) if i in code else _is_seen(line))
        ]
    if seen and _HEADING.match(seen[0][1]) and any(line.strip() for _, line in seen[1:]):
        seen = seen[1:]
    texts = []
    for is_code, run in groupby(seen, lambda each: each[0] in code):
        shown = [line if is_code or ">" not in line else _QUOTE.sub("", line) for _, line in run]
        text = " ".join(_HEADING.sub("", line) for line in shown)
        texts.append(text if is_code else plain(text))
    return " ".join(" ".join(texts).split())


def _richest(found: _Found, seen: Callable[[int], frozenset[str] | None]) -> int | None:
    """The line where the richest stretch begins, of equal ones the first; None where none of the
    terms is seen. A stretch that begins with a line that holds terms is always richer than one
    that begins above it, and none has more than what was found in it: others are not looked at."""
    best = (0.0, 0)
    most = ((_richness(found.get, line), -line) for line in found)
    for each in sorted(most, reverse=True):
        if each < best:
            break
        if seen(-each[1]):
            best = max(best, (_richness(seen, -each[1]), each[1]))
    return -best[1] if best[0] else None


def _richness(terms_of: Callable[[int], frozenset[str] | None], start: int) -> float:
    rich, distinct = 0.0, _NO_TERMS
    for line, less in enumerate(_LESS, start):
        if terms := terms_of(line):
            rich, distinct = rich + len(terms) / less, distinct | terms
    return rich + len(distinct)


def _cut(text: str, terms: Sequence[str]) -> str:
    if len(text) <= _WIDTH:
        return text
    first = _first_place(text, terms)
    start = max(0, first - _WIDTH // 4) if first > _WIDTH // 2 else 0
    start = text.rfind(" ", 0, start) + 1 if start and " " in text[:start] else start
    end = start + _WIDTH
    if " " in text[end - 30 : end]:
        end = text.rfind(" ", 0, end)
    return ("…" if start else "") + text[start:end].strip() + ("…" if end < len(text) else "")


def _first_place(text: str, terms: Sequence[str]) -> int:
    """Where the first of the terms stands; 0 for none."""
    folded = searchable(text).casefold()
    if len(folded) == len(text):
        return min((at for at in map(folded.find, terms) if at >= 0), default=0)
    for word in re.finditer(r"\S+", text):  # points are left out, a ligature is two letters
        if any(map(searchable(word[0]).casefold().count, terms)):
            return word.start()
    return 0


_EXPLAINED = 20_000  # characters of a unit in which its words are looked for
_MAX_WORDS = 8


class _LocatedUnit(NamedTuple):
    """A ranked unit, where it stands, and the headings whose text overlaps it."""

    row: RankedUnit
    location: UnitLocation
    card: Card
    sections: Sequence[Section]


class HitBuilder:
    """Looks up and reads what a hit shows."""

    def __init__(self, lookup: Lookup, texts: PageTexts, *, explain: bool) -> None:
        self._lookup, self._texts, self._explain = lookup, texts, explain
        self._headings: tuple[str, ...] = ()
        self._tags: Mapping[int, tuple[str, ...]] = {}
        self.lost = 0
        self.words: dict[str, None] = {}  # those of the excerpts that match, as they are written

    def hits(
        self, rows: Sequence[RankedUnit], terms: Sequence[str], headings: Sequence[str] = ()
    ) -> tuple[Hit, ...]:
        """The hits of ranked units, which are all different, in their order; of a block the section
        with one of the headings that were asked for is shown."""
        found = located((row.key for row in rows), self._lookup)
        known = [(row, *found[row.key]) for row in rows if row.key in found]
        self.lost += len(rows) - len(known)  # their pages changed since the postings were read
        return self.located(known, terms, headings)

    def located(
        self,
        rows: Sequence[tuple[RankedUnit, UnitLocation, Card]],
        terms: Sequence[str],
        headings: Sequence[str] = (),
    ) -> tuple[Hit, ...]:
        """The same of units that were looked up."""
        self._headings = tuple(map(search_form, headings))
        ranges = [(card.id, at.line_start, at.line_end) for _, at, card in rows]
        around = self._lookup.sections_around(ranges)
        found = [_LocatedUnit(*each, sections) for each, sections in zip(rows, around, strict=True)]
        excerpts = Excerpts(terms)
        self._tags = self._lookup.tags_of_all(x.card for x in found if not x.location.tags)
        return tuple(self._hit(each, excerpts, terms) for each in found)

    def _hit(self, found: _LocatedUnit, excerpts: Excerpts, terms: Sequence[str]) -> Hit:
        row, location, card, _ = found
        first, last = self._asked_section(found)
        lines = self._texts[card].part(first, last)
        is_block = location.kind == UnitKind.BLOCK
        shown = excerpts.excerpt(lines, first, card.title if is_block else "")
        if is_block and 1 < first <= _MAX_HEAD:
            above = self._texts[card].part(1, first - 1)
            shown = excerpts.with_properties(shown, above, card.title)
        if not (terms or self._headings) and location.kind == UnitKind.BLOCK:
            shown = shown._replace(text=_first_words(lines, first, excerpts) or shown.text)
        self.words.update(dict.fromkeys(excerpts.words_in(shown.text)))
        start, stop, section = location.line_start, location.line_end, location.section
        if location.kind == UnitKind.BLOCK:
            start, stop, section = _section_at(shown.line, found)
        return Hit(
            path=card.path,
            title=card.title,
            type=location.type or card.type,
            section=section,
            line_start=start,
            line_end=stop,
            score=round(row.score, 4),
            excerpt=shown.text,
            tags=location.tags or self._tags.get(card.id, ()),
            updated=date_of(card, location),
            reasons=_reasons(row, lines, excerpts)
            if self._explain
            else (SUPERSEDED,) * (row.reason == SUPERSEDED),
            kind=_kind(location.kind, section),
            id=location.id,
        )

    def _asked_section(self, found: _LocatedUnit) -> tuple[int, int]:
        """The lines of a unit, or those of its first section that was asked for by heading."""
        first, last = found.location.line_start, found.location.line_end
        if self._headings and found.location.kind == UnitKind.BLOCK:
            for section in found.sections:
                if any(heading in search_form(section.title) for heading in self._headings):
                    return max(first, section.line_start), min(last, section.line_end)
        return first, last


def _reasons(row: RankedUnit, lines: Sequence[str], excerpts: Excerpts) -> tuple[str, ...]:
    found = list(islice(excerpts.first_words("\n".join(lines)[:_EXPLAINED]), _MAX_WORDS))
    words = f"words: {', '.join(found)}" if found else ""
    return tuple(filter(None, (row.reason, words))) or ("title or names",)


def _first_words(lines: list[str], first: int, excerpts: Excerpts) -> str:
    """The first words of a text, where none was asked for: no front matter, badges and headings.

    Of the lines of the hit alone, since others of its page may be private.
    """
    from memwiki.markdown.describe import first_paragraph, without_fields
    from memwiki.markdown.frontmatter import find_block  # words that were asked for need none
    from memwiki.markdown.scanner import scan

    block, _ = find_block(lines)
    start = block.line_end if block else 0
    prose = first_paragraph(lines, start, scan(lines, start))
    return prose or excerpts.excerpt(without_fields(lines), first).text


def _kind(kind: str, section: str) -> HitKind:
    """What a hit is called: of a block, whether it is below a heading."""
    if kind == UnitKind.BLOCK:
        return HitKind.SECTION if section else HitKind.PAGE
    return HitKind.ENTRY if kind == UnitKind.ENTRY else HitKind.MESSAGE


def _section_at(line: int, found: _LocatedUnit) -> tuple[int, int, str]:
    """The innermost section around a line, as far as it lies in the unit."""
    first, last = found.location.line_start, found.location.line_end
    around = [each for each in found.sections if each.line_start <= line <= each.line_end]
    if not around:
        return first, last, ""
    start, stop = max(first, around[-1].line_start), min(last, around[-1].line_end)
    return start, stop, " > ".join(section.title for section in around)
