"""Files of the workspace: their names, their size, whether what is derived follows them; and
whether what a page says can still be true: its own term, its sources, and sources themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from posixpath import dirname
from shlex import quote
from typing import TYPE_CHECKING

from memwiki.change.journal import unread_lines
from memwiki.check.facts import Facts
from memwiki.check.overview import WorkspaceOverview, locations
from memwiki.check.rule import Family, Finding, Findings, family_rules
from memwiki.clock import local_day
from memwiki.errors import MemwikiError, UnreadableError, UnsafePathError
from memwiki.files.paths import colliding
from memwiki.index.meanings.lookup import Which
from memwiki.markdown.describe import MAX_TITLE, shorten
from memwiki.markdown.links import is_external
from memwiki.memory.placement import MEMORY_BYTES, MEMORY_LINES, is_over
from memwiki.names import BIDI, is_page_name, leads_out, path_in
from memwiki.nouns import UNPARSED, Severity
from memwiki.text import pattern

if TYPE_CHECKING:
    from memwiki.proposals.numbering import NumberedSource


_UNSAFE = pattern(
    rf"(?P<character>[<>:\"|?*\\\x00-\x1f\x7f{BIDI}])"
    r"|(?P<end>[. ](?=/|\Z))"
    r"|(?P<reserved>(?:(?<=/)|\A)(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?=[./]|\Z))",
    re.IGNORECASE,
)
_WHY = {
    "character": "contains a character Windows forbids, or an invisible one",
    "end": "ends in a space or full stop, which Windows drops",
    "reserved": "is one that Windows reserves for a device",
}


def unsafe_names(overview: WorkspaceOverview) -> Findings:
    """Names that another system cannot hold, so that a checkout or a copy there fails."""
    paths = (*overview.cards, *overview.attachments)
    parts = {part for path in paths for part in path.split("/")}  # a folder is looked at once
    for path in paths if any(map(_UNSAFE.search, parts)) else ():
        if match := _UNSAFE.search(path):
            yield Finding("file-name-unsafe", 1, f"name {_WHY[match.lastgroup or 'end']}", path)


def colliding_names(overview: WorkspaceOverview) -> Findings:
    """Names that are one on systems without case, or that write letters in two ways."""
    for first, *others in colliding((*overview.cards, *overview.attachments)):
        message = f"on some systems this is the same file as {locations(others)}; rename one"
        yield Finding("file-name-collision", 1, message, first)


def large_memory(overview: WorkspaceOverview) -> Findings:
    """A memory that is too long to be read at the beginning of every conversation."""
    path = overview.layers.memory
    if path not in overview.facts:
        return
    size = overview.facts[path].size
    lines = overview.around.read(path).count(b"\n")
    if is_over(lines, size):
        message = (
            f"{lines} lines and {size} bytes, over {MEMORY_LINES} lines or {MEMORY_BYTES} bytes"
        )
        yield Finding("memory-too-large", 1, message, path)


def unread_memory(overview: WorkspaceOverview) -> Findings:
    """A memory that is no page, such as a symlink that leads out or to nothing."""
    for path in (overview.layers.memory, overview.layers.learnings):
        is_expected = is_page_name(path) and not overview.around.out_of_step
        if is_expected and path not in overview.cards and overview.around.exists(path):
            message = f"not read as a page; memwiki status {quote(path)} says why"
            yield Finding("memory-unread", 1, message, path)


def unreadable_log(overview: WorkspaceOverview) -> Findings:
    """Headings of the journal that begin no entry."""
    path = overview.layers.log
    if path and overview.around.exists(path):
        try:
            lines = overview.around.read(path).decode("utf-8", "replace").split("\n")
        except (UnsafePathError, UnreadableError) as error:
            yield Finding("log-unreadable", 1, _reason(error), path)
            return
        for line in unread_lines(lines):
            message = f"{lines[line - 1].strip()[:60]}: has no date, so no entry begins here"
            yield Finding("log-unreadable", line, message, path)


def _reason(error: MemwikiError) -> str:
    return str(error).removeprefix(f"{error.path}: ")


def catalogs(overview: WorkspaceOverview) -> Findings:
    """Catalogs that are behind their pages, or longer than anybody can read."""
    found = overview.around.catalogs
    for path in found.stale:
        yield Finding("catalog-stale", 1, "out of date; memwiki catalog updates it", path)
    for error in found.unread:
        message = f"cannot be kept up to date: it {_reason(error)}"
        yield Finding("catalog-stale", 1, message, error.path)
    for path in found.large:
        message = "over its budget; move the text around its list to a page"
        yield Finding("catalog-over-budget", 1, message, path)


def unparsed(overview: WorkspaceOverview) -> Findings:
    """Pages of which the index knows nothing but the text."""
    for problem in overview.lookup.unparsed():
        yield Finding(problem.code, problem.line, problem.message, problem.path)


def index_out_of_step(overview: WorkspaceOverview) -> Findings:
    """Files that the index could not follow, so that this very report may miss something."""
    if overview.around.out_of_step:
        yield Finding("index-out-of-step", 1, overview.around.out_of_step, ".")


NAMES = family_rules(
    Family.WORKSPACE,
    (
        "file-name-unsafe",
        Severity.WARNING,
        "A file name cannot exist on every system. Rename the file with `memwiki move`.",
        unsafe_names,
    ),
    (
        "file-name-collision",
        Severity.WARNING,
        "Names differ in case or Unicode form only, and are one file on some systems. Rename one.",
        colliding_names,
    ),
)
FILES = (
    *NAMES,
    *family_rules(
        Family.WORKSPACE,
        (
            "memory-too-large",
            Severity.WARNING,
            "The memory is over 200 lines or 25 KB, too long to be read each time. Move entries to "
            "pages.",
            large_memory,
        ),
        (
            "memory-unread",
            Severity.WARNING,
            "The memory or the learnings are not read: left out, or a symlink that leads out, to "
            "nothing or to another page. Put the file in its place.",
            unread_memory,
        ),
        (
            "catalog-stale",
            Severity.WARNING,
            "A catalog is out of date. `memwiki catalog` updates it.",
            catalogs,
        ),
        (
            "catalog-over-budget",
            Severity.INFO,
            "A catalog is over 48,000 bytes. Move the text around its list to a page.",
            catalogs,
        ),
        (
            "log-unreadable",
            Severity.WARNING,
            "A heading in the journal has no date, so no entry begins there. "
            "Put the date in front.",
            unreadable_log,
        ),
        (
            UNPARSED,
            Severity.ERROR,
            "A bug in memwiki: the page could not be parsed and is indexed as plain text. "
            "Report it.",
            unparsed,
        ),
        (
            "index-out-of-step",
            Severity.WARNING,
            "The index is out of date, so this report may be incomplete. Run `memwiki sync`.",
            index_out_of_step,
        ),
    ),
)


# A path has a folder or the ending of a document; `example.com` and `Smith, 2020` are none.
_DOCUMENT = pattern(
    r"\.(?:md|markdown|txt|pdf|html?|csv|json|ya?ml|docx?|xlsx?|pptx?|png|jpe?g|svg|epub|eml)\Z",
    re.IGNORECASE,
)
_HOST = pattern(r"[\w-]+(?:\.[\w-]+)+(?::\d+)?/")


def stale_pages(overview: WorkspaceOverview) -> Findings:
    """Pages that say themselves until when they hold."""
    today = overview.around.today.isoformat()
    for path, facts in overview.facts.items():
        for key, line, date in facts.dates:
            day = date[:10]
            if key == "stale_after" and day < today[: len(day)] and path not in overview.retired:
                yield Finding("stale", line, f"was due for review by {day}", path)


def sources(overview: WorkspaceOverview) -> Findings:
    """Sources in the workspace that are gone, or newer than the page that is made of them."""
    citing = [
        (path, facts.sources)
        for path, facts in overview.facts.items()
        if facts.sources and path not in overview.retired
    ]
    if not citing:
        return  # the links of so many pages need not be walked
    targets = {
        (source, link.written): found.target
        for source, link, found in overview.links(Which.ONLY_IF_FOUND)
        if found.target
    }
    for path, cited in citing:
        for written, line, date in cited:
            target = targets.get((path, written), "")
            if not target and _is_missing(overview, path, written):
                message = f"{written}: no such source file"
                yield Finding("source-missing", line, message, path)
            elif _is_newer(overview, path, target, date):
                message = (
                    f"{target or written} changed after this page; check that the page still holds"
                )
                yield Finding("source-newer", line, message, path)


def _is_missing(overview: WorkspaceOverview, path: str, written: str) -> bool:
    if not _DOCUMENT.search(written) or _HOST.match(written) or is_external(written):
        return False
    places = [path_in(folder, written) for folder in ("", dirname(path))]
    inside = [place for place in places if not leads_out(place)]
    return bool(inside) and not any(overview.is_there(place, path) for place in inside)


def _is_newer(overview: WorkspaceOverview, path: str, target: str, stated: str) -> bool:
    """Whether a source says that it changed on a later day than the page.

    A date in the front matter counts for more than that of the file, which a checkout or a copy
    sets anew: a file's date is held only against another file's.
    """
    page, source = overview.facts[path], overview.facts.get(target)
    changed = max(_date(page, "updated"), _date(page, "confirmed"))
    theirs = (source and (_date(source, "updated") or _date(source, "created"))) or stated
    if not changed and not theirs and source:
        return _file_day(overview, target) > _file_day(overview, path)
    if not changed:
        changed = _file_day(overview, path) if theirs else ""
    length = min(len(changed), len(theirs), 10)
    return length >= 4 and theirs[:length] > changed[:length]


def _date(facts: Facts, wanted: str) -> str:
    return next((date for key, _, date in facts.dates if key == wanted), "")


def _file_day(overview: WorkspaceOverview, path: str) -> str:
    return local_day(overview.cards[path].mtime_ns).isoformat()


def changed_sources(overview: WorkspaceOverview) -> Findings:
    """Files of the raw layer that are not what they were when a check first saw them."""
    for path, (digest, day) in overview.around.first_seen.items():
        if path in overview.cards and overview.cards[path].digest != digest:
            message = f"sources must not change, and this one changed since {day}"
            yield Finding("raw-modified", 1, message, path)


FRESHNESS = family_rules(
    Family.FRESHNESS,
    (
        "stale",
        Severity.WARNING,
        "`stale_after` is past. Check that the page still holds, then set a new date.",
        stale_pages,
    ),
    (
        "source-newer",
        Severity.INFO,
        "A source changed later than the page made of it. Check that the page still holds.",
        sources,
    ),
    (
        "source-missing",
        Severity.WARNING,
        "`sources` names a file that does not exist. Correct the path, or restore the file.",
        sources,
    ),
    (
        "raw-modified",
        Severity.WARNING,
        "A file in the raw layer changed since check first saw it. Restore it; add news as a new "
        "file.",
        changed_sources,
    ),
)


class _CitedSource:
    """A source, what the page about it says of it, and its text, which is read where it matters."""

    def __init__(self, overview: WorkspaceOverview, path: str, told: Mapping[str, str]) -> None:
        self._overview, self._path = overview, path
        self._later = told.get("later", "")
        facts = overview.facts[path]
        digest, _ = overview.around.first_seen.get(path, ("", ""))
        was_seen = bool(digest) and digest != overview.cards[path].digest
        self._has_changed = was_seen or told.get("sha256", facts.sha256) != facts.sha256

    def findings(self, text: str, cited: Sequence[int]) -> Iterator[tuple[str, str]]:
        """What is wrong with a claim: the code, and what is said of it."""
        said = shorten(text, MAX_TITLE)
        if max(cited) > self._overview.facts[self._path].lines:
            yield "claim-unsupported", f"{self._path} has no such line: {said}"
        elif self._has_changed and self._why_not(text, cited):
            yield "claim-unsupported", f"{self._path} changed, and does not say this now: {said}"
        elif self._later and not self._is_in_later(cited):
            yield "claim-outdated", f"{self._later}, a later version, says it otherwise: {said}"

    def _why_not(self, text: str, cited: Sequence[int]) -> str:
        """Why the lines do not support a claim; lines of a file become those of a source."""
        from memwiki.proposals.evidence import judge_support  # of few sources anything changes

        numbers = [n for n, each in enumerate(self._text.lines, 1) if each.line in cited]
        return judge_support(text, "", numbers, self._text).why

    def _is_in_later(self, cited: Sequence[int]) -> bool:
        texts = {each.text for each in self._text.lines if each.line in cited}
        return texts <= {each.text for each in self._later_text.lines}

    @cached_property
    def _text(self) -> NumberedSource:
        return self._read(self._path)

    @cached_property
    def _later_text(self) -> NumberedSource:
        return self._read(self._later)

    def _read(self, path: str) -> NumberedSource:
        from memwiki.proposals.numbering import source_of_text

        return source_of_text(self._overview.around.read(path).decode("utf-8", "replace"))


def claims(overview: WorkspaceOverview) -> Findings:
    """Claims of which the lines are gone or changed, or are others in a later version."""
    citing = [(path, facts) for path, facts in overview.facts.items() if facts.claims]
    if not citing:
        return
    told = dict(_told_versions(overview.facts))
    sources: dict[str, _CitedSource] = {}
    for path, facts in citing:
        for text, line, written, cited in facts.claims if path not in overview.retired else ():
            target = f"{written}.md"
            if target not in overview.facts or not cited:
                continue  # a link that leads nowhere is found as such
            if target not in sources:
                sources[target] = _CitedSource(overview, target, told.get(target, {}))
            for code, message in sources[target].findings(text, cited):
                yield Finding(code, line, message, path)


def _told_versions(pages: Mapping[str, Facts]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """What the pages about sources say of each version: which is later, and what the last was."""
    for facts in pages.values():
        if not (facts.sha256 and facts.sources):
            continue
        *earlier, last = (f"{written.strip('[]')}.md" for written, _, _ in facts.sources)
        yield last, {"sha256": facts.sha256}
        if last in pages:
            yield from ((path, {"later": last}) for path in earlier)


CLAIMS = family_rules(
    Family.FRESHNESS,
    (
        "claim-unsupported",
        Severity.WARNING,
        "The lines of a source that a claim cites are gone, or do not say it any more. Restore the "
        "source, or correct the claim.",
        claims,
    ),
    (
        "claim-outdated",
        Severity.INFO,
        "A later version of the source has other lines than those that a claim cites. Check that "
        "it still holds.",
        claims,
    ),
)
