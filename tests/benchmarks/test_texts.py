"""The soak of memories that move, small and in one process: none is in no file, whoever writes."""

from __future__ import annotations

import random

import pytest
import texts
from texts import Life, save_one

from memwiki.change import making
from tests.effort import tries


@pytest.mark.parametrize("seed", range(tries(1)))
def test_memories_that_move_beside_an_editor_are_in_a_file(root, opened, monkeypatch, seed):
    monkeypatch.setattr(texts, "PAGES", 10)  # each memory is held against what is like it
    life = Life(root.parent / "life", seed)
    life.begin()
    chance, real, number = random.Random(seed), making._write, [0]

    def beside_an_editor(*args):
        number[0] += 1
        if chance.random() < 0.5:
            save_one(life.root, chance, number[0])
        return real(*args)

    monkeypatch.setattr(making, "_write", beside_an_editor)
    with type(opened()).open(life.root, find=False) as ws:
        for _ in range(8):
            life.act(ws, chance)
            assert life.missing() == []
        monkeypatch.undo()
        ws.upkeep.run()
        assert life.missing() == []
    assert sum(life.done.values()) == 8
