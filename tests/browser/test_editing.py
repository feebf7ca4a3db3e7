"""Writing in the browser: saved, merged with what others write, kept where it cannot be."""

from __future__ import annotations

import re
from collections import Counter

from tests.browser.serving import Served, Tab
from tests.browser.together import LOG, edit, written_together
from tests.waiting import until

TEA = """
--- wiki/tea.md ---
# Tea

green
black
white

--- wiki/water.md ---
# Water

- [ ] boil
- [ ] pour

--- AGENTS.md ---
Work well.
"""

WRITING = re.compile("/api/(merge|write)$")


def lines_of(place):
    return place.read_text("utf-8").split("\n")


def type_at_end(tab, text):
    tab.page.keyboard.press("Control+End")
    tab.page.keyboard.type(text)


def save(tab):
    tab.page.keyboard.press("Control+s")
    tab.wait('#saved:text-matches("^saved ")')


def test_what_is_typed_is_saved_and_can_be_undone(root, write_blocks, serve, open_tab):
    write_blocks(TEA)
    served = serve()
    tab = open_tab(served)
    edit(tab, "wiki/tea.md")
    type_at_end(tab, "oolong")
    assert tab.text("#saved") == "not saved"
    save(tab)
    assert "oolong" in lines_of(root / "wiki/tea.md")
    served.run("undo")
    tab.wait('#saved:text-matches("changed outside")')
    assert "oolong" not in tab.text(".cm-content")
    tab.require_clean()


def test_line_ends_and_marks_of_a_file_stay(root, serve, open_tab):
    text = b"\xef\xbb\xbf# Tea\r\n\r\ngreen\tone\r\n"
    (root / "tea.md").write_bytes(text)
    tab = open_tab(serve())
    edit(tab, "tea.md")
    type_at_end(tab, "black\n")
    save(tab)
    assert (root / "tea.md").read_bytes() == text + b"black\r\n"
    tab.require_clean()


def test_a_change_outside_in_other_lines_is_merged_while_one_types(
    root, write_blocks, serve, open_tab
):
    write_blocks(TEA)
    tab = open_tab(serve())
    edit(tab, "wiki/tea.md")
    type_at_end(tab, "oolong")
    place = root / "wiki/tea.md"
    place.write_text(place.read_text().replace("green", "GREEN"))
    assert "both changes are in the text" in tab.wait("#notice-outside").inner_text()
    save(tab)
    assert {"GREEN", "oolong"} <= {*lines_of(root / "wiki/tea.md")}
    tab.require_clean()


def conflicting(root, tab):
    """The same line changed here and outside."""
    edit(tab, "wiki/tea.md")
    tab.page.keyboard.press("Control+Home")
    tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("End")
    tab.page.keyboard.type(" mine")
    place = root / "wiki/tea.md"
    place.write_text(place.read_text().replace("green", "green theirs").replace("white", "WHITE"))
    tab.wait("#notice-outside:has-text('Compare')")
    tab.page.keyboard.press("Control+s")
    tab.wait("#compare h2")
    # The answer to saving was a conflict, which the browser counts as a failure.
    tab.problems = [each for each in tab.problems if "409" not in each]
    return place


def test_both_versions_are_shown_and_mine_is_saved_with_the_rest_of_theirs(
    root, write_blocks, serve, open_tab
):
    write_blocks(TEA)
    tab = open_tab(serve())
    place = conflicting(root, tab)
    assert "green theirs" in tab.text(".cm-merge-a .cm-content")
    tab.page.get_by_role("button", name="Save this").click()
    tab.wait('#saved:text-matches("^saved ")')
    assert lines_of(place) == ["# Tea", "", "green mine", "black", "WHITE", ""]
    tab.require_clean()


def test_the_lines_of_the_file_are_taken_by_keys_on_a_narrow_screen(
    root, write_blocks, serve, open_tab
):
    write_blocks(TEA)
    tab = open_tab(serve(), viewport={"width": 320, "height": 700})
    place = conflicting(root, tab)
    tab.page.get_by_role("button", name="Next difference").press("Enter")
    tab.page.keyboard.press("Alt+ArrowLeft")
    tab.wait("#compare [role=status]:has-text('no difference')")
    tab.page.get_by_role("button", name="Save this").press("Enter")
    tab.wait('#saved:text-matches("^saved ")')
    assert lines_of(place) == ["# Tea", "", "green theirs", "black", "WHITE", ""]
    tab.require_clean()


def test_what_came_in_while_saving_stands_once(root, write_blocks, serve, open_tab):
    """What was merged for the draft is answered only when it is being saved."""
    write_blocks(TEA)
    place, tab = root / "wiki/tea.md", open_tab(serve())
    edit(tab, "wiki/tea.md")
    held, let_go = [], []

    def hold(route):
        answer = route.fetch()
        if let_go:
            route.fulfill(response=answer)
        else:
            held.append((route, answer))

    tab.page.route(WRITING, hold)
    type_at_end(tab, "oolong\n")
    place.write_text(place.read_text().replace("green", "from outside\ngreen"))
    until(lambda: tab.page.wait_for_timeout(20) or held)
    tab.page.keyboard.press("Control+s")
    tab.page.wait_for_timeout(300)
    let_go.append("all that comes now")
    for route, answer in held:
        route.fulfill(response=answer)
        tab.page.wait_for_timeout(100)
        type_at_end(tab, "and more\n")
    save(tab)
    assert Counter(lines_of(place))["from outside"] == 1
    tab.require_clean()
    tab.page.unroute_all(behavior="ignoreErrors")  # or one would be told in the test after it


def test_what_was_saved_without_an_answer_stands_once(root, write_blocks, serve, open_tab):
    write_blocks(TEA)
    tab = open_tab(serve())
    edit(tab, "wiki/tea.md")
    tab.page.route(WRITING, lambda route: route.fetch() and route.abort())
    type_at_end(tab, "oolong\n")
    tab.page.keyboard.press("Control+s")
    tab.wait("#notice-failed")
    type_at_end(tab, "sencha\n")
    tab.page.unroute_all(behavior="wait")
    save(tab)
    assert lines_of(root / "wiki/tea.md")[-3:] == ["oolong", "sencha", ""]


def test_what_is_typed_after_a_conflict_is_compared_too(root, write_blocks, serve, open_tab):
    write_blocks(TEA)
    tab = open_tab(serve())
    edit(tab, "wiki/tea.md")
    tab.page.keyboard.press("Control+Home")
    tab.page.keyboard.press("End")
    tab.page.keyboard.type(" mine")
    place = root / "wiki/tea.md"
    place.write_text(place.read_text().replace("# Tea", "# Tea theirs"))
    tab.wait("#notice-outside:has-text('Compare')")
    tab.page.keyboard.type(" and more")
    tab.page.get_by_role("button", name="Compare").click()
    assert "# Tea mine and more" in tab.wait(".cm-merge-b .cm-content").inner_text()
    tab.require_clean()


def test_line_ends_that_differ_stay_whole(root, serve, open_tab):
    place = root / "tea.md"
    place.write_bytes(b"# Tea\r\ngreen\nblack\r\nwhite\n")
    tab = open_tab(serve())
    edit(tab, "tea.md")
    keys = ("Control+Home", "End", "Z", "ArrowRight", "Y", "ArrowLeft", "ArrowLeft", "X")
    for key in (*keys, "ArrowDown", "ArrowDown", "End", "End", "W", "Delete", "V"):
        tab.page.keyboard.press(key)
    save(tab)
    assert place.read_bytes() == b"# TeaZX\r\nYgreen\nblackWVwhite\n"
    tab.require_clean()


def test_a_draft_is_offered_again_and_merged_with_what_changed(root, write_blocks, serve, open_tab):
    write_blocks(TEA)
    tab = open_tab(serve())
    edit(tab, "wiki/tea.md")
    type_at_end(tab, "oolong")
    until(lambda: "oolong" in tab.page.evaluate("() => JSON.stringify(localStorage)"))
    tab.go("/p/wiki/water.md")
    place = root / "wiki/tea.md"
    place.write_text(place.read_text().replace("green", "GREEN"))
    tab.go("/edit/wiki/tea.md")
    tab.wait("#notice-draft")
    tab.page.get_by_role("button", name="Go on with it").click()
    tab.wait("#notice-outside")
    save(tab)
    assert {"GREEN", "oolong"} <= {*lines_of(place)}
    tab.go("/edit/wiki/tea.md")
    assert not tab.page.is_visible("#notice-draft")
    tab.require_clean()


def left_with_a_draft(tab, text):
    """The editor of the page again, which offers a draft with this text at its end."""
    edit(tab, "wiki/tea.md")
    type_at_end(tab, text)
    until(lambda: text in tab.page.evaluate("() => JSON.stringify(localStorage)"))
    tab.go("/p/wiki/water.md")
    edit(tab, "wiki/tea.md")
    tab.wait("#notice-draft")


def test_what_was_typed_before_a_draft_took_its_place_comes_back(
    root, write_blocks, serve, open_tab
):
    write_blocks(TEA)
    tab = open_tab(serve())
    left_with_a_draft(tab, "oolong")
    type_at_end(tab, "sencha")
    tab.page.get_by_role("button", name="Go on with it").click()
    tab.wait('.cm-content:has-text("oolong")')
    assert "sencha" not in tab.text(".cm-content")
    tab.page.keyboard.press("Control+z")
    tab.wait('.cm-content:has-text("sencha")')
    tab.require_clean()


def kept_here(tab, text):
    until(lambda: text in tab.page.evaluate("() => JSON.stringify(localStorage)"))


def test_a_draft_waits_until_it_is_decided_whatever_is_typed(root, write_blocks, serve, open_tab):
    write_blocks(TEA)
    tab = open_tab(serve())
    left_with_a_draft(tab, "oolong")
    type_at_end(tab, "sencha")
    kept_here(tab, "sencha")
    kept_here(tab, "oolong")
    edit(tab, "wiki/tea.md")  # with neither decided: both are offered
    tab.wait("#notice-draft-2")
    tab.page.locator("#notice-draft").get_by_role("button", name="Throw it away").click()
    kept = tab.page.evaluate("() => JSON.stringify(localStorage)")
    assert "oolong" not in kept
    assert "sencha" in kept
    edit(tab, "wiki/tea.md")
    tab.page.get_by_role("button", name="Go on with it").click()
    tab.wait('.cm-content:has-text("sencha")')
    save(tab)
    assert "sencha" in lines_of(root / "wiki/tea.md")
    assert "sencha" not in tab.page.evaluate("() => JSON.stringify(localStorage)")
    tab.require_clean()


def test_what_is_written_while_two_versions_are_compared_is_kept(
    root, write_blocks, serve, open_tab
):
    write_blocks(TEA)
    tab = open_tab(serve())
    conflicting(root, tab)
    tab.page.focus(".cm-merge-b .cm-content")
    type_at_end(tab, "puerh")
    until(lambda: "puerh" in tab.page.evaluate("() => JSON.stringify(localStorage)"))
    tab.go("/edit/wiki/tea.md")
    tab.page.get_by_role("button", name="Go on with it").click()
    text = tab.wait('.cm-content:has-text("puerh")').inner_text()
    assert "green mine" in text
    assert "WHITE" in text
    tab.require_clean()


def test_nothing_is_saved_while_it_is_not_known_what_was(root, write_blocks, serve, open_tab):
    """Of what a save made of the file nothing came back, and when asked the server fails once."""
    write_blocks(TEA)
    tab = open_tab(serve())
    edit(tab, "wiki/tea.md")
    tab.page.route("**/api/write", lambda route: route.fetch() and route.abort())
    tab.page.route("**/api/merge", lambda route: route.abort())
    type_at_end(tab, "oolong\n")
    tab.page.keyboard.press("Control+s")
    tab.wait("#notice-failed")
    type_at_end(tab, "sencha\n")
    tab.page.unroute("**/api/write")
    tab.page.get_by_role("button", name="Close this").click()
    tab.page.keyboard.press("Control+s")
    tab.wait("#notice-failed")
    tab.page.unroute_all(behavior="wait")
    save(tab)
    assert lines_of(root / "wiki/tea.md")[-3:] == ["oolong", "sencha", ""]
    assert not tab.page.is_visible("#compare h2")


def test_a_save_that_nobody_answers_ends(root, write_blocks, serve, open_tab):
    write_blocks(TEA)
    tab = open_tab(serve())
    tab.page.clock.install()
    edit(tab, "wiki/tea.md")
    held = []

    def hold(route):
        held.append(route)

    tab.page.route("**/api/write", hold)
    type_at_end(tab, "oolong\n")
    tab.page.keyboard.press("Control+s")
    until(lambda: tab.page.wait_for_timeout(20) or held)
    tab.page.clock.fast_forward(60_000)
    assert "in time" in tab.wait("#notice-failed").inner_text()
    tab.page.unroute("**/api/write")
    save(tab)
    assert lines_of(root / "wiki/tea.md")[-2:] == ["oolong", ""]


def test_line_ends_from_outside_stay_as_they_are(root, serve, open_tab):
    place = root / "tea.md"
    place.write_bytes(b"# Tea\r\n\r\ngreen\r\nblack\r\n")
    tab = open_tab(serve())
    edit(tab, "tea.md")
    type_at_end(tab, "oolong")
    place.write_bytes(b"# Tea\r\nfrom outside\n\r\ngreen\r\nblack\r\n")
    tab.wait("#notice-outside")
    tab.page.keyboard.type("!")
    save(tab)
    assert place.read_bytes() == b"# Tea\r\nfrom outside\n\r\ngreen\r\nblack\r\noolong!"
    tab.require_clean()


def test_a_page_that_goes_away_can_be_made_again(root, write_blocks, serve, open_tab):
    write_blocks(TEA)
    tab = open_tab(serve())
    edit(tab, "wiki/tea.md")
    type_at_end(tab, "oolong")
    (root / "wiki/tea.md").unlink()
    assert "deleted outside" in tab.wait("#notice-outside").inner_text()
    save(tab)
    assert "oolong" in lines_of(root / "wiki/tea.md")


def test_links_and_tags_complete(root, write_blocks, serve, open_tab):
    write_blocks(TEA + "--- wiki/leaf.md ---\n---\ntags: [garden]\n---\n# Green leaf\n")
    tab = open_tab(serve())
    edit(tab, "wiki/tea.md")
    type_at_end(tab, "\nSee [[green")
    tab.wait(".cm-tooltip-autocomplete li")
    tab.page.wait_for_timeout(150)  # what pops up under a key is not taken by it
    tab.page.keyboard.press("Enter")
    tab.page.keyboard.type(" and #gar")
    tab.wait('.cm-tooltip-autocomplete li:has-text("garden")')
    tab.page.wait_for_timeout(150)
    tab.page.keyboard.press("Enter")
    save(tab)
    assert lines_of(root / "wiki/tea.md")[-1] == "See [[leaf|Green leaf]] and #garden"
    tab.require_clean()


def test_front_matter_is_no_heading(root, serve, open_tab):
    (root / "tea.md").write_text("---\ntitle: Green tea\n---\n# Tea\n\nword\n---\n")
    tab = open_tab(serve())
    edit(tab, "tea.md")
    headings = " ".join(tab.page.locator(".cm-content .md-heading").all_inner_texts())
    assert "title" not in headings
    assert "Tea" in headings
    assert "word" in headings, "further down it is one"
    assert "title: Green tea" in tab.page.locator(".cm-content .md-mark").all_inner_texts()
    tab.require_clean()


def test_the_preview_follows(root, write_blocks, serve, open_tab):
    write_blocks(TEA)
    tab = open_tab(serve())
    edit(tab, "wiki/tea.md")
    type_at_end(tab, "\n## Oolong\n\n[[water]] and [[nowhere]]")
    assert tab.wait("#preview h2").inner_text() == "Oolong"
    assert tab.wait("#preview a:has-text('water')").get_attribute("href") == "/p/wiki/water.md"
    tab.require_clean()


def test_what_is_protected_says_so(root, write_blocks, serve, open_tab):
    write_blocks(TEA)
    tab = open_tab(serve())
    tab.go("/edit/AGENTS.md")
    assert "tells agents how to work" in tab.text("#writing .notice")
    assert tab.page.is_disabled("#save")
    tab.page.focus(".cm-content")
    tab.page.keyboard.type("x")
    assert tab.text(".cm-content").startswith("Work well.")


def test_a_task_is_ticked_on_its_page(root, write_blocks, serve, open_tab):
    write_blocks(TEA)
    tab = open_tab(serve())
    tab.go("/p/wiki/water.md")
    tab.page.locator(".md-task input").nth(1).check()
    tab.wait(".md-task.md-done input:checked")
    assert lines_of(root / "wiki/water.md")[2:4] == ["- [ ] boil", "- [x] pour"]
    tab.page.locator(".md-task input").nth(0).check()
    tab.page.wait_for_selector(".md-task.md-done >> nth=1")
    assert lines_of(root / "wiki/water.md")[2:4] == ["- [x] boil", "- [x] pour"]
    tab.require_clean()


def test_a_task_is_ticked_beside_those_of_a_page_that_is_shown_within(
    root, write_blocks, serve, open_tab
):
    write_blocks(TEA + "\n--- wiki/day.md ---\n# Day\n\n- [ ] rest\n\n![[water]]\n")
    tab = open_tab(serve())
    tab.go("/p/wiki/day.md")
    tab.page.click(".prose > ul input")
    until(lambda: "- [x] rest" in (root / "wiki/day.md").read_text())
    assert tab.page.locator(".md-embed input:disabled").count() == 2
    tab.require_clean()


def test_a_line_is_added_and_a_page_renamed_beside_its_text(root, write_blocks, serve, open_tab):
    write_blocks(TEA)
    tab = open_tab(serve())
    tab.go("/p/wiki/tea.md")
    tab.page.click("summary:has-text('Add, move or rename')")
    tab.page.fill("#more", "oolong")
    tab.page.click("button:text-is('Add')")
    tab.wait(".prose :text('oolong')")
    if not tab.page.is_visible("#to"):
        tab.page.click("summary:has-text('Add, move or rename')")
    tab.page.fill("#to", "wiki/chai.md")
    tab.page.click("button:has-text('Move')")
    tab.page.wait_for_url("**/p/wiki/chai.md")
    assert lines_of(root / "wiki/chai.md")[-2:] == ["oolong", ""]


def test_two_tabs_an_editor_and_append_lose_no_line(root, write_blocks, serve, open_tab):
    """Each writer notes what it has saved; at the end all of it is there."""
    write_blocks(f"--- log.md ---\n{LOG}")
    served = serve()
    saved, missing = written_together(served, [open_tab(served), open_tab(served)], seconds=5)
    assert saved
    assert not missing, (root / "log.md").read_text("utf-8")


def test_a_draft_waits_for_the_next_server(root, write_blocks, browser):
    write_blocks(TEA)
    with browser.new_context() as context:
        with Served(root) as first:
            tab = entered(context, first)
            edit(tab, "wiki/tea.md")
            type_at_end(tab, "draft")
            until(lambda: "draft" in tab.page.evaluate("() => Object.values(localStorage).join()"))
            tab.page.close()
        with Served(root) as second:
            assert second.base == first.base, "the port is that of the workspace"
            tab = entered(context, second)
            edit(tab, "wiki/tea.md")
            tab.page.get_by_role("button", name="Go on with it").click()
            tab.wait('.cm-content:has-text("draft")')
            tab.page.close()


def entered(context, served):
    """A tab that has the key of this server."""
    page = context.new_page()
    page.goto(served.entrance)
    page.wait_for_selector("#state[data-kind]", state="attached")
    return Tab(page, served)
