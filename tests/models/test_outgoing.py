"""What is private, secret, withheld, ignored, hidden or of another namespace is not sent."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from memwiki.errors import NotFoundError
from memwiki.models.outgoing import OutgoingFiles
from memwiki.models.port import Ask, ChatMessage
from memwiki.workspace import Workspace
from tests.effort import tries
from tests.scripted_server import says

SECRETS = (
    "token: ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "password = 'Tr0ub4dor&3-zebra-Quartz'",
    "AKIAIOSFODNN7EXAMPLQ",
    "my wifi password is blaubeere77",
)


def files_of(ws: Workspace) -> OutgoingFiles:
    context = ws.live.context
    public = context.public().root
    return OutgoingFiles(public, context.ignore(), context.scope(), ws.config.models.withhold)


def test_each_reason_is_told(root):
    """
    --- memwiki.toml ---
    [layers]
    namespaces = "spaces"
    archive = "old"
    [models]
    withhold = ["clients/**", "*-draft.md"]
    --- .memwikiignore ---
    ignored.md
    --- open.md ---
    # Open
    --- clients/acme/a.md ---
    # Acme
    --- wiki/x-draft.md ---
    # X
    --- ignored.md ---
    # I
    --- .hidden/h.md ---
    # H
    --- spaces/work/w.md ---
    # W
    --- old/o.md ---
    # O
    """
    with Workspace.open(root, find=False) as ws:
        files = files_of(ws)
        assert files.why_kept("open.md") == ""
        for path in ("clients/acme/a.md", "wiki/x-draft.md"):
            assert "models.withhold names" in files.why_kept(path)
        for path in ("spaces/work/w.md", "old/o.md"):
            assert files.why_kept(path) == "it is in another namespace, or put away"
        for path in ("ignored.md", ".hidden/h.md", "memwiki.toml", "nowhere.md"):
            assert files.why_kept(path)
            with pytest.raises(NotFoundError, match="is kept back"):
                files.text_of(path)
    with Workspace.open(root, find=False, namespace="work") as ws:
        assert files_of(ws).why_kept("spaces/work/w.md") == ""
        assert files_of(ws).why_kept("open.md")


def test_a_pattern_that_cannot_be_read_keeps_everything_back(root):
    """
    --- memwiki.toml ---
    [models]
    withhold = ["# clients"]
    --- open.md ---
    # Open
    """
    with Workspace.open(root, find=False) as ws:
        assert files_of(ws).why_kept("open.md")


@pytest.mark.parametrize("seed", range(tries(20)))
def test_none_of_its_bytes_reaches_a_server(seed, tmp_path: Path, server, run):
    random = Random(seed)
    kept, lines = [], list[str]()
    for number in range(random.randint(3, 12)):
        word = f"zq{seed}x{number}"
        kind = random.choice(["open", "open", "entry", "block", "secret"])
        if kind == "open":
            lines.append(f"Tea number {number} is {random.choice(['green', '红茶', 'black'])}.")
        elif kind == "entry":
            lines.append(f"- The code is {word}. [private:: true] ^m-{number:06d}")
            kept.append(word)
        elif kind == "block":
            lines.append(f"Hidden {word}\nand {word} (private:: true)")
            kept.append(word)
        else:
            secret = random.choice(SECRETS)
            lines.append(secret)
            kept.append(secret.split()[-1].strip("'"))
    root = tmp_path / "vault"
    (root / ".memwiki").mkdir(parents=True)
    (root / "a.md").write_text("# A\n\n" + "\n\n".join(lines) + "\n", "utf-8")
    (root / "secret.md").write_text(f"---\nprivate: true\n---\n# zq{seed}private\n", "utf-8")
    before = {path: path.read_bytes() for path in root.glob("*.md")}
    with Workspace.open(root, find=False) as ws:
        files = files_of(ws)
        text = files.text_of("a.md")
        with pytest.raises(NotFoundError):
            files.text_of("secret.md")
    server.then(says("fine"))
    chat = run().chat()
    ask = Ask("test/1", (ChatMessage("user", text),), max_tokens=10)
    shown = chat.outgoing(ask)
    chat.ask(ask)
    chat.close()
    assert server.received[0].body == shown.body.encode()
    sent = server.received[0].json["messages"][0]["content"]
    assert [word for word in kept if word in sent or word in shown.body] == []
    assert sent.count("Tea number") == sum(line.startswith("Tea number") for line in lines)
    assert {path: path.read_bytes() for path in root.glob("*.md")} == before
