"""What a unit has to be so that it may be found: the conditions that filters come to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple, Protocol, TypeVar

from memwiki.index.unit_key import UnitKey, hit_of, page_of
from memwiki.model import UnitKind
from memwiki.recall.query import Joined, Joint, take


class Matches(NamedTuple):
    """What one filter lets through: whole pages, single units, and units kept out all the same."""

    pages: frozenset[int] = frozenset()
    units: frozenset[bytes] = frozenset()
    excluded: frozenset[bytes] = frozenset()

    def passes(self, page: int, unit: bytes) -> bool:
        """Whether a unit of a page may be found; an empty unit asks about the page itself."""
        return unit in self.units or (page in self.pages and unit not in self.excluded)


class Hits(NamedTuple):
    """Lets these hits through with all their units."""

    hits: AbstractSet[bytes]

    def passes(self, _page: int, unit: bytes) -> bool:
        """Whether a unit is of one of them."""
        return hit_of(unit) in self.hits


class OfKinds(NamedTuple):
    """Lets blocks, entries or messages through."""

    kinds: tuple[UnitKind, ...]

    def passes(self, _page: int, unit: bytes) -> bool:
        """Whether a unit is of one of these kinds."""
        return UnitKey(unit).kind in self.kinds


class Passing(Protocol):
    """What lets units through or not."""

    def passes(self, page: int, unit: bytes, /) -> bool:
        """Whether a unit of a page may be found; an empty unit asks about the page itself."""


_JOINTS: Mapping[Joint, Callable[[Iterable[bool]], bool]] = {
    Joint.ALL: all,
    Joint.ANY: any,
    Joint.NONE: lambda values: not any(values),
}


class JoinedMatches(NamedTuple):
    """What a condition in postfix order lets through."""

    steps: tuple[Passing | Joined, ...]

    def passes(self, page: int, unit: bytes) -> bool:
        """Whether a unit of a page may be found."""
        values: list[bool] = []
        for step in self.steps:
            if isinstance(step, Joined):
                values.append(_JOINTS[step.joint](take(values, step.parts)))
            else:
                values.append(step.passes(page, unit))
        return values[-1]


class Undated(NamedTuple):
    """What says no date of its own, so that filters go by the time of its file."""

    pages: frozenset[int]
    dated: frozenset[bytes]  # units that say one all the same

    def holds(self, key: bytes) -> bool:
        """Whether a unit, or a page by the first bytes of its keys, is judged by the file."""
        return page_of(key) in self.pages and key not in self.dated


class HasKey(Protocol):
    """What is found in a unit, or in a page as a whole."""

    @property
    def key(self) -> UnitKey:
        """Where it is found."""
        ...


R = TypeVar("R", bound=HasKey)


class Conditions(NamedTuple):
    """All filters of a query together; `undated` where one of them asks for a date."""

    wanted: tuple[Passing, ...] = ()
    unwanted: tuple[Passing, ...] = ()
    undated: Undated | None = None
    excluded: AbstractSet[bytes] = frozenset()  # hits that hold an excluded word
    superseded: AbstractSet[bytes] = frozenset()  # hits that hold no longer: they come last
    schema: frozenset[int] = frozenset()  # pages that come after all others
    ranked_last: int = 0  # hits that may come after all that answers, whatever their score

    @property
    def are_none(self) -> bool:
        """Whether everything passes."""
        return not (self.wanted or self.unwanted or self.excluded)

    def passes(self, key: bytes) -> bool:
        """Whether a unit may be found."""
        if hit_of(key) in self.excluded:
            return False
        page = page_of(key)
        return all(a.passes(page, key) for a in self.wanted) and not any(
            a.passes(page, key) for a in self.unwanted
        )

    def passes_page(self, number: int) -> bool:
        """Whether a page as a whole may be found."""
        return self.passes(UnitKey.of_page(number))

    def in_order(self, rows: Iterable[R]) -> Iterator[R]:
        """The rows in their order, but at the end those that are judged by the time of a file, then
        those that hold no longer, then what tells agents how to work."""
        last: list[R] = []
        over: list[R] = []
        schema: list[R] = []
        for row in rows:
            if page_of(row.key) in self.schema:
                schema.append(row)
            elif row.key in self.superseded:
                over.append(row)
            elif self.undated and self.undated.holds(row.key):
                last.append(row)
            else:
                yield row
        yield from last
        yield from over
        yield from schema

    def undated_in(self, keys: Iterable[bytes]) -> int:
        """How many of these are judged by the time of a file."""
        return sum(map(self.undated.holds, keys)) if self.undated else 0
