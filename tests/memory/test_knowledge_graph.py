"""A graph goes into pages and comes back as it was, whatever its texts are."""

import json
from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from memwiki.answers.entries import Entity, Graph, Relation
from memwiki.errors import MemwikiError
from memwiki.memory.entity_graph import merge_named
from memwiki.memory.entity_pages import EntityPages
from memwiki.memory.graph_edits import with_graph
from memwiki.nouns import Layers

LAYERS = Layers(memory="memory.md", learnings="learnings.md", wiki="wiki", sessions="sessions")
NOW = datetime(2026, 3, 4)
# What entries, links, code and front matter are made of.
WORDS = """~~ [x::y] [x:: ::  ^m-abc # ## #tag - -- --- * + 1. 1) > | |---| ``` ` ~~~ $ $$ <!-- -->
    <div> </div> [[a]] [[ ]] [ ] [x] [ ] knows [[Bob]] \\ " ' exact:: - Acme acme memory session
    Observations Relations entities/acme (empty) {{ <% :// = é 你好 \u0301 \u202e \u200b""".split()
BLANKS = [
    "\n",
    "\r\n",
    "\t",
    " ",
    "\0",
    "\x1b",
    "\x7f",
    "\x85",
    "\u2028",
    "\ufeff",
    "\xa0",
    "\ud800",
]
STARTS = ["- ", "  - exact:: {}", "[ ] ", "## Observations\n", "---\n", ' [exact:: "b"]']
PIECES = st.sampled_from([*WORDS, *BLANKS, *STARTS])
TEXTS = st.one_of(
    st.text(max_size=12),
    st.lists(PIECES, max_size=6).map("".join),
    st.lists(PIECES, max_size=6).map(" ".join),
).map(lambda text: json.loads(json.dumps(text)))  # as JSON can say it: no halves beside each other
NAMES = st.one_of(
    st.sampled_from(["Acme", "acme", "ACME ", "Bob", "index", "", "loose-relations"]), TEXTS
)


@st.composite
def graphs(draw):
    names = draw(st.lists(NAMES, unique=True, max_size=4))
    ends = st.one_of(st.sampled_from(names), NAMES) if names else NAMES
    entities = [
        Entity(name, draw(TEXTS), tuple(draw(st.lists(TEXTS, max_size=4)))) for name in names
    ]
    relations = draw(st.lists(st.builds(Relation, ends, ends, TEXTS), unique=True, max_size=4))
    return Graph(tuple(entities), tuple(relations))


def put(files, graph):
    """The files after a graph is added to them."""
    written = with_graph(EntityPages(files.get, LAYERS), graph, NOW)
    assert all(files.get(each.path) == each.before for each in written)
    return files | {each.path: each.data for each in written}


def read(files):
    return EntityPages(files.get, LAYERS, files).graph()


def by_source(graph):
    """Relations as they come back: by source, those without a page last."""
    names = [each.name for each in graph.entities]
    found = [each for each in graph.relations if each.source in names]
    loose = [each for each in graph.relations if each.source not in names]
    return (*sorted(found, key=lambda each: names.index(each.source)), *loose)


@given(graphs())
def test_a_graph_comes_back_as_it_was(graph):
    files = put({}, graph)
    found = read(files)
    assert found.entities == graph.entities
    assert found.relations == by_source(graph)
    assert put(files, graph) == files


@given(graphs(), graphs())
def test_a_second_graph_adds_only_what_is_not_known(first, second):
    files = put({}, first)
    found = read(put(files, second))
    expected = merge_named((*first.entities, *second.entities))
    assert {each.name for each in found.entities} == set(expected)
    for each in found.entities:
        one = expected[each.name]
        assert each.type == one.type
        assert each.observations == one.observations
    assert set(found.relations) == {*first.relations, *second.relations}


LINES = st.sampled_from(
    """---
title: Anna
type: memory
type: session
exact: '{"name": "Anna"}'
works_at: "[[Acme]]"
# Anna
## Observations
## Relations
### 2026
## Facts
Prose of it.
- Sings
- Sings ^m-aaaaaa
* ~~Dances~~
  - exact:: "x"
- knows [[Bob]]
- "is near" [[entities/acme|Acme]], [[Bob]]
knows:: [[Acme]]
1. first
- [ ] task
  indented
```
<div>
<!--
-->
| a | b |
|---|---|
[x]: y

> quoted""".split("\n")
)


@given(
    st.lists(LINES, max_size=12),
    st.sampled_from(["\n", "\r\n"]),
    st.lists(TEXTS, max_size=3),
    st.sampled_from([(), (Relation("Anna", "Acme", "works_at"), Relation("Anna", "C", "knows"))]),
)
def test_what_is_added_to_a_page_of_a_person_leaves_all_else_alone(lines, end, texts, relations):
    path = "wiki/entities/anna.md"
    files = {path: end.join(["---", "title: Anna", "---", *lines]).encode()}
    before = read(files)
    (anna,) = (each for each in before.entities if each.name == "Anna")
    added_to = Graph((Entity("Anna", "x", tuple(texts)),), () if texts else relations)
    try:
        after = put(files, added_to)
    except MemwikiError as error:
        assert error.hint
        return
    old, new = files[path], after[path]
    start = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
    assert len(new) >= len(old)
    assert new.endswith(old[start:])
    now = read(after)
    expected = merge_named((*before.entities, *added_to.entities))["Anna"]
    (entity,) = (each for each in now.entities if each.name == "Anna")
    assert entity.type == anna.type
    assert sorted(entity.observations) == sorted(expected.observations)
    assert {*before.relations, *added_to.relations} == set(now.relations)
    assert put(after, added_to) == after
