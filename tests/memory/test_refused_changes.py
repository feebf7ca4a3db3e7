"""Changes of entries that are refused, and what is said then; nothing is written."""

import pytest

from memwiki.errors import UsageError


@pytest.mark.parametrize("name", ["created", "valid_from", "valid_to"])
def test_a_field_that_says_when_takes_a_date(ws, root, name):
    """
    --- memory.md ---
    - Prefers tea. ^m-aaaaaa
    """
    before = (root / "memory.md").read_bytes()
    with pytest.raises(UsageError, match=f"{name}: never is not a date or time"):
        ws.entries.update("m-aaaaaa", fields={name: "never"})
    assert (root / "memory.md").read_bytes() == before
    ws.entries.update("m-aaaaaa", fields={name: "2026-09-01T10:00"})
    assert f"[{name}:: 2026-09-01T10:00]" in (root / "memory.md").read_text()
    ws.entries.update("m-aaaaaa", fields={name: "today"})
    assert "today" not in (root / "memory.md").read_text()
