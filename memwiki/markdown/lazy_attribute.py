"""A value of an object that is worked out when it is first asked for, and then kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

S = TypeVar("S")
T = TypeVar("T")


class lazy(Generic[S, T]):  # noqa: N801 - a decorator, as `property` is
    """As functools.cached_property, without the lock of Python 3.11, which made a parse 2 %
    slower."""

    def __init__(self, make: Callable[[S], T]) -> None:
        self._make, self._name = make, make.__name__
        self.__doc__ = make.__doc__

    def __get__(self, of: S, _: type | None = None) -> T:
        """The value; from then on the one in the object's own dictionary is found first."""
        value = self._make(of)
        setattr(of, self._name, value)
        return value
