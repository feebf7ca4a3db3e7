"""What holds beside each other, though much of it is the same: no contradiction is named."""

from memwiki.judgement.conflicts import judge_conflict
from memwiki.judgement.similarity import Fact
from tests.effort import for_each

# What one tells the end of, the other does not speak of.
ANOTHER_END = """
Ada lives in Oslo. | Ada sold her boat in Oslo.
The shop is in Mill Street. | The shop cancelled its cleaning contract in Mill Street.
小孟住在昆明。 | 小孟在昆明卖掉了他的摩托。
老韩在电信上班。 | 老韩戒酒了。
药店在南门。 | 药店换了电话号码。
小梅住在昆明。 | 小梅把大理的房子租出去了。
"""
# The noun that one is said of stands nowhere in the other.
TWO_THINGS = """
网络换成联通的了，每月 89 元。 | 保姆涨工资了，现在每月 5200 元。
拔牙涨价了，现在 338 元。 | 补胎每个 60 元。
Our studio is in Lyon. | Our storage moved to Dijon in May.
The wedding is on 3 June. | The wedding rehearsal is on 1 June.
The cabin costs 700 euros a month. | Firewood for the cabin is 60 euros a month.
We track defects in Jira. | Feature wishes are tracked in Trello.
成人票20元。 | 老年票10元。
"""
# Which of several things is meant stands before it.
TWO_OF_A_KIND = """
The left door is green. | The right door is green.
The north gate opens at 8. | The south gate opens at 8.
左边的门是绿色的。 | 右边的门是绿色的。
冬季轮胎在地下室。 | 夏季轮胎在地下室。
微信群由小周管理。 | 钉钉群由小周管理。
"""
HOW_AND_WHERE = """
Ben works 30 hours a week. | Ben now works at Bosch.
Tom works from home. | Tom works on the search team now.
Hannah got the post in intensive care. | Hannah now works in intensive care.
Leo flies to Rome on June 3. | Leo's exam was moved to July 1.
"""
ORDERS_AND_DUTIES = """
Run the tests before a commit. | Run the linter before a commit.
Send the report to Ann. | Send the invoice to Ann.
Ben reviews the pull requests. | Aiko reviews the designs now.
Ben plays tennis. | Aiko plays tennis now.
The test server is slow. | The test server is old.
The linter is strict. | The linter is flaky.
"""
LEAD_BY_ONE = """
Marketing is headed by Sue. | Sales is headed by Sue.
The morning shift is run by Lea. | The night shift is run by Lea.
前端由小王负责。 | 后端由小王负责。
热水由房东付费。 | 冷水由房东付费。
"""
TWO_PEOPLE = """
Ben is the oldest in the choir. | Benno is the loudest in the choir.
小孟单身。 | 小孟的妹妹已经结婚了。
老韩住在厦门。 | 老韩的父母搬到了泉州。
"""
DECIDED = """
We decided to use gRPC. | We decided to drop Jenkins.
Tests run in Docker. | Tests run on every push.
A mirror is m1.example.com. | A mirror is m2.example.com.
The answer is yes/no. | The answer is left/right.
Prefers email over calls. | Prefers calls over Slack.
"""
PAST = """
The plugin needs Node 18. | The plugin was tested with Node 20.
去年冬天水管坏了。 | 水管正常。
"""
TASTES = """
Prefers long train rides. | Prefers sour apples.
Prefers window seats. | Prefers evening trains.
Prefers tabs. | Prefers tea.
User prefers short commit messages. | Prefers tea.
The user prefers window seats. | The user prefers trains.
Prefers tea. | User prefers the dark mode.
"""
# A part of a name, the thing of a clause before, what happened once, one of several, a stand-in.
OTHER_PARTS = """
Drafts live in docs/api/drafts. | docs/web moved to Hugo 2; the preview has port 3001.
The API preview listens on port 4000. | docs/web moved to Hugo; the preview has port 3001.
libs/ui is owned by Kim now. | Ilya owns libs/db, Bo owns libs/api.
Mia went to the fair with her class. | Mia is in class 4A now.
Mia is back at school. | Mia is now allowed to cycle to school alone.
Leo's milk allergy is gone. | Leo is allergic to peanuts.
Ada Lund took over the till from Tom. | Ada Lund is back at work.
Ada took over payroll from Tom. | Ada is on sick leave; Ravi does payroll until she is back.
"""
# Of what both tell of me, a change ends only what is of one topic with it.
OF_ME = """
我对花生过敏。 | 我改用Mac了。
我会说英语和法语。 | 我改用Mac了。
我的电话是13800138000。 | 我改用Mac了。
我养了一只猫。 | 我不再吃肉了。
我喜欢喝绿茶。 | 我搬到了北京。
我喜欢喝绿茶。 | 我不再喝咖啡了。
我是程序员。 | 我换了新手机。
我的生日是5月3日。 | 我的电话换成了13900139000。
用户吃素。 | 用户把编辑器换成了Emacs。
"""
# A change in something else that somebody does, has or uses.
OF_OTHER_MATTERS = """
I drive a Volvo. | I switched to Linux.
My favourite film is Alien. | I learn Spanish now.
I live in Leipzig. | I eat meat again since New Year.
My new phone number is 0176 9988776. | I eat meat again since New Year.
I use Firefox at work. | I joined the choir.
I use Firefox at work. | I switched to Linux.
I start work at 9. | I quit my job at Bosch.
I speak English and French. | I learn Spanish now.
I live in Leipzig. | We moved the sofa to the cellar.
Anna uses Safari on her phone. | Anna moved to Leipzig in 2024.
Anna is dating Marie. | Anna switched to Linux.
Anna lives in Leeds. | Anna's wedding was moved to October.
Emma is 12. | Emma wears size 28.
小林开一辆比亚迪。 | 小林搬到了杭州。
小林的电话是13800138000。 | 小林不再喝酒了。
小林住在杭州。 | 小林现在每天跑步。
王芳会做蛋糕。 | 王芳上个月升职了。
我换了医生，现在是王医生。 | 我的鞋码是44。
我改名叫李华了。 | 我们家的狗叫旺财。
我现在每天跑步。 | 我每天吃一片降压药。
我女儿叫小明。 | 女儿开始上学了。
网站部署在法兰克福。 | 网站改版了。
王建成会弹钢琴。 | 王建成会拉小提琴。
别克车停在楼下。 | 别克车有导航。
曾居住在上海。 | 现居住在北京。
"""
# What is mine is not somebody else's.
OF_ANOTHER_PERSON = """
My birthday is on May 4. | Emma's birthday is on June 6.
My shoe size is 44. | Emma's shoe size is 28.
我的电话是456。 | 小红的电话是123。
我住在北京。 | 小红住在广州。
小红最喜欢的颜色是蓝色。 | 小明最喜欢的颜色是红色。
"""
# A name, a version or a word of both is what one is about, and something else in the other.
OTHER_SUBJECTS = """
何静管仓库。 | 仓库主管换成了何静,老周去了新加坡。
采购经理换成了杨柳。 | 杨柳不喜欢加班。
讲师是高小雯。 | 小雯感冒了。
5.1 版本推迟到 9 月 3 日上线。 | 6.0 版本定在 11 月。
每个工位每年 500 元。 | 海鸥减到 40 个工位。
小徐不喜欢开会。 | 例会改到周五上午。
上海办公室有 90 个工位。 | 北京办公室扩了一层,工位从 20 个加到了 60 个。
"""
# Of one subject one tells another value than the other has.
OTHER_KINDS = """
蓝鲸标准版每年 300 元。 | 蓝鲸现在的版本是 5.1。
5.1 版本不支持离线。 | 5.1 版本推迟到 9 月 3 日上线。
摘要用的是 Llama。 | 摘要要不要收费,还没定。
语音助手换成了 Whisper。 | 语音助手平均耗时从 8 秒降到 3 秒。
语音助手换成了 Whisper。 | 客户反馈语音助手太慢,平均 9 秒。
春装卖了 3400 件。 | 春装打八折。
海鸥的见面改到 8 月 26 日。 | 海鸥签了两年。
定金五千元 | 定金是5000元
"""
BOTH = "".join(
    (
        OTHER_SUBJECTS,
        OTHER_KINDS,
        OF_OTHER_MATTERS,
        OF_ANOTHER_PERSON,
        ANOTHER_END,
        TWO_THINGS,
        TWO_OF_A_KIND,
        LEAD_BY_ONE,
        HOW_AND_WHERE,
        ORDERS_AND_DUTIES,
        TWO_PEOPLE,
        DECIDED,
        PAST,
        TASTES,
        OTHER_PARTS,
        OF_ME,
    )
)
STILL = """
我用Windows电脑。 | 我改用Mac了。
我住在上海。 | 我搬到了北京。
我喝茶。 | 我改喝咖啡了。
我每天喝咖啡。 | 我不再喝咖啡了。
我喜欢吃牛肉。 | 我不再吃肉了。
我的编辑器是Vim。 | 我把编辑器换成了Emacs。
我的电话是13800138000。 | 我的电话换成了13900139000。
Ada lives in Oslo. | Ada sold her flat in Oslo.
Our studio is in Lyon. | Our studio moved to Dijon in May.
The wedding is on 3 June. | The wedding date is 10 June.
The website uses WordPress. | The website now runs on Ghost.
Priya works for Siemens. | Priya is with Bosch now.
Will lives in Antwerp. | Will has settled in Ghent since the summer.
Rose takes the bus to work. | Rose cycles to work now.
My boss is Tom. | The boss is Lisa.
王芳住在苏州。 | 王芳搬到了无锡。
于伟在腾讯上班。 | 于伟跳槽去了小米。
曾敏住在武汉。 | 曾敏上个月搬去了长沙。
打印机在厨房旁边。 | 打印机搬到二楼了。
后端是Node写的。 | 后端用Go重写了。
房租每月三千五。 | 现在房租一个月四千二。
小周不吃辣。 | 小周现在无辣不欢，顿顿都要放辣椒。
I use Windows. | I switched to Linux.
My phone number is 0151 2345678. | My new phone number is 0176 9988776.
Anna is a nurse. | Anna became a teacher.
备用钥匙在李阿姨那里。 | 备用钥匙放在小张家了。
Our Atlas deadline is May 4. | Atlas's deadline is May 6.
我的老板是王总。 | 老板是李总。
我老家在苏州。 | 老家在杭州。
我们的周会在周一。 | 周会在周三。
我的曾祖父叫张三。 | 曾祖父叫李四。
爸爸退休了。 | 爸爸还在上班。
他每天开车上班。 | 车卖掉之后,他通勤都坐地铁。
小孟还没结婚。 | 小孟去年结婚了。
每周部门例会在周一上午 9 点,地点是二楼。 | 例会改到周四下午 2 点。
蓝鲸标准版定价每年 300 元。 | 标准版从 7 月起涨到每年 360 元。
海鸥的套餐卖 79 元一个月。 | 海鸥降价到每月 59 元。
站会改成每天早上 9:45。 | 站会挪到早上 10 点。
抽样先放 5% 的订单。 | 抽样比例提高到 20%。
支付接口在高峰期会报错。 | 支付接口报错的问题已修复。
决定暂停报表模块的开发。 | 报表模块恢复开发,由小徐负责。
5.1 的上线时间待定。 | 5.1 定在 12 月 10 日上线。
那批零件还没到货。 | 那批零件已经签收了。
Prefers window seats. | Prefers aisle seats.
Prefers tea. | Prefers coffee.
The web preview has port 3000. | docs/web moved to Hugo; the preview has port 3001.
"""


def is_named(pair: str) -> bool:
    old, new = (Fact(text) for text in pair.split(" | "))
    return any(judge_conflict(*facts) for facts in ((old, new), (new, old)))


@for_each("pair", [*filter(None, BOTH.splitlines())])
def test_what_may_both_be_true_is_not_named(pair: str) -> None:
    assert not is_named(pair)


@for_each("pair", [*filter(None, STILL.splitlines())])
def test_what_cannot_hold_beside_each_other_is_named_as_before(pair: str) -> None:
    assert is_named(pair)
