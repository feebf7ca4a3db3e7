"""A portion that a model does not read whole is asked about in two halves, once."""

from __future__ import annotations

import re

import pytest

from memwiki.errors import NotFoundError
from memwiki.models.faults import ModelCutError, ModelTooLongError
from memwiki.models.opening import ModelRun
from memwiki.models.port import ModelReply, Spent

PAGE = "# Notes\n\n" + "\n\n".join(f"Anna counted {number} herons." for number in range(20, 40))
_SHOWN = re.compile(r"(?m)^(\d+) (?=Anna counted)")


class Narrow:
    """A Chat that reads so many lines of a source; `fails_from` one it does not read at all."""

    key, context_tokens = "host model", 4096

    def __init__(self, most: int, fault: Exception) -> None:
        self.most, self.fault, self.fails_from = most, fault, 1_000
        self.asked = list[list[int]]()

    def ask(self, ask) -> ModelReply:
        numbers = [int(each) for each in _SHOWN.findall(ask.messages[-1].text)]
        self.asked.append(numbers)
        if len(numbers) > self.most or numbers[-1] >= self.fails_from:
            raise self.fault
        return ModelReply('{"facts": [], "sentences": []}', Spent())

    def close(self) -> None:
        """Nothing is held."""


@pytest.fixture
def narrow(monkeypatch, answering, put):
    put("wiki/herons.md", PAGE)

    def make(most, fault=ModelTooLongError("host", "it reads less")):
        answering()  # a model is set
        chat = Narrow(most, fault)
        monkeypatch.setattr(ModelRun, "chat", lambda _: chat)
        return chat

    return make


@pytest.mark.parametrize("fault", [ModelTooLongError("host", "less"), ModelCutError("host", 9)])
def test_halves_are_asked_for_and_all_of_it_is_answered(space, narrow, fault):
    chat = narrow(14, fault)
    report = space.curation.extract("wiki/herons.md")
    whole, first, second = chat.asked
    assert sorted({*first, *second}) == whole
    assert (len(report.proposals), report.error) == (2, "")
    with pytest.raises(NotFoundError):
        space.curation.extract("wiki/herons.md")


def test_what_is_still_too_long_is_an_error(space, narrow):
    chat = narrow(3)
    with pytest.raises(ModelTooLongError):
        space.curation.extract("wiki/herons.md")
    assert len(chat.asked) == 2


@pytest.mark.parametrize("fault", [ModelTooLongError("host", "less"), ModelCutError("host", 9)])
def test_a_question_is_asked_again_with_half_of_the_passages(space, narrow, fault, monkeypatch):
    chat = narrow(14, fault)
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_CONTEXT_TOKENS", "400")
    answer = space.ask("How many herons has Anna counted?")
    whole, half = map(len, chat.asked)
    assert half <= 14 < whole
    assert (answer.is_answered, answer.error) == (True, "")


def test_a_half_that_failed_is_asked_again_alone(space, narrow):
    chat = narrow(14)
    chat.fails_from = 21
    report = space.curation.extract("wiki/herons.md")
    assert (len(report.proposals), report.error) == (1, "host: it reads less")
    chat.fails_from = 1_000
    report = space.curation.extract("wiki/herons.md")
    assert (chat.asked[-1], report.error) == (chat.asked[2], "")
    assert len(chat.asked) == 4
