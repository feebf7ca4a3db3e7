"""No verb of entries changes what stands in a source, nor takes it for a memory."""

from __future__ import annotations

import pytest

from memwiki.errors import NotEditableError

SOURCE = b"""\
---
type: memory
---
# Old

- Ann lives in Ulm. [subject:: Ann] [topic:: home] [object:: Ulm]
- The rent is 900. [key:: rent]
- Paid by card. ^m-aaaaa1
"""


@pytest.fixture
def space(opened, write_blocks, root):
    write_blocks('--- memwiki.toml ---\n[layers]\nmemory = "memory.md"\nraw = "raw"\n')
    (root / "raw").mkdir()
    (root / "raw/old.md").write_bytes(SOURCE)
    yield opened()
    assert (root / "raw/old.md").read_bytes() == SOURCE


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("Ann lives in Bonn.", {"subject": "Ann", "topic": "home", "object": "Bonn"}),
        ("The rent is 950.", {"key": "rent"}),
        ("Paid by card.", {}),
        ("Paid by card!", {"on_near": "replace"}),
    ],
)
def test_an_entry_is_added_beside_what_a_source_says(space, text, given):
    report = space.entries.add(text, **given)
    assert [each.path for each in report.added] == ["memory.md"]
    assert not (report.superseded or report.replaced or report.repeated)


def test_a_key_means_the_memory_and_not_the_source(space):
    space.entries.add("The rent is 950.", key="rent")
    assert space.entries.get("rent").text == "The rent is 950."


def test_an_entry_of_a_source_is_not_changed(space):
    (own,) = space.entries.add("The garden is closed.").added
    for change in (
        lambda: space.entries.delete("m-aaaaa1"),
        lambda: space.entries.update("m-aaaaa1", text="Paid in cash."),
        lambda: space.entries.move("m-aaaaa1", "memory"),
        lambda: space.entries.supersede("m-aaaaa1", "Paid in cash."),
        lambda: space.entries.relate("m-aaaaa1", own.id, "because"),
    ):
        with pytest.raises(NotEditableError, match="sources are never changed"):
            change()
    space.entries.relate(own.id, "m-aaaaa1", "because")
