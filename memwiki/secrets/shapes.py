"""Keys and tokens of well-known shapes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from zlib import crc32

from memwiki.records import NamedTuple
from memwiki.secrets.assigned import PLACEHOLDER, Clue, bits

_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_CHECKSUM_LENGTH = 6


class TokenShape(NamedTuple):
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
    TokenShape("GitHub token", "gh", r"gh[pousr]_([A-Za-z0-9]{36})", 3.5, has_checksum),
    TokenShape("GitHub token", "github_pat_", r"github_pat_([A-Za-z0-9]{22}_[A-Za-z0-9]{59})", 4),
    TokenShape("GitLab token", "glpat-", r"glpat-([\w-]{20,64})", 3),
    TokenShape("npm token", "npm_", r"npm_([A-Za-z0-9]{36})", 3.5, has_checksum),
    TokenShape("PyPI token", "pypi-AgE", r"pypi-(AgE[A-Za-z0-9_-]{60,})", 4),
    TokenShape("AWS access key", "A", r"(?:AKIA|ASIA)([A-Z2-7]{16})", 3),
    TokenShape("Google API key", "AIza", r"AIza([A-Za-z0-9_-]{35})", 3.5),
    TokenShape("Slack token", "xox", r"xox[abeoprs]-(\d{8,14}-[A-Za-z0-9-]{20,})", 3),
    TokenShape("Stripe key", "k_live_", r"[rs]k_live_([A-Za-z0-9]{24,})", 3.5),
    TokenShape("OpenAI key", "T3BlbkFJ", r"sk-([\w-]{20,}T3BlbkFJ[\w-]{20,})", 4),
    TokenShape("Anthropic key", "sk-ant-", r"sk-ant-[a-z]{3,8}\d\d-([\w-]{80,})", 4),
    TokenShape("Hugging Face token", "hf_", r"hf_([A-Za-z]{34})", 3.5),
    TokenShape("SendGrid key", "SG.", r"SG\.([\w-]{22}\.[\w-]{43})", 4),
    TokenShape("Telegram bot token", ":AA", r"\d{8,10}:(AA[\w-]{33})", 4),
    TokenShape("DigitalOcean token", "_v1_", r"do[opr]_v1_([0-9a-f]{64})", 3),
    TokenShape("Twilio key", "SK", r"SK([0-9a-f]{32})", 3),
    TokenShape(
        "Slack webhook",
        "hooks.slack.com/",
        r"hooks\.slack\.com/services/(T\w{8,12}/B\w{8,12}/\w{24})",
        4,
    ),
    TokenShape(
        "Discord webhook",
        "/api/webhooks/",
        r"discord(?:app)?\.com/api/webhooks/\d{17,20}/([\w-]{60,80})",
        4,
    ),
    TokenShape("Stripe webhook secret", "whsec_", r"whsec_([A-Za-z0-9+/]{32,64})", 3.5),
    TokenShape("Shopify token", "shp", r"shp(?:at|ca|pa|ss)_([0-9a-f]{32})", 3),
    TokenShape("Square token", "sq0", r"sq0(?:atp|csp)-([\w-]{22,43})", 3.5),
    TokenShape("Google OAuth secret", "GOCSPX-", r"GOCSPX-([\w-]{28})", 3.5),
    TokenShape("Azure client secret", "8Q~", r"\w{3}8Q~([\w.~-]{34})", 3.5),
    TokenShape("Atlassian token", "ATATT3", r"ATATT3([\w=-]{100,200})", 4),
    TokenShape("Databricks token", "dapi", r"dapi([0-9a-f]{32})", 3),
    TokenShape("Linear key", "lin_api_", r"lin_api_([A-Za-z0-9]{40})", 3.5),
    TokenShape("Notion token", "ntn_", r"ntn_(\d{11}[A-Za-z0-9]{35})", 3.5),
    TokenShape("Airtable token", "pat", r"pat[A-Za-z0-9]{14}\.([0-9a-f]{64})", 3),
    TokenShape("Postman key", "PMAK-", r"PMAK-([0-9a-f]{24}-[0-9a-f]{34})", 3),
    TokenShape("Grafana token", "glsa_", r"glsa_([A-Za-z0-9]{32}_[0-9a-f]{8})", 3.5),
    TokenShape("Vault token", "hvs.", r"hvs\.([\w-]{24,120})", 3.5),
    TokenShape("Groq key", "gsk_", r"gsk_([A-Za-z0-9]{52})", 3.5),
    TokenShape("Replicate token", "r8_", r"r8_([A-Za-z0-9]{37})", 3.5),
    TokenShape("New Relic key", "NRAK-", r"NRAK-([A-Z0-9]{27})", 3.5),
    TokenShape("RubyGems key", "rubygems_", r"rubygems_([0-9a-f]{48})", 3),
    TokenShape("Supabase token", "sbp_", r"sbp_([0-9a-f]{40})", 3),
    TokenShape("age key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1([0-9A-Z]{58})", 3.5),
    TokenShape(
        "private key",
        "PRIVATE KEY",
        r"-----BEGIN (?:[A-Z]+ ){0,2}PRIVATE KEY(?: BLOCK)?-----(?:\\n|\s+)"
        r"(?:[A-Z][\w-]{2,30}: [^\n]{0,200}\n\s*){0,6}((?:[A-Za-z0-9+/=]{40,76}(?:\\n|\s+)){2})",
        4.5,
    ),
)


def shaped(text: str) -> Iterator[Clue]:
    """The keys and tokens that their shape gives away."""
    for shape in _SHAPES:
        for match in _compiled(shape.pattern).finditer(text) if shape.mark in text else ():
            if _is_real(match, shape):
                yield Clue(match.start(), f"a {shape.name}: {match[0][:8].strip()}…")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9_-]){pattern}(?![A-Za-z0-9])", re.ASCII)


def _is_real(match: re.Match[str], shape: TokenShape) -> bool:
    random = match[1]
    if PLACEHOLDER.search(random) and shape.is_valid is bool:
        return False
    return bits(random) >= shape.bits and shape.is_valid(random)
