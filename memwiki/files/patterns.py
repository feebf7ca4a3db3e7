"""gitignore patterns whose wildcards never try a path over and over, however many a pattern has.

pathspec reads a pattern into a regular expression in which each `*` and `**` may give back what it
took: a planted `*a*a*a*a*b` took minutes for one name. All wildcards but the last of a name, and
all
`**` but the last of a path, may as well take the first place that fits and keep it.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

_MOST_CHARACTERS = 4_096  # no path is longer
_STAR, _ANY, _FIRST = "[^/]*", "(?:/.+)?", "^(?:.+/)?"
_END = re.compile(r"(?:\(\?:\(\?P<ps_d>/\)\|\$\)|\(\?P<ps_d>/\)|/)\Z")
# What the library writes itself holds a slash, which no name in a pattern can.
_ATOM = re.compile(r"\[\^/\][*+]?|\\.|(\[\^?\]?[^\]]*+\])|.", re.DOTALL)


def pattern_of(text: str) -> GitIgnoreSpecPattern | None:
    """One line of an ignore file; None when git would pass over it."""
    if len(text) > _MOST_CHARACTERS:
        return None
    try:
        regex, include = _kind().pattern_to_regex(text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # `[[a]` may mean something else one day
            return _kind()(re.compile(_linear(regex)), include) if regex else None
    except (ValueError, re.error):
        return None


@cache
def _kind() -> type[GitIgnoreSpecPattern]:
    """What the library makes of a line; its module has had other names."""
    from pathspec import GitIgnoreSpec

    return type(GitIgnoreSpec.from_lines(["a"]).patterns[0])


def _linear(regex: str) -> str:
    """The same regular expression with wildcards that keep what they took."""
    end = _END.search(regex)
    stop = end.start() if end else len(regex)
    first, *further = map(_in_names, regex[:stop].split(_ANY))
    if further and first.startswith(_FIRST):
        first = f"^(?>(?:.+?/)??{first.removeprefix(_FIRST)}(?=/))"
    inner = [f"(?>(?:/.+?)??{part}(?=/))" for part in further[:-1]]
    last = [f"{_ANY}{part}" for part in further[-1:]]
    return "".join([first, *inner, *last, regex[stop:]])


def _in_names(part: str) -> str:
    """The names between two `**`, in each of which the last `*` alone gives back."""
    head = _FIRST if part.startswith(_FIRST) else ""
    names: list[list[str]] = [[""]]
    for atom in _ATOM.finditer(part.removeprefix(_FIRST)):
        if atom[0] == "/":
            names += [["/"], [""]]
        elif atom[0] == _STAR:
            names[-1].append("")
        else:  # a set of characters holds no slash, as in git
            names[-1][-1] += f"(?!/){atom[0]}" if atom[1] else atom[0]
    return head + "".join(map(_name, names))


def _name(pieces: Sequence[str]) -> str:
    """A name of pieces with a `*` between each two."""
    first, *further = pieces
    inner = [f"(?>{_STAR}?{piece})" for piece in further[:-1] if piece]
    return "".join([first, *inner, *(f"{_STAR}{piece}" for piece in further[-1:])])
