"""Where pages stand among the others: alone, at an end, apart, in a circle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from memwiki.check.overview import WorkspaceOverview, locations
from memwiki.check.rule import CheckRule, Family, Finding
from memwiki.check.union_find import groups
from memwiki.index.meanings.lookup import Which
from memwiki.nouns import DENDRON, LOGSEQ, Layers, Severity
from memwiki.scope import layers_at

_TAGS_ARE_LINKS = frozenset({LOGSEQ, DENDRON})
_FEW = 5  # pages of a cluster that is worth a word
_TIMES = 4  # how much larger the main body of pages has to be


def lonely_pages(overview: WorkspaceOverview) -> Iterator[Finding]:
    """Pages that no other page leads to, or that lead to no other."""
    leaving = {source for source, _ in overview.edges}
    leaving |= {source for source, link, _ in overview.unresolved if link.written}
    tagged = (path for path, facts in overview.facts.items() if facts.tags)
    leaving |= {path for path in tagged if _are_tags_links(path, overview.layers)}
    orphans = overview.graph.orphans()
    for path in orphans:
        if not overview.is_tag_page(path):
            end = ", and it links to no page" if path not in leaving else ""
            yield Finding("orphan", 1, f"no page links here{end}", path)
    for path in overview.subjects - orphans - leaving:
        yield Finding("dead-end", 1, "no links to other pages", path)


def _are_tags_links(path: str, layers: Layers) -> bool:
    return layers_at(path, layers).dialect.name in _TAGS_ARE_LINKS


def isolated_clusters(overview: WorkspaceOverview) -> Iterator[Finding]:
    """Few pages that are linked among themselves, and to nothing else."""
    clusters = groups(overview.edges)
    largest = max(map(len, clusters), default=0)
    for cluster in clusters:
        is_small = len(cluster) <= _FEW and len(cluster) * _TIMES <= largest
        if is_small and overview.subjects.issuperset(cluster):
            first, *others = sorted(cluster)
            message = f"linked only with {locations(others)}; no links to or from other pages"
            yield Finding("isolated-cluster", 1, message, first)


def supersedes_cycles(overview: WorkspaceOverview) -> Iterator[Finding]:
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
        rest = [_sorted(following, start)]
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
                rest.append(_sorted(following, other))


def _sorted(following: Mapping[str, Iterable[str]], name: str) -> Iterator[str]:
    return iter(sorted(set(following.get(name, ()))))


RULES: tuple[CheckRule[WorkspaceOverview], ...] = (
    CheckRule(
        "orphan",
        Family.GRAPH,
        Severity.INFO,
        "No other page links to a page, so only a search finds it. Add a link to it.",
        lonely_pages,
    ),
    CheckRule(
        "dead-end",
        Family.GRAPH,
        Severity.INFO,
        "A page links to no other page. Add links to what it is about.",
        lonely_pages,
    ),
    CheckRule(
        "isolated-cluster",
        Family.GRAPH,
        Severity.INFO,
        "A few pages link only to each other. Link them with the others.",
        isolated_clusters,
    ),
    CheckRule(
        "supersedes-cycle",
        Family.GRAPH,
        Severity.WARNING,
        "Pages supersede each other in a circle, so none is current. Remove one of the links.",
        supersedes_cycles,
    ),
)
