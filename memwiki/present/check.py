"""What a check found, as text."""

from __future__ import annotations

from collections.abc import Sequence

from memwiki.answers.check import CheckReport
from memwiki.model import Problem, Severity
from memwiki.numbers import counted, plural
from memwiki.present.screen import Look, as_path, line
from memwiki.present.text import text_of


@text_of.register(CheckReport)
def _(answer: CheckReport, look: Look) -> str:
    return "\n".join(_problem(each, look) for each in answer.problems)


def _problem(problem: Problem, look: Look) -> str:
    place = f"{as_path(problem.path)}:{problem.line}"
    severity: str = problem.severity
    if problem.severity is not Severity.INFO:
        severity = look.strong(severity)
    code = look.faint(f"[{problem.code}]")
    return f"{place}: {severity}: {line(problem.message)} {code}"


def summary(report: CheckReport) -> str:
    """The check in one line."""
    counts = [
        f"{number} {plural(number, name, 'info' if name == 'info' else '')}"
        for name, number in report.counts._asdict().items()
        if number
    ]
    text = f"{', '.join(counts) or 'no problems'} in {counted(report.pages, 'page')}"
    text += _advice(report.problems)
    if report.known:
        text += f"; {report.known} known from the baseline"
    return text


def _advice(problems: Sequence[Problem]) -> str:
    fixable = [problem.severity for problem in problems if problem.fixable]
    infos = fixable.count(Severity.INFO)
    if not fixable:
        return ""
    if infos == len(fixable):
        return f"; memwiki check --fix --strict fixes {infos}"
    more = f", with --strict {len(fixable)}" if infos else ""
    return f"; memwiki check --fix fixes {len(fixable) - infos}{more}"
