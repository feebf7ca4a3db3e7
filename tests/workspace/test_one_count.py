"""A count is the same wherever it is shown, and a command lists what was counted."""

from memwiki.present import Look, as_text

TEXT = """
--- wiki/a.md ---
See [[b]] and [[README]].
--- wiki/b.md ---
---
tags: [x, y/z]
created: soon
---
See [[a]]. #x
--- wiki/alone.md ---
Nobody links here, %% but [[hidden]] is %% linked.
--- wiki/hidden.md ---
---
key: 1
key: 2
---
[[a]]
--- wiki/empty.md ---
--- README.md ---
Start.
--- raw/source.md ---
What came.
--- templates/form.md ---
---
title: {{title}}
created: {{date}}
---
--- memory.md ---
## Facts
- One thing. ^m-aaaaaa
- Another. #fact
--- archive/old.md ---
---
tags: [gone]
created: never
---
- An item. ^m-bbbbbb
--- memwiki.toml ---
[layers]
raw = "raw"
archive = "archive"
"""


def test_orphans_were_counted_in_three_ways(write_blocks, opened):
    write_blocks(TEXT)
    ws = opened()
    listed = [row.path for row in ws.pages.list(orphans=True).pages]
    assert sorted(listed) == ["wiki/alone.md", "wiki/empty.md"]
    assert sorted(hit.path for hit in ws.search("is:orphan").hits) == sorted(listed)
    assert sorted(each.path for each in ws.check.run(only=["orphan"]).problems) == sorted(listed)
    assert {row.path for row in ws.pages.list().pages if not row.links} >= set(listed)


def test_status_counted_problems_that_no_command_listed(write_blocks, opened):
    write_blocks(TEXT)
    ws = opened()
    ws.sync()
    status, report = ws.index.status(), ws.check.run(only=["reading"])
    assert status.problems == len(report.problems) == 3
    assert {each.code for each in report.problems} == {"date-unreadable", "key-duplicate"}
    assert "check --only reading" in as_text(status, Look())


def test_what_status_counts_is_what_the_commands_it_names_list(write_blocks, opened):
    write_blocks(TEXT)
    ws = opened()
    ws.sync()
    status = ws.index.status()
    assert status.pages - status.put_away == ws.pages.list().total
    assert status.entries == ws.search("is:entry").total == 2
    assert status.tags == len(ws.graph.tags().tags)
    shown = as_text(status, Look())
    for line in (
        f"memwiki list: {ws.pages.list().total}",
        "(memwiki search is:entry)",
        "(memwiki tags)",
    ):
        assert line in shown


def test_where_nobody_links_pages_all_are_orphans_everywhere(put, opened):
    put("a.md", "One.\n")
    put("b.md", "Two.\n")
    ws = opened()
    assert ws.pages.list(orphans=True).total == ws.search("is:orphan").total == 2
    assert len(ws.check.run(only=["orphan"]).problems) == 2


def test_a_block_id_without_a_blank_before_it_was_missing(put, opened):
    put("a.md", "[[b#^one]] [[b#^two]] [[b#^three]] [[b#^2]]\n")
    put("b.md", "第一。^one\n\n第二^two\n\n[x](a.md)^three\n\nx^2\n")
    ws = opened()
    assert [each.message[:3] for each in ws.check.run(only=["block-missing"]).problems] == ["^2:"]
    assert ws.pages.get("b#^one").text == "第一。^one"


def test_names_that_differ_in_a_sign_were_called_twins(put, opened):
    for name in ("🎬怦然心动", "怦然心动", "C", "C++", "C#", "a-b", "A b"):
        put(f"wiki/{name}.md", "x [[C]]\n")
    found = opened().check.run(only=["duplicate-name"]).problems
    assert [each.path for each in found] == ["wiki/A b.md"]


def test_what_entries_are_about_counts_nowhere_and_is_listed_with_the_links(write_blocks, opened):
    write_blocks(
        """
        --- wiki/tea.md ---
        A drink.
        --- memory.md ---
        - Anna likes it. [subject:: Anna] [object:: tea] [topic:: [[tea]]] ^m-aaaaaa
        - She did. [entities:: Anna, Bert] [because:: m-aaaaaa] ^m-bbbbbb
        --- learnings.md ---
        - Ask her. [subject:: Anna] [object:: tea]
        --- wiki/b.md ---
        See [[learnings]].
        --- memwiki.toml ---
        [catalog]
        enabled = true
        """
    )
    ws = opened()
    alone = ["wiki/b.md", "wiki/tea.md"]
    assert sorted(row.path for row in ws.pages.list(orphans=True).pages) == alone
    assert sorted(hit.path for hit in ws.search("is:orphan").hits) == alone
    assert [row.links for row in ws.pages.list().pages if row.path == "wiki/tea.md"] == [0]
    assert [each.path for each in ws.check.run(only=["orphan"]).problems] == alone
    into = ws.graph.links("tea", "in").links
    assert [(row.relation, row.line) for row in into] == [
        *(("object", 1), ("topic", 1), ("object", 1))
    ]
    ws.catalog.update()
    counted = "select path from edge join page on id=target"  # by the catalog
    assert ws.live.stores().cards.db.execute(counted).fetchall() == [("learnings.md",)]
