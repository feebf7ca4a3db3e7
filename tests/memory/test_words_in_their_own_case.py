"""A correction of the case of a path, a flag or a password is a memory of its own."""

from tests.effort import for_each


@for_each(
    ("wrong", "right"),
    [
        ("The log is in /var/log/App.", "The log is in /var/log/app."),
        ("Deploy with the flag -v.", "Deploy with the flag -V."),
        ("The token is a1B2c3.", "The token is A1b2C3."),
        ("密码是Abc", "密码是aBC"),
    ],
)
def test_what_differs_in_a_case_that_matters_is_written_and_told_as_near(opened, wrong, right):
    space = opened()
    space.entries.add(wrong)
    added = space.entries.add(right)
    assert len(added.added) == 1
    assert [near.similarity for near in added.near] == [1.0]
    assert space.entries.add(right).added == ()
