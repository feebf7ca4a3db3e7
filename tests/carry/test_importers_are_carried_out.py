"""What an importer makes of a source is written as one change: files, united pages, entries."""

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest

from memwiki import importing
from memwiki.carry.source import importer_of, opened_source
from memwiki.errors import AlreadyExistsError, ConflictError, UnsafePathError, UsageError
from memwiki.importing import Incoming, IncomingFile


@pytest.fixture
def importer(monkeypatch, tmp_path):
    """Register an importer for files that end in .tool; import one."""

    def register(make):
        module = ModuleType("memwiki.adapters.importers.tool")
        module.__spec__ = ModuleSpec(module.__name__, None)
        module.KIND = "tool"
        module.is_kind = lambda source: source.name.endswith(".tool")
        module.incoming = make
        monkeypatch.setitem(sys.modules, module.__name__, module)
        found = {"importers/tool": module.__name__, **importing.ADAPTERS}
        monkeypatch.setattr(importing, "ADAPTERS", found)
        (tmp_path / "x.tool").write_text("anything")
        return tmp_path / "x.tool"

    return register


def of_entries(*entries):
    return lambda source, target: Incoming("tool", entries=entries)


def test_entries_are_added_with_their_origin_and_once(ws, importer):
    source = importer(
        of_entries({"text": "Likes tea.", "origin": "web"}, {"text": "Blue.", "key": "colour"})
    )
    shown = ws.carry.import_(source, dry_run=True)
    assert (shown.entries_added, "Likes tea." in shown.diff) == (2, True)
    assert ws.entries.list().total == 0
    report = ws.carry.import_(source)
    assert (report.kind, report.entries_added, report.written) == ("tool", 2, ("memory.md",))
    assert {each.fields.get("origin", "") for each in ws.entries.list()} == {"web", ""}
    again = ws.carry.import_(source)
    assert (again.entries_added, again.entries_repeated, again.written) == (0, 2, ())


def test_what_a_key_says_is_replaced_only_when_that_is_asked_for(ws, importer):
    ws.entries.add("Green.", key="colour")
    entries = ({"text": "Likes tea."}, {"text": "Blue.", "key": "colour"})
    file = IncomingFile("a.md", b"# A\n", "x.tool:1")
    source = importer(lambda *_: Incoming("tool", (file,), entries))
    with pytest.raises(AlreadyExistsError, match="colour") as raised:
        ws.carry.import_(source)
    assert not (ws.root / "a.md").exists()
    assert raised.value.candidates == ("colour",)
    assert [each.text for each in ws.entries.list()] == ["Green."]
    ws.carry.import_(source, replace=True)
    assert ws.entries.get("colour").text == "Blue."


def test_entries_that_are_none_stop_everything(ws, root, importer):
    file = IncomingFile("a.md", b"# A\n", "x.tool:1")
    source = importer(lambda *_: Incoming("tool", (file,), ({"text": "Tea.", "colour": "blue"},)))
    with pytest.raises(UsageError, match="colour"):
        ws.carry.import_(source)
    assert not (root / "a.md").exists()


def united(source, target):
    held = target.read("memory.md") or b""
    data = held if b"Likes tea." in held else held + b"- Likes tea.\n"
    return Incoming("tool", (IncomingFile("memory.md", data, "x.tool:1", is_united=True),))


def test_a_page_that_is_united_needs_no_replace(ws, root, put, importer):
    put("memory.md", "- Blue.\n")
    source = importer(united)
    assert ws.carry.import_(source).written == ("memory.md",)
    assert (root / "memory.md").read_text() == "- Blue.\n- Likes tea.\n"
    assert ws.carry.import_(source).written == ()
    ws.undo()
    assert (root / "memory.md").read_text() == "- Blue.\n"


def test_what_a_page_says_since_it_was_read_is_not_lost(ws, root, put, importer):
    put("memory.md", "# Memory\n\none\n\n- Blue.\n")

    def late(text):
        def make(source, target):
            incoming = united(source, target)
            put("memory.md", text or "")
            if text is None:
                (root / "memory.md").unlink()
            return incoming

        return make

    ws.carry.import_(importer(late("# Memory\n\ntwo\n\n- Blue.\n")))
    assert (root / "memory.md").read_text() == "# Memory\n\ntwo\n\n- Blue.\n- Likes tea.\n"
    put("memory.md", "- Blue.\n")
    with pytest.raises(ConflictError):
        ws.carry.import_(importer(late(None)))
    assert not (root / "memory.md").exists()


@pytest.mark.parametrize("path", ["../a.md", "/a.md", ".git/config", ".ssh/id.md", "", "a\0.md"])
def test_a_path_that_an_importer_made_up_is_looked_at_too(ws, root, importer, path):
    source = importer(lambda *_: Incoming("tool", (IncomingFile(path, b"x", "x.tool:7"),)))
    with pytest.raises(UnsafePathError, match=r"x\.tool:7"):
        ws.carry.import_(source)


def test_a_kind_that_is_named_is_not_asked(ws, importer):
    source = importer(of_entries())
    with opened_source(source) as opened:
        assert importer_of(opened).KIND == "tool"
        assert importer_of(opened, "markdown").KIND == "markdown"
