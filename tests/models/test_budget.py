"""Never one request more than is allowed, and the ledger is what the server counted."""

from __future__ import annotations

import json
from threading import Thread

import pytest

from memwiki.answers.curation import OutgoingRequest
from memwiki.config.models import BudgetConfig
from memwiki.errors import ModelError, WriteError
from memwiki.models.ledger import Budget, Ledger, LedgerLine, sum_lines
from tests.scripted_server import answer, fault, part, reset, says, stream, usage

NOVEMBER = 1_795_600_000 * 10**9


@pytest.mark.parametrize("limit", range(5))
def test_a_budget_of_n_requests_is_never_passed(limit, server, run, ask, ledger):
    server.then(says("tea"), fault(503, "x"), says("tea"), fault(500, "x"))
    chat = run(BudgetConfig(calls_per_run=limit)).chat()
    with pytest.raises(ModelError) as failed:
        for _ in range(10):
            chat.ask(ask())
    assert failed.value.code == "model_budget"
    assert "models.budget.calls_per_run" in failed.value.message
    assert len(server.received) == limit == sum(line.calls for line in ledger.lines())


def test_threads_share_one_budget(server, run, ask, ledger):
    server.then(says("tea"))
    found = run(BudgetConfig(calls_per_run=5))

    def work() -> None:
        chat = found.chat()
        with pytest.raises(ModelError):
            for _ in range(5):
                chat.ask(ask())
        chat.close()

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.received) == 5 == sum(line.calls for line in ledger.lines())


def test_tokens_are_counted_as_the_server_counted_them(server, run, ask, ledger):
    server.then(says("tea", sent=123, answered=45))
    found = run()
    found.chat().ask(ask())
    assert found.budget.spent == (1, 123, 45)
    (row,) = sum_lines(ledger.lines())
    assert row[1:] == ("127.0.0.1", "tiny", "test/1", 1, 123, 45)


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (fault(401, "no"), (1, 0, 0)),
        (fault(503, "down"), (4, 0, 0)),
        (answer(307, b"", Location="/x"), (1, 0, 0)),
        (reset, (4, 4 * 7, 4 * 1)),
        (stream(part("four words of tea")), (4, 4 * 7, 4 * 5)),
        (stream(usage(9, 3), part("tea")), (4, 4 * 9, 4 * 3)),
    ],
)
def test_a_request_that_failed_counts_as_what_it_took(step, expected, server, run, ask):
    server.then(step)
    found = run()
    with pytest.raises(ModelError):
        found.chat().ask(ask())
    assert found.budget.spent == expected


def test_tokens_of_a_run_are_not_passed(server, run, ask):
    server.then(says("tea", sent=10, answered=40))
    chat = run(BudgetConfig(tokens_per_run=110)).chat()
    chat.ask(ask())
    with pytest.raises(ModelError, match="this run has 60 left") as failed:
        chat.ask(ask("longer " * 10))
    assert failed.value.code == "model_budget"
    assert len(server.received) == 1


def test_tokens_of_a_month_are_those_of_all_runs(server, run, ask, ledger):
    server.then(says("tea", sent=10, answered=40))
    limits = BudgetConfig(tokens_per_month=110)
    run(limits).chat().ask(ask())
    with pytest.raises(ModelError, match="this month has 60 left"):
        run(limits).chat().ask(ask("longer " * 10))
    december = Ledger(ledger.location.parent, lambda: NOVEMBER + 20 * 86_400 * 10**9)
    anew = run(limits)._replace(budget=Budget(limits, december))
    assert anew.chat().ask(ask("longer " * 10)).text == "tea"


def test_a_request_that_was_killed_counts_as_what_it_might_have_taken(ledger):
    budget = Budget(BudgetConfig(), ledger)
    outgoing = OutgoingRequest("h", "http://h/v1", "m", 2, 100, 50, None, "{}")
    with pytest.raises(KeyboardInterrupt), budget.request("j", outgoing):
        assert [line.tokens for line in ledger.lines()] == [150]  # all that is left after a kill
        raise KeyboardInterrupt
    assert budget.spent == (1, 100, 50)


def test_the_ledger_holds_no_content(server, run, ask, ledger):
    server.then(says("hibiscus"))
    run().chat().ask(ask("rooibos"))
    text = ledger.location.read_text("utf-8")
    assert "hibiscus" not in text
    assert "rooibos" not in text
    assert ledger.location.stat().st_mode & 0o777 == 0o600


def test_lines_that_are_none_are_passed_over(ledger):
    line = LedgerLine("2026-11-02T00:00:00Z", "h", "m", "j", 1, 2, 3)
    ledger.add(line)
    with ledger.location.open("ab") as file:
        for odd in ({}, [], {**line._asdict(), "calls": "x"}, {**line._asdict(), "more": 1}):
            file.write(json.dumps(odd).encode() + b"\n")
        file.write(b"\xff\n{")
    assert ledger.lines() == [line]
    assert Ledger(ledger.location.parent / "nowhere").lines() == []


def test_months_that_are_over_are_summed_up_when_the_file_is_long(ledger, monkeypatch):
    monkeypatch.setattr("memwiki.models.ledger._MAX_PLAIN_BYTES", 100)
    old = LedgerLine("2026-10-02T00:00:00Z", "h", "m", "j", 1, 2, 3)
    new = old._replace(at="2026-11-02T00:00:00Z")
    for line in (old, old, new, old, new):
        ledger.add(line)
    assert ledger.lines()[0] == old._replace(calls=3, tokens_in=6, tokens_out=9)
    assert ledger.lines().count(new) == 2


def test_what_cannot_be_counted_is_not_sent(server, run, ask, ledger):
    ledger.location.parent.write_text("a file", "utf-8")
    with pytest.raises(WriteError, match=r"spent\.jsonl"):
        run().chat().ask(ask())
    assert server.received == []
