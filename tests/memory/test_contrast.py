"""Two values of one slot may contradict each other; they end nothing."""

import pytest

from memwiki.judgement.conflicts import judge_conflict
from memwiki.judgement.lexicon import ConflictRules
from memwiki.judgement.near_pairs import conflicts
from memwiki.judgement.similarity import Fact
from memwiki.judgement.statement import statements_of
from tests.effort import for_each


def conflict(old: str, new: str):
    return judge_conflict(Fact(old), Fact(new))


@for_each(
    ("old", "new"),
    [
        ("Eva lives in Shanghai", "Eva lives in Beijing"),
        (
            "Eva lives in Graz, where she rents a flat from a friend of her sister for 700 euros.",
            "Eva lives in Linz now, where she found a house of her own.",
        ),
        ("The lead of the search team is Anna.", "The search team's lead is Bob."),
        ("Alarm code: 3310", "The alarm code was changed to 7725 in May."),
        (
            "The daily export goes to old-share.",
            "Daily exports were rerouted from old-share to x-2.",
        ),
        ("何倩在华为上班。", "何倩已经不在华为工作了。"),
        ("车间里一共装了三台风机。", "车间里总共只有五台风机。"),
        ("The search team is led by Anna", "Bob is the lead of the search team"),
        ("Tom works at Acme", "Tom has joined Globex"),
        ("Use tabs for indentation", "Use spaces for indentation"),
        ("The log file is /var/log/app.log.", "The log file is /srv/log/app.log."),
        ("The staging URL is https://a.example.com", "The staging URL is https://b.example.com"),
        ("Our repo is github.com/acme/shop.", "Our repo is gitlab.com/acme/shop."),
        ("The staging port is 8080.", "I was wrong: the staging port is 8081."),
        ("The staging port is 8080.", "That was wrong, sorry, the staging port is 8081."),
        ("The staging port is 8081, not 8080.", "The staging port is 8082."),
        ("The v1 API is supported.", "The v1 API is deprecated."),
        ("The editor is in beta.", "The editor is generally available."),
        ("测试环境挂了。", "测试环境恢复了。"),
        ("The incident channel is #fire.", "The incident channel is #ops."),
        ("The lead is Bob, and not Ann.", "The lead is Cem."),
        ("测试环境的端口是 8080。", "不对，测试环境的端口是 8081。"),
        ("测试环境的端口是 8080。", "纠正一下：测试环境的端口是 8081，不是 8080。"),
        ("The cache is enabled in production", "In production, the cache is disabled"),
        ("Debug logging is turned on", "Debug logging is turned off"),
        ("The project uses React", "The project has switched to Svelte"),
        ("The door code is 4821", "The door code was changed to 9917"),
        ("The weekly call is at 9 am", "The weekly call moved to 10:30"),
        ("The user's home town is Graz", "My home town is Salzburg"),
        ("Time zone: Berlin", "Time zone: Lisbon"),
        ("负责人是张三", "负责人是李四"),
        ("Run the tests with Jest.", "Run the tests with Vitest."),
        ("Store your secrets in Vault.", "Store your secrets in 1Password."),
        ("The test command is pytest.", "The test command is tox."),
        ("The default branch is master.", "The default branch is main."),
        ("Ben looks after payments.", "Aiko looks after payments."),
        ("Ben waters the plants.", "Aiko waters the plants now."),
        ("Ben works at Acme.", "Ben now works at Bosch."),
        ("Leo has an exam on June 3.", "Leo's exam was moved to July 1."),
        ("小王负责前端。", "小李负责前端。"),
        ("Backups run every night.", "Backups run every week."),
        ("Backups run nightly.", "Backups run every week."),
        ("The session lasts an hour.", "The session lasts 90 minutes."),
        ("备份每晚跑。", "备份每周跑。"),
        ("前端由王芳负责。", "前端由李娜负责。"),
        ("Mia's shift is led by Leo.", "Mia's shift is led by Ann."),
        ("早班由李娜负责。", "早班由张强负责。"),
        ("小李住在芝加哥。", "小李住在波士顿。"),  # no brother
        ("小李住在维也纳。", "小李住在柏林。"),  # not also
        ("公司用无人机送货。", "公司用卡车送货。"),  # not without people
        ("会议室的桌子是不锈钢的。", "会议室的桌子是木头的。"),
        ("我收到了退款。", "我没收到退款。"),  # nothing is confiscated
        ("支出超了预算。", "支出没有超预算。"),
        ("体检有异常。", "体检无异常。"),
        ("账户有限制。", "账户无限制。"),
        ("王强用安卓手机。", "王强换成苹果手机。"),  # a name, no stress
        ("他的婚姻幸福。", "他的婚姻不幸福。"),  # no misfortune
        ("周末有比赛。", "周末无比赛。"),
        ("客户有疑问。", "客户无疑问。"),
        ("前端负责人是张三", "前端现在由李四负责"),
        ("门禁密码是 4821", "门禁密码改成了 9917"),
        ("小王住在上海", "小王上个月搬到了北京"),
        ("我在腾讯上班", "我跳槽到了字节跳动"),
        ("数据库用的是 MySQL", "数据库换成了 PostgreSQL"),
        ("生产环境的缓存已开启", "生产环境关闭了缓存"),
        ("周会在下午三点", "周会改到了下午四点"),
    ],
)
def test_two_values_of_one_slot_are_reported_and_end_nothing(old, new):
    found = conflict(old, new)
    assert found.reasons == ("value",)
    assert not found.supersedes
    assert conflict(new, old) == found


@for_each(
    ("old", "new"),
    [
        ("Anna speaks French", "Anna speaks Spanish"),
        ("I wake up at 7, on weekdays.", "I wake up at 9, on weekends."),
        ("展厅原计划 4 月开放。", "展厅实际上到 6 月才开放。"),
        ("The project uses React and Redux", "The project uses Vue"),
        ("Tom works at Acme", "Tom also works at Globex"),
        ("Tom lived in Paris in 2019", "Tom lives in Berlin"),
        ("Tom used to work at Acme", "Tom works at Globex"),
        ("Tom will move to Rome next year", "Tom lives in Berlin"),
        ("The budget for 2023 is 40 euros", "The budget for 2024 is 55 euros"),
        ("The cache is enabled in production", "The cache is disabled in staging"),
        ("Anna's manager is Bob", "Bob's manager is Anna"),
        ("We use Jira for tickets", "We use Slack for chat"),
        ("The frontend uses React", "The frontend uses TypeScript"),
        ("The call is at 9 am", "The call is at 9:00"),
        ("The call is on Friday", "The call is at 10:00"),
        ("The price is 1,200 euros", "The price is 1200 euros"),
        ("It is raining", "It is cold"),
        ("Tom is a teacher", "Tom is a father"),
        ("My manager is strict", "My manager is Kim"),
        ("Is the lead Anna?", "The lead is Bob"),
        ("The lead is not Anna", "The lead is Bob"),
        ("If the build fails, the lead is Anna", "The lead is Bob"),
        ("Tom likes playing chess on weekends", "Tom likes playing football on weekends"),
        ("Maria visited Rome in 2019", "Maria visited Rome in 2021"),
        ("小王会说法语", "小王会说德语"),
        ("项目用 React 和 Redux", "项目用 Vue"),
        ("项目用 Python", "项目也用 Rust"),
        ("小王以前住在上海", "小王住在北京"),
        ("小王2019年住在上海", "小王住在北京"),
        ("生产环境的缓存已开启", "测试环境的缓存已关闭"),
        ("周会在下午三点", "周会在 15:00"),
        ("今天下雨", "今天很冷"),
        ("负责人是谁？", "负责人是李四"),
        ("负责人不是张三", "负责人是李四"),
        ("我的老板很严格", "我的老板是王总"),
    ],
)
def test_what_may_be_true_beside_the_other_is_not_reported(old, new):
    assert conflict(old, new) is None
    assert conflict(new, old) is None


@for_each(
    ("old", "new"),
    [
        ("We are sailing to Malmo in May.", "The Malmo trip in May is cancelled."),
        ("每周三下午两点开读书会。", "读书会改到四点。"),
        ("The current stable build is 7.2.", "Version 7.3 is the current stable build."),
    ],
)
def test_a_conflict_may_begin_with_other_words(old, new):
    found = judge_conflict(Fact(old), Fact(new))
    assert found is not None
    assert not found.supersedes


def test_facts_of_one_slot_are_at_least_half_alike():
    assert conflict("门禁密码是 4821", "门禁密码改成了 9917").score == pytest.approx(
        0.5 + 0.3 * 0.4
    )
    old, new = Fact("门禁密码是 4821"), Fact("门禁密码改成了 9917")
    assert judge_conflict(old, new, ConflictRules(threshold=0.63)) is None


def test_facts_of_two_subjects_by_their_fields_never_conflict():
    old, new = Fact("The lead is Anna", subject="A"), Fact("The lead is Bob", subject="B")
    assert judge_conflict(old, new) is None


def test_at_once_they_meet_whatever_their_texts_begin_with():
    facts = [
        Fact("The search team is led by Anna"),
        *(Fact(f"User has seen film {number}") for number in range(120)),
        Fact("Bob is the lead of the search team"),
    ]
    assert [(pair.old, pair.new) for pair in conflicts(facts)] == [(0, 121)]


def test_of_a_crowd_with_one_slot_neighbours_are_compared():
    facts = [Fact(f"The door code is {number}") for number in range(1000, 1150)]
    assert {(at, at + 1) for at in range(149)} <= {
        (pair.old, pair.new) for pair in conflicts(facts)
    }


@for_each(
    "part",
    ["is ", "use for ", "moved from ", "a, ", "的", "由", "在", "1:1 ", "never ", "(", "\ud800 "],
)
def test_any_text_is_read(part):
    for count in (1, 20, 30_000):
        statements = statements_of(part * count)
        assert all(word.text for each in statements for word in each.words)


@for_each("text", ["It is put after '*'", "* and is good", "All is good, '"])
def test_a_mark_alone_is_no_clause(ws, text):
    assert ws.entries.add(text).added


def test_who_adds_another_value_is_told_and_both_stay(ws):
    ws.entries.add("The search team is led by Anna")
    ws.sync()
    answer = ws.entries.add("Bob is the lead of the search team")
    assert [each.reasons for each in answer.conflicts] == [("value",)]
    assert not answer.superseded
    assert not answer.near
