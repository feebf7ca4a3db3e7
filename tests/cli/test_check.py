"""`memwiki check` at the door: what it asks, prints and exits with."""

import json
from dataclasses import replace

import pytest

from memwiki import nouns
from memwiki.answers import check as checking
from memwiki.answers import pages as editing

ERROR = nouns.Problem("a.md", 3, "secret", nouns.Severity.ERROR, "a token")
WARNING = nouns.Problem("b.md", 1, "page-empty", nouns.Severity.WARNING, "empty", fixable=True)
INFO = nouns.Problem("b.md", 1, "bom", nouns.Severity.INFO, "a mark", fixable=True)


def report(*problems):
    severities = [each.severity for each in problems]
    counts = checking.Counts(*(severities.count(each) for each in nouns.Severity))
    return checking.CheckReport(problems, counts, pages=2)


@pytest.mark.parametrize(
    ("problems", "flags", "code"),
    [
        ((), (), 0),
        ((INFO,), (), 0),
        ((INFO,), ("--strict",), 3),
        ((WARNING,), (), 3),
        ((ERROR, INFO), (), 3),
    ],
)
def test_the_exit_code_says_whether_anything_counts(memwiki_, problems, flags, code):
    memwiki_.answer("check.run", report(*problems))
    assert memwiki_("check", *flags) == code


def test_a_problem_is_a_line_with_place_severity_message_and_code(memwiki_):
    memwiki_.answer("check.run", report(ERROR, WARNING, INFO))
    memwiki_("check", "--info")
    assert memwiki_.out.splitlines() == [
        "1 error   secret",
        "1 warning page-empty",
        "1 info    bom",
        "",
        "a.md:3: error: a token [secret]",
        "b.md:1: warning: empty [page-empty]",
        "b.md:1: info: a mark [bom]",
    ]
    assert memwiki_.err == (
        "1 error, 1 warning, 1 info in 2 pages; memwiki check --fix fixes 1, with --strict 2\n"
    )


@pytest.mark.parametrize(
    ("flags", "listed"),
    [
        ((), ["secret", "page-empty"]),
        (("--info",), ["secret", "page-empty", "bom"]),
        (("--strict",), ["secret", "page-empty", "bom"]),
        (("--only", "bom"), ["secret", "page-empty", "bom"]),
        (("--severity", "error"), ["secret"]),
        (("--severity", "warning"), ["secret", "page-empty"]),
        (("--severity", "info"), ["secret", "page-empty", "bom"]),
    ],
)
def test_the_gravest_problems_come_first_and_hiding_is_for_the_screen_only(memwiki_, flags, listed):
    memwiki_.answer("check.run", report(INFO, WARNING, ERROR))
    assert memwiki_("check", *flags) == 3
    lines = memwiki_.out.split("\n\n")[1].splitlines()
    assert [line.partition("[")[2].rstrip("]") for line in lines] == listed
    assert ("check --info lists the infos" in memwiki_.err) == ("bom" not in listed)
    assert memwiki_("check", "--json", *flags) == 3
    assert len(json.loads(memwiki_.out)["problems"]) == 3
    memwiki_.workspace.calls.clear()
    memwiki_("check", "--baseline", "k.json", "--write-baseline", *flags)
    assert len(memwiki_.call[1][0].problems) == 3


def test_what_lies_outside_by_the_hundred_is_one_line_that_says_how_to_silence_it(memwiki_):
    missing = nouns.Problem("c.md", 2, "source-missing", nouns.Severity.WARNING, "x.pdf: none")
    many = [missing._replace(line=number) for number in range(1457)]
    memwiki_.answer("check.run", report(ERROR, *many))
    assert memwiki_("check") == 3
    head, listed = memwiki_.out.split("\n\n")
    assert head.splitlines() == ["   1 error   secret", "1457 warning source-missing"]
    assert listed.splitlines() == [
        "a.md:3: error: a token [secret]",
        "warning: 1457 of source-missing, outside this folder: list them with "
        "memwiki check --only source-missing, leave them out with "
        "memwiki config set check.ignore source-missing",
    ]
    memwiki_("check", "--only", "source-missing")
    assert memwiki_.out.count("x.pdf") == 1457
    memwiki_.answer("check.run", report(*many[:3]))
    memwiki_("check")
    assert memwiki_.out.count("x.pdf") == 3


def test_many_links_to_one_missing_file_are_one_line_unless_they_are_asked_for(memwiki_):
    missing = nouns.Problem("c.md", 2, "link-broken", nouns.Severity.WARNING, "x.md: no such file")
    many = [missing._replace(path=f"{name}.md") for name in "abcde"]
    memwiki_.answer("check.run", report(*many, missing._replace(message="y.md: no such file")))
    memwiki_("check")
    assert memwiki_.out.splitlines() == [
        "a.md:2: warning: x.md: no such file (and 4 more places) [link-broken]",
        "c.md:2: warning: y.md: no such file [link-broken]",
    ]
    memwiki_("check", "--only", "link-broken")
    assert memwiki_.out.count("x.md") == 5


def test_a_folder_full_of_one_code_is_a_few_examples_and_one_line_unless_it_is_asked_for(memwiki_):
    empty = nouns.Problem("", 3, "page-stub", nouns.Severity.WARNING, "")
    many = [empty._replace(path=f"old notes/{n}.md", message=f"stub {n}") for n in range(30)]
    few = [empty._replace(path=f"new/{n}.md", message=f"stub {n}") for n in range(20)]
    grave = [each._replace(code="secret", severity=nouns.Severity.ERROR) for each in many]
    memwiki_.answer("check.run", report(*grave, *few, *many))
    memwiki_("check")
    listed = memwiki_.out.split("\n\n")[1].splitlines()
    assert [line.partition("[")[2] for line in listed[:50]] == ["secret]"] * 30 + [
        "page-stub]"
    ] * 20
    assert listed[50:] == [
        *(f"old notes/{n}.md:3: warning: stub {n} [page-stub]" for n in range(3)),
        "warning: 27 more of page-stub in old notes: "
        "memwiki check 'old notes' --only page-stub lists them",
    ]
    memwiki_("check", "--only", "page-stub")
    assert memwiki_.out.count("stub 29") == 2
    memwiki_("check", "--json")
    assert len(json.loads(memwiki_.out)["problems"]) == 80


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (report(), "no problems in 2 pages\n"),
        (report(WARNING, WARNING), "2 warnings in 2 pages; memwiki check --fix fixes 2\n"),
        (report(INFO), "1 info in 2 pages; memwiki check --fix --strict fixes 1\n"),
        (replace(report(), known=7), "no problems in 2 pages; 7 known from the baseline\n"),
    ],
)
def test_the_last_line_sums_up(memwiki_, answer, says):
    memwiki_.answer("check.run", answer)
    memwiki_("check")
    assert memwiki_.err == says
    memwiki_("check", "-q")
    assert memwiki_.err == ""


def test_json_gives_problems_and_counts(memwiki_):
    memwiki_.answer("check.run", report(ERROR))
    assert memwiki_("check", "--json") == 3
    given = json.loads(memwiki_.out)
    assert given["problems"][0] == {
        "path": "a.md",
        "line": 3,
        "code": "secret",
        "severity": "error",
        "message": "a token",
        "fixable": False,
    }
    assert given["counts"] == {"error": 1, "warning": 0, "info": 0}
    assert memwiki_.err == ""


def test_paths_codes_and_baseline_are_handed_on(memwiki_):
    memwiki_("check", "wiki", "a.md", "--only", "bom", "--only", "secret", "--baseline", "k.json")
    assert memwiki_.call == (
        "check.run",
        (["wiki", "a.md"], ["bom", "secret"]),
        {"baseline": "k.json"},
    )


def test_fix_shows_the_diff_mends_and_checks_again(memwiki_):
    memwiki_.answer("check.run", report(WARNING, INFO))
    memwiki_("check", "--fix")
    calls = [(name, arguments) for name, arguments, _ in memwiki_.workspace.calls]
    assert [name for name, _ in calls] == ["open", "check.run", "check.fix", "check.run"]
    assert [each.code for each in calls[2][1][0].problems] == ["page-empty"]
    assert memwiki_.err.startswith("fixed 1 problem in 1 file\n")


@pytest.mark.parametrize("flags", [("--strict",), ("--only", "bom")])
def test_infos_are_mended_when_they_are_asked_for(memwiki_, flags):
    memwiki_.answer("check.run", report(WARNING, INFO))
    memwiki_("check", "--fix", *flags)
    (fix,) = [call for call in memwiki_.workspace.calls if call[0] == "check.fix"]
    assert [each.code for each in fix[1][0].problems] == ["page-empty", "bom"]


def test_a_dry_run_of_a_fix_does_not_check_again(memwiki_):
    planned = editing.Edited("check --fix", "fixed", ("a.md",), dry_run=True, diff="-a\n+b\n")
    memwiki_.answer("check.fix", planned)
    memwiki_("check", "--fix", "--dry-run", "--json")
    assert [name for name, *_ in memwiki_.workspace.calls] == ["open", "check.run", "check.fix"]
    assert json.loads(memwiki_.out)["fixed"]["diff"] == "-a\n+b\n"


def test_a_baseline_is_written_only_when_that_is_said(memwiki_):
    assert memwiki_("check", "--baseline", "known.json", "--write-baseline") == 0
    assert [name for name, *_ in memwiki_.workspace.calls] == ["open", "check.run", "check.accept"]
    assert memwiki_.workspace.calls[1][2]["baseline"] == ""
    assert memwiki_.out.startswith("recorded 1 problem in known.json")


@pytest.mark.parametrize(
    "flags", ["--dry-run", "--write-baseline", "--fix --write-baseline --baseline known.json"]
)
def test_flags_that_make_no_sense_together_are_refused(memwiki_, flags):
    assert memwiki_("check", *flags.split()) == 2
    assert memwiki_.workspace.calls == []
