"""Words and amounts with a meaning of their own to a judge of facts, in English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import lru_cache

from memwiki.facts.identity import HAN, ZH_DIGITS, normal_form
from memwiki.records import NamedTuple
from memwiki.text import holds, pattern

COUNTS = frozenset(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred "
    "thousand million billion dozen half once twice single double triple first second third fourth "
    "fifth sixth seventh eighth ninth tenth last".split()
)
MONTHS = frozenset(
    "january february march april may june july august september october november december".split()
)
DATES = MONTHS | frozenset(
    "monday tuesday wednesday thursday friday saturday sunday today yesterday tomorrow tonight "
    "morning noon afternoon evening night am pm weekday weekdays weekend weekends".split()
)
ZH_COUNT = pattern(
    f"(?:[周週]|星期|礼拜)[{ZH_DIGITS}日天末]|[{ZH_DIGITS}]{{2,}}|[{ZH_DIGITS.replace('一', '')}]"
    "|[今明昨前后去]天|[今明去前]年|[上本下]周|[上下][个個]?月|[上下中]午|早上|晚上"
)
THOUSAND = pattern(r"(?<=\d),(?=\d{3}(?!\d))")
_HALF_DAY = 720
_CLOCK = pattern(
    r"(?:凌晨|早上|上午|中午|下午|晚上|傍晚)?(?<![0-9a-z_])"
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?(?: ?(?P<half>[ap])\.?m\b\.?| ?o clock\b)?"
    r"(?: (?:utc|gmt|cet)\b)?"
)
_CLOCK_ZH = pattern(
    rf"(?:凌晨|早上|上午|中午|下午|晚上|傍晚)?(?P<hour>\d{{1,2}}|[{ZH_DIGITS}]{{1,3}})[点點时]钟?(?![事都也儿辣])"
    rf"(?:(?P<half>半)|(?P<quarter>一刻)|(?P<minute>\d{{1,2}}|[{ZH_DIGITS}]{{1,3}})分?)?整?"
)
_NOON = pattern(r"\bnoon\b|正午")
_COUNTED_ZH = pattern(rf"[{ZH_DIGITS[:13]}]{{1,3}}(?=[月日号楼层岁])")
ZH_SURNAMES = (
    "王李张刘陈杨赵黄吴徐孙胡朱林郭罗梁宋郑谢韩唐冯董萧曹袁邓傅沈彭吕苏卢蒋蔡贾丁魏薛阎潘杜戴汪姜范姚谭"
    "廖邹熊陆郝孔崔邱秦江顾侯邵孟龙雷尹黎武乔贺赖龚"
)
# These begin other words, too: 周末, 许多.
_ZH_DOUBTFUL = (
    "周(?![一二三四五六日天末年期围边会报刊])|许(?![多久可愿诺])|何(?![时处必况以])|程(?![序度])"
    "|余(?![下额])|田(?![地园野])|钟(?![头表])|夏(?![天季日])|叶(?![子片])|高(?![兴中考铁度大])"
    "|马(?![上路桶])|任(?![务何意])|白(?![天色菜])|金(?![色额钱])|方(?![便法向面式案])|石(?![头油])"
)
ZH_SURNAME = f"(?:[{ZH_SURNAMES}]|{_ZH_DOUBTFUL})"
ZH_VALUES = {digit: at for at, digit in enumerate("零一二三四五六七八九十")} | {"两": 2, "〇": 0}


class Kind(StrEnum):
    CONTENT = "content"
    STOP = "stop"  # says nothing
    NEGATION = "negation"
    LIKING = "liking"
    DISLIKING = "disliking"
    LASTING = "lasting"  # always
    CHANGE = "change"  # now
    ADDITION = "addition"  # also: both are true
    CONDITION = "condition"  # if


class Token(NamedTuple):
    """A word, or a Chinese character or known word, as normalised."""

    text: str
    kind: Kind = Kind.CONTENT


_ENGLISH = {
    Kind.STOP: "a an the is are am be been being of that this these those it its there do does",
    Kind.NEGATION: "not no never none nobody nothing neither nor without no_longer",
    Kind.LIKING: "like likes liked love loves loved prefer prefers preferred preference enjoy "
    "enjoys enjoyed favor favors favour favours favorite favorites favourite favourites adore "
    "adores fond",
    Kind.DISLIKING: "dislike dislikes disliked hate hates hated detest detests loathe loathes "
    "can_not_stand",
    Kind.LASTING: "always forever every_time",
    Kind.CHANGE: "now recently switched currently nowadays lately anymore any_more these_days",
    Kind.ADDITION: "also too another additionally as_well",
    Kind.CONDITION: "if when whenever unless whether while in_case except",
    Kind.CONTENT: "not_only",
}
# What holds the characters of a negation and is none comes as content.
_CHINESE = {
    Kind.CONTENT: "不错 不过 不同 不仅 不但 不管 不论 不少 差不多 不得不 不断 不久 不妨 不好意思 "
    "对不起 不止 不只是 不光 不然 没关系 没事 未来 没错 是不是 要不要 能不能 会不会 "
    "可不可以 有没有 可爱 爱好 当前 当然 应当 适当 当地 还原 还款 退还 归还 也许 了解 "
    "不停地 不幸 不时 时不时 动不动 不锈钢 不动产 不一会儿 不知不觉 不约而同 好不容易 "
    "毫不犹豫 未必 未婚妻 未婚夫 被没收 淹没 沉没 埋没 当年 当时 当下 当即 "
    "当选 当真 当中 当局 正当 当初 当日 相当 当作 当今 当代 当天 当场 当晚 当事人 充当 "
    "恰当 当做 当成 当面 担当 家当 上当 若干 为了 除了 罢了 极了 算了 对了 了不起 "
    "受不了 免不了 少不了 不得了 维也纳 也门 还给 偿还 交还",
    Kind.STOP: "的 是 呢 吧 啊 呀 嘛",
    Kind.NEGATION: "不再 再也不 从不 从未 并不 并非 不 没 未 勿 禁止",
    Kind.LIKING: "最喜欢 最喜歡 喜欢 喜歡 喜爱 偏好 偏爱 热爱 钟爱 最爱 爱吃 爱喝 爱看 爱听 "
    "爱玩 中意",
    Kind.DISLIKING: "讨厌 討厭 厌恶 反感 嫌弃",
    Kind.LASTING: "总是 一直 永远 始终 从来 一向",
    Kind.CHANGE: "现在 最近 目前 如今 改用 改为 改成 换成 换了 转而 已经 了",
    Kind.ADDITION: "也 还 又 另 此外",
    Kind.CONDITION: "如果 若 假如 要是 的话 是否 除非 当",
}
_RUN, _HAN = pattern(f"[{HAN}]+|[^{HAN}]+"), pattern(f"[{HAN}]")
_HYPHEN = pattern("(?<=[a-z])-(?=[a-z])")
_NOT = pattern(r"(?<=[a-z])n['’]t(?![a-z])", re.IGNORECASE)
_SHORTENED = pattern(r"\b(?:cannot|can['’]t|won['’]t)(?![a-z])", re.IGNORECASE)
_CLITIC = pattern(r"['’](?:s|m|re|ve|ll|d)?(?![0-9a-z])", re.IGNORECASE)


class ConflictRules(NamedTuple):
    """The settings of judging conflicts. The words are added to ours."""

    threshold: float = 0.6
    negation_words: tuple[str, ...] = ()
    preference_words: tuple[str, ...] = ()
    change_words: tuple[str, ...] = ()


DEFAULT_RULES = ConflictRules()


class Lexicon(NamedTuple):
    kinds: Mapping[str, Kind]
    phrases: re.Pattern[str]  # of several English words
    chinese: re.Pattern[str]


@lru_cache(maxsize=8)
def lexicon(rules: ConflictRules = DEFAULT_RULES) -> Lexicon:
    """All known words, with those of the settings."""
    kinds = {
        word.replace("_", " "): kind
        for words in (_ENGLISH, _CHINESE)
        for kind, written in words.items()
        for word in written.split()
    }
    kinds |= dict.fromkeys(map(normal_form, rules.preference_words), Kind.LIKING)
    kinds |= dict.fromkeys(map(normal_form, rules.change_words), Kind.CHANGE)
    kinds |= dict.fromkeys(map(normal_form, rules.negation_words), Kind.NEGATION)
    chinese = [word for word in kinds if re.match(f"[{HAN}]", word)]
    phrases = [word for word in kinds if " " in word]
    return Lexicon(
        kinds,
        pattern(f"(?<![0-9a-z_])(?:{any_of(phrases)})(?![0-9a-z_])"),
        pattern(any_of(chinese)),
    )


def any_of(words: Iterable[str]) -> str:
    """A pattern for one of some words, the longest that fits."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


def spelled_out(text: str) -> str:
    """The text with `n't` as `not`, and without `'s` and the like."""
    has_sign = "'" in text or "’" in text
    if has_sign or "annot" in text.lower():
        text = _SHORTENED.sub(lambda match: "will not" if match[0][0] in "wW" else "can not", text)
    return _CLITIC.sub(" ", _NOT.sub(" not", text)) if has_sign else text


def with_words_apart(text: str, words: Lexicon) -> str:
    """The text spelled out, with blanks around known Chinese words, so that they stand alone."""
    text = spelled_out(text)
    return text if text.isascii() else words.chinese.sub(r" \g<0> ", text)


def tokens_of(text: str, words: Lexicon) -> Iterator[Token]:
    """The words of a text in order, each with what it is."""
    plain = normal_form(spelled_out(text))
    plain = _HYPHEN.sub(" ", plain) if "-" in plain else plain
    plain = words.phrases.sub(lambda match: match[0].replace(" ", "\0"), plain)
    for part in plain.split():
        for run in (part,) if part.isascii() else _RUN.findall(part):
            if _HAN.match(run):
                yield from _chinese_tokens(run, words)
            else:
                word = run.replace("\0", " ")
                yield Token(word, words.kinds.get(word, Kind.CONTENT))


def _chinese_tokens(run: str, words: Lexicon) -> Iterator[Token]:
    """Known words, and the characters between them."""
    at = 0
    for match in words.chinese.finditer(run):
        yield from map(Token, run[at : match.start()])
        yield Token(match[0], words.kinds[match[0]])
        at = match.end()
    yield from map(Token, run[at:])


def with_plain_numbers(text: str) -> str:
    """A normalised text with times of day as minutes of half a day (`9 am`, `9:00`, 上午九点), and
    numbers in one form: `1,200`, 三月."""
    text = THOUSAND.sub("", text) if "," in text else text
    text = _CLOCK.sub(
        _plain_time, _NOON.sub("12:00", text) if holds(text, "noon", "正午") else text
    )
    if text.isascii():
        return text
    text = _CLOCK_ZH.sub(_plain_time_zh, text)
    return _COUNTED_ZH.sub(lambda match: str(number_of(match[0])), text)


def _plain_time(match: re.Match[str]) -> str:
    if not (match["minute"] or match[0] != match["hour"]):
        return match[0]
    minutes = int(match["hour"]) * 60 + int(match["minute"] or 0)
    return f"{minutes % _HALF_DAY}m"


def _plain_time_zh(match: re.Match[str]) -> str:
    minute = 30 if match["half"] else 15 if match["quarter"] else number_of(match["minute"] or "0")
    return f"{(number_of(match['hour']) * 60 + minute) % _HALF_DAY}m"


def number_of(text: str) -> int:
    """The value of figures, or of Chinese ones below ten thousand."""
    if text.isdecimal():
        return int(text)
    for sign, size in (("千", 1_000), ("百", 100), ("十", 10)):
        before, found, after = text.partition(sign)
        if found:
            return (number_of(before) if before else 1) * size + number_of(after.lstrip("零〇"))
    return ZH_VALUES.get(text, 0)


# One within a word is part of no amount: item1.
_FIGURE = pattern(
    rf"\d(?:(?<![0-9a-z_].)|(?=[点點时]))|[{ZH_DIGITS}半]|half|noon|正午|an hour|every |once a"
)


def with_plain_figures(text: str) -> str:
    """A normalised text with its numbers, times of day and amounts in one form."""
    if not _FIGURE.search(text):  # as in most texts
        return text
    return with_plain_amounts(with_plain_numbers(text))


_THOUSANDS = {"k": 1_000, "万": 10_000, "萬": 10_000}
_LARGE = pattern(
    r"(?<![a-z0-9_.一二两三四五六七八九十百千])(?P<sign>[$€£¥]?)(?P<count>\d+(?:\.\d+)?|[一二两三四五六七八九十百千零]{1,7})"
    r"(?P<size>k(?![a-z0-9_])|[万萬](?![\d一二三四五六七八九十百千万]))"
)
_JOINED = pattern(
    r"(\d(?<![a-z0-9_.:-].)(?!(?:(?<=1)9|(?<=2)0)\d\ds)\d*(?:\.\d+)?)"
    r"(s|sec|min|h|hrs?|[kmgt]b|kg)(?![a-z0-9_])"
)
_HALVES = (("半个?小时", "30分钟"), ("半个月", "15天"), ("半年", "6个月"))
_HALVES_EN = (("half an hour", "30 minutes"), ("half a year", "6 months"))
_RATES = (
    "hour hourly day daily night nightly week weekly month monthly quarter quarterly year yearly"
)
_OF_ONE = (
    *((pattern(form), plain) for form, plain in (*_HALVES, *_HALVES_EN)),
    (pattern(r"(?<=(?:after|lasts|takes) )an hour"), "60 minutes"),
)
_EVERY = pattern(r"\b(?:every|once an?) (hour|day|night|week|month|quarter|year)\b")
_OFTEN = dict(zip(*[iter(_RATES.split())] * 2, strict=True))
_A_DAY = 86_400
# What is counted in one of these: the unit that stands for all, and how many of it.
_UNITS = {
    **dict.fromkeys(("=second", "s"), ("=second", 1.0)),
    "=minute": ("=second", 60),
    **dict.fromkeys(("=hour", "h"), ("=second", 3_600)),
    "=day": ("=second", _A_DAY),
    "=week": ("=second", 7 * _A_DAY),
    "=month": ("=second", 30 * _A_DAY),
    "=year": ("=second", 12 * 30 * _A_DAY),
    "kb": ("=megabyte", 1 / 1024),
    "=megabyte": ("=megabyte", 1),
    "=gigabyte": ("=megabyte", 1024),
    "tb": ("=megabyte", 1024 * 1024),
}


def with_plain_amounts(text: str) -> str:
    """A normalised text with `20k` and 20万 written out, half an hour in minutes, and `30s` as two
    words."""
    for form, plain in _OF_ONE if "half" in text or "半" in text or "an hour" in text else ():
        text = form.sub(plain, text)
    if "every " in text or "once a" in text:
        text = _EVERY.sub(lambda match: _OFTEN[match[1]], text)
    return _JOINED.sub(r"\1 \2", _LARGE.sub(_written_out, text))


def _written_out(match: re.Match[str]) -> str:
    count = match["count"]
    value = float(count) if count[0].isdecimal() and count.isascii() else number_of(count)
    return f"{match['sign']}{value * _THOUSANDS[match['size']]:.0f}"


def in_base(figure: str, unit: str) -> tuple[str, str]:
    """A figure and its unit, of durations and sizes in seconds and megabytes."""
    if unit not in _UNITS or not figure.replace(".", "", 1).isdecimal():
        return figure, unit
    base, count = _UNITS[unit]
    return f"{float(figure) * count:g}", base
