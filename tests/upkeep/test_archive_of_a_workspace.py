"""Retaining, restoring and purging in a workspace: found again, undone byte by byte."""

from datetime import UTC, datetime

import pytest

from memwiki.errors import (
    AlreadyExistsError,
    ConfigError,
    NotFoundError,
    UnsafePathError,
    UsageError,
)
from memwiki.workspace import Workspace

NOW = int(datetime(2026, 11, 22, 12, tzinfo=UTC).timestamp() * 1e9)
PAGES = """
--- memwiki.toml ---
[layers]
memory = "memory.md"
daily = "daily"
sessions = "sessions"
wiki = "wiki"
archive = "archive"
[retention.daily]
policy = "ttl"
ttl_days = 30
[retention.conversation]
policy = "ttl"
ttl_days = 30
[retention.core]
policy = "capacity"
max_items = 0
--- memory.md ---
# Memory

## Facts
- Still true. ^m-aaaaaa
- ~~No longer.~~ [superseded_by:: m-aaaaaa] ^m-bbbbbb
--- daily/2026-01-05.md ---
# 2026-01-05

## Preferences
- Likes rain. [key:: weather]

- Sun. ^m-cccccc
--- sessions/chat.md ---
---
type: session
started: 2026-01-01
---
### 2026-01-02T10:00:00Z user ^s-0001
Hello.
--- wiki/weather.md ---
# Weather

See [[daily/2026-01-05#^m-cccccc|the sun]].
"""


@pytest.fixture
def ws(root, write_blocks):
    write_blocks(PAGES)
    with Workspace.open(root, find=False, clock=lambda: NOW) as workspace:
        yield workspace


def files(ws):
    found = {path.relative_to(ws.root).as_posix(): path for path in ws.root.rglob("*.md")}
    return {name: path.read_bytes() for name, path in found.items()}


def test_what_a_policy_lets_go_is_in_the_archive_and_undo_takes_it_back(ws):
    before = files(ws)
    report = ws.upkeep.retain()
    assert [(each.collection, each.held, each.left) for each in report.collections] == [
        ("core", 2, 1),
        ("daily", 2, 1),
        ("conversation", 1, 1),
    ]
    after = files(ws)
    assert after["archive/sessions/chat.md"] == before["sessions/chat.md"]
    assert "sessions/chat.md" not in after
    assert b"Still true" in after["memory.md"]
    assert b"No longer" not in after["memory.md"]
    assert [hit.path for hit in ws.search("rain").hits] == []
    assert ws.search("rain path:archive/*").hits
    ws.undo()
    assert files(ws) == before


def test_a_dry_run_shows_the_steps_and_changes_nothing(ws):
    before = files(ws)
    report = ws.upkeep.retain(dry_run=True)
    assert len(report.steps) == 3
    assert "archive/memory/2026-11.md" in report.edited.diff
    assert files(ws) == before


def test_repeated_runs_end_and_all_comes_back_where_it_was(ws):
    before = files(ws)
    while ws.upkeep.retain().steps:
        pass
    assert files(ws)["wiki/weather.md"] == (
        b"# Weather\n\nSee [[archive/memory/2026-11#^m-cccccc|the sun]].\n"
    )
    listed = ws.upkeep.archived()
    assert listed.total == 4
    assert {each.was for each in listed} == {
        "memory.md > Memory > Facts",
        "daily/2026-01-05.md > 2026-01-05 > Preferences",
        "sessions/chat.md",
    }
    for each in listed:
        ws.upkeep.restore(each.id or each.path)
    now = files(ws)
    lines = {name: sorted(filter(None, data.split(b"\n"))) for name, data in now.items()}
    drawn = next(each.id for each in listed if each.text == "Likes rain.").encode()
    was = b"- Likes rain. [key:: weather]"
    for name, data in before.items():
        expected = [was + b" ^" + drawn if line == was else line for line in data.split(b"\n")]
        assert lines[name] == sorted(filter(None, expected))


def test_what_retired_is_neither_known_nor_written_to(ws):
    ws.upkeep.retain()
    (rain,) = ws.upkeep.archived("likes rain")
    report = ws.entries.add("Likes snow.", key="weather")
    assert [each.path for each in report.added] == ["memory.md"]
    assert ws.entries.get("weather").text == "Likes snow."
    assert ws.entries.get(rain.id).path == "archive/memory/2026-11.md"
    assert ws.entries.add("Likes rain.").added


def test_a_page_and_a_heading_that_are_gone_are_made_again(ws):
    ws.upkeep.retain()
    (ws.root / "daily/2026-01-05.md").unlink()
    (rain,) = ws.upkeep.archived("rain")
    ws.upkeep.restore(rain.id)
    text = (ws.root / "daily/2026-01-05.md").read_text("utf-8")
    assert text.endswith(
        f"# 2026-01-05\n\n## Preferences\n\n- Likes rain. [key:: weather] ^{rain.id}\n"
    )


def test_a_conversation_is_not_restored_over_another_one(ws):
    ws.upkeep.retain()
    (ws.root / "sessions").mkdir(exist_ok=True)
    (ws.root / "sessions/chat.md").write_text("another\n")
    with pytest.raises(AlreadyExistsError):
        ws.upkeep.restore("chat")


def test_only_what_is_in_the_archive_and_says_where_it_was_is_restored(ws):
    with pytest.raises(NotFoundError, match="not in the archive"):
        ws.upkeep.restore("m-aaaaaa")
    page = ws.root / "archive/memory/2026-01.md"
    page.parent.mkdir(parents=True)
    page.write_text(
        "---\ntype: memory\n---\n- by hand ^m-dddddd\n"
        "- hostile [from:: ../outside.md > A] ^m-eeeeee\n"
        "- hidden [from:: .memwiki/x.md] ^m-ffffff\n"
        "- kept [from:: archive/x.md] ^m-gggggg\n"
        "- no page [from:: memwiki.toml] ^m-hhhhhh\n"
    )
    with pytest.raises(NotFoundError, match="does not say where it was"):
        ws.upkeep.restore("m-dddddd")
    for id_ in ("m-eeeeee", "m-ffffff", "m-gggggg", "m-hhhhhh"):
        with pytest.raises(UnsafePathError):
            ws.upkeep.restore(id_)


def test_purge_deletes_old_months_and_old_conversations_and_is_undone(ws):
    ws.upkeep.retain()
    old = ws.root / "archive/memory/2025-01-2.md"
    old.write_text("---\ntype: memory\n---\n- a\n- b\n")
    other = ws.root / "archive/2020-page.md"
    other.write_text("# Deleted once\n")
    before = files(ws)
    report = ws.upkeep.purge("30d")
    assert [each.path for each in report.steps] == [
        "archive/memory/2025-01-2.md",
        "archive/sessions/chat.md",
    ]
    assert [tuple(each) for each in report.collections] == [("memory", 2, 2), ("sessions", 1, 1)]
    assert other.exists()
    assert (ws.root / "archive/memory/2026-11.md").exists()
    ws.undo()
    assert files(ws) == before
    with pytest.raises(UsageError, match="neither a day nor an age"):
        ws.upkeep.purge("some time")


def test_without_a_policy_or_an_archive_the_verb_says_what_to_set(root):
    with Workspace.open(root, find=False) as ws, pytest.raises(UsageError, match="no policy"):
        ws.upkeep.retain()
    (root / "memwiki.toml").write_text('[retention.daily]\npolicy = "ttl"\nttl_days = 1\n')
    with Workspace.open(root, find=False) as ws, pytest.raises(ConfigError) as caught:
        ws.upkeep.retain()
    assert caught.value.hint == "memwiki config set layers.archive archive"
