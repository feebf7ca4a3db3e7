"""Answers of recall that are given again while nothing changed that they depend on."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock

from memwiki.answers.recall import Recall

_NS = 10**9


class RecallCache:
    """The last answers by all that they depend on; shared by threads."""

    def __init__(self) -> None:
        self._answers: OrderedDict[Hashable, tuple[int, Recall]] = OrderedDict()
        self._guard = Lock()

    def get(self, key: Hashable, now_ns: int, seconds: float) -> Recall | None:
        """The answer of a key that is not older than so many seconds."""
        with self._guard:
            made_ns, answer = self._answers.get(key, (0, None))
        is_young = 0 <= now_ns - made_ns < seconds * _NS
        return answer._replace(cached=True) if answer and is_young else None

    def put(self, key: Hashable, now_ns: int, answer: Recall, size: int) -> None:
        """Keep an answer, and of all no more than so many."""
        with self._guard:
            self._answers[key] = now_ns, answer
            self._answers.move_to_end(key)
            while len(self._answers) > size:
                self._answers.popitem(last=False)
