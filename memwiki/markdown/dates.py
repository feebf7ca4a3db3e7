"""Dates as people and tools write them, read into ISO 8601 text."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

_ISO_DAY = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\Z")
_PARTIAL = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2]))?\Z")
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})\Z")
_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)\Z")
_CLOCK = re.compile(r"(\d{4}-\d\d-\d\d)(?:[T ]|,\s*)\s*(\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?)\s*(.*)\Z")
_EPOCH = re.compile(r"\d{9,10}\Z|\d{12,13}\Z")
_NAME_DATE = re.compile(r"(?<!\d)([12]\d{3})[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?!\d)")
_ZONE = re.compile(r"Z|[+-]\d\d(?::?\d\d)?")


def date_in(name: str) -> str:
    """The first date in a file name, `2026-11-21`, `2026_11_21` or `20261121`, as an ISO date."""
    found = _NAME_DATE.search(name)
    return "-".join(found.groups()) if found else ""


def iso_date(text: str) -> str:
    """The ISO form of a written date or time (aware ones in UTC), "" when it cannot be read."""
    text = text.strip().strip("'\"")
    try:
        return _day(text) or _moment(text) or _epoch(text)
    except (ValueError, OverflowError, OSError):
        return ""


def _day(text: str) -> str:
    if _PARTIAL.match(text):
        return text
    if match := _ISO_DAY.match(text) or _COMPACT.match(text):
        year, month, day = map(int, match.groups())
        return date(year, month, day).isoformat()
    if match := _SLASHED.match(text):
        month, day, year = map(int, match.groups())
        # 25/12/2024 can only be day first; everything else is read the American way.
        return (date(year, day, month) if month > 12 else date(year, month, day)).isoformat()
    return ""


def _moment(text: str) -> str:
    match = _CLOCK.match(text)
    if not match:
        return ""
    day, clock, zone = match.groups()
    zone = {"z": "Z", "UTC": "Z", "GMT": "Z"}.get(zone, zone)
    if zone and not _ZONE.fullmatch(zone):
        return ""
    moment = datetime.fromisoformat(f"{day}T{clock.zfill(len(clock) + clock.index(':') % 2)}{zone}")
    if moment.tzinfo is None:
        return moment.isoformat(timespec="seconds")
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _epoch(text: str) -> str:
    if not _EPOCH.match(text):
        return ""
    seconds = int(text) / (1000 if len(text) > 10 else 1)
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


_MONTHS = (
    "January February March April May June July August September October November December"
).split()


def in_words(text: str) -> str:
    """An ISO date as people ask for it, such as `8 May 2023`; "" for anything else."""
    match = re.match(r"(\d{4})-(\d\d)-(\d\d)", text)
    if not match or not 1 <= int(match[2]) <= 12:
        return ""
    return f"{int(match[3])} {_MONTHS[int(match[2]) - 1]} {match[1]}"
