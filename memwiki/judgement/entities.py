"""Which entities are one under two names: judged by their names, their types and neighbours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

from memwiki.facts.identity import HAN, ZH_DIGITS, normal_form
from memwiki.judgement.similarity import Likeness, Verdict
from memwiki.names import fold, letters
from memwiki.records import NamedTuple
from memwiki.sequences import shared_start
from memwiki.text import pattern

SAME_NAME, SHORT_FORM = 1.0, 0.9

_MAX_LETTERS = 40  # letters; longer words are alike only when they are equal
_MAX_WORDS = 12  # names of more are alike only when their letters are equal
_MIN_SHARE = 0.5  # of the neighbours of the one that has fewer
_MIN_SHARED = 2
_UNLIKE = 0.84  # at most, for names that differ in more than two letters of one word
_LETTERS_APART = 2
_CROWD = 100  # names under one key
_MIN_INITIALS = 2
_WORD = pattern(f"[{HAN}]+|[^\\s{HAN}]+")
_FIGURES = pattern(rf"\d[\d.:/]*|[{ZH_DIGITS}]")
_SIGNS = pattern(r"[+#<>=^&$%@]")  # C, C++ and C#
_ROMAN = pattern(r"\b[IVX]+\b")
_INC = pattern(
    r"(?<=\w)[ ,]+(?:inc|ltd|llc|gmbh|corp|corporation|co|company)$|(?<=..)(?:股份|有限|公司)+$"
)
# With one of these in front a word means something else.
_TURNING = frozenset(
    "un in im non dis anti a de mis pre post sub super inter intra macro micro multi mono poly "
    "hyper hypo over under ex bi semi re cyber".split()
) | {"非", "无", "不", "反", "半"}


class JudgedEntity(NamedTuple):
    """A topic or object of facts as the graph has it; `neighbours` are the names beside it."""

    name: str
    type: str = ""
    neighbours: frozenset[str] = frozenset()
    is_subject: bool = False


_Figures = tuple[str, ...]


class Name(NamedTuple):
    """A name as it is compared."""

    words: tuple[str, ...]
    letters: str
    figures: _Figures  # with marks and Roman numbers: what always tells names apart
    initials: str


def judge_entities(
    a: JudgedEntity, b: JudgedEntity, *, same: float = 0.95, near: float = 0.85
) -> Likeness:
    """Whether two entities are one. NEAR is a candidate for people to look at."""
    score, reason = _likeness(read_name(a.name), read_name(b.name))
    if a.is_subject or b.is_subject:
        return Likeness(Verdict.DIFFERENT, score, "subject")
    if reason or score < near:
        return Likeness(Verdict.DIFFERENT, score, reason)
    if score > same or _is_confirmed(a, b):
        return Likeness(Verdict.SAME, score)
    return Likeness(Verdict.NEAR, score)


def name_similarity(a: str, b: str) -> float:
    """How alike two names are, 0 to 1: the longest common subsequence of their letters, by which
    the least alike words are compared; 0.9 for a short form."""
    return _likeness(read_name(a), read_name(b))[0]


def read_name(name: str) -> Name:
    """A name cut into what is compared of it."""
    plain = normal_form(name)
    words = tuple(_WORD.findall(plain.replace("-", " ").replace("_", " ")))
    signs = (*_FIGURES.findall(plain), *_SIGNS.findall(plain), *_ROMAN.findall(name))
    return Name(words, letters(plain) or plain, signs, "".join(word[0] for word in words))


# --- how alike two names are ---


def _likeness(a: Name, b: Name) -> tuple[float, str]:
    """The score, and why names that are alike are not the same."""
    score = _name_score(a, b)
    if a.figures != b.figures:
        return score, "number"
    return score, "prefix" if _is_turned(a, b) else ""


def _name_score(a: Name, b: Name) -> float:
    if a.letters == b.letters:
        return SAME_NAME
    if _is_short_form(a, b) or _is_short_form(b, a):
        return SHORT_FORM
    if len(a.words) != len(b.words) or len(a.words) > _MAX_WORDS:
        return min(_UNLIKE, _ratio(a.letters, b.letters))
    differing = [pair for pair in zip(a.words, b.words, strict=True) if pair[0] != pair[1]]
    if len(differing) != 1:
        return min(_UNLIKE, _ratio(a.letters, b.letters))
    one, other = differing[0]
    ratio = _ratio(one, other)
    # A plural of several words is the same; a word and its plural may be two: Window, Windows.
    is_plural = one in (f"{other}s", f"{other}es") or other in (f"{one}s", f"{one}es")
    if is_plural and len(a.words) > 1:
        return (1 + ratio) / 2
    apart = round((1 - ratio) * (len(one) + len(other)))
    return ratio if apart <= _LETTERS_APART else min(_UNLIKE, ratio)


def _ratio(a: str, b: str) -> float:
    """Twice the length of the longest common subsequence, over both lengths; long ones are equal
    or not. Source: Hyyrö 2004, bit-parallel LCS."""
    if max(len(a), len(b)) > _MAX_LETTERS:
        return float(a == b)
    places: dict[str, int] = defaultdict(int)
    for at, letter in enumerate(a):
        places[letter] |= 1 << at
    whole = row = (1 << len(a)) - 1
    for letter in b:
        met = row & places[letter]
        row = ((row + met) | (row - met)) & whole
    common = len(a) - row.bit_count()
    return 2 * common / ((len(a) + len(b)) or 1)


def _is_short_form(long: Name, short: Name) -> bool:
    """Whether one name is the other without its legal form, or with initials for its words."""
    if _without_form(long) == short.letters:
        return True
    if len(short.words) == 1 and short.words[0].isascii():
        return len(long.words) > _MIN_INITIALS and long.initials == short.letters
    return len(short.words) == len(long.words) and _has_initials(long.words, short.words)


def _without_form(name: Name) -> str:
    if len(name.words) > _MAX_WORDS or len(name.letters) > _MAX_WORDS * _MAX_LETTERS:
        return name.letters
    return letters(_INC.sub("", " ".join(name.words)))


def _has_initials(long: Sequence[str], short: Sequence[str]) -> bool:
    """J. Smith for John Smith: the last word is written out in both."""
    pairs = list(zip(long[:-1], short[:-1], strict=True))
    is_short = all(a == b or (len(b) == 1 and a.startswith(b)) for a, b in pairs)
    return bool(pairs) and long[-1] == short[-1] and len(long[-1]) > 1 and is_short


def _is_turned(a: Name, b: Name) -> bool:
    """Whether one word has a prefix that the other lacks or has another of."""
    pairs = zip(a.words, b.words, strict=False)
    return any(one != other and _have_unlike_starts(one, other) for one, other in pairs)


def _have_unlike_starts(one: str, other: str) -> bool:
    end = shared_start(one[::-1], other[::-1])
    starts = {one[: len(one) - end], other[: len(other) - end]}
    return end > 1 and any(start in _TURNING for start in starts) and starts <= (_TURNING | {""})


def _is_confirmed(a: JudgedEntity, b: JudgedEntity) -> bool:
    """Whether type and neighbours say that two alike names are one."""
    if not a.type or fold(a.type) != fold(b.type):
        return False
    one, other = ({fold(name) for name in each.neighbours} for each in (a, b))
    shared = len(one & other)
    return shared >= _MIN_SHARED and shared >= _MIN_SHARE * min(len(one), len(other))


# --- over everything ---


def entity_pairs(
    entities: Sequence[JudgedEntity], *, near: float = 0.85
) -> Iterator[tuple[JudgedEntity, JudgedEntity, float]]:
    """Every pair of topics and objects whose names are alike enough, without comparing all with
    all. Below 0.85 `near` finds no more.

    Names that are alike have the same figures, and share their letters, a short form, or all words
    but one, of which they share a form with letters left out; each is a key under which names meet.
    """
    judged = [entity for entity in entities if not entity.is_subject]
    names = [read_name(entity.name) for entity in judged]
    for at, other in sorted({*_met_short(names), *_met_alike(names, near)}):
        score, reason = _likeness(names[at], names[other])
        if score >= near and not reason:
            yield judged[at], judged[other], score


def _met_short(names: Sequence[Name]) -> Iterator[tuple[int, int]]:
    """The places of names with the same letters, and of names with their short forms."""
    by_figures: dict[_Figures, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for at, name in enumerate(names):
        known = by_figures[name.figures]
        known[name.letters].append(at)
        if any(len(word) == 1 for word in name.words):
            known[_initial_key(name)].append(at)
    for at, name in enumerate(names):
        known = by_figures[name.figures]
        keys = {name.letters, _without_form(name), name.initials, _initial_key(name)}
        for key in keys & known.keys():
            yield from ((min(at, place), max(at, place)) for place in _few(known[key], at))


def _initial_key(name: Name) -> str:
    return f"{name.initials} {name.words[-1]}" if len(name.words) > 1 else ""


def _few(places: list[int], at: int) -> list[int]:
    """The other places; of a crowd only the first, to which all others lead."""
    others = places if len(places) <= _CROWD else places[:1]
    return [place for place in others if place != at]


def _met_alike(names: Sequence[Name], near: float) -> Iterator[tuple[int, int]]:
    """The places of names that have all words but one in common, and that one nearly."""
    blocks: dict[tuple[tuple[str, ...], _Figures], dict[str, list[int]]]
    blocks = defaultdict(lambda: defaultdict(list))
    short = ((at, name) for at, name in enumerate(names) if len(name.words) <= _MAX_WORDS)
    for at, name in short:
        for place, word in enumerate(name.words):
            rest = (*name.words[:place], "", *name.words[place + 1 :])
            blocks[rest, name.figures][word].append(at)
    for words in blocks.values():
        for one, other in _alike_words(words, near) if len(words) > 1 else ():
            for at in words[one]:
                yield from ((min(at, place), max(at, place)) for place in _few(words[other], at))


def _alike_words(words: Collection[str], near: float) -> set[tuple[str, str]]:
    """Words that are two letters apart at most: one left out of each, or two of the longer."""
    pairs = set()
    lengths = {len(word) for word in words}
    shorter: dict[str, list[str]] = defaultdict(list)
    for word in words:
        once = _shortened(word)
        for form in once:
            if 2 * len(form) >= near * 2 * len(word):
                shorter[form].append(word)
        pairs |= {
            (word, form) for form in {*once, *_twice_shortened(word, lengths)} if form in words
        }
    return pairs | {pair for met in shorter.values() for pair in combinations(met, 2)}


def _shortened(word: str) -> set[str]:
    """The word with one letter left out, each in turn."""
    if len(word) > _MAX_LETTERS:
        return set()
    return {word[:at] + word[at + 1 :] for at in range(len(word))}


def _twice_shortened(word: str, lengths: Collection[int]) -> Iterator[str]:
    """The word with two letters left out, each two in turn, where words are of that length."""
    if len(word) > _MAX_LETTERS or len(word) - 2 not in lengths:
        return
    for at in range(len(word)):
        start, rest = word[:at], word[at + 1 :]
        for place in range(len(rest)):
            yield f"{start}{rest[:place]}{rest[place + 1 :]}"
