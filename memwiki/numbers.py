"""Numbers that come from outside, read one way by every verb, and counts as people write them."""

from __future__ import annotations

from math import isfinite, nan

from memwiki.errors import UsageError

_MAX_COUNT = 1_000_000_000  # more than there is of anything: it means all
_MAX_SHOWN = 20


def count_of(what: str, given: int, *, least: int = 1) -> int:
    """A number of things; UsageError when it is less than `least` or no whole number."""
    if isinstance(given, bool) or not isinstance(given, int) or given < least:
        raise UsageError(
            f"{what}: {_shorten(given)} is not a whole number from {least} on",
            f"for example {max(least, 5)}",
        )
    return min(given, _MAX_COUNT)


def limit_of(given: int | None) -> int | None:
    """At most how many are wanted; None for all."""
    return None if given is None else count_of("limit", given)


def budget_of(given: int | None) -> int | None:
    """At most how many tokens; None for what the settings say, or for any number."""
    return None if given is None else count_of("budget", given, least=0)


def share_of(what: str, given: float) -> float:
    """A number from 0 to 1."""
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if not (is_number and 0 <= given <= 1):
        raise UsageError(
            f"{what}: {_shorten(given)} is not a number from 0 to 1", "for example 0.8"
        )
    return given


def whole_number(text: str) -> int | None:
    """The whole number that a text is; None for any other text and for numbers beyond all
    measure."""
    plain = text.strip().replace("_", "")
    digits = plain.removeprefix("-")
    return int(plain) if digits.isascii() and digits.isdecimal() and len(digits) <= 18 else None


def number(text: str) -> float | None:
    """The finite number that a text is; None for any other text."""
    try:
        found = float(text) if text.isascii() else nan
    except ValueError:
        return None
    return found if isfinite(found) else None


def named_number(text: str) -> tuple[str, float] | None:
    """A word and the number, 0 or more, that stands after it: `event 0.05`; None for other
    text."""
    name, _, digits = text.replace("=", " ").replace(":", " ").strip().rpartition(" ")
    found = number(digits)
    return (name.strip(), found) if name.strip() and found is not None and found >= 0 else None


def counted(count: int, noun: str, nouns: str = "") -> str:
    """A number of things as people write it: 1 page, 2 pages."""
    return f"{count} {plural(count, noun, nouns)}"


def plural(count: int, noun: str, nouns: str = "") -> str:
    """The noun as it follows a number; `nouns` where it takes more than an `s`."""
    return noun if count == 1 else nouns or f"{noun}s"


def _shorten(given: object) -> str:
    try:
        text = str(given)
    except ValueError:  # Python writes out no whole number of more than 4,300 digits
        return "that"
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
