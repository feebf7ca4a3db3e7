"""A correction of the case of a path, a flag or a password is a memory of its own."""

from tests.effort import for_each


@for_each(
    ("wrong", "right"),
    [
        ("The log is in /var/log/App.", "The log is in /var/log/app."),
        ("Deploy with the flag -v.", "Deploy with the flag -V."),
        ("The token is a1B2c3.", "The token is A1b2C3."),
        ("密码是Abc", "密码是aBC"),
        ("The file is src/Utils.", "The file is src/utils."),
        ("The branch is feature/login.", "The branch is feature/Login."),
        ("The branch is Main.", "The branch is main."),
        ("The topic is orders.Created.", "The topic is orders.created."),
        ("The image is acme/api:Latest.", "The image is acme/api:latest."),
        ("It is v1.2-RC now.", "It is v1.2-rc now."),
        ("Run it with -verbose.", "Run it with --verbose."),
        ("call it with -loud", "call it with --loud"),
        ("The env var is PORT.", "The env var is port."),
        ("Set API_URL there.", "Set api_url there."),
    ],
)
def test_what_differs_in_a_case_that_matters_is_written_and_told_as_near(opened, wrong, right):
    space = opened()
    space.entries.add(wrong)
    added = space.entries.add(right)
    assert len(added.added) == 1
    assert [near.similarity for near in added.near] == [1.0]
    assert space.entries.add(right).added == ()


@for_each(
    ("known", "again"),
    [
        ("TCP/IP is used.", "tcp/ip is used."),
        ("Ask Dana/Priya first.", "ask dana/priya first."),
        ("E.g. well-known Names.", "e.g. well-known names."),
        ("Kiel -- the harbour.", "kiel - the harbour"),
        ("我用Python写后端。", "我用python写后端。"),
    ],
)
def test_what_differs_in_another_case_is_known(opened, known, again):
    space = opened()
    space.entries.add(known)
    assert space.entries.add(again).added == ()
