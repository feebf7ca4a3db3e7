"""Pages that say nearly the same, found by their sketches without comparing each with each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator

from memwiki.check.facts import SKETCH_SLOTS, SLOT_DIGITS
from memwiki.check.overview import WorkspaceOverview, locations
from memwiki.check.rule import CheckRule, Family, Finding
from memwiki.check.union_find import groups
from memwiki.nouns import Severity

_BANDS = (
    8  # of eight slots each: pages that share 0.9 of their text share a whole band 99 times in 100
)
_BAND = SKETCH_SLOTS // _BANDS * SLOT_DIGITS
_ALIKE = 0.85  # of the slots: two sketches of 64 slots estimate it to 0.05
_SHORTEST = 150  # words: of two short pages the headings alone are alike
_MOST = 4  # pages: more of them come from one form, and mean to be alike
_SAMPLE = 2_000  # pages, to learn what comes from a form
_EMPTY = "f" * SLOT_DIGITS


def near_duplicates(overview: WorkspaceOverview) -> Iterator[Finding]:
    """Pages whose text is nearly that of another."""
    long = (
        (path, facts.sketch)
        for path, facts in overview.facts.items()
        if facts.is_described is not None and facts.words >= _SHORTEST
    )
    sketches = dict(sorted(long))
    candidates = set(_candidates(sketches, overview.namespace_of))
    form = _form(list(sketches.values())) if candidates else frozenset()
    pairs = {pair: likeness(sketches[pair[0]], sketches[pair[1]], form) for pair in candidates}
    for group in groups(pair for pair, share in pairs.items() if share >= _ALIKE):
        if len(group) <= _MOST:
            first, *others = sorted(group)
            message = f"the text is nearly the same as that of {locations(others)}"
            yield Finding("near-duplicate", 1, message, first)


def _candidates(
    sketches: dict[str, str], namespace_of: Callable[[str], str]
) -> Iterator[tuple[str, str]]:
    """Pages of one namespace that share a band of their sketches; each is compared with one page of
    each band."""
    at = {path: namespace_of(path) for path in sketches}
    for start in range(0, SKETCH_SLOTS * SLOT_DIGITS, _BAND):
        bands = [sketch[start : start + _BAND] for sketch in sketches.values()]
        if len(set(bands)) == len(bands):
            continue
        firsts: dict[tuple[str, str], str] = {}
        for path, band in zip(sketches, bands, strict=True):
            other = firsts.setdefault((at[path], band), path)
            if other is not path:
                yield other, path


def _form(sketches: list[str]) -> frozenset[tuple[int, str]]:
    """The slots that many pages share: what a form or an import wrote, not the page's own text."""
    step = -(-len(sketches) // _SAMPLE)
    seen = Counter(slot for sketch in sketches[::step] for slot in _slots(sketch))
    return frozenset(slot for slot, count in seen.items() if count > _MOST)


def likeness(one: str, other: str, form: Container[tuple[int, str]] = ()) -> float:
    """The share of equal slots among those that hold something of a page's own text; of fewer than
    a quarter of all slots nothing is said."""
    pairs = [
        (a, b)
        for a, b in zip(_slots(one), _slots(other), strict=False)
        if a not in form and b not in form and not a[1] == b[1] == _EMPTY
    ]
    return sum(a == b for a, b in pairs) / max(len(pairs), SKETCH_SLOTS // 4)


def _slots(sketch: str) -> Iterator[tuple[int, str]]:
    return ((i, sketch[i : i + SLOT_DIGITS]) for i in range(0, len(sketch), SLOT_DIGITS))


RULES: tuple[CheckRule[WorkspaceOverview], ...] = (
    CheckRule(
        "near-duplicate",
        Family.GRAPH,
        Severity.INFO,
        "Two pages have nearly the same text. Merge them, or say how they differ.",
        near_duplicates,
    ),
)
