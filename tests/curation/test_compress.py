"""Old memories that hardly anybody recalls: ten become three, three become one, and the originals
go to the archive, in one change that is taken back as a whole."""

from __future__ import annotations

import json

import pytest

from tests.proposals.conftest import SETTINGS

WALKS = "\n".join(
    f"- Walked {number} km along the river Eider with Ann. [created:: 2026-06-{number:02}]"
    + (f" ^m-walk{number:02}" if number % 2 else "")
    for number in range(1, 14)
)
PAGES = f"""{SETTINGS.replace('log = "log.md"', 'log = "log.md"' + chr(10) + 'inbox = "inbox"')}
--- memory.md ---
---
type: memory
---
# Memory

## Facts
- Core stays. [created:: 2020-01-01] ^m-core11
--- inbox/2026-06-01.md ---
# Inbox

{WALKS}
- Read about tea. [created:: 2026-10-01] ^m-young1
--- wiki/eider.md ---
# Eider

As [[inbox/2026-06-01#^m-walk01]] says.
"""
_NOW_NS = 1_795_000_000 * 10**9  # November 2026


def sentences(*rows):
    return json.dumps({"sentences": [{"lines": lines, "text": text} for lines, text in rows]})


TEN = sentences(
    ([1, 2, 3, 4], "Walked 1, 2, 3 and 4 km along the river Eider with Ann."),
    ([5, 6, 7], "Walked 5, 6 and 7 km along the river Eider with Ann."),
    ([8, 9, 10], "Walked 8, 9 and 10 km along the river Eider with Ann."),
)
THREE = sentences(([11, 12, 13], "Walked 11, 12 and 13 km along the river Eider with Ann."))


@pytest.fixture
def space(opened, write_blocks):
    write_blocks(PAGES)
    return opened(clock=lambda: _NOW_NS)


def files(root):
    hidden = (".memwiki", ".git")
    return {
        each.relative_to(root): each.read_bytes()
        for each in root.rglob("*.md")
        if each.name != "log.md" and not any(part in hidden for part in each.parts)
    }


def test_ten_become_three_and_three_become_one(space, root, answering):
    chat, before = answering(TEN, THREE), files(root)
    report = space.curation.curate("compress")
    assert [each.job for each in chat.asked] == ["compress/1"] * 2
    shown = [each.messages[1].text for each in chat.asked]
    assert "10 Walked 10 km" in shown[0] and "11 Walked 11 km" in shown[1]
    assert "Read about tea" not in str(shown) and "Core stays" not in str(shown)
    assert (report.merged, report.deleted) == (3 + 2 + 2 + 2, 0)
    assert files(root) == before
    for row in report.proposals:
        view = space.proposals.get(row.id)
        assert {each.do for each in view.operations} == {"join_entries"}
        assert all("supersedes" in each.flags for each in view.operations)
        space.proposals.decide(row.id, accept="all")
        assert files(root) == before, "never without being named"
    for row in report.proposals:
        numbers = [each.n for each in space.proposals.get(row.id).operations]
        assert space.proposals.decide(row.id, accept=numbers).accepted == tuple(numbers)
    inbox = (root / "inbox/2026-06-01.md").read_text()
    assert inbox.count("Walked") == 4 and "~~" not in inbox and "Read about tea." in inbox
    (archive,) = (root / "archive/memory").iterdir()
    assert archive.read_text().count("km along") == 13
    assert f"{archive.stem}#^m-walk01" in (root / "wiki/eider.md").read_text()
    assert space.upkeep.archived().total == 13
    for _ in report.proposals:
        space.undo()
    assert files(root) == before


def test_an_original_comes_back_from_the_archive(space, root, answering):
    answering(TEN, THREE)
    (row, _) = space.curation.curate("compress").proposals
    space.proposals.decide(row.id, accept=[1])
    space.upkeep.restore("m-walk01")
    assert "Walked 1 km" in (root / "inbox/2026-06-01.md").read_text()


def test_a_sentence_that_its_lines_do_not_say_is_set_aside(space, answering):
    lie = sentences(([1, 2, 3], "Walked 99 km along the river Elbe with Ben."))
    answering(lie, sentences())
    report = space.curation.curate("compress")
    assert report.proposals[0].aside == 1 and report.merged == 0


def test_more_sentences_than_asked_for_are_left_out(space, answering):
    rows = [([11, 12], "Walked 11 and 12 km."), ([12, 13], "Walked 12 and 13 km.")]
    answering(sentences(), sentences(*rows))
    _, row = space.curation.curate("compress").proposals
    assert len(space.proposals.get(row.id).operations) == 1


def test_what_changed_meanwhile_stays(space, root, answering):
    answering(TEN, THREE)
    row, _ = space.curation.curate("compress").proposals
    space.entries.update("m-walk01", "Walked 1 km, and swam.")
    before = files(root)
    assert space.proposals.decide(row.id, accept=[1]).stale
    assert files(root) == before


def test_without_an_archive_nothing_is_asked(space, root, answering):
    file = root / "memwiki.toml"
    file.write_text(file.read_text().replace('archive = "archive"\n', 'archive = ""\n'))
    space.reload()
    chat = answering(TEN)
    assert not space.curation.curate("compress").proposals and not chat.asked


def test_what_is_recalled_often_stays(space, root, answering):
    for _ in range(5):
        space.entries.get("m-walk01")
        space.recall("Walked 1 km along the river Eider")
    chat = answering(TEN, THREE)
    space.curation.curate("compress")
    assert "Walked 1 km" not in str(chat.asked)
