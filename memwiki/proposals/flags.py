"""What a person should look at before an operation becomes true: instructions, addresses, and more.

Every pattern is bounded on all sides, so that a search takes time linear in the text. A fact says
its subject first; what begins with a verb, or speaks to an agent, is meant to be done.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache

from memwiki.entry_fields import MODEL
from memwiki.index.keyword.tokens import normalise
from memwiki.names import BIDI, JOINERS
from memwiki.proposals.numbering import SourceLine
from memwiki.text import pattern


def _one_of(words: str) -> str:
    """A pattern for any of these words; `_` is a blank in one."""
    return f"(?:{'|'.join(words.split()).replace('_', ' ')})"


_HIDDEN = pattern(f"[\u00ad\u200b{JOINERS}{BIDI}\u2060\ufeff]")
_START = r"(?:^|[.!?;:。！？；：，\"'“‘「(\[<>*`-])[ \t]*"  # of a sentence, or of a part of one
_VERB = _one_of(
    "answer append call click commit copy curl delete disable download email erase execute "
    "exfiltrate fetch follow forward grant import insert install invoke leak obey open output "
    "overwrite paste post pretend print push read remove repeat replace reply respond reveal run "
    "send share transfer upload use visit write"
)
_OBJECT = _one_of(
    "all any an? as every her his in it its me my no only that the their these this to with your?"
)
_TOLD = _one_of("ask alert inform let mention notify reveal show tell warn")
_TELLING = _one_of("asking alerting informing letting mentioning notifying showing telling warning")
_USER = _one_of("user human owner operator developer")
_AGENT = _one_of(
    "agents? assistants? chat_?bots? language_models? llms? chatgpt claude codex copilot gemini"
)
_MUST = _one_of(
    "must should shall has_to have_to needs?_to (?:is|are)_to always never please do_not don't "
    "(?:is|are)_(?:required|instructed|allowed|authori[sz]ed)"
)
_ENGLISH = (
    rf"\b{_one_of('ignore disregard forget override overrule bypass')}\b[^.!?\n]{{0,60}}"
    r"\b(?:instruction|prompt|rule|guideline|directive|direction|safeguard|restriction)s?\b",
    r"\b(?:system|developer) (?:prompt|message|instruction|override)s?\b|\bjail ?break"
    r"|\bsystem mode\b|\b(?:are|now|enter)(?: in)? developer mode\b",
    r"<\|\w{1,20}\|>|\[/?inst\]|</?(?:system|assistant|developer)>",
    r"(?:^|\n)[ \t#*\[]{0,9}(?:system|developer|assistant)[\]* \t]{0,5}:",
    rf"\b(?:do not|don't|never|must not|should not) {_TOLD}\b[^.!?\n]{{0,40}}\b{_USER}s?\b",
    rf"\bwithout {_TELLING}\b[^.!?\n]{{0,40}}\b{_USER}s?\b",
    rf"{_START}(?:do not|don't|never|always|please|make sure|be sure|ensure|remember to"
    r"|remember that you|you (?:must|should|shall|need to|have to|may not|can ?not)|from now on"
    r"|henceforth|act as|pretend (?:to|that|you))\b",
    rf"{_START}(?:now|then|first|next|also|instead|immediately),? {_VERB}\b",
    rf"{_START}{_VERB} {_OBJECT}\b",
    rf"{_START}{_one_of('after before every_time if once when whenever')}\b"
    rf"[^.!?\n]{{1,80}}, ?{_VERB}\b",
    rf"\b{_AGENT}\b[ ,]{{1,2}}{_MUST}\b",
    r"\byou (?:are now|are an? (?:ai|agent|assistant|helpful|language))\b",
    r"\byou (?:will|must) (?:now|always)\b",
    r"\b(?:always|never|must) (?:run|execute|invoke|obey|curl) (?:this|the|these|all|`)",
)
_ZH_DO = "(?:运行|执行|调用|安装|下载|上传|删除)"
_CHINESE = (
    "(?:忽略|无视|忽視|忘记|忘掉|不要理会|不用管|绕过|覆盖|推翻)[^。！？\n]{0,20}"
    "(?:指令|指示|提示|规则|規則|命令|限制|设定)",
    "系统(?:提示|指令|消息)|提示词|开发者模式|越狱模式",
    "(?:不要|别|不得|切勿|禁止|无需|不必|不用|不能)再?(?:告诉|告知|通知|提醒|询问|透露|让|向|跟|对)"
    "[^。！？\n]{0,8}(?:用户|用戶|使用者|主人|任何人|人类)",
    rf"{_START}(?:请(?!假|客|求|教|了|来|过|到|的)|务必|必须|切记|一定要|不要|总是|始终|永远|每次都?要"
    "|从现在(?:起|开始)|从今(?:以后|往后)"
    "|你(?:必须|应该|应当|需要|务必|要|现在是|将|不得|不要|是一))",
    "(?:智能体|代理程序|助手|大?模型|机器人)(?:必须|应该|应当|务必|不得|不要|需要|总是|请)",
    f"(?:总是|每次|务必|必须|立即|立刻|马上)(?:都|要|先|都要)?{_ZH_DO}"
    "(?:命令|脚本|程序|这|该|以下|所有|[ `a-z])",
)
_PROGRAM = (
    r"apt(?:-get)? install|bash -|brew install|chmod [0-7+ugo]|chown \S|cmd /|crontab -|eval \S"
    r"|curl (?:-|\S{1,60}[/.])|docker (?:run|exec|rm)|kubectl \S|kill -|nc -|node -e|np[mx] \S"
    r"|git (?:add|checkout|clone|commit|pull|push|rebase|reset)|pip3? install|powershell"
    r"|python3? -[cm]|python3? \S{1,60}\.py|rm -|scp \S|sh -c|ssh \S{1,60}[@.-]|sudo \S"
    r"|systemctl \S|tar -?[cx]|wget \S"
)
_ADDRESSES = (
    r"\b[a-z][a-z0-9+.-]{1,20}://|\b(?:mailto|javascript|data|tel):\S|\bwww\.\w",
    r"(?<=[a-z0-9])\.(?:com|org|net|edu|gov|io|dev|app|cn|ru|xyz|info|biz|top)(?![a-z0-9])",
    r"(?<=[\w+-])@[\w-]{1,63}\.\w",
    r"(?<![\d.])\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![\d.])",
    rf"(?:^|[\s`\"'(：:，。$#;&|>])(?:{_PROGRAM})",
    r"\|[ \t]{0,3}(?:ba|z)?sh\b|&&[ \t]{0,3}\w|\$\(|(?:^|\n)[ \t]{0,9}\$ \w",
    r"\s--[a-z][a-z-]{2,30}(?:[= ]|$)",
)
# An option that is spoken of is no command line.
_OPTIONS = pattern(
    rf"(?:\b{_one_of('argument flag option parameter setting switch')}s? "
    "|(?![用加带以行])[\u4e00-\u9fff] ?)--[a-z][a-z-]{2,30}"
    "(?:(?:,| and| or|[、和或]) ?--[a-z][a-z-]{2,30}){0,9}"
)


def is_instruction(text: str) -> bool:
    """Whether a text tells an agent what to do, rather than what is so."""
    return _any_of((*_ENGLISH, *_CHINESE)).search(_plain(text)) is not None


def is_address(text: str) -> bool:
    """Whether a text holds an address of the web, an e-mail address or a command line."""
    plain = _OPTIONS.sub(" ", _plain(text))
    return _any_of(_ADDRESSES).search(plain) is not None


def _plain(text: str) -> str:
    return _HIDDEN.sub("", normalise(text)).replace("’", "'").lower()


@cache
def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Compiled for the first text: it takes some milliseconds."""
    return pattern("|".join(f"(?:{pattern})" for pattern in patterns))


MAX_IMPORTANCE = 0.8  # above it is flagged
_PERSONS = ("", "user")  # the roles of a file's lines and of what a person says


class Flag(StrEnum):
    """Why an operation is never taken together with others."""

    INSTRUCTION = "instruction"  # to an agent
    ADDRESS = "address"  # of the web or of a person, or a command line
    IMPORTANT = "important"
    ASSISTANT = "assistant or tool"  # said by one
    FOREIGN = "foreign"
    SUPERSEDES = "supersedes"
    RETIRES = "retires"
    MERGES = "merges"
    PERSON = "changes a person's words"


def flags_of(
    text: str, cited: Sequence[SourceLine], *, importance: float | None = None
) -> tuple[str, ...]:
    """What stands out in a text, in the lines it rests on and in how much it is to matter."""
    return tuple(_flags(text, cited, importance))


def _flags(text: str, cited: Sequence[SourceLine], importance: float | None) -> Iterator[Flag]:
    if is_instruction(text):
        yield Flag.INSTRUCTION
    if is_address(text):
        yield Flag.ADDRESS
    if importance is not None and not importance <= MAX_IMPORTANCE:  # what is no number, too
        yield Flag.IMPORTANT
    if any(line.role not in _PERSONS for line in cited):
        yield Flag.ASSISTANT


def change_flags(what: Flag | None, origins: Iterable[str]) -> tuple[str, ...]:
    """What a change of entries is, if it is to be looked at, and whether it changes the words of a
    person; `origins` are those of the entries."""
    if what is None:
        return ()
    is_persons = any(each != MODEL for each in origins)
    return (what.value, *[Flag.PERSON.value] * is_persons)
