"""A vault that asks for its own pages: which questions, how often found, what is hard and why."""

from __future__ import annotations

import json

import pytest

from memwiki.cli.main import main
from memwiki.errors import ConfigError, UsageError
from memwiki.files.usage_log import usage_files
from memwiki.health.bench import interval, telling
from tests.effort import for_each

TEXT = """
--- wiki/tea.md ---
# Green tea

Tea grows upon terraces between misty mountains.

## Brewing temperature

Eighty degrees.
--- wiki/boat.md ---
# The boat

The boat is moored beside a wooden pier, painted green.
--- wiki/cha.md ---
# 茶叶

茶叶生长在云雾缭绕的山坡上。
--- memory.md ---
# Memory

- The office key lies under the doormat. ^m-aaaaaa
--- AGENTS.md ---
# Agents

Read everything whenever something happens here.
"""


@pytest.fixture
def vault(ws, write_blocks):
    write_blocks(TEXT)
    return ws


def test_each_kind_of_question_finds_its_pages(vault, root):
    found = vault.bench_vault()
    rates = {rate.kind: rate for rate in found.kinds}
    assert {kind: rate.questions for kind, rate in rates.items()} == {
        "title": 4,
        "heading": 1,
        "sentence": 3,
        "entry": 1,
        "all": 9,
    }
    assert all(rate.hit_at_5 == 1 for rate in rates.values())
    assert (found.hard, found.trial, found.fresh) == ((), None, True)
    assert list(usage_files(root)) == []


def test_the_same_pages_ask_the_same_and_no_more_than_was_asked_for(vault):
    assert vault.bench_vault() == vault.bench_vault()
    assert vault.bench_vault(1).questions == 4


def test_what_is_hard_to_find_says_why(vault, put):
    for i in range(8):
        put(f"log/{i}.md", "# Untitled\n\nShort.\n")
    found = vault.bench_vault(limit=3)
    hard = [each for each in found.hard if each.kind == "title"]
    assert len(hard) >= 4
    assert "8 pages have this title: another one, or an alias, helps" in hard[0].why
    assert "the page is short: 1 word to be found by" in hard[0].why or hard[0].why
    assert all(each.path not in {other.path for other in each.instead} for each in hard)


def test_a_setting_is_tried_against_the_one_in_use(vault):
    same = vault.bench_vault(against="depth=1").trial
    assert (same.setting, same.difference, same.low, same.high) == ("depth=1", 0, 0, 0)
    worse = vault.bench_vault(against="recall.min_score=1").trial
    assert worse.difference < 0
    assert worse.high < 0
    assert (worse.better, worse.worse > 0) == (0, True)


@pytest.mark.parametrize(
    ("against", "error"),
    [("depth", UsageError), ("recall.depht=1", ConfigError), ("depth=deep", ConfigError)],
)
def test_what_is_no_setting_is_refused_before_anything_is_asked(vault, against, error):
    def nobody(*_):
        raise AssertionError

    with pytest.raises(error) as refused:
        vault.bench_vault(against=against, progress=nobody)
    assert refused.value.hint


def test_what_is_private_is_not_asked_for(vault, put):
    put(
        "wiki/secret.md", "---\nprivate: true\n---\n# Zanzibar\n\nHidden beneath seven mountains.\n"
    )
    put("wiki/half.md", "# Half\n\n- Known to everybody around. ^m-bbbbbb\n"
        "- Zanzibar treasure chamber numbers. [private:: true] ^m-cccccc\n")  # fmt: skip
    steps = []
    found = vault.bench_vault(progress=lambda *step: steps.append(step))
    assert "anzibar" not in repr(found)
    assert steps[-1] == (found.questions, found.questions)


@for_each(
    ("sentence", "title", "question"),
    [
        ("The boat is moored beside a wooden pier.", "The boat", "moored beside wooden pier"),
        ("Too short.", "", ""),
        ("茶叶生长在云雾缭绕的山坡上，很香。", "茶叶", "茶叶生长在云雾缭绕的山坡上"),
        ("茶叶", "茶叶", ""),
        ("Teapot 是一个兼容 Kettle 的茶壶，下面介绍它。", "", "Teapot 是一个兼容 Kettle 的茶壶"),
        ("用 BREW 语句从茶叶档案里面取出 tea_summary_table", "", "用 BREW 语句从茶叶档案里面取出"),
        ("", "", ""),
    ],
)
def test_a_question_is_the_telling_words_of_a_sentence(sentence, title, question):
    assert telling(sentence, title) == question


def test_an_interval_holds_the_mean_and_grows_with_what_differs():
    assert interval([0.0] * 9) == (0, 0)
    low, high = interval([0.5, -0.5] * 20)
    assert low < 0 < high
    assert interval([0.5] * 20) == (0.5, 0.5)


def test_an_empty_vault_says_so(ws):
    with pytest.raises(UsageError, match="no page"):
        ws.bench_vault()


def test_the_command_line_shows_rates_what_is_hard_and_the_trial(vault, root, put, capsys):
    for i in range(8):
        put(f"log/{i}.md", "# Untitled\n\nShort.\n")
    run = ["-C", str(root), "bench", "vault", "--limit", "3"]
    assert main([*run, "--against", "recall.min_score=1"]) == 0
    shown = capsys.readouterr().out
    assert "hit@1" in shown
    assert "hard to find by its title:" in shown
    assert "with recall.min_score=1: hit@1" in shown
    assert ": worse; 0 better" in shown
    assert main([*run, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["trial"] is None
    assert {"kind", "questions", "hit_at_1", "hit_at_5", "mrr"} == {*answer["kinds"][0]}
