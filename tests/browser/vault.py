"""A workspace that has something to show on every page, in English and Chinese."""

from __future__ import annotations

from pathlib import Path

from memwiki.workspace import Workspace

HERON = """\
---
type: concept
tags: [birds, water]
aliases: [grey heron]
weight: 1.5
---
# Heron

A heron *stands* in **shallow** water. See [[stork]], [[Nowhere yet]] and
[the lake](../places/lake.md).

> [!warning] Do not feed
> It finds its own fish.

## Tasks

- [ ] count the nests
- [x] mend the hide
- [ ] count the nests

## Numbers

| year | nests |
| --- | ---: |
| 2024 | 12 |
| 2025 | 15 |

The rate is $r = \\frac{b - d}{n}$. A note[^1].

```python
def nests(year: int) -> int:
    return {2024: 12, 2025: 15}[year]
```

[^1]: From the count of May.

- relates_to [[lake]]
"""
STORK = "---\ntype: concept\ntags: [birds]\n---\n# Stork\n\nLike the [[heron]].\n\n"
EGRET = "---\ntags: [鸟]\n---\n# 雪鹭\n\n雪鹭站在浅水里，看见 [[heron|苍鹭]]。它在湖边筑巢。\n"
TALL = "".join(f"## Part {n}\n\nLine {n} of the stork. 鹳 #birds\n\n" for n in range(40))
PAGES = {
    "wiki/heron.md": HERON,
    "wiki/stork.md": STORK + TALL,
    "wiki/雪鹭.md": EGRET,
    "places/lake.md": "# Lake\n\nHome of the [[heron]] and the [[stork]]. A heron nests here.\n",
    "places/broken.md": "# Broken\n\n[gone](gone.md) and [[heron#No such part]]\n",
}


def write_vault(root: Path) -> None:
    """Make it."""
    with Workspace.init(root, language="en") as workspace:
        for path, text in PAGES.items():
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        workspace.entries.add("The user counts herons on Mondays.", type="fact", tags=["birds"])
        workspace.entries.add("The hide has room for three.", key="hide/room")
        workspace.entries.add("The user prefers quiet mornings.", type="preference")
        workspace.recall("When does the user count herons?")
        workspace.proposals.propose(
            [
                {
                    "do": "add_entry",
                    "text": "The lake has fifteen nests.",
                    "type": "fact",
                    "lines": [3],
                }
            ],
            source="places/lake.md",
        )
        workspace.sync()
