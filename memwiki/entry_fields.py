"""The fields of an entry, one row each, which every door, page and store reads, and what names of
fields mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from math import isfinite
from typing import TypedDict, cast

from memwiki.errors import UsageError
from memwiki.names import fold
from memwiki.nouns import Json
from memwiki.numbers import share_of
from memwiki.records import NamedTuple

LEVELS = {"high": "0.9", "medium": "0.5", "low": "0.2"}  # words for a share


class FieldKind(StrEnum):
    """What the value of a field is."""

    TEXT = "text"
    SHARE = "a number from 0 to 1"
    FLAG = "true or false"
    TEXTS = "a list of texts"
    MOMENT = "a date or time"
    PAIRS = "a mapping"
    NESTED = "nested data"


class FieldUse(StrEnum):
    """Where agents' tools take a field."""

    ADD = "of each memory that is added"
    SHARED = "of all memories that one call adds"
    UPDATE = "of the memory that is updated"
    PROPOSE = "of each memory that a model proposes"


class Merge(StrEnum):
    """Which of two values an entry keeps when another one is merged into it."""

    OWN = "its own"
    HIGHER = "the higher one"
    MEAN = "the mean"


class OnNear(StrEnum):
    """What to do where something nearly equal is known."""

    REPORT = "report"  # written, and the near one is named
    REPLACE = "replace"
    MERGE = "merge"
    KEEP = "keep"  # written, without a word
    ASK = "ask"  # written, and a model proposes what becomes of both


class EntryField(NamedTuple):
    """One field; what has no `help` is given by nobody, but by the text of an entry."""

    name: str  # of the argument of `entries.add` and in JSON
    kind: FieldKind = FieldKind.TEXT
    help: str = ""  # of the option of `memwiki add`
    metavar: str = ""
    option: str = ""  # of the command line where it is not the name
    choices: tuple[str, ...] = ()  # any value where there are none
    example: str = ""  # of one of the choices
    filter: str = ""  # help of the option of `memwiki entry list`, "" for none
    about: str = ""  # what models are told of it
    tools: tuple[FieldUse, ...] = ()
    is_written: bool = True  # as a field of the entry, rather than in its text, type or place
    written_as: str = ""  # the name in the file where it is another one
    flag: str = "true"  # what a flag is written as
    is_inherited: bool = False  # by the entry that supersedes this one
    is_naming: bool = False  # its value names a page
    merge: Merge = Merge.OWN

    @property
    def stored(self) -> str:
        """Its name in the file."""
        return self.written_as or self.name


MODEL = "model"  # the origin of what a model proposed and somebody accepted
PERSONS = ("", "user")  # the origins of what a person wrote
ORIGINS = ("user", "agent", "tool", "web", MODEL)
_TOOL = (FieldUse.ADD, FieldUse.PROPOSE)

# In the order in which the fields are written and the options are listed.
FIELDS = (
    EntryField(
        "type",
        help="fact, preference, skill, lesson, decision ...",
        metavar="TYPE",
        about="fact, preference, event, decision, skill ...",
        tools=_TOOL,
        is_written=False,
    ),
    EntryField(
        "tags",
        FieldKind.TEXTS,
        help="A tag; may be repeated.",
        metavar="TAG",
        option="tag",
        about="without #",
        tools=_TOOL,
        is_written=False,
    ),
    EntryField(
        "key",
        help="Replaces the entry that has this key.",
        metavar="KEY",
        about="an existing one is replaced, such as user/color",
        tools=(FieldUse.ADD,),
        is_inherited=True,
    ),
    EntryField(
        "importance",
        FieldKind.SHARE,
        help="From 0 to 1.",
        metavar="X",
        about="0 to 1",
        tools=(*_TOOL, FieldUse.UPDATE),
        is_inherited=True,
        merge=Merge.HIGHER,
    ),
    EntryField(
        "confidence",
        FieldKind.SHARE,
        help="From 0 to 1.",
        metavar="X",
        is_inherited=True,
        merge=Merge.MEAN,
    ),
    EntryField(
        "source",
        help="Where it comes from.",
        metavar="S",
        about="where it is from",
        tools=(FieldUse.SHARED,),
    ),
    EntryField(
        "origin",
        help="user, agent, tool, web or model.",
        metavar="WHO",
        choices=ORIGINS,
        example="agent",
    ),
    EntryField(
        "to",
        help="memory, learnings, daily, inbox or a page (default: by type).",
        metavar="WHERE",
        is_written=False,
    ),
    EntryField(
        "session",
        help="The session it is from.",
        metavar="ID",
        filter="From this session.",
        about="conversation",
        tools=(FieldUse.SHARED,),
        is_inherited=True,
    ),
    EntryField(
        "at",
        FieldKind.MOMENT,
        help="When it was said; for times in words.",
        metavar="TIME",
        is_written=False,
    ),
    EntryField(
        "staged",
        FieldKind.FLAG,
        help="Into the inbox, unjudged.",
        written_as="status",
        flag="staged",
    ),
    EntryField(
        "private",
        FieldKind.FLAG,
        help="Keep it out of prompts and exports.",
        is_inherited=True,
    ),
    EntryField(
        "subject",
        help="Whom or what it is about.",
        metavar="S",
        about="who or what",
        tools=_TOOL,
        is_inherited=True,
        is_naming=True,
    ),
    EntryField(
        "topic",
        help="What about it.",
        metavar="S",
        about="what of it",
        tools=_TOOL,
        is_inherited=True,
        is_naming=True,
    ),
    EntryField(
        "object",
        help="Its value.",
        metavar="S",
        about="its value",
        tools=_TOOL,
        is_naming=True,
    ),
    EntryField(
        "entities",
        FieldKind.TEXTS,
        help="A name it mentions; may be repeated.",
        metavar="NAME",
        option="entity",
        tools=(FieldUse.PROPOSE,),
        is_inherited=True,
        is_naming=True,
    ),
    EntryField(
        "attributes",
        FieldKind.PAIRS,
        help="A further field; may be repeated.",
        metavar="K=V",
        option="attr",
        about="more fields",
        tools=(FieldUse.PROPOSE,),
        is_written=False,
    ),
    EntryField(
        "data",
        FieldKind.NESTED,
        help="Nested data.",
        metavar="JSON",
        is_written=False,
    ),
    EntryField("valid_from", FieldKind.MOMENT),
    EntryField("valid_to", FieldKind.MOMENT),
    EntryField("time", FieldKind.MOMENT),
    EntryField("时间", FieldKind.MOMENT),
)


# What is a date wherever it is given; what is written as `time` may be of the day alone.
DATED = frozenset({"created", "updated", "valid_from", "valid_to"})
# What memwiki alone writes of an entry.
_OWN = frozenset({"id", "by", "created", "updated", "supersedes", "superseded_by", "consolidated"})


class EntryValues(TypedDict, total=False):
    """The fields that somebody gives, as keywords of `entries.add` and in a row of JSON."""

    type: str
    tags: Sequence[str]
    key: str
    importance: float | None
    confidence: float | None
    source: str
    origin: str
    to: str
    session: str
    at: datetime | str | None
    staged: bool
    private: bool
    subject: str
    topic: str
    object: str
    entities: Sequence[str]
    attributes: Mapping[str, str] | None
    data: Json


def given_fields() -> tuple[EntryField, ...]:
    """The fields that somebody gives when an entry is added."""
    return tuple(row for row in FIELDS if row.help)


def tool_fields(argument: FieldUse) -> tuple[EntryField, ...]:
    """The fields that agents' tools take there."""
    return tuple(row for row in FIELDS if argument in row.tools)


def is_own_field(name: str) -> bool:
    """Whether memwiki gives a field of an entry its meaning, so that it is no attribute."""
    return fold(name) in _OWN or any(fold(name) in (row.name, row.stored) for row in FIELDS)


def field_of(name: str) -> EntryField:
    """The row of a field; KeyError for an attribute."""
    return {row.name: row for row in FIELDS}[name]


def stored_names(kind: FieldKind) -> frozenset[str]:
    """The names in files of the fields of a kind."""
    return frozenset(row.stored for row in FIELDS if row.is_written and row.kind is kind)


def naming_fields() -> tuple[str, ...]:
    """The fields whose values name pages."""
    return tuple(row.stored for row in FIELDS if row.is_naming)


def field_text(row: EntryField, value: object) -> str:
    """A value as it is written, "" for none; UsageError where it is out of range or no choice."""
    if value is None or value is False or value in ("", ()):
        return ""
    match row.kind:
        case FieldKind.SHARE:
            return f"{share_of(row.name, cast('float', value)):g}"
        case FieldKind.FLAG:
            return row.flag
        case FieldKind.TEXTS:
            return ", ".join(cast("Iterable[str]", value))
    if row.choices and value not in row.choices:
        raise UsageError(
            f"{row.name}: {value} is not one of {', '.join(row.choices)}",
            f"for example {row.name} {row.example}",
        )
    return str(value)


# --- names and values that people write ---

# What the fields of a page are called, too, as one word.
_SYNONYMS = {
    "type": "kind category notetype pagetype 类型 類型",
    "title": "标题 標題 タイトル 제목",
    "description": "summary abstract desc excerpt 摘要 描述 简介 簡介 説明 설명",
    "tags": "tag keywords topics 标签 標籤 关键词 關鍵詞 タグ 태그",
    "aliases": "alias 别名 別名 별칭",
    "created": "date createdat createdon createdtime creationdate datecreated datepublished"
    " publishdate publishedat pubdate pubdatetime"
    " 日期 创建时间 创建日期 創建時間 創建日期 建立時間 作成日 作成日時 날짜 생성일",
    "updated": "lastupdated modified updatedat updatedon updateddate updatedtime timestamp lastmod"
    " datemodified dateupdated modificationdate moddatetime lastmodified lastmodifiedat"
    " lastupdatedat lastedited lasteditedtime"
    " 更新时间 更新日期 修改时间 修改日期 更新時間 修改時間 更新日 更新日時 수정일",
    "status": "state lifecycle stage 状态 狀態",
    "sources": "source sourcefile references sourceurl resource url 来源 來源",
    "related": "seealso links",
    "relations": "relationships",
    "supersedes": "replaces",
    "superseded_by": "supersededby",
    "importance": "",
    "confidence": "baseconfidence",
    "stale_after": "staleafter expiry validto reviewby nextreview",
    "id": "slug permalink uid",
}
_KNOWN_KEYS = 1_000  # that are kept, as pages have few different ones
_BETWEEN = str.maketrans("", "", " -_")
_CANONICAL = {name: key for key, names in _SYNONYMS.items() for name in (key, *names.split())}


@lru_cache(_KNOWN_KEYS)
def canonical(key: str) -> str:
    """The canonical name of a key, the key itself when it is not a known one."""
    return _CANONICAL.get(fold(key).translate(_BETWEEN), key)


def unit_interval(text: str) -> str:
    """A number from 0 to 1 as text, of a number or a word; "" when it is neither."""
    text = LEVELS.get(fold(text), text)
    try:
        number = float(text)
    except ValueError:
        return ""
    return f"{min(1.0, max(0.0, number)):g}" if isfinite(number) else ""
