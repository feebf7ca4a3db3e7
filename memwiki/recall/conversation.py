"""The channel of conversations: a message that answers stands in the right session, near others,
and behind the one that asks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import nlargest

from memwiki.index.cards.lookup import Lookup
from memwiki.index.units import hit_of, hits_of, messages_by_page, page_of
from memwiki.names import fold, slug
from memwiki.recall.channels import Scores, best_by_hit
from memwiki.text import is_cjk

_SESSION = 0.3  # of the sum of the session's best messages is added to each
_BEST = 3
_NEIGHBOUR = 0.3  # of the better neighbour's score is added
_ASSISTANT = 0.7
_SESSIONS = 50  # the best ones, whose order of messages is looked up
_NAMED = 1.2  # times the score of whom the question names
_REPLY = 0.3  # of a message's score is added to what somebody else says next
# Of that beside an assistant, whose messages are long and hold the words of what they tell.
_TO_ASSISTANT = 0.67
_BY_ASSISTANT = 0.47
_ROLES = frozenset(("user", "assistant", "system", "tool"))  # nobody's names


class ConversationChannel:
    """Raises the scores of messages by those of their sessions."""

    def __init__(self, lookup: Lookup, question: str = "") -> None:
        """With a `question` it counts who speaks, and replies are found that hold none of the
        words."""
        self._lookup, self._question = lookup, question

    def find(self, found: Scores) -> Scores:
        """The scores with those of messages boosted, and an assistant's lowered, in their order;
        then replies that were not found by themselves."""
        sessions = messages_by_page(found)
        assistants = self._lookup.units_of_type("assistant") if sessions else frozenset()
        scores = dict(found)
        for key in assistants & scores.keys():
            scores[key] *= _ASSISTANT
        best = {page: _best_of(messages, scores) for page, messages in sessions.items()}
        pages = nlargest(_SESSIONS, best, key=lambda page: (best[page], page))
        known = [self._lookup.speakers(page_of(page)) if self._question else {} for page in pages]
        talk = Talk(self._question, known)
        for page, speakers in zip(pages, talk.speakers, strict=True):
            for key in sessions[page] if talk.named else ():
                scores[key] *= _NAMED if speakers.get(key) in talk.named else 1
        boosted = dict(scores)
        for page, speakers in zip(pages, talk.speakers, strict=True):
            order, messages = self._lookup.stored_keys(page_of(page)), sessions[page]
            for key, added in _by_session(order, messages, scores):
                boosted[key] += added
            for asking, reply in talk.replies(order, speakers):
                if asking in messages:
                    share = _reply_share(asking, reply, assistants)
                    boosted[reply] = boosted.get(reply, 0.0) + share * scores[asking]
        return boosted


def _by_session(
    order: Sequence[bytes], messages: Collection[bytes], scores: Scores
) -> Iterator[tuple[bytes, float]]:
    """What is added to each of these messages for the others of its session, above all for those
    that stand beside it."""
    whole = _SESSION * _best_of(messages, scores)
    near = [0.0, *(scores[key] if key in messages else 0.0 for key in order), 0.0]
    for i, key in enumerate(order):
        if key in messages:
            yield key, whole + _NEIGHBOUR * max(near[i + 2], near[i])


def _reply_share(asking: bytes, reply: bytes, assistants: Collection[bytes]) -> float:
    if reply in assistants:
        return _REPLY * _BY_ASSISTANT
    return _REPLY * (_TO_ASSISTANT if asking in assistants else 1)


class Talk:
    """Who says what in some sessions, and whom of them a question names."""

    def __init__(self, question: str, speakers: Sequence[Mapping[bytes, str]]) -> None:
        self.speakers = speakers
        everyone = {name for each in speakers for name in each.values()} - _ROLES
        self.named = {name for name in everyone if is_named(name, question)}

    def replies(
        self, order: Sequence[bytes], speakers: Mapping[bytes, str]
    ) -> Iterator[tuple[bytes, bytes]]:
        """Each message, or part of one, and what somebody else says next: who is named, if the
        question names anybody."""
        known = [key for key in order if key in speakers]
        nexts = list(_following(known))
        for key, reply in zip(known, nexts, strict=True):
            who = speakers.get(reply, "")
            if who and who != speakers[key] and (not self.named or who in self.named):
                yield key, reply


def is_named(speaker: str, question: str) -> bool:
    """Whether a question has the name of who speaks, or one word of it."""
    if is_cjk(speaker):
        return fold(speaker) in question
    words = set(slug(question).split("-"))
    return any(word in words for word in slug(speaker).split("-") if len(word) > 1)


def _following(order: Sequence[bytes]) -> Iterable[bytes]:
    """For each part of a message the first one of the next message, b"" behind the last."""
    found: list[bytes] = []
    beyond = following = b""
    for key in reversed(order):
        if following and hit_of(key) != hit_of(following):
            beyond = following
        found.append(beyond)
        following = key
    return reversed(found)


def _best_of(messages: Collection[bytes], scores: Scores) -> float:
    """The best scores of a session together; of the parts of a long message the best one counts."""
    if len(hits_of(messages)) == len(messages):
        return sum(nlargest(_BEST, [scores[key] for key in messages]))
    of_message = best_by_hit({key: scores[key] for key in messages})
    return sum(nlargest(_BEST, of_message.values()))
