"""Chinese words for times: what each means, counted from now."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime

from memwiki.text import has_chinese, pattern
from memwiki.times.periods import (
    FoundTime,
    Hours,
    Period,
    calendar_week,
    clock_time,
    in_units,
    weekday_of,
)

FORMS = {"week": "{} 那一周", "weekend": "{} 那个周末"}
BEFORE_WORDS = FORMS | {"year": "{} 年"}  # 2026 六岁 were two numbers

_DAYS = {
    "大前天": -3,
    "前天": -2,
    "昨天": -1,
    "昨日": -1,
    "今天": 0,
    "今日": 0,
    "明天": 1,
    "明日": 1,
    "后天": 2,
    "大后天": 3,
    "昨": -1,  # 昨晚, 今早
    "今": 0,
    "明": 1,
}
_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2, "大后年": 3}
_WHICH = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_WEEKDAYS = {day: number for number, day in enumerate("一二三四五六日")} | {"天": 6}
_PARTS: dict[str, Hours] = {
    word: hours
    for words, hours in (
        ("凌晨", (0, 6)),
        ("清晨 早上 早晨 早 晨", (1, 11)),
        ("上午", (1, 12)),
        ("中午", (11, 14)),
        ("下午", (12, 19)),
        ("傍晚", (16, 20)),
        ("晚上 晚间 夜里 夜间 深夜 晚 夜", (18, 23)),
    )
    for word in words.split()
}
_WHOLE = {
    "早": "早上",
    "晨": "早晨",
    "晚": "晚上",
    "夜": "夜里",
}  # other parts stay as they are said
_UNITS = {
    "天": "day",
    "周": "week",
    "星期": "week",
    "礼拜": "week",
    "月": "month",
    "年": "year",
    "小时": "hour",
    "钟头": "hour",
    "分钟": "minute",
}
_HALVES = {"年": (6, "month"), "小时": (30, "minute"), "钟头": (30, "minute")}
_DIGITS = {digit: number for number, digit in enumerate("零一二三四五六七八九")} | {"两": 2}

_NUMBER = "[零一二两三四五六七八九十]{1,3}"
COUNT = rf"(?:\d{{1,3}}|{_NUMBER})"
_MEASURE = "个次十百千万位名人条件篇封本家场遍趟岁块元"
# Words that begin with the last letter of a time: 上周一直, 下周三次, 上周日常.
_NO_WEEKDAY = (
    rf"一[直起样般些定共下切旦度向律边点半{_MEASURE}]|[二三四五六][天年月周分{_MEASURE}]"
    r"|天[天气]"
)
# Words that a weekday begins, 上周日|本之行, and weekdays that go on, 上周一至五: left as they are.
_CUT = (
    "一(?:带一路|站式|体化|把手|季度|线城)|"
    "二(?:[手胡维战孩胎环楼]|次元|锅头|人转|氧化|级|等|期(?![中末间]))|"
    "三(?:[星亚峡农环楼]|里屯|文鱼|国(?![外内])|明治|等奖|角|省|级|脚架|连胜)|"
    "四(?:[川季驱肢海环楼]|合院|级|等奖)|六日|一二十|二三十|三四十|四五十|五六十|"
    "五(?:[金菱环楼谷]|一(?![起直早定共整个家场次])|台山|粮液|道口|险一金|星|花[肉八]|级)|"
    "六(?:合|一(?![起直早定共整个家场次])|级|环|楼|盘水|神)|"
    "日(?:[本记程语报用元均志历光化]|常|子|益|前|式|系|照)|"
    "天(?:[津坛猫鹅蝎]|文(?![章件])|台|堂|空|涯|然气|府|花板)|"
    "[一二三四五六日天][、~～至到-][一二三四五六日天](?![月日个点年])"
)
_NO_DAY = (  # 今天|津, 后天|形成的习惯
    r"津(?!贴)|真烂漫|花板|主教|(?<=后天)(?:免疫|形成|[获习]得|养成|培[养育]|塑造|失[明聪]|缺陷|因素|环境|努力|教育|训练"
    r"|的(?:努力|习惯|培养|教育|环境|影响|训练|修养))"
    r"|(?<=后天)性|(?<=[前后]天)天(?![气没亮黑空冷热晴阴很刚快还不])"
    r"|(?<=[今明]天)(?:国际(?=[，。、公控集股的有]|是|\Z)|系(?![里统列数办主任上鞋领安好着]))"
    r"|(?<=今日)(?:头条|说法|事|毕)|(?<=明日)(?:香|方舟|之星|边缘|黄花|期|复|何其)"
    r"|(?<=昨日)(?:重现|黄花|之日)|(?<=明天)(?:会更好|子|数(?![学据码]))"
)
# Words that the last letter of a year begins, and 去年|的今天, 今年|28: left as they are.
_NO_YEAR = (
    "[代限龄轻级纪糕味岁迈画薪费度头]|[份货](?![额币物车运])|夜饭|终(?!于)|华(?![为东北南中])"
    "|假(?![期日如])|检(?![查察测])|报(?![名考告销道税])|金(?![价融秋牌])|的?今[天日]"
    r"|[ \t]?\d{1,2}(?![\d月岁个天次年、～~至到-])"
)
# As 今|晚报, 明|早点, and 今晚|上加班 which is said for 今|晚上: 上 may be a word of its own.
_NO_PART = (
    "[餐饭宴霞班宵市校茶操点间]|报(?![名到])|高峰|自习"
    "|上(?![海课班线映市台架交传学场门床车山楼岗游演网街菜])"
)
_TOPIC = (
    "建议 意见 要求 想法 说明 注意 收获 心得 感受 原因 理由 不同 共识 体会 结论 启示 经验 改进 "
    "总结 内容 看法 思考 问题 教训"
).replace(" ", "|")
_MINUTES = (
    rf"半|(?P<quarters>[一三])刻|(?P<minutes>\d\d|{_NUMBER})(?:分(?!之)|(?![{_MEASURE}天年月]))"
)
# Up to another time, and no 到家.
_TO = (
    rf"[ \t]?(?:[-–—~～至]|到[ \t]?(?:\d|{_NUMBER}[点时分]"
    "|[凌早上中下傍晚深半午夜次明今后现第天黎]))"
)
_CLOCK = (
    rf"(?P<hour>\d{{1,2}}|{_NUMBER})(?:[:：](?P<minute>\d\d)|(?:点|时(?![间候期代常段]))"
    rf"(?!{_TOPIC})(?P<past>{_MINUTES})?+[整钟]?+)分?+(?![多\d%:：.]|{_TO})"
)
_GAP = r"[ \t\u3000]?"
_LONG_PARTS = "|".join(word for word in _PARTS if len(word) > 1)
_TIME = pattern(
    rf"(?P<day>(?P<near>大?[前后]天|[昨今明][天日])(?!{_NO_DAY})"
    rf"|(?P<joined>[昨今明](?=(?:夜[里间]|晚间|[早晚夜晨])(?!{_NO_PART})))"
    r"|(?P<which>上上|下下|[上下这本])个?(?:"
    rf"(?:周|星期|礼拜)(?!{_CUT})(?:(?P<weekend>末(?!尾))|(?!{_NO_WEEKDAY})(?P<weekday>[一二三四五六日天])"
    r"|(?![围边期刊年转遭岁末]|的?今[天日]))"
    r"|(?P<month>月)(?![亮光球经子饼票薪嫂色份刊台]|的?今[天日])"
    rf"(?:{_GAP}(?P<of_month>{COUNT})[日号])?)"
    rf"|(?P<year>(?:大?[前后]|[去今明])年)(?!{_NO_YEAR})"
    rf"(?:{_GAP}(?P<in_month>{COUNT})月(?:份|{_GAP}(?P<month_day>{COUNT})[日号])?)?"
    rf"|(?P<count>(?<!个)半|{COUNT}){_GAP}(?:个{_GAP}(?P<long>小时|钟头|月|星期|礼拜)"
    r"|(?P<unit>天|周|星期|礼拜|年|小时|分钟))[之以]?(?:(?P<back>前)|(?P<ahead>后))"
    r"(?![前后](?![天年])|[端台期面排言景提进往沿瞻勤续果悔代备辈途列锋程额半]|的?[昨今明]))"
    rf"(?P<part>(?(joined)(?:夜[里间]|晚间|[早晚夜晨])|(?:{_GAP}(?:{_LONG_PARTS})(?!茶))))?"
    rf"(?P<then>{_GAP}{_CLOCK})?"
)
# Letters that make longer words with the first one of a time: 清明|天气, 过去|年代, 马上|月底.
_JOINING = {
    "前天": "以之目年月提先从当眼面",
    "今天": "如至迄",
    "今日": "如至",
    "明天": "清表证声标注文发光透聪黎阐载鲜简精",
    "明日": "清表证声标注文发光透聪黎阐载鲜简精复",
    "后天": "今以之然先随最背明前此",
    "今": "如至",
    "明": "清表证声标注",
    "前年": "以之目",
    "去年": "过失逝",
    "今年": "至如迄",
    "明年": "清表证声标注文阐载",
    "后年": "今以之然先随最背",
    "上": "马晚早以路身手网线",
    "下": "天一以楼底手之",
    "本": "日基",
}
_BEFORE_RANGE = "~～—–至、-"  # 3～5天前
_BEFORE_COUNT = (
    "0123456789.:：零一二两三四五六七八九十百千第每几数那这了过满用隔经时续到半前后上下大多"
)
_BEFORE_COUNT += _BEFORE_RANGE
_THOUSANDS = pattern(r"\d[,，]\Z")  # 1,500 天前
_LEFT = pattern(r"[/\\_.#@^=$&%\[-]\Z")
_RIGHT = pattern(r"::|[/\\_$@=\]]|[.-]\w")
_INNATE_CHARACTERS = 20  # 先天和后天, 后天比先天重要: nature and nurture
# 十年前的今天, 去年今天; and what is to come one day: 美好的明天, 相信明天.
_OTHER_DAY = pattern(
    r"(?:[天周年月期拜]前|[\d去前往当同历每后明]年|[上下]个?(?:月|周|星期|礼拜))的?\Z"
)
_COUNTED = pattern(  # 三天|后|天晴了
    rf"(?:{COUNT}|[百千半几数多])个?(?:[天日夜周月年秒]|星期|礼拜|小时|钟头|分钟)\Z"
)
_ONE_DAY = pattern(r"(?:(?:好|国|来|明|烂|望|妙|丽|人类)的|相信|拥抱|走向|迎接|憧憬|创造|没有)\Z")
# 2019年毕业，两年后结婚: what is so much later than something else is not counted from now, and nor
# is what came after it, 三年后分手了, or comes every time.
_FIRST = pattern(
    r"\s*(?:[我你他她它]们?|咱们?|大家)?"
    r"(?:将|会|要|想|打算|计划|准备|预计|预定|希望|可能|就|再|还|也|大?约|大概|最[早迟晚多])*\s*"
)
_LATER = pattern(r"[^。！？!?；;\n]*?(?:[了曾才便每]|终于|自动|过(?![期年节户生来去夜]))")
_MAX_FIRST = 12
_BEFORE = 10
# Japanese has these words too, where no other one goes on: 一昨日, 今年度, 明日香. It writes others
# for other times: 前年 is the year before.
_KANA = pattern("[\u3041-\u3096\u30a1-\u30fa]")
_JAPANESE = pattern("(?<!一)(?:昨日|[今明]日|[去今]年)(?![\u3400-\u9fff々])")


def chinese_times(text: str, now: datetime) -> Iterator[FoundTime]:
    """The times that a text says in Chinese words, in order."""
    if not has_chinese(text):
        return
    is_japanese = _KANA.search(text) is not None
    at = done = 0
    while match := _TIME.search(text, at):
        at = match.start() + 1
        before = text[max(done, match.start() - _BEFORE) : match.start()]
        if _is_alone(match, before) and (not match["ahead"] or _is_from_now(match)):
            is_read = not is_japanese or _JAPANESE.match(text, match.start())
            found = _find(match, now) if is_read else None
            if found and not _RIGHT.match(text, found.end):
                yield found
                done = at = found.end


def _is_alone(match: re.Match[str], before: str) -> bool:
    """Whether what stands before it makes no other word of it."""
    first = match["near"] or match["joined"] or match["year"] or match["which"] or ""
    if first[:1] == "今" and _OTHER_DAY.search(before):
        return False
    if first == "明天" and _ONE_DAY.search(before):
        return False
    if first == "后天" and (_COUNTED.search(before) or _is_nurture(match)):
        return False
    if match["count"] and _THOUSANDS.search(before):
        return False
    joining = _JOINING.get(first, "") if first else _BEFORE_COUNT
    last = before[-1:]
    is_in_name = match[0][0].isdecimal() and last.isalpha() and last.isascii()  # v3天前
    return not last or not (last in joining or _LEFT.match(last) or is_in_name)


def _is_nurture(match: re.Match[str]) -> bool:
    least = max(0, match.start() - _INNATE_CHARACTERS)
    return "先天" in match.string[least : match.end() + _INNATE_CHARACTERS]


def _is_from_now(match: re.Match[str]) -> bool:
    """Whether what is so far ahead begins a text, which tells nothing that it could follow."""
    text, at = match.string, match.start()
    is_first = at <= _MAX_FIRST and _FIRST.fullmatch(text, 0, at) is not None
    return is_first and not _LATER.match(text, match.end())


def _find(match: re.Match[str], now: datetime) -> FoundTime | None:
    period = None
    with suppress(OverflowError, ValueError):  # 下个月31号, too
        period = _period(match, now)
    if period is None:
        return None
    start, end = match.span("day")
    if period.unit != "day":
        is_led_on = match.string[end : end + 1].isalnum()
        return FoundTime(start, end, period, BEFORE_WORDS if is_led_on else FORMS)
    part = (match["part"] or "").strip(" \t\u3000")
    hours, part = _PARTS.get(part), _WHOLE.get(part, part)
    end = max(end, match.end("part"))
    clock = _clock(match, hours)
    if clock:
        end = match.end("then")
    return FoundTime(start, end, period._replace(rest=clock or part or period.rest), FORMS)


def _period(match: re.Match[str], now: datetime) -> Period | None:
    if near := match["near"] or match["joined"]:
        return in_units(now, _DAYS[near], "day")
    if match["year"]:
        return _in_year(match, in_units(now, _YEARS[match["year"]], "year"))
    if match["which"]:
        return _which(match, now, _WHICH[match["which"]])
    return _counted_period(match, now)


def _which(match: re.Match[str], now: datetime, count: int) -> Period:
    if match["weekday"]:
        return weekday_of(now, count, _WEEKDAYS[match["weekday"]])
    if not match["month"]:
        return calendar_week(now, count, "weekend" if match["weekend"] else "week")
    period = in_units(now, count, "month")
    if not match["of_month"]:
        return period
    return Period(period.day.replace(day=number_of(match["of_month"])))


def _in_year(match: re.Match[str], period: Period) -> Period:
    if not match["in_month"]:
        return period
    day = period.day.replace(month=number_of(match["in_month"]))
    if not match["month_day"]:
        return Period(day, "month")
    return Period(day.replace(day=number_of(match["month_day"])))


def _counted_period(match: re.Match[str], now: datetime) -> Period | None:
    unit_word = match["unit"] or match["long"]
    sign = -1 if match["back"] else 1
    unit = _UNITS[unit_word]
    if match["count"] == "半":
        number, unit = _HALVES.get(unit_word, (0, ""))
    else:
        number = number_of(match["count"])
    if number < 1 or (unit in ("hour", "minute") and sign > 0):  # 训练三小时后停止: a duration
        return None
    return in_units(now, sign * number, unit)


def number_of(text: str) -> int:
    """A number in digits or in words up to 99; -1 for others, as in 两三天前."""
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    if len(tens) > 1 or len(ones) > 1:
        return -1
    return (_DIGITS.get(tens or "一", 0) * 10 if ten else 0) + _DIGITS.get(ones or "零", 0)


def _clock(match: re.Match[str], hours: Hours | None) -> str:
    """The clock time; "" where it may be in the morning or in the evening."""
    if not match["then"]:
        return ""
    hour = number_of(match["hour"])
    if not (hours or match["minute"] or hour > 12):
        return ""
    return clock_time(hour, _minute(match), hours)


def _minute(match: re.Match[str]) -> int:
    if match["quarters"]:
        return 15 * number_of(match["quarters"])
    if match["past"] == "半":
        return 30
    return number_of(match["minute"] or match["minutes"] or "零")
