"""JSON objects in what a model wrote: after its thoughts, within fences, beside other words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from memwiki.text import pattern

_MAX_STARTS = 50  # each may be read to the end of the text
_THOUGHTS = pattern(r"<(think|thinking|thought|reasoning)>.*?</\1>", re.DOTALL)
_END_OF_THOUGHTS = pattern(r"</(?:think|thinking|thought|reasoning)>")


def without_thoughts(text: str) -> str:
    """A reply without the thoughts before it, whose first mark a server may have taken away."""
    text = _THOUGHTS.sub("", text)
    ends = [match.end() for match in _END_OF_THOUGHTS.finditer(text)]
    return text[ends[-1] :] if ends else text


def objects_in(text: str) -> Iterator[dict[str, Any]]:
    """The whole objects in a reply, the first one first; none is within another one."""
    decoder = json.JSONDecoder(parse_constant=_refused)
    rest = without_thoughts(text)
    at = rest.find("{")
    for _ in range(_MAX_STARTS):
        if at < 0:
            return
        try:
            found, end = decoder.raw_decode(rest, at)
            json.dumps(found, ensure_ascii=False).encode()  # half a character cannot be written
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield found
        at = rest.find("{", end)


def first_object(text: str) -> dict[str, Any] | None:
    """The first whole object in a reply."""
    return next(objects_in(text), None)


def _refused(constant: str) -> NoReturn:
    raise ValueError(constant)  # NaN and Infinity are no JSON
