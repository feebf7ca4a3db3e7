"""Names that macOS wrote decomposed (NFD), typed composed (NFC), and names of old archives."""

import os
import sys
import unicodedata
from unicodedata import normalize

import pytest

from memwiki.errors import NotFoundError
from memwiki.files.ignore import why_ignored
from memwiki.files.paths import contain
from memwiki.models.outgoing import OutgoingFiles

CAFE, MENU = normalize("NFD", "Café"), normalize("NFD", "Café/Menü.md")


@pytest.fixture
def cafe(put, root):
    put("note.md", "See [[Menü]].\n")
    put(MENU, "# Menü\n\nWhat we eat.\n")
    return root


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["search", "path:Café/*"], MENU),
        (["list", "--path", "Café"], MENU),
        (["browse", "Café"], MENU),
        (["status", "Café/Menü.md"], "new: the next sync"),
        (["check", "Café"], f"{MENU}:"),
        (["move", "Café/Menü.md", "Café/Karte.md"], f"{CAFE}/Karte.md"),
        (["move", "note.md", "Café/"], f"{CAFE}/note.md"),
        (["move", "Café", "Kaffee"], "Kaffee/"),
        (["new", "Café/Tee.md"], f"{CAFE}/Tee.md"),
        (["add", "Tea is hot.", "--to", "Café/Tee.md"], f"{CAFE}/Tee.md"),
    ],
)
def test_a_folder_is_found_and_written_to_as_it_is_typed(cafe, run, words, shown):
    _, out, err = run(*words)
    assert shown in out, err
    assert len([each for each in cafe.iterdir() if each.name.startswith("Caf")]) <= 1


def test_patterns_keep_out_what_they_name(cafe, put, ws):
    context = ws.live.context
    sent = OutgoingFiles(context.public().root, context.ignore(), context.scope(), ["Café/**"])
    assert "models.withhold names" in sent.why_kept(MENU)
    assert sent.why_kept("note.md") == ""
    put(".memwikiignore", "Café/\n")
    assert why_ignored(cafe, MENU)
    assert why_ignored(cafe, "note.md") == ""


def test_of_names_that_are_there_in_both_forms_the_one_that_is_typed_is_meant(cafe, put):
    put("Café/Menü.md", "another\n")
    assert contain(cafe, "Café/Menü.md") == "Café/Menü.md"
    assert contain(cafe, MENU) == MENU


def test_only_the_form_is_passed_over_not_the_case(cafe):
    assert contain(cafe, "café/neu.md") == "café/neu.md"
    assert contain(cafe, "Café/Neu/Ä.md") == f"{CAFE}/Neu/Ä.md"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no name is so")
def test_names_that_are_not_valid_unicode_are_told_and_never_silently_left_out(put, root, run):
    put("a.md", "# A\n")
    (root / os.fsdecode(b"latin\xe4.md")).write_text("# B\n")
    told = r"left out, as names that are not valid UTF-8: latin\xe4.md; rename them"
    assert told in "".join(run("sync")[1:])
    assert told in "".join(run("export", "--output", f"{root}.zip")[1:])
    assert told in "".join(run("doctor")[1:])


def test_texts_that_macos_wrote_are_replaced_and_listed_as_they_are_typed(put, ws, root):
    put("a.md", normalize("NFD", "# A\n\nZürich liegt schön.\n"))
    put("memory.md", normalize("NFD", "## Facts\n\n- Wohnt in Köln. [key:: müller/ort]\n"))
    ws.pages.edit("a", "Zürich liegt", "Zürich ist")
    assert (root / "a.md").read_text() == normalize("NFD", "# A\n\nZürich ist schön.\n")
    assert [each.key for each in ws.entries.list(key_prefix="müller/").entries] == [
        normalize("NFD", "müller/ort")
    ]


def test_of_two_folders_that_differ_in_case_the_one_is_meant_that_is_spelled_so(put, root):
    put(normalize("NFD", "CAFÉ/a.md"), "")
    put(MENU, "")
    assert contain(root, "Café/neu.md") == f"{CAFE}/neu.md"
    assert contain(root, "CAFÉ/neu.md") == normalize("NFD", "CAFÉ/neu.md")


def test_a_sign_that_is_written_is_not_made_another_one(put, ws, root):
    put("a.md", normalize("NFD", "Müller misst.\n"))
    ws.pages.edit("a", "Müller misst", "Müller misst 5 \u2126")
    assert (root / "a.md").read_text().endswith("5 \u2126.\n")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no name is so")
def test_names_of_another_namespace_are_not_told(put, root, opened):
    put("memwiki.toml", '[layers]\nnamespaces = "spaces"\n')
    put("spaces/alice/a.md", "# A\n")
    put("spaces/bob/b.md", "# B\n")
    (root / "spaces" / "bob" / os.fsdecode(b"secret\xe4.md")).write_text("# B\n")
    put("spaces/bob/Geheim.md", "")
    put("spaces/bob/geheim.md", "")
    assert "secret" not in str(opened(namespace="alice").sync().notes)
    assert "eheim" not in str(opened(namespace="alice").index.doctor())
    put("c.md", "# C\n")
    assert "secret" in str(opened(namespace="*").sync().notes)


def test_a_text_of_marks_alone_is_looked_for_in_linear_time(put, ws, monkeypatch):
    put("a.md", "Müller\n")
    sizes = []
    real = unicodedata.normalize
    monkeypatch.setattr(
        unicodedata, "normalize", lambda form, text: sizes.append(len(text)) or real(form, text)
    )
    with pytest.raises(NotFoundError, match="the old text is not in it"):
        ws.pages.edit("a", "a" + "\u0301\u0323" * 20_000, "x")
    assert max(sizes) < 2_000
