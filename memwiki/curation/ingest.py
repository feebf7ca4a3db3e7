"""What a wiki keeps of a source: claims for pages, those that are there first."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict, Field

from memwiki.curation.jobs import Job, Shown
from memwiki.errors import NotFoundError
from memwiki.nouns import Json
from memwiki.proposals.operations import MAX_CLAIMS, Do
from memwiki.proposals.proposing import SuggestedOperation

MAX_SOURCE_CLAIMS = 24  # with the description and contradictions less than a proposal may hold
MAX_CONTRADICTIONS = 4
_MAX_TAGS = 8


class SourceClaim(BaseModel):
    """A sentence, and the lines that say it."""

    model_config = ConfigDict(extra="ignore")

    lines: list[int]
    text: str


class PlacedClaim(SourceClaim):
    """The same for a page: one that was shown, or a new one."""

    page: int | None = None
    new: str = ""


class ContradictingClaim(SourceClaim):
    """The same against a page that was shown."""

    page: int


class IngestReply(BaseModel):
    """The reply: claims, and what the source is."""

    model_config = ConfigDict(extra="ignore")

    claims: list[PlacedClaim] = Field(max_length=MAX_SOURCE_CLAIMS)
    contradictions: list[ContradictingClaim] = Field([], max_length=MAX_CONTRADICTIONS)
    description: SourceClaim | None = None
    tags: list[str] = []


def suggested(reply: IngestReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """An operation a page. Raises NotFoundError where the page about the source is gone."""
    about = _shown_page(0, shown)
    if not about:
        raise NotFoundError("the page about the source is gone", "memwiki ingest makes it anew")
    if reply.description and shown.portion.first == 1:
        values: dict[str, Json] = {"page": about, "text": reply.description.text}
        yield SuggestedOperation(Do.DESCRIBE, values, _cited(reply.description, shown))
    yield from _claims(reply, shown, about)
    for each in reply.contradictions:
        page = _shown_page(each.page, shown).partition("#")[0]
        if page not in ("", about):
            sides: dict[str, Json] = {"page": page, "against": about, "text": each.text}
            yield SuggestedOperation(Do.CONTRADICTION, sides, _cited(each, shown))


def _claims(reply: IngestReply, shown: Shown, about: str) -> Iterator[SuggestedOperation]:
    """The claims by the page that they go to; the tags are those of the page of the source."""
    places = dict[tuple[Do, str], list[PlacedClaim]]()
    for each in reply.claims:
        if each.text.strip():
            places.setdefault(_place(each, shown), []).append(each)
    for (do, name), claims in places.items():
        tags: Json = [*reply.tags[:_MAX_TAGS]]
        more = {"tags": tags} if name == about and tags else {}
        for start in range(0, len(claims), MAX_CLAIMS):
            part = claims[start : start + MAX_CLAIMS]
            texts: Json = [each.text for each in part]
            by_claim = tuple(_cited(each, shown) for each in part)
            values = {**_named(do, name), **more, "claims": texts}
            yield SuggestedOperation(do, values, by_claim=by_claim)


def _place(claim: PlacedClaim, shown: Shown) -> tuple[Do, str]:
    """What is to be done for a claim, and with which page: one that was not shown is none."""
    if claim.page is None and claim.new.strip():
        return Do.PAGE, " ".join(claim.new.split())
    return Do.CLAIMS, _shown_page(claim.page or 0, shown) or _shown_page(0, shown)


def _shown_page(number: int, shown: Shown) -> str:
    known = shown.known[number] if 0 <= number < len(shown.known) else None
    return known.id if known else ""


def _named(do: Do, name: str) -> dict[str, Json]:
    if do is Do.PAGE:
        return {"title": name}
    page, _, section = name.partition("#")
    return {"page": page, **({"section": section} if section else {})}


def _cited(claim: SourceClaim, shown: Shown) -> tuple[int, ...]:
    return tuple(number for number in claim.lines if shown.portion.line(number))


INGEST = Job("ingest", IngestReply, suggested, shows_pages=True)
