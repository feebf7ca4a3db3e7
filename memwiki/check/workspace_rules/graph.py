"""Where pages are among the others: alone, apart, in a circle, of one name, or nearly the same."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from memwiki.check.facts import SKETCH_SLOTS, SLOT_DIGITS
from memwiki.check.overview import WorkspaceOverview, locations
from memwiki.check.rule import Family, Finding, Findings, family_rules
from memwiki.index.cards.lookup import Card
from memwiki.index.meanings.lookup import Which
from memwiki.markdown.describe import MAX_TITLE, inner_path, shorten
from memwiki.names import fold, stem_of
from memwiki.nouns import DENDRON, LOGSEQ, Severity
from memwiki.records import grouped
from memwiki.scope import layers_at
from memwiki.text import pattern

_TAGS_ARE_LINKS = frozenset({LOGSEQ, DENDRON})
_MAX_CLUSTER_PAGES = 5  # pages of a cluster that is worth a word
_MIN_TIMES = 4  # how much larger the main body of pages has to be
_JOINTS = pattern(r"[\s_-]+")
_BANDS = (
    8  # of eight slots each: pages that share 0.9 of their text share a whole band 99 times in 100
)
_BAND = SKETCH_SLOTS // _BANDS * SLOT_DIGITS
_MIN_LIKENESS = 0.85  # of the slots: two sketches of 64 slots estimate it to 0.05
_MIN_WORDS = 150  # words: of two short pages the headings alone are alike
_MAX_GROUP_PAGES = 4  # pages: more of them come from one form, and mean to be alike
_MAX_SAMPLE_PAGES = 2_000  # pages, to learn what comes from a form
_EMPTY = "f" * SLOT_DIGITS


def groups(pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The connected groups of an undirected graph, by union-find."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while (up := parent.setdefault(name, name)) != name:
            parent[name] = name = parent.setdefault(up, up)  # halve the way for the next time
        return name

    for one, other in pairs:
        a, b = root(one), root(other)
        if a != b:
            parent[max(a, b)] = min(a, b)
    return list(grouped((root(name), name) for name in parent).values())


def lonely_pages(overview: WorkspaceOverview) -> Findings:
    """Pages that no other page leads to, or that lead to no other."""
    leaving = {source for source, _ in overview.edges}
    leaving |= {source for source, link, _ in overview.unresolved if link.written}
    tagged = (path for path, facts in overview.facts.items() if facts.tags)
    leaving |= {
        path for path in tagged if layers_at(path, overview.layers).dialect.name in _TAGS_ARE_LINKS
    }
    orphans = overview.graph.orphans()
    for path in orphans:
        if not overview.is_tag_page(path):
            end = ", and it links to no page" if path not in leaving else ""
            yield Finding("orphan", 1, f"no page links here{end}", path)
    for path in overview.subjects - orphans - leaving:
        yield Finding("dead-end", 1, "no links to other pages", path)


def isolated_clusters(overview: WorkspaceOverview) -> Findings:
    """Few pages that are linked among themselves, and to nothing else."""
    clusters = groups(overview.edges)
    largest = max(map(len, clusters), default=0)
    for cluster in clusters:
        is_small = len(cluster) <= _MAX_CLUSTER_PAGES and len(cluster) * _MIN_TIMES <= largest
        if is_small and overview.subjects.issuperset(cluster):
            first, *others = sorted(cluster)
            message = f"linked only with {locations(others)}; no links to or from other pages"
            yield Finding("isolated-cluster", 1, message, first)


def supersedes_cycles(overview: WorkspaceOverview) -> Findings:
    """Pages that supersede each other in a circle, so that none is the newest."""
    successors: dict[str, list[str]] = {}
    lines: dict[str, int] = {}
    for source, link, found in overview.links(Which.SUCCESSION):
        if found.target != source and found.target in overview.cards:
            old, new = (
                (found.target, source) if link.relation == "supersedes" else (source, found.target)
            )
            successors.setdefault(old, []).append(new)
            lines.setdefault(source, link.line)
    for circle in circles(successors):
        first = min((path for path in circle if path in lines), default=circle[0])
        way = " -> ".join([*circle, circle[0]])
        yield Finding(
            "supersedes-cycle",
            lines.get(first, 1),
            f"these pages supersede each other: {way}",
            first,
        )


def circles(following: Mapping[str, Iterable[str]]) -> Iterator[list[str]]:
    """A circle for each link that closes one, beginning with its first name; walked depth first."""
    done: set[str] = set()
    for start in sorted(following):
        way = [] if start in done else [start]
        rest = [_names_after(following, start)]
        while way:
            other = next(rest[-1], None)
            if other is None:
                done.add(way.pop())
                rest.pop()
            elif other in way:
                circle = way[way.index(other) :]
                at = circle.index(min(circle))
                yield circle[at:] + circle[:at]
            elif other not in done:
                way.append(other)
                rest.append(_names_after(following, other))


def _names_after(following: Mapping[str, Iterable[str]], name: str) -> Iterator[str]:
    return iter(sorted(set(following.get(name, ()))))


GRAPH = family_rules(
    Family.GRAPH,
    (
        "orphan",
        Severity.INFO,
        "No other page links to a page, so only a search finds it. Add a link to it.",
        lonely_pages,
    ),
    (
        "dead-end",
        Severity.INFO,
        "A page links to no other page. Add links to what it is about.",
        lonely_pages,
    ),
    (
        "isolated-cluster",
        Severity.INFO,
        "A few pages link only to each other. Link them with the others.",
        isolated_clusters,
    ),
    (
        "supersedes-cycle",
        Severity.WARNING,
        "Pages supersede each other in a circle, so none is current. Remove one of the links.",
        supersedes_cycles,
    ),
)


def duplicate_names(overview: WorkspaceOverview) -> Findings:
    """File names of one layer that a link cannot tell apart."""
    layers = overview.layers
    for group in _alike(overview, lambda c: (_layer(inner_path(c.path, layers)), _name(c.path))):
        if not overview.has_wikilinks:
            return  # all links are paths already
        first, *others = (card.path for card in group)
        message = f"{stem_of(first)} is also the file name of {locations(others)}; link by path"
        yield Finding("duplicate-name", 1, message, first)


def duplicate_titles(overview: WorkspaceOverview) -> Findings:
    """Titles that several pages have, of different file names."""
    for group in _alike(overview, lambda card: fold(card.title)):
        if len({_name(card.path) for card in group}) > 1:
            first, *others = (card.path for card in group)
            title = shorten(group[0].title, MAX_TITLE)
            message = f"the title {title} is also used by {locations(others)}"
            yield Finding("duplicate-title", 1, message, first)


def _alike(overview: WorkspaceOverview, key: Callable[[Card], object]) -> Iterable[list[Card]]:
    """The pages of a namespace, or outside of all, that have a key together."""
    grouped = defaultdict[object, list[Card]](list)
    for path in sorted(overview.subjects):
        card = overview.cards[path]
        grouped[overview.namespace_of(path), key(card)].append(card)
    return (group for group in grouped.values() if len(group) > 1)


def _layer(path: str) -> str:
    return path.partition("/")[0] if "/" in path else ""


def _name(path: str) -> str:
    """A file name but for what a person forgets: case, and how its words are joined."""
    name = fold(stem_of(path)).replace("\ufe0f", "")
    return _JOINTS.sub("-", name).strip("-") or name


def alias_collisions(overview: WorkspaceOverview) -> Findings:
    """Aliases that are also the file name or the alias of another page."""
    at = overview.namespace_of
    names = [
        (path, name, line, (at(path), fold(name)))
        for path, facts in overview.facts.items()
        if path not in overview.retired
        for name, line in facts.names
    ]
    stems, owners = defaultdict[object, list[str]](list), defaultdict[object, list[str]](list)
    for path in overview.cards:
        stems[at(path), fold(stem_of(path))].append(path)
    for path, _, _, key in names:
        owners[key].append(path)
    for path, name, line, key in names:
        named = [other for other in stems.get(key, ()) if other != path]
        same = [other for other in owners[key] if other < path]
        if named or same:
            what = "the file name of" if named else "an alias of"
            message = f"{name} is also {what} {locations(named or same)}; links may lead there"
            yield Finding("alias-collision", line, message, path)


NAMES = family_rules(
    Family.GRAPH,
    (
        "duplicate-name",
        Severity.INFO,
        "Several pages of one layer have the same file name, and wikilinks are in use. Link to "
        "them by path, or rename one.",
        duplicate_names,
    ),
    (
        "duplicate-title",
        Severity.INFO,
        "Several pages have the same title. Rename them, or merge them.",
        duplicate_titles,
    ),
    (
        "alias-collision",
        Severity.INFO,
        "An alias is also the file name or an alias of another page. Remove it from one of them.",
        alias_collisions,
    ),
)


def near_duplicates(overview: WorkspaceOverview) -> Findings:
    """Pages whose text is nearly that of another."""
    long = (
        (path, facts.sketch)
        for path, facts in overview.facts.items()
        if facts.is_described is not None and facts.words >= _MIN_WORDS
    )
    sketches = dict(sorted(long))
    candidates = set(_candidates(sketches, overview.namespace_of))
    form = _form(list(sketches.values())) if candidates else frozenset()
    slots = {path: own_slots(sketches[path], form) for path in {*chain(*candidates)}}
    pairs = {pair: likeness(slots[pair[0]], slots[pair[1]]) for pair in candidates}
    for group in groups(pair for pair, share in pairs.items() if share >= _MIN_LIKENESS):
        if len(group) <= _MAX_GROUP_PAGES:
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
    step = -(-len(sketches) // _MAX_SAMPLE_PAGES)
    seen = Counter(slot for sketch in sketches[::step] for slot in _slots(sketch))
    return frozenset(slot for slot, count in seen.items() if count > _MAX_GROUP_PAGES)


def own_slots(sketch: str, form: Container[tuple[int, str]] = ()) -> list[str]:
    """The slots of a page's sketch, "" for those that hold what a form wrote."""
    return ["" if slot in form else slot[1] for slot in _slots(sketch)]


def likeness(one: Sequence[str], other: Sequence[str]) -> float:
    """The share of equal slots among those that hold something of a page's own text; of fewer than
    a quarter of all slots nothing is said."""
    pairs = [(a, b) for a, b in zip(one, other, strict=False) if a and b and not a == b == _EMPTY]
    return sum(a == b for a, b in pairs) / max(len(pairs), SKETCH_SLOTS // 4)


def _slots(sketch: str) -> Iterator[tuple[int, str]]:
    return ((i, sketch[i : i + SLOT_DIGITS]) for i in range(0, len(sketch), SLOT_DIGITS))


DUPLICATES = family_rules(
    Family.GRAPH,
    (
        "near-duplicate",
        Severity.INFO,
        "Two pages have nearly the same text. Merge them, or say how they differ.",
        near_duplicates,
    ),
)
