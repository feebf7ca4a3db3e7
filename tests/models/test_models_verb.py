"""`memwiki models`: what is set, one request, consent and the ledger, as a person meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memwiki.cli.main import main
from memwiki.errors import ConfigError, ModelError, UsageError
from memwiki.workspace import Workspace
from tests import connections
from tests.models.conftest import KEY
from tests.models.test_faults import ROWS, told
from tests.scripted_server import answer, fault, says, vectors

OK = '{"word": "tea"}'


@pytest.fixture
def config(tmp_path: Path) -> Path:
    (tmp_path / "config").mkdir()
    return tmp_path / "config" / "config.toml"


@pytest.fixture
def asked(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Run a command in the workspace; give its exit code and all that it printed."""
    monkeypatch.chdir(root)
    monkeypatch.setenv("TEST_KEY", KEY)
    monkeypatch.setattr("memwiki.models.faults._PAUSES", (0, 0, 0))

    def run(*arguments: str) -> tuple[int, str]:
        code = main(["models", *arguments])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return run


def test_alone_it_says_that_nothing_is_set_and_what_comes_next(ws, tmp_path):
    found = ws.models.show()
    assert found.models == found.settings == found.allowed == ()
    assert found.is_enabled
    assert found.config == str(tmp_path / "config" / "config.toml")
    assert [step.command for step in found.next] == [f"edit {found.config}", "memwiki models check"]


def test_it_says_where_each_setting_comes_from_and_why_a_model_would_not_be_asked(
    ws, config, monkeypatch
):
    config.write_text(
        '[models.chat]\nbase_url = "https://openrouter.ai/api/v1"\nkey_env = "NO_SUCH"\n'
        '[models]\nembedding_provider = "local"\n',
        "utf-8",
    )
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_MODEL", "m")
    found = ws.models.show()
    assert [(each.use, each.model, each.where, each.problem) for each in found.models] == [
        (
            "chat",
            "m",
            "https://openrouter.ai/api/v1",
            "openrouter.ai: nothing of this workspace may be sent there",
        ),
        ("embed", "", "local", ""),
    ]
    assert {each.key: each.origin for each in found.settings} == {
        "models.chat.base_url": str(config),
        "models.chat.key_env": str(config),
        "models.chat.model": "MEMWIKI_MODELS_CHAT_MODEL",
        "models.embed.provider": str(config),
    }
    assert found.notes == ("models.embedding_provider is read as models.embed.provider",)
    assert found.next == ()
    assert ws.models.allow("openrouter.ai").hosts == ("openrouter.ai",)
    assert ws.models.show().models[0].problem == "NO_SUCH is not set"
    assert connections.made == []


def test_consent_is_of_one_workspace_and_host_and_is_taken_back(root, config, tmp_path):
    config.write_text("# mine\n", "utf-8")
    other = tmp_path / "other"
    (other / ".memwiki").mkdir(parents=True)
    with Workspace.open(root, find=False) as one, Workspace.open(other, find=False) as two:
        assert one.models.allow("https://OpenRouter.ai:443/api/v1") == (
            str(root),
            ("openrouter.ai",),
        )
        assert one.models.allow("b.example").hosts == ("openrouter.ai", "b.example")
        assert two.models.show().allowed == ()
        assert one.models.allow("openrouter.ai", remove=True).hosts == ("b.example",)
        assert config.read_text("utf-8").startswith("# mine\n")
    config.write_text('[models]\nallow = {"/x" = []}\n', "utf-8")
    with Workspace.open(root, find=False) as one, pytest.raises(ConfigError, match="in a form"):
        one.models.allow("b.example")


@pytest.mark.parametrize("host", ["", "a b", "http://", "-x", "é.example", "http://[", "a\n"])
def test_what_is_no_host_is_not_allowed(ws, config, host):
    with pytest.raises(UsageError):
        ws.models.allow(host)
    assert not config.exists()


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "http://127.1.2.3:11434/v1", "[::1]"])
def test_this_machine_needs_no_consent(ws, host):
    with pytest.raises(UsageError):
        ws.models.allow(host)


def test_a_workspace_that_says_no_is_not_asked_about(root, server, monkeypatch):
    """
    --- memwiki.toml ---
    [models]
    enabled = false
    """
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_BASE_URL", server.url)
    with Workspace.open(root, find=False) as ws:
        with pytest.raises(ModelError, match=r"models\.enabled is false") as failed:
            ws.models.check()
        assert not ws.models.show().is_enabled
    assert failed.value.code == "model_not_allowed"
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_FILE", "/nowhere.gguf")
    with Workspace.open(root, find=False) as ws, pytest.raises(ModelError, match="enabled"):
        ws.models.check()
    assert connections.made == []


def test_check_makes_one_tiny_request_and_says_what_it_told(ws, server, monkeypatch):
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_BASE_URL", server.url)
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_MODEL", "tiny")
    server.then(says(OK, sent=20, answered=6))
    found = ws.models.check()
    assert (found.model, found.format, found.read_tokens) == ("tiny", "json_schema", 0)
    assert (found.tokens_in, found.tokens_out, found.context_tokens) == (20, 6, 4096)
    assert len(server.received) == 1
    (row,) = ws.models.spent()
    assert row[1:] == ("127.0.0.1", "tiny", "check/1", 1, 20, 6, None)
    assert ws.models.spent().tokens == 26


def test_check_measures_what_is_read(ws, server, monkeypatch):
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_BASE_URL", server.url)
    server.then(says(OK), says("x", end="length", sent=2050))
    assert ws.models.check(measure=True).read_tokens == 2050  # the rest was dropped
    server.then(says(OK), says("x", end="length", sent=3900))
    assert ws.models.check(measure=True).read_tokens == 3900
    assert len(server.received[-1].json["messages"][0]["content"]) > 15_000
    server.then(says(OK), fault(400, "the context length is 2048"))
    with pytest.raises(ModelError, match="does not read so much"):
        ws.models.check(measure=True)


def test_check_finds_the_form_that_works(ws, server, monkeypatch):
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_BASE_URL", server.url)
    server.then(says("tea!"), says(OK))
    assert ws.models.check().format == "json_object"
    server.then(says(OK))
    assert ws.models.check().format == "json_object"  # it is remembered
    server.then(says("tea!"))
    assert ws.models.check().format == "nothing: it gave no JSON"


def test_a_dry_run_shows_what_is_sent_to_the_byte_and_sends_nothing(ws, server, monkeypatch):
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_BASE_URL", server.url)
    server.then(says(OK))
    shown = ws.models.check(dry_run=True)
    assert server.received == []
    ws.models.check()
    assert server.received[0].body == shown.request.encode()


def test_prices_are_told_where_they_are_set(ws, server, config):
    config.write_text(
        f'[models.chat]\nbase_url = "{server.url}"\nprice_in = 100\nprice_out = 1000\n', "utf-8"
    )
    server.then(says(OK, sent=20, answered=6))
    assert ws.models.check().price == pytest.approx(0.008)
    assert ws.models.spent().spent[0].price == pytest.approx(0.008)


def test_what_was_kept_is_forgotten_and_what_was_spent_is_not(ws, server, monkeypatch, tmp_path):
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_BASE_URL", server.url)
    server.then(says(OK))
    ws.models.check()
    run = ws.models.run()
    chat = run.chat()
    run.replies.put(chat.key, chat_ask(), "tea")
    assert ws.models.forget() == (1, 3)
    assert ws.models.forget() == (0, 0)
    assert len(ws.models.spent().spent) == 1


def chat_ask():
    from memwiki.models.port import Ask, ChatMessage

    return Ask("test/1", (ChatMessage("user", "x"),))


@pytest.mark.parametrize("name", ROWS)
def test_a_fault_at_the_command_line_tells_no_key_and_leaves_the_vault_as_it_was(
    name, asked, server, config, root
):
    """
    --- a.md ---
    # Tea
    """
    config.write_text(
        f'[models.chat]\nbase_url = "{server.url}"\nmodel = "m"\nkey_env = "TEST_KEY"\n', "utf-8"
    )
    steps, code, _ = ROWS[name]
    server.then(*steps)
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    for arguments in (("check",), ("check", "--json")):
        server.then(*steps)
        status, printed = asked(*arguments)
        assert status == 1
        assert KEY not in printed
    assert json.loads(printed)["error"]["code"] == code
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_the_rows_of_each_answer(asked, server, config, root):
    config.write_text(f'[models.chat]\nbase_url = "{server.url}"\nmodel = "m"\n', "utf-8")
    server.then(says(OK, sent=20, answered=6))
    said = asked("check")[1]
    assert f"{server.url}/chat/completions" in said
    assert "its replies are held to json_schema" in said
    assert "4,096 tokens are set" in said
    server.then(says(OK), says("x", end="length", sent=2050))
    assert "read 2,050 of 4,096 tokens" in asked("check", "--measure")[1]
    assert '"model": "m"' in asked("check", "--dry-run")[1]
    assert "3 requests" in asked("spent")[1]
    assert "may be sent to" in asked("allow", "openrouter.ai")[1]
    assert "may be sent to: openrouter.ai" in asked()[1]
    assert "forgot 0 replies" in asked("forget")[1]


def test_an_error_shows_nothing_of_the_key_anywhere(run, server, ask):
    server.then(answer(500, {"error": {"message": f"\u202e{KEY}\x1b[31m{KEY}" * 50}}))
    with pytest.raises(ModelError) as failed:
        run().chat().ask(ask())
    assert KEY not in told(failed.value)
    assert "\x1b" not in failed.value.message
    assert "\u202e" not in failed.value.message
    assert len(failed.value.message) < 300


def test_a_model_of_vectors_alone_is_checked_by_one_of_them(ws, server, config):
    config.write_text(
        f'[models.embed]\nprovider = "openai"\nbase_url = "{server.url}"\nprice_in = 1000\n',
        "utf-8",
    )
    server.then(vectors([3, 4, 0], sent=9))
    shown = ws.models.check(dry_run=True)
    found = ws.models.check()
    assert server.received[0].body == shown.request.encode()
    assert (found.width, found.tokens_in, found.price) == (3, 9, pytest.approx(0.009))
    assert len(server.received) == 1
    assert ws.models.spent().spent[0].job == "embed/1"
    assert [each.use for each in ws.models.show().models] == ["embed"]


def test_the_rows_of_a_model_of_vectors(asked, server, config):
    config.write_text(f'[models.embed]\nprovider = "openai"\nbase_url = "{server.url}"\n', "utf-8")
    server.then(vectors([3, 4, 0]))
    assert "gives vectors of 3 numbers" in asked("check")[1]
