"""When two texts are the same text: the form in which they are compared."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from memwiki.index.keyword.tokens import normalise
from memwiki.markdown.mask import mask_inline, without_fences
from memwiki.markdown.tags import find_tags
from memwiki.names import JOINERS
from memwiki.text import pattern

HAN = "\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # written without blanks between words
ZH_DIGITS = "零〇一二两三四五六七八九十百千万亿"

_POWERS = str.maketrans({power: f"^{digit}" for digit, power in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")})
_SAME_MARK = {ord(mark): plain for mark, plain in zip("’‘ʼ‐‑–−、", "'''----,", strict=True)}
_MEANT = frozenset("‰‱′″§")  # punctuation to Unicode, but part of a measure
_VARIANTS = range(0xFE00, 0xFE10)  # the same sign in colour or not
# A mark belongs to the word it touches: 3.10, a@b, C++, -5, .NET. Others only part the words. A
# comma after "no" and between two figures is kept: "no, cats" is not "no cats", 三、四 not 三四.
# It begins with one set of signs, which takes a quarter of the time to look for.
_LOOSE = pattern(
    r"[\"()\[\]{}|;`~:'*.!\\/,-](?:(?<=[\"()\[\]{}|;`])[\"()\[\]{}|;`]*|(?<=~)~+"
    r"|(?<=[:'*])(?<![0-9a-z_].)[:'*]*|(?<=[:'*.!\\/-])[:'*.!\\/-]*(?![0-9a-z_=~$])"
    rf"|(?<=,)(?<!\bno,)(?<!不,)(?![0-9])(?!(?<=[{ZH_DIGITS}],)[{ZH_DIGITS}])|(?<=[^0-9],)(?=[0-9]))"
)
# What stands alone and is all marks means something: ->, :), ((. It is kept in its full-width form.
_ALONE = pattern(
    r"[!-/:-@\[-_{-~](?<![^\s`].)(?:(?<=[\"()\[\]{}|;:<>\\/])|(?<=[*!.,-])(?=[*!.,-]*[\"()\[\]{}|;:<>\\/]))"
    r"[!-/:-@\[-_{-~]{1,7}(?![^\s`])"
)
# Marks of code mean something, too: `new[]`, `*p`, `operator/`.
_CODE = pattern(r"`([^`\n]{1,200})`|(?<=[0-9a-z_])\[\]")
_CODE_MARKS = pattern(r"[]\[{}|*;\"]|[/!.:,'\\(-]+$")
_WIDE = {code: chr(code + 0xFEE0) for code in range(0x21, 0x7F)}
# What case means something in. Of 5GB, Q3 and iPhone it does not.
_OWN_CASE = pattern(
    r"`([^`\n]{1,200})`"
    r"|(?:(?i:pass(?:word|wd|phrase|code)|pwd|pin|token|key|secret|login|user[ _-]?name)"
    r"|(?i:env(?:ironment)? var(?:iable)?|branch)|密码|口令|密钥|令牌|账号|用户名|环境变量|分支)"
    r"(?:[ \t]?[:=：][ \t]?|[ \t](?i:is)[ \t]|[ \t]?[是为][ \t]?)"
    r"([!-~]{1,100}(?<![.,;:!?)]))"
    r"|(?<![\w/.:~-])(-{1,2}[A-Za-z][\w-]{0,60})"
    r"|(?<![\w/.:~-])((?:~|\.{1,2}|[A-Za-z]:)?(?:[/\\][\w.@+-]{1,100}){1,50})(?<![.])"
    r"|(?<![\w/.:~-])([\w@+-]{1,100}(?:/[\w@+-]{1,100}){1,50}\.\w{1,8})(?!\w)"
    r"|(?<![\w/.:~-])([a-z][\w@+-]{0,100}(?:[/.:][\w@+-]{1,100}){1,50})(?!\w)"
    r"|(?<![\w/.:~-])([A-Z][A-Z0-9]{0,60}_[A-Z0-9_]{1,60})(?!\w)"
    r"|(?<![A-Za-z0-9])(?!\d{1,9}[A-Za-z]{1,4}(?![A-Za-z0-9]))(?=[0-9]{0,60}[A-Za-z])"
    r"(?=[A-Za-z]{0,60}[0-9])([A-Za-z0-9]{5,64})(?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9])([a-z]{2,40}[A-Z](?!S(?![A-Za-z]))[A-Za-z]{0,40})(?![A-Za-z0-9])"
)
_QUESTION = pattern(r"\?\?*(?![0-9a-z_])")
_BLANK_AT_HAN = pattern(f" (?:(?<=[{HAN}] )|(?=[{HAN}]))")


class _Signs(dict[int, str]):
    """What becomes of each character outside ASCII: a blank for punctuation and the invisible."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        self[code] = character if code < 128 else _SAME_MARK.get(code) or _sign(character)
        return self[code]


def _sign(character: str) -> str:
    if character in _MEANT or character in JOINERS:
        return character
    if ord(character) in _VARIANTS:
        return ""
    category = unicodedata.category(character)
    if category == "Cf":
        return ""
    return " " if category[0] in "PZ" or category == "Cc" else character


_SIGNS = _Signs()


@lru_cache(maxsize=64)  # a judge asks for one text several times
def normal_form(text: str) -> str:
    """The form in which identical texts are equal: NFKC, casefolded, without accents, loose
    punctuation and double blanks. Of text that is nothing else as much is left as tells it apart.
    """
    folded = text.lower() if text.isascii() else _fold_signs(text)
    if "`" in folded or "[]" in folded:
        folded = _CODE.sub(_code, folded)
    if _ALONE.search(folded):
        folded = _ALONE.sub(_widened, folded)
    words = " ".join(_QUESTION.sub(" ? ", _LOOSE.sub(" ", folded)).split())
    if not words.isascii():
        words = _BLANK_AT_HAN.sub("", words)
    return words if words.strip("?, ") else " ".join(folded.split()) or text.strip()


def identity(text: str) -> str:
    """What two texts share that are the same memory: the tags that end their lines aside."""
    words = without_last_tags(text)[0]
    own = in_own_case(words)
    return "\0".join((normal_form(words), *own)) if own else normal_form(words)


def in_own_case(text: str) -> tuple[str, ...]:
    """The words of a text with a capital that means something: those of code, paths, names with
    marks in them, mixed with figures, and passwords; and flags of two dashes."""
    if text.islower() and "--" not in text:
        return ()
    found = (next(filter(None, match.groups())) for match in _OWN_CASE.finditer(text))
    return tuple(each for each in found if each.startswith("--") or not each.islower())


def without_last_tags(text: str) -> tuple[str, list[str]]:
    """The words of a text and the tags that end its lines; all are words where nothing else is
    left."""
    if "#" not in text:
        return text, []
    tags = frozenset(f"#{name}" for name, _ in find_tags(mask_inline(without_fences(text))))
    lines, last = list[str](), list[str]()
    for line in text.split("\n"):
        words = line.replace("\t", " ").split(" ")
        end = len(words)
        while end and (not words[end - 1] or words[end - 1] in tags):
            end -= 1
        lines.append(line[: len(" ".join(words[:end]))])
        last += filter(None, words[end:])
    return ("\n".join(lines), last) if any(lines) else (text, [])


def _code(match: re.Match[str]) -> str:
    return f" {_CODE_MARKS.sub(_widened, match[1])} " if match[1] else match[0].translate(_WIDE)


def _widened(match: re.Match[str]) -> str:
    return match[0].translate(_WIDE)


def _fold_signs(text: str) -> str:
    text = normalise(normalise(text.translate(_POWERS)).casefold())
    return text.translate(_SIGNS)
