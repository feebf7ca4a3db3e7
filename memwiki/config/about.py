"""What is told of a setting, and which values it may have."""

from __future__ import annotations

from math import inf
from typing import NamedTuple


class About(NamedTuple):
    """What a setting is for, and which values it may have."""

    help: str
    least: float = 0
    most: float = inf
    choices: tuple[str, ...] = ()
    numbers: int = 0  # how many a list holds; 0 of a list of texts
    is_named: bool = False  # each text of a list is a word and a number
    is_location: bool = False  # a place in the workspace
    is_day: bool = False  # a pattern of days

    @property
    def allowed(self) -> str:
        """Its values as people read them; "" where its type says them all."""
        numbers = f"{self.least:g} to {self.most:g}" if self.most < inf else ""
        return " or ".join(self.choices) or numbers
