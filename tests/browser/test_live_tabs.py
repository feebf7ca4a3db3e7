"""An open tab follows: the text, what is told of freshness, a server that goes and comes back."""

from __future__ import annotations

TEA = """
--- wiki/tea.md ---
# Tea

green

<details><summary>More</summary>leaves</details>

--- wiki/water.md ---
# Water

For [[tea]].
"""


def test_a_change_outside_is_seen_and_the_place_is_kept(root, write_blocks, serve, open_tab):
    write_blocks(TEA)
    place = root / "wiki/tea.md"
    place.write_text(place.read_text() + "\nlong\n" * 200)
    tab = open_tab(serve())
    tab.go("/p/wiki/tea.md")
    tab.page.click("summary:has-text('More')")
    tab.page.evaluate("() => window.scrollTo(0, 400)")
    for number in range(5):  # how soon: benchmarks/web.py
        place.write_text(place.read_text().replace("\nlong\n", f"\nheron {number}\n", 1))
        tab.wait(f"text=heron {number}", state="attached")
    assert tab.page.evaluate("() => window.scrollY") == 400
    assert tab.page.is_visible("text=leaves")
    tab.require_clean()


def test_of_a_long_table_only_what_changed_is_touched(root, write_blocks, serve, open_tab):
    def rows(said):
        lines = "".join(
            f"| {number} | {said if number == 7 else 'tea'} |\n" for number in range(400)
        )
        return f"# Rows\n\n| n | said |\n| --- | --- |\n{lines}"

    put = root / "rows.md"
    put.write_text(rows("tea"))
    tab = open_tab(serve())
    tab.go("/p/rows.md")
    tab.page.evaluate(
        """() => {
          const asked = Element.prototype.hasAttribute;
          window.visited = 0;
          Element.prototype.hasAttribute = function (name) {
            window.visited += name === "data-keep";
            return asked.call(this, name);
          };
        }"""
    )
    put.write_text(rows("coffee"))
    tab.wait("td:text-is('coffee')")
    assert 400 < tab.page.evaluate("() => window.visited") < 500  # each row, and not its cells


def test_a_new_link_from_another_page_appears(root, write_blocks, serve, open_tab):
    write_blocks(TEA)
    served = serve()
    tab = open_tab(served)
    tab.go("/p/wiki/tea.md")
    assert tab.page.locator(".backlinks > li").count() == 1
    served.run("append", "wiki/water.md", "Again for [[tea]].")
    (root / "wiki/cup.md").write_text("Of [[tea]].\n")
    tab.wait(".backlinks > li >> nth=1")
    tab.require_clean()


def test_a_page_that_is_moved_away_says_so_and_comes_back(root, write_blocks, serve, open_tab):
    write_blocks(TEA)
    served = serve()
    tab = open_tab(served)
    tab.go("/p/wiki/tea.md")
    served.run("delete", "wiki/tea.md")
    tab.wait("#gone")
    assert "green" in tab.text("#main")
    served.run("undo")
    tab.wait("#gone", state="detached")


COLOUR = """() => {
  const dot = getComputedStyle(document.getElementById("state"), "::before");
  return [dot.content, dot.backgroundColor];
}"""


def test_the_dot_tells_of_the_watcher_and_of_a_server_that_ended(
    root, write_blocks, serve, open_tab
):
    write_blocks(TEA)
    served = serve()
    tab = open_tab(served)
    tab.go("/p/wiki/tea.md")
    assert (
        tab.wait('#state:text-matches("up to date \\\\d\\\\d:")').get_attribute("data-kind")
        == "good"
    )
    good = tab.page.evaluate(COLOUR)
    served.process.kill()
    tab.wait("#state:has-text('server does not answer')")
    assert tab.page.get_attribute("#state", "data-kind") == "bad"
    assert tab.page.evaluate(COLOUR) != good


def test_a_tab_of_a_server_that_was_restarted_says_what_to_do(root, write_blocks, serve, open_tab):
    write_blocks(TEA)
    served = serve()
    tab = open_tab(served)
    tab.go("/p/wiki/tea.md")
    served.process.kill()
    served.process.wait()
    again = serve("--port", served.base.rpartition(":")[2])
    assert "Open the address" in tab.wait("#locked-out").inner_text()
    assert tab.text("#state") == "locked"
    asked = []
    tab.page.on("request", lambda request: asked.append(request.url.endswith("/api/suggest?q=")))
    tab.page.wait_for_timeout(5_000)
    assert sum(asked) <= 2, "ever less often"
    tab.page.context.new_page().goto(again.entrance)
    tab.wait("#locked-out", state="detached")


def test_a_hidden_tab_lets_go_and_looks_again_when_it_is_seen(root, write_blocks, serve, open_tab):
    write_blocks(TEA)
    tab = open_tab(serve())
    tab.go("/p/wiki/tea.md")
    tab.page.evaluate("() => window.dispatchEvent(new Event('pagehide'))")
    (root / "wiki/tea.md").write_text("# Tea\n\noolong\n")
    tab.page.wait_for_timeout(700)
    assert "oolong" not in tab.text("#main")
    tab.page.evaluate("() => window.dispatchEvent(new Event('pageshow'))")
    tab.wait("text=oolong")
    tab.require_clean()


HIDDEN = """
let is = "hidden";
Object.defineProperty(document, "visibilityState", { get: () => is });
addEventListener("seen", () => {
  is = "visible";
  document.dispatchEvent(new Event("visibilitychange"));
});
"""


def test_tabs_opened_in_the_background_take_no_connections(root, write_blocks, serve, open_tab):
    """A browser has six for all tabs of a server: with the seventh nothing would be answered."""
    write_blocks(TEA)
    served = serve()
    tab = open_tab(served)
    tab.page.context.add_init_script(HIDDEN)
    others = [tab.page.context.new_page() for _ in range(8)]
    for each in others:
        each.goto(served.address("/p/wiki/tea.md"))
    (root / "wiki/tea.md").write_text("# Tea\n\noolong\n")
    others[-1].evaluate("() => void dispatchEvent(new Event('seen'))")
    others[-1].wait_for_selector("text=oolong")
    tab.require_clean()


def test_the_map_says_of_when_it_is(serve, open_tab, put):
    put("a.md", "# A\n\n[[b]]\n")
    put("b.md", "# B\n")
    tab = open_tab(serve())
    tab.go("/graph?colour=folder")
    tab.wait("#graph[data-state=ready]")
    assert not tab.page.is_visible(".map-stale")
    put("c.md", "# C\n\n[[a]]\n")
    tab.wait('.map-stale:has-text("pages changed since")')
    assert "2 pages" in tab.text(".map-status"), "what was drawn stays"
    tab.page.click(".map-stale button")
    tab.wait('.map-status:has-text("3 pages")')
    assert tab.page.input_value("[name=colour]") == "folder"
    tab.require_clean()


def test_the_graph_beside_a_page_follows(root, write_blocks, serve, open_tab):
    write_blocks(TEA)
    tab = open_tab(serve())
    tab.go("/p/wiki/tea.md")
    tab.wait(".local-graph circle >> nth=1")
    (root / "wiki/cup.md").write_text("# Cup\n\nOf [[tea]].\n")
    tab.wait(".backlinks > li >> nth=1")
    tab.wait(".local-graph circle >> nth=2")
    assert tab.page.locator(".local-graph svg").count() == 1
    tab.require_clean()


def test_what_was_looked_for_stays_while_the_page_follows(root, write_blocks, serve, open_tab):
    write_blocks(TEA + "\n--- wiki/cup.md ---\n# Cup\n\nGreen tea.\n")
    tab = open_tab(serve())
    tab.go("/p/wiki/tea.md")
    tab.page.click(".mentions summary")
    tab.wait(".mentions a[href*='cup.md']")
    (root / "wiki/tea.md").write_text("# Tea\n\noolong\n")
    tab.wait("text=oolong")
    assert tab.page.is_visible(".mentions a[href*='cup.md']")
    tab.page.click(".mentions summary")
    (root / "wiki/cup.md").write_text("# Cup\n\nClay.\n")
    tab.page.click(".mentions summary")
    tab.wait(".mentions :text('No other page')")
    tab.require_clean()


MEMORY = """
--- memory.md ---
# Memory

- The meeting is on Monday. ^m-aaaaaa
"""


def test_what_is_typed_over_a_memory_takes_the_place_of_no_words_that_were_not_read(
    root, write_blocks, serve, open_tab, space
):
    write_blocks(MEMORY)
    tab = open_tab(serve())
    tab.go("/m/m-aaaaaa")
    tab.page.focus("#words")
    space.entries.update("m-aaaaaa", "The meeting is on Tuesday.")
    tab.wait("h1:has-text('Tuesday')")
    tab.page.fill("#words", "The meeting is on Monday at 9.")
    tab.page.focus("#q")
    space.entries.update("m-aaaaaa", "The meeting is on Wednesday.")
    tab.wait("form .notice:has-text('The meeting is on Wednesday.')")
    assert tab.page.input_value("#words") == "The meeting is on Monday at 9."
    tab.page.click("button[value=update]")
    tab.wait("form .notice:has-text('what you typed is kept')")
    assert space.entries.get("m-aaaaaa").text == "The meeting is on Wednesday."
    tab.page.click("button[value=update]")
    tab.wait("h1:has-text('Monday at 9')")


def test_words_that_nobody_typed_over_follow(root, write_blocks, serve, open_tab, space):
    write_blocks(MEMORY)
    tab = open_tab(serve())
    tab.go("/m/m-aaaaaa")
    space.entries.update("m-aaaaaa", "The meeting is on Tuesday.")
    tab.wait("h1:has-text('Tuesday')")
    tab.page.fill("#words", tab.page.input_value("#words") + " At 9.")
    tab.page.click("button[value=update]")
    tab.wait("h1:has-text('The meeting is on Tuesday. At 9.')")
    tab.require_clean()


def test_what_is_typed_below_a_page_is_added_to_it_as_it_is(root, write_blocks, serve, open_tab):
    write_blocks(TEA)
    tab = open_tab(serve())
    tab.go("/p/wiki/tea.md")
    tab.page.click("summary:has-text('Add, move')")
    tab.page.fill("#more", "Hot.")
    tab.page.focus("#q")
    (root / "wiki/tea.md").write_text("# Tea\n\noolong\n")
    tab.wait("text=oolong")
    tab.page.click("button:has-text('Add')")
    tab.wait("text=Hot.")
    assert (root / "wiki/tea.md").read_text() == "# Tea\n\noolong\n\nHot.\n"
    tab.require_clean()


def test_what_is_typed_for_today_is_kept_when_another_one_begins_the_page(
    root, write_blocks, serve, open_tab
):
    write_blocks("\n--- memwiki.toml ---\n[layers]\ndaily = 'daily'\n")
    served = serve()
    tab = open_tab(served)
    tab.go("/today")
    tab.page.fill("form [name=text]", "Met Ann.")
    served.run("today", "Of an agent.")
    tab.wait(".notice:has-text('another one now')")
    tab.page.click("button:has-text('Write it')")
    tab.wait("text=Met Ann.")
    (page,) = (root / "daily").glob("*.md")
    assert "Of an agent." in page.read_text() and "Met Ann." in page.read_text()
    tab.require_clean()


def test_what_asks_for_a_yes_stays_what_was_read(root, write_blocks, serve, open_tab):
    write_blocks(MEMORY)
    served = serve()
    served.run("add", "The first of two.")
    tab = open_tab(served)
    tab.go("/log?undo")
    served.run("add", "An agent wrote this.")
    tab.wait(".notice:has-text('something else now')")
    assert "The first of two." in tab.text(".diff")
    tab.page.click("button:has-text('Undo this')")
    tab.wait(".notice.bad:has-text('another one now')")
    served.run("undo")
    tab.wait(".notice:has-text('something else now')", state="detached")
    tab.page.click("button:has-text('Undo this')")
    tab.page.wait_for_url("**/log")
    assert "The first of two." not in (root / "memory.md").read_text()


def test_other_words_for_a_proposal_stay_while_pages_change(
    root, write_blocks, serve, open_tab, space
):
    write_blocks(TEA)
    operations = [{"do": "add_entry", "text": f"Tea is {how}.", "lines": [3]} for how in "ab"]
    proposal = space.proposals.propose(operations, source="wiki/tea.md").id
    tab = open_tab(serve())
    tab.go(f"/review/{proposal}")
    tab.page.keyboard.press("j")
    tab.page.keyboard.press("e")
    tab.page.fill(".operations textarea", "Tea is green")
    with tab.page.expect_response(lambda answer: answer.url.endswith(proposal)):
        (root / "wiki/cup.md").write_text("# Cup\n")
    tab.page.focus("#q")
    tab.page.wait_for_timeout(300)
    assert tab.page.input_value(".operations textarea") == "Tea is green"
    assert tab.page.locator(".operations .is-at[data-n='2']").count() == 1
    tab.require_clean()
