"""`add` and `entry`: what the words of a command line ask of the workspace."""

import io

import pytest

NOTHING = {
    "type": "",
    "tags": [],
    "key": "",
    "importance": None,
    "confidence": None,
    "source": "",
    "origin": "",
    "to": "",
    "session": "",
    "at": None,
    "staged": False,
    "private": False,
    "subject": "",
    "topic": "",
    "object": "",
    "entities": [],
    "attributes": {},
    "data": None,
}


@pytest.fixture
def piped(monkeypatch):
    """Put a text on standard input."""
    return lambda text: monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode()))
    )


def asked(memwiki_):
    """What each entry of the call says beyond the defaults."""
    name, (requests,), _ = memwiki_.call
    assert name == "entries.add_all"
    return [{k: v for k, v in each.items() if v != NOTHING.get(k)} for each in requests]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], {}),
        (["--type", "fact", "--tag", "a", "--tag", "b"], {"type": "fact", "tags": ["a", "b"]}),
        (["--key", "k/x", "--importance", "0.5"], {"key": "k/x", "importance": 0.5}),
        (["--to", "daily", "--private"], {"to": "daily", "private": True}),
        (["--staged", "--session", "s1"], {"staged": True, "session": "s1"}),
        (["--attr", "a=b=c", "--entity", "Ada"], {"attributes": {"a": "b=c"}, "entities": ["Ada"]}),
        (["--data", '{"a": [1]}', "--at", "2026-09-01"], {"data": {"a": [1]}, "at": "2026-09-01"}),
        (["--subject", "s", "--topic", "t"], {"subject": "s", "topic": "t"}),
        (["--object", "o"], {"object": "o"}),
    ],
)
def test_options_are_what_the_entry_says(memwiki_, options, said):
    assert memwiki_("add", "- Tea.", *options) == 0
    assert asked(memwiki_) == [{"text": "- Tea."} | said]
    assert memwiki_.call[2] == {"new": False, "on_near": "report", "brief": False, "dry_run": False}
    assert memwiki_.out == "added m-7k2f9a  memory.md:5  Tea is green.\n"


@pytest.mark.parametrize(
    ("answer", "type_"), [("y\n", "preference"), ("n\n", "prefrence"), ("", "prefrence")]
)
def test_a_person_is_asked_about_a_type_that_nearly_repeats_a_known_one(
    memwiki_, monkeypatch, answer, type_
):
    memwiki_.answer("entries.near_type", "preference")
    monkeypatch.setattr("memwiki.cli.commands.entries.has_person", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    assert memwiki_("add", "Tea.", "--type", "prefrence") == 0
    assert memwiki_.err.startswith("prefrence is a new type; use preference? [y/N] ")
    assert asked(memwiki_) == [{"text": "Tea.", "type": type_}]


def test_where_nobody_sits_no_question_is_asked(memwiki_):
    memwiki_.answer("entries.near_type", "preference")
    assert memwiki_("add", "Tea.", "--type", "prefrence") == 0
    assert asked(memwiki_) == [{"text": "Tea.", "type": "prefrence"}]
    assert memwiki_.err == "one note\n"


def test_each_line_is_an_entry_and_blank_ones_are_none(memwiki_, piped):
    piped("one\n\n  \ntwo\n")
    assert memwiki_("add", "-", "--lines", "--origin", "tool", "--on-near", "merge") == 0
    assert asked(memwiki_) == [{"text": text, "origin": "tool"} for text in ("one", "two")]
    assert memwiki_.call[2]["on_near"] == "merge"


def test_a_json_object_goes_before_the_options(memwiki_, piped):
    piped('{"text": "one", "type": "skill"}\n{"text": "two", "staged": true}\n')
    assert memwiki_("add", "-", "--jsonl", "--type", "fact", "--new") == 0
    assert asked(memwiki_) == [
        {"text": "one", "type": "skill"},
        {"text": "two", "type": "fact", "staged": True},
    ]
    assert memwiki_.call[2]["new"] is True


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ('{"text": "one"}\nnone', ["--jsonl"]),
        ("[]", ["--jsonl"]),
        ('{"type": "fact"}', ["--jsonl"]),
        ("one", ["--jsonl", "--lines"]),
        ("one", ["--data", "{"]),
        ("one", ["--attr", "=x"]),
        ("one", ["--on-near", "shout"]),
    ],
)
def test_what_is_not_understood_adds_nothing(memwiki_, piped, text, options):
    piped(text)
    assert memwiki_("add", "-", *options) == 2
    assert not [name for name, _, _ in memwiki_.workspace.calls if name.startswith("entries")]


@pytest.mark.parametrize(
    ("words", "call"),
    [
        ("get x", ("entries.get", ("x",), {})),
        ("similar x --limit 2", ("entries.similar", ("x",), {"threshold": None, "limit": 2})),
        ("history x", ("entries.history", ("x",), {})),
        (
            "update x --set a=b",
            ("entries.update", ("x", None), {"fields": {"a": "b"}, "expect": "", "dry_run": False}),
        ),
        (
            "update x new --dry-run",
            ("entries.update", ("x", "new"), {"fields": {}, "expect": "", "dry_run": True}),
        ),
        (
            "supersede x -new",
            ("entries.supersede", ("x", "-new"), {"expect": "", "dry_run": False}),
        ),
        (
            "delete x --hard",
            ("entries.delete", ("x",), {"hard": True, "expect": "", "dry_run": False}),
        ),
        ("move x daily", ("entries.move", ("x", "daily"), {"expect": "", "dry_run": False})),
        (
            "relate x y --as because --weight 0.5",
            (
                "entries.relate",
                ("x", "y", "because"),
                {"weight": 0.5, "expect": "", "dry_run": False},
            ),
        ),
        (
            "relate x y --as because --by-description",
            (
                "entries.relate_by_description",
                ("x", "y", "because"),
                {"weight": None, "expect": "", "dry_run": False},
            ),
        ),
        ("unrelate x y", ("entries.unrelate", ("x", "y", ""), {"expect": "", "dry_run": False})),
    ],
)
def test_each_verb_hands_its_words_on(memwiki_, words, call):
    assert memwiki_("entry", *words.split()) == 0
    assert memwiki_.call == call


def test_an_empty_value_removes_a_field(memwiki_):
    assert memwiki_("entry", "update", "x", "--set", "a=") == 0
    assert memwiki_.call[2]["fields"] == {"a": ""}


def test_a_relation_without_a_word_is_no_call(memwiki_):
    assert memwiki_("entry", "relate", "x", "y") == 2
    assert "--as" in memwiki_.err
