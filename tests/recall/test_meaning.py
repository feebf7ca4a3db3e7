"""Meaning beside words: what it finds, how it is joined, when it is not asked, and what is said."""

from __future__ import annotations

import threading

import pytest

from memwiki.errors import ModelError, UsageError
from memwiki.recall.channels import PageTexts
from memwiki.recall.meaning import weight_of
from memwiki.recall.recall import RecallPipeline
from memwiki.sync import embedding as filling
from memwiki.sync.embedding import VectorIndex
from tests.embedding import WordEmbedder, with_vectors

ENTRIES = (
    "# Memory\n\n- The physician wants more sleep for Anna. ^m-aaaaaa\n"
    "- Anna drives to Ulm. ^m-bbbbbb\n- Tea is green. ^m-cccccc\n"
)
QUESTION = "what did the doctor say?"


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def vectors(put, ws, embedder):
    put("memory.md", ENTRIES)
    return embed(ws, embedder)


@pytest.fixture
def read(monkeypatch) -> set[str]:
    """The pages of which a passage is read."""
    found, passing = set[str](), PageTexts.passing
    monkeypatch.setattr(
        PageTexts, "passing", lambda self, card: found.add(card.path) or passing(self, card)
    )
    return found


def embed(ws, embedder: WordEmbedder, of: str = "memories") -> VectorIndex:
    """Set the embedder, and have everything embedded that is there."""
    ws.sync()
    found = with_vectors(ws, embedder, of)
    found.fill(ws.live, seconds=1e9)
    return found


def ids(answer) -> list[str]:
    return [hit.id for hit in answer.hits]


def test_without_a_model_an_answer_says_nothing_of_vectors(put, ws):
    put("memory.md", ENTRIES)
    assert ws.recall(QUESTION).vectors is None


def test_what_shares_no_word_is_found_by_what_it_means(ws, vectors):
    question = "what did the medicus say?"
    assert ids(ws.recall(question, vectors="off")) == []
    answer = ws.recall(question, explain=True)
    assert ids(answer)[0] == "m-aaaaaa"
    assert answer.hits[0].scores["vectors"] == 1
    assert answer.hits[0].reasons == ("meaning",)
    assert answer.vectors == (True, "words 1", 1.0, "")


def test_switched_off_an_answer_is_that_of_words(ws, vectors, embedder):
    embedder.given.clear()
    answer = ws.recall("anna", vectors="off")
    assert answer.vectors is None
    assert embedder.given == []


def test_sure_words_are_not_outvoted(put, ws, vectors):
    answer = ws.recall("does Anna drive to Ulm")
    assert ids(answer)[0] == "m-bbbbbb"
    assert weight_of(0.9) == weight_of(0.12) == pytest.approx(0.05)
    assert weight_of(0) == pytest.approx(0.2)


def test_alone_meaning_decides(ws, vectors):
    answer = ws.recall("tea that is green", vectors="only")
    assert ids(answer)[0] == "m-cccccc"
    assert answer.hits[0].score > 0.5


@pytest.mark.parametrize("fusion", ["bonus", "rrf", "weighted"])
def test_each_fusion_puts_first_what_both_find(ws, vectors, fusion):
    answer = ws.recall("sleep for Anna, said the physician", fusion=fusion)
    assert ids(answer)[0] == "m-aaaaaa"
    assert 0 < answer.hits[0].score <= 1


@pytest.mark.parametrize(
    ("mode", "same"),
    [
        ("bm25", {"vectors": "off"}),
        ("embedding", {"vectors": "only"}),
        ("hybrid", {"fusion": "rrf"}),
    ],
)
def test_the_names_that_others_use_mean_the_same(ws, vectors, mode, same):
    assert ws.recall("the doctor and Anna", search_mode=mode).hits == (
        ws.recall("the doctor and Anna", **same).hits
    )


def test_a_search_mode_that_there_is_not_is_refused(ws, vectors):
    with pytest.raises(UsageError, match="search_mode: dense"):
        ws.recall(QUESTION, search_mode="dense")


def test_where_words_answer_the_model_need_not_be_asked(ws, vectors, embedder):
    embedder.given.clear()
    answer = ws.recall("Anna drives to Ulm", early_return=0.3)
    assert (embedder.given, answer.vectors.reason) == ([], "words answer")
    assert ws.recall(QUESTION, early_return=0.3).vectors.used


def test_a_cold_command_loads_a_model_only_where_words_are_weak(ws, vectors, embedder):
    vectors.may_load, embedder.is_loaded = False, False
    embedder.given.clear()
    assert ws.recall("Anna drives to Ulm").vectors.reason == "words answer"
    assert embedder.given == []
    assert ws.recall(QUESTION).vectors.used
    embedder.is_loaded = True
    assert ws.recall("Anna drives to Ulm", limit=3).vectors.used


def test_before_anything_is_embedded_words_answer_and_that_is_said(put, ws, embedder):
    put("memory.md", ENTRIES)
    with_vectors(ws, embedder)
    answer = ws.recall("anna")
    assert {*ids(answer)} == {"m-aaaaaa", "m-bbbbbb"}
    assert (answer.vectors.used, answer.vectors.covered) == (False, 0)
    assert "memwiki models embed" in answer.vectors.reason


def test_how_much_has_a_vector_is_said(put, ws, vectors):
    vectors.after_sync_s = -1
    put("memory.md", ENTRIES + "".join(f"- Number {i} is new.\n" for i in range(9)))
    ws.sync()
    assert ws.recall("anna").vectors.covered == pytest.approx((3 + 8) / 12, abs=0.001)


# --- a server that does not answer ----------------------------------------------------------------


def test_a_server_that_is_down_leaves_the_words_and_is_not_asked_again_at_once(put, ws, embedder):
    put("memory.md", ENTRIES)
    ws.sync()
    vectors = with_vectors(ws, embedder, is_local=False)
    vectors.fill(ws.live, seconds=1e9)
    embedder.given.clear()
    asked = []

    def refuse(texts):
        asked.append(texts)
        raise ModelError("nas: cannot be reached")

    embedder.before = refuse
    answer = ws.recall("anna drives")
    assert ids(answer)[0] == "m-bbbbbb"
    assert answer.vectors == (False, "words 1", 1.0, "nas: cannot be reached")
    assert "a moment ago" in ws.recall("anna sleeps").vectors.reason
    assert len(asked) == 1


def test_a_slow_server_is_not_waited_for(put, ws, embedder, monkeypatch):
    monkeypatch.setattr(filling, "_PATIENCE_S", 0.01)
    put("memory.md", ENTRIES)
    ws.sync()
    vectors = with_vectors(ws, embedder, is_local=False)
    vectors.fill(ws.live, seconds=1e9)
    answered = threading.Event()
    embedder.before = lambda _: answered.wait()
    try:
        answer = ws.recall("anna drives")
    finally:
        answered.set()
    assert ids(answer)[0] == "m-bbbbbb"
    assert answer.vectors.reason == "words 1: no answer within 10 ms"


# --- what may be found ----------------------------------------------------------------------------


def test_filters_hold_for_vectors_as_for_words(put, ws, vectors):
    put("daily/2026-01-02.md", "# Day\n\n- The doctor is here. ^m-dddddd\n")
    ws.sync()
    assert ids(ws.recall(f"{QUESTION} path:daily/*", vectors="only")) == ["m-dddddd"]
    assert "m-dddddd" not in ids(ws.recall(f"{QUESTION} -path:daily/*", vectors="only"))
    assert ids(ws.recall(QUESTION, vectors="only", channel="sessions")) == []


def test_namespaces_hold_for_vectors_as_for_words(put, opened, embedder):
    put("memwiki.toml", '[layers]\nnamespaces = "spaces"\n')
    put("memory.md", ENTRIES)
    put("spaces/anna/memory.md", "# Memory\n\n- The doctor of Anna. ^m-dddddd\n")
    put("spaces/ben/memory.md", "# Memory\n\n- The doctor of Ben. ^m-eeeeee\n")
    for namespace, wanted in (("", "m-aaaaaa"), ("anna", "m-dddddd"), ("ben", "m-eeeeee")):
        ws = opened(namespace=namespace)
        embed(ws, embedder)
        for mode in ("only", "auto"):
            found = ids(ws.recall(QUESTION, vectors=mode))
            assert found[0] == wanted
            assert {"m-dddddd", "m-eeeeee"} & {*found} <= {wanted}


def test_a_superseded_memory_is_left_out(put, ws, embedder):
    put(
        "memory.md",
        "# Memory\n\n- ~~The doctor is in Kiel.~~ [superseded_by:: m-bbbbbb] ^m-aaaaaa\n"
        "- The physician is in Ulm. [supersedes:: m-aaaaaa] ^m-bbbbbb\n",
    )
    embed(ws, embedder)
    assert ids(ws.recall(QUESTION, vectors="only")) == ["m-bbbbbb"]


def test_messages_are_lifted_by_those_around_them(put, ws, embedder):
    say = "### 2026-01-0{n}T10:00:00Z user ^s-000{n}\n{text}\n\n"
    texts = ("The doctor called.", "I see.", "Nothing else.", "The boat.")
    head = "---\ntype: session\n---\n\n"
    told = "".join(say.format(n=n, text=text) for n, text in enumerate(texts, 1))
    put("sessions/a.md", head + told)
    put("sessions/b.md", head + say.format(n=1, text="I see.") + say.format(n=2, text="A boat."))
    embed(ws, embedder)
    found = [(hit.path, hit.id) for hit in ws.recall(QUESTION, vectors="only", min_score=0).hits]
    assert found[0] == ("sessions/a.md", "s-0001")
    assert found.index(("sessions/a.md", "s-0002")) < found.index(("sessions/a.md", "s-0003"))
    assert found.index(("sessions/a.md", "s-0002")) < found.index(("sessions/b.md", "s-0001"))


def test_without_numpy_the_candidates_of_words_are_weighed(put, ws, vectors, monkeypatch):
    monkeypatch.setattr(filling, "scanner", lambda: None)
    put("memory.md", ENTRIES + "- Anna met a physician. ^m-dddddd\n")
    ws.sync()
    answer = ws.recall("Anna and the doctor")
    assert answer.vectors.used
    assert {*ids(answer)} == {"m-aaaaaa", "m-bbbbbb", "m-dddddd"}
    assert ids(answer)[-1] == "m-bbbbbb"


@pytest.mark.parametrize(
    ("question", "others"), [("the car in the harbour", "meaning"), ("an automobile", "words")]
)
def test_what_meaning_alone_found_is_read_only_where_it_could_be_shown(
    put, ws, embedder, read, monkeypatch, question, others
):
    for n in range(12):
        put(f"words-{n:02}.md", f"# Harbour {n}\n\nThe car waits in the harbour, quay {n}.\n")
    for n in range(12):
        put(f"meaning-{n:02}.md", f"# Number {n}\n\nAn automobile, painted {n} times.\n")
    embed(ws, embedder, "all")
    answer = ws.recall(question, limit=10)
    unread = not any(path.startswith(others) for path in read)
    monkeypatch.setattr(RecallPipeline, "_may_leave_unread", lambda _: False)
    whole = ws.recall(f"{question} ", limit=10)
    assert [hit[:3] for hit in answer.hits] == [hit[:3] for hit in whole.hits]
    assert answer.vectors.used
    assert unread
    assert answer.left_out["not near enough"] == 12
    assert any(path.startswith(others) for path in read)  # by then


@pytest.mark.parametrize(("limit", "most"), [(3, 10), (15, 15)])
def test_by_meaning_alone_only_the_nearest_hits_are_read(
    put, ws, embedder, read, monkeypatch, limit, most
):
    for n in range(30):
        put(f"{n:02}.md", f"# Number {n}\n\nAn automobile{', a car' * n}, painted {n} times.\n")
    embed(ws, embedder, "all")
    answer = ws.recall("a car", limit=limit, vectors="only")
    assert len(read) <= most
    monkeypatch.setattr(RecallPipeline, "_looked_at", lambda _, first, rows: len(rows))
    whole = ws.recall("a car ", limit=limit, vectors="only")
    assert len(answer.hits) == limit
    assert [hit[:3] for hit in answer.hits] == [hit[:3] for hit in whole.hits]
    assert len(read) == 30
