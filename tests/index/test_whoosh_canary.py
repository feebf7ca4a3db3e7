"""What we rely on in the pinned Whoosh: each test sings when an upgrade breaks a rule we live
by."""

from __future__ import annotations

import errno
import gc
import importlib.metadata
import os
import pickle
import subprocess
import sys
import threading
import tomllib
from array import array
from contextlib import closing
from pathlib import Path

import pytest
import whoosh.writing
from postings import terms_of
from whoosh.codec.whoosh3 import W3Codec, W3TermInfo, W3TermsReader
from whoosh.filedb.filestore import FileStorage
from whoosh.formats import Existence
from whoosh.index import FileIndex, LockError
from whoosh.reading import SegmentReader

from memwiki.errors import IndexDamagedError
from memwiki.index.keyword import whoosh_backend
from memwiki.index.keyword.backend import decode, encode
from memwiki.index.keyword.whoosh_backend import _SCHEMA, WhooshBackend
from memwiki.index.keyword.whoosh_codec import Codec, Pool
from memwiki.index.units import KEY_BYTES
from memwiki.recall.query import Query, prefix_terms
from tests.effort import for_each
from tests.memory_backend import MemoryBackend

# Whoosh does not close what it had opened when it fails half-way; collecting it warns.
LEFT_OPEN = "ignore:unclosed file:ResourceWarning"


class Crash(BaseException):
    """The process dies here."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "keyword"


@pytest.fixture
def backend(folder: Path):
    with closing(WhooshBackend(folder)) as one:
        yield one


def units(backend) -> dict[bytes, dict[str, int]]:
    with closing(backend.snapshot()) as snapshot:
        return terms_of(snapshot)


def unit_count(backend) -> int:
    with closing(backend.snapshot()) as snapshot:
        return snapshot.unit_count


def segment_count(folder: Path) -> int:
    return len(list(folder.glob("*.seg")))


def page(number: int, word: str = "text") -> dict[str, str]:
    return {f"p{number}.md": f"# Page {number}\n\nSome {word} of number{number}.\n"}


# --- the library itself --------------------------------------------------------------------------


def test_whoosh_is_pinned_to_the_version_whose_insides_we_use():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    (pin,) = [each for each in project["project"]["dependencies"] if each.startswith("whoosh3")]
    assert pin == f"whoosh3=={importlib.metadata.version('whoosh3')}"


def test_the_private_hooks_of_our_codec_are_there(backend, puts):
    backend.apply(puts(page(1)), [])
    writer = backend._index.writer(codec=Codec())
    try:
        for name in ("pool", "docnum", "generation", "storage", "schema", "is_closed"):
            assert hasattr(writer, name), name
        for name in ("add_document", "delete_document", "reader", "cancel"):
            assert callable(getattr(writer, name)), name
    finally:
        writer.cancel()
    with closing(backend._index.reader()) as reader:
        leaf = reader.leaf_readers()[0][0]
        assert isinstance(leaf.deleted_docs_set, (set, frozenset)) or not leaf.deleted_docs_set
        assert leaf._terms.term_info("text", b"page").doc_frequency() == 1
        assert leaf._terms._postfile is not None
        column = leaf.column_reader("key", translate=False)
        assert hasattr(column, "_dbfile")
        assert hasattr(column, "_basepos")
    toc = backend._index._read_toc()
    assert len(toc.segments) == 1
    assert callable(backend._index._reader)


_IMPORTED = """
import sys
import memwiki.index.keyword.whoosh_backend
from memwiki.index.keyword.whoosh_codec import SPARED, spared
with spared():
    import whoosh.writing
print(sorted({*SPARED, "bz2", "whoosh.lang.porter"} & {*sys.modules}))
from whoosh.fields import NUMERIC, TEXT, Schema
from whoosh.filedb.filestore import RamStorage
index = RamStorage().create_index(Schema(text=TEXT, day=NUMERIC))
with index.writer() as writer:
    writer.add_document(text="Green teas", day=3)
with index.searcher() as searcher:
    print(searcher.doc_frequency("text", "teas"))
import calendar, hashlib, shutil, whoosh.fields, whoosh.lang.snowball, whoosh.util.times
print(whoosh.fields.analysis.Filter is sys.modules["whoosh.analysis"].Filter)
print(whoosh.util.times.calendar.monthrange(2026, 2) == calendar.monthrange(2026, 2))
print("de" in whoosh.lang.snowball.classes, shutil.copyfileobj.__module__)
"""


def test_whoosh_loads_less_for_us_and_all_of_it_is_there_for_others():
    done = subprocess.run(
        [sys.executable, "-c", _IMPORTED], capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:-1] == ["[]", "1", "True", "True", "True shutil"]


def test_a_table_of_contents_that_names_a_format_of_whoosh_is_read(folder, puts, monkeypatch):
    def named() -> bool:
        (toc,) = folder.glob("*.toc")
        return b"whoosh.formats" in toc.read_bytes()

    with monkeypatch.context() as before:
        before.delattr(whoosh_backend._Terms, "__reduce__")
        before.setitem(vars(_SCHEMA["text"]), "format", Existence())
        with closing(WhooshBackend(folder)) as backend:
            backend.apply(puts(page(1)), [])
            first = units(backend)
    assert named()
    with closing(WhooshBackend(folder)) as backend:
        assert units(backend) == first != {}
        backend.apply(puts(page(2)), [])
    assert not named()


def test_terms_and_postings_have_the_bytes_that_whoosh_itself_would_write(tmp_path):
    pool = Pool("text")
    for document in range(300):
        here = [b"all", b"t%d" % (document % 7), b"once%d" % document, "茶".encode()][
            document % 2 :
        ]
        pool.add_terms(document, ((term, 1 + (document * 37) % 255) for term in here))
    made = {}
    for name, add in (("ours", None), ("whoosh's", _added_by_whoosh)):
        storage = FileStorage(os.fspath(tmp_path), supports_mmap=False)
        segment = Codec().new_segment(storage, name)
        writer = Codec().field_writer(storage, segment)
        if add:
            add(writer, pool)
        else:
            writer.add_postings(_SCHEMA, None, pool.iter_postings())
        writer.close()
        files = (segment.make_filename(end) for end in (W3Codec.TERMS_EXT, W3Codec.POSTS_EXT))
        made[name] = [(tmp_path / file).read_bytes() for file in files]
    assert made["ours"] == made["whoosh's"]
    assert all(made["ours"])


def _added_by_whoosh(writer, pool) -> None:
    """One term after the other through Whoosh's own classes."""
    writer.start_field("text", _SCHEMA["text"])
    for term, documents, weights in pool.terms():
        info = W3TermInfo()
        info._weight, info._df = sum(weights), len(documents)
        info._minlength, info._maxlength, info._maxweight = 0, 0, max(weights)
        info._minid, info._maxid = documents[0], documents[-1]
        if len(documents) <= 2:
            info.set_inlined(documents, weights, ())
        else:
            blob = encode(documents, weights)
            info.set_extent(writer._postfile.tell(), len(blob))
            writer._postfile.write(blob)
        writer._tindex.add(writer._fieldid.to_bytes(2, "big") + term, info.to_bytes())


def test_the_extent_of_a_term_is_read_back_as_it_was_written():
    """Whoosh 3.54 unpacks the length as a tuple; an upgrade that mends it has to be noticed."""
    info = W3TermInfo()
    info._weight, info._df = 3, 3
    info._minlength = info._maxlength = info._minid = 0
    info._maxweight, info._maxid = 1, 2
    info.set_extent(70_000, 123)
    offset, length = W3TermInfo.from_bytes(info.to_bytes()).extent()
    assert (offset, tuple(length)) == (70_000, (123,))


def test_postings_go_through_our_own_pool_and_not_through_tuples(backend, puts, monkeypatch):
    """Three million tuples took 50 seconds."""
    added = []
    monkeypatch.setattr(Pool, "add", lambda self, item: added.append(item))
    backend.apply(puts(page(1)), [])
    assert added == []


@for_each("gap", [1, 200, 300, 70_000])
@for_each("count", [3, 20, 500])
def test_postings_are_decoded_as_they_were_encoded(gap, count):
    documents = array("I", range(0, gap * count, gap))
    weights = bytearray(1 + n % 255 for n in range(count))
    read, loads = decode(encode(documents, weights))
    assert list(read) == list(documents)
    assert list(loads) == list(weights)


def test_neither_whooshs_parser_nor_its_known_traps_are_used():
    source = "".join(
        path.read_text("utf-8") for path in Path(whoosh_backend.__file__).parent.glob("*.py")
    )
    for name in ("qparser", "AndNot", ".refresh(", "supports_mmap=True", "multiproc"):
        assert name not in source, name


# --- opening -------------------------------------------------------------------------------------


def test_segments_are_never_mapped_into_memory(backend, puts):
    """Each opening would copy the whole segment."""
    assert backend._index.storage.supports_mmap is False
    backend.apply(puts(page(1)), [])
    with closing(backend._index.reader()) as reader:
        assert reader.leaf_readers()[0][0]._storage.supports_mmap is False


def test_a_reader_that_opens_while_a_commit_deletes_segments_tries_again(
    folder, backend, puts, monkeypatch
):
    for number in range(3):
        backend.apply(puts(page(number)), [])
    real, interrupted = FileIndex._read_toc, []

    def read_then_lose(self):
        toc = real(self)
        if not interrupted:
            interrupted.append(True)
            with closing(WhooshBackend(folder)) as other:
                other.tidy()
        return toc

    monkeypatch.setattr(FileIndex, "_read_toc", read_then_lose)
    with closing(backend.snapshot()) as snapshot:
        assert snapshot.unit_count == 3
    assert interrupted


@pytest.mark.filterwarnings(LEFT_OPEN)
def test_a_segment_that_no_commit_deleted_is_damage_and_not_waited_for(folder, backend, puts):
    backend.apply(puts(page(1)), [])
    for path in folder.glob("*.seg"):
        path.unlink()
    with pytest.raises(IndexDamagedError):
        backend.snapshot()
    gc.collect()


def test_a_folder_of_pickles_is_opened_only_where_we_made_it(settled, place_of, tmp_path):
    """Index files run code when they are crafted: one in the workspace is never looked at."""
    planted = settled.root / ".memwiki" / "keyword"
    planted.mkdir()

    class Trap:
        def __reduce__(self):
            return (os.mkdir, (str(tmp_path / "sprung"),))

    (planted / "_MAIN_1.toc").write_bytes(pickle.dumps(Trap()))
    settled.search("anything")
    settled.sync(full=True)
    assert not (tmp_path / "sprung").exists()
    assert settled.root not in place_of(settled).parents


# --- writing -------------------------------------------------------------------------------------


def test_a_unit_is_the_document_that_whoosh_itself_would_add(backend):
    keys = [bytes([n]) * KEY_BYTES for n in range(1, 6)]
    with backend._writing() as writer:
        for n, key in enumerate(keys):
            if n % 2:
                assert whoosh_backend._added(writer, key) == n
            else:
                writer.add_document(key=key)
        writer.commit()
    with closing(backend.snapshot()) as snapshot:
        assert snapshot.unit_count == 5
        assert snapshot.keys(range(5)) == keys


def test_a_unit_key_is_written_once_in_a_commit(backend, puts, monkeypatch):
    added: list[bytes] = []
    real = whoosh_backend._added
    monkeypatch.setattr(
        whoosh_backend, "_added", lambda writer, key: (added.append(key), real(writer, key))[1]
    )
    text = "# Memory\n\n- Tea.\n- Tea.\n- Tea.\n"
    backend.apply(puts({"memory.md": text}), [])
    assert len(added) == len(set(added)) == 3
    added.clear()
    backend.apply(puts({"memory.md": text + "- Tea.\n"}), [])
    assert len(added) == 1
    assert unit_count(backend) == 4


def test_units_that_are_held_already_are_not_written_again(backend, puts, monkeypatch):
    backend.apply(puts({"memory.md": "# Memory\n\n" + "- Tea {}.\n" * 50}), [])
    weighed = []
    real = whoosh_backend.weights_of
    monkeypatch.setattr(
        whoosh_backend, "weights_of", lambda terms: (weighed.append(terms), real(terms))[1]
    )
    backend.apply(puts({"memory.md": "# Memory\n\n" + "- Tea {}.\n" * 50 + "- New.\n"}), [])
    assert len(weighed) == 1
    assert b"new" in weighed[0].names.split()


def test_old_units_are_deleted_before_new_ones_are_added(backend, puts, monkeypatch):
    backend.apply(puts(page(1)), [])
    steps = []
    writer = whoosh.writing.SegmentWriter
    delete, add = writer.delete_document, whoosh_backend._added
    monkeypatch.setattr(
        writer, "delete_document", lambda self, k: (steps.append("delete"), delete(self, k))
    )
    monkeypatch.setattr(
        whoosh_backend, "_added", lambda self, key: (steps.append("add"), add(self, key))[1]
    )
    backend.apply(puts({"p1.md": "# New\n"}), [])
    assert steps == ["delete", "add"]
    assert unit_count(backend) == 1


@pytest.mark.filterwarnings(LEFT_OPEN)
def test_a_commit_that_fails_is_cancelled_and_leaves_the_index_as_it_was(
    folder, backend, puts, monkeypatch
):
    backend.apply(puts(page(1)), [])
    before = units(backend), dict(backend.digests()), backend.tree()

    def fail(*_: object, **__: object):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for place, name in (
        (whoosh.writing.SegmentWriter, "commit"),
        (whoosh_backend, "_added"),
        (Pool, "iter_postings"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(place, name, fail)
            with pytest.raises(OSError, match="No space"):
                backend.apply(puts(page(2)), ["p1.md"])
        assert (units(backend), dict(backend.digests()), backend.tree()) == before
    gc.collect()
    backend.apply(puts(page(2)), [])
    assert unit_count(backend) == 2
    with closing(WhooshBackend(folder)) as again:
        assert units(again) == units(backend)


@pytest.mark.parametrize("moment", ["announced", "committed"])
def test_a_process_that_dies_around_the_commit_leaves_list_and_postings_in_agreement(
    folder, puts, monkeypatch, moment
):
    with closing(WhooshBackend(folder)) as backend:
        backend.apply(puts(page(1)), [])
        real = whoosh.writing.SegmentWriter.commit

        def die(self, *args: object, **named: object):
            if moment == "committed":
                real(self, *args, **named)
            raise Crash

        monkeypatch.setattr(whoosh.writing.SegmentWriter, "commit", die)
        with pytest.raises(Crash):
            backend.apply(puts(page(2)), ["p1.md"])
        monkeypatch.undo()
    expected = {"p1.md"} if moment == "announced" else {"p2.md"}
    with closing(WhooshBackend(folder)) as again, closing(MemoryBackend()) as reference:
        assert set(again.digests()) == expected
        reference.apply(puts(page(1 if moment == "announced" else 2)), [])
        assert units(again) == units(reference)
        assert again.tree() == reference.tree()
        again.apply(puts(page(3)), list(expected))
        assert unit_count(again) == 1


def test_a_process_that_goes_on_after_another_died_around_its_commit_sees_what_was_committed(
    folder, puts, monkeypatch
):
    with closing(WhooshBackend(folder)) as living, closing(WhooshBackend(folder)) as dying:
        living.apply(puts(page(1)), [])
        real = whoosh.writing.SegmentWriter.commit

        def die(self, *args: object, **named: object):
            real(self, *args, **named)
            raise Crash

        monkeypatch.setattr(whoosh.writing.SegmentWriter, "commit", die)
        with pytest.raises(Crash):
            dying.apply(puts(page(2)), ["p1.md"])
        monkeypatch.undo()
        assert set(living.digests()) == {"p2.md"}
        living.apply(puts({"p2.md": "# Two\n\nagain\n"}), [])
        assert unit_count(living) == 1
        assert set(dying.digests()) == {"p2.md"}


def test_a_list_of_another_generation_is_damage(folder, backend, puts, monkeypatch):
    backend.apply(puts(page(1)), [])
    held = (folder / "held.sqlite").read_bytes()
    backend.apply(puts(page(2)), [])
    backend.apply(puts(page(3)), [])
    backend.close()
    for name in ("held.sqlite-wal", "held.sqlite-shm"):
        (folder / name).unlink(missing_ok=True)
    (folder / "held.sqlite").write_bytes(held)
    with closing(WhooshBackend(folder)) as again, pytest.raises(IndexDamagedError):
        again.digests()


def test_whooshs_own_lock_never_reaches_a_user(opened, put):
    """Our lock stands before Whoosh's, so two writers never meet at Whoosh's."""
    put("a.md", "# A\n")
    spaces = [opened() for _ in range(4)]
    errors: list[BaseException] = []

    def work(number: int) -> None:
        space = spaces[number]
        try:
            for turn in range(5):
                put(f"{number}.md", f"# {number}\n\nturn {turn}\n")
                space.sync()
        except BaseException as error:
            errors.append(error)
        finally:
            space.close()

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not [error for error in errors if isinstance(error, LockError)]
    assert errors == []
    assert opened().index.doctor(verify=True).equal


# --- merging -------------------------------------------------------------------------------------


def test_two_hundred_small_commits_leave_few_segments(folder, backend, puts):
    with closing(MemoryBackend()) as reference:
        for number in range(200):
            backend.apply(puts(page(number % 70, f"word{number}")), [])
            reference.apply(puts(page(number % 70, f"word{number}")), [])
        assert segment_count(folder) <= 24
        assert units(backend) == units(reference)


def test_merging_drops_what_was_deleted_and_keeps_every_weight(folder, backend, puts):
    for number in range(20):
        backend.apply(puts(page(number)), [])
    backend.apply([], [f"p{number}.md" for number in range(0, 20, 2)])
    before = units(backend)
    backend.tidy()
    assert units(backend) == before
    assert segment_count(folder) == 1
    with closing(backend._index.reader()) as reader:
        assert reader.doc_count_all() == reader.doc_count() == 10
        assert not reader.has_deletions()
    with closing(backend.snapshot()) as snapshot:
        assert snapshot.frequency("text") == 10


def test_a_merge_reads_the_terms_of_a_segment_in_a_row(folder, backend, puts, monkeypatch):
    for number in range(8):
        backend.apply(puts(page(number)), [])
    before = units(backend)
    with monkeypatch.context() as without:
        without.setattr(SegmentReader, "postings", None)
        without.setattr(W3TermsReader, "term_info", None)
        backend.apply([], ["p3.md"])
    assert segment_count(folder) == 1
    left = units(backend)
    assert left == {key: before[key] for key in left}
    assert len(left) == 7


def test_a_merge_that_dies_changes_nothing(folder, backend, puts, monkeypatch):
    for number in range(3):
        backend.apply(puts(page(number)), [])
    before = units(backend), backend.tree()

    def die(*_: object, **__: object):
        raise Crash

    monkeypatch.setattr(whoosh.writing.SegmentWriter, "commit", die)
    with pytest.raises(Crash):
        backend.tidy()
    monkeypatch.undo()
    assert (units(backend), backend.tree()) == before
    backend.tidy()
    assert (units(backend), backend.tree()) == before


def test_no_leftover_files_of_cancelled_commits_pile_up(folder, backend, puts, monkeypatch):
    backend.apply(puts(page(0)), [])

    def die(*_: object, **__: object):
        raise Crash

    for number in range(5):
        with monkeypatch.context() as patch:
            patch.setattr(whoosh.writing.SegmentWriter, "commit", die)
            with pytest.raises(Crash):
                backend.apply(puts(page(number)), [])
    backend.apply(puts(page(1)), [])
    names = {path.name.split(".")[0] for path in folder.iterdir()}
    assert len([name for name in names if name.startswith("MAIN_") and "LOCK" not in name]) <= 2


# --- questions -----------------------------------------------------------------------------------


def test_a_prefix_stands_for_at_most_32_terms(backend, puts):
    backend.apply(puts({"a.md": " ".join(f"alpha{n:03d}" for n in range(100))}), [])
    with closing(backend.snapshot()) as snapshot:
        terms = prefix_terms(Query("alpha*", prefixes=("alpha",)), snapshot)
        assert len(terms) == 32
        many = Query("", prefixes=("alpha", "alpha0", "alpha01"))
        assert len(prefix_terms(many, snapshot)) == 32
