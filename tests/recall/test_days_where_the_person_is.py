"""Days are those of the place where the person is: also for moments that are kept in UTC."""

from __future__ import annotations

import time

import pytest

MORNING = 1_796_022_720 * 10**9  # 2026-11-30T07:12:00Z, the evening before in Los Angeles
PAGES = {
    "memory.md": "# Memory\n\n## Events\n- Bought cinema paint. [created:: 2026-11-29] ^m-aaaaaa\n",
    "sessions/s1.md": "---\ntype: session\n---\n# S\n\n### 2026-11-30T07:05:00Z Ann ^s-0001\n"
    "We paint the shed.\n\n### 2026-11-29T04:00:00Z Ann ^s-0002\nOld cinema talk.\n",
    "a.md": "---\ndate: 2024-01-03T00:30:00+08:00\n---\n# Talk\n\nBudget of the morning.\n",
    "b.md": "---\ndate: 2024-01-03 09:00\n---\n# B\n\nBudget talk.\n",
    "c.md": "---\ndate: 2024-01-03\n---\n# C\n\nBudget.\n",
}


@pytest.fixture
def place(monkeypatch):
    def go(zone: str) -> None:
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    yield go
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def vault(put, opened):
    put("memwiki.toml", '[layers]\nmemory = "memory.md"\nsessions = "sessions"\n')
    for path, text in PAGES.items():
        put(path, text)
    return opened(clock=lambda: MORNING)


def found(ws, query: str) -> list[str]:
    return sorted(
        f"{hit.path}:{hit.line_start}" if hit.path == "sessions/s1.md" else hit.path
        for hit in ws.search(query).hits
    )


def test_today_and_yesterday_are_those_of_the_person(vault, place):
    shed, cinema = "sessions/s1.md:6", "sessions/s1.md:9"
    place("America/Los_Angeles")
    assert found(vault, "paint since:today") == ["memory.md", shed]
    assert found(vault, "cinema since:2026-11-28 until:2026-11-28") == [cinema]
    said = vault.recall("what did we say about cinema yesterday")
    assert (said.hits[0].path, said.hits[0].line_start) == ("sessions/s1.md", 9)
    place("Asia/Shanghai")
    assert found(vault, "paint since:today") == [shed]
    assert found(vault, "cinema since:yesterday until:2026-11-29") == ["memory.md", cinema]


def test_a_moment_of_a_page_is_of_the_day_it_has_here_and_found_by_day_and_as_written(vault, place):
    place("Asia/Shanghai")
    for query in ("since:2024-01-03 until:2024-01-03", "date:2024-01-03", "created:2024-01-03"):
        assert found(vault, f"budget {query}") == ["a.md", "b.md", "c.md"], query
    assert found(vault, 'budget date:"2024-01-03T00:30:00+08:00"') == ["a.md"]
    assert found(vault, "budget date:2024-01-02") == []
