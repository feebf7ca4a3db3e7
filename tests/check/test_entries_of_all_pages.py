"""What is found among the entries of all pages is kept, and never out of date."""

import json
import sqlite3
import zlib

import pytest

from memwiki.check import review, rule
from memwiki.check.facts import EntryPart
from memwiki.check.rules import ENTITY_RULES, ENTRY_RULES
from memwiki.check.store import STORE, FindingStore, Review
from memwiki.index.projection import EMPTY_TREE
from memwiki.judgement import meetings

CODES = ("entity-near-duplicate", "entry-conflict", "entry-near-duplicate")
ENTRIES = """# Memory

## Facts
- The garden behind the old house is watered on Monday mornings. [created:: 2026-01-01]
- The garden behind the old house is watered on monday mornings! [created:: 2026-01-02]
- The office opens at 9. [created:: 2026-01-01]
- The office opens at 8. [created:: 2026-02-01]
- They make lamps. [object:: Northwind Traders] [created:: 2026-01-01]
- Someone sells bread. [topic:: NorthWind-Traders] [created:: 2026-01-01]
"""


def found(ws, *codes):
    return [
        (each.code, each.path, each.line) for each in ws.check.run(only=codes) if each.code in CODES
    ]


def test_plain_bullets_of_a_journal_of_logseq_are_not_compared(put, ws):
    put("logseq/config.edn", "{}\n")
    for day in (1, 2, 3):
        put(
            f"journals/2026_01_0{day}.md",
            "- Walked the dog around the lake before breakfast.\n- The office opens at "
            f"{day + 6}.\n\t- The garden behind the house is watered.\n",
        )
    assert found(ws) == []
    bakery = "- The bakery opens on Sunday mornings. [created:: 2026-01-0{}] ^m-aaaaa{}\n"
    for day in (4, 5):  # what happens often is told on many days
        put(f"journals/2026_01_0{day}.md", bakery.format(day, day))
    assert found(ws) == []
    put("pages/bakery.md", bakery.format(6, 6))
    assert found(ws) == [("entry-near-duplicate", "pages/bakery.md", 1)]


def test_plain_bullets_of_a_journal_of_logseq_may_be_written_twice(put, ws, root):
    put("logseq/config.edn", "{}\n")
    day = "- Walked the dog around the lake.\n- Tea.\n- Walked the dog around the lake.\n"
    put("journals/2026_01_01.md", day)
    memory = "- The bakery opens on Sundays. [importance:: 0.8] ^m-aaaaa1\n"
    put("journals/2026_01_02.md", memory * 2)
    report = ws.check.run(only=["entry-duplicate"])
    assert [(each.path, each.line) for each in report] == [("journals/2026_01_02.md", 2)]
    ws.check.fix(report)
    assert (root / "journals/2026_01_01.md").read_text() == day
    assert (root / "journals/2026_01_02.md").read_text() == memory


@pytest.mark.parametrize(
    ("path", "above"),
    [("daily/2026-11-28.md", ""), ("notes/daily/2026-11-28.md", ""), ("memory.md", "## Events\n")],
)
def test_what_happened_twice_is_no_line_that_a_merge_doubled(put, opened, root, path, above):
    daily = path.rpartition("/")[0] or "daily"
    put("memwiki.toml", f'[layers]\nmemory = "memory.md"\ndaily = "{daily}"\n')
    ws = opened()
    fed, pill = "- Fed the baby, 120 ml.\n", "- Took 5 mg of Ramipril. [dose:: 5 mg]\n"
    marked = "- Called the bank. [created:: 2026-11-28 09:10]\n- Called the school. ^m-aaaaa1\n"
    text = f"{above}{fed}{pill}{fed}{pill}{marked}"
    put(path, text + marked)
    report = ws.check.run(only=["entry-duplicate"])
    assert len(report.problems) == 2
    ws.check.fix(report)
    assert (root / path).read_text() == text


def test_a_step_of_a_numbered_list_may_come_again(put, ws):
    steps = "1. Stir it for ten minutes.\n1. Add 100 ml of milk.\n1. Stir it for ten minutes.\n"
    put("memory.md", f"# Memory\n\n## Waffles\n{steps}")
    assert not ws.check.run(only=["entry-duplicate"]).problems
    put("memory.md", f"# Memory\n\n## Waffles\n{steps.replace('1.', '-')}")
    assert len(ws.check.run(only=["entry-duplicate"]).problems) == 1


@pytest.fixture
def asked(monkeypatch):
    """The names of the functions of rules that were called."""
    seen = []
    found = rule.found

    def counted(rules, subject):
        rules = list(rules)
        seen.extend(each.code for each in rules)
        return found(rules, subject)

    monkeypatch.setattr("memwiki.check.review.found", counted)
    return seen


@pytest.fixture
def memory(put, ws):
    put("memory.md", ENTRIES)
    put("wiki/tea.md", "# Tea\n\nGreen.\n")
    return ws


ALL = [
    ("entry-near-duplicate", "memory.md", 5),
    ("entry-conflict", "memory.md", 7),
    ("entity-near-duplicate", "memory.md", 9),
]


def test_what_is_alike_and_what_contradicts_is_found_at_the_newer_one(memory):
    assert found(memory) == ALL
    assert {each.severity for each in memory.check.run() if each.code in CODES} == {"info"}


def test_another_text_elsewhere_has_no_entry_compared_again(memory, put, asked):
    memory.check.run()
    asked.clear()
    put("wiki/tea.md", "# Tea\n\nBlack.\n")
    assert found(memory) == ALL
    assert not set(CODES) & set(asked)


def test_another_name_of_a_page_has_entities_compared_again_and_no_entry(memory, put, asked):
    memory.check.run()
    asked.clear()
    put("wiki/nw.md", "---\ntitle: Northwind Traders\naliases: [NorthWind-Traders]\n---\nLamps.\n")
    assert found(memory) == ALL[:2]
    assert set(CODES) & set(asked) == {"entity-near-duplicate"}


def test_an_entry_that_goes_takes_its_findings_along(memory, put):
    memory.check.run()
    put("memory.md", ENTRIES.replace("- The office opens at 9.", "- The kitchen opens at 9."))
    assert [each[0] for each in found(memory)] == ["entry-near-duplicate", "entity-near-duplicate"]
    (memory.root / "memory.md").unlink()
    put("daily/2026-01-01.md", "# Day\n")
    assert found(memory) == []


def test_a_line_more_above_moves_the_findings(memory, put):
    memory.check.run()
    put("memory.md", ENTRIES.replace("# Memory\n", "# Memory\n\n"))
    assert found(memory) == [(code, path, line + 1) for code, path, line in ALL]


def test_what_a_section_says_twice_is_compared_once_and_what_is_over_not_at_all(ws, put):
    said = "- The garden behind the old house is watered on Mondays.\n"
    put("memory.md", f"## Facts\n{said}{said}")
    assert found(ws) == []
    put("memory.md", f"## Facts\n{said}## Habits\n{said}")
    assert found(ws) == [("entry-near-duplicate", "memory.md", 4)]
    over = (
        "- ~~The garden behind the old house is watered on Mondays!~~ [superseded_by:: m-aaaaa1]\n"
    )
    put("memory.md", f"## Facts\n{said}{over}")
    assert found(ws) == []


def test_what_is_found_in_a_long_page_is_told_with_its_line(ws, put):
    many = "".join(f"- Lamp{number} hums{number} softly{number}.\n" for number in range(300))
    head, items = ENTRIES.split("## Facts\n")
    put("memory.md", f"{head}## Facts\n{many}{items}")
    expected = [(code, path, line + 300) for code, path, line in ALL]
    assert found(ws) == expected
    put("memory.md", f"{head}\n## Facts\n{many}{items}- One more.\n")
    assert found(ws) == [(code, path, line + 1) for code, path, line in expected]


def test_an_unchanged_check_gives_the_same(memory, opened):
    assert found(memory) == found(memory) == found(opened()) == ALL


def test_another_setting_has_them_compared_again(memory, opened):
    memory.check.run()
    memory.settings.set("memory.conflict_threshold", "1")
    memory.settings.set("entities.near", "1")
    memory.settings.set("entities.same", "1")
    assert [each[0] for each in found(opened())] == [
        "entry-near-duplicate",
        "entity-near-duplicate",
    ]


def test_only_what_is_asked_for_is_compared(memory, asked):
    assert found(memory, "entry-conflict") == [ALL[1]]
    assert set(CODES) & set(asked) == {"entry-conflict"}


def test_messages_name_no_lines_and_say_nothing_private(memory, put):
    put("memory.md", ENTRIES.replace("[created:: 2026-01-01]", "[private:: true]"))
    messages = [each.message for each in memory.check.run() if each.code.startswith("entry-")]
    assert messages == [
        "says nearly the same as a private entry in memory.md",
        "may contradict a private entry in memory.md",
    ]


def test_two_values_of_one_slot_are_found_whatever_their_texts_begin_with(ws, put):
    put(
        "memory.md",
        "## Facts\n- The search team is led by Anna.\n- 门禁密码是 4821\n"
        "- Bob is the lead of the search team.\n- 门禁密码改成了 9917\n- Eva speaks French.\n"
        "- Eva speaks Spanish.\n",
    )
    assert found(ws, "entry-conflict") == [
        ("entry-conflict", "memory.md", 4),
        ("entry-conflict", "memory.md", 5),
    ]


def test_many_that_say_the_same_are_one_finding_each(ws, put):
    says = ["The garden is watered on Mondays" + "!" * number for number in range(6)]
    put("memory.md", "## Facts\n" + "".join(f"- {each}\n" for each in says))
    problems = [each for each in ws.check.run() if each.code == "entry-near-duplicate"]
    assert [each.line for each in problems] == [3, 4, 5, 6, 7]
    assert problems[-1].message.endswith(" and 2 more")


def test_entries_in_the_store_are_read_back(tmp_path):
    store = FindingStore(str(tmp_path / STORE), "r1")
    said = json.dumps([(3, "fact", "m-aaaaaa", "Tea 茶 \ud800.", {"topic": "x"})])
    held = EntryPart("00ff", 7, json.dumps([(3, "n", "")]), said)
    store.apply([Review("a.md", "d1", entries=[held]), Review("b.md", "d1")], [])
    assert [*store.entries()] == [("a.md", held)]
    assert {*store.stretches("a.md")} == {b"\0\xff"}
    assert [*store.stretches("b.md"), *store.stretches("c.md")] == []
    tree = store.entries_tree()
    store.apply([Review("c.md", "d1")], ["b.md"])
    assert store.entries_tree() == tree != EMPTY_TREE
    store.apply([Review("a.md", "d2")], [])
    assert (list(store.entries()), store.entries_tree()) == ([], EMPTY_TREE)
    store.close()


def test_damaged_entries_are_read_anew(memory, cache, put):
    memory.check.run()
    (path,) = cache.rglob(STORE)
    with sqlite3.connect(path) as db:
        db.execute("update entry set facts='[['")
    put("memory.md", ENTRIES + "- One more.\n")
    assert found(memory) == ALL


def compared_rows(cache) -> list[tuple[str, bytes]]:
    (path,) = cache.rglob(STORE)
    with sqlite3.connect(path) as db:
        sql = "select run, problems from found where run like 'compared%' order by part"
        return db.execute(sql).fetchall()


@pytest.mark.parametrize("damage", [b"", b"x", zlib.compress(b"{}"), zlib.compress(b"[1, 2]")])
def test_what_was_compared_may_be_damaged(memory, cache, put, damage):
    memory.check.run()
    assert len(compared_rows(cache)) > 0
    (path,) = cache.rglob(STORE)
    with sqlite3.connect(path) as db:
        db.execute("update found set problems=? where run like 'compared%'", (damage,))
    put("memory.md", ENTRIES + "- One more.\n")
    assert found(memory) == ALL
    assert all(row != damage for _, row in compared_rows(cache))


def test_other_settings_compare_all_anew(memory, cache, put):
    memory.check.run()
    before = compared_rows(cache)
    memory.settings.set("memory.near_threshold", "0.99")
    put("memory.md", ENTRIES + "- One more.\n")
    memory.check.run()
    (_, first), (_, now) = before[0], compared_rows(cache)[0]
    assert zlib.decompress(first)[:40] != zlib.decompress(now)[:40]


def test_one_more_entry_has_the_last_part_alone_written_anew(memory, cache, put, monkeypatch):
    monkeypatch.setattr(meetings, "_PART_FACTS", 2)
    memory.check.run()
    before = compared_rows(cache)
    put("memory.md", ENTRIES + "- One more. [created:: 2999-01-01]\n")
    memory.check.run()
    after = compared_rows(cache)
    assert len(before) > 3
    assert [row in before for row in after].count(False) == 2
    assert after[1] == before[1]


def test_after_one_more_entry_the_store_is_opened_five_times(memory, put, monkeypatch):
    memory.check.run()
    opened, real = [], review._open_store

    def counting(live, **how):
        opened.append(1)
        return real(live, **how)

    monkeypatch.setattr(review, "_open_store", counting)
    put("memory.md", ENTRIES + "- One more. [created:: 2999-01-01]\n")
    memory.check.run()
    assert len(opened) == 5


def test_of_two_checks_at_a_time_the_first_is_kept(memory, cache, put):
    memory.check.run()
    store, (run, first) = review._open_store(memory.entries.live), compared_rows(cache)[0]
    with store as findings:
        findings.keep_parts(run, {0: b"a", 1: b"b"}, first)
        findings.keep_parts(run, {0: b"c", 1: b"d"}, first)
        assert findings.parts(run)[:2] == [b"a", b"b"]
        findings.keep_parts(run, {0: b"e"}, b"")
        assert findings.parts(run) == [b"e"]
    put("memory.md", ENTRIES + "- One more.\n")
    assert found(memory) == ALL


def test_the_rules_about_entries_are_these():
    assert sorted(each.code for each in (*ENTRY_RULES, *ENTITY_RULES)) == list(CODES)
