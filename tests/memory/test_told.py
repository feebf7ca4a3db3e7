"""What one text tells to have changed in what another says, in whatever words; and what only looks
like it."""

from memwiki.judgement.conflicts import judge_conflict
from memwiki.judgement.similarity import Fact
from tests.effort import for_each

CHANGED = """
Team news is shared in Slack. | Everybody has moved over to Zulip for chat.
Our recipes live on GitHub. | All repositories were migrated to a GitLab of our own.
Rolf smokes two cigars a week. | Rolf stopped smoking in spring.
The shop site uses Drupal. | The shop site now runs on Hugo.
Head of sales is Rita Blum. | Rita Blum was succeeded as head of sales by Karl Ott.
Prod k8s nodes run in eu-north. | The production Kubernetes nodes were moved to eu-south.
Lease term for the router is 30 seconds. | Router lease term: 2 minutes.
The spare wheel hangs in the shed. | The spare wheel is at Ida's, no longer in the shed.
Retro notes are written daily. | The retro notes are now written weekly.
Works as a waiter at the Ritz. | Quit waiting last month and now teaches music.
Grandpa still drives himself to town. | Grandpa gave up his licence last year.
Tim can't juggle. | After a week of lessons Tim juggles four balls.
Eva takes her tea with lemon. | Eva takes her tea black.
The viva is in room A12. | The viva will be held in room C7.
Prefers green tea. | Prefers black tea now, not green.
The parser is MIT licensed. | The parser is released under BSD, not MIT.
Likes very hot curry. | Can't stand hot curry.
pin for the bike shed: 7731 | bike shed pin is 4402
合同放在 Gitee 上。 | 所有仓库已全部搬到自建的 GitLab，原平台停用。
默认语言：英文 | 用户已把默认语言改成中文。
财务总监是马兰。 | 马兰已卸任财务总监，由高明接任。
写文档我一直用语雀。 | 语雀我不用了，文档都写在飞书里。
"""
BOTH_TRUE = """
Tom moved from Berlin to Hamburg. | Tom loves Berlin.
小李早上跑步。 | 小李晚上跑步。
Jo meditates in the morning. | Jo meditates in the evening.
Renamed branch dev to develop. | The branch main is protected.
Server db1 runs Postgres 15. | Server db1 was moved to rack 4.
The mobile team chats in Slack. | The support team moved to Discord.
客服组用钉钉。 | 研发组换成了飞书。
We dropped support for IE11. | We support Firefox and Chrome.
Our bugs are tracked in Linear. | We moved our bugs from Jira to Linear.
工单 1187 关闭了。 | 工单 1187 已经处理完并关闭。
孙倩出生在西安。 | 孙倩现在在北京生活。
Ida works with Nora. | Ida works with Jamal.
Sam is reading Dune. | Sam is reading Emma.
The hall is booked from 9 to 10 by Sales. | The hall is booked from 14 to 15 by Legal.
Tim skis in winter. | Tim also skis on glaciers now.
"""


def pairs(table):
    return [line.split(" | ") for line in table.strip().splitlines()]


@for_each(("old", "new"), pairs(CHANGED))
def test_a_told_change_is_reported_in_either_order_and_ends_nothing(old, new):
    for pair in ((old, new), (new, old)):
        found = judge_conflict(*map(Fact, pair))
        assert found is not None
        assert not found.supersedes


@for_each(("old", "new"), pairs(BOTH_TRUE))
def test_what_may_both_hold_is_no_told_change(old, new):
    assert judge_conflict(Fact(old), Fact(new)) is None
    assert judge_conflict(Fact(new), Fact(old)) is None
