"""What looks like a secret in a text: tokens by their shape, passwords by what they are given to.

What stands there must look drawn by lot; names, paths, examples and placeholders do not. Every
pattern is bounded on all sides, so that a search costs the length of the text.
Source: the rules for assigned secrets of gitleaks (generic-api-key) and detect-secrets (keyword).
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from math import log2
from zlib import crc32

from memwiki.records import NamedTuple
from memwiki.text import pattern

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
_BEFORE_KEY = tuple(f"{kind}{joint}" for kind in _KINDS_OF_KEYS for joint in ("", "_", "-", " "))
_MAX_BEFORE_KEY = max(map(len, _BEFORE_KEY))
_KEYS = (
    "secret",
    "token",
    *(f"{before}key" for before in _BEFORE_KEY),
    "密钥",
    "令牌",
)
_PASSWORDS = (
    *("password", "passwd", "passphrase", "passcode", "pwd", "_pass", "密码", "密碼", "口令"),
    *("passwort", "kennwort", "wachtwoord", "mot de passe", "contraseña", "senha", "hasło"),
    *("пароль", "パスワード", "비밀번호"),
)
_NAMES = (*_KEYS, *_PASSWORDS)
_NAMES_BUT_KEYS = tuple(name for name in _NAMES if not name.endswith("key"))
_ORDER = {name: number for number, name in enumerate(_NAMES)}
_NAMED = (
    rf"(?:(?P<key>{'|'.join(_KEYS)})|(?P<password>{'|'.join(_PASSWORDS)})"
    r"(?<!_pass(?=[a-z]))(?<![dr]esenha))"  # resenha is a review
)
_NO_SECRET = pattern(
    r"(?:id|ids|name|names|type|ur[il]|file|path|count|limit|length|size|hash|digest|salt|ref|field|env|var"
    r"|arn|policy|expir\w*|ttl|version|manager|provider|endpoint|label|prefix|format|izer|ization|ize[dr]?"
    r"|hint|usage|used|budget|estimate|santa|(?<=secret)(?:ary|ariat)|(?<=d)less)\Z",
    re.IGNORECASE,
)
_TICKET = pattern(  # what comes before a pass that opens no account
    r"(?<![^\W])(?<!_)(?:boarding|bus|day|gate|lint|mountain|rail|season|ski|visitor)\Z",
    re.IGNORECASE,
)
_MAX_TICKET = 8
_VALUE = (
    r"(?:\"(?P<double>[^\s\"]{8,200})\"|'(?P<single>[^\s']{8,200})'|`(?P<code>[^\s`]{8,200})`"
    r"|(?P<bare>[^\s\"'`<>(){}\[\],;|&，。；！]{8,200})(?![^\s\"'`,;|&，。；！]))"
)
_IS = r"(?::=|=>|==?|[:：]|(?<=[ \t])is(?=[ \t])|是|为)"
_ASSIGNED = pattern(
    rf"{_NAMED}(?P<rest>[\w.-]{{0,30}})[\"'`*\]]{{0,4}}"
    rf"[ \t]{{0,8}}{_IS}[\"'`*]{{0,2}}[ \t]{{0,8}}{_VALUE}",
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


def assigned_secrets(text: str) -> Iterator[Clue]:
    """The secrets that are given to a name, to a header or to an address."""
    folded = text.lower()
    if len(folded) != len(text):  # a few letters become two
        folded = "".join(c.lower() if c.isascii() else c for c in text)
    for at in _name_starts(folded):
        match = _ASSIGNED.match(text, at) or _FLAG.match(text, max(at - 2, 0))
        secret = match and _given_clue(match)
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


def _name_starts(folded: str) -> Iterator[int]:
    """Where a name begins that secrets are given to, name by name; 36 kinds of keys are told by
    what stands before the word, as to search for one costs the length of the text."""
    found = [(name, at) for name in _NAMES_BUT_KEYS for at in _locations(folded, name)]
    for at in _locations(folded, "key"):
        before = folded[max(at - _MAX_BEFORE_KEY, 0) : at]
        if before.endswith(_BEFORE_KEY):
            kind = next(filter(before.endswith, _BEFORE_KEY))
            found.append((f"{kind}key", at - len(kind)))
    return (at for _, at in sorted(found, key=lambda each: (_ORDER[each[0]], each[1])))


def _locations(text: str, part: str) -> Iterator[int]:
    """Where a part stands: to find it so is a hundred times as fast as by a pattern."""
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + len(part))


def _given_clue(match: re.Match[str]) -> Clue | None:
    value = match["double"] or match["single"] or match["code"] or match["bare"]
    name = (match["key"] or match["password"]) + match["rest"]
    start = match.start()
    before = match.string[max(start - _MAX_TICKET, 0) : start]
    is_ticket = name[:5].lower() == "_pass" and _TICKET.search(before)
    if is_ticket or _NO_SECRET.search(name):
        return None
    if match["password"] and is_password(value.rstrip(".")):
        return Clue(start, f"a password in `{name}`")
    if is_key(value):
        return Clue(start, f"a secret in `{name}`: {value[:4]}…")
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
    TokenShape("AWS access key", "A", r"A[KS]IA([A-Z2-7]{16})", 3),
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


def shaped_secrets(text: str) -> Iterator[Clue]:
    """The keys and tokens that their shape gives away."""
    for shape in _SHAPES:
        for match in _compiled(shape).finditer(text) if shape.mark in text else ():
            if _is_real(match, shape):
                yield Clue(match.start(), f"a {shape.name}: {match[0][:8].strip()}…")


@cache
def _compiled(shape: TokenShape) -> re.Pattern[str]:
    # How it begins comes first: it is searched for faster than what it may not follow.
    begin = shape.mark if shape.pattern.startswith(shape.mark) else ""
    rest = f"{shape.pattern}(?![A-Za-z0-9])".removeprefix(begin)
    return re.compile(f"{begin}(?<![A-Za-z0-9_-]{begin}){rest}", re.ASCII)


def _is_real(match: re.Match[str], shape: TokenShape) -> bool:
    random = match[1]
    if PLACEHOLDER.search(random) and shape.is_valid is bool:
        return False
    return bits(random) >= shape.bits and shape.is_valid(random)


_KEY_BLOCK = pattern(r"-----BEGIN [^\n]*?-----.*?(?:-----END [^\n]*?-----|\Z)", re.DOTALL)
_REMOVED = "[secret removed]"
_WORD = pattern(r"[A-Za-z0-9_-]{24,}")
_TAGGED_HEX = pattern(
    r"(?!sha|md5|commit|rev)[a-z][a-z0-9]{1,9}(?:[-_][a-z0-9]{1,8}){0,2}[-_][0-9a-f]{32,}"
)
_MIN_OF_A_KIND = 3
_SAID = ("sk-", "sk_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_")  # how secret keys begin
_MAX_WORD_CHARACTERS = 200
# A password that is said to be one, in words, settings, or the commands that take one.
_SAID_VALUE = r"[\"'`*]{0,2}([^\s\"'`<>(){}\[\],;|&，。；！⺀-鿿]{8,200})(?![A-Za-z0-9_(\[{])"
_SAID_PASSWORD = pattern(
    rf"(?:((?:{'|'.join(_PASSWORDS)})[\w.-]{{0,30}})[\"'`*\]]{{0,4}}[ \t]{{0,8}}"
    r"(?:=>|==?|:=|[:：>]|(?<=[ \t])(?:is|ist|was|est|es|to)(?=[ \t])|[是为]|[改换设][成为])"
    r"[ \t]{0,8}"
    r"|\blogin\s{1,8}\S{1,80}\s{1,8}password[ \t]{1,8}|\bpw[ \t]{1,4}"
    r"|\bcurl\b[^\n|]{0,200}?[ \t](?:-u|--user)[ =]?[\"']?[^\s:\"']{1,80}:"
    r"|\b(?:mysql|mariadb)\w{0,10}\b[^\n|]{0,200}?[ \t]-p|\bsshpass[ \t]{1,4}-p[ \t]{0,4})"
    rf"{_SAID_VALUE}"
    rf"|\buse[ \t]{{1,4}}{_SAID_VALUE}[\"'`*]{{0,2}} as (?:\w{{1,9}} ){{0,3}}password",
    re.IGNORECASE,
)
_OF_CODE = pattern(r"[$%/~.]|.*(?:://|[A-Za-z]{2}[._][A-Za-z]{2})")


class Secret(NamedTuple):
    """What a line holds, with no more than how it begins: `a GitHub token: ghp_1a2b…`."""

    line: int
    what: str


# All of them hold eight characters in a row that are no small letters alone; but the names in
# base 64 that a header is given might be such.
_MAY_BE_ONE = pattern(r"(?<!\S)(?=\S{8})[a-z]*[^a-z\s]|(?i:authorization)")


def secrets_in(text: str) -> Iterator[Secret]:
    """Tokens, keys and passwords in order, one a line."""
    if not _MAY_BE_ONE.search(text):  # as in most sentences
        return
    clues = [*shaped_secrets(text), *assigned_secrets(text)]
    ends = [match.start() for match in re.finditer("\n", text)] if clues else []
    found: dict[int, str] = {}
    for clue in clues:
        found.setdefault(bisect_left(ends, clue.start) + 1, clue.what)
    yield from map(Secret._make, sorted(found.items()))


def without_secrets(text: str) -> str:
    """A text with what looks like a secret replaced, to the end of its line; it has the lines that
    it had.

    More than `secrets_in` tells of: what is replaced wrongly costs a line, what is kept a secret.
    It is for what is recorded or sent with nobody looking, so whatever is said to be a password
    goes, and who logs in by an address.
    """
    text = _KEY_BLOCK.sub(lambda found: _REMOVED + "\n" * found[0].count("\n"), text)
    parts, at = [], 0
    clues = (*shaped_secrets(text), *assigned_secrets(text))
    starts = {clue.start for clue in clues}.union(
        _random_words(text), _said_passwords(text), _logins(text)
    )
    for start in sorted(starts):
        if start >= at:
            parts += [text[at:start], _REMOVED]
            end = text.find("\n", start)
            at = len(text) if end < 0 else end
    return "".join([*parts, text[at:]])


def _said_passwords(text: str) -> Iterator[int]:
    """Where passwords of people stand, drawn by lot or not: letters and figures, or of two cases
    that are no words."""
    for match in _SAID_PASSWORD.finditer(text):
        name, which = match[1] or "", 3 if match[3] else 2
        value = match[which]
        if _is_chosen(value) and not (_NO_SECRET.search(name) or _OF_CODE.match(value)):
            yield match.start(which)


def _logins(text: str) -> Iterator[int]:
    """Where passwords of people stand in addresses, of whatever host."""
    for at in _locations(text, "://"):
        match = _LOGIN.match(text, at)
        if match and _is_chosen(match[1]):
            yield match.start(1)


def _is_chosen(value: str) -> bool:
    is_drawn = any(map(str.isdigit, value)) or not (
        value.islower() or value.isupper() or _is_made_of_words(value)
    )
    return is_drawn and any(map(str.isalpha, value))


def _random_words(text: str) -> Iterator[int]:
    """Where words stand that were drawn by lot, whoever issued them."""
    for match in _WORD.finditer(text):
        word = match[0][:_MAX_WORD_CHARACTERS]
        if word.startswith("eyJ") or _TAGGED_HEX.match(word) or _is_drawn(word):
            yield match.start()


def _is_drawn(word: str) -> bool:
    kinds = (str.islower, str.isupper, str.isdigit)
    counts = [sum(map(kind, word)) for kind in kinds]
    if word.startswith(_SAID):  # by lot, few digits are drawn now and then
        return min(counts[:2]) >= _MIN_OF_A_KIND
    return min(counts) >= _MIN_OF_A_KIND and is_key(word)
