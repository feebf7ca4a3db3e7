"""Amounts in one form: thousands written out, minutes counted as seconds."""

from __future__ import annotations

import re

from memwiki.judgement.lexicon import number_of
from memwiki.text import pattern

_THOUSANDS = {"k": 1_000, "万": 10_000, "萬": 10_000}
_LARGE = pattern(
    r"(?<![a-z0-9_.一二两三四五六七八九十百千])(?P<sign>[$€£¥]?)(?P<count>\d+(?:\.\d+)?|[一二两三四五六七八九十百千零]{1,7})"
    r"(?P<size>k(?![a-z0-9_])|[万萬](?![\d一二三四五六七八九十百千万]))"
)
_JOINED = pattern(
    r"(?<![a-z0-9_.:-])(?!(?:19|20)\d\ds)(\d+(?:\.\d+)?)(s|sec|min|h|hrs?|[kmgt]b|kg)(?![a-z0-9_])"
)
_HALVES = (("半个?小时", "30分钟"), ("半个月", "15天"), ("半年", "6个月"))
_HALVES_EN = (("half an hour", "30 minutes"), ("half a year", "6 months"))
_OF_ONE = tuple((pattern(form), plain) for form, plain in (*_HALVES, *_HALVES_EN))
_A_DAY = 86_400
# What is counted in one of these: the unit that stands for all, and how many of it.
_UNITS = {
    **dict.fromkeys(("=second", "s"), ("=second", 1.0)),
    "=minute": ("=second", 60),
    **dict.fromkeys(("=hour", "h"), ("=second", 3_600)),
    "=day": ("=second", _A_DAY),
    "=week": ("=second", 7 * _A_DAY),
    "=month": ("=second", 30 * _A_DAY),
    "=year": ("=second", 12 * 30 * _A_DAY),
    "kb": ("=megabyte", 1 / 1024),
    "=megabyte": ("=megabyte", 1),
    "=gigabyte": ("=megabyte", 1024),
    "tb": ("=megabyte", 1024 * 1024),
}


def with_plain_amounts(text: str) -> str:
    """A normalised text with `20k` and 20万 written out, half an hour in minutes, and `30s` as two
    words."""
    for form, plain in _OF_ONE:
        text = form.sub(plain, text)
    return _JOINED.sub(r"\1 \2", _LARGE.sub(_written_out, text))


def _written_out(match: re.Match[str]) -> str:
    count = match["count"]
    value = float(count) if count[0].isdecimal() and count.isascii() else number_of(count)
    return f"{match['sign']}{value * _THOUSANDS[match['size']]:.0f}"


def in_base(figure: str, unit: str) -> tuple[str, str]:
    """A figure and its unit, of durations and sizes in seconds and megabytes."""
    if unit not in _UNITS or not figure.replace(".", "", 1).isdecimal():
        return figure, unit
    base, count = _UNITS[unit]
    return f"{float(figure) * count:g}", base
