"""A namespace as a whole: listed, put into the archive, deleted, brought back."""

from __future__ import annotations

from pathlib import Path

import pytest

from memwiki.errors import ConfigError, NotEditableError, NotFoundError, UsageError
from memwiki.workspace import Workspace

SETTINGS = '[layers]\narchive = "archive"\nnamespaces = "namespaces"\nlog = "log.md"\n'


@pytest.fixture
def ws(root: Path, put, opened) -> Workspace:
    put("memwiki.toml", SETTINGS)
    put("memory.md", "- Stays. ^m-aaaaaa\n")
    put("namespaces/work/memory.md", "- The rent is due. ^m-bbbbbb\n- No id.\n")
    put("namespaces/work/wiki/tea.md", "---\nupdated: 2026-09-01\n---\n# Tea\r\n[[memory]]\n")
    put("namespaces/work/img/x.png", b"\0\xff")
    put("namespaces/home/tea.md", "# Tea\n")
    (root / "namespaces" / "empty").mkdir()
    return opened()


def files(root: Path) -> dict[str, bytes]:
    held = (path for path in root.rglob("*") if path.is_file())
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in held
        if not {".memwiki", "log.md"} & set(path.relative_to(root).parts)
    }


def test_namespaces_are_listed_with_what_is_in_them(ws, opened):
    rows = list(ws.namespaces.list())
    assert [(row.name, row.pages, row.entries) for row in rows] == [
        ("empty", 0, 0),
        ("home", 1, 0),
        ("work", 2, 2),
    ]
    assert rows[2].bytes == sum(
        len(data) for path, data in files(ws.root).items() if "work" in path
    )
    assert rows[0].changed == ""
    assert rows[2].changed >= "2026-09-01"
    assert opened(namespace="home").namespaces.list() == ws.namespaces.list()


def test_a_purge_moves_everything_to_the_archive_and_undo_brings_it_back(ws, opened):
    before = files(ws.root)
    shown = ws.namespaces.purge("WORK", dry_run=True)
    assert (shown.edited.dry_run, files(ws.root)) == (True, before)
    done = ws.namespaces.purge("WORK")
    assert done[:6] == ("work", "archive/namespaces/work", 3, 2, 2, shown.bytes)
    after = files(ws.root)
    assert after == {
        path.replace("namespaces/work", done.archived_as): data for path, data in before.items()
    }
    assert not (ws.root / "namespaces" / "work").exists()
    assert "purge | archived namespace work" in (ws.root / "log.md").read_text()
    with pytest.raises(NotFoundError):
        opened(namespace="work").search("rent")
    ws.undo()
    assert files(ws.root) == before
    assert opened(namespace="work").search("rent").total == 1


def test_what_is_archived_already_stays_beside_what_comes(ws, put):
    ws.namespaces.purge("work")
    put("namespaces/work/memory.md", "- Again.\n")
    assert ws.namespaces.purge("work").archived_as == "archive/namespaces/work-2"


def test_a_hard_purge_keeps_nothing_and_clears_usage(ws, opened):
    entry = ws.entries.get("namespaces/work/memory.md:1")
    loose = ws.entries.get("namespaces/work/memory.md:2")
    kept = ws.entries.get("m-aaaaaa")
    page = "namespaces/work/wiki/tea.md"
    ws.entries.record("rent?", [(entry, 1.0), (loose, 1.0), (page, 1.0)])
    ws.entries.record("stays?", [(kept, 1.0)])
    done = ws.namespaces.purge("work", hard=True)
    assert (done.archived_as, done.files, done.pages, done.entries) == ("", 3, 2, 2)
    assert "nothing was kept to undo it; git may still have it" in done.edited.notes
    assert not any("work" in path for path in files(ws.root))
    everything = opened(namespace="*").entries
    assert [row.name for row in everything.usage()] == ["m-aaaaaa"]
    assert list(everything.usage(query="rent?")) == []
    with pytest.raises(NotFoundError):
        ws.undo()
    state = b"".join(p.read_bytes() for p in (ws.root / ".memwiki").rglob("*") if p.is_file())
    assert b"The rent is due" not in state


def test_a_large_namespace_goes_from_the_index_at_once(ws, put):
    for number in range(120):
        put(f"namespaces/large/p{number}.md", "# P\n")
    ws.sync()
    done = ws.namespaces.purge("large", hard=True)
    assert (done.pages, done.edited.fresh) == (120, True)
    assert not any("large" in path for path in ws.live.stores().cards.digests())


def test_a_purge_without_an_archive_names_the_setting(ws, put, opened):
    put("memwiki.toml", '[layers]\nnamespaces = "namespaces"\n')
    with pytest.raises(ConfigError) as error:
        opened().namespaces.purge("work")
    assert error.value.hint.startswith("memwiki config set layers.archive archive")
    assert opened().namespaces.purge("work", hard=True).files == 3


def test_what_is_left_out_stays_and_is_counted(ws, put):
    put("namespaces/work/node_modules/x.md", "x")
    done = ws.namespaces.purge("work")
    assert done.edited.notes[0] == "1 file that memwiki leaves out stayed in namespaces/work/"
    assert (ws.root / "namespaces" / "work" / "node_modules").exists()


def test_a_symlink_is_not_purged(ws, put, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (ws.root / "namespaces" / "far").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(NotEditableError):
        ws.namespaces.purge("far")
    put("far.txt", "far")
    (ws.root / "namespaces" / "work" / "far.md").symlink_to(ws.root / "far.txt")
    with pytest.raises(NotEditableError):
        ws.namespaces.purge("work", hard=True)


@pytest.mark.parametrize(
    ("name", "error"),
    [("works", NotFoundError), ("*", UsageError), ("", UsageError), ("../work", UsageError)],
)
def test_only_one_that_is_there_is_purged(ws, name, error):
    with pytest.raises(error):
        ws.namespaces.purge(name, hard=True)
    assert len(files(ws.root)) == 6
