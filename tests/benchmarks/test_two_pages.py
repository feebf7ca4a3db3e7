"""Questions over two pages are drawn from links in prose, the same ones each time."""

from __future__ import annotations

import json

import two_pages


def test_a_question_is_the_sentence_around_a_link_without_its_words(put, ws):
    sentence = "The long green boat with two masts is moored at"
    put(
        "boat.md",
        f"# Boat\n\nNice. {sentence} [[harbour|the quay]]. Bye.\n\n- [[a]] [[b]] [[c]] [[d]]\n",
    )
    put("harbour.md", "# Harbour\n\nSee [[boat]].\n")
    asked = two_pages.drawn(ws, 5)
    assert [each.pages for each in asked] == [("boat.md", "harbour.md")]
    assert asked[0].text.startswith(sentence)
    assert "quay" not in asked[0].text
    assert two_pages.drawn(ws, 5) == asked
    assert list(two_pages.shares(ws, asked)) == [1.0]
    plan = {"question": asked[0].text, "plan": {"semantic_query": "quay of the harbour"}}
    with two_pages.answering(two_pages.plans_in(f"{json.dumps(plan)}\n")):
        assert list(two_pages.shares(ws, asked, plan=True)) == [1.0]
        assert ws.recall(asked[0].text, plan=True).plan.rounds[0].query == "quay of the harbour"
