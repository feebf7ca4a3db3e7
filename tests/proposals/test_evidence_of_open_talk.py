"""What a conversation asks, supposes, holds possible or says is over supports no plain fact."""

from __future__ import annotations

import pytest

from memwiki.proposals.evidence import judge_support
from memwiki.proposals.numbering import NumberedSource, SourceLine


def why(speaker: str, line: str, fact: str) -> str:
    return judge_support(fact, speaker, [1], NumberedSource([SourceLine(line, speaker)])).why


@pytest.mark.parametrize(
    ("speaker", "line", "fact", "reason"),
    [
        ("Ben", "Have you ever been to Paris?", "Ben has been to Paris.", "only ask"),
        ("Ben", "Did you finish the report, by the way?", "Ben finished the report.", "only ask"),
        ("Tom", "Are you allergic to nuts?", "Tom is allergic to nuts.", "only ask"),
        ("小红", "你喜欢吃辣吗？", "小红喜欢吃辣。", "only ask"),
        ("Tom", "Does Bo live in Rome?", "Bo lives in Rome.", "only ask"),
        ("Tom", "Am I allergic to nuts?", "Tom is allergic to nuts.", "only ask"),
        ("小红", "你住在上海吧？", "小红住在上海。", "only ask"),
        ("Ana", "If I get the job I will move to Oslo.", "Ana got the job.", "condition"),
        ("Ana", "If I get the job, I will move to Oslo.", "Ana moves to Oslo.", "condition"),
        ("Mia", "We will deploy on Friday if QA signs off.", "Mia deploys on Friday.", "condition"),
        ("小明", "如果拿到offer，我就去深圳工作。", "小明去深圳工作。", "condition"),
        ("Ana", "We might sell the boat.", "Ana sold the boat.", "leaves out might"),
        ("Lea", "Maybe I'll adopt a cat next year.", "Lea adopted a cat.", "leaves out maybe"),
        ("小明", "我可能会搬到上海。", "小明搬到上海。", "leaves out 可能"),
        ("Ben", "I used to smoke. Now I do not smoke.", "Ben smokes.", "leaves out used to"),
        ("小红", "我以前抽烟，现在不抽了。", "小红抽烟。", "leaves out 以前"),
    ],
)
def test_what_is_not_said_plainly_is_no_fact(speaker, line, fact, reason):
    assert reason in why(speaker, line, fact)


@pytest.mark.parametrize(
    ("speaker", "line", "fact"),
    [
        ("Ana", "If I get the job I will move to Oslo.", "Ana goes to Oslo if she gets the job."),
        ("Ana", "We might sell the boat.", "Ana may sell the boat."),
        ("Ben", "I used to smoke. Now I do not smoke.", "Ben used to smoke."),
        ("Ben", "I used to smoke. Now I do not smoke.", "Ben does not smoke."),
        ("Ben", "I used to smoke.", "Ben smoked."),
        ("Ana", "I love sushi. Do you like sushi?", "Ana loves sushi."),
        ("Ana", "We sold the boat, maybe we should have waited.", "Ana sold the boat."),
        ("Lea", "Did I tell you I got the job in Oslo?", "Lea got the job in Oslo."),
        ("Lea", "I adopted a cat, if you can believe it!", "Lea adopted a cat."),
        ("Tom", "Isn't it crazy that Max won the lottery?", "Max won the lottery."),
        ("Kim", "Is it okay that I put the key under the pot?", "Kim put the key under the pot."),
        ("Mia", "If you need me, I work from home on Mondays.", "Mia works from home on Mondays."),
        (
            "Ann",
            "Can you remember that my favorite color is blue?",
            "Ann's favorite color is blue.",
        ),
        ("Ann", "Could you note my new address, Main Street 5?", "Ann lives in Main Street 5."),
        ("Ann", "The script is used to deploy the app.", "The script deploys the app."),
        ("Ann", "I live in Oslo and I am used to the cold.", "Ann lives in Oslo."),
        ("Ann", "My rent is 900 as of May.", "Ann's rent is 900."),
        ("Ann", "In case you forgot: my birthday is on June 3.", "Ann's birthday is on June 3."),
        ("Ann", "Do you want to see my new house in Rome?", "Ann has a new house in Rome."),
        ("小明", "如果构建失败，就重启运行器。", "构建失败时重启运行器。"),
        ("小明", "周五以前交报告。", "周五前交报告。"),
        ("小明", "请尽可能用中文回答。", "请用中文回答。"),
        ("Ann", "Perhaps I should mention that I am allergic to nuts.", "Ann is allergic to nuts."),
        ("Ann", "It would be great if you used tabs in code.", "Ann prefers tabs in code."),
        ("小明", "你能记住我喜欢蓝色吗？", "小明喜欢蓝色。"),
        ("小明", "我住在北京，你可能知道。", "小明住在北京。"),
        ("小红", "我养了一只猫，你喜欢猫吗？", "小红养了一只猫。"),
        ("小红", "我以前不吃辣，现在很喜欢吃辣。", "小红很喜欢吃辣。"),
    ],
)
def test_what_stands_beside_it_is_said_plainly(speaker, line, fact):
    assert why(speaker, line, fact) == ""
