"""The twins of `private_vault` with a model set: all doors answer by meaning, too.

The model is one of this process that knows words alone, and remembers each text that it was given.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

import private_vault as vault
from generated import Generator
from private_twins import (
    PrivateGenerator,
    PrivateTwin,
    asked_of,
    reads,
    telling_words,
    why_read_wrong,
)
from twins import Case

from memwiki.clock import now_ns
from memwiki.errors import MemwikiError
from memwiki.models import local_embed
from memwiki.sync.embedding import required_vectors
from tests.embedding import WordEmbedder

_SETTINGS = {"MEMWIKI_MODELS_EMBED_PROVIDER": "local", "MEMWIKI_VECTORS_OF": "all"}


class LoadedEmbedder(WordEmbedder):
    """As a model that a process has loaded."""

    name, is_loaded = "words", True


@contextmanager
def a_model() -> Iterator[LoadedEmbedder]:
    """A model that is set for every workspace, whatever opens it."""
    embedder, real = LoadedEmbedder(), local_embed.local_embedder
    known = {name: os.environ.get(name) for name in _SETTINGS}
    local_embed.local_embedder = lambda _: embedder
    os.environ.update(_SETTINGS)
    try:
        yield embedder
    finally:
        local_embed.local_embedder = real
        for name, value in known.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def meant(draw: Generator) -> Iterator[Case]:
    """Questions at every door, and as often for what is like something."""
    for case in reads(draw):
        yield case
        name, query = draw.one(draw.words.names, draw.words.paths), draw.one(draw.words.queries)
        kind = draw.dice.choice(("like", "like", "recall", "similar"))
        if kind == "like":
            yield f"like {name}", lambda twin, name=name: _like(twin, name)
        elif kind == "recall":
            words = ["recall", query, "--vectors", draw.dice.choice(("only", "auto")), "--explain"]
            yield f"$ {words}", lambda twin, words=words: twin.command(words)
        else:
            yield f"similar {query}", lambda twin, query=query: _similar(twin, query)


def _like(twin: PrivateTwin, name: str) -> str:
    try:
        return twin.masked(str(twin.workspace.public().graph.like(name)))
    except MemwikiError as error:
        return twin.masked(f"{error.code} {error} {error.hint}")


def _similar(twin: PrivateTwin, text: str) -> str:
    return twin.masked(str(twin.workspace.public().entries.similar(text)))


def run_meaning(base: Path, calls: int, dice: random.Random) -> list[str]:
    """Ask so often; what went wrong."""
    started = now_ns()
    with a_model() as embedder:
        twins = [PrivateTwin(root, started) for root in vault.make_private_twins(base)]
        try:
            for twin in twins:
                twin.workspace.sync()
                _fill(twin)
            given = [*embedder.given]
            wrong = [f"embedded: {text}" for text in given if telling_words(text)]
            wrong += asked_of(twins, meant(PrivateGenerator(dice)), why_read_wrong, calls)
            asked = chain.from_iterable(map(telling_words, embedder.given[len(given) :]))
            return wrong + [f"embedded {word}" for word in {*asked} - twins[0].asked]
        finally:
            for twin in twins:
                twin.close()
                shutil.rmtree(twin.root)


def _fill(twin: PrivateTwin) -> None:
    live = twin.workspace.live
    if required_vectors(live, os.environ).fill(live, seconds=600).lacking:
        raise RuntimeError("there was no time for all vectors")
