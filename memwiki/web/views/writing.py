"""What changes the workspace: each call says what it is based on, and nothing is lost."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.responses import Response

from memwiki.answers.edits import Edited
from memwiki.errors import ConflictError, EtagRequiredError, InvalidArgumentsError
from memwiki.text import pattern
from memwiki.web.markdown_rules import TASK_WORDS
from memwiki.web.pages import data
from memwiki.web.site import WebCall
from memwiki.web.views.upkeep import etag_of, etag_of_proposal, fixing, only_own

_TASK = pattern(
    r"\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s+(?:#+\s+)?"
    rf"(?P<mark>\[.\]|{TASK_WORDS})(?=\s|\Z)"
)
_MIN_DIGITS = 16  # of a digest


def task(call: WebCall) -> Response:
    """Tick a task, or take the tick away: its line is changed where it is as it was shown."""
    path, expect = call.text("path"), _expected(call)
    folder = call.workspace.folder(".")
    read = folder.read(folder.path_here(path))
    lines = read.text.split("\n")
    at = call.count("line") - 1
    is_same = len(expect) >= _MIN_DIGITS and read.digest.startswith(expect)
    if not is_same or at >= len(lines):
        raise ConflictError(f"{path}: changed since it was shown", "reload the page", path=path)
    lines[at] = _ticked(lines[at], is_done=call.flag("done"))
    return data(folder.write(read.path, "\n".join(lines), base=read))


def _ticked(line: str, *, is_done: bool) -> str:
    """The line with the other mark behind its bullet; words further on are text."""
    if not (found := _TASK.match(line)):
        raise InvalidArgumentsError("line: is no task", "reload the page")
    box, word = ("[x]", "DONE") if is_done else ("[ ]", "TODO")
    mark = box if found["mark"].startswith("[") else word
    return line[: found.start("mark")] + mark + line[found.end("mark") :]


def new(call: WebCall) -> Response:
    """Make a page; a name that is taken is refused."""
    edited = call.workspace.pages.new(
        call.text("name"),
        type=call.text("type", ""),
        tags=call.text("tags", "").replace(",", " ").split(),
        content=call.text("text", "") or None,
        folder=call.text("folder", ""),
    )
    return data(edited)


def append(call: WebCall) -> Response:
    """Add to the end of a page, or of a section of it."""
    edited = call.workspace.pages.append(
        call.text("name"),
        call.text("text"),
        section=call.text("section", ""),
        expect=_expected(call),
    )
    return data(edited)


def move(call: WebCall) -> Response:
    """Move or rename a page with all links to it; with `dry_run` the diff alone."""
    edited = call.workspace.pages.move(
        call.text("name"),
        call.text("to"),
        keep_alias=call.flag("keep_alias"),
        expect=_expected(call),
        dry_run=call.flag("dry_run"),
    )
    return data(edited)


def today(call: WebCall) -> Response:
    """Make sure of the page of today, and add what is said."""
    return data(call.workspace.pages.today(call.text("text", "") or None))


def undo(call: WebCall) -> Response:
    """Take back the last change, which was shown as a diff."""
    expect = _expected(call)
    _require_as_shown(expect, call.workspace.undo(dry_run=True, guard=only_own(call)))
    return data(call.workspace.undo(guard=only_own(call)))


def check_fix(call: WebCall) -> Response:
    """Fix the findings of a rule, which was shown as a diff."""
    expect, only = _expected(call), call.text("only")
    report = call.workspace.check.run(only=[only])
    _require_as_shown(expect, fixing(call, report))
    return data(call.workspace.check.fix(report))


def review(call: WebCall) -> Response:
    """Accept or reject operations of a proposal, or put one into other words."""
    proposals, id_ = call.workspace.proposals, call.text("id")
    if etag_of_proposal(proposals.get(id_)) != _expected(call):
        raise ConflictError(f"{id_}: was decided on meanwhile", "reload the page")
    if call.flag("reword"):
        return data(proposals.edit(id_, call.count("n"), call.text("text")))
    accept, reject = _numbers(call, "accept"), _numbers(call, "reject")
    return data(proposals.decide(id_, accept=accept, reject=reject))


def entry(call: WebCall) -> Response:
    """Add, reword, supersede, delete or accept a memory."""
    entries, action = call.workspace.entries, call.text("action")
    if action == "add":
        text, to = call.text("text"), call.text("to", "")
        return data(entries.add(text, to=to) if to else entries.add(text))
    name, expect = call.text("name"), _expected(call)
    match action:
        case "update":
            return data(entries.update(name, call.text("text"), expect=expect))
        case "supersede":
            return data(entries.supersede(name, call.text("text"), expect=expect))
        case "delete":
            return data(entries.delete(name, expect=expect))
        case "move":
            return data(entries.move(name, call.text("to"), expect=expect))
    raise InvalidArgumentsError(
        f"action: {action} is none", "one of add, update, supersede, delete, move"
    )


def _expected(call: WebCall) -> str:
    if found := call.text("expect", ""):
        return found
    raise EtagRequiredError("expect: is missing", "send the digest of what was shown")


def _require_as_shown(expect: str, shown: Edited) -> None:
    """Refuse what would change other things than those that the person saw."""
    if etag_of(shown.diff) != expect:
        raise ConflictError("the change is another one now", "look at its diff again")


def _numbers(call: WebCall, name: str) -> Sequence[int] | str:
    given = call.body.get(name, [])
    if given == "all":
        return "all"
    if isinstance(given, list) and all(type(each) is int for each in given):
        return given
    raise InvalidArgumentsError(f"{name}: is no list of numbers", f'send "{name}": [1, 2]')
