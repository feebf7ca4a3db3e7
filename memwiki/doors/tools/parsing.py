"""Values that came as text: JSON, numbers, flags, lists; None where a text is none of these."""

from __future__ import annotations

import json
import math
import re

from memwiki.model import Json

MAX_JSON = 1_000_000  # characters; longer ones are not parsed
_LONGEST_NUMBER = 40
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]{1,3})?")
_PLAIN_LIST = re.compile(r"\[([^\[\]{}\"'\\]*)\]")
_LIKE_JSON = re.compile(r"[\s\[]*+\{\s*+[\"'}]|\s*+\[\s*+[\"']")
_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def parsed_json(text: str) -> Json:
    """An object, a list or a text as JSON, encoded once or twice, or quoted as Python does."""
    found = _loaded(text)
    return (_loaded(found) or found) if isinstance(found, str) else found


def _loaded(text: str) -> Json:
    if len(text) > MAX_JSON or not text.lstrip().startswith(("[", "{", '"')):
        return None
    if "'" in text and '"' not in text and "\\" not in text:
        text = text.replace("'", '"')  # a quote within a text makes it no JSON
    try:
        found: Json = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return found


def _refuse(name: str) -> None:
    raise ValueError(name)


def is_like_json(text: str) -> bool:
    """Whether a text that is not JSON was probably to be: it is not taken for words then."""
    return _LIKE_JSON.match(text) is not None


def parsed_number(text: str) -> int | float | None:
    """A decimal number."""
    said = text.strip() if len(text) <= _LONGEST_NUMBER else ""
    found = _NUMBER.fullmatch(said)
    if not found:
        return None
    return float(said) if found[1] or found[2] else int(said)


def parsed_flag(value: object) -> bool | None:
    """A word or number for true or false."""
    if isinstance(value, str):
        return _FLAGS.get(value.strip().lower()) if len(value) <= _LONGEST_NUMBER else None
    return bool(value) if isinstance(value, int | float) and value in (0, 1) else None


def parsed_texts(text: str) -> list[Json] | None:
    """A list of texts as JSON, in brackets without quotes, or separated by commas."""
    found = parsed_json(text)
    found = parsed_json(f"[{text}]") if found is None and '"' in text else found
    if isinstance(found, list):
        return found
    words = found if isinstance(found, str) else text
    if bare := _PLAIN_LIST.fullmatch(words.strip()):
        return _pieces(bare[1])
    is_words = len(words) <= MAX_JSON and not words.lstrip().startswith(("[", "{", '"'))
    return (_pieces(words) or None) if is_words else None


def _pieces(text: str) -> list[Json]:
    return [piece.strip() for piece in text.split(",") if piece.strip()]


def number_text(value: float) -> str | None:
    """The text of a number; a whole one has no fraction, an infinite or huge one no text."""
    if abs(value) >= 10**_LONGEST_NUMBER or math.isnan(value):
        return None
    is_whole = value == int(value) and abs(value) < 1e15  # beyond it a float is not exact
    return str(int(value)) if is_whole else str(value)
