"""What is private stays here, and nothing in an export tells of it."""

import io
import json

import pytest

FORMS = ("jsonl", "md")


def exported(ws, form="jsonl", **named):
    """All that an export says."""
    written = io.BytesIO()
    report = ws.carry.export(written.write, format=form, **named)
    return written.getvalue().decode(), report


def paths(text):
    return [fields["path"] for line in text.splitlines() if "path" in (fields := json.loads(line))]


SECRETS = """
--- memwiki.toml ---
[layers]
memory = "memory.md"
log = "log.md"
--- memory.md ---
# Memory

## Facts
- Likes tea. ^m-aaaaaa
- The code is 4711. [private:: true] ^m-bbbbbb
  - more of 4711
- Knows [[Zanzibar]].
  - private:: yes
--- wiki/affair.md ---
---
title: The affair
private: true
---
# The affair

With [[Quentin]], 4711.
--- wiki/plain.md ---
# Plain
--- log.md ---
# Log

## [2026-01-01] create | The affair
- created: [[The affair]]

## [2026-01-02] update | Plain

## [2026-01-03] update | added m-bbbbbb to memory.md
"""


@pytest.fixture
def secrets(ws, write_blocks, opened):
    write_blocks(SECRETS)
    space = opened()
    space.sync()
    space.entries.record("what is the code", [("m-bbbbbb", 1.0)])
    space.entries.record("tea", [("m-aaaaaa", 1.0), ("Quentin", 0.5), ("Zanzibar", 0.5)])
    space.entries.record("affairs", [("wiki/affair.md", 1.0)])
    space.entries.record("plainly", [("wiki/plain.md", 1.0)])
    return space


@pytest.mark.parametrize("form", FORMS)
def test_an_export_tells_nothing_of_what_is_private(secrets, form):
    text, report = exported(secrets, form)
    for trace in ("4711", "affair", "Zanzibar", "Quentin", "quentin", "m-bbbbbb", "the code"):
        assert trace not in text, trace
    assert "Likes tea." in text
    assert (report.private_pages, report.private_entries) == (1, 2)
    assert report.notes == ("1 private page and 2 private entries left out",)


def test_a_journal_that_was_put_away_tells_nothing_either(secrets, put):
    put("log/2025.md", "# Log\n\n## [2025-01-01] create | The affair\n")
    put("wiki/病.md", "---\nprivate: true\n---\n")
    put("log/2024.md", "# Log\n\n## [2024-01-01] create | 病\n\n## [2024-01-02] create | Tea\n")
    text, _ = exported(secrets)
    assert {"log/2024.md", "log/2025.md"} <= {*paths(text)}
    assert "affair" not in text
    assert "病" not in text
    assert "create | Tea" in text


def test_usage_of_the_rest_is_exported(secrets):
    text, report = exported(secrets)
    usage = [json.loads(line) for line in text.splitlines() if '"kind":"usage"' in line]
    assert [each["of"] for each in usage if "recalls" in each] == [
        ["entry", "m-aaaaaa"],
        ["page", "wiki/plain.md"],
    ]
    assert [each["query"] for each in usage if "query" in each] == ["plainly"]
    assert report.usage == len(usage)


def test_all_of_it_is_exported_when_that_is_asked_for(secrets, root):
    text, report = exported(secrets, private=True)
    assert text.count("4711") == 3
    assert "wiki/affair.md" in paths(text)
    assert (report.private_pages, report.private_entries, report.notes) == (0, 0, ())


@pytest.mark.parametrize(
    "page",
    [
        "---\nprivate: true\n---\n4711\n",
        "---\nPrivate: yes\n---\n4711\n",
        "---\r\nprivate: 1\r\n---\r\n4711\r\n",
        "\ufeff---\nprivate: true\n---\n4711\n",
        "---\nprivate: true\n- : {[\n---\n4711\n",
        "---\nprivate: [true]\n---\n4711\n",
        "---\nprivate: {to: me}\n---\n4711\n",
    ],
)
def test_a_private_page_is_left_out_however_it_is_written(ws, put, page):
    put("a.md", page)
    put("b.md", page.removeprefix("\ufeff").encode("utf-16"))
    put("c.md", "# C\n")
    text, report = exported(ws)
    assert paths(text) == ["c.md"]
    assert report.private_pages == 2


@pytest.mark.parametrize("value", ["false", "no", "", "0"])
def test_a_page_that_says_it_is_not_private_is_exported(ws, put, value):
    put("a.md", f"---\nprivate: {value}\n---\n# The private life of bees\n")
    text, report = exported(ws)
    assert paths(text) == ["a.md"]
    assert report.private_pages == 0


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_cutting_entries_out_leaves_every_other_byte(ws, put, end, mark):
    lines = [f"{mark}- One. [private:: true]", "- Two.", "  - [private:: true]", "- 3.", "- Four."]
    put("memory.md", end.join(lines))
    text, report = exported(ws)
    (page,) = [fields for line in text.splitlines() if "path" in (fields := json.loads(line))]
    assert page["text"] == mark + end.join(["- 3.", "- Four."])
    assert report.private_entries == 2


def test_private_entries_in_a_page_of_utf_16_keep_it_here(ws, put):
    put("memory.md", "- One. [private:: true]\n- Two.\n".encode("utf-16"))
    text, report = exported(ws)
    assert (paths(text), report.private_pages) == ([], 1)


def test_private_messages_are_cut_out_of_a_session(ws, write_blocks):
    write_blocks(
        """
        --- memwiki.toml ---
        [layers]
        sessions = "sessions"
        --- sessions/a.md ---
        ---
        type: session
        ---
        ### 2026-11-21T10:00:00Z user ^s-0001
        Hello.

        ### 2026-11-21T10:00:01Z user [private:: true] ^s-0002
        The code is 4711.

        ### 2026-11-21T10:00:02Z assistant ^s-0003
        Fine.
        """
    )
    text, report = exported(ws)
    assert "4711" not in text
    assert "Hello." in text
    assert "Fine." in text
    assert report.private_entries == 1


def test_a_filtered_export_holds_these_pages_and_their_usage_alone(secrets):
    text, report = exported(secrets, path="wiki/*")
    assert paths(text) == ["wiki/plain.md"]
    assert report.usage == 2
    assert json.loads(text.splitlines()[0])["filters"] == {"path": "wiki/*"}


def test_a_catalog_does_not_name_what_is_left_out(ws, write_blocks, opened, root):
    """
    --- memwiki.toml ---
    [catalog]
    enabled = true
    --- index.md ---
    # All of it

    By hand.

    <!-- memwiki:catalog:begin -->
    <!-- memwiki:catalog:end -->
    --- wiki/the affair.md ---
    ---
    private: true
    ---
    # With Quentin
    --- wiki/tea.md ---
    # Tea
    """
    ws.sync()
    assert "tea.md" in (root / "index.md").read_text()
    text, _ = exported(ws)
    assert "affair" not in text
    assert "Quentin" not in text
    assert "By hand." in text
    assert "[Tea](wiki/tea.md)" in text


def test_no_page_ends_the_fence_it_stands_in(ws, put):
    put("a.md", "`````\rtext\r``````\n# Not a heading of the document")
    text, _ = exported(ws, "md")
    assert text.count("`" * 7) == 2
    assert text.endswith("# Not a heading of the document\n```````\n")


def test_an_export_has_no_line_that_a_mark_hides(ws, write_blocks, opened):
    write_blocks(
        """
--- memory.md ---
# Memory

The house is in 4711. [private:: true]

- Likes tea. ^m-aaaaaa
--- wiki/ann.md ---
# Ann

## Observations
- Plays the piano.
  1. In room 4711. [private:: true]
  2. On Mondays.

## Health [private:: true]

With [[Quentin]], 4711.
"""
    )
    space = opened()
    text, report = exported(space)
    for trace in ("4711", "Health", "Quentin"):
        assert trace not in text, trace
    for kept in ("Likes tea.", "Plays the piano.", "On Mondays."):
        assert kept in text, kept
    assert (report.private_pages, report.private_entries) == (0, 3)


@pytest.mark.parametrize("form", FORMS)
def test_the_heading_of_a_private_page_is_kept_back_like_its_title(secrets, put, form):
    put("wiki/route.md", "---\ntitle: One\nprivate: true\n---\n# The long way home\n")
    log = secrets.pages.bytes("log.md").decode()
    put("log.md", f"{log}\n## [2026-01-04] update | The long way home\n")
    secrets.sync()
    text, _ = exported(secrets, form)
    assert "long way" not in text
    assert "[2026-01-02] update | Plain" in text
