"""What changes the workspace, each call saying what it is based on, and the editor; what waits:
proposals, what is wrong and how it is fixed, and what was done and how it is taken back."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from itertools import islice

from starlette.responses import HTMLResponse, JSONResponse, Response

from memwiki.aio.face import Steps
from memwiki.answers.check import CheckReport
from memwiki.answers.curation import ProposalView
from memwiki.answers.entries import EntryView
from memwiki.answers.pages import Edited, LogEntry, TextFile
from memwiki.digest import digest_of
from memwiki.errors import (
    ConflictError,
    EtagRequiredError,
    InvalidArgumentsError,
    MemwikiError,
    NotFoundError,
    OutdatedError,
)
from memwiki.names import is_page_name
from memwiki.text import pattern
from memwiki.web.app import policy
from memwiki.web.markdown import draw
from memwiki.web.markdown_rules import TASK_WORDS
from memwiki.web.pages import data, page, page_when_made
from memwiki.web.site import WebCall
from memwiki.web.views.find import etag_of_entry
from memwiki.web.views.page import fetch_from
from memwiki.workspace.folder import FolderFacet

_SHOWN_PROBLEMS = 200
_SHOWN_LOG = 100
ETAG_DIGITS = 16


def etag_of(diff: str) -> str:
    """What names a change that was shown, for whoever lets it be made."""
    return digest_of(diff.encode())[:ETAG_DIGITS]


async def check(call: WebCall) -> Response:
    """Findings by rule; with `fix` the diff that fixing those of a rule would make."""
    return await page_when_made("check-report.html", call, title="Check", make=_report)


def _report(call: WebCall, steps: Steps) -> Mapping[str, object]:
    only = call.query.get("only", "")
    report = call.workspace.check.run(only=[only] if only else (), progress=steps.note)
    counts = Counter((each.severity, each.code, each.fixable) for each in report.problems)
    fix = fixing(call, report) if "fix" in call.query and only else None
    return {
        "report": report,
        "only": only,
        "rules": sorted(counts.items(), key=lambda row: (row[0][0] != "error", -row[1], row[0][1])),
        "problems": list(islice(report.problems, _SHOWN_PROBLEMS)) if only else [],
        "fix": fix,
        "etag": etag_of(fix.diff) if fix else "",
    }


def fixing(call: WebCall, report: CheckReport) -> Edited:
    """What fixing would change; nothing is written."""
    return call.workspace.check.fix(report, dry_run=True)


def log(call: WebCall) -> Response:
    """The journal; with `undo` the diff that taking back the last change would make."""
    undo, why = None, ""
    if "undo" in call.query:
        try:
            undo = call.workspace.undo(dry_run=True, guard=only_own(call))
        except MemwikiError as error:
            why = error.message
    return page(
        "log.html",
        call,
        title="Log",
        entries=_journal(call),
        undo=undo,
        why=why,
        etag=etag_of(undo.diff) if undo else "",
    )


def only_own(call: WebCall) -> Callable[[str, bool], None]:
    """Refuses to take back, or to show, what was done to another namespace."""
    return lambda path, _: call.workspace.namespaces.require_own(path)


def _journal(call: WebCall) -> tuple[LogEntry, ...] | None:
    """What was noted last; None where the workspace keeps no journal."""
    with suppress(MemwikiError):
        return call.workspace.journal.list(limit=call.number("limit", _SHOWN_LOG, 2_000)).entries
    return None


def waiting(call: WebCall) -> Response:
    """The proposals that wait for somebody, and what is in the inbox."""
    shows_all = "all" in call.query
    found = call.workspace.proposals.list(all=shows_all, limit=200)
    staged = call.workspace.entries.list(status="staged", limit=100)
    return page(
        "review.html",
        call,
        title="Review",
        found=found,
        staged=[(each, etag_of_entry(each)) for each in staged.entries],
        shows_all=shows_all,
    )


def proposal(call: WebCall) -> Response:
    """One proposal."""
    found = call.workspace.proposals.get(call.params["id"])
    undecided = [each.n for each in found.operations if each.state in ("open", "aside", "stale")]
    return page(
        "proposal.html",
        call,
        title=f"Review {found.id}",
        found=found,
        undecided=undecided,
        etag=etag_of_proposal(found),
    )


def etag_of_proposal(found: ProposalView) -> str:
    """What names a proposal in the state in which it was shown."""
    states = "\n".join(f"{each.n} {each.state} {each.text}" for each in found.operations)
    return digest_of(f"{found.id}\n{states}".encode())[:ETAG_DIGITS]


def edit(call: WebCall) -> Response:
    """The text of a page, or of one that is not there yet, to be changed."""
    path, folder = call.params["path"], _folder(call)
    if not is_page_name(path):
        raise NotFoundError(f"{path}: is not a markdown page", "open it with another program")
    here = folder.path_here(path)
    file = folder.read(here) if folder.kind(here) else None
    nonce = secrets.token_urlsafe(18)  # CodeMirror makes its own styles
    return page(
        "edit.html",
        call,
        title=f"{path}: edit",
        file=file._asdict() if file else None,
        path=path,
        workspace=digest_of(str(call.site.served.root).encode())[:16],
        closed=_why_closed(call, folder, here, file.path if file else here),
        nonce=nonce,
        headers={"content-security-policy": policy(nonce)},
    )


def write(call: WebCall) -> Response:
    """Save a text. What changed since its base is merged; ConflictError where both changed the same
    lines."""
    text, folder = call.text("text"), _folder(call)
    path = folder.path_here(call.text("path"))
    base, dry_run = _base(call, folder, path), call.flag("dry_run")
    if base:
        edited = folder.write(path, text, base=base, dry_run=dry_run)
    else:
        edited = folder.create(path, text, dry_run=dry_run)
    file = folder.read(path)._asdict() if folder.kind(path) else None
    return JSONResponse({**edited._asdict(), "file": file})


def merge(call: WebCall) -> Response:
    """A draft with what its file became meanwhile; changes no file."""
    text, folder = call.text("text"), _folder(call)
    path = folder.path_here(call.text("path"))
    base = _base(call, folder, path) or TextFile(path, "", digest_of(b""))
    merged = folder.merged(path, text, base)
    return JSONResponse({**merged._asdict(), "file": merged.file._asdict()})


def preview(call: WebCall) -> Response:
    """A draft as it would be drawn."""
    drawing = call.workspace.pages.drawing(call.text("path"), text=call.text("text"))
    return HTMLResponse(str(draw(drawing, fetch_from(call))))


def _base(call: WebCall, folder: FolderFacet, path: str) -> TextFile | None:
    """What a draft was made of: None where there was no file.

    A long one comes without its text, which is that of the file if nobody changed it.
    """
    given = call.body.get("base")
    if given is None:
        return None
    text = given.get("text") if isinstance(given, Mapping) else given
    if isinstance(text, str):
        return TextFile(path, text, digest_of(text.encode("utf-8", "surrogatepass")))
    if not isinstance(given, Mapping):
        raise InvalidArgumentsError("base: is no text", 'send "base": {"text": "..."}')
    file = folder.read(path)
    if file.digest != given.get("digest"):
        raise OutdatedError(path, is_there=True)
    return file


def _folder(call: WebCall) -> FolderFacet:
    return call.workspace.folder(".")


def _why_closed(call: WebCall, folder: FolderFacet, path: str, real: str) -> str:
    if call.site.is_read_only:
        return "the workspace was opened read-only"
    is_other = f"it is a symlink to {real}; edit that" if path != real else ""
    return folder.why_read_only(path) or is_other


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
    return data(call.workspace.undo(guard=only_own(call), announce=_as_shown(call)))


def check_fix(call: WebCall) -> Response:
    """Fix the findings of a rule, which was shown as a diff."""
    refuse, check = _as_shown(call), call.workspace.check
    return data(check.fix(check.run(only=[call.text("only")]), announce=refuse))


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
    """Add, reword, supersede, delete or move a memory."""
    entries, action = call.workspace.entries, call.text("action")
    if action == "add":
        text, to = call.text("text"), call.text("to", "")
        return data(entries.add(text, to=to) if to else entries.add(text))
    name, shown = call.text("name"), _expected(call)
    now = entries.get(name)
    expect = call.workspace.pages.get(now.path).digest
    base = call.text("base", now.text)
    is_one = now.id or base == now.text  # on the line of one without an id may be another
    if action == "update" and is_one and etag_of_entry(now._replace(text=base)) == shown:
        return _reworded(call, now, base, expect)
    if etag_of_entry(now) != shown:
        return _changed_entry(now)
    match action:
        case "supersede":
            return data(entries.supersede(name, call.text("text"), expect=expect))
        case "delete":
            return data(entries.delete(name, expect=expect))
        case "move":
            return data(entries.move(name, call.text("to", ""), expect=expect))
    raise InvalidArgumentsError(
        f"action: {action} is none", "one of add, update, supersede, delete, move"
    )


def _reworded(call: WebCall, now: EntryView, base: str, expect: str) -> Response:
    """Puts a memory into other words, merged with what changed since those that were shown."""
    entries, text = call.workspace.entries, call.text("text")
    try:
        return data(entries.update(call.text("name"), text, base=base, expect=expect))
    except OutdatedError:  # at this moment: ask again
        raise
    except ConflictError:
        return _changed_entry(now)


def _changed_entry(now: EntryView) -> Response:
    """Refuses with what the memory says now, for a form that keeps what was typed."""
    if not now.id:  # on its line may be another one
        raise ConflictError(f"{now.name}: changed since it was shown", "reload the page")
    error = {
        "code": ConflictError.code,
        "message": f"{now.name}: was changed meanwhile, and says now “{now.text}”",
        "hint": "what you typed is kept: change it, or press again to write it in that place",
        "now": {"base": now.text, "expect": etag_of_entry(now)},
    }
    return JSONResponse({"error": error}, HTTPStatus.CONFLICT)


def _expected(call: WebCall) -> str:
    if found := call.text("expect", ""):
        return found
    raise EtagRequiredError("expect: is missing", "send the digest of what was shown")


def _as_shown(call: WebCall) -> Callable[[Edited], None]:
    """Refuses what would change other things than those that the person saw."""
    expect = _expected(call)

    def refuse(planned: Edited) -> None:
        if etag_of(planned.diff) != expect:
            raise ConflictError("the change is another one now", "look at its diff again")

    return refuse


def _numbers(call: WebCall, name: str) -> Sequence[int] | str:
    given = call.body.get(name, [])
    if given == "all":
        return "all"
    if isinstance(given, list) and all(type(each) is int for each in given):
        return given
    raise InvalidArgumentsError(f"{name}: is no list of numbers", f'send "{name}": [1, 2]')
