"""Answers that are lists, and long lists in little space, made when they are walked."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar, overload

from memwiki.records import FrozenRecord

T = TypeVar("T")


class ListAnswer(FrozenRecord, Generic[T]):
    """An answer that is walked as the list in its first field."""

    def __iter__(self) -> Iterator[T]:
        return iter(getattr(self, next(iter(self.__match_args__))))


class PackedList(Sequence[T]):
    """A sequence that makes its items, and equals any other one of the same items."""

    __slots__ = ()

    @abstractmethod
    def at(self, place: int) -> T:
        """The item at a place that exists, from the start."""

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...
    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        places = range(len(self))[at]
        return self.at(places) if isinstance(places, int) else tuple(map(self.at, places))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))
