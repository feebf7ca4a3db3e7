"""What the cited lines support, rule by rule: one fact that they hold, and one that they do not."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.proposals.evidence import judge_support
from memwiki.proposals.numbering import NumberedSource, SourceLine
from tests.effort import for_each

ENGLISH = (
    ("Ruth", "We finally moved the bakery to the harbour, rent is 900 a month."),  # 1
    ("Omar", "Nice! How is the oven doing?"),
    ("Ruth", "It broke twice. My brother Felix repaired it yesterday."),  # 3
    ("Omar", "I never eat bread, you know that. I can't stand gluten."),  # 4
    ("Ruth", "Ha, then come for the soup. We close at 9 pm."),  # 5
    ("Omar", "Deal. I leave for Lisbon on Friday with two thousand stickers."),  # 6
    ("Ruth", "Send me a postcard of the yellow tram, please."),  # 7
    ("Omar", "No, I don't. Phones exist."),  # 8
)
CHINESE = (
    ("小秋", "我把面包店搬到了码头边上，房租每月两千八。"),  # 1
    ("大伟", "不错！烤箱还好用吗？"),
    ("小秋", "坏了两次，我哥郑凯昨天帮我修好了。"),  # 3
    ("大伟", "我从来不吃面包，你知道的。"),  # 4
    ("小秋", "那就来喝汤吧，我们晚上九点关门。"),  # 5
    ("大伟", "好，周五我要去杭州，带三百张贴纸。"),  # 6
)


def source(lines=ENGLISH, date="2026-03-05") -> NumberedSource:
    return NumberedSource([SourceLine(text, speaker) for speaker, text in lines], date)


def why(text, subject, *cited, of=None) -> str:
    return judge_support(text, subject, cited, of or source()).why


def why_zh(text, subject, *cited) -> str:
    return judge_support(text, subject, cited, source(CHINESE)).why


# --- numbers ---


@for_each(
    ("text", "cited"),
    [
        ("Ruth pays 900 a month for the bakery at the harbour.", 1),
        ("Ruth pays nine hundred a month for the bakery at the harbour.", 1),
        ("Ruth's oven broke two times.", 3),
        ("Ruth closes at 21:00.", 5),
        ("Omar brings 2,000 stickers to Lisbon.", 6),
        ("Omar brings 2k stickers to Lisbon.", 6),
        ("One of the things Ruth moved first is the bakery.", 1),
    ],
)
def test_a_number_of_the_lines_is_supported_however_it_is_written(text, cited):
    assert why(text, "", cited) == ""


@for_each(
    ("text", "cited", "number"),
    [
        ("Ruth pays 800 a month for the bakery at the harbour.", 1, "800"),
        ("Ruth pays 900 a month for 14 years for the bakery.", 1, "14"),
        ("Ruth closes at 10 pm.", 5, "10"),
        ("Omar brings two million stickers to Lisbon.", 6, "2000000"),
        ("Ruth's oven broke for the third time.", 3, "3"),
    ],
)
def test_another_number_is_not(text, cited, number):
    assert why(text, "", cited) == f"the number {number} is in no cited line"


@for_each(
    ("text", "cited"),
    [
        ("小秋的面包店房租每月2800元。", 1),
        ("小秋的烤箱坏了2次。", 3),
        ("小秋的店21点关门。", 5),
        ("大伟带300张贴纸去杭州。", 6),
        ("小秋一家十分喜欢码头边上的面包店。", 1),
    ],
)
def test_chinese_numbers_are_numbers(text, cited):
    assert why_zh(text, "", cited) == ""


@for_each(
    ("text", "cited", "number"),
    [
        ("小秋的面包店房租每月三千二。", 1, "3200"),
        ("小秋的烤箱坏了五次。", 3, "5"),
        ("大伟带三万张贴纸去杭州。", 6, "30000"),
    ],
)
def test_other_chinese_numbers_are_not(text, cited, number):
    assert why_zh(text, "", cited) == f"the number {number} is in no cited line"


# --- days ---


@for_each(
    "text",
    [
        "Felix repaired Ruth's oven on 4 March 2026.",
        "Felix repaired Ruth's oven on March 4.",
        "Felix repaired Ruth's oven on 2026-03-04.",
        "Felix repaired Ruth's oven on a Wednesday in 2026.",
    ],
)
@for_each("date", ["2026-03-05", "2026-03-05T18:20:00Z", "6:20 pm on 5 March, 2026"])
def test_a_day_said_in_words_may_be_written_out(text, date):
    assert why(text, "Ruth", 3, of=source(date=date)) == ""


def test_another_day_is_not_supported():
    assert "Thursday" in why(
        "Felix repaired Ruth's oven on the last Thursday of May.", "Ruth", 3, of=source(date="")
    )
    assert "12" in why("Felix repaired Ruth's oven on 12 March 2026.", "Ruth", 3)
    assert "10" in why_zh("郑凯3月10日修好了小秋的烤箱。", "小秋", 3)
    assert why_zh("郑凯3月4日修好了小秋的烤箱。", "小秋", 3) == ""


def test_without_a_date_only_what_is_written_counts():
    dateless = source(date="")
    assert "2026" in why("Felix repaired Ruth's oven in 2026.", "Ruth", 3, of=dateless)
    assert why("Felix repaired Ruth's oven yesterday.", "Ruth", 3, of=dateless) == ""


# --- names ---


@for_each(
    ("text", "cited"),
    [
        ("Felix repaired Ruth's oven.", 3),
        ("FELIX repaired the oven of Ruth.", 3),
        ("When the oven broke, Felix repaired it.", 3),
        ("Omar leaves for Lisbon on Friday.", 6),
        ("Omar leaves for Lisbon, while Ruth wants a postcard.", 6),
    ],
)
def test_a_name_around_the_cited_line_is_supported(text, cited):
    assert why(text, "", cited) == ""


@for_each(
    ("text", "cited", "name"),
    [
        ("Konrad repaired Ruth's oven.", 3, "Konrad"),
        ("Felix and Konrad repaired Ruth's oven.", 3, "Konrad"),
        ("Omar leaves for Porto on Friday.", 6, "Porto"),
        ("Omar leaves for Lisbon on Friday with iPhone stickers.", 6, "iPhone"),
        ("Felix wants a postcard of the yellow tram.", 7, "Felix"),  # four lines away
    ],
)
def test_an_added_name_is_not_even_as_the_first_word(text, cited, name):
    assert why(text, "", cited) == f"the name {name} is in no cited line"


def test_many_names_are_not_all_listed():
    added = why("Ada, Bea, Cleo, Dora and Elsa moved the bakery to the harbour.", "Ruth", 1)
    assert added == "the names Ada, Bea, Cleo, others are in no cited line"


def test_an_invented_subject_is_an_added_name():
    assert why("moved the bakery to the harbour", "Konrad", 1) == (
        "the name Konrad is in no cited line"
    )


@for_each(
    ("text", "cited"),
    [
        ("郑凯修好了小秋的烤箱。", 3),
        ("大伟周五要去杭州。", 6),
        ("大伟，周五去杭州，和许多贴纸。", 6),
    ],
)
def test_a_chinese_name_around_the_line_is_supported(text, cited):
    assert why_zh(text, "", cited) == ""


@for_each(
    ("text", "cited", "name"),
    [
        ("小秋的哥哥魏东修好了烤箱。", 3, "魏东"),
        ("大伟周五和彭飞去杭州。", 6, "彭飞"),
        ("大伟周五要去苏州。", 6, "苏州"),
        ("老潘周五去杭州。", 6, "老潘"),
        ("大伟周五和许静去杭州。", 6, "许静"),
        ("大伟和高经理周五去杭州。", 6, "高经理"),
        ("小秋在《蓝色码头》边上开面包店。", 1, "蓝色码头"),
        ("小秋的面包店名叫云朵，在码头边上。", 1, "云朵"),
        ("小秋用 Nokia 在码头边上的面包店打电话。", 1, "Nokia"),
    ],
)
def test_an_added_chinese_name_is_not(text, cited, name):
    assert why_zh(text, "", cited) == f"the name {name} is in no cited line"


# --- words ---


def test_the_share_is_that_of_the_content_words():
    support = judge_support("Ruth moved the bakery uphill", "Ruth", [1], source())
    assert (support.share, support.why) == (pytest.approx(2 / 3), "")


def test_what_other_lines_say_is_not_supported():
    text = "Ruth wants a postcard of the yellow tram."
    assert why(text, "Ruth", 7) == ""
    assert why(text, "Ruth", 1) == "only 0% of its words are in or around the cited lines"
    assert why_zh("小秋请大伟来喝汤。", "小秋", 5) == ""
    assert why_zh("小秋请大伟来喝汤。", "小秋", 1).startswith("only 0%")


def test_a_line_beside_the_cited_one_alone_is_not_enough():
    text = "Ruth wants a postcard."
    assert why(text, "Ruth", 5) == "none of its words is in a cited line"


def test_the_least_share_can_be_raised():
    text = "Ruth moved the bakery into cheaper rooms"
    assert judge_support(text, "Ruth", [1], source()).why == ""
    raised = judge_support(text, "Ruth", [1], source(), least=0.9)
    assert raised.why == "only 50% of its words are in or around the cited lines"


def test_in_chinese_fewer_pairs_of_characters_are_enough():
    text = "小秋将面包店迁至海港码头"
    support = judge_support(text, "小秋", [1], source(CHINESE))
    assert support.why == ""
    assert 0.3 <= support.share < 0.4


# --- denials ---


@for_each(
    ("text", "cited"),
    [
        ("Omar does not eat bread.", 4),
        ("Omar never eats bread.", 4),
        ("Omar eats no bread and can't stand gluten.", 4),
        ("Omar does not send Ruth a postcard, phones exist.", 8),  # an answer: what was asked
        ("There is no doubt that Ruth moved the bakery to the harbour.", 1),
    ],
)
def test_what_the_line_denies_may_be_denied(text, cited):
    assert why(text, "", cited) == ""


def test_what_no_line_denies_may_not():
    assert why("Ruth has not moved the bakery to the harbour.", "Ruth", 1) == (
        "it denies something, and no cited line does"
    )
    assert why("Ruth hasn't moved the bakery to the harbour.", "Ruth", 1) == (
        "it denies something, and no cited line does"
    )


def test_another_thing_may_not_be_denied():
    lines = [("Ruth", "I love the harbour, but I do not like the noise.")]
    assert why("Ruth does not like the noise of the harbour.", "Ruth", 1, of=source(lines)) == ""
    assert why("Ruth does not love the harbour.", "Ruth", 1, of=source(lines)) == (
        "it denies something else than the cited lines"
    )


@for_each(
    ("line", "text"),
    [
        ("I stopped smoking in the harbour", "Ruth no longer smokes."),
        ("I hardly sleep at the harbour", "Ruth does not sleep well."),
        ("抽烟的习惯早就戒了", "Ruth 不再有抽烟的习惯。"),
    ],
)
def test_what_is_over_may_be_denied(line, text):
    assert why(text, "Ruth", 1, of=source([("Ruth", line)])) == ""


@for_each(
    ("line", "text"),
    [
        ("I don't eat meat.", "Ruth eats meat."),
        ("The harbour is nice, but I never sleep well.", "Ruth sleeps well."),
        ("码头不错，我从来不吃肉。", "Ruth 吃肉。"),
    ],
)
def test_what_the_line_denies_is_not_so(line, text):
    assert why(text, "Ruth", 1, of=source([("Ruth", line)])) == "it says what the cited lines deny"


@for_each(
    ("line", "text"),
    [
        ("I don't eat meat, I eat fish.", "Ruth eats fish."),
        ("I don't eat meat, really, meat is no food for me", "Ruth avoids meat."),
        ("I don't smoke. I gave Omar a cake for his birthday", "Ruth gave Omar a cake."),
        ("我不吃肉，只吃鱼。", "Ruth 只吃鱼。"),
        ("I really should eat fish, shouldn't I", "Ruth should eat fish."),
        ("It was not just the fish", "Ruth talked about fish."),
    ],
)
def test_what_is_said_beside_a_denial_is_so(line, text):
    assert why(text, "Ruth", 1, of=source([("Ruth", line)])) == ""


@pytest.mark.parametrize("line", ["I can't wait for the harbour", "Don't forget the harbour"])
def test_an_idiom_denies_nothing(line):
    lines = source([("Ruth", line)])
    assert why("Ruth does not look at the harbour", "Ruth", 1, of=lines).startswith("it denies")
    assert why("Ruth looks at the harbour", "Ruth", 1, of=lines) == ""


def test_chinese_denials_are_denials():
    assert why_zh("大伟不吃面包。", "大伟", 4) == ""
    assert why_zh("小秋没有把面包店搬到码头。", "小秋", 1) == (
        "it denies something, and no cited line does"
    )


@pytest.mark.parametrize("word", ["过敏", "生气"])
def test_a_word_that_holds_a_denial_is_told_from_one(word):
    lines = [("小秋", f"我对花粉{word}，是不是很麻烦？差不多每天都这样。")]
    assert why(f"小秋对花粉{word}。", "小秋", 1, of=source(lines)) == ""
    assert "denies" in why(f"小秋对花粉不{word}。", "小秋", 1, of=source(lines))


# --- who speaks ---


def test_who_is_spoken_of_speaks():
    text = "never eats bread"
    assert why(text, "Omar", 4) == ""
    assert why(text, "Ruth", 4) == "Ruth speaks in no cited line"
    assert why(text, "omar", 4) == ""
    assert why_zh("从来不吃面包", "大伟", 4) == ""
    assert why_zh("从来不吃面包", "小秋", 4) == "小秋 speaks in no cited line"


def test_one_cited_line_of_his_is_enough():
    assert why("Omar leaves for Lisbon, and wants to send a postcard.", "Omar", 7, 6) == ""


def test_who_took_no_part_need_not_speak():
    assert why("Felix repaired the oven.", "Felix", 3) == ""


def test_a_speaker_may_be_called_by_a_part_of_his_name():
    lines = [("Ruth Baker", "I moved to the harbour."), ("Omar", "Good.")]
    assert why("Ruth moved to the harbour.", "Ruth", 1, of=source(lines)) == ""
    assert why("Ruth said good.", "Ruth", 2, of=source(lines)) == "Ruth speaks in no cited line"


@for_each("subject", ["user", "I", "用户", "我"])
def test_the_user_is_who_has_the_role(subject):
    lines = [
        SourceLine("I moved to the harbour, 我搬到了码头", "Ruth", "user"),
        SourceLine("The harbour is windy", "assistant", "assistant"),
    ]
    assert judge_support("moved to the harbour", subject, [1], NumberedSource(lines)).why == ""
    spoken = judge_support("the harbour is windy", subject, [2], NumberedSource(lines)).why
    assert spoken == f"{subject} speaks in no cited line"


def test_in_a_file_nobody_speaks():
    lines = [SourceLine("Heat pumps lose power below 5 degrees.", line=12)]
    assert (
        judge_support(
            "Heat pumps lose power in the cold", "Heat pumps", [1], NumberedSource(lines)
        ).why
        == ""
    )


# --- what is cited ---


@for_each(
    ("cited", "reason"),
    [
        ((), "it cites no line"),
        ((0,), "there is no line 0: the source has 8 lines"),
        ((-1,), "there is no line -1: the source has 8 lines"),
        ((1, 9), "there is no line 9: the source has 8 lines"),
        ((1,) * 21, "it cites 21 lines, and one fact may cite 20"),
    ],
)
def test_lines_that_are_not_there_support_nothing(cited, reason):
    support = judge_support("Ruth moved the bakery to the harbour.", "Ruth", cited, source())
    assert support == (0.0, reason)


def test_an_empty_source_supports_nothing():
    assert (
        judge_support("a", "", [1], NumberedSource([])).why
        == "there is no line 1: the source has 0 lines"
    )


@for_each("text", ["", " ", "?!…", "。，！", "\x00", "it is the", "Ruth", "\u200b"])
def test_what_says_nothing_is_not_supported(text):
    assert judge_support(text, "", [1], source()) == (
        0.0,
        "it says nothing that could be looked up",
    )


def test_emoji_and_mixed_languages_are_read():
    lines = [("Ruth", "我用 Python 写了一个天气 app 🌦️🌦️, it runs on the Pi")]
    mixed = source(lines)
    assert why("Ruth 用 Python 写了天气 app 🌦️", "Ruth", 1, of=mixed) == ""
    assert why("Ruth's weather app runs on the Pi, 用 Python 写", "Ruth", 1, of=mixed) == ""
    assert why("Ruth 用 Fortran 写了天气 app", "Ruth", 1, of=mixed) == (
        "the name Fortran is in no cited line"
    )


# --- odd input ---

PARTS = (
    *(
        "Ruth ",
        "not ",
        "n't ",
        "14 ",
        "two thousand ",
        "hundred and ",
        "不",
        "没有",
        "三万",
        "王",
        "和",
    ),
    *(
        "叫",
        "《",
        "》",
        "yesterday ",
        "9 pm ",
        "🌦️",
        ". ",
        "，",
        "\n",
        "1,000",
        "是不是",
        "\u0301",
        "\ud800",
    ),
    *("May ", "周五", "the ", "a.", "’s ", "\x00", "ｆ", "²", "٣"),
)


def steps(run: Callable[[], object]) -> int:
    """How many functions a run calls, those in C among them."""
    count = 0

    def counting(_frame, event, _arg):
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counting)
    try:
        run()
    finally:
        sys.setprofile(before)
    return count


def long_case(part: str, size: int) -> tuple[str, NumberedSource]:
    long = part * (size // len(part))
    lines = NumberedSource([SourceLine(f"Ruth {long}", "Ruth")], "2026-03-05")
    return f"Ruth has not 77 Felix {long}", lines


@for_each("part", PARTS)
def test_long_texts_and_lines_take_steps_linear_in_them(part):
    def judged(size: int) -> int:
        text, lines = long_case(part, size)
        judge_support(text, "Ruth", [1], lines)  # what is compiled and stemmed once
        return steps(lambda: judge_support(text, "Ruth", [1], lines))

    assert judged(4_000) <= 2.2 * judged(2_000) + 100


@for_each("part", PARTS[::8])
def test_a_line_of_100_kb_is_judged(part):
    text, lines = long_case(part, 100_000)
    assert judge_support("Ruth has not 77 Felix", "Ruth", [1], lines).why
    assert judge_support(text, "Ruth", [1], lines).why


TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(PARTS), max_size=30).map("".join))
LINES = st.builds(SourceLine, TEXTS, TEXTS, st.sampled_from(["", "user", "tool"]))
DATES = st.one_of(TEXTS, st.sampled_from(["0001-01-01", "9999-12-31", "yesterday", "in 9 years"]))


@given(
    TEXTS,
    TEXTS,
    st.lists(st.integers(-2, 6), max_size=4),
    st.builds(NumberedSource, st.lists(LINES, max_size=4), DATES),
)
def test_whatever_it_is_given_it_answers(text, subject, cited, given_source):
    support = judge_support(text, subject, cited, given_source)
    assert 0 <= support.share <= 1
    assert (support.why == "") <= (support.share >= 0.3)
    again = judge_support(text, subject, cited[::-1], given_source)
    assert (support.share, bool(support.why)) == (again.share, bool(again.why))
