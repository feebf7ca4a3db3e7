"""Links as Dendron writes them: the target last, `[[label|dendron://vault/note#a:#b]]`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from typing import TypeAlias

from memwiki.markdown.links import FoundLinks, Span, split_anchor
from memwiki.nouns import Link, LinkKind
from memwiki.patterns import pattern

_VAULT = pattern(r"dendron://([^/]*)/")
# Elsewhere an address in a wikilink is no name of a page.
_BARE = pattern(r"(!?)\[\[([ \t]*dendron://[^\[\]|\n]*)\]\]")
_SEVERAL = pattern(r"([^#\n*]+)\.[^#.\n*]*+\*")  # all notes below one, which is what is linked
_KINDS = frozenset({LinkKind.WIKILINK, LinkKind.EMBED})
_Pair: TypeAlias = tuple[Link, Span]


def with_targets_last(
    found: FoundLinks, masked: str, starts: Sequence[int], vaults: Collection[str]
) -> FoundLinks:
    """The links of a page as Dendron means them; `vaults` are the names of this workspace, and
    links to other ones lead elsewhere."""
    bare = _bare(masked, starts) if "[dendron://" in masked else ()
    meant = [_meant(link, span, masked, vaults) for link, span in (*found.pairs, *bare)]
    if bare:
        meant.sort(key=lambda pair: (pair[0].line, pair[1]))
    return found.with_pairs(meant)


def _bare(masked: str, starts: Sequence[int]) -> Iterator[_Pair]:
    """The links without a label, whose target is no name to others."""
    for match in _BARE.finditer(masked):
        kind = LinkKind.EMBED if match[1] else LinkKind.WIKILINK
        yield Link("", "", bisect_right(starts, match.start()), kind), match.span(2)


def _meant(link: Link, span: Span, masked: str, vaults: Collection[str]) -> _Pair:
    if link.kind not in _KINDS:
        return link, span
    start, end, label = *span, link.text
    if label:  # it holds no bracket: the link ends at the next ones
        bar = masked.index("|", end)
        label, start, end = masked[start:end].strip(), bar + 1, masked.index("]]", bar)
    target = masked[start:end]
    vault = _VAULT.match(target.lstrip())
    if vault and (vault[1] in vaults or not vaults):
        start += len(target) - len(target.lstrip()) + vault.end()
    if link.kind is LinkKind.EMBED and (several := _SEVERAL.match(masked, start, end)):
        end = several.end(1)
    name, heading, block = split_anchor(masked[start:end])
    return link._replace(written=name, text=label, heading=heading, block=block), (start, end)
