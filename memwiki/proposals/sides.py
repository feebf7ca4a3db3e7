"""What a sentence sets against what: which comes first, which stands instead of which, which is
more, what follows from what. Told the other way round it is another sentence. And two words in each
other's place: exchanging them makes a sentence that of the lines. And the subject of one clause
before what another says of another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain, combinations, islice, product
from typing import NamedTuple

from memwiki.index.keyword.tokens import normalise
from memwiki.judgement.lexicon import spelled_out
from memwiki.proposals.beside import (
    CLAUSE,
    COMMA,
    DIRECTIONS,
    FUNCTION,
    PREPOSITIONS,
    SENTENCE_END,
    Likest,
    Tokens,
    content_of,
    sentences,
)
from memwiki.text import is_cjk, pattern

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
        crossed = max(
            (_shared(Sides(mine.kind, mine.second, mine.first), each) for each in alike),
            default=(0, 0),
        )
        if min(crossed) > 0 and sum(crossed) > 2 * sum(straight):
            return True
    return False


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


_MIN_LIKE = 0.7  # of the words of a sentence, that it is one of the lines with two exchanged
_MIN_NUMBERED = 0.5  # the same where the two are numbers
_MIN_BLOCK, _MAX_BLOCK = 2, 12  # characters of a Chinese block
_MAX_BLOCKS = 40
_MAX_TRIED = 30  # pairs of one sentence
_FUNCTION_WORDS = frozenset((word,) for word in FUNCTION)
_PASSIVE = frozenset("be been is are was were by 被 由 受".split())
_PIVOTS = DIRECTIONS | frozenset("if when then not because without".split())
_ZH_PIVOT = pattern(
    "[高低大小多少早晚长短快慢]于|超过|[依替代换覆迁转到成给先再前后因若]|取代|包[含括]|属于|调用"
    "|导[入出致]|引[用起]|发送"
)


class Block(NamedTuple):
    """What a sentence has in common with one of the lines, and where it stands in both."""

    tokens: Tokens
    here: int
    there: int


def exchanged_words(pairs: Sequence[Likest]) -> str:
    """Two words that a sentence has in each other's place; "" where there are none."""
    return next(filter(None, (_exchanged(each.mine, each.theirs) for each in pairs)), "")


def _exchanged(mine: Tokens, theirs: Tokens) -> str:
    blocks = [*_blocks(mine, theirs)][:_MAX_BLOCKS]
    words = Counter(chain.from_iterable(each.tokens for each in blocks))
    if sum(words.values()) < _MIN_NUMBERED * len(content_of(mine)):
        return ""
    placed = [each for each in blocks if each.there >= 0]
    turned = (
        (one, other)
        for one, other in combinations(placed, 2)
        if one.there > other.there and _is_turned(one, other, placed, mine, theirs)
    )
    for one, other in islice(turned, _MAX_TRIED):
        told = [{one: other, other: one}.get(each, each).tokens for each in blocks]
        least = _MIN_NUMBERED if _are_numbers(one, other) else _MIN_LIKE
        if _common([*chain(*told)], theirs) >= least * len(content_of(mine)):
            return " and ".join(sorted((_word(one), _word(other))))
    return ""


def _word(block: Block) -> str:
    return ("" if is_cjk(block.tokens[0]) else " ").join(block.tokens)


def _is_turned(
    one: Block, other: Block, placed: Sequence[Block], mine: Tokens, theirs: Tokens
) -> bool:
    """Whether a word that both have stands between the two in either order, in the same voice: "the
    door opens on a visit" says what "a visit opens the door" does."""
    is_chinese = any(map(is_cjk, one.tokens + other.tokens)) and not _are_numbers(one, other)
    if any(each.tokens in _FUNCTION_WORDS for each in (one, other)):
        return False
    here, there = mine[one.here : other.here], theirs[other.there : one.there]
    if _PASSIVE.isdisjoint(here) != _PASSIVE.isdisjoint(there):
        return False
    return any(
        one.here < each.here < other.here
        and other.there < each.there < one.there
        and (not is_chinese or _ZH_PIVOT.search("".join(each.tokens)))
        and PREPOSITIONS.isdisjoint(mine[each.here : other.here])
        == PREPOSITIONS.isdisjoint(theirs[each.there : one.there])
        for each in placed
    )


def _are_numbers(one: Block, other: Block) -> bool:
    return one.tokens[0].isdigit() and other.tokens[0].isdigit()


def _blocks(mine: Tokens, theirs: Tokens) -> Iterator[Block]:
    """The words of a sentence that say something, and the longest runs of Chinese characters that
    the other one has, too; where each stands there once, or -1."""
    at = 0
    while at < len(mine):
        size = _run(mine, at, theirs) if is_cjk(mine[at]) else 1
        tokens = mine[at : at + size]
        if size >= _MIN_BLOCK or (size and not is_cjk(tokens[0]) and _says(tokens[0])):
            here, there = _places(tokens, mine), _places(tokens, theirs)
            yield Block(tokens, at, there[0] if len(here) == len(there) == 1 else -1)
        at += max(size, 1)


def _says(word: str) -> bool:
    return word in _PIVOTS or (word not in FUNCTION and (len(word) > 1 or not word.isalpha()))


def _run(mine: Tokens, at: int, theirs: Tokens) -> int:
    size = 1
    while (
        size < _MAX_BLOCK
        and at + size < len(mine)
        and is_cjk(mine[at + size])
        and _places(mine[at : at + size + 1], theirs)
    ):
        size += 1
    return size


def _places(tokens: Tokens, among: Tokens) -> list[int]:
    size = len(tokens)
    return [n for n in range(len(among) - size + 1) if among[n : n + size] == tokens]


def _common(mine: Sequence[str], theirs: Sequence[str]) -> int:
    """How many tokens two sentences have in one order."""
    counts = [0] * (len(theirs) + 1)
    for each in mine:
        row = [0]
        for at, other in enumerate(theirs):
            row.append(counts[at] + 1 if each == other else max(row[-1], counts[at + 1]))
        counts = row
    return counts[-1]


_SPEAKER = frozenset("i we 我 们".split())
_LEADING = frozenset("- my our the a an his her their your 的".split())
_POINTING = frozenset("it them him her that this these those 它 他 她 这 那".split())
_NO_SUBJECT = (
    PREPOSITIONS
    | _POINTING
    | _SPEAKER
    | frozenset(
        "you he she they which who there sinc until till now then later also still again today "
        "yesterday tomorrow not never befor after onli 你 谁 现 后 再 又 也 还 今 昨 明 以 之 都 "
        "就".split()
    )
)
_MAX_CLAUSES = 40
_MAX_HEAD = 6  # tokens of the subject of a clause


def crossed(text: str, lines: str, speakers: Collection[str]) -> str:
    """Why a fact has the subject of one clause before what another says of another subject: "Ann
    likes jazz" of "Ann likes rock, Bob likes jazz"; "" where it has not."""
    told = [_without(_LEADING, each) for part in CLAUSE.split(lines) for each in sentences(part)]
    names = {token for name in speakers for each in sentences(name) for token in each}
    for part in CLAUSE.split(text):
        for mine in (_without(_LEADING | names, each) for each in sentences(part)):
            if not any(_is_within(mine, each) for each in told) and _is_crossed(mine, told):
                return "it says of one what the cited lines say of another"
    return ""


def _without(words: Collection[str], tokens: Tokens) -> Tokens:
    """The tokens from the first on that is none of these, nor what is theirs."""
    rest = (at for at, each in enumerate(tokens) if each.partition("'")[0] not in words)
    return tokens[next(rest, len(tokens)) :]


def _is_within(mine: Tokens, theirs: Tokens) -> bool:
    """Whether all the tokens stand in others, in their order."""
    rest = iter(theirs)
    return all(each in rest for each in mine)


def _is_crossed(mine: Tokens, told: Sequence[Tokens]) -> bool:
    own = [_without(_SPEAKER | _LEADING, each) for each in told]
    begun = ((each, _begin_alike(mine, each)) for each in own)
    ended = ((each, _begin_alike(mine[::-1], each[::-1])) for each in told)
    firsts = [(one, first) for one, first in begun if 0 < first < len(mine)][:_MAX_CLAUSES]
    lasts = [(other, last) for other, last in ended if 0 < last < len(mine)][:_MAX_CLAUSES]
    return any(
        first + last >= len(mine)
        and one != other
        and not _POINTING.issuperset(one[first:])
        and _is_subject(other[: len(other) - last], mine)
        for (one, first), (other, last) in product(firsts, lasts)
    )


def _begin_alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many tokens two begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _is_subject(head: Tokens, mine: Tokens) -> bool:
    """Whether what a clause begins with is another one than a fact is about; of Chinese one
    character is enough, as 小李 is another one than 小王."""
    telling = {each for each in head if each not in FUNCTION}
    others = telling.difference(mine)
    is_other = bool(others) and (others == telling or all(map(is_cjk, telling)))
    has_none = any(each.partition("'")[0] in _NO_SUBJECT for each in head)
    return is_other and len(head) <= _MAX_HEAD and not has_none
