"""What a sentence sets against what: which comes first, which stands instead of which, which is
more, what follows from what. Told the other way round it is another sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from memwiki.index.keyword.tokens import normalise
from memwiki.judgement.lexicon import spelled_out
from memwiki.proposals.beside import COMMA, SENTENCE_END
from memwiki.text import pattern

Terms = frozenset[str]
TermsOf = Callable[[str], Terms]

# Of each kind what stands between the first and the second, and between the second and the first;
# "after A, B" says no other than "B after A".
_BETWEEN = (
    (
        "order",
        ("before|prior to|then|followed by|until", "先于|再(?!次)|然后|接着|随后|[之以]后|后[，,]"),
        ("after", "[之以]前"),
    ),
    (
        "instead",
        ("rather than|instead of|as opposed to|and not|but not|(?<=, )not", "而不是|而非|而不"),
        ("but rather", "而是"),
    ),
    (
        "cause",
        ("causes?|leads? to|results? in|resulting in", "导致|造成|引起|引发|使得|所以|因此"),
        ("because|because of|due to|as a result of|caused by", "因为|由于"),
    ),
    (
        "condition",
        ("(?!)", "则|时[，,]"),
        ("if|when|whenever|as long as|provided that", "如果|只要|若|当(?!前)"),
    ),
    (
        "place",
        (
            "overrides?|overwrites?|replaces?|supersedes?|takes? precedence over|"
            "takes? the place of",
            "覆盖|替换|代替|取代|优先于",
        ),
        ("overridden by|overwritten by|replaced by|superseded by", "(?!)"),
    ),
    (
        "more",
        (
            r"(?:[a-z]{2,}er|more|more [a-z]+|better) than",
            "高于|大于|超过|多于|优于|晚于|快于|长于",
        ),
        (r"(?:less|less [a-z]+|fewer|worse) than", "低于|小于|少于|早于|慢于|短于"),
    ),
)
_WORDS = tuple(
    (kind, pattern(rf"(?<![\w-])(?:{english})(?![\w-])|{chinese}"), is_forward)
    for kind, *both in _BETWEEN
    for (english, chinese), is_forward in zip(both, (True, False), strict=True)
)
_MAX_SENTENCE = 600  # characters


class Sides(NamedTuple):
    kind: str
    first: Terms
    second: Terms


def turned_round(text: str, told: str, terms_of: TermsOf) -> bool:
    """Whether a text has on one side what the lines have on the other, and the other way round."""
    known = [*_sides(told, terms_of)]
    for mine in {*_sides(text, terms_of)}.difference(known) if known else ():
        alike = [each for each in known if each.kind == mine.kind]
        straight = max((_shared(mine, each) for each in alike), default=(0, 0))
        crossed = max((_shared(_reversed(mine), each) for each in alike), default=(0, 0))
        if min(crossed) > 0 and sum(crossed) > 2 * sum(straight):
            return True
    return False


def _reversed(sides: Sides) -> Sides:
    return Sides(sides.kind, sides.second, sides.first)


def _shared(mine: Sides, theirs: Sides) -> tuple[int, int]:
    """How many words of each side are on that side alone in the other."""
    first, second = theirs.first - theirs.second, theirs.second - theirs.first
    return len(mine.first & first), len(mine.second & second)


def _sides(text: str, terms_of: TermsOf) -> Iterator[Sides]:
    for sentence in SENTENCE_END.split(normalise(spelled_out(text)).casefold()):
        for kind, words, is_forward in _WORDS:
            for found in words.finditer(sentence[:_MAX_SENTENCE]):
                before, behind = _around(sentence, found.span(), terms_of)
                if before and behind:
                    yield Sides(kind, *((before, behind) if is_forward else (behind, before)))


def _around(sentence: str, span: tuple[int, int], terms_of: TermsOf) -> tuple[Terms, Terms]:
    """The terms of what a word stands between."""
    left, right = sentence[: span[0]], sentence[span[1] :]
    *_, clause = COMMA.split(left)
    if not terms_of(clause):
        right, *rest = COMMA.split(right, maxsplit=1)
        return terms_of(" ".join(rest) or left), terms_of(right)
    outside, _, left = left.rpartition("在") if sentence[span[0]] in "之以" else ("", "", left)
    return terms_of(left), terms_of(f"{outside} {right}")
