"""Settings, as answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


class Setting(NamedTuple):
    key: str
    value: str
    origin: str  # default | file | environment, or the file of another program
    help: str


@dataclass(frozen=True, slots=True)
class SettingList:
    settings: tuple[Setting, ...]

    def __iter__(self) -> Iterator[Setting]:
        return iter(self.settings)
