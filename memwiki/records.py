"""Records: named tuples, and frozen dataclasses, whose class is made without compiling anything;
and rows by their first.

`typing.NamedTuple` compiles each annotation and a constructor when a module is loaded: .2 to .4 ms
a class, a fifth of a command that loads 120 of them and makes values of twenty (2026-11-26). Here
annotations stay text, and the constructor is made with the first value. `dataclasses` itself loads
`inspect` and a fifth of the standard library that a search has.
"""

from __future__ import annotations

from collections import namedtuple
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, dataclass_transform

__all__ = ["FrozenRecord", "NamedTuple", "grouped"]

K = TypeVar("K")
T = TypeVar("T")

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from dataclasses import Field
    from typing import NamedTuple  # all that type checkers know of it
else:
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

        _asdict, __getnewargs__ = _Wide._asdict, _Wide.__getnewargs__  # which know no class

        def __repr__(self) -> str:
            """As it would be written."""
            values = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
            return f"{type(self).__name__}({values})"


class _FieldsOnNeed:
    """The fields as a dataclass says them, for `dataclasses.replace` and the like."""

    def __get__(self, _: object, kind: type[FrozenRecord]) -> dict[str, Field[Any]]:
        from dataclasses import fields, make_dataclass

        made = make_dataclass(kind.__name__, kind.__match_args__)
        return {each.name: each for each in fields(made)}


@dataclass_transform(frozen_default=True)
class _FrozenType(type):
    """Makes the fields of a record of the annotations in the body of its class."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> _FrozenType:
        own = tuple(body.get("__annotations__", ()))
        usual = {field: body.pop(field) for field in own if field in body}
        above = bases[0] if bases else None
        body.setdefault("__slots__", ())
        body.update((field, property(attrgetter(f"_row.{field}"))) for field in own)
        body["__match_args__"] = (*getattr(above, "__match_args__", ()), *own)
        body["_usual"] = {**getattr(above, "_usual", {}), **usual}
        return super().__new__(cls, name, bases, body)


@cache
def _row_of(kind: type[FrozenRecord]) -> Callable[..., tuple[object, ...]]:
    """What puts the values of a record in their order; made with the first one."""
    return namedtuple(kind.__name__, kind.__match_args__, defaults=kind._usual.values())


class FrozenRecord(metaclass=_FrozenType):
    """The base of a record that is no tuple, so that it may be walked as something else: its
    annotations are the fields."""

    __slots__ = ("_row",)  # its values as a named tuple
    if TYPE_CHECKING:  # what is annotated is a field
        _row: ClassVar[Any]
        __match_args__: ClassVar[tuple[str, ...]]  # the names of all
        _usual: ClassVar[Mapping[str, object]]
    _uncompared = frozenset[str]()  # fields in which equal ones may differ
    __dataclass_fields__ = _FieldsOnNeed()

    def __init__(self, *values: object, **named: object) -> None:
        object.__setattr__(self, "_row", _row_of(type(self))(*values, **named))

    def _replace(self, **changes: object) -> Self:
        """The same record with other values in some fields."""
        return type(self)(**{**self._row._asdict(), **changes})

    def __setattr__(self, name: str, value: object) -> None:
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def _compared(self) -> tuple[object, ...]:
        told = self._row._asdict().items()
        return tuple(value for name, value in told if name not in self._uncompared)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash(self._compared())

    def __repr__(self) -> str:
        """As it would be written."""
        return repr(self._row)

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        """For copies."""
        return type(self), tuple(self._row)


def grouped(pairs: Iterable[tuple[K, T]]) -> dict[K, list[T]]:
    """The second of each pair, by the first."""
    found: dict[K, list[T]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found
