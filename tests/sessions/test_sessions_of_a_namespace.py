"""A conversation in a namespace is there alone."""

import pytest

from memwiki.errors import NotFoundError

SETTINGS = """
[layers]
sessions = "sessions"
daily = "daily"
archive = "archive"
namespaces = "namespaces"
"""


@pytest.fixture
def both(root, opened):
    (root / "memwiki.toml").write_text(SETTINGS)
    (root / "namespaces" / "a").mkdir(parents=True)
    return opened(), opened(namespace="a")


def test_sessions_of_one_name_are_two(both):
    whole, inner = both
    whole.session("talk").add_message("user", "Outside.")
    inner.session("talk").add_message("user", "Inside.", daily=True)
    assert [said.text for said in whole.session("talk").history()] == ["Outside."]
    said = inner.session("talk").get()
    assert (said.path, said.messages[0].text) == ("namespaces/a/sessions/talk.md", "Inside.")
    assert [entry.path.split("/")[:3] for entry in inner.entries.list()] == [
        ["namespaces", "a", "daily"]
    ]
    assert [row.id for row in inner.sessions.list()] == ["talk"]
    assert [row.path for row in whole.sessions.list()] == ["sessions/talk.md"]
    assert [hit.path for hit in whole.search("inside").hits] == []


def test_what_is_purged_goes_to_the_archive_of_the_namespace(both, root):
    _, inner = both
    inner.session("talk").add_message("user", "Inside.")
    inner.session("talk").purge()
    assert (root / "namespaces" / "a" / "archive" / "sessions" / "talk.md").is_file()
    with pytest.raises(NotFoundError):
        inner.session("talk").get()
