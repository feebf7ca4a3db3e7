"""The clauses of a short text, each as a sentence of its own, and where its verb stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from memwiki.index.keyword.tokens import NO_WORD
from memwiki.judgement import statement_words as known
from memwiki.judgement.lexicon import spelled_out
from memwiki.text import pattern

_MAX_CLAUSES = 4
_SENTENCES = pattern(  # begins with one set, which is quick to find
    r"[.;sctfA](?:(?<=\.)(?<!\bDr.)(?<!\bSt.)(?<!\bMr.)(?<!\bMs.)(?<!\bMrs.)(?<!\bProf.)\s+"
    r"|(?<=;)\s+|(?<=\b[sctf])(?:"
    r"(?<=s)(?:how(?:s|ed)|a(?:ys|id))|(?<=c)onfirm(?:s|ed)|(?<=t)urns? out|(?<=f)ound(?: out)?"
    r")\s+that\s+|(?<=\b[sc])(?:(?<=s)a(?:ys|id)|(?<=c)onfirm(?:s|ed))\s+"
    r"(?=(?:our|my|his|her|the|[A-Z]\w+) )"
    r"|(?<=^A)ccording to [^,]{1,60},\s+)"
)
# Links, tables, code, headings, questions, formulas, lists of terms.
_NO_START = pattern(
    r"[#>*]|`(?![^`]+` (?:is|are|was|has|defaults|should|must)\b)"
    r"|例如|比如|[Ee]\.g\.|[Ff]or example"
    r"|(?:[A-Z]\w*|\d+)(?: (?:[A-Z]\w*|\d+|\(.*\)))+: (?:\S+ ){3}"
)
_NO_STATEMENT = pattern(
    r"[|(\[#@!！?？…$:：–—-](?:(?<=[|!！?？…])|(?<=\]\()|(?<=\w\()|(?<=[(\[])#\d|(?<=#)\d+\)?$"
    r"|(?<=@)\w|(?<=\$)[\\A-Za-z]|(?<=:) .*: |(?<= [–—-])(?= )|(?<=[:：])$)"
)
_BREAK = pattern(
    r",\s+(?:and|but|so)?\b\s*|\s+(?:because|but|although|though|until|after|before)\s+"
    r"|:\s+(?=\w+ \w+ \w)"
)
_AND = pattern(r"\s+and\s+(?:(?:now|then|only|just)\s+)?(?=(\w+))")
_BREAK_ZH = pattern("[，。；,;]")
_OWN = pattern(
    r"(?:he|she|it|they|we|i|you|the|a|an|my|our|his|her|their|your|all|everyone|everybody|nobody|nothing|"
    r"use|always|never|please|[A-Z]\w*)\b"
)
_SOMEBODY = pattern(
    r"(?:he|she|it|they|we|i|you|everyone|everybody|nobody|nothing)\b", re.IGNORECASE
)
_ASIDE = pattern(r",\s+(?:which|who|whom|whose|where)\b")
_PRONOUN = pattern(r"(?:he|she|it|they)\b(?P<is>['’]s)?\s+", re.IGNORECASE)
_CONTEXT_ZH = pattern(
    "(?:在|当|對|对|于|从|從|为|根据|按)|.*(?:[时時后後前里中上下日年月天号]|期间|环境)$"
)
_TOPIC_ZH = pattern(
    "[^，。；,;]{1,7}?(?=[的是在到用有不没沒把将將已现現改换換搬从從对對由归歸要会會每去上因喜最跳转轉戒調调]"
    "|[，。；,;])"
)


def is_list_item(text: str) -> bool:
    """Whether it looks like a link, a heading, code, a question or a list, and no sentence."""
    return (_NO_START.match(text) or _NO_STATEMENT.search(text)) is not None


def clauses_of(text: str, *, is_chinese: bool) -> tuple[str, ...]:
    """Each clause of a text of several, short ones with what stands before them."""
    if not (is_chinese or any(form.search(text) for form in (_SENTENCES, _BREAK, _AND, _ASIDE))):
        return ()
    found = _clauses_zh(text) if is_chinese else _clauses(text)
    return tuple(dict.fromkeys(each for each in found if each != text))[:_MAX_CLAUSES]


def _clauses(text: str) -> Iterator[str]:
    parts = [
        part
        for sentence in filter(None, _SENTENCES.split(text))
        for each in _joined(_BREAK.split(sentence))
        for part in map(_main, _coordinated(each))
    ]
    if not parts or parts[0] == text:
        return
    subject = subject_of(parts[0])
    yield parts[0]
    for part in parts[1:]:
        pronoun = _PRONOUN.match(part)
        if subject and pronoun:
            verb = "is " if pronoun["is"] else ""
            yield f"{subject} {verb}{part[pronoun.end() :]}"
        else:
            has_own = not subject or _OWN.match(part) or not _is_clause(part)
            yield part if has_own else f"{subject} {part}"


def _joined(parts: list[str | None]) -> Iterator[str]:
    """The parts, those that are no clause with the one before; a beginning with the next one."""
    held, is_first = "", True
    for part in filter(None, parts):
        if held and _is_clause(part) and ((is_first and _says(held)) or _is_clause(held)):
            yield held
            held, is_first = part, False
        else:
            held = f"{held}, {part}" if held else part
    if held:
        yield held


def _main(part: str) -> str:
    """A clause without what is told beside: which he bought from his uncle."""
    main = _ASIDE.split(part, maxsplit=1)[0]
    return main if _says(main) else part


def _is_clause(part: str) -> bool:
    first = spelled_out(part.lower()).split()[:1]  # of a mark alone none
    is_begun = _OWN.match(part) or not known.FINITE.isdisjoint(first)
    return is_begun and _says(part)


def _says(part: str) -> bool:
    return has_verb(spelled_out(part.lower()).split())


def _coordinated(part: str) -> Iterator[str]:
    """Both halves of what somebody does and then does; two things are no halves."""
    match = _AND.search(part)
    if match and _SOMEBODY.match(part, match.end()) and _is_clause(part[match.end() :]):
        yield part[: match.start()]
        yield part[match.end() :]
        return
    before = part[: match.start()].lower().split() if match else []
    is_past = len(before) > 1 and before[-1].endswith("ed")  # Ann moved and pays
    if match and _goes_on(before, match[1].lower()) and (is_past or has_verb(before)):
        subject = " ".join(part.split()[: len(before) - 1]) if is_past else subject_of(part)
        yield part[: match.start()]
        yield f"{subject} {'now ' if is_past else ''}{part[match.end() :]}"
    else:
        yield part


def _goes_on(before: list[str], word: str) -> bool:
    """Whether it is a second verb: no second thing of several."""
    if word in known.FINITE | known.THIRD:
        return True
    last = before[-1].removesuffix("'s") if before else "s"
    return not last.endswith("s") and is_verb(last, word)


def subject_of(clause: str) -> str:
    """What stands before the first verb."""
    words = clause.split()
    return " ".join(words[: verb_at([word.lower() for word in words])])


def may_have_verb(text: str) -> bool:
    """Whether any word could be a verb, or become one: a quick look that spares most of what is no
    statement the reading."""
    if not text.isascii() or "'" in text or ":" in text:
        return True
    words = f"{text.lower().translate(NO_WORD)} "
    return "s " in words or "ed " in words or not known.TELLING.isdisjoint(words.split())


_BEGINNING = frozenset("they he she you use always never please".split())


def has_verb(raw: list[str], capitals: frozenset[str] = frozenset()) -> bool:
    """Whether the first words make a sentence."""
    first = raw[0] if raw else ""
    if first in known.USER or first in _BEGINNING:
        return True
    if not known.PRONOUNS.isdisjoint(raw[1:6]) or "you" in raw[1:6]:
        return True
    is_of_user = not known.USER.isdisjoint(raw[1:3])
    if first in known.CHANGES and (is_of_user or {"from", "to"} <= {*raw}):
        return True
    if first in known.ORDERS:
        return False  # nobody is said to be able
    if raw[1:2] and raw[1] in known.OF_ORDERS and first not in known.NO_ORDERS and first.isalpha():
        return True  # run the tests
    return len(raw) > 2 and verb_at(raw[:-1][:9], capitals) > 0


def verb_at(raw: list[str], capitals: frozenset[str] = frozenset()) -> int:
    """The place of the first verb after a subject; 0 of none."""
    return next(
        (
            at
            for at, pair in enumerate(pairwise(raw), start=1)
            if pair[1] not in capitals
            and (is_verb(*pair) or (pair[1].endswith("ed") and _has_object(raw[at + 1 : at + 2])))
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


def _has_object(after: list[str]) -> bool:
    """Whether a past before these words has an object: signed the."""
    return not known.DETERMINERS.isdisjoint(after)


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
