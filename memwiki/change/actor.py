"""Who made a change, as it is noted: what a client calls itself is untrusted text."""

from __future__ import annotations

from memwiki.names import fold

MOST_CHARACTERS = 100
NAMELESS = "unknown"
# The journal is read in editors: what would be a link, code or a tag there is not.
_PLAIN = str.maketrans("[]<>`#", "()()'-")


def actor_of(text: str) -> str:
    """The name as it is noted: one line of at most 100 printable characters.

    "" is nobody in particular; a name of which nothing can be printed is `unknown`.
    """
    if not text:
        return ""
    shown = "".join(each if each.isprintable() else " " for each in text.translate(_PLAIN))
    return " ".join(shown.split())[:MOST_CHARACTERS].strip() or NAMELESS


def is_called(by: str, wanted: str) -> bool:
    """Whether somebody is called so, or his name begins so: `claude-code` in any version."""
    return bool(by) and fold(by).startswith(fold(actor_of(wanted)))
