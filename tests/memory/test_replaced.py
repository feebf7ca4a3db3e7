"""What is said to be over, to be counted otherwise, or to be done again, and what only looks so."""

from memwiki.judgement.conflicts import judge_conflict
from memwiki.judgement.lexicon import in_base, with_plain_amounts
from memwiki.judgement.similarity import Fact
from tests.effort import for_each


def is_conflict(old: str, new: str) -> bool:
    return judge_conflict(Fact(old), Fact(new)) is not None


def pairs(text: str) -> list[list[str]]:
    return [line.split(" | ") for line in text.strip().splitlines()]


REPLACED = """
Message queue: RabbitMQ | We moved the message queue from RabbitMQ to Kafka.
Invoices are stored in Dropbox. | We store invoices in Nextcloud instead of Dropbox.
Her bike is a Trek. | She traded her Trek for a Canyon last week.
The bundler is Webpack. | We replaced Webpack with Vite.
Rosa drinks oat milk in her coffee. | Rosa switched from oat milk to soy milk.
日志系统：Elasticsearch | 日志系统从Elasticsearch换成了Loki。
公司午餐由美味坊供应。 | 公司午餐把美味坊换成了鲜食家。
年会地点是西湖国宾馆。 | 年会地点由西湖国宾馆改为之江饭店。
妈妈每天喝牛奶。 | 妈妈把牛奶换成了豆浆。
客服电话系统用的是容联。 | 容联已经停用，客服电话系统改用天润。
"""
AMOUNTS = """
The cache TTL is 10 minutes. | Cache TTL: 900 s
The trial period lasts two weeks. | The trial period lasts 30 days.
The marketing budget is 50k dollars. | The marketing budget is 80,000 dollars.
The newsletter goes out every week. | The newsletter goes out once a month.
The upload limit is 500 MB. | The upload limit is 2 GB.
令牌有效期是2小时。 | 令牌有效期：30分钟
学费是3万元。 | 学费是25000元。
报告每周提交一次。 | 报告每天提交一次。
试用期是三个月。 | 试用期是半年。
婚礼预算是8万。 | 婚礼预算是10万元。
"""
HABITS = """
Peter doesn't smoke. | Peter has started smoking again.
Nina plays the violin every evening. | Nina gave up the violin.
Omar can't cook. | Since the course, Omar cooks dinner for everyone.
Lena is a member of the gym. | Lena cancelled her gym membership.
Tom is dating Julia. | Tom and Julia have split up.
爸爸不喝酒。 | 爸爸又开始喝酒了。
小李每天跑步。 | 小李不再跑步了。
奶奶不会用手机支付。 | 奶奶现在会用手机支付了。
陈姐在练瑜伽。 | 陈姐放弃了瑜伽。
我订阅了网易云音乐会员。 | 网易云音乐会员我已经退订了。
"""
BOTH_TRUE = """
The web team moved from npm to pnpm. | The mobile team uses npm.
We moved the message queue from RabbitMQ to Kafka. | RabbitMQ is written in Erlang.
We replaced Webpack with Vite. | Webpack has many plugins.
She traded her Trek for a Canyon last week. | Her brother rides a Trek.
Rosa switched from oat milk to soy milk. | Oat milk costs two euros.
The bundler is Vite. | We replaced Webpack with Vite.
Session timeout is 30 minutes. | Session timeout: 1800 s
The trial period lasts two weeks. | The trial period lasts 14 days.
The budget is 50k dollars. | The budget is 50,000 dollars.
Peter has started smoking again. | Peter smokes.
Nina gave up the violin. | Nina no longer plays the violin.
日志系统从Elasticsearch换成了Loki。 | Elasticsearch的默认端口是9200。
妈妈把牛奶换成了豆浆。 | 牛奶放在冰箱里。
年会地点由西湖国宾馆改为之江饭店。 | 年会地点是之江饭店。
公司午餐把美味坊换成了鲜食家。 | 鲜食家供应公司午餐。
学费是3万元。 | 学费是30000元。
令牌有效期是2小时。 | 令牌有效期是120分钟。
爸爸又开始喝酒了。 | 爸爸喝酒。
前端把npm换成了pnpm。 | 后端用npm。
Rent is 900 euros a month. | Internet costs 30 euros a month.
We moved from Slack to Zulip. | We exported the Slack archive.
"""


@for_each(("old", "new"), pairs(REPLACED + AMOUNTS.lstrip() + HABITS.lstrip()))
def test_what_cannot_both_hold_is_reported_in_either_order(old, new):
    assert is_conflict(old, new)
    assert is_conflict(new, old)


@for_each(("old", "new"), pairs(BOTH_TRUE))
def test_what_may_both_hold_is_not_reported_in_either_order(old, new):
    assert not is_conflict(old, new)
    assert not is_conflict(new, old)


@for_each(
    ("text", "plain"),
    [
        ("20k dollars", "20000 dollars"),
        ("$1.5k", "$1500"),
        ("预算一百二十万元", "预算1200000元"),
        ("预算8万", "预算80000"),
        ("after half an hour", "after 30 minutes"),
        ("半年", "6个月"),
        ("30s", "30 s"),
        ("in the 1990s", "in the 1990s"),
        ("4kids", "4kids"),
    ],
)
def test_an_amount_is_written_out(text, plain):
    assert with_plain_amounts(text) == plain


def test_what_is_counted_in_another_unit_is_one_amount():
    assert in_base("30", "=minute") == in_base("1800", "=second")
    assert in_base("2", "=gigabyte") == in_base("2048", "=megabyte")
    assert in_base("9-10", "=hour") == ("9-10", "=hour")
    assert in_base("3", "=people") == ("3", "=people")
