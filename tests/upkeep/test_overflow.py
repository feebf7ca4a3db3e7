"""A memory over its budget is brought within it; nothing is lost, nothing is said twice."""

from collections import Counter
from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from memwiki.config import Config, MemoryConfig
from memwiki.files.usage_log import Sum
from memwiki.markdown.outline import outline_of
from memwiki.markdown.units import entries_of
from memwiki.memory.page_edits import PageEdits
from memwiki.memory.placement import is_over
from memwiki.memory.view import Views
from memwiki.nouns import Layers
from memwiki.upkeep.put_away import put_overflow_away, statements
from memwiki.upkeep.work import UpkeepWork
from tests.properties.test_entries_survive import pages as odd_pages

LAYERS = Layers(memory="memory.md", wiki="wiki", archive="archive")
NOW = int(datetime(2026, 3, 4, 5, 6).timestamp() * 1e9)


def run(data, layers=LAYERS, files=None):
    settings = Config(layers=layers, memory=MemoryConfig(max_entries_a_page=100))
    files = {"memory.md": data, **(files or {})}
    pages = PageEdits(files.get, layers, "2026-03-04", 1_000_000)
    views = Views(settings, NOW, lambda _: Sum())
    done = put_overflow_away(UpkeepWork(settings, NOW, ["memory.md"], views), pages)
    return {**files, **{edit.path: edit.data for edit in pages.edits()}}, done


def many(count, head="## Facts\n"):
    items = (f"- fact {n} [importance:: {0.1 if n < 20 else 0.9}]\n" for n in range(count))
    return (head + "".join(items)).encode()


def test_the_least_important_entries_move_to_a_linked_page_of_their_heading():
    files, done = run(many(210))
    assert set(files) == {"memory.md", "wiki/memory/facts.md"}
    text = files["memory.md"].decode()
    assert text.startswith("## Facts\n\nMore: [[wiki/memory/facts]]\n\n- fact 14 ")
    assert [each.text for each in done.steps] == [f"fact {n}" for n in range(14)]
    assert not is_over(text.count("\n"), len(text))
    assert run(files["memory.md"], files=files)[1].steps == ()


def test_a_memory_within_its_budget_stays_as_it_is():
    files, done = run(many(199))
    assert list(files) == ["memory.md"]
    assert done.steps == ()


def test_a_second_overflow_adds_no_second_link():
    files, _ = run(many(210))
    more = files["memory.md"] + many(30, "")
    files, done = run(more, files={**files, "memory.md": more})
    assert done.steps
    assert files["memory.md"].count(b"More:") == 1


def test_full_pages_are_all_linked():
    files, _ = run(many(350))
    assert b"More: [[wiki/memory/facts]], [[wiki/memory/facts-2]]\n" in files["memory.md"]


def test_without_a_wiki_nothing_moves_and_it_is_told():
    files, done = run(many(300), LAYERS._replace(wiki=""))
    assert list(files) == ["memory.md"]
    assert done.notes == ("memory.md is over its budget: memwiki config set layers.wiki wiki",)


def test_every_heading_keeps_an_entry():
    data = "".join(f"## H{n}\n- only one\n" for n in range(120)).encode()
    files, done = run(data)
    assert files == {"memory.md": data}
    assert done.notes == ("memory.md is still over its budget; every heading keeps one entry",)


@given(odd_pages(), st.sampled_from(["", "\n# Memory\n", "\n## 偏好\n\n", "\n## Index\n"]))
def test_whatever_a_page_looks_like_nothing_is_lost_and_it_ends(data, head):
    data += head.encode() + b"\n".join(b"- %d" % n for n in range(210))
    try:
        before = said([data])
    except Exception:
        return
    files, runs, done = {"memory.md": data}, 0, None
    while done is None or done.steps:
        files, done = run(files["memory.md"], files=files)
        assert said(files.values()) == before
        runs += 1
    assert runs <= 4


def said(found):
    pages = (outline_of("memory.md", data, LAYERS) for data in found)
    stated = (statements(entries_of(page).entries) for page in pages)
    return Counter(each[:2] for page in stated for each in page.elements())
