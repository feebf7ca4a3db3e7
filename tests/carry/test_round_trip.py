"""What is exported and imported is the same: bytes, hits, entries, usage; and it can be undone."""

import json
import shutil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memwiki.carry import exports as own
from memwiki.carry.contents import Contents, ExportScope
from memwiki.carry.exports import write_lines, write_zip
from memwiki.carry.source import opened_source
from memwiki.errors import UnsafePathError
from memwiki.present import as_rows
from memwiki.workspace import Workspace

WORDS = st.sampled_from(
    ["tea", "Sleep", "睡眠", "cafe\u0301", "blue", "ä", "\u05d0", "\x00", "private"]
)
LINES = st.one_of(
    st.lists(WORDS, max_size=5).map(" ".join),
    st.sampled_from(
        ["# Sleep", "## Facts", "- Likes tea. ^m-abcdef", "- [fact] Blue. #design", "```", "---"]
    ),
    st.text(max_size=8),
)
ENDS = st.sampled_from(["\n", "\r\n", ""])
TEXTS = st.lists(st.tuples(LINES, ENDS).map("".join), max_size=8).map("".join)
CONTENTS = st.one_of(
    TEXTS.map(lambda text: text.encode("utf-8", "replace")),
    TEXTS.map(lambda text: b"\xef\xbb\xbf" + text.encode("utf-8", "replace")),
    TEXTS.map(lambda text: b"\xff\xfe" + text.encode("utf-16-le", "replace")),
    st.binary(max_size=40),
    st.integers(1, 40_000).map(bytes),
)
PATHS = st.sampled_from(
    """
    memory.md learnings.md AGENTS.md log.md wiki/a.md wiki/b_b.md wiki/ä.md daily/2026-01-01.md
    图.md wiki/pic.png x.canvas .gitignore deep/er/c.markdown wiki/start-here.md wiki/con.md
    memwiki-export.json
    """.split()
)
LOG = b"# Log\n\n## [2026-01-01] create | Sleep\n"
FILES = st.dictionaries(PATHS, CONTENTS, max_size=6)


def files_of(root):
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".memwiki" not in path.parts
    }


def write(root, files):
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)


@given(files=FILES, is_zip=st.booleans())
@settings(suppress_health_check=[*HealthCheck])
def test_every_byte_of_any_files_comes_back(tmp_path, opened, files, is_zip):
    root = tmp_path / "ws"
    shutil.rmtree(root)
    (root / ".memwiki").mkdir(parents=True)
    write(root, files)
    contents = Contents(opened().live.context, ExportScope({}, has_private=True), None)
    location = tmp_path / ("x.zip" if is_zip else "x.jsonl")
    with location.open("wb") as file:
        if is_zip:
            write_zip(file, contents)
        else:
            write_lines(file.write, contents)
    with opened_source(location) as source:
        assert own.is_kind(source)
        back = {file.path: file.data for file in own.incoming(source, None).files}
    kept = files_of(root)
    kept.pop("memwiki-export.json", None)
    assert back == kept


def hits(ws):
    queries = ("tea", "睡眠", "likes memory")
    return [[(hit.path, hit.line_start, hit.score) for hit in ws.search(q).hits] for q in queries]


def state(ws):
    """What a workspace says of itself, the journal aside."""
    entries = [(each.id, each.text, each.path, each.recalls) for each in ws.entries.list()]
    usage = [tuple(row) for row in ws.entries.usage()]
    files = {path: data for path, data in files_of(ws.root).items() if path != "log.md"}
    return files, hits(ws), entries, usage


@pytest.fixture
def fresh(tmp_path):
    """New workspaces from the template, each closed at the end."""
    made = []

    def make():
        shutil.rmtree(tmp_path / f"new{len(made)}", ignore_errors=True)
        made.append(Workspace.init(tmp_path / f"new{len(made)}"))
        return made[-1]

    yield make
    for ws in made:
        ws.close()


@given(
    files=FILES.map(lambda files: files | ({"log.md": LOG} if "log.md" in files else {})),
    form=st.sampled_from(["zip", "jsonl"]),
    gone=st.sampled_from(["", "wiki/concepts/tags.md", "CLAUDE.md"]),
)
@settings(suppress_health_check=[*HealthCheck], max_examples=2)
def test_a_fresh_workspace_becomes_the_one_that_was_exported(tmp_path, fresh, files, form, gone):
    with fresh() as one, fresh() as two:
        write(one.root, files)
        (one.root / "memwiki-export.json").unlink(missing_ok=True)
        if gone:
            (one.root / gone).unlink()
        one.sync()
        one.entries.record("tea", [("m-abcdef", 0.5), ("wiki/a.md", 1.0), ("Sleep", 0.25)])
        one.entries.record("blue", [("wiki/a.md", 0.3)])
        before = files_of(two.root)
        location = tmp_path / f"{one.root.name}.{form}"
        one.carry.export(location, format=form, private=True)
        report = two.carry.import_(location)
        assert state(two) == state(one)
        log = (one.root / "log.md").read_bytes() if (one.root / "log.md").exists() else b""
        assert not log or (two.root / "log.md").read_bytes().startswith(log)
        after, usage = files_of(two.root), list(two.entries.usage())
        again = two.carry.import_(location)
        assert (again.written, again.usage) == ((), 0)
        assert (files_of(two.root), list(two.entries.usage())) == (after, usage)
        if report.written:
            two.undo()
        assert without_made(files_of(two.root)) == without_made(before)


def without_made(files):
    """Files without the journal, and catalogs, which are made anew after every change."""
    return {path: data for path, data in files.items() if path not in ("log.md", "index.md")}


def test_the_same_workspace_gives_the_same_bytes(put, opened, tmp_path):
    """
    --- memory.md ---
    - Tea.
    --- wiki/sleep.md ---
    # Sleep
    """
    put("zeros.bin", bytes(300_000))
    for name, clock in (("one", lambda: 10**18), ("two", lambda: 2 * 10**18)):
        for form in ("zip", "jsonl", "md"):
            opened(clock=clock).carry.export(tmp_path / f"{name}.{form}", format=form)
    for form in ("zip", "jsonl", "md"):
        assert (tmp_path / f"one.{form}").read_bytes() == (tmp_path / f"two.{form}").read_bytes()


def test_a_file_that_packs_like_a_bomb_can_be_imported_again(ws, put, fresh, tmp_path, monkeypatch):
    monkeypatch.setattr("memwiki.carry.source._FREE_BYTES", 0)
    put("wiki/a.md", "# A\n")
    put("zeros.bin", bytes(1_000_000))
    ws.carry.export(tmp_path / "x.zip")
    report = fresh().carry.import_(tmp_path / "x.zip")
    assert "zeros.bin" in report.written


def test_an_adopted_folder_comes_back_whole(ws, root, tmp_path):
    """
    --- notes/index.md ---
    # My own index
    --- log.md ---
    # Ship's log
    --- notes/.hidden.md ---
    # Hidden
    --- .env ---
    KEY=1
    --- .obsidian/app.json ---
    {}
    --- .memwikiignore ---
    drafts/
    --- drafts/a.md ---
    # A
    """
    report = ws.carry.export(tmp_path / "x.zip")
    assert report.notes == ("1 hidden file left out",)
    (tmp_path / "other").mkdir()
    with Workspace.adopt(tmp_path / "other") as other:
        written = other.carry.import_(tmp_path / "x.zip").written
        assert set(written) == {".memwikiignore", "log.md", "notes/.hidden.md", "notes/index.md"}
        other.undo()
        assert files_of(other.root) == {}
        assert [path.name for path in other.root.iterdir()] == [".memwiki"]


def test_exported_settings_hold_at_once(ws, root, put, tmp_path, fresh):
    """
    --- memwiki.toml ---
    [layers]
    memory = "facts.md"
    [catalog]
    enabled = true
    --- facts.md ---
    - Likes tea.
    """
    ws.carry.export(tmp_path / "x.zip")
    with fresh() as other:
        report = other.carry.import_(tmp_path / "x.zip")
        assert other.config.layers.memory == "facts.md"
        assert [each.path for each in other.entries.list()] == ["facts.md"]
        assert set(report.removed) > {"memory.md", "AGENTS.md", "wiki/start-here.md"}
        assert set(report.written) >= {"facts.md"}
        assert set(report.written).isdisjoint(report.removed)
        last = [*as_rows(report)][-1].cells[0]
        assert f"{len(report.written)} files written" in last
        assert f"{len(report.removed)} removed" in last
        other.undo()
        assert other.settings.list() is not None


def test_lines_say_what_each_file_is(ws, put, tmp_path):
    """
    --- wiki/a.md ---
    # A
    """
    put("pic.png", b"\x89PNG\xff")
    written = bytearray()
    report = ws.carry.export(written.extend, format="jsonl")
    first, *files, end = map(json.loads, written.decode().splitlines())
    assert first == {"memwiki-export": 1, "filters": {}, "private": False}
    assert [(file["kind"], file["path"]) for file in files] == [
        ("file", "pic.png"),
        ("page", "wiki/a.md"),
    ]
    assert files[0]["base64"] == "iVBOR/8="
    assert files[1]["text"] == "# A\n"
    assert (end["kind"], end["files"], report.files, report.pages) == ("end", 2, 2, 1)


def test_names_that_an_import_will_refuse_are_told_by_export_and_how_to_mend_them(
    put, ws, tmp_path
):
    for name in ("note.md", "Note.md", "tea.md"):
        put(name, "# A\n")
    report = ws.carry.export(tmp_path / "x.zip")
    told = "an import will refuse this export for its file names: Note.md and 1 more"
    assert f"{told}; memwiki check names them" in report.notes
    with pytest.raises(UnsafePathError, match="are one name on some systems") as raised:
        ws.carry.import_(tmp_path / "x.zip")
    assert raised.value.hint == "rename one where it comes from, and pack it anew"
