"""What a unit has to be so that it may be found: the conditions that filters come to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Protocol, TypeAlias, TypeVar

from memwiki.index.units import UnitKey, hit_of, page_of
from memwiki.recall.query import Joined, Joint, take
from memwiki.records import FrozenRecord, NamedTuple

# Whether a unit of a page may be found; an empty unit asks about the page itself.
Passing: TypeAlias = Callable[[int, bytes], bool]


class Matches(FrozenRecord):
    """What one filter lets through: whole pages, single units, and units kept out all the same."""

    pages: frozenset[int] = frozenset()
    units: frozenset[bytes] = frozenset()
    excluded: frozenset[bytes] = frozenset()

    def __call__(self, page: int, unit: bytes) -> bool:
        """Whether a unit of a page may be found."""
        return unit in self.units or (page in self.pages and unit not in self.excluded)


_JOINTS: Mapping[Joint, Callable[[Iterable[bool]], bool]] = {
    Joint.ALL: all,
    Joint.ANY: any,
    Joint.NONE: lambda values: not any(values),
}


def joined(steps: Iterable[Passing | Joined]) -> Passing:
    """What a condition in postfix order lets through."""
    known = tuple(steps)

    def passes(page: int, unit: bytes) -> bool:
        values: list[bool] = []
        for step in known:
            if isinstance(step, Joined):
                values.append(_JOINTS[step.joint](take(values, step.parts)))
            else:
                values.append(step(page, unit))
        return values[-1]

    return passes


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
        return all(passes(page, key) for passes in self.wanted) and not any(
            passes(page, key) for passes in self.unwanted
        )

    def passes_page(self, number: int) -> bool:
        """Whether a page as a whole may be found."""
        return self.passes(UnitKey.of_page(number))

    def in_order(self, rows: Iterable[R]) -> Iterator[R]:
        """The rows in their order, but at the end those that are judged by the time of a file, then
        those that hold no longer, then what tells agents how to work."""
        later: tuple[list[R], ...] = ([], [], [])
        for row in rows:
            if page_of(row.key) in self.schema:
                later[2].append(row)
            elif row.key in self.superseded:
                later[1].append(row)
            elif self.undated and self.undated.holds(row.key):
                later[0].append(row)
            else:
                yield row
        yield from chain(*later)

    def undated_in(self, keys: Iterable[bytes]) -> int:
        """How many of these are judged by the time of a file."""
        return sum(map(self.undated.holds, keys)) if self.undated else 0
