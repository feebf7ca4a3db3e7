"""Times written in the patterns of Moment.js, which the templates of Obsidian use."""

from __future__ import annotations

import re
from datetime import datetime

from memwiki.times.day_names import DAYS, MOMENT, dated

# The longest first; what stands in brackets is text, and so is every other letter.
_PART = re.compile(
    r"\[([^\[\]]*)\]"
    r"|(YYYY|YY|Q|MMMM|MMM|MM|M|DDDD|DDD|Do|DD|D|dddd|ddd|dd|d|E|GGGG|gggg|WW|W|ww|w"
    r"|HH|H|hh|h|mm|m|ss|s|SSS|A|a|X|x|ZZ|Z)"
)


def moment(pattern: str, at: datetime) -> str:
    """A time as a pattern writes it; what is no token stays as it is."""
    values = _values(at)
    return _PART.sub(lambda found: values[found[2]] if found[2] else found[1], pattern)


def _values(at: datetime) -> dict[str, str]:
    day, week = DAYS[at.weekday()], at.isocalendar().week
    hour = at.hour % 12 or 12
    zone = at.astimezone().strftime("%z")
    half = "pm" if at.hour > 11 else "am"
    return dated(at.date(), MOMENT) | {
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
