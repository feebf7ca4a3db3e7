"""A model measured by talks whose facts are known: good, lazy, lying and repeating ones."""

from __future__ import annotations

import io
import json

import pytest

from memwiki.cli.main import main
from memwiki.curation.bench import SHIPPED, is_said, pairs, shipped_talks, talks_in
from memwiki.errors import NeedsModelError, UsageError
from memwiki.models.faults import ModelBudgetError, ModelUnreachableError
from tests.effort import for_each
from tests.recorded import RecordedChat
from tests.scripted_server import ScriptedServer, says

TALKS = [
    {
        "language": "en",
        "date": "2026-03-15",
        "talk": ["Lena: I switched from coffee to mate, coffee gives me headaches.", "Sam: Fine."],
        "facts": [["Lena", "mate|yerba"], ["Lena", "coffee", "headache"]],
    },
    {
        "language": "zh",
        "date": "2026-05-03",
        "talk": ["陈静: 我对花生过敏，点菜的时候请注意。", "服务员: 好的。"],
        "facts": [["陈静", "花生"]],
    },
    {"language": "en", "talk": ["Cal: It rains again.", "Dee: Take an umbrella."], "facts": []},
]
SET = "\n".join(json.dumps(each, ensure_ascii=False) for each in TALKS)
MATE = {"lines": [1], "text": "Lena switched to mate."}
COFFEE = {"lines": [1], "text": "Coffee gives Lena headaches."}
PEANUTS = {"lines": [1], "text": "陈静对花生过敏。"}
RAIN = {"lines": [1], "text": "It rains again."}
OSLO = {"lines": [1], "text": "Lena bought a yerba farm in Oslo in 1999."}
SILENT = '{"facts": []}'


def reply(*facts):
    return json.dumps({"facts": list(facts)}, ensure_ascii=False)


def figures(found, language="all"):
    rate = next(each for each in found.rates if each.language == language)
    return rate[1:]  # talks expected proposed found doubles junk aside precision recall


def test_a_good_model_finds_all_and_nothing_else(space, answering):
    answering(reply(MATE, COFFEE), reply(PEANUTS), SILENT)
    found = space.curation.bench(SET)
    assert figures(found) == (3, 3, 3, 3, 0, 0, 0, 1.0, 1.0)
    assert figures(found, "en") == (2, 2, 2, 2, 0, 0, 0, 1.0, 1.0)
    assert figures(found, "zh") == (1, 1, 1, 1, 0, 0, 0, 1.0, 1.0)
    assert (found.missed, found.junk, found.invalid, found.waiting) == ((), (), 0, 0)


def test_a_lazy_model_has_no_precision_and_its_misses_are_named(space, answering):
    answering(SILENT, SILENT, SILENT)
    found = space.curation.bench(SET, name="mine")
    assert figures(found) == (3, 3, 0, 0, 0, 0, 0, None, 0.0)
    assert [tuple(each) for each in found] == [
        ("mine:1", ("Lena", "mate|yerba")),
        ("mine:1", ("Lena", "coffee", "headache")),
        ("mine:2", ("陈静", "花生")),
    ]


def test_what_a_lying_model_says_is_aside_and_small_talk_is_junk(space, answering):
    answering(reply(OSLO, COFFEE), SILENT, reply(RAIN))
    found = space.curation.bench(SET)
    assert figures(found) == (3, 3, 2, 1, 0, 1, 1, 0.5, 0.3333)
    assert [each.text for each in found.junk] == ["It rains again."]


def test_a_repeating_model_makes_doubles(space, answering):
    answering(reply(MATE, MATE, COFFEE, MATE), reply(PEANUTS, PEANUTS), SILENT)
    found = space.curation.bench(SET)
    assert figures(found) == (3, 3, 6, 3, 3, 0, 0, 0.5, 1.0)


def test_what_matters_less_to_the_model_counts_as_little_as_for_extract(space, answering):
    answering(reply(MATE | {"importance": 0.2}), SILENT, SILENT)
    assert figures(space.curation.bench(SET))[2] == 0


def test_the_figures_do_not_depend_on_the_order_of_what_is_said():
    facts = [("Alma", "Finnish"), ("Alma", "Swedish")]
    both, one = "Alma speaks Finnish and Swedish.", "Alma speaks Finnish."
    assert len(pairs(facts, [both, one])) == len(pairs(facts, [one, both])) == 2
    assert len(pairs(facts, [both])) == 1


@for_each(
    ("words", "sentence", "expected"),
    [
        (["lock"], "SQLite locked.", True),
        (["ten|evening"], "She often works.", False),
        (["ten|evening"], "She works in the EVENING.", True),
        (["expand", "4"], "Set expand to 42.", False),
        (["08-14"], "Ruth was born on 1956-08-14.", True),
        (["账目|账"], "账目存在PostgreSQL里。", True),
        (["a.c"], "abc", False),
    ],
)
def test_a_word_is_said_where_a_word_begins(words, sentence, expected):
    assert is_said(words, sentence) is expected


def test_each_talk_is_asked_as_extract_asks_and_nothing_is_proposed(space, root, answering):
    chat = answering(SILENT, SILENT, SILENT)
    space.curation.bench(SET)
    asked = chat.asked[0].messages[-1].text
    assert "Date of the conversation: 2026-03-15" in asked
    assert "1 Lena: I switched" in asked
    assert "Known already" not in asked
    assert space.proposals.list().proposals == ()
    assert not list((root / ".memwiki").glob("proposals/*"))


def test_a_second_run_asks_only_what_has_no_reply_yet(space, answering, monkeypatch):
    answering(reply(MATE, COFFEE))  # then it has no more to say, which is no valid reply
    first = space.curation.bench(SET)
    assert (first.rates[-1].talks, first.invalid) == (1, 2)
    chat = answering(reply(PEANUTS), SILENT)
    assert figures(space.curation.bench(SET))[-2:] == (1.0, 1.0)
    assert len(chat.asked) == 2


def test_a_run_that_a_budget_ends_tells_what_it_has_and_what_is_left(space, answering, monkeypatch):
    answering(reply(MATE, COFFEE))
    _ends(monkeypatch, ModelBudgetError("this run", "made all of its requests"), after=1)
    found = space.curation.bench(SET)
    assert (figures(found)[-2:], found.waiting) == ((1.0, 1.0), 2)
    assert "made all of its requests" in found.error


def test_at_a_server_no_request_is_over_the_budget_and_the_next_run_goes_on(space, monkeypatch):
    server = ScriptedServer(says(SILENT))
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_BASE_URL", server.url)
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_MODEL", "m")
    monkeypatch.setenv("MEMWIKI_MODELS_BUDGET_CALLS_PER_RUN", "2")
    try:
        runs = [space.curation.bench(SET) for _ in range(3)]
    finally:
        server.close()
    assert [(each.calls, each.waiting, bool(each.error)) for each in runs] == [
        (2, 1, True),
        (1, 0, False),
        (0, 0, False),
    ]
    assert len(server.received) == 3


def test_a_dry_run_shows_to_the_byte_what_is_sent_and_sends_nothing(
    space, root, monkeypatch, capsys, tmp_path
):
    server = ScriptedServer(says(SILENT, sent=3_000))
    try:
        monkeypatch.setenv("MEMWIKI_MODELS_CHAT_BASE_URL", server.url)
        monkeypatch.setenv("MEMWIKI_MODELS_CHAT_MODEL", "tiny")
        monkeypatch.setenv("MEMWIKI_STATE_DIR", str(tmp_path / "state"))
        file = tmp_path / "talks.jsonl"
        file.write_text(SET, "utf-8")
        asked = ["-C", str(root), "bench", "extract", "--set", str(file)]
        assert main([*asked, "--dry-run", "--json"]) == 0 and not server.received
        shown = json.loads(capsys.readouterr().out)["requests"]
        assert main(asked) == 0
    finally:
        server.close()
    bodies = [each.body.decode() for each in server.received]
    assert [each["body"] for each in shown] == bodies and len(bodies) == 3
    assert "Lena: I switched" in bodies[0]


def test_where_nobody_answers_at_all_it_fails(space, answering, monkeypatch):
    answering()
    _ends(monkeypatch, ModelUnreachableError("nobody", "is there"), after=0)
    with pytest.raises(ModelUnreachableError):
        space.curation.bench(SET)


def _ends(monkeypatch, error, *, after):
    ask = RecordedChat.ask

    def asked(self, given):
        if len(self.asked) >= after:
            raise error
        return ask(self, given)

    monkeypatch.setattr(RecordedChat, "ask", asked)


def test_without_a_model_it_says_so(space, root, capsys):
    with pytest.raises(NeedsModelError):
        space.curation.bench()
    assert main(["-C", str(root), "bench", "extract"]) == 1
    assert "no model is set" in capsys.readouterr().err


@for_each(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[]", "not an object"),
        ('{"facts": []}', "its talk is no list of texts"),
        ('{"talk": [], "facts": []}', "it has no talk"),
        ('{"talk": ["A: b"]}', "no list of facts"),
        ('{"talk": ["A: b"], "facts": [[]]}', "a fact has no words"),
        ('{"talk": ["A: b"], "facts": [["|"]]}', "its fact is no list of texts"),
        ('{"talk": ["A: b"], "facts": [], "date": "soon"}', "its date is none"),
    ],
)
def test_a_line_that_is_no_talk_is_named(line, reason):
    with pytest.raises(UsageError, match=f"^set:2: .*{reason}"):
        list(talks_in("set", f"\n{line}"))


def test_a_set_without_talks_is_refused(space):
    with pytest.raises(UsageError, match="there are no talks"):
        space.curation.bench("\n")


def test_the_command_prints_a_table_or_json(space, root, answering, capsys, monkeypatch):
    (root / "set.jsonl").write_text(SET, encoding="utf-8")
    answering(reply(MATE, MATE), SILENT, reply(RAIN))
    command = ["-C", str(root), "bench", "extract", "--set", "set.jsonl"]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert "陈静 + 花生  set.jsonl:2" in out
    assert "It rains again.  set.jsonl:3" in out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(SET.encode())))
    assert main(["--json", "-C", str(root), "bench", "extract", "--set", "-"]) == 0
    rates = json.loads(capsys.readouterr().out)["rates"]
    assert (rates[-1]["doubles"], rates[-1]["junk"]) == (1, 1)


def test_a_model_that_quotes_what_matters_finds_the_facts_that_ship(space, answering):
    talks = list(talks_in(SHIPPED, shipped_talks()))
    assert [len(talks), sum(not each.facts for each in talks)] == [55, 15]
    assert sum(len(each.facts) for each in talks) == 53
    answering(*map(_quoting, talks))
    found = space.curation.bench()
    assert figures(found) == (55, 53, 53, 53, 0, 0, 0, 1.0, 1.0)
    assert [each.language for each in found.rates] == ["en", "zh", "all"]


def _quoting(talk):
    """All of a talk as one sentence, once for each fact."""
    numbers = list(range(1, len(talk.source.lines) + 1))
    said = "; ".join(f"{each.speaker} {each.text}" for each in talk.source.lines)
    return reply(*({"lines": numbers, "text": said} for _ in talk.facts))
