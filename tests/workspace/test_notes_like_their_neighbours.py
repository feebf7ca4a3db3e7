"""`new` and `today` write what the notes beside them have, and no more."""

from __future__ import annotations

import json

import pytest

NOON = 1_795_262_400 * 10**9  # 2026-11-21T12:00:00Z
DAY = "2026-11-21"


@pytest.fixture
def ws(opened):
    return opened(clock=lambda: NOON)


@pytest.fixture
def vault(put):
    put(".obsidian/app.json", "{}")
    put(".obsidian/daily-notes.json", json.dumps({"folder": "days"}))


def made(root, edited):
    return (root / edited.paths[0]).read_text("utf-8")


@pytest.mark.parametrize(
    ("beside", "day"),
    [
        ("- walked\n", "- tea\n"),
        ("Just text.\n", "- tea\n"),
        ("# {day}\n\nText.\n", f"# {DAY}\n- tea\n"),
        ("---\ncreated: {day}\n---\nText.\n", f"---\ncreated: {DAY}\n---\n\n- tea\n"),
        (
            "---\ntitle: '{day}'\ntype: daily\n---\nText.\n",
            f'---\ntitle: "{DAY}"\ntype: daily\n---\n\n- tea\n',
        ),
    ],
)
def test_a_day_is_as_the_days_before(put, root, vault, opened, beside, day):
    for number in (17, 18, 19):
        put(f"days/2026-11-{number}.md", beside.format(day=f"2026-11-{number}"))
    put("a.md", "---\ntitle: A\ntype: page\n---\n# A\n")
    ws = opened(clock=lambda: NOON)
    assert made(root, ws.pages.today("tea")).replace("\n\n- ", "\n- ") == day.replace(
        "\n\n- ", "\n- "
    )


def test_the_first_day_of_a_vault_is_as_its_other_notes(put, root, vault, opened):
    put("a.md", "Text.\n")
    put("b.md", "Text.\n")
    assert made(root, opened(clock=lambda: NOON).pages.today("tea")) == "- tea\n"


@pytest.mark.parametrize(
    ("beside", "note"),
    [
        ("Text.\n", ""),
        ("# A\n\nText.\n", "# Green tea\n"),
        ("---\ntags: [a]\n---\nText.\n", ""),
        ("---\ntitle: A\n---\nText.\n", "---\ntitle: Green tea\n---\n"),
        ("---\ntype: page\ncreated: 2026-01-01\n---\n", f"---\ntype: page\ncreated: {DAY}\n---\n"),
    ],
)
def test_a_note_is_as_those_beside_it(put, root, vault, opened, beside, note):
    put("kitchen/a.md", beside)
    put("kitchen/b.md", beside)
    for name in "abcdefgh":
        put(f"garden/{name}.md", "---\ntitle: A\ntype: x\ncreated: 2026-01-01\n---\n# A\n")
    ws = opened(clock=lambda: NOON)
    assert made(root, ws.pages.new("Green tea", folder="kitchen")) == note
    assert made(root, ws.pages.new("Milk", folder="kitchen", content="White.\n")).endswith(
        "White.\n"
    )


def test_what_is_asked_for_is_written_whatever_others_have(put, root, vault, opened):
    put("a.md", "Text.\n")
    ws = opened(clock=lambda: NOON)
    edited = ws.pages.new("Green tea", type="drink", tags=["hot"], description="From China.")
    assert made(root, edited) == ("---\ntype: drink\ndescription: From China.\ntags: [hot]\n---\n")


def test_a_title_that_the_file_name_does_not_say_is_written(put, root, opened):
    put("a.md", "Text.\n")
    ws = opened(clock=lambda: NOON)
    assert made(root, ws.pages.new("Green tea")) == ""
    edited = ws.pages.new("What is C++?")
    assert ws.pages.get(edited.paths[0]).title == "What is C++?"
    assert "title: What is C++?" in made(root, edited)


def test_most_notes_decide_and_templates_do_not(put, root, vault, opened):
    put("n/1.md", "# One\n")
    for name in ("2", "3", "4"):
        put(f"n/{name}.md", "Text.\n")
        put(f"n/templates/{name}.md", "---\ntitle: x\n---\n# x\n")
    assert made(root, opened(clock=lambda: NOON).pages.new("Tea", folder="n")) == ""


def test_a_workspace_laid_out_as_the_template_keeps_the_whole_form(put, root, opened):
    put("memwiki.toml", '[layers]\nwiki = "wiki"\ndaily = "daily"\n')
    put("wiki/a.md", "Text.\n")
    put("daily/2026-11-20.md", "- milk\n")
    ws = opened(clock=lambda: NOON)
    assert made(root, ws.pages.today("tea")) == (
        f'---\ntitle: "{DAY}"\ntype: daily\ncreated: {DAY}\n---\n# {DAY}\n- tea\n'
    )


# --- Dendron and Logseq ---


@pytest.fixture
def dendron(put):
    put("dendron.yml", "workspace:\n    vaults:\n        - fsPath: vault\n")
    put("vault/root.md", "---\nid: root\n---\n")


def test_dendrons_day_is_beside_its_latest_one(put, root, dendron, opened):
    put("vault/daily.log.2026.11.19.md", "---\nid: a\n---\n")
    put("vault/daily.journal.2025.01.02.md", "---\nid: b\n---\n")
    put("vault/events.2026.11.20.md", "---\nid: c\n---\n")
    ws = opened(clock=lambda: NOON)
    edited = ws.pages.today("tea")
    assert edited.paths == ("vault/daily.log.2026.11.21.md",)
    text = made(root, edited)
    assert text.endswith("---\n\n- tea\n")
    assert f'title: "{DAY}"' in text
    assert "type:" not in text
    assert ws.pages.today("cake").paths == edited.paths
    assert made(root, edited) == f"{text}- cake\n"


def test_dendrons_first_day_is_where_dendron_puts_it(dendron, opened):
    ws = opened(clock=lambda: NOON)
    assert ws.pages.today_path() == "vault/daily.journal.2026.11.21.md"


def test_a_hierarchy_of_dendron_is_renamed_with_its_children(put, root, dendron, opened):
    for name in ("a.b", "a.b.c", "a.b.c.d", "a.bc", "a", "ab"):
        put(f"vault/{name}.md", f"---\nid: {name.replace('.', '-')}\n---\n[[a.b.c]] [[a.bc]]\n")
    ws = opened()
    edited = ws.pages.move("a.b", "a.x")
    assert "files: 3" in edited.details
    names = {path.stem for path in (root / "vault").iterdir()}
    assert names == {"root", "a", "ab", "a.bc", "a.x", "a.x.c", "a.x.c.d"}
    assert "[[a.x.c]] [[a.bc]]" in (root / "vault/a.x.c.d.md").read_text()
    assert "[[a.x.c]] [[a.bc]]" in (root / "vault/ab.md").read_text()
    ws.undo()
    assert (root / "vault/a.b.c.d.md").read_text().endswith("[[a.b.c]] [[a.bc]]\n")


def test_notes_with_dots_in_other_vaults_are_no_hierarchy(put, root, opened):
    put("v1.md", "x\n")
    put("v1.2.md", "x\n")
    opened().pages.move("v1", "v2")
    assert sorted(path.name for path in root.glob("*.md")) == ["v1.2.md", "v2.md"]


def test_a_dry_run_shows_an_empty_page(put, root, opened):
    put("logseq/config.edn", "{}\n")
    put("pages/a.md", "- a\n")
    edited = opened().pages.new("Green tea", dry_run=True)
    assert edited.diff == "--- /dev/null\n+++ b/pages/Green tea.md\n"
    assert not (root / "pages/Green tea.md").exists()
