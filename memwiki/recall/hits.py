"""Ranked units -> hits as people see them: title, section, lines, excerpt."""

from __future__ import annotations

from collections.abc import Sequence

from memwiki.index.cards.lookup import Card, Lookup, UnitLocation
from memwiki.index.keyword.tokens import query_terms
from memwiki.model import Hit, UnitKind
from memwiki.names import fold
from memwiki.recall.candidates import RankedUnit
from memwiki.recall.excerpt import excerpt
from memwiki.recall.texts import PageTexts

_EXPLAINED = 20_000  # characters of a unit in which its words are looked for
_NAMED_WORDS = 8


class HitBuilder:
    """Looks up and reads what a hit shows."""

    def __init__(self, lookup: Lookup, texts: PageTexts, *, explain: bool) -> None:
        self._lookup, self._texts, self._explain = lookup, texts, explain
        self._headings: tuple[str, ...] = ()
        self.lost = 0

    def hits(
        self, rows: Sequence[RankedUnit], terms: Sequence[str], headings: Sequence[str] = ()
    ) -> tuple[Hit, ...]:
        """The hits of ranked units, in their order; of a block the section with one of the headings
        that were asked for is shown."""
        self._headings = tuple(map(fold, headings))
        locations = self._lookup.locations(row.key for row in rows)
        cards = self._lookup.by_number(row.key.page for row in rows)
        found = [(row, locations.get(row.key), cards.get(row.key.page)) for row in rows]
        hits = tuple(self._hit(row, a, b, terms) for row, a, b in found if a and b)
        self.lost += len(rows) - len(hits)  # their pages changed since the postings were read
        return hits

    def _hit(
        self, row: RankedUnit, location: UnitLocation, card: Card, terms: Sequence[str]
    ) -> Hit:
        first, last = self._asked_section(location, card)
        lines = self._texts[card].part(first, last)
        shown = excerpt(lines, first, terms)
        start, stop, section = location.line_start, location.line_end, location.section
        if location.kind == UnitKind.BLOCK:
            start, stop, section = self._section_at(shown.line, location, card)
        return Hit(
            path=card.path,
            title=card.title,
            type=location.type or card.type,
            section=section,
            line_start=start,
            line_end=stop,
            score=round(row.score, 4),
            excerpt=shown.text,
            tags=location.tags or self._lookup.tags_of(card),
            updated=card.changed,
            reasons=self._reasons(row, lines, terms) if self._explain else (),
        )

    def _asked_section(self, location: UnitLocation, card: Card) -> tuple[int, int]:
        """The lines of a unit, or those of its first section that was asked for by heading."""
        if self._headings and location.kind == UnitKind.BLOCK:
            for section in self._lookup.sections_in(card, location.line_start, location.line_end):
                if any(heading in fold(section.title) for heading in self._headings):
                    start = max(location.line_start, section.line_start)
                    return start, min(location.line_end, section.line_end)
        return location.line_start, location.line_end

    def _section_at(self, line: int, location: UnitLocation, card: Card) -> tuple[int, int, str]:
        """The innermost section around a line, as far as it lies in the unit."""
        around = self._lookup.sections_in(card, line, line)
        if not around:
            return location.line_start, location.line_end, ""
        start = max(location.line_start, around[-1].line_start)
        stop = min(location.line_end, around[-1].line_end)
        return start, stop, " > ".join(section.title for section in around)

    def _reasons(
        self, row: RankedUnit, lines: Sequence[str], terms: Sequence[str]
    ) -> tuple[str, ...]:
        wanted = set(terms)
        found = [t for t in query_terms("\n".join(lines)[:_EXPLAINED]) if t in wanted]
        words = f"words: {', '.join(found[:_NAMED_WORDS])}" if found else ""
        return tuple(filter(None, (row.reason, words))) or ("title or names",)
