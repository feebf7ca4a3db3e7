"""A scripted server, a clock that does not wait, and a run against both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memwiki.config.models import BudgetConfig, ChatConfig, EmbedConfig, UserModels
from memwiki.config.schema import ModelsConfig
from memwiki.models.faults import Timing
from memwiki.models.ledger import Budget, Ledger
from memwiki.models.opening import ModelRun
from memwiki.models.port import Ask, ChatMessage
from tests.scripted_server import ScriptedServer

KEY = "sk-zebra-4711-quartz"


class FakeTime:
    """Time that passes only by sleeping, and by `tick` whenever somebody looks."""

    def __init__(self, tick: float = 0) -> None:
        self.now, self.tick = 0.0, tick
        self.slept: list[float] = []

    def monotonic(self) -> float:
        self.now += self.tick
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    @property
    def timing(self) -> Timing:
        return Timing(self.monotonic, self.sleep, lambda: 0.0)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    found = ScriptedServer()
    yield found
    found.close()


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "state", lambda: 1_795_600_000 * 10**9)


@pytest.fixture
def run(
    server: ScriptedServer, time: FakeTime, ledger: Ledger, tmp_path: Path
) -> Callable[..., ModelRun]:
    """A run whose models are at the scripted server, with these settings of `models.chat`."""

    def make(budget: BudgetConfig = BudgetConfig(), **named: object) -> ModelRun:
        given = {"base_url": server.url, "model": "tiny", "key_env": "TEST_KEY", **named}
        chat = ChatConfig(**{k: v for k, v in given.items() if k in ChatConfig._fields})
        known = {k: v for k, v in given.items() if k in EmbedConfig._fields}
        embed = EmbedConfig(**{"provider": "openai", **known})
        models = UserModels(chat, embed, budget)
        environ = {"TEST_KEY": KEY, "MEMWIKI_CACHE_DIR": str(tmp_path / "cache")}
        found = ModelRun(tmp_path, models, ModelsConfig(), environ, Budget(budget, ledger))
        return found._replace(timing=time.timing)

    return make


@pytest.fixture
def ask() -> Callable[..., Ask]:
    def make(text: str = "Say tea.", **named: object) -> Ask:
        return Ask("test/1", (ChatMessage("user", text),), **{"max_tokens": 50, **named})

    return make
