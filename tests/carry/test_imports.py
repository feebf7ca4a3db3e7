"""What an import does to the files that are there."""

import pytest

from memwiki.errors import AlreadyExistsError, NotFoundError, UsageError


@pytest.fixture
def elsewhere(tmp_path):
    """A folder with these files, outside of the workspace."""

    def make(**files):
        folder = tmp_path / "elsewhere"
        for name, text in files.items():
            path = folder / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return folder

    return make


def test_files_with_other_bytes_are_listed_and_nothing_is_done(ws, root, put, elsewhere):
    put("a.md", "# Ours\n")
    put("same.md", "# Same\n")
    folder = elsewhere(a_md="# Theirs\n", b_md="# New\n", same_md="# Same\n")
    with pytest.raises(AlreadyExistsError) as raised:
        ws.carry.import_(folder)
    assert raised.value.candidates == ("a.md",)
    assert not (root / "b.md").exists()
    report = ws.carry.import_(folder, replace=True)
    assert (report.written, report.replaced, report.unchanged) == (("a.md", "b.md"), ("a.md",), 1)
    ws.undo()
    assert (root / "a.md").read_text() == "# Ours\n"
    assert not (root / "b.md").exists()


def test_a_dry_run_shows_the_change_and_makes_none(ws, root, put, elsewhere):
    put("a.md", "# Ours\n")
    report = ws.carry.import_(elsewhere(a_md="# Theirs\n"), replace=True, dry_run=True)
    assert "-# Ours\n+# Theirs\n" in report.diff
    assert (root / "a.md").read_text() == "# Ours\n"


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("Tea.md", "tea.md"), ("Wiki/a.md", "wiki/b.md"), ("wiki", "wiki/a.md"), ("a/b.md", "a")],
)
def test_a_name_that_is_there_in_another_form_is_never_replaced(
    ws, root, put, tmp_path, ours, theirs
):
    put(ours, "# Ours\n")
    (tmp_path / "vault" / theirs).parent.mkdir(parents=True)
    (tmp_path / "vault" / theirs).write_text("# Theirs\n")
    (tmp_path / "vault/page.md").write_text("# Page\n")
    with pytest.raises(AlreadyExistsError, match="nothing was imported"):
        ws.carry.import_(tmp_path / "vault", replace=True)
    assert [path.name for path in root.rglob("*.md")] == [
        each for each in [ours.rpartition("/")[2]] if each.endswith(".md")
    ]


def test_names_that_collide_here_already_are_nobodys_fault(ws, put, elsewhere):
    put("Tea.md", "# Tea\n")
    put("tea.md", "# Tea\n")
    assert ws.carry.import_(elsewhere(Tea_md="# Tea\n")).unchanged == 1


def test_the_workspace_and_what_is_around_it_are_not_imported(ws, root, put):
    put("wiki/a.md", "# A\n")
    for folder in (root, root / "wiki", root.parent):
        with pytest.raises(UsageError, match="holds the workspace"):
            ws.carry.import_(folder)


def test_what_is_no_source_is_said(ws, tmp_path):
    (tmp_path / "a.bin").write_bytes(b"\xff\x00")
    with pytest.raises(UsageError, match="not recognised"):
        ws.carry.import_(tmp_path / "a.bin")
    with pytest.raises(UsageError, match="no such kind"):
        ws.carry.import_(tmp_path / "a.bin", kind="papyrus")
    with pytest.raises(NotFoundError):
        ws.carry.import_(tmp_path / "nothing")


def test_an_interrupted_import_is_undone_or_finished(ws, root, elsewhere):
    folder = elsewhere(a_md="# A\n", b_md="# B\n", c_png="png")

    def interrupt(done, total):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ws.carry.import_(folder, progress=interrupt)
    assert sorted(path.name for path in root.iterdir()) == [".memwiki", "a.md", "b.md"]
    ws.undo()
    assert [path.name for path in root.iterdir()] == [".memwiki"]
    with pytest.raises(KeyboardInterrupt):
        ws.carry.import_(folder, progress=interrupt)
    assert ws.carry.import_(folder).written == ("c.png",)


def test_an_export_that_is_interrupted_leaves_nothing(ws, put, tmp_path):
    put("a.md", "# A\n")

    def interrupt(done, total):
        raise KeyboardInterrupt

    (tmp_path / "out").mkdir()
    with pytest.raises(KeyboardInterrupt):
        ws.carry.export(tmp_path / "out/x.zip", progress=interrupt)
    assert list((tmp_path / "out").iterdir()) == []


def test_an_export_overwrites_nothing_and_stays_out_of_the_workspace(ws, root, put, tmp_path):
    put(".memwikiignore", "out/\n")
    (root / "out").mkdir()
    (tmp_path / "x.zip").write_text("mine")
    with pytest.raises(AlreadyExistsError):
        ws.carry.export(tmp_path / "x.zip")
    assert (tmp_path / "x.zip").read_text() == "mine"
    for inside in (root / "x.zip", root / ".memwiki/x.zip"):
        with pytest.raises(UsageError, match="lies in the workspace"):
            ws.carry.export(inside)
    assert ws.carry.export(root / "out/x.zip").files == 1


def test_a_catalog_is_made_anew_and_words_around_it_are_kept(ws, opened, root, put, elsewhere):
    block = "<!-- memwiki:catalog:begin -->\n1 page.\n<!-- memwiki:catalog:end -->\n"
    put("memwiki.toml", "[catalog]\nenabled = true\n")
    put("a.md", "# A\n")
    space = opened()
    space.sync()
    folder = elsewhere(b_md="# B\n", index_md=block)
    assert (space.carry.import_(folder).catalogs, space.carry.import_(folder).written) == (1, ())
    assert "[B](b.md)" in (root / "index.md").read_text()
    folder = elsewhere(index_md=f"By hand.\n\n{block}")
    assert space.carry.import_(folder).written == ("index.md",)
    text = (root / "index.md").read_text()
    assert text.startswith("By hand.\n")
    assert "[B](b.md)" in text


def test_a_markdown_archive_leaves_out_what_systems_leave_behind(ws, tmp_path):
    from zipfile import ZipFile

    with ZipFile(tmp_path / "x.zip", "w") as archive:
        for name in ("a.md", "__MACOSX/._a.md", ".DS_Store", ".obsidian/app.json", ".env", "p.png"):
            archive.writestr(name, "# A\n")
    report = ws.carry.import_(tmp_path / "x.zip")
    assert report.written == ("a.md", "p.png")
    assert report.notes == ("4 hidden or left-over files not imported",)


def test_a_page_of_a_vault_does_not_become_the_journal(opened, root, put, elsewhere):
    put("memwiki.toml", '[layers]\nlog = "log.md"\n')
    folder = elsewhere(log_md="# Log\n\nHow wood is cut.\n", a_md="# A\n")
    with pytest.raises(AlreadyExistsError, match="is no journal") as raised:
        opened().carry.import_(folder)
    assert (raised.value.path, (root / "a.md").exists()) == ("log.md", False)
    opened().settings.set("layers.log", "journal.md")
    opened().carry.import_(folder)
    assert (root / "log.md").read_text() == "# Log\n\nHow wood is cut.\n"
    assert [hit.path for hit in opened().search("wood").hits] == ["log.md"]


@pytest.mark.parametrize(
    "text", ["# Log\n", "", "# Log\n\nOurs.\n\n## [2026-01-01] add | Tea\n", "- 2026-01-01 — x\n"]
)
def test_a_journal_of_a_folder_is_taken_in_as_one(opened, root, put, elsewhere, text):
    put("memwiki.toml", '[layers]\nlog = "log.md"\n')
    opened().carry.import_(elsewhere(log_md=text, a_md="# A\n"))
    assert (root / "log.md").read_text().startswith(text)


def test_what_this_workspace_makes_of_names_in_a_vault_is_told(opened, put, elsewhere):
    put("memwiki.toml", '[layers]\narchive = "archive"\n')
    folder = elsewhere(archive__a_md="# A\n", memory_md="# Memory\n\nOf mice.\n")
    assert opened().carry.import_(folder).notes == (
        "memory.md came with the import: it is layers.memory here (memory file)",
        "archive came with the import: it is layers.archive here (archive, found only by its path)",
    )
