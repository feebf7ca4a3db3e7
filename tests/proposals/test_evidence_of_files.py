"""What the lines of a file support: below its headings, with its title, its code and its lists."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from memwiki.proposals import opposites
from memwiki.proposals.evidence import judge_support
from memwiki.proposals.numbering import NumberedSource, SourceLine, headings_over
from tests.effort import for_each

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


@for_each(
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


@for_each(
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
        (
            "修改副本数为 1 时无法迁移 leader 的问题。",
            "修改了副本数为 1 时不能迁移 leader 的问题。",
        ),
        ("系统计算距离，从而识别最近邻向量。", "系统计算距离，找出最近邻向量。"),
    ],
)
def test_a_denial_in_other_chinese_words_is_one(line, text):
    assert why(text, 1, lines=[line]) == ""


@for_each(
    ("line", "text"),
    [
        (
            "The loft is kept for those who grind and does not serve as a room for visitors.",
            "The loft is for people who grind, not for guests.",
        ),
        (
            "The mill runs at night. Make sure that you do not have something else running there.",
            "The mill runs at night, so nobody should use it then.",
        ),
        (
            "The miller should call the dog when it's finished using the wheel.",
            "When the miller no longer needs the wheel, it should call the dog.",
        ),
    ],
)
def test_a_denial_that_is_told_in_clauses_of_another_size_is_one(line, text):
    assert why(text, 1, lines=[line]) == ""


MILL = """The miller carries the flour from the barn into the loft.
After 5 seconds of rest the current sieve is emptied.
The wheel turns only at night.
The vane is on by default in all mills.
All grains except rye are ground by the mill.
The mill does not guarantee dry flour; it only keeps it covered.
Sacks with no label are not weighed.
The mill is not public.
Each sack holds a single loaf given to a certain baker.
The door opens on every visit to the main yard.
The `/Fr` switch of mill.stone oils the axle, `/Em` and `/Ox` do not.
The stones have to be 64 inches wide; otherwise the mill breaks.
A barrel and the rest of the yard.
The mill is painted at 10 and locked at 20.
在水车中表示最大长度；在风车或磨坊中表示重量。
除黑麦以外的所有谷物都能磨。
需要手动装袋，磨坊会自动磨面。
如果省略，则默认重量为 0，范围是 0 到 6。
`East` yard and `west` yard are not sold.
If the mill stands still, the tea may be drunk.
Of more than one tea, a black one is recommended.
小麦的重量超过稻米的重量。
磨坊会返回稻米，风车会返回小麦。
Anyone who pays may grind anything that is a grain.""".split("\n")


@for_each(
    ("text", "cited", "reason"),
    [
        ("The miller carries the flour from the loft into the barn.", 1, "it has barn and loft in"),
        ("After 5 seconds of rest the current barrel is emptied.", 2, "it says barrel, where the"),
        ("After 5 minutes of rest the current sieve is emptied.", 2, "it says 5 min, and no"),
        ("The wheel turns at night.", 3, "it leaves out only"),
        ("The vane is off by default in all mills.", 4, "it says off by default, where the"),
        ("All grains are ground by the mill.", 5, "it leaves out except"),
        ("The mill guarantees dry flour.", 6, "it says what the cited lines deny"),
        ("Sacks with no label are weighed.", 7, "it says what the cited lines deny"),
        ("The mill is public.", 8, "it says what the cited lines deny"),
        ("The door opens on every visit to any yard.", 10, "it says any yard, and no cited line"),
        ("The /FR switch oils the axle.", 11, "the code /FR is in no cited line"),
        ("The switch of mill.wheel oils the axle.", 11, "the code mill.wheel is in no cited"),
        ("The mill is not painted at 10.", 14, "it denies something, and no cited line does"),
        ("The door is only opened on every visit to the main yard.", 10, "it says only, and no"),
        ("The tea may be drunk.", 20, "it leaves out a condition"),
        ("The tea must be black.", 21, "it says must, where the cited lines say recommended"),
        ("稻米的重量超过小麦的重量。", 22, "it has 小麦的重量 and 稻米的重量 in"),
        ("磨坊会返回小麦，风车会返回稻米。", 23, "it says of one row what another says"),
        ("在水车中表示重量。", 15, "it says of one row what another says"),
        ("所有谷物都能磨。", 16, "it leaves out 除"),
        ("磨坊不会自动磨面。", 17, "it denies something, and no cited line does"),
        ("如果省略，则默认重量为 6。", 18, "it says 6, where the cited lines say 0"),
    ],
)
def test_what_is_turned_round_in_a_line_is_set_aside(text, cited, reason):
    assert why(text, cited, lines=MILL).startswith(reason)


@for_each(
    ("text", "cited"),
    [
        ("From the barn the miller carries the flour into the loft.", 1),
        ("It is only at night that the wheel turns.", 3),
        ("In all mills the vane is on unless somebody stops it.", 4),
        ("But for rye, the mill grinds all grains; except that one.", 5),
        ("The mill makes no guarantee of dry flour.", 6),
        ("The mill is private.", 8),  # as it is not public
        ("Each visit to the main yard opens the door.", 10),
        ("Whoever pays may grind whatever grain there is.", 24),
        ("There are two yards, and neither is sold.", 19),
        ("Without a visit to the main yard the door is not opened.", 10),
        ("A black tea is among several that are recommended.", 21),
        ("Stones that are not 64 inches wide break the mill.", 12),
        ("Various stones that are not 64 inches wide break the mill.", 12),  # no name
        ("在水车中表示最大长度，在风车中表示重量。", 15),
    ],
)
def test_what_a_line_says_in_other_words_is_supported(text, cited):
    assert why(text, cited, lines=MILL) == ""


def test_a_line_of_a_file_speaks_for_itself():
    assert why("The current sieve is emptied after 5 seconds of rest.", 2, lines=MILL) == ""
    beside = why("The sieve rests at night until it is emptied.", 3, lines=MILL)
    assert beside == "only 25% of its words are in or around the cited lines"


def test_what_stands_below_an_item_is_said_of_it():
    lines = [
        "- **Tea**: in the yard",
        "  - Next: Friday, 29",
        "- **Office**: upstairs",
        "  - Next: 3",
    ]
    rows = [
        SourceLine(e.strip(), line=n, indent=len(e) - len(e.lstrip())) for n, e in enumerate(lines)
    ]
    told = NumberedSource(rows)
    assert judge_support("The next Office is on the 3.", "", (3, 4), told).why == ""
    other = judge_support("The next Office is on Friday the 29.", "", (1, 2, 3, 4), told).why
    assert other == "it says of one row what another says"


def test_headings_are_those_of_the_sections_around_a_line():
    lines = [SourceLine(line) for line in FILE]
    assert list(headings_over(lines, 4)) == [3, 1]
    assert list(headings_over(lines, 2)) == [1]
    outline = [SourceLine("- # Usage"), SourceLine("- It grinds.")]
    assert list(headings_over(outline, 2)) == [1]
    talk = [SourceLine("# Usage", "Ruth"), SourceLine("It grinds.", "Omar")]
    assert not list(headings_over(talk, 2))


def test_a_page_may_be_told_in_other_words_than_a_conversation():
    text = "Flour is hauled upstairs by the miller, who leaves it there overnight."
    assert why(text, 1, lines=MILL) == ""
    talk = NumberedSource([SourceLine(MILL[0], "Ruth", "user")])
    assert "33% of its words" in judge_support(text, "", (1,), talk).why


def test_a_name_at_the_start_of_a_sentence_has_to_be_in_the_lines():
    for name in (
        "Ruth",
        "Emily",
        "Beijing",
        "Alice from here",
        "SieveMaster",
        "Sieve Master",
        "ACME",
    ):
        assert "no cited line" in why(f"{name} empties the current sieve.", 2, lines=MILL)


NUMBERED = """Wooden wheels aren't supported on the ARM and x64 mills. (Stones are, on x32 mills.)
- Dimensions of the stone `oak-stone-v3`:
  - Teeth: 1024
  - Greatest width of the corn: 8,192""".split("\n")


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("Wooden wheels are supported neither on ARM nor on x64 mills.", (1,)),
        ("The oak-stone-v3 has 1024 teeth and a greatest width of the corn of 8,192.", (2, 3, 4)),
    ],
)
def test_a_number_within_a_name_counts_nothing(text, cited):
    assert why(text, *cited, lines=NUMBERED) == ""


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


@for_each(
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


SIGNS = """| Sign | Kind | Says |
| --- | --- | --- |
| [Wheel::Turn](#turn) | order | turns the wheel once, slowly |
| [Wheel::Turns](#turns) | question | how often the wheel was turned |
| [Wheel::Stop](#stop) | order | stops the wheel |
| `$long` | order | 长于指定值 |
| `$ne` | order | 不等于指定值 |
| Peg | order | red wheel |
| Pin | order | red stone |
| Pot | question | blue wheel |
| Pan | question | blue stone |""".split("\n")


@for_each(
    ("text", "cited"),
    [
        ("Wheel::Turns turns the wheel once, slowly.", (3, 4)),
        ("Wheel::Stop is a question.", (4, 5)),
        ("Wheel::Turn stops the wheel.", (3, 5)),
        ("`$ne` 表示长于指定值。", (6, 7)),
        ("Pin is for a blue wheel.", (9, 10)),
    ],
)
def test_a_cell_of_one_row_is_not_said_of_another_whatever_words_they_share(text, cited):
    assert why(text, *cited, lines=SIGNS) == "it says of one row what another says"


@for_each(
    ("text", "cited"),
    [
        ("Wheel::Turns is a question, how often the wheel was turned.", (3, 4)),
        ("Wheel::Stop is an order, as Wheel::Turn is.", (3, 5)),
        ("`$long` 表示长于指定值，`$ne` 表示不等于指定值。", (6, 7)),
        ("`$ne` 表示不等于指定值。", (6, 7)),
    ],
)
def test_a_cell_of_another_row_may_stand_beside_what_its_own_says(text, cited):
    assert why(text, *cited, lines=SIGNS) == ""


@for_each(
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


@for_each(
    ("line", "text"),
    [
        ("Hidden files are included in the list.", "Hidden files are excluded in the list."),
        ("The key is optional in the list.", "The key is required in the list."),
        ("默认自动删除列表。", "默认手动删除列表。"),
        ("写吞吐高于 B 树类存储引擎。", "写吞吐低于 B 树类存储引擎。"),
        ("简化的例子和实际模型。", "简化的例子和实际模型完全一样。"),
    ],
)
def test_a_word_turned_round_is_set_aside(line, text):
    assert why(text, 1, lines=[line]).startswith("it says ")
    assert why(line, 1, lines=[line]) == ""


def test_no_two_words_are_said_to_be_opposites_twice():
    known = Counter(
        frozenset(pair)
        for row in opposites.ROWS
        for pair in product(*map(str.split, row.split(" / ")))
    )
    assert [pair for pair, count in known.items() if count > 1] == []


COUNTED = """\
# Herons

They are counted each spring.

| year | nests | young |
|------|------:|:-----:|
| 2018 | 30 | 70 |
| 2019 | 35 | 82 |
| 2020 | 40 | 95 |
| 2021 | 44 | 99 |
""".split("\n")


@for_each(
    ("text", "reason"),
    [
        ("In 2020 there were 95 young.", ""),
        ("In 2020 there were 95 young in 40 nests.", ""),
        ("In 2020 there were 95 nests.", "it says of one column what another says"),
        ("In 2020 there were 96 young.", "the number 96 is in no cited line"),
        ("In 2020 there were 95 storks.", "only 0% of its words are in or around the cited lines"),
    ],
)
def test_the_header_of_a_table_belongs_to_its_rows(text, reason):
    assert why(text, COUNTED.index("| 2020 | 40 | 95 |") + 1, lines=COUNTED) == reason


def test_what_stands_below_one_header_in_one_row_may_stand_below_another_in_the_next():
    rows = [COUNTED.index(row) + 1 for row in ("| 2020 | 40 | 95 |", "| 2021 | 44 | 99 |")]
    assert why("In 2021 there were 44 nests.", *rows, lines=COUNTED) == ""
    assert why("The young were 95 and then 99.", *rows, lines=COUNTED) == ""
