"""In which state a ticket is, whatever else is said of it: open, in review, fixed."""

from __future__ import annotations

from memwiki.text import pattern

_NOUN = r"(?:bug|issue|ticket|pr|mr|task|story|incident|case|pull request|merge request)"
# How a text about a ticket begins: by its id, "T-12", "#12" or "bug 12".
ID = pattern(rf"(?:the )?(?:{_NOUN} )?(?P<id>#\d+|[a-z]{{1,10}}-\d+|(?<=[a-z] )\d+)(?![\w'’.-])")
_ASIDE = pattern(r" ?\((?:[^()]|\([^()]{0,50}\)){0,200}\)")  # with the year of "last year" in it
_OPEN, _ENDED, _TOLD = "open", "ended", "told"
# States in the order of the groups of the expression below; of one group none excludes another.
_STATE = (
    r"(?P<open>open|reopened|unresolved|not (?:yet )?(?:fixed|reproduced|closed|merged|done))"
    r"|(?P<progress>in progress|being worked on|unblocked)|(?P<review>in review|under review)"
    r"|(?P<told>opened|created|reported|filed|raised)"
    r"|(?P<held>waiting|blocked|pending|on hold|paused)"
    r"|(?P<ended>closed|fixed|resolved|merged|done|solved|a duplicate|rejected|declined|finished"
    r"|released|shipped|completed|cancelled|canceled|won't fix|wontfix)"
)
_IS = pattern(
    r"[ ,]*(?:is|was|got|has been|are|gets|stays|remains)"
    rf"(?: (?:now|still|already|finally|again|being))? (?:{_STATE})\b"
)
_BY_ITSELF = pattern(rf"(?:[.;,] |: ?)(?:(?:is|was|now|still|and) )*(?:{_STATE})\b")
_BLOCKED = pattern(rf"\b(?:blocked by|wait(?:ing|s) for) (?:{_NOUN} )?(?P<id>#?[\w-]*\d)\b")


def are_of_two_states(one: str, other: str) -> bool | None:
    """Whether two texts that begin with the id of a ticket tell two states of one, or what one
    waits for is done by the other. None where no state is told."""
    mine, theirs = ID.match(one), ID.match(other)
    states = [_state(text, it.end()) if it else "" for text, it in ((one, mine), (other, theirs))]
    if not (mine and theirs and any(states)):
        return None
    if mine["id"] != theirs["id"]:
        return _has_come(one, theirs["id"], states[1]) or _has_come(other, mine["id"], states[0])
    if "" in states:
        return None
    is_told = _TOLD in states  # when it came to be
    return not is_told and states[0] != states[1] and (_ENDED in states or _OPEN not in states)


def _has_come(text: str, ticket: str, state: str) -> bool:
    """Whether a text waits for another ticket, which has ended."""
    waits = _BLOCKED.search(text)
    return waits is not None and waits["id"] == ticket and state == _ENDED


def _state(text: str, at: int) -> str:
    """What is said of the ticket: that it is open, where no more is told than its title."""
    said = _ASIDE.sub("", text[at:])
    match = _IS.match(said) or _BY_ITSELF.search(said)
    if match is None:
        return _OPEN if said.startswith(":") else ""
    return match.lastgroup or ""
