"""No parser takes more than time linear in its text, nor raises anything but its own errors."""

from __future__ import annotations

import random

import pytest
from growth import GROWTH, Case, Worker, cases, growth
from parsers import PARSERS

from tests.effort import for_each

_DOCUMENTS = 150
_LONGEST = 30  # starters of a document

# Each took time beyond linear once: seconds or minutes for the sizes given.
PINNED = [
    ("links", Case("[a](", " "), 16_000),
    ("links", Case("[a](", "\n"), 16_000),
    ("links", Case("[a]:", " "), 16_000),
    ("links", Case("[a]:", "\t", "\n\n"), 16_000),
    ("links", Case("[a]: b\n\n", "[", after="]"), 60_000),
    ("mask", Case("```", "`"), 16_000),
    ("mask", Case("", "```\n~~~\n"), 60_000),
    ("mask", Case("", "```", after="````"), 16_000),
    ("plain", Case("", "`", after="^"), 8_000),
    ("plain", Case("a", "**b"), 60_000),
    ("entries", Case("- a", " ", "[b::c]x"), 60_000),
    ("entries", Case("- a ", "[b::c] "), 60_000),
    ("entries", Case("- a\n## b", "!", "c\n\n- d"), 60_000),
    ("entries", Case("- #a", "/", "a"), 24_000),
    ("entries", Case("## ", "a", "\n", "- b\n"), 20_000),
    ("messages", Case("\n### user", " ", "x"), 60_000),
    ("messages", Case("\n### user [a::", " ", "x"), 60_000),
    ("journal", Case("## ", " ", "a"), 16_000),
    ("journal", Case("## 2026-09-01", " ", "#a"), 16_000),
    ("journal", Case("## 2026-09-01 a | b\n", "- c\n"), 60_000),
    ("terms", Case("", "1"), 60_000),
    ("terms", Case("v", "1", "."), 60_000),
    ("terms", Case("é", "\u0301\u0323"), 60_000),
    ("names", Case("é", "\u0301\u0323"), 60_000),
    ("front matter", Case("", "a: [[b]]\n"), 24_000),
    ("front matter", Case("a: - ", " ", "b: c: d"), 30_000),
    ("front matter links", Case("a", " ", "b"), 30_000),
    ("front matter links", Case("related: [", '\\"', "]"), 30_000),
    ("front matter links", Case("related: [", "a, ", "]"), 12_000),
    ("front matter edits", Case("", "...: \n"), 9_000),
    ("front matter edits", Case("tags: a", "/", "b"), 30_000),
    ("renamed tags", Case("-->", "#a #b "), 16_000),
    ("renamed tags", Case("#a [", "::", "b"), 30_000),
    ("check", Case("a {#", "b"), 30_000),
    ("catalog", Case("", "\n<!-- memwiki:catalog:end -->\n"), 60_000),
    ("ignore", Case("", "*a", "b"), 60),
    ("ignore", Case("", "**/a/", "b"), 120),
    ("ignore", Case("a/", "**/*a/", "b"), 120),
    ("settings", Case("", "a.", "b = 1"), 60_000),
    ("settings", Case("[a]", " ", "b"), 60_000),
]


@for_each(("name", "case", "size"), PINNED)
def test_a_parser_takes_time_linear_in_its_text(name, case, size):
    worker = Worker(name, size)
    factor, raised = worker.measure(case)
    worker.end()
    assert (factor <= GROWTH, raised) == (True, "")


@for_each("before", ["", "password: ", "https://u:"])
def test_the_search_for_secrets_grows_with_the_text(before):
    worker = Worker("secrets", 32_000)
    found = {unit: worker.measure(Case(before, unit)) for unit in PARSERS["secrets"].starters}
    worker.end()
    slow = {unit: each for unit, each in found.items() if each[0] > GROWTH or each[1]}
    assert slow == {}


@for_each("name", PARSERS)
def test_a_parser_raises_nothing_but_its_own_errors(name):
    chance = random.Random(name)
    parser = PARSERS[name]
    for _ in range(_DOCUMENTS):
        text = "".join(chance.choices(parser.starters, k=chance.randint(1, _LONGEST)))
        parser.read(text)


@for_each("name", PARSERS)
def test_deep_nesting_and_endless_runs_raise_nothing(name):
    parser = PARSERS[name]
    for starter in parser.starters:
        parser.read((starter * 3_000)[: min(parser.size, 6_000)])


@pytest.fixture
def work(monkeypatch):
    """A clock that goes on by what is handed to it."""
    done = []
    monkeypatch.setattr("growth.time.process_time", lambda: sum(done))
    return done.append


def test_time_that_grows_with_the_square_is_found(work):
    assert growth(lambda text: work(len(text) ** 2), Case("", "a"), 2_000) == 16


def test_time_that_grows_with_the_text_is_not_found_though_other_programs_run(work):
    slower = iter([1, 1, 1, 1, 9, 9, *[1] * 5])
    assert growth(lambda text: work(len(text) * next(slower)), Case("", "a"), 2_000) == 4


def test_what_takes_for_ever_is_ended_and_found(monkeypatch):
    from parsers import Parser

    def endless(text):
        while True:
            pass

    monkeypatch.setitem(PARSERS, "endless", Parser(endless, ("a",)))
    monkeypatch.setattr("growth.LIMIT_S", 0.1)
    worker = Worker("endless", 10)
    assert worker.measure(Case("", "a")) == (float("inf"), "")
    worker.end()


def test_starters_come_alone_in_pairs_and_in_triples():
    made = list(cases(("a", "b"), seed=0))
    assert Case("", "a") in made
    assert {Case("a", "b"), Case("", "a", after="b"), Case("", "ab")} <= set(made)
    assert Case("a", "b", "a").text(10) == "abbbbbbbbbba"
