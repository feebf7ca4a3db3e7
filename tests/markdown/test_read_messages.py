"""Sessions: a level-3 heading and the text below it is one message."""

import pytest

from memwiki.nouns import Layers, UnitKind

SESSION = """\
---
type: session
started: 2026-11-21T10:00:00Z
participants: [Anna]
---
# Session

### 2026-11-21T10:00:00Z user [name:: Anna] ^s-0001
Hello.

#### A detail

```
### not a message
```

### 2026-11-21T10:01:00Z assistant ^s-0002

\\### escaped
### Anna
Bye.

## Summary

Done.
"""


def test_messages_have_role_time_id_fields_and_text(read):
    first, second, third = read(SESSION, "sessions/a.md").messages
    assert (first.role, first.time, first.id) == ("user", "2026-11-21T10:00:00Z", "s-0001")
    assert first.fields == {"name": "Anna"}
    assert first.text == "Hello.\n\n#### A detail\n\n```\n### not a message\n```"
    assert (first.line_start, first.line_end) == (8, 15)
    assert second.text == "### escaped"
    assert (third.role, third.text, third.id) == ("Anna", "Bye.", "")


def test_each_message_is_one_unit_and_the_rest_stays_searchable(read):
    units = read(SESSION, "sessions/a.md").units
    assert [unit.kind for unit in units] == [*[UnitKind.MESSAGE] * 3, UnitKind.BLOCK]
    assert units[0].names.startswith("user Anna 2026-11-21T10:00:00Z 21 November 2026\nSession")
    assert units[2].names == "Anna 2026-11-21T10:00:00Z 21 November 2026"
    assert "Done." in units[3].text


@pytest.mark.parametrize("layers", [Layers(sessions="sessions"), Layers()])
def test_a_session_is_one_by_folder_or_by_type(read, layers):
    assert len(read(SESSION, "sessions/a.md", layers).messages) == 3


def test_notes_of_type_session_with_other_headings_are_an_ordinary_page(read):
    page = read("---\ntype: session\n---\n## Game night\n\n### The cave\n\nDark.\n", "a.md")
    assert page.messages == ()
    assert "Dark." in page.units[0].text


def test_a_time_with_a_space_and_a_plain_role_are_read(read):
    (message,) = read("### 2026-11-21 10:00 tool\nout\n", "sessions/a.md").messages
    assert (message.role, message.time, message.text) == ("tool", "2026-11-21 10:00", "out")
