"""Talks whose lasting facts are known, as JSON lines, and which proposed sentences say which."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple, NoReturn

from memwiki.dates import iso_date
from memwiki.digest import digest_of
from memwiki.errors import UsageError
from memwiki.names import fold, is_encodable
from memwiki.patterns import pattern
from memwiki.proposals.source import NumberedSource, SourceLine
from memwiki.secrets import without_secrets

SHIPPED = "talks.jsonl"  # 40 talks with 53 facts, English and Chinese, and 15 with none
_HINT = 'a line is {"talk": ["Ann: I moved to Kiel."], "facts": [["Ann", "Kiel|coast"]]}'
_SPEAKER = pattern(r"([^:：]{1,40})[:：]\s*(.+)", re.DOTALL)
_ASSISTANTS = frozenset({"assistant", "助手"})
_OR = "|"


class LabelledTalk(NamedTuple):
    """A conversation, where it is written, and the words of each fact that it tells."""

    place: str
    language: str
    source: NumberedSource
    facts: tuple[tuple[str, ...], ...]


def talks_given(text: str | None, name: str) -> list[LabelledTalk]:
    """Those of a text, whose file has this name, or those that come with memwiki; UsageError where
    there are none, or anything else."""
    if text is None:
        name, text = SHIPPED, shipped_talks()
    if talks := list(talks_in(name, text)):
        return talks
    raise UsageError(f"{name}: there are no talks", "memwiki bench extract asks ours")


def shipped_talks() -> str:
    """The talks that come with memwiki."""
    return (files(__package__) / SHIPPED).read_text("utf-8")


def talks_in(name: str, text: str) -> Iterator[LabelledTalk]:
    """The talks of JSON lines; UsageError with file and line for what is none."""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if line.strip():
            yield _talk(f"{name}:{number}", line)


def _talk(place: str, line: str) -> LabelledTalk:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        _refuse(place, "not JSON")
    if not isinstance(fields, dict):
        _refuse(place, "not an object")
    said = _texts(place, fields.get("talk"), "talk")
    facts = fields.get("facts")
    if not said or not isinstance(facts, list):
        _refuse(place, "it has no talk, or no list of facts")
    wanted = tuple(_texts(place, each, "fact") for each in facts)
    if not all(wanted):
        _refuse(place, "a fact has no words")
    language, date = (fields.get(each, "") for each in ("language", "date"))
    if not isinstance(language, str) or not isinstance(date, str) or (date and not iso_date(date)):
        _refuse(place, "its language is no text, or its date is none")
    lines = tuple(_line(at, each) for at, each in enumerate(said, 1))
    return LabelledTalk(
        place, language, NumberedSource(lines, date, digest=digest_of(line.encode())), wanted
    )


def _texts(place: str, value: object, what: str) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else [value]
    for each in listed:
        if (
            not isinstance(each, str)
            or not each.replace(_OR, " ").strip()
            or not is_encodable(each)
        ):
            _refuse(place, f"its {what} is no list of texts")
    return tuple(listed)


def _line(number: int, said: str) -> SourceLine:
    """What was said, and by whom, as in a session."""
    found = _SPEAKER.fullmatch(said)
    speaker, text = found.groups() if found else ("", said)
    role = "assistant" if fold(speaker) in _ASSISTANTS else "user"
    return SourceLine(" ".join(without_secrets(text).split()), speaker, role, number)


def _refuse(place: str, what: str) -> NoReturn:
    raise UsageError(f"{place}: {what}", _HINT)


# --- which sentence says which fact ---


def pairs(facts: Sequence[Sequence[str]], sentences: Sequence[str]) -> dict[int, int]:
    """As many facts as can each have a sentence of their own that says them, by their places.

    A sentence that says two facts counts for one of them. Which one does not depend on the order
    in which a model gives its sentences (Source: Kuhn, 1955, augmenting paths).
    """
    taken = dict[int, int]()

    def has_place(at: int, tried: set[int]) -> bool:
        for fact, words in enumerate(facts):
            if fact not in tried and is_said(words, sentences[at]):
                tried.add(fact)
                if fact not in taken or has_place(taken[fact], tried):
                    taken[fact] = at
                    return True
        return False

    for at in range(len(sentences)):
        has_place(at, set())
    return taken


def is_said(words: Sequence[str], sentence: str) -> bool:
    """Whether a sentence has all of the words, or words that begin so."""
    folded = fold(sentence)
    return all(_word(each).search(folded) for each in words)


@cache
def _word(words: str) -> re.Pattern[str]:
    """One of the words, where a word begins (`lock` is in locked, `ten` not in often) and, of a
    number, where it ends; Chinese has no such places."""
    return pattern(_OR.join(map(_begun, filter(str.strip, words.split(_OR)))))


def _begun(word: str) -> str:
    folded = fold(word.strip())
    before = r"(?<![a-z0-9])" if folded[0].isascii() and folded[0].isalnum() else ""
    behind = r"(?![0-9])" if folded[-1].isdigit() else ""
    return f"{before}{re.escape(folded)}{behind}"
