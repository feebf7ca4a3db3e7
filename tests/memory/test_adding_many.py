"""Many entries in one call: each is compared with the page as those before it leave it."""

from datetime import datetime

from memwiki.entry_fields import OnNear
from memwiki.markdown.outline import Outlines, outline_of
from memwiki.markdown.units import entries_of
from memwiki.memory.draft import AddOptions, AddRequest, draft_of
from memwiki.memory.insertion import Insertion, InsertionSettings, JudgedDraft, NearDuplicate
from memwiki.memory.placement import EntryPage
from memwiki.memory.view import LocatedEntry
from memwiki.nouns import Layers

LAYERS = Layers(memory="memory.md")
DATA = b"## Facts\n- Prefers tea. ^m-aaaaaa\n- The sea is near.\n"


def judged(text, *near):
    draft = draft_of(AddRequest(text), datetime(2026, 3, 4), str, is_dated=True)
    return JudgedDraft(draft, EntryPage("memory.md"), near=near)


def texts(plan):
    return [e.text for e in entries_of(outline_of("memory.md", plan.edits[0].data, LAYERS)).entries]


def made(*drafts):
    options = AddOptions(on_near=OnNear.REPLACE)
    ids = tuple(f"m-zzzzz{n}" for n in range(9))
    setting = InsertionSettings(options, LAYERS, "2026-03-04", 10_000, 8, ids, Outlines(LAYERS))
    return Insertion(drafts, setting, lambda _: DATA).plan()


def test_what_was_replaced_a_moment_ago_is_no_longer_known():
    entry = entries_of(outline_of("memory.md", DATA, LAYERS)).entries[0]
    near = NearDuplicate(LocatedEntry("memory.md", "memory", entry), 0.9, is_same=False)
    done = made(judged("Prefers green tea.", near), judged("Prefers tea."))
    assert [each.what for each in done.written] == ["replaced", "added"]
    assert texts(done.plan) == ["Prefers green tea.", "The sea is near.", "Prefers tea."]


def test_what_something_was_replaced_by_a_moment_ago_is_known():
    entry = entries_of(outline_of("memory.md", DATA, LAYERS)).entries[0]
    near = NearDuplicate(LocatedEntry("memory.md", "memory", entry), 0.9, is_same=False)
    done = made(judged("Prefers green tea.", near), judged("prefers GREEN tea"))
    assert [each.what for each in done.written] == ["replaced", "repeated"]
    assert texts(done.plan) == ["Prefers green tea.", "The sea is near."]
