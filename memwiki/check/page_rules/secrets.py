"""Strings that open something: tokens of well-known shapes that are neither examples nor placeholders."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from math import log2
from typing import NamedTuple
from zlib import crc32

from memwiki.check.rule import Family, Finding, Rule, Sheet
from memwiki.model import Severity

_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_CHECKSUM_LENGTH = 6
_PLACEHOLDER = re.compile(
    r"example|sample|dummy|placeholder|redacted|your|xxxx|fake|test|1234567|7654321|abcdef|(.)\1{4}",
    re.IGNORECASE,
)


class Shape(NamedTuple):
    """How the tokens of one issuer look; the first group is what is random in them."""

    name: str
    mark: str  # stands in every such token, so that most pages are done with one search
    pattern: str
    bits: float  # the least entropy of one character that a real one has
    is_valid: Callable[[str], bool] = bool


def has_checksum(token: str) -> bool:
    """Whether the last six characters are the base 62 CRC-32 of those before them.

    Source: GitHub, "Behind GitHub's new authentication token formats", 2021.
    """
    body, written = token[:-_CHECKSUM_LENGTH], token[-_CHECKSUM_LENGTH:]
    number, digits = crc32(body.encode()), ""
    for _ in range(_CHECKSUM_LENGTH):
        number, digit = divmod(number, 62)
        digits = _BASE62[digit] + digits
    return digits == written


_SHAPES = (
    Shape("GitHub token", "gh", r"gh[pousr]_([A-Za-z0-9]{36})", 3.5, has_checksum),
    Shape("GitHub token", "github_pat_", r"github_pat_([A-Za-z0-9]{22}_[A-Za-z0-9]{59})", 4),
    Shape("GitLab token", "glpat-", r"glpat-([\w-]{20,64})", 3),
    Shape("npm token", "npm_", r"npm_([A-Za-z0-9]{36})", 3.5, has_checksum),
    Shape("PyPI token", "pypi-AgE", r"pypi-(AgE[A-Za-z0-9_-]{60,})", 4),
    Shape("AWS access key", "A", r"(?:AKIA|ASIA)([A-Z2-7]{16})", 3),
    Shape("Google API key", "AIza", r"AIza([A-Za-z0-9_-]{35})", 3.5),
    Shape("Slack token", "xox", r"xox[abeoprs]-(\d{8,14}-[A-Za-z0-9-]{20,})", 3),
    Shape("Stripe key", "k_live_", r"[rs]k_live_([A-Za-z0-9]{24,})", 3.5),
    Shape("OpenAI key", "T3BlbkFJ", r"sk-([\w-]{20,}T3BlbkFJ[\w-]{20,})", 4),
    Shape("Anthropic key", "sk-ant-", r"sk-ant-[a-z]{3,8}\d\d-([\w-]{80,})", 4),
    Shape("Hugging Face token", "hf_", r"hf_([A-Za-z]{34})", 3.5),
    Shape("SendGrid key", "SG.", r"SG\.([\w-]{22}\.[\w-]{43})", 4),
    Shape("Telegram bot token", ":AA", r"\d{8,10}:(AA[\w-]{33})", 4),
    Shape("DigitalOcean token", "_v1_", r"do[opr]_v1_([0-9a-f]{64})", 3),
    Shape("age key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1([0-9A-Z]{58})", 3.5),
    Shape(
        "private key", "PRIVATE KEY",
        r"-----BEGIN (?:[A-Z]+ ){0,2}PRIVATE KEY(?: BLOCK)?-----\s+"
        r"(?:[A-Z][\w-]{2,30}: [^\n]*\n\s*){0,6}((?:[A-Za-z0-9+/=]{40,76}\s+){2})",
        4.5,
    ),
)  # fmt: skip


def secrets(sheet: Sheet) -> Iterator[Finding]:
    """Tokens and keys, each where it stands; the message shows no more than how it begins."""
    text = sheet.page.text
    for shape in _SHAPES:
        if shape.mark not in text:
            continue
        for match in _compiled(shape.pattern).finditer(text):
            if _is_real(match, shape):
                line = text.count("\n", 0, match.start()) + 1
                message = f"looks like a {shape.name}: {match[0][:8].strip()}…"
                yield Finding("secret", line, message)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9_-]){pattern}(?![A-Za-z0-9])", re.ASCII)


def _is_real(match: re.Match[str], shape: Shape) -> bool:
    random = match[1]
    if _PLACEHOLDER.search(random) and shape.is_valid is bool:
        return False
    return _bits(random) >= shape.bits and shape.is_valid(random)


def _bits(text: str) -> float:
    """The Shannon entropy of one character."""
    counts = Counter(text).values()
    return -sum(n / len(text) * log2(n / len(text)) for n in counts)


RULES: tuple[Rule[Sheet], ...] = (
    Rule(
        "secret", Family.CONTENT, Severity.ERROR,
        "A key or token that opens something. Revoke it, and keep it where secrets are kept.",
        secrets,
    ),
)  # fmt: skip
