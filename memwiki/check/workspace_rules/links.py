"""Links that lead nowhere, somewhere else than they seem to, or only for a reader like this one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from posixpath import dirname

from memwiki.check.facts import ANY_HEADING
from memwiki.check.link_targets import NearestFinder, swapped
from memwiki.check.overview import WorkspaceOverview
from memwiki.check.rule import Family, Finding, Findings, Swap, family_rules
from memwiki.index.meanings.lookup import ResolvedLink, Which
from memwiki.index.names import NameKind, named_by_label
from memwiki.markdown.describe import is_template
from memwiki.markdown.parse import parse
from memwiki.names import (
    SITE,
    fold,
    leads_out,
    letters,
    normalised,
    path_in,
    slug,
    stem_of,
    without_suffix,
)
from memwiki.nouns import (
    GITHUB,
    LOGSEQ,
    ONLY_IF_FOUND,
    PATH_KINDS,
    Link,
    LinkKind,
    LinkStatus,
    Severity,
)
from memwiki.numbers import counted
from memwiki.scope import layers_at
from memwiki.text import pattern

_EMBEDS = frozenset({LinkKind.EMBED, LinkKind.IMAGE})
_BLOCK = pattern(r"\(\((?:[0-9a-f-]{36}|[\w-]{9})\)\)")  # of Logseq or Roam, by its number
# Of one machine, which is the matter of another rule.
_MACHINE = pattern(r"[A-Za-z]:[\\/]|\\\\|~/")
_SUCCESSION = frozenset({"supersedes", "superseded_by"})
_BY_PATH = frozenset({"path", "relative path", "attachment"})
# What a link names when it ends like this is a file: no page is wanted.
_FILE = pattern(
    r"\.(?:png|jpe?g|gif|svg|webp|bmp|pdf|mp[34]|m4a|wav|webm|mov|zip|csv|xlsx?|docx?|pptx?|canvas)\Z",
    re.IGNORECASE,
)
# Of the same site, as Docusaurus, Quarto, Sphinx, Jupyter Book and Antora make them.
_OTHER_PAGES = (".mdx", ".qmd", ".Rmd", ".rst", ".ipynb", ".adoc")
_HTML = pattern(r"\.html?\Z", re.IGNORECASE)
# Made of a tag: `/tags/tea`, as every website does it, `tag:tea` in SilverBullet.
_TAG_PAGE = pattern(r"(?:/tags/|tag:)([^/]+(?:/[^/]+)*)/?")
_TEMPLATE = pattern(r"\{\{|\{%|<%|\$\{|[<>*|\n]")
_MIN_LETTERS = 4  # letters of a heading that is worth a guess
_ENDS = ("begin", "end")  # of a note: Dendron's own ids
_EMOJI = pattern(r":[a-z\d_+-]+:")  # part of the address on one website, and not on another
_NO_LINK = pattern(r"[#|^:%\[\]\\]")  # Obsidian leaves it out of links to headings
_RANGE = pattern(r"(?:,\d+)?(?::#.*)?\Z")  # `#start,1:#end`: what Dendron shows from a heading on
# What MkDocs calls the headings without a Latin letter by, in their order.
_COUNTED, _LATIN = pattern(r"_(\d{1,4})\Z"), pattern(r"\w", re.ASCII)
_REPEATED = pattern(r"[-_]\d+\Z")  # of the second heading of a name; MkDocs writes `_1`
# A place in a text, of a tab, or the page itself: no heading is meant.
_NO_HEADING = pattern(r":~:|tab/|top\Z|/|!", re.IGNORECASE)


def unresolved_links(overview: WorkspaceOverview) -> Findings:
    """Links that mean nothing that is there."""
    nearest = NearestFinder(overview)
    absent = [each for each in overview.unresolved if _is_missing(overview, each)]
    off_site: dict[str, list[ResolvedLink]] = {}
    wanted: dict[tuple[str, str], list[ResolvedLink]] = {}
    for each in absent:
        if root := _root_elsewhere(overview, each):
            off_site.setdefault(root, []).append(each)
        elif each.found.status is LinkStatus.WANTED and not _FILE.search(each.link.written):
            key = (overview.namespace_of(each.source), fold(each.link.written))
            wanted.setdefault(key, []).append(each)
        else:
            yield _broken(each, nearest)
    for root, group in off_site.items():
        message = (
            f"{counted(len(group), 'link')} to {root}: no such folder; an address on a website?"
        )
        yield _finding("link-off-site", group[0], message)
    for group in wanted.values():
        wanted_by = f"wanted by {counted(len(group), 'link')}"
        message = _absent(group[0].link, f"no such page yet, {wanted_by}")
        yield _finding("link-wanted", group[0], message + nearest.hint(group[0]))


def _broken(meaning: ResolvedLink, nearest: NearestFinder) -> Finding:
    link = meaning.link
    code = "embed-missing" if link.kind in _EMBEDS else "link-broken"
    return _finding(code, meaning, _absent(link, "no such file") + nearest.hint(meaning))


def _absent(link: Link, what: str) -> str:
    """What is not there: in Logseq a link may name nothing but a block."""
    is_block = link.block == link.written
    return f"(({link.written})): no block has this id" if is_block else f"{link.written}: {what}"


def _finding(code: str, meaning: ResolvedLink, message: str) -> Finding:
    return Finding(code, meaning.link.line, message, meaning.source)


def _is_missing(overview: WorkspaceOverview, meaning: ResolvedLink) -> bool:
    """Whether nothing at all is where a link points: the index knows no folders or hidden files."""
    source, link, found = meaning
    if link.kind in ONLY_IF_FOUND or found.status is LinkStatus.EXTERNAL:
        return False
    if (
        is_template(source, overview.layers)
        or _TEMPLATE.search(link.written)
        or _BLOCK.fullmatch(link.written)
        or (link.kind in PATH_KINDS and _MACHINE.match(link.written))
    ):
        return False
    if (tag := _TAG_PAGE.fullmatch(link.written)) and overview.is_tag(tag[1], source):
        return False
    here = place_of(source, link)
    # What leads out of the workspace is the matter of another rule.
    is_there = leads_out(here) or overview.is_there(here, source)
    return not (is_there or _is_other_page(overview, meaning, here))


def _is_other_page(overview: WorkspaceOverview, meaning: ResolvedLink, here: str) -> bool:
    """Whether a path, without a suffix or to HTML, is that of a page in a form that is not read."""
    stem = _HTML.sub("", here.rstrip("/"))
    paths = (f"{stem}{suffix}" for suffix in _OTHER_PAGES)
    is_path = meaning.link.kind in PATH_KINDS
    return is_path and any(overview.is_there(path, meaning.source) for path in paths)


def place_of(source: str, link: Link) -> str:
    """The path that a markdown link names when it is read as one."""
    return path_in("" if link.written.startswith("/") else dirname(source), link.written)


def _root_elsewhere(overview: WorkspaceOverview, meaning: ResolvedLink) -> str:
    """The first folder that the workspace has not of a path from the root, which on a website is
    that of the site, or of one to HTML, which a site is made of."""
    source, link = meaning.source, meaning.link
    if link.kind not in PATH_KINDS:
        return ""
    if not link.written.startswith("/"):
        return _absent_folder(overview, source, link) if _HTML.search(link.written) else ""
    first = link.written.lstrip("/").partition("/")[0]
    return f"/{first}" if first not in overview.folders and "." not in first else ""


def _absent_folder(overview: WorkspaceOverview, source: str, link: Link) -> str:
    """The highest folder above the file of a link that is not there."""
    parts = dirname(place_of(source, link)).split("/")
    above = ("/".join(parts[: count + 1]) for count in range(len(parts)))
    absent = (each for each in above if each and not overview.is_there(each, source))
    return f"{folder}/" if (folder := next(absent, "")) else ""


def links_of_other_case(overview: WorkspaceOverview) -> Findings:
    """Paths whose spelling is not that of the file: whether they are found depends on the
    system."""
    for source, links in groupby(overview.links(Which.RESPELLED), key=attrgetter("source")):
        respelled = [(each, new) for each in links if (new := _right_spelling(each)) is not None]
        swaps = {each.link.written: new for each, new in respelled if new}
        left = _links_left(overview, source, swaps) if swaps else frozenset()
        for (_, link, found), new in respelled:
            message = (
                f"{link.written}: the file is spelled {found.target}; many systems tell case apart"
            )
            is_swapped = bool(new) and (link.line, link.written) not in left
            swap = Swap(link.written, new) if is_swapped else None
            yield Finding("link-case", link.line, message, source, swap)


def _right_spelling(meaning: ResolvedLink) -> str | None:
    """What a path is with the spelling of its file, "" where no swap makes it that; None where it
    is spelled so."""
    source, link, found = meaning
    if link.kind not in PATH_KINDS or found.by not in _BY_PATH or not found.target:
        return None
    here = place_of(source, link) if found.by != "path" else path_in("", link.written)
    site = SITE * link.written.startswith(f"{SITE}/")
    spelled = _respelled(link.written[len(site) :], found.target)
    new = spelled and f"{site}{spelled}"
    composed = partial(normalised, "NFC")  # macOS may write `ö` as two signs: it looks the same
    heres = map(composed, (here, f"{here}.md", f"{here}.markdown"))
    if composed(new) == composed(link.written) or composed(found.target) in heres:
        return None  # found by the end of its path, and spelled as that is
    return new


def _links_left(
    overview: WorkspaceOverview, source: str, swaps: Mapping[str, str]
) -> frozenset[tuple[int, str]]:
    """The links that stand in a page when its targets are swapped: a target may be written in a
    way, or in a place, that no swap reaches."""
    page = parse(source, swapped(overview.around.read(source), swaps), overview.layers)
    return frozenset((link.line, link.written) for link in page.links)


def _respelled(written: str, target: str) -> str:
    """A written path with the spelling of its target, part by part from the end; "" if they differ
    in more than spelling."""
    has_suffix = fold(without_suffix(written)) != fold(written)
    parts, real = written.split("/"), (target if has_suffix else without_suffix(target)).split("/")
    for back in range(1, min(len(parts), len(real)) + 1):
        if parts[-back] in ("", ".", ".."):
            break
        if fold(parts[-back]) != fold(real[-back]):
            return ""
        parts[-back] = real[-back]
    return "/".join(parts)


def _has_named(overview: WorkspaceOverview, link: Link) -> bool:
    """Whether the right side of `[[Label|note.path]]` is the file name of a page, as in Dendron."""
    name = named_by_label(link)
    return bool(name) and bool(overview.lookup.pages(NameKind.STEM, without_suffix(name)))


def ambiguous_links(overview: WorkspaceOverview) -> Findings:
    """Links that several pages answer to."""
    for meaning in overview.links(Which.AMBIGUOUS):
        source, link, found = meaning
        if not _has_named(overview, link):
            count = counted(len(overview.graph.candidates(meaning)), "page")
            message = f"{link.written}: matches {count} (using {found.target}); write a path"
            yield Finding("link-ambiguous", link.line, message, source)


def links_by_title(overview: WorkspaceOverview) -> Findings:
    """Links that are found by what stands in a page, which few other tools look at."""
    for source, link, found in overview.links(Which.BY_CONTENT):
        form = layers_at(source, overview.layers).dialect
        is_form = (found.by == "title" and form.name == LOGSEQ) or (
            form.name == GITHUB and slug(link.written) == slug(stem_of(found.target))
        )
        if link.kind not in ONLY_IF_FOUND and not is_form and not _has_named(overview, link):
            what = {"title": "its title", "slug": "a similar name"}.get(found.by, "its full name")
            message = f"{link.written}: found only by {what}; other tools need {found.target}"
            yield Finding("link-by-title", link.line, message, source)


def links_to_the_superseded(overview: WorkspaceOverview) -> Findings:
    """Links to pages that say that another took their place, but for those of the successor."""
    successors: dict[str, str] = {}
    for source, link, found in overview.links(Which.SUCCESSION):
        if link.relation == "superseded_by" and found.target:
            successors[source] = found.target
    for target, successor in successors.items():
        for source, link, _ in overview.links_to(target):
            if source == successor or link.relation in _SUCCESSION or source in successors:
                continue
            if source in overview.subjects:
                message = f"{target} is superseded by {successor}; link to that"
                yield Finding("link-superseded", link.line, message, source)


LINKS = family_rules(
    Family.LINKS,
    (
        "link-broken",
        Severity.WARNING,
        "A link names a file that does not exist. Correct the path, or remove the link.",
        unresolved_links,
    ),
    (
        "embed-missing",
        Severity.WARNING,
        "An image or embedded page does not exist. Correct the path, or add the file.",
        unresolved_links,
    ),
    (
        "link-wanted",
        Severity.INFO,
        "A link names a page that does not exist yet. Normal; reported once per name, counted.",
        unresolved_links,
    ),
    (
        "link-off-site",
        Severity.INFO,
        "Links from `/` or to `.html` name a folder that is not there: a website? Once per folder.",
        unresolved_links,
    ),
    (
        "link-ambiguous",
        Severity.WARNING,
        "A link matches several pages, and tools choose differently. Write a path.",
        ambiguous_links,
    ),
    (
        "link-case",
        Severity.WARNING,
        "A path differs from its file in case, so it breaks on some systems. Correct the case.",
        links_of_other_case,
    ),
    (
        "link-by-title",
        Severity.INFO,
        "A link matches by title or similar name only. Write the file name, which all tools find.",
        links_by_title,
    ),
    (
        "link-superseded",
        Severity.INFO,
        "A link names a page that another one supersedes. Link to the successor.",
        links_to_the_superseded,
    ),
)


def missing_anchors(overview: WorkspaceOverview) -> Findings:
    """Links whose page is there, and has no such heading or block."""
    links = [each for each in overview.links(Which.ANCHORED) if _names_a_place(overview, each)]
    headings = _headings(overview, {each.found.target for each in links if each.link.heading})
    known = {path: _Anchors(overview, path, titles) for path, titles in headings.items()}
    blocks = dict[str, set[str]]()  # Obsidian writes them in any case
    for source, link, found in links:
        where = "this page" if found.target == source else found.target
        if link.block in _ENDS:
            continue
        block = _RANGE.sub("", link.block)
        if block and found.target not in blocks:
            blocks[found.target] = {*map(fold, overview.facts[found.target].block_ids)}
        if block and fold(block) not in blocks[found.target]:
            message = f"^{block}: {where} has no such block"
            yield Finding("block-missing", link.line, message, source)
        elif link.heading and not (
            known[found.target].hold(link.heading) or _is_label(overview, link)
        ):
            message = f"#{link.heading}: {where} has no such heading"
            near = known[found.target].nearest(link.heading)
            if near == link.heading or "#" in near:  # its signs are what no link can say
                near = " ".join(_NO_LINK.sub(" ", near).split())
            hint = f"; did you mean #{near}?" if near else ""
            yield Finding("heading-missing", link.line, message + hint, source)


def _is_label(overview: WorkspaceOverview, link: Link) -> bool:
    """Whether it names a place of another page, as `[](#label)` does in MyST."""
    if link.kind not in PATH_KINDS or link.written:
        return False
    called = overview.lookup.pages(NameKind.ALIAS, link.heading)
    return any(link.heading in overview.facts[page].anchors for page in called)


def _names_a_place(overview: WorkspaceOverview, meaning: ResolvedLink) -> bool:
    link, found = meaning.link, meaning.found
    if not (link.heading or link.block) or link.kind in ONLY_IF_FOUND:
        return False
    if found.status is not LinkStatus.RESOLVED or found.by == "full text":
        return False
    return found.target in overview.facts and not _NO_HEADING.match(link.heading)


def _headings(overview: WorkspaceOverview, paths: set[str]) -> Mapping[str, Sequence[str]]:
    titles: dict[str, list[str]] = {path: [] for path in paths}
    for path, title in overview.lookup.all_headings():
        if path in titles:
            titles[path].append(title)
    return titles


class _Anchors:
    """What may stand after the `#` of a link to one page."""

    def __init__(self, overview: WorkspaceOverview, path: str, titles: Sequence[str]) -> None:
        facts = overview.facts[path]
        # By letters alone: websites and editors differ in what they make of the rest.
        written = (*facts.anchors, *titles)
        self._titles = {letters(title): title for title in written}
        self._unnamed = sum(not _LATIN.search(title) for title in titles)
        self._titles |= {letters(_EMOJI.sub("", title)): title for title in written if ":" in title}
        self._has_any = ANY_HEADING in facts.anchors
        self._others = {fold(name) for name in (*facts.anchors, *facts.block_ids)}

    def hold(self, heading: str) -> bool:
        """Whether every part of a heading path is there, in any of the ways to write it."""
        heading = heading.removeprefix("user-content-")  # as GitHub writes each id
        ways = dict.fromkeys((heading, _RANGE.sub("", heading)))
        return self._has_any or any(
            fold(way) in self._others or all(map(self._holds, way.split("#"))) for way in ways
        )

    def _holds(self, part: str) -> bool:
        counted = _COUNTED.match(part)
        return (
            0 < int(counted[1] if counted else 0) <= self._unnamed
            or letters(part) in self._titles
            or fold(part) in self._others
            or letters(_REPEATED.sub("", part)) in self._titles
        )

    def nearest(self, heading: str) -> str:
        """The heading that begins with what was written, or with which it begins."""
        sought = letters(heading)
        near = [
            title
            for bare, title in self._titles.items()
            if min(len(bare), len(sought)) >= _MIN_LETTERS
            and (bare.startswith(sought) or sought.startswith(bare))
        ]
        return min(near, key=lambda title: (abs(len(title) - len(heading)), title), default="")


ANCHORS = family_rules(
    Family.LINKS,
    (
        "heading-missing",
        Severity.WARNING,
        "A link names a heading that its page does not have. Correct the text after the `#`.",
        missing_anchors,
    ),
    (
        "block-missing",
        Severity.WARNING,
        "A link names a block id that its page does not have. Correct the id after the `#^`.",
        missing_anchors,
    ),
)
