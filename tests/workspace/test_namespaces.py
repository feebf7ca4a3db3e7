"""Two namespaces of one workspace with the same words, names and keys see none of each other's."""

from __future__ import annotations

import subprocess
import sys
from json import loads

import pytest

from memwiki.cli.complete import candidates
from memwiki.errors import ConfigError, NotEditableError, NotFoundError, OutsideError, UsageError
from memwiki.present.plain import as_json
from tests.effort import for_each

SETTINGS = """[layers]
daily = "daily"
inbox = "inbox"
wiki = "wiki"
raw = "raw"
archive = "archive"
namespaces = "namespaces"
"""
MEMORY = """# Memory

## Facts
- The {0} heron stands in the river. #bird/{0} [key:: bird/place] [topic:: {1} Corp] ^m-{0}1
- The office of TechCorp is in Kiel. [created:: 2026-09-01] [entities:: {1} Corp] ^m-{0}2
- The colour of [[Anna]] is blue. [subject:: user] [topic:: colour] [object:: blue] ^m-{0}3
"""
ANNA = """---
type: person
tags: [friend, of-{0}]
---
# Anna

Knows the heron. [[River]] [[of {0}]]
"""
NAMES = {"aa": "Alpha", "bb": "Betha", "": "Gamma"}


def base_of(name: str) -> str:
    return f"namespaces/{name}/" if name else ""


PAGES = {"memwiki.toml": SETTINGS}
for _name, _word in NAMES.items():
    PAGES[f"{base_of(_name)}memory.md"] = MEMORY.format(_name or "zz", _word)
    PAGES[f"{base_of(_name)}wiki/anna.md"] = ANNA.format(_name or "zz")
    PAGES[f"{base_of(_name)}wiki/river.md"] = "# River\n\nWide. [[Anna]]\n"


@pytest.fixture
def both(put, opened):
    """Open the workspace in a namespace; each says the same in words of its own."""
    for path, text in PAGES.items():
        put(path, text)
    opened(namespace="").sync()
    return lambda name=None: opened(namespace=name)


def completed(ws, kind, typed):
    ws.sync()  # what is completed is that of the index as it is
    return ws.pages.complete(kind, typed)


READS = {
    "search": lambda ws: ws.search("heron"),
    "search by tag": lambda ws: ws.search("tag:bird"),
    "search by path": lambda ws: ws.search("path:**/anna.md"),
    "search without words": lambda ws: ws.search("is:entry"),
    "search for parts": lambda ws: ws.search("eron"),
    "search for a phrase": lambda ws: ws.search('"stands in the river"'),
    "list": lambda ws: ws.pages.list(),
    "list by path": lambda ws: ws.pages.list(path="*anna.md"),
    "list of a tag": lambda ws: ws.pages.list(tag="friend", sort="links"),
    "get": lambda ws: ws.pages.get("Anna")._replace(text=""),
    "links": lambda ws: ws.graph.links("Anna"),
    "graph": lambda ws: ws.graph.around("Anna", 3),
    "graph of an entry": lambda ws: ws.graph.around("m-" + (ws.namespace or "zz") + "3", 3),
    "path": lambda ws: ws.graph.path("Anna", "River"),
    "ranked": lambda ws: ws.graph.ranked(),
    "unresolved": lambda ws: ws.graph.unresolved(),
    "core": lambda ws: ws.entries.core(),
    "entry list": lambda ws: ws.entries.list(),
    "entry list by key": lambda ws: ws.entries.list(key_prefix="bird/"),
    "entry get by key": lambda ws: ws.entries.get("bird/place"),
    "entry get by line": lambda ws: ws.entries.get("memory.md:4"),
    "similar": lambda ws: ws.entries.similar("The heron stands in the river.", threshold=0.1),
    "entities": lambda ws: ws.entries.entities(),
    "completed pages": lambda ws: completed(ws, "page", "anna"),
    "completed entries": lambda ws: completed(ws, "entry", "bird"),
    "check": lambda ws: ws.check.run().problems,
}


@for_each("verb", READS)
def test_a_namespace_sees_its_own_alone(reading, verb):
    for name, other in (("aa", "bb"), ("bb", "aa")):
        answer = as_text(READS[verb](reading(PAGES, namespace=name)))
        assert f"namespaces/{name}/" in answer
        assert f"namespaces/{other}/" not in answer
        assert NAMES[other] not in answer
        assert '"memory.md"' not in answer
        assert '"wiki/anna.md"' not in answer


@for_each("verb", [verb for verb in READS if verb != "check"])
def test_without_a_namespace_none_is_seen(reading, verb):
    answer = as_text(READS[verb](reading(PAGES, namespace=None)))
    assert "namespaces/" not in answer
    assert "wiki/anna.md" in answer or "memory.md" in answer


def as_text(answer: object) -> str:
    try:
        return as_json(answer)
    except TypeError:
        return repr(list(answer))


def test_all_of_them_are_seen_where_all_are_asked_for(both):
    ws = both("*")
    for verb in ("search", "list", "core", "similar", "ranked"):
        answer = as_text(READS[verb](ws))
        for name in NAMES:
            assert f'"{base_of(name)}memory.md"' in answer or f'"{base_of(name)}wiki/anna' in answer
    assert ws.pages.get("Anna").path == "wiki/anna.md"
    assert ws.pages.get("bb/memory.md").path == "namespaces/bb/memory.md"
    assert ws.entries.add("The moon is far.").added[0].path == "memory.md"


def test_what_a_namespace_put_away_is_shown_to_no_other(both):
    both("aa").pages.delete("Anna")
    other = both("bb")
    for name in ("archive/namespaces/aa/wiki/anna.md", "namespaces/aa/wiki/anna.md"):
        with pytest.raises((NotFoundError, OutsideError)):
            other.pages.get(name)
    both("aa").pages.delete("memory.md")
    with pytest.raises(NotFoundError):
        other.entries.get("m-aa1")
    other.entries.delete("bird/place")
    assert other.entries.get("bird/place").id == "m-zz1"  # that of the workspace itself
    assert other.pages.get("Anna").path == "namespaces/bb/wiki/anna.md"


def test_a_key_means_the_own_entry_though_another_namespace_has_one_in_force(both):
    ws = both("aa")
    ws.entries.update("bird/place", fields={"status": "superseded"})
    assert ws.entries.get("bird/place").id == "m-aa1"


def test_tags_are_counted_and_completed_in_one_namespace(both):
    for name, other in (("aa", "bb"), ("bb", "aa"), (None, "aa")):
        ws = both(name)
        counts = {row.tag: row.count for row in ws.graph.tags()}
        assert counts["friend"] == counts[f"of-{name or 'zz'}"] == counts["bird"] == 1
        assert f"of-{other}" not in counts
        offered = [each.value for each in ws.pages.complete("tag", "of-").completions]
        assert offered == [f"of-{name or 'zz'}"]


def test_keys_near_entries_and_conflicts_are_those_of_the_namespace(both):
    texts = {
        "near": ("The office of TechCorp is in Kiel, Germany.", {}),
        "conflict": (
            "The colour of [[Anna]] is green.",
            {"subject": "user", "topic": "colour", "object": "green"},
        ),
        "key": ("The heron is gone.", {"key": "bird/place"}),
    }
    for name in ("aa", "bb"):
        ws = both(name)
        near = ws.entries.add(texts["near"][0], to="memory")
        assert [each.entry.path for each in near.near] in ([], [f"namespaces/{name}/memory.md"])
        over = ws.entries.add(texts["conflict"][0], **texts["conflict"][1])
        assert [each.path for each in over.superseded] == [f"namespaces/{name}/memory.md"]
        (keyed,) = ws.entries.add(texts["key"][0], **texts["key"][1]).replaced
        assert keyed.path == f"namespaces/{name}/memory.md"
    assert both().entries.get("bird/place").text.startswith("The zz heron")


def test_the_same_fact_is_new_in_each_namespace_and_a_repeat_in_its_own(both, root):
    fact = "The tea of the house is oolong."
    assert both().entries.add(fact).added[0].path == "memory.md"
    for name in ("aa", "bb"):
        (added,) = both(name).entries.add(fact).added
        assert (added.path, added.namespace) == (f"namespaces/{name}/memory.md", name)
        assert both(name).entries.add(fact).repeated[0].id == added.id
    for name in NAMES:
        assert (root / base_of(name) / "memory.md").read_text().count(fact) == 1


def test_two_processes_at_once_add_a_fact_once_in_each_namespace(both, root):
    add = [sys.executable, "-m", "memwiki", "-C", str(root), "-n"]
    runs = [
        subprocess.Popen([*add, name, "add", "The lake is deep."], stdout=subprocess.PIPE)
        for name in ("aa", "bb")
    ]
    assert [run.wait() for run in runs] == [0, 0]
    for run in runs:
        run.stdout.close()
    for name in NAMES:
        held = (root / base_of(name) / "memory.md").read_text()
        assert held.count("The lake is deep.") == (1 if name else 0)


def test_entities_that_may_be_one_are_found_in_one_namespace(both, put):
    for name, word in NAMES.items():
        put(f"{base_of(name)}daily/2026-09-01.md", f"- Met. [entities:: {word}-Corp, X{word}]\n")
    for name, word in NAMES.items():
        ws = both(name)
        pairs = ws.entries.entity_candidates().pairs
        assert {each.entity.name for each in pairs} | {each.other.name for each in pairs} == {
            f"{word} Corp",
            f"{word}-Corp",
        }
        others = [each for each in NAMES.values() if each != word]
        named = as_text(ws.entries.entity_candidates(f"{others[0]} Corp"))
        assert f"{others[0]}-Corp" not in named


def test_usage_is_that_of_the_namespace(both):
    for name, word in NAMES.items():
        ws = both(name)
        entry = ws.entries.get("bird/place")
        ws.entries.record("where?", [(entry, 0.5), (f"{base_of(name)}wiki/anna.md", 0.5)])
        ws.entries.record("where?", [(f"{word.lower()} corp", 0.5)])
    for name in ("aa", "bb"):
        ws = both(name)
        own = {f"m-{name}1", f"namespaces/{name}/wiki/anna.md", f"{NAMES[name].lower()} corp"}
        assert {row.name for row in ws.entries.usage()} == own
        assert {row.name for row in ws.entries.usage(query="where?")} == own
        with pytest.raises(NotFoundError):
            ws.entries.usage("m-aa1" if name == "bb" else "m-bb1")
    assert not any("aa" in row.name or "bb" in row.name for row in both().entries.usage())
    assert len(both("*").entries.usage().usage) == 9


def test_names_are_looked_for_inside_then_outside_and_never_in_another_one(both, put):
    put("wiki/only.md", "# Only here\n\n- x\n")
    put("namespaces/bb/wiki/secret.md", "# Secret\n")
    put("learnings.md", "# Learnings\n\n- Look twice. [key:: look] ^m-yyyyyy\n")
    ws = both("aa")
    assert ws.pages.get("wiki/anna.md").path == "namespaces/aa/wiki/anna.md"
    assert ws.take_warnings() == []
    assert ws.pages.get("Only here").path == "wiki/only.md"
    assert ws.entries.get("look").path == "learnings.md"
    assert ws.take_warnings() == [
        "Only here is outside of namespace aa",
        "look is outside of namespace aa",
    ]
    for name in ("Secret", "namespaces/bb/wiki/secret.md", "bb/wiki/secret", "m-bb1"):
        with pytest.raises(NotFoundError) as error:
            ws.pages.get(name)
        assert error.value.candidates == ()
        with pytest.raises(NotFoundError):
            ws.entries.get(name)
    assert both().pages.get("namespaces/bb/wiki/secret.md").path  # as from the archive


CHANGES = (
    lambda ws: ws.pages.append("only", "- y"),
    lambda ws: ws.pages.replace("only", "y"),
    lambda ws: ws.pages.set("only", {"status": "x"}),
    lambda ws: ws.pages.tag_add("only", ["t"]),
    lambda ws: ws.pages.link("only", "Anna"),
    lambda ws: ws.pages.move("only", "other"),
    lambda ws: ws.pages.move("sub/", "wiki/"),
    lambda ws: ws.pages.delete("wiki/only.md"),
    lambda ws: ws.pages.own_path("only"),
    lambda ws: ws.pages.new("namespaces/bb/x.md"),
    lambda ws: ws.pages.new("../../x.md"),
    lambda ws: ws.entries.add("A fact.", to="Only"),
    lambda ws: ws.entries.update("look", "Look thrice."),
    lambda ws: ws.entries.supersede("look", "Look thrice."),
    lambda ws: ws.entries.delete("look"),
    lambda ws: ws.entries.move("look", "memory"),
    lambda ws: ws.entries.relate("look", "m-aa1", "supports"),
    lambda ws: ws.pages.move("River", "../../wiki/"),
    lambda ws: ws.entries.merge_entities("Alpha Corp", "only"),
)


def test_what_lies_outside_of_the_namespace_is_not_changed(both, put, root):
    put("wiki/only.md", "---\ntype: memory\n---\n# Only\n\n- x\n")
    put("sub/x.md", "# X\n")
    put("learnings.md", "# Learnings\n\n- Look twice. [key:: look] ^m-yyyyyy\n")
    ws, before = both("aa"), {path: path.read_bytes() for path in root.rglob("*.md")}
    for change in CHANGES:
        with pytest.raises(NotEditableError) as error:
            change(ws)
        assert "outside of namespace aa" in error.value.message
        assert error.value.hint == "leave out -n aa, or give -n '', to change it"
        assert {path: path.read_bytes() for path in root.rglob("*.md")} == before


def test_everything_new_goes_below_the_namespace_and_makes_it(both, root):
    ws = both("New one")
    with pytest.raises(NotFoundError):
        ws.search("x")
    assert ws.entries.add("A fact.").added[0].path == "namespaces/New one/memory.md"
    assert ws.entries.add("A skill.", type="skill").added[0].path.endswith("one/learnings.md")
    (staged,) = ws.entries.add("Perhaps a fox.", staged=True).added
    (daily,) = ws.entries.add("Rain all day.", to="daily").added
    assert staged.path.startswith("namespaces/New one/inbox/")
    assert daily.path.startswith("namespaces/New one/daily/")
    (listed,) = ws.entries.add("Green tea.", to="lists/tea.md").added
    assert listed.path == "namespaces/New one/lists/tea.md"
    assert ws.pages.today("b").paths[0].startswith("namespaces/New one/daily/")
    assert ws.pages.new("Green tea").paths[0].startswith("namespaces/New one/wiki/")
    assert ws.pages.new("wiki/x.md", tags=["t"]).paths == ("namespaces/New one/wiki/x.md",)
    assert ws.pages.append("memory", "- More.").paths == ("namespaces/New one/memory.md",)
    assert ws.pages.move("wiki/x.md", "notes/").paths[0] == "namespaces/New one/notes/x.md"
    assert ws.pages.move("notes/", "wiki/").paths[0] == "namespaces/New one/wiki/x.md"
    assert ws.pages.delete("x").paths[0] == "archive/namespaces/New one/wiki/x.md"
    assert not {*root.glob("daily*"), *root.glob("inbox*"), *root.glob("lists*")}
    text = (root / "namespaces/New one/memory.md").read_text()
    assert text.startswith("---\ntitle: Memory\n")
    assert "## Facts\n\n- A fact." in text


def test_a_new_page_goes_to_the_folder_that_its_namespace_has(both, put):
    put("namespaces/aa/wiki/Persons/x.md", "# X\n")
    put("wiki/people/y.md", "# Y\n")
    made = both("aa").pages.new("Ben", type="person").paths
    assert made == ("namespaces/aa/wiki/Persons/ben.md",)
    assert both("bb").pages.new("Ben", type="person").paths[0].startswith("namespaces/bb/wiki/")
    both("aa").pages.new("daily/2026-09-01.md")
    assert both("aa").pages.get("2026-09-01").type == "daily"
    merged = both("aa").entries.merge_entities("Alpha Corp", "user")
    assert merged.paths[0].startswith("namespaces/aa/wiki/")


def test_check_compares_each_namespace_with_itself_alone(both, put):
    for number, name in enumerate(("aa", "bb")):
        put(f"namespaces/{name}/wiki/c.md", f"# C\n\n#{'Sky' if number else 'sky'} [[Nobody]]\n")
    codes = ("tag-case", "duplicate-name", "duplicate-title", "alias-collision")
    assert list(both().check.run(only=codes)) == []
    for name in ("aa", "bb"):
        (wanted,) = both(name).check.run(["wiki/c.md"], only=["link-wanted"])
        assert wanted.path == f"namespaces/{name}/wiki/c.md"
        assert "wanted by 1 link" in wanted.message
    with pytest.raises(OutsideError):
        both("aa").check.run(["namespaces/bb"])


def test_tags_are_renamed_in_the_namespace_alone(both):
    assert both("aa").pages.tag_rename("friend", "mate").paths == ("namespaces/aa/wiki/anna.md",)
    assert both().pages.tag_rename("friend", "pal").paths == ("wiki/anna.md",)
    assert {row.tag for row in both("bb").graph.tags("friend")} == {"friend"}


def test_links_stay_in_their_namespace(both, put):
    put("namespaces/aa/wiki/x.md", "[[secret]] [[namespaces/bb/wiki/secret]] [[only]] [[Anna]]\n")
    put("namespaces/bb/wiki/secret.md", "# Secret\n")
    put("wiki/only.md", "[[secret]] [[namespaces/bb/wiki/secret.md]]\n")
    rows = {row.written: row.target for row in both("aa").graph.links("x", "out")}
    assert rows == {
        "secret": "",
        "namespaces/bb/wiki/secret": "",
        "only": "wiki/only.md",
        "Anna": "namespaces/aa/wiki/anna.md",
    }
    out = both().graph.links("only", "out").links
    assert [row.target for row in out] == ["", "namespaces/bb/wiki/secret.md"]
    # Nobody is told who links to a page from another namespace.
    assert both("bb").graph.links("secret", "in").links == ()
    (row,) = both().graph.links("namespaces/bb/wiki/secret.md", "in").links
    assert row.source == "wiki/only.md"


# --- which namespace is meant --------------------------------------------------------------------


def test_a_name_is_that_of_the_folder_in_any_case(both, root):
    assert both("AA").entries.add("Upper.").added[0].path == "namespaces/aa/memory.md"
    (root / "namespaces" / "Caf\u00e9").mkdir()
    assert both("cafe\u0301").entries.add("Hot.").added[0].path == "namespaces/Caf\u00e9/memory.md"


def test_a_name_that_is_no_folder_is_refused(both):
    names = "a/b|.x|..|a\\b| a|a\n|con|x:y|\ud800|node_modules".split("|")
    for name in (*names, "a" * 201):
        with pytest.raises(UsageError):
            both(name).entries.add("x")


def test_a_namespace_that_is_not_there_is_named_with_one_like_it(both):
    with pytest.raises(NotFoundError) as error:
        both("aaa").entries.list()
    assert error.value.hint == "did you mean aa?"
    with pytest.raises(NotFoundError):
        both("aaa").check.run()


def test_without_a_layer_of_namespaces_the_setting_is_named(both, put):
    put("memwiki.toml", "")
    with pytest.raises(ConfigError) as error:
        both("aa").search("x")
    assert error.value.hint == "memwiki config set layers.namespaces namespaces"
    assert both("aa").settings.set("layers.namespaces", "namespaces")


def test_the_setting_counts_where_none_is_named(both, put, monkeypatch):
    put("memwiki.toml", SETTINGS + '[memory]\nnamespace = "bb"\n')
    assert both().entries.get("bird/place").namespace == "bb"
    assert both("").entries.get("bird/place").namespace == ""
    monkeypatch.setenv("MEMWIKI_MEMORY_NAMESPACE", "aa")
    ws = both()
    assert ws.namespace == "aa"
    assert ws.reload().memory.namespace == "aa"
    assert ws.entries.get("bird/place").namespace == "aa"


def test_namespaces_are_completed(both, root):
    both().sync()
    words = ["-C", str(root), "-n"]
    assert [each.value for each in candidates([*words, "a"])] == ["aa"]
    assert [each.value for each in candidates([*words, "bb", "entry", "get", "bird"])] == [
        "bird/place"
    ]
    assert [each.value for each in candidates([*words, "bb", "get", "namespaces/a"])] == []
    assert [each.value for each in candidates(["-C", str(root), "namespace", "purge", "b"])] == [
        "bb"
    ]


def test_a_move_keeps_links_true_into_the_namespace_and_out_of_it(both, put, root):
    put("wiki/only.md", "[[ale]] [x](ale.md)\n")
    put("wiki/ale.md", "# Ale\n")
    both().pages.move("wiki/ale.md", "namespaces/aa/wiki/ale.md")
    only = root / "wiki/only.md"
    assert only.read_text() == "[[namespaces/aa/wiki/ale]] [x](../namespaces/aa/wiki/ale.md)\n"
    put("namespaces/aa/x.md", "[[ale]] [x](/wiki/ale.md) [y](wiki/ale.md) [[only]]\n")
    put("namespaces/bb/x.md", "[[ale]]\n")
    both("aa").pages.move("ale", "wiki/beer/stout.md")
    assert (root / "namespaces/aa/x.md").read_text() == (
        "[[stout]] [x](/namespaces/aa/wiki/beer/stout.md) [y](wiki/beer/stout.md) [[only]]\n"
    )
    assert (root / "namespaces/bb/x.md").read_text() == "[[ale]]\n"
    assert "namespaces/aa/wiki/beer/stout.md" in only.read_text()


def test_an_export_of_a_namespace_holds_its_files_alone(both, put):
    put("namespaces/aa/picture.png", "no page")
    lines: list[bytes] = []
    both("aa").carry.export(lines.append, format="jsonl")
    paths = [
        each["path"] for line in b"".join(lines).splitlines() if "path" in (each := loads(line))
    ]
    assert "namespaces/aa/memory.md" in paths and "namespaces/aa/picture.png" in paths
    assert all(path.startswith("namespaces/aa/") for path in paths)
    assert b"namespaces/bb" not in b"".join(lines) and b"m-bb" not in b"".join(lines)


def test_an_import_writes_no_file_outside_of_the_namespace(both, tmp_path, root):
    source = tmp_path / "elsewhere"
    (source / "namespaces" / "aa").mkdir(parents=True)
    (source / "namespaces" / "aa" / "own.md").write_text("# Own\n")
    both("aa").carry.import_(source, kind="markdown")
    assert (root / "namespaces" / "aa" / "own.md").exists()
    (source / "hi.md").write_text("# Hi\n")
    with pytest.raises(NotEditableError, match="outside of namespace aa"):
        both("aa").carry.import_(source, kind="markdown")
    assert not (root / "hi.md").exists()
