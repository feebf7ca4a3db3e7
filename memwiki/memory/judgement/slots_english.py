"""Slots of an English sentence: whose, what of it, and its value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memwiki.facts.identity import normalised
from memwiki.memory.judgement.lexicon import spelled_out
from memwiki.memory.judgement.slot import TIMES, Slot, Sort, has_number, with_plain_numbers
from memwiki.memory.judgement.slot_words import (
    ATTRIBUTES,
    DESCRIBING,
    GENERAL,
    OF_MANY,
    ONE_OF_MANY,
    RESERVED,
    STATES,
)

_AUX = r"(?:(?:is|are|am|was|were|has|have|had|be|been|being|got|gets) )*"
_LIVE, _WORK, _USE, _BE, _HOST = "live", "work", "use", "be", "host"
_LED = {"led": "lead", "headed": "lead", "managed": "manager", "maintained": "maintainer",
        "owned": "owner", "chaired": "chair", "coached": "coach"}  # fmt: skip
_LEADS = {"leads": "lead", "heads": "lead", "manages": "manager", "maintains": "maintainer",
          "owns": "owner", "chairs": "chair", "coaches": "coach"}  # fmt: skip
_MANY = (
    "(?:used|related|connected|linked|mentioned|seen|required|supported|needed|described|included|"
    "added|interested|involved|shown|cited|listed|applied|passed|different|present|dependent|"
    "found|followed|documented|discussed|published|taught|born|tested|loved|liked|supposed|meant|paid|sent|sold|current|excellent|important)"
)
# One name a slot; the first that fits at the first place that has any is taken.
_RELATIONS = {
    "moved": rf"{_AUX}(?:moved|moves|relocated|rescheduled|postponed|shifted|brought forward|"
    r"pushed)(?: from .{1,40}?)?(?: back)? (?:to|until)",
    "switched": rf"{_AUX}(?:switched|switches|migrated|converted|changed|transitioned)"
    r"(?: over)?(?: from .{1,40}?)? to",
    "replaced": rf"{_AUX}replaced (?:by|with)",
    "swapped": rf"{_AUX}(?:replaced|swapped|migrated|moved|switched|changed) "
    r"(?P<old>.{1,40}?) (?:with|for|to)",
    "updated": rf"{_AUX}(?:updated|set|raised|lowered|increased|reduced|renamed|extended|reset|"
    r"bumped|rotated|cut|upgraded|downgraded|adjusted)(?: from .{1,40}?)? to",
    "live": r"(?:is |are |am )?(?:living|lives?|resides?|residing|based|located|situated|settled) "
    r"(?:in|at)",
    "work": r"(?:is |are |am )?(?:works?|working|employed) (?:at|for|by)"
    rf"|{_AUX}(?:joined|hired by|started at|started working (?:at|for)|"
    r"(?:started|got|took) an? (?:new )?(?:job|position|role) (?:at|with))",
    "job": r"(?:is |are |am )?(?:works?|working) as",
    "host": r"(?:is |are )?(?:runs?|running|hosted|deployed) (?:on|at|by|to)",
    "written": rf"{_AUX}(?:written|rewritten|implemented|coded|built) in",
    "framework": rf"{_AUX}(?:built|made|styled|tested|run|runs) with",
    "stored": rf"{_AUX}(?:stored|kept|saved|archived) (?:in|on|at)",
    "keeps": r"(?<=\w )(?:stores?|keeps?|saves?|hosts?|tracks?|manages?|writes?|deploys?|runs?|"
    r"logs?|sends?|documents?|archives?|plans?|parks?|wants?|expects?|puts?) "
    r"(?P<object>.{1,40}?) (?:in|on|with|at|to|using)",
    "boss": r"reports? to",
    "spouse": r"(?:is |are )?(?:(?:married|engaged) to|dating)",
    "studies": r"(?:is |are |am )?(?:studies|studying|majors? in|majoring in)",
    "school": r"(?:goes to|attends|enrolled at|enrolled in)",
    "drives": r"drives?",
    "indent": r"indents? (?:with|using|by)",
    "begins": r"(?:starts?|begins?)(?: at| on)",
    "ends": r"(?:ends?|finishes|closes?|shuts)(?: at| on)",
    "opens": r"opens?(?: at| on)",
    "leaves": r"(?:leaves?|departs?)(?: at| on)",
    "lands": r"(?:lands?|arrives?)(?: at| on)",
    "expires": r"expires?(?: at| on| in| after)",
    "held": r"(?:is |are )?(?:held|meets?|happens?|takes? place|scheduled|planned|due)"
    r" (?:on|at|in|for|by|every)",
    "ships": r"(?:ships?|deploys?|releases?|runs?|launch|launches|go out|goes out)"
    r"(?: on| at| every)",
    "costs": r"(?:costs?|weighs?|lasts?|measures?|pays?|earns?|takes?)",
    "listens": r"(?:is |are )?(?:listens?|listening|exposed) on(?: port)?",
    "points": r"(?:points|defaults|connects|logs|writes|belongs|exports|resolves) to",
    "by": rf"{_AUX}(?:{'|'.join(_LED)}) by",
    "leads": rf"(?:{'|'.join(_LEADS)})(?= (?:the|our|my|project|team) )",
    "took": r"(?:became|took over as|serves as|acts as)(?= (?:the|our|my) )",
    "called": r"(?:is |are |am )?(?:called|named|known as)",
    "uses": rf"{_AUX}(?:must |has to |have to )?uses?|(?:is|are|am) using",
    "prefers": r"prefers?",
    "done": rf"(?:is|are) (?!{_MANY} )(?P<deed>[a-z]{{2,14}}(?:ed|en|ut|pt|lt|id|nt|ught|und) "
    r"(?:in|on|at|to|by|under|as))",
    "born": r"(?:is |was )?born (?:in|on)",
    "sits": r"(?:sits?|stands?|sleeps?|hangs?|goes|go|comes|flows?|leaves|stays?) "
    r"(?:next to|in|on|at|behind|beside|under|to|from)",
    "counts": r"[a-z]{2,14}s(?= (?:up to |at most |at least |about |only )?\d)",
    "be": r"(?:is|are|am)(?: (?:at|in|on|from|near|under|opposite|behind|for|of|by|with|to)\b)?",
}
_RELATION = re.compile(
    r"(?<![^ ])(?:"
    + "|".join(f"(?P<{name}>{form})" for name, form in _RELATIONS.items())
    + r")(?= |$)"
)
# Where no other relation is found: "teaches at", with the verb.
_FRAME = re.compile(
    r"(?<=\w )(?P<frame>(?P<verb>teaches|lectures|plays|races|trains|performs|banks|stays|interns|"
    r"volunteers|serves|sleeps|renews|resets|falls|boards|grew up|graduated|retires|rolls over)"
    r" (?:at|for|in|on|after|with|from))(?= )"
)
_KEYS = {
    "moved": (_LIVE, _BE, "held"),
    "switched": (_USE, _BE, _HOST, "framework"),
    "replaced": (_BE, _USE),
    "swapped": (_BE,),
    "updated": (_BE,),
    "held": (_BE,),
    "called": ("name",),
    "uses": (_USE,),
}
_MEASURED = ("costs", "counts")
_KEPT = ("keeps", "stored", "sits")  # "in the drawer" and "in the safe" are two places
_TIMED = ("begins", "ends", "opens", "leaves", "lands", "expires", "ships", "held")
_RESERVED = re.compile(
    r"\b(?:(?<!in )(?<!of )(?<!for )(?<!by )(?<!on )may(?! \d)|"
    + "|".join(sorted(RESERVED - {"may"}, key=len, reverse=True))
    + r")\b"
)
_NEGATION = re.compile(r"\b(?:not|no|never|none|nobody|nothing|neither|nor|no longer|cannot)\b")
_NOW = re.compile(
    r"\b(?:now|currently|recently|just|still|already|actually|mainly|primarily|these days|lately|"
    r"at the moment|officially|finally|at present|as of now|today|anymore) ?"
)
_TAIL = re.compile(
    r" (?:since .*|(?:last|this) (?:week|month|year|spring|summer|autumn|fall|winter|quarter)|"
    r"yesterday|as of .*|from now on|instead|\w+ (?:weeks?|months?|years?|days?) ago|because .*|"
    r"(?<!work )(?<!works )(?<!working )(?<!serves )(?<!acts )as (?:an?|the|our) .*|"
    r"after .*|so that .*)$"
)
_ADJUNCT = re.compile(r"(?:in|on|at|for|during|under|within)\b")
_COLON = re.compile(
    r"([\w'-]+(?: [\w'-]+){1,4}|lead|owner|password|deadline|timezone): (?=\S+(?: \S+){0,2}$)",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"(?:not|which|who|because|so|where|since|and|but|as|after|replacing|instead)\b"
)
_POINTING = frozenset(
    "it there this that these those he she they one you what who which him her them its here "
    "following above below such everything something everyone someone nothing anything".split()
)
_WHICH = frozenset("that which who whom whose where what how why".split())
_UNSAID = frozenset(
    "a an the our of for on in at is are am be been to has have was were does do as new "
    "current".split()
)
_USER = frozenset("i me my mine myself user users".split())
_ARTICLES = frozenset("a an the our my his her its their".split())
_LISTING = frozenset("and or & plus".split())
_WHERE = frozenset("in for under".split())
_OPEN = frozenset("to can and or but you".split())
_PARTING = frozenset("of for on in at this next".split())
_SYSTEMS = frozenset("ios android windows macos linux web".split())
_NOWHERE = frozenset("home night work least most first last all once".split())
_MONTH = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|\d{4}-\d\d|\d{1,2}/\d{1,2}/\d{2,4}"
)
_DAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b")
_TIME = re.compile(r"\b\d+m\b")
_SIDES = {
    word: (number, side)
    for number, sides in enumerate(STATES)
    for side, words in enumerate(sides)
    for word in words
    if word.isascii()
}
_TURNED = re.compile(r"\b(?:turned|switched|set to|toggled|is|are|was) (on|off)\b(?! \w+day)")
_TWO_WORDS = re.compile(r"\b(full|part) time\b|\bon site\b")
_AFTER_STATE = frozenset(
    "in on for by at to during since within across when everywhere again mode theme".split()
)
_MOST_SUBJECT_WORDS = 8
_MOST_PART_WORDS = 3
_LONGEST_INVERSE = 3
_LONGEST = 30  # words of a sentence


class _Clause(NamedTuple):
    """What a sentence says, without what holds now."""

    text: str
    context: tuple[str, ...]  # words before a comma: in production
    capitals: frozenset[str]
    is_owned: bool


class _Statement(NamedTuple):
    """A relation of `_RELATIONS` with what comes before and after."""

    name: str
    subject: list[str]
    value: list[str]
    relation: str  # its preposition
    verb: str


def english_slots(sentence: str) -> Iterator[Slot]:
    """What a sentence gives values to; none when it speaks of other times, of several, or asks."""
    if (match := _COLON.match(sentence)) and _is_attribute(match[1].lower().split()):
        sentence = f"{match[1]} is {sentence[match.end() :]}"
    parts = [with_plain_numbers(normalised(spelled_out(part))) for part in sentence.split(", ")]
    plain = " ".join(parts)
    if len(plain.split()) > _LONGEST or _RESERVED.search(plain) or _NEGATION.search(plain):
        return
    main, context = _main_part(parts)
    clause = _Clause(
        _TAIL.sub("", _NOW.sub("", f"{main} ")).strip(),
        tuple(context.split()),
        _capitals(sentence),
        is_owned="'" in sentence or "’" in sentence,
    )
    if clause.text:
        if "(" not in sentence:
            yield from _states([*clause.context, *clause.text.split()])
        yield from _named(clause)


def _main_part(parts: list[str]) -> tuple[str, str]:
    """The part of a sentence between commas that says something, and where it holds; "" of a
    list."""
    context = ""
    if len(parts) > 1 and _ADJUNCT.match(parts[0]):
        context, parts = parts[0], parts[1:]
    asides = (part for part in parts[1:] if not _ASIDE.match(part))
    if any(len(part.split()) <= _MOST_PART_WORDS for part in asides):
        return "", ""
    return parts[0], context


def _capitals(sentence: str) -> frozenset[str]:
    """Words with a capital after the first one."""
    words = sentence.split()[1:]
    marked = (word for word in words if any(map(str.isupper, word)))
    return frozenset(each for word in marked for each in normalised(spelled_out(word)).split())


# --- on or off ---


def _states(words: list[str]) -> Iterator[Slot]:
    text = _TURNED.sub(lambda match: "enabled" if match[1] == "on" else "disabled", " ".join(words))
    words = _TWO_WORDS.sub(lambda match: match[0].replace(" ", "_"), text).split()
    found = [place for place in range(1, len(words)) if _is_state(words, place)]
    if not found:
        return
    at = found[-1]
    number, side = _SIDES[words[at].replace("_", " ")]
    rest = _bag(words[:at] + words[at + 1 :])
    if rest and words[0] not in _POINTING:
        yield Slot(f"state {number} {' '.join(rest)}", (str(side),), Sort.STATE)


def _is_state(words: list[str], at: int) -> bool:
    """Whether the word at a place says how something is: not which one, or where."""
    is_known = words[at].replace("_", " ") in _SIDES and words[at - 1] not in _WHERE
    return is_known and {*words[at + 1 : at + 2]} <= _AFTER_STATE


# --- a name, a number, a time ---


def _named(clause: _Clause) -> Iterator[Slot]:
    statement = _statement(clause.text)
    if statement is None or _LISTING & {*statement.value} or not _is_subject(statement.subject):
        return
    name, value = statement.name, statement.value
    own = [*statement.subject, *clause.context]
    if name in ("by", "leads", "took"):
        yield _led(name, statement.verb, own, value)
        return
    if name == "host" and value[0] in _SYSTEMS:
        return  # a program runs on many
    if name == "counts":
        own.append(statement.verb)
    is_possessed = _is_possessed(statement.subject, is_owned=clause.is_owned)
    for key in _KEYS.get(name, (name,)):
        slot = _slot(key, own, value, statement.relation, clause.capitals)
        if _fits(name, key, slot, statement.subject, is_possessed=is_possessed):
            yield slot
    if name == "be" and not statement.relation:
        yield from _role(own, value, is_owned=clause.is_owned)


def _statement(text: str) -> _Statement | None:
    match = _RELATION.search(text) or _FRAME.search(text)
    if match is None or match.lastgroup is None:
        return None
    name, subject, value = (
        match.lastgroup,
        text[: match.start()].split(),
        text[match.end() :].split(),
    )
    if name == "uses" and not subject:
        subject, value = _instruction(value)
    if object_ := _object(match):
        subject = [*(subject if name != "swapped" else []), *object_.split()]
    words = match[0].split()
    relation = "" if words[-1] in ("is", "are", "am", "to") else words[-1]
    verb = words[-2] if name == "by" else words[-1]
    return _Statement(name, subject, value, relation, verb) if value else None


def _object(match: re.Match[str]) -> str:
    """What a slot is of beside its subject: what is kept, or what is done."""
    if match.lastgroup == "frame":
        return match["verb"]
    return match["object"] or match["old"] or match["deed"] or ""


def _instruction(value: list[str]) -> tuple[list[str], list[str]]:
    """What "use A for B" is about."""
    if "for" not in value:
        return [], []
    at = value.index("for")
    return value[at + 1 :], value[:at]


def _is_subject(words: list[str]) -> bool:
    return (
        0 < len(words) <= _MOST_SUBJECT_WORDS
        and words[0] not in _POINTING
        and words[-1] not in _OPEN
        and not _WHICH & {*words}
        and not (len(words) == 1 and words[0] in GENERAL)
        and bool(_bag(words))
    )


def _bag(words: list[str]) -> list[str]:
    """The words that tell what a slot is of, in no order: "lead of the team", "team's lead"."""
    return sorted({"user" if word in _USER else word for word in words if word not in _UNSAID})


def _slot(
    key: str, subject: list[str], value: list[str], relation: str, capitals: frozenset[str]
) -> Slot:
    has_article = value[0] in ("a", "an", "the")
    said = tuple(value[1:] if value[0] in _ARTICLES and len(value) > 1 else value)
    sort = _sort(said, capitals)
    if key in _KEPT and value[0] == "the":
        sort = sort if sort is Sort.NAME else Sort.WORD
    elif sort is Sort.WORD and has_article and key != "job":
        sort = Sort.THING
    return Slot(f"{key} {' '.join(_bag(subject))}", said, sort, relation)


def _sort(value: tuple[str, ...], capitals: frozenset[str]) -> Sort:
    text = " ".join(value)
    for sort, form in ((Sort.DAY, _DAY), (Sort.DATE, _MONTH), (Sort.CLOCK, _TIME)):
        if form.search(text):
            return sort
    if capitals & {*value} and not text.isdecimal():
        return Sort.NAME
    if any(map(has_number, value)):
        return Sort.NUMBER
    first = value[0]
    is_describing = first in DESCRIBING or first in _NOWHERE or first.endswith(("ing", "ed"))
    return Sort.DESCRIPTION if is_describing or first in ("very", "so", "too") else Sort.WORD


def _fits(name: str, key: str, slot: Slot, subject: list[str], *, is_possessed: bool) -> bool:
    """Whether such a subject has one such value."""
    is_naming = slot.sort in (Sort.NAME, Sort.NUMBER)
    if name == "prefers":
        return slot.sort is Sort.NAME or len(slot.value) == 1
    if name in ("done", "frame"):
        return slot.sort is not Sort.WORD
    if name in _MEASURED:
        return slot.sort is Sort.NUMBER
    if name in _TIMED:
        return slot.sort in TIMES or (name == "held" and is_naming)
    is_moved = name == "moved" and slot.sort is Sort.NAME
    return key != _BE or is_moved or _is_one(slot, subject, is_possessed=is_possessed)


def _is_one(slot: Slot, subject: list[str], *, is_possessed: bool) -> bool:
    """Whether something is one such thing at a time: a number, at a place, the lead."""
    if slot.sort in TIMES or slot.sort is Sort.NUMBER:
        return True
    is_attribute = _is_attribute(subject)
    if slot.sort is Sort.NAME:
        return is_attribute or bool(slot.relation) or is_possessed
    if slot.sort is Sort.THING:
        return len(slot.value) > 1 and not slot.relation  # "a junior developer"
    return slot.sort is Sort.WORD and is_attribute and not slot.relation


def _is_possessed(words: list[str], *, is_owned: bool) -> bool:
    """Whether a subject is something of somebody, and not one of many: "Eva's landlady"."""
    is_of = is_owned or words[0] in ("my", "our") or (words[0] == "the" and "of" in words[2:3])
    head = words[1] if "of" in words[2:3] else words[-1]
    return is_of and len(words) > 1 and head not in OF_MANY


def _is_attribute(words: list[str]) -> bool:
    """Whether a subject is something one has one of: its head, or "the default ..."."""
    parting = (at for at, word in enumerate(words) if word in _PARTING)
    head = words[: next(parting, len(words))][-1:]
    return not ATTRIBUTES.isdisjoint(head) or not ONE_OF_MANY.isdisjoint(words)


def _role(subject: list[str], value: list[str], *, is_owned: bool) -> Iterator[Slot]:
    """Of "Anna is the lead" the lead is the slot."""
    is_one = value[0] in ("the", "our", "my") or is_owned
    is_somebody = len(subject) <= _LONGEST_INVERSE and not _is_attribute(subject)
    if is_one and is_somebody and _is_attribute(value):
        yield Slot(f"{_BE} {' '.join(_bag(value))}", tuple(subject), Sort.NAME)


def _led(name: str, verb: str, subject: list[str], value: list[str]) -> Slot:
    """Of "the team is led by Anna" and "Anna leads the team" the team's lead is the slot."""
    if name == "took":
        key, one = value, subject
    elif name == "by":
        key, one = [*subject, _LED[verb]], value
    else:
        key, one = [*value, _LEADS[verb]], subject
    return Slot(f"{_BE} {' '.join(_bag(key))}", tuple(one), Sort.NAME)
