"""Words that say how a statement says something, and not of what: English and Chinese."""

from __future__ import annotations

import re

from memwiki.patterns import pattern

USER = frozenset("i my me mine myself user users we our us".split())
GOVERNING = frozenset(  # what follows one of these is a value
    "in on at to from with by under over near behind beside opposite as next of for into onto "
    "through against until till after since per about around within during via than "
    "is are am was were be been called named".split()
)
SKIPPED = GOVERNING | frozenset(
    "a an the this that these those some any your his her its their he she they it you there here "
    "all every each own being has have had do does did will would shall should can could must now "
    "currently nowadays lately recently still just already actually mainly officially finally "
    "today please really very mostly usually normally always only so well and then anymore which "
    "who where what".split()
)
POINTING = frozenset("it there this that these those what who which".split())
PLACES = frozenset("in on at under near by with behind beside over opposite".split())
NEGATIONS = frozenset(
    "not no never none nobody nothing neither nor without avoid avoids refuses stop".split()
)
CHANGES = frozenset(
    "now anymore instead moved moves switched changed replaced replaces rebooked rescheduled "
    "postponed relocated migrated gone deleted removed dropped stepped quit stopped shut sold "
    "handed became renamed rewritten converted retired cancelled canceled lifted joined swapped "
    "updated raised lowered increased reduced extended divorced".split()
)
ADDITIONS = frozenset("also too another additionally either".split())
CONDITIONS = frozenset("if when whenever unless whether except ?".split())
EARLIER = frozenset("used_to formerly previously previous earlier once ago before last".split())
WAS = pattern(
    r"\b(?:was|were) (?!\w*(?:ed|en|ut|pt|lt|id|nt|ught|und)\b)|^(?:\w+ )?(?:lived|worked) "
)
LATER = pattern(
    r"\b(?:will (?!be)|plans? to|planning|hopes? to|wants? to|thinking (?:about|of)|considering|"
    r"might|maybe|perhaps|probably|possibly|sometimes|(?<!in )(?<!by )(?<!of )may [a-z])"
)
LIKES = frozenset("like love enjoy speak know has have had allerg interest play read".split())
CHOSEN = frozenset("prefers drives leads".split())  # one object each
USED = frozenset("use uses wants takes".split())  # one object each for one end
FINITE = CHANGES | frozenset(
    "is are am was were be been has have had do does did will would can could must not".split()
)
KIN = frozenset(
    "brother sister son daughter mother father mom mum dad wife husband cousin aunt uncle friend "
    "colleague child children kid parent parents grandma grandpa girlfriend boyfriend partner boss "
    "dog cat".split()
)
ROLE = pattern(r"\S+(?: \S+)? (?:(?:is|was) (?:the|our|my) |leads |heads )", re.IGNORECASE)

ZH_USER = pattern(
    "(?:用户|用戶)(?!名|服务|端|组|表|数|注册|体验|界面)|使用者|我们|我們|咱们|我|本人"
)
ZH_GOVERNING = "是在到为為成于於叫归歸由给要需用"
ZH_SKIPPED = pattern(
    "现在|現在|目前|如今|已经|已經|最近|刚刚|统一|一律|终于|平时|仍然|特别|这个|這個|默认情况下|自动|"
    "每个|必须|请(?!假|求)|您|[的了着呢吧啊呀嘛把被将將就都很只才再已每定设設]|[过過](?!敏|程|滤)"
)
ZH_NEGATIONS = pattern(
    "不再|不(?!错|过(?!敏)|同|仅|但|管|论|少|得不|断|久|妨|止|只)|没有?(?!关系|事|错)|沒有?|"
    "未(?!来)|无(?!锡|线|聊|论|法)|(?<![特分个区级差性])[別别](?!的|人|墅)|禁止"
)
ZH_MARKS = {
    "change": "(?<![修更])[改换換搬迁遷转轉调調涨漲降变變][成为為到至了由用期人学學去]|"
    "跳槽|推迟|不再|现在|如今|[卖賣戒][了掉]|下线|取消|离职|辞|接手",
    "addition": "也(?!许)|[还還](?!是|没|沒|在|款|原)|另外|此外|另一|之一|又",
    "condition": r"如果|若|假如|要是|的话|是否|除非|可能|也许|万一|\?",
    "later": "打算|考虑|计划|准备|想要|明年|以后|将要|希望能|下次",
    "earlier": r"以前|曾|之前(?!交)|过去(?!了)|[当當][时時]|小[时時]候|原先|上次|(?:19|20)\d\d年|"
    "去过|[学學]过|读过",
    "list": "、|[^温平总共饱缓柔附应]和(?!平|谐|县|田|解)|与(?!否)|跟(?=[^客])",
}
ZH_MANY = pattern(
    "(?:会说|会|喜欢|喜歡|爱|爱吃|爱喝|有|养了?一?[只条]?|養|支持|去过|学|學|买了?一?[张把]?|写了?|看|"
    "读|讀|吃|喝|认识|对|對|做|跑|要跑|参加了?|玩|打|踢|加入|会弹|会拉)$"
)
ZH_KIN = pattern("[爸妈媽父母哥姐弟妹叔姑舅姨爷奶公婆儿女兒孙夫妻友兄]")

# Words of one idea; an idea is a word of its own.
IDEAS = {
    word: f"={idea}"
    for idea, words in {
        "home": "live lives living lived based apartment flat house moved relocated resides 住 搬",
        "work": "work works working job joined hired employed employer "
        "上班 工作(?!日) 就职 跳槽 入职 离职 任职",
        "lead": "lead leads led head heads maintains maintained "
        "负责(?!人) 带领 领导 管(?!理|道|家)",
    }.items()
    for word in words.split()
}
ZH_IDEAS = pattern("|".join(f"({word})" for word in IDEAS if not word.isascii()))
ZH_IDEA_NAMES = tuple(idea for word, idea in IDEAS.items() if not word.isascii())

# Of each line a thing has one; the sides of a line are parted by a bar.
_STATES = (
    "enabled activated turned_on 开启 启用 打开 开着 激活 | disabled deactivated turned_off 关闭 "
    "禁用 停用 关着 关掉",
    "open opened | closed shut",
    "allowed permitted 允许 准许 | forbidden prohibited banned disallowed 禁止",
    "public 公开 | private 私有 保密",
    "required mandatory compulsory 必填 必须 必需 必选 强制 | optional voluntary 选填 可选 自愿",
    "dark 深色 暗色 | light 浅色 亮色",
    "manual manually 手动 人工 | automatic automatically automated 自动",
    "full-time 全职 | part-time 兼职",
    "free 免费 | paid 收费 付费",
    "single 单身 未婚 | married 已婚 结婚 婚礼 | divorced divorce 离婚 离异",
    "encrypted 加密 | unencrypted 明文",
    "remote remotely 远程 | onsite 现场",
    "vegetarian 吃素 | vegan | meat steak 吃肉",
)
SIDES = {
    word: (number, side)
    for number, line in enumerate(_STATES)
    for side, words in enumerate(line.split("|"))
    for word in words.split()
}
ZH_STATES = pattern("|".join(sorted((w for w in SIDES if not w.isascii()), key=len)[::-1]))
TURNED = pattern(
    r"\b(?:turned|switched|set to|is|are|was) (on|off)"
    r"(?= (?:in|for|at|by|during|again|when|everywhere)\b|$)"
)
