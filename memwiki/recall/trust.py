"""What is known of a passage beside its text: how important it is, how it was used, whether it
holds."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from memwiki.facts.usage import days_since, entry_subject, mean_score, usage_table
from memwiki.facts.value import category_of, known_importance, status_of, value_of
from memwiki.files.usage_log import Subject, Sum
from memwiki.markdown.outline import Outline
from memwiki.markdown.page_entries import entry_at
from memwiki.names import fold
from memwiki.recall.answer_index import AnswerIndex
from memwiki.recall.texts import Passage

_UNSURE = frozenset({"web", "tool"})  # origins: nobody of ours said it


class Trust(NamedTuple):
    """The same for one passage; what is no memory has the defaults."""

    importance: float = 0.5  # 0 to 1
    value: float = 0.0  # by use, without a bound
    last_recall_days: float = inf
    is_superseded: bool = False
    is_low: bool = False  # staged, or nobody of ours said it


class TrustReader:
    """Works it out for the passages of one answer; usage is read only where it is needed."""

    def __init__(self, index: AnswerIndex, *, needs_usage: bool) -> None:
        self._index, self._pages = index, dict[str, Outline]()
        self._table = usage_table(index.stores, index.context) if needs_usage else None

    def of(self, passage: Passage) -> Trust:
        """What is known of a passage."""
        if not passage.is_entry:
            return Trust()
        context, fields, path = self._index.context, passage.fields, passage.card.path
        used = self._table.of(self._subject(passage)) if self._table else Sum()
        category = category_of(path, context.layers, passage.card.type)
        words, weights = context.config.memory.boost_words, context.config.memory.value_weights
        days = days_since(used, fields.get("created", ""), path, context.clock())
        status = status_of(fields, is_struck=False)
        return Trust(
            importance=known_importance(passage.body, fields, category, words),
            value=value_of(used.recalls, mean_score(used), days, weights),
            last_recall_days=days if used.recalls else inf,
            is_superseded=status == "superseded",
            is_low=status == "staged" or fold(fields.get("origin", "")) in _UNSURE,
        )

    def _subject(self, passage: Passage) -> Subject:
        """An entry as usage knows it: without an id by the text that its file has now."""
        card, location = passage.card, passage.location
        if location.id:
            return entry_subject(location.id, "")
        if card.path not in self._pages:
            text = self._index.texts[card].text
            self._pages[card.path] = Outline(self._index.context.layers, card.path, text)
        entry = entry_at(self._pages[card.path], location.line_start)
        return entry_subject("", entry.text if entry else passage.body)
