"""Names for what is being typed: which ones, in which order, of whom, and that no file is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki import Workspace
from memwiki.answers.pages import Suggestion
from memwiki.browse.suggest import NameList, holding
from memwiki.errors import UsageError
from memwiki.files import read

Put = Callable[..., None]


@pytest.fixture
def names(ws: Workspace) -> Callable[..., list[str]]:
    """The names that are offered for a text."""
    ws.sync()
    return lambda text, limit=10: [each.name for each in ws.suggest(text, limit)]


def test_what_begins_with_the_text_comes_before_what_holds_its_words(
    names: Callable[..., list[str]],
) -> None:
    """
    --- wiki/a.md ---
    # Green tea
    --- wiki/b.md ---
    # The green house
    --- wiki/c.md ---
    # Greenland
    --- wiki/d.md ---
    # Evergreen
    """
    assert names("gre") == ["Green tea", "Greenland", "The green house"]
    assert names("green ho") == ["The green house"]
    assert names("gre house") == []  # only the last word may be half-typed


def test_a_name_is_offered_in_whatever_script_and_with_or_without_accents_it_is_typed(
    names: Callable[..., list[str]], ws: Workspace
) -> None:
    """
    --- wiki/a.md ---
    # 備份與恢復
    --- wiki/b.md ---
    # Crème brûlée
    --- wiki/c.md ---
    # किताबों की सूची
    --- wiki/d.md ---
    # วิธีรดน้ำต้นไม้
    """
    assert names("सूची") == ["किताबों की सूची"] and names("सच") == []
    assert names("รดน้ำ") == ["วิธีรดน้ำต้นไม้"]
    assert names("备份") == names("備份") == names("恢复") == ["備份與恢復"]
    assert names("creme br") == ["Crème brûlée"]
    assert ws.pages.get("备份与恢复").path == "wiki/a.md"


def test_one_letter_is_a_whole_word_or_nothing(names: Callable[..., list[str]]) -> None:
    """
    --- wiki/one.md ---
    # Vitamin C
    --- wiki/two.md ---
    # Copper
    --- wiki/three.md ---
    # C++ at work
    """
    assert names("c") == ["Vitamin C", "C++ at work"]
    assert names("c+") == ["C++ at work", "Vitamin C"]
    assert names("") == names("?") == names("  ") == []


def test_chinese_is_found_from_any_of_its_characters_on(names: Callable[..., list[str]]) -> None:
    """
    --- wiki/a.md ---
    # TiDB 数据库连接池
    --- wiki/b.md ---
    # 连接
    """
    assert names("连接") == ["连接", "TiDB 数据库连接池"]
    assert names("数") == ["TiDB 数据库连接池"]
    assert names("tidb数据") == ["TiDB 数据库连接池"]
    assert names("接连") == []


def test_aliases_file_names_tags_and_entities_are_names(ws: Workspace) -> None:
    """
    --- wiki/tea.md ---
    ---
    title: Camellia
    aliases: [Oolong, Olong]
    tags: [olive]
    ---
    # Camellia
    --- wiki/old-notes.md ---
    # Something
    --- memory.md ---
    # Memory
    - Anna drinks tea. [topic:: Olga]
    - Ben drinks tea. [topic:: Camellia]
    """
    ws.sync()
    found = ws.suggest("ol")
    assert [(each.name, each.kind, each.path) for each in found] == [
        ("Olga", "entity", "memory.md"),
        ("Olong", "alias", "wiki/tea.md"),
        ("olive", "tag", ""),
        ("old-notes", "file name", "wiki/old-notes.md"),
    ]
    assert [each.name for each in ws.suggest("#ol")] == ["olive"]
    assert [each.kind for each in ws.suggest("came")] == ["title"]  # the entity is this page


def test_no_file_is_looked_at_once_there_is_an_index(
    ws: Workspace, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    --- wiki/a.md ---
    # Green tea
    """
    assert [each.name for each in ws.suggest("gre")] == ["Green tea"]  # the first index is made
    put("wiki/b.md", "# Greenland")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a file was looked at")

    with monkeypatch.context() as patched:
        patched.setattr(type(ws.live.context), "walk", refuse)
        patched.setattr(read, "read", refuse)
        answer = ws.suggest("gre")
    assert [each.name for each in answer] == ["Green tea"]
    assert (answer.fresh, answer.pending) == (False, None)
    ws.sync()
    assert [each.name for each in ws.suggest("gre")] == ["Green tea", "Greenland"]


def test_the_list_is_made_once_for_a_state_of_the_index(
    ws: Workspace, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    --- wiki/a.md ---
    # Green tea
    """
    made = list[int]()
    build = NameList.__init__

    def counted(self: NameList, *names: list[Suggestion]) -> None:
        made.append(1)
        build(self, *names)

    monkeypatch.setattr(NameList, "__init__", counted)
    ws.sync()
    for text in ("g", "gr", "gre"):
        ws.by("somebody").suggest(text)
    assert len(made) == 1
    put("wiki/b.md", "# Greenland")
    ws.sync()
    ws.suggest("gre")
    assert len(made) == 2


def test_the_public_view_offers_nothing_private(ws: Workspace) -> None:
    """
    --- wiki/a.md ---
    ---
    private: true
    tags: [grim]
    aliases: [Greyhound]
    ---
    # Green secret
    --- wiki/grove.md ---
    # Green tea
    --- memory.md ---
    # Memory
    - Hidden. [topic:: Greta] [private:: true]
    """
    ws.sync()
    assert {each.name for each in ws.suggest("gr")} == {"Greyhound", "grim", "Greta", "grove"}
    assert [each.name for each in ws.public().suggest("gr")] == ["grove"]
    assert [each.name for each in ws.public().suggest("green")] == ["Green tea"]


def test_a_namespace_offers_its_own_names(opened: Callable[..., Workspace]) -> None:
    """
    --- memwiki.toml ---
    [layers]
    namespaces = "spaces"
    --- wiki/a.md ---
    # Green tea
    --- spaces/anna/wiki/b.md ---
    # Greenland
    """
    opened().sync()
    offered = {
        name: {each.name for each in opened(namespace=name).suggest("gre")}
        for name in ("", "anna", "*")
    }
    assert offered == {
        "": {"Green tea"},
        "anna": {"Greenland"},
        "*": {"Green tea", "Greenland"},
    }


def test_a_page_is_offered_once_and_so_many_names_at_most(names: Callable[..., list[str]]) -> None:
    """
    --- wiki/green-tea.md ---
    ---
    aliases: [Green leaves]
    ---
    # Green tea
    --- wiki/b.md ---
    # Greenland
    """
    assert names("green") == ["Green tea", "Greenland"]
    assert names("green", 1) == ["Green tea"]
    assert names("green l") == ["Green leaves"]
    with pytest.raises(UsageError, match="limit"):
        names("green", 0)


_TEXTS = st.text("abcÄß 数据-_#", max_size=8)


@given(st.lists(_TEXTS, max_size=12), _TEXTS)
def test_what_is_offered_is_what_a_look_at_every_name_finds(titles: list[str], typed: str) -> None:
    pages = [Suggestion(title, "title", str(at)) for at, title in enumerate(titles)]
    found = NameList(pages).find(typed, 100)
    assert NameList(holding(typed, pages)).find(typed, 100) == found
    assert len({each.path for each in found}) == len(found)
    start = " ".join(typed.lstrip("#").split())
    for each in pages:
        begins = len(start) > 1 and " ".join(each.name.split()).startswith(start)
        assert not begins or typed.startswith("#") or each in found


def test_the_root_is_named_in_no_name(ws: Workspace, root: Path) -> None:
    """
    --- index.md ---
    # Home
    --- wiki/readme.md ---
    # Reading
    """
    ws.sync()
    assert [each.name for each in ws.suggest("re")] == ["Reading"]
    assert not list(ws.suggest("index"))
    assert not list(ws.suggest(root.name))
