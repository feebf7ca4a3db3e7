"""What is private, withheld, a secret or of another namespace is in no brief, list or answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest

from memwiki.errors import MemwikiError
from tests.proposals.conftest import PAGES

KEY = "sk-VPsSoVDrTEPilrxFweswv03liBfcfVugUlYVxCSJ"  # made up
HIDDEN = ("Zqprivate", "Zqwithheld", "Zqnamespace", "Zqignored", KEY)
VAULT = (
    PAGES.replace(
        'log = "log.md"',
        'log = "log.md"\nnamespaces = "namespaces"\n[models]\nwithhold = ["clients/**"]',
    ).replace("Noted.", f"Noted {KEY}\n")
    + """
- Listed. [private:: true] Zqprivate
--- learnings.md ---
# Learnings

- Anna prefers green tea, Zqprivate. [private:: true] ^m-pppppp
- Anna prefers tea. ^m-oooooo
--- wiki/secret.md ---
---
private: true
---
# Zqprivate

- Anna prefers green tea, Zqprivate. ^m-qqqqqq
--- clients/acme.md ---
# Acme

- Anna prefers green tea, Zqwithheld. ^m-wwwwww
--- namespaces/work/memory.md ---
# Memory

- Anna prefers green tea, Zqnamespace. ^m-nnnnnn
--- namespaces/work/sessions/talk.md ---
### 2026-11-20T10:00:00Z user ^s-0001
I prefer green tea, Zqnamespace.
--- namespaces/home/memory.md ---
# Memory
--- .memwikiignore ---
ignored.md
--- ignored.md ---
# Ignored

Green tea, Zqignored.
"""
)
SOURCES = (
    "talk", "sessions/talk.md", "memory.md", "learnings.md", "Tea", "Zqprivate", "wiki/secret.md",
    "clients/acme.md", "namespaces/work/memory.md", "namespaces/work/sessions/talk.md",
    "ignored.md", "../ignored.md", ".memwiki/lock",
)  # fmt: skip
IDS = ("m-aaaaaa", "m-oooooo", "m-pppppp", "m-qqqqqq", "m-wwwwww", "m-nnnnnn")


def asked(view) -> Iterator[object]:
    """What every question about proposals is answered."""
    for source in SOURCES:
        for ask in (view.curation.extract_brief, view.curation.summarise_brief):
            with suppress(MemwikiError):
                yield ask(source)
        with suppress(MemwikiError):
            yield source == "clients/acme.md" or view.proposals.lines(source)
    for id_ in IDS:
        with suppress(MemwikiError):
            yield view.curation.instruct_brief(id_, "shorter")
        for do in ("retire_entry", "supersede_entry"):
            words = {"text": "Anna prefers tea."} if do == "supersede_entry" else {}
            with suppress(MemwikiError):
                operation = {"do": do, "entry": id_, "lines": [1], **words}
                yield id_ == "m-wwwwww" or view.proposals.propose([operation], source="talk")
    yield view.proposals.list(all=True)


@pytest.mark.parametrize("namespace", ["", "home"])
def test_nothing_hidden_is_in_a_brief_or_an_answer(opened, write_blocks, root, namespace):
    write_blocks(VAULT)
    space = opened(namespace=namespace)
    view = space.public()
    answers = list(map(repr, asked(view)))
    assert any("green tea" in each for each in answers)
    assert [word for word in HIDDEN for each in answers if word in each] == []
    kept = [p.read_text("utf-8") for p in (root / ".memwiki" / "proposals").glob("*.json")]
    assert kept and [word for word in HIDDEN for each in kept if word in each] == []
    # What a person proposes of it is shown to a person alone.
    with suppress(MemwikiError):
        view = space.proposals.propose([{"do": "retire_entry", "entry": "m-pppppp"}])
        assert view.id not in {row.id for row in space.public().proposals.list().proposals}


def test_a_page_of_the_same_name_shows_no_proposal_for_one_that_is_hidden(
    opened, write_blocks, put
):
    write_blocks(VAULT)
    space = opened()
    given = space.proposals.propose(
        [{"do": "describe_page", "page": "wiki/secret.md", "text": "Zq."}]
    )
    put("wiki/secret.md.md", "Shown.\n")
    space.sync()
    assert given.id in {row.id for row in space.proposals.list().proposals}
    assert given.id not in {row.id for row in space.public().proposals.list().proposals}


def test_an_entity_of_the_same_name_shows_no_merge_of_one_that_is_hidden(opened, write_blocks, put):
    write_blocks(VAULT)
    put(
        "people.md",
        "- Sails. [subject:: Ann] [private:: true] ^m-hhhhhh\n"
        "- Reads. [subject:: Anna] ^m-jjjjjj\n",
    )
    space = opened()
    space.sync()
    given = space.proposals.propose([{"do": "merge_entities", "entity": "Ann", "into": "Anna"}])
    put("other.md", "- Swims. [subject:: Ann] ^m-gggggg\n")
    space.sync()
    assert given.id in {row.id for row in space.proposals.list().proposals}
    assert given.id not in {row.id for row in space.public().proposals.list().proposals}
