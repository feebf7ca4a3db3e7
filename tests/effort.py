"""How much a run of all tests tries out of what can be tried for ever, and at what cost."""

import inspect
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import settings

Case = TypeVar("Case")

IS_WIDE = os.environ.get("HYPOTHESIS_PROFILE") == "wide"


def tries(count: int) -> int:
    """So many, or forty times as many in the profile `wide`."""
    return count * 40 if IS_WIDE else count


def each_in_turn(cases: Sequence[Case], turn: int) -> Sequence[Case]:
    """One of them, the next one at the next turn; all in the profile `wide`."""
    return cases if IS_WIDE else cases[turn % len(cases) :][:1]


def examples(count: int) -> settings:
    """So many examples of what takes a second each, or as many as ever in the profile `wide`."""
    return settings() if IS_WIDE else settings(max_examples=count)


Test = Callable[..., None]


def for_each(names: str | Sequence[str], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """As `pytest.mark.parametrize`, in one test that tells every case that fails: most cases take
    less time than it takes to collect, set up and report a test of its own."""
    keys = [key.strip() for key in names.split(",")] if isinstance(names, str) else [*names]
    rows = [case if len(keys) > 1 else (case,) for case in cases]
    assert rows, "no case is tried"

    def decorate(test: Test) -> Test:
        def run(**others: object) -> None:
            failures = []
            for row in rows:
                given = dict(zip(keys, row, strict=True))
                try:
                    test(**given, **others)
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"in the case {given!r}"[:2000])
                    failures.append(error)
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(rows)} cases", failures)

        parameters = inspect.signature(test).parameters
        rest = [each for name, each in parameters.items() if name not in keys]
        run.__dict__.update(test.__dict__)
        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        run.__signature__ = inspect.Signature(rest)
        return run

    return decorate
