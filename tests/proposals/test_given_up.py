"""What lines set against what they say: what is over, rejected, supposed, or of somebody else."""

from memwiki.proposals.evidence import judge_support
from memwiki.proposals.numbering import NumberedSource, SourceLine
from tests.effort import for_each


def why(line, fact):
    said = SourceLine(line, "Ann", "user", 1, "s-0001", "2026-10-27T08:00:00Z")
    return judge_support(fact, "", [1], NumberedSource([said], "2026-10-27")).why


@for_each(
    ("line", "true", "false"),
    [
        (
            "Maria works at Siemens and Paul works at Bosch.",
            "Paul works at Bosch.",
            "Maria works at Bosch.",
        ),
        ("Dora lives in Bern, Emil in Basel.", "Emil lives in Basel.", "Dora lives in Basel."),
        (
            "My brother plays chess, my sister plays tennis.",
            "Ann's sister plays tennis.",
            "Ann's brother plays tennis.",
        ),
        ("小王在北京，小李在上海。", "小李在上海。", "小王在上海。"),
        ("爸爸喜欢喝茶，妈妈喜欢喝咖啡。", "Ann的妈妈喜欢喝咖啡。", "Ann的爸爸喜欢喝咖啡。"),
        (
            "Iris owns the parser and Jan reviews it.",
            "Jan reviews the parser.",
            "Jan owns the parser.",
        ),
        (
            "Call Vera, not Walter, about the invoice.",
            "Call Vera about the invoice.",
            "Call Walter about the invoice.",
        ),
        ("We picked Postgres instead of Mongo.", "Ann picked Postgres.", "Ann picked Mongo."),
        ("不是周三，是周四开会。", "周四开会。", "周三开会。"),
        (
            "The launch is not on May 5 but on May 9.",
            "The launch is on 2027-05-09.",
            "The launch is on 2027-05-05.",
        ),
        ("I used to live in Lyon, now I live in Nice.", "Ann lives in Nice.", "Ann lives in Lyon."),
        ("Until June the rent was 700, now it is 750.", "The rent is 750.", "The rent is 700."),
        ("以前我住杭州，现在住宁波。", "Ann现在住宁波。", "Ann住杭州。"),
        ("I was a nurse before.", "Ann was a nurse.", "Ann is a nurse."),
        ("I am considering a Kia Niro.", "Ann is considering a Kia Niro.", "Ann has a Kia Niro."),
        (
            "Ben says the office moves to Ulm, but that is wrong.",
            "Ben thinks that the office moves to Ulm.",
            "The office moves to Ulm.",
        ),
    ],
)
def test_the_true_one_is_supported_and_the_false_one_is_not(line, true, false):
    assert why(line, true) == ""
    assert why(line, false) != ""


def test_of_a_page_as_of_a_conversation():
    page = [SourceLine("- Maria works at Siemens and Paul works at Bosch.", line=3)]
    source = NumberedSource(page, title="Memory")
    assert judge_support("Paul works at Bosch.", "", [1], source).why == ""
    assert judge_support("Maria works at Bosch.", "", [1], source).why != ""


@for_each(
    ("line", "fact"),
    [
        ("I fly home on December 3.", "Ann flies home on 2026-12-03."),
        ("The exam is on January 15th.", "The exam is on 2027-01-15."),
        ("We got the keys on Sept 2.", "Ann got the keys on 2026-09-02."),
        ("The lease ends on March 31, 2027.", "The lease ends on 2027-03-31."),
        ("My father's birthday is July 4.", "The birthday of Ann's father is 07-04."),
        ("The demo is at 4 pm on November 12.", "The demo is on 2026-11-12 at 16:00."),
    ],
)
def test_a_day_with_the_month_first_is_the_date_that_is_meant(line, fact):
    assert why(line, fact) == ""
    wrong = fact.replace("-03", "-08").replace("-15", "-16").replace("-09-", "-07-")
    wrong = wrong.replace("03-31", "04-30").replace("07-04", "09-04").replace("11-12", "11-13")
    assert why(line, wrong) != ""
