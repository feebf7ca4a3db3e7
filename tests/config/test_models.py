"""Models are set by the user alone; a workspace can only narrow."""

from __future__ import annotations

from pathlib import Path

import pytest

from memwiki.config import load
from memwiki.config.models import USER, load_user_models, user_models, with_allowed
from memwiki.config.user import workspaces_in
from memwiki.errors import ConfigError
from memwiki.workspace import Workspace
from tests.effort import for_each

TEXT = """\
# mine
[models.chat]
base_url = "http://127.0.0.1:11434/v1"  # Ollama
model = "qwen3:8b"
price_in = 0.15

[workspaces]
work = "/home/anna/work"
"""


def models(text: str, **environ: str):
    return user_models(text, "config.toml", environ)


def test_nothing_is_set_unless_the_user_says_so():
    found = models("", OPENAI_API_KEY="sk-x")
    assert not found.chat.is_set
    assert not found.embed.is_set
    assert not models("[models.embed]\nprovider = 'none'").embed.is_set


def test_the_environment_goes_before_the_file_and_each_says_where_it_is_from():
    found = models(TEXT, MEMWIKI_MODELS_CHAT_MODEL="other", MEMWIKI_MODELS_BUDGET_CALLS_PER_RUN="3")
    assert found.chat.model == "other"
    assert found.chat.price_in == 0.15
    assert found.budget.calls_per_run == 3
    assert found.origins == {
        "models.chat.base_url": "config.toml",
        "models.chat.model": "MEMWIKI_MODELS_CHAT_MODEL",
        "models.chat.price_in": "config.toml",
        "models.budget.calls_per_run": "MEMWIKI_MODELS_BUDGET_CALLS_PER_RUN",
    }


def test_named_workspaces_and_models_are_in_one_file():
    assert workspaces_in(TEXT, "c") == {"work": "/home/anna/work"}


@for_each(
    ("written", "provider", "address"),
    [
        ('"local"', "local", ""),
        ('"openrouter"', "openai", "https://openrouter.ai/api/v1"),
        ('"custom:http://127.0.0.1:1/v1"', "openai", "http://127.0.0.1:1/v1"),
    ],
)
def test_settings_of_other_memories_are_taken_and_noted(written, provider, address):
    found = models(f"[models]\nembedding_provider = {written}\nembedding_dims = 256\n")
    assert (found.embed.provider, found.embed.base_url, found.embed.width) == (
        provider,
        address,
        256,
    )
    assert "models.embedding_dims is read as models.embed.width" in found.notes


@for_each(
    ("text", "said"),
    [
        (
            "[models.chat]\nspeed = 'x'",
            "config.toml line 2: there is no setting models.chat.speed",
        ),
        ("[models.chat]\nformat = 'xml'", "line 2: models.chat.format is not auto or json_schema"),
        ("[models.chat]\nkey = 'sk-1'", "there is no setting models.chat.key"),
        ("[models.embed]\nprovider = 'https://x'", "models.embed.provider is not"),
        ("[models.budget]\ncalls_per_run = -1", "calls_per_run is less than 0"),
        ("[models.allow]\n'/a' = 'x'", "/a has no list of hosts"),
        ("[models]\nchat = 1", "there is no setting models.chat"),
        ("models = 1", "models is not a table"),
        ("[model]\nx = 1", "there is no table model"),
    ],
)
def test_what_cannot_be_used_is_named_with_its_line(text, said):
    with pytest.raises(ConfigError, match=r"config\.toml") as refused:
        models(text)
    assert said in refused.value.message


def test_a_variable_that_is_no_setting_is_refused():
    with pytest.raises(ConfigError, match="MEMWIKI_MODELS_CHAT_SPEED"):
        models("", MEMWIKI_MODELS_CHAT_SPEED="x")


@pytest.mark.parametrize(
    "text",
    [
        "[models.chat]\nbase_url = 'https://evil.example/v1'",
        "[models]\nchat = {base_url = 'https://evil.example/v1'}",
        "[models]\nembed.provider = 'openai'",
        "[models.allow]\n'/home' = ['evil.example']",
        "[models.budget]\ncalls_per_run = 9",
        "[models]\nembedding_provider = 'openai'",
        "[models]\nsupport = 0.1",
    ],
)
def test_a_workspace_names_no_server_and_widens_nothing(tmp_path: Path, text: str):
    (tmp_path / "memwiki.toml").write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=r"memwiki\.toml line \d"):
        load(tmp_path, {})


def test_a_workspace_narrows_and_the_variables_of_the_user_do_not_disturb_it(tmp_path: Path):
    text = "[models]\nenabled = false\nwithhold = ['clients/**']\nsupport = 0.6\n"
    (tmp_path / "memwiki.toml").write_text(text, "utf-8")
    found = load(tmp_path, {"MEMWIKI_MODELS_CHAT_BASE_URL": "http://127.0.0.1/v1"}).models
    assert found == (False, ("clients/**",), 0.6, False)


def test_every_setting_has_a_variable_and_help():
    for key in USER.keys().values():
        assert key.variable.startswith("MEMWIKI_MODELS_")
        assert key.help


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_host_is_allowed_in_one_line_and_every_other_byte_stays(end: str):
    before = TEXT.replace("\n", end)
    one = with_allowed(before, "/home/anna/my.notes", ["openrouter.ai"], "c")
    assert one.startswith(before)
    two = with_allowed(one, "/home/anna/my.notes", ["openrouter.ai", "api.openai.com"], "c")
    assert two.startswith(before)
    assert with_allowed(two, "/home/anna/my.notes", ["openrouter.ai", "api.openai.com"], "c") == two
    assert with_allowed(two, "/home/anna/my.notes", ["openrouter.ai"], "c") == one
    assert models(two).allow == {"/home/anna/my.notes": ("openrouter.ai", "api.openai.com")}
    assert two.count("[models.allow]") == 1


def test_a_table_of_hosts_in_another_form_is_left_to_its_owner():
    text = '[models]\nallow = {"/a" = ["x"]}\n'
    assert models(text).allow == {"/a": ("x",)}
    with pytest.raises(ConfigError, match="a form that memwiki does not change"):
        with_allowed(text, "/a", ["y"], "c")


def test_a_file_that_is_no_text_is_named(tmp_path: Path):
    (tmp_path / "config.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"config\.toml: cannot be read"):
        load_user_models({"MEMWIKI_CONFIG_DIR": str(tmp_path)})


def test_a_broken_user_file_stops_no_command_that_asks_no_model(ws: Workspace, tmp_path: Path):
    """
    --- a.md ---
    # Tea
    """
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text("[models.chat]\nx = 1", "utf-8")
    assert ws.search("tea").total == 1
