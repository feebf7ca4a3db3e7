"""A query, read: words, phrases and filters, or a condition that joins them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import TypeAlias

from memwiki.records import NamedTuple


class FilterKind(StrEnum):
    TAG = "tag"
    TYPE = "type"
    PATH = "path"
    TITLE = "title"
    SECTION = "section"
    SINCE = "since"
    UNTIL = "until"
    IS = "is"
    HAS = "has"
    FIELD = "field"  # any other front matter or entry field; `name` says which


class Filter(NamedTuple):
    """A condition on what may be found; dates in `value` are whole ISO days, both ends included.
    The value of a field is compared by `sign` (< <= > >=) where there is one."""

    kind: FilterKind
    value: str
    name: str = ""
    is_excluded: bool = False
    sign: str = ""

    @property
    def as_typed(self) -> str:
        """A field as it is asked for."""
        return f"{self.name}:{self.sign}{self.value}"


class TermKind(StrEnum):
    WORD = "word"
    PHRASE = "phrase"
    PREFIX = "prefix"


class Term(NamedTuple):
    """Text that is asked for within a condition."""

    kind: TermKind
    text: str
    is_excluded: bool = False


class Joint(StrEnum):
    ALL = "all"
    ANY = "any"
    NONE = "none"


class Joined(NamedTuple):
    """The last so many parts of a condition, joined to one."""

    joint: Joint
    parts: int


# Parts in postfix order, so that no depth of parentheses is a depth of calls.
Condition: TypeAlias = tuple[Term | Filter | Joined, ...]


class Query(NamedTuple):
    """A question, read; `excluded` holds words, phrases (with a space) and prefixes (with a
    `*`). Where a `condition` joins them all, `words` and `prefixes` only rank what it lets
    through."""

    text: str
    words: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    condition: Condition = ()
    notes: tuple[str, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether the text itself may be a name: words and nothing else, or a condition."""
        return not (self.phrases or self.prefixes or self.excluded or self.filters) or bool(
            self.condition
        )

    @property
    def texts(self) -> tuple[str, ...]:
        """All words, phrases and prefixes."""
        return (*self.words, *self.phrases, *self.prefixes)

    @property
    def has_terms(self) -> bool:
        """Whether it asks for any text at all, or only filters."""
        return bool(self.texts)

    @property
    def every_filter(self) -> tuple[Filter, ...]:
        """The filters, those within the condition included."""
        return (*self.filters, *(each for each in self.condition if isinstance(each, Filter)))

    @property
    def is_about_links(self) -> bool:
        """Whether a filter asks where the links of other pages lead."""
        return any(
            each.kind is FilterKind.IS and each.value == "orphan" for each in self.every_filter
        )

    @property
    def needs_terms(self) -> bool:
        """Whether what holds none of the words and phrases cannot fit the condition."""
        needed: list[bool] = []
        for step in self.condition:
            if isinstance(step, Joined):
                values = take(needed, step.parts)
                needed.append(_NEEDS[step.joint](values))
            else:
                needed.append(isinstance(step, Term) and not step.is_excluded)
        return all(needed)


_NEEDS: dict[Joint, Callable[[list[bool]], bool]] = {
    Joint.ALL: any,
    Joint.ANY: all,
    Joint.NONE: lambda _: False,
}


def take(values: list[bool], count: int) -> list[bool]:
    """The last so many values, taken off."""
    taken = values[-count:]
    del values[-count:]
    return taken


def known_fields_only(query: Query, is_known: Callable[[Filter], bool]) -> Query:
    """The same where a `word:word` whose first word is no field anywhere is words."""
    strange = {each for each in query.every_filter if not is_known(each)}
    if not strange:
        return query
    return query._replace(
        filters=tuple(each for each in query.filters if each not in strange),
        words=(*query.words, *_texts(query.every_filter, strange, is_excluded=False)),
        excluded=(*query.excluded, *_texts(query.filters, strange, is_excluded=True)),
        condition=tuple(
            Term(TermKind.WORD, step.as_typed, step.is_excluded)
            if isinstance(step, Filter) and step in strange
            else step
            for step in query.condition
        ),
    )


def _texts(
    filters: tuple[Filter, ...], strange: set[Filter], *, is_excluded: bool
) -> Iterator[str]:
    for each in filters:
        if each in strange and each.is_excluded == is_excluded:
            yield each.as_typed
