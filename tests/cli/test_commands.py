"""Each command: the one call it makes and how it shows the answer."""

import json
from dataclasses import replace

import pytest

from memwiki import nouns
from memwiki.answers import entries as remembering
from memwiki.answers import graph as graph_answers
from memwiki.answers import index as keeping
from memwiki.answers import pages as browsing
from memwiki.answers import pages as catalog
from memwiki.answers import pages as editing
from memwiki.answers import pages as journal
from memwiki.answers import recall as finding
from memwiki.answers import workspaces as caches

# --- calls ---------------------------------------------------------------------------------------


def asked(**changes: object) -> dict[str, object]:
    """What a search is asked with."""
    return {"limit": None, "explain": False, "count": False, **changes}


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("sync", ("sync", ([],), {"full": False, "force": False})),
        ("sync gone.md --full --force", ("sync", (["gone.md"],), {"full": True, "force": True})),
        ("reindex", ("index.reindex", (), {})),
        ("status", ("index.status", (), {})),
        ("status x.md", ("index.why", ("x.md",), {})),
        ("doctor", ("index.doctor", (), {"verify": False})),
        ("doctor --verify", ("index.doctor", (), {"verify": True})),
        ("config", ("settings.list", ((),), {})),
        ("config show", ("settings.list", ((),), {})),
        ("config show recall a.b", ("settings.list", (["recall", "a.b"],), {})),
        ("config set a.b c", ("settings.set", ("a.b", "c"), {})),
        ("search two words", ("search", ("two words",), asked())),
        ("search a -b --limit 3", ("search", ("a -b",), asked(limit=3))),
        ("search -b --explain", ("search", ("-b",), asked(explain=True))),
        ("search a --count", ("search", ("a",), asked(count=True))),
        ("search -- --raw", ("search", ("--raw",), asked())),
        ("get Home", ("pages.get", ("Home",), {"section": "", "lines": None, "around": 0})),
        (
            "get Home --section H --lines 2-5",
            ("pages.get", ("Home",), {"section": "H", "lines": (2, 5), "around": 0}),
        ),
        (
            "get Home --lines 7",
            ("pages.get", ("Home",), {"section": "", "lines": (7, 7), "around": 0}),
        ),
        ("get a.md:7", ("pages.get", ("a.md",), {"section": "", "lines": None, "around": 7})),
        ("get a.md:7-9", ("pages.get", ("a.md",), {"section": "", "lines": (7, 9), "around": 0})),
        ("outline Home", ("pages.outline", ("Home",), {})),
        ("namespace list", ("namespaces.list", (), {})),
        (
            "namespace purge work --hard --dry-run",
            ("namespaces.purge", ("work",), {"hard": True, "dry_run": True}),
        ),
        ("undo", ("undo", (1,), {"own": False, "dry_run": False, "yes": False})),
        ("undo 3 --dry-run", ("undo", (3,), {"own": False, "dry_run": True, "yes": False})),
        ("undo --yes", ("undo", (1,), {"own": False, "dry_run": False, "yes": True})),
        ("log", ("journal.list", (), {"since": "", "op": "", "by": "", "limit": None})),
        (
            "log show --since 2w --op move --limit 5",
            ("journal.list", (), {"since": "2w", "op": "move", "by": "", "limit": 5}),
        ),
        (
            "log add ingest Paper --note a --note b",
            ("journal.add", ("ingest", "Paper", "a", "b"), {}),
        ),
        ("links Home", ("graph.links", ("Home", "both"), {})),
        ("links Home --in", ("graph.links", ("Home", "in"), {})),
        ("links Home --out", ("graph.links", ("Home", "out"), {})),
        ("links Home --in --out", ("graph.links", ("Home", "both"), {})),
        ("links Home --like", ("graph.like", ("Home",), {"limit": 10})),
        ("links --unresolved", ("graph.unresolved", ("",), {})),
        ("links Home --unresolved", ("graph.unresolved", ("Home",), {})),
        ("tags", ("graph.tags", ("",), {})),
        ("tags #project/", ("graph.tags", ("project/",), {})),
        ("graph", ("graph.ranked", (), {"relation": ""})),
        ("graph A --depth 2", ("graph.around", ("A", 2), {"relation": ""})),
        (
            "graph A --depth 3 --to B --relation refines",
            ("graph.path", ("A", "B"), {"relation": "refines"}),
        ),
        (
            "list --type concept --tag x --path w/* --sort links --limit 3",
            (
                "pages.list",
                (),
                {"type": "concept", "tag": "x", "path": "w/*", "sort": "links", "limit": 3}
                | {"orphans": False},
            ),
        ),
        (
            "list --orphans",
            (
                "pages.list",
                (),
                {
                    "type": "",
                    "tag": "",
                    "path": "",
                    "sort": "title",
                    "limit": None,
                    "orphans": True,
                },
            ),
        ),
        (
            "set A x=1 y= z=a=b --unset q --unset r --dry-run",
            (
                "pages.set",
                ("A", {"x": "1", "y": "", "z": "a=b"}),
                {"unset": ["q", "r"], "expect": "", "dry_run": True},
            ),
        ),
        (
            "link A B --relation r --weight 0.5",
            (
                "pages.link",
                ("A", "B"),
                {"relation": "r", "weight": 0.5, "expect": "", "dry_run": False},
            ),
        ),
        (
            "link A B --dry-run",
            (
                "pages.link",
                ("A", "B"),
                {"relation": "", "weight": None, "expect": "", "dry_run": True},
            ),
        ),
        (
            "unlink A B --relation r",
            ("pages.unlink", ("A", "B"), {"relation": "r", "expect": "", "dry_run": False}),
        ),
        ("tag add A #x y", ("pages.tag_add", ("A", ["#x", "y"]), {"expect": "", "dry_run": False})),
        (
            "tag remove A x --dry-run",
            ("pages.tag_remove", ("A", ["x"]), {"expect": "", "dry_run": True}),
        ),
        ("tag rename a b", ("pages.tag_rename", ("a", "b"), {"dry_run": False})),
        ("tag merge a b --dry-run", ("pages.tag_merge", ("a", "b"), {"dry_run": True})),
        (
            "set A x=1",
            ("pages.set", ("A", {"x": "1"}), {"unset": [], "expect": "", "dry_run": False}),
        ),
        (
            "move A b/",
            ("pages.move", ("A", "b/"), {"keep_alias": False, "expect": "", "dry_run": False}),
        ),
        (
            "move w/ b --keep-alias --dry-run",
            ("pages.move", ("w/", "b"), {"keep_alias": True, "expect": "", "dry_run": True}),
        ),
        ("delete A", ("pages.delete", ("A",), {"hard": False, "expect": "", "dry_run": False})),
        (
            "delete A --hard --dry-run",
            ("pages.delete", ("A",), {"hard": True, "expect": "", "dry_run": True}),
        ),
    ],
)
def test_a_command_makes_one_call(memwiki_, line, call):
    assert memwiki_(*line.split()) == 0
    assert memwiki_.call == call
    assert len(memwiki_.workspace.calls) == 2


def test_json_is_one_object_whose_keys_are_the_answer(memwiki_):
    memwiki_("sync", "--json")
    assert list(json.loads(memwiki_.out)) == list(keeping.Changes._fields)
    assert memwiki_.out.count("\n") == 1


# --- init ----------------------------------------------------------------------------------------


def test_init_makes_the_named_folder_below_the_given_one(memwiki_):
    assert memwiki_("init", "notes", "--git", "-C", "base") == 0
    assert memwiki_.workspace.calls == [
        (
            "init",
            ("base/notes",),
            {"git": True, "bare": False, "preset": "", "force": False, "language": ""},
        ),
        ("indexed", (memwiki_.workspace.answers["init"],), {}),
    ]
    assert memwiki_.out == (
        "created /ws\n  memory.md\nindexed 2 pages, 1 link\n\n"
        "Try:\n  memwiki search 'tea'\tfind it\n"
    )


def test_init_without_sync_only_writes_and_names_the_next_command(memwiki_):
    assert memwiki_("init", "my notes", "--no-sync") == 0
    assert [name for name, *_ in memwiki_.workspace.calls] == ["init"]
    assert memwiki_.out == "created /ws\n  memory.md\n"
    assert memwiki_.err == "Next: memwiki -C 'my notes' sync\n"


def test_an_interrupted_first_index_says_that_the_workspace_is_there(memwiki_):
    memwiki_.answer("indexed", KeyboardInterrupt())
    assert memwiki_("init", "notes") == 130
    assert memwiki_.out == "created /ws\n  memory.md\n"
    assert "the next command continues" in memwiki_.err


def test_init_adopts_a_folder_as_it_is(memwiki_):
    assert memwiki_("init", "--adopt") == 0
    assert memwiki_.workspace.calls[0] == ("adopt", (".",), {})
    memwiki_("init", "--adopt", "--no-sync")
    assert memwiki_.out == "adopted /ws\n"


# --- sync ----------------------------------------------------------------------------------------


def test_sync_says_what_changed(memwiki_):
    memwiki_("sync")
    assert memwiki_.out.splitlines() == [
        "+ a.md",
        "1 added, 0 modified, 0 removed, 2 unchanged (0.50 s)",
    ]


def test_a_quiet_sync_says_nothing(memwiki_):
    assert memwiki_("sync", "-q") == 0
    assert memwiki_.out + memwiki_.err == ""


def test_a_sync_that_holds_pages_back_exits_1_and_asks_for_force(memwiki_):
    memwiki_.answer("sync", keeping.Changes(fresh=False, reason="200 pages vanished at once"))
    assert memwiki_("sync") == 1
    assert "sync: 200 pages vanished at once\nmemwiki sync --force" in memwiki_.err


def test_a_sync_over_broken_pages_is_done(memwiki_):
    memwiki_.answer("sync", keeping.Changes(failed=("x.md",), problems=4))
    assert memwiki_("sync") == 0
    assert "! x.md" in memwiki_.out


# --- editing -------------------------------------------------------------------------------------


def test_an_edit_is_shown_with_what_to_know_about_it(memwiki_):
    assert memwiki_("set", "A", "x=1") == 0
    assert memwiki_.out == "set status in a.md\n"
    assert memwiki_.err == "one note\n"


def test_a_quiet_edit_says_nothing_but_shows_its_diff_when_asked(memwiki_):
    memwiki_("set", "A", "x=1", "-q")
    assert memwiki_.out + memwiki_.err == ""
    answer = editing.Edited("update", "t", ("a.md",), dry_run=True, diff="-a\n+b\n")
    memwiki_.answer("pages.set", answer)
    memwiki_("set", "A", "x=1", "--dry-run", "-q")
    assert memwiki_.out == "-a\n+b\n"


def test_a_dry_run_that_would_change_nothing_says_so(memwiki_):
    memwiki_.answer("pages.set", editing.Edited("update", "t", (), dry_run=True))
    assert memwiki_("set", "A", "x=1", "--dry-run") == 0
    assert memwiki_.err == "nothing to do\n"


@pytest.mark.parametrize("argument", ["x", "=1", " =1"])
def test_a_field_without_key_or_value_is_a_usage_error(memwiki_, argument):
    assert memwiki_("set", "A", argument) == 2
    assert "not KEY=VALUE" in memwiki_.err


# --- doctor --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("health", "code"),
    [
        (keeping.Health(healthy=True, notes=()), 0),
        (keeping.Health(healthy=True, notes=(), equal=True), 0),
        (keeping.Health(healthy=False, notes=("ill",)), 3),
        (keeping.Health(True, (), False, (nouns.Difference("cards", "a.md", "missing"),)), 3),
    ],
)
def test_a_doctor_who_finds_something_exits_3(memwiki_, health, code):
    memwiki_.answer("index.doctor", health)
    assert memwiki_("doctor", "--verify") == code
    assert memwiki_("doctor", "--verify", "--json") == code


# --- search --------------------------------------------------------------------------------------


def answer(**changes):
    hit = nouns.Hit("a.md", "A", "", "", 1, 1, 1.0, "text", (), "")
    return replace(finding.SearchAnswer("q", True, 0, 1, False, (hit,)), **changes)


def test_a_hit_is_a_place_a_title_and_an_excerpt(memwiki_):
    memwiki_("search", "x")
    assert memwiki_.out == "wiki/home.md:7  Home > Links\n    a blue scheme\n"
    assert memwiki_.err == ""


def test_no_hit_is_done_with_a_word_to_the_person(memwiki_):
    memwiki_.answer("search", answer(hits=(), total=0))
    assert memwiki_("search", "x") == 0
    assert (memwiki_.out, memwiki_.err) == ("", "Nothing found.\n")


@pytest.mark.parametrize(
    ("changes", "note"),
    [
        ({"fallback": True}, "No whole word matched; these hits contain it as part of a word.\n"),
        ({"total": 9}, "1 of 9 hits; --limit 9 shows all.\n"),
        (
            {"total": 1000, "total_exact": False},
            "1 of over 1,000 hits; --count counts them all.\n",
        ),
        ({"total": 3, "total_exact": False}, "1 of at least 3 hits; --count counts them all.\n"),
        ({"fresh": False, "reason": "locked"}, "The index may be out of date: locked.\n"),
        ({"fresh": False}, "The index may be out of date: another process is writing it.\n"),
    ],
)
def test_what_limits_an_answer_is_said_beside_it(memwiki_, changes, note):
    memwiki_.answer("search", answer(**changes))
    memwiki_("search", "x")
    assert memwiki_.err == note
    memwiki_("search", "x", "-q")
    assert memwiki_.err == ""


@pytest.mark.parametrize(
    "query",
    [
        "why did we drop Redis?",
        "Who keeps the key of the office",
        "what's the plan for Monday",
        "the key of the office?",
        "我们为什么不用缓存",
        "钥匙在谁那里?",
    ],
)
def test_a_whole_question_gets_the_hint_that_recall_answers_it(memwiki_, query):
    answer = replace(memwiki_.workspace.answers["search"], query=query)
    memwiki_.answer("search", answer)
    assert memwiki_("search", query) == 0
    assert "Questions are answered by: memwiki recall " in memwiki_.err
    assert memwiki_("search", query, "--json") == 0
    assert memwiki_.err == ""


def test_a_long_text_that_is_no_question_is_looked_through_once(memwiki_):
    """To look at the rest behind each word that asks would take an hour."""
    answer = replace(memwiki_.workspace.answers["search"], query="什么" * 200_000 + ":")
    memwiki_.answer("search", answer)
    assert memwiki_("search", "tea") == 0
    assert "memwiki recall" not in memwiki_.err


@pytest.mark.parametrize(
    "query",
    ["tea", "who", "where is:orphan", "tag:what is", '"what is the plan"', "how to", "tea house"],
)
def test_words_to_search_for_are_no_question(memwiki_, query):
    answer = replace(memwiki_.workspace.answers["search"], query=query)
    memwiki_.answer("search", answer)
    assert memwiki_("search", query) == 0
    assert "recall" not in memwiki_.err


def test_the_line_of_a_hit_ends_at_120_characters(memwiki_):
    answer = memwiki_.workspace.answers["search"]
    hit = answer.hits[0]._replace(title="A long title " * 30, section="")
    memwiki_.answer("search", replace(answer, hits=(hit,)))
    assert memwiki_("search", "x") == 0
    first = memwiki_.out.splitlines()[0]
    assert first.startswith("wiki/home.md:7  A long title")
    assert len(first) == 120


def test_a_note_of_a_search_is_said_once(memwiki_):
    memwiki_.answer("search", answer(notes=("one hit says no date",)))
    memwiki_("search", "x")
    assert memwiki_.err == "one hit says no date\n"


def test_who_asked_for_no_sync_is_not_told_that_there_was_none(memwiki_):
    memwiki_.answer("search", answer(fresh=False, pending=None))
    memwiki_("search", "x", "--no-sync")
    assert memwiki_.err == ""


# --- get, list, graph ----------------------------------------------------------------------------


def test_a_page_goes_into_a_pipe_byte_by_byte(memwiki_):
    assert memwiki_("get", "a") == 0
    assert memwiki_.out == "# A\r\ntext"


def test_a_part_of_a_page_ends_its_last_line(memwiki_):
    memwiki_("get", "a", "--lines", "1-2")
    assert memwiki_.out == "# A\r\ntext\n"


def test_a_list_cut_short_says_so(memwiki_):
    row = browsing.PageRow("a.md", "A", "note", "", ("x", "y"), "", 0)
    memwiki_.answer("pages.list", browsing.PageList((row,), 5))
    memwiki_("list", "--limit", "1")
    assert (memwiki_.out, memwiki_.err) == ("a.md\tA\tnote\t#x #y\n", "1 of 5 pages.\n")


def test_a_graph_is_text_json_or_mermaid(memwiki_):
    memwiki_("graph", "Home")
    assert memwiki_.out.startswith("Home")
    memwiki_("graph", "Home", "--format", "json")
    assert json.loads(memwiki_.out)["edges"][0]["from"] == "wiki/home.md"
    memwiki_("graph", "Home", "--format", "mermaid")
    assert memwiki_.out.startswith("graph LR\n")


# --- cache ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["cache", "cache list"])
def test_caches_are_listed_without_a_workspace(memwiki_, line):
    assert memwiki_(*line.split()) == 0
    assert memwiki_.workspace.calls == [("index.caches", (), {"prune": False})]
    assert memwiki_.out == "5 kB\t/ws\t/cache/x\n"


def test_orphaned_caches_are_pruned(memwiki_):
    memwiki_.answer("index.caches", caches.CacheList((), removed=("/cache/x",)))
    assert memwiki_("cache", "prune") == 0
    assert memwiki_.workspace.calls == [("index.caches", (), {"prune": True})]
    assert memwiki_.out == "removed /cache/x\n"


def test_where_no_cache_is_orphaned_none_is_listed_as_if_it_went(memwiki_):
    entry = caches.CacheEntry("/ws", "/cache/x", 5_000, is_orphan=False)
    memwiki_.answer("index.caches", caches.CacheList((entry,)))
    assert memwiki_("cache", "prune") == 0
    assert memwiki_.out == "nothing to do\n"


def test_catalog_says_what_it_wrote(memwiki_):
    assert memwiki_("catalog") == 0
    assert memwiki_.call == ("catalog.update", (), {"adopt": False})
    assert memwiki_.out == "~ index.md\ncatalogs: 1, pages: 2, 1 changed\n"


def test_a_stale_catalog_exits_3(memwiki_):
    memwiki_.answer(
        "catalog.check", catalog.CatalogReport(stale=("index.md",), catalogs=1, pages=2)
    )
    assert memwiki_("catalog", "--check") == 3
    assert memwiki_.call == ("catalog.check", (), {})
    assert memwiki_.out == "! index.md\ncatalogs: 1, pages: 2, 1 out of date\n"


def test_sync_says_how_many_catalogs_it_wrote_and_what_went_wrong(memwiki_):
    memwiki_.answer("sync", keeping.Changes(catalogs=("index.md",), notes=("disk full",)))
    assert memwiki_("sync") == 0
    assert memwiki_.out.endswith("catalogs rewritten: 1\ndisk full\n")


@pytest.mark.parametrize(
    ("arguments", "empty"),
    [
        (("list", "--tag", "x"), ("pages.list", browsing.PageList((), 0))),
        (("tags", "x"), ("graph.tags", graph_answers.TagList(()))),
        (("links", "a"), ("graph.links", graph_answers.LinkList(()))),
        (("log", "show", "--op", "x"), ("journal.list", journal.LogList((), 0))),
        (("entry", "list"), ("entries.list", remembering.EntryList((), 0))),
        (("entry", "similar", "x"), ("entries.similar", remembering.SimilarEntries(()))),
    ],
)
def test_an_empty_list_is_done_with_a_word_to_the_person(memwiki_, arguments, empty):
    memwiki_.answer(*empty)
    assert memwiki_(*arguments) == 0
    assert (memwiki_.out, memwiki_.err) == ("", "Nothing found.\n")
    memwiki_(*arguments, "-q")
    assert memwiki_.err == ""


@pytest.mark.parametrize(
    ("arguments", "name", "said"),
    [
        (("list",), "pages.list", "1 of 9 pages.\n"),
        (("log", "show"), "journal.list", "1 of 9 entries.\n"),
        (("entry", "list"), "entries.list", "1 of 9 entries.\n"),
    ],
)
def test_a_list_that_was_cut_says_of_how_many(memwiki_, arguments, name, said):
    memwiki_.answer(name, replace(memwiki_.workspace.answers[name], total=9))
    memwiki_(*arguments)
    assert memwiki_.err == said
