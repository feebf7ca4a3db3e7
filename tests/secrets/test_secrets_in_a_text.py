"""What is found in a text as a whole: one secret a line, in order."""

import random
import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.secrets import Secret, secrets_in, without_secrets
from tests.effort import for_each

KEY = "8fJ2kQ9xLw3ZrT7b" + "VnY5cHs1DgM4pA6e"
PASSWORD = "Wz" + "7!qR" + "4k#pL9"
LINES = {
    f"password: {PASSWORD}": "a password in `password`",
    f"my_token = {KEY}": f"a secret in `token`: {KEY[:4]}…",
    "AK" + "IA" + "Q7XD2MWLR5ZK3TVB": "a AWS access key: AKIAQ7XD",
    "nothing here": "",
    "\ud800\x00e\u0301令牌": "",
}


@given(st.lists(st.sampled_from(sorted(LINES)), max_size=30))
def test_every_line_with_a_secret_is_named_once_and_in_order(lines):
    found = list(secrets_in("\n".join(lines)))
    assert [each.line for each in found] == [n for n, x in enumerate(lines, 1) if LINES[x]]
    assert all(LINES[lines[each.line - 1]] in each.what for each in found)


def test_a_well_known_shape_says_more_than_the_name_before_it():
    (found,) = secrets_in("\nmy_api_key = " + "AK" + "IA" + "Q7XD2MWLR5ZK3TVB")
    assert found == Secret(2, "a AWS access key: AKIAQ7XD…")


@for_each("text", ["", "\n\n", "password:", "://", "\ud83d" * 50])
def test_a_text_without_secrets_has_none(text):
    assert list(secrets_in(text)) == []


@given(st.text(st.characters(exclude_categories=())))
def test_no_text_stops_the_search(text):
    assert all(1 <= each.line <= text.count("\n") + 1 for each in secrets_in(text))


@for_each(
    "shape",
    ["xai-{80}", "pplx-{48}", "sk-or-v1-{64x}", "sk-svcacct-{60}", "figd_{40}", "HRKU-{60}",
     "nfp_{40}", "pcsk_{6}_{60}", "lsv2_pt_{32x}_{10x}", "sntrys_{80}", "key-{32x}", "ghp_{36}",
     "eyJ{30}.eyJ{40}.{43}"],
)  # fmt: skip
def test_what_was_drawn_by_lot_is_replaced_whoever_issued_it(shape):
    draw = random.Random(7)

    def drawn(match):
        alphabet = "0123456789abcdef" if match[2] else string.ascii_letters + string.digits
        return "".join(draw.choice(alphabet) for _ in range(int(match[1])))

    token = re.sub(r"\{(\d+)(x?)\}", drawn, shape)
    assert without_secrets(f"take {token} for it\nand go on") == "take [secret removed]\nand go on"


@for_each(
    "text",
    ["see commit-3f2a9c1d5e7b8a6c4d2e1f0a9b8c7d6e5f4a3b2c",
     "test_what_was_drawn_by_lot_is_replaced",
     "9f8c2d1e-4b6a-4c3d-8e7f-1a2b3c4d5e6f", "com.example.android.VeryLongClassNameForTests",
     "sha256-9f8c2d1e4b6a4c3d8e7f1a2b3c4d5e6f9f8c2d1e4b6a4c3d8e7f1a2b3c4d5e6f"],
)  # fmt: skip
def test_names_and_digests_stay_in_a_conversation(text):
    assert without_secrets(text) == text


@pytest.mark.parametrize("mark", ["sk-", "ghp_"])
def test_a_key_that_says_so_needs_no_digits(mark):
    key = f"{mark}VPsSoVDrTEPilrxFweswvtliBfcfVugUlYVx"  # made up
    assert without_secrets(f"My key is {key}") == "My key is [secret removed]"


def test_a_text_without_a_key_block_has_the_lines_that_it_had():
    block = "-----BEGIN RSA PRIVATE KEY-----\nleasekey+A/B\n-----END RSA PRIVATE KEY-----"
    assert without_secrets(f"one\n{block}\nfive") == "one\n[secret removed]\n\n\nfive"


SAID = "Winterkatze" + "47"
DRAWN = "UGOvELYq" + "uEff"


@for_each(
    "line",
    [
        *(f"password = {DRAWN}", f"密码：{DRAWN}", f'"password": "{DRAWN}"', f"PGPASSWORD={SAID}"),
        *(
            f"Das Passwort ist {SAID}",
            f"密码是{SAID}",
            f"root 的密码改成 {SAID} 了",
            f"密码为{SAID}了",
        ),
        *(f"the wifi password is {SAID}.", f"<password>{SAID}</password>", f"ssh x (pw {SAID})"),
        *(f"login ann\n password {SAID}", f"curl -u ann:{SAID} https://x.dev"),
        *(f"mysql -u root -p{SAID} app", f"sshpass -p '{SAID}' ssh x"),
        *("mysql --password=S3cr3t" + "Root99", f"use {SAID} as the password for ann"),
        *(f"postgres://app:{SAID}@db/prod", f"see http://ann:{DRAWN}@localhost:80/x"),
    ],
)
def test_what_is_said_to_be_a_password_is_neither_recorded_nor_sent(line):
    recorded = without_secrets(f"Hello\n{line}\nbye")
    assert SAID not in recorded
    assert DRAWN not in recorded
    assert "[secret removed]" in recorded
    assert (recorded[:6], recorded[-4:]) == ("Hello\n", "\nbye")


@for_each(
    "line",
    [
        *("password = getPassword()", "password: req.body.password2", "Password is Required"),
        *(
            "the password is in the safe",
            "password=$DB_PASS_2024",
            "密码是用户的生日",
            "postgres://app:password@db/prod",
            "use x as password",
        ),
        *(
            "docker run -p 33061:3306 mysql",
            "password: https://x.dev/reset2024",
            "password_hash: ab12cd34",
        ),
        *("password: userInput", "pass_through = DB1_and_DB2", "password = hash(Winter47, 12)"),
    ],
)
def test_what_is_only_about_passwords_is_recorded_and_sent(line):
    assert without_secrets(line) == line
