"""The page about a source: of type `source`, it names the files that it is about in `sources`."""

from __future__ import annotations

from collections.abc import Sequence

from memwiki.errors import NotFoundError
from memwiki.files.read import read
from memwiki.markdown.fields import first_text
from memwiki.markdown.outline import Outline, outline_of
from memwiki.names import without_suffix
from memwiki.pages.page import is_raw
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading
from memwiki.text import pattern

SOURCE = "source"
_UNLINKABLE = pattern(r"[\[\]|#^\n]")


def link_to(path: str) -> str:
    """The link to a page or file; "" where no link can name it."""
    name = without_suffix(path)
    return f"[[{name}]]" if name and not _UNLINKABLE.search(name) else ""


def sources_of(page: Outline) -> Sequence[str] | None:
    """What a page says that it rests on, as it is written; None where no list of texts says so."""
    known = page.front.fields.get("sources", [])
    names = known if isinstance(known, list) else [known]
    if not all(isinstance(each, str) for each in names):
        return None
    return [first_text(each) for each in names]


def source_page_of(live: LiveIndex, path: str) -> str:
    """The page about a file in raw/; "" where there is none."""
    if not is_raw(path, live.context.layers):
        return ""
    with reading(live) as view:
        rows = view.graph.incoming(path)
        cards = [view.lookup.card(each) for each in dict.fromkeys(row.source for row in rows)]
    return next((each.path for each in cards if each and each.type == SOURCE), "")


def earlier_of(live: LiveIndex, path: str, about: str) -> str:
    """The version of a source before this one, as the page about it names them; "" for none."""
    context = live.context
    page = outline_of(about, read(context.root, about)[0], context.layers)
    names, link = list(sources_of(page) or ()), link_to(path)
    if link not in names[1:]:
        return ""
    with reading(live) as view:
        return view.find(names[names.index(link) - 1].strip("[]"))


def required_page(live: LiveIndex, path: str) -> str:
    """The page about a source in raw/. Raises NotFoundError where there is none."""
    if page := source_page_of(live, path):
        return page
    raise NotFoundError(f"{path}: no page is about this source", "memwiki ingest {}", path)
