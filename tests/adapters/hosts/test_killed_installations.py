"""An installation that is killed at any step is finished or taken back by the next one; what a
person wrote is never taken for ours."""

import json
import os
from pathlib import Path

import pytest

from memwiki.adapters.hosts.programs import HOSTS
from memwiki.files.records import install_records, keep_record
from memwiki.workspace import Workspace
from tests.effort import IS_WIDE

# The tests of all hosts share the steps, but for wide runs, in which each takes all.
EACH = 1 if IS_WIDE else 2 * len(HOSTS)
EACH_REMOVAL = 1 if IS_WIDE else len(HOSTS)

STEPS = [(os, "fsync"), (Path, "replace"), (Path, "mkdir"), (Path, "rmdir"), (Path, "unlink")]
BY_HAND = [
    {"command": "memwiki", "args": ["-C", ".", "mcp"]},
    {"command": "memwiki", "args": ["-C", "/notes", "mcp"], "env": {"A": "b"}},
    {"command": "uvx", "args": ["memwiki", "mcp"]},
    {"command": "python", "args": ["-m", "memwiki", "mcp"]},
]
SERVER_FILES = {
    name: host.mcp for name, host in HOSTS.items() if host.mcp and host.mcp.endswith(".json")
}


@pytest.fixture
def agents(root, tmp_path):
    return Workspace.open(root, environ={"HOME": str(tmp_path / "home"), "PATH": ""}).agents


def tree(root):
    """Every file and folder but what memwiki keeps for itself."""
    own = (path for path in root.rglob("*") if ".memwiki" not in path.relative_to(root).parts)
    return {str(path.relative_to(root)): path.is_file() and path.read_bytes() for path in own}


def killed(do, step):
    """Do something in a process that ends before its call number `step`; whether it was killed."""
    child = os.fork()
    if not child:
        calls = 0

        def dying(real):
            def call(*args, **kwargs):
                nonlocal calls
                calls += 1
                if calls > step:
                    os._exit(9)
                return real(*args, **kwargs)

            return call

        for owner, name in STEPS:
            setattr(owner, name, dying(getattr(owner, name)))
        do()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("is_tried_again", [False, True])
@pytest.mark.parametrize("agent", HOSTS)
def test_a_killed_installation_is_taken_back_or_finished(agents, root, agent, is_tried_again):
    (root / "AGENTS.md").write_text("# Mine\n")
    before, step = tree(root), (2 * list(HOSTS).index(agent) + is_tried_again) % EACH
    agents.install(agent, instructions=True, capture=True)
    whole = tree(root)
    agents.uninstall(agent)
    while killed(lambda: agents.install(agent, instructions=True, capture=True), step):
        if is_tried_again:
            agents.install(agent, instructions=True, capture=True)
            assert tree(root) == whole
        report = agents.uninstall(agent)
        assert not [each for each in report.files if each.change == "refused"]
        assert tree(root) == before
        step += EACH
    assert step > 10


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("agent", HOSTS)
def test_a_killed_removal_is_finished_by_the_next_one(agents, root, agent):
    before, step = tree(root), list(HOSTS).index(agent) % EACH_REMOVAL
    agents.install(agent)
    while killed(lambda: agents.uninstall(agent), step):
        agents.uninstall(agent)
        assert tree(root) == before
        agents.install(agent)
        step += EACH_REMOVAL
    assert tree(root) == before
    assert step > 2


@pytest.mark.parametrize("server", BY_HAND)
@pytest.mark.parametrize("agent", SERVER_FILES)
def test_a_server_that_a_person_wrote_stays(agents, root, agent, server):
    place = root / SERVER_FILES[agent]
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps({"mcpServers": {"memwiki": server}}, indent=2))
    before = tree(root)
    for _ in range(2):
        agents.install(agent)
        assert json.loads(place.read_text())["mcpServers"] == {"memwiki": server}
    for _ in range(2):
        report = agents.uninstall(agent)
        assert tree(root) == before
    why = {each.why for each in report.files if each.change == "refused"}
    assert why == {"mcpServers.memwiki is not as memwiki wrote it; remove it by hand"}


def test_a_server_of_ours_that_a_person_changed_is_his(agents, root):
    agents.install("claude-code")
    place = root / ".mcp.json"
    said = json.loads(place.read_text())
    said["mcpServers"]["memwiki"]["env"] = {"A": "b"}
    place.write_text(json.dumps(said))
    refused = [each.path for each in agents.install("claude-code").files]
    assert refused == [str(place)]
    agents.uninstall("claude-code")
    assert json.loads(place.read_text()) == said


def test_a_server_goes_that_was_installed_before_its_digest_was_kept(agents, root):
    agents.install("claude-code")
    place = root / ".mcp.json"
    old = install_records(root)[str(place)]
    assert old.ours
    keep_record(root, place, old._replace(ours=("*",)))
    agents.uninstall("claude-code")
    assert not place.exists()
