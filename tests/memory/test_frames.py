"""What two statements say of one matter in any order and words, and what only looks so."""

import random

from memwiki.judgement.concepts import with_phrases
from memwiki.judgement.conflicts import judge_conflict
from memwiki.judgement.similarity import Fact
from tests.effort import for_each


def conflict(old: str, new: str):
    return judge_conflict(Fact(old), Fact(new))


@for_each(
    ("old", "new"),
    [
        ("Nils reports to Petra.", "Nils's supervisor is Rosa."),
        ("The lease contract is due on 3 April.", "Deadline for the lease contract: 17 April"),
        ("Our cat Felix weighs 4 kilos.", "Felix, our cat, weighs 6 kg."),
        ("There are five people in the sales group.", "The sales group has seven members."),
        ("Ticket OPS-17 is still open.", "OPS-17 was closed last night."),
        ("Sync is switched on in Vera's client.", "Vera has turned sync off in her client."),
        ("I have never been to Peru.", "I spent a month in Peru in 2018."),
        ("The billing cron job is enabled for all tenants.", "The billing cron job is disabled."),
        ("Never merge into the stable branch.", "Merging into stable is fine."),
        ("Uploading logs is forbidden.", "Everyone may upload logs."),
        ("Jonas is allergic to pollen.", "The test showed that Jonas has no pollen allergy."),
        ("Uncle Max drives an old Fiat.", "Uncle Max sold the Fiat; he takes the bus."),
        ("Dr. Weiss is my vet.", "I no longer go to Dr. Weiss; my vet is Dr. Sommer."),
        (
            "The archive is on the second floor of the annex.",
            "The archive sits on the ground floor of the annex.",
        ),
        ("The tenant pays $40 a month for the garage.", "The garage costs 55 dollars a month."),
        ("They have two children.", "They have three kids."),
        ("测试环境的Kafka端口是9092。", "测试环境Kafka监听9095端口。"),
        ("陈涛的上司是李敏。", "陈涛向赵阳汇报。"),
        ("运维组一共有四个人。", "运维组总共六名成员。"),
        ("我从来没去过新疆。", "2017年我在新疆玩了一周。"),
        ("不要往release分支push代码。", "可以直接push到release分支。"),
        ("导出接口默认返回CSV格式。", "导出接口默认的返回格式是JSON。"),
        ("孙悦在网易上班。", "孙悦已经离开网易，目前就职于滴滴。"),
        ("我喝茶从来不加糖。", "我每次喝茶都要放一块糖。"),
    ],
)
def test_what_excludes_the_other_is_reported_in_any_order(old, new):
    for found in (conflict(old, new), conflict(new, old)):
        assert found
        assert not found.supersedes


@for_each(
    ("old", "new"),
    [
        ("Rolf lives in Norway.", "Rolf lives in Bergen."),
        ("王磊住在四川。", "王磊住在成都武侯区。"),
        ("Ida does not drive at night.", "Ida drives to work."),
        (
            "The copier is not connected to the guest network.",
            "The copier is connected to the lab network.",
        ),
        ("Max Braun is allergic to nuts.", "Max Klein is not allergic to nuts."),
        ("李明对花生过敏。", "李敏对花生不过敏。"),
        (
            "Vera's laptop is a Lenovo with 32 GB of memory.",
            "Vera's phone is a Nokia with 8 GB of memory.",
        ),
        ("Anja owns a bike.", "Anja owns a car."),
        ("The tool can export its data as JSON.", "The tool can export its data as YAML."),
        ("The train to Kiel leaves at 7:40.", "The train back from Kiel leaves at 18:05."),
        ("The front gate code is 2280.", "The back gate code is 7714."),
        ("Room 12 has a projector.", "Room 14 has no projector."),
        ("The library closes at 6 pm.", "The library is open until 18:00."),
        ("Sync is off by default.", "Sync can be turned on by default."),
        ("Greta was born in Graz.", "Greta lives in Linz now."),
        ("Anna has a flat in Kiel.", "Anna lives in Oslo."),
        ("We run Node 18.2.", "Our Node is 18.2.1."),
        ("Service 3 runs Redis.", "Service 4 runs Redis."),
        ("Room 101 seats 20 people.", "Room 102 seats 20 people."),
        ("Short answers are fine.", "Long answers need sources."),
        ("She opens the shop.", "She closes the shop."),
        ("I start work at 8.", "I finish work at 17."),
        ("The plan costs 10 euros a month.", "The plan costs 100 euros a year."),
        ("上半年的目标是五百万。", "下半年的目标是七百万。"),
        ("周涛从网易离职了。", "周涛已经不在网易上班。"),
        ("当前主节点的名字。", "当前备节点的名字。"),
        ("Desktop client fails to render the menu", "Desktop client can't quit"),
    ],
)
def test_what_holds_beside_the_other_is_not_reported(old, new):
    assert not conflict(old, new)
    assert not conflict(new, old)


def test_words_of_one_sense_are_one_word():
    assert with_phrases("nils reports to petra".split()) == ["nils", "reports_to", "petra"]


@for_each("part", ["三楼", "三 ", "八月初三", "is off ", "not ", "两 妈妈", "1.2 "])
def test_any_run_of_words_is_read(part):
    chance = random.Random(5)
    for _ in range(20):
        text = "小何 " + part * chance.randint(1, 40)
        conflict(text, "小何的工位在五楼，妈妈八月十三生日。")
        conflict(f"Jan {text}", "Jan is off by 1.4, not on the third floor.")
