"""What is private by its page, its heading or what it stands in stays so wherever it goes."""

import pytest

from memwiki.markdown.outline import outline_of
from memwiki.markdown.private import hidden_in, public_bytes
from memwiki.markdown.units import entries_of
from memwiki.memory.plans import PageBytes, join_plan
from memwiki.memory.view import LocatedEntry
from memwiki.nouns import Layers

SETTINGS = """
[layers]
memory = "memory.md"
daily = "daily"
inbox = "inbox"
wiki = "wiki"
archive = "archive"
"""
NOON_NS = 1_772_625_600 * 10**9  # 2026-03-04 12:00 UTC
PAGE = "---\ntype: memory\nprivate: true\n---\n# Diary\n\n## Facts\n\n{}\n"
HEADING = "---\ntype: memory\n---\n# Half\n\n## Facts [private:: true]\n\n{}\n"
BELOW = "---\ntype: memory\n---\n# Half\n\n## Own [private:: true]\n\n### Facts\n\n{}\n"
HIDING = [PAGE, HEADING, BELOW]
TYPE = "type: memory\n"
OTHER = f"---\n{TYPE}---\n# Other\n"
SAID = "- Must never tell: the code of the safe is 882alpha."


@pytest.fixture
def kept(put, opened):
    def open_(pages, more=""):
        put("memwiki.toml", SETTINGS + more)
        for path, text in pages.items():
            put(path, text)
        return opened(clock=lambda: NOON_NS)

    return open_


def seen(ws, root):
    """All that those see who may not see what is private."""
    layers, found = ws.config.layers, []
    for path in sorted(root.rglob("*.md")):
        name = path.relative_to(root).as_posix()
        shown = public_bytes(name, path.read_bytes(), layers)
        found.append(f"{name}\n{(shown or b'').decode()}")
    return "\n".join(found)


@pytest.mark.parametrize("form", HIDING)
@pytest.mark.parametrize("to", ["memory", "wiki/other", "daily"])
def test_an_entry_that_moves_stays_private(kept, root, form, to):
    ws = kept({"wiki/d.md": form.format(f"{SAID} ^m-aaaaa1"), "wiki/other.md": OTHER})
    ws.entries.move("m-aaaaa1", to)
    assert "882alpha" not in (root / "wiki/d.md").read_text()
    assert "882alpha" not in seen(ws, root)


@pytest.mark.parametrize("form", [PAGE, BELOW])
def test_where_all_is_private_an_entry_needs_no_mark(kept, root, form):
    ws = kept(
        {"wiki/d.md": PAGE.format(f"{SAID} ^m-aaaaa1"), "wiki/to.md": form.format("- Is there.")}
    )
    ws.entries.move("m-aaaaa1", "wiki/to")
    assert f"{SAID} ^m-aaaaa1" in (root / "wiki/to.md").read_text()
    assert "882alpha" not in seen(ws, root)


@pytest.mark.parametrize("form", HIDING)
def test_an_entry_that_is_promoted_stays_private(kept, root, form):
    entry = f"{SAID} [importance:: 0.9] [status:: staged] ^m-aaaaa1"
    ws = kept({"inbox/a.md": form.replace(TYPE, "").format(entry)})
    assert [step.verb for step in ws.upkeep.consolidate()] == ["promoted"]
    assert "882alpha" in (root / "memory.md").read_text()
    assert "882alpha" not in seen(ws, root)


def test_a_line_of_a_private_day_that_is_promoted_stays_private(kept, root):
    ws = kept({"daily/2026-03-01.md": f"---\nprivate: true\n---\n# D\n\n{SAID}\n"})
    assert [step.verb for step in ws.upkeep.consolidate()] == ["promoted"]
    assert "[private:: true]" in (root / "memory.md").read_text()
    assert "[private:: true]" not in (root / "daily/2026-03-01.md").read_text()
    assert "882alpha" not in seen(ws, root)


@pytest.mark.parametrize("form", HIDING)
def test_an_entry_that_retires_and_comes_back_stays_private(kept, root, form):
    more = '[retention.daily]\npolicy = "ttl"\nttl_days = 1\n'
    ws = kept({"daily/2026-01-01.md": form.replace(TYPE, "").format(f"{SAID} ^m-aaaaa1")}, more)
    assert [step.verb for step in ws.upkeep.retain()] == ["retired"]
    assert "882alpha" in (root / "archive/memory/2026-03.md").read_text()
    assert "882alpha" not in seen(ws, root)
    path = root / "daily/2026-01-01.md"
    path.write_text("# D\n")  # which is public by now
    ws.upkeep.restore("m-aaaaa1")
    assert "882alpha" in path.read_text()
    assert "882alpha" not in seen(ws, root)


def test_what_comes_back_from_a_private_archive_is_private(kept, root):
    page = "---\ntype: memory\nprivate: true\n---\n# A\n\n- Secret. [from:: memory.md] ^m-aaaaa1\n"
    ws = kept({"archive/memory/2026-03.md": page, "memory.md": "# Memory\n"})
    ws.upkeep.restore("m-aaaaa1")
    assert "- Secret. [private:: true] ^m-aaaaa1" in (root / "memory.md").read_text()


@pytest.mark.parametrize("form", HIDING)
def test_nothing_private_is_merged_into_what_is_public(kept, root, form):
    words = "The release of Atlas is prepared by Ann and Ben in the first week of each month"
    form = form.replace(TYPE, "")
    ws = kept(
        {
            "memory.md": f"- {words}. ^m-k1\n",
            "inbox/a.md": form.format(f"- {words} 882alpha. [status:: staged] [note:: x7] #tag7"),
            "inbox/b.md": form.format(f"- {words}. [status:: staged] [note:: x7] #tag7"),
        }
    )
    ws.upkeep.consolidate()
    assert f"- {words}. ^m-k1" in (root / "memory.md").read_text()
    assert not [each for each in ("882alpha", "x7", "tag7") if each in seen(ws, root)]


def test_what_overflows_stays_private_and_its_page_does_not_bear_the_heading(kept, root):
    items = "\n".join(f"- secret {n} 882alpha" for n in range(150))
    others = "\n".join(f"- other {n}" for n in range(120))
    text = f"# M\n\n## Affairs [private:: true]\n\n{items}\n\n## Facts\n\n{others}\n"
    ws = kept({"memory.md": text})
    ws.upkeep.run()
    moved = sorted(path.name for path in (root / "wiki/memory").iterdir())
    assert moved == ["more.md"]
    assert "882alpha" in (root / "wiki/memory/more.md").read_text()
    shown = seen(ws, root)
    assert "882alpha" not in shown and "ffairs" not in shown


def test_lines_that_are_private_are_found_once_a_page():
    page = outline_of("wiki/a.md", b"---\nprivate: true\n---\n- a\n", Layers(wiki="wiki"))
    assert hidden_in(page) == frozenset(range(1, 5))
    assert hidden_in(page) is hidden_in(page)
    assert hidden_in(page.at("wiki/b.md")) is not hidden_in(page)


@pytest.mark.parametrize("order", [1, -1])
def test_what_joins_a_private_entry_is_private(order):
    layers = Layers(memory="memory.md", wiki="wiki")
    files = {"memory.md": b"- Open. ^m-aaaaa1\n", "wiki/d.md": PAGE.format("- Secret.").encode()}
    pages = PageBytes(files.__getitem__, layers, "2026-03-04", 10_000)
    known = [
        LocatedEntry(path, "memory", entries_of(outline_of(path, data, layers)).entries[0])
        for path, data in files.items()
    ][::order]
    ids = [f"m-bbbbb{n}" for n in range(4)]
    after = {edit.path: edit.data for edit in join_plan(known, "Both", ids, pages, origin="").edits}
    shown = [public_bytes(path, data, layers) or b"" for path, data in after.items()]
    assert b"Both" in after[known[0].path] and b"Both" not in b"".join(shown)
    assert (b"[private:: true]" in after["memory.md"]) == (order > 0)
