"""What changes when a person looks on: width, colours, drawn pages, progress."""

import io
import sys

import pytest

from memwiki.answers import pages as browsing
from memwiki.cli import streams
from memwiki.cli.door import Progress


@pytest.fixture
def terminal(monkeypatch, environment, tmp_path):
    environment["MEMWIKI_CACHE_DIR"] = str(tmp_path / "cache")
    monkeypatch.setattr(streams, "width", lambda: 60)


def test_colours_appear_only_on_a_terminal(memwiki_, terminal):
    memwiki_("search", "x")
    assert "\x1b[1mHome > Links\x1b[0m" in memwiki_.out


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_colours_can_be_refused(memwiki_, terminal, environment, name, value):
    environment[name] = value
    memwiki_("search", "x")
    assert "\x1b" not in memwiki_.out


def test_a_page_is_drawn(memwiki_, terminal, environment):
    environment["NO_COLOR"] = "1"
    text = "---\ntitle: A\n---\n# A\n\nsome *loud* text\x1b[2J\n"
    memwiki_.answer("pages.get", browsing.PageView("a.md", "A", "", {}, (), (), text, "d", 1, 6))
    memwiki_("get", "a")
    assert "a.md:1-6" in memwiki_.out
    assert "title: A" not in memwiki_.out
    assert "some loud text" in memwiki_.out


def test_a_raw_page_on_a_terminal_cannot_drive_it(memwiki_, terminal):
    memwiki_.answer(
        "pages.get", browsing.PageView("a.md", "A", "", {}, (), (), "*a*\x1b[2J\n", "d", 1, 1)
    )
    memwiki_("get", "a", "--raw")
    assert memwiki_.out == "*a*\n"


class Screen(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_that_hides_its_size_is_80_columns_wide(monkeypatch):
    monkeypatch.setattr(sys, "stdout", Screen())
    assert streams.width() == 80


def test_a_pipe_has_no_width(capsys):
    assert streams.width() is None


def test_progress_waits_before_it_draws(monkeypatch):
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with Progress("Indexing", is_shown=True) as progress:
        progress(1, 10)
    assert screen.getvalue() == ""


def test_progress_draws_how_far_a_long_run_is(monkeypatch):
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with Progress("Indexing", is_shown=True, wait_seconds=-1) as progress:
        progress(1, 10)
        progress(4, 10)
    assert "Indexing" in screen.getvalue()
    assert "4/10" in screen.getvalue()


def test_progress_never_goes_into_a_log(capsys):
    with Progress("Indexing", is_shown=False, wait_seconds=-1) as progress:
        progress(1, 10)
    assert capsys.readouterr() == ("", "")


def test_file_names_that_are_not_text_get_through(memwiki_):
    row = browsing.PageRow("caf\udce9.md", "A", "", "", (), "", 0)
    memwiki_.answer("pages.list", browsing.PageList((row,), 1))
    assert memwiki_("list") == 0
    assert memwiki_.out.startswith("caf\\udce9.md")
