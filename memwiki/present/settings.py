"""Settings, as text."""

from __future__ import annotations

from memwiki.answers.settings import Setting, SettingList
from memwiki.present.screen import Look, as_path, line
from memwiki.present.text import table, text_of


@text_of.register(SettingList)
def _(answer: SettingList, look: Look) -> str:
    rows = ((each.key, each.value or '""', each.origin, each.help) for each in answer.settings)
    return table(rows, look, whole=[0, 1, 3], paths=[1])


@text_of.register(Setting)
def _(answer: Setting, _look: Look) -> str:
    value = as_path(answer.value) or '""'
    return f"{line(answer.key)} = {value}"
