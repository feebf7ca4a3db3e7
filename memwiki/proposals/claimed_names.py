"""The names in a text: words with a capital, and what reads as a name in Chinese."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.judgement import statement_words as known
from memwiki.judgement.lexicon import Kind, any_of, lexicon, spelled_out
from memwiki.patterns import pattern
from memwiki.text import RUN, has_chinese

# Words that begin a sentence with a capital, and are no names.
_OPENING = frozenset(
    "examples failures people reasons results rules steps "
    "according after although another as because besides being both but during either everyone "
    "everything few he him her here his having how however if like many more most much nobody no "
    "none not nothing once one or other others our she since some someone something such them "
    "themselves they thing things though thus time unlike while when why without".split()
)
_NO_NAMES = (
    _OPENING
    | known.SKIPPED
    | known.POINTING_WORDS
    | known.USER
    | {word for word, kind in lexicon().kinds.items() if kind is not Kind.CONTENT}
)
_SURNAMES = (
    "王李张刘陈杨赵黄吴徐孙胡朱林郭罗梁宋郑谢韩唐冯董萧曹袁邓傅沈彭吕苏卢蒋蔡贾丁魏薛阎潘杜戴汪姜范姚谭"
    "廖邹熊陆郝孔崔邱秦江顾侯邵孟龙雷尹黎武乔贺赖龚"
)
# These begin other words, too: 周末, 许多.
_DOUBTFUL = (
    "周(?![一二三四五六日天末年期围边])|许(?![多久可愿诺])|何(?![时处必况以])|程(?![序度])"
    "|余(?![下额])|田(?![地园野])|钟(?![头表])|夏(?![天季日])|叶(?![子片])|高(?![兴中考铁度大])"
    "|马(?![上路桶])|任(?![务何意])|白(?![天色菜])|金(?![色额钱])|方(?![便法向面式案])|石(?![头油])"
)
_TITLES = (
    "先生|女士|小姐|老师|医生|大夫|经理|教授|总监|总|律师|主任|师傅|同学|阿姨|叔叔|奶奶|爷爷|哥|姐"
)
# A surname behind one of these begins a name: and, with, called, friend, sister, colleague.
_BEFORE_NAME = (
    "和跟与同叫是给找陪帮让被对向为、，。；：“「"
    "爸妈父母哥姐弟妹叔姑舅姨爷奶儿女孙夫妻友兄师事学板生子太任"
)
_PLACES = any_of(
    "北京 上海 天津 重庆 广州 深圳 杭州 南京 苏州 武汉 成都 西安 长沙 青岛 大连 厦门 宁波 "
    "昆明 郑州 济南 沈阳 哈尔滨 长春 福州 合肥 南昌 贵阳 南宁 海口 三亚 拉萨 兰州 银川 西宁 "
    "乌鲁木齐 呼和浩特 太原 石家庄 无锡 珠海 桂林 丽江 大理 洛阳 温州 香港 澳门 台北 高雄 "
    "台湾 河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东 海南 "
    "四川 贵州 云南 陕西 甘肃 青海 内蒙古 广西 西藏 宁夏 新疆 中国 美国 日本 韩国 英国 法国 "
    "德国 意大利 西班牙 俄罗斯 加拿大 澳大利亚 新西兰 新加坡 泰国 越南 马来西亚 印度 巴西 荷兰 "
    "瑞士 瑞典 挪威 芬兰 丹麦 东京 大阪 京都 首尔 纽约 旧金山 洛杉矶 西雅图 伦敦 巴黎 柏林 "
    "慕尼黑 罗马 悉尼 墨尔本 多伦多 温哥华 曼谷".split()
)
_CHINESE = pattern(
    rf"(?P<place>{_PLACES})"
    r"|《(?P<title>[^《》\n]{1,60})》|[“「](?P<quoted>[^“”「」\n]{1,20})[”」]"
    rf"|(?P<nick>[小老阿][{_SURNAMES}](?![{_SURNAMES}]))"
    rf"|(?P<titled>(?:[{_SURNAMES}]|{_DOUBTFUL})(?:{_TITLES}))"
    rf"|(?:^|(?<=[{_BEFORE_NAME}]))(?P<full>(?:(?!孙[女子媳])[{_SURNAMES}]|{_DOUBTFUL})[\u4e00-\u9fff])"
    r"|(?:叫|名叫|名字是)(?:做|作)?(?P<called>[\u4e00-\u9fff]{2})"
)


def names_in(text: str) -> Iterator[str]:
    """The names in a text, the first word too where it may be one."""
    for word in RUN.findall(spelled_out(text)):
        if any(map(str.isupper, word)) and word.lower() not in _NO_NAMES:
            yield word
    if has_chinese(text):
        for match in _CHINESE.finditer(text):
            yield match[match.lastgroup or 0]
