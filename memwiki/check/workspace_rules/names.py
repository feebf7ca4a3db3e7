"""Pages that share a name: which of them a link means is a matter of luck."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from memwiki.check.overview import WorkspaceOverview, locations
from memwiki.check.rule import CheckRule, Family, Finding
from memwiki.index.cards.lookup import Card
from memwiki.markdown.describe import MAX_TITLE, inner_path, shorten
from memwiki.names import fold, stem_of
from memwiki.nouns import Severity

_JOINTS = re.compile(r"[\s_-]+")


def duplicate_names(overview: WorkspaceOverview) -> Iterator[Finding]:
    """File names of one layer that a link cannot tell apart."""
    layers = overview.layers
    for group in _alike(overview, lambda c: (_layer(inner_path(c.path, layers)), _name(c.path))):
        first, *others = (card.path for card in group)
        message = f"{stem_of(first)} is also the file name of {locations(others)}; link by path"
        yield Finding("duplicate-name", 1, message, first)


def duplicate_titles(overview: WorkspaceOverview) -> Iterator[Finding]:
    """Titles that several pages have, of different file names."""
    for group in _alike(overview, lambda card: fold(card.title)):
        if len({_name(card.path) for card in group}) > 1:
            first, *others = (card.path for card in group)
            title = shorten(group[0].title, MAX_TITLE)
            message = f"the title {title} is also used by {locations(others)}"
            yield Finding("duplicate-title", 1, message, first)


def _alike(overview: WorkspaceOverview, key: Callable[[Card], object]) -> Iterable[list[Card]]:
    """The pages of a namespace, or outside of all, that have a key together."""
    grouped: dict[object, list[Card]] = {}
    for path in sorted(overview.subjects):
        card = overview.cards[path]
        grouped.setdefault((overview.namespace_of(path), key(card)), []).append(card)
    return (group for group in grouped.values() if len(group) > 1)


def _layer(path: str) -> str:
    return path.partition("/")[0] if "/" in path else ""


def _name(path: str) -> str:
    """A file name but for what a person forgets: case, and how its words are joined."""
    name = fold(stem_of(path)).replace("\ufe0f", "")
    return _JOINTS.sub("-", name).strip("-") or name


def alias_collisions(overview: WorkspaceOverview) -> Iterator[Finding]:
    """Aliases that are also the file name or the alias of another page."""
    at = overview.namespace_of
    stems: dict[tuple[str, str], list[str]] = {}
    for path in overview.cards:
        stems.setdefault((at(path), fold(stem_of(path))), []).append(path)
    owners: dict[tuple[str, str], list[str]] = {}
    for path, facts in overview.facts.items():
        for name, _ in facts.names if path not in overview.retired else ():
            owners.setdefault((at(path), fold(name)), []).append(path)
    for path, facts in overview.facts.items():
        for name, line in facts.names if path not in overview.retired else ():
            key = (at(path), fold(name))
            named = [other for other in stems.get(key, ()) if other != path]
            same = [other for other in owners[key] if other < path]
            if named or same:
                what = "the file name of" if named else "an alias of"
                message = f"{name} is also {what} {locations(named or same)}; links may lead there"
                yield Finding("alias-collision", line, message, path)


RULES: tuple[CheckRule[WorkspaceOverview], ...] = (
    CheckRule(
        "duplicate-name",
        Family.GRAPH,
        Severity.INFO,
        "Several pages of one layer have the same file name. Link to them by path, or rename one.",
        duplicate_names,
    ),
    CheckRule(
        "duplicate-title",
        Family.GRAPH,
        Severity.INFO,
        "Several pages have the same title. Rename them, or merge them.",
        duplicate_titles,
    ),
    CheckRule(
        "alias-collision",
        Family.GRAPH,
        Severity.INFO,
        "An alias is also the file name or an alias of another page. Remove it from one of them.",
        alias_collisions,
    ),
)
