"""Links as Dendron writes them: the target last, `[[label|dendron://vault/note#a:#b]]`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from memwiki.markdown.links import FoundLinks, Span, split_anchor
from memwiki.model import Link, LinkKind

_VAULT = re.compile(r"dendron://([^/]*)/")
_KINDS = frozenset({LinkKind.WIKILINK, LinkKind.EMBED})


def with_targets_last(found: FoundLinks, masked: str, vaults: Collection[str]) -> FoundLinks:
    """The links of a page as Dendron means them; `vaults` are the names of this workspace."""
    pairs = list(_meant(found, masked, vaults))
    links, targets = tuple(link for link, _ in pairs), tuple(span for _, span in pairs)
    return found._replace(links=links, targets=targets)


def _meant(found: FoundLinks, masked: str, vaults: Collection[str]) -> Iterator[tuple[Link, Span]]:
    for link, span in zip(found.links, found.targets, strict=True):
        if link.kind not in _KINDS:
            yield link, span
            continue
        start, end, label = *span, link.text
        if link.text:  # it holds no bracket: the link ends at the next ones
            bar = masked.index("|", end)
            label, start, end = masked[start:end].strip(), bar + 1, masked.index("]]", bar)
        target = masked[start:end]
        vault = _VAULT.match(target.lstrip())
        if vault and (vault[1] in vaults or not vaults):
            start += len(target) - len(target.lstrip()) + vault.end()
        name, heading, block = split_anchor(masked[start:end])
        yield link._replace(written=name, text=label, heading=heading, block=block), (start, end)
