"""What a wiki keeps of a source: claims for pages, those that are there first, as a model is shown
them and as it names them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from math import log
from typing import NamedTuple

from pydantic import BaseModel, Field

from memwiki.commit.additions import place_of_new
from memwiki.commit.page_edits import own_page
from memwiki.curation.jobs import CitedSentence, Job, Shown
from memwiki.errors import MemwikiError, NotFoundError
from memwiki.fence import one_line
from memwiki.files.read import read
from memwiki.index.cards.lookup import Card
from memwiki.index.keyword.backend import Snapshot
from memwiki.index.keyword.tokens import count_terms
from memwiki.index.units import UnitKey, page_of
from memwiki.judgement.similarity import words_of
from memwiki.markdown.fields import first_text
from memwiki.markdown.outline import Outline, PageKind, outline_of
from memwiki.models.outgoing import OutgoingFiles
from memwiki.names import fold
from memwiki.nouns import Json, Section
from memwiki.pages.new import PageRequest, twins
from memwiki.pages.page import is_raw, page_now
from memwiki.proposals.numbering import NumberedSource, source_at
from memwiki.proposals.operations import MAX_CLAIMS, Do, Proposal, State
from memwiki.proposals.page_operations import SOURCE, earlier_of, may_grow
from memwiki.proposals.proposing import KnownEntry, SuggestedOperation
from memwiki.proposals.wording import plain_title
from memwiki.recall.bm25 import BM25
from memwiki.records import grouped
from memwiki.secrets import without_secrets
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, reading

MAX_SOURCE_CLAIMS = 24  # with the description and contradictions less than a proposal may hold
MAX_CONTRADICTIONS = 4
_MAX_TAGS = 8


class PlacedClaim(CitedSentence):
    """The same for a page: one that was shown, or a new one."""

    page: int | None = None
    new: str = ""


class ContradictingClaim(CitedSentence):
    """The same against a page that was shown."""

    page: int


class IngestReply(BaseModel):
    """The reply: claims, and what the source is."""

    claims: list[PlacedClaim] = Field(max_length=MAX_SOURCE_CLAIMS)
    contradictions: list[ContradictingClaim] = Field([], max_length=MAX_CONTRADICTIONS)
    description: CitedSentence | None = None
    tags: list[str] = []


def suggested_ingest(reply: IngestReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """An operation a page. Raises NotFoundError where the page about the source is gone."""
    about = _shown_page(0, shown)
    if not about:
        raise NotFoundError("the page about the source is gone", "memwiki ingest makes it anew")
    if reply.description and shown.portion.first == 1:
        values = {"page": about, "text": reply.description.text}
        yield SuggestedOperation(Do.DESCRIBE, values, shown.portion.cited(reply.description))
    yield from _claims(reply, shown, about)
    for each in reply.contradictions:
        page = _shown_page(each.page, shown).partition("#")[0]
        if page not in ("", about):
            sides = {"page": page, "against": about, "text": each.text}
            yield SuggestedOperation(Do.CONTRADICTION, sides, shown.portion.cited(each))


def _claims(reply: IngestReply, shown: Shown, about: str) -> Iterator[SuggestedOperation]:
    """The claims by the page that they go to; the tags are those of the page of the source."""
    told = (each for each in reply.claims if each.text.strip())
    places = grouped((_place(each, shown), each) for each in told)
    for (do, name), claims in places.items():
        tags: Json = [*reply.tags[:_MAX_TAGS]]
        more = {"tags": tags} if name == about and tags else {}
        for start in range(0, len(claims), MAX_CLAIMS):
            part = claims[start : start + MAX_CLAIMS]
            texts: Json = [each.text for each in part]
            by_claim = tuple(map(shown.portion.cited, part))
            values = {**_place_named(do, name), **more, "claims": texts}
            yield SuggestedOperation(do, values, by_claim=by_claim)


def _place(claim: PlacedClaim, shown: Shown) -> tuple[Do, str]:
    """What is to be done for a claim, and with which page: one that was not shown is none."""
    if claim.page is None and claim.new.strip():
        return Do.PAGE, " ".join(claim.new.split())
    return Do.CLAIMS, _shown_page(claim.page or 0, shown) or _shown_page(0, shown)


def _shown_page(number: int, shown: Shown) -> str:
    known = shown.known[number] if 0 <= number < len(shown.known) else None
    return known.id if known else ""


def _place_named(do: Do, name: str) -> dict[str, Json]:
    if do is Do.PAGE:
        return {"title": name}
    page, _, section = name.partition("#")
    return {"page": page, **({"section": section} if section else {})}


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
        yield _put_below(live, each, about, titles) if each.do is Do.PAGE else each


def _titles(earlier: Iterable[Proposal]) -> Iterator[tuple[str, str]]:
    """The new pages that were proposed and not rejected, by what folds alike."""
    for proposal in earlier:
        for each in proposal.operations:
            if each.do is Do.PAGE and each.state is not State.REJECTED:
                title = each.text_of("title")
                yield fold(title), title


def _put_below(
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


_MAX_PAGES = 8
_MAX_SECTIONS = 4  # of each
_LOOKED_AT = 40  # pages, of which some take no claims
_MIN_SHARE = 0.2  # of the score of the best
_MAX_SAID = 200  # characters of what a page says
_MAX_TAGS_SHOWN = 30
_TELLING = 25  # words of a text that its pages are looked for by


class _Candidate(NamedTuple):
    """A page, and the lines of it that share most with a text."""

    card: Card
    lines: tuple[int, int]
    score: float


def known_pages(
    live: LiveIndex, text: str, source: str, about: str, files: OutgoingFiles
) -> Iterator[KnownEntry]:
    """The page about a source, then those that a text is most likely to add to, each with what it
    says of it and below it some of its sections."""
    context = live.context
    own = outline_of(about, read(context.root, about), context.layers)
    yield KnownEntry(about, f"{_safe_line(own.title)} (the page of the source)", "")
    with reading(live) as view:
        snapshot = live.snapshot(view.stores, must_agree=view.freshness.is_swept)
        raw = view.lookup.card(source)
        units = snapshot.documents_of([raw.number] if raw else [])
        telling = list(islice(_telling(text, snapshot, frozenset(units)), _TELLING))
        found = list(_alike(snapshot, view, telling))
    taking = (each for each in found if each.card.path != about and _takes(live, each.card, files))
    shown, least = 0, 0.0
    for card, (first, last), score in taking:
        page = outline_of(card.path, read(context.root, card.path), context.layers)
        if page.kind is not PageKind.PLAIN or page.is_catalog:
            continue
        least = least or _MIN_SHARE * score
        if shown == _MAX_PAGES or score < least:
            return
        said = _safe_line(" ".join(page.lines[first - 1 : last]))
        yield KnownEntry(card.path, f"{_safe_line(card.title)} | {said}", "")
        for title in _sections(page, card.title, telling):
            yield KnownEntry(
                f"{card.path}#{title}", f"{_safe_line(card.title)}, section {title}", ""
            )
        shown += 1


def _safe_line(text: str) -> str:
    return one_line(without_secrets(text))[:_MAX_SAID]


def _sections(page: Outline, title: str, telling: Sequence[str]) -> Sequence[str]:
    """The titles of the sections that have most of the telling words, else of the first ones."""

    def lacking(section: Section) -> int:
        lines = page.lines[section.line_start - 1 : section.line_end]
        terms = count_terms("\n".join(lines))
        return sum(word not in terms for word in telling)

    found = [each for each in page.sections if each.level == 2]
    plain = [
        each
        for each in found
        if each.title not in (title, "") and each.title == _safe_line(each.title)
    ]
    titles = [each.title for each in found]
    single = [each for each in plain if titles.count(each.title) == 1]
    return [each.title for each in sorted(single, key=lacking)[:_MAX_SECTIONS]]


def _takes(live: LiveIndex, card: Card, files: OutgoingFiles) -> bool:
    """Whether a page takes claims, and may be shown."""
    context = live.context
    return (
        card.type != SOURCE
        and context.scope().owns(card.path)
        and not is_raw(card.path, context.layers)
        and not context.why_left_alone(card.path)
        and not files.why_kept(card.path)
    )


def _alike(snapshot: Snapshot, view: Reading, telling: Sequence[str]) -> Iterator[_Candidate]:
    """The pages that share most of the telling words of a text, the best first."""
    scores = BM25(snapshot, telling).every()
    best = dict[int, tuple[float, UnitKey]]()
    for score, key in zip(scores.values(), snapshot.keys(scores), strict=True):
        number = page_of(key)
        if number not in best or score > best[number][0]:
            best[number] = score, UnitKey(key)
    order = sorted(best, key=lambda number: -best[number][0])[:_LOOKED_AT]
    cards = view.lookup.by_number(order)
    places = view.lookup.locations([best[number][1] for number in order])
    for number in order:
        if (card := cards.get(number)) and (place := places.get(best[number][1])):
            yield _Candidate(card, (place.line_start, place.line_end), best[number][0])


def _telling(text: str, snapshot: Snapshot, own: frozenset[int]) -> Iterator[str]:
    """The words of a text that tell most of what it is about first: said often in it, and on few
    pages, of which one is none of its `own` units. All its words would find whatever is long."""
    counts, every = count_terms(text), snapshot.unit_count
    weights = {
        word: counts.get(word, 0) * log(every / held)
        for word in words_of(text)
        if (held := snapshot.frequency(word))
    }
    for word in sorted(weights, key=lambda word: (-weights[word], word)):
        if any(not own.issuperset(documents) for documents, _ in snapshot.postings(word)):
            yield word


def known_page(live: LiveIndex, name: str) -> KnownEntry | None:
    """A page or section as it was named, None where the page is gone."""
    path = name.partition("#")[0]
    with suppress(MemwikiError):
        read(live.context.root, path)
        return KnownEntry(name, "", "")
    return None


def tags_told(live: LiveIndex, files: OutgoingFiles) -> str:
    """What a model is told of the tags in use on pages that it may be shown."""
    with reading(live) as view:
        rows = [row for row in view.lookup.all_tags() if view.scope.owns(row[0])]
    kept = {path for path in dict(rows) if files.why_kept(path)}
    counts = Counter(sorted(tag for path, tag in rows if path not in kept))
    used = ", ".join(dict(counts.most_common(_MAX_TAGS_SHOWN)))
    return f"Tags in use: {one_line(without_secrets(used))}" if used else ""


def changed_source(live: LiveIndex, source: NumberedSource, about: str) -> NumberedSource:
    """Of another version of a source only the lines that the earlier one has not, each with those
    around it; any other source as it is."""
    earlier = earlier_of(live, source.path, about)
    if not earlier:
        return source
    known = {line.text for line in source_at(live, earlier).lines}
    new = (at for at, line in enumerate(source.lines) if line.text not in known)
    near = sorted({at for each in new for at in (each - 1, each, each + 1)})
    lines = tuple(source.lines[at] for at in near if 0 <= at < len(source.lines))
    return source._replace(lines=lines)
