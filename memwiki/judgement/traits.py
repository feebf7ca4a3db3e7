"""What somebody is or does in one of a few ways at a time: alive, married, a vegetarian. Whoever is
said to be one of them, in whatever words, is none of the others."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from memwiki.judgement.alignment import are_of_two_subjects, kin_of
from memwiki.judgement.statement import Statement
from memwiki.text import pattern

Sides: TypeAlias = Mapping[
    int, tuple[int, str]
]  # by the line: which side, and the words that say it

_MEAT = "meat|beef|steak|pork|chicken|bacon|lamb|sausages?|ribs|burgers?"
_DRINK = "wine|beer|whisky|whiskey|gin|rum|vodka|cider|champagne|cocktails?"
_PET = "dogs?|cats?|pupp(?:y|ies)|kittens?|retriever|terrier|poodle|labrador|parrot|hamster|rabbit"
_SIBLING = "brothers?|sisters?|siblings?"
_NO = r"(?:no|not (?:have|own|keep)(?: any)?|never (?:had|owned|kept)(?: any)?)"
_ZH_NO = "(?:没有?|不|从不|从来不|没有任何)"
_KEEPS = "have|has|got|own|owns|keep|keeps|adopted"
_EATS = "eats?|orders?|loves?|likes?|enjoys?"
# Each line: what says one side, and what says the other, in English and in Chinese.
_LINES: tuple[tuple[tuple[str, str], tuple[str, str]], ...] = (
    (
        (r"\bdied\b|passed away|\bdeceased\b", "去世|过世|逝世|离世|病逝"),
        (
            r"\b(?:is|turns|turned) (?:now )?(?:\d+|\w+ty)(?: years old\b| last\b| this\b| in\b|$)"
            "|in good health",
            "今年[^,]{1,4}岁|身体[^,]{0,4}(?:硬朗|健康|很好)",
        ),
    ),
    (
        (
            r"\b(?:is|am|are|been|stays?) (?:still )?single\b(?!-)|\bunmarried\b"
            "|not married|never married",
            "单身|未婚|没结过婚",
        ),
        (
            r"\b(?:is|am|are|got) married\b|(?<!ex.)(?<!late.)(?<!former.)\b(?:husband|wife)\b",
            "已婚|结了?婚(?!过)|丈夫|妻子|老公|老婆",
        ),
    ),
    (
        (
            rf"\ban only child\b|{_NO} (?:{_SIBLING})",
            f"是独生[子女](?!儿)|{_ZH_NO}[^,]{{0,2}}(?:兄弟|姐妹)",
        ),
        (rf"\b(?:{_SIBLING})\b(?!-)", "弟弟|哥哥|姐姐|妹妹"),
    ),
    (
        (rf"{_NO} (?:pets?|animals)", f"{_ZH_NO}养[^,]{{0,4}}宠物"),
        (
            rf"\b(?:{_KEEPS}) (?:a|an|two|three|\d) [^,.]{{0,20}}?\b(?:{_PET})\b",
            "养了?[^,]{0,3}[只条]|[只条][^,]{0,3}(?:猫|狗|犬)|遛[^,]{0,4}(?:狗|犬|柯基|金毛)",
        ),
    ),
    (
        (
            r"\b(?:is|am|are|been|became|turned|strict) (?:an? )?(?:strict )?(?:vegetarian|vegan)\b"
            "(?! (?:restaurant|place|cook|recipe))|(?:not|never) eats? (?:any )?meat",
            "吃素|素食|不吃肉|肉都不碰",
        ),
        (
            rf"\b(?:{_EATS}) [^,.]{{0,20}}?\b(?:{_MEAT})\b(?!-)",
            "吃荤|(?<!不)(?:吃|爱吃|点了?)[^,不]{0,4}(?:肉|牛排|排骨|烤鸭|鸡翅)",
        ),
    ),
    (
        (
            r"not drink(?: alcohol| at all|$)|never drinks? alcohol|\bteetotal\b|\bsober\b",
            "不喝酒|戒酒|滴酒不沾",
        ),
        (
            r"\b(?:has|have|enjoys?|drinks?) [^,.]{0,8}?(?:glass(?:es)?|pints?) of "
            rf"[^,.]{{0,12}}?(?:{_DRINK})\b"
            rf"|\bdrinks? (?:a )?(?:{_DRINK})\b",
            "(?<!不)喝[^,不]{0,4}酒",
        ),
    ),
    (
        (
            "not smoke|never smoke[sd]?|non-smoker|not (?:touched|had|smoked) a cigarette",
            "不抽烟|不吸烟|戒烟",
        ),
        (r"\b(?:smokes|cigarettes a day|is a smoker)\b", "(?<!不)抽[^,不]{0,3}(?:烟|包)"),
    ),
    (
        (r"never fl(?:y|ies)\b|not fly(?: at all| anywhere|$)", "从?不坐飞机"),
        (
            r"\b(?:flies|fly) (?:to|back|out|there)\b|\bon a plane\b|takes? a plane",
            "(?<!不)坐飞机|飞[^,]{0,4}趟",
        ),
    ),
    (
        (
            r"\b(?:is|am|has|are) (?:now )?(?:retired|unemployed|between jobs|out of work)\b",
            "退休|失业|待业",
        ),
        (
            r"\bworks? (?:at|for|as)\b|\bemployed (?:at|by)\b"
            r"|\b(?:has|found|got) an? (?:new )?job\b",
            "(?<!不)在[^,不]{0,8}(?:上班|工作|任职)",
        ),
    ),
    (
        (
            r"\b(?:broke_up|broken up|split up|separated|called_off (?:the|their) (?:wedding|"
            r"engagement))\b|wedding is (?:off|turned_off|called_off)",
            "分手|分开了|取消了?婚|婚礼取消|退婚",
        ),
        (
            r"\b(?:is|are|am) (?:dating|engaged|seeing)\b|\bin a relationship\b"
            r"|\b(?:girlfriend|boyfriend|fiancée?)\b",
            "(?<!没)在一起|订婚|谈恋爱|在交往|男朋友|女朋友|未婚[夫妻]",
        ),
    ),
    (
        (f"{_NO} (?:children|kids)|childless", "没有?(?:任何)?孩子|丁克"),
        (r"(?:^\w+|\b(?:has|have|her|his|my|our)(?: \w+)?) (?:son|daughter)s?\b", "儿子|女儿"),
    ),
    (
        (
            rf"(?:can|could) not drive|{_NO} driving licen[cs]e|not drive(?: at all| a car|$)"
            r"|(?:gave_up|lost|handed in) (?:\w+ )?(?:driving )?licen[cs]e|(?:stopped|quit) driving"
            r"|behind the wheel anymore",
            f"不会开车|{_ZH_NO}驾照",
        ),
        (
            r"\bdriv(?:es|ing) (?:a|an|to|her|his|my|home|herself|himself|myself|everywhere)\b",
            "(?<!不会)开车[^,]{0,3}(?:上班|去|来|送)",
        ),
    ),
    (
        (
            r"\bon (?:\w+ )?(?:leave|vacation|holidays?)\b|\boff sick\b"
            r"|\b(?:is|are|am) (?:still )?(?:ill|sick|unwell|abroad|away|in (?:the )?hospital)\b"
            r"|\b(?:has|have|had) (?:a |the )?(?:high )?(?:fever|flu|cold|covid|measles)\b"
            r"|\b(?:has|have) to stay (?:at )?(?:home|in bed)\b|\bout of (?:the )?office\b",
            "(?!)",
        ),
        (
            r"\b(?:is|are|am|came|come) (?:back|home)(?: (?:at|to|home|from (?!lunch|the))|$)"
            r"|\b(?:well|healthy|fit|fine) again\b|\brecovered(?: from\b|$)"
            r"|\breturned (?:to work|from)\b|\b(?:out of|left|discharged from) (?:the )?hospital\b",
            "(?!)",
        ),
    ),
)
_PATTERNS = tuple((pattern("|".join(one)), pattern("|".join(other))) for one, other in _LINES)
_DEATH = 0  # the line of what is so for ever, whenever it was
_BOUND = frozenset(("condition", "later"))
_BIRTH = pattern(r"\bborn\b|\bbirth (?:year|date)\b|出生|生于")
_BORN = pattern(
    rf"{_BIRTH.pattern}|\bbirthday (?!party|gift|present|dinner|cake|reminder)|生日(?![会礼蛋派聚])"
)
_YEAR = pattern(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_DAY = pattern(r"\b[a-z]{3}_\d+\b|(?<!\d)\d{1,2}-\d{1,2}(?=[日号])")
_ON_FOR = pattern(
    r"(?P<what>.+?) (?:is|are) (?P<state>turned_on|turned_off|open|closed|enabled|disabled)"
    r"(?: (?P<whom>(?:in|for|by) .+))?$"
)
_SHARE = pattern(r"^for (?:\d+(?:\.\d+)? ?%|everybody\b|everyone\b|all\b)")
_SPAN = pattern(r"for (?:\d+|an?|all) (?:minute|hour|day|night|week|month|year)|.* only in ")
_DENIALS = ("not ", "never ")
_MAX_READ = 2_000  # statements that are met again and again


def are_of_two_kinds(old: Statement, new: Statement) -> bool:
    """Whether both tell of one person, and not the same of one line."""
    if old.is_chinese != new.is_chinese or not _are_of_one_person(old, new):
        return False
    if not _BOUND.isdisjoint(old.marks | new.marks):
        return False
    mine, theirs = traits_in(old.text), traits_in(new.text)
    was = "earlier" in old.marks | new.marks
    is_other = any(
        mine[line][0] != theirs[line][0]
        and kin_of(old, mine[line][1]) == kin_of(new, theirs[line][1])
        for line in mine
        if line in theirs and (line == _DEATH or not was)
    )
    return is_other or _are_born_apart(old, new)


def are_of_two_sides(old: Statement, new: Statement) -> bool:
    """Whether one is on one side of a line and the other on the other, of one thing or person."""
    is_turned = any(new.signs.get(line, said)[0] != said[0] for line, said in old.signs.items())
    return (is_turned and old.subject == new.subject) or are_of_two_kinds(old, new)


def are_on_for_others(one: Statement, other: Statement) -> bool:
    """Whether one thing is on for some by one, and for others, or off, by the other: for 10 %, for
    everybody."""
    mine, theirs = _ON_FOR.match(one.text), _ON_FOR.match(other.text)
    if not (mine and theirs) or mine["what"] != theirs["what"]:
        return False
    whom = [found["whom"] or "" for found in (mine, theirs)]
    is_of_share = any(map(_SHARE.search, whom)) and not any(map(_SPAN.match, whom))
    is_off = [found["state"] in ("turned_off", "closed", "disabled") for found in (mine, theirs)]
    if is_off[0] != is_off[1]:
        return is_of_share and whom[is_off.index(True)] in ("", "in production", "by default")
    is_for = all(each.startswith("for ") for each in whom) and whom[0] != whom[1]
    return is_of_share and is_for and not any(is_off)


def _are_born_apart(old: Statement, new: Statement) -> bool:
    """Whether one person has two birthdays or years of birth."""
    if not (_BORN.search(old.text) and _BORN.search(new.text)) or kin_of(old) != kin_of(new):
        return False
    is_of_birth = _BIRTH.search(old.text) and _BIRTH.search(new.text)  # a birthday has many years
    forms = (_YEAR, _DAY) if is_of_birth else (_DAY,)
    return any(
        (mine := set(form.findall(old.text)))
        and (theirs := set(form.findall(new.text)))
        and mine.isdisjoint(theirs)
        for form in forms
    )


@lru_cache(_MAX_READ)
def traits_in(text: str) -> Sides:
    """What a statement says of whom it is about; of a denial and what it denies the denial."""
    found: dict[int, tuple[int, str]] = {}
    for line, sides in enumerate(_PATTERNS):
        for side, form in enumerate(sides):
            match = form.search(text)
            if match and not (side and text[: match.start()].endswith(_DENIALS)):
                found.setdefault(line, (side, match[0]))
    return found


def _are_of_one_person(old: Statement, new: Statement) -> bool:
    if old.person == new.person == "user" and not (old.subject or new.subject):
        return True  # my laptop is another one than I am
    both = old.names & new.names
    if not both or old.is_chinese:
        return bool(both)
    is_named = old.words[0].text in both or new.words[0].text in both
    return is_named and not are_of_two_subjects(old, new)
