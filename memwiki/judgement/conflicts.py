"""What contradicts something known, and when the newer fact takes the place of the older."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain, islice
from typing import NamedTuple

from memwiki.facts.identity import normal_form
from memwiki.index.keyword.tokens import query_terms, stem
from memwiki.judgement import concepts
from memwiki.judgement.clauses import is_list_item
from memwiki.judgement.contrast import are_contrary
from memwiki.judgement.lexicon import DATES, DEFAULT_RULES, ConflictRules, Kind, Token
from memwiki.judgement.similarity import Fact, ReadFact, jaccard, read, without_correction
from memwiki.judgement.statement import statements_of
from memwiki.judgement.tickets import ID, are_of_two_states
from memwiki.judgement.traits import are_of_two_sides
from memwiki.names import fold, slug
from memwiki.text import is_cjk, pattern

NEGATION, PREFERENCE, CHANGE, VALUE = "negation", "preference", "change", "value"
SAME_KEY = "same key"

_WEIGHTS = {NEGATION: 0.4, PREFERENCE: 0.3, CHANGE: 0.3, VALUE: 0.4}
_SHARE = 0.3  # of the weights in the score
_NEGATION_FROM, _CHANGE_FROM = 0.3, 0.2  # no signal in texts less alike
_LIKENESS = 0.5  # at least, of two contrary statements
_BESIDE = 0.5  # of a word that it says itself
_USER = frozenset(
    "i me my mine myself we us our ours user users 我 我们 咱们 用户 用戶 使用者 本人".split()
)
_DENYING_ONE = frozenset("none nobody nothing neither nor without".split())  # not the sentence
_BEFORE_NO = frozenset("is are has have had there gets takes needs".split())
_ALL = frozenset("all every everyone everything".split())  # what a sentence may deny first
_WHICH = frozenset("that which who whom whose where to".split())
# What is meant by these stands elsewhere.
_POINTING = frozenset(
    "this these following above below previous such 该 此 这 上述 以下 下面".split()
)
_ZH_WHICH = "的"
# It was so on one day, and not on another: 没去, not 没有 and 没去过.
_ONCE = pattern(r"\b(?:was|were|did)\b|[没沒](?!有|[^,，。]*过)")
_NOT_THE_OTHER = pattern(r",(?: and)? not [^,.;!?]{1,60}(?=[.!]?\s*\Z)")
_PREFERENCES = frozenset((Kind.LIKING, Kind.DISLIKING))
_SIGNALLING = _PREFERENCES | {Kind.NEGATION, Kind.CHANGE}
_UNSAID = (Kind.STOP, Kind.NEGATION, Kind.LASTING, Kind.CHANGE)
_RESERVED = frozenset((Kind.CONDITION, Kind.ADDITION))  # both texts may be true
_FAVOURITE = frozenset("favorite favorites favourite favourites 最喜欢 最喜歡 最爱".split())
_LIKES_MANY = frozenset(
    "like likes liked love loves loved enjoy enjoys enjoyed adore adores fond "
    "喜欢 喜歡 喜爱 热爱 爱吃 爱喝 爱看 爱听 爱玩".split()
)
# Topics of which a subject may have several: a word of one, at its end.
_MANY = frozenset(
    "like dislike love hobby interest skill language friend pet child sibling visited know met "
    "owns has uses allergy intolerance medication medicine drug prescription vaccination vaccine "
    "diagnosis illness disease symptom condition kid son daughter sister brother cousin dog cat "
    "relative colleague coworker teammate client customer supplier vendor project task todo goal "
    "trip appointment event meeting book film movie song tool library dependency package plugin "
    "server endpoint service feature bug issue risk requirement constraint restriction rule "
    "guideline lesson note fact idea question decision reason certificate subscription account "
    "device member stakeholder participant attendee ingredient dish recipe gift habit routine "
    "instrument sport contact alias tag link resource".split()
)
_ZH_MANY = tuple(
    "喜欢 讨厌 爱好 兴趣 技能 语言 朋友 宠物 孩子 去过 认识 遇见 拥有 过敏 药 用药 药物 疾病 病史 "
    "症状 儿子 女儿 兄弟 姐妹 同事 客户 项目 任务 目标 工具 依赖 服务器 成员 需求 规则 忌口 习惯 "
    "会议 电影 证书 账号".split()
)
# Topics of which it has one at a time.
_ONE = frozenset(
    "colour color city town residence address location employer company role position occupation "
    "profession title status state stage phase phone number email mail birthday age height weight "
    "size spouse husband wife partner name nickname bank editor theme mode shell currency plan "
    "price rent salary budget due version port branch owner manager headquarters hours times "
    "pronouns whereabouts gender nationality religion place venue time date default school grade "
    "country host room desk seat floor ip model type hometown schedule temperature limit timeout "
    "retention zone married".split()
)
_ZH_ONE = tuple(
    "颜色 城市 住址 地址 住处 公司 单位 职业 职位 工作 状态 阶段 电话 号码 手机号 邮箱 生日 年龄 "
    "身高 体重 尺码 配偶 丈夫 妻子 名字 昵称 时区 银行 编辑器 主题 货币 价格 房租 工资 预算 日期 "
    "时间 地点 版本 端口 分支 负责人 经理 老板 密码 房东 牙医 医生 总部 住所 居住地 现居地 岗位 "
    "雇主 婚姻状况 国家 年级 学校 部门 上司 主管 领导 老家 家乡 鞋码 血型 数据库".split()
)
_ENDS_OF_ONE = ("ss", "us", "is")  # address, status, basis
_RATHER = (" over ", " rather than ", " instead of ", " more than ", "而不是", "胜过", "多过")
_MIN_WORDS = 2  # of a sentence: "Done" and "Not done" are no facts about anything
_MIN_WORDS_SAID = 3  # of what is no sentence by its verb
_MAX_VALUE_WORDS = 4  # words of what is a favourite
_EVENTS = frozenset(("event", "事件"))
_BE = frozenset(("is", "are", "has"))  # the verbs of a state


class Conflict(NamedTuple):
    """Two facts that may not both hold: the signals, and whether the older one is over."""

    score: float
    reasons: tuple[str, ...]
    supersedes: bool


def judge_conflict(old: Fact, new: Fact, rules: ConflictRules = DEFAULT_RULES) -> Conflict | None:
    """What speaks against both facts being true, if their likeness and the signals suffice.

    The likeness is plain Jaccard in either mode as long as no text has a vector. One key has one
    value, and one subject and topic one object, however unlike the texts are.
    """
    return judge_conflicting(read_statement(old, rules), read_statement(new, rules), rules)


def read_statement(fact: Fact, rules: ConflictRules = DEFAULT_RULES) -> ReadFact:
    """A fact as it is judged for conflicts: with what it may be about, and as a statement."""
    return with_statements(read(fact, rules))


def with_statements(reading: ReadFact) -> ReadFact:
    """The same of a fact that was read."""
    fact = reading.fact
    text = without_correction(fact.text)
    plain = _NOT_THE_OTHER.sub("", text)  # of "8081, not 8080" the first is the value
    statements = statements_of(text) + (statements_of(plain) if plain != text else ())
    return reading._replace(subjects=subjects_of(fact, reading.tokens), statements=statements)


def judge_conflicting(
    old: ReadFact, new: ReadFact, rules: ConflictRules = DEFAULT_RULES
) -> Conflict | None:
    """The same for facts read before."""
    if old.text == new.text:
        return None
    likeness = jaccard(old.words, new.words)
    if old.fact.key and new.fact.key:
        if fold(old.fact.key) != fold(new.fact.key):
            return None
        return Conflict(_score(likeness, [VALUE]), (SAME_KEY, VALUE), supersedes=True)
    if ID.match(old.text) and ID.match(new.text):
        is_other = are_of_two_states(old.fact.text.lower(), new.fact.text.lower())
        if is_other is not None:
            score = _score(max(likeness, _LIKENESS), [VALUE])
            return Conflict(score, (VALUE,), supersedes=False) if is_other else None
    whose = old.fact.subject, new.fact.subject
    if (all(whose) and _is_of_two(*whose)) or _happened_apart(old, new):
        return None
    are_swapped = _is_swapped(old.text, new.text)  # "Prefers tabs over spaces", as agents write it
    is_of_one_subject = are_swapped or not old.subjects.isdisjoint(new.subjects)
    has_objects = old.fact.object and new.fact.object
    has_signals = has_objects or not _SIGNALLING.isdisjoint(old.kinds | new.kinds)
    judge = _judge_text if is_of_one_subject and has_signals else _judge_statements
    return judge(old, new, likeness, rules)


def words_beside(reading: ReadFact) -> frozenset[str]:
    """The index's terms of other words for what a fact tells, with which another one may say
    otherwise: of who lives somewhere, what who moved says."""
    words = chain.from_iterable(each.words for each in reading.statements)
    ideas = {word.text for word in words if word.text.startswith(concepts.IDEA)}
    return frozenset[str]().union(*map(concepts.words_for, ideas)) - reading.words


def weighted_words(words: Iterable[str], beside: Iterable[str]) -> dict[str, float]:
    """What is looked for to find what contradicts a fact: its words, and for less those beside."""
    return dict.fromkeys(beside, _BESIDE) | dict.fromkeys(words, 1.0)


def _judge_text(
    old: ReadFact, new: ReadFact, likeness: float, rules: ConflictRules
) -> Conflict | None:
    reasons = tuple(_signals(old, new, likeness))
    score = _score(likeness, reasons)
    is_moved = _has_another_object(old.fact, new.fact)
    if not reasons or (score <= rules.threshold and not is_moved):
        return _judge_statements(old, new, likeness, rules)
    is_over = (is_moved and _has_one_value(old, new)) or _is_flipped(old, new)
    return Conflict(score, reasons, supersedes=is_over)


def _judge_statements(
    old: ReadFact, new: ReadFact, likeness: float, rules: ConflictRules
) -> Conflict | None:
    """Statements that can hardly both hold are reported, and end nothing."""
    score = _score(max(likeness, _LIKENESS), [VALUE])
    if score <= rules.threshold or not are_contrary(old.statements, new.statements):
        return None
    return Conflict(score, (VALUE,), supersedes=False)


def _score(likeness: float, reasons: tuple[str, ...] | list[str]) -> float:
    return min(1.0, likeness + _SHARE * sum(_WEIGHTS[reason] for reason in reasons))


# --- about the same subject ---


def subjects_of(fact: Fact, tokens: Iterable[Token]) -> frozenset[str]:
    """What a fact of these words may be about; two that share none of these are no conflict."""
    found = {f"entity {fold(name)}" for name in fact.entities}
    if fact.subject:
        found.add(f"subject {_as_user(fold(fact.subject))}")
    if first := _first_word(tokens):
        found.add(f"word {first}")
    return frozenset(found)


def _happened_apart(old: ReadFact, new: ReadFact) -> bool:
    """Whether both are events of two days: both happened, unless they say when they will be, or one
    tells a state and the other that it is over."""
    if not {fold(old.fact.type), fold(new.fact.type)} <= _EVENTS:
        return False
    days = {old.fact.created[:10], new.fact.created[:10]} - {""}
    is_apart = len(days) > 1 and not any(_says_when(each) for each in (old, new))
    return is_apart and not any(
        _BE & {one.verb, other.verb} and are_of_two_sides(one, other)
        for one in old.statements
        for other in new.statements
    )


def _says_when(reading: ReadFact) -> bool:
    from memwiki.times.days import says_year_and_month  # few facts are events

    is_day = any(token.text.removesuffix("s") in DATES for token in reading.tokens)
    return is_day or says_year_and_month(reading.fact.text)


def _is_of_two(one: str, other: str) -> bool:
    return _as_user(fold(one)) != _as_user(fold(other))


def _as_user(word: str) -> str:
    return "user" if word in _USER else word


def _first_word(tokens: Iterable[Token]) -> str:
    """The stem of the first word that says what a text is about; of Chinese two characters."""
    said = [*islice((token.text for token in tokens if token.kind is Kind.CONTENT), 2)]
    if not said:
        return ""
    start = said[0] + said[1] if len(said) > 1 and is_cjk(said[0] + said[1]) else said[0]
    if start in _USER or said[0] in _USER:
        return "user"
    return start if is_cjk(start) else _term_of(start)


@lru_cache(maxsize=1_000)  # many texts begin with one word
def _term_of(word: str) -> str:
    return "".join(query_terms(word)[:1]) or word


# --- signals ---


def _signals(old: ReadFact, new: ReadFact, likeness: float) -> Iterator[str]:
    if likeness > _NEGATION_FROM and _is_turned_round(old, new) and _are_said(old, new):
        yield NEGATION
    both_prefer = all(not _PREFERENCES.isdisjoint(each.kinds) for each in (old, new))
    if both_prefer and _likes_other(old, new) and _is_said(old) and _is_said(new):
        yield PREFERENCE
    if likeness > _CHANGE_FROM and (_is_change(old, new) or _is_change(new, old)):
        yield CHANGE
    if _has_another_object(old.fact, new.fact) and not _takes_many(old.fact):
        yield VALUE


def _is_turned_round(old: ReadFact, new: ReadFact) -> bool:
    is_denied = Kind.NEGATION in old.kinds ^ new.kinds and not _are_of_two(old, new)
    return is_denied or _turns_liking(old, new)


def _are_of_two(old: ReadFact, new: ReadFact) -> bool:
    """Whether two sentences speak of two things: each has a word that the other has not."""
    one, other = ({t.text for t in each.tokens if t.kind is Kind.CONTENT} for each in (old, new))
    return bool(old.statements and new.statements and one - other and other - one)


def _are_said(old: ReadFact, new: ReadFact) -> bool:
    """Whether both are said of the same numbers, and no items of lists."""
    one, other = (set(filter(_is_amount, (t.text for t in each.tokens))) for each in (old, new))
    is_one = one == other or not (one and other)  # ticket 11 is not ticket 12
    return is_one and _is_said(old) and _is_said(new)


def _is_amount(word: str) -> bool:
    return word.isdecimal() or word.removesuffix("s") in DATES


def _is_said(reading: ReadFact) -> bool:
    """Whether it is no item of a list of names or links."""
    if reading.statements or not reading.text.isascii():
        return True
    words = sum(token.kind not in _UNSAID for token in reading.tokens)
    return words >= _MIN_WORDS_SAID and not is_list_item(reading.fact.text)


def _turns_liking(old: ReadFact, new: ReadFact) -> bool:
    """Whether one likes what the other dislikes."""
    sides = {each.kinds & _PREFERENCES for each in (old, new)}
    return sides == {frozenset((Kind.LIKING,)), frozenset((Kind.DISLIKING,))}


def _likes_other(old: ReadFact, new: ReadFact) -> bool:
    """Whether each names something that the other does not, or in another order: one that only says
    more agrees."""
    one, other = (_said(each, *_PREFERENCES) for each in (old, new))
    if {*one} == {*other}:
        return one != other
    is_more = {*one} <= {*other} or {*one} >= {*other}
    return not is_more and (_turns_liking(old, new) or (_has_choice(old) and _has_choice(new)))


def _has_choice(reading: ReadFact) -> bool:
    """Whether a text prefers something; one may like tea and coffee."""
    return any(
        token.kind is Kind.LIKING and token.text not in _LIKES_MANY for token in reading.tokens
    )


def _is_change(one: ReadFact, other: ReadFact) -> bool:
    return Kind.LASTING in one.kinds and Kind.CHANGE in other.kinds


def _has_another_object(old: Fact, new: Fact) -> bool:
    """Whether both name an object of one subject and topic, and not the same."""
    if not (old.subject and old.topic and old.object and new.object):
        return False
    if fold(old.topic) != fold(new.topic) or _is_of_two(old.subject, new.subject):
        return False
    return normal_form(old.object) != normal_form(new.object)


# --- the older one is over ---


def _has_one_value(old: ReadFact, new: ReadFact) -> bool:
    """Whether a subject has one object at a time under this topic: by the word for it, or as these
    texts can hardly both hold; two preferences or trips can."""
    words = slug(old.fact.topic).split("-")
    ideas = {concepts.RELATIONS.get(each) or concepts.RELATIONS.get(stem(each)) for each in words}
    is_named = not (ideas.isdisjoint(concepts.SINGLE) and _ONE.isdisjoint(words))
    is_of_one = is_named or words[-1].endswith(_ZH_ONE)
    return not _takes_many(old.fact) and (is_of_one or are_contrary(old.statements, new.statements))


def _takes_many(fact: Fact) -> bool:
    """Whether a subject may have many objects under this topic, as events and skills are, and what
    is told as several."""
    topic = slug(fact.topic).rpartition("-")[2]
    is_several = topic.endswith("s") and not topic.endswith(_ENDS_OF_ONE) and topic not in _ONE
    is_known = stem(topic) in _many() or topic.endswith(_ZH_MANY)
    return fold(fact.type) in _EVENTS or is_known or is_several


@cache
def _many() -> frozenset[str]:
    return frozenset(map(stem, _MANY))


def _is_flipped(old: ReadFact, new: ReadFact) -> bool:
    """Whether a negation or a preference is turned round and all other words agree."""
    if any(_is_reserved(each) for each in (old, new)):
        return False
    return _is_negated(old, new) or _is_turned(old, new) or _is_other_favourite(old, new)


def _is_reserved(reading: ReadFact) -> bool:
    """Whether a text holds only at times, beside others or of what it points at, or asks, or tells
    what was so once."""
    said = {token.text for token in reading.tokens}
    return (
        "?" in said
        or bool(said & _POINTING)
        or _ONCE.search(reading.text) is not None
        or not _RESERVED.isdisjoint(reading.kinds)
        or fold(reading.fact.type) in _EVENTS
    )


def _is_negated(old: ReadFact, new: ReadFact) -> bool:
    """Whether one says of its subject what the other denies. A negation within a clause that only
    tells which one is meant ("a button that is not selected", 没有选中的按钮) denies nothing."""
    said = [
        [at for at, token in enumerate(each.tokens) if token.kind is Kind.NEGATION]
        for each in (old, new)
    ]
    words = _said(old)
    if sorted(map(len, said)) != [0, 1] or words != _said(new) or len(words) < _MIN_WORDS:
        return False
    tokens, at = (old.tokens, said[0][0]) if said[0] else (new.tokens, said[1][0])
    return _denies(tokens, at)


def _denies(tokens: tuple[Token, ...], at: int) -> bool:
    """Whether the negation at a place is that of the whole sentence."""
    word, before, after = tokens[at].text, tokens[:at], tokens[at + 1 :]
    if is_cjk(word):
        return not any(token.text == _ZH_WHICH for token in after)
    if word == "no":
        return not before or before[-1].text in _BEFORE_NO
    if word == "not" and not before:
        return bool(after) and after[0].text in _ALL
    return word not in _DENYING_ONE and not any(
        token.text in _WHICH for token in (*before, *after[:1])
    )


def _is_turned(old: ReadFact, new: ReadFact) -> bool:
    """Whether likes became dislikes, or what is preferred to what changed places."""
    if Kind.NEGATION in old.kinds | new.kinds:
        return False
    if _turns_liking(old, new):
        return _said(old, *_PREFERENCES) == _said(new, *_PREFERENCES)
    return Kind.LIKING in old.kinds & new.kinds and _is_swapped(old.text, new.text)


def _said(reading: ReadFact, *unsaid: Kind) -> list[str]:
    """The words that have to agree: content, in order, verbs without the s of he and she."""
    return [
        _as_user(_without_s(token.text))
        for token in reading.tokens
        if token.kind not in _UNSAID and token.kind not in unsaid
    ]


def _without_s(word: str) -> str:
    """A verb or noun without its ending. Source: Harman 1991, the S stemmer."""
    if not word.isascii() or len(word) < 4 or not word.endswith("s"):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word if word.endswith(("us", "ss", "is")) else word[:-1]


def _is_swapped(one: str, other: str) -> bool:
    """Whether A is preferred to B in one text and B to A in the other."""
    for word in _RATHER:
        (liked, mark, less), (liked_now, mark_now, less_now) = (
            one.partition(word),
            other.partition(word),
        )
        if mark and mark_now and less != less_now:
            start = liked.removesuffix(less_now)
            return start != liked and liked_now == start + less
    return False


def _is_other_favourite(old: ReadFact, new: ReadFact) -> bool:
    """Whether the favourite of one kind is another one now."""
    (kind, value), (kind_now, value_now) = _favourite(old), _favourite(new)
    return (
        bool(kind and value and value_now)
        and kind == kind_now
        and not set(value) <= set(value_now)
        and not set(value_now) <= set(value)
        and max(len(value), len(value_now)) <= _MAX_VALUE_WORDS
    )


def _favourite(reading: ReadFact) -> tuple[list[str], list[str]]:
    """Of what kind something is the favourite, and what it is."""
    said = [token for token in reading.tokens if token.kind not in (Kind.LASTING, Kind.CHANGE)]
    at = next((at for at, token in enumerate(said) if token.text in ("is", "是")), 0)
    kind = [_as_user(token.text) for token in said[:at] if token.kind is not Kind.STOP]
    if _FAVOURITE.isdisjoint(kind):
        return [], []
    return kind, [token.text for token in said[at + 1 :] if token.kind is not Kind.STOP]
