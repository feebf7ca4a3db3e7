"""The acceptance run: it sees what it is there to see."""

from __future__ import annotations

import os
from pathlib import Path

import acceptance

from memwiki.markdown.parse import parse
from memwiki.nouns import Layers


def test_a_changed_byte_time_or_mode_is_seen(root: Path) -> None:
    """
    --- a.md ---
    a
    --- sub/b.md ---
    b
    --- c.md ---
    c
    """
    before = acceptance.snapshot(root)
    assert before == acceptance.snapshot(root)
    stat = (root / "a.md").stat()
    (root / "a.md").write_text("A\n")
    os.utime(root / "a.md", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    (root / "sub/b.md").chmod(0o600)
    os.utime(root / "c.md", ns=(0, 0))
    assert acceptance._differing(before, acceptance.snapshot(root)) == ["a.md", "c.md", "sub/b.md"]


def test_front_matter_may_number_its_tags_but_text_may_not() -> None:
    page = parse("a.md", b"---\ntags: [2024]\n---\n#tea and #12\n", Layers())
    assert [tag for tag in acceptance._inline_tags(page) if acceptance._NUMBER.fullmatch(tag)] == []


def test_a_sound_folder_passes_and_one_that_misses_a_figure_fails_the_run(
    root: Path, tmp_path: Path, script
) -> None:
    """
    --- tea.md ---
    ---
    aliases: [Chai]
    ---
    # Green tea
    A #drink. See [[ink]].
    --- ink.md ---
    # Ink
    ## Where it comes from
    From [tea](/tea.md).
    """
    vault = tmp_path / "obsidian-hub"  # one of those of which something is demanded
    vault.mkdir()
    (vault / "a.md").write_text("# A\n[[nowhere]]\n")
    code, found, said = script("acceptance", root, vault, "--crowd", 0)
    figures = {row["what"]: row["figure"] for row in found if row["vault"] == root.name}
    assert figures["no page dropped"] == "2 pages, 0 wrong"
    assert figures["wikilinks unresolved"] == "0 of 1 = 0.00%"
    assert figures["root-absolute links resolved"] == "1 of 1 = 100.00%"
    assert figures["rare alias finds its pages"] == "1 of 1 = 100.0%"
    assert figures["rare heading finds its pages"] == "3 of 3 = 100.0%"
    assert (code, said) == (1, "obsidian-hub: wikilinks unresolved: 1 of 1 = 100.00%\n")
    assert [row["examples"] for row in found if row["is_good"] is False] == [["a.md:2 [[nowhere]]"]]


def test_made_folders_are_checked_too(tmp_path: Path) -> None:
    acceptance.make_crowded(tmp_path / "crowded", 20)
    assert len(list((tmp_path / "crowded").iterdir())) == 20
    acceptance.make_large(tmp_path / "large", size_mb=1)
    assert (tmp_path / "large" / "large.md").stat().st_size > 1_000_000
