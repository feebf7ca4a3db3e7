"""A memory folder of Claude Code becomes pages that keep every byte and link one another."""

from hypothesis import given
from hypothesis import strategies as st

from memwiki.adapters.importers import claude_code
from memwiki.markdown.outline import outline_of
from tests.carry.sources import LAYERS, Files, after, into
from tests.effort import for_each

TOPIC = b"""---
name: review-emoji-code
description: "CONTRIBUTING.md defines an emoji code: use it on each comment"
metadata:\x20
  node_type: memory
  type: reference
  originSessionId: 19d7fc05-7140-4c5b-b7a1-e296c05eacca
  modified: 2026-07-30T07:40:18.191Z
---

When drafting comments, use the code. **Why:** it is asked for. See [[small-commits]].
"""
OLDER = b"""---
name: Small commits
description: commits are small
type: feedback
---
# Commits are small

One change each.
"""
INDEX = (
    b"- [Emoji code](reference_emoji.md) - for reviews\n- [Small](feedback_commits.md) - commits\n"
)
FOLDER = {"MEMORY.md": INDEX, "reference_emoji.md": TOPIC, "feedback_commits.md": OLDER}


def imported(files, name="memory"):
    made = claude_code.incoming(Files(files, name), into({}))
    return {each.path: each.data for each in made.files}, made.notes


def test_a_topic_keeps_every_byte_and_says_its_name_type_and_day_as_pages_do():
    files, notes = imported(FOLDER)
    head, body = TOPIC.split(b"---\n\n")
    assert files["wiki/claude-code/reference_emoji.md"] == (
        head + b"title: review-emoji-code\ntype: reference\nupdated: 2026-07-30T07:40:18Z\n"
        b"origin: agent\n---\n\n" + body
    )
    assert notes == ()


def test_a_topic_with_a_heading_is_found_by_its_name_too():
    files, _ = imported(FOLDER)
    head, body = OLDER.split(b"---\n#")
    assert files["wiki/claude-code/feedback_commits.md"] == (
        head + b"aliases: [Small commits]\norigin: agent\n---\n#" + body
    )


def test_an_index_that_points_to_nothing_is_a_page_of_entries():
    files, _ = imported({"MEMORY.md": b"# Memory\n- Use pnpm.\n- Tests need Redis.\n"})
    ((path, data),) = files.items()
    page = outline_of(path, data, LAYERS)
    assert (page.kind, page.title) == ("collecting", "Claude Code memory")


def test_instructions_are_a_page_of_entries_under_another_name():
    files, _ = imported({"CLAUDE.md": b"# Rules\n\n- Use tabs.\n"}, "CLAUDE.md")
    assert files == {
        "wiki/claude-code/claude-code-instructions.md": b"---\ntitle: Claude Code instructions\n"
        b"type: memory\norigin: tool\n---\n# Rules\n\n- Use tabs.\n"
    }


def test_two_projects_go_to_folders_of_their_own():
    files, _ = imported(FOLDER, "-home-anna-shop")
    assert {path.rpartition("/")[0] for path in files} == {"wiki/claude-code/home-anna-shop"}


def test_a_front_matter_that_cannot_be_read_with_certainty_stays_as_it_is():
    broken = b"---\nname: a\ndescription: b: c: d\n---\nText.\n"
    files, notes = imported({"MEMORY.md": INDEX, "a.md": broken})
    assert files["wiki/claude-code/a.md"] == broken
    assert notes[0].startswith("wiki/claude-code/a.md: kept as it is")


def test_hidden_files_are_not_imported_and_others_are_kept_beside():
    files, notes = imported({**FOLDER, "plot.png": b"\x89PNG", ".DS_Store": b""})
    assert files["wiki/claude-code/plot.png"] == b"\x89PNG"
    assert notes == ("1 hidden file not imported",)


LINES = st.sampled_from(
    """---
name: a
description: b
metadata:
  type: user
  modified: 2026-01-02
type: x
title: T
tags: [a]
name: [
# H
- item
[a](b.md)
```

é 好""".split("\n")
)


@given(st.lists(LINES, max_size=10), st.sampled_from(["\n", "\r\n"]))
def test_whatever_a_file_says_its_text_and_its_fields_stay(lines, end):
    data = end.join(["---", *lines] if len(lines) % 2 else lines).encode()
    files, _ = imported({"MEMORY.md": INDEX, "a.md": data})
    before = outline_of("wiki/claude-code/a.md", data, LAYERS)
    after_ = outline_of("wiki/claude-code/a.md", files["wiki/claude-code/a.md"], LAYERS)
    assert after_.lines[after_.start :] == before.lines[before.start :]
    assert after_.front.fields.items() >= before.front.fields.items()
    assert all(line in after_.lines for line in before.lines)


@for_each(
    ("files", "is_known"),
    [
        (FOLDER, True),
        ({f"memory/{name}": data for name, data in FOLDER.items()}, True),
        ({"MEMORY.md": INDEX}, True),
        ({"CLAUDE.md": b"", "CLAUDE.local.md": b""}, True),
        ({"MEMORY.md": INDEX, "notes.md": b"# Notes"}, False),
        ({**FOLDER, "daily/2026-01-01.md": b""}, False),
        ({"reference_emoji.md": TOPIC}, False),
        ({}, False),
    ],
)
def test_a_flat_folder_with_an_index_and_topics_is_such_a_memory(files, is_known):
    assert claude_code.is_kind(Files(files)) == is_known


def test_importing_it_again_gives_the_same_files():
    files = after({}, claude_code.incoming(Files(FOLDER), into({})))
    assert after(files, claude_code.incoming(Files(FOLDER), into(files))) == files
