"""In which order a plan is written: what receives a text is on the disk before what gives it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import chain

from memwiki.change.merge import Hunk, field_names, front_matter_lines, hunks, rebuilt
from memwiki.change.plan import Edit
from memwiki.digest import digest_of
from memwiki.records import NamedTuple
from memwiki.text import pattern

_WORD = pattern(rb"[\w\x80-\xff]+")  # bytes of other alphabets belong to their word


class Order(NamedTuple):
    """The edits in two rounds; all of the first are on the disk before the second begins."""

    receiving: list[Edit]
    giving: list[Edit]


class _Flow(NamedTuple):
    """Words and whole lines that come to a file, and that leave it."""

    takes: frozenset[bytes]
    gives: frozenset[bytes]


_NOTHING = _Flow(frozenset(), frozenset())


def in_order(edits: Sequence[Edit]) -> Order:
    """Put the edits in order; one that takes from others and gives to others is made twice, first
    without what leaves the file, so that the worst of a stop between is a text that is there twice.

    What one file does to its own lines is in place at once and needs no order.
    """
    if len(edits) < 2:
        return Order(list(edits), [])
    flows = _flows(edits)
    takers = Counter(chain.from_iterable(flow.takes for flow in flows))
    givers = Counter(chain.from_iterable(flow.gives for flow in flows))
    order = Order([], [])
    for edit, flow in zip(edits, flows, strict=True):
        wanted = frozenset(word for word in flow.gives if takers[word] > (word in flow.takes))
        comes = any(givers[word] > (word in flow.gives) for word in flow.takes)
        if edit.data is None or (wanted and edit.base is not None and not comes):
            order.giving.append(edit)
        elif wanted and edit.base is not None:
            both = with_additions(edit.base, edit.data, wanted)
            order.receiving.append(edit._replace(data=both))
            if both != edit.data:
                order.giving.append(edit._replace(expect=digest_of(both), base=both))
        else:
            order.receiving.append(edit)
    return order


def with_additions(base: bytes, data: bytes, wanted: Set[bytes] = frozenset()) -> bytes:
    """The base with all that the new text adds, and without what it takes away.

    A line that only takes another form does so, but for those that others want as they are.
    """
    old, new = base.split(b"\n"), data.split(b"\n")
    head = front_matter_lines(old)

    def with_old(hunk: Hunk) -> Hunk:
        gone = old[hunk.start : hunk.stop]
        is_field = hunk.start < head
        stays = (
            _other_fields(gone, hunk.lines) if is_field else _remaining(gone, hunk.lines, wanted)
        )
        return hunk._replace(lines=stays + hunk.lines)

    return b"\n".join(rebuilt(old, map(with_old, hunks(old, new))))


def _other_fields(gone: list[bytes], new: list[bytes]) -> list[bytes]:
    """Lines of front matter that can stay beside the new ones: no field may be there twice."""
    coming = field_names(new)
    return [line for line in gone if not coming & field_names([line])]


def _remaining(gone: list[bytes], new: list[bytes], wanted: Set[bytes]) -> list[bytes]:
    """The old lines of a change of which no new line is another form."""
    if len(gone) != len(new):
        return gone
    pairs = zip(gone, new, strict=True)
    return [
        line
        for line, other in pairs
        if line in wanted or not _is_another_form(_words(line), _words(other))
    ]


# --- what comes and what leaves ------------------------------------------------------------------


def _flows(edits: Sequence[Edit]) -> list[_Flow]:
    """What comes and leaves with each edit; a file that moves as a whole keeps what it has."""
    bases = {edit.path: edit.base for edit in edits}
    moved = {edit.was for edit in edits if edit.was in bases}
    return [
        _NOTHING if edit.path in moved else _flow(edit, bases.get(edit.was, edit.base))
        for edit in edits
    ]


def _flow(edit: Edit, base: bytes | None) -> _Flow:
    if edit.data is None:
        return _Flow(frozenset(), _all_of((base or b"").split(b"\n")))
    if base is None or edit.is_addition:
        return _Flow(_all_of(edit.data.split(b"\n")), frozenset())
    old = base.split(b"\n")
    return _join(_of_hunk(hunk, old) for hunk in hunks(old, edit.data.split(b"\n")))


def _of_hunk(hunk: Hunk, old: list[bytes]) -> _Flow:
    gone = old[hunk.start : hunk.stop]
    if len(gone) != len(hunk.lines):
        return _Flow(_all_of(hunk.lines), _all_of(gone))
    return _join(map(_of_pair, gone, hunk.lines))


def _join(flows: Iterable[_Flow]) -> _Flow:
    flows = list(flows)
    if len(flows) == 1:
        return flows[0]
    takes, gives = set[bytes](), set[bytes]()
    for flow in flows:
        takes |= flow.takes
        gives |= flow.gives
    return _Flow(frozenset(takes), frozenset(gives))


def _of_pair(gone: bytes, come: bytes) -> _Flow:
    """Of a line that only takes another form, the words that differ, and the lines as a whole."""
    if gone == come:
        return _NOTHING
    old, new = _words(gone), _words(come)
    if not _is_another_form(old, new):
        return _Flow(_all_of([come]), _all_of([gone]))
    return _Flow(frozenset({*new - old, come}), frozenset({*old - new, gone}))


def _is_another_form(old: Counter[bytes], new: Counter[bytes]) -> bool:
    """Whether two lines have at least half of their words in common."""
    return (old & new).total() * 2 >= max(old.total(), new.total(), 1)


def _words(line: bytes) -> Counter[bytes]:
    return Counter(_WORD.findall(line))


def _all_of(lines: Sequence[bytes]) -> frozenset[bytes]:
    return frozenset(chain.from_iterable(map(_tokens, lines)))


def _tokens(line: bytes) -> Iterator[bytes]:
    """The words of a line and the line, which may be given or taken as it is."""
    if line.strip():
        yield line
    yield from _WORD.findall(line)
