"""The words for relations between entries, in English and Chinese."""

from __future__ import annotations

import re

from memwiki.markdown.links import RELATION_WORD
from memwiki.names import fold, is_encodable

_NAMES = {
    "because": "因为",
    "therefore": "所以",
    "causes": "导致",
    "references": "引用",
    "based-on": "基于",
    "related": "相关",
    "supports": "支持",
    "contradicts": "矛盾",
    "refines": "细化",
}
_ENGLISH = {chinese: english for english, chinese in _NAMES.items()}


def canonical(word: str) -> str:
    """The English name of a relation that we know, however it is spelled; any other as written."""
    word = word.strip().strip('"').strip()
    folded = re.sub(r"[\s_-]+", "-", fold(word))
    known = _ENGLISH.get(folded, folded)
    return known if known in _NAMES else word


def why_not_a_relation(word: str) -> str:
    """Why a text cannot be the type of a relation; "" when it can: one word, or several quoted."""
    if not word.strip('" '):
        return "the relation is empty"
    if not is_encodable(word) or any(sign < " " for sign in word):
        return "the relation holds a character that cannot be written"
    if re.fullmatch(RELATION_WORD, word):
        return ""
    if '"' in word.strip('"') or len(word) > 62:
        return "a relation is one word, or up to 60 characters in double quotes"
    return f'{word}: a relation is one word; quote several: "{word.strip(chr(34))}"'
