"""Pairs joined into the groups that they hold together."""

from __future__ import annotations

from collections.abc import Iterable


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
    found: dict[str, list[str]] = {}
    for name in parent:
        found.setdefault(root(name), []).append(name)
    return list(found.values())
