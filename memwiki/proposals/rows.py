"""Rows of a table and named items of a list: what one says of its name is said of no other name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import chain, combinations, pairwise, takewhile
from typing import NamedTuple

from memwiki.markdown.syntax import plain
from memwiki.proposals.beside import Tokens, content_of, sentences
from memwiki.proposals.numbering import SourceLine
from memwiki.text import is_cjk, pattern

_MAX_ROWS = 20  # on each side of a cited one
_EMPHASIS = r"\*\*[^*]{1,60}\*\*|_[^_]{1,60}_(?!\w)|`[^`]{1,60}`"
_ROW = pattern(
    rf"\s*(?:[-*+]|[0-9]+[.)])\s+(?:(?P<lead>{_EMPHASIS})\s*(?:[:：]|[-–—]\s)?(?P<does>.*\w.*)"
    r"|(?P<item>[^:：|]{1,60}?)\s*(?:::?|：|\s[-–—]+\s)(?P<says>.*\w.*))"
    r"|(?P<key>[\w-]{1,60})::(?P<value>.*\w.*)"
    r"|\s*\|(?P<cell>[^|\w]*\w[^|]*)\|(?P<tells>.*\w.*)"
)
_ITEM = pattern(r"(?:[-*+]|[0-9]+[.)])\s+(\S.{0,60})")
_PARTS = (("lead", "does"), ("item", "says"), ("key", "value"), ("cell", "tells"))
_RULE = pattern(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")  # below a header
_SIGNS = pattern(r"[^\w-]+")
_EMPHASISED = pattern(r"(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)")
_MIN_FRAME = 3  # tokens that two clauses share
_MAX_CLAUSES = 12
# Not in x64, utf8, model-v3 and 3D, but in v1.2.
_NUMBER = pattern(
    r"(?:(?<![\w.])(?<![A-Za-z]-)|(?<=[vV])(?<![\w-][vV]))[0-9]+(?:\.[0-9]+)*(?![A-Za-z_])"
)
_CELL = pattern(r"[|,;，；、。]|\.(?:\s|$)")
_COMMA = r"(?<=[.!?;:])\s|[，。；！？：\n]|,\s"
_CLAUSE = pattern(_COMMA)
_PART = pattern(
    rf"{_COMMA}|、|\s[-–—]\s|\b(?:but|and|while|whereas|or)\b|[而但和或]", re.IGNORECASE
)


class NamedRow(NamedTuple):
    """The terms of a row's name and of what it says, its name as it is written, and its cells, the
    parts between commas each by itself."""

    name: frozenset[str]
    says: frozenset[str]
    called: str
    cells: tuple[str, ...] = ()

    def is_called(self, text: str) -> bool:
        """Whether its name stands in a text word for word."""
        return bool(self.called) and f" {self.called} " in f" {_words(text)} "


def _words(text: str) -> str:
    return _SIGNS.sub(" ", plain(text)).strip(" _").casefold()


def rows_around(
    lines: Sequence[SourceLine], cited: Sequence[int], terms_of: Callable[[str], frozenset[str]]
) -> list[list[NamedRow]]:
    """The rows that are cited, numbered from 1, with those of the same table or list near them, and
    of the lists around that."""
    places = dict.fromkeys(tuple(_row_places(lines, at)) for at in above(lines, cited))
    return [[_row(lines, place, terms_of) for place in each] for each in places if len(each) > 1]


def above(lines: Sequence[SourceLine], cited: Sequence[int]) -> Iterator[int]:
    """The places of the cited lines, and of those that these stand below of."""
    for at in (number - 1 for number in cited):
        yield at
        indent = lines[at].indent
        for above in range(at - 1, max(at - 1 - _MAX_ROWS, -1), -1):
            if lines[above].indent < indent:
                yield above
                indent = lines[above].indent


def headers_over(lines: Sequence[SourceLine], cited: Sequence[int]) -> dict[int, int]:
    """The places of cited rows of tables, each with that of the header of its table."""
    found = dict[int, int]()
    for at in (number - 1 for number in cited):
        top = at - len([*takewhile(lambda place: "|" in lines[place].text, range(at, -1, -1))]) + 1
        if top + 1 < at and _RULE.fullmatch(lines[top + 1].text):
            found[at] = top
    return found


def columns_of(
    lines: Sequence[SourceLine], cited: Sequence[int], terms_of: Callable[[str], frozenset[str]]
) -> list[NamedRow]:
    """What stands in the cited rows of tables below each header, but for that of the first column,
    which names the row."""
    return [
        NamedRow(terms_of(head), terms_of(cell), "")
        for row, top in headers_over(lines, cited).items()
        for head, cell in [*zip(*(_cells(lines[at].text) for at in (top, row)), strict=False)][1:]
    ]


def _cells(row: str) -> list[str]:
    return row.strip().strip("|").split("|")


def is_of_another_column(terms: frozenset[str], columns: Sequence[NamedRow]) -> bool:
    """Whether a text names columns, and what it has of the rows stands in none of these."""
    named = {each.name for each in columns if each.name and each.name <= terms}
    rest = terms.difference(*named)
    said = {each.name for each in columns if each.says & rest}
    return bool(named and said) and named.isdisjoint(said)


def _row_places(lines: Sequence[SourceLine], at: int) -> Iterator[range]:
    """The rows of the list that a line is in, each with what stands below it."""
    indent = lines[at].indent

    def is_of_list(place: int) -> bool:
        return lines[place].indent > indent or (
            lines[place].indent == indent and bool(_parts(lines, place))
        )

    first = at - len([*takewhile(is_of_list, range(at - 1, max(at - 1 - _MAX_ROWS, -1), -1))])
    last = at + len([*takewhile(is_of_list, range(at, min(at + 1 + _MAX_ROWS, len(lines))))])
    starts = [place for place in range(first, last) if lines[place].indent == indent]
    yield from (range(one, other) for one, other in pairwise([*starts, last]))


def _row(
    lines: Sequence[SourceLine], place: range, terms_of: Callable[[str], frozenset[str]]
) -> NamedRow:
    name, says = _parts(lines, place.start) or ("", "")
    below = (lines[at].text for at in place[1:])
    name, says = _EMPHASISED.sub("", name), "\n".join((says, *below))
    cells = filter(None, map(_words, _CELL.split(says)))
    return NamedRow(terms_of(name), terms_of(says), _words(name), tuple(cells))


def parallel_rows(told: str) -> list[NamedRow]:
    """The sentences of some lines that say something in the same words of different things, each as
    a row: its name is what stands before these words."""
    clauses = [each for each in sentences(told) if len(each) > _MIN_FRAME]
    found = dict[Tokens, NamedRow]()
    for one, other in combinations(clauses[:_MAX_CLAUSES], 2):
        block = SequenceMatcher(None, one, other, autojunk=False).find_longest_match()
        parted = _split_row(one, block.a, block.size), _split_row(other, block.b, block.size)
        if block.size >= _MIN_FRAME and all(row.name and row.says for row in parted):
            found = dict(zip((one, other), parted, strict=True)) | found
    return [*found.values()]


def _split_row(tokens: Tokens, at: int, size: int) -> NamedRow:
    name, says = content_of(tokens[:at]), content_of(tokens[at + size :])
    return NamedRow(frozenset(name), frozenset(says), "")


def _parts(lines: Sequence[SourceLine], at: int) -> tuple[str, str] | None:
    """The name of a row and what it says; an item with lines below it is a name itself."""
    found = _ROW.match(lines[at].text)
    named = ((found[name], found[says]) for name, says in _PARTS) if found else ()
    if parts := next((each for each in named if each[0]), None):
        return parts
    item = _ITEM.fullmatch(lines[at].text)
    is_over = at + 1 < len(lines) and lines[at + 1].indent > lines[at].indent
    return (item[1], "") if item and is_over else None


def is_of_another_row(text: str, terms: frozenset[str], rows: Sequence[NamedRow]) -> bool:
    """Whether a text names rows, and all that it has of one row alone, or a number of it, is of
    rows that it does not name."""
    counts = Counter(chain.from_iterable(row.name | row.says for row in rows))

    def own(terms: frozenset[str]) -> frozenset[str]:
        """Those that stand in no other row."""
        return frozenset(term for term in terms if counts[term] == 1)

    named = [row for row in rows if (own(row.name) or row.name) <= terms]
    called = [row for row in rows if row.is_called(text)]
    named = called or named
    if not any(_is_alone(row, rows, text if called else "") for row in named):
        return False
    rest = terms.difference(*(row.name for row in named))
    if called and any(_tells(text, row, rest, called) for row in rows if row not in called):
        return True
    said = [row for row in rows if own(row.says) & rest]
    if said and not any(row in named for row in said):
        return True
    numbers = frozenset(filter(str.isdigit, rest)).difference(*(row.says for row in named))
    return any(numbers & row.says for row in rows)


def _tells(text: str, row: NamedRow, rest: frozenset[str], called: Sequence[NamedRow]) -> bool:
    """Whether a text has a whole cell of a row, and nothing besides that those it names say."""
    told = "\n".join(" ".join((each.called, *each.cells)) for each in called)
    words = _words(text)
    return any(_stands_in(cell, words) and cell not in told for cell in row.cells) and all(
        each.says.isdisjoint(rest - row.says) for each in called
    )


def _stands_in(cell: str, text: str) -> bool:
    """Whether it is there as words, in Chinese as it is."""
    if is_cjk(cell):
        return len(cell) > 1 and cell in text
    return f" {cell} " in f" {text} "


def _is_alone(row: NamedRow, rows: Sequence[NamedRow], called_in: str) -> bool:
    """Whether no other row has all of its name; where a text begins with that, is called so."""
    others = [other for other in rows if other is not row]
    if called_in and _words(called_in).removeprefix("the ").startswith(row.called):
        return all(row.called != other.called for other in others)
    return not any(row.name <= other.name | other.says for other in others)


def is_of_another_number(text: str, told: str, terms_of: Callable[[str], frozenset[str]]) -> bool:
    """Whether a clause says of one number what the lines say of another one alone."""
    rows = [*_numbered(_PART.split(told), terms_of)]
    known = frozenset(chain.from_iterable(row.says for row in rows))
    counts = Counter(chain.from_iterable({row.says for row in rows}))
    own = {row: {term for term in row.says if counts[term] == 1} for row in rows}
    away = terms_of(_NUMBER.sub(" ", told)) - known
    for mine in _numbered(_parts_with_numbers(text), terms_of):
        named = [row for row in rows if row.name == mine.name]
        if len(named) == 1 and named[0].says and own[named[0]].isdisjoint(mine.says):
            said = max(len(own[row] & mine.says) for row in rows)
            if said and said >= len(away & mine.says):
                return True
    return False


def _parts_with_numbers(text: str) -> Iterator[str]:
    """The clauses of a text, those with several numbers in parts."""
    for clause in _CLAUSE.split(text):
        yield from _PART.split(clause) if len({*_NUMBER.findall(clause)}) > 1 else (clause,)


def _numbered(
    clauses: Iterable[str], terms_of: Callable[[str], frozenset[str]]
) -> Iterator[NamedRow]:
    """The numbers of each, as a row that is called by the number."""
    for clause in clauses:
        says = terms_of(_NUMBER.sub(" ", clause))
        yield from (NamedRow(frozenset((each,)), says, "") for each in {*_NUMBER.findall(clause)})
