"""Scripts that the page in a browser loads: of the user's own, never of a workspace."""

from __future__ import annotations

import pytest

from memwiki.config.load import load
from memwiki.config.user import mermaid_script
from memwiki.errors import ConfigError


@pytest.fixture
def own(tmp_path):
    """Writes config.toml, and gives the environment that names its folder."""

    def written(text: str) -> dict[str, str]:
        (tmp_path / "config.toml").write_text(text)
        return {"MEMWIKI_CONFIG_DIR": str(tmp_path)}

    return written


def test_a_script_is_named_by_its_full_path(own, tmp_path):
    script = tmp_path / "mermaid.min.js"
    script.write_text("")
    assert mermaid_script(own("")) is None
    assert mermaid_script(own("[web]\n")) is None
    assert mermaid_script(own(f'[web.assets]\nmermaid = "{script.as_posix()}"\n')) == script


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '[web.assets]\nmermaid = "/no/such/file.js"\n',
            r"config.toml line 2: .* full path of a file",
        ),
        ('[web.assets]\nmermaid = "config.toml"\n', r"config.toml line 2: .* full path of a file"),
        ('[web.assets]\nmermaid = "~nobody-here/m.js"\n', r"line 2: .* full path of a file"),
        ("[web]\n\nassets = 3\n", r"config.toml line 3: there is no setting web.assets"),
        ("[web]\nport = 3\n", r"config.toml line 2: there is no setting web.port"),
        ("web = 3\n", r"config.toml line 1: there is no setting web$"),
    ],
)
def test_what_is_no_file_or_unknown_is_said_with_its_line(own, text, said):
    with pytest.raises(ConfigError, match=said):
        mermaid_script(own(text))


def test_a_workspace_names_no_script(root):
    (root / "memwiki.toml").write_text('[web.assets]\nmermaid = "/tmp/evil.js"\n')
    with pytest.raises(ConfigError, match=r"web\S* is not read here: a workspace names no"):
        load(root, {})
