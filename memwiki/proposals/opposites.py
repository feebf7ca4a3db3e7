"""Words of which a text that tells lines again has the same, or neither: more and less."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain

from memwiki.index.keyword.tokens import stem
from memwiki.proposals.beside import Likest, Tokens, sentences
from memwiki.text import pattern

ROWS = (
    "higher highest increase increases increased raise raises raised grows growth"
    " / lower lowest decrease decreases decreased drop drops dropped lowers decay",
    "more most maximum above / less least fewer minimum below",
    "enable enabled enables / disable disabled disables",
    "join joins joining joined / leave leaves leaving left",
    "single / several many multiple repeated",
    "binary / textual text",
    "directed / undirected",
    "include includes included including / exclude excludes excluded excluding except",
    "allow allows allowed permit permits permitted"
    " / forbid forbids forbidden prevent prevents prevented prohibit prohibits prohibited"
    " deny denies denied",
    "accept accepts accepted / reject rejects rejected",
    "required mandatory must / optional recommended",
    "internal / external",
    "inside within / outside",
    "local locally / remote remotely",
    "synchronous synchronously / asynchronous asynchronously",
    "static / dynamic",
    "automatic automatically / manual manually",
    "ascending / descending",
    "horizontal horizontally / vertical vertically",
    "positive / negative",
    "succeed succeeds succeeded success / fail fails failed failure",
    "visible shown shows / hidden hides invisible",
    "expand expands expanded / collapse collapses collapsed",
    "mutable / immutable",
    "public / private",
    "temporary temporarily / permanent permanently",
    "faster quicker / slower",
    "larger bigger longer / smaller shorter",
    "stronger / weaker",
    "better / worse",
    "greater / smaller",
    "start begin beginning / end ending",
    "often frequently frequent / rarely seldom infrequently infrequent rare",
    "correct correctly valid / incorrect incorrectly invalid wrong wrongly",
    "first / last",
    "upper / lower",
    "add adds added adding / remove removes removed removing delete deletes deleted",
    "open opens opened / close closes closed",
    "create creates created / delete deletes deleted destroy destroys destroyed",
    "import imports imported / export exports exported",
    "upload uploads uploaded / download downloads downloaded",
    "upgrade upgrades / downgrade downgrades",
    "encode encodes encoded / decode decodes decoded",
    "lock locks locked / unlock unlocks unlocked",
    "read reads reading / write writes writing written",
    "input / output",
    "client / server",
    "parent parents / child children",
    "ancestor ancestors / descendant descendants",
    "primary / secondary",
    "newer / older",
    "left / right",
    "top / bottom",
    "explicit explicitly / implicit implicitly",
    "eager eagerly / lazy lazily",
    "uppercase / lowercase",
    "global globally / local locally",
    "buy buys bought / sell sells sold",
    "win wins won / lose loses lost",
    "easy easier easily / hard harder difficult",
    "safe safely / unsafe dangerous",
    "is_on / is_off",
    "is_up / is_down",
    "empty / full",
    "love loves loved / hate hates hated dislike dislikes disliked",
    "short / long",
    "support supports supported / deprecate deprecated",
    "backup backups / restore restores restored",
    "on_by_default / off_by_default",
    "cheaper / dearer costlier",
    "始终 总是 / 从不",
    "最高 更高 高于 增加 上升 提高 提升 / 最低 更低 低于 减少 下降 降低",
    "最大 / 最小",
    "启用 开启 / 禁用 关闭",
    "允许 / 禁止 拒绝",
    "包含 包括 / 排除",
    "成功 / 失败",
    "自动 / 手动",
    "同步 / 异步",
    "本地 / 远程",
    "升序 / 降序",
    "显示 / 隐藏",
    "静态 / 动态",
    "更快 / 更慢",
    "更大 / 更小",
    "必需 必须 / 可选 推荐 建议",
    "交集 / 并集",
    "intersection / union",
    "经常 频繁 / 很少 偶尔",
    "首次 最早 / 最近 最后",
    "增大 调大 / 减小 调小",
    "上传 / 下载",
    "导入 / 导出",
    "打开 / 关闭",
    "单个 / 多个",
    "乐观 / 悲观",
    "公开 / 私有",
    "正确 / 错误",
    "内部 / 外部",
    "升级 / 降级",
    "以上 / 以下",
    "递增 / 递减",
    "有序 / 无序",
    "长期 / 短期",
    "全局 / 局部",
    "永久 / 临时",
    "新增 添加 增加 / 删除 移除",
    "物理 / 逻辑",
    "上游 / 下游",
    "提前 / 推迟",
    "大于 超过 / 低于 小于",
    "高于 / 小于",
    "send sends sent sender / receive receives received receiver",
    "encrypt encrypts encrypted / decrypt decrypts decrypted",
    "push pushes pushed / pull pulls pulled",
    "earliest oldest / latest newest",
    "minority / majority",
    "forward forwards / backward backwards",
    "attach attaches attached / detach detaches detached",
    "shallow / deep",
    "strict strictly / loose loosely lenient",
    "high / low",
    "strong / weak",
    "fast quickly / slow slowly",
    "simple / complex complicated",
    "cheap / expensive",
    "rows row / columns column",
    "append appends appended / prepend prepends prepended",
    "prefix prefixes / suffix suffixes",
    "leader / follower",
    "grant grants granted / revoke revokes revoked",
    "acquire acquires acquired / release releases released",
    "online / offline",
    "arrive arrives arrived / depart departs departed",
    "pass passes passed / fail fails failed",
    "喜欢 爱吃 / 讨厌",
    "简短 简洁 / 详细 冗长",
    "producer producers / consumer consumers",
    "caller / callee",
    "rise rises rising rose / fall falls falling fell",
    "improve improves improved / worsen worsens worsened degrade degrades degraded",
    "optimistic / pessimistic",
    "lvalue / rvalue",
    "everyone everybody anyone / nobody",
    "stopped stops / started starts",
    "ascend / descend",
    "summer / winter",
    "longest / shortest",
    "最长 / 最短",
    "spring / autumn",
    "morning / evening",
    "夏天 夏季 / 冬天 冬季",
    "春天 春季 / 秋天 秋季",
    "早上 上午 / 晚上 下午",
    "扩容 / 缩容",
    "加密 / 解密",
    "发送 / 接收",
    "写入 / 读取",
    "输入 / 输出",
    "开始 / 结束",
    "启动 / 停止",
    "连接 / 断开",
    "加锁 / 解锁",
    "提交 / 回滚",
    "严格 / 宽松",
    "顺序 / 随机",
    "水平 / 垂直",
    "横向 / 纵向",
    "前缀 / 后缀",
    "最新 / 最旧",
    "至多 最多 / 至少 最少",
    "全量 / 增量",
    "较大 / 较小",
    "较高 / 较低",
    "加快 / 减慢",
    "简单 / 复杂",
    "主动 / 被动",
    "立即 立刻 / 延迟 稍后",
    "串行 / 并行",
    "在线 / 离线",
    "集中 / 分散",
    "优点 / 缺点",
    "左侧 左边 / 右侧 右边",
    "扩大 / 缩小",
    "涨了 上涨 / 跌了 下跌 降价",
    "很长 长的 / 很短 短的",
    "开着 / 关着",
    "可以 / 禁止",
    "增强 / 减弱",
)
_TURNING = pattern(r"(?:un|in|im|ir|il|non-?|dis|de|anti-?)([a-z]{5,})")
_NOT_TURNED = tuple(  # what follows in words of another meaning: improve, designed, default
    "clud creas cover count liver fault sign port press prov play cours light serv form stall fin "
    "scrib velop put vest tens stanc pend vers".split()
)
_MIN_STEM = 5  # letters
_MIN_LIKE = 0.5  # of the tokens of a sentence, that it is compared with another one by itself
_SWITCHED = pattern(
    r"\b(?:turn|switch|is|are|be|go|goes|gone|went) (on|off|up|down)\b(?! by default)"
)
_BY_DEFAULT = pattern(r"\b(on|off) by default\b")
_DENIED = pattern(r"\b(?:not|never|no|without)(?: \w+)? \w+")
_ZH_DENIED = pattern(r"[不没非未无勿]\w{2}")
_ZH = pattern("|".join(word for row in ROWS for word in row.split() if not word.isascii()))
Words = frozenset[str]


@cache
def _pairs() -> list[tuple[Words, Words]]:
    sides = (row.split(" / ") for row in ROWS)
    return [(_stems(one), _stems(other)) for one, other in sides]


def _stems(words: str) -> Words:
    return frozenset(map(stem, words.split()))


def _opposed(mine: Words, theirs: Words) -> tuple[str, str] | None:
    for pair in _pairs():
        for one, other in (pair, pair[::-1]):
            is_said = mine & one and theirs & other
            if is_said and theirs.isdisjoint(one) and mine.isdisjoint(other):
                return min(mine & one), min(theirs & other)
    return None


def opposite_of(claimed: str, told: str, pairs: Sequence[Likest] = ()) -> tuple[str, str]:
    """A word of the first text and its opposite in the second, where neither has the other's, or
    in a sentence and the one it is told after; two empty ones where there is none. What is denied
    is no such word."""
    whole = _words(*sentences(claimed)), _words(*sentences(told))
    parts = ((_words(each.mine), _words(each.theirs)) for each in pairs if each.like >= _MIN_LIKE)
    for mine, theirs in (whole, *parts):
        if found := _opposed(mine, theirs) or _opposite_prefix(mine, theirs):
            return found
        if turned := _opposite_prefix(theirs, mine):
            return turned[::-1]
    return "", ""


def _opposite_prefix(plain: Words, words: Words) -> tuple[str, str] | None:
    """A word of the former, and the latter's with un-, de-, ... before it; neither has both."""
    plain, words = _last_parts(plain), _last_parts(words)
    for word in sorted(words - plain):
        found = _TURNING.fullmatch(word)
        if found is None or found[found.lastindex or 1].startswith(_NOT_TURNED):
            continue
        rest = found[found.lastindex or 1]
        if any(_begins(each, rest) for each in words) or any(_begins(each, word) for each in plain):
            continue
        if same := next((each for each in sorted(plain) if _begins(each, rest)), None):
            return same, word
    return None


def _last_parts(words: Words) -> Words:
    """Those with hyphens by their last part: case-sensitive."""
    return frozenset(word.rpartition("-")[2] for word in words)


def _begins(one: str, other: str) -> bool:
    """Whether two stems are forms of one word."""
    size = min(len(one), len(other))
    return size >= _MIN_STEM and one[:size] == other[:size]


def _words(*parts: Tokens) -> Words:
    return frozenset(chain.from_iterable(map(_words_of, parts)))


def _words_of(tokens: Tokens) -> Words:
    plain = " ".join(tokens)
    plain = _BY_DEFAULT.sub(r"\1_by_default", _SWITCHED.sub(r"is_\1", plain))
    chinese = "" if plain.isascii() else _ZH_DENIED.sub(" ", plain.replace(" ", ""))
    return frozenset((*_DENIED.sub(" ", plain).split(), *_ZH.findall(chinese)))
