"""The words of a model as they may stand in a page: one sentence that can be nothing else there."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from memwiki.entry_fields import is_own_field
from memwiki.fence import one_line
from memwiki.markdown.entries import read_marks
from memwiki.markdown.fields import ONE_WORD
from memwiki.names import is_page_name
from memwiki.nouns import Json
from memwiki.pages.tags import as_tag
from memwiki.text import pattern

MAX_CHARACTERS = 600  # of one sentence
MAX_TITLE = 120
MAX_LISTED = 30  # of what an operation lists
# What a line could begin with: a heading, an item, a task, a quote, a table, a rule, a number.
_START = pattern(r"\A(?:[\s>#*+\-=|~:]+|\d+[.)]\s+|\[[ xX/-]\]\s*)+(?=\S)")
_REPLACED = (
    (pattern("[\u00ad\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff]"), ""),  # without width
    (pattern(r"(?<![\u0590-\u2e7f\ufe0f\U0001f000-\U0001ffff])[\u200c\u200d]"), ""),
    (pattern(r"[\u200c\u200d](?=[!-~])"), ""),  # a joiner that joins nothing
    (pattern("(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]+|[\U000e0100-\U000e01ef]"), ""),
    (pattern(r"!?\[\[([^\[\]]*)\]\]"), r"\1"),  # links and embeds
    (pattern(r"!?\[([^\[\]]*)\]\(([^()\s]*)\)"), r"\1 (\2)"),
    (pattern(r"\[\^[^\]]*\]"), ""),  # footnotes
    (pattern(r"<(/?[A-Za-z][^<>\n]{0,60})>"), r"‹\1›"),  # a word that stands for others
    (pattern(r"<(?=[A-Za-z/!?])|\{(?=[{%])|(?<=[}%])\}"), ""),  # HTML and templates
    (pattern(r"``+|~~+|%%+|\$\$+|===+|\(\(+|\)\)+"), lambda found: found[0][0]),
    (pattern(r"(?<=\w)::(?=\s|\Z)"), ":"),  # a property, a field
    (pattern(r"(?<![\w&])#(?=[^\W\d])"), ""),  # a tag
    (pattern(r"(?<!\S)\^(?=[A-Za-z0-9-]+\s*\Z)"), ""),  # an id
    (pattern(r"\\+\Z"), ""),
    (pattern(r"\A(\d+)[.)]\Z"), r"\1"),  # an item, once something is written behind it
)
_WORDS = frozenset({"type"})
_TEXTS = frozenset({"text", "name", "subject", "topic", "object"})
_LISTS = frozenset({"sentences", "claims", "steps", "tags", "entities"})
UNWRITABLE = "its words cannot be written as plain sentences"
_ID = pattern(r"\bm-[0-9A-Za-z]+\b")  # of an entry: a field that names one is a relation
_SEPARATORS = str.maketrans("/\\", "  ")
_BRACKETS = str.maketrans("[]", "()")


def plain_sentence(text: str) -> str:
    """The words on one line, without anything that markdown or memwiki would read as more than
    words; "" where nothing else is left, or what is left would still be read as more."""
    text = one_line(text)[:MAX_CHARACTERS]
    before = ""
    while text != before:  # taking one away may leave another
        before = text
        text = _START.sub("", text)
        for meant, new in _REPLACED:
            text = meant.sub(new, text)
        text = text.translate(_BRACKETS).strip()
    if text.count("`") % 2:
        text = text.replace("`", "'")
    marks = read_marks(text)
    is_read_so = (marks.text, marks.type, marks.id) == (text, "", "")
    has_words = any(map(str.isalnum, text))
    return text if is_read_so and has_words and not (marks.fields or marks.tags) else ""


def plain_title(text: str) -> str:
    """The same as the title of a page, which is no path, whatever it holds."""
    title = plain_sentence(" ".join(text.translate(_SEPARATORS).split()))[:MAX_TITLE]
    return title.replace(".", " ").strip() if is_page_name(title) else title.strip()


def plain_values(values: Mapping[str, Json]) -> dict[str, Json]:
    """The values of an operation in plain words; what is empty then is left out."""
    found = ((name, _plain(name, value)) for name, value in values.items())
    return {name: value for name, value in found if value not in ("", [], {}, None)}


def _one_word(value: Json) -> str:
    """A type or a tag, of which models make several words."""
    text = plain_sentence(str(value))
    return text if ONE_WORD.fullmatch(text) else as_tag(text)


def _plain(name: str, value: Json) -> Json:
    if name in _WORDS:
        return _one_word(value)
    if name == "title":
        return plain_title(str(value))
    if name in _TEXTS:
        return plain_sentence(str(value))
    if name in _LISTS:
        listed = value if isinstance(value, list) else [value]
        plain = _one_word if name == "tags" else lambda each: plain_sentence(str(each))
        return [text for text in map(plain, listed[:MAX_LISTED]) if text]
    if name == "attributes":
        pairs = islice(value.items(), MAX_LISTED) if isinstance(value, dict) else ()
        return {
            key: text
            for key, each in pairs
            # A model names no field that says what memwiki knows of an entry.
            if (ONE_WORD.match(key) is not None and not is_own_field(key))
            and (text := plain_sentence(str(each)))
            and not _ID.search(text)
        }
    return value
