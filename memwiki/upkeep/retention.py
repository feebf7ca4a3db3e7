"""Which members of a collection retire: pure policies, with floors and a cap a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import inf
from typing import NamedTuple

from memwiki.config import Config
from memwiki.config.schema import MemoryConfig, RetentionConfig
from memwiki.facts.value import CONVERSATION, DAILY
from memwiki.names import fold

NONE, TTL, CAPACITY, RECALL, HYBRID = "none", "ttl", "capacity", "recall", "hybrid"
SHARE = 10  # of so many members, one may leave a run


class CollectionMember(NamedTuple):
    """An entry or a conversation, as far as it matters to whether it stays."""

    path: str  # with the line what decides between equals
    line: int = 0
    age_days: float = inf  # endless where nobody dates it
    value: float = 0.0
    is_over: bool = False  # superseded: it counts for nothing and may always go
    is_core: bool = False  # such a one only goes when it is over
    page: str = ""  # what is capped apart: memory.md and learnings.md

    @property
    def place(self) -> tuple[str, int]:
        """Where it is, which names it."""
        return self.path, self.line


class RetentionRule(NamedTuple):
    """What a collection is kept by."""

    policy: str = NONE
    ttl_days: float = inf
    max_items: float = inf
    then: str = RECALL
    floor: int = 0

    @property
    def is_on(self) -> bool:
        """Whether anything can retire by it."""
        by_age = self.policy in (TTL, HYBRID) and self.ttl_days < inf
        return by_age or (self.policy in (CAPACITY, RECALL, HYBRID) and self.max_items < inf)


class Retirement(NamedTuple):
    """A member that retires, and why."""

    member: CollectionMember
    reason: str


def rule_of(collection: str, config: Config) -> RetentionRule:
    """What the settings say of a collection; a preset only of those they say nothing of."""
    settings = {fold(name): each for name, each in config.retention.items()}
    own = settings.get(fold(collection))
    floor = _floor(collection, own, config.memory)
    if own is None:
        days = _hygiene(collection, config.memory)
        return RetentionRule(floor=floor) if days is None else RetentionRule(TTL, days, floor=floor)
    ttl = inf if own.ttl_days is None else own.ttl_days
    most = inf if own.max_items is None else own.max_items
    return RetentionRule(own.policy, ttl, most, own.then, floor)


def _floor(collection: str, own: RetentionConfig | None, memory: MemoryConfig) -> int:
    usual = {
        DAILY: memory.daily_retention_floor,
        CONVERSATION: memory.conversation_retention_floor,
    }.get(collection, 0)
    floor = usual if own is None or own.floor is None else own.floor
    return max(floor, memory.min_retention_floor)


def _hygiene(collection: str, memory: MemoryConfig) -> float | None:
    if not memory.has_hygiene:
        return None
    days = {
        DAILY: memory.daily_retention_days,
        CONVERSATION: memory.conversation_retention_days,
    }
    return days.get(collection)


def leaving(members: Sequence[CollectionMember], rule: RetentionRule) -> list[Retirement]:
    """Who retires in one run, who goes first first: of memory.md, of learnings.md and of the rest a
    tenth at most (at least one), and no more of those that count than the floor lets go."""
    counts = Counter(each.page for each in members)
    room = {page: max(1, count // SHARE) for page, count in counts.items()}
    spare = sum(not each.is_over for each in members) - rule.floor
    found = list[Retirement]()
    for each in _wanted(members, rule):
        member = each.member
        if room[member.page] and (member.is_over or spare > 0):
            room[member.page] -= 1
            spare -= not member.is_over
            found.append(each)
    return found


def _wanted(members: Sequence[CollectionMember], rule: RetentionRule) -> Iterator[Retirement]:
    """Whom the policy lets go, were there neither floor nor cap."""
    candidates = [each for each in members if each.is_over or not each.is_core]
    expired = list[CollectionMember]()
    if rule.policy in (TTL, HYBRID):
        expired = [each for each in candidates if rule.ttl_days <= each.age_days < inf]
        for each in sorted(expired, key=_oldest_first):
            yield Retirement(each, f"{each.age_days:g} days old")
    if rule.policy not in (CAPACITY, RECALL, HYBRID):
        return
    places = {each.place for each in expired}
    left = [each for each in members if each.place not in places]
    by = rule.then if rule.policy == HYBRID else rule.policy
    yield from _beyond(left, rule.max_items, by)


def _beyond(members: Sequence[CollectionMember], most: float, by: str) -> Iterator[Retirement]:
    """Those over a number: superseded ones until no more than so many are left, then those that
    count, of which so many stay whatever is superseded."""
    order, what = (_oldest_first, "oldest") if by == CAPACITY else (_least_first, "of lowest value")
    over = [each for each in members if each.is_over]
    counting = [each for each in members if not each.is_over]
    for each in sorted(over, key=order)[: _excess(len(members), most)]:
        yield Retirement(each, "superseded, over the number kept")
    free = [each for each in counting if not each.is_core]
    for each in sorted(free, key=order)[: _excess(len(counting), most)]:
        yield Retirement(each, f"{what}, over the number kept")


def _excess(count: int, most: float) -> int:
    return max(0, count - int(min(most, count)))


def _oldest_first(member: CollectionMember) -> tuple[float, str, int]:
    """Who has no date is kept longest."""
    return (inf if member.age_days == inf else -member.age_days), *member.place


def _least_first(member: CollectionMember) -> tuple[float, float, str, int]:
    return member.value, *_oldest_first(member)
