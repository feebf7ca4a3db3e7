"""Times written in the patterns of Moment.js, which the templates of Obsidian use."""

from __future__ import annotations

import re
from datetime import datetime

from memwiki.dates import MONTHS
from memwiki.times.day_names import DAYS, ordinal

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
    month, day = MONTHS[at.month - 1], DAYS[at.weekday()]
    year, week, _ = at.isocalendar()
    hour = at.hour % 12 or 12
    zone = at.astimezone().strftime("%z")
    return {
        "YYYY": f"{at.year:04}",
        "YY": f"{at.year % 100:02}",
        "Q": f"{(at.month + 2) // 3}",
        "MMMM": month,
        "MMM": month[:3],
        "MM": f"{at.month:02}",
        "M": f"{at.month}",
        "DDDD": f"{at.timetuple().tm_yday:03}",
        "DDD": f"{at.timetuple().tm_yday}",
        "Do": ordinal(at.day),
        "DD": f"{at.day:02}",
        "D": f"{at.day}",
        "dddd": day,
        "ddd": day[:3],
        "dd": day[:2],
        "d": f"{at.isoweekday() % 7}",
        "E": f"{at.isoweekday()}",
        "GGGG": f"{year:04}",
        "gggg": f"{year:04}",
        "WW": f"{week:02}",
        "W": f"{week}",
        "ww": f"{week:02}",
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
        "A": "PM" if at.hour > 11 else "AM",
        "a": "pm" if at.hour > 11 else "am",
        "X": f"{at.timestamp():.0f}",
        "x": f"{at.timestamp() * 1000:.0f}",
        "ZZ": zone,
        "Z": f"{zone[:3]}:{zone[3:]}",
    }
