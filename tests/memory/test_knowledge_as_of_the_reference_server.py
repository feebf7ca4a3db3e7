"""Changes of a graph do what the reference memory server does, whatever the texts are."""

from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from memwiki.answers.entries import Entity, Graph, Observed, Relation
from memwiki.errors import NotFoundError
from memwiki.memory import graph_edits as edits
from memwiki.memory.entity_graph import entities_named, matching
from memwiki.memory.entity_pages import EntityPages
from tests.memory.test_knowledge_graph import LAYERS, NAMES, TEXTS

FEW = st.one_of(st.sampled_from(["Anna", "Acme", "acme", "", "a b", "[[x]]"]), NAMES)
WORDS = st.one_of(st.sampled_from(["Sings", "", "a\nb", "- x", "~~y~~", "private", "knows"]), TEXTS)
RELATIONS = st.builds(Relation, FEW, FEW, st.one_of(st.just("knows"), WORDS))
OBSERVED = st.builds(Observed, FEW, st.lists(WORDS, max_size=3).map(tuple))
ENTITIES = st.builds(Entity, FEW, WORDS, st.lists(WORDS, max_size=3).map(tuple))
CALLS = st.one_of(
    st.tuples(st.just("create_entities"), st.lists(ENTITIES, max_size=3)),
    st.tuples(st.just("create_relations"), st.lists(RELATIONS, max_size=3)),
    st.tuples(st.just("add_observations"), st.lists(OBSERVED, max_size=2)),
    st.tuples(st.just("delete_entities"), st.lists(FEW, max_size=2)),
    st.tuples(st.just("delete_observations"), st.lists(OBSERVED, max_size=2)),
    st.tuples(st.just("delete_relations"), st.lists(RELATIONS, max_size=2)),
    st.tuples(st.just("search_nodes"), WORDS),
    st.tuples(st.just("open_nodes"), st.lists(FEW, max_size=2)),
)


class Published:
    """The published source of the server, line by line; but a name or relation that comes twice
    in one call counts once."""

    def __init__(self):
        self.entities, self.relations = [], []

    def create_entities(self, entities):
        known = {each["name"] for each in self.entities}
        first = {each.name: each for each in reversed(entities) if each.name not in known}
        new = [first.pop(each.name) for each in entities if each.name in first]
        self.entities += [{"name": n, "type": t, "said": [*said]} for n, t, said in new]
        return tuple(new)

    def create_relations(self, relations):
        new = [each for each in dict.fromkeys(relations) if each not in self.relations]
        self.relations += new
        return tuple(new)

    def add_observations(self, observations):
        found = [(self.find(name), name, texts) for name, texts in observations]
        if any(entity is None for entity, _, _ in found):
            return "not found"
        results = []
        for entity, name, texts in found:
            new = [text for text in texts if text not in entity["said"]]
            entity["said"] += new
            results.append(Observed(name, tuple(new)))
        return tuple(results)

    def delete_entities(self, names):
        self.entities = [each for each in self.entities if each["name"] not in names]
        self.relations = [r for r in self.relations if not {r.source, r.target} & {*names}]
        return ()

    def delete_observations(self, deletions):
        for name, texts in deletions:
            if entity := self.find(name):
                entity["said"] = [text for text in entity["said"] if text not in texts]
        return ()

    def delete_relations(self, relations):
        self.relations = [each for each in self.relations if each not in relations]
        return ()

    def search_nodes(self, query):
        return self.part(
            lambda e: any(query.lower() in t.lower() for t in (e["name"], e["type"], *e["said"]))
        )

    def open_nodes(self, names):
        return self.part(lambda entity: entity["name"] in names)

    def part(self, is_found):
        found = [each for each in self.entities if is_found(each)]
        ends = {each["name"] for each in found}
        near = [r for r in self.relations if r.source in ends or r.target in ends]
        return [(e["name"], e["type"], tuple(e["said"])) for e in found], sorted(near)

    def find(self, name):
        return next((each for each in self.entities if each["name"] == name), None)


class Kept:
    """The same calls on pages that are held in memory."""

    def __init__(self):
        self.files, self.now = {}, datetime(2026, 3, 4)

    def call(self, name, given):
        if name in ("search_nodes", "open_nodes"):
            graph = self.pages(self.files).graph()
            ask = matching if name == "search_nodes" else entities_named
            return shown(ask(graph, given))
        self.now += timedelta(seconds=1)
        more = [self.now] if name[:3] in ("add", "cre") else []
        more += [[*self.files]] if name == "delete_entities" else []
        try:
            made = getattr(edits, name)(self.pages(), given, *more)
        except NotFoundError:
            return "not found"
        for each in made.pages:
            assert self.files.get(each.path) == each.before
            self.files[each.path] = each.data
        for held in made.gone:
            del self.files[held.path]
        return made.new

    def pages(self, known=()):
        return EntityPages(self.files.get, LAYERS, known, private=False)


def shown(graph: Graph):
    return [tuple(each) for each in graph.entities], sorted(graph.relations)


@given(st.lists(CALLS, max_size=10))
def test_every_call_answers_as_the_published_server_does(calls):
    published, kept = Published(), Kept()
    for name, given_ in [*calls, ("search_nodes", "")]:
        assert kept.call(name, given_) == getattr(published, name)(given_), name
