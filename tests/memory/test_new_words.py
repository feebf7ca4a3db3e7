"""What becomes of the fields of a memory that is put into other words."""

from tests.effort import for_each

PORT = {"subject": "atlas", "topic": "port", "object": "8080", "key": "atlas/port"}


@for_each(
    ("new", "object_"),
    [
        ("The port of Atlas is 8081.", ""),
        ("The port of Atlas is 80801.", ""),
        ("Port 8080 is that of Atlas.", "8080"),
    ],
)
def test_an_object_goes_with_the_words_that_said_it(opened, new, object_):
    space = opened()
    space.entries.add("The port of Atlas is 8080.", **PORT)
    space.entries.update("atlas/port", new)
    assert space.entries.get("atlas/port").fields.get("object", "") == object_
    space.entries.add("It listens on 8080.", **PORT | {"key": "by-key"})
    space.entries.add(new, key="by-key")
    assert space.entries.get("by-key").fields.get("object", "") == object_


def test_an_object_that_is_given_with_new_words_is_theirs(opened):
    space = opened()
    space.entries.add("The port of Atlas is 8080.", **PORT)
    space.entries.update("atlas/port", "It is 8081.", fields={"object": "8081"})
    assert space.entries.get("atlas/port").fields["object"] == "8081"


def test_an_object_that_the_words_never_said_stays(opened):
    space = opened()
    space.entries.add("Atlas listens on the usual port.", **PORT)
    space.entries.update("atlas/port", "Atlas listens on the port of all.")
    assert space.entries.get("atlas/port").fields["object"] == "8080"
