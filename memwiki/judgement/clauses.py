"""The clauses of a text that can each be taken for a statement, with the subject it leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from memwiki.judgement import statement_words as known
from memwiki.judgement.lexicon import spelled_out
from memwiki.patterns import pattern

_MAX_CLAUSES = 4
_BREAK = pattern(
    r"(?<!\bDr)(?<!\bSt)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bProf)\.\s+"
    r"|[,;]\s+(?:and|but|so)?\b\s*|\s+(?:because|but|although|though|until|after|before)\s+"
    r"|:\s+(?=\w+ \w+ \w)"
)
_AND = pattern(r"\s+and\s+(?:now\s+|then\s+)?(?=(\w+))")
_BREAK_ZH = pattern("[，。；,;]")
_OWN = pattern(
    r"(?:he|she|it|they|we|i|you|the|a|an|my|our|his|her|their|your|all|everyone|everybody|"
    r"use|always|never|please|[A-Z]\w*)\b"
)
_PRONOUN = pattern(r"(?:he|she|it|they)\b(?P<is>['’]s)?\s+", re.IGNORECASE)
_CONTEXT_ZH = pattern(
    "(?:在|当|對|对|于|从|從|为|根据|按)|.*(?:[时時后後前里中上下日年月天号]|期间|环境)$"
)
_TOPIC_ZH = pattern(
    "[^，。；,;]{1,7}?(?=[的是在到用有不没沒把将將已现現改换換搬从從对對由归歸要会會每去上因喜最跳转轉戒調调]"
    "|[，。；,;])"
)


def clauses_of(text: str, *, is_chinese: bool) -> tuple[str, ...]:
    """Each clause of a text of several, short ones with what stands before them."""
    found = _clauses_zh(text) if is_chinese else _clauses(text)
    return tuple(dict.fromkeys(each for each in found if each != text))[:_MAX_CLAUSES]


def _clauses(text: str) -> Iterator[str]:
    parts = [part for each in _joined(_BREAK.split(text)) for part in _coordinated(each)]
    if len(parts) < 2:
        return
    subject = subject_of(parts[0])
    yield parts[0]
    for part in parts[1:]:
        pronoun = _PRONOUN.match(part)
        if subject and pronoun:
            verb = "is " if pronoun["is"] else ""
            yield f"{subject} {verb}{part[pronoun.end() :]}"
        else:
            yield part if _OWN.match(part) or not subject else f"{subject} {part}"


def _joined(parts: list[str | None]) -> Iterator[str]:
    """The parts, those that are no clause with the one before; a beginning with the next one."""
    held = ""
    for part in filter(None, parts):
        if held and (_is_clause(part) and _is_clause(held)):
            yield held
            held = part
        else:
            held = f"{held}, {part}" if held else part
    if held:
        yield held


def _is_clause(part: str) -> bool:
    words = spelled_out(part.lower()).split()
    return bool(_OWN.match(part) or words[0] in known.FINITE) and has_verb(words)


def _coordinated(part: str) -> Iterator[str]:
    """Both halves of what somebody does and then does; two things are no halves."""
    match = _AND.search(part)
    is_verb = match is not None and match[1].lower() in known.FINITE | known.THIRD
    if match and is_verb and has_verb(part[: match.start()].lower().split()):
        subject = subject_of(part)
        yield part[: match.start()]
        yield f"{subject} {part[match.end() :]}"
    else:
        yield part


def subject_of(clause: str) -> str:
    """What stands before the first verb."""
    words = clause.split()
    return " ".join(words[: verb_at([word.lower() for word in words])])


def has_verb(raw: list[str], capitals: frozenset[str] = frozenset()) -> bool:
    """Whether the first words make a sentence."""
    if raw[0] in known.USER or raw[0] in (
        "they",
        "he",
        "she",
        "you",
        "use",
        "always",
        "never",
        "please",
    ):
        return True
    if raw[0] in known.CHANGES and not known.USER.isdisjoint(raw[1:3]):
        return True
    if raw[0] in known.ORDERS:
        return False  # nobody is said to be able
    return len(raw) > 2 and verb_at(raw[:-1][:9], capitals) > 0


def verb_at(raw: list[str], capitals: frozenset[str] = frozenset()) -> int:
    """The place of the first verb after a subject; 0 of none."""
    return next(
        (
            at
            for at, pair in enumerate(pairwise(raw), start=1)
            if pair[1] not in capitals and is_verb(*pair)
        ),
        0,
    )


def is_verb(before: str, word: str) -> bool:
    """Whether it may be one: a known one, "lives", or what follows a plural."""
    if word in known.FINITE:
        return True
    if not word.isalpha() or word in known.SKIPPED or before in known.DETERMINERS:
        return False
    is_third = word.endswith("s") and not word.endswith(("ss", "us", "is"))
    is_plural = before.endswith("s") and not before.endswith(("ss", "us", "is"))
    return is_third or (is_plural and not word.endswith(("ing", "ed")))


def _clauses_zh(text: str) -> Iterator[str]:
    parts = [part.strip() for part in _BREAK_ZH.split(text) if part.strip()]
    if len(parts) > 1 and _CONTEXT_ZH.match(parts[0]):
        parts = [f"{parts[0]},{part}" for part in parts[1:]]
    if len(parts) < 2:
        return
    topic = _TOPIC_ZH.match(text)
    yield parts[0]
    for part in parts[1:]:
        yield part
        if topic and not part.startswith(topic[0]):
            yield topic[0] + part
