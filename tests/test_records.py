"""Records behave as named tuples and dataclasses do, and cost less to load."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import typing

import pytest

from memwiki.records import FrozenRecord, NamedTuple
from tests.effort import for_each


class Ours(NamedTuple):
    """A record."""

    name: str
    cups: int = 1
    tags: typing.Sequence[str] = ()

    @property
    def twice(self) -> int:
        return 2 * self.cups


class Usual(typing.NamedTuple):
    """A record."""

    name: str
    cups: int = 1
    tags: typing.Sequence[str] = ()

    @property
    def twice(self) -> int:
        return 2 * self.cups


class Below(Ours):
    """A kind of it."""


@for_each(
    "asked",
    [
        lambda kind: kind("tea"),
        lambda kind: kind("tea", tags=("hot",))._asdict(),
        lambda kind: kind("tea")._replace(cups=3).twice,
        lambda kind: list(kind._make(["tea", 2, ()])),
        lambda kind: kind("tea") == ("tea", 1, ()),
        lambda kind: pickle.loads(pickle.dumps(kind("tea", 2))),
        lambda kind: copy.deepcopy(kind("tea", 2)),
        lambda kind: {kind("tea"): 1}[kind("tea", 1)],
        lambda kind: (kind._fields, kind._field_defaults, kind.__match_args__, kind.__doc__),
        typing.get_type_hints,
        lambda kind: hasattr(kind("tea"), "__dict__"),
        lambda kind: inspect.signature(type(kind("tea"))).parameters.keys(),
        lambda kind: kind(),
        lambda kind: kind("tea", 1, (), 4),
        lambda kind: kind("tea", sugar=1),
        lambda kind: kind("tea")._replace(sugar=1),
        lambda kind: kind._make(["tea"]),
        lambda kind: setattr(kind("tea"), "cups", 2),
    ],
)
def test_a_record_does_what_a_named_tuple_does(asked):
    def answer(kind: type) -> str:
        try:
            return repr(asked(kind))
        except (TypeError, ValueError, AttributeError) as error:
            return f"{type(error).__name__} {error}"

    assert answer(Ours) == answer(Usual).replace("Usual", "Ours")


def test_a_class_below_a_record_has_its_fields():
    assert Below("tea") == Ours("tea")
    assert repr(Below("tea", 2)) == "Below(name='tea', cups=2, tags=())"
    assert type(Below("tea")._replace(cups=2)) is Below
    assert Ours("tea").__class__ is Ours


def test_a_record_with_more_fields_than_there_are_getters_is_refused():
    annotations = dict.fromkeys([f"field_{number}" for number in range(100)], "int")
    with pytest.raises(ValueError, match="zip"):
        type(Ours)("Broad", (NamedTuple,), {"__annotations__": annotations})


def test_making_the_class_of_a_record_compiles_nothing(monkeypatch):
    def refused(*_: object, **__: object) -> typing.NoReturn:
        raise AssertionError("something was compiled")

    monkeypatch.setattr("builtins.eval", refused)
    monkeypatch.setattr("builtins.compile", refused)
    made = type(Ours)("Small", (NamedTuple,), {"__annotations__": {"a": "int"}})
    assert made._fields == ("a",)
    with pytest.raises(AssertionError):
        made(1)  # its first value is what needs a constructor


# --- records that are no tuples -------------------------------------------------------------------


class OurPot(FrozenRecord):
    """A pot, and what of it is walked."""

    cups: tuple[str, ...]
    name: str = "pot"
    hot: bool = False

    def __iter__(self) -> typing.Iterator[str]:
        return iter(self.cups)


@dataclasses.dataclass(frozen=True, slots=True)
class UsualPot:
    """A pot, and what of it is walked."""

    cups: tuple[str, ...]
    name: str = "pot"
    hot: bool = False

    def __iter__(self) -> typing.Iterator[str]:
        return iter(self.cups)


class LargerPot(OurPot):
    """One with a lid, which is no part of it."""

    _uncompared = frozenset({"lid"})

    lid: str = ""


@for_each(
    "asked",
    [
        lambda kind: kind(("a",)),
        lambda kind: list(kind(("a", "b"))),
        lambda kind: kind(cups=("a",), hot=True).hot,
        lambda kind: kind(("a",)) == kind(("a",), "pot"),
        lambda kind: kind(("a",)) == (("a",), "pot", False),
        lambda kind: {kind(("a",)): 1}[kind(("a",))],
        lambda kind: pickle.loads(pickle.dumps(kind(("a",), hot=True))),
        lambda kind: copy.deepcopy(kind(("a",))),
        lambda kind: dataclasses.replace(kind(("a",)), name="big"),
        lambda kind: dataclasses.asdict(kind(("a",))),
        lambda kind: (kind.__match_args__, kind.__doc__),
        typing.get_type_hints,
        lambda kind: hasattr(kind(("a",)), "__dict__"),
        lambda kind: setattr(kind(("a",)), "hot", True),
        lambda kind: delattr(kind(("a",)), "hot"),
    ],
)
def test_a_record_that_is_no_tuple_does_what_a_dataclass_does(asked):
    def answer(kind: type) -> str:
        try:
            return repr(asked(kind))
        except (TypeError, AttributeError) as error:
            return f"{type(error).__name__} {error}"

    assert answer(OurPot) == answer(UsualPot).replace("UsualPot", "OurPot")


@for_each(
    ("values", "named"), [((), {}), ((1, 2, 3, 4), {}), ((1,), {"cups": 2}), ((1,), {"lid": 2})]
)
def test_a_record_that_is_no_tuple_is_made_of_its_fields_alone(values, named):
    with pytest.raises(TypeError):
        OurPot(*values, **named)


def test_a_class_below_has_the_fields_above_it_and_its_own():
    assert OurPot(("a",)) != LargerPot(("a",))  # each is made with its own fields
    large = LargerPot(("a",), hot=True, lid="blue")
    assert repr(large) == "LargerPot(cups=('a',), name='pot', hot=True, lid='blue')"
    assert large == large._replace(lid="red") and hash(large) == hash(large._replace(lid="red"))
    assert large != large._replace(hot=False)
    assert not hasattr(large, "__dict__")
