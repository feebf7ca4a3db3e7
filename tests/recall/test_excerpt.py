"""Which lines of a unit are shown."""

from __future__ import annotations

import pytest

from memwiki.index.keyword.tokens import query_terms
from memwiki.recall.channels import PageText
from memwiki.recall.hits import Excerpts
from tests.effort import for_each


def shown(text: str, *terms: str) -> tuple[int, str]:
    found = Excerpts(terms).excerpt(text.split("\n"), 1)
    return found.line, found.text


@for_each(
    ("text", "term", "excerpt"),
    [
        ("## Summary\n\nTalked about tea.", "summary", "Talked about tea."),
        ("### 2026-09-01T10:00:00Z user ^s-0001\n\nWhich tea?", "user", "Which tea?"),
        ("- # Water\n\t- soft", "water", "- soft"),
        ("## Tea", "tea", "Tea"),
        ("tea\n\n## More\n\nmilk", "tea", "tea More milk"),
        ("#tea is a tag\nmilk", "tea", "#tea is a tag milk"),
        ("## Tea\n\n  \n", "tea", "Tea"),
        ("tea\n\n---\n\nmilk", "tea", "tea milk"),
    ],
)
def test_an_excerpt_is_text_without_the_marks_of_headings(text, term, excerpt):
    assert shown(text, term) == (1, excerpt)


def test_signs_that_nobody_sees_do_not_move_the_excerpt_to_another_line():
    above = "so\u00adft\u00ad hy\u00adphens\n" * 8
    assert shown(f"{above}milk\n\n\n\n\n\n\ntea_pot\nTea", "tea") == (16, "tea_pot Tea")


@for_each(
    "definition",
    ["[tea]: drinks/tea.md", "[tea]: drinks/tea.md 'Green tea'", '> [tea]: <a b.md> "Tea"'],
)
def test_definitions_of_links_are_shown_only_where_nothing_else_has_the_words(definition):
    assert shown(f"{definition}\n\nGreen tea.\n{definition}", "tea") == (3, "Green tea.")
    assert shown(f"# Milk\n\n{definition}\nCoffee.", "tea") == (3, f"{definition} Coffee.")
    assert shown(f"Milk.\n\n{definition}", "milk") == (1, "Milk.")


def test_ids_of_blocks_and_sizes_of_pictures_are_no_text():
    text = "- ![tea](a.png){:height 3, :width 4}\n  collapsed:: true\n  id:: 63a1f0a0-1111\n- hot"
    assert shown(text, "tea") == (1, "- ![tea](a.png) - hot")
    assert shown(text, "63a1f0a0")[0] == 3
    text = "* Tea\n{:toc}\n(tea)=\nTea is hot. {: .lead #tea}\n{: .note }\nIn `{:a 1}`"
    assert shown(text, "tea") == (1, "* Tea Tea is hot. In {:a 1}")


@for_each("text", ["[^tea]: a footnote", "[tea]: a text", "[x] tea: done"])
def test_text_in_brackets_is_no_definition(text):
    assert shown(f"{text}\nmore tea tea", "tea") == (1, f"{text} more tea tea")


@for_each(
    ("line", "seen"),
    [
        ("A *b* in **c tea**, see [[drinks/tea|good tea]].", "A b in c tea, see good tea."),
        ("![tea a day](https://img.example/1) [tea](../a%20b.md)", "tea"),
        ("Tea or <button id=tea>no tea</button> &amp; milk", "Tea or no tea & milk"),
        ("在**浅水**里, tea", "在浅水里, tea"),
        ("tea: x**2 + y**2, 2 * 3 * 4, f(*a, *b), a==b or c==d", None),
        ("- `[tea](a.md)` is how tea is linked", "- [tea](a.md) is how tea is linked"),
        ("> Tea is\n>\n> > - hot", "Tea is - hot"),
        ("> 5 teas are many", "> 5 teas are many"),
        ("~~old~~ ==new== tea ***", "old new tea ***"),
    ],
)
def test_an_excerpt_has_the_words_that_a_reader_sees(line, seen):
    assert shown(line, "tea") == (1, line if seen is None else seen)


def test_the_line_is_shown_whose_words_are_seen_and_not_one_with_pictures_of_the_name():
    badge = "![release](https://img.example/tea?logo=tea) ![age](https://img.example/tea/age)"
    assert shown(f"{badge}\n{badge}\n\nTea is hot.", "tea") == (4, "Tea is hot.")
    assert shown(f"{badge}\n\nMilk.", "tea") == (1, f"{badge} Milk.")
    assert shown("[!INCLUDE [tea](tea.md)]\nTea.", "tea") == (2, "Tea.")
    assert shown(f"{badge}\n%% tea %%\n\nMilk.", "milk") == (4, "Milk.")
    assert shown(f"{badge}\nMilk.") == (2, "Milk.")
    named = Excerpts(["tea"]).excerpt([badge, "Milk."], 1, "Tea or milk")
    assert named == ("Milk.", 2)


def test_code_is_shown_as_it_is_written():
    text = "```cpp\nvector<tea> [a](b) **c** [](int x) {}\n```\n**Bold** <b>tea</b>"
    assert shown(text, "tea") == (
        2,
        "vector<tea> [a](b) **c** [](int x) {} Bold tea",
    )


FILLER = "\n".join(["nothing of interest"] * 8)


@for_each(
    ("line", "term"),
    [
        ("The herons stand.", "heron"),
        ("SNAKE_HERON_CASE", "heron"),
        ("an innerHeronName", "heron"),
        ("Happily so", "happili"),
        ("They are dying out.", "die"),
        ("version 8.5.1 of it", "8.5.1"),
        ("Straße nach Süden", "strass"),
        ("Straße nach Süden", "suden"),
        ("我们的向量数据库很快", "数据"),
        ("İstanbul heron", "heron"),
        ("all neighbourhoods", "neighborhood"),
        ("the centre of it", "center"),
        ("their favourite", "favorit"),
        ("grey feathers", "gray"),
        ("向量資料庫很快", "资料"),
    ],
)
def test_the_line_that_holds_the_term_is_shown(line, term):
    assert shown(f"{FILLER}\n{line}\n{FILLER}", term)[0] == 9


@for_each(
    ("text", "terms", "words"),
    [
        ("Herons and a heron, heronry", ["heron"], ["Herons", "heron"]),
        ("我们的向量数据库很快", ["数据", "据库"], ["据库", "数据"]),
        ("Heron数据 heron", ["heron", "数据"], ["Heron", "数据", "heron"]),
        ("no bird", ["heron"], []),
        ("Ｈｅｒｏｎ in wide letters", ["heron"], ["Ｈｅｒｏｎ"]),
        ("Élan and élans", ["elan"], ["Élan", "élans"]),
        ("dying, dies", ["die"], ["dying", "dies"]),
        ("Colours, a color", ["color"], ["Colours", "color"]),
        ("向量資料庫很快", ["资料", "料库"], ["料庫", "資料"]),
    ],
)
def test_the_words_that_match_are_named_as_they_are_written(text, terms, words):
    assert list(Excerpts(terms).words_in(text)) == words


def test_a_part_of_a_word_is_not_the_term():
    assert shown(f"an art\n{FILLER}\nheronry art", "heron")[0] == 1


def test_of_two_lines_the_one_with_more_of_the_terms_near_it_wins():
    text = f"heron\n{FILLER}\nbittern\nheron\n{FILLER}\nheron heron heron"
    assert shown(text, "heron", "bittern")[0] == 10


def test_of_equal_lines_the_first_is_shown():
    assert shown(f"\nheron one\n{FILLER}\nheron two", "heron") == (
        2,
        "heron one " + " ".join(["nothing of interest"] * 5),
    )


def test_without_any_term_the_first_line_that_says_anything_is_shown():
    assert shown("\n\nnothing\nhere", "heron") == (3, "nothing here")
    assert shown("", "heron") == (1, "")


def test_one_question_tells_the_same_of_every_unit_whatever_was_looked_at_before():
    excerpts = Excerpts(["heron"])
    lines = ["a", "heron", "Herons"]
    assert [excerpts.excerpt(lines, first).line for first in (1, 11, 1)] == [2, 12, 2]


@for_each("first", [(2, 2), (1, 4), (4, 9)])
def test_lines_are_the_same_in_whatever_order_parts_are_asked_for(first):
    page = PageText("one\r\ntwo\nthree\n\nfive")
    expected = ["one", "two", "three", "", "five"]
    for start, stop in (first, (1, 1), (2, 3), (5, 5), (1, 9)):
        assert page.part(start, stop) == expected[start - 1 : stop]


@pytest.mark.parametrize("query", [")", "(", ") (", "-)", "…", "）"])
def test_a_lone_mark_that_stands_behind_words_is_searched_to_an_end(put, opened, query):
    put("a.md", "# A\n\nfoo(bar) x ) y ( z… 是）\n")
    assert opened().search(query).total <= 1


@for_each(
    ("text", "terms", "expected"),
    [
        ("See <https://heron.example/map> or <me@heron.example>", ["see"], "https://heron"),
        ("See <https://heron.example/map> or <me@heron.example>", ["see"], "me@heron"),
        ("[!INCLUDE [x](x.md)] counts every heron.", ["heron"], "counts every heron"),
        ("A heron stands.[^1][^2]", ["heron"], "stands.[^1][^2]"),
        ("See [heron](a/Heron_(bird)), [tern](((63a1-f0a0)))!", ["see"], "See heron, tern!"),
        ("1. ```\n   heron\n   ```\n\n[Bittern](b.md) stands", ["bittern"], "Bittern stands"),
        ("````\n```\nheron <T>\n```\nheron <U>\n````\n\nend", ["heron"], "heron <T> heron <U>"),
        ("```heron <T>``` stands\n\n[Bittern](b.md) too", ["bittern"], "Bittern too"),
    ],
)
def test_what_a_reader_sees_is_in_the_excerpt(text, terms, expected):
    assert expected in shown(text, *terms)[1]


def test_the_term_is_shown_in_a_line_whose_points_are_not_typed():
    pointed = "בְּרֵאשִׁית " * 100 + "שָׁלוֹם " + "בְּרֵאשִׁית " * 20
    assert "שָׁלוֹם" in shown(pointed, "שלום")[1]


def test_a_word_of_hindi_is_not_the_end_of_another():
    assert shown(f"लेकर\n{FILLER}\nकर", "कर")[0] == 10


@for_each(
    ("text", "seen"),
    [
        ("%% tea\nmore tea\n%%\n\nHot tea.", (5, "Hot tea.")),
        ("%% one\nHot tea.\n%% two\n\nMilk.", (2, "Hot tea. %% two Milk.")),
        ("%%\ntea\n%%\n\nMilk.", (2, "tea %% Milk.")),
        ("It is %%no%% tea, 50%% of it or 20%% tea.", (1, "It is tea, 50%% of it or 20%% tea.")),
        ("```\n%%time tea\n%%x\n```\n", (2, "%%time tea %%x")),
    ],
)
def test_comments_of_obsidian_are_shown_only_where_nothing_else_has_the_words(text, seen):
    assert shown(text, "tea") == seen


def test_what_logseq_says_of_a_page_is_shown_only_where_nothing_else_has_the_words():
    page = "type:: Tea\ntags:: hot\n\n- Tea is hot"
    assert shown(page, "tea") == (4, "- Tea is hot")
    assert shown(page, "hot", "type") == (4, "- Tea is hot")
    assert shown(page, "type") == (1, "type:: Tea tags:: hot - Tea is hot")
    assert Excerpts(["tea"]).excerpt(page.split("\n"), 9).line == 9


@for_each(
    ("text", "seen"),
    [
        ("Tea is:\n\n    a: Vec<T> = b[i]\n\n    Box<U>\n", "Tea is: a: Vec<T> = b[i] Box<U>"),
        ("- Tea\n\n    <b>hot</b>\n", "- Tea hot"),
        ("Tea\n    <b>hot</b>\n", "Tea hot"),
        ("Tea in grid[i][j], m[0][1][2], not in [a][b]", "Tea in grid[i][j], m[0][1][2], not in a"),
        ("请看[文档][doc], tea, a[b](a.md)", "请看文档, tea, ab"),
    ],
)
def test_code_without_a_fence_is_shown_as_it_is(text, seen):
    assert shown(text, "tea") == (1, seen)


@for_each(
    ("line", "term"),
    [
        ("lorem " * 800 + "a needle of pine " + "ipsum " * 50, "needle"),
        ("unneedled " * 800 + "a needle of pine " + "ipsum " * 900, "needle"),
        ("我们讨论天气。" * 1_500 + "松针很尖。" + "我们讨论天气。" * 50, "松针"),
        ("Straße " * 90_000 + "a needle of pine", "needle"),
    ],
)
def test_a_word_late_in_a_long_line_is_shown(line, term):
    assert term in Excerpts(query_terms(term)).excerpt([line], 1).text


HERON = (
    "# Heron server\n\nOf the birds.\n\n## Access\n\n- user: a\n- port: 2222\n\n## Backup\n\nAt 3."
)


@for_each("asked", [["heron", "port"], ["heron", "backed"], ["heron"]])
def test_a_short_page_that_is_asked_for_by_its_title_is_shown_whole(asked):
    shown = Excerpts(asked).excerpt(HERON.split("\n"), 1, "Heron server")
    assert shown == ("Of the birds. Access - user: a - port: 2222 Backup At 3.", 1)


def test_a_short_page_that_is_not_named_begins_with_the_line_that_was_found():
    shown = Excerpts(["port"]).excerpt(HERON.split("\n"), 1, "Heron server")
    assert shown == ("- port: 2222 Backup At 3.", 8)


@for_each(
    ("asked", "title", "line"),
    [
        (["heron", "server", "port"], "Heron server", "It listens on port 2222."),
        (["登录", "录服", "服务", "端口"], "登录服务", "监听 9000 端口。"),
    ],
)
def test_the_words_of_the_title_do_not_draw_the_excerpt_away_from_the_others(asked, title, line):
    text = f"# {title}\n\nAll of {title}.\n{FILLER}\n{FILLER}\n{line}\n{FILLER}"
    shown = Excerpts(asked).excerpt(text.split("\n"), 1, title)
    assert (shown.line, shown.text[: len(line)]) == (20, line)
    named = Excerpts(asked[:-1]).excerpt(text.split("\n"), 1, title)
    assert named.text.startswith(f"All of {title}.")


def test_a_long_line_is_cut_around_the_words_that_the_title_has_not():
    text = "The heron server. " + "It stands in the cellar. " * 40 + "Its port is 2222."
    assert "port is 2222" in Excerpts(["heron", "port"]).excerpt([text], 1, "Heron").text


def test_the_title_of_a_page_of_entries_says_nothing_of_an_entry(put, opened):
    other = "  Milk is drunk with it every day of the week.\n" * 8
    put("memory.md", f"# Tea\n\n## Facts\n\n- Of drinks.\n{other}  Green tea is hot. ^m-1\n")
    (hit,) = opened().search("tea type:fact").hits
    assert "Green tea is hot" in hit.excerpt


CARD = (
    "---\ntitle: Ann Weber\nphone: 0171 555\nbirthday: 1990-05-04\nweight: 3\n"
    'status: on leave\nrole: "head of sales" # since May\ntags: [staff]\n---\n\n'
    "Met at the fair in Ulm.\n"
)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("what is Ann Weber's phone?", "phone: 0171 555; Met at the fair in Ulm."),
        ("0171", "phone: 0171 555; Met at the fair in Ulm."),
        ("birthday and phone", "phone: 0171 555; birthday: 1990-05-04; Met at the fair in Ulm."),
        ("Ann Weber", "Met at the fair in Ulm."),
        ("staff at the fair", "Met at the fair in Ulm."),
        ("what is her status?", "status: on leave; Met at the fair in Ulm."),
        ("what is her role?", "role: head of sales; Met at the fair in Ulm."),
    ],
)
def test_a_property_of_the_front_matter_that_answers_is_shown(put, ws, question, shown):
    put("people/ann.md", CARD)
    put("people/bo.md", CARD.replace("\n\nMet", "\n\n## Met\n\n---\n\nMet").replace("Ann", "Bo"))
    assert ws.recall(question).hits[0].excerpt == shown
    assert ws.search(question).hits[0].excerpt == shown


def test_an_excerpt_that_is_cut_is_cut_once_where_no_property_tells(put, ws):
    said = "走" * 300 + "集市" + "停" * 300
    put("ann.md", f"---\n名字: 集市\n---\n\n{said}\n")
    put("bo.md", f"{said}\n")
    one, other = ws.search("集市").hits
    assert one.excerpt == other.excerpt


def test_a_page_of_properties_alone_shows_them(put, ws):
    put("zed.md", "---\nphone: 0999 111\nemail: zed@x.org\n---\n")
    assert "phone: 0999 111" in ws.recall("zed's phone").hits[0].excerpt


@pytest.mark.parametrize(
    "head",
    ["phone: [0171, 0172]", "phone: |\n  0171", "phone: {a: 1}", "phone: '{{phone}}'", "phone:"],
)
def test_what_is_no_plain_property_is_not_shown(put, ws, head):
    put("ann.md", f"---\n{head}\n---\n\nMet at the fair.\n")
    assert ws.recall("phone or fair").hits[0].excerpt == "Met at the fair."
