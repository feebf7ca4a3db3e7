"""Records: named tuples whose class is made without compiling anything.

`typing.NamedTuple` compiles each annotation and a constructor when a module is loaded: .2 to .4 ms
a class, a fifth of a command that loads 120 of them and makes values of twenty (2026-11-26). Here
annotations stay text, and the constructor is made with the first value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["NamedTuple"]

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NamedTuple  # all that type checkers know of it
else:
    from collections import namedtuple

    _Wide = namedtuple("_Wide", [f"field_{number}" for number in range(40)])
    _GETTERS = [vars(_Wide)[name] for name in _Wide._fields]  # no class has its own

    class _RecordType(type):
        """Makes the fields of a record of the annotations in the body of its class."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
            body["__slots__"] = ()
            if bases != (tuple,) and "__annotations__" in body:
                fields = tuple(body["__annotations__"])
                defaults = {field: body[field] for field in fields if field in body}
                body.update(_fields=fields, _field_defaults=defaults, __match_args__=fields)
                body.update(zip(fields, _GETTERS[: len(fields)], strict=True))
            return super().__new__(cls, name, bases, body)

    class NamedTuple(tuple, metaclass=_RecordType):
        """The base of a record: its annotations are the fields."""

        def __new__(cls, /, *values: object, **named: object) -> NamedTuple:
            """The first value of a class, which gets the constructor of a usual named tuple."""
            owner = next(each for each in cls.__mro__ if "_fields" in vars(each))
            usual = namedtuple(owner.__name__, cls._fields, defaults=cls._field_defaults.values())
            owner.__new__ = usual.__new__
            return usual.__new__(cls, *values, **named)

        @classmethod
        def _make(cls, values: Iterable[object]) -> NamedTuple:
            """A record of these values, one for each field."""
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **changes: object) -> NamedTuple:
            """The same record with other values in some fields."""
            made = self._make(map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"Got unexpected field names: {list(changes)!r}")
            return made

        def _asdict(self) -> dict[str, object]:
            """The values by the names of their fields."""
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            """As it would be written."""
            values = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
            return f"{type(self).__name__}({values})"

        def __getnewargs__(self) -> tuple[object, ...]:
            """For copies."""
            return tuple(self)
