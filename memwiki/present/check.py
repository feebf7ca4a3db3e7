"""What a check found, as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from memwiki.answers.check import CheckReport, tally_of
from memwiki.answers.check import rows_of as fields_of
from memwiki.errors import shell_word
from memwiki.nouns import Problem, Severity
from memwiki.numbers import counted, plural
from memwiki.present.rows import FoundProblem, Rows, Words, rows_of
from memwiki.present.terminal import Colour, Look, as_path, line, text_of
from memwiki.records import NamedTuple

# What lies outside of a vault is missing by the hundred: one line says it, and how to silence it.
_OUTSIDE = frozenset({"source-missing", "link-off-site", "link-escapes"})
_FOLDED = 20  # findings of such a code that are listed one by one
# What many places may have in common: the message names it.
_OF_A_TARGET = frozenset(
    {"link-broken", "embed-missing", "link-escapes", "heading-missing", "link-case"}
    | {"link-ambiguous", "link-superseded", "source-missing"}
)
_SAME_TARGET = 3  # places with one cause that are listed one by one
_SAME_FOLDER = 20  # findings of a code in the pages of one folder that are listed one by one
_EXAMPLES = 3  # of more than these
_ORDER = tuple(Severity)
_COLOURS: Mapping[str, Colour] = {
    Severity.ERROR: Colour.MARKED,
    Severity.WARNING: Colour.YELLOW,
    Severity.INFO: Colour.CYAN,
}
_Cause: TypeAlias = tuple[str, str]  # a code, and a message or a folder
_ByCode: TypeAlias = Mapping[tuple[str, str], int]  # how many, by severity and code


class ShownProblems(NamedTuple):
    """Which problems a person wants to see; all others are only counted."""

    least: Severity | None = None  # of --severity: this one and graver ones
    has_infos: bool = False
    is_asked: bool = False  # by their codes
    ignored: tuple[str, ...] = ()  # what check.ignore names already

    def severities(self, report: CheckReport) -> tuple[Severity, ...]:
        """Those to list, in their order; infos when nothing else is left."""
        if self.least:
            return _ORDER[: _ORDER.index(self.least) + 1]
        is_all = self.has_infos or self.is_asked
        is_clean = not (report.counts.error or report.counts.warning)
        return _ORDER if is_all or is_clean else _ORDER[:-1]


_USUAL = ShownProblems()


@text_of.register
def _(answer: CheckReport, look: Look) -> str:
    return "\n".join(problem_lines(answer, look))


def problem_lines(answer: CheckReport, look: Look, shown: ShownProblems = _USUAL) -> Iterator[str]:
    """How many there are of each code, then each problem in a line, the gravest first."""
    by_code = Counter((row[3], row[2]) for row in fields_of(answer.problems))
    folds = _NONE if shown.is_asked else _folds(answer.problems, by_code)
    if len(by_code) > 1:
        yield from _count_lines(by_code, look)
    gap = [""] if len(by_code) > 1 else []
    for severity in shown.severities(answer):
        if answer.counts[_ORDER.index(severity)]:
            yield from gap
            yield from _lines_of(answer.problems, severity, folds, look)
            yield from _crowd_lines(severity, folds)
            yield from _folded_lines(by_code, severity, folds.codes, shown)
            gap = []


class _Folds(NamedTuple):
    """What has one cause and is one line, or a few."""

    codes: set[str]
    messages: Mapping[_Cause, int]
    folders: Mapping[_Cause, tuple[str, int]]  # with their severity and number


_NONE = _Folds(set(), {}, {})


def _folds(problems: Sequence[Problem], by_code: _ByCode) -> _Folds:
    counts = ((code, count) for (_, code), count in by_code.items())
    codes = {code for code, count in counts if code in _OUTSIDE and count > _FOLDED}
    messages = _common_causes(problems)
    return _Folds(codes, messages, _crowded(problems, codes, messages))


def _crowded(
    problems: Sequence[Problem], folded: set[str], causes: Mapping[_Cause, int]
) -> dict[_Cause, tuple[str, int]]:
    """The folders of which one code floods the screen, with what it is and how many lines; errors
    are told one by one."""
    counts = Counter[tuple[_Cause, str]]()
    listed = set[_Cause]()
    for path, _, code, severity, message, _ in fields_of(problems):
        cause = (code, message)
        if code in folded or cause in listed or severity == Severity.ERROR:
            continue
        if cause in causes:
            listed.add(cause)
        counts[(code, path.rpartition("/")[0]), severity] += 1
    return {
        where: (severity, count)
        for (where, severity), count in counts.items()
        if count > _SAME_FOLDER
    }


def _count_lines(by_code: _ByCode, look: Look) -> Iterator[str]:
    width = len(str(max(by_code.values())))
    ranked = sorted(by_code, key=lambda key: (_ORDER.index(Severity(key[0])), -by_code[key], key))
    for severity, code in ranked:
        padded = look.tinted(f"{severity:<7}", _COLOURS[severity])
        yield f"{by_code[severity, code]:>{width}} {padded} {code}"


def _common_causes(problems: Sequence[Problem]) -> dict[_Cause, int]:
    """How often the same is said of other places, by code and message."""
    counts = Counter((row[2], row[4]) for row in fields_of(problems) if row[2] in _OF_A_TARGET)
    return {cause: count for cause, count in counts.items() if count > _SAME_TARGET}


def _lines_of(
    problems: Sequence[Problem],
    wanted: Severity,
    folds: _Folds,
    look: Look,
) -> Iterator[str]:
    around: dict[str, tuple[str, str]] = {}  # what is before and after every message of a code
    listed, examples = set[_Cause](), Counter[_Cause]()
    last = shown = ""
    for path, number, code, severity, message, _ in fields_of(problems):
        if severity != wanted or code in folds.codes or (code, message) in listed:
            continue
        more = ""
        if count := folds.messages.get((code, message)):
            listed.add((code, message))
            more = f" (and {count - 1} more places)"
        where = (code, path.rpartition("/")[0])
        examples[where] += 1
        if where in folds.folders and examples[where] > _EXAMPLES:
            continue
        if path != last:
            last, shown = path, as_path(path)
        if code not in around:
            colour = look.tinted(severity, _COLOURS[severity])
            around[code] = f": {colour}: ", f" {look.faint(f'[{code}]')}"
        before, after = around[code]
        yield f"{shown}:{number}{before}{line(message)}{more}{after}"


def _crowd_lines(wanted: Severity, folds: _Folds) -> Iterator[str]:
    """One line for each folder of which only a few findings of a code are listed."""
    for (code, folder), (severity, count) in sorted(folds.folders.items()):
        if severity == wanted:
            place = f" {shell_word(folder)}" if folder else ""
            yield (
                f"{severity}: {count - _EXAMPLES} more of {code} in {as_path(folder or '.')}: "
                f"memwiki check{place} --only {code} lists them"
            )


def _folded_lines(
    by_code: _ByCode, wanted: Severity, folded: set[str], shown: ShownProblems
) -> Iterator[str]:
    """One line for each code of which very many are found."""
    for (severity, code), count in sorted(by_code.items()):
        if severity == wanted and code in folded:
            ignored = ",".join((*shown.ignored, code))
            yield (
                f"{severity}: {count} of {code}, outside this folder: list them with "
                f"memwiki check --only {code}, leave them out with "
                f"memwiki config set check.ignore {ignored}"
            )


def summary(report: CheckReport, shown: ShownProblems = _USUAL) -> str:
    """The check in one line."""
    counts = [
        f"{number} {plural(number, name)}"
        for name, number in report.counts._asdict().items()
        if number
    ]
    text = f"{', '.join(counts) or 'no problems'} in {counted(report.pages, 'page')}"
    if report.counts.info and Severity.INFO not in shown.severities(report):
        text += "; memwiki check --info lists the infos"
    text += _advice(report.problems)
    if report.known:
        text += f"; {report.known} known from the baseline"
    if report.ignored:
        text += f"; {report.ignored} ignored by check.ignore"
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


@rows_of.register
def _(answer: CheckReport) -> Rows:
    return map(FoundProblem, answer.problems) if answer.problems else [Words("no problems")]
