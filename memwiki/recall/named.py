"""Pages whose name is the question: they come before those that hold its words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from memwiki.index.cards.lookup import Lookup
from memwiki.index.names import NameKind
from memwiki.index.unit_key import UnitKey
from memwiki.names import fold, slug
from memwiki.recall.candidates import Candidates, RankedUnit
from memwiki.recall.filters import Conditions
from memwiki.recall.query import Query

_MOST_TWINS = 200  # pages of one name of which it is counted how many others link to them
_FEW = 5  # pages that share a heading or tag and still come before mere words
_REASONS = {
    NameKind.PATH: "exact path",
    NameKind.TITLE: "exact title",
    NameKind.ALIAS: "exact alias",
    NameKind.STEM: "exact file name",
    NameKind.SLUG: "same name",
}
_ORDER = (*_REASONS.values(), "exact heading", "exact tag")  # the first come first


def answering(query: Query, lookup: Lookup, conditions: Conditions) -> dict[int, str]:
    """The pages whose title, alias or file name is the question, then a few with such a heading or
    tag, each with the best of these reasons."""
    asked = query.text.strip() if query.is_plain else " ".join(query.words)
    reasons: dict[int, str] = {}
    if asked and not query.prefixes:
        for number, reason in _answering(asked, lookup):
            if conditions.passes_page(number):
                reasons.setdefault(number, reason)
    return reasons


def named(
    reasons: Mapping[int, str], lookup: Lookup, conditions: Conditions, candidates: Candidates
) -> list[RankedUnit]:
    """The pages that answer by name, each by its best block: by reason, then those that others name
    in more links, then by score."""
    best = candidates.best_of(reasons) if reasons else {}
    rows = []
    for number, reason in reasons.items():
        row = best.get(number) or _unscored(number, lookup, conditions)
        if row:
            rows.append(row._replace(reason=reason))
    twins = reasons if 1 < len(rows) <= _MOST_TWINS else ()
    linked = {
        number: lookup.mentions(card.path) for number, card in lookup.by_number(twins).items()
    }

    def order(row: RankedUnit) -> tuple[int, int, float]:
        return _ORDER.index(row.reason), -linked.get(row.key.page, 0), -row.score

    return sorted(rows, key=order)


def _answering(asked: str, lookup: Lookup) -> Iterator[tuple[int, str]]:
    """The pages that answer to it by any of their names, and by which."""
    for kind, reason in _REASONS.items():
        for path in _paths(kind, asked, lookup):
            card = lookup.card(path)
            if card:
                yield card.number, reason
    for reason, numbers in (
        ("exact heading", lookup.headed(asked, _FEW + 1)),
        ("exact tag", lookup.tagged(asked.lstrip("#"), _FEW + 1)),
    ):
        if len(numbers) <= _FEW:
            yield from ((number, reason) for number in numbers)


def _paths(kind: NameKind, asked: str, lookup: Lookup) -> Sequence[str]:
    if kind is NameKind.SLUG:
        return lookup.slugs(slug(asked))
    found = lookup.pages(kind, asked)
    return [*found, *_titled(asked, lookup)] if kind is NameKind.TITLE else found


def _titled(asked: str, lookup: Lookup) -> Iterator[str]:
    """The pages with this title where links do not go by titles."""
    for path in lookup.pages(NameKind.SEARCH, asked):
        card = lookup.card(path)
        if card and fold(card.title) == fold(asked):
            yield path


def _unscored(number: int, lookup: Lookup, conditions: Conditions) -> RankedUnit | None:
    """The first unit of a page that holds none of the words."""
    found: UnitKey | None = next(filter(conditions.passes, lookup.unit_keys(number)), None)
    return RankedUnit(found, 0.0) if found else None
