"""A new workspace holds no memory, and says so to every agent."""

import json
import re
from pathlib import Path

import pytest

from memwiki.adapters.hosts import hooks
from memwiki.adapters.hosts.programs import HOSTS
from memwiki.adapters.memory_tool import MemoryTool
from memwiki.cli.main import main
from memwiki.digest import digest_of
from memwiki.doors.own import CORE, OwnService
from memwiki.errors import UsageError
from memwiki.markdown.entries import is_template_page
from memwiki.setup.init import language_of
from memwiki.tools import DoorFlags
from memwiki.workspace import Workspace
from tests.effort import for_each

NOTHING = "# USER MEMORY\nNo lasting memory is stored yet.\n"
TEMPLATE = Path(__file__).parents[2] / "workspace-template"
# What the help pages are about, in their own words.
QUESTIONS = ("how does an agent remember something?", "what is an entry, and what is its type?",
             "how do I search for a phrase in my notes?", "智能体怎样记住一件事？")  # fmt: skip
OLD_MEMORY = """\
---
title: Memory
type: memory
description: What is known - preferences, facts, patterns and context, one list item each.
---
# Memory

The items below are examples; replace them with your own. How they are read: [[Entry]].

## Preferences
- Answers start with the result, then the reasons. #style [importance:: 0.8] ^m-7k2f9a
- Dates are written year first, as in 2026-01-09. #style
- Slides are blue, and dates are in red. #style
"""


@pytest.fixture(params=["en", "zh"])
def fresh(request, tmp_path):
    with Workspace.init(tmp_path / "fresh", language=request.param) as space:
        space.sync()
        yield space


def hook(space, host, moment, **event):
    data = json.dumps({"session_id": "s", "hook_event_name": "E", **event}).encode()
    return hooks.answer(lambda: space, moment, host, data, is_recording=False)


@pytest.mark.parametrize("host", list(HOSTS))
def test_the_hooks_of_every_program_say_that_there_is_nothing_yet(fresh, host):
    reply = json.loads(hook(fresh, host, "start", source="startup"))
    assert reply["hookSpecificOutput"]["additionalContext"] == NOTHING
    for question in QUESTIONS:
        assert hook(fresh, host, "prompt", prompt=question) in ("", "{}")


def test_the_server_says_that_there_is_nothing_yet(fresh):
    service = OwnService(DoorFlags(), fresh.config, is_structured=False, tell=lambda _: None)
    assert service.read(fresh, CORE).text == NOTHING
    for question in QUESTIONS:
        prompt = service.prompt(fresh, "answer", {"question": question})
        assert "Nothing found." in prompt
        assert ".md#" not in prompt
    assert ".md:" not in service.prompt(fresh, "tidy", {})
    assert not re.search(r"\w\.md\b", service.instructions)


def test_the_other_doors_say_it_too(fresh, capsys):
    assert main(["-C", str(fresh.root), "context"]) == 0
    assert capsys.readouterr().out == NOTHING
    assert fresh.prompt().text == NOTHING
    assert [fresh.inject(question) for question in QUESTIONS] == [("", ())] * len(QUESTIONS)
    assert fresh.entries.core().total == fresh.entries.list().total == 0
    listed = MemoryTool(fresh).handle({"command": "view", "path": "/memories"})
    assert ".md" not in listed


def test_too_small_a_budget_says_nothing(fresh):
    assert fresh.prompt(budget=3).text == ""


def test_the_first_memory_takes_the_place_of_nothing(fresh):
    fresh.entries.add("Anna prefers green tea.", type="preference")
    assert "green tea" in fresh.prompt().text
    assert "green tea" in hook(fresh, "codex", "prompt", prompt="which tea does Anna prefer?")


def test_what_explains_the_memory_is_found_by_search_alone(fresh):
    assert fresh.search("type:help").total == 9
    assert [hit.path for question in QUESTIONS for hit in fresh.recall(question)] == []
    helping = fresh.recall("links", types=("help",))
    assert {hit.type for hit in helping} == {"help"}
    assert {hit.type for hit in fresh.recall("type:help search")} == {"help"}


def test_the_pages_of_entries_are_known_to_be_empty(fresh):
    for name in ("memory.md", "learnings.md"):
        assert is_template_page(name, digest_of((fresh.root / name).read_bytes()))


def test_nothing_is_wrong_with_a_new_workspace(fresh):
    assert list(fresh.check.run()) == []


def test_schema_files_come_last_in_search_and_are_never_recalled(root, put, ws):
    for name in ("AGENTS.md", "wiki/CLAUDE.md", "GEMINI.md"):
        put(name, "# Herons\n\nHow to write about herons, herons and herons.\n")
    put("wiki/birds.md", "# Birds\n\nAmong them there is one heron, and much else to be said.\n")
    put("wiki/Claude.md", "# Claude\n\nA painter of herons.\n")
    found = [hit.path for hit in ws.search("herons")]
    assert set(found[:2]) == {"wiki/birds.md", "wiki/Claude.md"}
    assert set(found[2:]) == {"AGENTS.md", "wiki/CLAUDE.md", "GEMINI.md"}
    assert [hit.path for hit in ws.search("herons", limit=2)] == found[:2]
    assert {hit.path for hit in ws.recall("herons")} == set(found[:2])
    assert [hit.path for hit in ws.search("GEMINI")] == ["GEMINI.md"]


def test_a_skill_in_a_folder_that_is_seen_is_a_page_like_others(put, ws):
    head = "---\nname: {0}\ndescription: How to {0}\n---\n"
    put("skills/count-herons/SKILL.md", head.format("count-herons") + "Go out at dawn.\n")
    put("skills/ring-herons/SKILL.md", head.format("ring-herons") + "# Ring herons\n\nBe calm.\n")
    put("wiki/birds.md", "# Birds\n\nOne may count herons, count them and ring herons at dawn.\n")
    assert ws.search("count herons").hits[0].path == "skills/count-herons/SKILL.md"
    assert ws.recall("ring herons").hits[0].path == "skills/ring-herons/SKILL.md"


def test_however_many_entries_a_schema_file_has_what_is_known_comes_first(put, ws):
    entries = (f"- [fact] Heron, lake, heron, lake. ^m-{number:06}\n" for number in range(400))
    put("CLAUDE.md", "# Rules\n\n" + "".join(entries))
    put("wiki/birds.md", "# Birds\n\nAmong them there is one heron, and much else to be said.\n")
    found = [hit.path for hit in ws.search("heron lake", limit=2)]
    assert found == ["wiki/birds.md", "CLAUDE.md"]


def test_pages_that_are_not_recalled_make_no_word_common(root, put, ws):
    for number in range(40):
        put(f"wiki/{number}.md", f"Bird {number} is a {('heron', 'crane', 'stork')[number % 3]}.\n")
    before = [(hit.path, hit.score) for hit in ws.recall("which heron or crane is bird 7?")]
    for number in range(30):
        put(f"help/{number}.md", "---\ntype: help\n---\nHow to write of a heron.\n")
    assert [(hit.path, hit.score) for hit in ws.recall("which heron or crane is bird 7?")] == before


def test_examples_of_an_older_template_are_nobodys_memory(root, put, ws):
    put("memwiki.toml", '[layers]\nmemory = "memory.md"\n')
    put("memory.md", OLD_MEMORY)
    text = ws.prompt().text
    assert "Slides are blue" in text
    assert "Answers start" not in text and "year first" not in text
    answer = ws.recall("how are dates written, in examples and answers?")
    assert [hit.line_start for hit in answer] == [13]
    assert answer.left_out["of a template"] >= 2
    lines = [each.line for each in ws.check.run(only=("template-line",))]
    assert lines == [8, 11, 12]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_fix_deletes_the_examples_and_nothing_else(root, put, ws, end):
    before = OLD_MEMORY.replace("\n", end).encode()
    put("memwiki.toml", '[layers]\nmemory = "memory.md"\n')
    put("memory.md", before)
    ws.check.fix(ws.check.run(only=("template-line",)))
    left = [line for line in OLD_MEMORY.split("\n") if "Answers" not in line]
    left = [line for line in left if "year first" not in line and "examples" not in line]
    assert (root / "memory.md").read_bytes() == end.join(left).encode()
    ws.undo()
    assert (root / "memory.md").read_bytes() == before


def test_a_template_line_that_somebody_changed_is_a_memory(root, put, ws):
    put("memwiki.toml", '[layers]\nmemory = "memory.md"\n')
    put("memory.md", "# Memory\n\n- Dates are written year first, as in 2026-01-09, and in red.\n")
    assert "in red" in ws.prompt().text
    assert list(ws.check.run(only=("template-line",))) == []


@for_each(("environ", "language"), [
    ({}, "en"), ({"LANG": "zh_CN.UTF-8"}, "zh"), ({"LANG": "zh"}, "zh"), ({"LANG": "zha_CN"}, "en"),
    ({"LC_ALL": "C", "LANG": "zh_TW"}, "en"), ({"LC_ALL": "", "LC_MESSAGES": "zh_TW.Big5"}, "zh"),
    ({"LANG": "de_DE.UTF-8"}, "en"),
])  # fmt: skip
def test_the_locale_chooses_the_language_of_the_template(environ, language):
    assert language_of("", environ) == language
    assert language_of("zh", environ) == "zh"


def test_another_language_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(UsageError, match="only in en, zh"):
        Workspace.init(tmp_path / "new", language="fr")
    assert not (tmp_path / "new").exists()


def test_a_chinese_workspace_has_chinese_headings_for_every_type(tmp_path, monkeypatch):
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    with Workspace.init(tmp_path / "new", bare=True) as space:
        for type_, text in (("preference", "喜欢绿茶"), ("lesson", "先搜索"), ("decision", "留下")):
            space.entries.add(text, type=type_)
        assert {(each.type, each.section) for each in space.entries.list().entries} == {
            ("preference", "记忆 > 偏好"),
            ("lesson", "学习记录 > 经验"),
            ("decision", "记忆 > 决定"),
        }
        assert not (space.root / "wiki").exists()


def test_both_templates_have_the_same_pages():
    pages = {path.relative_to(TEMPLATE).as_posix() for path in TEMPLATE.rglob("*.md")}
    chinese = {name.removeprefix("zh/") for name in pages if name.startswith("zh/")}
    assert chinese == {name for name in pages if not name.startswith("zh/")} - {"CLAUDE.md"}
