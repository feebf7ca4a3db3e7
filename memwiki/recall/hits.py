"""Ranked units -> hits as people see them: title, section, lines, excerpt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memwiki.index.cards.locations import UnitLocation
from memwiki.index.cards.lookup import Card, Lookup
from memwiki.index.keyword.tokens import query_terms
from memwiki.names import fold
from memwiki.nouns import Hit, HitKind, Section, UnitKind
from memwiki.recall.candidates import RankedUnit
from memwiki.recall.excerpt import Excerpts
from memwiki.recall.texts import PageTexts, date_of, located
from memwiki.records import NamedTuple

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
        self._headings = tuple(map(fold, headings))
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
        shown = excerpts.excerpt(lines, first)
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
            reasons=self._reasons(row, lines, terms) if self._explain else (),
            kind=_kind(location.kind, section),
            id=location.id,
        )

    def _asked_section(self, found: _LocatedUnit) -> tuple[int, int]:
        """The lines of a unit, or those of its first section that was asked for by heading."""
        first, last = found.location.line_start, found.location.line_end
        if self._headings and found.location.kind == UnitKind.BLOCK:
            for section in found.sections:
                if any(heading in fold(section.title) for heading in self._headings):
                    return max(first, section.line_start), min(last, section.line_end)
        return first, last

    def _reasons(
        self, row: RankedUnit, lines: Sequence[str], terms: Sequence[str]
    ) -> tuple[str, ...]:
        wanted = set(terms)
        found = [t for t in query_terms("\n".join(lines)[:_EXPLAINED]) if t in wanted]
        words = f"words: {', '.join(found[:_MAX_WORDS])}" if found else ""
        return tuple(filter(None, (row.reason, words))) or ("title or names",)


def _first_words(lines: list[str], first: int, excerpts: Excerpts) -> str:
    """The first words of a text, where none was asked for: no front matter, badges and headings.

    Of the lines of the hit alone, since others of its page may be private.
    """
    from memwiki.markdown.frontmatter import find_block  # words that were asked for need none
    from memwiki.markdown.prose import first_paragraph, without_fields
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
