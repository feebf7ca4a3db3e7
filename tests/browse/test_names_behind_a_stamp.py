"""A page whose file begins or ends with a day or a moment is read by the name beside it."""

import time

import pytest

from memwiki.errors import AmbiguousError, NotFoundError
from memwiki.index.find import _STAMP
from tests.effort import for_each


@pytest.mark.parametrize("name", ["Cats purr", "cats-purr", "cats_purr.md", "CATS PURR"])
@pytest.mark.parametrize(
    "stem",
    [
        *("2024-01-02-cats-purr", "202401021200 Cats purr", "2024.01.02 cats purr"),
        *("20240102_cats_purr", "2024-01-02T12-30-00 Cats purr", "Cats purr 2024-01-02"),
    ],
)
def test_what_nothing_else_is_called_is_found_beside_the_stamp(ws, put, stem, name):
    put(f"notes/{stem}.md", "They do.\n")
    put("notes/2024-01-03-dogs.md", "# Barking\n\nThey bark.\n")
    assert ws.pages.get(name).path == f"notes/{stem}.md"


def test_a_page_of_the_very_name_goes_first(ws, put):
    put("2024-01-02-cats.md", "Stamped.\n")
    put("cats.md", "Cats.\n")
    assert ws.pages.get("Cats").path == "cats.md"


def test_of_several_none_is_guessed_and_no_edit_reaches_one(ws, put):
    put("2024-01-02-cats.md", "One.\n")
    put("2024-01-03-cats.md", "Another.\n")
    put("2024-01-04-dogs.md", "One dog.\n")
    put("memwiki.toml", '[layers]\narchive = "archive"\n')
    put("archive/2024-01-05-cats.md", "A third one.\n")
    with pytest.raises(AmbiguousError, match="cats: 2 pages match this name") as error:
        ws.pages.get("cats")
    assert error.value.candidates == ("2024-01-02-cats.md", "2024-01-03-cats.md")
    for name in ("2024", "12-cats"):
        with pytest.raises((NotFoundError, AmbiguousError)):
            ws.pages.get(name)
    with pytest.raises(NotFoundError):
        ws.pages.append("dogs", "Barks.")
    assert ws.pages.get("dogs").text == "One dog.\n"


def test_a_namespace_has_its_own_first_and_says_what_is_outside(opened, put):
    put("memwiki.toml", '[layers]\nnamespaces = "namespaces"\n')
    put("wiki/2024-01-02-cats.md", "Outside.\n")
    put("namespaces/work/wiki/x.md", "# X\n")
    put("namespaces/home/wiki/2024-01-04-cats.md", "At home.\n")
    ws = opened(namespace="work")
    assert ws.pages.get("cats").path == "wiki/2024-01-02-cats.md"
    assert ws.take_warnings() == ["cats is outside of namespace work"]
    put("namespaces/work/wiki/2024-03-03-cats.md", "Inside.\n")
    assert ws.pages.get("cats").path == "namespaces/work/wiki/2024-03-03-cats.md"
    assert ws.take_warnings() == []
    put("namespaces/work/wiki/2024-03-04-cats.md", "Inside, too.\n")
    with pytest.raises(AmbiguousError) as error:
        ws.pages.get("cats")
    assert [path[-18:] for path in error.value.candidates] == [
        "2024-03-03-cats.md",
        "2024-03-04-cats.md",
    ]
    assert opened().pages.get("cats").path == "wiki/2024-01-02-cats.md"


@for_each("part", ["2024-01-02 ", "2024", "- ", "20240102"])
def test_a_long_name_is_read_in_time_linear_in_it(part):
    began = time.perf_counter()
    _STAMP.sub("", part * 20_000 + "x")
    assert time.perf_counter() - began < 1
