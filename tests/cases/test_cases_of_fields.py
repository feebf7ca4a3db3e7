"""How editing front matter and tags fails in the field, and what happens here."""

from __future__ import annotations

import pytest

VERBS = [
    ("set", "x/a.md", "status=stable"),
    ("set", "x/a.md", "--unset", "title"),
    ("tag", "add", "x/a.md", "new"),
    ("tag", "remove", "x/a.md", "tea"),
    ("tag", "rename", "tea", "chai"),
    ("tag", "merge", "tea", "milk"),
    ("link", "x/a.md", "b"),
    ("link", "x/a.md", "b", "--relation", "needs"),
    ("unlink", "x/a.md", "Leaf"),
]
ODD = (
    b"\xef\xbb\xbf---\r\n# about\r\ntitle:   'It''s'  # why\r\ntags: [tea, 'milk',x]\n"
    b'related:\r\n  - "[[leaf]]" # c\r\n  - b2\r\nd: >-\n  folded\n\n  text\n...\r\n'
    b"# A\r\n\r\n---\r\ntext #tea  \r\n`#tea`"
)


@pytest.fixture
def vault(put):
    """A page with every oddity, its neighbours, and files that nobody may touch."""
    put("x/a.md", ODD)
    put("b.md", "# B\n")
    put("b2.md", "# B2\r\n#milk\r\n")
    put("leaf.md", "---\n{broken: yaml\n---\n")
    put("invalid.md", b"---\ntags: [tea]\n---\ncaf\xe9\n")
    put("broken.md", "---\na: b: c\ntags: [tea]\n---\n")
    put("note.txt", "#tea\n")


# --- 3 -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_case_03_editing_leaves_the_other_bytes_alone(vault, root, memwiki, snapshot, verb):
    """A dry run touches nothing, and what is done already is not written again."""
    before = snapshot()
    assert memwiki(*verb, "--dry-run")["diff"].startswith("--- a/x/a.md\n+++ b/x/a.md\n")
    assert snapshot() == before
    memwiki(*verb)
    assert memwiki.code == 0, memwiki.err
    after = snapshot()
    memwiki(*verb)
    assert snapshot() == after
    assert {path for path in before if before[path] != after[path]} == {str(root / "x/a.md")}
    old, new = ODD.split(b"\n"), (root / "x/a.md").read_bytes().split(b"\n")
    kept = [line for line in old if line in new]
    assert len(kept) >= len(old) - 2
    assert [line for line in new if line in kept] == kept
    memwiki("undo")
    assert (root / "x/a.md").read_bytes() == ODD


# --- 7 -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_case_07_a_cache_never_overwrites_a_hand_edit(vault, root, memwiki, verb):
    memwiki("sync")
    page = root / "x/a.md"
    page.write_bytes(
        page.read_bytes().replace(b"# about\r\n", b"# about\r\nmine: by hand\r\n") + b" more"
    )
    memwiki("--no-sync", *verb)
    assert memwiki.code == 0, memwiki.err
    assert b"\r\nmine: by hand\r\n" in page.read_bytes()
    assert page.read_bytes().endswith(b" more")
    memwiki("sync")
    assert memwiki("get", "x/a.md")["fields"]["mine"] == "by hand"


# --- 10 ------------------------------------------------------------------------------------------


def test_case_10_fields_between_conflict_markers_are_refused(put, root, memwiki):
    text = "---\n<<<<<<< ours\nx: 1\n=======\nx: 2\n>>>>>>> theirs\ntags: [a]\n---\n"
    put("a.md", text)
    for verb in (("set", "a", "x=3"), ("tag", "add", "a", "new"), ("tag", "remove", "a", "a")):
        answer = memwiki(*verb)
        assert (answer["error"]["code"], answer["error"]["line"]) == ("not_editable", 2)
    assert (root / "a.md").read_text() == text


# --- 16 ------------------------------------------------------------------------------------------


def test_case_16_editing_verbs_never_guess(put, memwiki, snapshot):
    for path in ("x/a.md", "y/a.md"):
        put(path, "---\nx: 1\ntags: [tea]\n---\n")
    put("b.md", "---\nrelated: [x/a]\n---\n")
    before = snapshot()
    for verb in (
        "set a x=1",
        "set a --unset x",
        "tag add a new",
        "tag remove a tea",
        "link a b",
        "link b a",
        "unlink b a",
    ):
        answer = memwiki(*verb.split(" "))
        assert (memwiki.code, answer["error"]["code"]) == (1, "ambiguous"), verb
        assert sorted(answer["error"]["candidates"]) == ["x/a.md", "y/a.md"], verb
    assert snapshot() == before
