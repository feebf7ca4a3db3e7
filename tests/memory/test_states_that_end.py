"""How a log tells that something is over: a state of a ticket, a name, a value, a plan, an absence,
and since when another one holds."""

from memwiki.judgement.conflicts import judge_conflict
from memwiki.judgement.similarity import Fact
from tests.effort import for_each

SINCE = """
Invoices are kept for 7 years. | Invoices are kept for 10 years from October on.
The bakery opens at 7:00. | The bakery opens at 6:00 since Tuesday.
The quota is 20 GB. | The quota is 50 GB starting with version 3.
Trainees get 12 EUR an hour. | As of May 3 trainees get 13 EUR an hour.
Birch pays 900 EUR a month. | Birch pays 700 EUR a month from next year on.
"""
TICKETS = """
B-12 (Elm Ltd: the chart is empty) is open. | B-12 was closed as a duplicate of B-9.
Bug #31: the cursor jumps. | Bug #31 was fixed in PR #40.
B-14 (the report shows last year's (2025) data) is open. | B-14 is done.
Issue 7 was closed. | Issue 7 was reopened: it is back in 2.1.
PR #40 is in review. | PR #40 is merged.
PR #41 is blocked by #40. | PR #40 was merged.
OPS-3: disk full, not reproduced. | OPS-3 is done.
OPS-4 is waiting for the vendor. | OPS-4 is in progress.
"""
NAMES = """
The default branch is called devel. | devel was renamed to main.
The switch for colours is --color. | The switch --color was renamed to --colour.
The variable for the queue is QUEUE_URL. | QUEUE_URL was renamed to BROKER_URL.
The project is called Falcon. | Falcon was renamed to Heron.
"""
VALUES = """
Tests are run with Mocha. | Mocha was replaced by Vitest.
The linter is Pylint. | Pylint was dropped; Ruff lints, too.
Images are built with pack.sh. | pack.sh was removed.
We use Intercom for support. | Intercom was replaced by Zammad.
The van is a Ford Transit. | The Ford was sold.
The fair is on Sunday in the old hall. | The fair in the old hall was cancelled.
Hulu costs 8.99 a month. | Hulu was cancelled.
"""
ABSENCES = """
Ada is on sick leave. | Ada is back at work.
Leo has the flu. | Leo is well again.
Grandma is in hospital. | Grandma came home from hospital.
"""
PLANS = """
We will drop fax support in June. | Fax support stays after all.
Elm Bank will probably renew. | Elm Bank did not renew.
We plan to buy a van. | We did not buy the van.
Birch will migrate in August. | Birch cancelled the migration.
We want to adopt Kafka. | We decided against Kafka.
Mia may be allergic to nuts. | Mia is not allergic to nuts.
"""
OTHERWISE = """
The contact is Jana Lund. | Jana Lund left; the new contact is Pedro Alves.
Birch Ltd pays 900 EUR a month. | Birch Ltd renegotiated and pays 700 EUR a month.
search_v3 is off in production. | search_v3 is on for 5 % of the users.
search_v3 is on for 5 % of the users. | search_v3 is on for everybody.
The log level of the worker is warn. | The log level of the worker was set to info.
"""
OVER = (SINCE, TICKETS, NAMES, VALUES, ABSENCES, PLANS, OTHERWISE)

BOTH = """
Trainees get 12 EUR an hour. | Trainees get a laptop since May.
The daily fee is 20 EUR. | The weekly fee is 90 EUR since May.
The lead is Ann until March. | The lead is Bob from April.
Elm Robotics has 150 seats since July. | Elm Robotics wants updates on Saturdays only.
B-12 is open. | B-13 was closed as a duplicate of B-12.
Issue 7 was closed. | The test for issue 7 is open to anyone.
Bug #31: the cursor jumps. | Bug #31 was reported by Ann.
PR #41 is blocked by #40. | PR #42 was merged.
devel was renamed to main. | The devel branch is protected.
The preview mode has a sidebar. | Reading mode was renamed to focus mode.
Mocha was replaced by Vitest. | Tests are run with Vitest.
The cat is on the sofa. | The sofa was sold.
Anna is friends with Tom. | Tom was replaced by Ann.
Milk comes from Elm Farm. | Elm Farm was sold to Ann.
B-12 was closed. | B-12 was opened by a customer in May.
B-12 is blocked by B-11. | B-11 is blocked by legal.
search_v3 is on for 5 % of the users. | search_v3 is on in staging.
The pool is open for everybody. | The pool is open for 2 hours.
The shop is open for all. | The shop is open by the lake.
The plan for Acme is 8 seats. | The plan for Birch was cut to 4 seats.
The fair on May 9 was cancelled. | The fair on June 2 is on the green.
The trailer for the Ford is in the yard. | The Ford was sold.
Ada is on vacation. | Ada is back from lunch.
Paul from support is on holiday. | Paul from legal is back at work.
Ada works in the hospital. | Ada came home late.
We want to buy a van. | We have no van.
Sync is off by default. | Sync may be turned on by users.
We will drop fax support in June. | Fax support has 12 users.
"""


def is_named(pair: str, kind: str = "fact") -> bool:
    old, new = pair.split(" | ")
    facts = Fact(old, type=kind, created="2026-05-02"), Fact(new, type=kind, created="2026-06-02")
    return judge_conflict(*facts) is not None


@for_each("pair", [*filter(None, "".join(OVER).splitlines())])
def test_what_is_told_to_be_over_is_named(pair: str) -> None:
    assert is_named(pair)


@for_each("pair", [*filter(None, BOTH.splitlines())])
def test_what_holds_beside_it_is_not(pair: str) -> None:
    assert not is_named(pair)


def test_a_ticket_has_one_state_however_it_is_kept() -> None:
    assert is_named("B-12 was reopened. | B-12 is fixed.", "event")


@for_each(
    "pair",
    [
        "The ice machine is broken. | The ice machine works again.",
        "The mirror is down. | The mirror is back online.",
        "Ms. Brandt is on vacation; Mr. Ohm stands in. | Ms. Brandt is back at work.",
    ],
)
def test_a_state_that_was_kept_as_an_event_ends(pair: str) -> None:
    assert is_named(pair, "event")


def test_what_happened_on_two_days_happened_twice() -> None:
    assert not is_named("The gate was opened. | The gate was closed.", "event")
