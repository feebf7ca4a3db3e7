"""`set` on the pages of a workspace: as files, through names, with undo, dry run and refusals."""

import pytest

from memwiki.errors import AmbiguousError, NotEditableError, NotFoundError, UsageError


def test_a_field_is_set_and_read_at_once(ws, root):
    """
    --- wiki/tea.md ---
    ---
    title: Tea  # the drink
    ---
    text
    """
    answer = ws.pages.set("Tea", {"status": "stable"})
    assert answer == answer._replace(op="update", paths=("wiki/tea.md",), fresh=True)
    assert answer.title == "set status in wiki/tea.md"
    assert (root / "wiki/tea.md").read_text() == (
        "---\ntitle: Tea  # the drink\nstatus: stable\n---\ntext\n"
    )
    assert ws.pages.get("Tea").fields["status"] == "stable"


def test_keys_and_tags_of_scripts_with_signs_are_words(ws, root):
    """
    --- a.md ---
    ---
    x: 1
    ---
    """
    ws.pages.set("a", {"विषय": "घर", "สถานะ": "ใหม่"})
    ws.pages.tag_add("a", ["#भाषा", "น้ำตก"])
    assert (root / "a.md").read_text() == (
        "---\nx: 1\nविषय: घर\nสถานะ: ใหม่\ntags: [भाषा, น้ำตก]\n---\n"
    )


def test_several_fields_are_one_change(ws, root):
    """
    --- a.md ---
    ---
    x: 1
    y: 2
    ---
    """
    answer = ws.pages.set("a", {"x": "3", "z": "4"}, unset=["y"])
    assert answer.title == "set x, z and removed y in a.md"
    assert (root / "a.md").read_text() == "---\nx: 3\nz: 4\n---\n"


def test_a_dry_run_shows_the_diff_and_changes_nothing(ws, root):
    """
    --- a.md ---
    ---
    x: 1
    ---
    """
    before = (root / "a.md").read_bytes()
    answer = ws.pages.set("a", {"x": "2"}, dry_run=True)
    assert (root / "a.md").read_bytes() == before
    assert "-x: 1\n+x: 2\n" in answer.diff


def test_what_is_so_already_is_no_change(ws, root):
    """
    --- a.md ---
    ---
    x: 1
    ---
    """
    before = (root / "a.md").stat()
    answer = ws.pages.set("a", {"x": "1"})
    assert (answer.title, answer.paths) == ("a.md: nothing to change", ())
    assert (root / "a.md").stat().st_mtime_ns == before.st_mtime_ns


def test_when_one_of_several_fields_is_refused_none_is_set(ws, root):
    """
    --- a.md ---
    ---
    x: 1
    y: {z: 1}
    ---
    """
    before = (root / "a.md").read_bytes()
    with pytest.raises(NotEditableError):
        ws.pages.set("a", {"x": "2", "y": "3"})
    assert (root / "a.md").read_bytes() == before


def test_a_page_in_raw_is_never_changed(ws, root):
    """
    --- memwiki.toml ---
    [layers]
    raw = "raw"
    --- raw/a.md ---
    as it came
    """
    with pytest.raises(NotEditableError, match="never changed"):
        ws.pages.set("raw/a.md", {"x": "2"})


def test_an_unknown_name_and_an_empty_call_are_refused(ws):
    """
    --- a.md ---
    text
    """
    with pytest.raises(NotFoundError):
        ws.pages.set("b", {"x": "2"})
    with pytest.raises(UsageError):
        ws.pages.set("a", {})


def test_an_ambiguous_name_is_refused_with_its_candidates(ws):
    """
    --- x/a.md ---
    text
    --- y/a.md ---
    text
    """
    with pytest.raises(AmbiguousError) as caught:
        ws.pages.set("a", {"x": "2"})
    assert set(caught.value.candidates) == {"x/a.md", "y/a.md"}
