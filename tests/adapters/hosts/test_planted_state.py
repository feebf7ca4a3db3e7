"""A folder from elsewhere brings a `.memwiki/` along: whatever lies in it, nothing outside of the
workspace is read or written, nothing waits for ever, and every error is one of our own."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memwiki.adapters.hosts import hooks
from memwiki.adapters.hosts.programs import HOSTS
from memwiki.cli.main import main
from memwiki.digest import text_hash
from memwiki.errors import MemwikiError
from memwiki.files import hook_marks
from memwiki.files.lock import Lock
from memwiki.files.read import bytes_of
from memwiki.files.records import Records
from memwiki.files.temporary import machine
from memwiki.proposals import triggers
from memwiki.workspace import Workspace
from tests.effort import IS_WIDE

LAYERS = (
    '[layers]\nmemory = "memory.md"\nsessions = "sessions"\narchive = "archive"\nlog = "log.md"\n'
    '[extract]\non = ["session_end"]\n'
)
CANARY = "xylophone-canary-77"
SAID = {"role": "user", "content": CANARY}
TRANSCRIPT = (
    json.dumps(
        {
            "type": "user",
            "sessionId": "s1",
            "uuid": "u1",
            "message": SAID,
            "timestamp": "2026-11-22T10:00:00Z",
        }
    )
    + "\n"
)
TALK = f"talk-{text_hash('claude-code-s1', 12).hex()}.json"
FILES = (
    *("lock", ".gitignore", "state/lock", "state/hooks/called-claude-code", f"state/hooks/{TALK}"),
    *("state/hooks/turn-00000000000000000001-aaaaaaaa", f"state/undo-{machine()}.jsonl"),
    *(f"state/usage-{machine()}.jsonl", f"state/usage-{machine()}.lock", "state/usage-ab.jsonl"),
    *(f"state/upkeep-{machine()}.jsonl", f"state/imported-{machine()}.jsonl"),
    *(f"state/agents-{machine()}.jsonl", ".memwiki-00000000-1-00000000.tmp", "unknown"),
    *(
        f"state/triggers-{machine()}.json",
        "review.lock",
        "triggers.lock",
        "triggers-run.lock",
        "state/hooks/silences.jsonl",
    ),
    *("proposals/p-abcdef.json", "proposals/.p-abcdef.json.tmp", "proposals/other.json"),
)
_RANDOM = re.compile(r"(?<=p-)\w+|(?<=turn-).+|(?<=talk-)\w+")
FOLDERS = ("", "state", "state/hooks", "proposals")
COMMANDS = (
    *(["status"], ["status", "--metrics"], ["search", "tea"], ["recall", "tea"], ["usage"]),
    *(["add", "Tea is hot."], ["undo", "--yes"], ["undo", "--dry-run"], ["doctor"], ["check"]),
    *(["upkeep"], ["session", "add", "s", "hello"], ["agent", "status"], ["context"]),
    *(["entry", "delete", "m-000001", "--hard"], ["log", "show"], ["delete", "wiki/tea.md"]),
    *(
        ["agent", "uninstall", "claude-code"],
        ["config", "set", "recall.inject_limit", "9"],
        ["sync"],
    ),
    *(["review", "--all"], ["review", "p-abcdef"], ["review", "p-abcdef", "--accept", "all"]),
    *(["session", "end", "s"], ["extract", "--waiting"], ["suggest", "te"], ["browse"], ["models"]),
    *(["extract", "wiki/tea.md", "--brief"], ["review", "--reject", "all", "p-abcdef"]),
)


def lies(outside: Path) -> bytes:
    """What names everything that is not ours, as every file that may lie there says it."""
    file = str(outside / "file.jsonl")
    said = {
        "session": "s1",
        "transcript": file,
        "text": "",
        "offset": 0,
        "kind": "turn",
        "file": file,
        "is_new": True,
        "folders": [str(outside)],
        "digest": "0" * 64,
        "op": "delete",
        "title": "lies",
        "at": "2026-11-01",
        "seal": "0" * 32,
        "files": [["../outside/file.jsonl", "", "0" * 64, 0, 0, ""]],
        "prompts": 7,
        "given": 7,
        "pid": 1,
        "command": "x",
        "since": "y",
        "collections": [[1]],
        "compacted": -1,
    }
    return json.dumps(said).encode() + b"\n"


def link(place: Path, outside: Path) -> None:
    place.symlink_to(outside / "file.jsonl")


def dangling(place: Path, outside: Path) -> None:
    place.symlink_to(outside / "made-by-us")


def pipe(place: Path, _outside: Path) -> None:
    os.mkfifo(place)


def huge(place: Path, _outside: Path) -> None:
    place.touch()
    os.truncate(place, 1 << 42)


def lying(place: Path, outside: Path) -> None:
    place.write_bytes(lies(outside))


def folder(place: Path, _outside: Path) -> None:
    (place / "inner").mkdir(parents=True)


def of_another(place: Path, outside: Path) -> None:
    place.write_bytes(lies(outside))
    if os.geteuid() == 0:
        os.chown(place, 12345, 12345)


def link_to_folder(place: Path, outside: Path) -> None:
    place.symlink_to(outside)


PLANTS: tuple[Callable[[Path, Path], None], ...]
PLANTS = (link, dangling, pipe, huge, lying, folder, of_another, link_to_folder)
STRIDE = 1 if IS_WIDE else 4


@pytest.fixture
def outside(tmp_path) -> Path:
    found = tmp_path / "outside"
    (found / "hooks").mkdir(parents=True)
    (found / "file.jsonl").write_text(TRANSCRIPT)
    for name in (TALK, "turn-00000000000000000001-aaaaaaaa"):
        (found / name).write_bytes(lies(found))
        (found / "hooks" / name).write_bytes(lies(found).replace(b"7", b'["xylophone-canary-77"]'))
    return found


@pytest.fixture
def space(root, put) -> Path:
    put("memwiki.toml", LAYERS)
    put("memory.md", "# Memory\n\n- Anna drinks tea. ^m-000001\n")
    put("wiki/tea.md", "# Tea\n\nGreen.\n")
    put("log.md", "# Log\n")
    return root


@pytest.fixture(autouse=True)
def home(tmp_path, root, monkeypatch) -> Path:
    """That of a user who wants what ends to be extracted."""
    monkeypatch.setattr(triggers, "start", lambda *_: None)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MEMWIKI_CONFIG_DIR", str(tmp_path / "home"))
    named = f'[models.triggers]\n{json.dumps(str(root.resolve()))} = ["session_end"]\n'
    (tmp_path / "home").mkdir()
    (tmp_path / "home/config.toml").write_text(named)
    return tmp_path / "home"


def states(folder: Path) -> Iterator[tuple[object, ...]]:
    """What tells that a file was made, changed or removed."""
    for place in sorted([folder, *folder.rglob("*")]):
        found = place.lstat()
        data = place.read_bytes() if place.is_file() else b""
        yield str(place), found.st_ino, found.st_mtime_ns, found.st_ctime_ns, data


def plant(space: Path, name: str, harm: Callable[[Path, Path], None], outside: Path) -> None:
    """Put something in the place of a file or folder below `.memwiki/`."""
    place = space / ".memwiki" / name
    shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    harm(place, outside)


def call_hooks(space: Path) -> None:
    """A conversation, from its start to its end."""
    with Workspace.open(space, find=False) as ws:
        for moment in ("start", "prompt", "turn", "compact", "end"):
            event = {"session_id": "s1", "hook_event_name": "E", "prompt": "does Anna drink tea?"}
            event["last_assistant_message"] = "yes"
            hooks.answer(
                lambda: ws, moment, "claude-code", json.dumps(event).encode(), is_recording=True
            )


def ask_all(space: Path, capfd, turn: int | None = None) -> str:
    """Every hook, and every command or those whose turn it is, and what they print."""
    call_hooks(space)
    for words in COMMANDS if turn is None or IS_WIDE else COMMANDS[turn % 3 :: 3]:
        assert main(["-C", str(space), "--here", *words]) in (0, 1, 2, 3), words
    printed = "".join(capfd.readouterr())
    assert "bug in memwiki" not in printed
    return printed


def told_of(space: Path) -> bool:
    """Whether anything from outside came into a page."""
    return any(CANARY in page.read_text("utf-8", "replace") for page in space.rglob("*.md"))


def test_every_file_that_we_keep_there_is_planted_below(space, capfd):
    ask_all(space, capfd)
    found = [place for place in (space / ".memwiki").rglob("*") if place.is_file()]
    names = [place.relative_to(space / ".memwiki").as_posix() for place in found]
    assert "triggers.lock" in names
    kinds = {_RANDOM.sub("", name) for name in FILES}
    assert {_RANDOM.sub("", name) for name in names} <= kinds
    assert {str(Path(name).parent) for name in names} - {"."} <= {*FOLDERS}


@pytest.mark.parametrize("harm", PLANTS, ids=lambda each: each.__name__)
def test_a_planted_file_leads_nowhere(space, outside, harm, capfd):
    """Four are planted between two conversations, with each plant another four."""
    first = PLANTS.index(harm)
    names = FILES[first:] + FILES[:first]
    for begin in range(0, len(names), STRIDE):
        for name in names[begin : begin + STRIDE]:
            plant(space, name, harm, outside)
        before = list(states(outside))
        call_hooks(space)
        assert list(states(outside)) == before, name
        assert not told_of(space), name
    assert CANARY not in ask_all(space, capfd)
    assert list(states(outside)) == before
    assert not told_of(space)


FOLDER_PLANTS = (link, dangling, pipe, link_to_folder, lying)


@pytest.mark.parametrize("name", FOLDERS)
@pytest.mark.parametrize("harm", FOLDER_PLANTS)
def test_a_planted_folder_leads_nowhere(space, outside, name, harm, capfd):
    """Every command meets every plant in some folder, and something planted in every folder."""
    plant(space, name, harm, outside)
    before = list(states(outside))
    turn = FOLDERS.index(name) + FOLDER_PLANTS.index(harm)
    assert CANARY not in ask_all(space, capfd, turn)
    assert list(states(outside)) == before
    assert not told_of(space)


def test_a_turn_that_somebody_else_left_is_not_recorded_and_goes(space, outside):
    for number, seal in enumerate(({}, {"seal": "0" * 32})):
        hook_marks.leave_turn(space, {**json.loads(lies(outside)), **seal}, f"turn-{number}")
    hook_marks.leave_turn(space, {"session": "s1", "text": TRANSCRIPT}, "turn-2")
    call_hooks(space)
    assert not told_of(space)
    assert not list((space / ".memwiki/state/hooks").glob("turn-*"))


def test_a_turn_that_was_sealed_and_then_changed_is_not_recorded(space, outside):
    with Workspace.open(space, find=False) as ws:
        ws.agents.leave_turn({"session": "s1", "text": "", "transcript": "", "offset": 0})
        (name, turn), *_ = ws.agents.left_turns()
        changed = {**turn, "transcript": str(outside / "file.jsonl")}
        hook_marks.leave_turn(space, changed, name)
        assert list(ws.agents.left_turns()) == []


def test_a_turn_that_a_hook_left_is_recorded_by_the_next(space, outside):
    with Workspace.open(space, find=False) as ws:
        ws.agents.leave_turn({"session": "s1", "transcript": str(outside / "file.jsonl")})
    call_hooks(space)
    assert told_of(space)


def test_a_seal_on_an_undo_record_makes_no_turn(space, outside):
    from memwiki.change.record import seal_fields
    from memwiki.config import cache_root
    from memwiki.files.records import made_key_in

    key = made_key_in(cache_root(os.environ))
    turn = {"session": "s1", "transcript": str(outside / "file.jsonl")}
    hook_marks.leave_turn(space, seal_fields(turn, key), "turn-1")
    call_hooks(space)
    assert not told_of(space)


@pytest.mark.parametrize("harm", [link, pipe, huge, folder])
def test_what_is_no_file_of_ours_is_an_error_of_ours(space, outside, harm):
    plant(space, f"state/undo-{machine()}.jsonl", harm, outside)
    for ask in (lambda records: list(records.newest()), lambda records: records.add({"a": 1})):
        with pytest.raises(MemwikiError):
            ask(Records(space, "undo", max_bytes=1_000))
    with pytest.raises(OSError):
        bytes_of(space / f".memwiki/state/undo-{machine()}.jsonl")


def test_who_holds_a_lock_is_not_read_through_a_link(space, outside):
    plant(space, "lock", link, outside)
    (outside / "file.jsonl").write_bytes(lies(outside))
    assert Lock(space / ".memwiki/lock").owner() == "another process"


def test_every_host_has_its_mark_in_the_folder(space):
    for host in HOSTS:
        assert not hook_marks.was_seen(space, host)
        hook_marks.note_seen(space, host)
        assert hook_marks.was_seen(space, host)
        hook_marks.forget_seen(space, host)
        assert not hook_marks.was_seen(space, host)
