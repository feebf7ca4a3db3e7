"""A secret of no known shape is told by the name that it is given to, and by looking drawn by
lot."""

import random
import string
from base64 import b64encode

from memwiki import secrets
from memwiki.secrets import secrets_in
from tests.effort import for_each

DICE = random.Random(11)
BASE62 = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


def rolled(length, alphabet=BASE62):
    return "".join(DICE.choices(alphabet, k=length))


KEY, LONG, LOWER, DIGEST = rolled(32), rolled(40, BASE62 + "+/"), rolled(36, HEX), rolled(64, HEX)
PASSWORD = "Wz" + "7!qR" + "4k#pL9"
LOGIN = b64encode(f"joe:{PASSWORD}".encode()).decode()


@for_each(
    "line",
    [
        f"aws_secret_access_key = {LONG}",
        f"password: {PASSWORD}",
        f'  db_password: "{PASSWORD}"',
        f"DB_PASS={PASSWORD}",
        f"smtp_pass: {PASSWORD}",
        f"access_key_secondary: {LONG}",
        f"- **Password**: `{PASSWORD}`",
        f"密码：{PASSWORD}",
        f"Passwort: {PASSWORD}",
        f"mot de passe : {PASSWORD}",
        f"DB_PASS={PASSWORD}",
        f"пароль: {PASSWORD}",
        f"网银密码是 {PASSWORD}。",
        f"门禁的口令为{PASSWORD}",
        f"The router's password is {PASSWORD} since May",
        f'"api_key": "{KEY}",',
        f'{{"apiKey":"{DIGEST}"}}',
        f"export GITHUB_TOKEN={KEY}",
        f"SECRET_KEY_BASE='{DIGEST}'",
        f'apiKey := "{KEY}"',
        f"'auth_key' => '{KEY}',",
        f"client_secret={LOWER}&grant_type=code",
        f'curl -H "Authorization: Bearer {KEY}"',
        f"Authorization: Basic {LOGIN}",
        f"postgres://app:{PASSWORD.replace('#', '_')}@db.corp.net:5432/shop",
        f"Server=tcp:db;User Id=app;Password={PASSWORD};Encrypt=true",
        f"AccountName=a;AccountKey={rolled(86)}==;EndpointSuffix=x",
        f"tool --password {PASSWORD} --verbose",
        f"tool --token={KEY}",
    ],
)
def test_a_secret_without_a_shape_of_its_own_was_none(line):
    (found,) = secrets_in(f"# Notes\n\nİ\n{line}\n")
    assert found.line == 4
    for secret in (LONG, PASSWORD, KEY, DIGEST, LOWER, LOGIN):
        assert secret[5:] not in found.what


@for_each(
    "line",
    [
        "password: hunter2",
        "password = hunter2",
        "password: P@ssw0rd!",
        "password: MySecretPassword123!",
        "password: <your password>",
        "password: ${DB_PASSWORD}",
        "password = os.environ['DB_PASSWORD']",
        "PASSWORD=$(pass show db/prod-1)",
        "password: !vault 7Hq2!xW9pL4",
        "api_key: YOUR_API_KEY_GOES_HERE_123",
        "api_key = xxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "max_tokens: 409600000000000000",
        f"token_id: {KEY}",
        f"secret_name: {KEY}",
        f"password_hash: {DIGEST}",
        f"sha256: {DIGEST}",
        f"commit {DIGEST[:40]}",
        "secret: AccessTokenV2ForUser1",
        "private_key_path: /etc/ssl/private/7Hq2xW9pL4.pem",
        "token: https://auth.corp.net/7Hq2xW9pL4kkQ2",
        "The token: a word that means something else",
        "Authorization: Bearer <token>",
        "Authorization: Basic dXNlcjpwYXNzd29yZA==",
        "postgres://user:password@localhost:5432/db",
        "mysql://root:Wz7qR4kpL9@127.0.0.1/x",
        "https://example.org:8080/a@b",
        "s3://backup?access-key=minio&secret-access-key=minio123&endpoint=http://10.0.1.10:6060",
        "| password | the password of the user, 8 to 16 signs |",
        "resenha: Dune_Parte2-2024!",  # a review, no senha
        f"boarding_pass: {PASSWORD}",
        f"SEASON_PASS_NR={PASSWORD}",
        f"password_hint: {PASSWORD}",
        f"secretary: {LONG}",
        f"token_budget: {LONG}",
    ],
)
def test_words_examples_and_ways_to_fetch_a_secret_are_none(line):
    assert list(secrets_in(f"{line}\n")) == []


def test_every_kind_of_key_is_told_by_what_stands_before_the_word(monkeypatch):
    kinds = "api access account shared private auth encryption signing master license".split()
    joints = ("", "_", "-", " ")
    lines = [f"{kind}{joint}KEY: {KEY}" for kind in kinds for joint in joints]
    sought, real = [], secrets._locations
    monkeypatch.setattr(
        secrets, "_locations", lambda text, part: sought.append(part) or real(text, part)
    )
    found = [each.what for each in secrets_in("\n".join([*lines, f"hot key: {KEY}"]))]
    assert found == [f"a secret in `{line.partition(':')[0]}`: {KEY[:4]}…" for line in lines]
    assert [part for part in sought if "key" in part] == ["key"]
