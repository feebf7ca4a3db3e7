"""What `Workspace.recall` needs to know of memories, and what is made of its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from math import inf
from time import monotonic_ns
from typing import TypedDict, TypeVar, Unpack

from memwiki.answers.entries import EntryView
from memwiki.answers.recall import Channel, PromptBlock, Recall, RecallMode, Strategy
from memwiki.config.schema import RecallConfig
from memwiki.errors import MemwikiError, UsageError
from memwiki.facts.category import category_of
from memwiki.facts.importance import known_importance
from memwiki.facts.relation_words import canonical
from memwiki.facts.status import status_of
from memwiki.facts.usage import days_since, entry_subject, mean_score, usage_table
from memwiki.facts.value import value_of
from memwiki.files.usage_lines import Subject, Sum
from memwiki.memory.finding import PageOutlines
from memwiki.memory.listing import core_entries
from memwiki.memory.usage import record
from memwiki.model import Entry, Hit, HitKind
from memwiki.names import fold
from memwiki.numbers import budget_of, count_of, limit_of, share_of
from memwiki.recall.asked import Know, RecallOptions, Trust, is_session_named
from memwiki.recall.passages import Passage
from memwiki.recall.prompt import EMPTY, Item, block
from memwiki.recall.scores import weights_of
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Freshness, Reading, reading
from memwiki.tokens import tokens

W = TypeVar("W", bound=StrEnum)

_UNSURE = frozenset({"web", "tool"})  # origins: nobody of ours said it


def options_of(
    settings: RecallConfig,
    *,
    limit: int | None,
    budget: int | None,
    mode: str,
    strategy: str,
    channel: str,
    types: Sequence[str],
    tags: Sequence[str],
    relation: str,
    depth: int | None,
    min_score: float | None,
    **others: Unpack[_Others],
) -> RecallOptions:
    """What is asked of a recall, checked, and what is not said as the settings say it."""
    chosen = _word_of("strategy", Strategy, strategy)
    return RecallOptions(
        limit=limit_of(limit) or settings.max_results,
        min_score=settings.min_score if min_score is None else share_of("min_score", min_score),
        weights=weights_of(chosen, settings.weights),
        budget=budget_of(budget),
        mode=_word_of("mode", RecallMode, mode or settings.mode),
        strategy=chosen,
        channel=_word_of("channel", Channel, channel),
        types=tuple(types),
        tags=tuple(tags),
        relations=tuple(dict.fromkeys((relation, canonical(relation)))) if relation else (),
        depth=settings.depth if depth is None else count_of("depth", depth, least=0),
        **others,
    )


def plain_options(
    settings: RecallConfig, limit: int | None, mode: str, strategy: str
) -> RecallOptions:
    """The same of a recall that asks for nothing else."""
    return options_of(
        settings,
        limit=limit,
        budget=None,
        mode=mode,
        strategy=strategy,
        channel=Channel.ALL,
        types=(),
        tags=(),
        since="",
        until="",
        subject="",
        relation="",
        depth=None,
        session="",
        min_score=None,
        is_explained=False,
    )


class _Others(TypedDict):
    since: str
    until: str
    subject: str
    session: str
    is_explained: bool


def _word_of(what: str, words: type[W], given: str) -> W:
    try:
        return words(given)
    except ValueError:
        known = ", ".join(words)
        raise UsageError(f"{what}: {given} is none", hint=f"one of {known}") from None


class Knowledge:
    """What is known of memories beside their text."""

    def __init__(self, context: Context, options: RecallOptions) -> None:
        self._context = context
        self._needs_usage = options.is_explained or bool({"usage", "recalled"} & {*options.weights})

    def of(self, view: Reading) -> Know:
        """The same for one reading of the index."""
        table = usage_table(view.stores, self._context) if self._needs_usage else None
        entries = _Entries(self._context)

        def know(passage: Passage) -> Trust:
            if not passage.is_entry:
                return Trust()
            held = table.of(entries.subject(passage)) if table else Sum()
            return self._of_entry(passage, held)

        return know

    def _of_entry(self, passage: Passage, held: Sum) -> Trust:
        context, fields, path = self._context, passage.fields, passage.card.path
        category = category_of(path, context.layers, passage.card.type)
        words, weights = context.config.memory.boost_words, context.config.memory.value_weights
        days = days_since(held, fields.get("created", ""), path, context.clock())
        status = status_of(fields, is_struck=False)
        return Trust(
            importance=known_importance(passage.body, fields, category, words),
            value=value_of(held.recalls, mean_score(held), days, weights),
            last_recall_days=days if held.recalls else inf,
            is_superseded=status == "superseded",
            is_low=status == "staged" or fold(fields.get("origin", "")) in _UNSURE,
        )


class _Entries:
    """Entries as their files say them now, each page read once."""

    def __init__(self, context: Context) -> None:
        self._pages = PageOutlines(context.root, context.layers, context.max_bytes)

    def at(self, path: str, line: int) -> Entry | None:
        """The entry on a line; None where the page went or changed."""
        with suppress(MemwikiError):
            found = self._pages.at(path, line)
            return found.entry if found else None
        return None

    def subject(self, passage: Passage) -> Subject:
        """An entry as usage knows it."""
        location = passage.location
        found = None if location.id else self.at(passage.card.path, location.line_start)
        return entry_subject(location.id, found.text if found else passage.body)


def timed(ask: Callable[[], Recall]) -> Recall:
    """An answer with the milliseconds that it took."""
    began = monotonic_ns()
    answer = ask()
    return replace(answer, ms=round((monotonic_ns() - began) / 1e6, 3))


def note(context: Context, answer: Recall | PromptBlock, question: str) -> bool:
    """Count what was recalled, now that the answer is out; False where nothing can be written."""
    timed = None if answer.ms is None else (answer.ms, answer.cached)
    return record(context, question, _counted(context, answer.hits), timed)


def _counted(
    context: Context, hits: Iterable[Hit]
) -> Iterable[tuple[EntryView | Entry | str, float]]:
    entries = _Entries(context)
    for hit in hits:
        if hit.kind is HitKind.ENTRY:
            yield hit.id or entries.at(hit.path, hit.line_start) or hit.path, hit.score
        else:
            yield hit.path, hit.score


def prompt(
    live: LiveIndex,
    answer: Recall | None,
    budget: int | None,
    *,
    has_core: bool | None = None,
    has_scores: bool = False,
) -> PromptBlock:
    """What is always worth knowing, and what a question recalled, in a budget of tokens."""
    settings = live.context.config.recall
    most = settings.budget_tokens if budget is None else budget
    is_wanted = settings.core_in_prompt if has_core is None else has_core
    core, freshness = _core(live) if is_wanted or answer is None else ([], None)
    hits = answer.hits if answer else ()
    found = block(core, [Item.of_hit(hit) for hit in hits], most, has_scores=has_scores)
    is_empty = answer is None and not core and tokens(EMPTY) <= most
    text = EMPTY if is_empty else found.text
    return PromptBlock(
        text=text,
        tokens=tokens(text) if text else 0,
        budget=most,
        hits=tuple(hits[i] for i in found.found),
        left_out=found.left_out,
        fresh=all(each.fresh for each in (answer, freshness) if each),
        reason=next((each.reason for each in (answer, freshness) if each and each.reason), ""),
        ms=answer.ms if answer else None,
        cached=answer.cached if answer else False,
    )


def shared_out(hits: Sequence[Hit], session: str, limit: int) -> tuple[Hit, ...]:
    """So many hits, half of them of a session if there are as many, in their order."""
    is_own = [bool(session) and is_session_named(hit.path, session) for hit in hits]
    own = [i for i, mine in enumerate(is_own) if mine]
    others = [i for i, mine in enumerate(is_own) if not mine]
    count = min(max((limit + 1) // 2, limit - len(others)), len(own))
    chosen = sorted([*own[:count], *others[: limit - count]])
    return tuple(hits[i] for i in chosen)


def _core(live: LiveIndex) -> tuple[list[Item], Freshness]:
    with reading(live) as view:
        freshness = view.freshness
    return list(map(_item, core_entries(live, None).entries)), freshness


def _item(entry: EntryView) -> Item:
    return Item(
        text=entry.text,
        date=entry.updated or entry.created,
        path=entry.path,
        line_start=entry.line_start,
        line_end=entry.line_end,
        type=entry.type,
        score=entry.importance,
        kind=HitKind.ENTRY,
    )
