"""Secrets that only the name before them gives away: `api_key = ...`, `password: ...`, a header, a
URL.

What stands there must look drawn by lot; names, paths, examples and placeholders do not. Every
pattern is bounded on all sides, so that a search costs the length of the text.
Source: the rules for assigned secrets of gitleaks (generic-api-key) and detect-secrets (keyword).
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from collections import Counter
from collections.abc import Iterator
from math import log2

from memwiki.patterns import pattern
from memwiki.records import NamedTuple

PLACEHOLDER = pattern(
    r"example|sample|dummy|placeholder|redacted|your|xxxx|fake|test|1234567|7654321|abcdef|(.)\1{4}",
    re.IGNORECASE,
)
# What stands in tutorials where a secret would: words, and ways to fetch one from elsewhere.
_STAND_IN = pattern(
    r"p[a@4][s$5]{2}|passwd|secret|token|changeme|change_me|insert|replace|my[-_]|foobar|foo_|_bar"
    r"|hello|demo|admin|root|user|qwerty|letmein|abc123|a1b2c3|12345|asdf|null|none|undefined|hidden|todo"
    r"|env[.\[(]|getenv|environ|process\.|config|settings|secrets?\.|vault|\.\.\.|\$\{|\$\(|\{\{|%[({]"
    r"|<|>|\*\*|\|\|",
    re.IGNORECASE,
)
_KINDS_OF_KEYS = "api access account shared private auth encryption signing master license".split()
_KEYS = (
    "secret",
    "token",
    *(f"{kind}{joint}key" for kind in _KINDS_OF_KEYS for joint in ("", "_", "-", " ")),
    "密钥",
    "令牌",
)
_PASSWORDS = ("password", "passwd", "passphrase", "passcode", "pwd", "密码", "口令")
_NAMES = (*_KEYS, *_PASSWORDS)
_NAMED = rf"(?:(?P<key>{'|'.join(_KEYS)})|(?P<password>{'|'.join(_PASSWORDS)}))"
_NO_SECRET = pattern(
    r"(?:id|ids|name|names|type|ur[il]|file|path|count|limit|length|size|hash|digest|salt|ref|field|env|var"
    r"|arn|policy|expir\w*|ttl|version|manager|provider|endpoint|label|prefix|format|izer|ization|ize[dr]?)\Z",
    re.IGNORECASE,
)
_VALUE = (
    r"(?:\"(?P<double>[^\s\"]{8,200})\"|'(?P<single>[^\s']{8,200})'|`(?P<code>[^\s`]{8,200})`"
    r"|(?P<bare>[^\s\"'`<>(){}\[\],;|&]{8,200})(?![^\s\"'`,;|&]))"
)
_ASSIGNED = pattern(
    rf"{_NAMED}(?P<rest>[\w.-]{{0,30}})[\"'`*\]]{{0,4}}"
    rf"[ \t]{{0,8}}(?::=|=>|==?|[:：])[\"'`*]{{0,2}}[ \t]{{0,8}}{_VALUE}",
    re.IGNORECASE,
)
_FLAG = pattern(rf"--{_NAMED}(?P<rest>)[ \t]{{1,4}}{_VALUE}", re.IGNORECASE)
_BEARER = pattern(
    r"\b(?:bearer|authorization\W{1,4}token)[ \t]{1,4}([A-Za-z0-9+/._~=-]{16,600})", re.IGNORECASE
)
_BASIC = pattern(r"authorization\W{1,4}basic[ \t]{1,4}([A-Za-z0-9+/]{8,200}={0,2})", re.IGNORECASE)
_LOGIN = pattern(r"://[^\s:/@\"'`<>]{0,60}:([^\s:/@\"'`<>]{6,100})@([A-Za-z0-9.-]{1,100})")
_HERE = pattern(
    r"localhost|127\.0\.0\.1|0\.0\.0\.0|host\w*\Z|.*\bexample\b|server\Z|db\Z", re.IGNORECASE
)
_WORDS = pattern(r"[A-Za-z][a-z]{2,}")
_HEX = pattern(r"[0-9a-fA-F]+\Z")
_PLACE = pattern(r"[./~]|[A-Za-z]:\\|\w{1,20}://")
_MIN_KEY_CHARACTERS = 16
_MIN_HEX_CHARACTERS = 32
_MIN_KEY_DIGITS = 2
_MIN_HEX_BITS = 3.0  # of entropy of one character
_MIN_KEY_BITS = 3.5
_MIN_PASSWORD_KINDS = 3
_MIN_PASSWORD_BITS = 2.75
_MAX_WORDS = 0.75  # the share of a key that could be read aloud
_SUFFIX = pattern(r"\.\w{1,5}\Z")


class Clue(NamedTuple):
    """Where a secret begins, and what may be shown of it."""

    start: int
    what: str


def assigned(text: str) -> Iterator[Clue]:
    """The secrets that are given to a name, to a header or to an address."""
    folded = text.lower()
    if len(folded) != len(text):  # a few letters become two
        folded = "".join(c.lower() if c.isascii() else c for c in text)
    for name in _NAMES:
        for at in _locations(folded, name):
            match = _ASSIGNED.match(text, at) or _FLAG.match(text, max(at - 2, 0))
            secret = match and _given(match)
            if secret:
                yield secret
    if "bearer" in folded or "authorization" in folded:
        for pattern, is_secret in ((_BEARER, is_key), (_BASIC, _is_login)):
            found = (match for match in pattern.finditer(text) if is_secret(match[1]))
            yield from (Clue(match.start(), "a secret in a header") for match in found)
    for at in _locations(text, "://"):
        match = _LOGIN.match(text, at)
        if match and is_password(match[1], 6) and not _HERE.match(match[2]):
            yield Clue(at, "a password in an address")


def _locations(text: str, part: str) -> Iterator[int]:
    """Where a part stands: to find it so is a hundred times as fast as by a pattern."""
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + len(part))


def _given(match: re.Match[str]) -> Clue | None:
    value = match["double"] or match["single"] or match["code"] or match["bare"]
    name = (match["key"] or match["password"]) + match["rest"]
    if _NO_SECRET.search(name):
        return None
    if match["password"] and is_password(value.rstrip(".")):
        return Clue(match.start(), f"a password in `{name}`")
    if is_key(value):
        return Clue(match.start(), f"a secret in `{name}`: {value[:4]}…")
    return None


def _is_login(text: str) -> bool:
    try:
        user, _, password = b64decode(text, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return False
    return bool(user) and is_password(password, 6)


def is_key(value: str) -> bool:
    """Whether a text looks like a key: long, drawn by lot, and no stand-in for one."""
    if len(value) < _MIN_KEY_CHARACTERS or _is_stand_in(value):
        return False
    digits = sum(character.isdigit() for character in value)
    if _HEX.match(value):
        is_long = len(value) >= _MIN_HEX_CHARACTERS
        return is_long and digits < len(value) and bits(value) >= _MIN_HEX_BITS
    is_drawn = digits >= _MIN_KEY_DIGITS and bits(value) >= _MIN_KEY_BITS
    return is_drawn and not _is_made_of_words(value)


def is_password(value: str, least: int = 8) -> bool:
    """Whether a text looks like a password that somebody uses: of three kinds of characters."""
    if len(value) < least or _is_stand_in(value) or _is_made_of_words(value):
        return False
    kinds = (str.islower, str.isupper, str.isdigit, _is_mark)
    is_mixed = sum(any(map(kind, value)) for kind in kinds) >= _MIN_PASSWORD_KINDS
    return is_mixed and bits(value) >= _MIN_PASSWORD_BITS


def _is_mark(character: str) -> bool:
    return character.isascii() and not character.isalnum() and character not in "-_./"


def _is_stand_in(value: str) -> bool:
    if not value.isascii() or value[0] in "$%@!&*" or _PLACE.match(value):
        return True
    is_path = value.count("/") > 1 and _SUFFIX.search(value)
    return bool(is_path or PLACEHOLDER.search(value) or _STAND_IN.search(value))


def _is_made_of_words(value: str) -> bool:
    """Whether most of it could be read aloud: `AccessTokenV2ForUser1`, `tidb-cluster-2`."""
    return sum(map(len, _WORDS.findall(value))) > _MAX_WORDS * len(value)


def bits(text: str) -> float:
    """The Shannon entropy of one character."""
    counts = Counter(text).values()
    return -sum(n / len(text) * log2(n / len(text)) for n in counts)
