"""Vectors over HTTP: batches, the width, and what a server does not take."""

from __future__ import annotations

import pytest

from memwiki.errors import ModelError
from tests.recorded import RecordedChat, RecordedEmbedder
from tests.scripted_server import answer, fault, vectors


def test_texts_are_sent_in_batches_and_sorted_by_their_index(server, run, ledger):
    server.then(vectors([1, 0], [0, 2], order=[1, 0]), vectors([3, 4]))
    found = run(batch=2, width=2).embedder().embed(["a", "b", "c"])
    assert [each.tolist() for each in found] == [[1, 0], [0, 1], pytest.approx([0.6, 0.8])]
    assert [each.json["input"] for each in server.received] == [["a", "b"], ["c"]]
    assert all(each.json["dimensions"] == 2 for each in server.received)
    assert sum(line.tokens_in for line in ledger.lines()) == 14


def test_the_body_is_the_dry_run_to_the_byte(server, run):
    server.then(vectors([1, 0]))
    embedder = run(width=2, price_in=3.0).embedder()
    outgoing = embedder.outgoing(["茶"])
    embedder.embed(["茶"])
    assert server.received[0].body == outgoing.body.encode()
    assert outgoing.price == outgoing.tokens_in * 3 / 1e6


def test_a_server_that_knows_no_width_is_asked_without_and_held_to_it(server, run):
    no = fault(400, "This model does not support specifying dimensions")
    server.then(no, vectors([1, 0]))
    assert run(width=2).embedder().embed(["a"])[0].tolist() == [1, 0]
    assert run(width=2).embedder().embed(["a"])[0].tolist() == [1, 0]
    assert ["dimensions" in each.json for each in server.received] == [True, False, False]
    server.then(no, vectors([1, 0, 0]))
    with pytest.raises(ModelError, match="vectors of 3 numbers, not of 4"):
        run(width=4).embedder().embed(["a"])


def test_a_width_that_nobody_says_is_asked_for_once(server, run):
    server.then(vectors([1, 0, 0]))
    assert run().embedder().key == f"openai:127.0.0.1:{server.port}/v1:tiny:3"
    assert run().embedder().width == 3
    assert len(server.received) == 1
    server.then(vectors([1, 0]))
    with pytest.raises(ModelError, match="vectors of 2 numbers, not of 3"):
        run().embedder().embed(["a"])


def test_another_refusal_is_told(server, run):
    server.then(fault(400, "input is odd"))
    with pytest.raises(ModelError, match="did not take the request: input is odd"):
        run().embedder().embed(["a"])
    assert len(server.received) == 1


def test_retry_after_is_kept(server, run, time):
    server.then(fault(429, "busy", Retry_After="3"), vectors([1, 0]))
    assert len(run().embedder().embed(["a"])) == 1
    assert time.slept == [3]


def test_rows_without_an_index_are_in_the_order_of_the_texts(server, run):
    server.then(answer(200, {"data": [{"embedding": [1, 0]}, {"embedding": [0, 1]}]}))
    assert [each.tolist() for each in run().embedder().embed(["a", "b"])] == [[1, 0], [0, 1]]


def test_what_was_recorded_answers_in_its_order_and_for_its_job(ask):
    chat = RecordedChat(['{"text": "a"}', "", '{"job": "other/1", "text": "b"}'])
    assert chat.ask(ask()).text == "a"
    for _ in range(2):
        with pytest.raises(ModelError, match="there is no reply to test/1"):
            chat.ask(ask())
    assert len(chat.asked) == 3
    with pytest.raises(ModelError, match="there is no vector"):
        RecordedEmbedder(['{"text": "a", "vector": [1]}']).embed(["b"])
