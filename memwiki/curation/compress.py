"""Old entries that hardly anybody recalls: few sentences say what many of them did."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict, Field

from memwiki.curation.entry_lines import entry_at
from memwiki.curation.jobs import Job, Shown
from memwiki.curation.summarise import CitedSentence
from memwiki.nouns import Json
from memwiki.proposals.operations import Do
from memwiki.proposals.proposing import SuggestedOperation

TEN, THREE = 10, 3  # entries that become three, and that become one


class CompressReply(BaseModel):
    """The reply: one sentence for three lines, three for ten."""

    model_config = ConfigDict(extra="ignore")

    sentences: list[CitedSentence] = Field(max_length=TEN // THREE)


def suggested(reply: CompressReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """An operation a sentence, on the entries that it stands for; each goes into one."""
    met = set[str]()
    for sentence in reply.sentences[: max(1, len(shown.portion.lines) // THREE)]:
        found = {n: entry for n in sentence.lines if (entry := entry_at(shown, n))}
        entries = {n: each.id for n, each in found.items() if each.id not in met}
        if len(entries) > 1:
            met |= {*entries.values()}
            names: Json = [*entries.values()]
            values: dict[str, Json] = {"entries": names, "text": sentence.text, "archive": True}
            yield SuggestedOperation(Do.JOIN, values, tuple(entries))


COMPRESS = Job("compress", CompressReply, suggested, is_whole=True)
