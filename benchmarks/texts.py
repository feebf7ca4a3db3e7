"""Memories that move while others write: upkeep, moves and undo beside two editors.

Each memory has a word of its own, so that any that is in no file is found. The editors look at a
file again before they save it, as editors do; new memories come in by hand, so that no undo may
take one away.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from memwiki import Workspace
from memwiki.errors import MemwikiError

SETTINGS = """[layers]
memory = "memory.md"
learnings = "learnings.md"
daily = "daily"
wiki = "wiki"
inbox = "inbox"
archive = "archive"
[memory]
preset = "agent"
"""
_WORDS = (
    "tea harbour chess kettle invoice river garden piano station market lantern ferry bread "
    "window ledger compass orchard violin anchor saddle copper meadow thimble glacier walnut"
).split()
_RULES = ("must always", "must never", "likes", "saw", "repaired", "went to")
_TEXT = re.compile(rb"\bmem\d{5}\b")
PAGES, EACH = 28, 6  # pages of the inbox, and memories of each


@dataclass(slots=True)
class Life:
    """A workspace whose memories are numbered."""

    root: Path
    seed: int = 1
    made: int = 0
    done: Counter[str] = field(default_factory=Counter)

    def begin(self) -> None:
        """Write the settings, a memory file and full pages of an inbox."""
        (self.root / ".memwiki").mkdir(parents=True)
        (self.root / "memwiki.toml").write_text(SETTINGS)
        for folder in ("inbox", "daily", "wiki"):
            (self.root / folder).mkdir()
        (self.root / "memory.md").write_text("# Memory\n\n## Facts\n")
        (self.root / "wiki" / "tea.md").write_text("# Tea\n\nSee [[sea]].\n")
        (self.root / "wiki" / "sea.md").write_text("# Sea\n\nSee [[tea]].\n")
        self.bring_in(PAGES)

    def bring_in(self, pages: int) -> None:
        """Write pages of staged memories, each at once."""
        chance = random.Random(self.seed * 1_000_003 + self.made)
        for _ in range(pages):
            lines = [self._memory(chance) for _ in range(EACH)]
            page = self.root / "inbox" / f"2026-01-{self.made:06}.md"
            saved(page, "".join(lines).encode(), None)

    def _memory(self, chance: random.Random) -> str:
        self.made += 1
        words = " ".join(chance.sample(_WORDS, 6))
        return (
            f"- Person{self.made} {chance.choice(_RULES)} mem{self.made:05} {words}. "
            f"[status:: staged] ^m-{self.made:06}\n"
        )

    def missing(self) -> list[str]:
        """The memories that are in no file."""
        present = set[bytes]()
        for page in self.root.rglob("*.md"):
            with contextlib.suppress(FileNotFoundError):  # renamed just now: looked for again
                present |= set(_TEXT.findall(page.read_bytes()))
        wanted = (f"mem{number:05}" for number in range(1, self.made + 1))
        return [word for word in wanted if word.encode() not in present]

    def act(self, ws: Workspace, chance: random.Random) -> None:
        """Do one of the verbs that let texts move; errors are counted by their kind."""
        acts: list[tuple[int, Callable[[Workspace, random.Random], object]]] = [
            (4, self._upkeep),
            (4, self._move_entry),
            (2, self._update_entry),
            (2, self._tag_entry),
            (1, self._supersede_entry),
            (1, self._append_to_page),
            (2, self._move_page),
            (1, self._undo),
            (2, self._more),
        ]
        act = chance.choices([each for _, each in acts], [weight for weight, _ in acts])[0]
        try:
            act(ws, chance)
            self.done[act.__name__] += 1
        except MemwikiError as error:
            self.done[f"{act.__name__}: {type(error).__name__}"] += 1

    def _upkeep(self, ws: Workspace, _chance: random.Random) -> None:
        ws.upkeep.run()

    def _move_entry(self, ws: Workspace, chance: random.Random) -> None:
        target = chance.choice(("memory.md", "wiki/tea.md", "learnings.md"))
        ws.entries.move(self._name(chance), target)

    def _update_entry(self, ws: Workspace, chance: random.Random) -> None:
        entry = ws.entries.get(self._name(chance))
        value = f"0.{chance.randrange(10)}"
        ws.entries.update(entry.id, f"{entry.text[:400]} Again.", fields={"importance": value})

    def _tag_entry(self, ws: Workspace, chance: random.Random) -> None:
        ws.entries.set_tags(self._name(chance), chance.sample(_WORDS, 2))

    def _supersede_entry(self, ws: Workspace, chance: random.Random) -> None:
        ws.entries.supersede(self._name(chance), f"Otherwise since {chance.random()}.")

    def _append_to_page(self, ws: Workspace, chance: random.Random) -> None:
        ws.pages.append("wiki/tea.md", f"- Poured {chance.random()}.")

    def _name(self, chance: random.Random) -> str:
        return f"m-{chance.randint(1, self.made):06}"

    def _move_page(self, ws: Workspace, chance: random.Random) -> None:
        names = sorted(page.name for page in (self.root / "wiki").glob("sea*.md"))
        ws.pages.move(f"wiki/{names[0]}", f"wiki/sea{chance.randrange(9)}.md")

    def _undo(self, ws: Workspace, _chance: random.Random) -> None:
        ws.undo()

    def _more(self, _ws: Workspace, _chance: random.Random) -> None:
        self.bring_in(3)


def saved(page: Path, data: bytes, seen: bytes | None) -> bool:
    """Save as editors do: into another file, renamed if the page is what was seen of it."""
    temporary = page.with_name(f".{page.name}.{os.getpid()}.swp")
    temporary.write_bytes(data)
    now = page.read_bytes() if page.exists() else None
    if now == seen:
        temporary.replace(page)
        return True
    temporary.unlink()
    return False


def save_one(root: Path, chance: random.Random, number: int) -> bool:
    """Add a line to some page of the inbox and save it."""
    pages = sorted((root / "inbox").glob("*.md"))
    with contextlib.suppress(FileNotFoundError, IndexError):
        page = chance.choice(pages)
        seen = page.read_bytes()
        return saved(page, seen + f"\nSeen {number}.\n".encode(), seen)
    return False


def edit_until(root: Path, seed: int, ends_at: float, pause_s: float) -> None:
    """One editor: a save every so often."""
    chance, number = random.Random(seed), 0
    while time.time() < ends_at:
        number += 1
        save_one(root, chance, number)
        time.sleep(pause_s)


def live_until(life: Life, ends_at: float) -> None:
    """One verb after the other, in a workspace that stays open."""
    chance = random.Random(life.seed)
    with Workspace.open(life.root, find=False) as ws:
        while time.time() < ends_at:
            life.act(ws, chance)
