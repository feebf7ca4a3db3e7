"""The relative links of an entry lead where they led, wherever it goes."""

import pytest

SETTINGS = """
[layers]
memory = "memory.md"
daily = "daily"
inbox = "inbox"
wiki = "wiki"
archive = "archive"
[retention.daily]
policy = "ttl"
ttl_days = 1
"""
NOON_NS = 1_772_625_600 * 10**9  # 2026-03-04 12:00 UTC
PAGES = {"wiki/to.md": "---\ntype: memory\n---\n# To\n", "wiki/guide.md": "# Guide\n"}


@pytest.fixture
def kept(put, opened):
    def open_(pages):
        put("memwiki.toml", SETTINGS)
        for path, text in {**PAGES, **pages}.items():
            put(path, text)
        return opened(clock=lambda: NOON_NS)

    return open_


LINKS = {
    "See [it](root.md).": "See [it](../root.md).",
    "See [it](root.md#part).": "See [it](../root.md#part).",
    "See [it](./root.md 'T').": "See [it](./../root.md 'T').",
    "See [it](<root.md>).": "See [it](<../root.md>).",
    "See [it](wiki/guide.md).": "See [it](guide.md).",
    "See ![it](a%20b.png).": "See ![it](../a%20b.png).",
    "See [it](code/).": "See [it](../code/).",
    "See it. [source:: [x](root.md)]": "See it. [source:: [x](../root.md)]",
    "See `[it](root.md)`.": "See `[it](root.md)`.",
    "See [[root]].": "See [[root]].",
    "See [it](https://a.b/root.md).": "See [it](https://a.b/root.md).",
    "See [it](/root.md).": "See [it](/root.md).",
    "See [it](gone.md).": "See [it](gone.md).",
    "See [it](../outside.md).": "See [it](../outside.md).",
    "See [it](#part).": "See [it](#part).",
}


@pytest.mark.parametrize(("said", "moved"), LINKS.items())
def test_an_entry_that_moves(kept, root, said, moved):
    ws = kept({"memory.md": f"- {said} ^m-aaaaa1\n", "root.md": "# R\n", "code/x.py": ""})
    (root / "a b.png").write_bytes(b"x")
    assert ws.entries.move("m-aaaaa1", "wiki/to").notes == ()
    assert f"- {moved} ^m-aaaaa1" in (root / "wiki/to.md").read_text()
    ws.entries.move("m-aaaaa1", "memory")
    assert f"- {said} ^m-aaaaa1" in (root / "memory.md").read_text()


def test_what_a_link_means_by_chance_where_it_goes_is_told(kept, root):
    ws = kept({"memory.md": "- See [it](guide.md). ^m-aaaaa1\n"})
    edited = ws.entries.move("m-aaaaa1", "wiki/to")
    assert edited.notes == ("wiki/to.md: guide.md now means wiki/guide.md",)


@pytest.mark.parametrize("path", ["inbox/2026-03-01.md", "daily/2026-03-03.md"])
def test_an_entry_that_is_promoted(kept, root, path):
    line = "- Never deploy without [the guide](../wiki/guide.md), always. [importance:: 0.9]"
    ws = kept({path: f"{line}\n"})
    assert [step.verb for step in ws.upkeep.consolidate()] == ["promoted"]
    assert "without [the guide](wiki/guide.md), always." in (root / "memory.md").read_text()


def test_an_entry_that_retires_and_comes_back(kept, root):
    line = "- Read [the guide](../wiki/guide.md)."
    ws = kept({"daily/2026-01-01.md": f"{line} ^m-aaaaa1\n"})
    ws.upkeep.retain()
    assert "[the guide](../../wiki/guide.md)" in (root / "archive/memory/2026-03.md").read_text()
    ws.upkeep.restore("m-aaaaa1")
    assert line in (root / "daily/2026-01-01.md").read_text()


def test_an_entry_that_overflows(kept, root):
    ws = kept({"memory.md": "## Facts\n" + "- See [it](wiki/guide.md).\n" * 210})
    ws.upkeep.overflow()
    assert "- See [it](../guide.md).\n" in (root / "wiki/memory/facts.md").read_text()
