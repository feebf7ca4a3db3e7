"""Words of which a text that tells lines again has the same, or neither: more and less."""

from __future__ import annotations

from memwiki.facts.identity import normalised
from memwiki.patterns import pattern

_ROWS = (
    "higher highest increase increases increased raise raises raised grows growth"
    " / lower lowest decrease decreases decreased drop drops dropped lowers decay",
    "more most maximum above / less least fewer minimum below",
    "before earlier / after later",
    "enable enabled enables / disable disabled disables",
    "stay stays staying remain / leave leaves leaving",
    "join joins joining / leave leaves leaving",
    "single one once / several many multiple repeated",
    "binary / textual text",
    "directed / undirected",
    "include includes included including / exclude excludes excluded excluding except",
    "allow allows allowed permit permits permitted"
    " / forbid forbids forbidden prevent prevents prevented prohibit prohibits prohibited",
    "accept accepts accepted / reject rejects rejected",
    "required mandatory / optional",
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
    "cheaper / dearer costlier",
    "始终 总是 / 从不",
    "最高 更高 高于 增加 上升 提高 提升 / 最低 更低 低于 减少 下降 降低",
    "最大 大于 / 最小 小于",
    "之前 / 之后",
    "启用 开启 / 禁用 关闭",
    "允许 / 禁止",
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
    "必需 必须 / 可选",
)
_PAIRS = [tuple(frozenset(side.split()) for side in row.split(" / ")) for row in _ROWS]
_LATIN = pattern(r"[a-z]+")
_ZH = pattern("|".join(word for row in _ROWS for word in row.split() if not word.isascii()))


def opposite_of(claimed: str, told: str) -> tuple[str, str]:
    """A word of the first text and its opposite in the second, where neither has the other's; two
    empty ones where there is none."""
    mine, theirs = _words(claimed), _words(told)
    for pair in _PAIRS:
        for one, other in (pair, pair[::-1]):
            if mine & one and theirs & other and theirs.isdisjoint(one) and mine.isdisjoint(other):
                return min(mine & one), min(theirs & other)
    return "", ""


def _words(text: str) -> frozenset[str]:
    plain = normalised(text)
    return frozenset((*_LATIN.findall(plain), *_ZH.findall(plain)))
