"""Vectors follow the pages: what lacks one is embedded once, whatever happens in between."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memwiki.errors import LockedError, ModelError
from memwiki.files.lock import Lock
from memwiki.index.storage_sqlite import ReplacedError
from memwiki.models import local_embed
from tests.embedding import WordEmbedder, with_vectors

ENTRIES = "# Memory\n\n- The doctor lives in Ulm. ^m-aaaaaa\n- Tea is green. ^m-bbbbbb\n"
FOREVER = 1e9


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def filled(put, ws, embedder):
    put("memory.md", ENTRIES)
    put("wiki/boat.md", "# Boat\n\nThe boat is red.\n")
    ws.sync()
    vectors = with_vectors(ws, embedder)
    assert vectors.fill(ws.live, seconds=FOREVER).embedded == 2
    return vectors


def again(ws, vectors) -> int:
    """How many texts are embedded by a sync, and what is left after it."""
    before = len(vectors.model.embedder.given)
    ws.sync()
    vectors.fill(ws.live, seconds=FOREVER)
    return len(vectors.model.embedder.given) - before


def test_only_what_lacks_a_vector_is_embedded(put, ws, filled, embedder):
    assert sorted(embedder.given) == ["Tea is green.", "The doctor lives in Ulm."]
    assert again(ws, filled) == 0
    put("memory.md", ENTRIES.replace("green", "black"))
    assert again(ws, filled) == 1
    assert embedder.given[-1] == "Tea is black."


def test_what_moves_is_not_embedded_again(put, ws, filled, root):
    put("memory.md", "# Memory\n\nNew above.\n\n" + ENTRIES.partition("\n\n")[2])
    (root / "notes.md").write_text(ENTRIES)
    assert again(ws, filled) == 0


def test_whoever_asks_first_the_vectors_are_of_what_is_not_private(put, opened, monkeypatch):
    embedder = WordEmbedder()
    embedder.name, embedder.is_loaded = "words", True
    monkeypatch.setattr(local_embed, "local_embedder", lambda _: embedder)
    monkeypatch.setenv("MEMWIKI_MODELS_EMBED_PROVIDER", "local")
    put("memory.md", ENTRIES + "- The PIN is 4711. [private:: true]\n")
    with opened() as ws:
        assert ws.models.embed().lacking == 0
    for first in (lambda ws: ws.public().live, lambda ws: ws.live) * 2:
        with opened() as ws:
            assert first(ws).vectors
            assert ws.recall("green tea").vectors.covered == 1
    assert {*embedder.given} == {"Tea is green.", "The doctor lives in Ulm.", "green tea"}


def test_the_vectors_outlive_a_new_build(ws, filled):
    ws.index.reindex()
    assert filled.fill(ws.live, seconds=FOREVER).embedded == 0
    assert filled.covered() == 1


@pytest.mark.parametrize(("of", "count"), [("memories", 2), ("pages", 4), ("all", 5)])
def test_what_is_embedded_is_a_setting(put, ws, embedder, of, count):
    put("memory.md", ENTRIES)
    long = "\n\n".join(f"## Part {i}\n\n{'The boat is red. ' * 60}" for i in range(2))
    put("wiki/boat.md", f"---\ndescription: of wood\n---\n# Boat\n\n{long}\n")
    put("wiki/empty.md", "")
    ws.sync()
    assert with_vectors(ws, embedder, of).fill(ws.live, seconds=FOREVER).embedded == count
    firsts = [text for text in embedder.given if text.startswith("Boat\nof wood\n")]
    assert len(firsts) == (of != "memories")


def test_another_model_of_equal_width_uses_no_old_row(ws, filled):
    other = WordEmbedder("words 2", sign=-1)
    vectors = with_vectors(ws, other)
    assert not vectors.is_there()
    assert vectors.fill(ws.live, seconds=FOREVER).embedded == 2
    assert vectors.folder != filled.folder
    answer = ws.recall("doctor", vectors="only")
    assert answer.hits[0].id == "m-aaaaaa"


def test_a_page_that_goes_takes_its_units_along(ws, filled, root):
    (root / "memory.md").unlink()
    ws.sync()
    filled.fill(ws.live, seconds=FOREVER)
    assert filled.info(ws.live).units == 0
    with filled.opened() as store:
        assert len(store.rows) == 2  # until others need the room
    filled.max_unused = 0
    filled.fill(ws.live, seconds=FOREVER)
    with filled.opened() as store:
        assert len(store.rows) == 0
    assert len(list(filled.folder.glob("rows-*.bin"))) == 1


def test_rows_that_stay_are_found_after_others_are_dropped(put, ws, filled):
    put("memory.md", ENTRIES.replace("- The doctor lives in Ulm. ^m-aaaaaa\n", ""))
    filled.max_unused = 0
    assert again(ws, filled) == 0
    assert [hit.id for hit in ws.recall("green tea", vectors="only").hits] == ["m-bbbbbb"]


def test_a_limit_and_the_time_end_a_run_and_the_next_goes_on(put, ws, embedder):
    put("memory.md", "# Memory\n\n" + "".join(f"- Number {i} is here.\n" for i in range(40)))
    ws.sync()
    vectors = with_vectors(ws, embedder)
    assert vectors.fill(ws.live, seconds=FOREVER, limit=5)[1:3] == (5, 35)
    first = vectors.fill(ws.live, seconds=0)
    assert first.embedded == 8  # a portion at least
    seen: list[tuple[int, int]] = []
    vectors.fill(ws.live, seconds=FOREVER, progress=lambda *step: seen.append(step))
    assert seen[-1] == (27, 27)
    assert len(embedder.given) == len({*embedder.given}) == 40


def test_what_was_embedded_before_an_interruption_stays(put, ws, embedder):
    put("memory.md", "# Memory\n\n" + "".join(f"- Number {i} is here.\n" for i in range(40)))
    ws.sync()
    vectors = with_vectors(ws, embedder)

    def interrupt(_texts):
        if len(embedder.given) >= 8:
            raise KeyboardInterrupt

    embedder.before = interrupt
    with pytest.raises(KeyboardInterrupt):
        vectors.fill(ws.live, seconds=FOREVER)
    embedder.before = lambda _: None
    assert vectors.fill(ws.live, seconds=FOREVER).embedded == 32


KILLED = """
import os, signal, sys
from memwiki.workspace import Workspace
from tests.embedding import WordEmbedder, with_vectors
embedder = WordEmbedder()
def kill(texts):
    if len(embedder.given) >= 8:
        os.kill(os.getpid(), signal.SIGKILL)
embedder.before = kill
with Workspace.open(sys.argv[1], find=False) as ws:
    with_vectors(ws, embedder).fill(ws.live, seconds=1e9)
"""


def test_a_killed_run_loses_no_more_than_its_last_portion(put, ws, embedder, root):
    put("memory.md", "# Memory\n\n" + "".join(f"- Number {i} is here.\n" for i in range(40)))
    ws.sync()
    here = str(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(root)],
        env={**os.environ, "PYTHONPATH": here},
        capture_output=True,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    vectors = with_vectors(ws, embedder)
    assert vectors.fill(ws.live, seconds=FOREVER).embedded == 32
    assert vectors.differences(ws.live) == []


def test_rows_that_a_killed_writer_left_uncounted_are_written_over(ws, filled, put):
    with filled.opened() as store:
        path = store.rows.path
    with path.open("ab") as file:
        file.write(b"\xff" * 100)
    put("memory.md", ENTRIES + "- A third one. ^m-cccccc\n")
    assert again(ws, filled) == 1
    assert filled.differences(ws.live) == []


def test_a_damaged_row_is_told_and_made_again(ws, filled, embedder):
    with filled.opened() as store:
        path, size = store.rows.path, store.rows.row_bytes
    data = bytearray(path.read_bytes())
    data[size - 1] ^= 1
    path.write_bytes(data)
    assert [each.what for each in filled.differences(ws.live)] == ["row 0 is damaged"]
    assert ws.recall("tea doctor", vectors="only").total == 1  # nothing is believed of it
    filled.close()
    assert filled.fill(ws.live, seconds=FOREVER).embedded == 1
    assert filled.differences(ws.live) == []


def test_a_file_that_was_cut_is_filled_again(ws, filled):
    with filled.opened() as store:
        path, size = store.rows.path, store.rows.row_bytes
    filled.close()
    os.truncate(path, size + 3)
    assert filled.fill(ws.live, seconds=1).embedded == 1


@pytest.mark.parametrize("name", ["units.sqlite", "rows"])
def test_a_damaged_store_is_made_of_nothing_but_rows_that_verify(ws, filled, name):
    filled.close()
    if name == "rows":
        (path,) = filled.folder.glob("rows-*.bin")
        path.write_bytes(b"\0" * path.stat().st_size)
    else:
        (filled.folder / name).write_bytes(b"no database at all" * 100)
    assert filled.fill(ws.live, seconds=FOREVER).embedded == (2 if name == "rows" else 0)
    assert filled.differences(ws.live) == []


def test_what_is_private_is_never_embedded(put, ws, embedder):
    put("secret.md", "---\nprivate: true\n---\n# Secret\n\n- The safe is open. ^m-aaaaaa\n")
    put("memory.md", ENTRIES + "- The key is 7. [private:: true] ^m-cccccc\n")
    ws.sync()
    vectors = with_vectors(ws, embedder, "all")
    assert vectors.fill(ws.live, seconds=FOREVER).embedded == len(embedder.given)
    assert not any("safe" in text or "key" in text for text in embedder.given)
    answer = ws.recall("where is the key of the safe", private=True)
    assert {hit.id for hit in answer.hits} >= {"m-cccccc"}  # by its words
    assert not any("key of" in text and "7" in text for text in embedder.given)


def test_what_becomes_private_is_taken_out(put, ws, filled):
    put("memory.md", ENTRIES.replace("green.", "green. [private:: true]"))
    again(ws, filled)
    assert filled.info(ws.live).units == 1
    answer = ws.recall("green tea for the doctor", vectors="only")
    assert [hit.id for hit in answer.hits] == ["m-aaaaaa"]


def test_a_model_that_gives_something_else_is_not_believed(put, ws, embedder):
    put("memory.md", ENTRIES)
    ws.sync()
    vectors = with_vectors(ws, embedder)
    whole = embedder.embed
    for wrong in (
        lambda texts: whole(texts)[1:],
        lambda texts: [each[:3] for each in whole(texts)],
        lambda texts: [type(each)("f", [float("nan")] * 64) for each in whole(texts)],
    ):
        embedder.embed = wrong
        with pytest.raises(ModelError):
            vectors.fill(ws.live, seconds=FOREVER)
    embedder.embed = whole
    assert vectors.fill(ws.live, seconds=FOREVER).embedded == 2


def test_one_process_fills_at_a_time(ws, filled):
    with Lock(filled.folder.with_suffix(".lock")), pytest.raises(LockedError):
        filled.fill(ws.live, seconds=FOREVER)


def test_nothing_is_left_of_what_is_erased(put, ws, filled):
    put("memory.md", ENTRIES.replace("- Tea is green. ^m-bbbbbb\n", ""))
    ws.sync()
    with filled.opened() as store:
        rows = store.rows.path.read_bytes()
    assert filled.scrub(ws.live)
    (path,) = filled.folder.glob("rows-*.bin")
    assert len(path.read_bytes()) == len(rows) // 2


def test_vectors_whose_folder_was_deleted_are_made_again(ws, filled, embedder):
    shutil.rmtree(filled.folder)
    assert not filled.is_there()
    assert filled.fill(ws.live, seconds=FOREVER).embedded == 2
    assert ws.recall("green tea", vectors="only").hits[0].id == "m-bbbbbb"


def test_vectors_that_cannot_be_read_leave_the_words(ws, filled):
    filled.close()
    path = filled.folder / "units.sqlite"
    path.unlink()
    path.mkdir()
    answer = ws.recall("green tea")
    assert answer.hits[0].id == "m-bbbbbb"
    assert not answer.vectors.used


def test_who_reads_makes_no_folder_for_vectors_that_are_gone(ws, filled, monkeypatch):
    folder = filled.folder
    filled.close()
    monkeypatch.setattr(type(filled), "is_there", lambda _: True)  # they go just after this
    shutil.rmtree(folder)
    with pytest.raises(ReplacedError):
        filled.covered()
    assert not folder.exists()
    monkeypatch.undo()
    answer = ws.recall("green tea")
    assert answer.vectors.reason == "nothing is embedded yet: memwiki models embed"
    assert not folder.exists()
    assert filled.fill(ws.live, seconds=FOREVER).embedded == 2
