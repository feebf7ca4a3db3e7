"""What is near in meaning, for who reads from a server: as with the files, or words alone."""

from __future__ import annotations

import json
import threading

import pytest

pytest.importorskip("psycopg")

import psycopg

from memwiki.cli.main import main
from memwiki.errors import ModelError, SharedIndexError
from memwiki.share.feed import feeding
from memwiki.share.vectors import SharedVectors
from memwiki.sync.embedder import EmbeddingModel
from memwiki.workspace import Workspace, share
from tests.embedding import WordEmbedder, with_vectors
from tests.scripted_server import ScriptedServer, answer

MEMORIES = (
    "# Memory\n\n- The physician wants more sleep for Anna. ^m-aaaaaa\n"
    "- Anna drives to Ulm. ^m-bbbbbb\n- Tea is green. ^m-cccccc\n"
)
QUESTION = "what did the doctor say?"


def read_with(
    space: Workspace, embedder: WordEmbedder | None, *, is_local: bool = True
) -> SharedVectors | None:
    """Set an embedder for a reader, as its settings would."""
    if embedder is None:
        return None
    found = space.live.vectors_of(EmbeddingModel(embedder, embedder.key, is_local))
    space.live.vectors = found
    return found


@pytest.fixture
def embedded(put, ws, fed):
    """Write the memories, embed them and feed them."""

    def embed(text: str = MEMORIES, *, embedder: WordEmbedder | None = None) -> None:
        put("memory.md", text)
        ws.sync()
        with_vectors(ws, embedder or WordEmbedder()).fill(ws.live, seconds=1e9)
        fed(texts=True)

    return embed


def said(answer) -> list[tuple[str, float]]:
    return [(hit.id, hit.score) for hit in answer.hits]


@pytest.mark.parametrize("options", [{}, {"vectors": "only"}, {"fusion": "rrf"}])
def test_who_has_no_files_has_the_same_answers(ws, embedded, reader, options):
    embedded()
    space = reader()
    read_with(space, WordEmbedder())
    for question in (QUESTION, "does Anna drive", "green tea"):
        expected = ws.recall(question, record=False, **options)
        answer = space.recall(question, record=False, **options)
        assert said(answer) == said(expected) != [], question
        assert answer.vectors == expected.vectors, question
        assert answer.vectors.used, question


def test_a_reader_without_a_model_has_the_answer_of_words(ws, embedded, reader):
    embedded()
    answer = reader().recall("Anna", record=False)
    assert said(answer) == said(ws.recall("Anna", record=False, vectors="off"))
    assert answer.vectors is None


@pytest.mark.parametrize("other", [WordEmbedder("words 2"), WordEmbedder("words 1, 32", 32)])
def test_vectors_of_another_model_or_width_are_not_used_and_that_is_said(
    ws, embedded, reader, other
):
    embedded()
    space = reader()
    vectors = read_with(space, other)
    answer = space.recall("Anna", record=False)
    assert said(answer) == said(ws.recall("Anna", record=False, vectors="off"))
    assert (answer.vectors.used, answer.vectors.reason) == (
        False,
        "the shared index has vectors of another model: words 1",
    )
    assert not vectors.folder.exists()
    assert space.index.status().vectors.vectors == 0


def test_where_nothing_was_embedded_words_answer_and_that_is_said(put, fed, reader):
    put("memory.md", MEMORIES)
    fed()
    space = reader()
    read_with(space, WordEmbedder())
    found = space.recall("Anna", record=False).vectors
    assert (found.used, found.reason) == (False, "the shared index has no vectors")


def test_what_is_embedded_later_is_found_in_the_same_session(put, ws, embedded, fed, reader):
    embedded("# Memory\n\n- Tea is green. ^m-cccccc\n")
    space = reader()
    read_with(space, WordEmbedder())
    assert [hit.id for hit in space.recall("beverage tea", record=False).hits] == ["m-cccccc"]
    embedded("# Memory\n\n- The physician is here. ^m-aaaaaa\n- A car. ^m-dddddd\n")
    for question, expected in ((QUESTION, "m-aaaaaa"), ("automobile", "m-dddddd")):
        assert space.recall(question, record=False).hits[0].id == expected
    put("memory.md", "# Memory\n\n- A car. ^m-dddddd\n")
    ws.sync()
    fed()  # by who has them, though the page lacks none
    assert [hit.id for hit in space.recall(QUESTION, record=False).hits] in ([], ["m-dddddd"])
    assert space.index.status().vectors == ("words 1", 1, 1, True)


def test_of_pages_that_are_gone_or_changed_no_row_stays(put, ws, embedded, fed, address):
    embedded()
    ws.live.vectors = None  # who feeds now has no model
    fed()
    assert rows_in(address) == (3, 3)
    put("memory.md", MEMORIES.replace("- Tea is green. ^m-cccccc\n", ""))
    fed()
    assert rows_in(address) == (0, 0)


def test_a_row_of_a_text_that_stands_elsewhere_stays(put, ws, embedded, address):
    put("old.md", "- Tea is green. ^m-eeeeee\n")
    put("memwiki.toml", '[vectors]\nof = "all"\n')
    embedded("# Memory\n\n- Tea is green. ^m-cccccc\n- A car. ^m-dddddd\n")
    assert rows_in(address) == (3, 2)
    embedded("# Memory\n\n- A car. ^m-dddddd\n")
    assert rows_in(address) == (2, 2)


def test_fed_with_another_model_all_are_of_that_one(embedded, reader, address):
    embedded()
    space = reader()
    read_with(space, WordEmbedder("words 2", 32))
    embedded(embedder=WordEmbedder("words 2", 32))
    assert rows_in(address) == (3, 3)
    assert space.recall(QUESTION, record=False).vectors.used


def test_what_did_not_change_is_not_compared_again(put, ws, embedded, monkeypatch):
    embedded()
    with feeding(ws.live, ws.environ, "notes") as feeder:
        feeder.feed(ws.live)
        asked = []
        monkeypatch.setattr("memwiki.share.feed.feed_vectors", lambda *_: asked.append(1) or "")
        feeder.feed(ws.live)
        assert asked == []
        put("other.md", "# Other\n")
        feeder.feed(ws.live)
        assert asked == [1]


def test_a_copy_that_was_deleted_is_made_again(embedded, reader):
    from shutil import rmtree

    embedded()
    space = reader()
    vectors = read_with(space, WordEmbedder())
    expected = said(space.recall(QUESTION, record=False))
    rmtree(vectors.folder)
    assert said(space.recall(QUESTION, record=False, limit=7)) == expected


def test_a_row_that_is_not_as_it_was_written_is_not_believed(embedded, reader, address):
    embedded()
    with psycopg.connect(address, autocommit=True) as db:
        db.execute("update memwiki_3_vectors.all_vector set packed = set_byte(packed, 30, 99)")
    space = reader()
    read_with(space, WordEmbedder())
    assert not space.recall(QUESTION, record=False).vectors.used


def test_where_no_copy_can_be_made_words_answer(embedded, reader):
    embedded()
    space = reader()
    vectors = read_with(space, WordEmbedder())
    vectors.folder.parent.parent.write_text("in the way")
    found = space.recall("Anna", record=False)
    assert "m-bbbbbb" in [hit.id for hit in found.hits]
    assert "cannot be copied" in found.vectors.reason


def test_eight_threads_ask_beside_a_feeder_and_none_fails(put, ws, embedded, fed, reader):
    embedded()
    space = reader()
    read_with(space, WordEmbedder())
    failed: list[BaseException] = []

    def ask(number: int) -> None:
        try:
            for each in range(4):
                answer = space.recall(f"the doctor {number} {each}", record=False)
                assert "m-aaaaaa" in [hit.id for hit in answer.hits]
        except BaseException as error:
            failed.append(error)
        finally:
            space.leave()

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for number in range(4):
        embedded(MEMORIES + f"- Number {number}.\n")
    for thread in threads:
        thread.join()
    assert failed == []


def test_a_server_of_vectors_that_is_down_leaves_the_words(embedded, reader):
    embedded()
    space, down = reader(), WordEmbedder()

    def refuse(_: object) -> None:
        raise ModelError("it is down")

    down.before = refuse
    read_with(space, down, is_local=False)
    found = space.recall("Anna", record=False)
    assert (found.vectors.used, found.vectors.reason) == (False, "it is down")
    assert "m-bbbbbb" in [hit.id for hit in found.hits]


def test_how_wide_vectors_are_is_asked_of_who_makes_them(embedded, reader):
    embedded()
    space, embedder = reader(), WordEmbedder()
    embedder.known_width = 0
    embedder.before = lambda _: setattr(embedder, "known_width", 64)
    read_with(space, embedder, is_local=False)
    assert space.recall(QUESTION, record=False).vectors.used


def test_readers_embed_nothing(embedded, reader):
    embedded()
    space = reader()
    read_with(space, WordEmbedder())
    for work in (space.models.embed, space.sync):
        with pytest.raises(SharedIndexError, match="it is only read"):
            work()


def test_with_a_model_that_is_set_a_feed_embeds_and_a_reader_asks(
    put, root, address, monkeypatch, tmp_path, capsys
):
    def step(connection, over) -> None:
        texts = server.received[-1].json["input"]
        rows = [[1.0, "tea" in text.lower(), "green" in text.lower()] for text in texts]
        data = [{"index": at, "embedding": row} for at, row in enumerate(rows)]
        answer(200, {"data": data})(connection, over)

    server = ScriptedServer(step)
    put("memwiki.toml", "")
    put("memory.md", MEMORIES)
    put("secret.md", "---\nprivate: true\n---\n# Memory\n\n- Green tea, in secret.\n")
    for name in ("config", "state"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(f"MEMWIKI_{name.upper()}_DIR", str(tmp_path / name))
    (tmp_path / "config" / "config.toml").write_text(
        f'[models.embed]\nprovider = "openai"\nbase_url = "{server.url}"\nmodel = "tiny"\n'
    )
    assert main(["-C", str(root), "share", "feed", "notes"]) == 0
    assert "3 units with vectors" in capsys.readouterr().out
    asked = ["-C", str(tmp_path), "--shared", "notes"]
    assert main([*asked, "recall", "green tea, mostly", "--vectors", "only", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["hits"][0]["id"], found["vectors"]["used"]) == ("m-cccccc", True)
    assert rows_in(address) == (3, 3)
    assert main([*asked, "status"]) == 0
    assert "3 of 3 units" in capsys.readouterr().out
    server.close()


def test_dropped_with_the_workspace(embedded, address):
    embedded()
    share.drop("notes")
    assert rows_in(address) == (0, 0)


def rows_in(address: str) -> tuple[int, int]:
    """Units and rows, of all workspaces."""
    with psycopg.connect(address) as db:
        return tuple(
            db.execute(f"select count(*) from memwiki_3_vectors.all_{name}").fetchone()[0]
            for name in ("unit", "vector")
        )
