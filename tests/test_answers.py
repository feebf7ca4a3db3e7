"""An answer that is a list is walked as one, and is a record in every other way."""

import copy
import pickle
import subprocess

import pytest

# Each answer with the field that holds what it lists.
LISTS = [
    (lambda ws: ws.search("tea"), "hits"),
    (lambda ws: ws.pages.list(), "pages"),
    (lambda ws: ws.pages.outline("tea"), "sections"),
    (lambda ws: ws.graph.links("tea"), "links"),
    (lambda ws: ws.graph.tags(), "tags"),
    (lambda ws: ws.entries.suggest_tags("green tea"), "tags"),
    (lambda ws: ws.entries.entities(), "entities"),
    (lambda ws: ws.entries.entity_candidates(), "pairs"),
    (lambda ws: ws.graph.ranked(), "nodes"),
    (lambda ws: ws.check.run(), "problems"),
    (lambda ws: ws.journal.list(), "entries"),
    (lambda ws: ws.settings.list(), "settings"),
    (lambda ws: ws.index.caches(), "caches"),
    (lambda ws: ws.pages.complete("page"), "completions"),
    (lambda ws: ws.entries.list(), "entries"),
    (lambda ws: ws.entries.core(), "entries"),
    (lambda ws: ws.entries.similar("Likes tea.", threshold=0.1), "entries"),
    (lambda ws: ws.entries.history("m-aaaaaa"), "versions"),
    (lambda ws: ws.namespaces.list(), "namespaces"),
    (lambda ws: ws.browse(), "sections"),
]


@pytest.fixture
def answers(put, ws):
    put("tea.md", "---\ntags: [drink]\n---\n# Tea\n\nGreen. [[Water]] [[Nowhere]]\n")
    put("water.md", "# Water\n\nFor tea.\n")
    said = "- Likes tea. ^m-aaaaaa\n- Hot. [topic:: Tea Pot]\n- Cold. [topic:: Teapot]\n"
    put("memory.md", f"# Memory\n\n{said}")
    _commit(ws.root)
    ws.settings.set("layers.log", "log.md")
    ws.settings.set("layers.namespaces", "namespaces")
    put("namespaces/work/tea.md", "# Tea\n")
    ws.pages.append("water", "Boiled.")
    return [(ask(ws), field) for ask, field in LISTS]


def _commit(root):
    person = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "Pages"]):
        subprocess.run(["git", *person, *words], cwd=root, check=True, capture_output=True)


def test_an_answer_is_walked_as_the_list_it_holds(answers):
    for answer, field in answers:
        assert [*answer] == [*getattr(answer, field)], field
        assert [*answer], field


def test_an_answer_equals_one_of_the_same_values_and_cannot_be_changed(answers):
    for answer, field in answers:
        assert copy.copy(answer) == answer == pickle.loads(pickle.dumps(answer))
        assert answer != getattr(answer, field)
        with pytest.raises(AttributeError):
            setattr(answer, field, ())
