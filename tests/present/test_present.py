"""How answers look, for programs and for people."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki import nouns
from memwiki.answers import graph as graph_answers
from memwiki.answers import index as keeping
from memwiki.answers import pages as browsing
from memwiki.answers import recall as finding
from memwiki.answers import workspaces as settings
from memwiki.answers.workspaces import CacheEntry, CacheList, InitReport
from memwiki.present import Look, as_text, clean
from memwiki.present.graph import as_mermaid
from memwiki.present.index import change_rows
from memwiki.present.plain import as_json
from memwiki.present.recall import hit_rows
from memwiki.present.terminal import columns, cut_to_width, fold, line, pad, print_rows, table
from tests.effort import for_each

PIPE = Look()
SCREEN = Look(width=40)


# --- JSON ----------------------------------------------------------------------------------------


def test_json_keeps_the_order_of_the_fields_and_every_script():
    assert as_json(nouns.TagCount("设计", 2)) == '{"tag": "设计", "count": 2}'


def test_the_ends_of_an_edge_are_called_from_and_to():
    edge = json.loads(as_json(graph_answers.GraphEdge("a", "b", "refines", 0.5)))
    assert edge == {"from": "a", "to": "b", "type": "refines", "weight": 0.5}


def test_json_on_a_terminal_steers_nothing():
    title = "a\x1b[31m\x9b31m\u202eb"
    shown = as_json(nouns.TagCount(title, 2))
    assert shown == '{"tag": "a\\u001b[31m\\u009b31m\\u202eb", "count": 2}'
    assert json.loads(shown)["tag"] == title


def test_nested_values_closed_words_and_nothing_become_plain_json():
    problem = nouns.Problem("a.md", 3, "c", nouns.Severity.ERROR, "m")
    assert json.loads(as_json(keeping.PathStatus("a.md", False, "r", (problem,)))) == {
        "path": "a.md",
        "found": False,
        "reason": "r",
        "problems": [
            {
                "path": "a.md",
                "line": 3,
                "code": "c",
                "severity": "error",
                "message": "m",
                "fixable": False,
            }
        ],
    }
    assert json.loads(as_json(keeping.Health(healthy=True, notes=())))["equal"] is None


def test_values_of_other_libraries_are_written_as_text():
    view = browsing.PageView("a", "", "", {"n": {"x": [1.5, object]}}, (), (), "", "", 1, 1)
    assert json.loads(as_json(view))["fields"]["n"]["x"][0] == 1.5


# --- harmless text -------------------------------------------------------------------------------


@for_each(
    "escape",
    [
        "\x1b[31m",
        "\x1b[2J",
        "\x1b[?25l",
        "\x9b31m",
        "\x1b]0;title\x07",
        "\x1b]52;c;ZXZpbA==\x1b\\",
        "\x1bP+q\x1b\\",
        "\x1bc",
        "\x1b(B",
        "\x07",
        "\x08",
        "\r",
        "\x7f",
        "\x00",
        "\x85",
        "\x1b",
    ],
)
def test_escapes_and_controls_are_stripped(escape):
    assert clean(f"a{escape}b{escape}") in ("ab", "a")


@given(st.text(alphabet=st.sampled_from("ab[]0;m?\x1b\x9b\x07\\\n\t文\x90P")))
def test_no_control_character_survives_in_whatever_order(text):
    assert not set(clean(text)) & set(map(chr, [*range(9), *range(11, 32), *range(127, 160)]))
    assert "\n" not in line(text)


def test_an_open_escape_swallows_at_most_its_line():
    assert clean("\x1b]0;x\nnext line") == "0;x\nnext line"


# --- widths --------------------------------------------------------------------------------------


@for_each(("text", "count"), [("abc", 3), ("文字", 4), ("e\u0301", 1), ("ｱ", 1), ("", 0)])
def test_columns_are_counted_as_a_terminal_does(text, count):
    assert columns(text) == count


def test_cut_text_fits_and_says_that_it_was_cut():
    assert cut_to_width("文字列", 5) == "文字…"
    assert cut_to_width("文字列", 6) == "文字列"
    assert pad("文字", 6) == "文字  "


@given(st.text(alphabet="ab 文é"), st.integers(4, 20))
def test_text_is_folded_within_the_width_and_whole(text, width):
    lines = fold(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(columns(each) <= width or " " not in each for each in lines)


def test_chinese_is_folded_between_characters():
    assert fold("部署集群需要", 8) == ["部署集群", "需要"]


# --- tables --------------------------------------------------------------------------------------

PAGES = browsing.PageList(
    (
        browsing.PageRow("a.md", "Alpha", "concept", "", ("x",), "", 0),
        browsing.PageRow("wiki/文.md", "文字\x1b[31m", "", "", (), "", 0),
    ),
    2,
)


def test_a_pipe_gets_tabs():
    assert as_text(PAGES, PIPE) == "a.md\tAlpha\tconcept\t#x\nwiki/文.md\t文字"


def test_a_screen_gets_aligned_columns():
    assert as_text(PAGES, SCREEN) == "a.md        Alpha  concept  #x\nwiki/文.md  文字"


def test_an_empty_list_is_no_text():
    assert as_text(browsing.PageList((), 0), SCREEN) == ""


def test_long_paths_leave_room_for_the_rest():
    row = browsing.PageRow("very/" * 20, "Title", "", "", (), "", 0)
    first, text = as_text(browsing.PageList((row,), 1), SCREEN).splitlines()
    assert first == row.path
    assert text == "    Title"


def test_what_people_copy_is_never_cut_and_the_rest_gives_way():
    rows = [("a/" * 15 + "x.md", "title " * 9), ("b.md", "Beta")]
    assert table(rows, Look(width=40), whole=[0]).splitlines() == [
        "a/" * 15 + "x.md",
        "    title title title title title tit…",
        "b.md                 Beta",
    ]
    assert table(rows, Look(width=40)).splitlines()[0] == "a/a/a/a/a/a/a/a/a/…  title title title…"


@for_each("width", [20, 40, 80, 200])
@for_each("count", [1, 2, 4])
def test_a_table_stays_within_the_screen(width, count):
    rows = [tuple("文字 " * 30 for _ in range(count)), ("e\u0301" * 9,) * count, ("🗂️ x",) * count]
    lines = table(rows, Look(width=width)).splitlines()
    assert all(columns(each) <= max(width, 8 * count + 2 * count) for each in lines)
    assert len(lines) == 3


def test_a_path_gets_half_of_the_screen_before_it_sticks_out():
    rows = [("wiki/drinks/green-tea.md", "Green tea of Japan", "concept", "drink")]
    assert table(rows, Look(width=50), whole=[0], paths=[0]) == (
        "wiki/drinks/green-tea.md\n    Green tea of Japan  concept  drink"
    )
    assert table(rows, Look(width=54), whole=[0], paths=[0]) == (
        "wiki/drinks/green-tea.md  Green tea o…  concept  drink"
    )


@for_each(
    ("path", "shown"),
    [
        ("a.md", "a.md:3  A title of some length"),
        ("a/tea.md", "a/tea.md:3  A title of some leng…"),
        ("a/folder/tea.md", "a/folder/tea.md:3\n    A title of some length"),
    ],
)
def test_a_title_fits_beside_its_path_or_is_on_the_next_line(path, shown):
    hit = nouns.Hit(path, "A title of some length", "", "", 3, 3, 1.0, "", (), "")
    assert print_rows(hit_rows([hit]), Look(width=33)) == shown


def test_an_image_in_an_excerpt_is_its_label_on_a_screen_alone():
    number = "63a1f0a0-1111-4222-8333-0123456789ab"
    excerpt = f"soft id:: {number} ![all releases](https://e.org/a?b) tea ![](x.png) ![cut](h…"
    hit = nouns.Hit("a.md", "A", "", "", 3, 3, 1.0, excerpt, (), "")
    assert print_rows(hit_rows([hit]), Look(width=80)).endswith("\n    soft all releases tea cut")
    assert excerpt in print_rows(hit_rows([hit]), Look())


# --- answers -------------------------------------------------------------------------------------


def test_an_excerpt_is_folded_below_its_place():
    hit = nouns.Hit("a.md", "A", "", "", 3, 3, 1.0, "word " * 12, (), "", ("title", "exact"))
    answer = finding.SearchAnswer("q", True, 0, 1, False, (hit,))
    assert as_text(answer, SCREEN).splitlines() == [
        "a.md:3  A",
        "    word word word word word word word",
        "    word word word word word",
        "    1.000: title; exact",
    ]


@for_each(
    ("excerpt", "words", "is_part", "shown"),
    [
        ("Heron, herons, Heronry", ("Heron", "herons"), False, "[Heron], [herons], Heronry"),
        ("我们的向量数据库", ("向量", "数据", "据库"), False, "我们的[向量数据库]"),
        ("Heron数据 x", ("heron", "数据"), False, "[Heron][数据] x"),
        ("a heronry (b", ("ERO",), True, "a h[ero]nry (b"),
        ("a.b*c", ("b*", "", "("), False, "a.b*c"),
        ("x", (), False, "x"),
    ],
)
def test_the_words_that_were_looked_for_are_marked(excerpt, words, is_part, shown):
    hit = nouns.Hit("a.md", "A", "", "", 3, 3, 1.0, excerpt, (), "")
    answer = finding.SearchAnswer("q", True, 0, 1, is_part, (hit,), words=words)
    text = as_text(answer, Look(width=60, has_colour=True)).splitlines()[1]
    assert text.strip().replace("\x1b[1;31m", "[").replace("\x1b[0m", "]") == shown
    assert "\x1b" not in as_text(answer, SCREEN)


@for_each(
    ("title", "section", "heading"),
    [
        ("A", "", "A"),
        ("A", "A", "A"),
        ("A", "A > B", "A > B"),
        ("A", "B > C", "A > B > C"),
        ("", "B", "B"),
    ],
)
def test_a_heading_does_not_repeat_the_title(title, section, heading):
    hit = nouns.Hit("a.md", title, "", section, 3, 3, 1.0, "", (), "")
    assert (
        as_text(finding.SearchAnswer("q", True, 0, 1, False, (hit,)), PIPE) == f"a.md:3  {heading}"
    )


def link(**changes):
    values = {
        "source": "a.md",
        "target": "b.md",
        "written": "B",
        "text": "",
        "line": 4,
        "kind": nouns.LinkKind.WIKILINK,
        "relation": "",
        "status": nouns.LinkStatus.RESOLVED,
        "by": "title",
    }
    return nouns.LinkRow(**(values | changes))


def test_a_link_shows_its_place_relation_and_what_is_wrong():
    rows = (link(), link(relation="refines"), link(target="", status=nouns.LinkStatus.WANTED))
    assert as_text(graph_answers.LinkList(rows), PIPE).splitlines() == [
        "a.md:4  → b.md",
        "a.md:4  → refines b.md",
        "a.md:4  → B  (wanted)",
    ]


def test_tags_are_counted():
    assert as_text(graph_answers.TagList((nouns.TagCount("a/b", 12),)), PIPE) == "12\t#a/b"


def test_many_changes_are_counted_and_listed_only_when_asked_for():
    changes = keeping.Changes(added=tuple(f"{n}.md" for n in range(48_000)), failed=("x.md",))
    lines = as_text(changes, PIPE).splitlines()
    assert [line.split(",")[0] for line in lines] == ["! x.md  (could not be read)", "48000 added"]
    assert len(list(change_rows(changes, is_whole=True))) == 48_002
    few = changes._replace(added=("a.md",), removed=("b.md",), failed=())
    assert as_text(few, PIPE).splitlines()[:2] == ["+ a.md", "- b.md"]


INDEX = keeping.IndexInfo("whoosh", 3, 2_500_000, "/cache/x")


def test_status_says_how_far_the_index_is_behind():
    status = keeping.Status("/ws", 1, 2, 3, 4, 5, 6, 7, False, 9, 10, "locked", INDEX)
    text = as_text(status, PIPE)
    assert "state\t9 changes pending: locked" in text
    assert "index\twhoosh, generation 3, 2.5 MB" in text
    fresh = keeping.Status("/ws", 1, 2, 3, 4, 5, 6, 7, True, 0, 1, "", INDEX)
    assert "state\tup to date" in as_text(fresh, PIPE)


def test_the_status_of_a_path_lists_its_problems():
    problem = nouns.Problem("a.md", 3, "front_matter", nouns.Severity.WARNING, "repaired")
    text = as_text(keeping.PathStatus("a.md", True, "indexed", (problem,)), PIPE)
    assert text == "a.md: found, indexed\na.md:3: warning: repaired [front_matter]"
    assert as_text(keeping.PathStatus("a.md", False, ""), PIPE) == "a.md: not found"


def test_a_doctor_lists_what_differs_up_to_a_limit():
    differences = (nouns.Difference("cards", "a.md", "missing"),) * 60
    text = as_text(keeping.Health(False, ("one note",), False, differences), PIPE)
    assert text.startswith(
        "not healthy\n  one note\nthe index is different from a rebuild\n  cards: a.md"
    )
    assert text.endswith("… and 10 more")
    assert as_text(keeping.Health(True, (), True), PIPE).endswith("equal to a rebuild")


def test_settings_show_where_they_come_from():
    answer = settings.SettingList((settings.Setting("a.b", "", "default", "What it does."),))
    assert as_text(answer, PIPE) == 'a.b\t""\tdefault\tWhat it does.'
    assert as_text(settings.Setting("a.b", "c", "file", ""), PIPE) == "a.b = c"


def test_caches_of_vanished_workspaces_are_marked():
    listed = CacheList((CacheEntry("/ws", "/c", 1_200_000, is_orphan=True),))
    assert as_text(listed, PIPE) == "1.2 MB\t/ws (gone)\t/c"


def test_an_answer_nobody_drew_is_an_error():
    with pytest.raises(TypeError, match="int has no rows"):
        as_text(3, PIPE)


# --- graph ---------------------------------------------------------------------------------------


def node(name, distance, path=None, score=0.0):
    return graph_answers.GraphNode(
        name, f"{name}.md" if path is None else path, "", (), distance, score
    )


def edge(source, target, kind="link"):
    return graph_answers.GraphEdge(source, target, kind, 1.0)


GRAPH = graph_answers.GraphAnswer(
    (node("a", 0), node("b", 1), node("c", 1), node("d", 2), node("Wanted", 2, path="")),
    (
        edge("a.md", "b.md"),
        edge("c.md", "a.md", "refines"),
        edge("b.md", "d.md"),
        edge("c.md", "d.md"),
        edge("b.md", "c.md"),
        edge("b.md", "Wanted"),
        edge("a.md", "elsewhere.md"),
    ),
)


def test_a_graph_is_drawn_as_a_tree():
    assert as_text(GRAPH, PIPE).splitlines() == [
        "a  a.md",
        "├─ → b  b.md",
        "│  ├─ → d  d.md",
        "│  └─ → Wanted  (wanted)",
        "└─ ← refines c  c.md",
    ]


def test_a_tree_stays_within_the_screen():
    long = graph_answers.GraphAnswer(
        (node("a" * 50, 0), node("文" * 50, 1)), (edge("a" * 50 + ".md", "文" * 50 + ".md"),)
    )
    lines = as_text(long, Look(width=40)).splitlines()
    assert lines[0] == "a" * 19 + "…  " + "a" * 50 + ".md"  # the path is what one copies
    assert lines[1].endswith("文" * 9 + "…  " + "文" * 50 + ".md")


@for_each(
    ("text", "count"),
    [
        ("abc", 3),
        ("文字", 4),
        ("ｱ", 1),
        ("e\u0301", 1),
        ("❤", 1),
        ("❤\ufe0f", 2),
        ("🗂\ufe0f hub", 6),
        ("1\ufe0f\u20e3", 2),
        ("🎉", 2),
        ("🇩🇪", 2),
        ("\u1112\u1161\u11ab", 2),
        ("각", 2),
        ("a\u200bb", 2),
    ],
)
def test_columns_are_those_of_a_terminal(text, count):
    assert columns(text) == count


def test_no_line_begins_with_a_closing_mark():
    assert fold("一二三四。五六", 8) == ["一二三", "四。五六"]
    assert fold("使用（这个）功能。", 10) == ["使用（这", "个）功能。"]


def test_without_a_start_pages_are_ranked():
    graph = graph_answers.GraphAnswer((node("b", 0, score=0.1), node("a", 0, score=0.4)), ())
    assert as_text(graph, PIPE).splitlines() == ["0.4000  a  a.md", "0.1000  b  b.md"]


def test_mermaid_names_nodes_and_relations_safely():
    graph = graph_answers.GraphAnswer(
        (node('say "hi" #1', 0, path="a.md"), node("b", 1)),
        (edge("a.md", "b.md", "refines"), edge("b.md", "a.md"), edge("b.md", "gone.md")),
    )
    assert as_mermaid(graph).splitlines() == [
        "graph LR",
        '  n0["say #quot;hi#quot; #35;1"]',
        '  n1["b"]',
        '  n0 -->|"refines"| n1',
        "  n1 --> n0",
    ]


def test_a_long_title_filled_a_whole_screen_of_a_list():
    row = browsing.PageRow("a.md", "word " * 400, "page", "", (), "2026-01-01", 0)
    (shown,) = as_text(browsing.PageList((row,), 1), PIPE).split("\n")
    assert len(shown) < 230
    node = graph_answers.GraphNode("word " * 400, "a.md", "page", (), 0, 1.0)
    assert len(as_text(graph_answers.GraphAnswer((node,), ()), PIPE)) < 230


@pytest.mark.parametrize(
    ("problems", "line"), [(0, ""), (2, "2 problems in reading: memwiki check --only reading\n")]
)
def test_a_new_workspace_tells_of_problems_where_there_are_some(problems, line):
    report = InitReport("/ws", (), True, False, pages=3, links=1, problems=problems)
    assert as_text(report, PIPE) == f"adopted /ws\nindexed 3 pages, 1 link\n{line}".rstrip("\n")
