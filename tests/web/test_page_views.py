"""What the pages show of a workspace, and what they keep to themselves."""

from __future__ import annotations

import re
import subprocess
from html import unescape

import pytest

from memwiki.errors import MemwikiError
from memwiki.sync.context import Context
from memwiki.web.pages import plainly
from memwiki.web.views.find import bars
from tests.effort import for_each

WIKI = """
--- tea.md ---
---
type: concept
tags: [drink]
aliases: [Cha]
origin: Fujian
---
# Tea

Green. See [[Water]].

- [ ] buy tea
- [x] boil water
--- wiki/water.md ---
# Water

For [[tea|good tea]].
--- wiki/cup.md ---
# Cup

A cup of Water without a link.
--- memory.md ---
# Memory

## Facts

- Likes tea. ^m-aaaaaa
- ~~Likes coffee.~~ [superseded_by:: m-aaaaaa] ^m-bbbbbb
"""


@pytest.fixture
def wiki(write_blocks, visit):
    write_blocks(WIKI.strip("\n"))
    return visit()


def text_of(answer) -> str:
    assert answer.status_code == 200, answer.text
    return answer.text


def test_a_page_is_shown_with_what_is_known_of_it(wiki):
    html = text_of(wiki.get("/p/tea.md"))
    assert html.count("<h1") == 1
    assert '<a href="/f/' not in html  # it is in no folder
    assert "Also called Cha" in html
    assert re.search(r"origin</th><td>Fujian", html)
    assert '<a class="quote" href="/p/wiki/water.md#L3">' in html
    assert "For good tea." in html
    assert 'href="/p/wiki/water.md"' in html


def test_a_page_is_found_under_any_of_its_names(wiki):
    answer = wiki.get("/p/Cha", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (302, "/p/tea.md")
    missing = wiki.get("/p/coffee")
    assert missing.status_code == 404
    assert "no page has this name" in missing.text


def test_a_field_that_names_a_heading_or_a_label_leads_there(wiki, put):
    put("cold.md", '---\nsee: "[[tea#Hot water|How]]"\nat: "[[tea#^b1]]"\n---\n')
    html = text_of(wiki.get("/p/cold.md"))
    addresses = re.findall(r'href="(/p/tea[^"]*)">([^<]*)<', html)
    assert addresses == [("/p/tea%23Hot%20water", "How"), ("/p/tea%23%5Eb1", "tea#^b1")]
    shown = [wiki.get(each, follow_redirects=False) for each, _ in addresses]
    assert [each.headers["location"] for each in shown] == [
        "/p/tea.md#h-hot-water",
        "/p/tea.md#b-b1",
    ]
    assert wiki.get("/p/nothing%23here").status_code == 404


def test_a_nested_field_is_shown_as_data_of_no_language_of_programs(wiki, put):
    put("cold.md", "---\nserved: {with: [milk, 糖]}\n---\n")
    shown = unescape(text_of(wiki.get("/p/cold.md")))
    assert 'served</th><td>{"with": ["milk", "糖"]}' in shown


def test_files_around_a_page_are_opened_as_files(wiki, put):
    put("photo.md", "![[a b.png]] [[tea]]\n")
    put("a b.png", "png")
    html = text_of(wiki.get("/graph?around=photo.md"))
    assert 'href="/file/a%20b.png"' in html and 'href="/p/tea.md"' in html


def test_crumbs_lead_to_folders(wiki):
    html = text_of(wiki.get("/p/wiki/water.md"))
    assert '<a href="/f/wiki">wiki</a>' in html
    assert "/p/wiki/cup.md" in text_of(wiki.get("/f/wiki"))


def test_the_memories_of_a_page_show_their_state(wiki):
    html = text_of(wiki.get("/p/memory.md"))
    assert '<a href="/m/m-aaaaaa">Likes tea.</a>' in html
    assert re.search(r"superseded</span>\s*<a href=\"/m/m-bbbbbb\"", html)


def test_a_memory_has_its_life(wiki):
    html = text_of(wiki.get("/m/m-bbbbbb"))
    assert "is not in a git repository" in html
    assert str(wiki.site.served.root) not in html
    assert "Superseded by" in html
    assert "Likes tea." in html
    assert "Took the place of" not in html
    assert "never" in html


def test_a_preview_shows_the_beginning(wiki):
    html = text_of(wiki.get("/api/peek?path=tea.md"))
    assert "Green." in html
    assert "<header" not in html
    assert wiki.get("/api/peek?path=nowhere").status_code == 404


def test_mentions_are_looked_for_on_demand(wiki):
    assert "/p/wiki/cup.md#L3" in text_of(wiki.get("/api/mentions?path=wiki/water.md"))


def test_names_are_suggested_and_words_found(wiki):
    found = wiki.get("/api/suggest?q=wat").json()
    assert [each["path"] for each in found["suggestions"]] == ["wiki/water.md"]
    html = text_of(wiki.get("/search?q=fujian+OR+green"))
    assert "<mark>Green</mark>" in html
    assert "Nothing found for" in text_of(wiki.get("/search?q=zzzz"))


def test_a_hit_says_its_title_once(wiki, put):
    put("wiki/oolong.md", "# Oolong\n\nx\n\n## Leaves\n\nThey are called wulong leaves.\n")
    html = text_of(wiki.get("/search?q=wulong"))
    assert '>Oolong <span class="section">› Leaves</span></a>' in html


def test_a_part_of_the_search_page_is_given_while_one_types(wiki):
    html = text_of(wiki.get("/search?part&q=green"))
    assert "<mark>Green</mark>" in html
    assert "<header" not in html


def test_recall_draws_what_each_channel_gave(wiki):
    html = text_of(wiki.get("/recall?q=who+likes+tea"))
    widths = [float(each) for each in re.findall(r'width="([\d.]+)" height="4"', html)]
    assert widths
    assert all(0 < each <= 100 for each in widths)
    assert 'aria-label="Score' in html


def test_the_pieces_of_a_bar_are_together_the_score(wiki, ws):
    found = ws.recall("who likes tea", explain=True)
    assert found.hits and set(found.weights) <= set(found.hits[0].scores)
    for hit in found.hits:
        pieces = list(bars(hit, found.weights))
        assert sum(each.width for each in pieces) == pytest.approx(100 * hit.score, abs=0.1)
        assert all(each.name in (*found.weights, "more") for each in pieces)
    assert ws.recall("who likes tea").weights == {}


def test_looking_at_a_recall_counts_as_no_use(wiki, ws):
    wiki.get("/recall?q=who+likes+tea")
    assert ws.entries.get("m-aaaaaa").recalls == 0


def test_home_of_a_fresh_workspace_says_what_to_do_first(visit):
    html = text_of(visit().get("/"))
    assert "Three things to do first" in html
    assert html.count("<h3>") == 3


def test_home_of_a_fresh_workspace_asks_for_nothing_where_nothing_can_be_written(visit):
    html = text_of(visit(is_read_only=True).get("/"))
    assert "data-post" not in html
    assert "/new" not in html
    assert "Put markdown files into this folder" in html


def test_a_page_that_is_not_there_can_be_searched_for_and_written(wiki):
    html = wiki.get("/p/Green cup.md").text
    assert 'href="/search?q=Green%20cup.md"' in html
    assert 'href="/new?name=Green%20cup.md"' in html


def test_home_of_an_adopted_folder_shows_where_to_start(visit, put):
    put("Home.md", "---\nupdated: 2026-11-01\n---\n# Home\n\n[[Topic 1]] [[Missing]]\n")
    for number in range(30):
        put(f"notes/t{number}.md", f"# Topic {number}\n\n[[Home]] [[Missing]]\n")
    html = text_of(visit().get("/"))
    assert "Three things" not in html
    for title in ("Start here", "Most linked", "Recent", "Most wanted"):
        assert title.lower() in html.lower(), title


def test_check_shows_rules_then_findings_then_the_diff(wiki, put):
    put("bad.md", "---\ntags: a, b\n---\n# Bad\n\n[[tea]] [x](wiki/watre.md)\n")
    html = text_of(wiki.get("/check"))
    code = re.search(r'href="/check\?only=([\w-]+)"', html)[1]
    assert "bad.md" in text_of(wiki.get("/check?only=link-broken"))
    assert text_of(wiki.get(f"/check?only={code}&fix"))


def test_a_version_of_git_is_shown_and_compared(wiki, root):
    person = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "First words"]):
        subprocess.run(["git", *person, *words], cwd=root, check=True)
    (root / "tea.md").write_text("# Tea\n\nBlack.\n")
    (root / "new.md").write_text("# New\n")
    html = text_of(wiki.get("/p/tea.md?history"))
    rev = re.search(r"\?at=(\w+)", html)[1]
    assert "First words" in html
    before = text_of(wiki.get(f"/p/tea.md?at={rev}"))
    assert "Green." in before
    assert "as it was on" in before
    assert wiki.get(f"/p/new.md?at={rev}").status_code == 404  # it was not there
    diff = text_of(wiki.get(f"/p/tea.md?diff={rev}"))
    assert '<span class="plus">+Black.</span>' in diff


def test_attachments_are_what_their_bytes_say(wiki, put):
    put("a/pic.png", b"\x89PNG\r\n\x1a\n1234")
    put("a/page.html", b"<script>alert(1)</script>")
    put("a/lie.png", b"<svg onload=alert(1)>")
    put("a/draw.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>")
    put("a/paper.pdf", b"%PDF-1.7\n")
    assert wiki.get("/file/a/pic.png").headers["content-type"] == "image/png"
    assert wiki.get("/file/a/paper.pdf").headers["content-type"] == "application/pdf"
    assert "sandbox" in wiki.get("/file/a/pic.png").headers["content-security-policy"]
    policy = wiki.get("/file/a/paper.pdf").headers["content-security-policy"]
    assert "sandbox" not in policy and "default-src" not in policy  # with which none is shown
    for name in ("page.html", "lie.png", "draw.svg"):
        answer = wiki.get(f"/file/a/{name}")
        assert answer.headers["content-disposition"].startswith("attachment")
        assert "sandbox" in answer.headers["content-security-policy"]
        assert "html" not in answer.headers["content-type"]


def test_nothing_outside_of_the_workspace_is_served(wiki, root):
    (root.parent / "secret").write_text("outside")
    (root / ".git").mkdir()
    (root / ".git" / "config").write_text("outside")
    inside = (".memwiki/state/x", ".git/config", "a\0b")
    for path in ("../secret", "%2e%2e/secret", "/etc/passwd", *inside):
        for door in ("/file/", "/p/"):
            answer = wiki.get(f"{door}{path.replace(chr(0), '%00')}")
            assert answer.status_code in (302, 404, 422), answer.text
            assert "outside" not in answer.text, path


PRIVATE = """
--- open.md ---
# Open

Said [[Hidden]] to all.
--- hidden.md ---
---
private: true
tags: [whisper]
---
# Hidden

The password of the [[Open]] door.
"""
EVERY = [
    "/",
    "/p/hidden.md",
    "/p/Hidden",
    "/p/open.md",
    "/search?q=password",
    "/recall?q=password",
    "/api/suggest?q=hid",
    "/api/peek?path=hidden.md",
    "/api/mentions?path=open.md",
    "/tags",
    "/check",
    "/file/hidden.md",
    "/f/",
]


def test_what_is_private_is_withheld(write_blocks, visit):
    write_blocks(PRIVATE.strip("\n"))
    asked = visit()
    for address in EVERY:
        told = asked.get(address, follow_redirects=True).text
        assert "password of" not in told, address
        assert "whisper" not in told, address
        assert "/p/hidden.md" not in told.replace('href="/p/hidden.md#', ""), address


def test_the_journal_and_listings_are_given_as_files_without_what_names_something_private(
    put, visit
):
    put("memwiki.toml", '[layers]\nlog = "log.md"\n')
    put("hidden.md", "---\nprivate: true\n---\n# Hidden\n")
    put("log.md", "# Log\n\n## [2026-01-01] update | hidden.md\n\n## [2026-01-02] update | open\n")
    listing = "- [Hidden](hidden.md)\n- [Open](open.md)\n"
    put(
        "index.md",
        f"<!-- memwiki:catalog:begin -->\n# Index\n{listing}<!-- memwiki:catalog:end -->\n",
    )
    asked, whole = visit(), visit(has_private=True)
    assert asked.get("/file/log.md").text == "# Log\n\n## [2026-01-02] update | open\n"
    assert "hidden" not in asked.get("/file/index.md").text
    assert "open.md" in asked.get("/file/index.md").text
    for path in ("log.md", "index.md"):
        assert "hidden.md" in whole.get(f"/file/{path}").text
        assert asked.get(f"/p/{path}").status_code == 404


def test_what_is_private_is_shown_to_whoever_asked_for_it(write_blocks, visit):
    write_blocks(PRIVATE.strip("\n"))
    assert "The password of the" in visit(has_private=True).get("/p/hidden.md").text


def test_pages_of_other_namespaces_are_not_there(put, visit):
    put("memwiki.toml", '[layers]\nnamespaces = "namespaces"\n')
    put("namespaces/work/plan.md", "# Plan of work\n")
    put("namespaces/home/list.md", "# List of home\n")
    asked = visit(namespace="work")
    assert asked.get("/p/namespaces/work/plan.md").status_code == 200
    assert asked.get("/p/namespaces/home/list.md").status_code == 404
    assert "List of home" not in asked.get("/search?q=list").text


def test_charts_are_drawn_of_the_rows_of_a_terminal_and_have_their_tables(wiki):
    html = text_of(wiki.get("/trend?by=month"))
    assert 'href="/trend?by=month" aria-current="page"' in html
    assert (html.count("As a table"), html.count('class="bars"')) == (1, 3)
    assert html.count('role="img"') == html.count("<desc id=") == 1, "nothing was recalled yet"
    assert '<a href="/search?q=tag:drink">drink</a></th><td class="number">1</td>' in html
    assert "no date: the time of the file counts" in html
    assert text_of(wiki.get("/trend?by=century")).count("aria-current") == 1


def test_a_bar_leads_to_the_pages_of_its_type(visit, put):
    put("a.md", "---\ntype: how to\n---\n# A\n")
    put("b.md", "---\ntype: 'a \"b\" & c'\n---\n# B\n")
    put("c.md", "# How to\n\na b c\n")
    asking = visit()
    html = text_of(asking.get("/trend"))
    [lead] = [each for each in re.findall('href="(/search[^"]*)"', html) if "how" in each]
    assert re.findall('href="/p/([^"#]*)', text_of(asking.get(unescape(lead)))) == ["a.md"]
    assert "b%22" not in html, "no query says it: no link at all"


@for_each(
    ("text", "plain"),
    [
        ("- Likes tea. [created:: 2026-11-26] ^m-aaaaaa", "Likes tea."),
        ("> - quoted, a - b", "quoted, a - b"),
        ("## Use\nof `it`: ```sql\nDROP [^6]: note[^1]", "Use\nof it: DROP note"),
        ("| a | b |\n| --- | ---: |\n| 1 | 2 |", "a · b · 1 · 2"),
        ("cat x | grep y || z", "cat x | grep y || z"),
        ("As shown[^1] and proved", "As shown and proved"),
        ("Run ```make``` first", "Run make first"),
        ("The pattern `[^/]+` matches", "The pattern [^/]+ matches"),
        ("|x| is the absolute value", "|x| is the absolute value"),
        ("> 5 ms is a failure", "> 5 ms is a failure"),
        ("C# and #birds, `` a`b ``", "C# and #birds, `` a`b ``"),
    ],
)
def test_an_excerpt_has_no_marks_of_blocks(text, plain):
    assert plainly(text) == plain


def test_a_memory_names_what_may_contradict_it(visit, write_blocks):
    write_blocks("""
--- memory.md ---
# Memory

## Facts

- Anna likes green tea. [created:: 2026-01-01] ^m-aaaaaa
- Anna does not like green tea. [created:: 2026-02-01] ^m-bbbbbb
- Anna never likes green tea. [superseded_by:: m-bbbbbb] ^m-cccccc
- Bernd lives in Bremen. ^m-dddddd
""")
    html = text_of(visit().get("/m/m-aaaaaa"))
    named = html.partition("<h2>May contradict</h2>")[2].partition("</section>")[0]
    assert re.findall(r'href="/m/([^"]+)"', named) == ["m-bbbbbb"]
    assert "negation" in named
    near = html.partition("<h2>Near</h2>")[2].partition("</section>")[0]
    assert "m-bbbbbb" not in near, "it is named once"
    assert "m-aaaaaa" in text_of(visit().get("/m/m-bbbbbb")).partition("May contradict")[2]
    assert "May contradict" not in text_of(visit().get("/m/m-cccccc"))
    assert "May contradict" not in text_of(visit().get("/m/m-dddddd"))


@pytest.mark.parametrize("soon", [0, 60])
def test_a_check_says_how_far_it_is_until_it_is_done(wiki, monkeypatch, soon):
    monkeypatch.setattr("memwiki.web.pages.SOON_S", soon)
    html = text_of(wiki.get("/check"))
    begun, _, report = html.partition("pages checked")
    assert ('class="steps"' in begun) == (not soon)
    assert ("Looking" in begun) == (not soon)
    assert html.count("<h1>Check</h1>") == 1
    assert html.rstrip().endswith("</html>")
    assert "<table" in report


def test_a_check_that_fails_late_says_so_in_its_page(wiki, monkeypatch):
    def fail(*_, **__):
        raise MemwikiError("the index is being built", "try again")

    monkeypatch.setattr("memwiki.workspace.check.CheckFacet.run", fail)
    monkeypatch.setattr("memwiki.web.pages.SOON_S", 60)
    assert wiki.get("/check").status_code >= 400
    monkeypatch.setattr("memwiki.web.pages.SOON_S", 0)
    html = wiki.get("/check").text
    assert '<p class="notice bad">the index is being built: try again</p>' in html
    assert html.rstrip().endswith("</html>")


def test_the_home_of_one_page_does_not_say_that_there_is_none(put, visit):
    put("tea.md", "# Tea\n")
    html = text_of(visit().get("/"))
    assert "There is no page yet" not in html
    assert ">Tea</a>" in html and "/p/tea.md" in html


def test_a_chart_of_nothing_is_no_empty_panel(wiki):
    html = text_of(wiki.get("/trend"))
    recalls = html.partition("Recalls a week")[2].partition("</section>")[0]
    assert "None yet." in recalls
    assert "<svg" not in recalls


def test_a_long_path_breaks_between_its_folders(wiki):
    assert "wiki/<wbr>water.md" in text_of(wiki.get("/edit/wiki/water.md"))


def test_what_came_before_the_first_look_at_the_files_is_found_all_the_same(
    wiki, root, monkeypatch
):
    assert wiki.get("/p/tea.md").status_code == 200
    monkeypatch.setattr("memwiki.web.site.Events.follow", lambda *_: None)
    for path, there in (("wiki/cha.md", "/p/wiki/cha.md"), ("wiki/tea.md", "/p/wiki/tea.md")):
        wiki.site.served.index.ask_watcher(is_coming=True)
        with monkeypatch.context() as patch:
            patch.setattr(Context, "walk", lambda _: pytest.fail("it walked"))
            assert "Fujian" in wiki.get("/p/tea.md").text
        (root / path).write_text("# New here\n")
        assert "New here" in wiki.get(there, follow_redirects=False).text


def test_what_is_written_before_the_first_look_at_the_files_is_in_the_index(wiki):
    assert wiki.get("/p/tea.md").status_code == 200
    wiki.site.served.index.ask_watcher(is_coming=True)
    made = wiki.send_json("/api/new", name="Kombucha", text="Sour.")
    assert made.status_code == 200, made.text
    assert "Kombucha" in wiki.get("/search?q=kombucha").text
