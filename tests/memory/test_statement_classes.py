"""What people say when something has changed, class by class, and what only looks like it."""

from itertools import chain

from memwiki.judgement import concepts
from memwiki.judgement.clauses import clauses_of
from memwiki.judgement.conflicts import judge_conflict
from memwiki.judgement.near_pairs import conflicts
from memwiki.judgement.similarity import Fact
from tests.effort import for_each

CHANGED = {
    "another clause": [
        ("The gym lies on Oak Road.", "We had bad luck, the gym lies on Elm Road."),
        ("Rita is allergic to pollen.", "The result came today, Rita is not allergic to pollen."),
        ("Jo drives a Fiat Panda.", "Jo sold the Panda; she rides a Vespa these days."),
        ("舅妈对花粉过敏。", "检查结果出来了，舅妈对花粉不过敏。"),
        ("老周每晚喝酒。", "老周身体不好，不喝酒了。"),
    ],
    "what it was before": [
        ("We keep recipes in Evernote.", "We moved our recipes from Evernote to Obsidian."),
        ("Use yarn to start the app.", "Use bun instead of yarn to start the app."),
        ("菜谱放在印象笔记。", "菜谱从印象笔记迁到了语雀。"),
    ],
    "somebody else": [
        ("Nora is the captain of the team.", "Piet is the captain of the team."),
        ("Lotta waters the plants.", "The plants are watered by Emil."),
        ("Karl chairs the club.", "The club is chaired by Ilse now."),
        ("张老师是三班的班主任。", "三班的班主任是李老师。"),
    ],
    "an end": [
        ("Milo smokes a pipe.", "Milo quit smoking in May."),
        ("I go to the choir on Mondays.", "I stopped going to the choir."),
        ("Vera works at Nokia.", "Vera left Nokia and is at a bank now."),
        ("大伯抽烟。", "大伯戒烟了。"),
        ("I'm a smoker.", "not a smoker anymore btw, I run these days"),
        ("Parking in the yard is allowed.", "Nobody is allowed to park in the yard any more."),
        ("Pia drives a blue van.", "Pia sold the van and only rides a moped."),
    ],
    "an amount": [
        ("Guests may stay for two weeks.", "Guests may stay for three weeks."),
        ("The exam is on March 3.", "The exam is on March 13."),
        ("The kiosk opens at 7.", "The kiosk opens at 6:30."),
        ("The gate is green.", "The gate is grey since the repair."),
        ("Backups run nightly.", "Backups run weekly."),
        ("考试在3月3日。", "考试改到了3月13日。"),
        ("大门是绿色的。", "大门是灰色的。"),
    ],
    "a state": [
        ("The lift is broken.", "The lift works again."),
        ("Push alerts are turned on.", "Push alerts are turned off."),
        ("The bill for May is unpaid.", "The bill for May is paid."),
        ("The invoice is unpaid.", "The invoice is paid."),
        ("`verbose` is set to 1.", "`verbose` is set to 3."),
        ("电梯坏了。", "电梯修好了。"),
        ("Floor heater h_2 is off for guests.", "ok h_2 is now turned on for all guests"),
        ("Case 7-B is still open and nobody looks at it.", "Case 7-B was closed yesterday."),
        ("接口超时那个bug到现在还没修。", "接口超时的bug已经修好了，测试也跑过了。"),
        ("小金目前单身。", "小金上周刚领的证，办得很热闹。"),
        ("植物园周三闭馆。", "植物园周三开放。"),
    ],
    "a thing": [
        ("The user's car is a Fiat Punto.", "The user's car is a Seat Ibiza."),
        ("The mascot is a beaver.", "The mascot is a heron."),
        ("I prefer rye bread.", "I prefer white bread."),
        ("She attends Hill School.", "She attends Lake School."),
        ("我妹妹的男朋友是阿强。", "我妹妹的男朋友是阿杰。"),
        ("妈妈的医生是孙大夫。", "妈妈的医生是钱主任。"),
        ("The club captain is Ilse.", "Marek is the club captain."),
        ("小方住在广州天河。", "小方住在杭州西湖。"),
        ("点早饭默认要豆浆。", "点早饭默认要牛奶。"),
        ("报表用的是 Tableau。", "报表用的是 Superset。"),
    ],
}
BOTH_TRUE = {
    "several": [
        ("The shop sells cheese.", "The shop sells bread."),
        ("Jens works with Ruth.", "Jens works with Omar."),
        ("The form asks for the street.", "The form asks for the town."),
        ("The site supports Firefox.", "The site now supports Safari."),
        ("The proxy listens on port 80.", "The proxy listens on port 81 as well."),
        ("出发前要检查轮胎。", "出发前要检查刹车。"),
        ("The captain is Ilse.", "The goalkeeper is Marek."),
        ("儿子周二学小提琴。", "儿子周六学游泳。"),
    ],
    "what happened": [
        ("Tine won the first prize at school.", "Tine won the second prize at school."),
        ("Tine ran a race in Bonn.", "Tine ran a race in Mainz."),
    ],
    "something else of it": [
        ("The hut has 12 beds.", "The barn has 20 beds."),
        ("The talk is given by Dr. Hahn.", "The talk is given in French."),
        ("My dog is a poodle.", "My dog is afraid of thunder."),
        ("训练机的显卡是 A100。", "训练机的网卡是 10G。"),
        ("我的社保在杭州。", "我的公积金在宁波。"),
    ],
    "another thing": [
        ("Seat 12 is taken.", "Seat 14 is not taken."),
        ("Eva likes green tea.", "Eva likes black tea."),
        ("In chat she prefers short answers.", "In reports she prefers long answers."),
    ],
    "lists": [
        ("Add tests for the lexer.", "Add tests for the writer."),
        ("Border Style: Hover", "Border Style: Click"),
        (
            "Header 1 Font Size: the size in pixels of it",
            "Header 2 Font Size: the size in pixels of it",
        ),
        ("[[no-tabs|No Tabs]]", "[[tabs|Tabs]]"),
        ("Menu Icon", "Menu No Icon"),
        ("Page index not working", "Page index"),
        ("Block names no longer show the type", "Block names should be able to wrap"),
        ("$a$ is the number of rows", "$b$ is the number of columns"),
    ],
}


@for_each(("old", "new"), chain.from_iterable(CHANGED.values()))
def test_a_change_is_reported_and_ends_nothing(old, new):
    found = judge_conflict(Fact(old), Fact(new))
    assert found is not None
    assert not found.supersedes
    assert judge_conflict(Fact(new), Fact(old)) == found


@for_each(("old", "new"), chain.from_iterable(BOTH_TRUE.values()))
def test_two_true_facts_are_not_reported(old, new):
    assert judge_conflict(Fact(old), Fact(new)) is None
    assert judge_conflict(Fact(new), Fact(old)) is None


def test_each_clause_has_the_subject_that_it_leaves_out():
    assert clauses_of("Jo sold the Panda; she rides a Vespa", is_chinese=False) == (
        "Jo sold the Panda",
        "Jo rides a Vespa",
    )
    assert clauses_of("Ann has moved out and now rents in Rome", is_chinese=False) == (
        "Ann has moved out",
        "Ann rents in Rome",
    )
    assert "老周不喝酒了" in clauses_of("老周的身体不好，不喝酒了", is_chinese=True)


@for_each(
    "text",
    [
        "In March, the shop is closed",
        "Dr. Hahn teaches at St. Anne's",
        "She wants long, full answers",
    ],
)
def test_a_time_a_title_and_two_adjectives_are_no_clauses(text):
    assert clauses_of(text, is_chinese=False) == ()


def test_a_list_of_changes_has_no_conflicts():
    items = (
        "Fix the menu",
        "Fix the menu not opening",
        "Show the menu on hover",
        "Menu is faster now",
    )
    assert [*conflicts([Fact(item) for item in items])] == []


def test_each_chinese_word_that_is_found_has_one_sense():
    sensed = [(word, at) for form, at in concepts._ZH_FIRST for word in concepts._spellings(form)]
    assert len({word for word, _ in sensed}) == len(sensed)
    everything = "。".join(word for word, _ in sensed)
    found = [match[0] for match in concepts.ZH_RELATIONS.finditer(everything)]
    # But for those that stand only beside a figure or another word.
    assert len(found) > len(sensed) - 20
    assert {*found} <= concepts.ZH_RELATION_OF.keys()
    assert [match[0] for match in concepts.ZH_RELATIONS.finditer("他住在每个月的小时")] == [
        "住",
        "每个月",
        "小时",
    ]
