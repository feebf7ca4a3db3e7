"""What a step loads costs its time in every command: what it has no use for is not there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memwiki.cli.registry import COMMANDS
from tests.test_architecture import HEAVY

PLAIN_PAGE = b"---\ntitle: T\ntags: [a]\n---\n# T\n\n- a\n\n```\nx\n```\n"
OTHERS = {f"memwiki.cli.commands.{row.module}" for row in COMMANDS.values()}
STEPS = {
    "from memwiki.cli.main import main; main([])": {"typer", "rich", "whoosh"},
    "from memwiki.cli.main import main; main(['--version']); main(['--help'])": {
        *("typer", "rich", "json", "typing", "dataclasses", "memwiki.nouns")
    },
    "from memwiki.cli.dispatch import load; load('tags')": OTHERS - {"memwiki.cli.commands.graph"},
    "from memwiki.cli.warm.server import load_commands; load_commands()": {"typer"},
    "from pathlib import Path; from memwiki.files.scan import scan; scan(Path())": {"pathspec"},
    "from pathlib import Path; from memwiki.config import load, cache_root\n"
    "load(Path(), {}); cache_root({'HOME': '.'})": {"tomllib", "difflib", "platformdirs"},
    "from memwiki.markdown.parse import parse; from memwiki.nouns import Layers\n"
    f"parse('a.md', {PLAIN_PAGE!r}, Layers())": {
        *("yaml", "frontmatter", "markdown_it", "dataclasses")
    },
    "from memwiki.answers.recall import SearchAnswer\n"
    "SearchAnswer('tea', True, 0, 0, False, ())._replace(total=1)": {"dataclasses", "inspect"},
    **{
        f"import memwiki.cli.commands.{name}, memwiki.cli.dispatch": HEAVY
        for name in ("search", "pages", "graph", "index", "edits")
    },
    "import memwiki.check.rules": {"memwiki.judgement.similarity"},
    "import memwiki.browse.graph": {"memwiki.markdown.edit"},
    "import memwiki.browse.pages": {"memwiki.markdown.edit"},
    "import memwiki.workspace.workspace": {"memwiki.markdown.links", "memwiki.aio"},
    "import memwiki.adapters.frameworks.bridge": {"memwiki.aio"},
    "import memwiki.workspace.settings": {"memwiki.config.edit"},
    "import memwiki.cli.commands.serve": {"memwiki.importing"},
}


@pytest.mark.parametrize("step", STEPS)
def test_a_step_loads_nothing_that_it_has_no_use_for(step: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Tea\n")
    script = f"{step}\nimport sys; print('loaded', *sorted({STEPS[step]!r} & {{*sys.modules}}))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.splitlines()[-1] == "loaded"


def test_what_answers_commands_has_them_loaded() -> None:
    script = (
        "import sys; from memwiki.cli.warm.server import load_commands; load_commands();"
        "print(*sorted(m for m in sys.modules if m.startswith('memwiki.cli.commands.')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "memwiki.cli.commands.search" in done.stdout.split()
