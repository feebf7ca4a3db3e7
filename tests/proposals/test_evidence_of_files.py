"""What the lines of a file support: below its headings, with its title, its code and its lists."""

from __future__ import annotations

import pytest

from memwiki.proposals.evidence import judge_support
from memwiki.proposals.numbering import NumberedSource, SourceLine, headings_over

FILE = """# Sunmill manual
The sunmill grinds grain and feeds it into the silo.
## Leaf burner
- It burns dry leaves, and does not change the silo unless you ask it to.
- Wet leaves. Not burned slowly indoors; dried as a heap.
- Uses the stove of the mill rather than a furnace.
## Options
- `--dust <n>` sweeps the floor n times
- `--lamp` lights the yard
| `0` | nothing was ground |
| `2` | the grain is wet |
The cheaper wheel is number 1, and it has the lowest weight.
Most wheels turn to the left before they turn to the right.
With `--still` the mill stops (and no `--lamp`), so that birds can rest.
The mill is set by MILL_ROOT, then by the folder.
Turn the wheel without leaving the yard.
Omar paints the mill.
The mill is old.""".split("\n")


def why(text: str, *cited: int, title: str = "", lines: list[str] = FILE) -> str:
    rows = [SourceLine(line, line=n) for n, line in enumerate(lines, 1)]
    return judge_support(text, "", cited, NumberedSource(rows, title=title)).why


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("The Leaf burner of the Sunmill burns dry leaves.", 4),  # as the headings say
        ("The option `--dust <n>` sweeps the floor n times.", 8),
        ("The Leaf burner has no furnace, and uses the stove of the mill.", 6),
        ("The mill stops with `--still` where `--lamp` is not given, so that birds can rest.", 14),
        ("Without another setting, the mill is set by MILL_ROOT and then by the folder.", 15),
        ("The wheel is turned from the yard without leaving.", 16),
    ],
)
def test_what_a_line_says_below_its_heading_is_supported(text, cited):
    assert why(text, cited) == ""


def test_the_title_of_a_page_is_known_in_its_lines():
    assert why("Omar paints the mill of Fjordholm.", 17) == "the name Fjordholm is in no cited line"
    assert why("Omar paints the mill of Fjordholm.", 17, title="Mills of Fjordholm") == ""


def test_a_name_that_a_file_repeats_is_what_it_is_about():
    often = [*FILE, "x", "x", "x", "Sunmill", "x", "x", "Fjordholm", "Fjordholm", "Fjordholm"]
    assert why("Fjordholm is where Omar paints the mill.", 17, lines=often) == ""
    assert why("Fjordholm is where Omar paints the mill.", 17, lines=often[:-1])


def test_things_that_are_cited_may_be_counted():
    assert why("The mill has two options, for dust and lamp.", 8, 9) == ""
    assert why("The mill has three options, for dust and lamp.", 8, 9).startswith("the number 3")


def test_a_plural_that_begins_a_sentence_is_no_name():
    assert why("Examples of dry leaves that it burns are in the silo.", 4) == ""


@pytest.mark.parametrize(
    ("text", "cited", "reason"),
    [
        ("Number 2 says that nothing was ground.", 10, "the number 2 is in no cited line"),
        ("The option `--dusty <n>` sweeps the floor.", 8, "the code --dusty <n> is in no"),
        ("The option `lam` lights the yard.", 9, "the code lam is in no cited line"),
        ("The option `--dust <n>` lights the yard.", 9, "the code --dust <n> is in no"),
        ("The leaf burner changes the silo when asked.", 4, "it says what the cited lines deny"),
        ("They are burned slowly indoors, and dried as a heap.", 5, "it says what the cited lines"),
        ("The cheaper wheel has the highest weight.", 12, "it says highest, where the cited"),
        ("The mill always grinds grain into the silo.", 2, "it says always, and no cited line"),
    ],
)
def test_what_a_line_does_not_say_is_set_aside(text, cited, reason):
    assert why(text, cited).startswith(reason)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("写吞吐高于 B 树类存储引擎。", "写吞吐低于 B 树类存储引擎。"),
        ("简化的例子和实际模型。", "简化的例子和实际模型完全一样。"),
    ],
)
def test_an_opposite_in_chinese_is_set_aside(line, text):
    assert why(text, 1, lines=[line]).startswith("it says ")


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (
            "修改副本数为 1 时无法迁移 leader 的问题。",
            "修改了副本数为 1 时不能迁移 leader 的问题。",
        ),
        ("系统计算距离，从而识别最近邻向量。", "系统计算距离，找出最近邻向量。"),
    ],
)
def test_a_denial_in_other_chinese_words_is_one(line, text):
    assert why(text, 1, lines=[line]) == ""


def test_headings_are_those_of_the_sections_around_a_line():
    lines = [SourceLine(line) for line in FILE]
    assert list(headings_over(lines, 4)) == [3, 1]
    assert list(headings_over(lines, 2)) == [1]
    outline = [SourceLine("- # Usage"), SourceLine("- It grinds.")]
    assert list(headings_over(outline, 2)) == [1]
    talk = [SourceLine("# Usage", "Ruth"), SourceLine("It grinds.", "Omar")]
    assert not list(headings_over(talk, 2))


TABLE = """| Part | Says |
| --- | --- |
| Sluice | opens at 40 litres |
| Hopper | holds the wet barley |
| Vane | turns the cap into the wind |
| Cap | is thatched with reed |
- **brake**: stops the shaft
- **pawl**: keeps the ratchet from slipping
- 刹车：停住主轴
- 棘爪：防止棘轮打滑""".split("\n")


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("The hopper opens at 40 litres.", (3, 4)),
        ("The sluice holds wet barley.", (3, 4)),
        ("The sluice holds wet barley.", (4,)),  # the name stands in a line beside it
        ("The pawl stops the shaft.", (7, 8)),
        ("棘爪停住主轴。", (9, 10)),
    ],
)
def test_what_one_row_says_is_not_said_of_another(text, cited):
    assert why(text, *cited, lines=TABLE) == "it says of one row what another says"


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("The sluice opens at 40 litres.", (3, 4)),
        ("The hopper holds wet barley, and the sluice opens at 40 litres.", (3, 4)),
        ("The vane turns the cap, which is thatched, into the wind.", (5, 6)),
        ("Wet barley is held, and the cap is turned into the wind.", (4, 5)),
        ("The brake stops the shaft, the pawl the ratchet from slipping.", (7, 8)),
        ("棘爪防止棘轮打滑，刹车停住主轴。", (9, 10)),
    ],
)
def test_rows_may_be_told_together(text, cited):
    assert why(text, *cited, lines=TABLE) == ""


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("Hidden files are included in the list.", "Hidden files are excluded in the list."),
        ("The key is optional in the list.", "The key is required in the list."),
        ("默认自动删除列表。", "默认手动删除列表。"),
    ],
)
def test_a_word_turned_round_is_set_aside(line, text):
    assert why(text, 1, lines=[line]).startswith("it says ")
    assert why(line, 1, lines=[line]) == ""
