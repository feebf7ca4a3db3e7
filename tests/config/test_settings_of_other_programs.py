"""What Obsidian, Logseq and Dendron say of a folder are settings below ours, and never trusted."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.config import Config, load, others, settings, settings_seen
from memwiki.config.programs import PROGRAMS
from memwiki.files.ignore import IgnoreRule, load_ignore
from memwiki.nouns import Dialect
from tests.effort import for_each


def put(root: Path, path: str, content: object) -> None:
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")


def said(config: Config) -> dict[str, tuple[str, str]]:
    return {s.key: (s.value, s.origin) for s in settings(config) if s.origin != "default"}


def test_obsidians_settings_are_ours_with_the_file_they_are_from(tmp_path):
    put(tmp_path, ".obsidian/app.json", {
        "newFileLocation": "folder", "newFileFolderPath": "Zettel/neu",
        "userIgnoreFilters": ["Archive/", "Priv*at", "/^x+$/"],
    })  # fmt: skip
    put(tmp_path, ".obsidian/daily-notes.json", {
        "folder": "Diary/", "format": "YYYY/MM/DD-MM-YYYY", "template": "Vorlagen/Tag",
    })  # fmt: skip
    put(tmp_path, ".obsidian/templates.json", {"folder": "Vorlagen"})
    config = load(tmp_path, {})
    app, daily = ".obsidian/app.json", ".obsidian/daily-notes.json"
    assert said(config) == {
        "files.ignore": ("/Archive/, /Priv\\*at*", app),
        "layers.daily": ("Diary", daily),
        "pages.dialect": ("obsidian", app),
        "pages.folder": ("Zettel/neu", app),
        "pages.templates": ("Vorlagen", ".obsidian/templates.json"),
        "pages.daily_format": ("%Y/%m/%d-%m-%Y", daily),
        "pages.daily_template": ("Vorlagen/Tag.md", daily),
    }
    assert [note.partition(":")[0] for note in config.foreign_notes] == [app]
    assert "regular expression" in config.foreign_notes[0]


@pytest.mark.parametrize(
    ("expression", "left_out", "kept"),
    [
        (r"/^Archive\//", "Archive/a.md", "x/Archive/a.md"),
        (r"/^Arch.*/", "Archive/a.md", "an Arch.md"),
        (r"/\.excalidraw\.md$/", "x/a.excalidraw.md", "a.excalidraw.md.md"),
        (r"/.*\.tmp\.md$/", "x/a.tmp.md", "x/a.tmpxmd"),
        (r"/(^|\/)Old/", "x/Older/a.md", "BigOld.md"),
        (r"/(^|\/)#x\//", "b/#x/a.md", "#x.md"),
        (r"/templates\//", "my templates/a.md", "templates.md"),
        (r"/draft/", "x/my draft 2/a.md", "Drat.md"),
        (r"/^a\*b\.md$/", "a*b.md", "aab.md"),
    ],
)
def test_a_plain_expression_of_obsidian_is_a_pattern(tmp_path, expression, left_out, kept):
    put(tmp_path, ".obsidian/app.json", {"userIgnoreFilters": [expression]})
    config = load(tmp_path, {})
    ignore = load_ignore(
        tmp_path, [IgnoreRule("files.ignore", 1, each) for each in config.files.ignore]
    )
    paths = [path for path in (left_out, left_out.rpartition("/")[0] + "/") if path != "/"]
    assert any(map(ignore.why, paths))
    assert not ignore.why(kept)
    assert not config.foreign_notes


@pytest.mark.parametrize("text", [r"a|b", r"(x+)+$", r"\d+", r"a.b", r"[ab]", r"x$", r"a/b", "\\"])
def test_an_expression_that_says_more_is_told_of(tmp_path, text):
    put(tmp_path, ".obsidian/app.json", {"userIgnoreFilters": [f"/{text}/"]})
    config = load(tmp_path, {})
    assert not config.files.ignore
    assert "regular expression" in config.foreign_notes[0]


def test_periodic_notes_say_of_days_what_they_take_over(tmp_path):
    put(tmp_path, ".obsidian/daily-notes.json", {"folder": "old", "template": "t"})
    data = ".obsidian/plugins/periodic-notes/data.json"
    daily = {"enabled": True, "folder": "Log", "format": "gggg/[W]ww/YYYY-MM-DD ddd"}
    put(tmp_path, data, {"daily": daily})
    assert load(tmp_path, {}).layers.daily == "old"
    put(tmp_path, ".obsidian/community-plugins.json", ["dataview", "periodic-notes"])
    config = load(tmp_path, {})
    assert said(config)["layers.daily"] == ("Log", data)
    assert config.pages.daily_format == "%G/W%V/%Y-%m-%d %a"
    put(tmp_path, data, {"daily": {**daily, "enabled": False}})
    assert load(tmp_path, {}).layers.daily == "old"
    put(tmp_path, data, "{broken")
    assert load(tmp_path, {}).layers.daily == "old"


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({".vscode/settings.json": '{"foam.files.ignore": []}'}, "foam"),
        ({".vscode/settings.json": '{"foamy": "on", "title": "My foam."}'}, ""),
        ({".vscode/settings.json": ""}, ""),
        ({".vscode/settings.json/x": '"foam.'}, ""),
        ({".foam": "a file"}, ""),
        ({".foam/x.md": ""}, "foam"),
        ({".foam/x.md": "", ".obsidian/app.json": "{}"}, "obsidian"),
        ({".vscode/settings.json": '{"foam.x": 1}', "mkdocs.yml": ""}, "foam"),
        ({}, ""),
    ],
)
def test_foam_is_told_by_its_folder_or_its_word_in_the_settings_of_another(tmp_path, files, name):
    for path, text in files.items():
        put(tmp_path, path, text)
    assert load(tmp_path, {}).layers.dialect.name == name


def test_logseqs_settings_are_ours_and_so_is_what_it_does_without_them(tmp_path):
    put(tmp_path, "logseq/config.edn", """{:meta/version 1 ; :pages-directory "no"
 :journal/page-title-format "EEEE, dd.MM.yyyy", :journal/file-name-format "dd_MM_yyyy"
 :file/name-format :triple-lowbar ;; a comment "with a text"
 :hidden ["/secret" "a;b"] :journals-directory "diary"}""")  # fmt: skip
    config = load(tmp_path, {})
    assert config.layers.daily == "diary"
    assert config.layers.dialect == Dialect("logseq", "%d_%m_%Y", "%A, %d.%m.%Y", "___")
    assert config.pages.folder == "pages"
    assert config.files.ignore[:2] == ("/secret*", "/a;b*")
    assert set(config.origins.values()) == {"logseq/config.edn"}
    put(tmp_path, "logseq/config.edn", "")
    assert load(tmp_path, {}).layers.dialect == Dialect("logseq", "%Y_%m_%d", "%b %o, %Y", "%2F")


def test_dendrons_vaults_are_named_by_links(tmp_path):
    put(tmp_path, "dendron.yml", """version: 5
workspace:
    vaults:
        -
            fsPath: vault
            selfContained: true
            name: my.notes
        - fsPath: ./other
    journal:
        name: journal
""")  # fmt: skip
    config = load(tmp_path, {})
    assert config.layers.dialect.vaults == ("my.notes", "other")
    assert (config.pages.dialect, config.pages.folder) == ("dendron", "vault/notes")
    assert not config.foreign_notes


@pytest.mark.parametrize(
    ("file", "text", "program", "folder"),
    [
        ("mkdocs.yml", "site_name: x\n", "mkdocs", "docs"),
        ("mkdocs.yaml", 'docs_dir: "manual/en"  # here\n', "mkdocs", "manual/en"),
        ("mkdocs.yml", "docs_dir: ./src/\nnav:\n  - docs_dir: no.md\n", "mkdocs", "src"),
        ("mkdocs.yml", "docs_dir: .\n", "mkdocs", ""),
        ("mkdocs.yml", "docs_dir: c#-docs # here\n", "mkdocs", "c#-docs"),
        ("docusaurus.config.ts", "const path = 'x';", "docusaurus", "docs"),
        ("docusaurus.config.js", "docs: {\n // path: 'no'\n path: 'a/b',}", "docusaurus", "a/b"),
        ("docusaurus.config.mjs", 'docs: {sidebar: 1}, docs: {path: "c"}', "docusaurus", "c"),
        ("quartz.config.ts", "", "quartz", "content"),
        (".vitepress/config.ts", "export default {}", "vitepress", ""),
        (".vitepress/config.ts", "{ // srcDir: 'no'\n srcDir: './src' }", "vitepress", "src"),
    ],
)
def test_of_which_folder_a_site_is_made(tmp_path, file, text, program, folder):
    put(tmp_path, file, text)
    config = load(tmp_path, {})
    assert (config.pages.dialect, config.pages.root, config.pages.folder) == (
        program,
        folder,
        folder,
    )
    assert config.origins["pages.dialect"] == file
    assert config.foreign_notes == ()


@pytest.mark.parametrize("value", ["!ENV [DOCS, docs]", "../elsewhere", "/root", "[a]", "*x"])
def test_a_folder_of_a_site_that_cannot_be_used_is_passed_over_and_told(tmp_path, value):
    put(tmp_path, "mkdocs.yml", f"docs_dir: {value}\n")
    config = load(tmp_path, {})
    assert config.pages.root in ("", "docs")
    assert config.foreign_notes


def test_a_site_is_made_of_what_another_program_keeps(tmp_path):
    put(tmp_path, "mkdocs.yml", "")
    put(tmp_path, ".obsidian/app.json", {})
    assert load(tmp_path, {}).pages.dialect == "obsidian"
    put(tmp_path, "memwiki.toml", '[pages]\ndialect = "plain"\n')
    assert load(tmp_path, {}).pages.root == ""


def test_a_program_is_told_by_its_own_folder_or_file_alone(tmp_path):
    put(tmp_path, "pages/a.md", "alias:: x\n- ((uuid))\n")
    put(tmp_path, "logseq/about.md", "Notes on Logseq")
    put(tmp_path, "a.obsidian", "")
    assert load(tmp_path, {}).pages.dialect == "plain"
    put(tmp_path, "logseq/config.edn", "{}")
    assert load(tmp_path, {}).pages.dialect == "logseq"
    put(tmp_path, "dendron.yml", "version: 5")
    put(tmp_path, ".obsidian/app.json", {"newFileLocation": "folder", "newFileFolderPath": "x"})
    assert load(tmp_path, {}).pages.folder == "pages"


def test_our_own_settings_come_before_those_of_others(tmp_path):
    put(tmp_path, ".obsidian/daily-notes.json", {"folder": "a", "format": "DD.MM.YYYY"})
    put(tmp_path, "memwiki.toml", "[layers]\ndaily = 'b'\n")
    config = load(tmp_path, {"MEMWIKI_PAGES_DAILY_FORMAT": "%Y%m%d"})
    assert (config.layers.daily, config.layers.dialect.day_file) == ("b", "%Y%m%d")
    assert said(config)["layers.daily"] == ("b", "file")
    put(tmp_path, "memwiki.toml", "[pages]\ndialect = 'plain'\n")
    assert load(tmp_path, {}).layers.daily == ""


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"folder": "../elsewhere"}, "layers.daily is not a path in the workspace"),
        ({"folder": "/etc"}, ""),  # from the root of the vault
        ({"folder": ".git"}, "layers.daily is not a path in the workspace"),
        ({"folder": "a\\b"}, "layers.daily is not a path in the workspace"),
        ({"folder": ["a"]}, "folder is not a text"),
        ('{"folder": "\\ud800"}', "layers.daily is not valid Unicode"),
        ({"format": 7}, "format does not name days"),
        ({"format": "[../../]YYYY-MM-DD"}, "pages.daily_format does not name a day"),
        ({"format": "[.x/]YYYY-MM-DD"}, "pages.daily_format does not name a day"),
        ({"format": "YYYY-MM-DD[\n]"}, "pages.daily_format does not name a day"),
        ({"format": "dddd"}, "pages.daily_format does not name a day"),
        ({"template": {}}, ""),
        ({"template": 5}, "template is not a text"),
        (["no", "map"], "is not JSON that can be read"),
        ("{broken", "is not JSON that can be read"),
        ("[" * 100_000, "is not JSON that can be read"),
        ("{" + " " * 300_000 + "}", "cannot be read as settings"),
    ],
)
def test_what_cannot_be_used_is_passed_over_and_told(tmp_path, value, told):
    put(tmp_path, ".obsidian/daily-notes.json", value)
    config = load(tmp_path, {})
    assert config.layers.daily in ("", "etc")
    assert config.pages.daily_format == "%Y-%m-%d"
    assert [told in note for note in config.foreign_notes] == [True] * bool(told)
    assert all("passed over" in note for note in config.foreign_notes)


def test_what_is_no_file_of_settings_is_not_waited_for(tmp_path):
    (tmp_path / ".obsidian").mkdir()
    os.mkfifo(tmp_path / ".obsidian/app.json")
    (tmp_path / ".obsidian/templates.json").mkdir()
    assert len(load(tmp_path, {}).foreign_notes) == 2


def test_excluded_files_are_left_out_and_later_rules_take_them_in_again(tmp_path):
    patterns = ("/Archive/", "/Priv*")
    rules = [IgnoreRule("files.ignore", 1, each) for each in patterns]
    ignore = load_ignore(tmp_path, rules)
    assert ignore.why("Archive/a.md") == "files.ignore line 1: /Archive/"
    assert ignore.why("Private note.md")
    assert not ignore.why("notes/Archive.md")
    put(tmp_path, ".memwikiignore", "!Private note.md\n")
    assert not load_ignore(tmp_path, rules).why("Private note.md")


@given(st.text() | st.recursive(st.none() | st.text() | st.integers(), st.lists).map(json.dumps))
def test_any_text_is_read_as_settings(text):
    for program in ("logseq", "obsidian"):
        for each in others.READERS[program](dict.fromkeys(PROGRAMS[program].files, text)):
            assert each.key or each.note
    for read, file in (
        ("dendron", "dendron.yml"),
        ("mkdocs", "mkdocs.yml"),
        ("docusaurus", "docusaurus.config.ts"),
        ("vitepress", ".vuepress/config.js"),
    ):
        assert all(each.key or each.note for each in others.READERS[read]({file: text}))


@for_each(
    "part",
    [
        *(
            ":hidden [",
            '"',
            '\\"',
            ";",
            ':a "x',
            ":hidden \n",
            "vaults:\n- a: ",
            "docs: {",
            "/*",
            "/",
        ),
        *("docs: {path: ", "docs:{ path : '", "docs_dir: '", "docs_dir:\n", "docs_dir: a #"),
    ],
)
def test_long_settings_are_read(part):
    text = part * (250_000 // len(part))
    list(others.READERS["logseq"]({"logseq/config.edn": text}))
    list(others.READERS["dendron"]({"dendron.yml": text}))
    list(others.READERS["mkdocs"]({"mkdocs.yml": text}))
    list(others.READERS["docusaurus"]({"docusaurus.config.js": text}))


def test_a_folder_with_a_quarter_of_a_million_blanks_in_its_name_is_read():
    """To look for the end of the name at each of them would take an hour."""
    text = f"docs_dir: a{' ' * 250_000}b\n"
    assert [each.key for each in others.READERS["mkdocs"]({"mkdocs.yml": text})]


def test_a_text_that_nothing_closes_is_read_once():
    assert others.without_comments('"' + '\\"' * 100_000 + ";") == '"' + '\\"' * 100_000 + ";"
    assert others.without_comments('"a\\\n;b" ;c\n"d') == '"a\\\n;b" \n"d'


def test_lists_without_end_are_read_to_a_point(tmp_path):
    put(tmp_path, ".obsidian/app.json", {"userIgnoreFilters": [f"f{n}/" for n in range(9_000)]})
    config = load(tmp_path, {})
    assert len(config.files.ignore) == 500
    assert any("more than 500 entries" in note for note in config.foreign_notes)
    other = tmp_path / "notes"
    put(other, "dendron.yml", "vaults:\n" + "".join(f"  - fsPath: v{n}\n" for n in range(9_000)))
    assert len(load(other, {}).pages.vaults) == 100


def test_a_memory_file_in_capitals_is_the_memory_file(tmp_path):
    assert load(tmp_path, {}).layers.memory == "memory.md"
    seen = settings_seen(tmp_path)
    put(tmp_path, "MEMORY.md", "# Memory\n")
    assert settings_seen(tmp_path) != seen
    config = load(tmp_path, {})
    assert (config.layers.memory, config.layers.learnings) == ("MEMORY.md", "learnings.md")
    assert said(config) == {"layers.memory": ("MEMORY.md", "MEMORY.md")}
    put(tmp_path, "memory.md", "# Memory\n")  # both, where they are two: ours goes before
    assert load(tmp_path, {}).layers.memory == "memory.md"
