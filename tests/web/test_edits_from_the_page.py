"""What is changed from the browser: based on what was shown, or refused."""

from __future__ import annotations

import re

import pytest

from memwiki.web.app import ROUTES
from memwiki.web.views import writing
from tests.web.test_entrance import filled

_JSON = {"content-type": "application/json"}


def digest_of_page(asked, path: str) -> str:
    return re.search(r'data-digest="(\w+)"', asked.get(f"/p/{path}").text)[1]


@pytest.fixture
def tea(put, visit):
    put("memwiki.toml", '[layers]\nlog = "log.md"\ndaily = "daily"\n')
    put("tea.md", "# Tea\n\nGreen.\n\n- [ ] buy\n- [ ] boil\n")
    put("water.md", "# Water\n\nFor [[tea]].\n")
    put("memory.md", "# Memory\n\n## Facts\n\n- Likes tea. ^m-aaaaaa\n")
    return visit()


WRITING = [row for row in ROUTES if row.writes]


def test_read_only_changes_nothing(visit, root, put):
    put("tea.md", "# Tea\n")
    asked = visit(is_read_only=True)
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    body = {"path": "tea.md", "name": "new", "text": "x", "base": "# Tea\n", "expect": "0" * 16}
    for row in WRITING:
        assert asked.send_json(filled(row.path), **body, action="add").status_code == 405, row
        now = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
        assert now == before, row


def test_every_post_but_the_session_is_marked_as_writing():
    posts = {row.path for row in ROUTES if row.method == "POST"}
    assert {row.path for row in WRITING} == posts - {"/session"}


def test_a_body_that_says_nothing_is_refused(tea, root):
    for row in WRITING:
        before = (root / "tea.md").read_bytes()
        answer = tea.send_json(filled(row.path))
        if row.path != "/api/today":  # which needs no words
            assert answer.status_code in (400, 428), answer.text
            assert answer.json()["error"]["hint"], row
        assert (root / "tea.md").read_bytes() == before, row


def test_a_text_is_written_where_nothing_changed(tea, root):
    base = (root / "tea.md").read_text()
    answer = tea.send_json("/api/write", path="tea.md", text="# Tea\n\nBlack.\n", base=base)
    assert answer.json()["paths"] == ["tea.md"]
    assert (root / "tea.md").read_text() == "# Tea\n\nBlack.\n"


def test_changes_of_other_lines_are_merged_and_of_the_same_refused(tea, root):
    base = (root / "tea.md").read_text()
    (root / "tea.md").write_text(base + "\nAnd cups.\n")
    mine = base.replace("Green.", "Black.")
    answer = tea.send_json("/api/write", path="tea.md", text=mine, base=base)
    assert answer.json()["merged"] == ["tea.md"]
    assert (root / "tea.md").read_text() == mine + "\nAnd cups.\n"
    other = base.replace("Green.", "White.")
    refused = tea.send_json("/api/write", path="tea.md", text=other, base=base)
    assert refused.status_code == 409
    assert "Black." in (root / "tea.md").read_text()


def test_a_dry_run_shows_the_diff_alone(tea, root):
    base = (root / "tea.md").read_text()
    body = {"path": "tea.md", "text": "# Tea\n", "base": base, "dry_run": True}
    assert "-Green." in tea.send_json("/api/write", **body).json()["diff"]
    assert (root / "tea.md").read_text() == base


def test_a_task_is_ticked_on_its_line(tea, root):
    digest = digest_of_page(tea, "tea.md")
    answer = tea.send_json("/api/task", path="tea.md", line=6, done=True, expect=digest)
    assert answer.status_code == 200, answer.text
    assert (root / "tea.md").read_text().endswith("- [ ] buy\n- [x] boil\n")
    again = tea.send_json("/api/task", path="tea.md", line=6, done=False, expect=digest)
    assert again.status_code == 409
    digest = digest_of_page(tea, "tea.md")
    no_task = tea.send_json("/api/task", path="tea.md", line=1, done=True, expect=digest)
    assert no_task.status_code == 400


def test_a_page_is_made_and_no_other_is_written_over(tea, root):
    made = tea.send_json("/api/new", name="Cup", tags="dish, clay", text="Holds tea.")
    path = made.json()["paths"][0]
    assert "Holds tea." in (root / path).read_text()
    assert tea.send_json("/api/new", name="Cup", text="x").status_code == 409


def test_a_line_is_added_to_the_version_that_was_shown(tea, root):
    digest = digest_of_page(tea, "water.md")
    asked = {"name": "water.md", "text": "Boiled.", "expect": digest}
    assert tea.send_json("/api/append", **asked).json()["paths"] == ["water.md"]
    assert (root / "water.md").read_text() == "# Water\n\nFor [[tea]].\n\nBoiled.\n"
    assert tea.send_json("/api/append", **asked).status_code == 409
    asked = {"name": "memory.md", "text": "- Likes cups.", "section": "Facts"}
    assert tea.send_json("/api/append", **asked).status_code == 428


def test_a_page_is_moved_with_the_links_to_it(tea, root):
    digest = digest_of_page(tea, "tea.md")
    asked = {"name": "tea.md", "to": "drinks/chai.md", "expect": digest}
    shown = tea.send_json("/api/move", **asked, dry_run=True).json()
    assert "+For [[chai]]." in shown["diff"]
    assert (root / "tea.md").exists()
    assert tea.send_json("/api/move", **asked | {"expect": "0" * 16}).status_code == 409
    assert tea.send_json("/api/move", **asked).json()["paths"][0] == "drinks/chai.md"
    assert "[[chai]]" in (root / "water.md").read_text()
    assert tea.get("/p/drinks/chai.md").status_code == 200


def test_the_last_change_is_taken_back_as_it_was_shown(tea, root):
    base = (root / "tea.md").read_text()
    tea.send_json("/api/write", path="tea.md", text=f"{base}More.\n", base=base)
    html = tea.get("/log?undo").text
    assert '<span class="minus">-More.</span>' in html
    etag = re.search(r'name="expect" value="(\w+)"', html)[1]
    assert tea.send_json("/api/undo", expect="0" * 16).status_code == 409
    assert tea.send_json("/api/undo", expect=etag).status_code == 200
    assert "More." not in (root / "tea.md").read_text()


@pytest.fixture
def meanwhile(monkeypatch):
    """Let something happen once, as soon as a change was compared with the one that was shown."""
    compared = writing.etag_of

    def then(do):
        def etag_of(diff):
            monkeypatch.setattr(writing, "etag_of", compared)
            do()
            return compared(diff)

        monkeypatch.setattr(writing, "etag_of", etag_of)

    return then


def test_nothing_is_taken_back_that_was_not_shown_whatever_is_done_meanwhile(
    tea, ws, root, meanwhile
):
    base = (root / "tea.md").read_text()
    tea.send_json("/api/write", path="tea.md", text=f"{base}More.\n", base=base)
    etag = re.search(r'name="expect" value="(\w+)"', tea.get("/log?undo").text)[1]
    meanwhile(lambda: ws.pages.append("water.md", "Boiled."))
    assert tea.send_json("/api/undo", expect=etag).status_code == 409
    assert "Boiled." in (root / "water.md").read_text()


def test_what_is_fixed_is_what_was_shown_whatever_is_written_meanwhile(tea, root, put, meanwhile):
    put("drinks/cup.md", "# Cup\n\n[w](Water.md)\n")
    code = "link-case"
    html = tea.get(f"/check?only={code}&fix").text
    etag = re.search(r'name="expect" value="(\w+)"', html)[1]
    meanwhile(lambda: put("drinks/cup.md", "# Cup\n\n[w](Water.md)\n\n[v](Water.md)\n"))
    tea.send_json("/api/check-fix", only=code, expect=etag)
    assert "[v](Water.md)" in (root / "drinks/cup.md").read_text()


def test_findings_are_fixed_as_they_were_shown(tea, root, put):
    put("drinks/cup.md", "# Cup\n\n[x](../watre.md)\n[w](Water.md)\n")
    for code in re.findall(r"only=([\w-]+)&amp;fix", tea.get("/check").text):
        html = tea.get(f"/check?only={code}&fix").text
        etag = re.search(r'name="expect" value="(\w+)"', html)
        if etag:
            assert tea.send_json("/api/check-fix", only=code, expect="0" * 16).status_code == 409
            done = tea.send_json("/api/check-fix", only=code, expect=etag[1])
            assert done.status_code == 200, done.text
            assert done.json()["paths"]
            return
    pytest.fail("nothing could be fixed")


def test_a_memory_is_added_reworded_superseded_and_deleted(tea, root):
    assert tea.send_json("/api/entry", action="add", text="Meets on Mondays.").status_code == 200
    assert "Meets on Mondays." in (root / "memory.md").read_text()
    for action, text in (("update", "Likes green tea."), ("supersede", "Likes black tea.")):
        body = {"action": action, "text": text, **shown_memory(tea)}
        assert tea.send_json("/api/entry", **body).status_code == 200
        assert text in (root / "memory.md").read_text()
    stale = tea.send_json("/api/entry", **body | {"action": "delete"})
    assert stale.status_code == 409
    body = {"action": "delete", **shown_memory(tea)}
    assert tea.send_json("/api/entry", **body | {"action": "eat"}).status_code == 400
    assert tea.send_json("/api/entry", **body).status_code == 200


def shown_memory(tea):
    """The hidden fields of the form of a memory."""
    html = tea.get("/m/m-aaaaaa").text
    return {name: re.search(f'name="{name}" value="([^"]*)"', html)[1] for name in SHOWN}


SHOWN = ("name", "expect", "base")


def test_a_memory_that_was_changed_since_it_was_shown_keeps_both_texts(tea, ws, root):
    shown = {"action": "update", "text": "Likes tea at 9.", **shown_memory(tea)}
    ws.entries.add("Something else on the same page.")
    assert tea.send_json("/api/entry", **shown).status_code == 200
    shown["text"] = "Likes tea at 10."
    for _ in range(2):
        refused = tea.send_json("/api/entry", **shown)
        assert refused.status_code == 409
        assert "“Likes tea at 9.”" in refused.json()["error"]["message"]
    assert tea.send_json("/api/entry", **shown | refused.json()["error"]["now"]).status_code == 200
    assert "Likes tea at 10." in (root / "memory.md").read_text()


def test_other_lines_of_a_memory_that_were_changed_since_it_was_shown_stay(tea, ws):
    ws.entries.update("m-aaaaaa", "Likes tea.\nGreen.\nIn the morning.")
    shown = {"action": "update", **shown_memory(tea)}
    ws.entries.update("m-aaaaaa", "Likes tea.\nGreen.\nIn the evening.")
    shown["text"] = "Likes much tea.\nGreen.\nIn the morning."
    assert tea.send_json("/api/entry", **shown).status_code == 200
    assert ws.entries.get("m-aaaaaa").text == "Likes much tea.\nGreen.\nIn the evening."


def test_today_begins_with_what_is_said(tea, root):
    assert "There is no page of today yet" in tea.get("/today").text
    assert tea.send_json("/api/today", text="Chose blue.").status_code == 200
    answer = tea.get("/today", follow_redirects=True)
    assert "Chose blue." in answer.text


def test_what_waits_in_the_inbox_is_taken_in_where_its_type_belongs(put, visit):
    layers = 'inbox = "inbox"\nmemory = "memory.md"\nlearnings = "learnings.md"\n'
    put("memwiki.toml", f"[layers]\n{layers}")
    tea = visit()
    ws = tea.site.served
    (added,) = ws.entries.add("Heard of a tea house.", staged=True, type="lesson").added
    shown = tea.get("/review").text
    assert "Heard of a tea house." in shown
    etag = re.search(r'name="expect" value="(\w+)"', shown)[1]
    body = {"action": "move", "name": added.name, "expect": etag}
    assert tea.send_json("/api/entry", **body).status_code == 200
    now = ws.entries.get(added.name)
    assert (now.path, now.status) == ("learnings.md", "active")
    assert tea.send_json("/api/entry", **body).status_code == 409


@pytest.fixture
def proposed(tea, ws):
    lines = list(ws.proposals.lines("tea.md"))
    green = next(at for at, line in enumerate(lines, 1) if "Green." in line)
    view = ws.proposals.propose(
        [
            {"do": "add_entry", "text": "Tea is green.", "lines": [green]},
            {"do": "add_entry", "text": "Tea is bought.", "lines": [green + 1]},
        ],
        source="tea.md",
        job="extract",
    )
    return view.id


def test_proposals_are_shown_with_what_they_cite_and_decided_one_by_one(tea, root, proposed):
    assert f"/review/{proposed}" in tea.get("/review").text
    html = tea.get(f"/review/{proposed}").text
    assert "Tea is green." in html
    assert "Green." in html
    assert 'class="plus"' in html
    etag = re.search(r'data-etag="(\w+)"', html)[1]
    body = {"id": proposed, "expect": etag, "accept": [1]}
    assert tea.send_json("/api/review", **{**body, "expect": "0" * 16}).status_code == 409
    assert tea.send_json("/api/review", **{**body, "accept": "x"}).status_code == 400
    assert tea.send_json("/api/review", **body).json()["accepted"] == [1]
    again = tea.send_json("/api/review", **body)
    assert again.status_code == 409  # it was shown in another state
    etag = re.search(r'data-etag="(\w+)"', tea.get(f"/review/{proposed}").text)[1]
    words = {"id": proposed, "expect": etag, "reword": True, "n": 2, "text": "Tea is bought fresh."}
    assert tea.send_json("/api/review", **words).status_code == 200
    assert "Tea is bought fresh." in tea.get(f"/review/{proposed}").text


@pytest.mark.parametrize(
    ("line", "is_done", "after"),
    [
        ("- [ ] see [x] box", True, "- [x] see [x] box"),
        ("- [x] write `[ ]` for open", False, "- [ ] write `[ ]` for open"),
        ("> 1. [X] quoted", False, "> 1. [ ] quoted"),
        ("- LATER move NOW to end", True, "- DONE move NOW to end"),
        ("\t- DONE said", False, "\t- TODO said"),
        ("- [-] dropped", True, "- [x] dropped"),
        ("- CANCELED trip", False, "- TODO trip"),
    ],
)
def test_only_the_mark_behind_the_bullet_is_a_task(tea, root, line, is_done, after):
    (root / "tea.md").write_text(f"# Tea\n\n{line}\n")
    digest = digest_of_page(tea, "tea.md")
    answer = tea.send_json("/api/task", path="tea.md", line=3, done=is_done, expect=digest)
    assert answer.status_code == 200, answer.text
    assert (root / "tea.md").read_text() == f"# Tea\n\n{after}\n"


@pytest.mark.parametrize("line", ["- TODOIST is a TODO list", "A word TODO here", "- see [ ] box"])
def test_what_only_holds_such_a_word_is_no_task(tea, root, line):
    (root / "tea.md").write_text(f"{line}\n")
    digest = digest_of_page(tea, "tea.md")
    answer = tea.send_json("/api/task", path="tea.md", line=1, done=True, expect=digest)
    assert answer.status_code == 400 and (root / "tea.md").read_text() == f"{line}\n"


def test_a_digit_of_a_digest_is_no_version(tea):
    digest = digest_of_page(tea, "tea.md")[:1]
    body = {"path": "tea.md", "line": 6, "done": True, "expect": digest}
    assert tea.send_json("/api/task", **body).status_code == 409


def test_half_a_character_is_refused(tea, visit):
    answer = tea.post("/api/preview", content=b'{"text": "\\ud800"}', headers=_JSON)
    assert answer.status_code == 400
    stranger = visit(is_known=False)
    assert (
        stranger.post("/session", content=b'{"key": "\\ud800"}', headers=_JSON).status_code == 400
    )


def test_what_another_namespace_did_is_neither_shown_nor_taken_back(visit, opened, put, root):
    put("memwiki.toml", '[layers]\nmemory = "memory.md"\nnamespaces = "namespaces"\n')
    opened(namespace="work").entries.add("The office is in Kiel.")
    home = visit(namespace="home")
    assert "office" not in home.get("/log?undo").text
    assert home.send_json("/api/undo", expect="0" * 16).status_code in (403, 409, 422)
    assert "office" in (root / "namespaces/work/memory.md").read_text()


SPACES = """
--- memwiki.toml ---
[layers]
namespaces = "namespaces"
--- namespaces/work/plan.md ---
# Plan

ship
--- namespaces/home/list.md ---
# List

milk
--- top.md ---
# Top

all
"""


def test_pages_of_a_namespace_are_edited_and_no_others(visit, write_blocks, root):
    write_blocks(SPACES.lstrip("\n"))
    work = visit(namespace="work")
    own, other = "namespaces/work/plan.md", "namespaces/home/list.md"
    shown = work.get(f"/edit/{own}")
    assert shown.status_code == 200
    assert "# Plan" in shown.text
    assert 'data-closed=""' in shown.text
    base = {"text": "# Plan\n\nship\n"}
    saved = work.send_json("/api/write", path=own, text="# Plan\n\nship it\n", base=base)
    assert saved.status_code == 200, saved.text
    assert (root / own).read_text() == "# Plan\n\nship it\n"
    for path in (other, "top.md"):
        hidden = work.get(f"/edit/{path}")
        assert hidden.status_code >= 400 or "milk" not in hidden.text
        assert "all\n" not in hidden.text
        before = (root / path).read_bytes()
        for asked in ("/api/write", "/api/merge"):
            base = {"text": before.decode()}
            answer = work.send_json(asked, path=path, text="mine", base=base)
            assert answer.status_code >= 400, (asked, path, answer.text)
        assert (root / path).read_bytes() == before
    digest = work.get(f"/p/{own}").text.partition('data-digest="')[2][:32]
    (root / own).write_text("- [ ] ship\n")
    stale = work.send_json("/api/task", path=own, line=1, done=True, expect=digest)
    assert stale.status_code == 409
    digest = work.get(f"/p/{own}").text.partition('data-digest="')[2][:32]
    ticked = work.send_json("/api/task", path=own, line=1, done=True, expect=digest)
    assert ticked.status_code == 200, ticked.text
    assert (root / own).read_text() == "- [x] ship\n"
    made = work.send_json("/api/write", path="namespaces/work/new.md", text="# New\n", base=None)
    assert made.status_code == 200, made.text
    assert (root / "namespaces/work/new.md").read_text() == "# New\n"
    found = {path.relative_to(root).as_posix() for path in root.rglob("*.md")}
    assert found == {own, other, "top.md", "namespaces/work/new.md"}


def test_a_symlink_says_when_it_is_opened_that_another_page_is_to_be_edited(tea, root):
    (root / "cup.md").symlink_to("tea.md")
    shown = tea.get("/edit/cup.md").text
    assert "This page is read-only here: it is a symlink to tea.md; edit that." in shown
    assert "read-only here" not in tea.get("/edit/tea.md").text


def test_nothing_is_written_while_the_settings_cannot_be_used(tea, root, put):
    put("memwiki.toml", "[doors]\nread_only = True\n")
    refused = tea.send_json("/api/entry", action="add", text="Meets on Mondays.")
    assert "is not TOML" in refused.json()["error"]["message"]
    assert "Mondays" not in (root / "memory.md").read_text()
    assert tea.get("/p/tea.md").status_code == 200
