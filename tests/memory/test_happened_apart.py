"""What happened on two days, and decisions about two things, are no contradictions."""

from memwiki.judgement.conflicts import judge_conflict
from memwiki.judgement.similarity import Fact
from tests.effort import for_each

FIRST, SECOND = "2026-09-10", "2026-11-12"


def conflict(old: str, new: str, type_: str, second: str = SECOND):
    return judge_conflict(Fact(old, type_, created=FIRST), Fact(new, type_, created=second))


@for_each(
    ("old", "new"),
    [
        ("Mia had a fever of 39 degrees.", "Mia had a fever of 38 degrees."),
        ("User moved to Munich.", "User moved to Hamburg."),
        ("米娅发烧39度。", "米娅发烧38度。"),
    ],
)
def test_events_of_two_days_both_happened(old, new):
    assert conflict(old, new, "event") is None
    assert conflict(old, new, "event", FIRST) is not None
    assert conflict(old, new, "fact") is not None


@for_each(
    ("old", "new"),
    [
        ("The dentist is on May 3.", "The dentist is on May 5."),
        ("The dentist is on 2026-12-03.", "The dentist is on 2026-12-05."),
    ],
)
def test_an_event_that_says_its_day_may_be_put_off(old, new):
    assert conflict(old, new, "event") is not None


@for_each(
    ("old", "new"),
    [
        (
            "We decided against Kafka; the volume does not justify it.",
            "We dropped Redis again and went back to Postgres for the session store.",
        ),
        ("We decided against GraphQL.", "We replaced REST with gRPC."),
        ("We rejected MongoDB.", "We moved from MySQL to Postgres."),
    ],
)
def test_what_was_decided_against_holds_when_something_else_is_replaced(old, new):
    assert conflict(old, new, "decision") is None


@for_each(
    ("old", "new"),
    [
        ("We use Kafka for the events.", "We dropped Kafka and went back to Postgres for events."),
        ("We use Jira for tickets.", "We switched to Linear for tickets."),
        (
            "We chose Postgres for the session store.",
            "We moved the session store from Postgres to Redis.",
        ),
    ],
)
def test_a_decision_that_is_taken_back_is_one_still(old, new):
    assert conflict(old, new, "decision") is not None


def test_what_is_no_longer_used_leaves_room_for_what_is():
    assert conflict("We use Teams for chat.", "We no longer use Slack.", "fact") is None


@for_each(
    ("old", "new"),
    [
        ("小林在美术班画画。", "小林参加了一次美术工作坊。"),
        ("小林參加了學校的美術比賽", "小林在學校的繪畫比賽中得獎"),
        ("组长每周主持例会", "组长协调了例会的时间"),
        ("会议室的空调开到25度。", "会议室的空调由小王负责。"),
        ("客厅的空调用了三年。", "客厅的空调是格力的。"),
        ("小李每天不停地喝咖啡", "小李每天喝咖啡"),
    ],
)
def test_a_chinese_word_that_holds_a_change_or_a_no_tells_none(old, new):
    """参加 took part, 加 added; 空调 an air conditioner, 调 set; 不停 all the time, 不 not."""
    assert conflict(old, new, "fact") is None
