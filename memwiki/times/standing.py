"""Whether a time in words is one of a habit, which means another day each time; pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from datetime import date
from enum import StrEnum

from memwiki.text import has_chinese, pattern
from memwiki.times.periods import FoundTime, write_period


class Writing(StrEnum):
    """How the date of a time in words is written."""

    INSTEAD = "instead"  # of the words
    BESIDE = "beside"  # them, where what they mean is in doubt
    NOT = "not"


_END = pattern(
    r"[.!?;:](?=\s|\Z)|[。！？；\n]|(?<![a-z])(?:but|except|however|although|though|yet)(?![a-z])"
    r"|但是?|不过|可是|然而|除了|只是",
    re.IGNORECASE,
)
_EACH_TIME = pattern(
    r"(?<![a-z])(?:(?:every|each)[ \t](?:other[ \t])?(?:\d{1,3}[ \t])?(?:day|morning|noon|afternoon"
    r"|evening|night|week|month|quarter|year|hour|minute|second|time|sprint|run|build|release|start"
    r"|meeting|standup|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?"
    r"|always|usually|normally|generally|typically|regularly|whenever|by[ \t]default"
    r"|as[ \t]a[ \t]rule|never[ \t](?!was|has|comes)[a-z]{2,20}s"
    r"|(?:on|at)[ \t](?:(?:mon|tues|wednes|thurs|fri|satur|sun|week)days|weekends)"
    r"|in[ \t]the[ \t](?:morning|evening)s)(?![a-z])"
    r"|每(?:隔)?(?:[\d一二两三四五六七八九十]{1,3})?个?(?:天|日|周|星期|礼拜|月|年|晚|早|季|小时|分钟"
    r"|次|当|逢|到)|(?<![今明昨前后周期])天天|总是|老是|通常|一般(?!般)|平时|平常|往往|经常|常常|习惯|定期|例行",
    re.IGNORECASE,
)
_EACH = pattern(r"(?<![a-z])(?:every|each)(?![a-z])|每", re.IGNORECASE)
# What happened, is going on, or begins once.
_ONCE = pattern(
    r"(?<![a-z])(?:[a-z]{2,20}ed|was|were|had|did|didn['’]t|went|said|came|got|took|made|gave|saw|met|ran"
    r"|ate|sent|wrote|won|lost|left|felt|fell|bought|built|broke|began|held|kept|paid|spoke|told"
    r"|will|won['’]t|going[ \t]to|shall|from|since|until|till|start(?:s|ing)?"
    r"|(?:is|are)[ \t][a-z]{1,20}ing)(?![a-z])"
    r"|了(?![什谁哪多几吗啥])|没|起(?=[，,。]|\Z)",
    re.IGNORECASE,
)
_WHAT = pattern(r"(?<![a-z])(?:what|whatever|everything)(?![a-z])", re.IGNORECASE)
# What a report, a job or a rule does whenever it does it.
_DOES = pattern(
    r"(?<![a-z])(?:covers?|shows?|lists?|contains?|includes?|summari[sz]es?|compares?|counts|means"
    r"|returns?|deletes?|loads?|fetch(?:es)?|exports?|imports?|process(?:es)?|mails|displays?"
    r"|prints?|aggregates?|archives?|(?:says?|tells?|writes?|reports?)[ \t](?:what|who|how))"
    r"(?![a-z])"
    r"|写明|列出|包含|包括|汇总|统计|展示|显示|覆盖|反映|对比|导出|清理|抓取|拉取"
    r"|(?:[早晨站例]会|[日周月]报)上?[说讲写汇]",
    re.IGNORECASE,
)
_QUERY = pattern(
    r"(?:[<>=!]=|[<>]|(?<![a-z])(?:date|day|created|updated|since|until|time|ts)[ \t]{0,3}="
    r"|(?<!\S)--?[a-z][\w-]{0,30}=?)[ \t]{0,3}\Z"
    r"|(?<![a-z])(?:since|until|after|before|date|day|created|updated):\Z|\w\(\Z",
    re.IGNORECASE,
)
_SET = pattern(r"(?:=[ \t]{0,3}|\w[:：])\Z")  # ETA = tomorrow, due:tomorrow
_NEW_CLAUSE = pattern(r"[,，][ \t]{0,3}\Z")
_CHINESE_NAME = pattern(r"国际|资本|控股|集团|科技|传媒|娱乐")
_STARTS = pattern(r"[\s>*+\-(（]*(?:(?:on|from|since)[ \t])?\Z", re.IGNORECASE)
_DATE_BESIDE = pattern(r"(?:['’]s)?[ \t]?[(（](?:the week(?:end)? of |in )?\d{4}")
_OWN = pattern(r"['’]s(?!\w)")
_BEFORE = 40


class Standing:
    """How the dates of the times of one text are written; asked for in any order."""

    def __init__(self, text: str, today: date) -> None:
        self._text, self._today = text, today
        self._starts = [0, *(match.end() for match in _END.finditer(text))]
        self._clauses: dict[int, _Clause] = {}

    def writing(self, found: FoundTime) -> Writing:
        """How the date of a time is written."""
        text, at = self._text, found.start
        before = text[max(0, at - _BEFORE) : at]
        if _DATE_BESIDE.match(text, found.end) or _QUERY.search(before):
            return Writing.NOT
        in_doubt = bool(_SET.search(before) or _CHINESE_NAME.match(text, found.end))
        clause = self._clause(at)
        if clause.is_habit:
            is_new = _NEW_CLAUSE.search(before) is not None
            in_doubt = clause.is_once or is_new or self._leads(found, clause)
            return Writing.BESIDE if in_doubt else Writing.NOT
        is_over = found.period.day <= self._today
        in_doubt = in_doubt or clause.has_each or (is_over and (clause._does_at <= at))
        return Writing.BESIDE if in_doubt else Writing.INSTEAD

    def _leads(self, found: FoundTime, clause: _Clause) -> bool:
        """Whether a time goes before the habit, which is then one of this time."""
        if found.start >= clause.habit_at:
            return False
        start = self._text[clause.start : found.start][-_BEFORE:]
        is_first = found.start - clause.start <= _BEFORE and _STARTS.match(start)
        return bool(is_first or has_chinese(self._text[found.start : found.end]))

    def _clause(self, at: int) -> _Clause:
        number = bisect_right(self._starts, at) - 1
        if number not in self._clauses:
            ends = self._starts[number + 1 : number + 2] or [len(self._text)]
            self._clauses[number] = _Clause(self._text, self._starts[number], ends[0])
        return self._clauses[number]


class _Clause:
    """What a clause says of how often it holds."""

    def __init__(self, text: str, start: int, end: int) -> None:
        habit = _EACH_TIME.search(text, start, end)
        what = _WHAT.search(text, start, end)
        once = _ONCE.search(text, start, what.start() if what else end)
        does = _DOES.search(text, start, end)
        self.start = start
        self.is_habit = habit is not None
        self.habit_at = habit.start() if habit else end
        self.is_once = once is not None
        self.has_each = _EACH.search(text, start, end) is not None
        is_told = does is None or (once is not None and once.start() < does.start())
        self._does_at = end if is_told or does is None else does.end()


def date_beside(text: str, found: FoundTime) -> tuple[int, int, str]:
    """The edit that puts a date behind its words."""
    own = _OWN.match(text, found.end)
    at = own.end() if own else found.end
    said = write_period(found.period, found.forms)
    is_chinese = has_chinese(text[found.start : found.end])
    return at, at, f"（{said}）" if is_chinese else f" ({said})"
