"""Days and times in the patterns that files, links and templates call them by, and the patterns of
others.

A pattern has the letters of strftime, in English on every system: `%-m` and `%-d` are without a
zero in front, `%o` is `1st`, `2nd`. Logseq writes `yyyy_MM_dd`, Obsidian `YYYY-MM-DD`; its
templates use those of Moment.js.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from functools import lru_cache

from memwiki.dates import MONTHS
from memwiki.text import pattern

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SUFFIXES = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}
# Not compiled before they are used: every command reads settings, and few name days.
_LETTER = r"%(-[md]|[YymdBbAajoGV%])"
_STRAY = r"%(?!-[md]|[YymdBbAajoGV%])"
_READ = {
    "Y": r"(?P<y>\d{4})",
    "m": r"(?P<m>\d\d)",
    "-m": r"(?P<m>\d\d?)",
    "B": rf"(?P<m>{'|'.join(MONTHS)})",
    "b": rf"(?P<m>{'|'.join(month[:3] for month in MONTHS)})",
    "d": r"(?P<d>\d\d)",
    "-d": r"(?P<d>\d\d?)",
    "o": r"(?P<d>\d\d?)(?:st|nd|rd|th)",
    "A": rf"(?:{'|'.join(DAYS)})",
    "a": rf"(?:{'|'.join(day[:3] for day in DAYS)})",
    "y": r"\d\d",
    "j": r"\d{3}",
    "G": r"\d{4}",
    "V": r"\d\d",
    "%": "%",
}
_UNICODE = {
    "yyyy": "%Y",
    "yy": "%y",
    "MMMM": "%B",
    "MMM": "%b",
    "MM": "%m",
    "M": "%-m",
    "do": "%o",
    "dd": "%d",
    "d": "%-d",
    "EEEE": "%A",
    "EEE": "%a",
    "EE": "%a",
    "E": "%a",
}
MOMENT = {
    "YYYY": "%Y",
    "YY": "%y",
    "MMMM": "%B",
    "MMM": "%b",
    "MM": "%m",
    "M": "%-m",
    "DDDD": "%j",
    "Do": "%o",
    "DD": "%d",
    "D": "%-d",
    "dddd": "%A",
    "ddd": "%a",
    "GGGG": "%G",
    "gggg": "%G",
    "WW": "%V",
    "ww": "%V",
}
_UNICODE_PART = r"'([^']*)'|(yyyy|yy|M{1,4}|do|dd?|E{1,4})|([A-Za-z]+)|(.|\n)"
_MOMENT_PART = (
    r"\[([^\]]*)\]|(YYYY|YY|M{1,4}|DDDD|Do|DD?|d{3,4}|GGGG|gggg|WW|ww)|([A-Za-z]+)|(.|\n)"
)
_MAX_CHARACTERS = 100  # characters of a pattern
# The longest first; what stands in brackets is text, and so is every other letter.
_PART = pattern(
    r"\[([^\[\]]*)\]"
    r"|(YYYY|YY|Q|MMMM|MMM|MM|M|DDDD|DDD|Do|DD|D|dddd|ddd|dd|d|E|GGGG|gggg|WW|W|ww|w"
    r"|HH|H|hh|h|mm|m|ss|s|SSS|A|a|X|x|ZZ|Z)"
)


def written_day(iso: str, pattern: str) -> str:
    """A day as a pattern writes it."""
    values = _values(date.fromisoformat(iso))
    return re.sub(_LETTER, lambda token: values[token[1]], pattern)


def day_tokens(day: date, tokens: Mapping[str, str]) -> dict[str, str]:
    """What each token of another program's patterns is of a day."""
    values = _values(day)
    return {token: values[letter.removeprefix("%")] for token, letter in tokens.items()}


def _values(day: date) -> dict[str, str]:
    month, weekday = MONTHS[day.month - 1], DAYS[day.weekday()]
    week = day.isocalendar()
    return {
        "Y": f"{day.year:04}",
        "y": f"{day.year % 100:02}",
        "B": month,
        "b": month[:3],
        "m": f"{day.month:02}",
        "-m": f"{day.month}",
        "o": f"{day.day}{_SUFFIXES.get(day.day, 'th')}",
        "d": f"{day.day:02}",
        "-d": f"{day.day}",
        "A": weekday,
        "a": weekday[:3],
        "j": f"{day.timetuple().tm_yday:03}",
        "G": f"{week.year:04}",
        "V": f"{week.week:02}",
        "%": "%",
    }


def read_day(text: str, pattern: str) -> str:
    """The ISO day that a pattern wrote; "" when it did not, or does not say the whole day."""
    form = _form(pattern)
    match = form.fullmatch(text) if form else None
    if match is None:
        return ""
    months = [month[: len(match["m"])] for month in MONTHS]
    month = match["m"] if match["m"].isdigit() else months.index(match["m"]) + 1
    try:
        iso = date(int(match["y"]), int(month), int(match["d"])).isoformat()
    except ValueError:
        return ""
    return iso if written_day(iso, pattern) == text else ""


def is_day_pattern(pattern: str) -> bool:
    """Whether a pattern says a whole day, so that what it writes can be read."""
    return (
        len(pattern) <= _MAX_CHARACTERS
        and not re.search(_STRAY, pattern)
        and _form(pattern) is not None
    )


@lru_cache(8)
def _form(pattern: str) -> re.Pattern[str] | None:
    """What reads such names; None where year, month or day would not be told."""
    form, done, named, seen = "", 0, set[str](), dict[str, str]()
    for token in re.finditer(_LETTER, pattern):
        letter, group = token[1], f"t{len(seen)}"
        # Written once more it is the same text: nothing is tried in every width again.
        form += re.escape(pattern[done : token.start()])
        if letter in seen:
            form += f"(?P={seen[letter]})"
        else:
            seen[letter] = group
            piece = _READ[letter]
            if (name := piece[3:6]) in named and piece.startswith("(?P"):
                piece = "(?:" + piece[6:]
            named.add(name)
            form += f"(?P<{group}>{piece})"
        done = token.end()
    if not {"<y>", "<m>", "<d>"} <= named:
        return None
    return re.compile(form + re.escape(pattern[done:]))


def of_unicode(pattern: str) -> str:
    """A pattern of Logseq, `MMM do, yyyy`, as ours; "" when it says what is no day."""
    return _translated(pattern, _UNICODE_PART, _UNICODE)


def of_moment(pattern: str) -> str:
    """A pattern of Obsidian, `YYYY-MM-DD`, as ours; "" when it says what is no day."""
    return _translated(pattern, _MOMENT_PART, MOMENT)


def _translated(pattern: str, part: str, tokens: Mapping[str, str]) -> str:
    parts = []
    if len(pattern) > _MAX_CHARACTERS:
        return ""
    for match in re.finditer(part, pattern):
        quoted, token, letters, sign = match.groups()
        if letters or (token and token not in tokens):
            return ""
        parts.append(tokens[token] if token else (quoted or sign or "").replace("%", "%%"))
    return "".join(parts)


def moment(pattern: str, at: datetime) -> str:
    """A time as a pattern writes it; what is no token stays as it is."""
    values = _time_values(at)
    return _PART.sub(lambda found: values[found[2]] if found[2] else found[1], pattern)


def _time_values(at: datetime) -> dict[str, str]:
    day, week = DAYS[at.weekday()], at.isocalendar().week
    hour = at.hour % 12 or 12
    zone = at.astimezone().strftime("%z")
    half = "pm" if at.hour > 11 else "am"
    return day_tokens(at.date(), MOMENT) | {
        "Q": f"{(at.month + 2) // 3}",
        "DDD": f"{at.timetuple().tm_yday}",
        "dd": day[:2],
        "d": f"{at.isoweekday() % 7}",
        "E": f"{at.isoweekday()}",
        "W": f"{week}",
        "w": f"{week}",
        "HH": f"{at.hour:02}",
        "H": f"{at.hour}",
        "hh": f"{hour:02}",
        "h": f"{hour}",
        "mm": f"{at.minute:02}",
        "m": f"{at.minute}",
        "ss": f"{at.second:02}",
        "s": f"{at.second}",
        "SSS": f"{at.microsecond // 1000:03}",
        "A": half.upper(),
        "a": half,
        "X": f"{at.timestamp():.0f}",
        "x": f"{at.timestamp() * 1000:.0f}",
        "ZZ": zone,
        "Z": f"{zone[:3]}:{zone[3:]}",
    }
