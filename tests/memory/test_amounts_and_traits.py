"""Another amount of one thing, and another way to be, are reported in whatever words; near misses
are not."""

import random

from memwiki.judgement.conflicts import judge_conflict
from memwiki.judgement.similarity import Fact
from memwiki.judgement.statement import statements_of
from memwiki.judgement.traits import traits_in
from tests.effort import for_each


def conflict(old: str, new: str):
    return judge_conflict(Fact(old), Fact(new)) or judge_conflict(Fact(new), Fact(old))


@for_each(
    ("old", "new"),
    [
        ("The starter plan costs $12 a month.", "Customers pay 15 dollars for the starter plan."),
        ("The metrics database listens on 9200.", "The metrics db listens on 9310 now."),
        ("The train to Graz departs at 7:15.", "We leave to Graz by train at 8:40."),
        ("Mia's birthday is on 3 May.", "Mia was born on 12 August 1990."),
        ("李雷是1988年出生的。", "李雷的出生年份：1991"),
        ("采购合同的截止日期是3月1日。", "采购合同的签署截止日延到了4月9日。"),
        ("Aunt Vera died in 2014.", "Aunt Vera is in good health."),
        ("外公2015年去世了。", "外公今年九十岁，身体很健康。"),
        ("Nora is single.", "Nora's husband teaches chemistry."),
        ("王芳至今单身。", "王芳的丈夫是医生。"),
        ("Emil is an only child.", "Emil's sister studies in Rome."),
        ("赵敏是独生女。", "赵敏的哥哥在北京。"),
        ("Olga has no pets.", "Olga has a small terrier."),
        ("我家没养宠物。", "我家那只橘猫三岁了。"),
        ("Jan has been a vegetarian for years.", "Jan orders the pork ribs every time."),
        ("小林从小吃素。", "小林最爱吃红烧肉。"),
        ("Igor does not drink alcohol.", "Igor has a glass of red wine with dinner."),
        ("老陈戒酒了。", "老陈每晚都喝白酒。"),
        ("Edda never flies anywhere.", "Edda flies to Lisbon twice a month."),
        ("Otto is retired.", "Otto works at the harbour office."),
        ("Lena has no children.", "Lena's son is four."),
    ],
)
def test_what_can_hardly_hold_at_once_is_reported_in_other_words(old, new):
    found = conflict(old, new)
    assert found
    assert not found.supersedes


@for_each(
    ("old", "new"),
    [
        ("The starter plan costs $12 a month.", "Customers pay 15 dollars for the team plan."),
        ("Python 3.10 is supported.", "Python 3.11 is supported."),
        ("The user has seen film 12.", "The user has seen film 14."),
        ("第三章讲安装", "第四章讲使用"),
        ("三月的预算已经批准", "四月的预算已经批准"),
        ("The server has 4 cores.", "The server has 16 gigabytes."),
        ("Mia's birthday is on 3 May.", "Mia's mother was born on 12 August."),
        ("Mia was born on 3 May.", "Mia was born in 1990."),
        ("李雷的生日是5月2日。", "李雷妈妈的生日是6月9日。"),
        ("早会九点开始", "晚会七点开始"),
        ("上半年的目标是五百万。", "下半年的目标是七百万。"),
        ("Nora is single.", "Nora's sister has a husband."),
        ("Jan is a vegetarian.", "Jan's brother orders steak."),
        ("Jan used to be a vegetarian.", "Jan orders steak."),
        ("Igor does not drink alcohol.", "Igor drinks a glass of water."),
        ("Igor does not drink alcohol.", "Vera has a glass of red wine."),
        ("Olga has no pets.", "Olga would like to walk a small terrier if she had time."),
        ("小林从小吃素。", "小林不吃肉。"),
        ("王芳至今单身。", "李芳的丈夫是医生。"),
        ("Emil is an only child.", "Emil has no siblings."),
        ("小王不喝酒。", "小王每天早上喝一杯咖啡。"),
        ("Anna does not eat pork.", "Anna loves chicken."),
        ("Anna is a vegetarian.", "Anna does not eat pork."),
        ("Anna was born in 1990.", "Anna celebrated her 30th birthday in 2020."),
        ("小李不养狗。", "小李养了两只猫。"),
        ("Anna does not fly Ryanair.", "Anna flies to Rome."),
        ("Anna's only child is Ben.", "Anna's brother lives in Rome."),
        ("Anna knows a good vegetarian restaurant.", "Anna loves steak."),
        ("Anna is a vegetarian.", "Anna loves veggie burgers-to-go."),
        ("Anna retired the old API.", "Anna works at Siemens."),
        ("Anna has no children.", "Anna is the daughter of a baker."),
        ("My laptop died yesterday.", "I turned forty last week."),
        ("Emil is an only child.", "Emil's sister-in-law studies in Rome."),
        ("Nora is single.", "Nora's ex-husband lives in Rome."),
        ("Tom's wife works at Acme.", "Tom is single-handedly running the shop."),
        ("I do not drink alcohol.", "I bought a bottle of wine for Anna."),
        ("I am vegetarian.", "I cook chicken for the dog."),
        ("I am vegetarian.", "I like the ham radio club."),
        ("Edda never flies anywhere.", "Edda flew to Rome in 2010."),
        ("Olga has no pets.", "Olga walks a dog from the shelter."),
    ],
)
def test_what_may_hold_beside_the_other_is_not_reported(old, new):
    assert not conflict(old, new)


def test_a_denial_counts_before_what_it_denies():
    [said] = statements_of("Olga has no pets.")
    assert {side for side, _ in traits_in(said.text).values()} == {0}


@for_each("part", ["is single ", "8:15 ", "没", "不吃", "never ", "glass of "])
def test_any_run_of_words_is_read(part):
    chance = random.Random(3)
    for _ in range(20):
        text = "Jan " + part * chance.randint(1, 60)
        conflict(text, "Jan orders steak at 8:20.")


def test_a_memory_that_is_read_again_is_the_same_one():
    text = "Olga moved to Graz, and her sister sells hats."
    first, before = statements_of(text), statements_of.cache_info().misses
    assert statements_of(text[:5] + text[5:]) is first
    assert statements_of.cache_info().misses == before
