"""Words that say how a statement says something, and not of what: English and Chinese."""

from __future__ import annotations

import re

from memwiki.judgement.lexicon import COUNTS, MONTHS, ZH_SURNAME, ZH_SURNAMES
from memwiki.text import pattern

ORDERING = frozenset("use always never please".split())  # an order, and no subject
PRONOUNS = frozenset("i we he she they".split())
USER = frozenset("i my me mine myself user users we our us".split())
GOVERNING = frozenset(  # what follows one of these is a value
    "in on at to from with by under over near behind beside opposite as next of for into onto "
    "through against until till after since per about around within during via than "
    "is are am was were be been called named".split()
)
DETERMINERS = frozenset(
    "a an the these those some any all every each my our your his her their its own in on at of "
    "for".split()
)
PLACING = frozenset("of for in on at from with to by".split())
ASPECTS = frozenset(  # of a thing: what is said of them is said of it
    "name date time day hour hours place venue size amount count total rate status state".split()
)
WISHES = frozenset(  # whatever is wished, each tells which side it is
    "become became prefer prefers want wants ask asks asked moved".split()
)
# What says no more than where it is.
PLACED = frozenset((*"stored saved located placed kept".split(), *"存放挂摆搁"))
WHICH = pattern(r"\b(?:old|new|his|her|my|your|their)\b")
TRADE = pattern(r"(?:..er|..or|ist|ian|..ant|man|woman|nurse|cook|chef|clerk|student|intern)$")
BEING = frozenset("is are am was were be been".split())
SEEMING = BEING | frozenset("feels feel looks look seems became become gets got stays".split())
ENDS = frozenset("for about of from".split())  # what something is for may be several
NO_UNITS = GOVERNING | {"or", "and", "now", "since_then"}
DEGREES = frozenset(
    "not very really quite rather pretty fairly extremely so still now always often mostly".split()
)
SKIPPED = (GOVERNING | DEGREES).union(
    (
        "a an the this that these those some any your his her its their he she they it you there "
        "here all every each own being has have had do does did will would shall should can could "
        "must now currently nowadays lately recently still just already actually mainly "
        "officially finally everyone everybody everything dr mr mrs ms prof today please really "
        "very mostly usually normally always only so well and then anymore which who where what "
        "yet ok okay oh hey btw fyi anyway"
    ).split()
)
POINTING_WORDS = frozenset("it there this that these those what who which".split())
POINTING = pattern(
    r"(?:it|there(?! (?:is|are) )|this|that|these|those|what|who|which)\b"
    r"(?! (?:year|month|week|season|term)\b)"
)
_LATELY = (
    r"\b(?:this|last|next|yesterday) (?:morning|afternoon|evening|night|week|month|year|summer|"
    r"winter|spring|autumn|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
)
RELATIVE = pattern(f"{_LATELY}|[今去明前]年|[上下]半年|[本上下这]个?月|[本上下这]周")
PLACES = frozenset("in on at under near by with behind beside over opposite".split())
NEGATIONS = frozenset(
    "not no never none nobody nothing neither nor without avoid avoids refuses stop "
    "stopped quit quits gave_up called_off broke_up dropped sold "
    "succeeded resigned discontinued suspended paused".split()
)
CHANGES = frozenset(
    "now anymore instead moved moves switched changed replaced replaces rebooked rescheduled "
    "postponed relocated migrated gone deleted removed dropped stepped quit stopped shut sold "
    "handed became renamed rewritten converted retired cancelled canceled lifted joined swapped "
    "updated ported rebuilt raised lowered increased reduced extended divorced slipped pushed "
    "delayed upgraded "
    "downgraded bumped promoted transferred reassigned appointed expired resigned settled "
    "dropped ended merged shortened doubled fell rose fixed repaired again gave_up called_off "
    "broke_up discontinued suspended paused took_over succeeded since_then redirected "
    "rerouted revised adjusted renegotiated tightened relaxed".split()
)
UNSAID = SKIPPED | USER | NEGATIONS | CHANGES
ADDITIONS = frozenset("also too another additionally either".split())
CONDITIONS = frozenset("if when whenever unless whether except ?".split())
EARLIER = frozenset("used_to formerly previously previous earlier once ago before last".split())
WAS = pattern(
    r"\b(?:was|were) (?!(?:is )?\w*(?:ed|en|ut|pt|lt|id|nt|ught|und)(?:_\w+)?\b)|"
    r"^(?:\w+ )?(?:lived|worked) "
)
WAS_DONE = pattern(r"\b(?:was|were) \w+ed\b|^\S+ (?:\w{3,}ed|went) (?:in|at|to) ")
LATER = pattern(
    r"\b(?:will (?!be|not)|plans? to|planning (?:to|on)|hopes? to|wants? to|thinking (?:about|of)|"
    r"considering|might|maybe|perhaps|probably|possibly|sometimes|"
    r"may (?:be(?! \w+(?:ed|en)\b)|become|move|switch|change|go|have|need|use|try|close|open|"
    r"leave|end|stop)\b)"
)
# What may come, or may be so.
PLAN = pattern(
    LATER.pattern.rpartition(")")[0].replace("will (?!be|not)", "will(?! not)")
    + r"|(?:could|may|might) be|is going to|are going to)\b"
)
# What somebody does, of whom no more is said.
UNSAID_USER = pattern(
    r"^(?:now |actually )?(?=(?:"
    r"is(?:n't| not| no longer)? (?:afraid|allergic|fond|married|single|an? )|"
    r"(?:does not|doesn't|no longer|never) (?:like|eat|drink|drive|smoke|work|want|use)s?|"
    r"can't stand|cannot stand|dislikes|avoids|wants|asks|asked|changed|uses|lives|works|prefers|"
    r"likes|loves|hates|enjoys|"
    r"drinks|eats|drives|takes|goes|studies|wears|smokes|sleeps|moved|quit|gave up|"
    r"switched|cancelled|canceled|sold|stopped) )",
    re.IGNORECASE,
)
LIKES = frozenset("like love enjoy speak know has have had play read".split())  # many objects
FOND = frozenset("like love enjoy miss".split())  # of what is over, too
LIKES_WITH = frozenset("=allergy interest fond good =work".split())  # many, with any preposition
CHOSEN = frozenset("prefer drive lead attend studi date target follow wear".split())  # one object
# What such a thing is, is its name: "The test command is tox".
NAMED_THINGS = frozenset(
    "command server host hostname runner linter formatter bundler framework editor shell tool "
    "username codename user nickname branch engine provider vendor supplier registry theme font "
    "keyword motto target plugin library backend frontend stack queue bucket topic channel".split()
)
# And how it is: no name.
STATES = frozenset(
    "slow fast new old good bad big small long short hard easy safe strict flaky broken down up "
    "available ready free full empty cheap expensive late early wrong right fine secret public "
    "private idle busy noisy quiet stable healthy dead alive offline online there here back gone "
    "simple complex required optional missing unused used known unknown fixed stuck unstable "
    "ours mine theirs yours".split()
)
DUTIES = frozenset(  # of a thing one person has them
    "reviews covers waters feeds walks cleans picks teaches cooks edits checks signs approves "
    "schedules brings collects tests deploys".split()
)
USED = frozenset("use uses wants takes".split())  # one object each for one end
FINITE = CHANGES | frozenset(
    "is are am was were be been has have had do does did will would can could must not may should "
    "began kept held knew grew died".split()
)
EVENTS = frozenset(  # what happened, and may have happened twice
    "ran went got took came gave broke lost won chose made met found bought built wrote spent paid "
    "drove sent said told saw visited attended watched finished ordered".split()
)
FINITE |= EVENTS | {"turned_on", "turned_off", "switched_on", "switched_off"}
# Every sentence has one of these, or what ends as a verb: what `PHRASES` and amounts make one from,
# too.
TELLING = (
    FINITE
    | PRONOUNS
    | USER
    | frozenset(
        "you use never please cannot longer more back begun taken ask since fail starting cut "
        "set half".split()
    )
)
KINDS = {  # words of which a thing has one at a time
    **dict.fromkeys(COUNTS | {"one"}, "number"),
    **dict.fromkeys(MONTHS - {"may"}, "month"),
    **dict.fromkeys(
        "red orange yellow green blue purple violet pink brown black white grey gray beige silver "
        "golden turquoise burgundy teal maroon".split(),
        "colour",
    ),
    **dict.fromkeys(
        "hourly daily nightly weekly fortnightly monthly quarterly yearly annually".split(), "rate"
    ),
}
ORDERS = frozenset(  # and those of lists of changes: they have no subject
    "can could add added fix fixed fixes support update remove improve show hide display press "
    "click select choose see make allow allows adds feat enhance".split()
)
# What is to be done begins with a verb, and behind it stands one of these: "Run the tests".
OF_ORDERS = frozenset("the your my our all every me us".split())
NO_ORDERS = SKIPPED | frozenset(
    "both after before but or if when while because than like not no only even also where why how "
    "through without between during among along across despite".split()
)
THIRD = frozenset(
    "drives lives uses works gets takes rents goes runs has plays rides drinks eats "
    "wears keeps teaches sits sleeps stays sends pays starts ends".split()
)

WHOSE = pattern(r"(?!User)[A-Z][\w-]+(?: [A-Z][\w-]+)?['’]s ")  # Emma's
# Words that are names where one speaks of a person: Will lives here, ask Rose.
_NAMED = pattern(
    r"\b(?:Will|Rose)(?='s |'s? | (?:is|was|can|now|never|used|and|\w+(?:s|ed|n't))\b)"
    r"|(?<=[a-z,] )(?:Will|Rose)\b"
)
KIN = frozenset(
    "brother sister son daughter mother father mom mum dad wife husband cousin aunt uncle friend "
    "colleague child children kid kids parent parents grandma grandpa girlfriend boyfriend partner "
    "boss dog cat".split()
)
ROLE = pattern(r"\S+(?: \S+)? (?:(?:is|was) (?:the|our|my) |leads |heads )", re.IGNORECASE)

ZH_USER = pattern(
    "(?:用户|用戶)(?!名|服务|端|组|表|数|注册|体验|界面)|使用者|我们|我們|咱们|我|本人"
)
ZH_GOVERNING = "是在到为為成于於叫归歸由给要需用姓"
ZH_SETTING = frozenset(ZH_GOVERNING) - {*"要需"}  # not what has to be done
ZH_USUAL = pattern("(?:默认|一般|通常|习惯|总是|每次|固定)要$")  # what follows is chosen
ZH_SKIPPED = pattern(
    "现在|現在|目前|如今|一共|总共|已经|已經|最近|刚刚|统一|一律|终于|平时|仍然|特别|这个|這個|默认情况下|自动|"
    "决定(?!权|性)|待定|最后(?=还|又|决)|很|最(?=讨厌|不喜欢|不爱)|挺|非常|以后|今后|那里|那儿|每个|任何|必须|所有(?![者权])|请(?!假|求)|您|[的了着呢吧啊呀嘛把被将將就都很只才再已每定设設]|[过過](?!敏|程|滤)"
)
ZH_NEGATIONS = pattern(
    "不再|待定|暂停|不[让许准](?!多)|不(?!错|锈|动产|停地|幸(?![福运])|时(?![髦尚])|过(?!敏)|同|仅|但|管|论|少|得不|断|久|妨|止|只)|(?<![淹沉埋被])没有?(?!关系|事|错)|沒有?|"
    "(?<![警八])戒(?!指|备|严|律)|[辞离]职|退租|分手|未(?!来|必|婚[夫妻]|央)|无(?!锡|线|聊|论|法|人机|比(?!赛)|疑(?!问)|形)|(?<![特分个区级差性识辨类鉴告派送])[別别](?!的|人|墅|克)|禁止"
)
# Who leaves something is there no more.
ZH_ENDS = pattern(
    r"离开(?!关)|搬离|搬出|[卖賣][了掉](?!\d)|弃用了?|换掉|卸任|离任|(?:取消|下线|废弃|停用)了?$|(?:已经?|全部)(?:取消|下线|废弃)"
)
# Another value now.
ZH_TURNED = pattern("[改换換搬迁遷转轉调調涨漲降升提加减挪推延][^,]{0,2}?[成为為到至]")
ZH_MARKS = {
    "change": "(?<![修更])(?!(?<=[参參])加|(?<=[强強协協空烹])[调調]|(?<=[投空])降"
    "|(?<=交)[换換](?!成))"
    "[改换換搬迁遷转轉调調涨漲降变變加减挪][成为為到至了由用期人学學去]|"
    "(?:提[高前升]|上[升调涨]|下[降调]|降[低价]|涨价|减少|增加|缩[短减]|扩[大充])了?[到至为成]|"
    "已经?(?:修|解决|取消)|"
    "跳槽|推迟|不再|现在|如今|[卖賣戒][了掉](?!\\d)|下线|取消|离职|辞|接[手任替]|卸任|离任|交接|交给|换了|延[长期到至]|升[级任为职到]|晋升|移交|"
    "以后|调整[为到]|了$",
    "addition": "也(?![许許门門纳納])|"
    "(?<![归歸偿償交退])[还還](?!是|没|沒|在|款|原)|另外|此外|另一|之一|又",
    "condition": r"如果|(?:^|,)若|假如|要是|的话|是否|除非|可能|也许|万一|\?",
    "later": r"打算|考虑|计划(?!\d|[在于本下这周明今])|准备|"
    r"想(?=以后|要|搬|去|换|买|学|转|改)|明年(?!\d)|将要|希望能|下次",
    "earlier": r"(?<!比)以前|原计划|原定|"
    r"曾|(?<![月底旬日号點点天前])之前(?!交)|过去(?!了)|[当當][时時]|小[时時]候|"
    r"原先|上次|去[^,]{1,5}(?:看|玩|逛|出差|旅|开会|参加|见|听)|^[^,]{0,4}[去前]年(?![^,]*[改换換搬迁升调转轉辞戒卖婚毕世])|(?:19|20)\d\d年|去过|[学學]过|读过",
    "list": "、|[^温平总共饱缓柔附应]和(?!平|谐|县|田|解)|"
    "(?<![参參给])与(?!否|其(?!他)|[会會众])|跟(?=[^客踪随进])",
}
ZH_MANY = pattern(
    "(?:会说|会|喜欢|喜歡|爱|爱吃|爱喝|有|养了?一?[只条]?|養|支持|去过|学|學|买了?一?[张把]?|写了?|看|"
    "读|讀|吃|喝|认识|对|對|做|跑|要跑|参加了?|玩|打|踢|加入|会弹|会拉)$"
)
ZH_NOT_AT_ALL = pattern("一点儿?(?P<what>[^,，。]{1,5}?)都(?:不能|不)(?:碰|沾|吃)")
ZH_CHANGED = pattern(
    "(?:把|将(?!要)|戒掉?|卖掉?了?|取消了?|停用了?|退[掉订]了?|换了)(?![掉了之以后])(?P<what>[^,了]{1,10})"
)
ZH_KIN = pattern(  # not of a name: 李阿姨
    f"(?<![{ZH_SURNAMES}])(?<![{ZH_SURNAMES}]阿)(?:父母|爱人|亲戚|爸|妈|媽|父亲|母亲|"
    "(?<![西洛加])哥(?![伦拉])|(?<!空)姐|弟|妹|叔|姑(?![苏且娘])|舅|姨|爷爷|奶奶|外公|外婆|公公|婆婆|儿子|女儿|兒子|女兒|孙子|孙女|丈夫|"
    "妻子|老公|老婆|男友|女友|朋友|同事|室友|同学|兄)"
)
# Two surnames that say something elsewhere: 于 at or in, 曾 once.
_ZH_NAMED = pattern(
    "^(?:于(?![昨今明后去前上下本周此是在每年月日])|曾(?![祖孙经是在任做当去到被获想把为与和住有用说因就多从担"
    "居工参学出负服读教写看听买养开创领主留供名入受赢得]))(?=[一-鿿]{2})"
)
# By a name, and no boss, teacher, home town.
ZH_PERSON = pattern(
    f"(?:老(?![板师公家爸妈婆弟姐哥外虎鼠年人])|小(?![区组狗猫时学吃孩])|阿(?!姨))[一-鿿]|{ZH_SURNAME}[一-鿿]"
)

_NEW_HOLDER = pattern(  # the new head is Ann: she is it now
    r"\b([Tt]he|[Oo]ur|[Mm]y) new ((?:[a-z-]+ ){1,4}is )(?=(?:(?:Dr|Ms|Mrs|Mr)\. )?[A-Z])"
)
_PASSED_ON = (
    "switched|moved|migrated|changed|converted|renamed|transferred|went|upgraded|swapped|relocated|"
    "rerouted|redirected|ported|cut|raised|lowered|reduced|increased"
)
_GAVE_UP = (
    "gave_up|given up|ditched|dropped|got rid of|gotten rid of|sold|cancelled|canceled|quit|"
    "retired|abandoned|scrapped|stopped using|unsubscribed from|"
    "(?:moved|migrated|switched|went) (?:away from|off)"
)
_OVER = (
    "gone|retired|shut|turned_off|discontinued|scrapped|cancelled|canceled|abandoned|decommissioned|"
    "sold|deprecated|removed|dropped|deleted|stolen"
)
_IS = "(?:was|were|is|are|has been|have been|had been|is being|are being|gets|get)"
_RENAMED = rf"(?:{_IS} renamed\b|name is \S+(?: \S+)? now$|(?:is|was) now called )"
RENAMED = pattern(_RENAMED)
_CALLED_OFF = "cancelled|canceled|called_off|turned_off|scrapped"
CALLED_OFF = pattern(rf"\b(?:{_CALLED_OFF})\b")
# What was before (old), and what took its place (new).
_NO_END = r"(?!(?:to|for|in|on|at|with|by|and|now|last|this)\b)"
_OLD, _NEW = (rf"(?P<{name}>[\w.+#-]+(?: {_NO_END}[\w.+#-]+){{0,3}})" for name in ("old", "new"))
_HELPING = (
    "do does did is are am was were be been can could has have had will would must should may"
)
_NO_HELP = r"^.*\w" + "".join(rf"(?<!\b{word})" for word in _HELPING.split())
ENDED = tuple(
    pattern(form)
    for form in (
        rf"\b(?:{_PASSED_ON})\b.{{0,40}}?\bfrom {_OLD} (?:over )?to {_NEW}",
        rf"(?P<new>[\w.+#-]+)(?: now)? instead_of {_OLD}",
        rf"\breplac(?:ed|es|ing) {_OLD} (?:with|by) {_NEW}",
        rf"^{_OLD} {_IS} replaced (?:with|by) {_NEW}",
        rf"^(?:\S+ ){{0,4}}?(?P<old>[a-z]*[^\sa-z]\S*) {_RENAMED}",  # the flag --dry
        rf"^{_OLD} {_RENAMED}",
        rf"^{_NEW}(?<!was)(?<!were)(?<!been) (?:replaced|replaces|superseded) {_OLD}$",
        rf"\b(?:traded|swapped|exchanged)(?: in)? {_OLD} for {_NEW}",
        rf"\b(?:{_GAVE_UP}) {_OLD}",
        rf"\b(?:after|since) (?:quitting|leaving|selling) {_OLD}",
        rf"{_NO_HELP} (?:not|no|never) (?P<old>(?!anymore)[\w.+#-]+(?: [\w.+#-]+)?)$",
        rf"^{_OLD} {_IS} (?:{_OVER})\b",
        rf"^(?P<old>[^,;]{{1,60}}?) {_IS} (?:{_CALLED_OFF})\b",
    )
)
ZH_OLD = pattern("^(?:原来|原先|之前|以前|旧|老)的?|(?:服务|系统)$|[了的]$")
_ZH_PART = "[^,，。了]{1,16}?"
_ZH_TURN = (
    "(?:(?:全部|整体|统一|最近|已经?|都)?"
    "(?:迁移|切换|更换|替换|调整|升级|变更|修改|[迁换搬改转移切升调]))"
)
ZH_ENDED = tuple(
    pattern(form)
    for form in (
        f"(?:从|由|把|将)(?P<old>{_ZH_PART}){_ZH_TURN}[成为為到至了用回去]{{1,2}}(?P<new>[^,，。]{{1,10}})",
        f"(?P<new>{_ZH_PART})(?:取代|代替|替换|替代|而不是)了?(?P<old>[^,，。了]{{1,10}})",
        "(?:别用|不用|不再用|弃用|停用|退订|取消|放弃|卖掉|戒掉?|废弃)了?(?![之以]?后)(?P<old>[^,，。了]{1,8})",
        "(?:^|[,，。])(?P<old>[^,，。我]{2,8}?)(?:我们?|大家)?(?:已经?|早就)?(?:不用|不去|不做)了",
        "^(?P<old>[^,，。]{2,10}?)(?:已经?|全部|全面|被|正式)*(?:停用|弃用|下线|废弃|退役|关停|停产|退订|卖掉)",
    )
)
# Somebody left: no side, and nothing that is left.
_LEFT = pattern(
    r"left (?<=\bleft )(?<!\bthe left )(?<!\bon left )(?<!\bto left )(?<!\bis left )"
    r"(?<!\bare left )"
    r"(?=[A-Z]|(?:the|his|her|their|our|my) )"
)
_ON_OFF = r"\b(?:turned|switched) (on|off)"
_HAVE = "(?:has|have|had|is|are|am)(?: now)?"
_BEGAN = "started|begun|began|resumed|taken up|took up|back to|gone back to|went back to"
_SETS_OUT = "starts?|begins?|leaves?|finish|finishes"
_WITH_E = "[b-df-hj-np-tv-z]{0,3}[aiou][bcdfgkmnpstvz]|\\w+[vcz]"  # smok(e), driv(e)
_WELL = "(?: fine| well| properly| perfectly| flawlessly)?"
_PERIOD = "(week|month|year|quarter)"
_AGAIN = "(?: again| and running)?"
_MONTHS = "|".join(f"{month}|{month[:3]}" for month in sorted(MONTHS))
# When something came to be so: since July, from May 3 on, as of version 5.
_SINCE = (
    r"(?:since|from|as of|starting(?: in| on| with)?|beginning(?: in| on| with)?|effective) "
    rf"(?:(?:the )?(?:next|last|this) \w+|(?:{_MONTHS}|\w+day|today|tomorrow|now)"
    r"(?: \d{1,2}(?:st|nd|rd|th)?)?|\d{1,2}(?:st|nd|rd|th)? "
    rf"(?:{_MONTHS})|v(?:ersion )?\d\S*)(?: 20\d\d)?(?: onwards?| on\b)?"
)
# Phrases in one form: a part of what they look like, which is quick to find, all of it, the form.
PHRASES = tuple(
    (part, pattern(form), one)
    for part, form, one in (
        *((part, rf"(?:^{_SINCE}|\b{_SINCE}$)", "now") for part in ("since ", "from ", "as of ")),
        *((part, rf"\b{_SINCE}$", "now") for part in ("starting ", "beginning ", "effective ")),
        ("day", r"\b(?:once (?:a|per|every)|every|each) day\b(?! of)", "daily"),
        ("once ", rf"\bonce (?:a|per|every) {_PERIOD}\b", r"\1ly"),
        ("every", rf"\bevery {_PERIOD}\b", r"\1ly"),
        ("each", rf"\beach {_PERIOD}\b", r"\1ly"),
        ("ing", rf"\b(?:{_HAVE} )?(?:{_BEGAN}) ({_WITH_E})ing\b", r"\1es"),
        ("ing", rf"\b(?:{_HAVE} )?(?:{_BEGAN}) (\w+?)(?:([b-df-hj-km-np-rt-z])\2)?ing\b", r"\1\2s"),
        ("still", r"\b(?:is|are|am) still (\w{2,}?)ing\b", r"still \1s"),
        ("no longer", r"\bno longer\b", "not anymore"),
        ("any ", r"\bany (?:more|longer)\b", "anymore"),
        ("can now", r"\bcan now\b", "also"),
        ("now allowed to", r"\b(?:is|are) now allowed to\b", "also"),
        ("now ", r"\bnow (?=(?:can|(?:support|include|show|allow|accept|display)s?) )", "also "),
        (" to be", r"\b(?:likes|wants|prefers|would like|asked) to be\b", "is"),
        ("is called", r"\bis called\b", "name is"),
        ("ask ", r"^ask (\w+) (?:about|for) ", r"\1 handles "),
        ("since ", r"^since (?:the |last )+\w+ ", "now "),
        ("since ", r"\bsince (?=the|last|his|her|our|my|we|he|she|i)\b", "since_then "),
        ("as well", r"\bas well\b", "also"),
        ("allergies", r"\bfood allergies\b", "allergies"),
        (" in the ", r"(?<=\dm) in the (?:morning|afternoon|evening)\b", ""),
        ("can not stand", r"\bcan not stand\b", "not likes"),
        ("next to", r"\bnext to\b", "beside"),
        ("instead of", r"\binstead of\b", "instead_of"),
        ("rather than", r"\brather than\b", "instead_of"),
        (" again", r"\bwork(?:s|ing) again\b", "is fixed"),
        (" work", rf"\b(?:(?:is|are) working|works){_WELL}$", "is fixed"),
        (" back", r"\b(?:is|are) back (?:online|in service|to normal)$", "is fixed"),
        (" stays", r"\bstays$", "is kept"),
        (" up", rf"\b(?:is|are) (?:back )?up{_AGAIN}$", "is fixed"),
        ("got ", r"\bgot (?!married)(?=\w+ed\b)", "was "),
        (" down", r"\b(?:is|are) down$", "is broken"),
        (" to ", r"\b(?:went|gone|is|are) (?:up|down) to (?=[v$€£]?\d)", "is now "),
        (
            " un",
            r"\b(is|are|was|were|still) un(?!der|ited|it\b)(\w{2,}(?:ed|id|en|ble))\b",
            r"\1 not \2",
        ),
        ("fail", r"\b(?:fails?|(?:is|are) failing)$", "is broken"),
        ("out of order", r"\bout of order\b", "broken"),
        ("no known", r"\bno known\b", "no"),
        ("too ", r"\btoo (?=\w)(?!and|but|or|as|now|if)", ""),
        ("taken over", r"\b(?:has|have) taken over\b", "took_over"),
        ("these days", r"\bthese days\b", "now"),
        (" set to", r"\b(?:was|were) set to\b", "is now"),
        ("from now on", r"\bfrom now on\b", "now"),
        ("as of", r"\bas of(?: now)?\b", "now"),
        ("starting", r"\bstarting\b", "now"),
        (" up", r"\b(gave|broke) up\b", r"\1_up"),
        (" off", r"\b(turned|switched) ((?:\w+ ){1,3})(off)\b", r"\1_\3 \2"),
        (" on", r"\b(turned|switched) ((?:\w+ ){1,3})(on)\b(?! \w)", r"\1_\3 \2"),
        (" or ", r" or (?:newer|later|above|higher|more|better)\b", ""),
        ("y new ", r"^my new (?=\w+ (?:\w+ )?is )", "my "),
        (" 0", r"(?<= )(0\d{1,5}) (\d{3,})(?: (\d{2,}))?\b", r"\1\2\3"),
        ("new year", r"\bnew year\b", "new_year"),
        ("moved ", r"\bmoved (?=(?:the|an?|my|our|his|her|their) )", "transferred "),
        ("moved to ", rf"\bmoved to (?=(?:{'|'.join(MONTHS)}|\w+day|\d+)\b)", "rescheduled to "),
        (" work", rf"\b(at|after|before|{_SETS_OUT}) work\b", r"\1_work"),
        ("cut down", r"\bcut down\b", "reduced"),
        ("ground floor", r"\bground floor\b", "0th floor"),
        ("called off", r"\bcalled off\b", "called_off"),
        (" over", r"\btook over\b", "took_over"),
        ("used to ", r"\bused to ", "used_to "),
        ("ed o", rf"(?<!is )(?<!are )(?<!was )(?<!were )(?<!been ){_ON_OFF} (?=\w)", r"turned_\1 "),
        (
            " o",
            rf"(?:{_ON_OFF}|\b(?:set to|is|are) (on|off))"
            r"(?= (?:in|for|at|by|during|again|when|everywhere)\b|$)",
            r"is turned_\1\2",
        ),
    )
)


def with_names(text: str) -> str:
    """A text where words that are names say nothing else, and who left something quit it."""
    if " new " in text:
        text = _NEW_HOLDER.sub(r"\1 \2now ", text)
    return _LEFT.sub("quit ", _ZH_NAMED.sub("余", _NAMED.sub(r"\g<0>_name", text)))
