"""New pages that a model names: one that is there takes the claims itself, and so does the page of
the source where there would be too many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memwiki.commit.new_pages import place_of_new
from memwiki.commit.page_edits import own_page
from memwiki.errors import MemwikiError
from memwiki.markdown.fields import first_text
from memwiki.names import fold
from memwiki.nouns import Json
from memwiki.pages.page import page_now
from memwiki.pages.text.new import PageRequest, twins
from memwiki.proposals.operations import Do, Proposal, State
from memwiki.proposals.page_operations import may_grow
from memwiki.proposals.proposing import SuggestedOperation
from memwiki.proposals.wording import plain_title
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading


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
        return _claims(given, page)
    if known := titles.get(fold(title)):
        return _claims(given, known)
    if not title or len(titles) >= live.context.config.ingest.max_pages:
        return _claims(given, about)
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


def _claims(given: SuggestedOperation, page: str) -> SuggestedOperation:
    values: dict[str, Json] = {"page": page, "claims": given.values.get("claims")}
    return given._replace(do=Do.CLAIMS, values=values)
