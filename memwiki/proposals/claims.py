"""What a text claims that its source has to say: names and numbers, in one form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal

from memwiki.facts.identity import ZH_DIGITS
from memwiki.index.keyword.tokens import normalise
from memwiki.judgement import statement_words as known
from memwiki.judgement.lexicon import (
    THOUSAND,
    ZH_SURNAME,
    ZH_SURNAMES,
    ZH_VALUES,
    Kind,
    any_of,
    lexicon,
    spelled_out,
)
from memwiki.text import RUN, has_chinese, pattern
from memwiki.times.english import NUMBERS

# Words that begin a sentence with a capital, and are no names.
_OPENING = frozenset(
    "examples failures people reasons results rules steps "
    "adding applying available calling certain changing choosing clicking common creating current "
    "default deleting different early enabling existing external giving important internal large "
    "local main making manual missing multiple new old optional pressing previous putting removing "
    "reserved running separate setting several similar simple single small special specific typing "
    "using various whatever whoever writing "
    "according after although another as because besides being both but during either everyone "
    "everything few he him her here his having how however if like many more most much nobody no "
    "none not nothing once one or other others our she since some someone something such them "
    "themselves they thing things though thus time unlike while when why without apart".split()
)
_NO_NAMES = (
    _OPENING
    | known.SKIPPED
    | known.POINTING_WORDS
    | known.USER
    | {word for word, kind in lexicon().kinds.items() if kind is not Kind.CONTENT}
)
_TITLES = (
    "先生|女士|小姐|老师|医生|大夫|经理|教授|总监|总|律师|主任|师傅|同学|阿姨|叔叔|奶奶|爷爷|哥|姐"
)
# A surname behind one of these begins a name: and, with, called, friend, sister, colleague.
_BEFORE_NAME = (
    "和跟与同叫是给找陪帮让被对向为、，。；：“「"
    "爸妈父母哥姐弟妹叔姑舅姨爷奶儿女孙夫妻友兄师事学板生子太任"
)
_PLACES = any_of(
    "北京 上海 天津 重庆 广州 深圳 杭州 南京 苏州 武汉 成都 西安 长沙 青岛 大连 厦门 宁波 "
    "昆明 郑州 济南 沈阳 哈尔滨 长春 福州 合肥 南昌 贵阳 南宁 海口 三亚 拉萨 兰州 银川 西宁 "
    "乌鲁木齐 呼和浩特 太原 石家庄 无锡 珠海 桂林 丽江 大理 洛阳 温州 香港 澳门 台北 高雄 "
    "台湾 河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东 海南 "
    "四川 贵州 云南 陕西 甘肃 青海 内蒙古 广西 西藏 宁夏 新疆 中国 美国 日本 韩国 英国 法国 "
    "德国 意大利 西班牙 俄罗斯 加拿大 澳大利亚 新西兰 新加坡 泰国 越南 马来西亚 印度 巴西 荷兰 "
    "瑞士 瑞典 挪威 芬兰 丹麦 东京 大阪 京都 首尔 纽约 旧金山 洛杉矶 西雅图 伦敦 巴黎 柏林 "
    "慕尼黑 罗马 悉尼 墨尔本 多伦多 温哥华 曼谷".split()
)
_CHINESE = pattern(
    rf"(?P<place>{_PLACES})"
    r"|《(?P<title>[^《》\n]{1,60})》|[“「](?P<quoted>[^“”「」\n]{1,20})[”」]"
    rf"|(?P<nick>[小老阿][{ZH_SURNAMES}](?![{ZH_SURNAMES}]))"
    rf"|(?P<titled>{ZH_SURNAME}(?:{_TITLES}))"
    rf"|(?:^|(?<=[{_BEFORE_NAME}]))(?P<full>(?!孙[女子媳]){ZH_SURNAME}[\u4e00-\u9fff])"
    r"|(?:叫|名叫|名字是)(?:做|作)?(?P<called>[\u4e00-\u9fff]{2})"
)


def names_in(text: str) -> Iterator[str]:
    """The names in a text, the first word too where it may be one."""
    for word in RUN.findall(spelled_out(text)):
        if any(map(str.isupper, word)) and word.lower() not in _NO_NAMES:
            yield word
    if has_chinese(text):
        for match in _CHINESE.finditer(text):
            yield match[match.lastgroup or 0]


_ORDINALS = "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "k": 1000}
_ZH_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "亿": 10**8}
VALUES = (
    {word: number for word, number in NUMBERS.items() if word not in ("a", "an")}
    | {word: number for number, word in enumerate(_ORDINALS, 3)}
    | {"first": 1, "second": 2, "twice": 2, "dozen": 12}
    | _SCALES
)
_WORD = any_of(word for word in VALUES if word != "k")
_SPOKEN = pattern(
    rf"(?<![a-z])(?:{_WORD})(?:(?:[ -]|(?<=hundred) and )(?:{_WORD})){{0,9}}(?![a-z])"
)
_FIGURES = pattern(
    rf"([0-9]+(?:\.[0-9]+)*)(?:[ -]?({any_of(_SCALES)})(?![a-z])|([十百千万亿]{{1,3}}))?"
)
_CHINESE_NUMBER = pattern(f"[{ZH_DIGITS}]{{1,20}}")
# Words that hold a number and say none: 一起, 十分, "one of them".
_NO_NUMBER = pattern(
    r"(?<![a-z-])(?:one|first)(?![a-z]| (?:hundred|[mb]illion|thousand))"
    r"|[清归]零|百分之|千万|万一|万分|百般|再三|一一|四[处周面]|十分(?![钟之])"
    rf"|(?<![{ZH_DIGITS}0-9])一(?![{ZH_DIGITS}])"
)


def numbers_in(text: str) -> frozenset[str]:
    """All numbers of a text, `2500` for 2,500, "two thousand five hundred" and 两千五百."""
    plain = THOUSAND.sub("", normalise(text).lower())
    found = set(_in_figures(plain))
    words = _FIGURES.sub(" ", plain)
    for run in _SPOKEN.findall(words):
        found.update(map(str, _spoken(re.findall(r"[a-z]+", run.replace(" and ", " ")))))
    if not words.isascii():
        found.update(map(_chinese, _CHINESE_NUMBER.findall(words)))
    return frozenset(found)


def stated_numbers(text: str) -> frozenset[str]:
    """The numbers that a text states, without words that only look like one."""
    return numbers_in(_NO_NUMBER.sub(" ", normalise(text).lower()))


def _in_figures(plain: str) -> Iterator[str]:
    for figures, scale, chinese in _FIGURES.findall(plain):
        whole, *rest = figures.split(".")
        number = ".".join([whole.lstrip("0") or "0", *rest])
        if len(rest) == 1:
            number = number.rstrip("0").rstrip(".")
        yield _scaled(number, [scale, *chinese]) if len(rest) < 2 else number


def _scaled(number: str, scales: Iterable[str]) -> str:
    known = _SCALES | _ZH_SCALES
    factors = [known[scale] for scale in scales if scale]
    if not factors:
        return number
    value = Decimal(number)
    for factor in factors:
        value *= factor
    return f"{value.normalize():f}"


def _spoken(words: Iterable[str]) -> Iterator[int]:
    """The numbers of a run of words: one for "two hundred five", two for "two three"."""
    whole = part = 0
    for value in map(VALUES.__getitem__, words):
        if value >= 1000:
            whole, part = whole + max(part, 1) * value, 0
        elif value == 100:
            part = max(part, 1) * value
        elif part and not _follows(part, value):
            yield whole + part
            whole, part = 0, value
        else:
            part += value
    yield whole + part


def _follows(part: int, value: int) -> bool:
    """Whether a number is the rest of one that began: twenty-one, a hundred twelve."""
    return part % 100 == 0 or (value < 10 and part % 10 == 0 and part % 100 >= 20)


def _chinese(run: str) -> str:
    """两千三百五 is 2350, 二〇二三 is 2023."""
    if not set(run) & _ZH_SCALES.keys():
        return "".join(str(ZH_VALUES[sign]) for sign in run).lstrip("0") or "0"
    whole = section = digit = 0
    scale = 1
    for sign in run:
        if sign not in _ZH_SCALES:
            digit, scale = ZH_VALUES[sign], scale if ZH_VALUES[sign] else 1
            continue
        scale = _ZH_SCALES[sign]
        if scale >= 10_000:
            whole, section, digit = (whole + section + digit or 1) * scale, 0, 0
        else:
            section, digit = section + (digit or 1) * scale, 0
    return str(whole + section + digit * max(scale // 10, 1))
