"""Pages that grow by claims: sentences with footnotes that name the lines which say them; and the
page about a source: of type `source`, it names the files that it is about in `sources`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from memwiki.change.plan import Edit, Plan, edit_of
from memwiki.commit.additions import place_of_new
from memwiki.commit.page_edits import own_page, tags_in_use
from memwiki.errors import ConflictError, MemwikiError, NotEditableError, NotFoundError
from memwiki.files.read import exists, read
from memwiki.markdown.dialects import names_of_file
from memwiki.markdown.edit.fields import set_field
from memwiki.markdown.fields import first_text
from memwiki.markdown.outline import Outline, PageKind, outline_of
from memwiki.memory.page_edits import PageEdits
from memwiki.names import is_page_name, stem_of, without_suffix
from memwiki.nouns import DENDRON, LOGSEQ, Layers
from memwiki.pages.edit import with_text
from memwiki.pages.new import PageRequest, page_bytes, skeleton, twins
from memwiki.pages.page import is_raw
from memwiki.pages.tags import with_tags
from memwiki.proposals.operations import Claim, Do, Operation, Proposal, claims_of
from memwiki.proposals.wording import plain_sentence
from memwiki.scope import layers_at
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading
from memwiki.text import has_chinese, pattern

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
    page = outline_of(about, read(context.root, about), context.layers)
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


TYPES = frozenset(
    "concept entity person project source question comparison synthesis decision".split()
)
_CLAIMS = ("From sources", "来源摘录")
_CONTRADICTIONS = ("Contradictions", "矛盾")
_PAGES = ("Pages", "相关页面")
_MESSAGE_ID = pattern(r"[A-Za-z0-9-]{1,40}")


def page_step(
    live: LiveIndex, proposal: Proposal, operation: Operation
) -> Callable[[PageEdits], Plan]:
    """How an operation on pages is carried out under the lock; what the index has to say is asked
    now. Raises NotFoundError, NotEditableError, ConflictError."""
    if operation.do is Do.PAGE:
        return _new_page(live, proposal, operation)
    if operation.do is Do.CLAIMS:
        return _more_claims(live, proposal, operation)
    return _contradiction(live, proposal, operation)


# --- a new page ---


def _new_page(
    live: LiveIndex, proposal: Proposal, operation: Operation
) -> Callable[[PageEdits], Plan]:
    context = live.context
    asked = _page_request(live, operation.text_of("title"), operation)
    asked = asked._replace(
        tags=tags_in_use(live, is_making=True).of_words(operation.texts_of("tags"))
    )
    target, layers = place_of_new(context, asked)
    about = source_page_of(live, proposal.source.path)
    with reading(live, is_making=True) as view:
        known = [each for each in twins(target, view.lookup, view.scope) if may_grow(live, each)]
        if known:
            raise ConflictError(
                f"{target.title}: {known[0]} is called so already", "add its claims to that page"
            )

    def step(pages: PageEdits) -> Plan:
        if pages.data(target.path) is not None or exists(context.root, target.path):
            raise ConflictError(f"{target.path}: is there already", "add its claims to that page")
        own = layers_at(target.path, layers)
        is_plain = own.dialect.name not in (LOGSEQ, DENDRON)  # which write fields in their own way
        head = _front_matter(proposal, pages.day, live) if is_plain else ""
        body = f"{skeleton(target._replace(type=''))}\n{_block('', claims_of(operation), proposal)}"
        whole = asked._replace(content=f"{head}{body}\n", type=target.type)
        data = page_bytes(target, whole, pages.day, layers, pages.max_bytes)
        edits = (Edit(target.path, "", data, "new page"), *_listed_on(about, target.path, pages))
        return Plan(edits, f"created {target.path}", "create")

    return step


def _page_request(live: LiveIndex, title: str, operation: Operation) -> PageRequest:
    type_ = operation.text_of("type").lower()
    is_titled = live.context.config.pages_at("").is_named_by_title
    return PageRequest(title, type_ if type_ in TYPES else "", is_titled=is_titled)


def _front_matter(proposal: Proposal, day: str, live: LiveIndex) -> str:
    at = proposal.at or live.context.today
    link = link_to(proposal.source.path)
    sources = f"sources:\n  - {json.dumps(link, ensure_ascii=False)}\n" if link else ""
    by = json.dumps(proposal.by, ensure_ascii=False)
    generated = f"generated:\n  by: {by}\n  at: {json.dumps(plain_sentence(at))}\n"
    return f"---\ncreated: {day}\n{sources}{generated}---\n\n"


# --- pages that are there ---


def _more_claims(
    live: LiveIndex, proposal: Proposal, operation: Operation
) -> Callable[[PageEdits], Plan]:
    name = operation.text_of("page")
    if not is_page_name(name):  # the title of a page that was proposed together with it
        target, _ = place_of_new(live.context, _page_request(live, name, operation))
        name = target.path
    path, section = own_page(live, name), operation.text_of("section")
    about = source_page_of(live, proposal.source.path)
    in_use = tags_in_use(live) if operation.texts_of("tags") else None

    def step(pages: PageEdits) -> Plan:
        page = pages.page(path)
        _require_prose(page)
        block = _block(page.text, claims_of(operation), proposal)
        is_there = section and any(each.title == section for each in page.sections)
        place = (section, section) if is_there else _CLAIMS
        after = _below(page, place, block, pages.max_bytes) if block else page
        after = _with_source(after, link_to(proposal.source.path))
        if in_use:
            after = with_tags(after, in_use.of_words(operation.texts_of("tags")))
        plan = _plan((page, after))
        return plan._replace(edits=(*plan.edits, *_listed_on(about, path, pages)))

    return step


def _listed_on(about: str, path: str, pages: PageEdits) -> Iterator[Edit]:
    """The page about a source with a link to another one that it adds to."""
    if not about or about == path:
        return
    page = pages.page(about)
    link = _page_link(path, page.layers)
    if link and link not in page.text:
        after = _below(page, _PAGES, f"- {link}", pages.max_bytes)
        yield edit_of(about, page.data, after.data, "pages of the source")


def _page_link(path: str, layers: Layers) -> str:
    """The link to a page; by its name in Logseq, which reads a path as the name of another one."""
    is_named = layers_at(path, layers).dialect.name == LOGSEQ
    return link_to(names_of_file(path, layers).title if is_named else path)


def _contradiction(
    live: LiveIndex, proposal: Proposal, operation: Operation
) -> Callable[[PageEdits], Plan]:
    paths = [own_page(live, operation.text_of(each)) for each in ("page", "against")]
    if paths[0] == paths[1]:
        raise ConflictError(f"{paths[0]}: contradicts itself", "name two pages")
    claim = Claim(operation.text_of("text"), operation.evidence)

    def step(pages: PageEdits) -> Plan:
        made = []
        for path, other in (paths, paths[::-1]):
            page = pages.page(path)
            _require_prose(page)
            link = _page_link(other, page.layers) or other
            block = _block(page.text, [claim], proposal, before=f"{link}: ")
            after = _below(page, _CONTRADICTIONS, block, pages.max_bytes) if block else page
            made.append((page, after))
        return _plan(*made)

    return step


def may_grow(live: LiveIndex, path: str) -> bool:
    """Whether a page is none of the sources, of which another one may have the title."""
    return not is_raw(path, live.context.layers)


def _require_prose(page: Outline) -> None:
    """Refuse a page whose lines are memories or messages, or that memwiki writes."""
    if page.kind is not PageKind.PLAIN or page.is_catalog:
        raise NotEditableError.at(page.path, "holds no prose", "add a memory instead")


def _below(page: Outline, headings: tuple[str, str], block: str, max_bytes: int) -> Outline:
    """The page with a block at the end of its section of one of these names, English and Chinese,
    which is made where it is missing."""
    section = next((each for each in page.sections if each.title in headings), None)
    heading = headings[1] if has_chinese(block) else headings[0]
    return with_text(page, block if section else f"## {heading}\n\n{block}", max_bytes, section)


def _with_source(page: Outline, link: str) -> Outline:
    """The page with one more of its sources, where its front matter has or can take a list."""
    if not (link and page.start) or page.is_logseq:
        return page
    names = sources_of(page)
    if names is None or link in names:
        return page
    with suppress(MemwikiError):  # of YAML that memwiki does not change
        return set_field(page, "sources", [*names, link])
    return page


def _plan(*pairs: tuple[Outline, Outline]) -> Plan:
    edits = (edit_of(page.path, page.data, after.data, "claims") for page, after in pairs)
    return Plan(tuple(edits), "claims", "accept")


# --- what is written ---


def _block(text: str, claims: Sequence[Claim], proposal: Proposal, before: str = "") -> str:
    """The claims as paragraphs with footnotes that no other of the page's text has, and these; but
    those that the text has with their footnotes, as where who wrote them was killed."""
    path = proposal.source.path
    letter = next((each for each in stem_of(path).lower() if "a" <= each <= "z"), "s")
    taken = [int(each) for each in pattern(rf"\[\^{letter}(\d{{1,6}})\]").findall(text)]
    labels, lines, first = dict[str, str](), list[str](), max(taken, default=0) + 1
    for claim in claims:
        words, note = f"{before}{claim.text}", _footnote(path, claim)
        if _is_there(text, words, note):
            continue
        label = labels.setdefault(note, f"[^{letter}{first + len(labels)}]") if note else ""
        lines.append(f"{words} {label}".rstrip())
    notes = "\n".join(f"{label}: {note}" for note, label in labels.items())
    return "\n\n".join(filter(None, (*lines, notes)))


def _is_there(text: str, words: str, note: str) -> bool:
    """Whether a text has these words as a paragraph with this footnote."""
    lines = [line.rstrip() for line in text.split("\n")]
    labels = [line.removeprefix(f"{words} ") for line in lines if line.startswith(f"{words} ")]
    return any(f"{each}: {note}" in lines for each in labels) if note else words in lines


def _footnote(path: str, claim: Claim) -> str:
    link = link_to(path)
    if not link:
        return plain_sentence(path)
    ids = [e.id for e in claim.evidence if _MESSAGE_ID.fullmatch(e.id)]
    if ids:
        return ", ".join(f"{link[:-2]}#^{each}]]" for each in ids)
    lines = sorted({each.line for each in claim.evidence if each.line})
    ranges = ", ".join(_ranges(lines))
    noun = "lines" if len(lines) > 1 else "line"
    return f"{link} {noun} {ranges}" if ranges else link


def _ranges(lines: Sequence[int]) -> Iterator[str]:
    """The numbers with those that follow one another as one: 12-13."""
    start = 0
    for at, line in enumerate(lines):
        if at + 1 == len(lines) or lines[at + 1] != line + 1:
            yield f"{lines[start]}-{line}" if line > lines[start] else f"{line}"
            start = at + 1
