"""Where the server is lost, who has files beside it goes on with these, and says why."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("psycopg")

from memwiki.cli.main import main
from memwiki.errors import SharedIndexError
from memwiki.workspace import Workspace, shared
from tests import postgres

HERE = "the answer comes from the index of ws"


@pytest.fixture(scope="module")
def server() -> Iterator[postgres.Server]:
    found = postgres.new_server()
    yield found
    found.end()


@pytest.fixture
def address(server, monkeypatch) -> Iterator[str]:
    """That of a server that a test may end."""
    monkeypatch.setenv("MEMWIKI_INDEX_SHARED", server.address())
    yield server.address()
    if not server.is_running():
        server.start()


@pytest.fixture
def fed_pages(write_blocks, put, ws, address) -> None:
    """Two pages, one of them fed before the other was written."""
    put("heron.md", "# Heron\n\nA heron stands in the river.\n")
    put("secret.md", "---\nprivate: true\n---\n# Secret\n\nA hidden heron.\n")
    ws.share.feed("ws", texts=True)
    put("stork.md", "# Stork\n\nA stork knows the heron.\n")


@pytest.fixture
def opened_at() -> Iterator[Callable[[Path], Workspace]]:
    spaces: list[Workspace] = []

    def open_(folder: Path) -> Workspace:
        spaces.append(shared.open_shared("ws", folder))
        return spaces[-1]

    yield open_
    for space in spaces:
        space.close()


def paths(answer: object) -> set[str]:
    return {hit.path for hit in answer.hits}


ASKED = {
    "search": lambda ws: ws.search("heron"),
    "recall": lambda ws: ws.recall("heron", record=False),
    "pages": lambda ws: ws.pages.list(),
    "links": lambda ws: ws.graph.links("Heron"),
    "browse": lambda ws: ws.browse(),
    "prompt": lambda ws: ws.prompt(),
    "status": lambda ws: ws.index.status(),
    "entries": lambda ws: ws.entries.list(),
}


@pytest.mark.usefixtures("fed_pages")
@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_whatever_is_asked_when_the_server_is_lost_is_answered(server, root, opened_at, ask):
    space = opened_at(root)
    ask(space)
    server.kill()
    ask(space)
    assert HERE in " ".join(space.take_warnings())


@pytest.mark.usefixtures("fed_pages")
def test_answers_come_from_the_files_beside_it_until_the_server_is_back(
    server, root, opened_at, monkeypatch
):
    space = opened_at(root)
    view = space.public()
    assert paths(space.search("heron")) == {"heron.md"}
    server.kill()
    found = view.search("heron")  # what was shown to others shows nothing private now
    assert paths(found) == {"heron.md", "stork.md"}
    assert HERE in found.reason
    found = space.search("heron")
    assert found.fresh
    assert HERE in found.reason
    assert space.root == root
    server.start()
    assert HERE in space.search("heron").reason  # it is not asked all the time
    monkeypatch.setattr(space._place, "again_at", 0.0)
    assert paths(found := space.search("heron")) == {"heron.md"}
    assert HERE not in found.reason


@pytest.mark.usefixtures("fed_pages")
def test_what_was_answered_without_texts_is_not_said_again_of_the_files(
    server, put, ws, root, opened_at
):
    put("memory.md", "# Memory\n\n- The heron eats at noon. ^m-aaaaaa\n")
    ws.share.feed("ws")
    ws.sync()
    space = opened_at(root)
    asked = "when does the heron eat?"
    assert "noon" not in space.recall(asked, record=False).hits[0].excerpt
    server.kill()
    assert "noon" in space.recall(asked, record=False).hits[0].excerpt


@pytest.mark.usefixtures("fed_pages")
def test_without_files_a_lost_server_is_an_error_with_a_code(server, tmp_path, opened_at):
    space = opened_at(tmp_path)
    server.kill()
    for ask in (lambda: space.search("heron"), lambda: opened_at(tmp_path)):
        with pytest.raises(SharedIndexError) as error:
            ask()
        assert error.value.code == "shared_index"


@pytest.mark.usefixtures("fed_pages")
def test_a_command_says_why_it_answers_from_the_files(server, root, capsys):
    server.kill()
    asked = ["-C", str(root), "--shared", "ws", "search", "stork"]
    assert main(asked) == 0
    said = capsys.readouterr()
    assert "stork.md" in said.out
    assert HERE in said.err
    assert main([*asked, "--json"]) == 0
    assert HERE in json.loads(capsys.readouterr().out)["reason"]


@pytest.mark.usefixtures("fed_pages")
def test_a_tool_says_why_it_answers_from_the_files(server, root, opened_at):
    from memwiki.tools import DoorSettings, call

    space = opened_at(root)
    server.kill()
    answer = call(space, "search", {"query": "heron"}, settings=DoorSettings())
    assert not answer.is_error
    assert answer.text.startswith("memwiki: fresh (shared index: ")
    assert "secret" not in answer.text


@pytest.mark.usefixtures("fed_pages")
def test_the_page_goes_on_from_the_files(server, root, opened_at):
    pytest.importorskip("starlette")
    from tests.web.conftest import visitor

    page = visitor(opened_at(root), is_read_only=True)
    assert page.get("/p/stork.md").status_code == 404
    server.kill()
    for address in ("/search?q=heron", "/p/stork.md", "/"):
        found = page.get(address)
        assert found.status_code == 200, address
        assert address == "/" or "stork" in found.text.lower()
        assert "secret" not in found.text.lower()
    page.close()
    page.site.close()


@pytest.mark.usefixtures("fed_pages")
def test_a_shared_workspace_is_followed_page_by_page(root, opened_at, ws):
    import threading

    told, seen = [], threading.Event()
    with opened_at(root).follow(lambda each: (told.append(each), seen.set()), only_looking=True):
        assert seen.wait(20)
        ws.share.feed("ws", texts=True)
        for _ in range(200):
            if any(each.changed for each in told):
                break
            seen.clear()
            seen.wait(0.2)
    assert [(each.changed, each.complete) for each in told if each.changed] == [
        (("stork.md",), True)
    ]


# --- which files are those that were fed ----------------------------------------------------------


@pytest.fixture
def team(put, ws, address) -> None:
    """The folder `ws`, fed under another name."""
    put("heron.md", "# Heron\n\nA heron stands in the river.\n")
    ws.share.feed("team", texts=True)


@pytest.mark.usefixtures("team")
@pytest.mark.parametrize("is_read_before", [True, False])
def test_files_that_were_fed_under_another_name_are_known_again(server, root, is_read_before):
    if is_read_before:
        with shared.open_shared("team", root) as space:
            assert space.search("heron").fresh  # by their tree, though nobody feeds them
            server.kill()
            found = space.search("heron")
            assert (paths(found), HERE in found.reason) == ({"heron.md"}, True)
    else:
        server.kill()
    with shared.open_shared("team", root) as space:
        found = space.search("heron")
        assert (paths(found), HERE in found.reason) == ({"heron.md"}, True)


@pytest.mark.usefixtures("team")
@pytest.mark.parametrize("has_read", [True, False])
def test_a_folder_that_is_called_as_what_was_fed_from_another_is_none(server, tmp_path, has_read):
    other = tmp_path / "team"
    other.mkdir()
    (other / "memwiki.toml").touch()
    (other / "zebra.md").write_text("# Zebra\n")
    if has_read:
        with shared.open_shared("team", other) as space:
            assert not space.search("heron").fresh
    server.kill()
    with pytest.raises(SharedIndexError):
        shared.open_shared("team", other)
