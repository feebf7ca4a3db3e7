"""Slots of a Chinese clause: whose, what of it, and its value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memwiki.facts.identity import HAN, ZH_DIGITS, normalised
from memwiki.memory.judgement.lexicon import any_of
from memwiki.memory.judgement.slot import TIMES, Slot, Sort, with_plain_numbers
from memwiki.memory.judgement.slot_words import (
    ATTRIBUTES,
    ATTRIBUTES_ZH,
    DEGREES_ZH,
    DESCRIBING_ZH,
    GENERAL,
    HARMLESS_ZH,
    OF_MANY,
    PURPOSES_ZH,
    RESERVED_ZH,
    ROLES_ZH,
    STATES,
    WIDE_PLACES,
)

_BE, _USE, _LIVE, _WORK = "be", "use", "live", "work"
_AT_WORK = "任教|教书|工作|上班|任职|就职|实习|供职"
_AT_SCHOOL = "上学|读书|念书|就读|上大学|读大学|读研|读博"
_EVENTS = "到期|截止|开始|结束|出发|起飞|到达|开门|关门|上线|发布|上班|下班|起床|放假|开学"
_RELATIONS = {
    "led": r"由(?P<leader>[^由]{1,10}?)(?P<task>负责|主持|管理|维护|带领|领导|担任|设计|开发|"
    "编写|撰写|制作|主讲|授课|审批|审核|翻译|承办|主办|生产|提供|保管|接管|签字)",
    "at_work": rf"(?:在|去了?|到)(?P<workplace>.{{1,12}}?)(?:{_AT_WORK})了?$",
    "at_school": rf"在(?P<school>.{{1,12}}?)(?:{_AT_SCHOOL})$",
    "venue": r"在(?P<hall>.{1,12}?)(?:举行|举办|召开|进行|开幕|开会|集合|碰头)$",
    "when": rf"(?P<time>(?:(?:\d+|[{ZH_DIGITS}]+)月(?:\d+[日号])?|\d+[日号]|[周週].|\d+m)+)"
    rf"(?P<event>{_EVENTS})$",
    "aged": "今年(?=\\d)",
    "heads": "负责(?!人)|带领|执教",
    "reports": "向(?P<boss>.{1,8}?)汇报",
    "cleft": "的是",
    "measured": "(?:保留|保存|持续|耗时|有效期?|需要?|花费?|收费|工期|提前)"
    rf"(?=约?[\d{ZH_DIGITS}])",
    "prefers": "更喜欢|偏好|更偏好|倾向于|更倾向于",
    "kept": "(?:保存|存放|存储|存|放|托管|部署|运行|跑|停|挂|坐|睡|发送|发|写|上传|推送|同步|备份|"
    "记录|安装|装|藏|种|寄|送|输出|打印|发布|归档|绑定|挂载|集成|合并|提交|指向|监听|连接|接)"
    "(?:在|到|于|至|进|入)了?",
    "live": "居住在|居住于|定居在|定居于|定居|住在|家住|家在|住",
    "moved": "搬家?到了?|搬去了?|搬进了?|搬来了?|搬回了?|移居到?了?|迁居|迁到了?|迁至|迁往",
    "work": "就职于|任职于|供职于|受雇于|跳槽[到去]了?|入职了?|加入了?",
    "alumni": "就读于|转学到了?|考上了?",
    "role": "担任|接任|出任|当选为?|当上了?|升任",
    "changed": "(?:变更|更改|修改|调整|更新|更换|切换|迁移|升级|转)[为成到至]了?|"
    "[改换][为成到在用]了?|换了|改[为成]|变成了?|变为|替换成了?|替换为",
    "set": "(?:推迟|提前|延期|延后|延长|缩短|上调|下调|提高|降低|涨|降|增加|减少|推|挪|移|放|顺延)"
    "[到至为]了?|设置?[为成在]|定[为在于]|安排在|选在|选定在|约在|位于|坐落于?在?|等于",
    "uses": "遵循|基于|沿用|使用的是|使用|用的是|采用的是|采用|选用|用的|用",
    "called": "叫做|名叫|名为|叫|姓",
    "is": "是|为",
    "at": "在|于|每(?=[周月天日年星])|归|属于|隶属于?",
}
_RELATION = re.compile("|".join(f"(?P<{name}>{form})" for name, form in _RELATIONS.items()))
_CHANGES = ("changed", "set", "moved", "work", "alumni", "led", "role")
_INNER = ("time", "workplace", "school", "hall", "boss")
_KEYS = {
    "live": (_LIVE,), "moved": (_LIVE, _BE), "at_work": (_WORK,), "work": (_WORK,),
    "at_school": ("school",), "alumni": ("school",), "changed": (_BE, _USE), "set": (_BE,),
    "uses": (_USE,), "venue": (_BE,), "reports": ("boss",), "cleft": (_BE,),
    "kept": ("kept",), "measured": ("measure",), "when": ("when",), "aged": ("age",),
    "prefers": ("prefers",),
    "called": (_BE,), "is": (_BE,), "at": (_BE,),
}  # fmt: skip
_HARMLESS = re.compile(any_of(HARMLESS_ZH))
_RESERVED = re.compile(
    rf"^[若当]|{any_of(RESERVED_ZH)}|(?<![周例晨站年大早])[会要][搬去改换]|希望(?!用|使用|以)|可(?=开|关|启|停|以)|\?|和(?!平|谐|县|田)|与|跟|及(?!格)|、"
)
_NOT_USED = re.compile(
    "用(?=户|于|途|法|量|品|电|水|餐|人|例)|作用|费用|信用|应用|专用|通用|常用|租用"
)
_NOW = re.compile("现在|目前|如今|已经|最近|刚刚|刚才|已(?!婚)|终于|现|仍然|仍|一直|默认情况下")
_LATELY = re.compile("上个?月|上周|昨天|今天|今年|这周|本周|本月|这个?月|前几天|近期|近日|刚")
_ENDS = re.compile("(?:了|啦|啊|呢|吧|的|里面?|内)+$")
_UNSAID = re.compile("[的了着被把将都就由从]|我们|咱们")
_USER = re.compile("我|用户|本人|使用者")
_OTHERS = re.compile("^[他她它这那其此该]")
_TOKEN = re.compile(f"[{HAN}]|[^\\s{HAN}]+")
_DAY = re.compile("[周週](?=[一二三四五六日天末])|星期|礼拜")
_DATE = re.compile(rf"[\d{ZH_DIGITS}]月|[\d{ZH_DIGITS}][日号]|\d{{4}}-\d\d|[\d{ZH_DIGITS}]年")
_TIME = re.compile(r"\d+m(?![a-z])")
_NUMBER = re.compile(
    rf"^(?!百度)[约近第]?(?:\d|[{ZH_DIGITS}]+(?:[个只条岁元块天秒年月楼层号次人倍米斤度折]|小时|分钟|公斤|公里|%|$))"
)
_DESCRIBING = re.compile(rf"^(?:{any_of(DEGREES_ZH)})|^(?:{any_of(DESCRIBING_ZH)})[的了]?$")
_OF_MANY = re.compile(rf"(?:{any_of(OF_MANY)})$")
_ATTRIBUTE = re.compile(
    rf"(?:{any_of(ATTRIBUTES_ZH)}|(?<![a-z])(?:{'|'.join(ATTRIBUTES)}))$|默认|最喜欢的|首选|最爱的"
)
_ROLE = re.compile(rf"(?:{any_of(ROLES_ZH)}|.{{2,}}(?:经理|主管|总监|主任|教练|领导|老师|秘书))$")
_PURPOSE = re.compile(rf"^(.+?)((?:{any_of(PURPOSES_ZH)}).*)$")
_PLACE = re.compile("[市省区县路街楼层室厅号店园馆站校院司部城村镇州洲湾厦座栋房库]$")
_FROM = re.compile(r"(.{2,4}?)人$")
_SIDES = {
    word: (number, side)
    for number, sides in enumerate(STATES)
    for side, words in enumerate(sides)
    for word in words
}
_STATE = re.compile(
    any_of(word for word in _SIDES if not word.isascii()).replace("在线", "在线(?!上)")
    + rf"|(?<![a-z])(?:{any_of(word for word in _SIDES if word.isascii())})(?![a-z])"
)
_UNSTATED = re.compile("[的了着地被把将都在为是处于于]|状态|功能|模式|保持|设置|缩进用|使用|用")
_MOST_SUBJECT, _MOST_CLAUSE = 16, 60  # characters
_FEWEST_REST = 2
_FEWEST_LABEL = 3


def chinese_slots(sentence: str) -> Iterator[Slot]:
    """What a sentence gives values to; none when it speaks of other times, of several, or asks."""
    if len(sentence) > 2 * _MOST_CLAUSE or "、" in sentence:
        return
    head, _, value = sentence.replace(":", "：").partition("：")
    if value and len(head) >= _FEWEST_LABEL and _ATTRIBUTE.search(head):
        sentence = f"{head}是{value}"
    clauses = [normalised(part) for part in re.split("[，,：]", sentence)]
    if _RESERVED.search(_HARMLESS.sub("", "".join(clauses))):
        return
    for clause in clauses:
        plain = with_plain_numbers(_NOW.sub("", clause))
        if plain and len(plain) <= _MOST_CLAUSE:
            yield from _states(plain)
            yield from _named(plain)


# --- on or off ---


def _states(clause: str) -> Iterator[Slot]:
    found = [*_STATE.finditer(clause)]
    if not found or not found[-1].start() or _OTHERS.match(clause):
        return
    match = found[-1]
    if re.match(f"的[{HAN}a-z]", clause[match.end() :]):
        return  # tells which one is meant
    number, side = _SIDES[match[0]]
    rest = _UNSTATED.sub("", f"{clause[: match.start()]} {clause[match.end() :]}")
    rest = "".join(sorted(rest.replace(" ", "")))
    if len(rest) >= _FEWEST_REST:
        yield Slot(f"state {number} {rest}", (str(side),), Sort.STATE)


# --- a name, a number, a time ---


def _named(clause: str) -> Iterator[Slot]:
    match = _first_relation(clause)
    if match is None:
        return
    name = next(each for each in _RELATIONS if match[each])
    subject, value = clause[: match.start()], clause[match.end() :]
    if name in _CHANGES:
        subject = _LATELY.sub("", subject)
    is_possessed = "的" in subject or subject.startswith(("我", "我们"))
    subject = _UNSAID.sub("", _USER.sub("user", subject))
    subject = subject.rstrip("改转换") if name == "led" else subject
    if name in ("led", "heads"):
        yield from _led(match, subject, value)
        return
    if not 0 < len(subject) <= _MOST_SUBJECT or _OTHERS.match(subject) or subject in GENERAL:
        return
    yield from _role(name, subject, value)
    inner = next(filter(None, map(match.group, _INNER)), "")
    value = inner or ("" if name == "cleft" and value.endswith("的") else _ENDS.sub("", value))
    subject = _of(name, match, subject)
    is_one = bool(_ATTRIBUTE.search(subject)) or (is_possessed and not _OF_MANY.search(subject))
    slots = (
        _slot(key, name, subject, value, is_one=is_one) for key in _KEYS.get(name, ()) if value
    )
    yield from filter(None, slots)


def _of(name: str, match: re.Match[str], subject: str) -> str:
    """Whose the slot is: of 小明家 and 小明 one, of what is kept for a time also how."""
    if name in ("measured", "kept"):
        return subject + match[name]
    if name == "when":
        return subject + match["event"]
    return (subject.removesuffix("家") or subject) if name in ("live", "moved") else subject


def _first_relation(clause: str) -> re.Match[str] | None:
    """The first relation that is not a part of a word; 换成 rather than the 在 of its subject."""
    found = [match for match in _RELATION.finditer(clause) if not _is_part(clause, match)]
    strong = (match for match in found if not match["at"])
    return next(strong, found[0] if found else None)


def _is_part(clause: str, match: re.Match[str]) -> bool:
    around = clause[max(0, match.start() - 1) : match.end() + 1]
    return bool(match["uses"] and _NOT_USED.search(around)) or (
        bool(match["is"])
        and match.start() > 0
        and around[:1] in ("但可于总凡" if match[0] == "是" else "因认作成称视分以行")
    )


def _led(match: re.Match[str], subject: str, value: str) -> Iterator[Slot]:
    """前端由张三负责, and 由张三负责前端: the one responsible of the front end is the slot."""
    value = _UNSAID.sub("", _ENDS.sub("", value))
    task = match["task"] or match["heads"]
    role = "" if task == "担任" else "负责人" if task in ("负责", "带领", "领导", "主持") else task
    of, leader = (subject + value, match["leader"]) if match["task"] else (value, subject)
    if of and leader:
        yield Slot(_key(_BE, of + role), tuple(leader), Sort.NAME)


def _role(name: str, subject: str, value: str) -> Iterator[Slot]:
    """Of 张三是组长 the head of the group is the slot."""
    is_mine = value.startswith("我") or "的" in value
    value = _UNSAID.sub("", _ENDS.sub("", value))
    is_role = _ROLE.search(value) or (
        is_mine and _ATTRIBUTE.search(value) and not _OF_MANY.search(value)
    )
    if name in ("is", "role") and is_role and not _ATTRIBUTE.search(subject):
        yield Slot(_key(_BE, _USER.sub("user", value)), tuple(_TOKEN.findall(subject)), Sort.NAME)


def _key(relation: str, subject: str) -> str:
    return f"{relation} {subject.replace(' ', '')}"


def _slot(key: str, name: str, subject: str, value: str, *, is_one: bool) -> Slot | None:
    words, sort = tuple(_TOKEN.findall(value)), _sort(value)
    if key == _USE:
        found = _PURPOSE.match(value)
        purpose = found[2] if found else ""
        words = tuple(_TOKEN.findall(found[1] if found else value))
        return Slot(f"{_key(key, subject)} {purpose}", words, sort)
    if key != _BE:
        return Slot(_key(key, subject), words, sort)
    if _FROM.fullmatch(value) and value[:-1] in WIDE_PLACES:
        return Slot(_key("from", subject), words, Sort.NAME)
    if name == "moved" and sort not in TIMES and not is_one:
        return None
    is_fit = _is_fit(name, value, sort, is_one=is_one)
    return Slot(_key(key, subject), words, sort) if is_fit else None


def _is_fit(name: str, value: str, sort: Sort, *, is_one: bool) -> bool:
    """Whether such a subject has one such value."""
    if sort in TIMES or sort is Sort.NUMBER:
        return True
    if sort is Sort.DESCRIPTION:
        return False
    if name in ("at", "moved"):
        return bool(_PLACE.search(value)) or is_one
    return name in ("called", "venue", "cleft") or is_one


def _sort(value: str) -> Sort:
    for sort, form in ((Sort.CLOCK, _TIME), (Sort.DAY, _DAY), (Sort.DATE, _DATE)):
        if form.search(value):
            return sort
    if _DESCRIBING.match(value):
        return Sort.DESCRIPTION
    return Sort.NUMBER if _NUMBER.match(value) else Sort.NAME
