"""What a check found, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memwiki.answers.check import CheckReport
from memwiki.answers.problems import rows_of, tally_of
from memwiki.model import Problem, Severity
from memwiki.numbers import counted, plural
from memwiki.present.screen import Look, as_path, line
from memwiki.present.text import text_of


@text_of.register(CheckReport)
def _(answer: CheckReport, look: Look) -> str:
    return "\n".join(problem_lines(answer, look))


def problem_lines(answer: CheckReport, look: Look) -> Iterator[str]:
    """Each problem in a line."""
    around: dict[str, tuple[str, str]] = {}
    last = shown = ""
    for path, number, code, severity, message, _ in rows_of(answer.problems):
        if path != last:
            last, shown = path, as_path(path)
        if code not in around:
            around[code] = _around(code, severity, look)
        before, after = around[code]
        yield f"{shown}:{number}{before}{line(message)}{after}"


def _around(code: str, severity: str, look: Look) -> tuple[str, str]:
    """What stands before and after every message of a code."""
    if severity != Severity.INFO:
        severity = look.strong(severity)
    return f": {severity}: ", " " + look.faint(f"[{code}]")


def summary(report: CheckReport) -> str:
    """The check in one line."""
    counts = [
        f"{number} {plural(number, name)}"
        for name, number in report.counts._asdict().items()
        if number
    ]
    text = f"{', '.join(counts) or 'no problems'} in {counted(report.pages, 'page')}"
    text += _advice(report.problems)
    if report.known:
        text += f"; {report.known} known from the baseline"
    return text


def _advice(problems: Sequence[Problem]) -> str:
    tally = tally_of(problems)
    fixable = sum(count for (_, is_fixable), count in tally.items() if is_fixable)
    infos = tally.get((Severity.INFO, True), 0)
    if not fixable:
        return ""
    if infos == fixable:
        return f"; memwiki check --fix --strict fixes {infos}"
    more = f", with --strict {fixable}" if infos else ""
    return f"; memwiki check --fix fixes {fixable - infos}{more}"
