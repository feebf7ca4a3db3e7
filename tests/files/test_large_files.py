"""Files larger than memory, or than what is asked of them."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections import deque

import pytest

from memwiki import digest
from memwiki.digest import digest_of
from memwiki.errors import NotEditableError, UnreadableError
from memwiki.files import read as reading
from memwiki.files.read import contents, digest_in, read
from memwiki.markdown import outline
from memwiki.nouns import Layers
from tests.waiting import PATIENCE_S

MEMORY = 280_000_000
SPARSE = 300_000_000


def sparse(place, size=SPARSE, head=b"# Heron\n\nA #bird at the [[lake]].\n" + b"More.\n" * 20_000):
    with place.open("wb") as file:
        file.write(head)
        file.truncate(size)


@pytest.fixture
def limited(root):
    """Run a command with less memory than the file has bytes: its exit code and what it printed."""

    def run(*arguments):
        done = subprocess.run(
            [sys.executable, "-m", "memwiki", "-C", root, *arguments],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            stdin=subprocess.DEVNULL,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
        )
        assert "Traceback" not in done.stderr
        assert "unexpected" not in done.stderr
        return done.returncode, done.stdout + done.stderr

    return run


def test_the_digest_of_a_large_file_is_that_of_all_its_bytes(root, put):
    data = os.urandom(3_500_000)
    (root / "a.md").write_bytes(data)
    assert digest_in(root, "a.md")[0] == digest_of(data)
    held, signature = contents(root, "a.md", 1_000)
    assert held == (data[:1_000], digest_of(data), len(data))
    assert signature == digest_in(root, "a.md")[1]
    assert contents(root, "a.md", len(data))[0] == (data, digest_of(data), len(data))


def test_no_more_of_a_file_is_held_than_asked_for(root, put, monkeypatch):
    (root / "a.md").write_bytes(b"x" * 5_000_000)
    asked = []
    real = os.read
    monkeypatch.setattr(
        reading.os, "read", lambda file, size: asked.append(size) or real(file, size)
    )
    contents(root, "a.md", 1_000)
    digest_in(root, "a.md")
    assert max(asked) <= 1_000_000


def test_what_a_verb_meets_of_a_long_page_is_hashed_once(ws, monkeypatch):
    page = ws.root / "memory.md"
    page.write_text("# Memory\n\n## Facts\n\n" + f"- {'long ' * 2000}\n" * 120)
    ws.entries.add("The garden is quiet.")
    hashed = list[int]()

    class CountedBytes(deque):
        def append(self, each):
            hashed.append(len(each[0]))
            super().append(each)

    monkeypatch.setattr(digest, "_known", CountedBytes(digest._known, maxlen=2))
    for number in range(3):
        ws.entries.add(f"The garden {number} is loud.")
        assert len(hashed) == number + 1
    data = page.read_bytes()
    assert digest_of(data) == digest.blake2b(data, digest_size=16).hexdigest()


def test_a_long_page_that_a_verb_left_is_not_looked_over_again_by_the_next(ws, monkeypatch):
    page = ws.root / "memory.md"
    page.write_text("# Memory\n\n## Facts\n\n" + f"- {'long ' * 2000}\n" * 120)
    name = ws.entries.add("The garden is quiet.").added[0].id
    scanned, real = list[int](), outline.scan
    monkeypatch.setattr(
        outline, "scan", lambda lines, *rest: scanned.append(len(lines)) or real(lines, *rest)
    )
    for verb in (
        lambda: ws.entries.add("The garden is loud."),
        lambda: ws.entries.update(name, "The garden is green."),
        lambda: ws.entries.get(name),
    ):
        verb()
        assert not [size for size in scanned if size > 100]
    page.write_text(page.read_text().replace("is loud", "was loud"))
    assert [each.text for each in ws.entries.list(limit=2).entries][-1:] == ["The garden was loud."]
    assert ws.entries.get(name).text == "The garden is green."


def test_superseding_an_entry_changes_its_page_twice(ws, monkeypatch):
    name, edited = ws.entries.add("The garden is quiet.").added[0].id, []
    real = outline.Outline.edited
    monkeypatch.setattr(
        outline.Outline, "edited", lambda page, patches: edited.append(1) or real(page, patches)
    )
    ws.entries.supersede(name, "The garden is loud.")
    assert len(edited) == 2


def test_a_long_text_elsewhere_or_with_a_mark_is_a_page_of_its_own():
    text, layers = "# Heron\n" + "- A bird.\n" * 120_000, Layers(log="log.md")
    page = outline.look_over(layers, "memory.md", text)
    assert outline.look_over(layers, "memory.md", text.encode().decode()) is page
    for other in (
        outline.look_over(layers, "learnings.md", text),
        outline.look_over(layers, "memory.md", text, "\ufeff"),
        outline.look_over(Layers(memory="memory.md", daily="memory.md"), "memory.md", text),
        outline.look_over(layers, "memory.md", text + "- One more.\n"),
    ):
        assert other is not page


def test_of_large_texts_each_has_its_own_digest():
    texts = [os.urandom(3) + bytes(1_000_000 + n % 2) for n in range(6)]
    for text in (*texts, *texts):
        assert digest_of(text) == digest.blake2b(text, digest_size=16).hexdigest()


def test_a_file_too_large_to_be_held_is_refused_when_all_of_it_is_asked_for(root):
    sparse(root / "a.md", reading.MAX_WHOLE_BYTES + 1)
    with pytest.raises(UnreadableError, match="too large to be read whole"):
        read(root, "a.md")
    assert read(root, "a.md", 7) == b"# Heron"


def test_a_page_over_the_limit_is_not_edited(tmp_path):
    from memwiki.workspace import Workspace

    folder = tmp_path / "ws"
    Workspace.init(folder)
    (folder / "a.md").write_bytes(b"# A\n" + b"x" * 200_000)
    (folder / "memwiki.toml").write_text("[files]\nmax_bytes = 100000\n")
    ws = Workspace.open(folder)
    for edit in (
        lambda: ws.pages.append("a", "more"),
        lambda: ws.pages.set("a", {"status": "draft"}),
        lambda: ws.pages.tag_add("a", ["bird"]),
    ):
        with pytest.raises(NotEditableError, match="more than the 100000 bytes"):
            edit()
    ws.close()


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is Linux's")
def test_a_file_larger_than_memory_stops_no_command(root, put, limited):
    put("lake.md=# Lake\n\nWater.\n", "memwiki.toml=[files]\nmax_bytes = 1000000\n")
    put("index.md=# Index\n")
    sparse(root / "large.md")
    sparse(root / "film.mp4", head=b"\0")
    assert "large.md" in limited("search", "heron")[1]
    code, text = limited("get", "large")
    assert (code, "A #bird" in text) == (0, True)
    assert len(text) < 200_000
    code, text = limited("append", "large", "more")
    assert (code, "bytes that are read of a page" in text) == (1, True)
    assert (root / "large.md").stat().st_size == SPARSE


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is Linux's")
@pytest.mark.parametrize("name", ["memwiki.toml", ".memwikiignore", "log.md"])
def test_a_file_of_ours_larger_than_memory_ends_as_an_error_or_is_passed_over(
    root, put, limited, name
):
    put("lake.md=# Lake\n\nWater.\n", 'memwiki.toml=[layers]\nlog = "log.md"\n')
    sparse(root / name, head=b"\n")
    for command in (("log", "show"), ("check",)):
        assert limited(*command)[0] in (0, 1, 3)
