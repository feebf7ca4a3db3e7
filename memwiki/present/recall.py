"""What a question recalled, as text, markdown or a prompt."""

from __future__ import annotations

from memwiki.answers.recall import PromptBlock, Recall
from memwiki.model import Hit
from memwiki.present.screen import Look, as_path, line
from memwiki.present.search import heading, hits_text
from memwiki.present.text import text_of

_MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_[]<>"})


@text_of.register(Recall)
def _(answer: Recall, look: Look) -> str:
    return hits_text(answer.hits, look)


@text_of.register(PromptBlock)
def _(answer: PromptBlock, _look: Look) -> str:
    return answer.text.removesuffix("\n")


def as_markdown(answer: Recall) -> str:
    """The hits as a list with links."""
    return "\n".join(map(_item, answer.hits))


def _item(hit: Hit) -> str:
    place = f"<{as_path(hit.path).replace('<', '%3C').replace('>', '%3E')}#L{hit.line_start}>"
    return f"- [{heading(hit).translate(_MARKS)}]({place}) {line(hit.excerpt).translate(_MARKS)}"
