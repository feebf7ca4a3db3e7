"""The query language at work: words, phrases, exclusions, prefixes and filters over real pages."""

from __future__ import annotations

import datetime
import os

import pytest

from memwiki.errors import UsageError
from tests.effort import for_each

BIRDS = """
--- heron.md ---
---
title: Heron
tags: [bird/wader]
type: concept
status: draft
updated: 2026-03-10
---
# Heron

The grey heron stands still. It eats fish.

## Habitat

Ponds and rivers, see [[Pond]].
--- stork.md ---
---
tags: [Bird]
type: note
status: stable
updated: 2026-01-05
---
# Stork

A stork is no heron, and heron grey is not its colour.
--- wiki/pond.md ---
# Pond

Still water. #habitat
--- memory.md ---
# Memory

## Preferences

- Likes herons more than storks. #bird [importance:: 0.9] [created:: 2026-02-01] ^m-aaaaaa
- [fact] Storks clatter. #bird/sound [source:: book] [updated:: 2026-03-01]

## Facts

- Ponds freeze in winter.
"""


@for_each(
    "query",
    [
        "since:foo",
        "tea -until:2026-13",
        "(since:soon OR tea) -draft",
        "until:99999999999d",
        "is:strange",
        "tag:#",
        "updated:<soon",
        "created:>=2026-13-40",
        'since:"the other week"',
    ],
)
def test_a_filter_whose_value_means_nothing_is_an_error(reading, query):
    birds = reading(BIRDS)
    with pytest.raises(UsageError, match="not a value of") as refused:
        birds.search(query)
    assert "in quotation marks" in refused.value.hint
    assert birds.recall(query).question == query


@for_each("query", ['"since:foo"', "since:", "a:since:foo", "http://is:x", "note:foo"])
def test_what_is_no_filter_is_text_whatever_its_value(reading, query):
    ws = reading({"a.md": "# A\n\nSaid since:foo a:since:foo http://is:x note:foo tea\n"})
    assert ws.search(query).query == query


@pytest.fixture
def birds(reading):
    ws = reading(BIRDS)
    stamp = datetime.datetime(2025, 6, 1, 12, tzinfo=datetime.UTC).timestamp()
    for place in (ws.root / "wiki/pond.md", ws.root / "memory.md"):
        if place.stat().st_mtime != stamp:
            os.utime(place, (stamp, stamp))
    return ws


def found(ws, query: str) -> list[str]:
    """Paths, with the line of an entry."""
    hits = ws.search(query, limit=50).hits
    return sorted(f"{h.path}:{h.line_start}" if h.path == "memory.md" else h.path for h in hits)


# --- words, phrases, exclusion, prefixes ---------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("heron", ["heron.md", "memory.md:5", "stork.md"]),
        ("HERONS", ["heron.md", "memory.md:5", "stork.md"]),
        ("fish winter", ["heron.md", "memory.md:10"]),
        ('"grey heron"', ["heron.md"]),
        ('"heron stands still"', ["heron.md"]),
        ('"heron   stands  still. It"', ["heron.md"]),
        ('"HERON, and heron"', ["stork.md"]),
        ("“grey heron”", ["heron.md"]),
        ('"grey heron" clatter', ["heron.md"]),
        ('"Storks clatter"', ["memory.md:6"]),
        ("heron -stork", ["heron.md"]),
        ("heron -storks", ["heron.md"]),
        ('heron -"grey heron"', ["memory.md:5", "stork.md"]),
        ("heron -clat* -fish", ["memory.md:5", "stork.md"]),
        ("clat*", ["memory.md:6"]),
        ("habit*", ["heron.md", "wiki/pond.md"]),
        ("clat* fish", ["heron.md", "memory.md:6"]),
        ("-", []),
        ('"', []),
        ("!!!", []),
    ],
)
def test_words_phrases_exclusions_and_prefixes(birds, query, expected):
    assert found(birds, query) == expected


@pytest.mark.parametrize("query", ["", "  ", "\t\u3000\n"])
def test_a_query_of_nothing_but_blanks_is_a_mistake_and_the_next_step_is_told(ws, query):
    with pytest.raises(UsageError) as refused:
        ws.search(query)
    assert "type:note" in refused.value.hint


def test_a_phrase_is_looked_for_in_the_text_and_across_lines(put, ws):
    put("a.md", "the quick\nbrown\n\n**fox** jumps\n")
    put("b.md", "brown fox the quick\n")
    assert found(ws, '"quick brown"') == ["a.md"]
    assert ws.search('"quick fox"').notes  # found as words only
    assert found(ws, '"混合检索"') == []


def test_the_total_of_a_phrase_counts_what_holds_it(put, ws):
    put("a.md", "quick brown\n")
    put("b.md", "brown quick\n")
    answer = ws.search('"quick brown"')
    assert (answer.total, len(answer.hits)) == (1, 1)


# --- filters -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("tag:bird", ["heron.md", "memory.md:5", "memory.md:6", "stork.md"]),
        ("tag:BIRD/wader", ["heron.md"]),
        ("tag:#bird/sound", ["memory.md:6"]),
        ("tag:bir", []),
        ("tag:habitat", ["wiki/pond.md"]),
        ("type:concept", ["heron.md"]),
        ("type:fact", ["memory.md:10", "memory.md:6"]),
        ("type:preference", ["memory.md:5"]),
        ("path:wiki", ["wiki/pond.md"]),
        ("path:wiki/*", ["wiki/pond.md"]),
        ("path:*.md -path:memory.md", ["heron.md", "stork.md", "wiki/pond.md"]),
        ("title:ero", ["heron.md"]),
        ('title:"stork"', ["stork.md"]),
        ("section:habitat", ["heron.md"]),
        ("section:preferences", ["memory.md:5", "memory.md:6"]),
        ("status:draft", ["heron.md"]),
        ("status:Draft", ["heron.md"]),
        ("-status:draft type:note", ["stork.md"]),
        ("source:book", ["memory.md:6"]),
        ("importance:0.9", ["memory.md:5"]),
        ("is:orphan", ["heron.md", "stork.md"]),
        ("-is:orphan", ["memory.md:10", "memory.md:5", "memory.md:6", "wiki/pond.md"]),
        ("is:entry", ["memory.md:10", "memory.md:5", "memory.md:6"]),
        ("tag:bird type:note", ["stork.md"]),
        ("tag:bird -tag:bird/sound -tag:bird/wader", ["memory.md:5", "stork.md"]),
        ("heron tag:bird/wader", ["heron.md"]),
        ("heron type:preference", ["memory.md:5"]),
    ],
)
def test_filters(birds, query, expected):
    assert found(birds, query) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("since:2026-03-01", ["heron.md", "memory.md:6"]),
        ("since:2026-02", ["heron.md", "memory.md:5", "memory.md:6"]),
        ("until:2026-01-31", ["stork.md", "wiki/pond.md"]),
        ("since:2026-01-05 until:2026-01-05", ["stork.md"]),
        ("since:2025 until:2025", ["wiki/pond.md"]),
        ("heron since:2026-02-15", ["heron.md"]),
    ],
)
def test_dates_are_of_the_entry_else_of_the_page_and_for_pages_of_the_file(birds, query, expected):
    assert found(birds, query) == expected


def test_days_ago_are_counted_from_the_clock(put, opened):
    put("a.md", "---\nupdated: 2026-03-10\n---\nheron\n")
    day = int(datetime.datetime(2026, 3, 15, tzinfo=datetime.UTC).timestamp() * 10**9)
    ws = opened(clock=lambda: day)
    assert found(ws, "since:7d") == ["a.md"]
    assert found(ws, "since:1w heron") == ["a.md"]
    assert found(ws, "since:2d") == []
    assert found(ws, "until:2d") == ["a.md"]
    assert found(ws, "since:yesterday") == found(ws, "updated:>=yesterday") == []
    assert found(ws, 'heron since:"last week"') == ["a.md"]
    assert [hit.path for hit in ws.recall("heron", since="last week", until="today")] == ["a.md"]
    assert not ws.recall("heron", until="上周一").hits


def test_a_key_that_is_no_field_anywhere_is_a_word(birds):
    assert found(birds, "stork:clatter") == found(birds, "stork clatter")
    assert found(birds, "heron -stork:clatter")


def test_filters_alone_list_everything_by_title(birds):
    answer = birds.search("path:*.md")
    titles = [hit.title for hit in answer.hits]
    assert titles == sorted(titles, key=str.casefold)
    assert answer.total == len(answer.hits) == 6
    assert not answer.fallback


def test_a_page_without_any_text_is_listed_by_filters_and_found_by_its_name(put, ws):
    put("empty.md", "")
    put("bare.md", "---\ntitle: Bare Page\ntags: [x]\n---\n")
    assert found(ws, "path:*.md") == ["bare.md", "empty.md"]
    assert found(ws, "tag:x") == ["bare.md"]
    assert found(ws, "bare page") == ["bare.md"]


def test_what_was_retired_is_found_only_when_it_is_named(put, ws):
    put("memwiki.toml", '[layers]\narchive = "archive"\nnamespaces = "namespaces"\n')
    ws.reload()
    put("archive/old.md", "heron\n")
    put("namespaces/other/x.md", "heron\n")
    put("new.md", "heron\n")
    assert found(ws, "heron") == ["new.md"]
    assert found(ws, "old") == []
    assert found(ws, "heron path:archive/*") == ["archive/old.md"]
    assert found(ws, "heron path:archive") == ["archive/old.md"]
    assert found(ws, "path:namespaces/*") == ["namespaces/other/x.md"]


def test_without_layers_a_folder_called_archive_is_a_folder(put, ws):
    put("archive/old.md", "heron\n")
    assert found(ws, "heron") == ["archive/old.md"]


# --- entries and messages ------------------------------------------------------------------------


def test_an_entry_is_a_hit_of_its_own_with_its_type_tags_and_lines(birds):
    (hit,) = birds.search("clatter").hits
    assert (hit.path, hit.type, hit.line_start, hit.line_end) == ("memory.md", "fact", 6, 6)
    assert hit.tags == ("bird/sound",)
    assert hit.section.endswith("Preferences")
    assert "clatter" in hit.excerpt


def test_a_message_is_a_hit_of_its_own(put, ws):
    put(
        "sessions/s.md",
        "---\ntype: session\n---\n# Talk\n\n### 2026-03-01T10:00:00Z user ^s-0001\n\nWhere do "
        "herons nest?\n\n"
        "### 2026-03-01T10:00:05Z assistant ^s-0002\n\nHerons nest in high trees.\n",
    )
    hits = ws.search("herons nest trees").hits
    assert [hit.type for hit in hits] == ["assistant", "user"]
    assert hits[0].line_start > hits[1].line_start
    assert [hit.type for hit in ws.search("type:user herons").hits] == ["user"]


# --- nothing found -------------------------------------------------------------------------------


def test_parts_of_words_are_found_when_nothing_else_is_and_marked(put, ws):
    put("a.md", "# A\n\nSomething unpronounceable here.\n")
    put("b.md", "# B\n\nother\n")
    answer = ws.search("pronounce", explain=True)
    assert answer.fallback
    assert [hit.path for hit in answer.hits] == ["a.md"]
    assert answer.hits[0].reasons == ("substring",)
    assert not ws.search("unpronounceable").fallback


def test_no_hit_at_all_is_an_answer(birds):
    answer = birds.search("zebra")
    assert (answer.hits, answer.total, answer.fallback, answer.fresh) == ((), 0, False, True)


def test_at_most_eight_words_are_looked_for_as_parts(put, ws):
    put("a.md", "xxninthxx\n")
    words = " ".join(f"zz{n}" for n in range(8))
    assert ws.search(f"{words} ninth").total == 0
    assert ws.search("ninth").total == 1


# --- excerpts ------------------------------------------------------------------------------------


def test_an_excerpt_shows_the_words_on_one_line_and_no_more_than_a_few(put, ws):
    put(
        "a.md",
        "# A\n\n" + "Nothing to see here. " * 100 + "\n\nThe heron stands.\n\n" + "More. " * 300,
    )
    (hit,) = ws.search("heron").hits
    assert "The heron stands." in hit.excerpt
    assert "\n" not in hit.excerpt
    assert len(hit.excerpt) < 260


def test_an_excerpt_of_one_endless_line_is_cut_around_the_word(put, ws):
    put("a.md", "word " * 500 + "heron " + "word " * 500 + "\n")
    (hit,) = ws.search("heron").hits
    assert "heron" in hit.excerpt
    assert hit.excerpt.startswith("…")
    assert hit.excerpt.endswith("…")


def test_a_word_of_60_000_letters_is_one_that_no_page_has(put, ws):
    put("a.md", "# A\n\nheron\n")
    assert ws.search("ab" * 30_000).hits == ()


@pytest.mark.parametrize("written", ["48000", "48,000"])
def test_an_excerpt_of_one_endless_line_is_cut_around_the_number(put, ws, written):
    put("a.md", "48 words " * 5_000 + f"{written} " + "word " * 5_000 + "\n")
    (hit,) = ws.search("48000").hits
    assert written in hit.excerpt


def test_an_excerpt_comes_from_the_file_as_it_is_now(put, ws, opened):
    put("a.md", "# A\n\nheron one\n")
    ws.sync()
    put("a.md", "# A\n\nheron two\n")
    (hit,) = opened(sync=False).search("heron").hits
    assert "two" in hit.excerpt


def test_a_page_that_vanishes_while_it_is_shown_is_an_empty_excerpt(put, ws, opened):
    put("a.md", "# A\n\nheron\n")
    ws.sync()
    (ws.root / "a.md").unlink()
    (hit,) = opened(sync=False).search("heron").hits
    assert (hit.path, hit.excerpt) == ("a.md", "")


def test_the_time_of_a_message_counts_for_since_and_until(ws, put):
    put("memwiki.toml", '[layers]\nsessions = "sessions"\n')
    put(
        "sessions/a.md",
        "---\ntype: session\nstarted: 2026-11-21\n---\n\n"
        "### 2025-01-01T00:00:00Z Bob ^s-0001\nold walrus\n\n"
        "### 2026-11-21T09:00:00Z Bob ^s-0002\nnew walrus\n",
    )
    ws.reload()
    assert [hit.line_start for hit in ws.search("walrus since:2026-11-01").hits] == [9]
    assert [hit.line_start for hit in ws.search("walrus until:2025-12-31").hits] == [6]
    assert ws.search("January walrus").hits[0].line_start == 6


def test_a_tag_in_the_code_of_an_entry_is_no_tag(ws, put):
    put("memory.md", "# Memory\n\n### LRN-1 heron\n\n```\n#notatag\n```\n\nSee #real.\n")
    assert ws.search("type:memory heron").hits[0].tags == ("real",)


def test_parts_of_words_are_not_looked_for_where_a_word_is_excluded(ws, put):
    put("a.md", "# A\n\nkingfishers dive\n")
    put("b.md", "# B\n\nkingfishers rest\n")
    assert [hit.path for hit in ws.search("ngfish -dive").hits] == ["b.md"]
    assert ws.search("ngfish -dive").fallback


def test_the_total_of_a_phrase_does_not_depend_on_the_limit(ws, put):
    for n in range(30):
        put(f"p{n}.md", f"# P{n}\n\n{'grey heron' if n % 3 else 'heron, grey'} at the pond\n")
    answers = [ws.search('"grey heron"', limit=limit) for limit in (1, 5, 100)]
    assert [answer.total for answer in answers] == [20, 20, 20]


def test_a_phrase_is_found_in_the_front_matter_too(ws, put):
    put("war.md", "---\naliases: [The Great War]\n---\n\n# W\n\nbody\n")
    answer = ws.search('"great war"')
    assert [hit.path for hit in answer.hits] == ["war.md"]
    assert not answer.fallback
    assert ws.search('body -"great war"').total == 0


def test_a_phrase_whose_words_stand_apart_is_no_reason_to_look_for_parts(ws, put):
    put("a.md", "# A\n\nheron and then grey\n")
    answer = ws.search('"grey heron"')
    assert (answer.total, answer.fallback) == (1, False)


def test_pasted_text_with_quotes_finds_what_holds_its_words_and_says_so(ws, put):
    put("a.md", "# A\n\nThe limiter of the rate is set in a config.\n")
    put("b.md", "# B\n\nA config.\n")
    answer = ws.search('"rate limiter" config')
    assert [hit.path for hit in answer.hits] == ["a.md", "b.md"]
    (note,) = answer.notes
    assert '"rate limiter"' in note
    assert not answer.fallback
    # What is excluded or filtered out stays so.
    assert [hit.path for hit in ws.search('"rate limiter" config -limiter').hits] == ["b.md"]
    assert [hit.path for hit in ws.search('"rate limiter" config path:b.md').hits] == ["b.md"]
    assert ws.search('"limiter of the rate" config').notes == ()
    assert ws.search('"nothing alike"').notes == ()


def test_a_phrase_that_is_part_of_a_word_is_found_as_a_part(ws, put):
    put("a.md", "# A\n\nblue colouring\n")
    put("b.md", "# B\n\nblue\n")
    answer = ws.search('"blue colou"')
    assert ([hit.path for hit in answer.hits], answer.fallback, answer.notes) == (
        ["a.md"],
        True,
        (),
    )


def test_quotes_alone_of_which_one_is_nowhere_find_what_has_the_other(ws, put):
    put("a.md", "# A\n\nkiwi\n")
    put("b.md", "# B\n\nthe phrase is here\n")
    answer = ws.search('"kiwi" "phrase here"')
    assert [hit.path for hit in answer.hits] == ["b.md", "a.md"]
    assert not answer.fallback
    (note,) = answer.notes
    assert '"phrase here"' in note


def test_a_level_in_words_is_found_by_its_number(ws, put):
    put("memory.md", "# M\n\n- Tea is liked. [confidence:: high]\n")
    assert ws.search("confidence:high").total == 1
    assert ws.search("confidence:0.9").total == 1


def test_more_hits_than_one_statement_looks_up_are_shown_in_their_order(put, ws):
    entries = "".join(f"- heron {n} #t{n}\n" for n in range(130))
    put("memory.md", f"# Memory\n\n## Facts\n\n{entries}")
    for number in range(30):
        put(f"{number}.md", f"---\ntags: [b{number}, a]\n---\n# P{number}\n\n## S\n\nheron\n")
    hits = ws.search("heron", limit=200).hits
    assert len(hits) == 160
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    pages = {hit.path: hit for hit in hits if hit.path != "memory.md"}
    assert pages["7.md"].tags == ("b7", "a")
    assert {hit.section for hit in pages.values()} == {f"P{n} > S" for n in range(30)}
    said = {hit.excerpt: hit.tags for hit in hits if hit.path == "memory.md"}
    assert said == {f"- heron {n} #t{n}": (f"t{n}",) for n in range(130)}


# --- how many hits there are ---------------------------------------------------------------------


@pytest.fixture
def many(reading):
    entries = "".join(f"- heron {n} and bittern {'stork' * (n % 2)}\n" for n in range(1_200))
    memory = f"---\nupdated: 2026-01-01\n---\n# Memory\n\n## Facts\n\n{entries}"
    return reading({"memory.md": memory, "heron.md": "# Heron\n\ntext\n"})


@pytest.mark.parametrize("query", ["heron", "heron bittern", "heron -stork bittern"])
def test_hits_are_counted_to_a_thousand_and_all_of_them_when_asked(many, query):
    count = 601 if "-" in query else 1_201
    answer, counted = many.search(query), many.search(query, count=True)
    assert (counted.total, counted.total_exact) == (count, True)
    assert (answer.total, answer.total_exact) == (min(count, 1_000), count <= 1_000)
    assert answer.hits == counted.hits


def test_as_many_hits_are_counted_as_may_be_shown(many):
    answer = many.search("heron", limit=1_100)
    assert (len(answer.hits), answer.total, answer.total_exact) == (1_100, 1_100, False)
    answer = many.search("heron", limit=1_201)
    assert (len(answer.hits), answer.total, answer.total_exact) == (1_201, 1_201, True)


def test_a_phrase_is_counted_as_far_as_pages_were_read(many):
    answer, counted = many.search('"and bittern"'), many.search('"and bittern"', count=True)
    assert (answer.total_exact, counted.total, counted.total_exact) == (False, 1_200, True)
    assert len(answer.hits) < answer.total < 1_200
    assert answer.hits == counted.hits


def test_what_filters_alone_let_through_is_counted(many):
    assert many.search("is:entry").total == 1_200
    assert many.search("is:entry").total_exact


def test_where_dates_are_asked_for_all_hits_are_looked_at(many):
    answer = many.search("heron since:2020-01-01")
    assert (answer.total, answer.total_exact) == (1_201, True)


@for_each("query", ["type:concept", "tag:bird/wader", "path:heron.md", "has:status"])
def test_without_words_a_hit_shows_what_its_page_begins_with(reading, query):
    head = "---\ntype: concept\ntags: [bird/wader]\nstatus: draft\n---\n# Heron\n\n"
    text = f"{head}![badge](x.png)\n\nThe **grey** heron stands still.\n"
    (hit,) = reading({"heron.md": text}).search(query).hits
    assert hit.excerpt == "The grey heron stands still."
    assert (hit.path, hit.section) == ("heron.md", "Heron")


def test_the_words_that_match_are_named(put, ws):
    put("a.md", "# A\n\nA Heron, many herons and 我们的向量数据库.\n")
    assert set(ws.search("heron 数据").words) == {"Heron", "herons", "数据"}
    assert ws.search("ero").words == ("ero",)
    assert ws.search("type:page").words == ()
