"""Days in the patterns that Logseq names its journals by: `yyyy_MM_dd`, `MMM do, yyyy`."""

from __future__ import annotations

import re
from datetime import date

_TOKEN = re.compile(r"yyyy|yy|MMMM|MMM|MM|M|do|dd|d|EEEE|EEE|EE|E|'[^']*'")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SUFFIXES = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}
_NUMBERS = {"yyyy": r"(?P<y>\d{4})", "MM": r"(?P<m>\d\d)", "M": r"(?P<m>\d\d?)"}
_NUMBERS |= {"dd": r"(?P<d>\d\d)", "d": r"(?P<d>\d\d?)"}


def written_day(iso: str, pattern: str) -> str:
    """A day as a pattern writes it."""
    day = date.fromisoformat(iso)
    month, weekday = _MONTHS[day.month - 1], _DAYS[day.weekday()]
    values = {
        "yyyy": f"{day.year:04}",
        "yy": f"{day.year % 100:02}",
        "MMMM": month,
        "MMM": month[:3],
        "MM": f"{day.month:02}",
        "M": f"{day.month}",
        "do": f"{day.day}{_SUFFIXES.get(day.day, 'th')}",
        "dd": f"{day.day:02}",
        "d": f"{day.day}",
        "EEEE": weekday,
    }
    return _TOKEN.sub(
        lambda token: values.get(token[0], weekday[:3] if token[0][0] == "E" else token[0][1:-1]),
        pattern,
    )


def read_day(text: str, pattern: str) -> str:
    """The ISO day that a pattern of numbers wrote, "" when it did not."""
    form, done = "", 0
    for token in _TOKEN.finditer(pattern):
        piece = _NUMBERS.get(token[0])
        if piece is None or piece[:5] in form:
            return ""
        form += re.escape(pattern[done : token.start()]) + piece
        done = token.end()
    match = re.fullmatch(form + re.escape(pattern[done:]), text)
    if not match or len(match.groupdict()) < 3:
        return ""
    try:
        return date(*(int(match[name]) for name in "ymd")).isoformat()
    except ValueError:
        return ""
