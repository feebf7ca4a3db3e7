"""Settings, as answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from memwiki.answers.packed import ListAnswer


class Setting(NamedTuple):
    key: str
    value: str
    origin: str  # default | file | environment, or the file of another program
    help: str


@dataclass(frozen=True, slots=True)
class SettingList(ListAnswer[Setting]):
    settings: tuple[Setting, ...]
