"""What a model proposes: nothing of it is true before a person accepts it."""

from __future__ import annotations

import json
import re

import pytest

from memwiki.errors import MemwikiError, NotFoundError, UsageError
from memwiki.models.port import Ask, ChatMessage
from memwiki.proposals.operations import Proposal, ProposalSource
from memwiki.proposals.store import ProposalStore
from tests.proposals.conftest import MOVED, PAGES, TEA


def entries(space):
    return {each.id: each for each in space.entries.list(status="active").entries}


def test_proposing_changes_no_page(space, root, proposed):
    before = {path: path.read_bytes() for path in root.rglob("*.md")}
    view = proposed()
    assert {path: path.read_bytes() for path in root.rglob("*.md")} == before
    assert [(each.do, each.state, each.flags) for each in view.operations] == [
        ("add_entry", "open", ()),
        ("supersede_entry", "open", ("supersedes", "changes a person's words")),
    ]
    file = root / ".memwiki" / "proposals" / f"{view.id}.json"
    assert file.stat().st_mode & 0o777 == 0o600


def test_proposals_are_listed_newest_first_and_those_of_one_second_by_what_they_rest_on(space):
    store = ProposalStore(space.live)
    paths = ("wiki/tea.md", "memory.md", "raw/note.md", "learnings.md", "sessions/talk.md")
    for second in (1, 3, 2):
        for path in paths:
            at, source = f"2026-11-20T10:00:0{second}Z", ProposalSource(path, "0" * 64)
            store.put(Proposal(store.new_id(), at, "x/1", source))
    listed = [(each.at[-2], each.source.path) for each in store.all()]
    assert listed == [(second, path) for second in "321" for path in sorted(paths)]


def test_each_operation_shows_its_lines_and_its_diff(proposed):
    tea, moved = proposed().operations
    assert [(each.line, each.id) for each in tea.evidence] == [(6, "s-0001")]
    assert tea.evidence[0].quote.startswith("I moved to Kiel")
    assert "+- Anna prefers green tea. #tea" in tea.diff
    assert "-- Anna lives in Berlin." in moved.diff and "+- ~~Anna lives in Berlin.~~" in moved.diff


def test_what_is_accepted_says_who_proposed_it_and_where_it_is_from(space, root, proposed):
    view = proposed(TEA)
    done = space.proposals.decide(view.id, accept=[1])
    assert (done.accepted, done.stale, done.open) == ((1,), (), 0)
    (tea,) = space.entries.list(types=["preference"]).entries
    assert tea.origin == "model"
    assert tea.fields["by"] == "qwen3:8b via propose/1"
    assert tea.fields["source"] == "[[sessions/talk#^s-0001]]"
    log = (root / "log.md").read_text("utf-8")
    for line in ("source: [[sessions/talk]]", f"proposal: {view.id}", "accepted by: the user"):
        assert f"- {line}" in log


def test_all_leaves_what_is_flagged_and_what_nothing_supports(space, proposed):
    unsupported = {**TEA, "text": "Anna bought a boat in 1997.", "lines": [1]}
    view = proposed(TEA, MOVED, unsupported)
    assert view.operations[2].state == "aside" and view.operations[2].why
    done = space.proposals.decide(view.id, accept="all")
    assert done.accepted == (1,) and done.open == 2
    assert "m-aaaaaa" in entries(space)


def test_one_undo_takes_all_of_it_back_to_the_byte(space, root, proposed):
    before = {p: p.read_bytes() for p in root.rglob("*.md") if p.name != "log.md"}
    skill = {"do": "record_skill", "name": "Brew tea", "steps": ["Boil", "Wait"], "lines": [1]}
    summary = {"do": "summarise_session", "session": "talk", "sentences": ["Of tea."], "lines": [1]}
    retire = {"do": "retire_entry", "entry": "m-bbbbbb", "lines": [3]}
    view = proposed(TEA, MOVED, skill, summary, retire)
    done = space.proposals.decide(view.id, accept=[1, 2, 3, 4, 5])
    assert done.accepted == (1, 2, 3, 4, 5), done.stale
    space.undo()
    assert {p: p.read_bytes() for p in root.rglob("*.md") if p.name != "log.md"} == before


def test_each_operation_writes_what_it_says(space, root, proposed):
    relate = {"do": "relate_entries", "entry": "m-aaaaaa", "other": "m-bbbbbb"}
    view = proposed(
        {"do": "record_skill", "name": "Brew tea", "steps": ["Boil", "Wait"], "lines": [1]},
        {"do": "summarise_session", "session": "talk", "sentences": ["Of tea."], "lines": [1]},
        {"do": "describe_page", "page": "Tea", "text": "What Anna prefers.", "lines": [1]},
        {**relate, "relation": "supports"},
        {"do": "join_entries", "entries": ["m-bbbbbb", "m-cccccc"], "text": "Ben sold his dog.",
         "lines": [3]},
    )  # fmt: skip
    done = space.proposals.decide(view.id, accept=[1, 2, 3, 4, 5])
    assert done.accepted == (1, 2, 3, 4, 5), done.stale
    memory = (root / "memory.md").read_text("utf-8")
    assert "- Brew tea" in (root / "learnings.md").read_text("utf-8")
    session = (root / "sessions/talk.md").read_text("utf-8")
    assert session.endswith("## Summary\n\nOf tea.\n") and "ended" not in session
    assert "description: What Anna prefers." in (root / "wiki/tea.md").read_text("utf-8")
    assert "[supports:: m-bbbbbb]" in memory
    assert "~~Ben has a dog named Rex.~~" in memory and "~~Ben owns a dog.~~" in memory
    (joined,) = [each for each in entries(space).values() if each.text == "Ben sold his dog."]
    assert set(joined.fields["supersedes"].split(", ")) == {"m-bbbbbb", "m-cccccc"}


def test_what_is_accepted_already_is_not_asked_again(space, proposed):
    view = proposed(TEA)
    space.proposals.decide(view.id, accept=[1])
    with pytest.raises(UsageError, match="operation 1 was accepted already"):
        space.proposals.decide(view.id, reject=[1])
    assert space.proposals.list().total == 0
    assert [row.decided for row in space.proposals.list(all=True).proposals] == [1]


def test_what_was_taken_back_is_accepted_again_once_it_is_reopened(space, root, proposed):
    view = proposed(TEA, MOVED)
    space.proposals.decide(view.id, accept=[1, 2])
    after = (root / "memory.md").read_text("utf-8")
    space.undo()
    before = (root / "memory.md").read_bytes()
    opened = space.proposals.reopen(view.id, [1, 2])
    assert [(each.state, each.why) for each in opened.operations] == [
        ("aside", "was accepted before")
    ] * 2
    assert (root / "memory.md").read_bytes() == before, "nothing is written by it"
    done = space.proposals.decide(view.id, accept="all")
    assert done.accepted == () and done.edited.title.startswith(f"accepted none of {view.id}: ")
    assert space.proposals.decide(view.id, accept=[1, 2]).accepted == (1, 2)
    again = (root / "memory.md").read_text("utf-8")
    assert re.sub(r"m-\w{6}", "", again) == re.sub(r"m-\w{6}", "", after)


def test_what_was_rejected_is_reopened_alone_and_waits_again(space, proposed):
    view = proposed(TEA, MOVED)
    space.proposals.decide(view.id, reject="all")
    opened = space.proposals.reopen(view.id, [2])
    assert [each.state for each in opened.operations] == ["rejected", "aside"]
    assert [row.aside for row in space.proposals.list().proposals] == [1]


def test_only_what_was_decided_is_reopened(space, proposed):
    view = proposed(TEA, MOVED)
    space.proposals.decide(view.id, accept=[1])
    with pytest.raises(UsageError, match="operation 2 is undecided"):
        space.proposals.reopen(view.id, [1, 2])
    with pytest.raises(NotFoundError, match="has no operation 3"):
        space.proposals.reopen(view.id, [3])
    assert [each.state for each in space.proposals.get(view.id).operations] == ["accepted", "open"]


def test_a_text_that_is_known_already_is_not_written_twice(space, proposed):
    for _ in range(2):
        space.proposals.decide(proposed(TEA).id, accept=[1])
    assert len(space.entries.list(types=["preference"]).entries) == 1


def test_what_rests_on_words_that_are_gone_becomes_stale(space, root, proposed):
    view = proposed(TEA)
    talk = root / "sessions/talk.md"
    talk.write_text(talk.read_text("utf-8").replace("green tea", "black tea"), "utf-8")
    done = space.proposals.decide(view.id, accept=[1])
    ((n, why),) = done.stale
    assert n == 1 and "sessions/talk.md:6: says something else" in why
    assert not done.accepted and not space.entries.list(types=["preference"]).entries


def test_an_entry_that_says_something_else_by_now_is_not_superseded(space, proposed):
    view = proposed(MOVED)
    space.entries.update("m-aaaaaa", "Anna lives in Hamburg.")
    done = space.proposals.decide(view.id, accept=[1])
    assert done.stale and "Anna lives in Hamburg." in entries(space)["m-aaaaaa"].text


def test_other_operations_are_accepted_beside_a_stale_one(space, proposed):
    view = proposed(MOVED, TEA)
    space.entries.delete("m-aaaaaa")
    done = space.proposals.decide(view.id, accept=[1, 2])
    assert done.accepted == (2,) and [n for n, _ in done.stale] == [1]


def test_what_others_add_meanwhile_stays(space, root, proposed):
    view = proposed(TEA)
    with (root / "memory.md").open("a", encoding="utf-8") as file:
        file.write("- Written in an editor.\n")
    space.proposals.decide(view.id, accept=[1])
    memory = (root / "memory.md").read_text("utf-8")
    assert "Anna prefers green tea." in memory and "- Written in an editor." in memory


def test_a_person_may_put_it_into_other_words(space, proposed):
    view = proposed({**TEA, "text": "Anna bought a boat in 1997."})
    assert view.operations[0].state == "aside"
    view = space.proposals.edit(view.id, 1, "Anna prefers #tea that is green.")
    assert (view.operations[0].state, view.operations[0].text) == (
        "open",
        "Anna prefers tea that is green.",
    )
    assert space.proposals.decide(view.id, accept="all").accepted == (1,)


def test_a_dry_run_decides_nothing(space, root, proposed):
    view = proposed(TEA)
    before = (root / "memory.md").read_bytes()
    done = space.proposals.decide(view.id, accept=[1], dry_run=True)
    assert done.accepted == (1,) and "+- Anna prefers green tea." in done.edited.diff
    assert (root / "memory.md").read_bytes() == before
    assert space.proposals.get(view.id).operations[0].state == "open"


def test_what_is_no_operation_is_refused_as_a_whole(space, proposed):
    for operation, why in (
        ({"do": "delete_page", "page": "Tea"}, "none that can be proposed"),
        ({"do": "add_entry"}, "text is missing"),
        ({**TEA, "path": "../x.md"}, "path is nothing"),
        ({**TEA, "id": "m-evil00"}, "id is nothing"),
        ({**MOVED, "entry": "m-zzzzzz"}, "m-zzzzzz: no entry"),
        ({"do": "relate_entries", "entry": "m-aaaaaa", "other": "m-bbbbbb", "relation": "x"}, "no"),
        ({"do": "join_entries", "entries": ["m-aaaaaa"], "text": "x"}, "fewer than two"),
        ({"do": "join_entries", "entries": [1, 2], "text": "x"}, "not a list of texts"),
    ):
        with pytest.raises(UsageError, match=why):
            proposed(TEA, operation)
        assert space.proposals.list().total == 0, why


def test_more_than_thirty_are_refused(proposed):
    with pytest.raises(UsageError, match="31 operations are over 30"):
        proposed(*[TEA] * 31)


def test_words_that_cannot_be_written_are_set_aside(proposed):
    view = proposed({**TEA, "text": "[[]] ~~~"})
    assert view.operations[0].state == "aside" and "plain sentences" in view.operations[0].why


def test_a_source_has_no_line_that_is_private_or_a_models(space):
    assert "4711" not in "\n".join(space.proposals.lines("Tea").lines)
    memory = "\n".join(space.proposals.lines("memory.md").lines)
    assert "Ben has a dog" in memory and "Ben owns a dog" not in memory


def test_lines_are_numbered_and_name_who_speaks(space):
    assert space.proposals.lines("talk").lines[0].startswith("1 Anna: I moved to Kiel")
    assert space.proposals.lines("raw/note.md").lines[-1] == "2 The pump was installed in 2019."


def test_what_became_private_is_not_shown_to_those_who_may_not_see_it(space, root, proposed):
    view = proposed(TEA)
    assert space.public().proposals.list().total == 1
    talk = root / "sessions/talk.md"
    talk.write_text(
        talk.read_text("utf-8").replace("type: session", "type: session\nprivate: true")
    )
    public = space.public()
    assert public.proposals.list().total == 0
    with pytest.raises(NotFoundError):
        public.proposals.get(view.id)
    assert space.proposals.get(view.id).id == view.id


def test_a_model_never_supersedes_by_itself(space):
    fact = {"subject": "Anna", "topic": "home", "type": "fact"}
    space.entries.add("Anna lives in Berlin.", object="Berlin", **fact)
    report = space.entries.add("Anna lives in Kiel.", object="Kiel", origin="model", **fact)
    assert report.added and not report.superseded and report.conflicts
    report = space.entries.add("Anna lives in Rome.", object="Rome", origin="agent", **fact)
    assert report.superseded


def test_a_model_replaces_no_entry_by_its_key(space):
    space.entries.add("The code is blue.", key="door/code")
    with pytest.raises(MemwikiError, match="door/code: an entry has this key already"):
        space.entries.add("The code is red.", key="door/code", origin="model")
    assert "blue" in space.entries.get("door/code").text


def test_deleting_for_good_deletes_what_was_proposed_of_it(space, root, proposed):
    view = proposed(TEA)
    space.session("talk").purge(hard=True)
    folder = root / ".memwiki" / "proposals"
    assert not (folder / f"{view.id}.json").exists()
    assert "green tea" not in "".join(p.read_text("utf-8") for p in folder.glob("*"))


def test_deleting_for_good_deletes_what_models_answered(space, proposed):
    replies = space.models.run().replies
    asked = Ask("extract/1", (ChatMessage("user", "Of green tea."),), {}, 9, 0.1)
    replies.put("somewhere model", asked, "Anna prefers green tea.")
    space.session("talk").purge(hard=True)
    assert replies.size() == (0, 0)


# --- the files of proposals ---


def write(root, id_, **fields):
    folder = root / ".memwiki" / "proposals"
    folder.mkdir(parents=True, exist_ok=True)
    source = {"path": "", "digest": "", "part": ""}
    base = {"format": 1, "id": id_, "at": "", "job": "x/1", "source": source, "operations": []}
    (folder / f"{id_}.json").write_text(json.dumps({**base, "is_answered": True, **fields}))


OPERATION = {"n": 1, "do": "add_entry", "text": "Planted.", "state": "open", "lines": []}


def test_what_somebody_planted_is_never_taken_with_the_rest(space, root):
    operation = {key: OPERATION[key] for key in ("n", "do", "text", "state")}
    write(root, "p-abcdef", operations=[operation])
    assert space.proposals.get("p-abcdef").operations[0].flags == ("foreign",)
    assert space.proposals.decide("p-abcdef", accept="all").accepted == ()
    assert "Planted" not in (root / "memory.md").read_text("utf-8")


def test_a_file_that_is_no_proposal_is_named_and_stops_nothing(space, root, proposed):
    good = proposed(TEA)
    for fields in (
        {"format": 2},
        {"id": "p-other0"},
        {"operations": [{**OPERATION, "do": "rm"}]},
        {"operations": [OPERATION]},
        {"operations": "x"},
        {"operations": [None]},
        {"operations": [{"n": 1, "do": "add_entry", "state": "open"}] * 31},
        {"source": []},
        {"at": 7},
    ):
        write(root, "p-broken", **fields)
        found = space.proposals.list()
        assert [row.id for row in found.proposals] == [good.id], fields
        assert len(found.notes) == 1 and "p-broken.json" in found.notes[0]


@pytest.mark.parametrize("content", ["", "[", "[]", "[" * 100_000, "\x00", "null"])
def test_odd_bytes_are_named(space, root, content):
    write(root, "p-broken")
    (root / ".memwiki/proposals/p-broken.json").write_text(content)
    assert "p-broken" in space.proposals.list().notes[0]


def test_a_linked_folder_is_not_followed(space, root, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (root / ".memwiki" / "proposals").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(MemwikiError):
        space.proposals.propose([{**TEA, "lines": []}])
    assert not list((tmp_path / "elsewhere").iterdir())


def test_what_was_decided_long_ago_is_forgotten(opened, write_blocks, root):
    write_blocks(PAGES)
    now = [1_800_000_000 * 10**9]
    space = opened(clock=lambda: now[0])
    old = space.proposals.propose([TEA], source="talk")
    open_ = space.proposals.propose([TEA], source="talk")
    space.proposals.decide(old.id, reject="all")
    now[0] += 91 * 86_400 * 10**9
    new = space.proposals.propose([TEA], source="talk")
    assert {row.id for row in space.proposals.list(all=True).proposals} == {open_.id, new.id}


def test_a_key_block_is_kept_back_as_a_whole(space, root):
    block = "-----BEGIN RSA PRIVATE KEY-----\nleasekey+A/B\n-----END RSA PRIVATE KEY-----"
    (root / "raw/key.md").write_text(f"# Key\n\n{block}\n\nIt opens the door.\n", "utf-8")
    shown = "\n".join(space.proposals.lines("raw/key.md"))
    assert "leasekey" not in shown and "It opens the door." in shown
