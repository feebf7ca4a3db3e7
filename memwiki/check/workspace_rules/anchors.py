"""Links into a page: the heading or block after `#`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from memwiki.check.overview import WorkspaceOverview
from memwiki.check.rule import CheckRule, Family, Finding
from memwiki.index.meanings.lookup import ResolvedLink, Which
from memwiki.names import fold, letters
from memwiki.nouns import ONLY_IF_FOUND, LinkStatus, Severity

_SHORTEST = 4  # letters of a heading that is worth a guess
_ENDS = ("begin", "end")  # of a note: Dendron's own ids
_RANGE = re.compile(
    r"(?:,\d+)?(?::#.*)?\Z"
)  # `#start,1:#end`: what Dendron shows from a heading on
_REPEATED = re.compile(r"[-_]\d+\Z")  # of the second heading of a name; MkDocs writes `_1`
# A place in a text, of a tab, or the page itself: no heading is meant.
_NO_HEADING = re.compile(r":~:|tab/|top\Z|/|!", re.IGNORECASE)


def missing_anchors(overview: WorkspaceOverview) -> Iterator[Finding]:
    """Links whose page is there, and has no such heading or block."""
    links = [each for each in overview.links(Which.ANCHORED) if _names_a_place(overview, each)]
    headings = _headings(overview, {each.found.target for each in links if each.link.heading})
    known = {path: _Anchors(overview, path, titles) for path, titles in headings.items()}
    for source, link, found in links:
        where = "this page" if found.target == source else found.target
        if link.block in _ENDS:
            continue
        block = _RANGE.sub("", link.block)
        if block and block not in overview.facts[found.target].block_ids:
            message = f"^{block}: {where} has no such block"
            yield Finding("block-missing", link.line, message, source)
        elif link.heading and not known[found.target].hold(link.heading):
            message = f"#{link.heading}: {where} has no such heading"
            near = known[found.target].nearest(link.heading)
            hint = f"; did you mean #{near}?" if near else ""
            yield Finding("heading-missing", link.line, message + hint, source)


def _names_a_place(overview: WorkspaceOverview, meaning: ResolvedLink) -> bool:
    link, found = meaning.link, meaning.found
    if not (link.heading or link.block) or link.kind in ONLY_IF_FOUND:
        return False
    if found.status is not LinkStatus.RESOLVED or found.by == "full text":
        return False
    return found.target in overview.facts and not _NO_HEADING.match(link.heading)


def _headings(overview: WorkspaceOverview, paths: set[str]) -> Mapping[str, Sequence[str]]:
    titles: dict[str, list[str]] = {path: [] for path in paths}
    for path, title in overview.lookup.all_headings():
        if path in titles:
            titles[path].append(title)
    return titles


class _Anchors:
    """What may stand after the `#` of a link to one page."""

    def __init__(self, overview: WorkspaceOverview, path: str, titles: Iterable[str]) -> None:
        facts = overview.facts[path]
        # By letters alone: websites and editors differ in what they make of the rest.
        self._titles = {letters(title): title for title in (*facts.anchors, *titles)}
        self._others = {fold(name) for name in (*facts.anchors, *facts.block_ids)}

    def hold(self, heading: str) -> bool:
        """Whether every part of a heading path is there, in any of the ways to write it."""
        ways = dict.fromkeys((heading, _RANGE.sub("", heading)))
        return any(
            fold(way) in self._others or all(map(self._holds, way.split("#"))) for way in ways
        )

    def _holds(self, part: str) -> bool:
        return (
            letters(part) in self._titles
            or fold(part) in self._others
            or letters(_REPEATED.sub("", part)) in self._titles
        )

    def nearest(self, heading: str) -> str:
        """The heading that begins with what was written, or with which it begins."""
        sought = letters(heading)
        near = [
            title
            for bare, title in self._titles.items()
            if min(len(bare), len(sought)) >= _SHORTEST
            and (bare.startswith(sought) or sought.startswith(bare))
        ]
        return min(near, key=lambda title: (abs(len(title) - len(heading)), title), default="")


RULES: tuple[CheckRule[WorkspaceOverview], ...] = (
    CheckRule(
        "heading-missing",
        Family.LINKS,
        Severity.WARNING,
        "A link names a heading that its page does not have. Correct the text after the `#`.",
        missing_anchors,
    ),
    CheckRule(
        "block-missing",
        Family.LINKS,
        Severity.WARNING,
        "A link names a block id that its page does not have. Correct the id after the `#^`.",
        missing_anchors,
    ),
)
