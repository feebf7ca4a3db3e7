"""What is hardly ever recalled is listed by type, and gone only once summaries name it."""

import pytest

from memwiki.cli.main import main
from memwiki.config import Config
from memwiki.facts.value import entry_subject
from memwiki.files.usage_log import Sum
from memwiki.markdown.outline import outline_of
from memwiki.markdown.units import entries_of
from memwiki.memory.view import LocatedEntry, Views
from memwiki.nouns import Layers
from memwiki.upkeep.retire import compressible, summarised_entries
from memwiki.upkeep.work import StoredEntry
from tests.effort import for_each

LAYERS = Layers(memory="memory.md", inbox="inbox", archive="archive", daily="daily")
NOW_NS = 1_772_625_600 * 10**9  # 2026-03-04
OLD, NEW = "2025-12-04", "2025-12-05"  # 90 and 89 days before


def held(text, path="inbox/a.md", used=()):
    """The entries of a page; `used` says of an id how often and how many days ago."""
    recalls = {
        entry_subject(id_, ""): Sum(count, count * 500, NOW_NS // 10**9 - days * 86_400)
        for id_, count, days in used
    }
    views = Views(Config(layers=LAYERS), NOW_NS, lambda subject: recalls.get(subject, Sum()))
    page = outline_of(path, text.encode(), LAYERS)
    found = (LocatedEntry(path, page.type, entry) for entry in entries_of(page).entries)
    return [StoredEntry(each, views.of(each)) for each in found]


def entry(number, created=OLD, more=""):
    return f"- Star {number}. [created:: {created}]{more} ^m-s{number}\n"


def ids(groups):
    return {type_: [each.view.id for each in group] for type_, group in groups.items()}


@for_each(
    ("text", "used", "is_listed"),
    [
        (entry(3), [], True),
        (entry(3, NEW), [], False),
        (entry(3, "2020-01-01"), [("m-s3", 4, 90)], True),
        (entry(3, "2020-01-01"), [("m-s3", 4, 89)], False),
        (entry(3, "2020-01-01"), [("m-s3", 5, 200)], False),
        (entry(3, more=" [status:: staged]"), [], False),
        (entry(3, more=" [superseded_by:: m-s1]"), [], False),
        ("- [event] Star 3. [created:: 2020-01-01] ^m-s3\n", [], False),
        ("- Star 3. ^m-s3\n", [], False),
    ],
)
def test_three_of_a_type_that_nobody_needs_are_a_group(text, used, is_listed):
    found = compressible(held(entry(1) + entry(2) + text, used=used), NOW_NS, LAYERS)
    assert ids(found) == ({"fact": ["m-s1", "m-s2", "m-s3"]} if is_listed else {})


@pytest.mark.parametrize("path", ["memory.md", "archive/memory/2026-01.md"])
def test_core_and_what_has_retired_are_no_candidates(path):
    text = "---\ntype: memory\n---\n" + entry(1) + entry(2) + entry(3)
    assert compressible(held(text, path), NOW_NS, LAYERS) == {}


@for_each(("summaries", "are_gone"), [(0, False), (1, True), (3, True), (4, False)])
def test_originals_are_summed_up_once_one_to_three_entries_name_them(summaries, are_gone):
    text = entry(1) + entry(2) + entry(3) + entry(4)
    text += "".join(f"- Sum. [sources:: m-s1, m-s2] ^m-x{n}\n" for n in range(summaries))
    found = summarised_entries(held(text), NOW_NS, LAYERS)
    assert [entry.view.id for entry, _ in found] == (["m-s1", "m-s2"] if are_gone else [])
    assert all(reason.startswith("summed up in m-x0") for _, reason in found)


def test_the_command_lists_the_groups(put, root, capsys):
    put("memwiki.toml", '[layers]\ninbox = "inbox"\n')
    put("inbox/a.md", "".join(entry(n, "2020-01-01") for n in range(3)))
    assert main(["-C", str(root), "upkeep", "consolidate", "--candidates"]) == 0
    assert capsys.readouterr().out == (
        "fact: 3 entries\n  m-s0  Star 0.\n  m-s1  Star 1.\n  m-s2  Star 2.\n"
    )
