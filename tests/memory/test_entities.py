"""Which entities are one under two names."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.judgement.entities import (
    JudgedEntity,
    entity_pairs,
    judge_entities,
    name_similarity,
)
from memwiki.judgement.similarity import Verdict
from tests.effort import for_each

BESIDE = frozenset(("Alice", "Acme", "Oslo"))


def topic(name: str, beside: frozenset[str] = BESIDE) -> JudgedEntity:
    return JudgedEntity(name, "topic", beside)


def verdict(one: str, other: str) -> str:
    return judge_entities(JudgedEntity(one), JudgedEntity(other)).verdict


@for_each(
    ("one", "other"),
    [
        ("PostgreSQL", "postgresql"),
        ("Tensor Flow", "TensorFlow"),
        ("front-matter", "Front matter"),
        ("Café Central", "Cafe Central"),
        ("neural network", "neural networks"),
        ("《三体》", "三体"),
        ("ＴｉＤＢ", "TiDB"),
        ("C++", "c++"),
    ],
)
def test_one_name_in_other_letters_is_the_same(one, other):
    assert verdict(one, other) is Verdict.SAME


@for_each(
    ("one", "other"),
    [
        ("Python 3.10", "Python 3.11"),
        ("Python", "Python 3"),
        ("C", "C++"),
        ("C#", "C++"),
        ("World War I", "World War II"),
        ("release 1.2", "release 1.2.1"),
        ("Vitamin B6", "Vitamin B12"),
        ("Plan A", "Plan B"),
        ("Java", "JavaScript"),
        ("supervised learning", "unsupervised learning"),
        ("hypertension", "hypotension"),
        ("Department of Internal Affairs", "Department of External Affairs"),
        ("中华人民共和国第十二届全国人民代表大会", "中华人民共和国第十三届全国人民代表大会"),
        ("聚簇索引和表的数据", "非聚簇索引和表的数据"),
        ("", "a"),
    ],
)
def test_other_numbers_versions_and_meanings_are_different_whatever_is_beside_them(one, other):
    assert judge_entities(topic(one), topic(other)).verdict is Verdict.DIFFERENT


@for_each(
    ("one", "other"),
    [
        ("Kubernetes", "Kubernetez"),
        ("organisation chart", "organization chart"),
        ("John Smith", "J. Smith"),
        ("Natural Language Processing", "NLP"),
        ("Acme Inc", "Acme"),
        ("腾讯公司", "腾讯"),
        ("website", "websites"),
    ],
)
def test_what_is_nearly_the_same_is_when_type_and_neighbours_say_so(one, other):
    assert verdict(one, other) is Verdict.NEAR
    assert judge_entities(topic(one), topic(other)).verdict is Verdict.SAME
    assert judge_entities(topic(other), topic(one)).verdict is Verdict.SAME
    assert judge_entities(topic(one), topic(other)._replace(type="tool")).verdict is Verdict.NEAR
    lonely = topic(other, frozenset(("Alice", "Bob", "Carol")))
    assert judge_entities(topic(one), lonely).verdict is Verdict.NEAR


def test_subjects_are_never_merged():
    found = judge_entities(topic("Mary")._replace(is_subject=True), topic("mary"))
    assert found == (Verdict.DIFFERENT, 1.0, "subject")


def test_thresholds_are_those_that_are_given():
    one, other = JudgedEntity("Kubernetes"), JudgedEntity("Kubernetez")
    assert judge_entities(one, other, near=0.99).verdict is Verdict.DIFFERENT
    assert judge_entities(one, other, same=0.89).verdict is Verdict.SAME


def test_all_pairs_of_many_entities_are_found_once():
    names = ["Kubernetes", "Kubernetez", "NLP", "natural language processing", "Docker", "docker"]
    entities = [*map(JudgedEntity, names), JudgedEntity("Dockers", is_subject=True)]
    found = [(one.name, other.name) for one, other, _ in entity_pairs(entities)]
    assert found == [
        ("Kubernetes", "Kubernetez"), ("NLP", "natural language processing"), ("Docker", "docker"),
    ]  # fmt: skip


def test_of_a_crowd_with_one_name_each_is_paired_with_the_first():
    crowd = [JudgedEntity(f"Tom{' ' * number}Jones") for number in range(150)]
    assert len([*entity_pairs(crowd)]) == 149


NAME = st.one_of(
    st.text(alphabet="abc", min_size=1, max_size=9),
    st.text(alphabet="ab", min_size=9, max_size=12),
    st.builds("{}{}".format, st.sampled_from(["Topic ", "topics ", "Topic"]), st.integers(0, 12)),
    st.lists(st.text(alphabet="ab", min_size=1, max_size=4), min_size=1, max_size=3).map(" ".join),
    st.sampled_from(
        "colour theme|color theme|color themes|J Smith|John Smith|JS|Big Blue Sea|BBS|Acme Inc|"
        "Acme|C++|C|Python 3|Python|腾讯公司|腾讯|Postgres|PostgreSQL".split("|")
    ),
)


@given(st.lists(NAME, max_size=25))
def test_the_pairs_of_many_are_those_of_all_with_all(names):
    entities = [JudgedEntity(name) for name in names]
    expected = [
        (one, other)
        for one, other in combinations(entities, 2)
        if judge_entities(one, other).verdict is not Verdict.DIFFERENT
    ]
    assert [(one, other) for one, other, _ in entity_pairs(entities)] == expected


@pytest.mark.parametrize("form", ["Subject {}", "Topic{}", "v{}.1 of the whole", "{} {}"])
def test_names_told_apart_by_their_figures_are_not_compared(form, monkeypatch):
    compared = []
    monkeypatch.setattr(
        "memwiki.judgement.entities._likeness",
        lambda a, b: compared.append((a, b)) or (0.0, ""),
    )
    assert not [*entity_pairs([JudgedEntity(form.format(n, n)) for n in range(3000)])]
    assert not compared


@given(st.text(max_size=20), st.text(max_size=20))
def test_the_likeness_of_two_names_is_the_same_from_both_sides(one, other):
    assert 0 <= name_similarity(one, other) == name_similarity(other, one) <= 1
    assert name_similarity(one, one) == 1


@for_each(
    "name",
    [
        "VII " * 50_000,
        *(part * 12_500 for part in ("a", "a ", "公司", "3.", "\ud800\u0301", " inc")),
    ],
)
def test_huge_names_are_compared(name):
    one, other = JudgedEntity(name + "b"), JudgedEntity(name + "c")
    assert len([*entity_pairs([one, other, one])]) == 1
    assert judge_entities(one, other).verdict is Verdict.DIFFERENT
