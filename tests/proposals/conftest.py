"""A memory with a conversation in it, and what a model may propose of it."""

from __future__ import annotations

import pytest

SETTINGS = """
--- memwiki.toml ---
[layers]
memory = "memory.md"
learnings = "learnings.md"
sessions = "sessions"
archive = "archive"
raw = "raw"
wiki = "wiki"
log = "log.md"
"""
PAGES = (
    SETTINGS
    + """
--- memory.md ---
---
type: memory
---
# Memory

## Preferences

## Facts
- Anna lives in Berlin. [created:: 2026-01-01] ^m-aaaaaa
- Ben has a dog named Rex. [created:: 2026-01-01] ^m-bbbbbb
- Ben owns a dog. [created:: 2026-01-02] [origin:: model] ^m-cccccc
--- learnings.md ---
---
type: learning
---
# Learnings

## Skills
--- wiki/tea.md ---
# Tea

It is green. The code is 4711. [private:: true]
--- raw/note.md ---
# Note

The pump was installed in 2019.
--- sessions/talk.md ---
---
type: session
started: 2026-11-20T10:00:00Z
---

### 2026-11-20T10:00:00Z user [name:: Anna] ^s-0001
I moved to Kiel last month, and I prefer green tea.

### 2026-11-20T10:01:00Z assistant ^s-0002
Noted. Do you still drink coffee?

### 2026-11-20T10:02:00Z user [name:: Anna] ^s-0003
No, I never drink coffee. Ben sold his dog in October.
"""
)
TEA = {
    "do": "add_entry",
    "text": "Anna prefers green tea.",
    "type": "preference",
    "subject": "Anna",
    "tags": ["tea"],
    "lines": [1],
}
MOVED = {
    "do": "supersede_entry",
    "entry": "m-aaaaaa",
    "text": "Anna moved to Kiel.",
    "lines": [1],
}


@pytest.fixture
def space(opened, write_blocks):
    write_blocks(PAGES)
    return opened()


@pytest.fixture
def proposed(space):
    """Propose operations over the conversation."""
    return lambda *operations, source="talk": space.proposals.propose(
        operations or (TEA, MOVED), source=source, model="qwen3:8b"
    )
