"""What is known already about a new memory, in an order that the index does not decide."""

from itertools import permutations

from memwiki.config.schema import MemoryConfig
from memwiki.memory.draft import AddOptions, AddRequest, EntryDraft
from memwiki.memory.known_facts import KnownFact, fact_of, judge_drafts
from memwiki.memory.placement import EntryPage
from memwiki.memory.view import LocatedEntry
from memwiki.nouns import Entry

TEXT = "The office of the firm is in the old harbour of Kiel."
KNOWN = (
    ("memory.md", 9, TEXT),
    ("learnings.md", 3, TEXT),
    ("memory.md", 4, TEXT.lower()),
    ("memory.md", 5, "The office of the firm is in the old harbour of Kiel, near the sea."),
)


class Known:
    """The entries that the index found, in its order."""

    def __init__(self, rows):
        entries = (
            LocatedEntry(path, "memory", Entry("fact", text, "", line, line, f"m-{line:06}", {}))
            for path, line, text in rows
        )
        self.facts = [KnownFact(each, fact_of(each.entry)) for each in entries]

    def like(self, _text, beside):
        return iter(self.facts)

    def is_source(self, _known):
        return False

    def with_key(self, _key):
        return iter(())

    def near_in_meaning(self, _text, *, is_asked):
        return iter(())


def near(rows):
    draft = EntryDraft(TEXT, "fact", "", {}, "", AddRequest(TEXT))
    (found,) = judge_drafts(
        [(draft, EntryPage("inbox.md"))], Known(rows), MemoryConfig(), AddOptions()
    )
    return [(each.known.path, each.known.entry.line_start) for each in found.near]


def test_what_is_the_same_comes_first_then_by_place_however_it_was_found():
    first = near(KNOWN)
    assert first[:3] == [("learnings.md", 3), ("memory.md", 4), ("memory.md", 9)]
    assert all(near(rows) == first for rows in permutations(KNOWN))
