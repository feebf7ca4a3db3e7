"""Answers while pages change under them."""

from __future__ import annotations

import pytest

from memwiki.recall.channels import PageTexts


@pytest.fixture
def changing(ws, put, monkeypatch):
    """A page that another process saves just before it is read for its excerpt, so many times."""
    put("a.md", "# A\n\nheron\n")
    ws.sync()
    real, left = PageTexts.passing, []

    def passing(self, card):
        if left:
            left.pop()
            put("a.md", f"# A\n\nnew line {len(left)}\n\nheron\n")
        return real(self, card)

    monkeypatch.setattr(PageTexts, "passing", passing)
    return left


def test_an_answer_torn_by_a_change_is_asked_for_again(ws, changing):
    changing.append(1)
    answer = ws.search("heron")
    assert answer.fresh
    assert "heron" in answer.hits[0].excerpt
    assert answer.hits[0].line_end == 5


def test_an_answer_that_stays_torn_is_not_called_fresh(ws, changing):
    changing.extend(range(50))
    answer = ws.search("heron")
    assert (answer.fresh, answer.pending) == (False, 1)
    assert "change" in answer.reason
