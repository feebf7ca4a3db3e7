"""Text -> terms: what is written into the keyword index and what a question is cut into.

One analysis for every backend: words casefolded, accents folded, English-stemmed, in American
spelling; CJK runs, in simplified characters, as single characters and overlapping pairs; names
with inner capitals or underscores also in parts; versions, words with a sign such as C++ or @anna,
and numbers in groups such as 48,000 also whole. A path is its words here; asked for exactly, it is
found as a name.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, lru_cache
from importlib import import_module
from itertools import chain, pairwise
from types import ModuleType

import whoosh

from memwiki.errors import IndexDamagedError
from memwiki.index.projection import Terms
from memwiki.names import as_typed, normalised, without_accents
from memwiki.nouns import Unit, UnitKind
from memwiki.records import NamedTuple
from memwiki.text import CJK, CJK_FROM, MARKS, NO_BLANKS, WORD, is_cjk, pattern, simplified


def _stemmer(package: str = "whoosh.lang.snowball") -> Callable[[str], str]:
    """For English, without the languages that the package imports beside it."""
    stand_in = ModuleType(package)
    stand_in.__path__ = [f"{whoosh.__path__[0]}/lang/snowball"]
    sys.modules.setdefault(package, stand_in)
    found: Callable[[str], str] = import_module(f"{package}.english").EnglishStemmer().stem
    if sys.modules[package] is stand_in:
        del sys.modules[package]
    return found


_english = _stemmer()
SCALE = 100  # weights are hundredths; the largest, k1 + 1, is 2.5
_MIN_TERM = 3
_MIN_LINE = 20  # a shorter one, such as a heading, may stand anywhere
# How nouns and adjectives end in Russian and its neighbours and in Arabic, and what stands before
# an Arabic noun.
# Sources: Dolamic and Savoy, "Indexing and Searching Strategies for the Russian Language", 2009;
# Larkey et al., "Light Stemming for Arabic Information Retrieval", 2007
_CASES = (
    "иями оями иям иях оях ями оям оьв ами его ему ери ими ого ому ыми оев ая яя ях юю ах ею их ия"
    " ию ьв ою ую ям ых ея ам ем еи ев ии им ое ои ом ов ые ыи ым ми ь и ы е о а у я ю і є"
).replace(" ", "|")
_ENDING = pattern(
    rf"(?<=[\u0400-\u052f]{{3}})(?:{_CASES})\Z"
    r"|(?<=[\u0620-\u06ff]{2})(?:ها|ان|ات|ون|ين|يه|[هي])\Z"
)
_ARTICLE = pattern(r"\A(?:[وبكف]?ال|لل|و(?=...))(?=..)")


_VERBAL = "e ed er es ers ing able ation ations ational"
# How words end in Britain and in America. A pattern would be compiled for every question.
_ENDINGS = {
    british + rest: american + rest
    for british, american, rests in (
        ("is", "iz", _VERBAL),
        ("lys", "lyz", _VERBAL),
        ("our", "or", " s ed ing ings al ally ful less able ably ite ites hood hoods ly"),
        ("ogue", "og", " s"),
    )
    for rest in rests.split(" ")
}
_MIN_BEFORE = 3  # letters before such an ending: four and raise are spelled so everywhere
_SPELLINGS = {
    british + rest: american + rest
    for british, american in (
        ("centre", "center"),
        ("defence", "defense"),
        ("fibre", "fiber"),
        ("grey", "gray"),
        ("judgement", "judgment"),
        ("licence", "license"),
        ("litre", "liter"),
        ("metre", "meter"),
        ("offence", "offense"),
        ("practise", "practice"),
        ("programme", "program"),
        ("sceptical", "skeptical"),
        ("theatre", "theater"),
    )
    for rest in ("", "s")
}
_BRITISH = (*_SPELLINGS, *_ENDINGS)
# What words end in that have another stem than themselves: two of five end otherwise (2026-11-30).
_CHANGED = (*"anci ant ator e ed enci ent er ic ing ion ism iti l li ogi our ourhood s y".split(),)


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """The stem of a casefolded word, of an English one in American spelling; numbers and very
    short words stay as they are.

    Source: Porter2, https://snowballstem.org/algorithms/english/stemmer.html
    """
    if len(word) < 3 or not word.isalpha():
        return word
    if word < "\u0400":
        return _english(_american(word)) if word.endswith(_CHANGED) else word
    return _ENDING.sub("", _ARTICLE.sub("", word))


def _american(word: str) -> str:
    """The same word as it is spelled in America, if it may be spelled otherwise. A word that only
    looks like one (`promise`) becomes another one, everywhere the same."""
    if not word.endswith(_BRITISH):
        return word
    ending = next(filter(word.endswith, _BRITISH))
    start = word.removesuffix(ending)
    if ending in _SPELLINGS:
        return start + _SPELLINGS[ending]
    return start + _ENDINGS[ending] if len(start) >= _MIN_BEFORE else word


def spellings(term: str) -> Iterator[str]:
    """A term, and how it begins in words that are spelled as in Britain, where that is another
    beginning."""
    yield term
    if "or" in term[_MIN_BEFORE:]:
        yield term[:_MIN_BEFORE] + term[_MIN_BEFORE:].replace("or", "our")
    if term.endswith(("ter", "ber")):
        yield f"{term[:-2]}re"
    if "gray" in term:
        yield term.replace("gray", "grey")


# Of UTF-8: ASCII stays as long as before, with blanks for what is part of no word. `str.translate`
# takes five times as long, and of a line even more.
NO_WORD = bytes(c if c > 127 or chr(c).isalnum() or c == ord("_") else 32 for c in range(256))
# 8.5.1 is a word of its own besides its parts.
_VERSION = pattern(r"[v\d](?<!\d\d)(?:(?<!v)|\d)\d*+(?:\.\d++)++\w*+", re.ASCII)
# What every version holds. A search for the dot takes a fiftieth of one for a version (2026-11-22).
_IN_VERSION = pattern(r"\.(?<=\d\.)\d", re.ASCII)
# 48,000, 48 000, 48.000 and 48'000 are one number; a decimal fraction begins otherwise.
_GROUPS = r"[1-9](?<![\w.,'’].)(?<!\d .)\d{0,2}([%s])\d{3}(?:\1\d{3}){0,6}+(?!\w)"
_GROUPED, _IN_ONE_WORD = pattern(_GROUPS % "., '’", re.ASCII), pattern(_GROUPS % ",'’", re.ASCII)
_BETWEEN_GROUPS, _DIGITS = frozenset(",'’"), frozenset("0123456789")
GROUP = 3  # digits
# A sign that is part of a word: C#, C++, A* (but no *A*), .NET (but no a.net), @anna (but no
# e-mail), Fritz!Box.
_SIGN = pattern(
    r"#(?<=[^\W\d_]#)(?![a-zA-Z\d_#])|\+(?<=\w\+)\+(?![a-zA-Z+])|!(?<=[^\W\d_]!)(?=[^\W\d_])"
    r"|\*(?<=\b[A-Z]\*)(?<![*_][A-Z]\*)(?![\w*])"
    r"|\.(?<![\w.)\]]\.)(?=[A-Za-z])|@(?<![\w@/.]@)(?=[^\W\d])"
)
_PARTS = pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# Full-width marks stand in every Chinese sentence. With these replaced, most text is in the normal
# form already, which is seen a hundred times faster than it is made.
_WIDE_MARKS = dict(zip("，：（）；！？", ",:();!?", strict=True))
_MAX_WORD = 64  # base64 blobs and hashes are cut, so that no term is unbounded
_CACHE_SIZE = 200_000


# Compiling these takes 3 ms each, which only text that needs them has to pay.
_RUNS = pattern(f"([{CJK}]+)|([{NO_BLANKS}]+)|([^{CJK}{NO_BLANKS}]+)")
_CJK_RUNS = pattern(f"[^\\W\0-{chr(ord(CJK_FROM) - 1)}]+")
_OTHERS = f"[^\\W{CJK}{NO_BLANKS}]"
_OTHER_WORDS = pattern(f"{_OTHERS}++(?:[{MARKS}]++{_OTHERS}*+)*+")
_UNSPACED = pattern(f"[{NO_BLANKS}]+")
# Of Thai, Lao, Burmese and Khmer a letter with its vowels and tones.
_SYLLABLE = pattern(
    r"\w[\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3\u17dd]*+"
)


def normalise(text: str) -> str:
    """The text with compatibility forms and accents folded; case is kept for splitting names.
    What tells texts apart for good, such as the usage of a memory, rests on it."""
    return text if text.isascii() else without_accents(_compatible(text))


_UNSEEN = "\u00ad\u200b\u2060\ufeff"  # within words, as of the web and of books


def searchable(text: str) -> str:
    """The same as people type it: without hyphens that nobody sees, and with simplified Chinese
    characters for traditional ones, as both scripts are found."""
    if text.isascii():
        return text
    for sign in _UNSEEN:
        text = text.replace(sign, "")
    return simplified(as_typed(_compatible(text)))


def _compatible(text: str) -> str:
    for wide, mark in _WIDE_MARKS.items():
        text = text.replace(wide, mark)
    return normalised("NFKC", text)


# What questions are asked with, where the lists of Whoosh lack it.
_MORE_FUNCTION_WORDS = {
    "de": "warum wann wieso kannst gibt",
    "es": "cual puedo puede",
    "fr": "comment pourquoi quand combien où quel quelle quels quelles quoi puis peut peux cette",
    "it": "quando posso può",
    "nl": "waarom wanneer waar welke welk",
    "pt": "onde posso pode",
    "ru": "почему какие какую каким",
}


def plain_words(text: str) -> list[str]:
    """The words as they stand but for their accents."""
    return WORD.findall(normalise(text))


@cache
def function_words() -> Sequence[Set[str]]:
    """For each of thirteen European languages but English the words that say nothing, folded."""
    from whoosh.lang.stopwords import stoplists  # not for a question in English

    texts = (
        " ".join((*words, _MORE_FUNCTION_WORDS.get(name, "")))
        for name, words in sorted(stoplists.items())
        if name != "en"
    )
    return [frozenset(plain_words(text.casefold())) for text in texts]


class _WordTerms(dict[str, str]):
    """The terms of each word met so far that holds no CJK character, one a line; an empty one says
    that it may be a group of digits."""

    def __missing__(self, word: str) -> str:
        terms = (
            "\n".join(_ascii_terms(word)) if word.isascii() else stem(word.casefold()[:_MAX_WORD])
        )
        if len(word) == GROUP and word.isdigit():
            terms += "\n"
        if len(self) < _CACHE_SIZE:
            self[word] = terms
        return terms


_terms_of = _WordTerms().__getitem__


def count_terms(text: str) -> Counter[str]:
    """How often each term stands in the text."""
    text = searchable(text)
    counts = Counter(_terms_of_words(text))
    # Most words are one term; those with parts are taken apart once they are counted.
    for terms in [terms for terms in counts if "\n" in terms]:
        times = counts.pop(terms)
        for term in terms.split("\n"):
            counts[term] = counts.get(term, 0) + times
    if counts.pop("", 0):
        counts.update(grouped_numbers(text))
    if _IN_VERSION.search(text):
        counts.update(map(str.casefold, _VERSION.findall(text)))
    for word in _words_with_sign(text):
        counts[word] = counts.get(word, 0) + 1  # in few units is any, and `update` takes longer
    return counts


def grouped_numbers(text: str) -> Iterator[str]:
    """The numbers whose digits are written in groups, without what stands between them."""
    return (match[0].replace(match[1], "") for match in _GROUPED.finditer(text))


def _words_with_sign(text: str) -> Iterator[str]:
    """C#, C++, A*, .NET, @anna, Fritz!Box: words of their own besides their letters."""
    for sign in _SIGN.finditer(text):
        start, end = first, last = sign.span()
        if sign[0] not in ".@":
            first -= _letters(text[max(0, start - _MAX_WORD) : start][::-1])
        if sign[0] in ".@!":
            last += _letters(text[end : end + _MAX_WORD])
        if (first, last) == (start, end):  # no letter is beside it
            continue
        if sign[0] == "!":  # as most write it, without
            yield stem((text[first:start] + text[end:last])[:_MAX_WORD].casefold())
        else:
            yield text[first:last].casefold()


def _letters(text: str) -> int:
    """How many characters at the start belong to a word of a script with blanks between words."""
    found = (at for at, c in enumerate(text) if c >= CJK_FROM or not (c.isalnum() or c == "_"))
    return next(found, len(text))


def _terms_of_words(text: str) -> Iterator[str]:
    """The terms of each word in turn, one a line; of CJK runs each term."""
    if text.isascii():  # five times as fast as a search for words
        return map(_terms_of, text.encode().translate(NO_WORD).decode().split())
    if not is_cjk(text):
        return map(_terms_of, WORD.findall(text))
    words = map(_terms_of, _OTHER_WORDS.findall(text))
    unspaced = chain.from_iterable(map(_syllables_and_pairs, _UNSPACED.findall(text)))
    return chain(words, _cjk_terms(_CJK_RUNS.findall(text)), unspaced)


def _cjk_terms(runs: list[str]) -> Iterator[str]:
    """Each character, and each pair of neighbours."""
    pairs = (run[at : at + 2] for run in runs for at in range(len(run) - 1))
    return chain("".join(runs), pairs)


def _syllables_and_pairs(run: str) -> Iterator[str]:
    """The same of a script in which letters have signs."""
    syllables = _SYLLABLE.findall(run)
    return chain(syllables, map("".join, pairwise(syllables)))


def query_terms(text: str) -> list[str]:
    """The terms of a question in order, without duplicates; longer CJK runs as pairs only."""
    text = searchable(text)
    joined = text
    if not (_BETWEEN_GROUPS.isdisjoint(text) or _DIGITS.isdisjoint(text)):
        joined = _IN_ONE_WORD.sub(lambda number: number[0].replace(number[1], ""), text)
    terms = map(_terms_of_question_word if is_cjk(joined) else _terms_of, WORD.findall(joined))
    found = dict.fromkeys("\n".join(terms).split("\n"))
    if "" in found:
        del found[""]
        found |= dict.fromkeys(grouped_numbers(text))
    if _IN_VERSION.search(text):
        found |= dict.fromkeys(map(str.casefold, _VERSION.findall(text)))
    return list(found | dict.fromkeys(_words_with_sign(text)))


# Letters that are typed as two where a keyboard lacks them; æ is so everywhere.
_AS_TWO = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
# No umlaut is in neue, Frauen and Quelle.
_AS_ONE = pattern(r"(?<![aeq])([aou])e|(a)a")
_MIN_SPELLED = 5  # of fewer letters, poet and pot are two words


def other_spelling(word: str) -> str:
    """A word of a question with `ue` for `ü`, or with `u` for `ue` as the index has it for `ü`;
    empty where it has one spelling."""
    word = normalised("NFC", word).casefold()
    if not word.isascii():
        other = word.translate(_AS_TWO)
    else:
        other = _AS_ONE.sub(r"\1\2", word) if len(word) >= _MIN_SPELLED else word
    return "" if other == word else other


# English words whose forms no ending leads to each other. One behind `<` is found by its word, and
# does not find it: it is a word of its own more often.
_IRREGULAR = """
arise arose arisen, awake awoke awoken, beat beaten, become became, begin began begun, bend bent,
bite bitten, bleed bled, blow blew blown, break broke broken, breed bred, bring brought,
build built, burn burnt, buy bought, catch caught, choose chose chosen, come came, creep crept,
deal dealt, dig dug, draw drew drawn, dream dreamt, drink drank drunk, drive drove driven,
eat ate eaten, fall fell fallen, feed fed, feel <felt, fight fought, find <found, flee fled,
fly flew flown, forbid forbade forbidden, foresee foresaw foreseen, forget forgot forgotten,
forgive forgave forgiven, freeze froze frozen, get got gotten, give gave <given, go went gone,
grow grew grown, hang hung, hear heard, hide hid <hidden, hold held, keep kept, kneel knelt,
know knew known, lay laid, lead <led, lean leant, leap leapt, learn learnt, leave <left,
lend lent, light <lit, lose lost, make made, mean meant, meet met, mislead misled,
mistake mistook mistaken, override overrode overridden, oversleep overslept,
overtake overtook overtaken, overwrite overwrote overwritten, pay paid, rebuild rebuilt,
rewrite rewrote rewritten, ride rode ridden, ring rang rung, rise <rose risen, run ran, say said,
see <saw seen, seek sought, sell sold, send sent, sew sewn, shake shook shaken, shine shone,
shoot shot, show shown, shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat,
sleep slept, slide slid, speak spoke spoken, speed sped, spell spelt, spend spent, spill spilt,
spin spun, spoil spoilt, stand stood, steal stole stolen, stick stuck,
strike struck, strive strove, swear swore sworn, sweep swept, swell swollen, swim swam swum,
swing swung, take took taken, teach taught, tear tore torn, tell told, think <thought,
throw threw thrown, undergo underwent undergone, understand understood, undo undid undone,
wake woke woken, wear wore worn, weave wove woven, weep wept, win won,
withdraw withdrew withdrawn, write wrote written,
child children, foot feet, goose geese, half halves, knife knives, loaf loaves, man men,
mouse mice, ox oxen, person people, shelf shelves, thief thieves, tooth teeth, wife wives,
wolf wolves, woman women, analysis analyses, cactus cacti, crisis crises,
criterion criteria, curriculum curricula, diagnosis diagnoses, fungus fungi,
hypothesis hypotheses, matrix matrices, parenthesis parentheses, phenomenon phenomena, radius radii
"""


@lru_cache(maxsize=1_000)
def other_forms(term: str) -> tuple[str, ...]:
    """The terms of other forms of the word of which a term of the index is the stem."""
    for family in _families().get(term[:_SAME], ()):
        forms = {stem(form.removeprefix("<")): form for form in family}
        if not forms.get(term, "<").startswith("<"):
            return tuple(other for other in forms if other != term)
    return ()


_SAME = 2  # letters at the start, at least, that a form and its stem have in common


@cache
def _families() -> Mapping[str, Sequence[Sequence[str]]]:
    """The words with irregular forms by the starts of these: to find the stems of all takes a
    tenth of a search."""
    found = defaultdict[str, list[list[str]]](list)
    for family in map(str.split, _IRREGULAR.split(",")):
        for start in {form[:_SAME] for form in family if form[0] != "<"}:
            found[start].append(family)
    return found


def _ascii_terms(word: str) -> tuple[str, ...]:
    if word[-1] == "s" and word[:-1].isupper() and len(word) > 2:  # several of PR, SLA, VM
        word = word[:-1]
    whole = stem(word[:_MAX_WORD].lower())
    if word.islower() or word.isdigit():
        if "_" not in word:
            return (whole,)
    elif word.isupper() and "_" not in word:
        return (whole,)
    parts = _PARTS.findall(word[:_MAX_WORD])
    if len(parts) < 2:
        return (whole,) if "_" not in word or not parts else (whole, stem(parts[0].lower()))
    return (whole, *dict.fromkeys(stem(part.lower()) for part in parts if len(part) > 1))


def _terms_of_question_word(word: str) -> str:
    """The terms of one word, a line each; of longer CJK runs pairs only."""
    return "\n".join(_in_runs(word)) if is_cjk(word) else _terms_of(word)


def _in_runs(word: str) -> Iterator[str]:
    for cjk, unspaced, other in _RUNS.findall(word):
        for each in _OTHER_WORDS.findall(other):
            yield from _terms_of(each).split("\n")
        parts = cjk or _SYLLABLE.findall(unspaced)
        yield from parts if len(parts) == 1 else map("".join, pairwise(parts))


class _Normalisation(NamedTuple):
    """BM25's k1 and b, and the average length of a unit in characters (CJK counts double)."""

    k1: float
    b: float
    average_length: float


# Short units want little length normalisation, blocks of mixed length want much.
_BLOCK = _Normalisation(k1=1.2, b=0.75, average_length=1000)
_SHORT = _Normalisation(k1=0.9, b=0.6, average_length=200)


def packed(unit: Unit) -> Terms:
    """The terms of a unit with their weights; in few bytes, as the units of 2,000 pages wait for a
    commit."""
    text = f"{unit.names}\n{unit.text}"
    counts = count_terms(text)
    k1, b, average_length = _BLOCK if unit.kind is UnitKind.BLOCK else _SHORT
    norm = k1 * (1 - b + b * _size(text) / average_length)
    top = SCALE * (k1 + 1)
    # Few distinct counts occur in a unit, so the formula is worked out once for each.
    weight = {n: round(top * n / (n + norm)) or 1 for n in set(counts.values())}
    names = "\n".join(counts).encode("utf-8", "surrogatepass")
    return Terms(names, bytes(map(weight.__getitem__, counts.values())))


def weights_of(terms: Terms | None) -> Iterable[tuple[bytes, int]]:
    """The weight of each term, in UTF-8: 1 to 255; IndexDamagedError for a unit of which nothing
    was made, as the index should have it."""
    if terms is None:
        raise IndexDamagedError("keyword index: it lacks units of a page that it holds")
    return zip(terms.names.split(b"\n"), terms.weights, strict=True) if terms.weights else ()


def _size(text: str) -> int:
    if text.isascii() or not is_cjk(text):
        return len(text)
    # A CJK character takes three bytes in UTF-8 and says about as much as two letters.
    return (len(text.encode("utf-8", "surrogatepass")) + len(text)) // 2


class ErasedText(NamedTuple):
    """The terms that no page holds any more, and the lines."""

    terms: frozenset[str]
    lines: frozenset[str]

    def is_in(self, text: str) -> bool:
        """Whether a text repeats any of it."""
        if not self.lines.isdisjoint(_lines(text)):
            return True
        return bool(self.terms) and not self.terms.isdisjoint(count_terms(text))


def erased_text(texts: Iterable[str], is_held: Callable[[str], bool]) -> ErasedText:
    """What was only in these texts; `is_held` tells whether a page still has a term."""
    terms, lines = set[str](), set[str]()
    for text in texts:
        terms.update(term for term in count_terms(text) if len(term) >= _MIN_TERM or is_cjk(term))
        lines.update(line for line in _lines(text) if len(line) >= _MIN_LINE)
    return ErasedText(frozenset(term for term in terms if not is_held(term)), frozenset(lines))


def _lines(text: str) -> Iterable[str]:
    return map(str.strip, text.casefold().splitlines())
