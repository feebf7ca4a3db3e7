"""Tokens that open something are found in every well-known shape; examples and placeholders are
not.

Real shapes are put together here from parts, so that no scanner takes this file for a leak.
"""

import random
import string

from memwiki.secrets import has_checksum, secrets_in
from tests.effort import for_each

BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
UPPER32 = string.ascii_uppercase + "234567"
HEX = string.digits + "abcdef"
DICE = random.Random(7)


def rolled(length, alphabet=BASE62):
    while True:
        text = "".join(DICE.choices(alphabet, k=length))
        if not any(a == b == c for a, b, c in zip(text, text[1:], text[2:], strict=False)):
            return text


def checked(length):
    """A random body with the checksum that its issuer appends."""
    from zlib import crc32

    body = rolled(length)
    number, digits = crc32(body.encode()), ""
    for _ in range(6):
        number, digit = divmod(number, 62)
        digits = BASE62[digit] + digits
    return body + digits


SHAPES = {
    "GitHub": "gh" + "p_" + checked(30),
    "GitHub app": "gh" + "s_" + checked(30),
    "GitHub fine-grained": "github" + "_pat_" + rolled(22) + "_" + rolled(59),
    "GitLab": "gl" + "pat-" + rolled(20),
    "npm": "np" + "m_" + checked(30),
    "PyPI": "py" + "pi-AgE" + rolled(90),
    "AWS": "AK" + "IA" + rolled(16, UPPER32),
    "AWS session": "AS" + "IA" + rolled(16, UPPER32),
    "Google": "AI" + "za" + rolled(35),
    "Slack": "xo" + "xb-" + rolled(12, string.digits) + "-" + rolled(24),
    "Stripe": "sk" + "_live_" + rolled(24),
    "OpenAI": "sk" + "-" + rolled(20) + "T3Blbk" + "FJ" + rolled(20),
    "Anthropic": "sk" + "-ant-api03-" + rolled(93),
    "Hugging Face": "h" + "f_" + rolled(34, string.ascii_letters),
    "SendGrid": "S" + "G." + rolled(22) + "." + rolled(43),
    "Telegram": rolled(9, "98").replace("8", "3") + ":A" + "A" + rolled(33),
    "DigitalOcean": "do" + "p_v1_" + rolled(64, HEX),
    "age": "AGE-SECRET" + "-KEY-1" + rolled(58, string.digits + string.ascii_uppercase),
    "private key": "-----BEGIN"
    + " PRIVATE KEY-----\n"
    + rolled(64)
    + "\n"
    + rolled(64)
    + "\n-----END",
    "private key with a head": "-----BEGIN"
    + " RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: "
    f"AES\n\n{rolled(64)}\n{rolled(64)}\n",
}


@for_each("name", SHAPES)
@for_each("around", ["{}", "key={}\n", "`{}`, and so on", '("{}")', "令牌是{}。"])
def test_a_token_is_found_wherever_it_stands(name, around):
    (found,) = secrets_in("# Keys\n\n" + around.format(SHAPES[name]))
    assert found.line == 3
    assert SHAPES[name][12:] not in found.what


@for_each("name", sorted(SHAPES.keys() - {"private key with a head"}))
def test_a_part_of_a_token_or_of_a_longer_word_is_none(name):
    token = SHAPES[name]
    assert list(secrets_in(token[: len(token) // 2])) == []
    assert list(secrets_in("x" + token)) == [] or "PRIVATE" in token


@for_each(
    "text",
    [
        "AKIAIOSFODNN7EXAMPLE",
        "gh" + "p_" + "x" * 36,
        "gh" + "p_" + "A1b2" * 9,
        "gl" + "pat-xxxxxxxxxxxxxxxxxxxx",
        "sk" + "_live_" + "your_secret_key_goes_here",
        "xo" + "xb-your-token-here",
        "sk-ant-...",
        "AI" + "zaSyExampleExampleExampleExampleExam",
        "-----BEGIN" + " PRIVATE KEY-----\n<contents>\n-----END PRIVATE KEY-----",
        "-----BEGIN" + " PUBLIC KEY-----\n" + "a1B2c3D4" * 8 + "\n" + "E5f6G7h8" * 8 + "\n",
        "password = hunter2",
        "d41d8cd98f00b204e9800998ecf8427e",
    ],
)
def test_examples_placeholders_and_hashes_are_no_secrets(text):
    assert list(secrets_in(text)) == []


def test_a_checksum_tells_a_real_token_from_a_made_up_one():
    token = checked(30)
    assert has_checksum(token)
    assert not has_checksum(token[:-1] + ("a" if token[-1] != "a" else "b"))
    assert not has_checksum(rolled(36))
