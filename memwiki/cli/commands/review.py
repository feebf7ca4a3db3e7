"""`memwiki review`: proposals looked at and decided."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated

from memwiki.cli.app import App, MaxCount, OnlyShow
from memwiki.cli.door import Door
from memwiki.cli.jobs import AskedJob, require_one, require_with, show_job
from memwiki.cli.streams import ask_person, has_person, read_text
from memwiki.errors import UsageError
from memwiki.present.terminal import print_rows
from memwiki.records import NamedTuple
from memwiki.text import pattern

if TYPE_CHECKING:
    from memwiki.answers.curation import JobReport, OperationView, ProposalView
    from memwiki.workspace import Workspace

app = App()
_ALL = "all"
_WAYS = ("--accept or --reject", "--edit", "--reopen", "--reply", "--verify")
_RANGE = pattern(r"(\d{1,4})(?:-(\d{1,4}))?")
_CHOICES = (
    "y accept it; n reject it; e put it into other words; d leave the rest undecided;"
    " a accept it and all that is supported and not flagged; q stop here; ? this help"
)


@app.verb(
    "review",
    "review p-7k2f9a",
    "review p-7k2f9a --accept all",
    "review p-7k2f9a --accept 1,3 --reject 2",
    "review p-7k2f9a --edit 2 --text 'Prefers green tea.'",
    "review p-7k2f9a --reopen 2",
    "review p-7k2f9a --reply answer.json --model claude",
    "review p-7k2f9a --verify",
    "review p-7k2f9a --verify --brief > job.txt",
)
def review(
    door: Door,
    id_: Annotated[str, "A proposal.", "[ID]"] = "",
    *,
    accept: Annotated[str, "Numbers such as 1,3, or all that is not flagged.", "OPS|all"] = "",
    reject: Annotated[str, "Numbers, or all that is undecided.", "OPS|all"] = "",
    edit: Annotated[int, "Put this operation into other words.", "N"] = 0,
    text: Annotated[str, "The words for --edit.", "TEXT"] = "",
    reopen: Annotated[str, "Decided ones that are to be decided anew.", "OPS"] = "",
    reply: Annotated[str, "What a model answered to this brief; - reads it.", "FILE|-"] = "",
    model: Annotated[str, "Who answered, for --reply.", "NAME"] = "",
    verify: Annotated[bool, "Let a model read it a second time, beside its lines."] = False,
    brief: Annotated[bool, "With --verify: print the job for any model."] = False,
    all_: Annotated[bool, "List those that were decided, too."] = False,
    limit: MaxCount = 50,
    dry_run: OnlyShow = False,
) -> int:
    """Review what a model or an agent proposes, and accept or reject it.

    Nothing of it is true before. Each operation is shown with the lines that it cites and the diff
    that it would make. On a terminal one after another is asked about. Those marked ! end or change
    what is there, read as an instruction, or come from outside; --accept all leaves them.
    memwiki undo takes back what was accepted; --reopen lets it be decided anew.
    """
    given = {
        "--accept or --reject": accept or reject,
        "--edit": edit,
        "--reopen": reopen,
        "--reply": reply,
        "--verify": verify,
        "--text": text,
        "--model": model,
        "--brief": brief,
        "--dry-run": dry_run,
    }
    _require_sense(given)
    if not id_:
        return _show_list(door, given, is_all=all_, limit=limit)
    proposal = _ShownProposal(door, door.open(), id_)
    if verify:
        return proposal.verify(is_brief=brief, dry_run=dry_run)
    if accept or reject:
        numbers = _numbers_or_all("accept", accept), _numbers_or_all("reject", reject)
        return proposal.decide(*numbers, dry_run=dry_run)
    if reopen:
        return proposal.reopen(_numbers_in("reopen", reopen))
    if edit:
        return proposal.edit(edit, text)
    return proposal.take_reply(reply, model) if reply else proposal.ask(dry_run=dry_run)


def _require_sense(given: Mapping[str, object]) -> None:
    """Refuse two ways to treat a proposal at once, and what does something only beside another."""

    def require_at_most_one(*names: str) -> None:
        require_one("review", {name: given[name] for name in names})

    def require_way(name: str, way: str) -> None:
        require_with("review", {name: given[name]}, {way: given[way]})

    require_at_most_one(*_WAYS)
    require_way("--brief", "--verify")
    require_at_most_one("--brief", "--dry-run")
    require_at_most_one("--dry-run", "--edit", "--reopen", "--reply")
    require_way("--text", "--edit")
    require_way("--model", "--reply")


def _show_list(door: Door, given: Mapping[str, object], *, is_all: bool, limit: int) -> int:
    """Without a proposal nothing can be done to one."""
    if any(given[way] for way in _WAYS):
        raise UsageError("review: which proposal is meant?", "memwiki review lists them")
    door.show_rows(door.open().proposals.list(all=is_all, limit=limit), "proposals")
    return 0


def _numbers_or_all(option: str, given: str) -> list[int] | str:
    """What is meant by `1,3`, by a range such as `2-4`, or by all."""
    if given.strip().lower() in ("", _ALL):
        return given.strip().lower() or []
    return _numbers_in(option, given)


def _numbers_in(option: str, given: str) -> list[int]:
    found = list[int]()
    for part in filter(None, given.replace(" ", ",").split(",")):
        if not (written := _RANGE.fullmatch(part)):
            raise _bad_numbers(option, given)
        found += range(int(written[1]), int(written[2] or written[1]) + 1)
    if not found:
        raise _bad_numbers(option, given)
    return found


def _bad_numbers(option: str, given: str) -> UsageError:
    or_all = "" if option == "reopen" else ", or all"
    return UsageError(f"--{option} {given}: is no list of numbers", f"such as 1,3-5{or_all}")


class _ShownProposal(NamedTuple):
    """A proposal, and the door at which what comes of it is shown; each way gives the exit code."""

    door: Door
    workspace: Workspace
    id: str

    def verify(self, *, is_brief: bool, dry_run: bool) -> int:
        curation = self.workspace.curation

        def ask() -> JobReport:
            with self.door.progress("Reading") as progress:
                return curation.verify(self.id, progress=progress)

        ways = partial(curation.verify_brief, self.id), partial(curation.verify_preview, self.id)
        return show_job(self.door, AskedJob(ask, *ways), is_brief=is_brief, dry_run=dry_run)

    def decide(
        self, accept: list[int] | str, reject: list[int] | str, *, dry_run: bool = False
    ) -> int:
        """Say what was decided; 1 where what was accepted fits no longer."""
        proposals = self.workspace.proposals
        answer = proposals.decide(self.id, accept=accept, reject=reject, dry_run=dry_run)
        self.door.note_change(answer.edited)
        self.door.report(answer)
        self.door.say(answer.edited.notes)
        return 1 if answer.stale else 0

    def reopen(self, numbers: list[int]) -> int:
        """Say what was left; 1 where anything was."""
        view = self.workspace.proposals.reopen(self.id, numbers)
        self.door.show(view)
        stale = [each.n for each in view.operations if each.n in numbers and each.state == "stale"]
        self.door.say([f"operation {n}: was stale before and stays so" for n in stale])
        return 1 if stale else 0

    def edit(self, n: int, text: str) -> int:
        """Put an operation into other words, which a person is asked for where none are given."""
        self.door.show(self.workspace.proposals.edit(self.id, n, text or self._new_words(n)))
        return 0

    def _new_words(self, n: int) -> str:
        if not has_person():
            raise UsageError("--edit without --text", "give the words with --text")
        shown = {each.n: each for each in self.workspace.proposals.get(self.id).operations}
        before = shown[n].text if n in shown else ""
        return ask_person(f"{before}\nnew words: ")

    def take_reply(self, file: str, model: str) -> int:
        """Take what a model answered to this brief."""
        answer = read_text(file, self.workspace.config.files.max_bytes)
        self.door.show(self.workspace.curation.reply(self.id, answer, model=model))
        return 0

    def ask(self, *, dry_run: bool) -> int:
        """Ask the person who sits there about each operation that is undecided, then carry out what
        was decided as one change; without a person it is shown."""
        view = self.workspace.proposals.get(self.id)
        waiting = [each for each in view.operations if each.state in ("open", "aside", "stale")]
        if not has_person() or self.door.options.is_json or dry_run or not waiting:
            self.door.show(view)
            return 0
        accepted, rejected = self._ask_each(view, waiting)
        return self.decide(accepted, rejected) if accepted or rejected else 0

    def _ask_each(
        self, view: ProposalView, waiting: list[OperationView]
    ) -> tuple[list[int], list[int]]:
        accepted, rejected = list[int](), list[int]()
        for at, operation in enumerate(waiting):
            key = _choice(self.door, view, operation)
            while key == "e":
                if text := ask_person("new words: "):
                    self.workspace.proposals.edit(view.id, operation.n, text)
                    key = "y"
                else:
                    self.door.talk(f"No words were given: {operation.n} is as it was.")
                    key = _choice(self.door, view, operation)
            if key in "ya":
                accepted.append(operation.n)
            if key == "n":
                rejected.append(operation.n)
            if key == "a":
                rest = waiting[at + 1 :]
                accepted += [each.n for each in rest if each.state == "open" and not each.flags]
            if key in "aqd":
                break
        return accepted, rejected


def _choice(door: Door, view: ProposalView, operation: OperationView) -> str:
    """What the person answers of one operation; q at the end of the input."""
    from memwiki.present.curation import operation_rows

    door.talk(print_rows(operation_rows(operation, view.source), door.look()))
    while True:
        key = ask_person(f"({operation.n}) accept this? [y,n,e,d,a,q,?] ", at_end="q").lower()[:1]
        if key and key in "ynedaq":
            return key
        door.talk(_CHOICES)
