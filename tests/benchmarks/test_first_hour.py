"""The first hour with small vaults, and that a miss is seen."""

from __future__ import annotations

from pathlib import Path

import pytest
from first_hour import Ran, Visit, digests, first_hour, judged

from memwiki.cli.main import main

PAGES = {
    "plain": {"a.md": "# A\n\nSee [b](b.md).\n", "b.md": "# B\n\nHot #tea.\n"},
    "logseq": {
        "logseq/config.edn": "{:file/name-format :triple-lowbar}\n",
        "pages/tea___green.md": "alias:: sencha\ntags:: hot\n\n- # Water\n\t- soft\n",
        "pages/day.md": "- [[tea/green]] and [[sencha]]\n",
        "journals/2026_09_01.md": "- drank [[tea/green]]\n",
    },
}


@pytest.fixture
def visit(tmp_path, monkeypatch, capsys):
    """Commands in a folder of these files, run in this process."""

    def made(files: dict[str, str]) -> Visit:
        root = tmp_path / "vault"
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(text.encode())
        monkeypatch.chdir(root)

        def run(*arguments: str) -> Ran:
            return Ran(main(list(arguments)), *capsys.readouterr())

        return Visit(root, run)

    return made


@pytest.mark.parametrize("kind", PAGES)
def test_the_first_hour_with_a_small_vault_goes_well(kind, visit):
    steps = list(first_hour(visit(PAGES[kind])))
    assert [step for step in steps if step.failure] == []
    told = {step.what: step.told for step in steps}
    assert told["undo"] == f"{8 if kind == 'plain' else 9} changes"


def test_a_file_that_changes_a_traceback_and_a_wrong_exit_code_are_misses(visit, tmp_path):
    tried = visit({"a.md": "A\n", ".memwiki/state": "1"})
    before = digests(tried.root)
    (tried.root / ".memwiki/state").write_text("2")
    assert tried.kept("", before).failure == ""
    (Path(tried.root) / "b.md").write_text("B\n")
    assert tried.kept("", before).failure == "b.md"
    assert judged("", Ran(3, "found", ""), (0, 3)).failure == ""
    assert judged("", Ran(1, "", "a: no page")).failure == "exit 1: a: no page"
    assert judged("", Ran(0, "Traceback (most recent call last):\n", "")).failure == "traceback"
    assert judged("", Ran(0, "", "")).failure == "says nothing"
