"""Pages that hold keys, tokens or passwords."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.check.rule import CheckedPage, CheckRule, Family, Finding
from memwiki.nouns import Severity
from memwiki.secrets import secrets_in


def secrets(sheet: CheckedPage) -> Iterator[Finding]:
    """Tokens, keys and passwords, one a line; the message shows no more than how one begins."""
    for secret in secrets_in(sheet.page.text):
        yield Finding("secret", secret.line, f"looks like {secret.what}")


RULES: tuple[CheckRule[CheckedPage], ...] = (
    CheckRule(
        "secret",
        Family.CONTENT,
        Severity.ERROR,
        "The text holds a key, token or password. Revoke it, and keep secrets elsewhere.",
        secrets,
    ),
)
