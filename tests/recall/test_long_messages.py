"""A message is a hit of its own, however long: its parts are searched one by one."""

import pytest

from memwiki.index.units import UnitKey, hits_of
from memwiki.markdown.messages import WrittenMessage
from memwiki.nouns import UnitKind

LONG = "\n\n".join(f"Paragraph {i} speaks of {word}. " + "And so on. " * 60 for i, word in
                   enumerate(("lanterns", "ferries", "lanterns again, and zebras")))  # fmt: skip


def session(*texts: str) -> str:
    parts = ["---\ntype: session\n---\n"]
    for number, text in enumerate(texts):
        made = WrittenMessage("user", text, "2026-11-21T10:00:00Z", f"s-{number:04}", "Anna")
        parts.append(made.block)
    return "\n".join(parts)


def test_a_long_message_is_several_units_and_one_hit(put, ws):
    put("sessions/a.md", session("Short one about lanterns.", LONG, "Other things."))
    answer = ws.search("lanterns")
    assert answer.total == 2
    long = next(hit for hit in answer.hits if "Paragraph" in hit.excerpt)
    assert (long.type, long.path, long.title) == ("user", "sessions/a.md", "A")
    assert long.section == "user Anna 2026-11-21T10:00:00Z"
    assert ws.search("zebras lanterns").hits[0].excerpt.startswith("Paragraph 2")


@pytest.mark.parametrize("words", ["ferries type:user", "ferries name:Anna"])
def test_each_part_knows_who_said_it_and_when(put, ws, words):
    put("sessions/a.md", session(LONG))
    (hit,) = ws.search(words).hits
    assert "ferries" in hit.excerpt
    assert ws.search(f"{words} since:2026-11-21 until:2026-11-21").total == 1
    assert ws.search(f"{words} until:2026-11-20").total == 0


def test_the_id_of_a_long_message_is_one_name(put, ws):
    put("sessions/a.md", session(LONG, "next"))
    put("b.md", "See [[a#^s-0000]].\n")
    assert ws.graph.links("b", "out").links[0].status == "resolved"


def test_each_part_comes_out_with_the_id_of_its_message(put, ws):
    put("sessions/a.md", session("Short.", LONG, f"{LONG}\n\nAnd a comet at last."))
    for word, id_ in (("ferries", "s-0001"), ("zebras", "s-0001"), ("comet", "s-0002")):
        for hit in (ws.search(f"{word} comet").hits[0], ws.recall(word, limit=9).hits[0]):
            assert hit.kind == "message"
            assert hit.id in {id_, "s-0002"}
    (found,) = [hit for hit in ws.recall("comet").hits if "comet" in hit.excerpt]
    assert found.id == "s-0002"
    assert {hit.id for hit in ws.recall("zebras")} == {"s-0001", "s-0002"}
    put("sessions/b.md", session(LONG).replace(" ^s-0000", ""))
    assert [hit.id for hit in ws.search("ferries path:sessions/b.md")] == [""]


def test_a_word_left_out_leaves_out_the_whole_message(put, ws):
    put("sessions/a.md", session(LONG, "Short one about lanterns."))
    (hit,) = ws.search("lanterns -ferries").hits
    assert "Short one" in hit.excerpt


def test_parts_of_equal_messages_are_told_apart(puts):
    text = f"### user\n{LONG}\n"
    (made,) = puts({"sessions/a.md": f"---\ntype: session\n---\n{text}\n{text}"})
    keys = list(made.keyed.read)
    assert {UnitKey(key).kind for key in keys} == {UnitKind.PART}
    assert len(set(keys)) == len(keys) == 4
    assert len(hits_of(keys)) == 2


def test_a_long_message_of_blanks_is_found_by_its_speaker(put, ws):
    put("sessions/a.md", session(" \n" * 2_000))
    assert ws.search("Anna").total == 1


def test_the_index_equals_a_rebuild_after_a_message_grew(put, ws, assert_in_step):
    put("sessions/a.md", session("Short.", LONG))
    ws.sync()
    put("sessions/a.md", session("Short.", f"{LONG}\n\nAnd {LONG}", LONG))
    ws.sync()
    assert_in_step(ws)
