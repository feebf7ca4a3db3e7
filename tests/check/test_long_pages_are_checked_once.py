"""What a check of a long page of entries leaves out, because nothing can come of it."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from functools import lru_cache
from itertools import combinations

import pytest

from memwiki.check import facts, rule
from memwiki.check.page_rules import content
from memwiki.check.store import STORE, discard
from memwiki.judgement import contrast, near_pairs, traits
from memwiki.judgement.conflicts import judge_conflict
from memwiki.judgement.lexicon import ConflictRules
from memwiki.judgement.meetings import Compared, packed, unpacked
from memwiki.judgement.near_pairs import FactBounds, JudgedFact, compare
from memwiki.judgement.similarity import Fact
from memwiki.markdown import entries, outline, parse, stretches, structure
from memwiki.markdown.entries import is_template_text
from memwiki.markdown.scanner import scan
from memwiki.markdown.syntax import opens_definition
from memwiki.memory import entities
from tests.effort import for_each

EXAMPLES = """
- A page about two subjects is found for neither; split it and link the halves. #writing
- Answers start with the result, then the reasons. #style [importance:: 0.8] ^m-7k2f9a
- Dates are written year first, as in 2026-01-09. #style
- Only questions somebody asked twice get one. #habit ^m-3c8d1e
- Questions that come up twice get a page of their own in `wiki/questions/`. #habit
- Search before writing: most of what seems new is there under another name, \
which can become an alias. #writing
- This workspace was made from a template that explains itself, see [[Start here]]. #memwiki
- This workspace was made from a template that explains itself, \
see [[start-here|its first page]]. #memwiki
- To find where something was decided, search for `type:decision` and the subject. #search
- [context] The files are the truth; everything else is derived from them, see [[Sync]]. #memwiki
- ~~Every question gets a page.~~ [superseded_by:: m-3c8d1e] [valid_to:: 2026-02-01] ^m-1a2b3c
The items below are examples; replace them with your own. How they are read: [[Entry]].
"""
PAGE = "# Memory\n\n## Facts\n\n" + "".join(
    f"- The boiler has valve {n}. ^m-{n:06}\n" for n in range(9)
)


@pytest.fixture
def memory(ws, put):
    put("memwiki.toml", '[layers]\nmemory = "memory.md"\n')
    put("memory.md", PAGE)
    ws.reload()
    return ws


def called(monkeypatch, home, name) -> list[tuple]:
    """What a function is called with from now on."""
    calls, real = [], getattr(home, name)
    monkeypatch.setattr(
        home, name, lambda *args, **named: calls.append(args) or real(*args, **named)
    )
    return calls


@for_each("line", EXAMPLES.strip().split("\n"))
def test_each_example_of_a_template_is_known(line):
    assert is_template_text(line)
    assert not is_template_text(f"{line} Truly.")


def test_lines_are_compared_with_examples_where_a_page_has_a_word_of_one(memory, put, monkeypatch):
    calls = called(monkeypatch, entries, "_digest")
    memory.check.run()
    assert not calls
    example = "- Answers start with the result, then the reasons. #style"
    put("memory.md", f"{PAGE}{example}\n")
    assert [each.line for each in memory.check.run() if each.code == "template-line"] == [14]
    assert {*calls} == {(example,)}


def test_what_is_judged_as_it_stands_is_not_made_ready_for_searches(memory, put, monkeypatch):
    put("wiki/boiler.md", "# Boiler\n\nIt has a valve by the old tank.\n")
    memory.sync()
    calls = [called(monkeypatch, parse, name) for name in ("make_units", "first_paragraph")]
    memory.check.run()
    assert calls == [[], []]


def test_where_code_stands_is_looked_for_once_a_page(ws, put, monkeypatch):
    put("wiki/boiler.md", "# Boiler\n\n```sh\ndrain\n```\n\n```sh\nheat\n")
    ws.sync()
    calls = called(monkeypatch, structure, "scan")
    assert [each.code for each in ws.check.run()].count("fence-unclosed") == 1
    assert len(calls) == 1


def test_pages_that_nobody_compares_as_a_whole_have_no_sketch(memory, put, monkeypatch):
    sketched = called(monkeypatch, facts, "sketch_of")
    memory.check.run()
    put("wiki/boiler.md", "# Boiler\n\n" + "It has a valve by the old tank. " * 30)
    memory.check.run()
    assert [bool(words) for (words,) in sketched] == [False, True]


def test_entries_that_name_nothing_are_asked_for_no_name(memory, put, monkeypatch):
    calls = called(monkeypatch, entities, "entities_of")
    memory.check.run()
    assert not calls
    put("memory.md", PAGE + "- It hums. [topic:: boiler]\n- It drips. [topic:: boilers]\n")
    memory.check.run()
    assert calls


def test_of_one_more_fact_only_the_crowds_that_it_joins_are_looked_at(monkeypatch):
    said = [Fact(f"The boiler {number} hums for {-number % 49}") for number in range(50)]
    said[-1] = Fact("The boiler by the old tank has valve 7.")
    names, bounds = [each.text for each in said], FactBounds(0.8, 0.95, ConflictRules())
    calls = called(monkeypatch, near_pairs._Crowds, "_new_pairs")

    def compared(count: int, known: Compared) -> Compared:
        return compare(names[:count], lambda at: JudgedFact(said[at]), bounds, known)

    known = unpacked([*packed(compared(49, Compared()), "key").values()], "key")
    assert len(calls) > 50
    calls.clear()
    found = compared(50, known)
    assert 0 < len(calls) < 20
    assert found == compared(50, Compared())


def test_of_many_facts_of_a_few_people_each_is_read_about_once(monkeypatch):
    people = [f"{first}{last}" for first in ("Ann", "Bob", "Eva", "Tom") for last in ("", "a", "o")]
    ways = ("likes", "fixed", "lives in", "works at", "bought", "reads")
    told = [
        JudgedFact(Fact(f"{who} {way} {thing}"))
        for thing in ("tea", "jazz")
        for way in ways
        for who in people
    ]
    read = lru_cache(30)(traits.traits_in.__wrapped__)
    monkeypatch.setattr(traits, "traits_in", read)
    names = [each.fact.text for each in told]
    bounds = FactBounds(0.9, 0.95, ConflictRules())
    assert compare(names, told.__getitem__, bounds, Compared()).opposed
    pairs = len(people) * 12 * 11 // 2
    assert read.cache_info().hits > pairs / 2
    assert read.cache_info().misses < 2 * len(told)


def test_what_shares_no_more_than_whom_it_is_about_is_not_aligned(monkeypatch):
    aligned = called(monkeypatch, contrast, "align_statements")
    said = [Fact(f"Ann {tells}") for tells in ("likes tea", "has a boat", "lives in Kiel", "runs")]
    assert not any(judge_conflict(old, new) for old, new in combinations(said, 2))
    assert not aligned
    assert judge_conflict(Fact("Ann lives in Kiel"), Fact("Ann lives in Rome"))
    assert aligned


LONG = [f"- The boiler {n} has valve {n} by the tank. ^m-{n:06}" for n in range(600)]


def test_where_a_long_page_is_cut_is_known_from_the_index(memory, put, monkeypatch):
    put("memory.md", "\n".join(["# Memory", "", *LONG, ""]))
    memory.sync()
    cuts = called(monkeypatch, stretches, "_cut_after")
    memory.check.run()
    assert len(cuts) <= 2  # of six: the first one is always read, and none begins below the last


def found_in(path) -> list[list[tuple]]:
    """All that is kept of pages and their entries."""
    with closing(sqlite3.connect(path)) as db:
        return [
            sorted(db.execute("select path, digest, frame, entries, findings, facts from page")),
            sorted(db.execute("select part, marks, facts from entry")),
        ]


@pytest.mark.parametrize("seed", range(2))
def test_a_long_page_is_checked_after_edits_as_from_nothing(memory, put, monkeypatch, seed):
    monkeypatch.setattr(outline, "_MIN_LONG", 1_000)
    dice, lines = random.Random(seed), ["# Memory", "", *LONG[:160]]
    path = memory.entries.live.cache_folder.path / STORE
    for number in range(4):
        at = dice.randrange(2, len(lines))
        new = dice.choice((["- One more"], ["- [ ] To do", "  soon"], ["", "## Part", ""], ["```"]))
        lines[at : at + dice.randint(0, 2)] = new
        lines[0] = dice.choice(("# Memory", lines[0], f"# Memory {number}"))
        put("memory.md", "\n".join([*lines, ""]))
        problems, kept = [*memory.check.run()], found_in(path)
        discard(path)
        with monkeypatch.context() as patch:
            patch.setattr(rule, "held_page", lambda *_: None)
            patch.setattr(rule, "look_over", outline.Outline)
            assert [*memory.check.run()] == problems
        assert found_in(path) == kept


def test_a_line_of_many_links_in_comments_is_read_once(ws, put, monkeypatch):
    read = []
    monkeypatch.setattr(facts, "unquote", lambda text: read.append(text) or text)
    put("wiki/links.md", "# Links\n\n" + "%%a:: [[b]][[" * 100 + "\n")
    ws.check.run()
    assert 1 <= len([text for text in read if "[[b]]" in text]) <= 3


def test_a_long_line_that_opens_a_fence_is_measured_once(ws, put, monkeypatch):
    measured = []
    columns = content._columns
    monkeypatch.setattr(content, "_columns", lambda line: measured.append(line) or columns(line))
    put("wiki/fence.md", "`" * 300 + "\n" * 300)
    ws.check.run()
    assert 1 <= sum(len(line) == 300 for line in measured) <= 3


def test_a_long_line_above_many_is_looked_at_once_for_a_definition():
    before = opens_definition.cache_info().misses
    scan(("1. " * 300 + '=== "a"\n' * 300).split("\n"))
    assert 1 <= opens_definition.cache_info().misses - before <= 3


def test_entries_that_a_merge_doubled_are_compared_with_those_of_their_id(ws, put, monkeypatch):
    lines = "".join(
        f"- Valve {n} is shut. ^m-{n:06}\n"
        f"- ~~Valve {n} is shut.~~ [superseded_by:: m-x] ^m-{n:06}\n"
        for n in range(200)
    )
    calls = called(monkeypatch, content, "_has_more")
    put("memory.md", f"# Memory\n\n{lines}")
    found = [each for each in ws.check.run().problems if each.code == "entry-overtaken"]
    assert len(found) == 200
    assert len(calls) < 200 * 20
