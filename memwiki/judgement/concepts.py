"""Words of one sense, for all judges of statements: what somebody has one of, and what is or is
not.

A word of a statement that stands here is read as its concept: who is employed works, whoever
reports to somebody has a boss.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from memwiki.index.keyword.tokens import query_terms, stem
from memwiki.records import NamedTuple
from memwiki.text import pattern

IDEA = "="  # a word for a concept begins so

# Of each there is one at a time: the concept, its English words, its Chinese ones.
_RELATIONS = """
home: live lives living lived reside resides residing based apartment flat house home moved \
relocated settled_in settled_down | 住 搬 定居 安家 生活
work: work works working job joined hired employed employer employs | 上班 工作(?!日|区|台) 就职 \
跳槽 入职 离职 任职 供职 打工
boss: reports_to report_to manager boss supervisor supervises superior line_manager answers_to | \
直属上级 直属领导 直属 上级 上司 汇报 顶头
lead: lead leads led leader head heads headed belongs_to maintain maintains maintained maintainer \
owner owns owned ownership responsible in_charge runs_the managed_by run_by leadership handles \
handled handles_the looks_after looked_after takes_care_of coordinates supervises organises \
organizes moderates manages | 负责人? 带领 领导 牵头 (?<![水血吸主保油气])管(?!理|道|家|子|线)
name: name named names we_call known_as goes_by nickname is_called are_called | 名字 姓名 名叫 \
名为 改名
deadline: due deadline submit submitted hand_in handed_in turned_in cutoff closing_date \
no_later_than | 截止日期 截止日 截止时间 截止 截稿 期限 最晚 最迟 提交 上交 要交 (?<=[前日号])交 \
交稿
birth: born birthday birth_date date_of_birth birth_year birth | 生日 出生日期 出生年份 出生 生于
age: age aged years_old year_old | 岁 年龄
password: password passcode code passphrase pin | 密码 口令 门禁码 开门码
port: port listen listens listening reachable reached connect connects connection connections | \
端口 监听
call: phone telephone hotline phone_number call reach cell_phone | 手机号码? 电话号码? 电话 \
联系方式 手机尾号
price: cost costs price priced fee charge charges charged pay pays paid_for rent_is | 价格 费用 \
售价 单价
salary: salary earns wage | 工资 薪水 月薪 年薪
weight: weighs weigh weight | 体重 重量
height: height tall | 身高
dentist: dentist dentists | 牙医
doctor: doctor physician gp | 医生 大夫
school: attends kindergarten primary_school | 就读 读书 上学 念书 转学
hosting: hosted runs_on runs_in running_in deployed deploys_to hosts served_from | 部署 托管 托管于
written: written_in built_with built_in coded_in implemented_in programmed_in \
rewritten_in rewriting_in | 编写 写的 \
开发语言
leave: leave leaves leaving depart departs departure takes_off take_off takeoff | 起飞 出发 离港 \
发车
fly: fly flies flight flights | 航班 班机 飞往 飞(?!书|机|行)
arrive: arrive arrives arrival lands landing touches_down | 到达 抵达 降落 落地
begin: start starts begin begins kicks_off | 开始
finish: ends finish finishes | 结束
held: held takes_place take_place happens venue takes_places | 举办 举行 召开 地点
located: located sits lies situated is_stored | 位于 坐落 设在
keep: kept keep retention retained retain stay stays retains retaining | 保留 留存 保存
limit: limit limited up_to at_most maximum max capped cap | 上限 最多 最大 限制为?
least: at_least minimum min required_version | 至少 最低 起码
people: people members persons employees headcount engineers colleagues | 人(?!工|民|事|员|气) \
名成员 名员工 位同事 口人 个人 成员 员工
api: api apis | (?<![a-z])api(?![a-z]) 接口
allergy: allergic allergy allergies allergen | 过敏
kids: child children kid kids | 孩子 小孩 娃
format: format formats formatted_as | 格式
timeout: timeout time_out times_out timing_out | 超时时间 超时
expiry: expire expires expiry expiration valid_until runs_out ttl | 到期 过期时间 有效期
backup: backup backups back_up backed_up | 备份
memory: ram memory | 内存
version: version versions upgraded_to | 版本
database: database databases db | 数据库
repository: repository repositories repo codebase | 仓库 代码库
production: production prod | 生产环境 线上 生产
staging: staging stage_environment pre_production preprod | 预发环境 预发布?
test: testing qa_environment | 测试环境
budget: budget budgets | 预算
editor: editor ide | 编辑器
blood: blood_type blood_group blood | 血型 (?<=[ABO])型血
branch: branch | 分支
floor: floor storey | 楼层 楼 层
approval: approval approvals approve approves approving reviewers reviewer sign_off signs_off \
signed_off sign-off | 审核 审批 批准 approve
kilo: kg kilo kilos kilograms kilogram | 公斤 千克
minute: min mins minute minutes | 分钟
second: sec secs second_s seconds | 秒钟?
hour: hours hour hrs | 个?小时
month: month months per_month a_month each_month every_month | 个月 月租
week: week weeks | (?<=[\\d一两三四五六七八])周
year: year years | (?<=[一两三四五六七八九十])年
euro: euro euros eur | 欧元
dollar: dollar dollars usd bucks | 美元
landlord: landlord landlady | 房东
vet: vet veterinarian | 兽医
therapist: therapist psychologist | 心理医生 咨询师
lawyer: lawyer attorney solicitor | 律师
accountant: accountant bookkeeper | 会计
coach: coach trainer | 教练
mentor: mentor advisor adviser tutor | 导师
form_teacher: form_teacher homeroom_teacher class_teacher | 班主任
captain: captain | 队长
chair: chair chairs chaired chairman chairwoman | 主席
chief: ceo chief_executive | 总经理
contact: contact contact_person point_of_contact | 联系人 对接人
duty: on-call on_call rota | 值班
address: address | 地址 住址
domain: domain url hostname | 域名 网址
region: region availability_zone | 地域 可用区
timezone: timezone time_zone | 时区
license: license licence licensed | 许可证 开源协议
framework: framework | 框架
packager: package_manager | 包管理工具 包管理器
major: major majors majoring | 主修
desk: desk | 工位 座位
rise: wakes_up wake_up gets_up get_up | 起床
sleep: goes_to_bed go_to_bed bedtime | 睡觉 上床 就寝
interval: interval frequency | 频率 间隔
cores: cpu cpus cores core |
disk: disk disks storage ssd | 硬盘 磁盘
docs: docs documentation | 文档
config: config configuration |
pull: pull_request pull_requests pr prs merge_request merge_requests | 合并请求
login: login log_in logging_in logs_in sign_in signing_in | 登录 登陆
release: release releases launch launches rollout go_live goes_live | 发布 发版
email: email e-mail | 邮箱
wifi: wifi wi-fi wlan | 无线网
car: car vehicle | 汽车 座驾
gigabyte: gb gigabytes gigabyte |
megabyte: mb megabytes megabyte |
day: day days | (?<=[\\d一两三四五六七八九十])天
percent: percent % |
yuan: yuan rmb | 元 块钱? 人民币
meeting: meeting meetings meets sync standup stand-up | 会议(?!室) 例会 开会
"""

# What is, and after the bar between blanks what is not: in English, then in Chinese.
_SIGNED = """
on: enabled enable enables active activated activate turned_on switched_on running open opened \
reopened reopens ; 开启 启用 打开 开着 激活 开放 营业 开门 处理中 进行中 | disabled disable \
disables deactivated inactive turned_off switched_off shut_off closed shut filled ; 关闭 \
禁用 停用 关着 关掉 关了 是关的 下线 闭馆 关门 歇业 停业
fixed: fixed fix repaired resolved solved ; 正常 修好 修复 修了 修 已解决 解决 恢复 | broken \
crashes_on ; 坏了 故障 维修 停运 (?<=[务页站口器境])挂了
done: done finished completed delivered launched shipped merged signed signature_received \
over granted wrapped_up ; \
已完成 完成 签收 上线 做完 | pending waiting blocked in_progress in_transit underway unsigned \
ongoing unfinished under_construction ; \
待处理 在路上 测试中 没做
allowed: allowed allow allows permitted fine ok may okay encouraged ; 允许 准许 可以 | forbidden \
prohibited banned disallowed not_ok ; 严禁
public: public publicly ; 公开 | private confidential ; 私有 保密
required: required mandatory compulsory requires needs need needed must requirement ; 必填 必须 \
必需 必选 强制 需要 | optional voluntary lifted waived ; 选填 可选 自愿
long: long detailed verbose ; 详细 | short brief concise ; 简短 简洁
dark: dark ; 深色 暗色 | light ; 浅色 亮色
manual: manual manually by_hand ; 手动 人工 手工 | automatic automatically automated auto ; 自动
full_time: full-time full_time ; 全职 | part-time part_time ; 兼职
free: free free_of_charge ; 免费 不要钱 不收费 | paid charged ; 收费 付费
married: married husband wife spouse wedding ; 已婚 结婚 结了婚 丈夫 妻子 老公 老婆 婚礼 领证 \
领了证 领的证 | unmarried divorced divorce ; 单身 未婚 离婚 离异
encrypted: encrypted ; 加密 | unencrypted plaintext ; 明文
remote: remote remotely ; 远程 居家办公 | onsite on-site on_site ; 现场 到岗
visible: visible shown displayed ; 显示 可见 | hidden invisible ; 隐藏
locked: locked ; 锁定 | unlocked ; 解锁
online: online ; 在线 | offline ; 离线 掉线
approved: approved accepted passed ; 通过 | rejected declined failed ; 驳回 拒绝
full: sold_out out_of_stock fully_booked ; 售罄 缺货 订满 | in_stock ; 有货 有位
published: published ; 已发表 | unpublished draft ; 草稿
available: available ; 可用 | unavailable ; 不可用
supported: supported ; | deprecated unsupported ; 已弃用 已废弃
beta: in_beta ; 内测 公测 | generally_available ; 正式发布
valid: valid ; 有效 | expired invalid lapsed ; 失效 已经过期 已过期 过期了
liked: like likes love loves fond keen enjoy enjoys adore adores ; 喜欢 | hate hates dislike \
dislikes detest detests loathe loathes ; 讨厌 厌恶
"""

# The same of what is only told by a sentence that says that it is so: the soft chair is another.
_QUALITIES = """
cheap: cheap inexpensive affordable ; 便宜 | expensive pricey costly ; (?<=[很太挺])贵
fast: fast quick ; (?<=[很太挺])快 | slow sluggish ; (?<=[很太挺])慢
quiet: quiet silent ; 安静 | noisy loud ; (?<=[很太挺])吵 嘈杂
stable: stable reliable ; 稳定 | unstable flaky unreliable ; 不稳
sharp: sharp ; 锋利 | blunt ; (?<=[很太挺])钝
clean: clean tidy ; 干净 整洁 | dirty messy filthy ; (?<=[很太挺])脏
easy: easy simple ; 容易 (?<=[很太挺])简单 | difficult complicated ; (?<=[很太挺])难 复杂
soft: soft ; (?<=[很太挺])软 柔软 | hard firm ; (?<=[很太挺])硬 坚硬
interesting: interesting exciting ; 有意思 有趣 | boring dull ; 无聊
wide: wide ; (?<=[很太挺])宽 | narrow ; (?<=[很太挺])窄
safe: safe ; 安全 | unsafe dangerous ; 危险
current: up_to_date ; 最新 | outdated out_of_date obsolete stale ; 过时 过期的
empty: empty ; 是空的 | full ; 是满的 装满
warm: warm hot ; (?<=[很太挺])热 | cold chilly ; (?<=[很太挺])冷
correct: correct right ; 正确 | wrong incorrect ; 错误
friendly: friendly polite ; 友好 | unfriendly rude ; 粗鲁
healthy: healthy ; 健康 | ill sick unwell ; 生病
"""


# Of each line somebody has one for one end: the kind, its words, its Chinese ones.
_CLASSES = """
language: english german french spanish italian portuguese dutch polish russian chinese mandarin \
cantonese japanese korean turkish arabic swedish danish norwegian finnish czech greek hindi | \
中文 英文 英语 汉语 普通话 粤语 日语 日文 法语 德语 韩语 俄语 西班牙语 繁体 简体
code: python java javascript typescript kotlin swift rust golang ruby php scala elixir perl \
fortran cobol c++ c# |
format: json xml yaml toml csv tsv parquet protobuf avro markdown asciidoc html | 纯文本
database: mysql postgres postgresql sqlite mariadb mongodb oracle cassandra dynamodb cockroachdb \
tidb |
packager: npm yarn pnpm bun pip poetry uv conda pipenv |
indent: tab tabs space spaces | 空格 制表符 tab
part: morning afternoon evening noon night midday mornings afternoons evenings nights | 上午 下午 \
早上 晚上 中午 傍晚 凌晨
transport: car bus train bike bicycle tram metro subway scooter ferry underground | 地铁 公交 \
自行车 骑车 开车 打车 步行 走路 高铁 火车 飞机 电动车
degree: celsius fahrenheit | 摄氏度? 华氏度?
chat: slack mattermost discord zulip telegram whatsapp teams | 钉钉 飞书 企业微信 微信 企微
forge: github gitlab gitee bitbucket gitea |
ci: jenkins circleci buildkite travis teamcity |
tracker: jira linear trello asana youtrack redmine notion confluence | 禅道
editor: vim neovim emacs vscode sublime intellij pycharm helix nano |
shell: bash zsh fish powershell |
cloud: aws azure gcp heroku netlify vercel cloudflare hetzner digitalocean | 阿里云 腾讯云 华为云
browser: firefox chrome safari brave |
drink: tea coffee espresso latte cappuccino americano decaf | 美式 拿铁 卡布奇诺 摩卡
level: debug info warn warning error trace |
season: spring summer autumn winter | 春天 夏天 秋天 冬天 春季 夏季 秋季 冬季
side: left right | 左边 右边 左侧 右侧
rate: | 每天 每日 每晚 每小时 每周 每星期 每个?月 每季度 每年
compass: north south east west northern southern eastern western | 朝南 朝北 朝东 朝西
firm: | 腾讯 阿里 百度 字节 美团 华为 小米 京东 网易 滴滴 拼多多 快手
town: | 北京 上海 广州 深圳 杭州 南京 苏州 成都 重庆 武汉 西安 天津 长沙 厦门 青岛 大连 宁波 郑州 \
合肥 福州 昆明 三亚 香港 台北 高雄 东京 大阪 伦敦 巴黎 纽约 首尔
"""


# Two words, or what stands around a Chinese one.
_NO_WORD = pattern(r"\S*_\S*|\(\S*?\)")


class Concept(NamedTuple):
    """What a word stands for: `text` begins with a sign no word has; "" of a mere sign."""

    text: str
    line: str = ""  # of what is or is not
    sign: int = 0  # 1 or -1


def _rows(table: str) -> Iterator[tuple[str, str]]:
    for row in table.strip().splitlines():
        name, _, words = row.partition(": ")
        yield name, words


def _read() -> Iterator[tuple[str, str, Concept]]:
    """English words, Chinese words, and what they stand for."""
    for name, words in _rows(_RELATIONS):
        english, _, chinese = words.partition("|")
        yield english, chinese, Concept(f"{IDEA}{name}")
    for name, words in (*_rows(_SIGNED), *_rows(_QUALITIES)):
        for sign, side in zip((1, -1), words.split("|"), strict=True):
            english, _, chinese = side.partition(";")
            yield english, chinese, Concept("", name, sign)


CLASSES: Mapping[str, str] = {
    word.removesuffix("?"): name
    for name, words in _rows(_CLASSES)
    for word in words.replace("|", " ").split()
}
_ALL = tuple(_read())
RELATIONS: Mapping[str, str] = {
    word: concept.text for english, _, concept in _ALL if concept.text for word in english.split()
}
SIGNS: Mapping[str, tuple[str, int]] = {
    word: (concept.line, concept.sign)
    for english, _, concept in _ALL
    if concept.line
    for word in english.split()
}
QUALITIES = frozenset(name for name, _ in _rows(_QUALITIES))


@cache
def words_for(idea: str) -> frozenset[str]:
    """The index's terms of the words that stand for a concept, of each one a word by itself."""
    found = [f"{en} {zh}" for en, zh, concept in _ALL if concept.text == idea]
    return frozenset(query_terms(_NO_WORD.sub(" ", " ".join(found))))


_PHRASES: dict[str, list[tuple[str, ...]]] = {}
for _word in sorted((*RELATIONS, *SIGNS), key=len, reverse=True):  # the longest first
    if "_" in _word:
        _parts = tuple(_word.split("_"))
        _PHRASES.setdefault(_parts[0], []).append(_parts)


def with_phrases(words: list[str]) -> list[str]:
    """The words, those that are of one sense together as one: reports_to."""
    if _PHRASES.keys().isdisjoint(words):
        return words
    found: list[str] = []
    at = 0
    while at < len(words):
        size = next(
            (
                len(parts)
                for parts in _PHRASES.get(words[at], ())
                if tuple(words[at : at + len(parts)]) == parts
            ),
            1,
        )
        found.append("_".join(words[at : at + size]))
        at += size
    return found


def _spellings(form: str) -> Iterator[str]:
    """The words that a form of a Chinese one finds: without what may not stand around it, and with
    and without a character that may be missing."""
    before, mark, after = re.sub(r"\(.*?\)", "", form).partition("?")
    yield before + after
    if mark:
        yield before[:-1] + after


def _one_of(forms: Iterable[str]) -> re.Pattern[str]:
    """The first of these forms that fits. They are tried where a word of one may begin alone:
    hundreds of them at each character take milliseconds a text (2026-11-30)."""
    forms = list(forms)
    beginnings = {word[0] for form in forms for word in _spellings(form)}
    return pattern(f"(?=[{''.join(sorted(beginnings))}])(?:{'|'.join(forms)})")


_ZH_RELATIONS = [(chinese.split(), concept.text) for _, chinese, concept in _ALL if concept.text]
_ZH_RELATIONS += [([word], word) for word in CLASSES if not word.isascii()]
_ZH_FIRST = sorted(
    ((word, at) for at, (words, _) in enumerate(_ZH_RELATIONS) for word in words),
    key=lambda pair: -len(pair[0]),
)
ZH_RELATIONS = _one_of(form for form, _ in _ZH_FIRST)
ZH_RELATION_NAMES = tuple(text for _, text in _ZH_RELATIONS)
ZH_RELATION_OF = {word: at for form, at in _ZH_FIRST for word in _spellings(form)}
_ZH_SIGNED = sorted(
    (
        (word, (concept.line, concept.sign))
        for _, chinese, concept in _ALL
        if concept.line
        for word in chinese.split()
    ),
    key=lambda pair: -len(pair[0]),
)
ZH_SIGNS = _one_of(form for form, _ in _ZH_SIGNED)
ZH_SIGN_OF = {word: said for form, said in _ZH_SIGNED for word in _spellings(form)}

VALUED = frozenset(
    f"={name}"
    for name in (
        "home work boss lead name deadline password dentist doctor school hosting written "
        "held located database branch editor format approval blood version landlord vet "
        "therapist lawyer accountant coach mentor form_teacher captain chair chief duty contact "
        "domain region timezone license framework packager major "
    ).split()
)
# Of what is a label by itself: "Database: MySQL".
SLOTS = frozenset(
    f"={name}"
    for name in "boss deadline database editor region timezone license framework packager".split()
)
# Of these a thing may be told by one and not by the other.
SAYING = frozenset(
    f"={name}"
    for name in (
        "price located held hosting call port keep limit least version written format begin "
        "code people month release config login required lead "
    ).split()
)
UNITS = frozenset(
    f"={name}"
    for name in (
        "gigabyte megabyte day percent yuan people kids kilo second minute hour month week year "
        "euro dollar floor approval age "
    ).split()
)
_ROLES = (
    "lead boss dentist doctor landlord vet therapist lawyer accountant coach mentor form_teacher "
    "captain chair chief duty contact"
).split()
OF_NAMES = frozenset(f"={name}" for name in ("home", "work", "school", *_ROLES))
SINGLE = VALUED | frozenset(
    f"={name}"
    for name in "birth age price port leave arrive begin finish weight height salary budget".split()
)
ROLES = frozenset(f"={name}" for name in _ROLES)
# What says nothing of what it is about.
LIGHT = frozenset(
    stem(word)
    for word in (
        "cost costs price fee pay need needs require requires run runs go goes went come get "
        "gets got take takes took make makes give gives put set sets use uses used hold has "
        "have total number amount old new value rent landlord see meet do customer customers "
        "someone somebody people spend spent say says said yesterday today ticket issue bug "
        "problem enough feature flag branch project service current same still "
    ).split()
) | frozenset(
    "时间点期日号份现在是的到从为有会要和与了个这那都也由去就还昨天才只可以能次块里放加向状态问题中总共往直接"
)

# Places that hold others: who lives in one of them may live in a town of it.
_REGIONS = """
germany france italy spain portugal england scotland wales ireland britain kingdom uk europe \
austria switzerland netherlands holland belgium luxembourg denmark sweden norway finland iceland \
poland czechia hungary romania bulgaria greece turkey ukraine russia serbia croatia slovenia \
slovakia estonia latvia lithuania usa us states america canada mexico brazil argentina chile peru \
colombia china japan korea taiwan india pakistan vietnam thailand indonesia malaysia philippines \
singapore australia zealand israel egypt morocco kenya nigeria africa asia bavaria saxony \
catalonia tuscany provence california texas florida oregon washington colorado ontario quebec \
zhejiang guangdong
"""
REGIONS = frozenset(_REGIONS.split())
ZH_REGIONS = pattern(
    "河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|海南|四川|贵州|云南|陕西|甘肃|青海|台湾|"
    "内蒙古|广西|西藏|宁夏|新疆|中国|美国|英国|法国|德国|日本|韩国|加拿大|澳大利亚|澳洲|新西兰|意大利|西班牙|欧洲"
)
