"""Texts that come from outside, as names and questions: what can be looked up and written at all."""

from __future__ import annotations

from memwiki.errors import UsageError

_SHOWN = 40


def require_text(what: str, *texts: str) -> None:
    """Refuse what is no Unicode text: half of a character, as an argument in another encoding becomes."""
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise UsageError(
                f"{what}: {text[:_SHOWN]!r} is not valid Unicode", hint="give it as UTF-8"
            ) from error
