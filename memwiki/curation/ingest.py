"""What a wiki keeps of a source: claims for pages, those that are there first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pydantic import BaseModel, Field

from memwiki.commit.additions import place_of_new
from memwiki.commit.page_edits import own_page
from memwiki.curation.jobs import Job, Shown
from memwiki.errors import MemwikiError, NotFoundError
from memwiki.markdown.fields import first_text
from memwiki.names import fold
from memwiki.nouns import Json
from memwiki.pages.page import page_now
from memwiki.pages.text.new import PageRequest, twins
from memwiki.proposals.operations import MAX_CLAIMS, Do, Proposal, State
from memwiki.proposals.page_operations import may_grow
from memwiki.proposals.proposing import SuggestedOperation
from memwiki.proposals.wording import plain_title
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading

MAX_SOURCE_CLAIMS = 24  # with the description and contradictions less than a proposal may hold
MAX_CONTRADICTIONS = 4
_MAX_TAGS = 8


class SourceClaim(BaseModel):
    """A sentence, and the lines that say it."""

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

    claims: list[PlacedClaim] = Field(max_length=MAX_SOURCE_CLAIMS)
    contradictions: list[ContradictingClaim] = Field([], max_length=MAX_CONTRADICTIONS)
    description: SourceClaim | None = None
    tags: list[str] = []


def suggested_ingest(reply: IngestReply, shown: Shown) -> Iterator[SuggestedOperation]:
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


INGEST = Job("ingest", IngestReply, suggested_ingest, shows_pages=True)


def placed_on_pages(
    live: LiveIndex, given: Iterable[SuggestedOperation], about: str, earlier: Iterable[Proposal]
) -> Iterator[SuggestedOperation]:
    """The operations on pages as they can be carried out; `earlier` is what was proposed of the
    same source, `about` the page about it."""
    titles = dict(_titles(earlier))
    for each in given:
        if each.do is Do.DESCRIBE:
            if not first_text(page_now(live.context, about).fields.get("description", "")):
                yield each
            continue
        yield _placed(live, each, about, titles) if each.do is Do.PAGE else each


def _titles(earlier: Iterable[Proposal]) -> Iterator[tuple[str, str]]:
    """The new pages that were proposed and not rejected, by what folds alike."""
    for proposal in earlier:
        for each in proposal.operations:
            if each.do is Do.PAGE and each.state is not State.REJECTED:
                title = each.text_of("title")
                yield fold(title), title


def _placed(
    live: LiveIndex, given: SuggestedOperation, about: str, titles: dict[str, str]
) -> SuggestedOperation:
    title = plain_title(str(given.values.get("title", "")))
    if page := _page_called(live, title):
        return _claims_of(given, page)
    if known := titles.get(fold(title)):
        return _claims_of(given, known)
    if not title or len(titles) >= live.context.config.ingest.max_pages:
        return _claims_of(given, about)
    titles[fold(title)] = title
    return given


def _page_called(live: LiveIndex, title: str) -> str:
    """The page that a new one of this title would be a twin of; "" for none."""
    if not title:
        return ""
    is_titled = live.context.config.pages_at("").is_named_by_title
    target, _ = place_of_new(live.context, PageRequest(title, is_titled=is_titled))
    with reading(live) as view:
        is_there = view.lookup.card(target.path) is not None
        known = [target.path] if is_there else twins(target, view.lookup, view.scope)
    return next((path for path in known if may_grow(live, path) and _is_own(live, path)), "")


def _is_own(live: LiveIndex, path: str) -> bool:
    try:
        return own_page(live, path) == path
    except MemwikiError:
        return False


def _claims_of(given: SuggestedOperation, page: str) -> SuggestedOperation:
    values: dict[str, Json] = {"page": page, "claims": given.values.get("claims")}
    return given._replace(do=Do.CLAIMS, values=values)
